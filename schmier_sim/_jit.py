"""The decorators for compiled code, and the place where compiled code is kept.

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
import pickle
import shutil
import stat
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import cache, wraps
from pathlib import Path
from typing import Any, Final, TypeVar, cast

import numba
import numpy as np
from numba.core.caching import FunctionCache, IndexDataCacheFile
from numba.core.ccallback import CFunc
from numba.core.event import Listener, register
from numba.core.sigutils import normalize_signature

from schmier_sim import compiling
from schmier_sim.locks import alone_in

F = TypeVar("F", bound=Callable[..., Any])

JIT_ENABLED = not numba.config.DISABLE_JIT
_FORGOTTEN_AFTER_DAYS = 60
_DIGEST = 32  # bytes
_LINE = 128  # bytes; processors fetch lines of 64 in pairs


@cache
def sources_digest() -> str:
    """Digest of the package's sources and of numba's version, 16 hexadecimal digits.

    Tables count too: what is read from them becomes a part of compiled code.
    """
    package = Path(__file__).parent
    digest = hashlib.sha256(numba.__version__.encode())
    for path in sorted([*package.rglob("*.py"), *package.rglob("*.csv")]):
        digest.update(path.relative_to(package).as_posix().encode() + b"\0")
        digest.update(path.read_bytes() + b"\0")
    return digest.hexdigest()[:16]


def _cache_roots() -> list[Path]:
    """Where compiled code may be kept, best first."""
    named = os.environ.get("NUMBA_CACHE_DIR")
    if named:
        return [Path(named)]
    user = os.getuid() if hasattr(os, "getuid") else "user"
    roots = [Path(tempfile.gettempdir()) / f"schmier_sim-{user}"]
    home = Path(os.path.expanduser("~"))
    base = os.environ.get("XDG_CACHE_HOME") or os.environ.get("LOCALAPPDATA")
    if base and os.path.isabs(base):
        roots.insert(0, Path(base) / "schmier_sim")
    elif home.is_dir() and home.is_absolute() and home != Path(home.anchor):  # a service has none
        roots.insert(0, home / ".cache" / "schmier_sim")
    return roots


def _is_private(directory: Path) -> bool:
    """Whether only this user can write the directory."""
    if not hasattr(os, "getuid"):
        return True
    status = directory.lstat()
    return directory.is_dir() and status.st_uid == os.geteuid() and not status.st_mode & 0o022


def _keeps_names(root: Path) -> bool:
    """Whether nobody else can put another directory in the place of one in here."""
    if not hasattr(os, "getuid"):
        return True
    status = root.stat()
    is_shared = status.st_mode & 0o022 and not status.st_mode & stat.S_ISVTX
    return status.st_uid in (0, os.geteuid()) and not is_shared


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
                root.parent.mkdir(parents=True, exist_ok=True)
                root.mkdir(mode=0o700, exist_ok=True)
                directory.mkdir(mode=0o700, exist_ok=True)
                _forget_old(root)
            is_ours = _keeps_names(root) and _is_private(directory)
            if is_ours and os.access(directory, os.W_OK | os.X_OK):
                return directory.absolute()
        except OSError:
            continue
    return None


class _Files(IndexDataCacheFile):  # type: ignore[misc]
    """Like numba's, for files that may be damaged: code stands behind its digest."""

    def _save_data(self, name: str, data: Any) -> None:
        content = self._dump(data)
        with self._open_for_write(self._data_path(name)) as file:
            file.write(hashlib.sha256(content).digest() + content)

    def _load_data(self, name: str) -> Any:
        stored = Path(self._data_path(name)).read_bytes()
        digest, content = stored[:_DIGEST], stored[_DIGEST:]
        if hashlib.sha256(content).digest() != digest:
            raise ValueError(f"{name} is damaged")
        return pickle.loads(content)


class _Cache(FunctionCache):  # type: ignore[misc]
    """Like numba's, for more than one process, and for files that may be damaged.

    numba reads an index, adds a line and writes it. Of two processes that do so with one function
    for different types, both would choose the same file, and one would find the other's code.
    What cannot be written, as on a full disk, is not kept. What cannot be read is forgotten, and
    compiled anew.
    """

    def __init__(self, function: Any) -> None:
        super().__init__(function)
        implementation = self._impl
        self._cache_file = _Files(
            self._cache_path,
            implementation.filename_base,
            implementation.locator.get_source_stamp(),
        )

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        try:
            return super().load_overload(sig, target_context)
        except Exception:  # a damaged pickle raises whatever there is
            with suppress(OSError), alone_in(Path(self.cache_path)):
                self.flush()
            return None

    def save_overload(self, sig: Any, data: Any) -> None:
        with suppress(OSError), alone_in(Path(self.cache_path)):
            super().save_overload(sig, data)


def keep_in(directory: Path, compiled: Any) -> None:
    """Let a compiled function be kept in a directory, and be found there.

    Raises
    ------
    RuntimeError
        If it has no file of source, or no place can be made for its code.
    """
    with caching_in(directory):
        compiled._cache = _Cache(compiled.py_func)


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


if JIT_ENABLED:
    from numba.core.registry import CPUDispatcher
    from numba.core.types.misc import unliteral

    _OPTIONS: Final = {"nopython": True, "nogil": True, "error_model": "numpy"}

    class _Compiled(CPUDispatcher):  # type: ignore[misc]
        """numba's, but nothing is compiled once more for an integer that is written out."""

        def get_call_template(self, args: Any, kws: Any) -> Any:
            kws = {name: unliteral(each) for name, each in kws.items()}
            return super().get_call_template(tuple(map(unliteral, args)), kws)

    class _Part(_Compiled):
        """A kernel for other kernels alone.

        It is compiled without what it takes to be called from Python and to be kept, which is
        nearly half of the work. Who calls it from Python gets a kernel of its own.
        """

        def __init__(self, function: Any, inlined: bool) -> None:
            options = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True}
            super().__init__(function, targetoptions=_OPTIONS | options | {"forceinline": inlined})
            self._for_python: Any = None

        def __call__(self, *arguments: Any) -> Any:
            if self._for_python is None:
                self._for_python = kernel(self.py_func)
            return self._for_python(*arguments)


def kernel(function: F) -> F:
    """Compile a function on first use, without the GIL; plain Python with the JIT switched off."""
    if not JIT_ENABLED:
        return function
    compiled = _Compiled(function, targetoptions=_OPTIONS)
    directory = cache_directory()
    if directory is not None:
        with suppress(RuntimeError):  # on a full disk: no place of its own
            keep_in(directory, compiled)
    return cast(F, compiled)


def part_kernel(function: F) -> F:
    """Like `kernel`, for what only kernels call: quicker to compile, and kept with its callers."""
    return cast(F, _Part(function, inlined=False)) if JIT_ENABLED else function


def inlined_kernel(function: F) -> F:
    """Like `kernel`, for what is called for every card: it becomes a part of its callers.

    A call costs some nanoseconds, for its result and error code go through memory.
    """
    return cast(F, _Part(function, inlined=True)) if JIT_ENABLED else function


def wrapping_kernel(function: F) -> F:
    """Like `inlined_kernel`, for arithmetic modulo 2**64 that is meant to wrap around."""
    if JIT_ENABLED:
        return inlined_kernel(function)

    @wraps(function)
    def silent(*args: Any) -> Any:
        with np.errstate(over="ignore"):
            return function(*args)

    return cast(F, silent)


@cache
def callback(function: Any, signature: Any) -> Any:
    """Compile a kernel to a C function pointer with a signature, once; keep it alive."""
    python_function = getattr(function, "py_func", function)
    return c_function(python_function, signature, cache_directory())


def c_function(function: Any, signature: Any, directory: Path | None) -> Any:
    """Compile a Python function to a C function pointer, kept in a directory if there is one."""
    made = CFunc(function, normalize_signature(signature), locals={}, options={})
    if directory is not None:
        with suppress(RuntimeError), caching_in(directory):  # on a full disk: no place of its own
            made._cache = _Cache(function)  # type: ignore[attr-defined]
    made.compile()
    return made


def zeros_apart(count: int, dtype: Any) -> np.ndarray:
    """Return zeros on cache lines of their own.

    Of two threads that write to one line each waits for the other, though they write to different
    places.
    """
    size = count * np.dtype(dtype).itemsize
    space = np.zeros(size + 2 * _LINE, np.uint8)
    first = -space.ctypes.data % _LINE
    return space[first : first + size].view(dtype)


def structured(count: int, dtype: np.dtype[Any]) -> Any:
    """Return zeroed structured records whose fields are attributes with and without the JIT."""
    records = zeros_apart(count, dtype)
    return records if JIT_ENABLED else records.view(np.recarray)
