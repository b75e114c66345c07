"""What the calls before mine tell, for a hand of mine: twice, by ways that share little.

By weights: worlds from the sampler, weighted by how likely the others would have called so in
them. By keeping: deals around my hand, of which those stay that fit the calls.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

import numpy as np

from schmier_sim.hidden import Hidden, seen_in
from schmier_sim.policies.base import Policy
from schmier_sim.sampler.worlds import Sampler, effective_size
from schmier_sim.situation import Situation
from schmier_sim.stats import Interval, rate_interval

PARTNER: Final = 3
"""The seat opposite mine."""


@dataclass(frozen=True, eq=False)
class Told:
    """Deals that agree with what was called, more or less.

    Attributes
    ----------
    dealt : ndarray of int64, shape (n, 6)
        Masks of the hands, by seat.
    weights : ndarray of float, shape (n,)
    tried : int
        How many were drawn to get them.
    """

    dealt: np.ndarray
    weights: np.ndarray
    tried: int

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


def by_weights(
    situation: Situation, policies: Sequence[Policy], n: int, seed: int, error: float
) -> Told:
    """Draw n worlds and weigh them by the calls.

    Parameters
    ----------
    policies : sequence of Policy, length 6
        Whom the others are taken for, by seat.
    error : float
        The share of calls that tell nothing.
    """
    worlds = Sampler(seen_in(situation)).draw_weighted(policies, n, seed, (error,) * 4)
    return Told(worlds.cards[:, :6], worlds.weights, n)


def by_keeping(
    situation: Situation, policies: Sequence[Policy], n: int, seed: int, error: float
) -> Told:
    """Keep n deals that fit the calls, or fewer."""
    hidden = Hidden(situation, policies, seed, 1, error)
    found = hidden.fitting(n)
    return Told(hidden.masks(found.numbers), np.ones(len(found.numbers)), found.dealt)
