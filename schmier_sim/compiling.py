"""Who is told when functions are compiled: the command line, which starts without a compiler."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Protocol


class Watcher(Protocol):
    """Hears of every function that is compiled, and not of those found in the cache."""

    def started(self, module: str) -> None:
        """Hear that a function of a module is being compiled, perhaps for another one."""

    def ended(self) -> None:
        """Hear that the one that started last is done, or has failed."""


_watchers: list[Watcher] = []


@contextmanager
def watched_by(watcher: Watcher) -> Iterator[None]:
    """Tell a watcher of all that is compiled meanwhile, in whatever thread."""
    _watchers.append(watcher)
    try:
        yield
    finally:
        _watchers.remove(watcher)


def started(module: str) -> None:
    """Tell all watchers of a function of a module."""
    for watcher in tuple(_watchers):
        watcher.started(module)


def ended() -> None:
    """Tell all watchers that it is done."""
    for watcher in tuple(_watchers):
        watcher.ended()
