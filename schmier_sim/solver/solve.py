"""The value of a position with all cards seen, and the best cards."""

from __future__ import annotations

from typing import Any

from schmier_sim._jit import kernel, part_kernel
from schmier_sim.bits import count_bits, lowest_bit
from schmier_sim.solver.counts import early_verdict, search_game, try_card_for_game
from schmier_sim.solver.fight import plain_verdict, search_points, try_card
from schmier_sim.solver.layout import lay_out, owned_points
from schmier_sim.solver.moves import legal_cards
from schmier_sim.solver.space import GAME_FRAMES, UNKNOWN, apart_in_count, settle


@part_kernel
def sure_of_points(space: Any, card: int, need: int) -> int:
    """Whether the bidding team is sure of so many point cards; see `is_sure`."""
    at, verdict = space.n_trick, UNKNOWN
    if need <= 0:
        return 1
    if need > count_bits(space.points[0]):
        return 0
    space.need[at] = need
    if card:
        verdict = try_card(space, at, 0, at, card)
        at += 1
    elif at == 0:
        verdict = plain_verdict(space, 0, space.seat[at], need)
    return verdict if verdict >= 0 else search_points(space, at)


@part_kernel
def sure_with_game(space: Any, card: int, need: int) -> int:
    """Whether the bidding team is sure of so many points, game among them; see `is_sure`."""
    at, verdict = space.n_trick, UNKNOWN
    frame = at + GAME_FRAMES
    space.need[frame] = need
    if card:
        verdict = try_card_for_game(space, frame, 0, at, card)
        at += 1
    elif at == 0:
        lead_1, lead_2 = space.lead_1[0], space.lead_2[0]
        verdict = early_verdict(space, 0, space.seat[frame], need, lead_1, lead_2)
    return verdict if verdict >= 0 else search_game(space, at)


@part_kernel
def is_sure(space: Any, card: int, need: int) -> int:
    """Whether the bidding team is sure of so many of the points fought for: 1 or 0.

    Parameters
    ----------
    card : int
        Mask of the card that is played now, or 0: any.
    """
    if sure_of_points(space, card, need):
        return 1
    return sure_of_points(space, card, need - 1) and sure_with_game(space, card, need)


@part_kernel
def find_value(space: Any) -> int:
    """Lay out the position; return how many of the points fought for are sure."""
    lay_out(space)
    settled = space.card_points + owned_points(space) + settle(space, 0)
    space.unequal[0] = space.unlike[0] | apart_in_count(space, 0)
    points, most = 0, count_bits(space.points[0]) + 1
    while points < most and is_sure(space, 0, points + 1):
        points += 1
    space.value = settled + points
    return points


@part_kernel
def find_best(space: Any, points: int) -> None:
    """Note the cards that keep the value, given how many of the points fought for are sure."""
    seat = space.seat[space.n_trick]
    is_ours = space.sides >> seat & 1
    legal = legal_cards(space, 0, seat, space.led[space.n_trick])
    unequal = space.unequal[0]
    good = 0
    for i in range(35, -1, -1):
        card = 1 << i
        if not legal & card:
            continue
        if legal & card << 1 and not unequal & card:
            keeps = good >> i + 1 & 1
        elif is_ours:
            keeps = is_sure(space, card, points)
        else:
            keeps = 1 - is_sure(space, card, points + 1)
        good |= keeps << i
    space.best = 0
    cards = space.given[(seat + space.bidder) % 6]
    while cards:
        card = lowest_bit(cards)
        space.best |= (good >> space.places[card] & 1) << card
        cards &= cards - 1


@kernel
def solve(space: Any) -> None:
    """Answer the question in a record with its value, and with the best cards if it asks so."""
    points = find_value(space)
    if space.wants_best:
        find_best(space, points)
