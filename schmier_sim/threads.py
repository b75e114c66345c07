"""Threads for compiled code that hear Ctrl-C, even if a player of one's own never answers."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from importlib import import_module
from typing import TypeVar

T = TypeVar("T")


@contextmanager
def threads(jobs: int) -> Iterator[ThreadPoolExecutor]:
    """Give a pool of threads; on Ctrl-C do not wait for what it is doing.

    Compiled code cannot be broken off: whoever catches KeyboardInterrupt has to leave the process
    by `os._exit`, or the interpreter waits for the threads at its end.
    """
    pool = ThreadPoolExecutor(jobs)
    try:
        yield pool
    except KeyboardInterrupt:
        pool.shutdown(wait=False, cancel_futures=True)
        raise
    except BaseException:
        pool.shutdown(wait=True, cancel_futures=True)
        raise
    pool.shutdown()


def in_pieces(jobs: int, n: int, piece: int, work: Callable[[int, int], object]) -> None:
    """Do ``work(first, beyond the last)`` over 0 to n in pieces of a moment each, in threads.

    After an exception, Ctrl-C too, no further piece is begun.
    """
    given_up = threading.Event()

    def some(at: int) -> None:
        if not given_up.is_set():
            work(at, min(at + piece, n))

    with threads(jobs) as pool:
        parts = [pool.submit(some, at) for at in range(0, n, piece)]
        try:
            for part in parts:
                part.result()
        except BaseException:
            given_up.set()
            raise


def hearing_ctrl_c(function: Callable[..., T], *arguments: object) -> T:
    """Call a compiled function in a thread, so that Ctrl-C is heard meanwhile."""
    with threads(1) as pool:
        return pool.submit(function, *arguments).result()


def load(*modules: str) -> None:
    """Import modules, so that Ctrl-C is heard meanwhile.

    Compiled libraries call Python while they are loaded, and do not all live through an exception
    that strikes there.
    """
    hearing_ctrl_c(lambda: [import_module(name) for name in modules])


@contextmanager
def undisturbed() -> Iterator[None]:
    """Put Ctrl-C off to the end of a block that must not be broken off."""
    on_main = threading.current_thread() is threading.main_thread()
    if not on_main or signal.getsignal(signal.SIGINT) is not signal.default_int_handler:
        yield
        return
    pressed: list[int] = []
    signal.signal(signal.SIGINT, lambda number, _: pressed.append(number))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    if pressed:
        raise KeyboardInterrupt
