"""`plain`: a fixed measuring stick, a simple club player who is never improved.

All choices depend on a suit only through its relation to the trump suit, so that results are the
same for every trump suit but for chance.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from schmier_sim._jit import inlined_kernel, kernel
from schmier_sim.bits import count_bits, lowest_bit
from schmier_sim.cards import (
    ACE,
    BEATING,
    GAME_COUNT,
    JACK,
    JOKER,
    KING,
    LEFT,
    N_CARDS,
    POINT_MASK,
    QUEEN,
    RIGHT,
    STRENGTH,
    SUIT_MASK,
    SUIT_OF,
    TEN,
    cards_of,
    mask_of,
    same_colour,
)
from schmier_sim.engine.exchange import MOST_DISCARDS
from schmier_sim.policies.base import built_in
from schmier_sim.policies.toolkit import same_team, strongest, trick_best, trumps_of, unseen

_POINT_CARD_COST = 12
_WORTH_TAKING = 3  # game points in a trick
_LEAD_LOW_FROM = 3  # trumps held
_ACES = mask_of(13 * suit + ACE for suit in range(4))


def _suit_turn(trump: int, suit: int) -> int:
    """Order of suits as seen from the trump suit: the same colour first, trumps last."""
    if suit == trump:
        return 3
    return 0 if suit == same_colour(trump) else 1 + (suit > same_colour(suit))


def _order_tables() -> tuple[np.ndarray, np.ndarray]:
    """Total orders of the cards under each trump: the cheapest first, and the richest first."""
    cheap = np.empty((4, N_CARDS), np.int64)
    rich = np.empty((4, N_CARDS), np.int64)
    for trump in range(4):
        special = mask_of([int(RIGHT[trump]), int(LEFT[trump]), JOKER])
        kept = mask_of(13 * trump + rank for rank in (ACE, KING, QUEEN))
        for card in range(N_CARDS):
            turn = _suit_turn(trump, int(SUIT_OF[trump, card]))
            rank = 10 * int(STRENGTH[trump, card]) + turn
            point = POINT_MASK[trump] >> card & 1
            cheap[trump, card] = 10_000 * (_POINT_CARD_COST if point else GAME_COUNT[card]) + rank
            worth = 20 if special >> card & 1 else -1 if kept >> card & 1 else GAME_COUNT[card]
            rich[trump, card] = rank - 10_000 * worth
    return cheap, rich


def _throwing_groups() -> np.ndarray:
    """``[trump, group]``: masks in the order in which they are thrown.

    Plain cards by game value, then rank; plain aces; trumps from the lowest.
    """
    groups = np.zeros((4, _N_GROUPS), np.int64)
    for trump in range(4):
        plain = ~int(SUIT_MASK[trump, trump])
        for i, rank in enumerate((*range(8), JACK, QUEEN, KING, TEN, ACE)):
            groups[trump, i] = plain & mask_of(13 * suit + rank for suit in range(4))
        trumps = sorted(cards_of(SUIT_MASK[trump, trump]), key=lambda c: STRENGTH[trump, c])
        for i, card in enumerate(trumps):
            groups[trump, 13 + i] = 1 << card
    return groups


def _estimates() -> np.ndarray:
    """``[trump, card]``: what a card adds to the estimate of a suit, in hundredths of a point."""
    worth = np.zeros((4, N_CARDS), np.int64)
    for trump in range(4):
        worth[trump, cards_of(SUIT_MASK[trump, trump])] = 25
        own = 13 * trump
        worth[trump, [own + ACE, own]] = 100
        worth[trump, own + KING], worth[trump, own + QUEEN] = 50, 30
        worth[trump, RIGHT[trump]], worth[trump, LEFT[trump]] = 70, 60
        worth[trump, JOKER] = 40
    return worth


_N_GROUPS: Final = 13 + 15
_CHEAPEST, _RICHEST = _order_tables()
_GROUPS = _throwing_groups()
_WORTH = _estimates()
_SMALL = np.array([mask_of(13 * t + rank for rank in range(1, 8)) for t in range(4)], np.int64)
_ALL_BEFORE_ACES = 12


@kernel
def estimate(hand: int, trump: int) -> int:
    """Return the points expected with a suit as trumps, in hundredths."""
    total = 50
    while hand:
        total += _WORTH[trump, lowest_bit(hand)]
        hand &= hand - 1
    return total


@kernel
def best_suit(hand: int) -> int:
    """Return the suit with the highest estimate; of equal ones the first."""
    best = 0
    for suit in range(1, 4):
        if estimate(hand, suit) > estimate(hand, best):
            best = suit
    return best


@kernel
def first_of(mask: int, trump: int) -> int:
    """Return the card of a group of equal rank that goes first: the suit of the trump's colour."""
    near = mask & SUIT_MASK[trump, 3 - trump]
    return near & -near if near else mask & -mask


@kernel
def throw_in_order(legal: int, trump: int, count: int, groups: int) -> int:
    """Return the first ``count`` legal cards in the order of throwing, from so many groups."""
    thrown, left = 0, count
    for group in range(groups):
        cards = legal & _GROUPS[trump, group]
        if count_bits(cards) <= left:
            thrown |= cards
            left -= count_bits(cards)
            continue
        while left > 0:
            card = first_of(cards, trump)
            thrown |= card
            cards &= ~card
            left -= 1
    return thrown


@kernel
def least(mask: int, order: np.ndarray) -> int:
    """Return the card of a mask, not empty, that comes first in an order."""
    best = lowest_bit(mask)
    mask &= mask - 1
    while mask:
        card = lowest_bit(mask)
        mask &= mask - 1
        if order[card] < order[best]:
            best = card
    return best


@kernel
def lead_trump(view: Any, trumps: int, plain: int) -> int:
    """The bidding team's lead from trumps, -1 for a plain card."""
    if trumps:
        top = strongest(trumps, view.trump)
        if not trumps_of(unseen(view), view.trump) & BEATING[view.trump, top]:
            return top
        small = trumps & _SMALL[view.trump]
        if count_bits(trumps) >= _LEAD_LOW_FROM and small:
            return strongest(small, view.trump)
        if not plain:
            harmless = trumps & ~POINT_MASK[view.trump]
            return least(harmless, STRENGTH[view.trump]) if harmless else top
    return -1


@inlined_kernel
def lead(view: Any) -> int:
    """Lead to a trick."""
    trumps = trumps_of(view.legal, view.trump)
    plain = view.legal & ~trumps
    if same_team(view, view.seat, view.bidder) or not plain:
        card = lead_trump(view, trumps, plain)
        if card >= 0:
            return card
    aces = plain & _ACES
    return least(aces if aces else plain, _CHEAPEST[view.trump])


@kernel
def worth_taking(view: Any) -> bool:
    """Whether the trick holds a point card or three game points."""
    count = 0
    for i in range(view.n_played - view.n_trick, view.n_played):
        card = view.history[i]
        if POINT_MASK[view.trump] >> card & 1:
            return True
        count += GAME_COUNT[card]
    return count >= _WORTH_TAKING


@kernel
def surest(view: Any, winners: int) -> int:
    """Return those winners that nobody can beat any more: all of them in last seat."""
    if view.n_trick == 5:
        return winners
    hidden, sure, rest = unseen(view), 0, winners
    while rest:
        card = lowest_bit(rest)
        rest &= rest - 1
        if not hidden & BEATING[view.trump, card]:
            sure |= 1 << card
    return sure


@inlined_kernel
def follow(view: Any) -> int:
    """Play to a trick that others have begun."""
    best, holder = trick_best(view)
    over = BEATING[view.trump, best]
    if same_team(view, holder, view.seat) and (view.n_trick == 5 or not unseen(view) & over):
        return least(view.legal, _RICHEST[view.trump])
    if worth_taking(view):
        sure = surest(view, view.legal & over)
        if sure:
            return least(sure, _CHEAPEST[view.trump])
    return least(view.legal, _CHEAPEST[view.trump])


class _Plain:
    def call(view: Any) -> int:  # noqa: N805
        bids = view.legal & ~1
        if not bids:
            return 0
        bid = lowest_bit(bids)
        if 100 * bid <= estimate(view.hand, best_suit(view.hand)) or not view.legal & 1:
            return bid
        return 0

    def trump(view: Any) -> int:  # noqa: N805
        return best_suit(view.hand)

    def discard(view: Any) -> int:  # noqa: N805
        if view.must_throw:
            return throw_in_order(view.legal, view.trump, view.must_throw, _N_GROUPS)
        return throw_in_order(view.legal, view.trump, MOST_DISCARDS, _ALL_BEFORE_ACES)

    def play(view: Any) -> int:  # noqa: N805
        return lead(view) if view.n_trick == 0 else follow(view)


PLAIN = built_in("plain")(_Plain)
