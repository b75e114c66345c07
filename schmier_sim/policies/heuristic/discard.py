"""E1-E4: throws the plain cards that are worth less than what may be drawn."""

from __future__ import annotations

from typing import Any

from schmier_sim._jit import kernel
from schmier_sim.bits import count_bits, lowest_bit
from schmier_sim.cards import STRENGTH, SUIT_MASK
from schmier_sim.engine.exchange import MOST_DISCARDS
from schmier_sim.policies.heuristic.rules import DISCARDS
from schmier_sim.policies.heuristic.weights import KEEP_DRAWING, KEEP_TAKING, RANK_CLASS
from schmier_sim.policies.toolkit import role_of


@kernel
def least_worth(mask: int, row: int, worths: Any) -> int:
    """Return the card of a mask of plain cards that is worth least; of equal ones the lowest."""
    best, least = -1, 0
    while mask:
        card = lowest_bit(mask)
        mask &= mask - 1
        worth = 1000 * worths[row, RANK_CLASS[card % 13]] + 10 * (card % 13) + card // 13
        if best < 0 or worth < least:
            best, least = card, worth
    return best


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
def throw_plain(plain: int, count: int, row: int, worths: Any, floor: int) -> int:
    """Return up to ``count`` plain cards, the worst first, that are worth less than a floor."""
    thrown = 0
    while count > 0 and plain:
        card = least_worth(plain, row, worths)
        if worths[row, RANK_CLASS[card % 13]] >= floor:
            break
        thrown |= 1 << card
        plain &= ~(1 << card)
        count -= 1
    return thrown


@kernel
def throw_taking(view: Any, row: int) -> int:
    """Throw as the taker of the rest: plain cards first, then the lowest trumps that may go."""
    trumps = view.legal & SUIT_MASK[view.trump, view.trump]
    thrown = throw_plain(view.legal & ~trumps, view.must_throw, row, KEEP_TAKING, 1 << 30)
    for _ in range(view.must_throw - count_bits(thrown)):
        card = lowest_trump(trumps, view.trump)
        thrown |= 1 << card
        trumps &= ~(1 << card)
    return thrown


@kernel
def throw(view: Any, without: int) -> int:
    """The taker throws as many as he must, the others what is worth less than a drawn card."""
    row = role_of(view)
    if without & DISCARDS:
        row = 3
    if view.must_throw:
        return throw_taking(view, row)
    plain = view.legal & ~SUIT_MASK[view.trump, view.trump]
    return throw_plain(plain, MOST_DISCARDS, row, KEEP_DRAWING, 0)
