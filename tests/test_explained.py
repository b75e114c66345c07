"""Explained variance where the answer is known exactly, and the agreement of the suits."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from math import comb

import numpy as np
import pytest
from ceiling_batches import batch_of

from schmier_sim.batches import StoredBatch
from schmier_sim.composition import FREQUENCY, HELD, NAMES, TOPS, TRUMPS
from schmier_sim.explained import AXES, asked_first, between_variance, explained, suits_agree

RATES = np.array([0.2, 0.2, 0.6, 0.6])
LOTS = 10**9


def of_rates(groups: list[int], weights: list[float] | None = None) -> float:
    made = np.rint(RATES * LOTS).astype(np.int64)
    return between_variance(made, np.full(4, LOTS), weights or [1, 1, 1, 1], groups)


@pytest.mark.parametrize(
    ("groups", "variance"),
    [
        ([0, 1, 2, 3], 0.04),
        ([0, 0, 1, 1], 0.04),
        ([0, 1, 0, 1], 0.0),
        ([0, 0, 0, 1], 0.04 / 3),  # 3/4 (1/3 - 2/5)^2 + 1/4 (3/5 - 2/5)^2
        ([5, 5, 5, 5], 0.0),
    ],
)
def test_variance_between_groups_of_known_rates(groups: list[int], variance: float) -> None:
    assert of_rates(groups) == pytest.approx(variance, abs=1e-8)


def test_classes_are_weighted_by_their_frequency() -> None:
    assert of_rates([0, 1, 2, 3], [3, 3, 1, 1]) == pytest.approx(0.4**2 * 3 / 16, abs=1e-8)


@pytest.mark.parametrize(
    ("groups", "variance"),
    [([0, 1, 2], 0.0), ([0, 0, 1], 0.0), ([0, 1, 2], None), ([0, 1, 1], None)],
)
def test_its_mean_over_all_samples_is_the_true_variance(
    groups: list[int], variance: float | None
) -> None:
    """Every outcome of 2, 3 and 4 hands with its binomial probability; no noise is left over."""
    hands, weights = np.array([2, 3, 4]), np.array([0.5, 0.3, 0.2])
    rates = np.full(3, 0.3) if variance is not None else np.array([0.1, 0.5, 0.8])
    of = np.array(groups)
    means = np.array([np.average(rates[of == g], weights=weights[of == g]) for g in of])
    truth = float(weights @ (means - weights @ rates) ** 2)
    expected = 0.0
    for made in product(*(range(n + 1) for n in hands)):
        chance = 1.0
        for k, n, p in zip(made, hands.tolist(), rates.tolist(), strict=True):
            chance *= comb(n, k) * p**k * (1 - p) ** (n - k)
        expected += chance * between_variance(made, hands, weights, of)
    assert expected == pytest.approx(truth, abs=1e-12)
    if variance is not None:
        assert truth == pytest.approx(variance, abs=1e-12)


def with_rates(rate: Callable[[int], float], hands: int = 10**8) -> StoredBatch:
    """Every composition makes exactly 6 at this rate, else 0."""
    return batch_of({
        name: {6: round(hands * rate(i)), 0: hands - round(hands * rate(i))}
        for i, name in enumerate(NAMES)
    })  # fmt: skip


def share_by_hand(rates: np.ndarray, labels: np.ndarray) -> float:
    """Weighted variance of the means of groups over that of all, in plain loops."""
    mean = float(FREQUENCY @ rates)
    total = between = 0.0
    for label in set(labels.tolist()):
        members = [i for i in range(len(rates)) if labels[i] == label]
        weight = sum(FREQUENCY[i] for i in members)
        centre = sum(FREQUENCY[i] * rates[i] for i in members) / weight
        between += weight * (centre - mean) ** 2
        total += sum(FREQUENCY[i] * (rates[i] - mean) ** 2 for i in members)
    return float(between / total)


def test_rates_that_hang_on_the_number_of_trumps_alone_are_explained_by_it() -> None:
    for row in explained(with_rates(lambda i: TRUMPS[i] / 6)):
        assert row.share == pytest.approx(dict.fromkeys(AXES, 1.0), abs=1e-5)
        assert (row.compositions, row.weight) == (769, pytest.approx(1))


def test_shares_of_rates_that_hang_on_more() -> None:
    rates = np.where(HELD[:, 0], 0.5, 0.1) + TOPS / 20 + HELD[:, 7] / 5
    (three, four, *_) = explained(with_rates(lambda i: float(rates[i])))
    assert (three.bid, four.bid) == (3, 4)
    assert four.variance == pytest.approx(FREQUENCY @ (rates - FREQUENCY @ rates) ** 2, rel=1e-5)
    for name, labels in AXES.items():
        assert four.share[name] == pytest.approx(share_by_hand(rates, labels), abs=1e-5)
    shares = [four.share[name] or 0.0 for name in ("trumps", "trumps and ace")]
    assert 0 < shares[0] < shares[1] < 1


def test_noise_alone_is_not_taken_for_a_difference() -> None:
    """100 hands a composition, all of the same rate: the raw variance is 0.0024, the true one 0."""
    made = np.random.default_rng(2).binomial(100, 0.4, 769)
    raw = float(FREQUENCY @ (made / 100 - FREQUENCY @ made / 100) ** 2)
    assert raw > 0.001
    corrected = between_variance(made, np.full(769, 100), FREQUENCY, np.arange(769))
    assert abs(corrected) < 0.5 * raw


def test_compositions_with_fewer_than_two_hands_are_left_out() -> None:
    batch = batch_of({"AK+1": {4: 2}, "AQ+1": {4: 1, 2: 1}, "AR+1": {5: 1}})
    row = explained(batch)[0]
    assert row.compositions == 2
    used = FREQUENCY[[NAMES.index("AK+1"), NAMES.index("AQ+1")]].sum()
    assert row.weight == pytest.approx(used)


def test_nothing_to_explain() -> None:
    for row in explained(batch_of({"AK+1": {4: 20}, "AQ+1": {4: 20}, "-+1": {4: 1}})):
        assert row.variance <= 0
        assert set(row.share.values()) == {None}
    (row, *_) = explained(batch_of({"AK+1": {4: 1}}))
    assert (row.compositions, row.variance, row.weight) == (0, 0.0, 0.0)


def in_suits(counts: list[tuple[int, int]]) -> StoredBatch:
    """4 points in so many hands of each suit, and 0 in so many."""
    batch = batch_of({})
    for suit, (made, lost) in enumerate(counts):
        more = batch_of({"AK+1": {4: made, 0: lost}}, suit=suit)
        batch.tally.cells[:] += more.tally.cells
        batch.tally.totals[:] += more.tally.totals
    return batch


def test_suits_that_agree_and_suits_that_do_not() -> None:
    same = suits_agree(in_suits([(50, 50)] * 4))
    assert [(test.bid, test.statistic, test.degrees, test.p) for test in same[:2]] == [
        (3, 0.0, 3, 1.0), (4, 0.0, 3, 1.0),
    ]  # fmt: skip
    assert (same[2].degrees, same[2].p) == (0, None)  # nobody made 5
    other = suits_agree(in_suits([(50, 50), (50, 50), (50, 50), (90, 10)]))
    # Rates .5 .5 .5 .9 around .6: (3 * 10^2 + 30^2) / (100 * .6 * .4)
    assert other[1].statistic == pytest.approx(50)
    assert other[1].p is not None
    assert other[1].p < 1e-9


def test_a_short_summary_speaks_of_4_or_else_of_the_lowest_bid() -> None:
    assert asked_first([3, 4, 5, 6]) == 4
    assert asked_first([5, 6]) == 5
