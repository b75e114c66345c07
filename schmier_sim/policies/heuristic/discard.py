"""E1-E4: throws the plain cards that are worth less than what may be drawn."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from schmier_sim._jit import inlined_kernel
from schmier_sim.bits import count_bits, nth_one
from schmier_sim.cards import ACE, SUIT_MASK, TEN, mask_of
from schmier_sim.engine.exchange import MOST_DISCARDS
from schmier_sim.policies.heuristic.rules import DISCARDS
from schmier_sim.policies.heuristic.weights import KEEP_DRAWING, KEEP_TAKING, RANK_CLASS
from schmier_sim.policies.toolkit import weakest


def _first_ranks(worths: np.ndarray) -> np.ndarray:
    """``[k]``: mask of the cards of the k ranks of least worth, of equal ones the lower; k < 16."""
    order = np.argsort(worths[RANK_CLASS], kind="stable").tolist()
    return np.array(
        [mask_of(13 * suit + r for suit in range(4) for r in order[:k]) for k in range(16)],
        np.int64,
    )


_DRAWING: Final = _first_ranks(KEEP_DRAWING)
_TAKING: Final = _first_ranks(KEEP_TAKING)
_THROWN: Final = mask_of(c for c in range(52) if KEEP_DRAWING[RANK_CLASS[c % 13]] < 0)
"""The mask of the cards worth less than a drawn card."""
_ACES_AND_TENS: Final = mask_of(13 * suit + rank for suit in range(4) for rank in (ACE, TEN))


@inlined_kernel
def least_of(cards: int, count: int, first_ranks: np.ndarray) -> int:
    """Return the ``count`` plain cards of least worth; of equal ones those of the first suits."""
    if count_bits(cards) <= count:
        return cards
    if count <= 0:
        return 0
    whole = 0  # how many ranks go altogether: steps of a binary search, without branches
    for step in (8, 4, 2, 1):
        whole += step if count_bits(cards & first_ranks[whole + step]) < count else 0
    thrown = cards & first_ranks[whole]
    next_rank = cards & first_ranks[whole + 1] & ~thrown
    last = nth_one(next_rank, count - count_bits(thrown) - 1)
    return thrown | next_rank & (2 * last - 1)


@inlined_kernel
def throw_taking(view: Any) -> int:
    """Throw as the taker of the rest: plain cards first, then the lowest trumps that may go."""
    trumps = view.legal & SUIT_MASK[view.trump, view.trump]
    thrown = least_of(view.legal & ~trumps, view.must_throw, _TAKING)
    for _ in range(view.must_throw - count_bits(thrown)):
        card = weakest(trumps, view.trump)
        thrown |= 1 << card
        trumps &= ~(1 << card)
    return thrown


@inlined_kernel
def throw(view: Any, without: int) -> int:
    """The taker throws as many as he must, the others what is worth less than a drawn card."""
    if view.must_throw:
        return throw_taking(view)
    cards = view.legal & _THROWN
    if without & DISCARDS:
        cards &= ~_ACES_AND_TENS
    return least_of(cards, MOST_DISCARDS, _DRAWING)
