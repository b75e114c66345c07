"""Leads the card of greatest worth by its kind, its leader's part in the hand, and his trumps."""

from __future__ import annotations

from typing import Any

from schmier_sim._jit import kernel
from schmier_sim.bits import count_bits, highest_bit, lowest_bit
from schmier_sim.cards import BEATING, PACK_MASK, STRENGTH, SUIT_MASK
from schmier_sim.composition import trumps_by_rank
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
def count_bosses(trumps: int, trump: int, hidden: int) -> int:
    """Return how many trumps of a hand no hidden card beats."""
    others = trumps_by_rank(hidden, trump)
    own = trumps_by_rank(trumps, trump)
    return count_bits(own >> highest_bit(others) if others else own)


@kernel
def boss_kind(number: int) -> int:
    """The kind of a boss trump among so many."""
    if number == 1:
        return BOSS
    return TWO_BOSSES if number == 2 else MORE_BOSSES


@kernel
def lead_kind(card: int, trump: int, hidden: int, boss: int) -> int:
    """The kind of a card to lead; ``boss`` is that of a trump that nothing beats, -1 for none."""
    trumps = SUIT_MASK[trump, trump]
    higher = hidden & BEATING[trump, card]
    if trumps >> card & 1:
        return LEAD_KIND[KIND[trump, card]] if higher or boss < 0 else boss
    return LEAD_KIND[KIND[trump, card]] if higher & ~trumps else PLAIN_BOSS


@kernel
def part_of(view: Any) -> int:
    """Who leads: the bidder to the first trick, or to a later one; his partner; an enemy."""
    return role_of(view) + (view.n_played > 0 or view.seat != view.bidder)


@kernel
def lead(view: Any, without: int) -> int:
    """Choose the card to lead; of one kind the higher one, of losers the lower one."""
    trump, hidden = view.trump, hidden_from(view, without)
    trumps = view.hand & SUIT_MASK[trump, trump]
    boss = -1 if without & DRAW else boss_kind(count_bosses(trumps, trump, hidden))
    part = min(1, part_of(view)) if without & DEFENCE else part_of(view)
    length = min(4, max(0, count_bits(trumps) - 1))
    best, most, rest = -1, 0, view.legal
    while rest:
        card = lowest_bit(rest)
        rest &= rest - 1
        kind = lead_kind(card, trump, hidden, boss)
        rank = STRENGTH[trump, card] % 20
        worth = 100 * LEADS[part, length, kind] + (rank if IS_LED_HIGH[kind] else -rank)
        if best < 0 or worth > most:
            best, most = card, worth
    return best
