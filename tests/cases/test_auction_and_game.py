"""Known faults of other programs in auctions, redeals and the end of a game."""

from __future__ import annotations

import json

import numpy as np
import pytest

from schmier_sim import find_policy
from schmier_sim._jit import JIT_ENABLED
from schmier_sim.cards import mask_of, parse_hand
from schmier_sim.cli.run import run
from schmier_sim.dealing import Dealer
from schmier_sim.engine.auction import hold_auction, is_asked
from schmier_sim.engine.game import winning_teams
from schmier_sim.engine.hand import clear
from schmier_sim.engine.state import new_tables, new_views
from schmier_sim.policies.base import answers_of
from schmier_sim.policies.plain import estimate
from schmier_sim.rules import Rules

PLAIN = (find_policy("plain"),) * 6
DEFAULT = Rules().packed


def auction(calls: list[int], rules: Rules | None = None) -> tuple[list[int], int, int]:
    """Hold an auction with fixed calls from seat 0 on, seat 5 dealing."""
    tables, views = new_tables(1), new_views(1)
    views["rules"] = (rules or Rules()).packed
    clear(tables[0], views[0], 5)
    tables["plan_calls"][0, : len(calls)] = calls
    hold_auction(tables[0], views[0], answers_of(PLAIN))
    assert tables["fault"][0] == -1
    return views["calls"][0].tolist(), int(views["bidder"][0]), int(views["bid"][0])


def test_B40_the_highest_bid_ends_the_bidding() -> None:
    calls, bidder, bid = auction([0, 6])
    assert calls == [0, 6, -1, -1, -1, -1]
    assert (bidder, bid) == (1, 6)


def test_B41_earlier_bids_stay() -> None:
    calls, bidder, bid = auction([3, 0, 4, 0, 0, 0])
    assert calls == [3, 0, 4, 0, 0, 0]
    assert (bidder, bid) == (2, 4)


def test_B42_nothing_of_the_hand_before_is_left_in_the_next() -> None:
    """A hand alone and the same hand after another one are alike in everything."""
    dealer = Dealer(PLAIN, Rules(), 5)
    together = dealer.play([(0, 0, 1), (1, 0, 1), (2, 0, 1)])
    assert dealer.play([(2, 0, 1)]) == together[2:]


def test_B44_after_six_passes_the_same_dealer_deals_other_cards() -> None:
    deals = list(Dealer(PLAIN, Rules(), 6).hands(0, 20))
    assert any(deal.bidder < 0 for deal in deals)
    for one, after in zip(deals, deals[1:], strict=False):
        if one.bidder < 0:
            assert (after.number, after.attempt) == (one.number, one.attempt + 1)
            assert after.dealer == one.dealer
            assert after.dealt != one.dealt
    assert sum(deal.bidder >= 0 for deal in deals) == 20


@pytest.mark.parametrize(
    "rules", [Rules(), Rules(dealer_steal=True), Rules(all_pass="stick_dealer")]
)
def test_B45_every_seat_is_asked_at_most_once_and_in_turn(rules: Rules) -> None:
    for deal in Dealer((find_policy("random"),) * 6, rules, 7).hands(0, 200 if JIT_ENABLED else 20):
        turn = [(deal.dealer + k) % 6 for k in range(1, 7)]
        high = 0
        for position, seat in enumerate(turn, 1):
            assert (deal.calls[seat] >= 0) == is_asked(position, high, rules.packed)
            high = max(high, deal.calls[seat])


def test_B47_the_other_bauer_is_no_high_point() -> None:
    hand = mask_of(parse_hand("JC 9S 7S 5S 3H 4H"))
    assert estimate(hand, 3) == 50 + 60 + 3 * 25
    assert estimate(hand, 3) < estimate(mask_of(parse_hand("AS 9S 7S 5S 3H 4H")), 3)


def test_B48_a_suit_given_and_a_suit_chosen_agree(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["advise", "AS KS 3S 4H 5D 6D", "--hands", "48", "--json"]
    assert run(words) == 0
    chosen = json.loads(capsys.readouterr().out)
    assert run([*words, "--trump", "S"]) == 0
    given = json.loads(capsys.readouterr().out)
    assert chosen["answer"]["trump"] in ("S", None)
    spades = [suit for suit in chosen["trumps"] if suit["trump"] == "S"]
    assert given["trumps"] == spades
    for row in given["calls_ranked"]:
        same = next(r for r in chosen["calls_ranked"] if r["call"] == row["call"])
        assert row["trump"] != same["trump"] or row["points"] == same["points"]


@pytest.mark.parametrize(
    ("scores", "bidding_team", "made", "winners", "rules"),
    [
        ([22, 5, 5], 0, True, [0], Rules()),
        ([22, 22, 15], 1, True, [1], Rules()),
        ([23, 22, 0], 1, True, [0], Rules()),
        ([23, 22, 0], 1, True, [1], Rules(end="bidder_first")),
        ([22, 22, 15], 2, True, [], Rules()),
        ([22, 22, 15], 2, True, [0, 1], Rules(top_tie="shared")),
        ([20, 20, 20], 2, True, [], Rules()),
        ([30, 2, 3], 1, True, [], Rules(must_bid_to_win=True)),
        ([30, 22, 3], 1, True, [1], Rules(must_bid_to_win=True)),
        ([30, 22, 3], 1, False, [], Rules(must_bid_to_win=True)),
        ([22, 22, 0], 1, True, [1], Rules(teams="2x3")),
    ],
)
def test_B52_who_wins_at_the_target(
    scores: list[int], bidding_team: int, made: bool, winners: list[int], rules: Rules
) -> None:
    mask = int(winning_teams(np.array(scores), bidding_team, made, rules.packed))
    assert [team for team in range(3) if mask >> team & 1] == winners


def test_B49_B53_B55_games_begin_at_nothing_add_up_and_end_at_once() -> None:
    dealer = Dealer((find_policy("random"), *PLAIN[:5]), Rules(), 8)
    for number in range(8 if JIT_ENABLED else 1):
        deals = list(dealer.game(number))
        assert deals[0].game["before"] == [0, 0, 0]
        for one, after in zip(deals, deals[1:], strict=False):
            assert after.game["before"] == one.game["after"]
            assert one.game["winners"] == []
            top = max(one.game["after"])
            assert top < 21 or one.game["after"].count(top) > 1  # level: played on
        last = deals[-1]
        change = [b - a for a, b in zip(last.game["before"], last.game["after"], strict=True)]
        assert change == last.deal.score
        assert last.game["winners"]
        assert max(last.game["after"]) >= 21
