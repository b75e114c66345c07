"""How many ways there are to complete what is known: the slots one after the other.

What matters of the cards that are not placed yet is how many are left of each class. For every
slot and every such state the table of a plan holds in how many ways this slot and those after it
can be filled, weighted (see `plan`). Within a slot, the ways to take so and so many of each class
are gone through in order; the same loop counts, and draws.
"""

from __future__ import annotations

from typing import Any

from schmier_sim._jit import inlined_kernel, kernel
from schmier_sim.bits import count_bits
from schmier_sim.sampler.plan import (
    BINOMIAL,
    COUNTS_AS_POINT,
    COUNTS_AS_TRUMP,
    DISCARDS_WORTH,
    EXCESS,
    FITS,
    NOTHING_FITS,
    TABLE_SIZE,
    THROWN,
    TOO_MANY_KINDS,
    lay_out,
    may_be,
)  # fmt: skip


@inlined_kernel
def take_of(plan: Any, c: int, number: int) -> None:
    """Take so many cards of a class, and note what that leaves and is worth."""
    key = plan.key[c]
    plan.taken[c] = number
    plan.space[c + 1] = plan.space[c] - number
    plan.ways[c + 1] = plan.ways[c] * BINOMIAL[plan.left[c], number]
    plan.cell[c + 1] = plan.cell[c] - plan.stride[c] * number
    plan.trumps[c + 1] = plan.trumps[c] + (number if key & COUNTS_AS_TRUMP else 0)
    plan.points[c + 1] = plan.points[c] + (number if key & COUNTS_AS_POINT else 0)


@inlined_kernel
def take_least(plan: Any, first: int) -> None:
    """From a class on, take as few as the room for the classes after it allows."""
    for c in range(first, plan.n_classes):
        take_of(plan, c, max(0, plan.space[c] - plan.fits[c + 1]))


@inlined_kernel
def begin(plan: Any, slot: int, room: int, cell: int) -> bool:
    """Set up the first way to fill a slot from what is left; False if there is none."""
    n = plan.n_classes
    plan.fits[n] = 0
    for c in range(n - 1, -1, -1):
        is_open = plan.key[c] >> slot & 1
        plan.fits[c] = plan.fits[c + 1] + (plan.left[c] if is_open else 0)
    plan.space[0], plan.ways[0], plan.cell[0] = room, 1.0, cell
    plan.trumps[0] = plan.points[0] = 0
    if room > plan.fits[0]:
        return False
    take_least(plan, 0)
    return True


@inlined_kernel
def go_on(plan: Any) -> bool:
    """Set up the next way to fill the slot; False if there is none."""
    for c in range(plan.n_classes - 2, -1, -1):
        if plan.taken[c] < min(plan.fits[c] - plan.fits[c + 1], plan.space[c]):
            take_of(plan, c, plan.taken[c] + 1)
            take_least(plan, c + 1)
            return True
    return False


@inlined_kernel
def worth_of(plan: Any, excess: int, slot: int) -> float:
    """Return what the hand that would lie in a slot is worth, 0 if it may not."""
    if slot >= THROWN:
        return 1.0
    n = plan.n_classes
    trumps = plan.known_trumps[slot] + plan.trumps[n]
    if slot != plan.taker:
        return DISCARDS_WORTH[plan.tells[slot], trumps]
    if plan.trumps[n] < plan.least_trumps[excess]:
        return 0.0
    counted = plan.known_points[slot] + plan.points[n] if excess else trumps
    return plan.taker_worth[excess, counted]


@inlined_kernel
def completions(plan: Any, excess: int, i: int) -> float:
    """Return the weighted ways to fill the slot as set up, and the i last ones."""
    after = plan.table[plan.at[excess, i] + plan.cell[plan.n_classes]]
    if after == 0.0:
        return 0.0
    worth = worth_of(plan, excess, plan.slots[excess, i])
    return plan.ways[plan.n_classes] * worth * after


@inlined_kernel
def count_from(plan: Any, excess: int, i: int, cell: int) -> float:
    """Return the weighted ways to fill slot i of a case and the i last ones from what is left."""
    total = 0.0
    more = begin(plan, plan.slots[excess, i], plan.rooms[excess, i], cell)
    while more:
        total += completions(plan, excess, i)
        more = go_on(plan)
    return total


@inlined_kernel
def leave_all(plan: Any) -> int:
    """Set all cards as left; return the number of the state."""
    cell = 0
    for c in range(plan.n_classes):
        plan.left[c] = count_bits(plan.cards[c])
        cell += plan.stride[c] * plan.left[c]
    return cell


@inlined_kernel
def bound(plan: Any, excess: int, i: int) -> None:
    """Set how few and how many of each class can be left when slot i comes.

    Those before cannot have taken more than they have room for, nor can the others take more.
    """
    for c in range(plan.n_classes):
        key, before, after = plan.key[c], 0, 0
        if i < plan.n_shared and key >> EXCESS & 1:
            before = plan.most_excess  # for any case to come, which threw fewer plain cards
        for j in range(plan.n_slots[excess]):
            if key >> plan.slots[excess, j] & 1:
                before += plan.rooms[excess, j] if j > i else 0
                after += plan.rooms[excess, j] if j <= i else 0
        size = count_bits(plan.cards[c])
        plan.fewest[c], plan.most[c] = max(0, size - before), min(size, after)
        plan.left[c] = plan.fewest[c]


@inlined_kernel
def next_state(plan: Any) -> bool:
    """Go on to the next state of the numbered classes; False if there is none."""
    for c in range(plan.n_classes):
        if c != plan.largest:
            if plan.left[c] < plan.most[c]:
                plan.left[c] += 1
                return True
            plan.left[c] = plan.fewest[c]
    return False


@inlined_kernel
def state_of(plan: Any, total: int) -> int:
    """Leave so many cards in all; return the number of the state, -1 if that cannot be."""
    state, largest = 0, plan.largest
    for c in range(plan.n_classes):
        if c != largest:
            if plan.left[c] > plan.most[c]:
                return -1
            state += plan.stride[c] * plan.left[c]
            total -= plan.left[c]
    plan.left[largest] = total
    return state if plan.fewest[largest] <= total <= plan.most[largest] else -1


@inlined_kernel
def clear_table(plan: Any, excess: int, i: int) -> bool:
    """Lay out a table for what follows on slot i being next; False if there is no room for it."""
    start = plan.used
    plan.at[excess, i + 1] = start
    plan.used += plan.n_states
    if plan.used > TABLE_SIZE:
        return False
    for state in range(start, plan.used):
        plan.table[state] = 0.0
    return True


@inlined_kernel
def count_slot(plan: Any, excess: int, i: int, total: int) -> None:
    """Count the ways to fill slot i and the i last ones, of which so many cards are left."""
    bound(plan, excess, i)
    is_first = i == plan.n_slots[excess] - 1  # and there is one state, that all are left
    more = True
    while more:
        state = state_of(plan, total)
        if state >= 0:
            ways = count_from(plan, excess, i, state)
            if is_first:
                plan.first[excess] = ways
            else:
                plan.table[plan.at[excess, i + 1] + state] = ways
        more = next_state(plan)


@inlined_kernel
def count_case(plan: Any, excess: int) -> bool:
    """Count all ways of a case; False if there is no room for the tables."""
    n, total = plan.n_slots[excess], 0
    plan.first[excess] = 0.0 if n else 1.0
    for i in range(n):
        total += plan.rooms[excess, i]
        if excess and i < plan.n_shared:
            plan.at[excess, i + 1] = plan.at[0, i + 1]
        elif i < n - 1 and not clear_table(plan, excess, i):
            return False
        else:
            count_slot(plan, excess, i, total)
    plan.chance[excess] = plan.first[excess] * discards_divided(plan, excess)
    return True


@inlined_kernel
def discards_divided(plan: Any, excess: int) -> float:
    """Ways to divide the plain discards among those who threw them, but for a constant.

    Where all of the taker's hand is known, it is no slot, and its worth counts here.
    """
    taker = plan.taker
    if taker < 0 or taker == plan.seat:
        return 1.0
    thrown, worth = plan.room[THROWN], 1.0
    if not plan.room[taker]:
        counted = plan.known_points[taker] if excess else plan.known_trumps[taker]
        worth = plan.taker_worth[excess, counted]
    return worth * BINOMIAL[thrown - excess, thrown - plan.drawn[taker]]


@kernel
def count_worlds(plan: Any) -> int:
    """Lay out and count what is known: a plan from which worlds can be drawn.

    Returns
    -------
    int
        FITS, NOTHING_FITS or TOO_MANY_KINDS.
    """
    plan.all_chances = 0.0
    plan.chance[:] = 0.0
    status = lay_out(plan)
    if status != FITS:
        return status
    plan.at[:, 0], plan.table[0], plan.used = 0, 1.0, 1  # nothing left, nothing to fill
    for excess in range(plan.most_excess + 1):
        if not excess or may_be(plan, excess):
            if not count_case(plan, excess):
                return TOO_MANY_KINDS
            plan.all_chances += plan.chance[excess]
    return FITS if plan.all_chances > 0.0 else NOTHING_FITS
