"""Draw hidden cards: all that are not in a fixed hand, or what a plan leaves open."""

from __future__ import annotations

from typing import Any

import numpy as np

from schmier_sim._jit import inlined_kernel, kernel
from schmier_sim.bits import count_bits, lowest_bit, nth_one
from schmier_sim.cards import PACK_MASK
from schmier_sim.engine.deal import deal_out, six_cards
from schmier_sim.rng import AROUND, POLICY, below, stream
from schmier_sim.sampler.counting import begin, completions, go_on, leave_all
from schmier_sim.sampler.plan import N_SLOTS, STOCK, THROWN

_FINE = 1 << 52  # a float holds this many steps below 1, and its product with any count


@kernel
def deal_around(table: Any, seat: int, hand: int, seed: int, index: int) -> None:
    """Deal the 47 other cards around a fixed hand, uniformly."""
    table.stream[0] = stream(seed, index, 0, AROUND)
    deal_out(table.pack, PACK_MASK & ~hand, table.stream)
    at = 0
    for other in range(6):
        if other == seat:
            table.dealt[other] = hand
        else:
            table.dealt[other] = six_cards(table.pack, at)
            at += 6
    for i in range(17):
        table.stock[i] = lowest_bit(table.pack[30 + i])
    table.policy_key = stream(seed, index, 0, POLICY)


@inlined_kernel
def some_of(cards: int, number: int, states: np.ndarray) -> int:
    """Draw a subset of a size, all equally likely: what goes or what stays, card by card."""
    left = count_bits(cards)
    fewer = min(number, left - number)
    rest = cards
    for _ in range(fewer):
        rest &= ~nth_one(rest, below(states, left))
        left -= 1
    return cards & ~rest if fewer == number else rest


@inlined_kernel
def share(states: np.ndarray, whole: float) -> float:
    """Draw a number from 0 up to, and less than, a positive one."""
    return below(states, _FINE) / _FINE * whole


@inlined_kernel
def draw_case(plan: Any) -> int:
    """Draw the number of trumps in excess."""
    aim = share(plan.stream, plan.all_chances)
    excess, passed = 0, plan.chance[0]
    while passed <= aim:
        excess += 1
        passed += plan.chance[excess]
    return excess


@inlined_kernel
def draw_split(plan: Any, excess: int, i: int, cell: int) -> None:
    """Draw how many cards of each class slot i of a case gets."""
    begin(plan, plan.slots[excess, i], plan.rooms[excess, i], cell)
    if not i:
        return  # it gets the rest
    is_first = i == plan.n_slots[excess] - 1
    whole = plan.first[excess] if is_first else plan.table[plan.at[excess, i + 1] + cell]
    aim = share(plan.stream, whole)
    # Added up in the order in which they were counted, and so past any aim below the whole.
    passed = completions(plan, excess, i)
    while passed <= aim and go_on(plan):
        passed += completions(plan, excess, i)


@inlined_kernel
def draw_cards(plan: Any) -> int:
    """Draw the cards of a slot whose split is set, out of what is left; return them."""
    cards = 0
    for c in range(plan.n_classes):
        if plan.taken[c]:
            some = some_of(plan.rest[c], plan.taken[c], plan.stream)
            plan.rest[c] &= ~some
            plan.left[c] -= plan.taken[c]
            cards |= some
    return cards


@inlined_kernel
def draw_world(plan: Any) -> None:
    """Draw hidden cards from a counted plan, by ``plan.stream[0]``, which is advanced.

    Afterwards ``plan.hands`` holds the six hands of the moment, and ``plan.out`` the masks of the
    others' plain discards (THROWN), the stock (STOCK) and trumps that the taker threw (EXCESS).
    """
    excess = draw_case(plan)
    for slot in range(N_SLOTS):
        plan.out[slot] = 0
    cell = leave_all(plan)
    for c in range(plan.n_classes):
        plan.rest[c] = plan.cards[c]
    for i in range(plan.n_slots[excess] - 1, -1, -1):
        draw_split(plan, excess, i, cell)
        cell = plan.cell[plan.n_classes]
        plan.out[plan.slots[excess, i]] = draw_cards(plan)
    for seat in range(6):
        plan.hands[seat] = plan.out[seat] | plan.must[seat]
    plan.hands[plan.seat] = plan.hand


@kernel
def draw_worlds(plan: Any, seed: int, start: int, out: np.ndarray) -> None:
    """Draw the worlds ``start`` and on of a seed.

    Parameters
    ----------
    plan : PLAN record
        Counted.
    out : ndarray of int64, shape (n, 9)
        By world, masks: the six hands, plain discards of others, stock, trumps in excess.
    """
    for i in range(len(out)):
        plan.stream[0] = stream(seed, start + i, 0, AROUND)
        draw_world(plan)
        for seat in range(6):
            out[i, seat] = plan.hands[seat]
        for slot in range(THROWN, N_SLOTS):
            out[i, slot] = plan.out[slot]


@kernel
def deal_known(table: Any, plan: Any, seed: int, index: int) -> None:
    """Deal the cards that a plan of the auction leaves open, the stock in random order."""
    plan.stream[0] = stream(seed, index, 0, AROUND)
    draw_world(plan)
    for seat in range(6):
        table.dealt[seat] = plan.hands[seat]
    deal_out(table.pack, int(plan.out[STOCK]), plan.stream)
    for i in range(17):
        table.stock[i] = lowest_bit(table.pack[i])
    table.policy_key = stream(seed, index, 0, POLICY)
