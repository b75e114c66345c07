"""E1 to E4 and the switches dealer_excess and rest_to: the exchange of cards."""

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
    with_discards,
    with_value,
)

STOCK = "2H 3H 4H 5H 6H 7H 8H JH"  # the top of it; nine diamonds follow


def simple(discards: dict[int, str] | None = None, **more: Any) -> Record:
    return make_record(HANDS, stock=STOCK, discards=discards, **more)


def entry(record: Record, seat: int) -> dict[str, Any]:
    (found,) = [e for e in record["exchange"] if e["seat"] == seat]
    return dict(found)


def test_E1_clockwise_from_the_dealers_left() -> None:
    record = simple({0: "9C 8C", 1: "6C", 3: "TC 3C QD", 4: "9H"})
    assert [e["seat"] for e in record["exchange"]] == [0, 1, 2, 3, 4, 5]
    assert entry(record, 0)["draw"] == cards("2H 3H")
    assert entry(record, 1)["draw"] == cards("4H")
    assert entry(record, 2)["draw"] == []
    assert entry(record, 3)["draw"] == cards("5H 6H 7H")
    assert entry(record, 4)["draw"] == cards("8H")
    assert_accepted(record)


@pytest.mark.parametrize("dealer", oracle.SEATS)
def test_E1_the_order_follows_the_dealer(dealer: int) -> None:
    record = make_record({}, dealer=dealer)
    assert [e["seat"] for e in record["exchange"]] == [(dealer + k) % 6 for k in range(1, 7)]
    assert_accepted(record)


def test_E1_another_order_is_refused() -> None:
    record = simple({0: "9C", 1: "6C"})

    def swap(broken: Record) -> None:
        first, second = broken["exchange"][:2]
        broken["exchange"][:2] = [second, first]

    assert_fault_names(edited(record, swap), "exchange", "E1")


def test_E1_every_player_exactly_once() -> None:
    record = simple()
    assert_fault_names(edited(record, lambda r: r["exchange"].pop(2)), "exchange", "E1")
    twice = with_value(record, ["exchange", 1, "seat"], 0)
    assert_fault_names(twice, "exchange", "E1")


@pytest.mark.parametrize("thrown", ["", "TC", "TC 3C", "TC 3C QD"])
def test_E1_up_to_three_cards(thrown: str) -> None:
    assert_accepted(simple({3: thrown}))


@pytest.mark.parametrize("thrown", ["TC 3C 2C QD", "TC 3C 2C QD TD"])
def test_E1_four_cards_are_too_many(thrown: str) -> None:
    assert_refused(with_discards(simple(), {3: cards(thrown)}), "E1")


@pytest.mark.parametrize(
    ("seat", "thrown"),
    [(0, "9S"), (0, "9C 8C 7S"), (2, "2S"), (3, "JC"), (4, "JO"), (3, "TC JC")],
)
def test_E1_no_trump_may_go(seat: int, thrown: str) -> None:
    """Neither a card of the suit, nor the left bauer, nor the joker."""
    assert_refused(with_discards(simple(), {seat: cards(thrown)}), "E1")


def test_E1_jacks_of_the_other_colour_are_plain() -> None:
    hands = HANDS | {3: "TC 3C 2C JC JH JD"}
    record = make_record(hands, discards={3: "JH JD"})
    assert_accepted(record)


@pytest.mark.parametrize("thrown", ["AC", "2D", "2H"])
def test_E1_only_cards_that_are_held(thrown: str) -> None:
    """AC is in another hand, 2D deep in the stock, 2H is what he is about to draw."""
    broken = with_discards(simple(), {0: [thrown]})
    assert not oracle_accepts_exchange(broken)
    assert_fault_names(broken, "exchange", "E1")


def oracle_accepts_exchange(record: Record) -> bool:
    try:
        oracle.replay({**record, "tricks": None})
    except oracle.Fault:
        return False
    return True


def test_E1_no_card_is_thrown_twice() -> None:
    broken = with_discards(simple(), {0: ["9C", "9C"]})
    assert_fault_names(broken, "exchange", "9C", "E1")


def test_E1_draws_come_from_the_top_of_the_stock() -> None:
    record = simple({0: "9C 8C", 1: "6C"})
    draw = ["exchange", 0, "draw"]
    assert_refused(with_value(record, draw, cards("3H 2H")), "E1")
    assert_refused(with_value(record, draw, cards("2H 4H")), "E1")
    assert_refused(with_value(record, draw, cards("2H")), "E1")
    assert_refused(with_value(record, draw, cards("2H 3H 4H")), "E1")
    assert_refused(with_value(record, ["exchange", 2, "draw"], ["5H"]), "E1")


def test_E1_one_player_completes_before_the_next() -> None:
    """Dealing one card each by turns would give seat 0 the first and the third card."""
    record = simple({0: "9C 8C", 1: "6C"})

    def by_turns(broken: Record) -> None:
        broken["exchange"][0]["draw"] = cards("2H 4H")
        broken["exchange"][1]["draw"] = cards("3H")

    assert_refused(edited(record, by_turns), "E1")


def test_E1_fifteen_cards_drawn_leave_two_for_the_dealer() -> None:
    hands = {
        0: "9C 8C 7C 9S 8S 7S",
        1: "6C 5C 4C TS 6S 5S",
        2: "AC KC QC 4S 3S 2S",
        3: "TC 3C 2C JC QD TD",
        4: "JO AH KH QH TH 9H",
        5: "AS KS QS JS AD KD",
    }
    thrown = {0: "9C 8C 7C", 1: "6C 5C 4C", 2: "AC KC QC", 3: "TC 3C 2C", 4: "AH KH QH"}
    record = make_record(hands, stock=STOCK, discards=thrown)
    assert len(entry(record, 5)["draw"]) == len(entry(record, 5)["discard"]) == 2
    assert_accepted(record)


def test_E2_the_dealer_takes_all_the_rest() -> None:
    record = simple({0: "9C 8C"})
    assert entry(record, 5)["draw"] == record["stock"][2:]
    assert_accepted(record)
    last = ["exchange", 5, "draw"]
    assert_refused(with_value(record, last, record["stock"][3:]), "E2")
    assert_refused(with_value(record, last, record["stock"][2:-1]), "E2")
    assert_refused(with_value(record, last, record["stock"][2:][::-1]), "E2")
    assert_refused(with_value(record, last, []), "E2")


def test_E2_he_discards_back_to_six() -> None:
    record = simple()
    thrown = entry(record, 5)["discard"]
    assert len(thrown) == 17
    assert_refused(with_discards(record, {5: thrown[:-1]}), "E2")
    assert_refused(with_discards(record, {5: [*thrown, "AD"]}), "E2")
    assert_refused(with_discards(record, {5: []}), "E2")


def test_E2_only_cards_that_he_holds() -> None:
    record = simple()
    thrown = entry(record, 5)["discard"]
    assert_fault_names(with_discards(record, {5: [*thrown[:-1], "AC"]}), "exchange", "E2")
    assert_fault_names(with_discards(record, {5: [*thrown[:-1], thrown[0]]}), "exchange", "E2")


def test_E2_he_may_throw_what_he_picked_up_and_what_he_was_dealt() -> None:
    record = simple()
    thrown = entry(record, 5)["discard"]
    assert_accepted(simple({5: " ".join([*thrown[2:], "AD", "KD"])}))


# Seat 5 deals, holds six trumps and picks up five more: eleven, so five of them must go.
MANY = {
    0: "2S JC 3S JO AC KC",
    1: "QC TC 9C 8C 7C 6C",
    2: "5C 4C 3C 2C AH KH",
    3: "QH JH TH 9H 8H 7H",
    4: "6H 5H 4H 3H 2H AD",
    5: "AS KS QS JS TS 9S",
}
MANY_STOCK = "8S 7S 6S 5S 4S KD QD JD TD 9D 8D 7D 6D 5D 4D 3D 2D"
FREE = {"dealer_excess": "free"}


def thrown_by_keeping(kept: str, hand: str = MANY[5], stock: str = MANY_STOCK) -> str:
    return " ".join(card for card in cards(hand) + cards(stock) if card not in cards(kept))


def many(kept: str, rules: dict[str, Any] | None = None) -> Record:
    """The dealer keeps these six, which must be legal."""
    thrown = {5: thrown_by_keeping(kept)}
    return make_record(MANY, stock=MANY_STOCK, discards=thrown, rules=rules)


def many_broken(kept: str, rules: dict[str, Any] | None = None) -> Record:
    """The dealer keeps these cards, legal or not."""
    good = many("AS KS QS JS TS 9S", rules)
    return with_discards(good, {5: cards(thrown_by_keeping(kept))})


@pytest.mark.parametrize("kept", ["AS KS QS JS TS 9S", "AS JS 8S 7S 6S 5S", "AS JS KS 6S 5S 4S"])
def test_E3_the_excess_goes_and_he_chooses_which(kept: str) -> None:
    assert_accepted(many(kept))
    assert_accepted(many(kept, FREE))


@pytest.mark.parametrize(
    "kept", ["AS KS QS JS TS KD", "AS JS KD QD JD TD", "AS KS QS JS KD QD", "AS JS 9S 8S 7S 2D"]
)
def test_E3_minimum_keeps_exactly_six_trumps(kept: str) -> None:
    assert_refused(many_broken(kept), "E3")


@pytest.mark.parametrize(
    "kept", ["AS KS QS JS TS KD", "AS JS KD QD JD TD", "AS KS QS JS KD QD", "AS JS 9S 8S 7S 2D"]
)
def test_E3_free_lets_any_unprotected_trump_go(kept: str) -> None:
    assert_accepted(many(kept, FREE))


@pytest.mark.parametrize("rules", [{}, FREE])
@pytest.mark.parametrize("kept", ["KS QS JS TS 9S 8S", "AS KS QS TS 9S 8S", "KS QS TS 9S 8S 7S"])
def test_E3_never_the_ace_or_the_right(kept: str, rules: dict[str, Any]) -> None:
    assert_refused(many_broken(kept, rules), "E3")


@pytest.mark.parametrize("rules", [{}, FREE])
@pytest.mark.parametrize("protected", ["AS", "JS", "JC", "2S", "JO"])
def test_E3_each_of_the_five_is_protected(protected: str, rules: dict[str, Any]) -> None:
    """The dealer holds this one card and six others that may go, and wants to throw it."""
    five = cards("AS JS JC 2S JO")
    five.remove(protected)
    hand, stock = f"{protected} KS QS TS 9S 8S", "7S KD QD JD TD 9D 8D 7D 6D 5D 4D 3D 2D"
    hands = {0: " ".join(five), 5: hand}
    good = make_record(hands, stock=stock, rules=rules, fill=[0, 1, 2, 3, 4])
    held = good["hands"][5] + good["stock"]
    assert len(oracle.trump_cards(held, "S")) == 7
    assert_accepted(good)
    kept = cards("KS QS TS 9S 8S 7S")
    thrown = [card for card in held if card not in kept]
    assert_refused(with_discards(good, {5: thrown}), "E3")


@pytest.mark.parametrize("rules", [{}, FREE])
def test_E3_six_trumps_are_not_more_than_six(rules: dict[str, Any]) -> None:
    """With five or with just six trumps he may not keep the 9H he picks up for the TS."""
    for hand, trumps in [("AS KS QS JS TS 2C", 5), ("AS KS QS JS TS 9S", 6)]:
        good = make_record({5: hand}, stock="9H", rules=rules, fill=[0, 1, 2, 3, 4])
        held = good["hands"][5] + good["stock"]
        assert len(oracle.trump_cards(held, "S")) == trumps
        assert_accepted(good)
        kept = [card for card in cards(hand) if card != "TS"] + ["9H"]
        thrown = [card for card in held if card not in kept]
        assert_refused(with_discards(good, {5: thrown}), "E3")


def test_E3_seven_trumps_lose_one() -> None:
    hand, stock = "AS JS JC 2S JO KS", "QS KD QD JD TD 9D 8D 7D 6D 5D 4D 3D 2D"
    good = make_record({5: hand}, stock=stock, fill=[0, 1, 2, 3, 4])
    held = good["hands"][5] + good["stock"]
    assert len(oracle.trump_cards(held, "S")) == 7
    for gone in ["KS", "QS"]:
        thrown = [card for card in held if not oracle.is_trump(card, "S")] + [gone]
        assert_accepted(
            make_record(
                {5: hand}, stock=stock, fill=[0, 1, 2, 3, 4], discards={5: " ".join(thrown)}
            )
        )
    both = [card for card in held if card not in cards("AS JS JC 2S JO KD")]
    assert {"KS", "QS"} < set(both)
    assert_refused(with_discards(good, {5: both}), "E3")


@pytest.mark.parametrize("kept", ["2D 3D", "AD KD", "2H JH", "AD 2H"])
def test_E4_any_plain_cards_may_be_kept(kept: str) -> None:
    record = simple()
    held = record["hands"][5] + record["stock"]
    keep = cards("AS KS QS JS " + kept)
    thrown = [card for card in held if card not in keep]
    assert_accepted(simple({5: " ".join(thrown)}))


@pytest.mark.parametrize("kept", ["2D 3D", "AD KD"])
def test_E4_cards_out_of_play_count_for_nobody(kept: str) -> None:
    """Thrown: all seventeen but `kept`; the counting cards in them are missing from 81."""
    record = simple()
    held = record["hands"][5] + record["stock"]
    thrown = [card for card in held if card not in cards("AS KS QS JS " + kept)]
    verdict = assert_accepted(simple({5: " ".join(thrown)}))
    # JH and JD are in the stock in either case; AD and KD are seven more
    missing = 2 if kept == "AD KD" else 2 + 7
    assert sum(verdict.game_count) == 81 - missing


REST = {"rest_to": "bidder"}


def rest(discards: dict[int, str] | None = None, **more: Any) -> Record:
    """Seat 1 bids and takes the rest; seat 5 deals."""
    return simple(discards, rules=REST, calls=[0, 3, 0, 0, 0, 0], **more)


def test_rest_to_bidder_E1_the_bidder_is_skipped() -> None:
    record = rest({0: "9C 8C", 2: "AC", 5: "AD KD"})
    assert [e["seat"] for e in record["exchange"]] == [0, 2, 3, 4, 5, 1]
    assert entry(record, 0)["draw"] == cards("2H 3H")
    assert entry(record, 2)["draw"] == cards("4H")
    assert entry(record, 5)["draw"] == cards("5H 6H")
    assert entry(record, 1)["draw"] == record["stock"][5:]
    assert_accepted(record)


def test_rest_to_bidder_E1_holds_for_the_dealer() -> None:
    assert_refused(with_discards(rest(), {5: ["KS"]}), "E1")
    hands = HANDS | {5: "AS KS QC JD AD KD", 2: "AC KC QS 4S 3S 2S", 4: "JO AH KH QH JS 9H"}
    good = make_record(hands, rules=REST, calls=[0, 3, 0, 0, 0, 0])
    assert_accepted(good)
    assert_refused(with_discards(good, {5: cards("QC JD AD KD")}), "E1")


def test_rest_to_bidder_E2_the_bidder_discards_back_to_six() -> None:
    record = rest()
    assert len(entry(record, 1)["draw"]) == 17
    thrown = entry(record, 1)["discard"]
    assert_refused(with_discards(record, {1: thrown[:-1]}), "E2")
    assert_refused(with_value(record, ["exchange", 5, "draw"], record["stock"][:-1]), "E2")


def test_rest_to_bidder_E3_speaks_of_the_bidder() -> None:
    record = rest()
    held = record["hands"][1] + record["stock"]
    thrown = [card for card in held if card not in cards("TS 6S 6C 5C 4C 2H")]
    assert_refused(with_discards(record, {1: thrown}), "E3")


def test_rest_to_bidder_E3_excess_of_the_bidder() -> None:
    hands = {seat: MANY[(seat - 1) % 6] for seat in oracle.SEATS}  # the trumps now in seat 0
    good = make_record(hands, stock=MANY_STOCK, rules=REST)
    assert (good["bidder"], good["dealer"]) == (0, 5)
    assert_accepted(good)
    kept = cards("AS KS QS JS TS KD")
    thrown = [card for card in cards(hands[0] + " " + MANY_STOCK) if card not in kept]
    assert_refused(with_discards(good, {0: thrown}), "E3")
    free = make_record(hands, stock=MANY_STOCK, rules=REST | FREE, discards={0: " ".join(thrown)})
    assert_accepted(free)


def test_rest_to_dealer_and_bidder_are_told_apart() -> None:
    by_bidder, by_dealer = rest(), simple(calls=[0, 3, 0, 0, 0, 0])
    assert_refused(with_value(by_bidder, ["rules"], {}), "E1", "E2")
    assert_refused(with_value(by_dealer, ["rules"], REST), "E1", "E2")


def test_rest_to_bidder_changes_nothing_if_he_deals() -> None:
    calls = [0, 0, 0, 0, 0, 3]
    usual = simple({0: "9C"}, calls=calls)
    other = simple({0: "9C"}, calls=calls, rules=REST)
    assert other == {**usual, "rules": REST}
    assert assert_accepted(usual).score == assert_accepted(other).score
