"""Plays to a trick: what it holds, times the chance to get it, less the worth of the card later."""

from __future__ import annotations

from typing import Any, NamedTuple

from schmier_sim._jit import kernel
from schmier_sim.bits import count_bits, lowest_bit
from schmier_sim.cards import BEATING, GAME_COUNT, STRENGTH, SUIT_MASK
from schmier_sim.policies.heuristic.lead import hidden_from
from schmier_sim.policies.heuristic.rules import (
    CATCH,
    DEFENCE,
    GAME,
    GIFTS,
    GUARDS,
    PARTNER,
    VOIDS,
    WITHHOLD,
)  # fmt: skip
from schmier_sim.policies.heuristic.weights import (
    COUNT_WORTH,
    HOLDS_PLAIN,
    HOLDS_RUFF,
    HOLDS_TRUMP,
    IS_POINT,
    KEEP,
    KIND,
    LEAD_WORTH,
    PARTNER_TAKES,
    POINT_WORTH,
    STAGE,
)  # fmt: skip
from schmier_sim.policies.toolkit import same_team, trick_best


class Trick(NamedTuple):
    """What matters of a trick to the seat that plays to it, beside the cards."""

    trump: int
    trumps: int
    """Mask of all trumps."""
    hidden: int
    """Mask of what others may hold."""
    trump_led: bool
    enemies: int
    """How many enemies are still to play."""
    armed: int
    """How many of them may hold a trump."""
    partner: bool
    """Whether the partner is still to play."""
    side: int
    """0 in the bidding team, 1 as a defender."""


@kernel
def look(view: Any, without: int) -> Trick:
    """Look at who is still to play, and with what."""
    trump = view.trump
    trumps = SUIT_MASK[trump, trump]
    enemies, armed, partner, seat = 0, 0, False, view.seat
    for _ in range(view.n_trick + 1, 6):
        seat = 0 if seat == 5 else seat + 1
        if same_team(view, seat, view.seat):
            partner = not without & PARTNER
            continue
        enemies += 1
        if without & VOIDS or not view.voids[seat] >> trump & 1:
            armed += 1
    hidden = hidden_from(view, without)
    if not hidden & trumps:
        armed = 0
    led = view.history[view.n_played - view.n_trick]
    side = 0 if without & DEFENCE or same_team(view, view.seat, view.bidder) else 1
    return Trick(trump, trumps, hidden, trumps >> led & 1 == 1, enemies, armed, partner, side)


@kernel
def holds(trick: Trick, card: int) -> int:
    """Return the chance, in per cent, that no enemy still to play beats a card."""
    if trick.enemies == 0:
        return 100
    higher = trick.hidden & BEATING[trick.trump, card]
    if not trick.trumps >> card & 1:
        return HOLDS_PLAIN[trick.armed, min(5, count_bits(higher & ~trick.trumps))]
    number = min(5, count_bits(higher))
    return HOLDS_TRUMP[trick.armed, number] if trick.trump_led else HOLDS_RUFF[trick.armed, number]


@kernel
def partner_takes(trick: Trick, card: int) -> int:
    """Return the chance, in per cent, that the partner, still to play, beats an enemy's card."""
    if not trick.partner:
        return 0
    number = min(3, count_bits(trick.hidden & BEATING[trick.trump, card] & trick.trumps))
    return PARTNER_TAKES[trick.side, trick.trumps >> card & 1, number]


@kernel
def stake(view: Any, side: int, without: int) -> int:
    """Return what the trick is worth so far, in hundredths of a point, with the lead after it."""
    worth, counted = LEAD_WORTH[side], not without & GAME
    for i in range(view.n_played - view.n_trick, view.n_played):
        card = view.history[i]
        if IS_POINT[KIND[view.trump, card]] and not without & CATCH:
            worth += POINT_WORTH[side]
        if counted:
            worth += COUNT_WORTH[side] * GAME_COUNT[card]
    return worth


@kernel
def brings(card: int, kind: int, side: int, without: int) -> int:
    """Return what a card adds to the trick it is played to."""
    worth = POINT_WORTH[side] * IS_POINT[kind]
    if not without & GAME:
        worth += COUNT_WORTH[side] * GAME_COUNT[card]
    return worth


@kernel
def kept(kind: int, trick_number: int, side: int, without: int) -> int:
    """Return what a card is worth if kept."""
    if without & GUARDS:
        return 0
    return KEEP[STAGE[trick_number], side, kind]


@kernel
def follow(view: Any, without: int) -> int:
    """Choose the card to play; of equals the lowest."""
    trick = look(view, without)
    best_so_far, holder = trick_best(view)
    ours = same_team(view, holder, view.seat)
    if_lower = holds(trick, best_so_far) if ours else partner_takes(trick, best_so_far)
    value = stake(view, trick.side, without)
    number = view.n_played // 6
    over = BEATING[trick.trump, best_so_far]
    best, most, rest = -1, 0, view.legal
    while rest:
        card = lowest_bit(rest)
        rest &= rest - 1
        kind = KIND[trick.trump, card]
        takes = over >> card & 1 == 1
        chance = if_lower
        if takes:
            chance = holds(trick, card)
            chance += (100 - chance) * partner_takes(trick, card) // 100
        added = brings(card, kind, trick.side, without)
        if not takes and without & (GIFTS if ours else WITHHOLD) == (GIFTS if ours else 0):
            added = 0  # no gift to the enemy, however the trick may end
        worth = chance * (value + added) - 100 * kept(kind, number, trick.side, without)
        worth = 128 * worth - STRENGTH[trick.trump, card]
        if best < 0 or worth > most:
            best, most = card, worth
    return best
