"""Leads the card of greatest worth by its kind, its leader's part in the hand, and his trumps."""

from __future__ import annotations

from typing import Any

from schmier_sim._jit import kernel
from schmier_sim.bits import count_bits, lowest_bit
from schmier_sim.cards import BEATING, PACK_MASK, STRENGTH, SUIT_MASK
from schmier_sim.policies.heuristic.rules import DEFENCE, DRAW, MEMORY
from schmier_sim.policies.heuristic.weights import (
    BOSS,
    IS_LED_HIGH,
    KIND,
    LEAD_KIND,
    LEADS,
    MORE_BOSSES,
    PLAIN_BOSS,
    TWO_BOSSES,
)
from schmier_sim.policies.toolkit import role_of, unseen


@kernel
def hidden_from(view: Any, without: int) -> int:
    """The cards that others may hold."""
    if without & MEMORY:
        return PACK_MASK & ~(view.hand | view.thrown)
    return unseen(view)


@kernel
def bosses_among(trumps: int, trump: int, hidden: int) -> int:
    """Return those trumps that no hidden card beats."""
    bosses = 0
    while trumps:
        card = lowest_bit(trumps)
        trumps &= trumps - 1
        if not hidden & BEATING[trump, card]:
            bosses |= 1 << card
    return bosses


@kernel
def boss_kind(number: int) -> int:
    """The kind of a boss trump among so many."""
    if number == 1:
        return BOSS
    return TWO_BOSSES if number == 2 else MORE_BOSSES


@kernel
def lead_kind(card: int, trump: int, hidden: int, bosses: int) -> int:
    """The kind of a card to lead: boss, if no card of its suit beats it."""
    if bosses >> card & 1:
        return boss_kind(count_bits(bosses))
    kind = LEAD_KIND[KIND[trump, card]]
    trumps = SUIT_MASK[trump, trump]
    if trumps >> card & 1 or hidden & BEATING[trump, card] & ~trumps:
        return kind
    return PLAIN_BOSS


@kernel
def part_of(view: Any) -> int:
    """Who leads: the bidder to the first trick, or to a later one; his partner; an enemy."""
    return role_of(view) + (view.n_played > 0 or view.seat != view.bidder)


@kernel
def lead(view: Any, without: int) -> int:
    """Choose the card to lead; of one kind the higher one, of losers the lower one."""
    trump, hidden = view.trump, hidden_from(view, without)
    trumps = view.hand & SUIT_MASK[trump, trump]
    bosses = 0 if without & DRAW else bosses_among(trumps, trump, hidden)
    part = min(1, part_of(view)) if without & DEFENCE else part_of(view)
    length = min(4, max(0, count_bits(trumps) - 1))
    best, most, rest = -1, 0, view.legal
    while rest:
        card = lowest_bit(rest)
        rest &= rest - 1
        kind = lead_kind(card, trump, hidden, bosses)
        rank = STRENGTH[trump, card] % 20
        worth = 100 * LEADS[part, length, kind] + (rank if IS_LED_HIGH[kind] else -rank)
        if best < 0 or worth > most:
            best, most = card, worth
    return best
