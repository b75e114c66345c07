"""Auction, deal and game: not one known fault of other programs, but its whole kind."""

from __future__ import annotations

import json
from itertools import groupby, pairwise, product
from typing import Any

import numpy as np
import oracle
import pytest
from cases.scene import empty_scene, mask, only, players, script, suit, uncompiled
from deals import shuffled
from rules.handmade import make_game, verdicts

from schmier_sim import Rules, play_batch
from schmier_sim._jit import JIT_ENABLED
from schmier_sim.advise import advise
from schmier_sim.answers import as_data
from schmier_sim.around import Table
from schmier_sim.cards import SUITS, cards_of, parse_card
from schmier_sim.cli.run import run
from schmier_sim.dealing import Dealer
from schmier_sim.engine import auction
from schmier_sim.engine.game import winning_teams
from schmier_sim.engine.hand import clear
from schmier_sim.engine.state import TABLE, VIEW, new_tables, new_views
from schmier_sim.policies import registry
from schmier_sim.policies.plain import estimate
from schmier_sim.simulate import AUCTION, Experiment
from schmier_sim.simulate import run as run_batch
from schmier_sim.situation import situation

Out = pytest.CaptureFixture[str]
Patch = pytest.MonkeyPatch
N = 400 if JIT_ENABLED else 8
GAMES = 5 if JIT_ENABLED else 1
every_policy = pytest.mark.parametrize("name", registry.names())


def auctioned(
    patch: Patch, calls: tuple[int, ...], dealer: int = 5, **rules: object
) -> tuple[list[int], list[int], int, int]:
    """Hold an auction by script; return the seats asked, the calls, bidder and bid."""
    table, view = map(only, empty_scene(Rules.of(rules), dealer))
    asked = script(patch, auction, calls)
    uncompiled(auction.hold_auction)(table, view)
    return asked, view.calls.tolist(), int(view.bidder), int(view.bid)


@pytest.mark.parametrize("top", range(1, 7))
def test_B40_nobody_is_asked_after_the_highest_bid(top: int, monkeypatch: Patch) -> None:
    """Whatever is the highest, and whoever bids it: seats are really asked no more."""
    for seat in range(6):
        calls = (0,) * seat + (top,)
        asked, told, bidder, bid = auctioned(monkeypatch, calls, min_bid=1, max_bid=top)
        assert asked == list(range(seat + 1))
        assert told == [*calls, *[-1] * (5 - seat)]
        assert (bidder, bid) == (seat, top)


def test_B40_a_dealer_who_may_steal_is_the_only_one_still_asked(monkeypatch: Patch) -> None:
    asked, told, bidder, bid = auctioned(monkeypatch, (0, 6, 6), dealer_steal=True)
    assert asked == [0, 1, 5]
    assert told == [0, 6, -1, -1, -1, 6]
    assert (bidder, bid) == (5, 6)


def test_B41_every_auction_goes_to_the_last_bid(monkeypatch: Patch) -> None:
    """All rising bids and passes of six seats."""
    for calls in product((0, 3, 4, 5), repeat=6):
        bids = [call for call in calls if call]
        if bids and all(a < b for a, b in pairwise(bids)):
            seat = max(s for s in range(6) if calls[s])
            assert auctioned(monkeypatch, calls) == (list(range(6)), list(calls), seat, bids[-1])


CUSTOMS = [{}, {"dealer_steal": True}, {"all_pass": "redeal_without_dealer"}, {"max_bid": 4}]


@pytest.mark.parametrize("changes", CUSTOMS, ids=str)
def test_B45_everybody_is_asked_at_most_once(changes: dict[str, Any], monkeypatch: Patch) -> None:
    """In turn from the dealer's left, whatever is called and whoever deals."""
    for calls in product((0, 3, 4), repeat=6):
        dealer = sum(calls) % 6
        asked, *_ = auctioned(monkeypatch, calls, dealer, **changes)
        turns = [(seat - dealer - 1) % 6 for seat in asked]
        assert turns == sorted(set(turns))


@every_policy
def test_B42_a_hand_is_the_same_alone_and_after_others(name: str) -> None:
    """Also after one that was thrown in, on the same table."""
    n = 60 if JIT_ENABLED else 6
    hands, stock = shuffled(n, seed=42)
    together = play_batch(hands, stock, np.arange(n) % 6, policies=players(name))
    for i in range(n):
        alone = play_batch(
            hands[i : i + 1], stock[i : i + 1], i % 6, policies=players(name), first_index=i
        )
        for a, b in zip(together, alone, strict=True):
            assert np.array_equal(a[i : i + 1], b)
    if JIT_ENABLED and name == "plain":
        assert -1 in together.bidders


@pytest.mark.parametrize("all_pass", ["redeal", "redeal_next", "redeal_without_dealer"])
def test_B44_thrown_in_hands_are_dealt_anew_with_other_cards(all_pass: str) -> None:
    """By the same dealer, or by the next under that custom; only the last deal counts."""
    thrown_in = 0
    deals = list(Dealer(players(), Rules(all_pass=all_pass), seed=44).hands(0, N))
    for _, same in groupby(deals, key=lambda deal: deal.number):
        attempts = list(same)
        assert [deal.attempt for deal in attempts] == list(range(len(attempts)))
        assert [deal.bidder < 0 for deal in attempts] == [True] * (len(attempts) - 1) + [False]
        assert len({tuple(deal.dealt) for deal in attempts}) == len(attempts)
        for before, after in pairwise(attempts):
            assert after.dealer == (before.dealer + (all_pass == "redeal_next")) % 6
            assert before.score == [0, 0, 0]
            assert before.calls.count(0) == 6 - (all_pass == "redeal_without_dealer")
        thrown_in += len(attempts) - 1
    assert thrown_in > 0


def test_B44_a_batch_counts_completed_hands() -> None:
    deals = list(Dealer(players(), Rules(), seed=44).hands(0, N))
    tally = run_batch(Experiment.at_one_table(AUCTION, players(), Rules(), 44), 0, N)
    assert tally.total("hands") == tally.cells.sum() == N
    assert tally.total("thrown_in") == sum(deal.bidder < 0 for deal in deals) > 0


def test_B44_the_dealer_may_be_stuck_with_it() -> None:
    for deal in Dealer(players(), Rules(all_pass="stick_dealer"), seed=44).hands(0, N):
        assert deal.bidder >= 0
        assert deal.attempt == 0


def test_B47_the_left_jack_is_not_taken_for_the_ace() -> None:
    """The left bauer and three small spades: nothing for high."""
    assert estimate(mask("JC 9S 7S 5S 3H 4H"), suit("S")) == 50 + 60 + 3 * 25


@pytest.mark.parametrize("letter", SUITS)
def test_B47_every_card_adds_its_own_worth_and_no_other(letter: str) -> None:
    """Each of the 53 cards, looked at in each suit."""
    right, left = "J" + letter, "J" + oracle.OTHER_SUIT_OF_COLOUR[letter]
    special = {right: 70, left: 60, "JO": 40}
    worth = {"A": 100, "2": 100, "K": 50, "Q": 30}
    for name in oracle.PACK:
        added = special.get(name, worth.get(name[0], 25)) if oracle.is_trump(name, letter) else 0
        assert estimate(1 << parse_card(name), suit(letter)) == 50 + added


@pytest.mark.parametrize("hand", ["AS KS JS JC 2S JO", "AS QS JS 4S KH 3D", "JS JC JO 2S 5S 4S"])
def test_B48_a_named_suit_gives_every_number_of_the_same_suit_chosen(hand: str) -> None:
    table = Table(situation(hand), players(), seed=48)
    free = as_data(advise(table, hands=N), 4, {})
    named = as_data(advise(table, trump=suit("S"), hands=N), 4, {})
    assert named["trumps"] == [row for row in free["trumps"] if row["trump"] == "S"]
    assert {row["trump"] for row in free["calls_ranked"]} == {"S", None}
    for name in ("calls_ranked", "answer", "asked"):
        assert named[name] == free[name]


@pytest.mark.parametrize("letter", SUITS)
def test_B48_the_named_suit_is_the_one_that_is_played(letter: str) -> None:
    table = Table(situation("AS KS JS JC 2S JO"), players(), seed=48)
    advice = advise(table, trump=suit(letter), hands=24 if JIT_ENABLED else 4)
    assert [row.trump for row in advice.suits] == [suit(letter)]
    assert {row.trump for row in advice.calls if row.call} == {suit(letter)}


def games(capsys: Out, *words: str, count: int = GAMES) -> list[list[dict[str, Any]]]:
    """Whole games as records, by game."""
    capsys.readouterr()
    assert run(["deal", "--game", "--hands", str(count), *words]) == 0
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    return [list(game) for _, game in groupby(lines, key=lambda record: record["game"]["id"])]


def test_B49_the_hand_that_reaches_the_target_is_the_last() -> None:
    """Nineteen and three: a record that lets the game go on is at fault."""
    record = make_game([(0, 3, (3, 1, 1))])[0]
    record["game"] |= {"deal": 9, "before": [19, 4, 5], "after": [22, 5, 6], "winners": [0]}
    (good,) = verdicts([record])
    assert good.ok, good.faults
    record["game"]["winners"] = []
    (bad,) = verdicts([record])
    assert any("game.winners: [], not [0]" in fault for fault in bad.faults)


@pytest.mark.parametrize("first", [0, 5])
def test_B49_the_dealer_of_the_last_hand_is_told_right(first: int, capsys: Out) -> None:
    """The deal moves on with each hand played, and stays where cards were thrown in."""
    for game in games(capsys, "--dealer", str(first)):
        dealer = first
        for record in game:
            assert record["dealer"] == dealer
            dealer = (dealer + (record["bidder"] is not None)) % 6


def test_B52_level_or_ahead_at_the_target() -> None:
    """Level at the top the bidding team wins; ahead the other, but for the switch."""
    for scores, team, rules, right in (
        ([22, 22, 15], 1, {}, [1]),
        ([23, 22, 0], 1, {}, [0]),
        ([23, 22, 0], 1, {"end": "bidder_first"}, [1]),
        ([22, 22, 15], 2, {}, []),
        ([22, 22, 15], 2, {"top_tie": "shared"}, [0, 1]),
        ([22, 0, 0], 0, {}, [0]),
    ):
        found = winning_teams(np.array(scores), team, True, Rules.of(rules).packed)
        assert cards_of(int(found)) == right


ENDS = [
    dict(zip(("end", "top_tie", "must_bid_to_win"), choice, strict=True))
    for choice in product(("high_score", "bidder_first"), ("continue", "shared"), (False, True))
]


@pytest.mark.parametrize("rules", ENDS, ids=str)
@pytest.mark.parametrize("teams", ["3x2", "2x3"])
def test_B52_every_score_near_the_target(rules: dict[str, Any], teams: str) -> None:
    n = 3 if teams == "3x2" else 2
    span = range(19, 24) if JIT_ENABLED else range(20, 23)
    chosen = {**rules, "teams": teams}
    packed = Rules.of(chosen).packed
    for *scores, team, made in product(*[span] * n, range(n), (False, True)):
        found = winning_teams(np.array([*scores, 0][:3]), team, made, packed)
        assert cards_of(int(found)) == oracle.winners(scores, chosen, team, made)


def test_B53_the_second_game_begins_at_nothing(capsys: Out) -> None:
    """And is the same whether a first one was played before it or not."""
    found = games(capsys, count=2)
    assert [game[0]["game"]["id"] for game in found] == [0, 1]
    for game in found:
        assert game[0]["game"]["before"] == [0, 0, 0]
        assert [record["game"]["deal"] for record in game] == list(range(1, len(game) + 1))
    assert games(capsys, "--index", "1", count=1) == found[1:]


GAME_RULES = [{}, {"teams": "2x3"}, {"target": 5}, *ENDS[1:]]


@pytest.mark.parametrize("rules", GAME_RULES, ids=str)
def test_B55_no_hand_after_a_winner(rules: dict[str, Any], capsys: Out) -> None:
    """The last record of a game names who won, and none before it does; the referee agrees."""
    words = [word for name, value in rules.items() for word in ("--rule", f"{name}={value}")]
    for game in games(capsys, *words):
        assert oracle.replay_game(game) == []
        winners = [record["game"]["winners"] for record in game]
        assert winners[:-1] == [[]] * (len(game) - 1)
        assert winners[-1] is None if len(game) == 500 else winners[-1]


def test_B55_a_hand_after_the_end_is_a_fault() -> None:
    game = make_game([(0, 6, (6, 0, 0))] * 4)
    one_more = json.loads(json.dumps(game[0]))
    one_more["game"] = {
        "id": "g", "deal": 5, "before": [24, 0, 0], "after": [30, 0, 0], "winners": [0],
    }  # fmt: skip
    found = verdicts([*game, one_more])
    assert [verdict.ok for verdict in found[:4]] == [True] * 4
    assert any("after the end of game" in fault for fault in found[4].faults)


KEPT = {"dealt", "stock", "policy_key", "pack", "stream", "plan_bidder", "plan_bid",
        "plan_calls", "plan_trumps", "answers", "stock_tops", "fault_seat", "fault_answer",
        "scores", "rules", "seat", "position", "hand", "legal"}  # fmt: skip
"""Dealt, planned or carried on, or filled in whenever a seat is asked."""


def test_B42_a_used_table_is_cleared_of_everything() -> None:
    """Calls, voids, cards seen, counts and points: like a table that was never played on."""
    states = []
    for dirt in (0, 5):
        tables, views = new_tables(1), new_views(1)
        for records, layout in ((tables, TABLE), (views, VIEW)):
            for name in layout.names or ():
                records[name] = dirt
        tables["dealt"] = np.arange(6)
        clear(tables[0], views[0], 2)
        kept = KEPT | {"thrown"}  # of the view; that of the table is looked at below
        states.append(
            [(name, tables[name].tolist()) for name in TABLE.names or () if name not in KEPT]
            + [(name, views[name].tolist()) for name in VIEW.names or () if name not in kept]
        )
    assert states[0] == states[1]
