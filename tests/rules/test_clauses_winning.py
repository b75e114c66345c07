"""W1 to W3 and the switches target, end, top_tie and must_bid_to_win: whole games."""

# Tests carry the ids of the clauses in capitals.

from __future__ import annotations

import copy
from typing import Any

import pytest
from handmade import (
    Record,
    Step,
    assert_accepted,
    assert_game_accepted,
    assert_game_refused,
    make_game,
    passed_hand,
    verdicts,
    with_value,
)

# (bidding team, bid, change of score)
A: Step = (0, 3, (3, 2, 1))
B: Step = (1, 3, (2, 3, 1))
LEVEL_20: list[Step | None] = [A, B, A, B, A, B, A, B]  # 20 20 8


def scores(game: list[Record]) -> list[int]:
    return list(game[-1]["game"]["after"])


def winners(game: list[Record]) -> Any:
    return game[-1]["game"]["winners"]


def with_winners(game: list[Record], value: Any, line: int = 0) -> list[Record]:
    """The same game with other winners in its last record (or in that line)."""
    changed = copy.deepcopy(game)
    assert changed[line - 1]["game"]["winners"] != value
    changed[line - 1]["game"]["winners"] = value
    return changed


def end_after(steps: list[Step | None], rules: dict[str, Any] | None = None) -> list[Record]:
    game = make_game(steps, rules)
    assert_game_accepted(game)
    return game


def test_W1_the_game_ends_at_21() -> None:
    """20 and more end it at once: the score after the hand counts, not the one before."""
    game = end_after([*LEVEL_20, (0, 3, (3, 0, 3))])
    assert scores(game) == [23, 20, 11]
    assert winners(game) == [0]
    assert all(record["game"]["winners"] == [] for record in game[:-1])
    assert_game_refused(with_winners(game, []), len(game), "W1", "winners")
    assert_game_refused(with_winners(game, [1]), len(game), "W1", "winners")


def test_W1_twenty_is_not_enough() -> None:
    game = end_after(list(LEVEL_20))
    assert scores(game) == [20, 20, 8]
    assert winners(game) == []
    assert_game_refused(with_winners(game, [0]), 8, "W1", "winners")


def test_W1_exactly_21_is() -> None:
    game = end_after([*LEVEL_20, (2, 3, (1, 0, 5))])
    assert scores(game) == [21, 20, 13]
    assert winners(game) == [0]


def test_W1_nothing_follows_the_end() -> None:
    game = end_after([*LEVEL_20, (0, 3, (3, 0, 3))])
    more = make_game([*LEVEL_20, (0, 3, (3, 0, 3)), A])
    assert more[:-1] == game
    assert_game_refused(more, len(game) + 1)


def test_W1_a_team_that_did_not_bid_may_win() -> None:
    game = end_after([*LEVEL_20, (2, 3, (0, 3, 3))])
    assert scores(game) == [20, 23, 11]
    assert winners(game) == [1]


# to 20 19 9
TO_20_19: list[Step | None] = [A, B, A, B, A, B, (0, 3, (3, 1, 2)), B]


def test_W1_several_at_target_most_points_win() -> None:
    game = end_after([*TO_20_19, (1, 3, (3, 3, 0))])
    assert scores(game) == [23, 22, 9]
    assert winners(game) == [0]
    assert_game_refused(with_winners(game, [1]), 9, "W1", "winners")
    assert_game_refused(with_winners(game, [0, 1]), 9, "W1", "winners")


def test_W1_level_with_the_bidding_team_among_them() -> None:
    game = end_after([*TO_20_19, (1, 3, (2, 3, 1))])
    assert scores(game) == [22, 22, 10]
    assert winners(game) == [1]
    assert_game_refused(with_winners(game, [0]), 9, "W1", "winners")
    assert_game_refused(with_winners(game, []), 9, "W1", "winners")


def test_W1_end_bidder_first() -> None:
    rules = {"end": "bidder_first"}
    game = end_after([*TO_20_19, (1, 3, (3, 3, 0))], rules)
    assert scores(game) == [23, 22, 9]
    assert winners(game) == [1]
    assert_game_refused(with_winners(game, [0]), 9, "W1", "winners")


def test_W1_end_bidder_first_without_the_bidder_at_target() -> None:
    rules = {"end": "bidder_first"}
    game = end_after([*LEVEL_20, (2, 3, (1, 2, 3))], rules)
    assert scores(game) == [21, 22, 11]
    assert winners(game) == [1]


def test_W1_target() -> None:
    rules = {"target": 5}
    game = end_after([(0, 3, (5, 1, 0))], rules)
    assert winners(game) == [0]
    assert winners(end_after([(0, 3, (4, 1, 1))], rules)) == []
    higher = end_after([*LEVEL_20, (0, 3, (3, 0, 3))], {"target": 24})
    assert scores(higher) == [23, 20, 11]
    assert winners(higher) == []


def test_W1_two_teams_of_three() -> None:
    rules = {"teams": "2x3", "target": 3}
    game = end_after([(1, 3, (3, 3))], rules)
    assert winners(game) == [1]
    assert winners(end_after([(1, 4, (3, -4))], rules)) == [0]


def test_W1_negative_scores_have_no_floor() -> None:
    game = end_after([(0, 6, (-6, 3, 2)), (0, 6, (-6, 3, 2))])
    assert scores(game) == [-12, 6, 4]
    assert_game_refused(
        [game[0], with_value(game[1], ["game", "after"], [0, 6, 4])], 2, "after", "S5"
    )


TIED_STEP: Step = (2, 4, (3, 3, -4))


def test_W2_level_between_other_teams_goes_on() -> None:
    game = end_after([*LEVEL_20, TIED_STEP])
    assert scores(game) == [23, 23, 4]
    assert winners(game) == []
    for wrong in ([0], [1], [0, 1], [2]):
        assert_game_refused(with_winners(game, wrong), 9, "W1", "W2", "winners")


def test_W2_then_W1_is_applied_afresh() -> None:
    game = end_after([*LEVEL_20, TIED_STEP, None, (2, 3, (1, 2, 3))])
    assert scores(game) == [24, 25, 7]
    assert [record["game"]["winners"] for record in game[-3:]] == [[], [], [1]]
    both_down = end_after([*LEVEL_20, TIED_STEP, (0, 6, (-6, 3, 2))])
    assert scores(both_down) == [17, 26, 6]
    assert winners(both_down) == [1]


def test_W2_level_again_goes_on_again() -> None:
    game = end_after([*LEVEL_20, TIED_STEP, TIED_STEP, A])
    assert scores(game) == [29, 28, 1]
    assert [record["game"]["winners"] for record in game[-3:]] == [[], [], [0]]


def test_W2_level_again_with_a_bidder_among_them() -> None:
    game = end_after([*LEVEL_20, TIED_STEP, (1, 3, (3, 3, 0))])
    assert scores(game) == [26, 26, 4]
    assert winners(game) == [1]


def test_W2_a_thrown_in_deal_decides_nothing() -> None:
    game = end_after([*LEVEL_20, TIED_STEP, None])
    assert winners(game) == []
    assert_game_refused(with_winners(game, [0, 1]), 10, "W1", "W2", "winners")


def test_W2_top_tie_shared() -> None:
    rules = {"top_tie": "shared"}
    game = end_after([*LEVEL_20, TIED_STEP], rules)
    assert winners(game) == [0, 1]
    assert_game_refused(with_winners(game, []), 9, "W1", "W2", "winners")
    assert_game_refused(with_winners(game, [0]), 9, "W1", "W2", "winners")
    more = make_game([*LEVEL_20, TIED_STEP, A], rules)
    assert_game_refused(more, 10)


def test_W2_top_tie_shared_leaves_a_tie_with_the_bidder_alone() -> None:
    game = end_after([*TO_20_19, (1, 3, (2, 3, 1))], {"top_tie": "shared"})
    assert winners(game) == [1]


MUST = {"must_bid_to_win": True}


def test_W2_must_bid_to_win() -> None:
    """Teams 0 and 1 stand at 23, but only who bids and makes it wins; even the lower one."""
    game = end_after([*LEVEL_20, TIED_STEP, (2, 3, (2, 0, 3)), (1, 3, (0, 3, 3))], MUST)
    afters = [record["game"]["after"] for record in game[-3:]]
    assert afters == [[23, 23, 4], [25, 23, 7], [25, 26, 10]]
    assert [record["game"]["winners"] for record in game[-3:]] == [[], [], [1]]
    assert_game_refused(with_winners(game, [0], -1), 10, "W1", "W2", "winners")


def test_W2_must_bid_to_win_even_below_another() -> None:
    game = end_after([*LEVEL_20, (2, 3, (3, 0, 3)), (1, 3, (2, 3, 1))], MUST)
    assert scores(game) == [25, 23, 12]
    assert winners(game) == [1]
    assert_game_refused(with_winners(game, [0]), 10, "W1", "W2", "winners")


def test_W2_must_bid_to_win_and_make_it() -> None:
    """Team 0 is set in the second hand, and though still at target does not win."""
    game = end_after([(1, 6, (4, -6, 1)), (0, 3, (-3, 2, 3))], MUST | {"target": 1})
    assert [record["game"]["after"][0] for record in game] == [4, 1]
    assert [record["game"]["winners"] for record in game] == [[], []]


def passed_game(number: int) -> list[Record]:
    """A game in which nobody ever bids."""
    zeros = [0, 0, 0]
    game = []
    for deal in range(1, number + 1):
        record = passed_hand(5, {}, deal)
        record["game"] = {"id": "g", "deal": deal, "before": zeros, "after": zeros}
        record["game"]["winners"] = None if deal == 500 else []
        game.append(record)
    return game


def test_W3_five_hundred_deals_are_the_cap() -> None:
    game = passed_game(500)
    assert_game_accepted(game)
    assert_game_refused(with_winners(game, []), 500, "W3", "winners")
    assert_game_refused(with_winners(game, None, -1), 499, "W3", "winners")
    assert_game_refused(with_winners(game, [0]), 500, "W1", "W3", "winners")


def test_W3_no_deal_after_the_cap() -> None:
    game = passed_game(501)
    assert_game_refused(game, 501)


def test_W3_a_game_may_be_won_with_the_last_deal() -> None:
    game = passed_game(499)
    last = make_game([(0, 3, (5, 1, 0))], dealer=5)[0]
    last["game"] = {"id": "g", "deal": 500, "before": [0] * 3, "after": [5, 1, 0]}
    last["game"]["winners"] = None
    assert_game_accepted([*game, last])
    rules = {"target": 5}
    won = [with_value(record, ["rules"], rules) for record in [*game, last]]
    won[-1]["game"]["winners"] = [0]
    assert_game_accepted(won)
    won[-1]["game"]["winners"] = None
    assert_game_refused(won, 500, "W1", "W3", "winners")


# ---------------------------------------------------------------- the `game` field


SHORT: list[Step | None] = [A, None, B]


@pytest.mark.parametrize("field", ["before", "after"])
@pytest.mark.parametrize("line", [1, 2, 3])
def test_game_scores_add_up(field: str, line: int) -> None:
    game = make_game(SHORT)
    changed = list(game[line - 1]["game"][field])
    changed[1] += 1
    game[line - 1] = with_value(game[line - 1], ["game", field], changed)
    assert_game_refused(game, line, "before", "after", "score")


def test_game_rules_stay_the_same() -> None:
    game = make_game([A, B])
    other = make_game([A, B], {"low": "taker"})
    assert_game_refused([game[0], other[1]], 2, "rules", "rule")


def test_game_deals_count_from_one() -> None:
    game = make_game(SHORT)
    game[2] = with_value(game[2], ["game", "deal"], 4)
    assert_game_refused(game, 3, "deal")
    again = make_game(SHORT)
    again[1] = with_value(again[1], ["game", "deal"], 1)
    assert_game_refused(again, 2, "deal")


def test_game_the_first_deal_is_number_one() -> None:
    game = make_game([A])
    assert_game_refused([with_value(game[0], ["game", "deal"], 0)], 1, "deal")


def test_game_starts_at_nought() -> None:
    game = make_game([A])
    game[0]["game"]["before"], game[0]["game"]["after"] = [1, 0, 0], [4, 2, 1]
    assert_game_refused(game, 1, "before", "start")


def test_game_a_second_game_starts_afresh() -> None:
    first = make_game([(0, 3, (5, 1, 0))], {"target": 5}, name="g1")
    second = make_game([A, B], {"target": 5}, dealer=2, name="g2")
    assert all(verdict.ok for verdict in verdicts([*first, *second]))
    carried = copy.deepcopy(second)
    carried[0]["game"]["before"], carried[0]["game"]["after"] = [5, 1, 0], [8, 3, 1]
    found = verdicts([*first, *carried])
    assert found[0].ok
    assert not found[1].ok


def test_game_hands_without_a_game_do_not_follow_each_other() -> None:
    """Records without a `game` field may have any dealers and rules, side by side."""
    for record in make_game([A, B]) + make_game([A], {"low": "taker"}, dealer=1):
        del record["game"]
        assert_accepted(record)
    loose = make_game([A, B, A])
    for record in loose:
        del record["game"]
    assert all(verdict.ok for verdict in verdicts([loose[2], loose[0], loose[0], loose[1]]))


def test_game_numbers_of_teams_fit() -> None:
    game = make_game([A])
    game[0]["game"]["before"] = [0, 0]
    game[0]["game"]["after"] = [3, 2]
    (verdict,) = verdicts(game)
    assert not verdict.ok
