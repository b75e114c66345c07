"""Keep other processes out of a directory for a while."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path


@contextlib.contextmanager
def alone_in(directory: Path) -> Iterator[None]:
    """Keep out other processes that ask for the same directory, where the system can."""
    try:
        import fcntl
    except ImportError:
        yield
        return
    with contextlib.ExitStack() as stack:
        with contextlib.suppress(OSError):  # not every file system has locks
            handle = os.open(directory, os.O_RDONLY)
            stack.callback(os.close, handle)
            fcntl.flock(handle, fcntl.LOCK_EX)
        yield
