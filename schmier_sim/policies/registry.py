"""Find a policy by its name."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache

from schmier_sim.errors import InputError
from schmier_sim.policies.base import Policy

DEFAULT = "heuristic"


def _random() -> Policy:
    from schmier_sim.policies.random import RANDOM

    return RANDOM


def _plain() -> Policy:
    from schmier_sim.policies.plain import PLAIN

    return PLAIN


def _heuristic() -> Policy:
    from schmier_sim.policies.heuristic import HEURISTIC

    return HEURISTIC


_BUILT_IN: Mapping[str, Callable[[], Policy]] = {
    "heuristic": _heuristic,
    "plain": _plain,
    "random": _random,
}


def names() -> list[str]:
    """Return the names of all policies."""
    return sorted(_BUILT_IN)


@cache
def find(name: str) -> Policy:
    """Return the policy of a name.

    Raises
    ------
    InputError
        If there is none; the message lists those there are.
    """
    if name not in _BUILT_IN:
        raise InputError(f"no policy is called {name!r}; policies: {', '.join(names())}")
    return _BUILT_IN[name]()
