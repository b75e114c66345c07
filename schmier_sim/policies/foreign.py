"""Compile functions that stand outside this package: checked, guarded, and kept by their source.

They are compiled with checks of indexes and divisions, which cost next to nothing, and are called
through a guard: an exception must not be lost in a C function. Where their compiled code is kept
depends on all of their source, which is known only when it has run; see `Home`.
"""

from __future__ import annotations

import inspect
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path
from types import FunctionType
from typing import Any, Final, TypeVar, cast
from weakref import WeakKeyDictionary

import numba

from schmier_sim import _jit
from schmier_sim._jit import JIT_ENABLED, is_own, keep_in
from schmier_sim.errors import InputError
from schmier_sim.policies.explain import explain, place_of

F = TypeVar("F", bound=Callable[..., Any])

RAISED: Final = -(2**62) - 1
"""The answer of a function that has raised an exception; legal nowhere."""

_OPTIONS: Final = {"nogil": True, "error_model": "python", "boundscheck": True}


class Home:
    """Where the compiled functions of one plug-in are kept: nowhere, until it is settled."""

    def __init__(self) -> None:
        self.members: list[Any] = []
        self.directory: Path | None = None

    def take_in(self, compiled: Any) -> None:
        """Let a function belong here."""
        _HOMES[compiled] = self
        self.members.append(compiled)
        self._keep(compiled)

    def settle(self, directory: Path | None) -> None:
        """Keep what belongs here in a directory, from now on."""
        self.directory = directory
        for compiled in self.members:
            self._keep(compiled)

    def _keep(self, compiled: Any) -> None:
        if self.directory is None or not JIT_ENABLED:
            return
        with suppress(RuntimeError):  # no file of source, as in an interactive session
            keep_in(self.directory, compiled)


_HOMES: WeakKeyDictionary[Any, Home] = WeakKeyDictionary()
_open: list[Home] = []


@contextmanager
def at_home(home: Home) -> Iterator[None]:
    """Let all functions that are decorated meanwhile belong to a home."""
    _open.append(home)
    try:
        yield
    finally:
        _open.pop()


def is_foreign(function: Any) -> bool:
    """Whether a function was decorated by `kernel` from outside this package."""
    return function in _HOMES


def kernel(function: F) -> F:
    """Make a function callable from a policy's functions, and compiled with them.

    A function from a view or numbers, masks, arrays to the same; it may call other kernels,
    and what numba knows of Python and numpy.
    """
    function = getattr(function, "__func__", function)
    if hasattr(function, "py_func"):
        return cast(F, function)
    if is_own(function):
        return _jit.inlined_kernel(function)
    return _settled(function, _open[-1] if _open else Home())


def kernel_beside(function: F, other: Any) -> F:
    """Compile a function made up here like, and for, another one."""
    home = _HOMES.get(other)
    return _jit.inlined_kernel(function) if home is None else _settled(function, home)


def _settled(function: F, home: Home) -> F:
    if JIT_ENABLED:
        function = cast(F, numba.njit(**_OPTIONS)(function))
    home.take_in(function)
    return function


def renamed(template: Any, inner: Any, suffix: str, **names: Any) -> Any:
    """Return a function with a template's code, and ``inner`` and other names as its globals.

    A closure over a compiled function would be compiled anew in every process; a function of its
    own globals is found again by its name, which has to tell it from all others.
    """
    python_function = getattr(inner, "py_func", inner)
    made = FunctionType(template.__code__, {**template.__globals__, "inner": inner, **names})
    line = python_function.__code__.co_firstlineno
    made.__module__ = python_function.__module__
    module = python_function.__module__.replace(".", "_")
    made.__qualname__ = f"{module}.{python_function.__qualname__}_{line}{suffix}"
    return made


def _guard(view: Any) -> int:
    try:
        return inner(view)  # type: ignore[name-defined]  # noqa: F821
    except Exception:
        return RAISED


def _guard_in_python(view: Any) -> int:
    """Like `_guard`, with the JIT switched off; also what no compiled function can answer."""
    try:
        return as_answer(inner(view))  # type: ignore[name-defined]  # noqa: F821
    except Exception:
        return RAISED


def as_answer(answer: Any) -> int:
    """Return an answer as an integer of 64 bits; TypeError or OverflowError if it is none."""
    import operator

    number = operator.index(bool(answer) if type(answer).__name__ == "bool" else answer)
    if not -(2**63) <= number < 2**63:
        raise OverflowError("the answer has more than 64 bits")
    return number


@contextmanager
def _explained(function: Any) -> Iterator[None]:
    """Turn what the compiler says of a function into one line, and silence its warnings."""
    members = [getattr(each, "py_func", each) for each in _HOMES[function].members]
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield
    except InputError:
        raise
    except Exception as error:
        raise InputError(explain(error, function.py_func, members)) from error


def _kinds() -> list[tuple[Any, str]]:
    """Return what people call the types that are no whole numbers."""
    from numba import types

    return [
        (types.NoneType, "nothing"),
        (types.Optional, "nothing on some path"),
        (types.Float, "a float"),
        ((types.UnicodeType, types.StringLiteral), "a text"),
        (types.BaseTuple, "a tuple"),
        (types.Generator, "a generator"),
        (types.Array, "an array"),
    ]


def _check_kind(function: Any, signature: Any) -> None:
    """Compile a function of a view and raise InputError unless it gives a whole number."""
    from numba import types

    function.compile(signature.args)
    kind = function.overloads[signature.args].signature.return_type
    if isinstance(kind, (types.Integer, types.Boolean, types.IntegerLiteral)):
        return
    python_function = function.py_func
    said = next((words for types_, words in _kinds() if isinstance(kind, types_)), f"a {kind}")
    raise InputError(
        f"{place_of(python_function)}: {python_function.__name__} returns {said}; "
        "an answer is a whole number"
    )


def _check_no_recursion(function: Any) -> None:
    """Raise InputError if a function comes to call itself: compiled, it would end the process."""
    members = {getattr(each, "py_func", each) for each in _HOMES[function].members}
    path: list[Any] = []

    def follow(python_function: Any) -> None:
        if python_function in path:
            name = python_function.__name__
            raise InputError(
                f"{place_of(python_function)}: {name} calls itself: no function of a player can"
            )
        path.append(python_function)
        for name in python_function.__code__.co_names:
            called = python_function.__globals__.get(name)
            called = getattr(called, "py_func", called)
            if inspect.isfunction(called) and called in members:
                follow(called)
        path.pop()

    follow(function.py_func)


@cache
def address_of(function: Any, signature: Any) -> Any:
    """Return a C function pointer for a function of a view: its address, and what keeps it alive.

    Raises
    ------
    InputError
        If a function of a plug-in cannot be compiled, or gives no whole number.
    """
    if not is_foreign(function):
        return _jit.callback(function, signature)
    with _explained(function):
        _check_no_recursion(function)
        _check_kind(function, signature)
        guard = renamed(_guard, function, "_guarded")
        directory = _HOMES[function].directory
        if directory is None or function.py_func.__closure__:  # its name would not tell all
            directory = None
        return _jit.c_function(guard, signature, directory)


def in_python(function: Any) -> Any:
    """Return a function of a view for kernels with the JIT switched off."""
    return renamed(_guard_in_python, function, "_guarded") if is_foreign(function) else function
