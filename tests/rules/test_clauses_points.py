"""S1 to S5 and the switches low and game_tie: the six points of a hand and its score."""

# Tests carry the ids of the clauses in capitals.

from __future__ import annotations

import random
from typing import Any

import oracle
import pytest
from handmade import (
    Record,
    assert_accepted,
    assert_refused,
    edited,
    make_record,
    trick,
    winners_of,
    with_value,
)

# Seat 0 wins all six tricks; seat 1, seat 3 or another may play the 2 of trumps.
TOP = "AS KS QS JS JC TS"

# Seat 0 wins five tricks, seat 1 the third one with the left bauer, and the joker in it.
# Count of the tricks: 8 + 14 + (22) + 2 + 9 + 6, so 39 for team 0 and 22 for team 1.
THREE_ALL = {
    0: "AS KS TS QS JS 9S",
    1: "8S 7S JC 6S 5S 2H",
    2: "QC TC 9C 8C 7C 6C",
    3: "5C 4C 3C 2C AD KD",
    4: "4S 3S JO 2S AC KC",
    5: "QD JD TD 9D 8D 7D",
}
# The same tricks, with 35 of game in the third one and 35 in the five others.
TIE = THREE_ALL | {2: "QC 9C TC 8C AH KH", 3: "5C 4C KD 3C QH AD"}


def by_points(high: int, low: int, right: int, left: int, joker: int, game: int | None) -> Any:
    return dict(zip(oracle.POINT_NAMES, [high, low, right, left, joker, game], strict=True))


def as_dealt(hands: dict[int, str], bid: int = 3, **more: Any) -> Record:
    """Seat 0 bids; every seat plays its cards in the order in which they are written."""
    calls = [bid] if bid == 6 else [bid, 0, 0, 0, 0, 0]
    return make_record(hands, calls=calls, wishes=hands, **more)


def test_S1_to_S4_a_hand_by_hand() -> None:
    record = as_dealt(THREE_ALL)
    assert [trick(record, n) for n in range(6)] == [
        "AS 8S QC 5C 4S QD",
        "KS 7S TC 4C 3S JD",
        "TS JC 9C 3C JO TD",
        "6S 8C 2C 2S 9D QS",
        "JS 5S 7C AD AC 8D",
        "9S 2H 6C KD KC 7D",
    ]
    assert winners_of(record) == [0, 0, 1, 0, 0, 0]
    verdict = assert_accepted(record)
    assert verdict.points == by_points(high=0, low=1, right=0, left=1, joker=1, game=0)
    assert list(verdict.game_count) == [39, 22, 0]
    assert list(verdict.score) == [3, 3, 0]


@pytest.mark.parametrize(
    ("name", "clause"),
    [("high", "S1"), ("low", "S2"), ("right", "S3"), ("left", "S3"), ("joker", "S3")],
)
def test_S1_S2_S3_a_wrong_point_is_refused(name: str, clause: str) -> None:
    record = as_dealt(THREE_ALL)
    right = record["points"][name]
    for team in [0, 1, 2, None]:
        if team != right:
            assert_refused(with_value(record, ["points", name], team), clause)


def test_S1_high_to_the_team_that_plays_the_ace() -> None:
    """Seat 1 holds the ace; the bidder's king falls under it."""
    record = make_record({0: "KS QS JS JC TS 9S", 1: "AS 8S 7S 6S 5S 2C"}, wishes={1: "AS"})
    assert record["tricks"][0]["winner"] == 1
    assert assert_accepted(record).points["high"] == 1


def test_S1_is_won_by_any_play_of_the_ace() -> None:
    record = as_dealt({0: TOP})
    assert assert_accepted(record).points["high"] == 0
    assert_refused(with_value(record, ["points", "high"], None), "S1")


# Seat 1 bids and leads the ace; the joker and the 2 (of seat 0) fall in the same trick.
LOW = {0: "2S 2C 3C 4C 5C 6C", 1: "AS KS QS JS JC TS", 2: "JO 2D 3D 4D 5D 6D"}


def low_record(rules: dict[str, Any] | None = None) -> Record:
    return make_record(LOW, calls=[0, 3, 0, 0, 0, 0], wishes={1: "AS"}, rules=rules)


def test_S2_low_goes_to_the_player() -> None:
    record = low_record()
    assert {"AS", "2S", "JO"} < set(record["tricks"][0]["cards"])
    assert assert_accepted(record).points["low"] == 0
    assert_refused(with_value(record, ["points", "low"], 1), "S2")


def test_S2_low_taker() -> None:
    record = low_record({"low": "taker"})
    assert assert_accepted(record).points["low"] == 1
    assert_refused(with_value(record, ["points", "low"], 0), "S2")


def test_S2_the_joker_is_never_low() -> None:
    """Seat 2 plays the joker, the lowest trump, and yet not the 2."""
    record = low_record()
    assert_refused(with_value(record, ["points", "low"], 2), "S2")
    assert record["points"]["joker"] == 1


def test_S2_low_to_a_team_without_a_trick() -> None:
    verdict = assert_accepted(as_dealt({0: TOP, 1: "9S 8S 7S 6S 5S 2S"}))
    assert verdict.points == by_points(high=0, low=1, right=0, left=0, joker=0, game=0)
    assert list(verdict.score) == [5, 1, 0]
    assert list(verdict.game_count)[1:] == [0, 0]


def test_S3_right_left_and_joker_go_to_who_wins_the_trick() -> None:
    """Seat 1 holds both bauers and the joker, and loses all three to A, K and Q."""
    hands = {0: "AS KS QS TS 9S 8S", 1: "JS JC JO 2H 3H 4H"}
    points = assert_accepted(as_dealt(hands)).points
    assert (points["right"], points["left"], points["joker"]) == (0, 0, 0)


def test_S3_each_of_the_three_may_be_won_by_another_team() -> None:
    """In the third trick seat 1 plays the right to the ten, and the others fall under it."""
    hands = {0: "AS KS TS QS 9S 8H", 1: "6S 5S JS 2H 3H 4H", 2: "4S 3S JC 5H 6H 7H"}
    hands |= {3: "2S 7S JO 3C 4C 5C", 4: "8S 7C 8C 6C 9C TC", 5: "2D 3D 4D 5D 6D 7D"}
    record = as_dealt(hands)
    assert trick(record, 2) == "TS JS JC JO 8C 4D"
    points = assert_accepted(record).points
    assert (points["right"], points["left"], points["joker"]) == (1, 1, 1)


def test_S4_game_counts_what_was_won_not_what_was_played() -> None:
    """Seat 1 throws the ten of hearts under the ace: it counts for team 0."""
    hands = {0: TOP, 1: "TH 9H 8H 7H 6H 5H"}
    record = as_dealt(hands)
    assert record["tricks"][0]["cards"][:2] == ["AS", "TH"]
    verdict = assert_accepted(record)
    assert verdict.points["game"] == 0
    played = [card for t in record["tricks"] for card in t["cards"]]
    assert list(verdict.game_count) == [sum(oracle.count_of(card) for card in played), 0, 0]


def test_S4_every_counting_card() -> None:
    """A 4, K 3, Q 2, J 1, 10 ten, joker 1 and nothing else: 81 in the pack."""
    by_rank = {"A": 4, "K": 3, "Q": 2, "J": 1, "T": 10}
    for rank, count in by_rank.items():
        for suit in "CDH":
            if rank + suit == "JC":
                continue
            hands = {0: TOP, 1: f"{rank}{suit} 9H 8H 7H 6H 5H", 2: "JO 9D 8D 7D 6D 5D"}
            hands |= {3: "9S 8S 7S 6S 5S 4S", 4: "3S 2S 4D 3D 2D 2H"}
            hands[5] = "4H 3H 9C 8C 7C 6C"
            verdict = assert_accepted(as_dealt(hands))
            # TOP itself: 4 + 3 + 2 + 1 + 1 + 10, and the joker
            assert list(verdict.game_count) == [21 + 1 + count, 0, 0]
    assert 4 * sum(by_rank.values()) + 1 == 81


@pytest.mark.parametrize("team", [0, 1, 2])
def test_S4_a_wrong_count_is_refused(team: int) -> None:
    record = as_dealt(THREE_ALL)
    broken = with_value(record, ["game_count", team], record["game_count"][team] + 1)
    assert_refused(broken, "S4")


@pytest.mark.parametrize("team", [1, 2, None])
def test_S4_game_to_the_team_that_counts_most(team: int | None) -> None:
    assert_refused(with_value(as_dealt(THREE_ALL), ["points", "game"], team), "S4")


def test_S4_tie_for_most_is_nobodys() -> None:
    record = as_dealt(TIE)
    verdict = assert_accepted(record)
    assert list(verdict.game_count) == [35, 35, 0]
    assert verdict.points == by_points(high=0, low=1, right=0, left=1, joker=1, game=None)
    assert list(verdict.score) == [-3, 3, 0]
    for team in [0, 1, 2]:
        assert_refused(with_value(record, ["points", "game"], team), "S4")


def test_S4_game_tie_bidder() -> None:
    record = as_dealt(TIE, rules={"game_tie": "bidder"})
    verdict = assert_accepted(record)
    assert verdict.points["game"] == 0
    assert list(verdict.score) == [3, 3, 0]
    assert_refused(with_value(record, ["points", "game"], None), "S4")
    assert_refused(with_value(record, ["points", "game"], 1), "S4")


def _random_tie(bidder_in_it: bool, rules: dict[str, Any]) -> Record:
    rng = random.Random(5)
    for _ in range(20_000):
        record = oracle.random_record(rng, {})
        if record["bidder"] is None or record["points"]["game"] is not None:
            continue
        count = record["game_count"]
        if (count[record["bidder"] % 3] == max(count)) == bidder_in_it:
            record["rules"] = rules
            oracle.write_result(record)
            return record
    raise AssertionError("no tie found")


def test_S4_game_tie_bidder_without_the_bidder_in_it() -> None:
    record = _random_tie(False, {"game_tie": "bidder"})
    assert record["points"]["game"] is None
    assert_accepted(record)


def test_S4_a_random_tie_with_the_bidder_in_it() -> None:
    record = _random_tie(True, {"game_tie": "bidder"})
    assert record["points"]["game"] == record["bidder"] % 3
    assert_accepted(record)
    assert assert_accepted(_random_tie(True, {})).points["game"] is None


# (bid, change of score of the bidding team) with five points, and with three
MADE_OR_SET_5 = [(3, 5), (4, 5), (5, 5), (6, -6)]
MADE_OR_SET_3 = [(3, 3), (4, -4), (5, -5), (6, -6)]


@pytest.mark.parametrize(("bid", "change"), MADE_OR_SET_5)
def test_S5_made_scores_all_it_won(bid: int, change: int) -> None:
    record = as_dealt({0: TOP, 1: "9S 8S 7S 6S 5S 2S"}, bid)
    verdict = assert_accepted(record)
    assert list(verdict.score) == [change, 1, 0]
    for wrong in {bid, -bid, change + 1, 0} - {change}:
        assert_refused(with_value(record, ["score", 0], wrong), "S5")


@pytest.mark.parametrize(("bid", "change"), MADE_OR_SET_3)
def test_S5_set_loses_the_bid(bid: int, change: int) -> None:
    record = as_dealt(THREE_ALL, bid)
    verdict = assert_accepted(record)
    assert list(verdict.score) == [change, 3, 0]
    # the points are told as won, even by a team that was set
    assert verdict.points["high"] == verdict.points["right"] == verdict.points["game"] == 0


def test_S5_bid_four_won_four() -> None:
    """As THREE_ALL, but the 2 of trumps is the partner's."""
    hands = THREE_ALL | {3: "5C 4C 3C 2S AD KD", 4: "4S 3S JO 2C AC KC"}
    record = make_record(hands, calls=[4, 0, 0, 0, 0, 0], wishes=hands)
    verdict = assert_accepted(record)
    assert verdict.points["low"] == 0
    won = list(verdict.points.values()).count(0)
    assert verdict.score[0] == (won if won >= 4 else -4)
    assert won == 4


def test_S5_all_six() -> None:
    hands = {0: TOP, 3: "9S 8S 7S 6S 5S 2S"}
    verdict = assert_accepted(as_dealt(hands, 6))
    assert list(verdict.points.values()) == [0] * 6
    assert list(verdict.score) == [6, 0, 0]


def test_S5_the_others_score_in_any_case() -> None:
    record = as_dealt(THREE_ALL, 4)
    assert record["score"] == [-4, 3, 0]
    assert_refused(with_value(record, ["score", 1], 0), "S5")
    assert_refused(with_value(record, ["score", 2], 1), "S5")
    # "total minus mine" would be 6 + 4
    assert_refused(with_value(record, ["score", 1], 10), "S5")


def test_S5_a_list_of_another_length_is_refused() -> None:
    record = as_dealt(THREE_ALL)
    assert_refused(edited(record, lambda r: r["score"].pop()))
    assert_refused(edited(record, lambda r: r["game_count"].append(0)))


@pytest.mark.parametrize("teams", ["3x2", "2x3"])
def test_S_five_card_points_always(teams: str) -> None:
    rng = random.Random(11)
    for _ in range(40):
        record = oracle.random_record(rng, {"teams": teams})
        verdict = assert_accepted(record)
        if verdict.points is not None:
            card_points = [verdict.points[n] for n in oracle.POINT_NAMES if n != "game"]
            assert None not in card_points
            assert sum(verdict.game_count) <= 81
