"""Says that kernels are being compiled: a line on stderr, and on a terminal how long it takes.

Code found in the cache is never spoken of. For a player of one's own, which takes a second or
two, there is no line that stays.
"""

from __future__ import annotations

import contextlib
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import click

from schmier_sim.cli.output import has_live_line, note, show_running
from schmier_sim.compiling import watched_by

_PACKAGE = __name__.partition(".")[0]
_EVERY = 0.25  # seconds between two drawings
_SHORT = 0.5  # what takes less is not shown running


@contextlib.contextmanager
def compiling_told(context: click.Context) -> Iterator[None]:
    """Let the user know of what a command compiles, unless he wants quiet."""
    notice = Notice(context)
    try:
        with watched_by(notice):
            yield
    finally:
        notice.close()


class Notice:
    """What is said of compiling in one run of a command.

    Compiling is heard of in whatever thread it happens; another one draws.
    """

    def __init__(self, context: click.Context) -> None:
        self._context = context
        self._lock = threading.Lock()
        self._depth = 0
        self._what = ""
        self._began = self._spent = 0.0
        self._is_told = False
        self._drawer: threading.Thread | None = None
        self._closed = threading.Event()

    def started(self, module: str) -> None:
        """Say so, the first time; show it running."""
        if self._context.meta.get("quiet"):
            return
        with self._lock:
            self._depth += 1
            if self._depth > 1:  # a callee
                return
            self._began, self._what = time.monotonic(), _what(module)
            if _is_own(module) and not self._is_told:
                self._is_told = True
                note(_first_line())
            if self._drawer is None and has_live_line():
                self._drawer = threading.Thread(target=self._draw_on, daemon=True)
                self._drawer.start()

    def ended(self) -> None:
        """Take the running line away when all is done."""
        with self._lock:
            if not self._depth:  # quiet
                return
            self._depth -= 1
            if not self._depth:
                self._spent += time.monotonic() - self._began
                _show(None)

    def draw(self) -> None:
        """Show for how long it has been compiling by now."""
        with self._lock:
            if not self._depth:
                return
            seconds = self._spent + time.monotonic() - self._began
            if seconds >= _SHORT:
                _show(f"{self._what} {seconds:.0f} s")

    def _draw_on(self) -> None:
        while not self._closed.wait(_EVERY):
            self.draw()

    def close(self) -> None:
        """Draw no more."""
        self._closed.set()
        with self._lock:
            self._depth = 0
            _show(None)
        if self._drawer:
            self._drawer.join(1.0)


def _is_own(module: str) -> bool:
    return module.partition(".")[0] == _PACKAGE


def _what(module: str) -> str:
    """Say what is compiled: nothing more of the engine, the file of a player of one's own."""
    if _is_own(module):
        return "compiling"
    file = getattr(sys.modules.get(module), "__file__", None)
    return f"compiling {Path(file).name if file else module}"


def _first_line() -> str:
    from schmier_sim._jit import cache_directory

    directory = cache_directory()
    if directory is None:
        return "compiling; it cannot be kept, see `schmier-sim doctor`"
    is_first = next(directory.rglob("*.nbi"), None) is None
    return "compiling for this machine, once" + (" (about 15 s)" if is_first else "")


def _show(text: str | None) -> None:
    with contextlib.suppress(OSError, ValueError):
        show_running(text)
