"""The console script: runs a command, and turns every failure into one line and an exit code."""

from __future__ import annotations

import atexit
import os
import signal
import sys
from contextlib import suppress


def main() -> None:
    """Run ``schmier-sim``."""
    try:
        code = _finished()
    except KeyboardInterrupt:  # before the command, after it, or once more
        code = 130
    if code == 130:
        # Nobody waits for what is still loaded, compiled or played; it cannot be broken off.
        os._exit(code)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # all is written
    if "numba" in sys.modules:
        # To take the compiler apart would cost a tenth of a second.
        with suppress(OSError, ValueError):
            sys.stderr.flush()
        atexit._run_exitfuncs()  # some libraries have temporary files
        os._exit(code)
    sys.exit(code)


def _finished() -> int:
    """Run the command, write what it said, and return the exit code."""
    sys.stdout = sys.stdout or open(os.devnull, "w")  # noqa: SIM115  # closed by the caller
    sys.stderr = sys.stderr or open(os.devnull, "w")  # noqa: SIM115
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):  # a sign that a console lacks is no reason to fail
            stream.reconfigure(errors="replace")
    from schmier_sim.cli.run import run

    code = run(sys.argv[1:])
    try:
        sys.stdout.flush()
    except (OSError, ValueError) as error:
        # The reader has gone, or the device is full, which the command has told by then. Give the
        # interpreter's own last flush somewhere to write to.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        if isinstance(error, OSError) and not isinstance(error, BrokenPipeError):
            code = code or 2
    return code


if __name__ == "__main__":
    main()
