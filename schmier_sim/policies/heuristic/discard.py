"""E1-E4: throws the plain cards that are worth less than what may be drawn."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from schmier_sim._jit import kernel
from schmier_sim.bits import count_bits, lowest_bit
from schmier_sim.cards import STRENGTH, SUIT_MASK, mask_of
from schmier_sim.engine.exchange import MOST_DISCARDS
from schmier_sim.policies.heuristic.rules import DISCARDS
from schmier_sim.policies.heuristic.weights import KEEP_DRAWING, KEEP_TAKING, RANK_CLASS
from schmier_sim.policies.toolkit import role_of

_BY_RANK_ALONE: Final = 3
"""The row of a player who does not weigh."""


def _order(worths: np.ndarray) -> np.ndarray:
    """``[row, 13]``: masks of the four cards of a rank, the rank of least worth first."""
    of_rank = np.array([mask_of(13 * suit + rank for suit in range(4)) for rank in range(13)])
    return of_rank[np.argsort(worths[:, RANK_CLASS], axis=1, kind="stable")]


_DRAWING: Final = _order(KEEP_DRAWING)
_TAKING: Final = _order(KEEP_TAKING)
_THROWN_RANKS: Final = (KEEP_DRAWING[:, RANK_CLASS] < 0).sum(axis=1)
"""By row: how many ranks are worth less than a drawn card."""


@kernel
def first_in_order(cards: int, count: int, order: np.ndarray) -> int:
    """Return the first ``count`` cards, or all there are, in an order of ranks."""
    thrown = 0
    for group in order:
        here = cards & group
        while here and count > 0:
            thrown |= here & -here
            here &= here - 1
            count -= 1
    return thrown


@kernel
def lowest_trump(mask: int, trump: int) -> int:
    """Return the trump of least strength."""
    best = lowest_bit(mask)
    while mask:
        card = lowest_bit(mask)
        mask &= mask - 1
        if STRENGTH[trump, card] < STRENGTH[trump, best]:
            best = card
    return best


@kernel
def throw_taking(view: Any, row: int) -> int:
    """Throw as the taker of the rest: plain cards first, then the lowest trumps that may go."""
    trumps = view.legal & SUIT_MASK[view.trump, view.trump]
    thrown = first_in_order(view.legal & ~trumps, view.must_throw, _TAKING[row])
    for _ in range(view.must_throw - count_bits(thrown)):
        card = lowest_trump(trumps, view.trump)
        thrown |= 1 << card
        trumps &= ~(1 << card)
    return thrown


@kernel
def throw(view: Any, without: int) -> int:
    """The taker throws as many as he must, the others what is worth less than a drawn card."""
    row = _BY_RANK_ALONE if without & DISCARDS else role_of(view)
    if view.must_throw:
        return throw_taking(view, row)
    plain = view.legal & ~SUIT_MASK[view.trump, view.trump]
    return first_in_order(plain, MOST_DISCARDS, _DRAWING[row, : _THROWN_RANKS[row]])
