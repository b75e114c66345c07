"""A league: every two of some policies on the same deals, as a tidy data frame."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import Any, Final

import pandas as pd

from schmier_sim.compare import Judge, Match
from schmier_sim.comparison import compare
from schmier_sim.errors import InputError
from schmier_sim.policies.registry import find
from schmier_sim.rules import Rules
from schmier_sim.stats import Interval

COLUMNS: Final = (
    "a", "b", "hands", "points", "points_low", "points_high", "fixed_points", "fixed_low",
    "fixed_high", "games", "win_share", "win_low", "win_high",
)  # fmt: skip
"""A less B with 95 % limits: points per hand in free auctions, the same in auctions that one
policy makes for both, games won per team."""


@dataclass(frozen=True)
class League:
    """Who plays, and how much.

    Attributes
    ----------
    policies : sequence of str
        Names, two at least.
    hands, games : int
        Deals, each in all seatings, and games of every two.
    auction_by : str
        Who makes the calls, names the trumps and throws the discards in fixed auctions.
    rules : Rules
    seed : int

    Raises
    ------
    InputError
        If fewer than two policies are named, or one twice or wrongly.
    """

    policies: Sequence[str]
    hands: int
    games: int
    auction_by: str = "plain"
    rules: Rules = field(default_factory=Rules)
    seed: int = 1

    def __post_init__(self) -> None:
        if len(self.policies) < 2 or len(set(self.policies)) < len(self.policies):
            named = ", ".join(self.policies) or "nobody"
            raise InputError(f"a league needs two policies or more, each once; not {named}")
        if min(self.hands, self.games) < 1:
            raise InputError("a league needs a deal and a game at least")
        for name in (*self.policies, self.auction_by):
            find(name)


def play_league(league: League, jobs: int = 1) -> pd.DataFrame:
    """Play a league.

    Parameters
    ----------
    jobs : int
        Number of threads; the numbers do not depend on it.

    Returns
    -------
    DataFrame
        The columns `COLUMNS`, a row for every two policies, A before B as they are named.

    Raises
    ------
    PolicyFault
        If a policy answers illegally.
    KeyboardInterrupt
        On Ctrl-C; an unfinished league says nothing.
    """
    rows = [_row(league, a, b, jobs) for a, b in combinations(league.policies, 2)]
    return pd.DataFrame(rows, columns=list(COLUMNS))


def _row(league: League, a: str, b: str, jobs: int) -> list[Any]:
    free = _figures(league, Match(find(a), find(b), None, league.rules, league.seed), jobs, True)
    by = find(league.auction_by)
    fixed = _figures(league, Match(find(a), find(b), by, league.rules, league.seed), jobs, False)
    return [
        a, b, league.hands, *_of(free["points_per_hand"]), *_of(fixed["points_per_hand"]),
        league.games, *_of(free["win_share"]),
    ]  # fmt: skip


def _figures(
    league: League, match: Match, jobs: int, with_games: bool
) -> dict[str, Interval | None]:
    done = compare(Judge(match, jobs), league.hands, league.games if with_games else 0)
    if done.interrupted:
        raise KeyboardInterrupt
    return done.figures()


def _of(interval: Interval | None) -> Interval:
    assert interval is not None  # there were deals and games
    return interval
