"""Comparisons: exact against a count by hand, nothing for equals, fair between seats."""

from __future__ import annotations

import numpy as np
import pytest

from schmier_sim import Rules, find_policy
from schmier_sim._jit import JIT_ENABLED
from schmier_sim.compare import (
    Judge,
    Match,
    as_bidder,
    as_defender,
    margins,
    win_shares,
)
from schmier_sim.comparison import compare, greatest_margin, greatest_share
from schmier_sim.dealing import Dealer
from schmier_sim.errors import InputError
from schmier_sim.policies import registry
from schmier_sim.policies.base import Policy
from schmier_sim.sprt import Sprt
from schmier_sim.stats import bounded_mean_interval, mean_interval, ratio_difference

PLAIN, RANDOM = find_policy("plain"), find_policy("random")
HALF = Policy("half", "", False, PLAIN.call, PLAIN.trump, RANDOM.discard, RANDOM.play)
"""Bids like `plain`, so that both of them win auctions, and plays at random."""
N = 300 if JIT_ENABLED else 6


def by_hand(match: Match, hand: int) -> tuple[float, list[tuple[bool, bool, int]]]:
    """Return a deal's margin, and (plays A, is the bidding team, score) of each team."""
    teams, total, parts = match.rules.n_teams, 0.0, []
    for side, seating in zip(match.sides, match.seatings(), strict=True):
        *_, deal = Dealer(seating, match.rules, match.seed).hands(hand, 1)
        scores = deal.score[:teams]
        plays_a = [bool(side >> team & 1) for team in range(teams)]
        means = [np.mean([s for s, a in zip(scores, plays_a, strict=True) if a == who])
                 for who in (True, False)]  # fmt: skip
        total += float(means[0] - means[1])
        parts += [(plays_a[t], t == deal.bidder % teams, scores[t]) for t in range(teams)]
    return total / len(match.sides), parts


@pytest.mark.parametrize("rules", [Rules(), Rules(teams="2x3")], ids=Rules.describe)
@pytest.mark.parametrize("auction_by", [None, PLAIN], ids=["free", "fixed"])
def test_margins_and_roles_agree_with_a_count_by_hand(rules: Rules, auction_by: object) -> None:
    match = Match(PLAIN, HALF, auction_by, rules, seed=5)  # type: ignore[arg-type]
    n = 25 if JIT_ENABLED else 2
    deals = Judge(match).deals(n)
    counted = [by_hand(match, hand) for hand in range(n)]
    assert margins(deals, match) == pytest.approx([margin for margin, _ in counted])
    for bidding, interval in ((True, as_bidder(deals)), (False, as_defender(deals))):
        of = {
            who: [s for _, parts in counted for a, b, s in parts if a == who and b == bidding]
            for who in (True, False)
        }
        assert interval.mean == pytest.approx(np.mean(of[True]) - np.mean(of[False]))
        assert interval.low < interval.mean < interval.high


@pytest.mark.parametrize("name", registry.names())
def test_a_player_against_himself_is_exactly_level(name: str) -> None:
    player = find_policy(name)
    match = Match(player, player, seed=6)
    judge = Judge(match)
    assert mean_interval(margins(judge.deals(N), match)) == (0, 0, 0)
    games = 5 if JIT_ENABLED else int(name != "random")  # games at random take 500 deals
    assert not win_shares(judge.games(games), match).any()


def test_exchanging_the_two_changes_the_sign_alone() -> None:
    one, other = Match(PLAIN, RANDOM, seed=7), Match(RANDOM, PLAIN, seed=7)
    assert (
        margins(Judge(one).deals(N), one).tolist()
        == (-margins(Judge(other).deals(N), other)).tolist()
    )


def test_any_number_of_threads_gives_the_same_numbers() -> None:
    match = Match(PLAIN, RANDOM, seed=8)
    assert np.array_equal(Judge(match, 1).deals(N), Judge(match, 3).deals(N))
    games = 9 if JIT_ENABLED else 2
    assert np.array_equal(Judge(match, 1).games(games), Judge(match, 3).games(games))


def test_plain_beats_random_by_a_point_a_hand() -> None:
    match = Match(PLAIN, RANDOM, seed=9)
    interval = mean_interval(margins(Judge(match).deals(N), match))
    assert interval.low > 1


def test_in_fixed_auctions_the_same_seat_bids_the_same_in_every_seating() -> None:
    match = Match(PLAIN, RANDOM, PLAIN, seed=10)
    deals = Judge(match).deals(N)
    assert np.all(deals[:, 2] == 3)  # the bidding team plays A in three of six seatings
    assert np.all(deals[:, 4] == 3)


def test_games_are_those_that_are_dealt() -> None:
    match = Match(PLAIN, RANDOM, seed=11)
    n = 4 if JIT_ENABLED else 1
    masks = Judge(match).games(n)
    for k, seating in enumerate(match.seatings()):
        dealer = Dealer(seating, match.rules, match.seed)
        for number in range(n):
            *_, last = dealer.game(number)
            winners = [team for team in range(3) if masks[number, k] >> team & 1]
            assert winners == (last.game["winners"] or [])


def test_shares_of_wins() -> None:
    """Team 0 wins every game: A when it plays A, else B; a shared win counts half each."""
    match = Match(PLAIN, RANDOM)
    shares = win_shares(np.full((1, 6), 0b001), match)
    # Sides 1, 3 and 5 hold team 0: alone, or one of two teams.
    assert shares.tolist() == pytest.approx([(1 - 1 / 2 + 1 / 2 - 1 + 1 / 2 - 1 / 2) / 6])
    assert win_shares(np.full((1, 6), 0b111), match).tolist() == pytest.approx([0])
    assert win_shares(np.zeros((1, 6), int), match).tolist() == [0]


def test_a_difference_of_ratios_is_a_paired_mean_where_all_clusters_are_alike() -> None:
    rng = np.random.default_rng(3)
    a = rng.normal(1, 1, 50)
    b = a + rng.normal(0.3, 0.1, 50)
    ones = np.ones(50)
    assert ratio_difference(a, ones, b, ones) == pytest.approx(mean_interval(a - b))


def test_a_difference_of_ratios_covers_the_truth() -> None:
    rng = np.random.default_rng(4)
    hits = 0
    for _ in range(400):
        n_a, n_b = rng.integers(0, 4, 200), rng.integers(0, 4, 200)
        shift = rng.normal(0, 1, 200)
        a, b = n_a * (1 + shift), n_b * (0.5 + shift)
        interval = ratio_difference(a, n_a, b, n_b)
        hits += interval.low <= 0.5 <= interval.high
    assert 360 <= hits <= 396


def test_a_role_that_never_occurs_has_no_mean() -> None:
    zero, one = np.zeros(3), np.ones(3)
    assert np.isnan(ratio_difference(zero, zero, one, one)).all()


@pytest.mark.parametrize("teams", ["3x2", "2x3"])
def test_no_margin_is_greater_than_the_greatest(teams: str) -> None:
    """The worst deal: one team set on six, another with all six points."""
    rules = Rules(teams=teams)
    match = Match(PLAIN, RANDOM, rules=rules)
    worst = [6, -6, 0][: rules.n_teams]
    means = [
        np.mean([s for t, s in enumerate(worst) if side >> t & 1])
        - np.mean([s for t, s in enumerate(worst) if not side >> t & 1])
        for side in match.sides
    ]
    assert np.max(np.abs(means)) == greatest_margin(rules)


@pytest.mark.parametrize("teams", ["3x2", "2x3"])
def test_no_share_is_greater_than_that_of_who_always_wins(teams: str) -> None:
    match = Match(PLAIN, RANDOM, rules=Rules(teams=teams))
    one_of = [[side & -side for side in match.sides]]  # the first team of A
    assert win_shares(np.array(one_of), match) == pytest.approx(greatest_share(match.rules))


@pytest.fixture
def early(monkeypatch: pytest.MonkeyPatch) -> int:
    """The first look of a test of 0 against 0.2; without the JIT after six deals."""
    if not JIT_ENABLED:
        monkeypatch.setattr("schmier_sim.sprt.FEWEST", 6)
        monkeypatch.setattr("schmier_sim.sprt._WAIT", 0.001)
    return Sprt(0, 0.2).first_look


def test_a_sequential_test_of_real_deals_knows_which_is_true(early: int) -> None:
    """`plain` plays its cards better than at random by more than 0.2 points, not by 5."""
    match = Match(PLAIN, HALF, seed=12)
    close = ((0.0, 0.2, "high"), (0.2, 5.0, "low"), (-5.0, -0.2, "high"))
    wide = ((-9.0, 1.0, "high"), (-1.0, 9.0, "low"))
    for low, high, accepted in close if JIT_ENABLED else wide:
        done = compare(Judge(match, 2), 20_000 if JIT_ENABLED else 60, test=Sprt(low, high))
        assert done.verdict is not None
        assert done.verdict.accepted == accepted
        assert len(done.deals) == done.verdict.hands >= early


def test_a_sequential_test_does_not_depend_on_the_threads_and_stops_where_it_knows(
    early: int,
) -> None:
    """Its deals are the first of those that are played without it."""
    match = Match(PLAIN, HALF, seed=13)
    most = 8 * early if JIT_ENABLED else 8
    whole = Judge(match).deals(most)
    law = margins(whole[:early], match)
    test = Sprt(law.mean() - 0.02, law.mean() + 0.03)  # a close question
    stops = test.looks(most)
    expected = next((n for n in stops if test.verdict(margins(whole[:n], match)).accepted), most)
    for jobs in (1, 3):
        done = compare(Judge(match, jobs), most, test=test)
        assert len(done.deals) == expected
        assert done.verdict == test.verdict(margins(whole[:expected], match))
        assert np.array_equal(done.deals, whole[:expected])


def test_a_sequential_test_that_may_not_look_is_refused() -> None:
    with pytest.raises(InputError, match="looks first after"):
        compare(Judge(Match(PLAIN, RANDOM)), 5, test=Sprt(0, 0.1))


def test_ctrl_c_keeps_whole_rounds(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("schmier_sim.comparison._ROUND", 3)
    match = Match(PLAIN, RANDOM, seed=14)

    def stop(done: int) -> None:
        if done > 7:
            raise KeyboardInterrupt

    done = compare(Judge(match, 2), 30, progress=(stop, None))
    assert done.interrupted
    assert np.array_equal(done.deals, Judge(match).deals(6))
    assert len(done.winners) == 0
    figures = done.figures()
    assert figures["points_per_hand"] == mean_interval(margins(done.deals, match))
    assert figures["win_share"] is None


def test_ctrl_c_before_the_first_look_of_a_test_keeps_rounds_too(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("schmier_sim.comparison._ROUND", 3)

    def stop(done: int) -> None:
        if done > 7:
            raise KeyboardInterrupt

    judge = Judge(Match(PLAIN, RANDOM, seed=14), 2)
    done = compare(judge, 200_000, test=Sprt(0, 0.1), progress=(stop, None))
    assert done.interrupted
    assert len(done.deals) == 6
    assert done.verdict is None


def test_few_games_that_end_alike_have_limits_of_some_width() -> None:
    match = Match(PLAIN, PLAIN, rules=Rules(target=3), seed=15)
    games = 3 if JIT_ENABLED else 1
    done = compare(Judge(match), 2, games)
    assert not done.interrupted
    interval = done.figures()["win_share"]
    assert interval == bounded_mean_interval(np.zeros(games), -0.75, 0.75)
    assert interval is not None
    assert -0.75 < interval.low == -interval.high < -0.5
