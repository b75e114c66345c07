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

    def as_data(self) -> dict[str, float | None]:
        """Return it for JSON; what is not finite is None."""
        pairs = self._asdict().items()
        return {name: float(value) if np.isfinite(value) else None for name, value in pairs}


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


def bounded_mean_interval(
    values: ArrayLike, least: float, greatest: float, confidence: float = CONFIDENCE
) -> Interval:
    """Return a mean with its limits, where all values lie in a known range.

    Student's limits, kept within the range. Where all values are alike those would have no width;
    then a value of another kind may have a chance p as great as leaves (1 - p)^n in a tail, and
    the limits are what the mean would be with all such values at an end of the range.

    Raises
    ------
    ValueError
        If there are no values.
    """
    data = np.asarray(values, float)
    mean, low, high = mean_interval(data, confidence)
    if np.ptp(data) == 0:
        unseen = 1 - ((1 - confidence) / 2) ** (1 / data.size)
        return Interval(mean, mean - unseen * (mean - least), mean + unseen * (greatest - mean))
    return Interval(mean, max(low, least), min(high, greatest))


def ratio_difference(
    a: ArrayLike, n_a: ArrayLike, b: ArrayLike, n_b: ArrayLike, confidence: float = CONFIDENCE
) -> Interval:
    """Return the difference of two means whose terms come in clusters, with its limits.

    The means are sum(a) / sum(n_a) and sum(b) / sum(n_b); the clusters (deals) are independent,
    what is in one of them is not. Limits by linearization of the ratios (Cochran 1977, "Sampling
    techniques", 6.4). NaN if one of the means has no terms.

    Parameters
    ----------
    a, n_a, b, n_b : arrays, shape (clusters,)
        Sum and number of terms by cluster.
    """
    sums = [np.asarray(values, float) for values in (a, n_a, b, n_b)]
    totals = [float(values.sum()) for values in sums]
    if totals[1] == 0 or totals[3] == 0:
        return Interval(np.nan, np.nan, np.nan)
    mean_a, mean_b = totals[0] / totals[1], totals[2] / totals[3]
    clusters = len(sums[0])
    influence = (sums[0] - mean_a * sums[1]) * clusters / totals[1]
    influence -= (sums[2] - mean_b * sums[3]) * clusters / totals[3]
    centred = mean_interval(influence, confidence)
    mean = mean_a - mean_b
    return Interval(mean, mean + centred.low - centred.mean, mean + centred.high - centred.mean)


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
