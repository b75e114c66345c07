"""Plays to a trick: what it holds, times the chance to get it, less the worth of the card later."""

from __future__ import annotations

from typing import Any, Final, NamedTuple

import numpy as np

from schmier_sim._jit import inlined_kernel
from schmier_sim.bits import count_bits, lowest_bit, natural
from schmier_sim.cards import BEATING, GAME_COUNT, STRENGTH, SUIT_MASK, mask_of
from schmier_sim.engine.state import (
    out_of_trumps_of,
    trick_best_of,
    trick_count_of,
    trick_holder_of,
    trick_mask_of,
)  # fmt: skip
from schmier_sim.engine.switches import team_count
from schmier_sim.policies.heuristic.lead import ENEMIES, armed_enemies, hidden_from
from schmier_sim.policies.heuristic.rules import (
    CATCH,
    DEFENCE,
    GAME,
    GIFTS,
    GUARDS,
    PARTNER,
    VOIDS,
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

_LEAST: Final = -(1 << 62)
_BRINGS: Final = np.array(
    [
        [POINT_WORTH[side] * IS_POINT[KIND[t]] + COUNT_WORTH[side] * GAME_COUNT for t in range(4)]
        for side in range(2)
    ],
    np.int64,
)
"""``[side, trump, card]``: what a card adds to the trick it is played to."""
_TAKEN: Final = np.array(
    [mask_of(c for c in range(53) if IS_POINT[KIND[t, c]]) for t in range(4)], np.int64
)
"""``[trump]``: mask of right, left and joker, which the taker of the trick scores."""
_COST: Final = np.ascontiguousarray(128 * 10_000 * KEEP[:, :, KIND] + STRENGTH)
"""``[stage, side, trump, card]``: what a card is worth if kept; if equal, its strength decides."""
_STAGE: Final = np.repeat(STAGE, 6)
"""``[cards played]``."""
_NEVER: Final = [100, 0, 0, 0, 0, 0]  # all hidden trumps are theirs
_HOLDS: Final = np.stack(
    [
        np.vstack([HOLDS_PLAIN, HOLDS_PLAIN[-1]]),
        np.vstack([HOLDS_TRUMP, _NEVER]),
        np.vstack([HOLDS_RUFF, _NEVER]),
    ]
)
"""``[0 plain, 1 trump, 2 ruff; fifths of the trumps to come; hidden cards above it]``, per cent."""
_PARTNER: Final = np.concatenate([np.zeros((1, 2, 4), np.int64), PARTNER_TAKES])
"""``[0 if he has played, else 1 + side; is trump; hidden trumps above it]``, in per cent."""
_FIFTHS: Final = np.array(
    [[round(5 * min(m, n) / n) if n else 0 for n in range(6)] for m in range(5)], np.int64
)
"""``[hands that count, hands in all]``: their share, in fifths."""
_AFTER: Final = np.array(
    [[mask_of((seat + k) % 6 for k in range(1, 6 - n)) for n in range(6)] for seat in range(6)],
    np.int64,
)
"""``[seat, cards in the trick]``: mask of the seats that play after a seat."""


class Trick(NamedTuple):
    """What matters of a trick to the seat that plays to it."""

    trump: int
    trumps: int
    """Mask of all trumps."""
    hidden: int
    """Mask of what others may hold."""
    trump_kind: int
    """Of trumps played to it: 1, or 2 if a plain suit is led."""
    side: int
    """0 in the bidding team, 1 as a defender."""
    best: int
    """The card that holds the trick so far."""
    ours: bool
    """Whether the partner holds it."""
    stake: int
    """What the trick is worth so far, with the lead after it, in hundredths of a point."""
    armed: int
    """The share of the hidden trumps that enemies still to play may hold, in fifths."""
    partner: int
    """0 if the partner has played, else 1 + side."""


@inlined_kernel
def brings(card: int, trump: int, side: int, without: int) -> int:
    """Return what a card adds to the trick it is played to, in hundredths of a point."""
    if not without & (CATCH | GAME):
        return _BRINGS[side, trump, card]
    worth = 0 if without & GAME else COUNT_WORTH[side] * GAME_COUNT[card]
    return worth if without & CATCH else worth + POINT_WORTH[side] * IS_POINT[KIND[trump, card]]


@inlined_kernel
def stake_of(view: Any, trump: int, side: int, without: int) -> int:
    """Return what the trick so far is worth, with the lead after it."""
    worth = LEAD_WORTH[side]
    if not without & GAME:
        worth += COUNT_WORTH[side] * trick_count_of(view)
    if not without & CATCH:
        worth += POINT_WORTH[side] * count_bits(trick_mask_of(view) & _TAKEN[trump])
    return worth


@inlined_kernel
def armed_share(view: Any, after: int, hidden_trumps: int, without: int) -> int:
    """Return the expected share of hidden trumps that enemies still to play hold, in fifths.

    Every hand that is not known to be out of trumps holds as many as any other.
    """
    out = 0 if without & VOIDS else out_of_trumps_of(view)
    others = count_bits(63 & ~out & ~(1 << view.seat))
    armed = count_bits(after & armed_enemies(view, without))
    return _FIFTHS[armed, others] if hidden_trumps else 0


@inlined_kernel
def look(view: Any, without: int) -> Trick:
    """Look at the trick, at who is still to play, and with what."""
    trump, seat = natural(view.trump), natural(view.seat)
    trumps = SUIT_MASK[trump, trump]
    hidden = hidden_from(view, without)
    after = _AFTER[seat, natural(view.n_trick)]
    enemies = ENEMIES[natural(team_count(view.rules) - 2), seat]
    side = 0 if without & DEFENCE else enemies >> view.bidder & 1
    armed = armed_share(view, after, hidden & trumps, without)
    partner = 1 + side if after & ~enemies and not without & PARTNER else 0
    ours = not enemies >> trick_holder_of(view) & 1
    led = view.history[natural(view.n_played - view.n_trick)]
    kind = 1 if trumps >> led & 1 else 2
    stake = stake_of(view, trump, side, without)
    best = natural(trick_best_of(view))
    return Trick(trump, trumps, hidden, kind, side, best, ours, stake, armed, partner)


@inlined_kernel
def holds(trick: Trick, card: int) -> int:
    """Return the chance, in per cent, that no enemy still to play beats a card."""
    higher = trick.hidden & BEATING[trick.trump, card]
    is_trump = trick.trumps >> card & 1 == 1
    number = count_bits(higher if is_trump else higher & ~trick.trumps)
    return _HOLDS[trick.trump_kind if is_trump else 0, trick.armed, min(5, number)]


@inlined_kernel
def partner_takes(trick: Trick, card: int) -> int:
    """Return the chance, in per cent, that the partner, still to play, beats an enemy's card."""
    number = count_bits(trick.hidden & BEATING[trick.trump, card] & trick.trumps)
    return _PARTNER[trick.partner, trick.trumps >> card & 1, min(3, number)]


@inlined_kernel
def follow(view: Any, without: int) -> int:
    """Choose the card of greatest worth; of equal ones the lowest.

    A card is worth what it is expected to gain, less its cost, in hundredths of a point times
    10,000 for the chance and times 128 to leave room for its strength.
    """
    trick = look(view, without)
    trump, side = trick.trump, trick.side
    stage = _STAGE[natural(view.n_played)]
    cost = STRENGTH[trump] if without & GUARDS else _COST[stage, side, trump]
    over = BEATING[trump, trick.best]
    if_lower = 100 * (holds(trick, trick.best) if trick.ours else partner_takes(trick, trick.best))
    gives = 0 if trick.ours and without & GIFTS else 128 * if_lower
    most, rest = _LEAST, view.legal & ~over
    while rest:
        card = lowest_bit(rest)
        rest &= rest - 1
        worth = 128 * if_lower * trick.stake + gives * brings(card, trump, side, without)
        most = max(most, worth - cost[card] << 6 | 63 - card)  # no branch: not to be foretold
    rest = view.legal & over
    while rest:
        card = lowest_bit(rest)
        rest &= rest - 1
        sure = holds(trick, card)
        chance = 100 * sure + (100 - sure) * partner_takes(trick, card)
        worth = 128 * chance * (trick.stake + brings(card, trump, side, without)) - cost[card]
        most = max(most, worth << 6 | 63 - card)
    return 63 - (most & 63)
