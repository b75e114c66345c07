"""The console script: runs a command, and turns every failure into one line and an exit code."""

from __future__ import annotations

import os
import sys
from contextlib import suppress


def main() -> None:
    """Run ``schmier-sim``."""
    sys.stdout = sys.stdout or open(os.devnull, "w")  # noqa: SIM115  # closed by the caller
    sys.stderr = sys.stderr or open(os.devnull, "w")  # noqa: SIM115
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):  # a sign that a console lacks is no reason to fail
            stream.reconfigure(errors="replace")
    try:
        from schmier_sim.cli.run import run

        code = run(sys.argv[1:])
    except KeyboardInterrupt:  # before or after the command itself
        code = 130
    try:
        sys.stdout.flush()
    except (OSError, ValueError) as error:
        # The reader has gone, or the device is full, which the command has told by then. Give the
        # interpreter's own last flush somewhere to write to.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        if isinstance(error, OSError) and not isinstance(error, BrokenPipeError):
            code = code or 2
    if "numba" in sys.modules:
        # All is written. To take the compiler apart would cost a tenth of a second, and compiled
        # code of a player who never answers cannot be broken off at all.
        with suppress(OSError, ValueError):
            sys.stderr.flush()
        os._exit(code)
    sys.exit(code)


if __name__ == "__main__":
    main()
