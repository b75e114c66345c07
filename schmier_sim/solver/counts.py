"""The fight for the point cards and game together.

What matters of the counts is by how much the bidding team leads each of the two other teams: it has
game if both differences are above 0 at the end (with two teams the second is a copy of the first).
Each proof holds for all differences up to an edge, not only for those it was made for: a win
for all at or above two edges, a loss for all at or below. The edges are what the table keeps.
"""

from __future__ import annotations

from typing import Any, Final

from schmier_sim._jit import inlined_kernel, part_kernel
from schmier_sim.bits import count_bits, highest_bit
from schmier_sim.solver.fight import points_alone
from schmier_sim.solver.moves import (
    clear_table,
    good_cards,
    is_taken,
    legal_cards,
    pick,
    put_down,
    unlike,
)
from schmier_sim.solver.space import (
    GAME_FRAMES,
    UNKNOWN,
    apart_in_count,
    count_of,
    last_winner,
    next_level,
    next_worth,
    safe_cards,
    settle,
)
from schmier_sim.solver.table import key_of, slot_of, with_counts

FAR: Final = 120
"""An edge beyond all differences: the counts do not matter."""
_FINITE: Final = 100


@inlined_kernel
def shifted(edge: int, by: int) -> int:
    """Move an edge, unless it is beyond all."""
    return edge + by if -_FINITE < edge < _FINITE else edge


@inlined_kernel
def settle_edges(space: Any, edge_1: int, edge_2: int) -> None:
    """Note how far the last verdict holds."""
    space.edge_1, space.edge_2 = edge_1, edge_2


@part_kernel
def early_verdict(space: Any, level: int, leader: int, need: int, lead_1: int, lead_2: int) -> int:
    """Decide what the counts left, or the point cards alone, decide: 1, 0, or UNKNOWN."""
    if need <= 0:
        settle_edges(space, -FAR, -FAR)
        return 1
    n_points = count_bits(space.points[level])
    if need > n_points + 1:
        settle_edges(space, FAR, FAR)
        return 0
    trumps = space.lanes[4 * level + 3]
    ours, left = space.ours[level], space.left[level]
    mine = count_of(space, level, safe_cards(trumps & ours, trumps & ~ours))
    lost = count_of(space, level, safe_cards(trumps & ~ours, trumps & ours))
    sure = left - 2 * mine + 1  # a lead that nobody can catch up
    beyond = lost - left  # a lead from which game is out of reach
    if lead_1 >= sure and lead_2 >= sure:
        won = points_alone(space, level, leader, need - 1)
        settle_edges(space, sure if won else FAR, sure if won else FAR)
        return won
    if lead_1 <= beyond or lead_2 <= beyond:
        won = points_alone(space, level, leader, need)
        if won:
            settle_edges(space, -FAR, -FAR)
        elif lead_1 <= beyond:
            settle_edges(space, beyond, FAR)
        else:
            settle_edges(space, FAR, beyond)
        return won
    return UNKNOWN


@part_kernel
def verdict_of_points(space: Any, level: int, leader: int, need: int) -> int:
    """Decide by the point cards alone, if they do."""
    if not space.points[level]:
        return UNKNOWN
    if points_alone(space, level, leader, need):
        settle_edges(space, -FAR, -FAR)
        return 1
    if not points_alone(space, level, leader, need - 1):
        settle_edges(space, FAR, FAR)
        return 0
    return UNKNOWN


@inlined_kernel
def recalled(space: Any, key: Any, lead_1: int, lead_2: int) -> tuple[int, int]:
    """Return the verdict that the table has, and the lead to try first."""
    slot = slot_of(key)
    if space.keys[slot] != key:
        return UNKNOWN, 0
    fact = space.facts[slot]
    hint = fact >> 32
    win_1, win_2 = (fact & 255) - 128, (fact >> 8 & 255) - 128
    loss_1, loss_2 = (fact >> 16 & 255) - 128, (fact >> 24 & 255) - 128
    if lead_1 >= win_1 and lead_2 >= win_2:
        settle_edges(space, win_1, win_2)
        return 1, hint
    if lead_1 <= loss_1 and lead_2 <= loss_2:
        settle_edges(space, loss_1, loss_2)
        return 0, hint
    return UNKNOWN, hint


_NOTHING: Final = (FAR + 128) * 257 | (128 - FAR) * 257 << 16


@inlined_kernel
def note(space: Any, at: int, won: int) -> None:
    """Keep a verdict with its edges, and the lead that decided."""
    key = space.key[at]
    slot = slot_of(key)
    fact = space.facts[slot] & 0xFFFFFFFF if space.keys[slot] == key else _NOTHING
    edges = space.edge_1 + 128 | space.edge_2 + 128 << 8
    fact = fact & 0xFFFF0000 | edges if won else fact & 0xFFFF | edges << 16
    space.keys[slot] = key
    space.facts[slot] = fact | highest_bit(space.card[at]) << 32


@inlined_kernel
def richest(space: Any, level: int, cards: int) -> int:
    """Return those of some cards that count most, or about as much."""
    for i in range(3, -1, -1):
        rich = cards & space.worth[4 * level + i]
        if rich:
            return rich
    return cards


@inlined_kernel
def to_try(space: Any, at: int, level: int, n_trick: int, moves: int, taken: bool) -> int:
    """Return the cards to try first; the richest where they are sure to stay on the own side."""
    if taken and (space.sides >> space.seat[at] ^ space.sides >> space.holder[at]) & 1 == 0:
        return richest(space, level, moves)
    good = good_cards(space, at, level, n_trick, moves, taken)
    return richest(space, level, good) if n_trick == 0 else good


@inlined_kernel
def verdict_when_taken(space: Any, at: int, level: int) -> int:
    """Decide by the cards that lie in a trick whose side is known, if they do."""
    down, need, rivals = space.down[at], space.need[at], space.rivals[space.holder[at]]
    count, captured = count_of(space, level, down), count_bits(down & space.points[level])
    left = space.left[level] - count
    if rivals == 0:
        sure = left + 1 - count
        if need - captured <= 1 and space.lead_1[level] >= sure and space.lead_2[level] >= sure:
            settle_edges(space, sure, sure)
            return 1
    elif need > count_bits(space.points[level]) - captured:
        # Another team may yet take it from the one that holds it: either gets the count.
        lost, lost_by_one = count - left, -left
        if space.lead_1[level] <= lost and space.lead_2[level] <= lost:
            settle_edges(space, lost, lost)
            return 0
        if space.lead_1[level] <= lost_by_one:
            settle_edges(space, lost_by_one, FAR)
            return 0
        if space.lead_2[level] <= lost_by_one:
            settle_edges(space, FAR, lost_by_one)
            return 0
    return UNKNOWN


@part_kernel
def open_game(space: Any, at: int, level: int, n_trick: int) -> int:
    """Set up what is to be tried in a frame, unless table or point cards give the verdict."""
    seat = space.seat[at]
    space.hint[at] = 0
    if n_trick == 0:
        key = with_counts(space, level, key_of(space, level, seat), space.need[at])
        verdict, hint = recalled(space, key, space.lead_1[level], space.lead_2[level])
        if verdict < 0:
            verdict = verdict_of_points(space, level, seat, space.need[at])
        if verdict >= 0:
            return verdict
        space.key[at], space.hint[at] = key, 1 << hint
    taken = n_trick > 0 and is_taken(space, at, level, n_trick)
    if taken:
        verdict = verdict_when_taken(space, at, level)
        if verdict >= 0:
            return verdict
    space.n_nodes += 1
    moves = legal_cards(space, level, seat, space.led[at])
    moves = unlike(moves, space.unequal[level])
    space.moves[at] = moves
    space.first[at] = to_try(space, at, level, n_trick, moves, taken)
    edge = FAR if space.sides >> seat & 1 else -FAR
    space.edges_1[at] = space.edges_2[at] = edge
    return UNKNOWN


@inlined_kernel
def last_verdict(space: Any, level: int, trick: int, leader: int, need: int) -> int:
    """Play the last trick, in which nobody has a choice."""
    winner = last_winner(space, level, trick, leader)
    count = space.left[level] - count_of(space, level, trick)
    gain_1 = gain_2 = count
    if winner & space.ours[level]:
        need -= count_bits(space.points[level] & ~trick)
    else:
        is_two = space.rivals[1] == 3
        gain_1 = -count if is_two or winner & space.theirs[level] else 0
        gain_2 = -count if is_two or not winner & space.theirs[level] else 0
    if need != 1:
        edge = FAR if need > 1 else -FAR
        settle_edges(space, edge, edge)
        return 0 if need > 1 else 1
    if space.lead_1[level + 1] + gain_1 <= 0:
        settle_edges(space, -gain_1, FAR)
        return 0
    if space.lead_2[level + 1] + gain_2 <= 0:
        settle_edges(space, FAR, -gain_2)
        return 0
    settle_edges(space, 1 - gain_1, 1 - gain_2)
    return 1


@part_kernel
def end_game_trick(space: Any, at: int, level: int) -> int:
    """Go from the sixth card of a trick to the next level."""
    need, trick, leader = space.need[at], space.down[at], space.holder[at]
    count, rivals = count_of(space, level, trick), space.rivals[leader]
    if rivals == 0:
        need -= count_bits(trick & space.points[level])
        space.gain_1[level + 1] = space.gain_2[level + 1] = count
    else:
        space.gain_1[level + 1] = -count if rivals & 1 else 0
        space.gain_2[level + 1] = -count if rivals & 2 else 0
    space.lead_1[level + 1] = space.lead_1[level] + space.gain_1[level + 1]
    space.lead_2[level + 1] = space.lead_2[level] + space.gain_2[level + 1]
    if level + 1 == space.last:
        return last_verdict(space, level, trick, leader, need)
    next_level(space, level, trick)
    next_worth(space, level, trick)
    space.left[level + 1] = space.left[level] - count
    level += 1
    need -= settle(space, level)
    space.unequal[level] = space.unlike[level] | apart_in_count(space, level)
    clear_table(space, at, leader, need)
    return early_verdict(space, level, leader, need, space.lead_1[level], space.lead_2[level])


@inlined_kernel
def try_card_for_game(space: Any, at: int, level: int, n_trick: int, card: int) -> int:
    """Play a card; return the verdict if there is one, else set up the next frame."""
    put_down(space, at, level, n_trick, card)
    if n_trick == 5:
        verdict = end_game_trick(space, at + 1, level)
        return verdict if verdict >= 0 else open_game(space, at + 1, level + 1, 0)
    return open_game(space, at + 1, level, n_trick + 1)


@inlined_kernel
def weigh(space: Any, at: int, is_decided: bool, is_ours: int) -> None:
    """Note how far the verdicts on the cards of a frame hold together, or the one that decides."""
    if is_decided:
        space.edges_1[at], space.edges_2[at] = space.edge_1, space.edge_2
    elif is_ours:
        space.edges_1[at] = min(space.edges_1[at], space.edge_1)
        space.edges_2[at] = min(space.edges_2[at], space.edge_2)
    else:
        space.edges_1[at] = max(space.edges_1[at], space.edge_1)
        space.edges_2[at] = max(space.edges_2[at], space.edge_2)


@part_kernel
def search_game(space: Any, base: int) -> int:
    """Whether the bidding team is sure of the points that it needs, game among them: 1 or 0.

    Parameters
    ----------
    base : int
        The frame to begin at, less `GAME_FRAMES`; set up, and with no early verdict at the start
        of a trick.
    """
    at, level, n_trick = base, base // 6, base % 6
    verdict = open_game(space, at + GAME_FRAMES, level, n_trick)
    while verdict < 0 or at > base:
        frame = at + GAME_FRAMES
        if verdict < 0:
            card = pick(space, frame)
            space.card[frame] = card
            space.moves[frame] ^= card
            verdict = try_card_for_game(space, frame, level, n_trick, card)
            at += 1
            n_trick += 1
            if n_trick == 6:
                level, n_trick = level + 1, 0
            continue
        if n_trick == 0:
            space.edge_1 = shifted(space.edge_1, -space.gain_1[level])
            space.edge_2 = shifted(space.edge_2, -space.gain_2[level])
        at -= 1
        frame -= 1
        n_trick -= 1
        if n_trick < 0:
            level, n_trick = level - 1, 5
        is_ours = space.sides >> space.seat[frame] & 1
        weigh(space, frame, verdict == is_ours, is_ours)
        if verdict != is_ours and space.moves[frame]:
            verdict = UNKNOWN
            continue
        space.edge_1, space.edge_2 = space.edges_1[frame], space.edges_2[frame]
        if n_trick == 0:
            note(space, frame, verdict)
    return verdict
