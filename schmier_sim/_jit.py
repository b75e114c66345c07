"""The one decorator for compiled code, and the place where compiled code is kept.

Compiled kernels are cached on disk in a directory whose name is a digest of all sources of this
package and of numba's version. numba itself looks only at the file that a function stands in, so
that an edit of a callee in another file would leave a stale caller behind; with the digest a
changed source never meets an old result.

The cache holds pickles. It is therefore read only from a directory that belongs to the user and
that nobody else can write; where there is none, kernels are compiled anew in each process.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache, wraps
from pathlib import Path
from typing import Any, TypeVar, cast

import numba
import numpy as np
from numba.core.event import Listener, register

from schmier_sim import compiling

F = TypeVar("F", bound=Callable[..., Any])

JIT_ENABLED = not numba.config.DISABLE_JIT
_FORGOTTEN_AFTER_DAYS = 60


@cache
def sources_digest() -> str:
    """Digest of the package's sources and of numba's version, 16 hexadecimal digits."""
    package = Path(__file__).parent
    digest = hashlib.sha256(numba.__version__.encode())
    for path in sorted(package.rglob("*.py")):
        digest.update(path.relative_to(package).as_posix().encode() + b"\0")
        digest.update(path.read_bytes() + b"\0")
    return digest.hexdigest()[:16]


def _cache_roots() -> list[Path]:
    """Where compiled code may be kept, best first."""
    named = os.environ.get("NUMBA_CACHE_DIR")
    if named:
        return [Path(named)]
    base = os.environ.get("XDG_CACHE_HOME") or os.environ.get("LOCALAPPDATA")
    home = Path(base) if base else Path(os.path.expanduser("~")) / ".cache"
    user = os.getuid() if hasattr(os, "getuid") else "user"
    return [home / "schmier_sim", Path(tempfile.gettempdir()) / f"schmier_sim-{user}"]


def _is_private(directory: Path) -> bool:
    """Whether only this user can write the directory."""
    if not hasattr(os, "getuid"):
        return True
    status = directory.lstat()
    return directory.is_dir() and status.st_uid == os.geteuid() and not status.st_mode & 0o022


def _forget_old(root: Path) -> None:
    """Remove what other versions of the sources left behind long ago."""
    limit = time.time() - _FORGOTTEN_AFTER_DAYS * 86_400
    for path in root.glob("kernels-*"):
        if path.lstat().st_mtime < limit:
            shutil.rmtree(path, ignore_errors=True)


@cache
def cache_directory() -> Path | None:
    """Return the directory for compiled code of just these sources, or None if there is none."""
    for root in _cache_roots():
        directory = root / f"kernels-{sources_digest()}"
        try:
            if not directory.exists():
                root.mkdir(parents=True, exist_ok=True)
                directory.mkdir(mode=0o700, exist_ok=True)
                _forget_old(root)
            if _is_private(directory) and os.access(directory, os.W_OK | os.X_OK):
                return directory
        except OSError:
            continue
    return None


@contextmanager
def caching_in(directory: Path) -> Iterator[None]:
    """Let numba choose our directory while it sets up one dispatcher, and no other's."""
    before = numba.config.CACHE_DIR
    numba.config.CACHE_DIR = str(directory)
    try:
        yield
    finally:
        numba.config.CACHE_DIR = before


class _Telling(Listener):  # type: ignore[misc]
    """Passes on what numba tells of itself."""

    def on_start(self, event: Any) -> None:
        compiling.started(event.data["dispatcher"].py_func.__module__)

    def on_end(self, event: Any) -> None:
        compiling.ended()


if JIT_ENABLED:
    register("numba:compile", _Telling())


def is_own(function: Any) -> bool:
    """Whether a function stands in this package, whose sources name the cache directory."""
    python_function = getattr(function, "py_func", function)
    return bool(python_function.__code__.co_filename.startswith(str(Path(__file__).parent)))


def _compiled(function: F, **more: bool) -> F:
    if not JIT_ENABLED:
        return function
    options = {"nogil": True, "error_model": "numpy", **more}
    directory = cache_directory()
    if directory is None:
        return cast(F, numba.njit(**options)(function))
    with caching_in(directory):
        return cast(F, numba.njit(cache=True, **options)(function))


def kernel(function: F) -> F:
    """Compile a function on first use, without the GIL; plain Python with the JIT switched off."""
    return _compiled(function)


def inlined_kernel(function: F) -> F:
    """Like `kernel`, for what is called for every card: it becomes a part of its callers.

    A call costs some nanoseconds, for its result and error code go through memory.
    """
    return _compiled(function, forceinline=True)


def wrapping_kernel(function: F) -> F:
    """Like `kernel`, for arithmetic modulo 2**64 that is meant to wrap around."""
    if JIT_ENABLED:
        return kernel(function)

    @wraps(function)
    def silent(*args: Any) -> Any:
        with np.errstate(over="ignore"):
            return function(*args)

    return cast(F, silent)


@cache
def callback(function: Any, signature: Any) -> Any:
    """Compile a kernel to a C function pointer with a signature, once; keep it alive."""
    python_function = getattr(function, "py_func", function)
    directory = cache_directory()
    if directory is None:
        return numba.cfunc(signature)(python_function)
    with caching_in(directory):
        return numba.cfunc(signature, cache=True)(python_function)


def structured(count: int, dtype: np.dtype[Any]) -> Any:
    """Return zeroed structured records whose fields are attributes with and without the JIT."""
    records = np.zeros(count, dtype)
    return records if JIT_ENABLED else records.view(np.recarray)
