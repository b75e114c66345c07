"""All that a plug-in is made of, its digest, and the directory of code compiled from just that."""

from __future__ import annotations

import ast
import hashlib
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any, Final, NamedTuple

import numpy as np

from schmier_sim._jit import cache_directory

_STATES_KEPT: Final = 4


class Source(NamedTuple):
    """A plug-in's file and those of its modules beside, and the digest of what they hold."""

    files: tuple[Path, ...]
    digest: str


def source_of(file: Path, content: bytes, module: ModuleType) -> Source:
    """Return what a plug-in that has run is made of.

    The digest is over its file, the modules that it imports from beside, and the numbers and
    arrays in all of them, which become constants of compiled code wherever they came from.
    """
    digest = hashlib.sha256(content + b"\0")
    files = [file]
    _absorb_constants(digest, module)
    for name, other in _beside(content, file.parent, {file}):
        where = Path(str(other.__file__)).resolve()
        files.append(where)
        digest.update(name.encode() + b"\0" + where.read_bytes() + b"\0")
        _absorb_constants(digest, other)
    return Source(tuple(files), digest.hexdigest()[:12])


def _beside(content: bytes, directory: Path, seen: set[Path]) -> Iterator[tuple[str, ModuleType]]:
    """Yield the modules from a directory that a source imports, and those that they import.

    This package is none of them, and nothing that is installed: an environment may well lie in a
    folder of the same directory.
    """
    for name in sorted(_imports(content) - {__name__.partition(".")[0]}):
        for key, module in _with_submodules(name):
            file = Path(getattr(module, "__file__", None) or "/").resolve()
            place = file.parent if file.parent == directory else directory / name
            if file in seen or not file.is_file() or place not in file.parents:
                continue
            seen.add(file)
            yield key, module
            yield from _beside(file.read_bytes(), directory, seen)


def _imports(content: bytes) -> set[str]:
    """Return the top names of all modules that a source imports."""
    found: set[str] = set()
    try:
        tree = ast.parse(content)
    except (SyntaxError, ValueError):  # a compiled module
        return found
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found |= {alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            found.add(node.module.partition(".")[0])
    return found


def _with_submodules(name: str) -> list[tuple[str, ModuleType]]:
    return sorted(
        (key, module)
        for key, module in list(sys.modules.items())
        if key == name or key.startswith(name + ".")
    )


def _absorb_constants(digest: Any, module: ModuleType) -> None:
    for name, value in sorted(vars(module).items()):
        if name.startswith("__"):
            continue
        if isinstance(value, np.ndarray) and value.dtype.kind != "O":
            told = f"{name} {value.dtype.str} {value.shape}".encode() + np.asarray(value).tobytes()
        elif _is_constant(value):
            told = f"{name} {value!r}".encode("utf-8", "surrogatepass")
        else:
            continue
        digest.update(told + b"\0")


def _is_constant(value: Any) -> bool:
    if isinstance(value, tuple):
        return all(map(_is_constant, value))
    return value is None or isinstance(value, (int, float, str, bytes, np.generic))


def borrowed_name(known: Source, directory: Path) -> str | None:
    """Return a module beside a known plug-in that stands beside another directory's too."""
    for file in known.files[1:]:
        top = known.files[0].parent
        if directory != top and (directory / file.relative_to(top)).exists():
            return file.name
    return None


def directory_for(source: Source) -> Path | None:
    """Return the directory for code compiled from just this source; None if there is none."""
    parent = cache_directory()
    if parent is None:
        return None
    place = hashlib.sha256(str(source.files[0]).encode("utf-8", "surrogateescape")).hexdigest()[:8]
    directory = parent / f"plugin-{place}-{source.digest}"
    try:
        if not directory.exists():
            _forget_states(parent, f"plugin-{place}-*")
        directory.mkdir(mode=0o700, exist_ok=True)
    except OSError:
        return None
    return directory


def _forget_states(parent: Path, pattern: str) -> None:
    """Remove what was compiled from states of a file long before this one."""
    before = sorted(parent.glob(pattern), key=lambda path: path.stat().st_mtime, reverse=True)
    for directory in before[_STATES_KEPT:]:
        shutil.rmtree(directory, ignore_errors=True)
