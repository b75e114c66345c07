"""P1 to P3 and R1, R2: players, pack, deal and the order of the cards."""

# Tests carry the ids of the clauses in capitals.

from __future__ import annotations

import itertools

import oracle
import pytest
from handmade import (
    HANDS,
    Record,
    assert_accepted,
    assert_fault_names,
    assert_game_accepted,
    assert_game_refused,
    assert_refused,
    cards,
    edited,
    make_game,
    make_record,
    trick,
    with_value,
)

RED_SUITS_AND_BLACK = [("S", "H"), ("H", "C"), ("D", "S"), ("C", "D")]


def test_P1_seat_5_belongs_to_team_2() -> None:
    record = make_record(HANDS, wishes={0: "9C", 4: "JO", 5: "AS"})
    assert trick(record, 0) == "9C 6C AC TC JO AS"
    verdict = assert_accepted(record)
    assert verdict.points["joker"] == 2
    assert verdict.points["high"] == 2
    assert len(verdict.score) == 3


def test_P1_two_teams_of_three_alternate() -> None:
    record = make_record(HANDS, rules={"teams": "2x3"}, wishes={0: "9C", 4: "JO", 5: "AS"})
    verdict = assert_accepted(record)
    assert verdict.points["joker"] == 1
    assert len(verdict.score) == len(verdict.game_count) == 2


@pytest.mark.parametrize("seat", oracle.SEATS)
@pytest.mark.parametrize(("teams", "number"), [("3x2", 3), ("2x3", 2)])
def test_P1_every_seat_scores_for_its_team(seat: int, teams: str, number: int) -> None:
    """The bidder with the six highest trumps wins everything for his own team."""
    dealer = (seat + 5) % 6
    hands = {seat: "AS KS QS JS JC TS"}
    others = [other for other in oracle.SEATS if other != seat]
    record = make_record(hands, dealer=dealer, rules={"teams": teams}, fill=others)
    verdict = assert_accepted(record)
    team = seat % number
    won = [verdict.points[name] for name in ["high", "right", "left", "joker", "game"]]
    assert won == [team] * 5
    assert [count > 0 for count in verdict.game_count] == [t == team for t in range(number)]


def test_P1_a_team_number_of_the_other_switch_is_refused() -> None:
    record = make_record(HANDS, rules={"teams": "2x3"}, wishes={0: "9C", 4: "JO", 5: "AS"})
    assert_refused(with_value(record, ["points", "joker"], 2), "S3")


@pytest.mark.parametrize("dealer", [6, -1, "5", True, None])
def test_P1_dealer_is_a_seat(dealer: object) -> None:
    assert_fault_names(with_value(make_record(HANDS), ["dealer"], dealer), "dealer")


@pytest.mark.parametrize("place", [["hands", 3, 0], ["stock", 4]])
@pytest.mark.parametrize("card", ["AS", "JO"])
def test_P2_no_card_is_dealt_twice(place: list[object], card: str) -> None:
    assert_fault_names(with_value(make_record(HANDS), place, card), card)


@pytest.mark.parametrize("seat", [0, 5])
def test_P2_six_cards_to_each(seat: int) -> None:
    record = make_record(HANDS)
    assert_fault_names(edited(record, lambda r: r["hands"][seat].pop()), "hands")
    assert_fault_names(edited(record, lambda r: r["hands"][seat].append("2H")), "hands")


def test_P2_seventeen_cards_in_the_stock() -> None:
    record = make_record(HANDS)
    assert_fault_names(edited(record, lambda r: r["stock"].pop()), "stock")
    assert_fault_names(edited(record, lambda r: r["stock"].append("AS")), "stock")


def test_P2_a_hand_for_every_seat() -> None:
    assert_fault_names(edited(make_record(HANDS), lambda r: r["hands"].pop()), "hands")


STEPS = [(0, 3, (3, 2, 1)), (1, 3, (2, 3, 1)), (0, 3, (3, 2, 1))]


@pytest.mark.parametrize("dealer", oracle.SEATS)
def test_P3_the_deal_passes_left(dealer: int) -> None:
    game = make_game(list(STEPS), dealer=dealer)
    assert [record["dealer"] for record in game] == [(dealer + step) % 6 for step in range(3)]
    assert_game_accepted(game)


@pytest.mark.parametrize("step", [0, 2, 5])
def test_P3_another_dealer_is_refused(step: int) -> None:
    first = make_game(STEPS[:1], dealer=4)
    stranger = make_game(STEPS[:2], dealer=(4 + step + 5) % 6)[1]
    assert stranger["dealer"] == (4 + step) % 6
    assert_game_refused([*first, stranger], 2, "P3")


def test_P3_the_same_dealer_after_a_thrown_in_deal_is_no_fault() -> None:
    game = make_game([None, STEPS[0]])
    assert [record["dealer"] for record in game] == [5, 5]
    assert_game_accepted(game)


def _two_trumps_record(first: str, second: str, trump: str, plain: str) -> Record:
    """Seat 0 leads a plain suit; void in it, seat 1 plays one trump and seat 2 the other."""
    rest = [c for c in oracle.trumps_high_to_low(trump) if c not in (first, second)]
    club = [card for card in oracle.PACK if card[1] == plain and card[0] in "9876"]
    hands = {
        0: f"{club[0]} {rest[0]}",
        1: " ".join([first, *rest[1:6]]),
        2: " ".join([second, *rest[6:11]]),
        3: f"{club[1]} {rest[11]}",
        4: f"{club[2]} {rest[12]}",
        5: f"{club[3]}",
    }
    wishes = {0: club[0], 1: first, 2: second}
    return make_record(hands, trump=trump, wishes=wishes)


@pytest.mark.parametrize(("trump", "plain"), RED_SUITS_AND_BLACK)
def test_R1_each_trump_beats_the_next(trump: str, plain: str) -> None:
    left = "J" + {"S": "C", "C": "S", "H": "D", "D": "H"}[trump]
    order = [r + trump for r in "AKQJ"] + [left] + [r + trump for r in "T98765432"] + ["JO"]
    assert len(order) == 15
    for high, low in itertools.pairwise(order):
        for pair in [(high, low), (low, high)]:
            record = _two_trumps_record(*pair, trump, plain)
            assert cards(trick(record, 0))[1:3] == list(pair)
            winner = 1 if pair[0] == high else 2
            assert record["tricks"][0]["winner"] == winner
            assert_accepted(record)
            assert_refused(with_value(record, ["tricks", 0, "winner"], 3 - winner), "T3")


def test_R1_every_pair_of_trumps_has_a_winner() -> None:
    order = cards("AS KS QS JS JC TS 9S 8S 7S 6S 5S 4S 3S 2S JO")
    for high, low in itertools.combinations(order, 2):
        record = _two_trumps_record(low, high, "S", "H")
        assert record["tricks"][0]["winner"] == 2
        assert_accepted(record)


def test_R1_the_joker_beats_every_plain_card() -> None:
    hands = HANDS | {4: "JO AH KH QH TH 9H", 5: "2D AS KS QS JS AD"}
    record = make_record(hands, wishes={0: "9C", 2: "AC", 4: "JO", 5: "2D"})
    assert trick(record, 0) == "9C 6C AC TC JO 2D"
    assert record["tricks"][0]["winner"] == 4
    assert_accepted(record)


def _two_plain_record(first: str, second: str, trump: str) -> Record:
    """Seat 0 leads the one, seat 1 plays the other; the four others are void and throw off."""
    trumps = oracle.trumps_high_to_low(trump)
    suit = first[1]
    others = [c for c in oracle.plain_cards(oracle.PACK, trump) if c[1] != suit]
    hands = {
        0: " ".join([first, *trumps[:5]]),
        1: " ".join([second, *trumps[5:10]]),
        2: " ".join([*trumps[10:12], *others[:4]]),
        3: " ".join([*trumps[12:], *others[4:7]]),
        4: " ".join(others[7:13]),
        5: " ".join(others[13:19]),
    }
    wishes = {0: first, 1: second, 2: " ".join(others), 3: " ".join(others)}
    return make_record(hands, trump=trump, wishes=wishes)


@pytest.mark.parametrize(
    ("trump", "suit", "ranks"),
    [
        ("S", "H", "AKQJT98765432"),
        ("S", "D", "AKQJT98765432"),
        ("S", "C", "AKQT98765432"),  # the jack of clubs is the left bauer
        ("H", "D", "AKQT98765432"),
        ("D", "H", "AKQT98765432"),
        ("C", "S", "AKQT98765432"),
        ("C", "D", "AKQJT98765432"),
    ],
)
def test_R2_each_plain_card_beats_the_next(trump: str, suit: str, ranks: str) -> None:
    for high, low in itertools.pairwise(ranks):
        for pair in [(high + suit, low + suit), (low + suit, high + suit)]:
            record = _two_plain_record(*pair, trump)
            assert cards(trick(record, 0))[:2] == list(pair)
            winner = 0 if pair[0][0] == high else 1
            assert record["tricks"][0]["winner"] == winner
            assert_accepted(record)
            assert_refused(with_value(record, ["tricks", 0, "winner"], 1 - winner), "T3")


def test_R2_the_other_jack_of_the_colour_is_no_plain_card() -> None:
    """Seat 3 holds only the left bauer in 'clubs' and is void when clubs are led."""
    hands = HANDS | {3: "JC 9D 8D 7D QD TD"}
    record = make_record(hands, wishes={0: "9C", 3: "9D"})
    assert cards(trick(record, 0))[3] == "9D"
    assert_accepted(record)
