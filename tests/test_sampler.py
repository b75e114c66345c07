"""Hidden hands: drawn as often as all of them, written down one by one, are likely."""

from __future__ import annotations

from collections import Counter
from math import comb, sqrt

import numpy as np
import pytest
import sampler_fuzz
import sampler_oracle
from sampler_views import ending, hidden_hands, view_of

from schmier_sim import Rules, find_policy
from schmier_sim._jit import JIT_ENABLED
from schmier_sim.cards import SUIT_MASK, mask_of, parse_cards
from schmier_sim.dealing import Dealer
from schmier_sim.engine.state import new_tables
from schmier_sim.sampler.drawing import deal_known
from schmier_sim.sampler.knowledge import Fact
from schmier_sim.sampler.worlds import Sampler, planned
from schmier_sim.stats import chi_square_tail

DRAWS = 20_000 if JIT_ENABLED else 120
KINDS = ("auction", "exchange", "play", "excess")
LIMIT = 1e-5


def p_value(position, seed, draws=DRAWS):
    """Of the frequencies of hidden cards, by the list of all that may be."""
    exact = sampler_oracle.worlds(position.known)
    drawn = Sampler(position.view, position.facts).draw(draws, seed)
    for fact in position.facts:
        if fact.holds:
            assert np.all(drawn[:, fact.seat] & fact.cards == fact.cards)
            drawn[:, fact.seat] &= ~np.int64(fact.cards)
    assert np.all(drawn[:, position.known.me] == position.view["hand"])
    drawn[:, position.known.me] = 0
    counts = Counter(map(tuple, drawn.tolist()))
    assert counts.keys() <= exact.keys()
    frequent = [world for world, chance in exact.items() if chance * draws >= 5]
    expected = np.array([exact[world] for world in frequent]) * draws
    met = np.array([counts[world] for world in frequent], float)
    if draws - expected.sum() >= 5:
        expected = np.append(expected, draws - expected.sum())
        met = np.append(met, draws - met.sum())
    if len(expected) < 2:
        return 1.0
    return chi_square_tail(((met - expected) ** 2 / expected).sum(), len(expected) - 1)


@pytest.mark.parametrize("kind", KINDS)
def test_sampled_frequencies_are_those_of_all_that_fits(kind):
    p_values = []
    for seed in range(24 if JIT_ENABLED else 4):
        position = ending(seed, kind)
        p_values.append(p_value(position, 100 + seed))
    assert np.min(p_values) > LIMIT
    if JIT_ENABLED:
        assert np.mean(np.array(p_values) < 0.05) < 0.25  # nor are they together


def test_the_positions_listed_are_of_all_sorts():
    positions = [ending(seed, kind) for seed in range(24) for kind in KINDS]
    assert {p.known.me for p in positions} == set(range(6))
    assert any(p.known.me == p.known.taker for p in positions)
    assert any(p.known.me == p.view["bidder"] != p.known.taker for p in positions)
    assert any((seat, p.known.trump) in p.known.voids for p in positions for seat in range(6))
    assert any(p.view["n_played"] % 6 for p in positions)
    excess = [sampler_oracle.worlds(ending(s, "excess").known) for s in range(4)]
    assert all(any(world[8] for world in worlds) for worlds in excess)


@pytest.mark.parametrize("k", [1, 3, 5])
def test_before_any_call_the_partner_holds_one_of_k_cards_by_the_hypergeometric_law(k):
    hand = mask_of(parse_cards("AS KS JS JC 2S JO"))
    named = mask_of(parse_cards("AD KD QD JD TD")[:k])
    position = ending(0, "auction")
    view = position.view
    view["hand"], view["thrown"], view["seat"] = hand, 0, 0
    n = 200_000 if JIT_ENABLED else 100
    worlds = Sampler(view).draw(n)
    exact = 1 - comb(47 - k, 6) / comb(47, 6)
    assert abs(np.mean(worlds[:, 3] & named != 0) - exact) < 5 * sqrt(exact * (1 - exact) / n)
    # Knowing where one of them is not, it is in one of the 41 other places.
    worlds = Sampler(view, [Fact(3, named & -named, False, "")]).draw(n)
    assert not np.any(worlds[:, 3] & named & -named)
    rate = np.mean(worlds[:, 1] & named & -named != 0)
    assert abs(rate - 6 / 41) < 5 * sqrt(6 / 41 * 35 / 41 / n)


# --- Real deals ----------------------------------------------------------------------------------


def _moments(count, rules):
    dealer = Dealer((find_policy("random"),) * 6, rules, seed=11)
    for i, deal in enumerate(dealer.hands(0, count)):
        if deal.bidder >= 0:
            seat = i % 6
            for n_played in (-1, 0, 1 + i % 35, 35) if JIT_ENABLED else (-1, 30):
                yield deal, seat, n_played, view_of(deal, rules, seat, n_played)


SWITCHES = [
    {}, {"rest_to": "bidder"}, {"dealer_excess": "free"}, {"trump_anytime": True},
    {"first_lead": "trump"},
]  # fmt: skip


@pytest.mark.parametrize("change", SWITCHES)
def test_what_really_was_is_never_excluded(change):
    rules = Rules.of(change)
    for deal, seat, n_played, view in _moments(60 if JIT_ENABLED else 3, rules):
        truth = hidden_hands(deal, n_played)
        facts = [Fact(s, truth[s], True, f"seat {s}") for s in range(6) if s != seat and truth[s]]
        (world,) = Sampler(view, facts).draw(1)
        assert world[:6].tolist() == truth
        if deal.taker != seat and n_played >= 0:
            thrown = deal.thrown[deal.taker] & int(SUIT_MASK[deal.trump, deal.trump])
            assert world[8] == thrown  # all else is known, and so is an excess


@pytest.mark.parametrize("change", [{}, {"rest_to": "bidder"}, {"dealer_excess": "free"}])
def test_a_taker_knows_the_rest_of_the_stock_and_where_all_trumps_are(change):
    rules = Rules.of(change)
    dealer = Dealer((find_policy("random"),) * 6, rules, seed=12)
    for deal in dealer.hands(0, 80 if JIT_ENABLED else 3):
        if deal.bidder < 0:
            continue
        for n_played in (0, 8, 14, 18, 20, 30) if JIT_ENABLED else (20,):
            worlds = Sampler(view_of(deal, rules, deal.taker, n_played)).draw(20)
            trumps = int(SUIT_MASK[deal.trump, deal.trump])
            thrown = sum(n for seat, n in enumerate(deal.drawn) if seat != deal.taker)
            assert not worlds[:, 7:].any()
            assert not np.any(worlds[:, 6] & (trumps | deal.thrown[deal.taker]))
            assert all(int(pile).bit_count() == thrown for pile in worlds[:, 6])
            seen = trumps & (mask_of(deal.history[:n_played]) | deal.thrown[deal.taker])
            held = np.bitwise_or.reduce(worlds[:, :6], axis=1)
            assert np.all(held & trumps == trumps & ~seen)


@pytest.mark.parametrize("change", SWITCHES)
def test_no_card_is_lost_or_there_twice(change):
    rules = Rules.of(change)
    deals, first = (200, -1) if JIT_ENABLED else (1, 30)
    faults = sampler_fuzz.fuzz(rules, deals, seed=3, first=first)
    assert not faults.any(), sampler_fuzz.told(faults)


def test_T1_a_bidder_who_may_lead_only_trumps_and_leads_a_plain_card_has_none():
    met = 0
    for rule, may_hold in (("trump", False), ("any", True)):
        rules = Rules.of({"first_lead": rule})
        players = (find_policy("random"),) * 6
        for deal in Dealer(players, rules, 8).hands(0, 400 if JIT_ENABLED else 40):
            lead, trumps = deal.history[0], int(SUIT_MASK[deal.trump, deal.trump])
            if lead < 0 or trumps >> lead & 1:
                continue
            seat = (deal.bidder + 1) % 6
            worlds = Sampler(view_of(deal, rules, seat, 1)).draw(40)
            met += 1
            assert np.any(worlds[:, deal.bidder] & trumps) == may_hold
            if met > 10 or not JIT_ENABLED:
                break
    assert met >= 2


def test_a_known_deal_is_a_whole_one_with_the_stock_in_any_order():
    view = ending(0, "auction").view
    view["hand"], view["thrown"], view["seat"] = mask_of(parse_cards("AS KS JS JC 2S JO")), 0, 2
    plans = planned(view, [Fact(5, 1 << 3, True, ""), Fact(4, 1 << 4, False, "")])
    tables = new_tables(1)
    n, first = 2_000 if JIT_ENABLED else 40, []
    for index in range(n):
        deal_known(tables[0], plans[0], 5, index)
        dealt, stock = tables["dealt"][0].tolist(), tables["stock"][0].tolist()
        assert dealt[2] == view["hand"]
        assert dealt[5] >> 3 & 1
        assert not dealt[4] >> 4 & 1
        cards = [card for hand in dealt for card in parse_mask(hand)] + stock
        assert sorted(cards) == list(range(53))
        first.append(stock.index(0) if 0 in stock else -1)
    if JIT_ENABLED:
        met = np.bincount([at for at in first if at >= 0], minlength=17)
        assert chi_square_tail(((met - met.mean()) ** 2 / met.mean()).sum(), 16) > LIMIT


def with_swapped(deal, one, other):
    """The same deal with two cards in each other's place."""
    turned = {one: other, other: one}

    def masks(hands):
        return [mask_of(turned.get(card, card) for card in parse_mask(hand)) for hand in hands]

    history = [turned.get(card, card) for card in deal.history]
    return deal._replace(history=history, dealt=masks(deal.dealt), thrown=masks(deal.thrown))


@pytest.mark.parametrize("n_played", [-1, 0, 8, 30])
def test_swapping_hidden_cards_changes_nothing(n_played):
    rules, n = Rules(), 50 if JIT_ENABLED else 5
    players = (find_policy("random"),) * 6
    deals = [d for d in Dealer(players, rules, 5).hands(0, 9) if d.bidder >= 0]
    for deal in deals[: 4 if JIT_ENABLED else 1]:
        seat = (deal.taker + 2) % 6
        hands = hidden_hands(deal, n_played)
        one, other = (hands[(seat + k) % 6] for k in (1, 3))
        held = hands[seat] | (deal.thrown[seat] if n_played >= 0 else 0)
        nowhere = (1 << 53) - 1 & ~(held | mask_of(deal.history[: max(0, n_played)]) | sum(hands))
        if n_played >= 0:  # then it is somebody's discard; in the auction it lies in the stock
            assert nowhere & deal.thrown[deal.taker]
        first = Sampler(view_of(deal, rules, seat, n_played))
        before = first.draw_weighted(players, n)
        for place in (other, nowhere):
            swapped = with_swapped(deal, parse_mask(one)[0], parse_mask(place)[0])
            assert hidden_hands(swapped, n_played) != hands
            after = Sampler(view_of(swapped, rules, seat, n_played)).draw_weighted(players, n)
            assert np.array_equal(before.cards, after.cards)
            assert np.array_equal(before.weights, after.weights)
            assert np.array_equal(before.cards, first.draw(n))


def parse_mask(mask):
    return [card for card in range(53) if mask >> card & 1]
