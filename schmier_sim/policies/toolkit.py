"""Helpers for policies, for compiled code: cards and masks, bids, seats, the trick, random draws.

Suits are 0-3 in the order C D H S; of cards held, ``trump`` tells which suit the bauers belong to.
"""

from __future__ import annotations

from typing import Any

from schmier_sim._jit import inlined_kernel, kernel
from schmier_sim.bits import count_bits, highest_bit, lowest_bit, nth_bit
from schmier_sim.cards import (
    ACE,
    BEATING,
    GAME_COUNT,
    JACK,
    JOKER,
    KING,
    PACK_MASK,
    POINT_MASK,
    QUEEN,
    STRENGTH,
    SUIT_MASK,
    SUIT_OF,
    TEN,
    TWO,
)
from schmier_sim.engine.play import beats
from schmier_sim.engine.state import stream_of
from schmier_sim.engine.switches import team_count, team_of
from schmier_sim.rng import below

__all__ = [
    "ACE",
    "JACK",
    "JOKER",
    "KING",
    "QUEEN",
    "TEN",
    "TWO",
    "beats",
    "card_of",
    "count_bits",
    "draw_below",
    "draw_one",
    "game_value",
    "highest_bit",
    "holds",
    "is_boss",
    "is_leading",
    "least_bid",
    "left_of",
    "longest_suit",
    "lowest_bit",
    "may_pass",
    "nth_bit",
    "partner_of",
    "point_cards",
    "right_of",
    "role_of",
    "same_team",
    "strongest",
    "suit_cards",
    "suit_of",
    "team",
    "trick_best",
    "trumps_of",
    "unseen",
    "weakest",
]

# --- Cards and masks of them ----------------------------------------------------------------------


@kernel
def card_of(suit: int, rank: int) -> int:
    """Return the card of a suit and a rank, `TWO` = 0 to `ACE` = 12; the joker is `JOKER`."""
    return 13 * suit + rank


@kernel
def holds(mask: int, card: int) -> bool:
    """Whether a card is in a mask."""
    return mask >> card & 1 == 1


@kernel
def suit_of(card: int, trump: int) -> int:
    """Return the suit to which a card belongs; both bauers and the joker are trumps."""
    return SUIT_OF[trump, card]


@kernel
def suit_cards(mask: int, suit: int, trump: int) -> int:
    """Return the cards of a suit in a mask."""
    return mask & SUIT_MASK[trump, suit]


@kernel
def trumps_of(mask: int, trump: int) -> int:
    """Return the trumps in a mask."""
    return mask & SUIT_MASK[trump, trump]


@kernel
def longest_suit(mask: int) -> int:
    """Return the suit in which a mask would hold the most trumps; of equal ones the first."""
    best = 0
    for suit in range(1, 4):
        if count_bits(trumps_of(mask, suit)) > count_bits(trumps_of(mask, best)):
            best = suit
    return best


@inlined_kernel
def role_of(view: Any) -> int:
    """Return a seat's part in the hand: 0 the bidder, 1 his partner, 2 an enemy."""
    if view.seat == view.bidder:
        return 0
    return 1 if same_team(view, view.seat, view.bidder) else 2


@kernel
def right_of(trump: int) -> int:
    """Return the right bauer: the jack of trumps."""
    return 13 * trump + JACK


@kernel
def left_of(trump: int) -> int:
    """Return the left bauer: the other jack of the colour."""
    return 13 * (3 - trump) + JACK


@kernel
def point_cards(mask: int, trump: int) -> int:
    """Return the cards in a mask that are worth a point by themselves: A 2 J J joker of trumps."""
    return mask & POINT_MASK[trump]


@kernel
def game_value(card: int) -> int:
    """Return what a card counts for the game point: ten 10, ace 4, king 3, queen 2, jack 1."""
    return GAME_COUNT[card]


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
def weakest(mask: int, trump: int) -> int:
    """Return the card of least strength in a mask that is not empty."""
    worst = lowest_bit(mask)
    rest = mask & (mask - 1)
    while rest:
        card = lowest_bit(rest)
        rest &= rest - 1
        if STRENGTH[trump, card] < STRENGTH[trump, worst]:
            worst = card
    return worst


# --- What this seat may do, and whom it plays with ------------------------------------------------


@kernel
def may_pass(view: Any) -> bool:
    """Whether a pass is legal now."""
    return view.legal & 1 == 1


@kernel
def least_bid(view: Any) -> int:
    """Return the lowest legal bid, 0 if there is none but a pass."""
    bids = view.legal & ~1
    return lowest_bit(bids) if bids else 0


@kernel
def team(view: Any, seat: int) -> int:
    """Return the team of a seat."""
    return team_of(seat, view.rules)


@inlined_kernel
def same_team(view: Any, one: int, other: int) -> bool:
    """Whether two seats play together: three apart, or two under ``teams=2x3``."""
    if team_count(view.rules) == 2:
        return (one ^ other) & 1 == 0
    return one == other or one == other + 3 or other == one + 3


@kernel
def partner_of(view: Any, seat: int) -> int:
    """Return the partner of a seat; in teams of three, the next one to its left."""
    other = (seat + 1) % 6
    while not same_team(view, seat, other):
        other = (other + 1) % 6
    return other


@kernel
def is_leading(view: Any) -> bool:
    """Whether this seat leads to a trick."""
    return view.n_trick == 0


@kernel
def trick_best(view: Any) -> tuple[int, int]:
    """Return the card that holds the trick so far, and its seat; not for who leads."""
    start = view.n_played - view.n_trick
    best, seat = view.history[start], view.leader
    for turn in range(1, view.n_trick):
        card = view.history[start + turn]
        if BEATING[view.trump, best] >> card & 1:
            best, seat = card, (view.leader + turn) % 6
    return best, seat


@inlined_kernel
def unseen(view: Any) -> int:
    """Return the mask of cards that are not played, not held, and not one's own discards."""
    return PACK_MASK & ~(view.played | view.hand | view.thrown)


@kernel
def is_boss(view: Any, card: int) -> bool:
    """Whether no unseen card beats a card, when it is led."""
    return not unseen(view) & BEATING[view.trump, card]


# --- Random draws ---------------------------------------------------------------------------------


@inlined_kernel
def draw_below(view: Any, bound: int) -> int:
    """Draw a uniform integer from 0 to bound - 1 from the policy's own random numbers."""
    return below(stream_of(view), bound)


@inlined_kernel
def draw_one(view: Any, mask: int) -> int:
    """Draw a member of a mask that is not empty: a bid, a suit, a card."""
    return nth_bit(mask, draw_below(view, count_bits(mask)))
