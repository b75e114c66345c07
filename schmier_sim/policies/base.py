"""What a policy is: four functions of a view, compiled, and a few facts about them."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from types import FunctionType
from typing import Any, cast

import numpy as np

from schmier_sim._jit import JIT_ENABLED, callback, kernel
from schmier_sim.engine.state import PHASES
from schmier_sim.errors import InputError

Number = int | float


@dataclass(frozen=True)
class Policy:
    """A player: four compiled functions, each from a view to an integer.

    Attributes
    ----------
    name : str
        As given to ``--policy``, with the parameters that are not at their defaults.
    summary : str
        One line for ``schmier-sim policies``.
    uses_bid : bool
        Whether its play depends on the level of the winning bid.
    call, trump, discard, play : function
        0 or a bid; a suit 0-3; a mask of cards to throw; a card id. They take a view and the
        parameters that they name.
    parameters : mapping from str to int or float
        What can be set, and how it is set.
    """

    name: str
    summary: str
    uses_bid: bool
    call: Callable[..., int]
    trump: Callable[..., int]
    discard: Callable[..., int]
    play: Callable[..., int]
    parameters: Mapping[str, Number] = field(default_factory=dict, hash=False)

    @property
    def functions(self) -> tuple[Callable[[Any], int], ...]:
        """The four functions of a view alone, in the order of the phases."""
        return tuple(self._of_view_alone(getattr(self, phase)) for phase in PHASES)

    def _of_view_alone(self, function: Any) -> Callable[[Any], int]:
        python_function = getattr(function, "py_func", function)
        named = list(inspect.signature(python_function).parameters)[1:]
        if not named:
            return cast(Callable[[Any], int], function)
        return _bound(function, tuple(self.parameters[key] for key in named))

    def with_parameters(self, changes: Mapping[str, str | Number]) -> Policy:
        """Return this policy with some parameters set.

        Raises
        ------
        InputError
            If there is no such parameter, or the value is not a number of its kind.
        """
        values = dict(self.parameters)
        for key, value in changes.items():
            if key not in values:
                known = ", ".join(f"{k}={v}" for k, v in values.items()) or "none"
                raise InputError(f"policy {self.name!r} has no parameter {key!r}; it has: {known}")
            values[key] = _number(f"{self.name}:{key}", value, type(values[key]))
        changed = [f"{k}={v}" for k, v in values.items() if v != self.parameters[k]]
        if not changed:
            return self
        return replace(self, name=f"{self.name}:{','.join(changed)}", parameters=values)


def _number(name: str, value: str | Number, kind: type) -> Number:
    """Read a parameter's value: a whole number where the default is one."""
    try:
        number: Number = kind(value)
    except (ValueError, OverflowError):
        number = float("nan")
    if not abs(number) < 2**53:
        wanted = "a whole number" if kind is int else "a number"
        raise InputError(f"{name}={value}: not {wanted}") from None
    return number


def _template(view: Any) -> int:
    return inner(view, *arguments)  # type: ignore[name-defined]  # noqa: F821


@cache
def _bound(function: Any, values: tuple[Number, ...]) -> Callable[[Any], int]:
    """Return a function of a view alone, with the parameters as constants.

    A closure over a compiled function would be compiled anew in every process; a function of its
    own globals is found again by its name, which therefore tells the values.
    """
    python_function = getattr(function, "py_func", function)
    bound = FunctionType(_template.__code__, {"inner": function, "arguments": values})
    told = ",".join(map(str, values))
    bound.__module__ = python_function.__module__
    bound.__qualname__ = f"{python_function.__qualname__}({told})"
    return kernel(bound)


def _parameters_of(cls: type) -> dict[str, Number]:
    """Return the numbers that a class defines beside its functions."""
    return {
        name: value
        for name, value in vars(cls).items()
        if isinstance(value, (int, float)) and not name.startswith("_")
    }


def policy(*, uses_bid: bool, name: str | None = None) -> Callable[[type], Policy]:
    """Turn a class with the functions ``call trump discard play`` into a `Policy`.

    Numbers in the class are parameters with their defaults: a function that names one as a
    further argument gets its value, and ``--policy Name:key=value`` sets it.

    Parameters
    ----------
    uses_bid : bool
        Say whether the play depends on the level of the winning bid.
    name : str, optional
        The name; the class's own by default.
    """

    def build(cls: type) -> Policy:
        functions = {phase: kernel(vars(cls)[phase]) for phase in PHASES}
        summary = (inspect.getdoc(cls) or "").partition("\n")[0]
        called = name or cls.__name__
        return Policy(called, summary, uses_bid, **functions, parameters=_parameters_of(cls))

    return build


def answers_of(policies: Sequence[Policy]) -> Any:
    """Return the functions of six seats for the kernels, compiled if need be.

    Parameters
    ----------
    policies : sequence of Policy, length 6
        By seat.

    Returns
    -------
    ndarray of int64, shape (24,)
        Addresses; the functions themselves with the JIT switched off.
    """
    functions = [function for each in policies for function in each.functions]
    if not JIT_ENABLED:
        return functions
    from numba import types

    from schmier_sim.engine.state import view_type

    signature = types.int64(view_type)
    return np.array([callback(function, signature).address for function in functions], np.int64)
