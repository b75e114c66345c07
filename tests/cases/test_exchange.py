"""Known faults of other programs in the exchange, as tests of this one."""

from __future__ import annotations

import json
from typing import Any

import pytest

from schmier_sim import find_policy
from schmier_sim._jit import JIT_ENABLED
from schmier_sim.cards import GAME_COUNT, SUIT_MASK, cards_of, parse_card, parse_suit
from schmier_sim.cli.run import run
from schmier_sim.dealing import Dealer
from schmier_sim.records import check_lines
from schmier_sim.rules import Rules

TABLES = [Rules(), Rules(rest_to="bidder"), Rules(dealer_excess="free"), Rules(teams="2x3")]


@pytest.mark.parametrize("rules", TABLES, ids=Rules.describe)
def test_B60_B61_six_cards_each_seventeen_dead_and_none_in_two_places(rules: Rules) -> None:
    players = (find_policy("random"),) * 6
    for deal in Dealer(players, rules, 9).hands(0, 300 if JIT_ENABLED else 20):
        if deal.bidder < 0:
            continue
        held: dict[int, list[int]] = {seat: [] for seat in range(6)}
        leader = deal.bidder
        for trick in range(6):
            for turn in range(6):
                held[(leader + turn) % 6].append(deal.history[6 * trick + turn])
            leader = deal.winners[trick]
        dead = [card for thrown in deal.thrown for card in cards_of(thrown)]
        assert [len(cards) for cards in held.values()] == [6] * 6
        assert len(dead) == 17
        assert sorted([*dead, *(card for cards in held.values() for card in cards)]) == list(
            range(53)
        )


@pytest.fixture
def record(capsys: pytest.CaptureFixture[str]) -> dict[str, Any]:
    """A hand in which the first seat to exchange holds three plain cards and a trump or more."""
    assert run(["deal", "--hands", "40", "--policy", "random", "--seed", "2"]) == 0
    for line in capsys.readouterr().out.splitlines():
        found: dict[str, Any] = json.loads(line)
        if found["bidder"] is not None and len(plain(found)) in (4, 5):
            return found
    raise AssertionError("no such hand among these")


def plain(record: dict[str, Any]) -> list[str]:
    """The plain cards that the first seat to exchange was dealt."""
    suit = parse_suit(record["trump"])
    hand = record["hands"][record["exchange"][0]["seat"]]
    return [name for name in hand if not int(SUIT_MASK[suit, suit]) >> parse_card(name) & 1]


def faults(record: dict[str, Any], discard: list[str]) -> list[str]:
    """What the referee says if the first seat throws these."""
    record["exchange"][0]["discard"] = discard
    (verdict,) = check_lines([json.dumps(record)])
    return verdict.faults


def test_B62_four_cards_are_too_many(record: dict[str, Any]) -> None:
    assert any("4 cards, at most 3 (E1)" in fault for fault in faults(record, plain(record)[:4]))


def test_B62_no_trump_not_the_left_bauer_not_the_joker_goes(record: dict[str, Any]) -> None:
    seat = record["exchange"][0]["seat"]
    trumps = [name for name in record["hands"][seat] if name not in plain(record)]
    assert trumps
    for name in trumps:
        assert any("throws trumps" in fault for fault in faults(record, [name]))


def test_B62_a_card_that_is_not_held_cannot_go(record: dict[str, Any]) -> None:
    assert any("does not hold" in fault for fault in faults(record, [record["stock"][-1]]))


@pytest.mark.parametrize("trump", "CDHS")
def test_B62_left_bauer_and_joker_are_trumps_of_their_suit(trump: str) -> None:
    suit = parse_suit(trump)
    left = "J" + "CDHS"[3 - suit]
    assert int(SUIT_MASK[suit, suit]) >> parse_card(left) & 1
    assert int(SUIT_MASK[suit, suit]) >> parse_card("JO") & 1


def test_B65_throwing_game_cards_is_no_misdeal() -> None:
    players = (find_policy("random"),) * 6
    buried = 0
    for deal in Dealer(players, Rules(), 10).hands(0, 60):
        dead = [card for thrown in deal.thrown for card in cards_of(thrown)]
        if deal.bidder >= 0 and GAME_COUNT[dead].sum() > 0:
            buried += 1
            assert sum(deal.score) != 0 or deal.score != [0, 0, 0]
    assert buried > 40
