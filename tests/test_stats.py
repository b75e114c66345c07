"""Intervals against exact laws and brute force."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats as reference

from schmier_sim.stats import bounded_mean_interval, chi_square_tail, mean_interval, rate_interval


@pytest.mark.parametrize(("k", "n"), [(1, 7), (50, 100), (113, 186), (9999, 10_000)])
def test_jeffreys_limits_leave_equal_tails_of_the_beta_law(k: int, n: int) -> None:
    low, high = rate_interval(k, n)
    law = reference.beta(k + 0.5, n - k + 0.5)
    assert law.cdf(low) == pytest.approx(0.025)
    assert law.sf(high) == pytest.approx(0.025)


def test_limits_are_open_where_all_trials_ended_alike() -> None:
    assert rate_interval(0, 50)[0] == 0.0
    assert rate_interval(50, 50)[1] == 1.0
    assert np.isnan(rate_interval(0, 0)).all()


def test_exact_coverage_at_a_rare_rate() -> None:
    """Published: 0.98 for p = 0.02 and n = 50."""
    k = np.arange(51)
    low, high = rate_interval(k, 50)
    covered = reference.binom(50, 0.02).pmf(k)[(low <= 0.02) & (high >= 0.02)].sum()
    assert covered == pytest.approx(0.98, abs=0.005)


def test_limits_are_vectorized() -> None:
    low, high = rate_interval([1, 2], [[10], [20]])
    assert low.shape == high.shape == (2, 2)


def test_mean_interval_is_students() -> None:
    data = np.random.default_rng(3).normal(1.0, 2.0, 40)
    expected = reference.t.interval(0.95, 39, data.mean(), reference.sem(data))
    assert mean_interval(data)[1:] == pytest.approx(expected)


def test_mean_of_one_value_knows_nothing_and_of_none_is_refused() -> None:
    assert mean_interval([4.0]) == (4.0, -np.inf, np.inf)
    with pytest.raises(ValueError, match="nothing"):
        mean_interval([])


def test_equal_values_have_no_width() -> None:
    assert mean_interval(np.zeros(9)) == (0.0, 0.0, 0.0)


def test_chi_square_tail_is_the_survival_function() -> None:
    assert chi_square_tail(10.0, 4) == pytest.approx(reference.chi2.sf(10.0, 4))


@pytest.mark.parametrize("n", [1, 3, 400])
def test_limits_of_equal_values_in_a_range_are_the_exact_ones_of_a_rate(n: int) -> None:
    """In 0 to 1, all 0, these are those of Clopper and Pearson for no success in n trials."""
    low, high = 0.0, reference.beta.ppf(0.975, 1, n)
    assert bounded_mean_interval(np.zeros(n), 0, 1) == pytest.approx((0, low, high))
    assert bounded_mean_interval(np.ones(n), 0, 1) == pytest.approx((1, 1 - high, 1))
    mean = bounded_mean_interval(np.full(n, 0.75), -1, 1)
    assert mean == pytest.approx((0.75, 0.75 - 1.75 * high, 0.75 + 0.25 * high))


def test_limits_in_a_range_are_students_within_it() -> None:
    data = np.array([0.9, 1.0, 0.2, 0.8])
    low, high = mean_interval(data)[1:]
    assert high > 1
    assert bounded_mean_interval(data, 0, 1) == (data.mean(), low, 1)
    assert bounded_mean_interval(data, -9, 9) == mean_interval(data)
