"""What must be true of every hand under the defaults, and a little more."""

from __future__ import annotations

from math import comb, isclose

import numpy as np
import pytest
from deals import shuffled

from schmier_sim import Rules, find_policy, play_batch
from schmier_sim._jit import JIT_ENABLED
from schmier_sim.bits import count_bits
from schmier_sim.cards import GAME_COUNT, POINT_MASK, SUIT_MASK, cards_of, mask_of, parse_hand
from schmier_sim.dealing import Deal, Dealer
from schmier_sim.engine.state import POINT_NAMES

N = 20_000 if JIT_ENABLED else 60
PLAYERS = ("plain", "random")


def table(name: str) -> tuple:
    return (find_policy(name),) * 6


@pytest.fixture(scope="module", params=PLAYERS)
def deals(request: pytest.FixtureRequest) -> list[Deal]:
    """Completed deals, everything that happened in them."""
    n = 4000 if JIT_ENABLED else 40
    dealer = Dealer(table(request.param), Rules(), seed=11)
    return [deal for deal in dealer.hands(0, n) if deal.bidder >= 0]


def test_fact_1_five_card_points_and_six_unless_game_ties(deals: list[Deal]) -> None:
    for deal in deals:
        teams = dict(zip(POINT_NAMES, deal.point_team, strict=True))
        assert all(teams[name] >= 0 for name in POINT_NAMES if name != "game")
        best = max(deal.game_count)
        assert (teams["game"] < 0) == (deal.game_count.count(best) > 1)


def test_fact_2_all_trumps_in_play_but_a_dealers_excess(deals: list[Deal]) -> None:
    for deal in deals:
        trumps = int(SUIT_MASK[deal.trump, deal.trump])
        thrown = trumps & ~mask_of(deal.history)
        assert thrown & ~deal.thrown[deal.dealer] == 0
        assert thrown & int(POINT_MASK[deal.trump]) == 0
        if thrown:
            played = [deal.history[i] for i in range(36) if owner(deal, i) == deal.dealer]
            assert mask_of(played) & ~trumps == 0


def owner(deal: Deal, i: int) -> int:
    """The seat that played the i-th card."""
    leader = deal.bidder if i < 6 else deal.winners[i // 6 - 1]
    return (leader + i % 6) % 6


def test_fact_3_the_dealer_sees_at_least_two_more_cards(deals: list[Deal]) -> None:
    for deal in deals:
        drawn = list(deal.drawn)
        assert sum(drawn) == 17
        assert 2 <= drawn.pop(deal.dealer) <= 17
        assert all(0 <= count <= 3 for count in drawn)


def test_fact_4_game_counts_and_cards_are_conserved(deals: list[Deal]) -> None:
    for deal in deals:
        dead = [card for hand in deal.thrown for card in cards_of(hand)]
        assert sorted(deal.history + dead) == list(range(53))
        assert len(dead) == 17
        assert sum(deal.game_count) == 81 - int(GAME_COUNT[dead].sum())


def test_fact_5_the_ace_of_trumps_wins_its_trick(deals: list[Deal]) -> None:
    for deal in deals:
        at = deal.history.index(13 * deal.trump + 12)
        assert deal.winners[at // 6] == owner(deal, at)
        assert deal.point_team[0] == owner(deal, at) % 3


@pytest.mark.parametrize("name", PLAYERS)
@pytest.mark.parametrize("position", [1, 2, 3, 4, 5])
def test_fact_6_six_top_trumps_are_five_sure_points(name: str, position: int) -> None:
    hands, stock = shuffled(N, first="AS KS QS JS JC TS")
    forced = {"bidders": 0, "bids": 5, "trumps": 3, "policies": table(name)}
    played = play_batch(hands, stock, (0 - position) % 6, **forced)
    own = played.points[:, 0]
    low = own == 6  # the only point that can go elsewhere
    assert set(np.unique(own)) <= {5, 6}
    assert np.all(played.scores[:, 0] == own)
    assert 0 < low.mean() < 1
    taken = play_batch(hands, stock, (0 - position) % 6, rules=Rules(low="taker"), **forced)
    assert np.all(taken.points[:, 0] == 6)


def test_fact_7_without_ace_at_most_five_without_ace_and_two_at_most_four(
    deals: list[Deal],
) -> None:
    for deal in deals:
        points = [deal.point_team.count(team) for team in range(3)]
        for team in range(3):
            most = 6 - (deal.point_team[0] != team) - (deal.point_team[1] != team)
            assert points[team] <= most


def test_fact_9_trumps_of_the_best_suit_exactly() -> None:
    n = 400_000 if JIT_ENABLED else 2000
    hands, _ = shuffled(n // 6, seed=5)
    masks = hands.ravel()
    best = np.zeros(len(masks), int)
    for suit in range(4):
        best = np.maximum(best, np.bitwise_count(masks & SUIT_MASK[suit, suit]))
    exact = {2: 6_335_784, 3: 12_343_632, 4: 3_801_588, 5: 456_456, 6: 20_020}
    assert sum(exact.values()) == comb(53, 6) == 22_957_480
    for count, hands_with in exact.items():
        p = hands_with / comb(53, 6)
        error = np.sqrt(p * (1 - p) / len(masks))
        assert abs(np.mean(best == count) - p) < 5 * error


def test_fact_9_by_enumeration_over_the_suits() -> None:
    """Count hands by (clubs, spades, diamonds, hearts, joker) below the jacks, not by dealing."""
    totals = dict.fromkeys(range(7), 0)
    shapes = ((b, r, j) for b in range(7) for r in range(7) for j in (0, 1))
    for black, red, joker in shapes:
        if black + red + joker != 6:
            continue
        for trumps_b, ways_b in _colour(black):
            for trumps_r, ways_r in _colour(red):
                totals[max(trumps_b, trumps_r) + joker] += ways_b * ways_r
    assert {k: v for k, v in totals.items() if v} == {
        2: 6_335_784, 3: 12_343_632, 4: 3_801_588, 5: 456_456, 6: 20_020,
    }  # fmt: skip


def _colour(cards: int) -> list[tuple[int, int]]:
    """(trumps of the longer suit of a colour, ways) for so many cards of 12 + 12 and two bauers."""
    found = []
    for bauers in range(3):
        for one in range(cards - bauers + 1):
            other = cards - bauers - one
            ways = comb(2, bauers) * comb(12, one) * comb(12, other)
            found.append((max(one, other) + bauers, ways))
    return found


@pytest.mark.parametrize(
    ("k", "percent"), [(1, 12.77), (2, 24.14), (3, 34.26), (4, 43.22), (5, 51.15)]
)
def test_fact_10_partner_was_dealt_one_of_k_cards(k: int, percent: float) -> None:
    exact = 1 - comb(47 - k, 6) / comb(47, 6)
    assert isclose(100 * exact, percent, abs_tol=0.005)
    n = 200_000 if JIT_ENABLED else 2000
    hands, _ = shuffled(n, seed=k, first="2C 3C 4C 5C 6C 7C")
    named = mask_of(parse_hand("AS KS QS JS TS 9S")[:k])
    share = np.mean(hands[:, 3] & named != 0)
    assert abs(share - exact) < 5 * np.sqrt(exact * (1 - exact) / n)


def test_partner_in_sampled_deals_as_in_the_hypergeometric_law() -> None:
    from schmier_sim.engine.state import new_tables
    from schmier_sim.sampler.drawing import deal_around

    n = 40_000 if JIT_ENABLED else 400
    mine, named = (
        mask_of(parse_hand("AS KS JS JC 2S JO")),
        mask_of(parse_hand("QS TS 9S AH KH QH")[:3]),
    )
    tables = new_tables(1)
    hits = 0
    for index in range(n):
        deal_around(tables[0], 0, mine, 1, index)
        hands = [int(hand) for hand in tables["dealt"][0]]
        stock = [int(card) for card in tables["stock"][0]]
        assert hands[0] == mine
        assert sum(map(count_bits, hands)) == 36
        assert sum(hands) | mask_of(stock) == 2**53 - 1
        hits += hands[3] & named != 0
    exact = 1 - comb(44, 6) / comb(47, 6)
    assert abs(hits / n - exact) < 5 * np.sqrt(exact * (1 - exact) / n)
