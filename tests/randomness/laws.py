"""Exact laws of a uniformly random permutation of n, and p-values by them.

A p-value speaks against both sides where it can: counts that are too even are no more random than
counts that are too uneven.
"""

from __future__ import annotations

from functools import cache
from math import comb, factorial

import numpy as np
from scipy import stats

LEAST = 5  # cells with fewer expected are pooled
MANY = 30


def fixed_points(n: int) -> np.ndarray:
    """How many places keep what they had: C(n, k) derangements of n - k, of n! (mean 1, var. 1)."""
    deranged = [1, 0]
    for m in range(2, n + 1):
        deranged.append((m - 1) * (deranged[-1] + deranged[-2]))
    return np.array([comb(n, k) * deranged[n - k] / factorial(n) for k in range(n + 1)])


def descents(n: int) -> np.ndarray:
    """How many places hold more than the next: the Eulerian numbers, of n!.

    A(m, k) = (k + 1) A(m - 1, k) + (m - k) A(m - 1, k - 1): put m into an order of m - 1.
    """
    law = np.ones(1)
    for m in range(2, n + 1):
        k = np.arange(m)
        stay, more = np.append(law, 0), np.append(0, law)
        law = ((k + 1) * stay + (m - k) * more) / m
    return law


def inversions(n: int) -> np.ndarray:
    """How many pairs are out of order: the Mahonian numbers, of n!.

    The m-th card passes 0 to m - 1 of those before it, all equally likely and independent.
    """
    law = np.ones(1)
    for m in range(2, n + 1):
        law = np.convolve(law, np.full(m, 1 / m))
    return law


def matches_of_hands(held: int, drawn: int, n: int) -> np.ndarray:
    """How many of `held` cards of n are among `drawn`: the hypergeometric law."""
    return np.array([comb(held, k) * comb(n - held, drawn - k) / comb(n, drawn)
                     for k in range(min(held, drawn) + 1)])  # fmt: skip


@cache
def related_neighbours(relation: bytes, n: int, lag: int) -> tuple[float, float]:
    """Mean and variance of the number of places i whose card is related to that at i + lag.

    Of n - lag such pairs of places, n - 2 lag share a place with the next pair (i + lag,
    i + 2 lag); all others are disjoint. Chances follow by counting pairs, chains and disjoint
    pairs of pairs in the relation.

    Parameters
    ----------
    relation : bytes
        Of an array of bool, (n, n), false on the diagonal.
    """
    a = np.frombuffer(relation, bool).reshape(n, n).astype(np.int64)
    out, into, total = a.sum(axis=1), a.sum(axis=0), int(a.sum())
    back = int((a * a.T).sum())
    chains = int((into * out).sum()) - back
    apart = total**2 - int((out**2 + into**2 + 2 * into * out).sum()) + total + back
    p = total / (n * (n - 1))
    p_chain = chains / (n * (n - 1) * (n - 2))
    p_apart = apart / (n * (n - 1) * (n - 2) * (n - 3))
    pairs, sharing = n - lag, max(0, n - 2 * lag)
    twice = pairs * (pairs - 1) - 2 * sharing
    mean = pairs * p
    return mean, mean + 2 * sharing * p_chain + twice * p_apart - mean**2


def chi_square(statistic: float, degrees: int) -> float:
    """P-value; two-sided from `MANY` degrees on, for with few the statistic takes few values."""
    law = stats.chi2(degrees)
    if degrees < MANY:
        return float(law.sf(statistic))
    return float(min(1.0, 2 * min(law.sf(statistic), law.cdf(statistic))))


def normal(z: float) -> float:
    """Two-sided p-value."""
    return float(2 * stats.norm.sf(abs(z)))


def worst_count(counts: np.ndarray, trials: int, p: float) -> float:
    """P-value of the worst of some binomial counts, times their number (Bonferroni)."""
    law = stats.binom(trials, p)
    tail = min(law.cdf(counts.min()), law.sf(counts.max() - 1))
    return float(min(1.0, 2 * counts.size * tail))


def _pooled(counts: np.ndarray, expected: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Join neighbouring cells until `LEAST` are expected in each."""
    starts, held = [0], 0.0
    for i, share in enumerate(expected):
        if held >= LEAST:
            starts.append(i)
            held = 0.0
        held += share
    if held < LEAST and len(starts) > 1:
        starts.pop()
    return np.add.reduceat(counts, starts), np.add.reduceat(expected, starts)


def goodness(counts: np.ndarray, law: np.ndarray) -> float:
    """P-value of counts of 0, 1, 2, ... by a law: chi-square, or 0 for what cannot be."""
    trials = counts.sum()
    counts = np.pad(counts, (0, max(0, len(law) - len(counts))))
    if counts[len(law) :].any() or counts[: len(law)][law == 0].any():
        return 0.0
    seen, expected = _pooled(counts[: len(law)], law * trials)
    return chi_square(float(((seen - expected) ** 2 / expected).sum()), len(seen) - 1)


def equal_cells(counts: np.ndarray) -> float:
    """P-value of cells that are equally likely."""
    expected = counts.sum() / counts.size
    return chi_square(float(((counts - expected) ** 2 / expected).sum()), counts.size - 1)


def any_of(p_values: list[float]) -> float:
    """P-value of the least of some, whatever their dependence (Bonferroni)."""
    return min(1.0, len(p_values) * min(p_values))
