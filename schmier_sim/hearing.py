"""What the calls before mine tell of hidden hands, for a hand of mine: twice, independently.

By weights: worlds from the sampler, weighted by how likely the others would have called so in
them. By rejection: deals around my hand, of which those are kept in which the players did call so.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final

import numpy as np

from schmier_sim._jit import kernel
from schmier_sim.engine.auction import hold_auction
from schmier_sim.engine.hand import clear
from schmier_sim.engine.state import new_tables, new_views, seat_players
from schmier_sim.policies.base import Policy, answers_of
from schmier_sim.policies.faults import policy_fault
from schmier_sim.sampler.drawing import deal_around
from schmier_sim.sampler.worlds import Sampler, effective_size
from schmier_sim.situation import ME, Situation
from schmier_sim.stats import Interval, rate_interval

PARTNER: Final = 3
"""The seat opposite `ME`."""
_YET_TO_CALL: Final = -2  # -1 is a seat that is not asked


@dataclass(frozen=True, eq=False)
class Heard:
    """Deals that agree with what was heard, more or less.

    Attributes
    ----------
    dealt : ndarray of int64, shape (n, 6)
        Masks of the hands, by seat.
    weights : ndarray of float, shape (n,)
    tried : int
        How many were drawn to get them.
    likelihood : float
        The chance of the calls, by the assumed players.
    """

    dealt: np.ndarray
    weights: np.ndarray
    tried: int
    likelihood: float

    @cached_property
    def effective_size(self) -> float:
        """How many deals of equal weight would tell as much."""
        return effective_size(self.weights)

    def chance(self, seat: int, cards: int) -> Interval:
        """Return how likely a seat was dealt at least one card of a mask, with 95 % limits.

        Jeffreys limits, as if there were `effective_size` deals of equal weight: right if the
        weights do not depend on the cards asked for. NaN if nothing agrees.
        """
        size = self.effective_size
        if not size:
            return Interval(np.nan, np.nan, np.nan)
        has = self.dealt[:, seat] & np.int64(cards) != 0
        mean = min(float(self.weights[has].sum() / self.weights.sum()), 1.0)
        low, high = rate_interval(mean * size, size)
        return Interval(mean, float(low), float(high))


def view_of(situation: Situation) -> Any:
    """Return what I know in my turn to call, a VIEW record."""
    views = new_views(1)
    for name in ("bidder", "bid", "trump", "leader", "calls", "drawn", "history"):
        views[name] = -1
    views["rules"], views["seat"] = situation.rules.packed, ME
    views["dealer"], views["position"] = situation.dealer, situation.position
    views["hand"] = situation.hand
    views["scores"][0, : len(situation.scores)] = situation.scores
    views["calls"][0, situation.seats_before] = situation.calls
    return views[0]


def by_weights(
    situation: Situation, policies: Sequence[Policy], n: int, seed: int = 1, error: float = 0.0
) -> Heard:
    """Draw n worlds and weigh them by the calls.

    Parameters
    ----------
    policies : sequence of Policy, length 6
        Whom the others are taken for, by seat.
    error : float
        The share of calls that are made otherwise, at random: see `sampler.weighing`.
    """
    worlds = Sampler(view_of(situation)).draw_weighted(policies, n, seed, (error,) * 4)
    return Heard(worlds.cards[:, :6], worlds.weights, n, worlds.likelihood)


@kernel
def deal_and_listen(
    tables: Any,
    views: Any,
    answers: np.ndarray,
    fixed: tuple[int, int, int],
    calls: np.ndarray,
    span: tuple[int, int, int],
    kept: np.ndarray,
) -> int:
    """Deal around a hand and keep the deals with certain calls.

    Parameters
    ----------
    fixed : (seat, hand mask, dealer)
    calls : ndarray of int64, shape (6,)
        By seat, -1 not asked, -2 whatever.
    span : (seed, first deal, beyond the last)
    kept : ndarray of int64, shape (n, 6)
        The hands of deals kept.

    Returns
    -------
    int
        How many were kept; less than 0 at an illegal answer.
    """
    table, view = tables[0], views[0]
    seat, hand, dealer = fixed
    seed, first, stop = span
    seat_players(table, answers)
    n = 0
    for index in range(first, stop):
        deal_around(table, seat, hand, seed, index)
        clear(table, view, dealer)
        hold_auction(table, view)
        if table.fault >= 0:
            return -1
        agrees = True
        for other in range(6):
            agrees &= calls[other] == _YET_TO_CALL or calls[other] == view.calls[other]
        if agrees:
            for other in range(6):
                kept[n, other] = table.dealt[other]
            n += 1
    return n


def by_rejection(situation: Situation, policies: Sequence[Policy], n: int, seed: int = 1) -> Heard:
    """Deal n times around my hand and keep the deals in which the others called so.

    Raises
    ------
    PolicyFault
        If a policy answers illegally.
    """
    tables, views, kept = new_tables(1), new_views(1), np.empty((n, 6), np.int64)
    views["rules"] = situation.rules.packed
    views["scores"][0, : len(situation.scores)] = situation.scores
    calls = np.full(6, _YET_TO_CALL, np.int64)
    calls[situation.seats_before] = situation.calls
    fixed = (ME, situation.hand, situation.dealer)
    answers = answers_of(policies)
    found = int(deal_and_listen(tables, views, answers, fixed, calls, (seed, 0, n), kept))
    if found < 0:
        raise policy_fault(tables[0], views[0], policies, f"seed {seed}, a deal around a hand")
    return Heard(kept[:found].copy(), np.ones(found), n, found / n)
