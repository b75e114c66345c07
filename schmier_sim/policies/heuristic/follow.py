"""Plays to a trick: what it holds, times the chance to get it, less the worth of the card later."""

from __future__ import annotations

from typing import Any, Final, NamedTuple

import numpy as np

from schmier_sim._jit import kernel
from schmier_sim.bits import count_bits, lowest_bit
from schmier_sim.cards import BEATING, GAME_COUNT, STRENGTH, SUIT_MASK
from schmier_sim.engine.state import next_seat
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
from schmier_sim.policies.toolkit import same_team
from schmier_sim.rules import team_count

_BRINGS: Final = np.array(
    [
        [POINT_WORTH[side] * IS_POINT[KIND[t]] + COUNT_WORTH[side] * GAME_COUNT for t in range(4)]
        for side in range(2)
    ],
    np.int64,
)
"""``[side, trump, card]``: what a card adds to the trick it is played to."""
_KEEP: Final = np.ascontiguousarray(KEEP[:, :, KIND])
"""``[stage, side, trump, card]``: what a card is worth if kept."""


class Trick(NamedTuple):
    """What matters of a trick to the seat that plays to it."""

    trump: int
    trumps: int
    """Mask of all trumps."""
    hidden: int
    """Mask of what others may hold."""
    trump_led: bool
    side: int
    """0 in the bidding team, 1 as a defender."""
    best: int
    """The card that holds the trick so far."""
    ours: bool
    """Whether the partner holds it."""
    stake: int
    """What the trick is worth so far, with the lead after it, in hundredths of a point."""
    enemies: int
    """How many enemies are still to play."""
    armed: int
    """How many of them may hold a trump."""
    partner: bool
    """Whether the partner is still to play."""


@kernel
def brings(card: int, trump: int, side: int, without: int) -> int:
    """Return what a card adds to the trick it is played to, in hundredths of a point."""
    if not without & (CATCH | GAME):
        return _BRINGS[side, trump, card]
    worth = 0 if without & GAME else COUNT_WORTH[side] * GAME_COUNT[card]
    return worth if without & CATCH else worth + POINT_WORTH[side] * IS_POINT[KIND[trump, card]]


@kernel
def still_to_play(view: Any, without: int) -> tuple[int, int, bool]:
    """Return how many enemies play after this seat, how many may hold a trump, and if the partner.

    Seats of a team are three apart, or two under ``teams=2x3``.
    """
    apart = team_count(view.rules)
    enemies, armed, partner, seat = 0, 0, False, view.seat
    for step in range(1, 6 - view.n_trick):
        seat = next_seat(seat)
        if step % apart == 0:
            partner = not without & PARTNER
            continue
        enemies += 1
        if without & VOIDS or not view.voids[seat] >> view.trump & 1:
            armed += 1
    return enemies, armed, partner


@kernel
def look(view: Any, without: int) -> Trick:
    """Look at the trick, at who is still to play, and with what."""
    trump = view.trump
    trumps = SUIT_MASK[trump, trump]
    hidden = hidden_from(view, without)
    side = 0 if without & DEFENCE or same_team(view, view.seat, view.bidder) else 1
    start = view.n_played - view.n_trick
    led = view.history[start]
    best, holder, stake = led, view.leader, LEAD_WORTH[side] + brings(led, trump, side, without)
    seat = view.leader
    for i in range(start + 1, view.n_played):
        seat = next_seat(seat)
        card = view.history[i]
        stake += brings(card, trump, side, without)
        if BEATING[trump, best] >> card & 1:
            best, holder = card, seat
    enemies, armed, partner = still_to_play(view, without)
    if not hidden & trumps:
        armed = 0
    ours = same_team(view, holder, view.seat)
    return Trick(
        trump,
        trumps,
        hidden,
        trumps >> led & 1 == 1,
        side,
        best,
        ours,
        stake,
        enemies,
        armed,
        partner,
    )


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
def chance_to_take(trick: Trick, card: int) -> int:
    """Return the chance, in per cent, that the team gets the trick with a card that beats it."""
    chance = holds(trick, card)
    if chance < 100:
        chance += (100 - chance) * partner_takes(trick, card) // 100
    return chance


@kernel
def follow(view: Any, without: int) -> int:
    """Choose the card of greatest worth; of equal ones the lowest."""
    trick = look(view, without)
    trump, side, stage = trick.trump, trick.side, STAGE[view.n_played // 6]
    over = BEATING[trump, trick.best]
    if_lower = holds(trick, trick.best) if trick.ours else partner_takes(trick, trick.best)
    may_give = not without & GIFTS if trick.ours else without & WITHHOLD != 0
    best, most, rest = -1, 0, view.legal
    while rest:
        card = lowest_bit(rest)
        rest &= rest - 1
        takes = over >> card & 1 == 1
        chance = chance_to_take(trick, card) if takes else if_lower
        gain = trick.stake
        if takes or may_give:  # no gift to the enemy, however the trick may end
            gain += brings(card, trump, side, without)
        cost = 0 if without & GUARDS else _KEEP[stage, side, trump, card]
        worth = 128 * (chance * gain - 100 * cost) - STRENGTH[trump, card]
        if best < 0 or worth > most:
            best, most = card, worth
    return best
