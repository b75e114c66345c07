"""A1 to A5: the auction, its switches and parameters."""

# Tests carry the ids of the clauses in capitals.

from __future__ import annotations

from typing import Any

import oracle
import pytest
from handmade import (
    assert_accepted,
    assert_fault_names,
    assert_game_accepted,
    assert_game_refused,
    assert_refused,
    make_game,
    make_record,
    with_bids,
    with_value,
)

Bids = list[tuple[int, int]]


def hand(bids: Bids, rules: dict[str, Any] | None = None, dealer: int = 5) -> dict[str, Any]:
    """Any hand with these calls, which must be legal."""
    return make_record({}, bids=bids, rules=rules, dealer=dealer)


def from_left(*calls: int, dealer: int = 5) -> Bids:
    return list(zip(oracle.clockwise_from(dealer + 1), calls, strict=False))


def assert_calls_refused(
    bids: Bids, *clauses: str, rules: dict[str, Any] | None = None, instead_of: Bids | None = None
) -> None:
    """A good hand whose calls are replaced by these."""
    good = hand(instead_of or from_left(4, 0, 0, 0, 0, 0), rules)
    assert_refused(with_bids(good, bids), *clauses)


@pytest.mark.parametrize("dealer", oracle.SEATS)
def test_A1_starts_left_of_the_dealer(dealer: int) -> None:
    assert_accepted(hand(from_left(3, 0, 4, 0, 0, 5, dealer=dealer), dealer=dealer))
    bids = from_left(3, 0, 4, 0, 0, 5, dealer=dealer)
    late = bids[1:] + bids[:1]
    assert_refused(with_bids(hand(bids, dealer=dealer), late), "A1")


@pytest.mark.parametrize("dealer", [0, 2])
def test_A1_another_seat_may_not_start(dealer: int) -> None:
    good = hand(from_left(3, 0, 0, 0, 0, 0, dealer=dealer), dealer=dealer)
    assert_refused(with_value(good, ["bids", 0, "seat"], dealer), "A1")


@pytest.mark.parametrize("calls", [(4, 4, 0, 0, 0, 0), (4, 3, 0, 0, 0, 0), (3, 0, 5, 0, 4, 0)])
def test_A1_each_bid_is_higher_than_the_last(calls: tuple[int, ...]) -> None:
    assert_calls_refused(from_left(*calls), "A1")


@pytest.mark.parametrize("bid", [1, 2])
def test_A1_bids_are_three_to_six(bid: int) -> None:
    assert_calls_refused(from_left(bid, 4, 0, 0, 0, 0), "A1")


@pytest.mark.parametrize("bid", [7, -1, 100])
def test_A1_what_is_no_bid_under_any_parameters(bid: int) -> None:
    good = hand(from_left(4, 0, 0, 0, 0, 0))
    assert_fault_names(with_value(good, ["bids", 0, "bid"], bid), "bids[0]", "A1")


@pytest.mark.parametrize("bid", [3, 4, 5])
def test_A1_each_bid_from_three_is_good(bid: int) -> None:
    assert assert_accepted(hand(from_left(0, bid, 0, 0, 0, 0))).ok


@pytest.mark.parametrize("bid", ["3", 3.5, None, True])
def test_A1_a_bid_is_a_whole_number(bid: object) -> None:
    good = hand(from_left(3, 0, 0, 0, 0, 0))
    assert_fault_names(with_value(good, ["bids", 0, "bid"], bid), "bid", "A1")


def test_A1_one_call_each() -> None:
    twice = [(0, 3), (1, 0), (0, 4), (2, 0), (3, 0), (4, 0), (5, 0)]
    assert_calls_refused(twice, "A1")
    skipped = [(0, 4), (2, 0), (3, 0), (4, 0), (5, 0)]
    assert_calls_refused(skipped, "A1")


@pytest.mark.parametrize("lowest", [1, 2, 4])
def test_A1_min_bid(lowest: int) -> None:
    rules = {"min_bid": lowest}
    assert_accepted(hand(from_left(0, lowest, 0, 0, 0, 0), rules))
    if lowest > 1:
        good = from_left(0, lowest, 0, 0, 0, 0)
        bad = from_left(lowest - 1, lowest, 0, 0, 0, 0)
        assert_calls_refused(bad, "A1", rules=rules, instead_of=good)


@pytest.mark.parametrize("highest", [3, 4, 5])
def test_A1_max_bid(highest: int) -> None:
    rules = {"max_bid": highest}
    good = from_left(0, highest)
    assert_accepted(hand(good, rules))
    bad = from_left(0, highest + 1)
    assert_calls_refused(bad, "A1", rules=rules, instead_of=good)


@pytest.mark.parametrize(
    "rules", [{"min_bid": 0}, {"max_bid": 7}, {"min_bid": 5, "max_bid": 4}, {"max_bid": 2}]
)
def test_A1_parameters_in_their_range(rules: dict[str, Any]) -> None:
    good = hand(from_left(0, 4, 0, 0, 0, 0))
    assert_fault_names(with_value(good, ["rules"], rules), "rules", "_bid", "A1")


def test_A2_the_maximum_ends_it_at_once() -> None:
    assert assert_accepted(hand(from_left(0, 6))).ok
    assert_calls_refused(from_left(0, 6, 0), "A2", instead_of=from_left(0, 6))
    assert_calls_refused(from_left(0, 6, 0, 0, 0, 0), "A2", instead_of=from_left(0, 6))
    assert_accepted(hand(from_left(6)))


def test_A2_the_dealer_calls_last() -> None:
    good = from_left(0, 0, 3, 0, 4, 5)
    assert_accepted(hand(good))
    assert_calls_refused([*good, (0, 6)], "A2", instead_of=good)


def test_A2_the_auction_is_finished() -> None:
    good = from_left(4, 0, 0, 0, 0, 0)
    for length in [1, 3, 5]:
        assert_calls_refused(good[:length], "A2")


def test_A2_max_bid_five_ends_it() -> None:
    rules = {"max_bid": 5}
    good = from_left(3, 5)
    assert_accepted(hand(good, rules))
    assert_calls_refused(from_left(3, 5, 0, 0, 0, 0), "A2", rules=rules, instead_of=good)


def test_A3_the_highest_bidder() -> None:
    record = hand(from_left(3, 0, 4, 0, 0, 0))
    assert (record["bidder"], record["bid"]) == (2, 4)
    assert_accepted(record)
    assert_refused(with_value(record, ["bidder"], 0), "A3")
    assert_refused(with_value(record, ["bid"], 3), "A1", "A2", "A3")
    assert_refused(with_value(record, ["bidder"], 5), "A3")


@pytest.mark.parametrize("trump", oracle.SUITS)
def test_A3_any_suit_held_or_not(trump: str) -> None:
    others = [seat for seat in oracle.SEATS if seat != 1]
    plain = oracle.plain_cards(oracle.PACK, trump)[:6]
    hands = {1: " ".join(plain)}
    record = make_record(hands, trump=trump, calls=[0, 3, 0, 0, 0, 0], fill=others)
    assert oracle.trump_cards(record["hands"][1], trump) == []
    assert_accepted(record)


@pytest.mark.parametrize("trump", ["X", "NT", "JO", "", 3])
def test_A3_trump_is_one_of_four_suits(trump: object) -> None:
    good = hand(from_left(3, 0, 0, 0, 0, 0))
    assert_fault_names(with_value(good, ["trump"], trump), "trump", "A3")


def test_A3_trump_is_named_before_the_exchange() -> None:
    """With a bidder and no trump there is no exchange to check."""
    good = hand(from_left(3, 0, 0, 0, 0, 0))
    assert_fault_names(with_value(good, ["trump"], None), "trump", "A3")


SIX_PASSES = from_left(0, 0, 0, 0, 0, 0)
FIVE_PASSES = SIX_PASSES[:5]


@pytest.mark.parametrize("rules", [{}, {"all_pass": "redeal_next"}, {"dealer_steal": True}])
def test_A4_six_passes_throw_the_cards_in(rules: dict[str, Any]) -> None:
    verdict = assert_accepted(hand(SIX_PASSES, rules))
    assert verdict.points is None
    assert verdict.score is None
    assert verdict.game_count is None
    assert_refused(with_bids(hand(SIX_PASSES, rules), FIVE_PASSES), "A2", "A4")


def test_A4_the_dealer_speaks_after_five_passes() -> None:
    record = hand([*FIVE_PASSES, (5, 3)])
    assert record["bidder"] == 5
    assert_accepted(record)


@pytest.mark.parametrize("field", ["bidder", "bid", "trump"])
def test_A4_nobody_won_a_thrown_in_auction(field: str) -> None:
    value = {"bidder": 5, "bid": 3, "trump": "S"}[field]
    broken = with_value(hand(SIX_PASSES), [field], value)
    assert_fault_names(broken, field, "A4", "A3")


def test_A4_nothing_is_played_in_a_thrown_in_deal() -> None:
    played = hand([*FIVE_PASSES, (5, 3)])
    thrown_in = hand(SIX_PASSES)
    for field in ["exchange", "tricks", "points", "game_count", "score"]:
        broken = {**thrown_in, field: played[field]}
        assert_fault_names(broken, field, "A4")


def test_A4_stick_dealer_may_not_pass() -> None:
    rules = {"all_pass": "stick_dealer"}
    for bid in [3, 4, 5, 6]:
        assert_accepted(hand([*FIVE_PASSES, (5, bid)], rules))
    assert_refused(with_value(hand(SIX_PASSES), ["rules"], rules), "A4")
    # with a bid before him he is free to pass
    assert_accepted(hand(from_left(0, 3, 0, 0, 0, 0), rules))


def test_A4_redeal_without_dealer_after_five_passes() -> None:
    rules = {"all_pass": "redeal_without_dealer"}
    assert_accepted(hand(FIVE_PASSES, rules))
    assert_refused(with_bids(hand(FIVE_PASSES, rules), SIX_PASSES), "A2", "A4")
    bids_alone = with_value(hand([*FIVE_PASSES, (5, 3)]), ["rules"], rules)
    assert_refused(bids_alone, "A2", "A4")
    # once somebody has bid, the dealer speaks as ever
    assert_accepted(hand(from_left(0, 3, 0, 0, 0, 4), rules))
    short = with_bids(hand(from_left(0, 3, 0, 0, 0, 0), rules), from_left(0, 3, 0, 0, 0))
    assert_refused(short, "A2")


HAND_STEP = (0, 3, (3, 2, 1))


def test_A4_redeal_by_the_same_dealer() -> None:
    game = make_game([None, None, HAND_STEP], dealer=2)
    assert [record["dealer"] for record in game] == [2, 2, 2]
    assert_game_accepted(game)
    moved = make_game([None], dealer=1) + make_game([None, HAND_STEP], dealer=2)[1:]
    assert_game_refused(moved, 2, "A4", "P3")


def test_A4_redeal_next_passes_the_deal() -> None:
    rules = {"all_pass": "redeal_next"}
    game = make_game([None, None, HAND_STEP], rules, dealer=4)
    assert [record["dealer"] for record in game] == [4, 5, 0]
    assert_game_accepted(game)
    same = make_game([None], rules, dealer=5) + make_game([None, HAND_STEP], rules, dealer=4)[1:]
    assert_game_refused(same, 2, "A4", "P3")


def test_A4_a_thrown_in_deal_changes_no_score() -> None:
    game = make_game([HAND_STEP, None, HAND_STEP], dealer=5)
    assert game[1]["game"]["before"] == game[1]["game"]["after"] == [3, 2, 1]
    assert_game_accepted(game)
    game[1]["game"]["after"] = [3, 2, 2]
    assert_game_refused(game, 2)


def test_A5_one_may_outbid_ones_partner() -> None:
    record = hand(from_left(3, 0, 0, 4, 0, 0))
    assert record["bidder"] == 3
    assert_accepted(record)
    assert_accepted(hand(from_left(0, 0, 3, 0, 0, 4)))


STEAL = {"dealer_steal": True}


@pytest.mark.parametrize("calls", [(3, 0, 0, 0, 0, 3), (0, 0, 4, 0, 0, 4), (3, 4, 0, 5, 0, 5)])
def test_A5_the_dealer_steals_by_equalling(calls: tuple[int, ...]) -> None:
    record = hand(from_left(*calls), STEAL)
    assert (record["bidder"], record["bid"]) == (5, calls[5])
    assert_accepted(record)
    robbed = max(seat for seat in range(5) if calls[seat] == calls[5])
    assert_refused(with_value(record, ["bidder"], robbed), "A3", "A5")
    assert_refused(with_value(record, ["rules"], {}), "A1", "A5")


def test_A5_only_the_dealer_steals() -> None:
    good = from_left(4, 0, 0, 0, 0, 0)
    assert_calls_refused(from_left(4, 0, 4, 0, 0, 0), "A1", "A5", rules=STEAL, instead_of=good)
    assert_calls_refused(from_left(4, 0, 0, 0, 0, 3), "A1", "A5", rules=STEAL, instead_of=good)


@pytest.mark.parametrize("answer", [0, 6])
def test_A5_at_the_maximum_the_dealer_is_asked_next(answer: int) -> None:
    record = hand([(0, 0), (1, 6), (5, answer)], STEAL)
    assert record["bidder"] == (5 if answer else 1)
    assert_accepted(record)
    assert_refused(with_bids(record, [(0, 0), (1, 6), (2, 0), (5, answer)]), "A1", "A2", "A5")
    assert_refused(with_bids(record, [(0, 0), (1, 6)]), "A2", "A5")


def test_A5_at_the_maximum_from_the_dealers_right() -> None:
    bids = from_left(0, 0, 0, 0, 6)
    assert_accepted(hand([*bids, (5, 6)], STEAL))
    assert_accepted(hand([*bids, (5, 0)], STEAL))
    assert_accepted(hand(bids))


def test_A5_steal_with_a_lower_maximum() -> None:
    rules = STEAL | {"max_bid": 4}
    assert_accepted(hand([(0, 4), (5, 4)], rules))
    assert_refused(with_bids(hand([(0, 4), (5, 4)], rules), [(0, 4), (5, 5)]), "A1", "A5")


def test_A5_the_dealers_own_maximum_is_final() -> None:
    assert_accepted(hand(from_left(0, 0, 3, 0, 0, 6), STEAL))


def test_A5_with_no_bid_there_is_nothing_to_equal() -> None:
    assert_accepted(hand(SIX_PASSES, STEAL))
    assert_accepted(hand([*FIVE_PASSES, (5, 3)], STEAL))
    stuck = STEAL | {"all_pass": "stick_dealer"}
    assert_refused(with_value(hand(SIX_PASSES), ["rules"], stuck), "A4")
