"""Leads the card of greatest worth by its kind, its leader's part in the hand, and his trumps."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from schmier_sim._jit import inlined_kernel
from schmier_sim.bits import count_bits, highest_bit, lowest_bit, natural
from schmier_sim.cards import BEATING, JACK, JOKER, PACK_MASK, STRENGTH, SUIT_MASK, mask_of
from schmier_sim.engine.state import out_of_trumps_of
from schmier_sim.engine.switches import team_count
from schmier_sim.policies.heuristic.rules import DEFENCE, DRAW, MEMORY, VOIDS
from schmier_sim.policies.heuristic.weights import (
    BOSS,
    IS_LED_HIGH,
    KIND,
    LEAD_KIND,
    LEADS,
    MORE_BOSSES,
    PLAIN_BOSS,
    SURE,
    TWO_BOSSES,
)
from schmier_sim.policies.toolkit import role_of, unseen

_LEAD_KIND: Final = LEAD_KIND[KIND]
"""``[trump, card]``: what a card is to lead if not boss."""
ENEMIES: Final = np.array(
    [[63 & ~mask_of((seat + k * n) % 6 for k in range(3)) for seat in range(6)] for n in (2, 3)],
    np.int64,
)
"""``[two or three teams, seat]``: mask of the seats that play against a seat."""
_LEAST: Final = -(1 << 62)
_RANK: Final = STRENGTH % 20
"""``[trump, card]``: its place in its suit."""


@inlined_kernel
def hidden_from(view: Any, without: int) -> int:
    """The cards that others may hold."""
    if without & MEMORY:
        return PACK_MASK & ~(view.hand | view.thrown)
    return unseen(view)


@inlined_kernel
def trumps_by_rank(hand: int, trump: int) -> int:
    """Return the trumps of a hand as 15 bits in the order of their ranks, bit 0 the joker (R1)."""
    own = hand >> 13 * trump
    left = hand >> 13 * (3 - trump) + JACK & 1
    return hand >> JOKER & 1 | (own & 0x1FF) << 1 | left << 10 | (own & 0x1E00) << 2


@inlined_kernel
def count_bosses(trumps: int, trump: int, hidden: int) -> int:
    """Return how many trumps of a hand no hidden card beats."""
    others = trumps_by_rank(hidden, trump)
    own = trumps_by_rank(trumps, trump)
    return count_bits(own >> highest_bit(others) if others else own)


@inlined_kernel
def boss_kind(number: int) -> int:
    """The kind of a boss trump among so many."""
    if number == 1:
        return BOSS
    return TWO_BOSSES if number == 2 else MORE_BOSSES


@inlined_kernel
def part_of(view: Any) -> int:
    """Who leads: the bidder to the first trick, or to a later one; his partner; an enemy."""
    return role_of(view) + (view.n_played > 0 or view.seat != view.bidder)


@inlined_kernel
def armed_enemies(view: Any, without: int) -> int:
    """Return the mask of the enemies who may hold a trump."""
    out = 0 if without & VOIDS else out_of_trumps_of(view)
    return ENEMIES[natural(team_count(view.rules) - 2), natural(view.seat)] & ~out


@inlined_kernel
def lead(view: Any, without: int) -> int:
    """Choose the lead of greatest worth; of one kind the higher card, of losers the lower."""
    trump, hidden = natural(view.trump), hidden_from(view, without)
    all_trumps = SUIT_MASK[trump, trump]
    trumps = view.hand & all_trumps
    boss = -1 if without & DRAW else boss_kind(count_bosses(trumps, trump, hidden))
    part = min(1, part_of(view)) if without & DEFENCE else part_of(view)
    worths = LEADS[part, min(4, max(0, count_bits(trumps) - 1))]
    plain_boss = PLAIN_BOSS if hidden & all_trumps and armed_enemies(view, without) else SURE
    most, rest = _LEAST, view.legal
    while rest:
        card = lowest_bit(rest)
        rest &= rest - 1
        kind = _LEAD_KIND[trump, card]
        higher = hidden & BEATING[trump, card]
        if trumps >> card & 1:
            kind = kind if higher or boss < 0 else boss
        elif not higher & ~all_trumps:
            kind = plain_boss
        rank = _RANK[trump, card]
        worth = 100 * worths[kind] + (rank if IS_LED_HIGH[kind] else -rank)
        most = max(most, worth << 6 | 63 - card)
    return 63 - (most & 63)
