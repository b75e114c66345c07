"""Scoring a hand: not one known fault of other programs, but its whole kind."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import cycle

import numpy as np
import oracle
import pytest
from cases.scene import empty_scene, mask, only, players, suit
from deals import shuffled

from schmier_sim import Rules, find_policy, play_batch
from schmier_sim._jit import JIT_ENABLED
from schmier_sim.cards import CARD_NAMES, GAME_COUNT, parse_card
from schmier_sim.composition import NAMES, composition_of
from schmier_sim.dealing import Dealer
from schmier_sim.engine.scoring import game_winner, score_hand, score_played
from schmier_sim.engine.state import GAME_POINT, POINT_NAMES
from schmier_sim.policies import registry
from schmier_sim.policies.plain import estimate

N = 5_000 if JIT_ENABLED else 30
every_policy = pytest.mark.parametrize("name", registry.names())
every_team_rule = pytest.mark.parametrize("teams", ["3x2", "2x3"])

NOTHING = [c for c in CARD_NAMES if not GAME_COUNT[parse_card(c)] and c != "2S"]
"""Cards that count nothing and are no point card under spades."""


def scored(
    tricks: Sequence[str], winners: Sequence[int], bidder: int = 0, bid: int = 3, **rules: object
) -> tuple[dict[str, int], list[int], list[int], list[int]]:
    """Score tricks under spades: teams by point, game counts, points and scores by team.

    Only what matters is named; cards that count nothing, some of them twice, fill the tricks up.
    The bidder leads.
    """
    tables, views = empty_scene(Rules.of(rules))
    table, view = only(tables), only(views)
    filler = cycle([card for card in NOTHING if card not in " ".join(tricks).split()])
    cards = [trick.split() for trick in [*tricks, *[""] * (6 - len(tricks))]]
    full = [
        card for trick in cards for card in trick + [next(filler) for _ in range(6 - len(trick))]
    ]
    view.trump, view.bidder, view.bid = suit("S"), bidder, bid
    view.history[:] = [parse_card(card) for card in full]
    table.winners[:] = [*winners, *[winners[-1]] * (6 - len(winners))]
    score_played(tables, views)
    teams = Rules.of(rules).n_teams
    points = dict(zip(POINT_NAMES, table.point_team.tolist(), strict=True))
    counts = view.game_count.tolist()[:teams]
    return points, counts, table.points.tolist()[:teams], table.score.tolist()[:teams]


def test_B21_game_counts_for_who_won_the_card_not_for_who_played_it() -> None:
    """Seat 0 takes with the ace; the ten that seat 1 threw on it is team 0's."""
    points, counts, _, _ = scored(["AS TH"], [0])
    assert counts == [14, 0, 0]
    assert points["game"] == 0


@every_team_rule
@pytest.mark.parametrize("card", ["AH", "KD", "QC", "JH", "TD", "JO", "JC", "JS", "TS"])
def test_B21_every_counting_card_place_and_taker(card: str, teams: str) -> None:
    n = 3 if teams == "3x2" else 2
    for winner in range(6):
        for place in range(6):
            trick = ["3C", "4C", "5C", "6C", "7C", "8C"]
            trick[place] = card
            points, counts, _, _ = scored([" ".join(trick)], [winner], teams=teams)
            right = [0] * n
            right[winner % n] = oracle.count_of(card)
            assert counts == right
            assert points["game"] == winner % n


@pytest.mark.parametrize("seat", range(6))
def test_B22_every_seat_that_wins_the_joker(seat: int) -> None:
    """Seats 0 3, 1 4 and 2 5 are the teams; with two of three, even and odd seats."""
    assert scored(["3S JO"], [seat])[0]["joker"] == [0, 1, 2, 0, 1, 2][seat]
    assert scored(["3S JO"], [seat], teams="2x3")[0]["joker"] == [0, 1, 0, 1, 0, 1][seat]


@pytest.mark.parametrize("turn", range(1, 6))
def test_B23_scores_follow_the_seats_by_any_turn(turn: int) -> None:
    """Auction and all: everybody moves on by some seats, and the teams move along."""
    hands, stock = shuffled(N, seed=23)
    one = play_batch(hands, stock, 5, policies=players())
    other = play_batch(np.roll(hands, turn, axis=1), stock, (5 + turn) % 6, policies=players())
    bid_on = one.bidders >= 0
    assert np.array_equal(other.bidders, np.where(bid_on, (one.bidders + turn) % 6, -1))
    for name in ("points", "scores", "game_counts"):
        assert np.array_equal(getattr(other, name), np.roll(getattr(one, name), turn, axis=1))


def test_B23_names_are_nothing_but_names() -> None:
    """The same players under other names, in any order, score the same."""
    hands, stock = shuffled(N // 5, seed=24)
    plain = find_policy("plain")
    names = ["Anna", "Bert", "Carla", "Dirk", "Eva", "Fritz"]
    one = play_batch(hands, stock, 2, policies=[replace(plain, name=name) for name in names])
    names.reverse()
    other = play_batch(hands, stock, 2, policies=[replace(plain, name=name) for name in names])
    for a, b in zip(one, other, strict=True):
        assert np.array_equal(a, b)


def test_B25_low_goes_to_the_player_or_by_the_switch_to_the_taker() -> None:
    """The ace of seat 1 takes the two of seat 0, and the joker with it."""
    trick = "2S AS JO"
    assert scored([trick], [1])[0]["low"] == 0
    assert scored([trick], [1], low="taker")[0]["low"] == 1
    assert scored([trick], [1])[0]["joker"] == 1


@pytest.mark.parametrize("place", range(6))
def test_B25_low_for_every_player_and_taker(place: int) -> None:
    trick = ["3S", "4S", "5S", "6S", "7S", "8S"]
    trick[place] = "2S"
    for winner in range(6):
        for bidder in range(6):
            words = [" ".join(trick)]
            player = scored(words, [winner], bidder)[0]
            assert player["low"] == (bidder + place) % 3
            assert player["joker"] == -1
            assert scored(words, [winner], bidder, low="taker")[0]["low"] == winner % 3


def test_B25_the_two_of_another_suit_is_never_low() -> None:
    points, *_ = scored(["2H 2D 2C JO"], [4])
    assert (points["low"], points["joker"]) == (-1, 1)


def outcome(own: int, bid: int, bidding_team: int, teams: str) -> list[int]:
    """The scores when the bidding team wins so many of the six points."""
    rules = Rules(teams=teams, min_bid=1)
    table, view = map(only, empty_scene(rules))
    other = (bidding_team + 1) % rules.n_teams
    view.bidder, view.bid = bidding_team, bid
    view.card_points[bidding_team], view.card_points[other] = min(own, 5), 5 - min(own, 5)
    view.game_count[bidding_team if own == 6 else other] = 30
    score_hand(table, view)
    assert table.points[bidding_team] == own
    assert table.made == (own >= bid)
    return table.score.tolist()[: rules.n_teams]


@pytest.mark.parametrize(("bid", "won", "score"), [(4, 5, 5), (4, 4, 4), (4, 3, -4)])
def test_B29_made_and_set_at_the_threshold(bid: int, won: int, score: int) -> None:
    """A bid of four: five count five, four count four, three cost four."""
    assert outcome(won, bid, 0, "3x2")[0] == score


@every_team_rule
@pytest.mark.parametrize("bid", range(1, 7))
def test_B29_every_bid_and_every_number_of_points(bid: int, teams: str) -> None:
    n = 3 if teams == "3x2" else 2
    for team in range(n):
        for own in range(7):
            score = [0] * n
            score[(team + 1) % n] = 6 - own
            score[team] = own if own >= bid else -bid
            assert outcome(own, bid, team, teams) == score


def test_B30_a_team_without_a_trick_scores_low_alone() -> None:
    """It plays the two, and loses it like everything else."""
    tricks = ["AS KH 2S", "JS QH TH", "JC JO 3D AD KD TD"]
    for game_tie in ("nobody", "bidder"):
        points, counts, won, _ = scored(tricks, [0, 1, 1, 1, 1, 1], game_tie=game_tie)
        assert counts[2] == 0
        assert points["low"] == 2
        assert won[2] == 1


@pytest.mark.parametrize("bidding_team", range(3))
@pytest.mark.parametrize("game_tie", ["nobody", "bidder"])
def test_B30_every_tie_for_game(bidding_team: int, game_tie: str) -> None:
    rules = {**oracle.DEFAULTS, "game_tie": game_tie}
    packed = Rules(game_tie=game_tie).packed
    for counts in np.ndindex(4, 4, 4):
        if sum(counts):
            right = oracle.game_point(list(counts), bidding_team, rules)
            found = game_winner(np.array(counts), bidding_team, packed)
            assert found == (-1 if right is None else right)
            assert found < 0 or counts[found] > 0


ALL_SIX = ["AS 3C 3D 2S 4C 4D", "JS JC JO"]


def test_B32_five_and_a_tied_or_lost_game_is_five() -> None:
    assert scored(ALL_SIX, [0], bid=6)[2:] == ([6, 0, 0], [6, 0, 0])
    assert scored([*ALL_SIX, "TH 3H 4H"], [0, 0, 1, 2])[2] == [5, 1, 0]
    tied = [*ALL_SIX, "KH QH QD"]
    points, counts, won, score = scored(tied, [0, 0, 1, 2], bid=6)
    assert counts == [7, 7, 0]
    assert points["game"] == -1
    assert (won, score) == ([5, 0, 0], [-6, 0, 0])
    assert scored(tied, [0, 0, 1, 2], bid=6, game_tie="bidder")[2:] == ([6, 0, 0], [6, 0, 0])


@pytest.mark.parametrize("missing", range(6))
def test_B32_each_point_lost_makes_five(missing: int) -> None:
    table, view = map(only, empty_scene())
    view.bidder, view.bid = 0, 6
    view.card_points[0], view.game_count[0] = 5, 9
    if missing == GAME_POINT:
        view.game_count[1] = 10
    else:
        view.card_points[0], view.card_points[1] = 4, 1
    score_hand(table, view)
    assert table.points.tolist() == [5, 1, 0]
    assert table.score.tolist() == [-6, 1, 0]


@every_policy
@every_team_rule
def test_B34_five_card_points_one_for_game_and_the_scores(name: str, teams: str) -> None:
    """Both ways of making teams, every seat and suit."""
    hands, stock = shuffled(N, seed=34)
    played = play_batch(
        hands, stock, 5, policies=players(name), rules=Rules(teams=teams),
        bidders=np.arange(N) % 6, bids=3, trumps=np.arange(N) % 4,
    )  # fmt: skip
    n = 3 if teams == "3x2" else 2
    assert played.points.shape == (N, n)
    counts = np.sort(played.game_counts, axis=1)
    tied = counts[:, -1] == counts[:, -2]
    assert np.array_equal(played.points.sum(axis=1), np.where(tied, 5, 6))
    bidding = np.arange(N) % 6 % n
    changed = np.where(played.points >= 3, played.points, -3)
    right = np.where(np.arange(n) == bidding[:, None], changed, played.points)
    assert np.array_equal(played.scores, right)


@pytest.mark.parametrize("letter", "CDHS")
def test_B36_every_void_in_every_suit(letter: str) -> None:
    """Hands of one suit, looked at as if any suit were trumps."""
    hand = mask(" ".join(rank + letter for rank in "AKQJT2"))
    for s in range(4):
        assert NAMES[composition_of(hand, s)]
        assert estimate(hand, s) >= 50
    void = mask("AS KS QS JS 2S JO")
    assert NAMES[composition_of(void, suit("S"))] == "AKQR2J+0"
    assert [estimate(void, s) for s in range(4)] == [150, 90, 90, 440]


@pytest.mark.parametrize("teams", ["3x2", "2x3"])
def test_B28_counts_of_all_teams_are_those_of_the_cards_in_play(teams: str) -> None:
    n = 300 if JIT_ENABLED else 20
    players = (find_policy("random"),) * 6
    for deal in Dealer(players, Rules(teams=teams), 4).hands(0, n):
        if deal.bidder >= 0:
            dead = set(range(53)) - set(deal.history)
            assert sum(deal.game_count) == 81 - int(GAME_COUNT[list(dead)].sum())
            assert len([team for team in deal.point_team[:5] if team >= 0]) == 5
