"""S1-S5: the six points of a hand and what they do to the scores."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from schmier_sim._jit import inlined_kernel, kernel
from schmier_sim.bits import count_bits, lowest_bit
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
from schmier_sim.engine.state import GAME_POINT, next_seat
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
def taken_points(trump: int, rules: int) -> int:
    """S1-S3: the point cards that count for who takes them; the others, for who plays them."""
    taken = POINT_MASK[trump] & ~(1 << HIGH[trump])
    return taken if low_to_taker(rules) else taken & ~(1 << LOW[trump])


@kernel
def note_holders(table: Any, view: Any) -> None:
    """Note, before the first trick, the cards of each team."""
    for seat in range(6):
        table.held[team_of(seat, view.rules)] |= table.hands[seat]


@inlined_kernel
def point_cards_of(table: Any, view: Any, team: int) -> int:
    """S1-S3: the point cards in the tricks so far that count for a team."""
    taken = taken_points(view.trump, view.rules)
    played = POINT_MASK[view.trump] & ~taken & view.played
    return table.won[team] & taken | table.held[team] & played


@inlined_kernel
def award_trick(table: Any, view: Any, winner: int, cards: int) -> None:
    """S1-S4: note what the trick just ended brings, card points and counts for game."""
    taker = team_of(winner, view.rules)
    table.won[taker] |= cards
    view.game_count[taker] += count_for_game(cards)
    for team in range(3):
        view.card_points[team] = count_bits(point_cards_of(table, view, team))


@kernel
def note_points(table: Any, view: Any, game: int) -> None:
    """Note which team scores each of the six points."""
    one, two, three = (
        point_cards_of(table, view, 0),
        point_cards_of(table, view, 1),
        point_cards_of(table, view, 2),
    )
    trump = view.trump
    cards = HIGH[trump], LOW[trump], RIGHT[trump], LEFT[trump], JOKER
    for point in range(5):
        card = cards[point]
        owner = (one >> card & 1) + 2 * (two >> card & 1) + 3 * (three >> card & 1)
        table.point_team[point] = owner - 1
    table.point_team[GAME_POINT] = game


@kernel
def game_winner(game_count: np.ndarray, bidding_team: int, rules: int) -> int:
    """S4: the team that counts most for game; -1 if nobody scores it."""
    third = game_count[2] if team_count(rules) > 2 else -1
    most = max(game_count[0], game_count[1], third)
    level = (
        (1 if game_count[0] == most else 0)
        | (2 if game_count[1] == most else 0)
        | (4 if third == most else 0)
    )
    if not level & (level - 1):
        return lowest_bit(level)
    return bidding_team if game_tie_to_bidder(rules) and level >> bidding_team & 1 else -1


@kernel
def score_hand(table: Any, view: Any) -> None:
    """S4, S5: award game, add up the points and turn them into changes of score."""
    bidding_team = team_of(view.bidder, view.rules)
    game = game_winner(view.game_count, bidding_team, view.rules)
    note_points(table, view, game)
    for team in range(3):
        points = view.card_points[team] + (1 if team == game else 0)
        table.points[team] = table.score[team] = points
    table.made = table.points[bidding_team] >= view.bid
    if not table.made:
        table.score[bidding_team] = -view.bid


@inlined_kernel
def award_played(table: Any, view: Any, trick: int, leader: int, winner: int) -> None:
    """Award a trick of the history, its cards being noted as those of who played them."""
    seat, cards = leader, 0
    for card in view.history[6 * trick : 6 * trick + 6]:
        cards |= 1 << card
        table.held[team_of(seat, view.rules)] |= 1 << card
        seat = next_seat(seat)
    view.played |= cards
    award_trick(table, view, winner, cards)


@kernel
def score_played(tables: Any, views: Any) -> None:
    """Score a hand from its history, with nothing noted yet but the winners of the tricks.

    Parameters
    ----------
    tables, views : TABLE and VIEW records, one each
        Needs ``winners``; ``rules bidder bid trump history``.
    """
    table, view = tables[0], views[0]
    leader = view.bidder
    for trick in range(6):
        winner = table.winners[trick]
        award_played(table, view, trick, leader, winner)
        leader = winner
    score_hand(table, view)
