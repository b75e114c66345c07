"""The streams: against a plain Python splitmix64, unbiased draws, independence of purposes."""

from __future__ import annotations

from math import prod

import numpy as np
import pytest

from schmier_sim._jit import JIT_ENABLED
from schmier_sim.engine.deal import deal_cards, first_dealer
from schmier_sim.engine.state import new_tables
from schmier_sim.rng import DEAL, GAMMA, MAX_SEED, below, mix, stream

M = 2**64


def mix_by_hand(z: int) -> int:
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9 % M
    z = (z ^ (z >> 27)) * 0x94D049BB133111EB % M
    return z ^ (z >> 31)


def stream_by_hand(*words: int) -> int:
    state = int.from_bytes(b"SCHMIER1", "big")
    for word in words:
        state = mix_by_hand((state + int(GAMMA) * (word + 1)) % M)
    return state


def below_by_hand(state: int, *bounds: int) -> tuple[list[int], int]:
    """Lemire's method: reject the words whose product has a biased low half.

    What is left of the word after one bound is the word for the next.
    """
    while True:
        state = (state + int(GAMMA)) % M
        word, drawn = mix_by_hand(state), []
        for bound in bounds:
            drawn.append(word * bound // M)
            word = word * bound % M
        if word >= M % prod(bounds):
            return drawn, state


def test_splitmix64_gives_its_published_first_numbers() -> None:
    """Seed 1234567, from the reference implementation."""
    state, seen = 1234567, []
    for _ in range(3):
        state = (state + int(GAMMA)) % M
        seen.append(int(mix(np.uint64(state))))
    assert seen == [6457827717110365317, 3203168211198807973, 9817491932198370423]


@pytest.mark.parametrize("words", [(1, 0, 0, 1), (MAX_SEED, 10**15, 499, 3), (0, 0, 0, 0)])
def test_streams_are_keyed_by_all_four_numbers(words: tuple[int, int, int, int]) -> None:
    assert int(stream(*words)) == stream_by_hand(*words)
    for i in range(4):
        other = list(words)
        other[i] = abs(other[i] - 1)
        assert int(stream(*other)) != int(stream(*words))


@pytest.mark.parametrize("bound", [1, 2, 6, 53, 2**31, 3 * 2**60, 2**62])
def test_draws_agree_with_plain_python(bound: int) -> None:
    state = 99
    states = np.array([state], np.uint64)
    for _ in range(200):
        expected, state = below_by_hand(state, bound)
        assert [below(states, bound)] == expected
        assert int(states[0]) == state


def test_draws_of_a_large_bound_are_not_biased() -> None:
    """Without a rejection, the multiples of three would have six words each, all others five."""
    bound, n = 3 * 2**60, 30_000 if JIT_ENABLED else 10_000
    states = np.array([5], np.uint64)
    thirds = np.bincount([below(states, bound) % 3 for _ in range(n)], minlength=3)
    assert np.all(np.abs(thirds - n / 3) < 5 * np.sqrt(n * 2 / 9))


def test_deals_depend_on_seed_hand_and_attempt_and_on_nothing_else() -> None:
    tables = new_tables(1)

    def dealt(*key: int) -> tuple[int, ...]:
        deal_cards(tables[0], *key)
        return (*tables["dealt"][0].tolist(), *tables["stock"][0].tolist())

    first = dealt(1, 0, 0)
    assert len({first, dealt(2, 0, 0), dealt(1, 1, 0), dealt(1, 0, 1)}) == 4
    first_dealer(tables[0], 1, 0)
    assert dealt(1, 0, 0) == first


def test_a_deal_is_the_shuffle_of_its_stream() -> None:
    state, left, pack = stream_by_hand(7, 3, 0, DEAL), list(range(53)), []
    while left:
        bounds = [max(1, len(left) - k) for k in range(8)]
        drawn, state = below_by_hand(state, *bounds)
        pack += [left.pop(place) for place in drawn[: len(left)]]
    tables = new_tables(1)
    deal_cards(tables[0], 7, 3, 0)
    hands = [sum(1 << card for card in pack[6 * seat : 6 * seat + 6]) for seat in range(6)]
    assert tables["dealt"][0].tolist() == hands
    assert tables["stock"][0].tolist() == pack[36:]


def test_dealers_are_drawn_evenly() -> None:
    tables = new_tables(1)
    n = 12_000 if JIT_ENABLED else 600
    counts = np.bincount([first_dealer(tables[0], 1, i) for i in range(n)], minlength=6)
    assert np.all(np.abs(counts - n / 6) < 5 * np.sqrt(n * 5 / 36))
