"""Intervals against exact laws and brute force."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats as reference

from schmier_sim.stats import chi_square_tail, mean_interval, rate_interval


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
