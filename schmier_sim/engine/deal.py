"""P2, P3: six cards to each seat, 17 in the stock, and the first dealer."""

from __future__ import annotations

from math import prod
from typing import Any, Final

import numpy as np

from schmier_sim._jit import inlined_kernel, kernel
from schmier_sim.bits import count_bits, lowest_bit, nth_one
from schmier_sim.cards import N_CARDS, PACK_MASK
from schmier_sim.rng import (
    DEAL,
    DEALER,
    POLICY,
    absorb,
    below,
    hand_key,
    next_word,
    product,
    stream,
)  # fmt: skip

_TOGETHER: Final = 8
"""Cards drawn with one random word: the product of their bounds stays below 2**46."""
_BOUNDS: Final = np.array(
    [prod(max(1, left - k) for k in range(_TOGETHER)) for left in range(N_CARDS + 1)], np.uint64
)
"""By cards left: the product of the bounds of the next draws."""


@inlined_kernel
def deal_out(pack: np.ndarray, cards: int, states: np.ndarray) -> None:
    """Put a set of cards into a uniformly random order, each drawn from those left.

    Parameters
    ----------
    pack : ndarray of int64, shape (56,)
        Filled with masks of one card each, in order; zeros beyond.
    cards : int
        Mask.
    states : ndarray of uint64
        The first is the state of the stream, advanced in place.
    """
    state, rest, left, at = states[0], cards, count_bits(cards), 0
    while left > 0:
        state, word = next_word(state, _BOUNDS[left])
        for k in range(_TOGETHER):
            drawn, word = product(word, np.uint64(max(1, left - k)))
            card = nth_one(rest, np.int64(drawn))  # type: ignore[arg-type]
            rest &= ~card
            pack[at + k] = card
        at += _TOGETHER
        left -= _TOGETHER
    states[0] = state


@inlined_kernel
def six_cards(pack: np.ndarray, at: int) -> int:
    """Return the mask of six cards of a pack."""
    hand = 0
    for i in range(6):
        hand |= pack[at + i]
    return hand


@kernel
def deal_cards(table: Any, seed: int, index: int, attempt: int) -> None:
    """Deal all 53 cards of one attempt at a hand, and key the policies' random numbers."""
    key = hand_key(seed, index, attempt)
    table.stream[0] = absorb(key, DEAL)
    deal_out(table.pack, PACK_MASK, table.stream)
    for seat in range(6):
        table.dealt[seat] = six_cards(table.pack, 6 * seat)
    for i in range(17):
        table.stock[i] = lowest_bit(table.pack[36 + i])
    table.policy_key = absorb(key, POLICY)


@kernel
def first_dealer(table: Any, seed: int, index: int) -> int:
    """Draw the dealer of a hand; its cards do not depend on it."""
    table.stream[0] = stream(seed, index, 0, DEALER)
    return below(table.stream, 6)
