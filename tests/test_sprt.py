"""The sequential test: its formula by brute force, its error rates by simulation."""

from __future__ import annotations

import json
import math
from typing import NamedTuple

import numpy as np
import pytest
from scipy import stats as reference

from schmier_sim import find_policy
from schmier_sim._jit import JIT_ENABLED
from schmier_sim.compare import Judge, Match, margins
from schmier_sim.errors import InputError
from schmier_sim.policies.base import Policy
from schmier_sim.sprt import FEWEST, Sprt, Verdict

PAIRS = 1000
MOST = 20_000_000


class Law(NamedTuple):
    """Margins and how likely each is."""

    values: np.ndarray
    chances: np.ndarray

    def around(self, mean: float) -> Law:
        """The same, moved."""
        return Law(self.values - self.values @ self.chances + mean, self.chances)


def margin_like(_: float) -> Law:
    """In twelfths, most of them 0, tails like those of Student's t with three degrees."""
    values = np.arange(-72, 73) / 12
    chances = reference.t(3).pdf(values / 0.4)
    chances /= chances.sum() * 3
    chances[72] += 1 - chances.sum()
    return Law(values, chances)


def skew(_: float) -> Law:
    """As when one policy bids what is made or set: now and then much is lost, else a little won."""
    return Law(np.array([-9, -4, 0, 0.25, 0.5]), np.array([0.01, 0.02, 0.5, 0.27, 0.2]))


def rare(mean: float) -> Law:
    """Two policies that hardly ever differ, and then by the most there can be."""
    chance = abs(mean) / 9
    return Law(np.array([math.copysign(9, mean), 0]), np.array([chance, 1 - chance]))


def played(_: float) -> Law:
    """Margins of real deals."""
    plain, random = find_policy("plain"), find_policy("random")
    half = Policy("half", "", False, plain.call, plain.trump, random.discard, random.play)
    match = Match(plain, half, seed=3)
    found = margins(Judge(match, 2).deals(4000 if JIT_ENABLED else 12), match)
    values, counts = np.unique(found, return_counts=True)
    return Law(values, counts / counts.sum())


def run(test: Sprt, law: Law, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Return the verdict, -1 low or 1 high, and the number of deals, of many tests at once."""
    rng = np.random.default_rng(seed)
    total, squares = np.zeros(PAIRS), np.zeros(PAIRS)
    accepted, hands = np.zeros(PAIRS, int), np.zeros(PAIRS, int)
    before = 0
    for n in test.looks(MOST):
        going = np.flatnonzero(accepted == 0)
        counts = rng.multinomial(n - before, law.chances, len(going))
        total[going] += counts @ law.values
        squares[going] += counts @ law.values**2
        llr = test.llr(n, total[going], squares[going])
        low, high = test.bounds
        accepted[going] = np.where(llr >= high, 1, np.where(llr <= low, -1, 0))
        hands[going] = n
        before = n
        if accepted.all():
            break
    return accepted, hands


def most_wrong(rate: float) -> int:
    """So many of the tests may be wrong; more happen once in 10,000 times at this rate."""
    return int(reference.binom(PAIRS, rate).ppf(0.9999))


TESTS = [Sprt(0, 0.1, greatest=9), Sprt(-0.01, 0.015, 0.1, 0.02, greatest=9),
         Sprt(-0.4, -0.38, 0.01, 0.2, greatest=9)]  # fmt: skip
LAWS = (margin_like, skew, played)


@pytest.mark.parametrize("test", TESTS, ids=lambda test: f"{test.low:g},{test.high:g}")
@pytest.mark.parametrize("shape", LAWS)
def test_error_rates_hold_at_both_hypotheses(shape: object, test: Sprt) -> None:
    law = shape(0.0)  # type: ignore[operator]
    accepted, _ = run(test, law.around(test.low), seed=1)
    assert accepted.all()
    assert (accepted == 1).sum() <= most_wrong(test.alpha)
    accepted, _ = run(test, law.around(test.high), seed=2)
    assert accepted.all()
    assert (accepted == -1).sum() <= most_wrong(test.beta)


@pytest.mark.parametrize("gap", [0.1, 0.005])
@pytest.mark.parametrize("drift", [0, 0.5, 2, 5])
def test_error_rates_hold_where_only_the_rarest_deals_differ(gap: float, drift: float) -> None:
    """And a little is lost in all others, so that the mean hangs on what is not seen yet."""
    for sign in (1, -1):
        low, high = sorted((0.0, sign * gap))
        chance = gap * (1 + drift) / (9 + drift * gap)
        law = Law(sign * np.array([9, -drift * gap]), np.array([chance, 1 - chance]))
        test = Sprt(low, high, greatest=9)
        accepted, _ = run(test, law.around(sign * gap), seed=3)
        assert (accepted == -sign).sum() <= most_wrong(0.05)


def test_a_close_question_takes_fewer_deals_than_a_fixed_number() -> None:
    """Wald: about half as many if one of the hypotheses is true."""
    test = Sprt(0, 0.002, greatest=9)
    law = margin_like(0)
    sigma = math.sqrt(law.values**2 @ law.chances)
    fixed = (2 * reference.norm.isf(0.05) * sigma / 0.002) ** 2
    for truth in (0, 0.002):
        _, hands = run(test, law.around(truth), seed=4)
        assert hands.mean() < 0.65 * fixed


def test_the_errors_are_no_rarer_than_asked_for_by_much() -> None:
    """A test that is never wrong plays too long; what it loses, it loses to its rounds."""
    test = Sprt(0, 0.01, greatest=9)
    accepted, _ = run(test, margin_like(0).around(0), seed=5)
    assert (accepted == 1).sum() >= reference.binom(PAIRS, 0.025).ppf(0.001)


def test_means_beyond_the_hypotheses_are_easier() -> None:
    test = Sprt(0, 0.05, greatest=9)
    for mean, wrong in ((-0.03, 1), (0.08, -1)):
        accepted, _ = run(test, margin_like(0).around(mean), seed=6)
        assert (accepted == wrong).sum() <= 2


def test_the_ratio_is_that_of_normal_laws_each_with_its_best_variance() -> None:
    data = np.random.default_rng(7).normal(0.3, 1.5, 60)
    test = Sprt(0, 0.5, greatest=1)
    # Two more values, one each way, that have no part in the mean or the number.
    n, extremes = len(data), 2 * 1.0**2
    best = []
    for mean in (test.low, test.high):
        square = (((data - mean) ** 2).sum() + extremes) / n
        log_likelihood = reference.norm(0, math.sqrt(square)).logpdf(data - mean).sum()
        best.append(log_likelihood - extremes / (2 * square))
        for other in (0.9, 1.1):
            less = reference.norm(0, other * math.sqrt(square)).logpdf(data - mean).sum()
            assert less - extremes / (2 * other**2 * square) < best[-1]
    llr = test.llr(n, data.sum(), (data**2).sum())
    assert llr == pytest.approx(best[1] - best[0])
    assert test.verdict(data) == Verdict(test, n, pytest.approx(float(llr)))


def test_a_variance_of_nothing_is_no_obstacle() -> None:
    """The nearer hypothesis wins at the first look, and the middle never."""
    for low, high, expected in (
        (0, 0.1, "low"), (-0.1, 0, "high"), (-0.1, 0.3, "low"), (-0.3, 0.1, "high"),
        (-0.1, 0.1, None), (0.5, 0.6, "low"),
    ):  # fmt: skip
        test = Sprt(low, high)
        for n in (test.first_look, 100 * test.first_look):
            verdict = test.verdict(np.zeros(n))
            assert verdict.accepted == expected
            json.dumps(verdict.as_data(), allow_nan=False)
    assert Sprt(-0.1, 0.1).verdict(np.zeros(5000)).llr == 0


def test_exchanging_the_two_changes_the_sign_alone() -> None:
    data = np.random.default_rng(8).integers(-5, 6, 3000) / 6
    one, other = Sprt(-0.2, 0.1, 0.01, 0.1), Sprt(-0.1, 0.2, 0.1, 0.01)
    assert one.verdict(data).llr == pytest.approx(-other.verdict(-data).llr)
    assert one.bounds == pytest.approx((-other.bounds[1], -other.bounds[0]))
    assert one.first_look == other.first_look


def test_the_bounds_are_the_error_rates() -> None:
    test = Sprt(0, 1, alpha=0.01, beta=0.2)
    low, high = test.bounds
    assert (math.exp(low), math.exp(-high)) == pytest.approx((0.2, 0.01))
    for llr, accepted in ((low, "low"), (low + 1e-9, None), (high - 1e-9, None), (high, "high")):
        assert Verdict(test, 1000, llr).accepted == accepted


def test_the_looks_are_fixed_and_grow() -> None:
    test = Sprt(0, 0.1, greatest=9)
    looks = test.looks(5000)
    assert looks[0] == test.first_look == math.ceil(4 * 90 * math.log(20))
    assert looks[-1] == 5000
    assert all(a < b <= math.ceil(1.1 * a) for a, b in zip(looks, looks[1:], strict=False))
    assert test.looks(10_000)[: len(looks) - 1] == looks[:-1]
    assert test.looks(test.first_look) == [test.first_look]
    assert Sprt(0, 2).first_look == FEWEST
    assert Sprt(0, 0.1, 0.001, 0.05).first_look > test.first_look
    with pytest.raises(InputError, match="looks first after"):
        test.looks(test.first_look - 1)


@pytest.mark.parametrize(
    "of", [(0.1, 0), (0, 0), (0, 1e-9), (0, 13), (-13, 0), (0, 0.1, 0.5), (0, 0.1, 0),
           (0, 0.1, 0.05, 1), (0, 0.1, 0.05, 1e-4), (math.nan, 0), (0, math.inf)], ids=str,
)  # fmt: skip
def test_a_test_that_cannot_be_is_refused(of: tuple[float, ...]) -> None:
    with pytest.raises(InputError):
        Sprt(*of)
