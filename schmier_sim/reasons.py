"""Why a bid is made or set: sure and likely points, and the hidden cards that matter most.

All of it is counted on the sampled deals in which the bid wins the auction; nothing is supposed.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from schmier_sim.advise import CallResult
from schmier_sim.around import HOLDERS, POINT_TEAMS
from schmier_sim.cards import (
    HIGH,
    JOKER,
    LEFT,
    LOW,
    RIGHT,
    STRENGTH,
    card_sign,
    trumps_high_to_low,
)  # fmt: skip
from schmier_sim.engine.exchange import taker_of
from schmier_sim.engine.state import POINT_NAMES
from schmier_sim.situation import ME, Situation

_FEWEST_FAILURES: Final = 20
_FEWEST_EACH: Final = 20  # deals with, and deals without, a fact of which rates are told
_CLEAR: Final = 3.0  # standard errors between the rates with and without it
_TOPS: Final = 6  # A K Q R L 10


@dataclass(frozen=True)
class PointRate:
    """How often my team wins one of the six points."""

    name: str
    won: int
    deals: int


@dataclass(frozen=True)
class Danger:
    """The one plain fact of the hidden cards that costs most.

    Attributes
    ----------
    fact : str
        As ``an enemy holds A♠``.
    loses : str
        ``bid``, or the name of the point that is lost.
    deals, failed : int
        Deals in which the bid wins the auction, and of them those in which it is set (or the
        point is lost).
    with_fact, failed_with_fact : int
        The same where the fact holds.
    """

    fact: str
    loses: str
    deals: int
    failed: int
    with_fact: int
    failed_with_fact: int

    @property
    def rates(self) -> tuple[float, float]:
        """How often it goes well where the fact holds, and where it does not."""
        without = self.deals - self.with_fact
        bad = self.failed - self.failed_with_fact
        return 1 - self.failed_with_fact / self.with_fact, 1 - bad / without


@dataclass(frozen=True)
class Reasons:
    """Why a bid goes as it goes."""

    bid: int
    trump: int
    deals: int
    sure: tuple[str, ...]
    likely: tuple[PointRate, ...]
    danger: Danger | None
    missing: tuple[int, ...]
    """Which of A K Q R L of trumps were not dealt to me."""


def sure_points(situation: Situation, trump: int) -> list[str]:
    """Return the points that by the rules a bidder with this hand cannot lose (S1-S4, E1, E3)."""
    hand, rules = situation.hand, situation.rules
    top_six = all(hand >> card & 1 for card in trumps_high_to_low(trump)[:_TOPS])
    if top_six and taker_of(situation.dealer, ME, rules.packed) != ME:
        kept = [name for name in POINT_NAMES if name != "low" or rules.low == "taker"]
        return kept  # he wins all six tricks
    sure = ["high"] if hand >> int(HIGH[trump]) & 1 else []
    if hand >> int(LOW[trump]) & 1 and rules.low == "player":
        sure.append("low")
    return sure


def _candidates(
    situation: Situation, trump: int, holders: Any
) -> Iterator[tuple[str, np.ndarray[Any, Any]]]:
    """Yield plain facts of the hidden cards, and in which deals they hold."""
    teams = situation.rules.n_teams
    ranked = trumps_high_to_low(trump)
    mine = holders % teams == ME % teams
    enemy = (holders >= 0) & ~mine
    column = {card: int(STRENGTH[trump, card]) - 100 for card in ranked}
    hidden = [card for card in ranked[:_TOPS] if not situation.hand >> card & 1]
    for card in (int(LOW[trump]), JOKER):
        if not situation.hand >> card & 1:
            hidden.append(card)
    counts = np.stack([(holders == seat).sum(axis=1) for seat in range(6)], axis=1)
    for card in hidden:
        name = card_sign(card, trump)
        held = enemy[:, column[card]]
        yield f"an enemy holds {name}", held
        if card in (*ranked[1:5], JOKER):
            others = (
                np.take_along_axis(
                    counts, np.maximum(holders[:, column[card]], 0)[:, None].astype(int), axis=1
                )[:, 0]
                - 1
            )
            yield f"an enemy holds {name} and two more trumps", held & (others >= 2)
    tops = [card for card in hidden if card in ranked[:5]]
    for i, card in enumerate(tops):
        for other in tops[i + 1 :]:
            both = enemy[:, column[card]] & enemy[:, column[other]]
            yield f"enemies hold {card_sign(card, trump)} and {card_sign(other, trump)}", both
    yield from _of_counts(counts, teams)
    partners = mine & (holders != ME)
    if tops:
        helped = partners[:, [column[card] for card in tops]].any(axis=1)
        yield (
            "no partner has any of A K Q and the bauers"
            if teams == 2
            else ("your partner has none of A K Q and the bauers"),
            ~helped,
        )


def _of_counts(counts: Any, teams: int) -> Iterator[tuple[str, np.ndarray[Any, Any]]]:
    """Facts of how many trumps somebody holds."""
    enemies = [seat for seat in range(6) if seat % teams != ME % teams]
    partners = [seat for seat in range(6) if seat % teams == ME % teams and seat != ME]
    longest = counts[:, enemies].max(axis=1)
    for many, word in ((3, "three"), (4, "four"), (5, "five")):
        yield f"one enemy has {word} or more trumps", longest >= many
    support = counts[:, partners].sum(axis=1)
    who = "your partner has" if len(partners) == 1 else "your partners have"
    yield f"{who} no trump", support == 0
    yield f"{who} at most one trump", support <= 1


def _worst(candidates: list[tuple[str, Any]], failed: Any, loses: str) -> Danger | None:
    """Return the fact that explains most of the failures, if any makes a clear difference.

    Explained as the correlation between fact and failure: the difference of the rates of failure
    with and without it, in its standard errors.
    """
    worst, most = None, 0.0
    deals, failures = len(failed), int(failed.sum())
    for fact, holds in candidates:
        n = int(holds.sum())
        if min(n, deals - n) < _FEWEST_EACH:
            continue
        bad = int((failed & holds).sum())
        rate, rest = bad / n, (failures - bad) / (deals - n)
        pooled = failures / deals
        error = np.sqrt(pooled * (1 - pooled) * (1 / n + 1 / (deals - n)))
        explained = (rate - rest) / error if error else 0.0
        if explained > max(_CLEAR, most):
            worst, most = Danger(fact, loses, deals, failures, n, bad), explained
    return worst


def _danger(
    situation: Situation, row: CallResult, facts: Any, made: Any, points: list[PointRate]
) -> Danger | None:
    """What most often sets the bid; if next to nothing does, what takes a likely point."""
    assert row.trump is not None
    candidates = list(_candidates(situation, row.trump, facts[:, HOLDERS]))
    failed = ~made
    if failed.sum() >= max(_FEWEST_FAILURES, len(facts) / 200):
        return _worst(candidates, failed, "bid")
    likely = [rate for rate in points if rate.deals // 2 < rate.won < rate.deals]
    if not likely:
        return None
    point = min(likely, key=lambda rate: rate.won)
    team = facts[:, POINT_TEAMS][:, POINT_NAMES.index(point.name)]
    lost = team != ME % situation.rules.n_teams
    if lost.sum() < _FEWEST_FAILURES:
        return None
    return _worst(candidates, lost, point.name)


def reasons(situation: Situation, row: CallResult) -> Reasons | None:
    """Return why a bid goes as it goes; None if it never won the auction, or is a pass."""
    if row.trump is None:
        return None
    kept = len(row.facts)
    got = row.got[:kept]
    facts, made = row.facts[got], row.made[:kept][got]
    if not len(facts):
        return None
    won = (facts[:, POINT_TEAMS] == ME % situation.rules.n_teams).sum(axis=0)
    sure = sure_points(situation, row.trump)
    rates = [
        PointRate(name, int(n), len(facts))
        for name, n in zip(POINT_NAMES, won, strict=True)
        if name not in sure
    ]
    rates.sort(key=lambda rate: -rate.won)
    top = trumps_high_to_low(row.trump)[:5]
    assert {int(RIGHT[row.trump]), int(LEFT[row.trump])} <= set(top)
    return Reasons(
        row.call, row.trump, len(facts), tuple(sure), tuple(rates),
        _danger(situation, row, facts, made, rates),
        tuple(card for card in top if not situation.hand >> card & 1),
    )  # fmt: skip
