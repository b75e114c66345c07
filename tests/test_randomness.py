"""The checks of randomness: their laws, that they pass the streams, and that they notice faults."""

from __future__ import annotations

from collections.abc import Callable
from itertools import permutations
from typing import Any

import numpy as np
import pytest
from randomness import evenness, laws
from randomness.checks import (
    FAMILY,
    Check,
    Size,
    checks,
    failing,
    independent,
    neighbour_checks,
    two_rows,
)
from randomness.evenness import place_statistic
from randomness.sources import Deals
from scipy import stats

from schmier_sim._jit import JIT_ENABLED

SHORT = Size(20_000, 3_000, 10_000) if JIT_ENABLED else Size(200, 60, 80)
MADE = 56  # how many checks a seed gets: those that are to reject a fault have as low a limit

# --- The laws, by counting every order of a few cards ---------------------------------------------

FEW = 6
ORDERS = np.array(list(permutations(range(FEW)))).T


def shares(counts: np.ndarray, length: int) -> list[float]:
    return list(np.bincount(counts, minlength=length) / ORDERS.shape[1])


def test_fixed_points_descents_and_inversions_follow_their_laws() -> None:
    still = (np.arange(FEW)[:, None] == ORDERS).sum(axis=0)
    falls = (ORDERS[1:] < ORDERS[:-1]).sum(axis=0)
    wrong = sum((ORDERS[i] > ORDERS[i + 1 :]).sum(axis=0) for i in range(FEW - 1))
    for counts, law in (
        (still, laws.fixed_points(FEW)),
        (falls, laws.descents(FEW)),
        (wrong, laws.inversions(FEW)),
    ):
        assert list(law) == pytest.approx(shares(np.asarray(counts), len(law)))


@pytest.mark.parametrize("law", [laws.fixed_points, laws.descents, laws.inversions])
def test_laws_of_the_whole_pack_have_their_known_moments(law: Callable[[int], Any]) -> None:
    moments = {
        "fixed_points": (1, 1),
        "descents": (26, 54 / 12),
        "inversions": (53 * 52 / 4, 53 * 52 * 111 / 72),
    }
    chances = law(53)
    values = np.arange(len(chances))
    mean = float(values @ chances)
    assert float(chances.sum()) == pytest.approx(1)
    assert (mean, float((values - mean) ** 2 @ chances)) == pytest.approx(moments[law.__name__])


@pytest.mark.parametrize("lag", [1, 2, 3, 5])
def test_related_neighbours_have_the_mean_and_variance_of_all_orders(lag: int) -> None:
    relation = np.random.default_rng(lag).random((FEW, FEW)) < 0.4
    np.fill_diagonal(relation, val=False)
    found = relation[ORDERS[:-lag], ORDERS[lag:]].sum(axis=0)
    mean, variance = laws.related_neighbours(relation.tobytes(), FEW, lag)
    assert (mean, variance) == pytest.approx((found.mean(), found.var()))


def test_the_places_of_cards_have_as_much_freedom_as_is_said() -> None:
    """The covariance of all cells, over all orders: 1 / (n - 1) in (n - 1)^2 directions, else 0."""
    cells = (ORDERS[:, None, :] == np.arange(FEW)[None, :, None]).reshape(FEW**2, -1)
    spread = np.linalg.eigvalsh(np.cov(cells.astype(float), bias=True))
    degrees = (FEW - 1) ** 2
    assert spread[:-degrees] == pytest.approx(np.zeros(2 * FEW - 1), abs=1e-12)
    assert spread[-degrees:] == pytest.approx(np.full(degrees, 1 / (FEW - 1)))
    statistic, freedom = place_statistic(places_of_few(ORDERS))
    assert (statistic, freedom) == (0, degrees)
    # One order alone: the mean of the statistic over all deals is its degrees of freedom.
    assert place_statistic(places_of_few(ORDERS[:, :1]))[0] == pytest.approx(degrees)


def places_of_few(orders: np.ndarray) -> np.ndarray:
    return np.array([np.bincount(row, minlength=FEW) for row in orders])


def test_cards_of_a_hand_follow_the_hypergeometric_law() -> None:
    law = laws.matches_of_hands(4, 6, 53)
    assert list(law) == pytest.approx(list(stats.hypergeom(53, 4, 6).pmf(range(5))))


def test_steps_between_packs_are_what_turns_the_one_into_the_other() -> None:
    one, other = (fisher_yates(50, seed) for seed in (1, 2))
    step = evenness.relative(one, other)
    assert np.array_equal(np.take_along_axis(other, step.astype(int), axis=0), one)
    same = (one == other).sum(axis=0)
    assert np.array_equal((step == np.arange(53)[:, None]).sum(axis=0), same)


# --- Shuffles, right and wrong --------------------------------------------------------------------

Places = Callable[[np.random.Generator, int, int], np.ndarray]


def swapped(n: int, seed: int, steps: range, drawn: Places) -> np.ndarray:
    """Shuffle n packs: at each step exchange a card with the one at a drawn place."""
    random, deals = np.random.default_rng(seed), np.arange(n)
    packs = np.repeat(np.arange(53, dtype=np.int8)[:, None], n, axis=1)
    for i in steps:
        j = drawn(random, i, n)
        packs[i], packs[j, deals] = packs[j, deals], packs[i].copy()
    return packs


def fisher_yates(n: int, seed: int) -> np.ndarray:
    return swapped(n, seed, range(52), lambda random, i, n: random.integers(i, 53, n))


def over_all_places(n: int, seed: int) -> np.ndarray:
    return swapped(n, seed, range(53), lambda random, i, n: random.integers(0, 53, n))


def never_itself(n: int, seed: int) -> np.ndarray:
    """Sattolo's cycles: off by one."""
    return swapped(n, seed, range(52), lambda random, i, n: random.integers(i + 1, 53, n))


def without_the_last(n: int, seed: int) -> np.ndarray:
    """The last card stays where it is."""
    return swapped(n, seed, range(51), lambda random, i, n: random.integers(i, 52, n))


def of_eight_bits(n: int, seed: int) -> np.ndarray:
    """Multiply and shift without a rejection, from a byte: some places are likelier."""

    def drawn(random: np.random.Generator, i: int, n: int) -> np.ndarray:
        return i + (random.integers(0, 256, n) * (53 - i) >> 8)

    return swapped(n, seed, range(52), drawn)


def one_word_twice(n: int, seed: int) -> np.ndarray:
    """Two draws from the same bits of one word."""
    words: dict[int, np.ndarray] = {}

    def drawn(random: np.random.Generator, i: int, n: int) -> np.ndarray:
        word = words.setdefault(i // 2, random.integers(0, 2**32, n))
        return i + (word * (53 - i) >> 32)

    return swapped(n, seed, range(52), drawn)


def of_one_sign(n: int, seed: int) -> np.ndarray:
    """Every order with an even number of inversions, none of the others."""
    packs = fisher_yates(n, seed)
    odd = sum((packs[i] > packs[i + 1 :]).sum(axis=0) for i in range(52)) % 2 == 1
    packs[:2, odd] = packs[1::-1, odd]
    return packs


def in_turn(n: int, seed: int) -> np.ndarray:
    """Too even: each card as often at each place as can be."""
    first = fisher_yates(n // 53, seed)
    return np.concatenate([np.roll(first, shift, axis=0) for shift in range(53)], axis=1)


WRONG = {
    over_all_places: "cards at places",
    never_itself: "fixed points",
    without_the_last: "worst place",
    of_eight_bits: "cards at places",
    one_word_twice: "neighbours",
    of_one_sign: "inversions",
    in_turn: "cards at places",
}


def named(case: object) -> str:
    return getattr(case, "__name__", str(case))


def rejected(p_values: dict[str, float]) -> list[str]:
    """Which checks fail at the limit that each has among all."""
    others = [Check("", 1.0)] * (MADE - len(p_values))
    return [check.name for check in failing([*map(Check, p_values, p_values.values()), *others])]


@pytest.mark.parametrize(("shuffle", "by"), WRONG.items(), ids=named)
def test_a_wrong_shuffle_is_noticed(shuffle: Callable[[int, int], np.ndarray], by: str) -> None:
    for seed in (1, 2, 3):
        assert by in rejected(evenness.p_values(shuffle(20_000, seed)))


def test_a_right_shuffle_passes() -> None:
    for seed in (1, 2, 3):
        assert rejected(evenness.p_values(fisher_yates(20_000, seed))) == []


def test_p_values_of_right_shuffles_are_even() -> None:
    """So that a limit errs as often as it says: hardly ever below it, and at all levels."""
    found = [evenness.p_values(fisher_yates(1_000, seed)) for seed in range(60)]
    for name in ("cards at places", "descents", "inversions"):
        values = [each[name] for each in found]
        assert stats.kstest(values, "uniform").pvalue > FAMILY / 3
    for name in found[0]:
        assert min(each[name] for each in found) > FAMILY / (60 * len(found[0]))


def as_deals(packs: np.ndarray) -> Deals:
    bits = np.int64(1) << packs[:36].astype(np.int64)
    return Deals(packs, np.bitwise_or.reduce(bits.reshape(6, 6, -1), axis=1).T)


def test_deals_that_tell_of_others_are_noticed() -> None:
    """All of them the same; one in a hundred; the same cards one seat on; the order reversed."""
    one, free = fisher_yates(3_000, 4), fisher_yates(3_000, 5)
    some = free.copy()
    some[:, ::100] = one[:, ::100]
    assert two_rows(as_deals(one), as_deals(free)) > FAMILY
    for other in (one, some, np.roll(one, 6, axis=0), one[::-1]):
        assert two_rows(as_deals(one), as_deals(other)) < FAMILY / MADE


Keyed = Callable[[np.ndarray, np.ndarray, np.ndarray], np.ndarray]


def failures(key: Keyed) -> list[str]:
    """Which neighbours are noticed if packs, good in themselves, are dealt by some key."""
    packs = fisher_yates(9_000, 6)

    def dealt(wanted: np.ndarray) -> Deals:
        return as_deals(packs[:, key(*wanted.T.astype(np.uint64)) % np.uint64(9_000)])

    return rejected(dict(neighbour_checks(1, 1_000, dealt)))


def test_a_key_that_is_a_sum_is_noticed() -> None:
    """Of seed, index and attempt: exchanged they give the same cards."""
    found = failures(lambda seed, index, attempt: seed + index + attempt)
    for name in ("seed and index exchanged", "index and attempt exchanged", "seed up, index down"):
        assert f"deals: {name}" in found


def test_a_key_that_is_used_for_the_next_index_too_is_noticed() -> None:
    found = failures(lambda seed, index, attempt: 91 * seed + index // 2 + 1_009 * attempt)
    assert "deals: index and the next" in found


def test_a_key_that_forgets_high_bits_is_noticed() -> None:
    low = np.uint64(2**32 - 1)
    found = failures(lambda seed, index, attempt: 91 * (seed & low) + (index & low))
    assert {"deals: index 2^32 further", "deals: seed 2^32 further"} <= set(found)


def test_draws_that_are_uneven_or_tell_of_others_are_noticed() -> None:
    random = np.random.default_rng(7)
    dice, others = random.integers(0, 16, (2, 10_000))
    assert independent(dice, others, (16, 16)) > FAMILY
    for bad in (dice, 15 - dice, (dice + others // 8) % 16, np.minimum(others, 14)):
        assert independent(dice, bad, (16, 16)) < FAMILY / MADE
    bound = 3 * 2**29
    shifted = random.integers(0, 2**31, 10_000) * bound >> 31  # each third a different share
    biased = np.where(shifted % 3 == 0, shifted // 2, shifted)
    assert laws.equal_cells(np.bincount(biased * 48 // bound, minlength=48)) < FAMILY / MADE


def test_what_cannot_be_is_noticed_however_rare() -> None:
    law = laws.fixed_points(53)
    random = np.random.default_rng(9)
    counts = np.bincount(random.choice(54, 10_000, p=law / law.sum()), minlength=54)
    assert laws.goodness(counts, law) > FAMILY
    counts[52] = 1  # all but one in place
    assert laws.goodness(counts, law) == 0
    packs = fisher_yates(100, 8)
    deals = as_deals(packs)
    assert evenness.are_whole(*deals)
    packs[0, 7] = packs[1, 7]
    assert not evenness.are_whole(packs, deals.masks)


# --- The streams ----------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", [1, 2, 3] if JIT_ENABLED else [1])
def test_deals_dealers_and_draws_pass(seed: int) -> None:
    made = list(checks(seed, SHORT))
    assert len(made) == MADE
    assert failing(made) == []
