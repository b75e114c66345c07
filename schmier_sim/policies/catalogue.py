"""Who can be seated by name: the facts of the built-in players, and the installed plug-ins.

Nothing is compiled or loaded here, so that players can be listed at once. The player itself is
made from these facts where his functions stand.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from types import MappingProxyType
from typing import Final, NamedTuple

Number = int | float

GROUP: Final = "schmier_sim.policies"
"""Where installed packages announce players: ``name = "package.module:Object"``."""

DEFAULT: Final = "heuristic"


class Facts(NamedTuple):
    """What is told of a built-in player; the attributes are those of `Policy`."""

    name: str
    where: str  # module:object
    summary: str
    uses_bid: bool = False
    parameters: Mapping[str, Number] = MappingProxyType({})


_ALL = (
    Facts(
        "heuristic", "schmier_sim.policies.heuristic:HEURISTIC",
        "A sound club player, fast: the default.",
        parameters=MappingProxyType({"without": 0, "threshold": -1, "shift": 0}),
    ),
    Facts(
        "plain", "schmier_sim.policies.plain:PLAIN",
        "A simple club player by fixed rules: the measuring stick, never improved.",
    ),
    Facts(
        "random", "schmier_sim.policies.random:RANDOM",
        "Uniform over the legal answers: the floor that every other player must beat.",
    ),
)  # fmt: skip

BUILT_IN: Final[Mapping[str, Facts]] = {facts.name: facts for facts in _ALL}


@cache
def installed() -> Mapping[str, EntryPoint]:
    """Return the installed plug-ins by name, none of them loaded."""
    return {each.name: each for each in entry_points(group=GROUP)}


def all_names() -> list[str]:
    """Return the names of all policies, built-in first, installed plug-ins too."""
    return [*sorted(BUILT_IN), *sorted(set(installed()) - set(BUILT_IN))]
