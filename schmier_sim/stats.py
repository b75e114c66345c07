"""Intervals. Everything here is vectorized and knows numpy and scipy only."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import special

CONFIDENCE = 0.95

Floats = NDArray[np.float64]


class Interval(NamedTuple):
    """An estimate and its confidence limits."""

    mean: float
    low: float
    high: float


def rate_interval(
    successes: ArrayLike, trials: ArrayLike, confidence: float = CONFIDENCE
) -> tuple[Floats, Floats]:
    """Return the Jeffreys limits of a rate.

    Equal-tailed limits of the beta distribution with half a success and half a failure added,
    opened to 0 and 1 where all trials ended alike (Brown, Cai, DasGupta 2001, "Interval
    estimation for a binomial proportion"). NaN where there was no trial.

    Parameters
    ----------
    successes, trials : array of int
        Broadcast against each other.
    confidence : float
        Between 0 and 1.

    Returns
    -------
    (low, high) : arrays of float
    """
    k, n = np.broadcast_arrays(np.asarray(successes, float), np.asarray(trials, float))
    tail = (1 - confidence) / 2
    low = np.where(k == 0, 0.0, special.betaincinv(k + 0.5, n - k + 0.5, tail))
    high = np.where(k == n, 1.0, special.betaincinv(k + 0.5, n - k + 0.5, 1 - tail))
    nothing = n == 0
    return np.where(nothing, np.nan, low), np.where(nothing, np.nan, high)


def mean_interval(values: ArrayLike, confidence: float = CONFIDENCE) -> Interval:
    """Return a mean with its limits, by Student's t with the deal as the unit.

    For paired comparisons give the differences. The limits are infinite for a single value.

    Raises
    ------
    ValueError
        If there are no values.
    """
    data = np.asarray(values, float)
    if data.size == 0:
        raise ValueError("the mean of nothing")
    mean = float(data.mean())
    if data.size == 1:
        return Interval(mean, -np.inf, np.inf)
    error = float(data.std(ddof=1)) / np.sqrt(data.size)
    half = float(special.stdtrit(data.size - 1, (1 + confidence) / 2) * error)
    return Interval(mean, mean - half, mean + half)


def homogeneity(made: ArrayLike, hands: ArrayLike) -> tuple[float, int]:
    """Chi-square statistic, and its degrees of freedom, of equal rates along the last axis.

    Groups in which fewer than five successes or failures are expected in some cell are left out.

    Parameters
    ----------
    made, hands : array of int, shape (groups, cells)
    """
    k, n = np.asarray(made, float), np.asarray(hands, float)
    with np.errstate(invalid="ignore", divide="ignore"):
        rate = k.sum(axis=1, keepdims=True) / n.sum(axis=1, keepdims=True)
        usable = np.all((n * rate >= 5) & (n * (1 - rate) >= 5), axis=1)
        terms = (k - n * rate) ** 2 / (n * rate * (1 - rate))
    return float(terms[usable].sum()), int(usable.sum()) * (k.shape[1] - 1)


def chi_square_tail(statistic: float, degrees: int) -> float:
    """Return the probability of a chi-square statistic at least as large; 1 for no degrees."""
    return 1.0 if degrees == 0 else float(special.chdtrc(degrees, statistic))
