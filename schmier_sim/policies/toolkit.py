"""Helpers for policies, for compiled code: random draws, sets of cards, the trick so far."""

from __future__ import annotations

from typing import Any

from schmier_sim._jit import kernel
from schmier_sim.bits import count_bits, highest_bit, lowest_bit, nth_bit
from schmier_sim.cards import BEATING, PACK_MASK, STRENGTH, SUIT_MASK
from schmier_sim.engine.state import stream_of
from schmier_sim.rng import below
from schmier_sim.rules import team_of

__all__ = [
    "count_bits",
    "draw_below",
    "highest_bit",
    "is_leading",
    "lowest_bit",
    "nth_bit",
    "role_of",
    "same_team",
    "strongest",
    "trick_best",
    "trumps_of",
    "unseen",
]


@kernel
def draw_below(view: Any, bound: int) -> int:
    """Draw a uniform integer from 0 to bound - 1 from the policy's own random numbers."""
    return below(stream_of(view), bound)


@kernel
def unseen(view: Any) -> int:
    """Return the mask of cards that are not played, not held, and not one's own discards."""
    return PACK_MASK & ~(view.played | view.hand | view.thrown)


@kernel
def trumps_of(mask: int, trump: int) -> int:
    """Return the trumps in a mask."""
    return mask & SUIT_MASK[trump, trump]


@kernel
def same_team(view: Any, one: int, other: int) -> bool:
    """Whether two seats play together."""
    return team_of(one, view.rules) == team_of(other, view.rules)


@kernel
def role_of(view: Any) -> int:
    """Return a seat's part in the hand: 0 the bidder, 1 his partner, 2 an enemy."""
    if view.seat == view.bidder:
        return 0
    return 1 if same_team(view, view.seat, view.bidder) else 2


@kernel
def is_leading(view: Any) -> bool:
    """Whether this seat leads to a trick."""
    return view.n_trick == 0


@kernel
def strongest(mask: int, trump: int) -> int:
    """Return the card of greatest strength in a mask that is not empty."""
    best = lowest_bit(mask)
    rest = mask & (mask - 1)
    while rest:
        card = lowest_bit(rest)
        rest &= rest - 1
        if STRENGTH[trump, card] > STRENGTH[trump, best]:
            best = card
    return best


@kernel
def trick_best(view: Any) -> tuple[int, int]:
    """Return the card that holds the trick so far, and its seat."""
    start = view.n_played - view.n_trick
    best, seat = view.history[start], view.leader
    for turn in range(1, view.n_trick):
        card = view.history[start + turn]
        if BEATING[view.trump, best] >> card & 1:
            best, seat = card, (view.leader + turn) % 6
    return best, seat
