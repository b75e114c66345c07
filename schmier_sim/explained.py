"""How much of what a hand is worth do a few features tell? And do the four suits agree?"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from schmier_sim.batches import StoredBatch
from schmier_sim.ceilings import CELL_OF, Terms, by_level, levels_of, played
from schmier_sim.composition import FREQUENCY, HELD, N_COMPOSITIONS, TOPS, TRUMPS
from schmier_sim.stats import chi_square_tail, homogeneity

AXES: Final = {
    "trumps": TRUMPS,
    "trumps and ace": TRUMPS + 7 * HELD[:, 0],
    "trumps and tops": TRUMPS + 7 * TOPS,
    "grid": CELL_OF,
}
"""Label of each composition by what it is told apart by; tops: how many of A K Q R."""


def between_variance(
    made: ArrayLike, hands: ArrayLike, weights: ArrayLike, groups: ArrayLike
) -> float:
    """Estimate the variance of true rates between groups of classes, free of sampling noise.

    A group's rate is the mean of its classes' rates p, weighted by w (which sum to W in a group
    and to 1 over all). Measured rates scatter by their sampling variance s2 = p (1 - p) / (n - 1)
    too, which makes groups look more different than they are. With p_g and p_0 the means of a
    group and of all::

        sum over groups of W (p_g - p_0)^2  -  sum over classes of w^2 s2 (1 / W - 1)

    is unbiased: the last sum is the expected scatter of the first. Where every class is its own
    group it is the variance between classes: that of the measured rates less the mean sampling
    variance. It may be negative by chance.

    Parameters
    ----------
    made, hands : array of int, shape (classes,)
        At least two hands in each.
    weights : array, shape (classes,)
        How frequent a class is; made to sum to 1.
    groups : array of int >= 0, shape (classes,)
    """
    n, w = np.asarray(hands, float), np.asarray(weights, float)
    rate, w = np.asarray(made, float) / n, w / w.sum()
    of = np.asarray(groups)
    total = np.bincount(of, w)
    with np.errstate(invalid="ignore"):
        mean = np.bincount(of, w * rate) / total
    scatter = w**2 * rate * (1 - rate) / (n - 1)
    noise = float((scatter * (1 / total[of] - 1)).sum())
    there = total > 0
    return float((total * (mean - w @ rate) ** 2)[there].sum()) - noise


class Explained(NamedTuple):
    """The variance of make rates between compositions, and the share that axes explain.

    Attributes
    ----------
    bid : int
    variance : float
        Between the compositions, weighted by their frequency, sampling noise taken off.
    share : dict
        By the names of `AXES`; None where there is no variance to explain.
    compositions : int
        How many have the two hands that an estimate needs; the others are left out.
    weight : float
        Frequency of these together.
    """

    bid: int
    variance: float
    share: dict[str, float | None]
    compositions: int
    weight: float


def explained(batch: StoredBatch, terms: Terms | None = None) -> list[Explained]:
    """Return for each bid what its make rates depend on.

    Raises
    ------
    InputError
        See `ceilings.played`.
    """
    counts = by_level(batch, played(batch, terms or Terms()).sum(axis=1))
    rows = []
    for bid, points in zip(levels_of(batch), counts, strict=True):
        hands, made = points.sum(axis=1), points[:, bid:].sum(axis=1)
        use = hands >= 2

        def between(
            groups: np.ndarray, made: Any = made, hands: Any = hands, use: Any = use
        ) -> float:
            return between_variance(made[use], hands[use], FREQUENCY[use], groups[use])

        variance = between(np.arange(N_COMPOSITIONS)) if use.any() else 0.0
        share = {
            name: between(of) / variance if variance > 0 else None for name, of in AXES.items()
        }
        rows.append(Explained(bid, variance, share, int(use.sum()), float(FREQUENCY[use].sum())))
    return rows


class SuitTest(NamedTuple):
    """Whether the make rates of a bid are the same in the four trump suits.

    Attributes
    ----------
    bid : int
    statistic : float
        Chi-square, by composition; those with too few hands are left out.
    degrees : int
        0: too few hands to test anything.
    p : float or None
        Probability of a statistic at least as large if the suits agree.
    """

    bid: int
    statistic: float
    degrees: int
    p: float | None


def suits_agree(batch: StoredBatch, terms: Terms | None = None) -> list[SuitTest]:
    """Test for each bid whether the four suits have the same make rates, by composition.

    Raises
    ------
    InputError
        See `ceilings.played`.
    """
    counts = by_level(batch, played(batch, terms or Terms()))
    tests = []
    for bid, points in zip(levels_of(batch), counts, strict=True):
        made, hands = points[:, :, bid:].sum(axis=2).T, points.sum(axis=2).T
        statistic, degrees = homogeneity(made, hands)
        p = chi_square_tail(statistic, degrees) if degrees else None
        tests.append(SuitTest(bid, statistic, degrees, p))
    return tests


def asked_first(bids: list[int]) -> int:
    """Return the bid that a short summary speaks of: 4, the usual question, else the lowest."""
    return 4 if 4 in bids else bids[0]
