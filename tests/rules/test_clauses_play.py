"""T1 to T3 and the switches first_lead and trump_anytime: leading, following, winning."""

# Tests carry the ids of the clauses in capitals.

from __future__ import annotations

from typing import Any

import oracle
import pytest
from handmade import (
    HANDS,
    Record,
    assert_accepted,
    assert_fault_names,
    assert_refused,
    cards,
    edited,
    make_record,
    trick,
    winners_of,
    with_play_swapped,
    with_value,
    without_result,
)


def simple(wishes: dict[int, str] | None = None, **more: Any) -> Record:
    return make_record(HANDS, wishes=wishes, **more)


@pytest.mark.parametrize("bidder", [0, 2, 5])
def test_T1_the_bidder_leads(bidder: int) -> None:
    calls = [3 if seat == bidder else 0 for seat in range(6)]
    record = simple(calls=calls)
    assert record["tricks"][0]["leader"] == bidder
    assert_accepted(record)
    assert_refused(with_value(record, ["tricks", 0, "leader"], (bidder + 1) % 6), "T1")


def test_T1_play_goes_clockwise() -> None:
    """The same six cards laid down anticlockwise are not the hands that were dealt."""
    record = simple()

    def turn(broken: Record) -> None:
        first = broken["tricks"][0]["cards"]
        broken["tricks"][0]["cards"] = [first[0], *first[:0:-1]]

    assert_fault_names(edited(record, turn), "tricks[0]")


@pytest.mark.parametrize("lead", cards(HANDS[0]))
def test_T1_any_card_may_be_led(lead: str) -> None:
    record = simple({0: lead})
    assert record["tricks"][0]["cards"][0] == lead
    assert_accepted(record)


TRUMP_LEAD = {"first_lead": "trump"}


@pytest.mark.parametrize("lead", cards(HANDS[0]))
def test_T1_first_lead_trump(lead: str) -> None:
    record = simple({0: lead})
    switched = with_value(record, ["rules"], TRUMP_LEAD)
    if lead.endswith("S"):
        assert_accepted(switched)
    else:
        assert_refused(switched, "T1")


@pytest.mark.parametrize(("seat", "lead", "plain"), [(3, "JC", "QD"), (4, "JO", "AH")])
def test_T1_first_lead_trump_counts_left_and_joker(seat: int, lead: str, plain: str) -> None:
    calls = [3 if s == seat else 0 for s in range(6)]
    record = simple({seat: lead}, calls=calls, rules=TRUMP_LEAD)
    assert record["tricks"][0]["cards"][0] == lead
    assert_accepted(record)
    free = simple({seat: plain}, calls=calls)
    assert_refused(with_value(free, ["rules"], TRUMP_LEAD), "T1")


def test_T1_first_lead_trump_without_one() -> None:
    hands = HANDS | {3: "TC 3C 2C QD TD 9D", 5: "AS KS QS JS JC KD"}
    record = make_record(hands, calls=[0, 0, 0, 3, 0, 0], rules=TRUMP_LEAD, wishes={3: "9D"})
    assert record["tricks"][0]["cards"][0] == "9D"
    assert_accepted(record)


def test_T1_first_lead_trump_binds_the_first_trick_only() -> None:
    hands = HANDS | {0: "AS JS 7C 9S 8S 7S", 5: "8C KS QS 9C AD KD"}
    record = make_record(hands, rules=TRUMP_LEAD, wishes={0: "AS 7C"})
    assert record["tricks"][1]["cards"][0] == "7C"
    assert_accepted(record)


def test_T1_six_tricks() -> None:
    record = simple()
    again = edited(record, lambda r: r["tricks"].append(r["tricks"][0]))
    assert_fault_names(again, "tricks")
    short = edited(record, lambda r: r["tricks"].pop())
    assert_fault_names(short, "tricks", "points", "score", "game_count")


@pytest.mark.parametrize("number", [0, 1, 5])
def test_T1_an_unfinished_hand_has_no_result_and_no_fault(number: int) -> None:
    record = without_result(simple())
    record["tricks"] = record["tricks"][:number]
    verdict = assert_accepted(record)
    assert verdict.points is None
    assert verdict.score is None
    assert verdict.game_count is None


@pytest.mark.parametrize("length", [1, 3, 5])
def test_T1_an_unfinished_last_trick_has_no_winner(length: int) -> None:
    record = without_result(simple())
    last = record["tricks"][2]
    record["tricks"] = record["tricks"][:2]
    record["tricks"].append({"leader": last["leader"], "cards": last["cards"][:length]})
    assert assert_accepted(record).score is None
    record["tricks"][2]["winner"] = last["winner"]
    assert_fault_names(record, "tricks[2]")


def test_T1_only_the_last_trick_may_be_unfinished() -> None:
    record = simple()
    assert_fault_names(edited(record, lambda r: r["tricks"][3]["cards"].pop()), "tricks[")


def test_T1_a_trick_has_no_seventh_card() -> None:
    record = simple()
    assert_fault_names(
        edited(record, lambda r: r["tricks"][0]["cards"].append("2H")), "tricks[0]", "2H"
    )


def test_T1_a_hand_without_tricks_is_no_fault() -> None:
    record = simple()
    for field in ["tricks", "points", "game_count", "score"]:
        del record[field]
    assert assert_accepted(record).score is None


# ---------------------------------------------------------------- T2

# (trump, card led by seat 0, the six cards of seat 1, what seat 1 may play)
FOLLOW = [
    # the left jack is no card of its printed suit: void in diamonds, all six
    ("H", "3D", "JD 2S 3S 4S 5S 6S", "JD 2S 3S 4S 5S 6S"),
    # the left jack led is a trump lead, not a heart lead
    ("D", "JH", "2H 2S 3S 4S 5S 6S", "2H 2S 3S 4S 5S 6S"),
    ("D", "JH", "2H 2S 3S 4S 5S 4D", "4D"),
    # the left jack is no club
    ("S", "9C", "6H 7H TS JC QD 8H", "6H 7H TS JC QD 8H"),
    ("S", "9C", "6C 7H TS JC QD 8H", "6C"),
    # the joker follows trumps and only trumps
    ("S", "9S", "JO 6C 7C 8C 2D 3D", "JO"),
    ("S", "9C", "JO 6C 7C 2D 3D 4D", "6C 7C"),
    ("S", "9C", "JO 2S 6H 2D 3D 4D", "JO 2S 6H 2D 3D 4D"),
    # the left follows trumps, as one of several
    ("S", "9S", "JC 2S 6C 2D 3D 4D", "JC 2S"),
    ("C", "9C", "JS 6S 2S 2D 3D 4D", "JS"),
    # the joker led is a trump lead
    ("S", "JO", "2S KH 6C 2D 3D 4D", "2S"),
    ("H", "JO", "JD KD 6C 2D 3D 4S", "JD"),
    ("S", "JO", "KH 6C 2D 3D 4D 5D", "KH 6C 2D 3D 4D 5D"),
    # the other two jacks are plain
    ("S", "9H", "JH 2S JD 2D 3D 4D", "JH"),
    ("S", "9D", "JH 2S JC 2C 3C 4C", "JH 2S JC 2C 3C 4C"),
    # no duty to win or to trump
    ("S", "TD", "AD 2D JS AS 3C 4C", "AD 2D"),
]


def follow_record(
    trump: str, led: str, hand: str, card: str, rules: dict[str, Any] | None = None
) -> Record:
    """Seat 1 plays the card to the lead of seat 0, by the rules or against them."""
    others = [0, 2, 3, 4, 5]
    hands = {0: led, 1: hand}
    wishes = {0: led, 1: card}
    record = make_record(hands, trump=trump, wishes=wishes, fill=others, rules=rules)
    played = record["tricks"][0]["cards"][1]
    if played != card:
        record = with_play_swapped(record, played, card)
    return record


@pytest.mark.parametrize(("trump", "led", "hand", "legal"), FOLLOW)
def test_T2_follow_suit_if_able(trump: str, led: str, hand: str, legal: str) -> None:
    for card in cards(hand):
        record = follow_record(trump, led, hand, card)
        assert record["tricks"][0]["cards"][:2] == [led, card]
        if card in cards(legal):
            assert_accepted(record)
        else:
            assert_refused(record, "T2")


def test_T2_left_bauer_follows_trump() -> None:
    assert_refused(follow_record("S", "9S", "JC 6C 7C 2D 3D 4D", "6C"), "T2")


def test_T2_the_fault_names_trick_seat_and_card() -> None:
    assert_fault_names(follow_record("S", "9S", "JC 6C 7C 2D 3D 4D", "6C"), "tricks[0]: seat 1")


def test_T2_the_suit_led_is_the_one_of_this_trick() -> None:
    """Hearts were led before, now KD: who holds 3D and 9H has to play 3D."""
    hands = {0: "AH KD 2C 3C 4C 5C", 1: "2H 9H 3D 6C 7C 8C", 2: "3H", 3: "4H", 4: "5H"}
    hands[5] = "6H AS KS QS JS JC"
    record = make_record(hands, wishes={0: "AH KD", 1: "2H 3D"})
    assert trick(record, 0) == "AH 2H 3H 4H 5H 6H"
    assert trick(record, 1).split()[:2] == ["KD", "3D"]
    assert_accepted(record)
    assert_refused(with_play_swapped(record, "3D", "9H"), "T2")


@pytest.mark.parametrize("number", range(5))
def test_T2_a_revoke_in_any_trick(number: int) -> None:
    """Six trumps are led from the top; seat 1 has five to follow with, and 2H."""
    hands = {0: "AS KS QS JS JC TS", 1: "9S 8S 7S 6S 5S 2H"}
    record = make_record(hands)
    assert winners_of(record) == [0] * 6
    assert [place(record, n, 1) for n in range(6)] == cards("9S 8S 7S 6S 5S 2H")
    assert_accepted(record)
    assert_refused(with_play_swapped(record, place(record, number, 1), "2H"), "T2")


def place(record: Record, number: int, seat: int) -> str:
    played = record["tricks"][number]
    return str(played["cards"][(seat - played["leader"]) % 6])


def test_T2_only_cards_that_are_held() -> None:
    record = simple({0: "9C"})
    for card in ["AC", "2H"]:  # in another hand, and out of play
        broken = with_value(record, ["tricks", 0, "cards", 1], card)
        assert_fault_names(broken, "tricks[0]")


def test_T2_no_card_is_played_twice() -> None:
    record = simple()
    first = place(record, 0, 3)
    number = 5
    played = record["tricks"][number]
    where = (3 - played["leader"]) % 6
    broken = with_value(record, ["tricks", number, "cards", where], first)
    assert_fault_names(broken, f"tricks[{number}]")


ANYTIME = {"trump_anytime": True}


@pytest.mark.parametrize(
    ("led", "hand", "legal"),
    [
        ("9C", "6C 7C TS JC JO QD", "6C 7C TS JC JO"),
        ("9C", "6C TS 2S JO QD KH", "6C TS 2S JO"),
        ("9C", "TS JC QD KH 2H 3H", "TS JC QD KH 2H 3H"),
        ("9S", "6C JC QD KH 2H 3H", "JC"),
        ("9S", "2S JO QD KH 2H 3H", "2S JO"),
    ],
)
def test_T2_trump_anytime(led: str, hand: str, legal: str) -> None:
    for card in cards(hand):
        record = follow_record("S", led, hand, card, ANYTIME)
        if card in cards(legal):
            assert_accepted(record)
        else:
            assert_refused(record, "T2")


@pytest.mark.parametrize("card", ["TS", "JC", "JO"])
def test_T2_trump_anytime_is_off(card: str) -> None:
    switched = follow_record("S", "9C", "6C 7C TS JC JO QD", card, ANYTIME)
    assert_accepted(switched)
    assert_refused(with_value(switched, ["rules"], {}), "T2")


# ---------------------------------------------------------------- T3

# (trump, the six cards of the first trick from seat 0 on, the seat that wins it)
WON = [
    # bauers, ten and queen: A K Q R L 10
    ("D", "6C TD JD 2S 3S 4S", 2),
    ("D", "TD JH 9D 3S 4S 2D", 1),
    ("D", "QD JD 9D 3S 4S 2D", 0),
    ("S", "2S JC TS AH AD 3S", 1),
    ("S", "JS AS KS AH AD 2S", 1),
    ("C", "JS JC QC AH AD 2C", 2),
    # any trump beats the suit led
    ("S", "AC KC JO 2C 3C 4C", 2),
    ("S", "AC 2C 3C 4C 5C JO", 5),
    ("S", "AC 2S JO 2C 3C 4C", 1),
    ("S", "AC JO 2S 2C 3C 4C", 2),
    ("H", "2D AS JD AD KD QD", 2),
    # the joker is the lowest trump, also when it is led
    ("S", "JO AH 3S 2H 3H 2S", 2),
    ("S", "JO 2S AH AD KH 3S", 5),
    # a card of another suit cannot win
    ("H", "5C AS 2S 4D 3C 6D", 0),
    ("H", "5C AS 6C 4D 3C 6D", 2),
    ("S", "2H AD AC KD KC 3H", 5),
    ("C", "KH QH AH TH 2H 3H", 2),
]


def trick_record(trump: str, played: list[str]) -> Record:
    """Just these cards fall in the first trick.

    Nobody who does not follow holds the suit led; no trump lies in the stock.
    """
    free = [card for card in oracle.PACK if card not in played]
    trumps, plain = oracle.trump_cards(free, trump), oracle.plain_cards(free, trump)
    suit_led = oracle.suit_of(played[0], trump)
    others = [card for card in plain if card[1] != suit_led]
    hands: dict[int, str] = {}
    for seat, card in enumerate(played):
        may_hold_trumps = suit_led != trump or oracle.is_trump(card, trump)
        pool = trumps + others if may_hold_trumps else others
        five = pool[:5]
        hands[seat] = " ".join([card, *five])
        trumps = [c for c in trumps if c not in five]
        others = [c for c in others if c not in five]
    assert trumps == []
    return make_record(hands, trump=trump, wishes=dict(enumerate(played)))


@pytest.mark.parametrize(("trump", "played", "winner"), WON)
def test_T3_who_wins(trump: str, played: str, winner: int) -> None:
    record = trick_record(trump, cards(played))
    assert trick(record, 0) == played
    assert record["tricks"][0]["winner"] == winner
    assert_accepted(record)


def test_T3_the_last_trick_names_its_winner_too() -> None:
    record = make_record({0: "AS KS QS JS JC TS"})
    assert winners_of(record) == [0] * 6
    assert_accepted(record)
    del record["tricks"][5]["winner"]
    assert_fault_names(record, "tricks[5]")


def test_T3_the_winner_leads_next() -> None:
    record = simple({0: "9C", 4: "JO", 5: "AS"})
    assert winners_of(record)[0] == 5
    assert record["tricks"][1]["leader"] == 5
    assert_accepted(record)
    assert_refused(with_value(record, ["tricks", 1, "leader"], 0), "T1", "T3")


@pytest.mark.parametrize("number", range(6))
def test_T3_a_wrong_winner_is_refused_in_every_trick(number: int) -> None:
    record = simple()
    right = record["tricks"][number]["winner"]
    for seat in range(6):
        if seat != right:
            assert_refused(with_value(record, ["tricks", number, "winner"], seat), "T3")
