"""Which cards a seat may play, which of them differ, and which to try first."""

from __future__ import annotations

from typing import Any

from schmier_sim._jit import inlined_kernel
from schmier_sim.bits import highest_bit
from schmier_sim.solver.space import above, next_seat, suit_of


@inlined_kernel
def legal_cards(space: Any, level: int, seat: int, led: int) -> int:
    """T1, T2: the cards that a seat may play; ``led`` is the mask of the suit led, 0 of a lead."""
    hand = space.hands[6 * level + seat]
    trumps = hand & space.lanes[4 * level + 3]
    if led == 0:
        return trumps if space.trump_first and level == 0 and trumps else hand
    follows = hand & led
    if not follows:
        return hand
    if space.any_ruff:
        follows |= trumps
    return follows


@inlined_kernel
def unlike(moves: int, apart: int) -> int:
    """Return the highest of each run of cards that are as good as one another."""
    return moves & ~(moves >> 1 & ~apart)


@inlined_kernel
def over(best: int) -> int:
    """Return all places above a card."""
    return ~(2 * best - 1)


@inlined_kernel
def threats(space: Any, at: int, level: int, n_left: int, seats: int) -> int:
    """Return what some of the last seats of a trick can put on the card that holds it."""
    led, seat = space.led[at], space.seat[at]
    beating = (led | space.lanes[4 * level + 3]) & over(space.high[at])
    found = 0
    for _ in range(n_left):
        if seats >> seat & 1:
            found |= legal_cards(space, level, seat, led) & beating
        seat = next_seat(seat)
    return found


@inlined_kernel
def is_taken(space: Any, at: int, level: int, n_trick: int) -> bool:
    """Whether the side that holds the trick is sure of it."""
    enemies = ~space.sides if space.rivals[space.holder[at]] == 0 else space.sides
    led, seat = space.led[at], space.seat[at]
    beating = (led | space.lanes[4 * level + 3]) & over(space.high[at])
    for _ in range(6 - n_trick):
        if enemies >> seat & 1 and legal_cards(space, level, seat, led) & beating:
            return False
        seat = next_seat(seat)
    return True


@inlined_kernel
def lowest(moves: int) -> int:
    """Return the lowest card of a mask."""
    return moves & -moves


@inlined_kernel
def pick(space: Any, at: int) -> int:
    """Return the next card to try: the one that was best before, then the first, then low ones."""
    moves, first = space.moves[at], space.moves[at] & space.first[at]
    if moves & space.hint[at]:
        return space.hint[at]
    return 1 << highest_bit(first) if first else lowest(moves)


@inlined_kernel
def good_cards(space: Any, at: int, level: int, n_trick: int, moves: int, taken: bool) -> int:
    """Return the cards to try first: leads of the highest trumps, or what wins, gives, saves."""
    trumps, points = space.lanes[4 * level + 3], space.points[level]
    seat = space.seat[at]
    if n_trick == 0:
        others = trumps & ~space.hands[6 * level + seat]
        return moves & trumps & above(others)
    is_own = (space.sides >> seat ^ space.sides >> space.holder[at]) & 1 == 0
    if taken:
        return moves & points if is_own else lowest(moves & ~points)
    enemies = ~space.sides if space.sides >> seat & 1 else space.sides
    danger = threats(space, at, level, 6 - n_trick, enemies)
    winning = moves & (space.led[at] | trumps) & over(space.high[at])
    sure = winning & above(danger)
    if sure:
        return sure & points if sure & points else lowest(sure)
    return winning if winning else lowest(moves & ~points)


@inlined_kernel
def put_down(space: Any, at: int, level: int, n_trick: int, card: int) -> None:
    """Set up the next frame of a trick after a card."""
    seat = space.seat[at]
    led = space.led[at] if n_trick else suit_of(space, level, card)
    wins = card > space.high[at] and card & (led | space.lanes[4 * level + 3])
    space.need[at + 1] = space.need[at]
    space.seat[at + 1] = next_seat(seat)
    space.down[at + 1] = space.down[at] | card
    space.led[at + 1] = led
    space.high[at + 1] = card if wins else space.high[at]
    space.holder[at + 1] = seat if wins else space.holder[at]


@inlined_kernel
def clear_table(space: Any, at: int, leader: int, need: int) -> None:
    """Set up a frame at the start of a trick."""
    space.need[at], space.seat[at] = need, leader
    space.down[at] = space.high[at] = space.led[at] = 0
    space.holder[at] = leader
