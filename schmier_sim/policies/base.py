"""What a policy is: four functions of a view, compiled, and a few facts about them."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Any, Final, cast

import numpy as np

from schmier_sim._jit import JIT_ENABLED
from schmier_sim.engine.state import PHASES
from schmier_sim.errors import InputError
from schmier_sim.policies.catalogue import BUILT_IN, Number
from schmier_sim.policies.check_class import functions_of
from schmier_sim.policies.foreign import (
    address_of,
    in_python,
    is_foreign,
    kernel,
    kernel_beside,
    renamed,
)
from schmier_sim.rules import Rules

MOST: Final = 2**53
"""Parameters are smaller than this, either way."""


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
    module : str
        Where it was defined.
    source : str
        Of a plug-in, a digest of its source; else empty.
    """

    name: str
    summary: str
    uses_bid: bool
    call: Callable[..., int]
    trump: Callable[..., int]
    discard: Callable[..., int]
    play: Callable[..., int]
    parameters: Mapping[str, Number] = field(default_factory=dict, hash=False)
    module: str = ""
    source: str = ""

    @property
    def identity(self) -> str:
        """What outputs call this player: its name, and for a plug-in the digest of its source."""
        name = self.name.rsplit("/", 1)[-1]
        return f"{name}@{self.source}" if self.source else name

    @property
    def functions(self) -> tuple[Callable[[Any], int], ...]:
        """The four functions of a view alone, in the order of the phases."""
        return tuple(self._of_view_alone(getattr(self, phase)) for phase in PHASES)

    @property
    def is_foreign(self) -> bool:
        """Whether a function of it stands outside this package."""
        return any(is_foreign(function) for function in self.functions)

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
        number: Number = int(value) if issubclass(kind, int) else float(value)
    except (ValueError, OverflowError):
        number = float("nan")
    if not abs(number) < MOST:
        wanted = "a whole number" if issubclass(kind, int) else "a number"
        raise InputError(f"{name}={value}: not {wanted}") from None
    return number


def _template(view: Any) -> int:
    return inner(view, *arguments)  # type: ignore[name-defined]  # noqa: F821


@cache
def _bound(function: Any, values: tuple[Number, ...]) -> Callable[[Any], int]:
    """Return a function of a view alone, with the parameters as constants."""
    told = f"({','.join(map(str, values))})"
    return kernel_beside(renamed(_template, function, told, arguments=values), function)


def _parameters_of(cls: type) -> dict[str, Number]:
    """Return the numbers that a class defines beside its functions.

    Raises
    ------
    InputError
        If one is infinite or none at all.
    """
    numbers = {
        name: value
        for name, value in vars(cls).items()
        if isinstance(value, (int, float)) and not name.startswith("_")
    }
    for name, value in numbers.items():
        if not abs(value) < MOST:
            raise InputError(f"{cls.__name__}: {name} = {value} is no parameter; a number is")
    return numbers


def policy(
    *bare: type, uses_bid: bool | None = None, name: str | None = None
) -> Callable[[type], Policy]:
    """Turn a class with the functions ``call trump discard play`` into a `Policy`.

    Functions left out are those of the default player. Numbers in the class are parameters with
    their defaults: a function that names one as a further argument gets its value, and
    ``--policy Name:key=value`` sets it.

    Parameters
    ----------
    uses_bid : bool
        Say whether the play depends on the level of the winning bid.
    name : str, optional
        The name; the class's own by default.

    Raises
    ------
    InputError
        If it is not said whether it uses the bid, or the class is none of a policy; file and line
        are named.
    """
    if bare or uses_bid is None:
        raise InputError(
            "@policy has to be told whether the play depends on the level of the winning bid: "
            "write @policy(uses_bid=False), or True"
        )
    says = uses_bid

    def build(cls: type) -> Policy:
        parameters = _parameters_of(cls)
        given = functions_of(cls, parameters)
        summary = (inspect.getdoc(cls) or "").partition("\n")[0]
        functions: dict[str, Any] = {phase: kernel(each) for phase, each in given.items()}
        looks = says
        if len(given) < len(PHASES):
            from schmier_sim.policies.registry import default

            functions = dict(zip(PHASES, default().functions, strict=True)) | functions
            looks = says or default().uses_bid
        called = name or cls.__name__
        return Policy(
            called, summary, looks, **functions, parameters=parameters, module=cls.__module__
        )

    return build


def built_in(name: str) -> Callable[[type], Policy]:
    """Turn a class of four functions into the built-in player of a name, with its facts."""
    facts = BUILT_IN[name]

    def build(cls: type) -> Policy:
        assert not _parameters_of(cls), f"the parameters of {name} stand in the catalogue"
        functions = functions_of(cls, facts.parameters)
        return Policy(
            facts.name, facts.summary, facts.uses_bid,
            **{phase: kernel(functions[phase]) for phase in PHASES},
            parameters=dict(facts.parameters), module=cls.__module__,
        )  # fmt: skip

    return build


def levels_played(policies: Iterable[Policy], rules: Rules) -> int:
    """Return how many levels of a forced bid have to be played: one, if nobody looks at it."""
    looks = any(each.uses_bid for each in policies)
    return rules.max_bid - rules.min_bid + 1 if looks else 1


def answers_of(policies: Sequence[Policy]) -> np.ndarray:
    """Return the functions of six seats for the kernels, compiled if need be.

    Parameters
    ----------
    policies : sequence of Policy, length 6
        By seat.

    Returns
    -------
    ndarray of int64, shape (24,)
        Addresses, or what stands for them with the JIT switched off.

    Raises
    ------
    InputError
        If a function of a plug-in cannot be compiled.
    """
    functions = [function for each in policies for function in each.functions]
    if not JIT_ENABLED:
        from schmier_sim.engine.state import number_of

        return np.array([number_of(in_python(function)) for function in functions], np.int64)
    from numba import types

    from schmier_sim.engine.state import view_type

    signature = types.int64(view_type)
    return np.array([address_of(function, signature).address for function in functions], np.int64)
