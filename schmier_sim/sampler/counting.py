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
    FITS,
    N_CASES,
    NOTHING_FITS,
    TABLE_SIZE,
    THROWN,
    TOO_MANY_KINDS,
    lay_out,
    most_excess,
)  # fmt: skip


@inlined_kernel
def take_of(plan: Any, division: int, c: int, number: int) -> None:
    """Take so many cards of a class, and note what that leaves and is worth."""
    key = plan.key[division, c]
    plan.taken[c] = number
    plan.space[c + 1] = plan.space[c] - number
    plan.ways[c + 1] = plan.ways[c] * BINOMIAL[plan.left[c], number]
    plan.cell[c + 1] = plan.cell[c] - plan.stride[division, c] * number
    plan.trumps[c + 1] = plan.trumps[c] + (number if key & COUNTS_AS_TRUMP else 0)
    plan.points[c + 1] = plan.points[c] + (number if key & COUNTS_AS_POINT else 0)


@inlined_kernel
def take_least(plan: Any, division: int, first: int) -> None:
    """From a class on, take as few as the room for the classes after it allows."""
    for c in range(first, plan.n_classes[division]):
        take_of(plan, division, c, max(0, plan.space[c] - plan.fits[c + 1]))


@inlined_kernel
def begin(plan: Any, division: int, slot: int, room: int, cell: int) -> bool:
    """Set up the first way to fill a slot from what is left; False if there is none."""
    n = plan.n_classes[division]
    plan.fits[n] = 0
    for c in range(n - 1, -1, -1):
        is_open = plan.key[division, c] >> slot & 1
        plan.fits[c] = plan.fits[c + 1] + (plan.left[c] if is_open else 0)
    plan.space[0], plan.ways[0], plan.cell[0] = room, 1.0, cell
    plan.trumps[0] = plan.points[0] = 0
    if room > plan.fits[0]:
        return False
    take_least(plan, division, 0)
    return True


@inlined_kernel
def go_on(plan: Any, division: int) -> bool:
    """Set up the next way to fill the slot; False if there is none."""
    for c in range(plan.n_classes[division] - 2, -1, -1):
        if plan.taken[c] < min(plan.fits[c] - plan.fits[c + 1], plan.space[c]):
            take_of(plan, division, c, plan.taken[c] + 1)
            take_least(plan, division, c + 1)
            return True
    return False


@inlined_kernel
def worth_of(plan: Any, excess: int, division: int, slot: int) -> float:
    """Return what the hand that would lie in a slot is worth, 0 if it may not."""
    if slot >= THROWN:
        return 1.0
    n = plan.n_classes[division]
    trumps = plan.known_trumps[slot] + plan.trumps[n]
    if slot != plan.taker:
        return plan.worth[slot, trumps]
    if plan.trumps[n] < plan.least_trumps[excess]:
        return 0.0
    counted = plan.known_points[slot] + plan.points[n] if excess else trumps
    return plan.taker_worth[excess, counted]


@inlined_kernel
def completions(plan: Any, excess: int, division: int, i: int) -> float:
    """Return the weighted ways to fill the slot as set up, and those after it."""
    after = plan.table[plan.at[excess, i + 1] + plan.cell[plan.n_classes[division]]]
    if after == 0.0:
        return 0.0
    worth = worth_of(plan, excess, division, plan.slots[excess, i])
    return plan.ways[plan.n_classes[division]] * worth * after


@kernel
def count_from(plan: Any, excess: int, i: int, cell: int) -> float:
    """Return the weighted ways to fill slot i of a case and those after it from what is left."""
    division, total = min(excess, 1), 0.0
    more = begin(plan, division, plan.slots[excess, i], plan.rooms[excess, i], cell)
    while more:
        total += completions(plan, excess, division, i)
        more = go_on(plan, division)
    return total


@inlined_kernel
def leave_all(plan: Any, division: int) -> int:
    """Set all cards as left; return the number of the state."""
    cell = 0
    for c in range(plan.n_classes[division]):
        plan.left[c] = count_bits(plan.cards[division, c])
        cell += plan.stride[division, c] * plan.left[c]
    return cell


@inlined_kernel
def bound(plan: Any, excess: int, division: int, i: int) -> None:
    """Set how few and how many of each class can be left when slot i comes.

    Those before cannot have taken more than they have room for, nor can the others take more.
    """
    for c in range(plan.n_classes[division]):
        before, after, key = 0, 0, plan.key[division, c]
        for j in range(plan.n_slots[excess]):
            room = plan.rooms[excess, j] if key >> plan.slots[excess, j] & 1 else 0
            before += room if j < i else 0
            after += room if j >= i else 0
        size = count_bits(plan.cards[division, c])
        plan.fewest[c], plan.most[c] = max(0, size - before), min(size, after)
        plan.left[c] = plan.fewest[c]


@inlined_kernel
def next_state(plan: Any, division: int) -> bool:
    """Go on to the next state of the numbered classes; False if there is none."""
    for c in range(plan.n_classes[division]):
        if plan.stride[division, c]:
            if plan.left[c] < plan.most[c]:
                plan.left[c] += 1
                return True
            plan.left[c] = plan.fewest[c]
    return False


@inlined_kernel
def state_of(plan: Any, division: int, total: int) -> int:
    """Leave so many cards in all; return the number of the state, -1 if that cannot be."""
    largest, state = 0, 0
    for c in range(plan.n_classes[division]):
        if plan.stride[division, c]:
            if plan.left[c] > plan.most[c]:
                return -1
            state += plan.stride[division, c] * plan.left[c]
            total -= plan.left[c]
        else:
            largest = c
    plan.left[largest] = total
    return state if plan.fewest[largest] <= total <= plan.most[largest] else -1


@inlined_kernel
def count_slot(plan: Any, excess: int, i: int, total: int) -> None:
    """Fill the table of a slot, for all states with so many cards left."""
    division, start = min(excess, 1), plan.at[excess, i]
    for state in range(plan.n_states[division]):
        plan.table[start + state] = 0.0
    bound(plan, excess, division, i)
    more = True
    while more:
        state = state_of(plan, division, total)
        if state >= 0:
            plan.table[start + state] = count_from(plan, excess, i, state)
        more = next_state(plan, division)


@inlined_kernel
def count_case(plan: Any, excess: int, start: int) -> int:
    """Fill the table of a case; return where the next may begin, -1 if there is no room for it."""
    division, n = min(excess, 1), plan.n_slots[excess]
    states, plan.chance[excess] = plan.n_states[division], 0.0
    if start + max(0, n - 1) * states + 1 > TABLE_SIZE:
        return -1
    plan.table[start] = 1.0  # nothing left, nothing to fill
    plan.at[excess, n] = start
    total, start = 0, start + 1
    for i in range(n - 1, 0, -1):
        total += plan.rooms[excess, i]
        plan.at[excess, i] = start
        count_slot(plan, excess, i, total)
        start += states
    cell = leave_all(plan, division)
    plan.first[excess] = count_from(plan, excess, 0, cell) if n else 1.0
    plan.chance[excess] = plan.first[excess] * discards_divided(plan, excess)
    return start


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


@inlined_kernel
def may_be(plan: Any, excess: int) -> bool:
    """Whether the taker has room for the trumps that a case asks of him."""
    return not excess or plan.least_trumps[excess] <= plan.room[plan.taker]


@kernel
def count_worlds(plan: Any) -> int:
    """Lay out and count what is known: a plan from which worlds can be drawn.

    Returns
    -------
    int
        FITS, NOTHING_FITS or TOO_MANY_KINDS.
    """
    plan.all_chances = 0.0
    for excess in range(N_CASES):
        plan.chance[excess] = 0.0
    status = lay_out(plan)
    if status != FITS:
        return status
    start = 0
    for excess in range(most_excess(plan) + 1):
        if may_be(plan, excess):
            start = count_case(plan, excess, start)
            if start < 0:
                return TOO_MANY_KINDS
        plan.all_chances += plan.chance[excess]
    return FITS if plan.all_chances > 0.0 else NOTHING_FITS
