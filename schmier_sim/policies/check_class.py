"""Whether a class is one of a policy: its functions, their names and their arguments."""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from difflib import get_close_matches
from types import FunctionType
from typing import Any

from schmier_sim.engine.state import PHASES
from schmier_sim.errors import InputError
from schmier_sim.policies.explain import place_of, shown


def functions_of(cls: type, parameters: Mapping[str, float]) -> dict[str, Any]:
    """Return the functions of a class by phase; those left out are missing.

    Raises
    ------
    InputError
        If it is no class, has a function of another name or with other arguments, or none at all.
    """
    if not isinstance(cls, type):
        raise InputError(f"{_place(cls)}: @policy stands above a class, not a {type(cls).__name__}")
    given: dict[str, Any] = {}
    for name, value in vars(cls).items():
        function = _python_function(value)
        if name in PHASES:
            if function is None:
                raise InputError(f"{_place(cls)}: {cls.__name__}.{name} is no function")
            _check_arguments(function, parameters)
            given[name] = value
        elif function is not None and not name.startswith("__"):
            raise InputError(f"{place_of(function)}: {_misnamed(name)}")
    if not given:
        raise InputError(f"{_place(cls)}: {cls.__name__} has none of {', '.join(PHASES)}")
    return given


def _python_function(value: Any) -> FunctionType | None:
    """Return what is behind a function, static or compiled; None if it is no function."""
    value = getattr(value, "__func__", value)
    value = getattr(value, "py_func", value)
    return value if isinstance(value, FunctionType) else None


def _misnamed(name: str) -> str:
    near = get_close_matches(name, PHASES, 1)
    if near:
        return f"{name!r} is no function of a policy; {near[0]!r} is meant?"
    return (
        f"{name!r} is no function of a policy; they are {', '.join(PHASES)}, "
        "and helpers stand outside the class, under @kernel"
    )


def _check_arguments(function: FunctionType, parameters: Mapping[str, float]) -> None:
    arguments = list(inspect.signature(function).parameters.values())
    positional = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    where = f"{place_of(function)}: {function.__name__}"
    if not arguments or any(each.kind not in positional for each in arguments):
        raise InputError(f"{where} takes a view, and parameters by name, and nothing else")
    if arguments[0].name == "self":
        raise InputError(f"{where} takes a view and no self")
    for each in arguments[1:]:
        if each.name not in parameters:
            numbers = ", ".join(parameters) or "none"
            raise InputError(
                f"{where} takes {each.name!r}, which is no number of the class; it has: {numbers}"
            )


def _place(thing: Any) -> str:
    try:
        return f"{shown(inspect.getfile(thing))}:{inspect.getsourcelines(thing)[1]}"
    except (OSError, TypeError):
        return getattr(thing, "__module__", "?")
