"""Players from outside: classes in a user's file, and installed plug-ins by entry point.

A file is run as a module of its own, under a name that tells its path, so that what is compiled
from it is found again. Modules beside it can be imported as from a script.
"""

from __future__ import annotations

import ast
import contextlib
import hashlib
import sys
import warnings
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from importlib.metadata import EntryPoint
from pathlib import Path
from types import CodeType, ModuleType
from typing import NamedTuple

from schmier_sim.errors import InputError
from schmier_sim.policies.base import Policy
from schmier_sim.policies.explain import place_in_traceback, shown
from schmier_sim.policies.foreign import Home, at_home
from schmier_sim.policies.sources import Source, borrowed_name, directory_for, source_of


class _Loaded(NamedTuple):
    content: bytes
    module: ModuleType
    source: Source


_loaded: dict[Path, _Loaded] = {}


def from_file(path: Path, name: str | None) -> Policy:
    """Return a policy of a file: the named one, or the only one.

    Raises
    ------
    InputError
        If the file cannot be read or run, or holds no such policy.
    """
    module, source = _module_of(path)
    own = [
        key
        for key, value in vars(module).items()
        if isinstance(value, Policy) and value.module == module.__name__
    ]
    listed = ", ".join(own) or "none"
    if name is None:
        if len(own) != 1:
            raise InputError(f"{path}: write {path}:Name; policies there: {listed}")
        name = own[0]
    if name not in vars(module):
        raise InputError(f"{path} has no policy {name[:80]!r}; policies there: {listed}")
    found = vars(module)[name]
    if not isinstance(found, Policy):
        raise InputError(
            f"{path}: {name} is no policy, which is a class under @policy(uses_bid=...); "
            f"policies there: {listed}"
        )
    return replace(found, name=f"{path.as_posix()}:{name}", source=source.digest)


def all_in_file(path: Path) -> list[Policy]:
    """Return all policies that a file defines."""
    module, _ = _module_of(path)
    found = [
        from_file(path, key)
        for key, value in vars(module).items()
        if isinstance(value, Policy) and value.module == module.__name__
    ]
    if not found:
        raise InputError(f"{path} defines no policy: a class under @policy(uses_bid=...)")
    return found


def _module_of(path: Path) -> tuple[ModuleType, Source]:
    """Run a file, once for each state of it."""
    try:
        content = path.read_bytes()
    except (OSError, ValueError) as error:
        raise InputError(f"{path}: {getattr(error, 'strerror', None) or error}") from error
    resolved = path.resolve()
    known = _loaded.get(resolved)
    if known is None or known.content != content:
        known = _loaded[resolved] = _run(path, resolved, content)
    return known.module, known.source


def _run(path: Path, resolved: Path, content: bytes) -> _Loaded:
    told = hashlib.sha256(str(resolved).encode("utf-8", "surrogateescape")).hexdigest()[:12]
    module = ModuleType(f"schmier_sim_plugin_{told}")
    module.__file__ = str(resolved)
    home = Home()
    _check_siblings(path, resolved.parent)
    sys.modules[module.__name__] = module
    try:
        with _guests(path), at_home(home), _importing_from(resolved.parent):
            exec(_compiled(path, resolved, content), vars(module))
    except BaseException:
        del sys.modules[module.__name__]
        raise
    source = source_of(resolved, content, module)
    home.settle(directory_for(source))
    return _Loaded(content, module, source)


def _compiled(path: Path, resolved: Path, content: bytes) -> CodeType:
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise InputError(f"{path}:{line}: not UTF-8") from error
    try:
        tree = ast.parse(text, str(resolved))
        _check_names(path, tree)
        return compile(tree, str(resolved), "exec", dont_inherit=True)
    except SyntaxError as error:
        raise InputError(f"{path}:{error.lineno or 1}: SyntaxError: {error.msg}") from error
    except (ValueError, RecursionError, MemoryError) as error:
        raise InputError(f"{path}: {type(error).__name__}: {error}") from error


def _check_names(path: Path, tree: ast.Module) -> None:
    """Raise InputError if a class of a file takes the name of an earlier one."""
    lines: dict[str, int] = {}
    for node in tree.body:
        if isinstance(node, ast.ClassDef):
            if node.name in lines:
                raise InputError(
                    f"{path}:{node.lineno}: class {node.name} is there already, in line "
                    f"{lines[node.name]}; each needs a name of its own"
                )
            lines[node.name] = node.lineno


@contextlib.contextmanager
def _guests(what: object) -> Iterator[None]:
    """Run what others wrote: its prints do not mix with answers, its failures are one line."""
    try:
        with warnings.catch_warnings(), contextlib.redirect_stdout(sys.stderr):
            warnings.simplefilter("ignore")
            yield
    except InputError:
        raise
    except (Exception, SystemExit) as error:
        place = place_in_traceback(error.__traceback__) or what
        if isinstance(error, SyntaxError) and error.filename:  # of a module beside
            place = f"{shown(error.filename)}:{error.lineno or 1}"
        raise InputError(f"{place}: {type(error).__name__}: {str(error)[:300]}") from error


@contextlib.contextmanager
def _importing_from(directory: Path) -> Iterator[None]:
    """Let modules of a directory be imported, after all others."""
    sys.path.append(str(directory))
    try:
        yield
    finally:
        with contextlib.suppress(ValueError):
            sys.path.remove(str(directory))


def _check_siblings(path: Path, directory: Path) -> None:
    """Raise InputError if a module beside would be taken for that of another plug-in."""
    for known in list(_loaded.values()):
        clash = borrowed_name(known.source, directory)
        if clash:
            raise InputError(
                f"{path}: {clash} stands beside it and beside {shown(known.source.files[0])}, and "
                "one of the two would be taken for the other; rename one"
            )


@cache
def from_entry_point(entry: EntryPoint) -> Policy:
    """Load an installed plug-in.

    Raises
    ------
    InputError
        If it cannot be imported, or is no policy.
    """
    home = Home()
    with _guests(f"plug-in {entry.name} ({entry.value})"), at_home(home):
        found = entry.load()
    if not isinstance(found, Policy):
        raise InputError(
            f"plug-in {entry.name} ({entry.value}) is no policy but a {type(found).__name__}"
        )
    module = sys.modules[entry.module]
    file = Path(module.__file__ or "")
    if not file.is_file():
        return replace(found, name=entry.name)
    source = source_of(file, file.read_bytes(), module)
    home.settle(directory_for(source))
    return replace(found, name=entry.name, source=source.digest)
