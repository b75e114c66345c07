"""The fight for the point cards, without game: it knows no counts."""

from __future__ import annotations

from typing import Any

from schmier_sim._jit import inlined_kernel, part_kernel
from schmier_sim.bits import count_bits
from schmier_sim.solver.moves import (
    clear_table,
    good_cards,
    is_taken,
    legal_cards,
    pick,
    put_down,
    unlike,
)
from schmier_sim.solver.space import UNKNOWN, above, last_winner, next_level, settle
from schmier_sim.solver.table import key_of, slot_of


@inlined_kernel
def sure_points(space: Any, level: int, leader: int) -> int:
    """Return how many point cards the leader's side gets by leading its highest trumps only.

    As long as the leader holds the highest trump there is, each lead wins; partners may give point
    cards, and others have to when they have no other trump.
    """
    trumps, points = space.lanes[4 * level + 3], space.points[level]
    own = space.hands[6 * level + leader] & trumps
    others = trumps ^ own
    n_leads = count_bits(own & above(others))
    if n_leads == 0:
        return 0
    side, found = space.sides >> leader & 1, 0
    for seat in range(6):
        held = space.hands[6 * level + seat] & trumps
        n_points = count_bits(held & points)
        if seat == leader or n_points == 0:
            continue
        if space.sides >> seat & 1 == side:
            found += min(n_leads, n_points)
        else:
            n_trumps = count_bits(held)
            found += max(0, min(n_leads, n_trumps) - (n_trumps - n_points))
    return found


@inlined_kernel
def plain_verdict(space: Any, level: int, leader: int, need: int) -> int:
    """Decide what needs no search: 1 yes, 0 no, or UNKNOWN."""
    left = count_bits(space.points[level])
    if need <= 0:
        return 1
    if need > left:
        return 0
    sure = sure_points(space, level, leader)
    if space.sides >> leader & 1:
        return 1 if need <= sure else UNKNOWN
    return 0 if need > left - sure else UNKNOWN


@inlined_kernel
def recalled_points(space: Any, key: Any, need: int) -> tuple[int, int]:
    """Return the verdict that the table has, and the lead to try first."""
    slot = slot_of(key)
    if space.keys[slot] != key:
        return UNKNOWN, 0
    fact = space.facts[slot]
    verdict = 1 if need <= fact & 7 else 0 if need > fact >> 3 & 7 else UNKNOWN
    return verdict, fact >> 6


@inlined_kernel
def note_points(space: Any, at: int, level: int, verdict: int) -> None:
    """Keep a verdict: the least and the most point cards, and the lead that decided."""
    key, need = space.key[at], space.need[at]
    slot = slot_of(key)
    low, high = 0, count_bits(space.points[level])
    if space.keys[slot] == key:
        low, high = space.facts[slot] & 7, space.facts[slot] >> 3 & 7
    if verdict:
        low = need
    else:
        high = need - 1
    space.keys[slot] = key
    space.facts[slot] = low | high << 3 | space.card[at] << 6


@inlined_kernel
def verdict_when_taken(space: Any, at: int, level: int) -> int:
    """Decide by the cards that lie in a trick whose side is known, if they do."""
    captured = count_bits(space.down[at] & space.points[level])
    if space.rivals[space.holder[at]] == 0:
        return 1 if captured >= space.need[at] else UNKNOWN
    return 0 if space.need[at] > count_bits(space.points[level]) - captured else UNKNOWN


@part_kernel
def open_points(space: Any, at: int, level: int, n_trick: int) -> int:
    """Set up what is to be tried in a frame, unless the table has the verdict."""
    space.hint[at] = 0
    if n_trick == 0:
        key = key_of(space, level, space.seat[at])
        verdict, hint = recalled_points(space, key, space.need[at])
        if verdict >= 0:
            return verdict
        space.key[at], space.hint[at] = key, hint
    taken = n_trick > 0 and is_taken(space, at, level, n_trick)
    if taken:
        verdict = verdict_when_taken(space, at, level)
        if verdict >= 0:
            return verdict
    space.n_nodes += 1
    moves = legal_cards(space, level, space.seat[at], space.led[at])
    moves = unlike(moves, space.unlike[level])
    space.moves[at] = moves
    space.first[at] = good_cards(space, at, level, n_trick, moves, taken)
    return UNKNOWN


@part_kernel
def end_trick(space: Any, at: int, level: int) -> int:
    """Go from the sixth card of a trick to the next level."""
    need, trick, leader = space.need[at], space.down[at], space.holder[at]
    captured = trick & space.points[level]
    if space.sides >> leader & 1:
        need -= count_bits(captured)
    if need <= 0:
        return 1
    if need > count_bits(space.points[level] ^ captured):
        return 0
    if level + 1 == space.last:
        if not last_winner(space, level, trick, leader) & space.ours[level]:
            return 0
        return 1 if need <= count_bits(space.points[level] & ~trick) else 0
    next_level(space, level, trick)
    need -= settle(space, level + 1)
    clear_table(space, at, leader, need)
    return plain_verdict(space, level + 1, leader, need)


@inlined_kernel
def try_card(space: Any, at: int, level: int, n_trick: int, card: int) -> int:
    """Play a card; return the verdict if it is plain, else set up the next frame."""
    put_down(space, at, level, n_trick, card)
    if n_trick == 5:
        verdict = end_trick(space, at + 1, level)
        return verdict if verdict >= 0 else open_points(space, at + 1, level + 1, 0)
    return open_points(space, at + 1, level, n_trick + 1)


@part_kernel
def search_points(space: Any, base: int) -> int:
    """Whether the bidding team is sure of the point cards that it needs: 1 or 0.

    Parameters
    ----------
    base : int
        The frame to begin at, set up, and with no plain verdict at the start of a trick.
    """
    at, level, n_trick = base, base // 6, base % 6
    verdict = open_points(space, at, level, n_trick)
    while verdict < 0 or at > base:
        if verdict < 0:
            card = pick(space, at)
            space.card[at] = card
            space.moves[at] ^= card
            verdict = try_card(space, at, level, n_trick, card)
            at += 1
            n_trick += 1
            if n_trick == 6:
                level, n_trick = level + 1, 0
            continue
        at -= 1
        n_trick -= 1
        if n_trick < 0:
            level, n_trick = level - 1, 5
        if verdict != space.sides >> space.seat[at] & 1 and space.moves[at]:
            verdict = UNKNOWN
        elif n_trick == 0:
            note_points(space, at, level, verdict)
    return verdict


@inlined_kernel
def points_alone(space: Any, level: int, leader: int, need: int) -> int:
    """Whether the bidding team can be sure of so many point cards at the start of a trick."""
    verdict = plain_verdict(space, level, leader, need)
    if verdict >= 0:
        return verdict
    clear_table(space, 6 * level, leader, need)
    return search_points(space, 6 * level)
