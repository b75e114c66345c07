"""Run a command and report its failure as one line."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence

import click

from schmier_sim.cli.compiling import compiling_told
from schmier_sim.cli.main import main
from schmier_sim.cli.output import INTERRUPTED, complain
from schmier_sim.errors import SchmierError

_INTERNAL = 70


def _was_interrupted(error: BaseException | None) -> bool:
    """Whether Ctrl-C led to an error: it may strike where a lock is waited for, and break that."""
    while error is not None and not isinstance(error, KeyboardInterrupt):
        error = error.__cause__ or error.__context__
    return error is not None


def run(arguments: Sequence[str]) -> int:
    """Run ``schmier-sim`` with arguments and return the exit code.

    0 done, 1 a check failed or a policy answered illegally, 2 bad input, 130 interrupted.
    """
    try:
        with (
            main.make_context("schmier-sim", list(arguments)) as context,
            compiling_told(context),
        ):
            code = main.invoke(context)
        return code if isinstance(code, int) else 0
    except click.exceptions.Exit as done:
        return done.exit_code
    except SchmierError as error:
        complain(str(error))
        return error.exit_code
    except click.exceptions.NoArgsIsHelpError as error:
        click.echo(error.ctx.get_help() if error.ctx else "")
        return 0
    except click.UsageError as error:
        command = error.ctx.command_path if error.ctx else "schmier-sim"
        text = " ".join(error.format_message().split())
        complain(f"{text} (see {command} --help)")
        return 2
    except click.ClickException as error:
        complain(" ".join(error.format_message().split()))
        return 2
    except (KeyboardInterrupt, click.Abort):
        complain("interrupted")
        return INTERRUPTED
    except BrokenPipeError:
        return 0
    except MemoryError:
        complain("out of memory; fewer hands or fewer --jobs need less")
        return 2
    except OSError as error:
        complain(f"{error.filename or 'output'}: {error.strerror or error}")
        return 2
    except Exception as error:
        if _was_interrupted(error):
            complain("interrupted")
            return INTERRUPTED
        if os.environ.get("SCHMIER_SIM_TRACEBACK"):
            raise
        where = " ".join(sys.argv[1:2])
        complain(
            f"internal error in {where or 'schmier-sim'}: {type(error).__name__}: {error}; please "
            "report it with the output of `schmier-sim doctor`; SCHMIER_SIM_TRACEBACK=1 shows where"
        )
        return _INTERNAL
