"""What is printed where: answers on stdout, everything else on stderr; signs as the console can."""

from __future__ import annotations

import contextlib
import json
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, TextIO

import click

if TYPE_CHECKING:
    from rich.progress import Progress

INTERRUPTED = 130
"""The exit code after Ctrl-C."""

_PLAIN = str.maketrans(
    {"♣": "C", "♦": "D", "♥": "H", "♠": "S", "±": "+/-", "·": ".", "–": "-", "≥": ">="}  # noqa: RUF001
)


_LONGEST = 1000


def _fit(text: str, stream: TextIO) -> str:
    """Return a text in signs that the stream's encoding has."""
    encoding = getattr(stream, "encoding", None) or "ascii"
    try:
        text.encode(encoding)
    except UnicodeEncodeError:
        text = text.translate(_PLAIN).encode(encoding, "replace").decode(encoding)
    except LookupError:
        text = text.translate(_PLAIN).encode("ascii", "replace").decode("ascii")
    return text


def say(text: str) -> None:
    """Print an answer."""
    click.echo(_fit(text, sys.stdout))


def note(text: str) -> None:
    """Print a remark that is no part of the answer, above a bar that is there."""
    with contextlib.suppress(OSError, ValueError):  # nobody is there to be told
        if _running.bars:
            console = _running.bars[-1].console
            console.print(_fit(text, sys.stderr), markup=False, highlight=False, soft_wrap=True)
        else:
            click.echo(_fit(text, sys.stderr), err=True)


def complain(text: str) -> None:
    """Print the one line that says what is wrong."""
    line = " ".join(text.split())
    if len(line) > _LONGEST:
        line = f"{line[: _LONGEST // 2]} ... {line[-_LONGEST // 2 :]}"
    note("schmier-sim: " + line)


def say_json(data: Any, *, indent: int | None = None) -> None:
    """Print strict JSON."""
    click.echo(json.dumps(data, allow_nan=False, indent=indent))


def emphasise(text: str, colour: str) -> str:
    """Colour a text, on a terminal that wants it."""
    wanted = sys.stdout.isatty() and "NO_COLOR" not in os.environ
    return click.style(text, fg=colour, bold=True) if wanted else text


def has_live_line() -> bool:
    """Whether stderr is a terminal on which a line can be written over."""
    return sys.stderr.isatty() and os.environ.get("TERM") != "dumb"


class _Running:
    """What is shown as going on: the label of the bar that is there, or else a line of its own."""

    def __init__(self) -> None:
        self.bars: list[Progress] = []
        self.width = 0

    def show(self, text: str | None) -> None:
        if self.bars:
            bar = self.bars[-1]
            for task in bar.tasks:
                bar.update(task.id, description=text or task.fields["what"])
        elif text or self.width:
            line = _fit(text or "", sys.stderr)
            sys.stderr.write(f"\r{line.ljust(self.width)}" + ("" if text else "\r"))
            sys.stderr.flush()
            self.width = len(line)


_running = _Running()


def show_running(text: str | None) -> None:
    """Show on a terminal's stderr what is going on, until it is called with None."""
    if has_live_line():
        _running.show(text)


@contextmanager
def progress(total: int, what: str, quiet: bool) -> Iterator[Callable[[int], None]]:
    """Show progress on a terminal's stderr; give a function that takes what is done so far."""
    if quiet or not has_live_line():
        yield lambda done: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        TextColumn("{task.completed:,.0f} of {task.total:,.0f}"),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(what, total=total, what=what)
        _running.bars.append(bar)
        try:
            yield lambda done: bar.update(task, completed=done)
        finally:
            _running.bars.remove(bar)
