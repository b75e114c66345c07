"""E1-E4: throws the plain cards that are worth less than what may be drawn."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from schmier_sim._jit import inlined_kernel
from schmier_sim.bits import count_bits, lowest_bit
from schmier_sim.cards import ACE, SUIT_MASK, TEN, mask_of
from schmier_sim.engine.exchange import MOST_DISCARDS
from schmier_sim.policies.heuristic.rules import DISCARDS
from schmier_sim.policies.heuristic.weights import KEEP_DRAWING, KEEP_TAKING, RANK_CLASS
from schmier_sim.policies.toolkit import weakest


def _places(worths: np.ndarray) -> np.ndarray:
    """``[card]``: the place of a card in an order of worth, of equal ones by rank."""
    places = np.argsort(np.argsort(worths, kind="stable"))
    return np.append(np.tile(places, 4), 0).astype(np.int64)


_DRAWING: Final = _places(KEEP_DRAWING[RANK_CLASS])
_TAKING: Final = _places(KEEP_TAKING[RANK_CLASS])
_THROWN: Final = mask_of(c for c in range(52) if KEEP_DRAWING[RANK_CLASS[c % 13]] < 0)
"""The mask of the cards worth less than a drawn card."""
_ACES_AND_TENS: Final = mask_of(13 * suit + rank for suit in range(4) for rank in (ACE, TEN))


@inlined_kernel
def best_of(cards: int, count: int, places: np.ndarray) -> int:
    """Return the ``count`` cards of greatest worth; of equal ones those of the last suits."""
    best = 0
    for _ in range(count):
        most, rest = 0, cards & ~best
        while rest:
            card = lowest_bit(rest)
            rest &= rest - 1
            most = max(most, places[card] << 6 | card)
        best |= 1 << (most & 63)
    return best


@inlined_kernel
def throw_taking(view: Any) -> int:
    """Throw as the taker of the rest: plain cards first, then the lowest trumps that may go."""
    trumps = view.legal & SUIT_MASK[view.trump, view.trump]
    plain = view.legal & ~trumps
    thrown = plain & ~best_of(plain, count_bits(plain) - view.must_throw, _TAKING)
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
    return cards & ~best_of(cards, count_bits(cards) - MOST_DISCARDS, _DRAWING)
