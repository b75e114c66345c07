"""Known faults of other programs in scoring, as tests of this one."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest

from schmier_sim import find_policy, play_batch
from schmier_sim._jit import JIT_ENABLED
from schmier_sim.cards import GAME_COUNT, parse_cards
from schmier_sim.dealing import Dealer
from schmier_sim.engine.scoring import game_winner, score_played
from schmier_sim.engine.state import POINT_NAMES, new_tables, new_views
from schmier_sim.rules import Rules


def scored(
    tricks: list[tuple[str, int]], bidder: int = 0, bid: int = 3, rules: Rules | None = None
) -> dict[str, Any]:
    """Score six tricks in spades, each (cards in playing order, winner)."""
    tables, views = new_tables(1), new_views(1)
    views["rules"], views["trump"] = (rules or Rules()).packed, 3
    views["bidder"], views["bid"] = bidder, bid
    views["history"][0] = [card for trick, _ in tricks for card in parse_cards(trick)]
    tables["winners"][0] = [winner for _, winner in tricks]
    score_played(tables, views)
    teams = tables["point_team"][0].tolist()
    return {
        "points": dict(zip(POINT_NAMES, teams, strict=True)),
        "game_count": views["game_count"][0].tolist(),
        "score": tables["score"][0].tolist(),
        "won": tables["points"][0].tolist(),
    }


# Seat 0 leads the ace; seat 1 throws the ten of hearts; seat 5 takes the joker in the second trick.
TRICKS = [
    ("AS TH 3S 2S 4S 5S", 0),
    ("9C 8C 7C 6C 5C JO", 5),
    ("KS JS 2C 3C 4C 2D", 5),
    ("JC 6S 3D 4D 5D 6D", 5),
    ("9D 8D 7D 2H 3H 4H", 5),
    ("9H 8H 7H 6H 5H TC", 5),
]


def test_B21_game_counts_for_who_wins_the_card() -> None:
    assert scored(TRICKS)["game_count"][0] == 14  # ace and the other team's ten


def test_B22_seat_5_plays_for_team_2() -> None:
    assert scored(TRICKS)["points"]["joker"] == 2


def test_B23_scores_follow_the_seats_when_the_table_is_turned() -> None:
    """The same cards one seat further on: every team's score moves on with them."""
    from deals import shuffled

    hands, stock = shuffled(300 if JIT_ENABLED else 20, seed=9)
    here = play_batch(hands, stock, 0, bidders=1, bids=3, trumps=2)
    there = play_batch(np.roll(hands, 1, axis=1), stock, 1, bidders=2, bids=3, trumps=2)
    assert np.array_equal(np.roll(here.scores, 1, axis=1), there.scores)


def test_B25_low_goes_to_the_player_unless_the_taker_has_it() -> None:
    assert scored(TRICKS)["points"]["low"] == 0
    lost = [("AS 3S 4S TH 5S 2S", 0), *TRICKS[1:]]  # seat 5 plays the 2 under the ace of seat 0
    assert scored(lost)["points"]["low"] == 2
    assert scored(lost, rules=Rules(low="taker"))["points"]["low"] == 0


def test_B25_the_joker_beside_the_2_is_never_low() -> None:
    both = [("AS 2S JO 3S 4S 5S", 0), *TRICKS[2:], ("9C 8C 7C 6C 5C TH", 0)]
    points = scored(both)["points"]
    assert (points["low"], points["joker"]) == (1, 0)


@pytest.mark.parametrize("teams", ["3x2", "2x3"])
def test_B28_B34_counts_and_points_add_up_for_any_teams(teams: str) -> None:
    n = 300 if JIT_ENABLED else 20
    players = (find_policy("random"),) * 6
    for deal in Dealer(players, Rules(teams=teams), 4).hands(0, n):
        if deal.bidder >= 0:
            dead = set(range(53)) - set(deal.history)
            assert sum(deal.game_count) == 81 - int(GAME_COUNT[list(dead)].sum())
            assert len([team for team in deal.point_team[:5] if team >= 0]) == 5


@pytest.mark.parametrize(("bid", "change"), [(3, 5), (4, 5), (5, 5), (6, -6)])
def test_B29_a_made_bid_scores_all_that_was_won_a_set_one_the_bid(bid: int, change: int) -> None:
    result = scored([(cards, 0) for cards, _ in TRICKS], bid=bid)
    # One team takes all six tricks, or all but the one with the right bauer in it.
    assert result["won"][0] == 6
    five = [
        *((cards, 0) for cards, _ in TRICKS[:2]),
        (TRICKS[2][0], 1),
        *((c, 0) for c, _ in TRICKS[3:]),
    ]
    result = scored(five, bid=bid)
    assert result["won"][0] == 5
    assert result["score"][0] == change


def test_B30_a_team_without_a_trick_has_no_part_in_a_tie_for_game() -> None:
    counts = np.array([0, 7, 7])
    assert game_winner(counts, 0, Rules().packed) == -1
    assert game_winner(counts, 0, Rules(game_tie="bidder").packed) == -1
    assert game_winner(counts, 2, Rules(game_tie="bidder").packed) == 2
    assert game_winner(np.array([0, 6, 7]), 0, Rules().packed) == 2


def test_B32_all_six_points_only_if_all_six_are_won() -> None:
    assert scored([(cards, 3) for cards, _ in TRICKS])["won"] == [6, 0, 0]
    assert sum(scored(TRICKS)["won"]) == 6


def test_B36_a_hand_void_in_three_suits_is_evaluated(capsys: pytest.CaptureFixture[str]) -> None:
    from schmier_sim.cli.run import run

    assert run(["advise", "AS KS QS JS 2S JO", "--hands", "24", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["answer"]["trump"] == "S"
