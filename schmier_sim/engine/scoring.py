"""S1-S5: the six points of a hand and what they do to the scores."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from schmier_sim._jit import inlined_kernel, kernel
from schmier_sim.bits import count_bits
from schmier_sim.cards import (
    ACE,
    HIGH,
    JACK,
    JOKER,
    KING,
    LEFT,
    LOW,
    POINT_MASK,
    QUEEN,
    RIGHT,
    TEN,
    mask_of,
)  # fmt: skip
from schmier_sim.engine.state import (
    GAME_POINT,
    HIGH_POINT,
    JOKER_POINT,
    LEFT_POINT,
    LOW_POINT,
    RIGHT_POINT,
    next_seat,
)
from schmier_sim.engine.switches import game_tie_to_bidder, low_to_taker, team_count, team_of

_TENS, _ACES, _KINGS, _QUEENS, _JACKS = (
    mask_of(13 * suit + rank for suit in range(4)) for rank in (TEN, ACE, KING, QUEEN, JACK)
)
_ONES: Final = _JACKS | 1 << JOKER


@inlined_kernel
def count_for_game(cards: int) -> int:
    """S4: what the cards of a mask count."""
    return (
        10 * count_bits(cards & _TENS)
        + 4 * count_bits(cards & _ACES)
        + 3 * count_bits(cards & _KINGS)
        + 2 * count_bits(cards & _QUEENS)
        + count_bits(cards & _ONES)
    )


@inlined_kernel
def award_trick(table: Any, view: Any, trick: int) -> None:
    """S1-S4: note the card points of the trick just ended, and what it counts for game."""
    points = POINT_MASK[view.trump]
    taker = team_of(table.winners[trick], view.rules)
    seat, cards = view.leader, 0
    for turn in range(6):
        card = view.history[6 * trick + turn]
        cards |= 1 << card
        if points >> card & 1:
            award_point(table, view, card, team_of(seat, view.rules), taker)
        seat = next_seat(seat)
    view.game_count[taker] += count_for_game(cards)


@kernel
def award_point(table: Any, view: Any, card: int, player: int, taker: int) -> None:
    """S1-S3: note to which team a point card goes, the player's or the taker's."""
    trump = view.trump
    if card == HIGH[trump]:
        point, team = HIGH_POINT, player
    elif card == LOW[trump]:
        point, team = LOW_POINT, taker if low_to_taker(view.rules) else player
    elif card == RIGHT[trump]:
        point, team = RIGHT_POINT, taker
    elif card == LEFT[trump]:
        point, team = LEFT_POINT, taker
    else:
        point, team = JOKER_POINT, taker
    table.point_team[point] = team
    view.card_points[team] += 1


@kernel
def game_winner(game_count: np.ndarray, bidding_team: int, rules: int) -> int:
    """S4: the team that counts most for game; -1 if nobody scores it."""
    teams = team_count(rules)
    best, tied = 0, False
    for team in range(1, teams):
        if game_count[team] > game_count[best]:
            best, tied = team, False
        elif game_count[team] == game_count[best]:
            tied = True
    if not tied:
        return best
    if game_tie_to_bidder(rules) and game_count[bidding_team] == game_count[best]:
        return bidding_team
    return -1


@kernel
def score_hand(table: Any, view: Any) -> None:
    """S4, S5: award game, add up the points and turn them into changes of score."""
    teams = team_count(view.rules)
    bidding_team = team_of(view.bidder, view.rules)
    table.point_team[GAME_POINT] = game_winner(view.game_count, bidding_team, view.rules)
    for team in range(teams):
        points = 0
        for point in range(6):
            if table.point_team[point] == team:
                points += 1
        table.points[team] = table.score[team] = points
    table.made = table.points[bidding_team] >= view.bid
    if not table.made:
        table.score[bidding_team] = -view.bid


@kernel
def score_played(tables: Any, views: Any) -> None:
    """Score a hand from its history, with nothing noted yet but the winners of the tricks.

    Parameters
    ----------
    tables, views : TABLE and VIEW records, one each
        Needs ``winners``; ``rules bidder bid trump history``.
    """
    table, view = tables[0], views[0]
    table.point_team[:] = -1
    view.leader = view.bidder
    for trick in range(6):
        award_trick(table, view, trick)
        view.leader = table.winners[trick]
    score_hand(table, view)
