"""What a policy is: four functions of a view, compiled, and a few facts about them."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from schmier_sim._jit import JIT_ENABLED, callback, kernel
from schmier_sim.engine.state import PHASES


@dataclass(frozen=True)
class Policy:
    """A player: four compiled functions, each from a view to an integer.

    Attributes
    ----------
    name : str
        As given to ``--policy``.
    summary : str
        One line for ``schmier-sim policies``.
    uses_bid : bool
        Whether its play depends on the level of the winning bid.
    call, trump, discard, play : function
        0 or a bid; a suit 0-3; a mask of cards to throw; a card id.
    """

    name: str
    summary: str
    uses_bid: bool
    call: Callable[[Any], int]
    trump: Callable[[Any], int]
    discard: Callable[[Any], int]
    play: Callable[[Any], int]

    @property
    def functions(self) -> tuple[Callable[[Any], int], ...]:
        """The four functions in the order of the phases."""
        return tuple(getattr(self, phase) for phase in PHASES)


def policy(*, uses_bid: bool, name: str | None = None) -> Callable[[type], Policy]:
    """Turn a class with the functions ``call trump discard play`` into a `Policy`.

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
        return Policy(name or cls.__name__, summary, uses_bid, **functions)

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
