"""Weights of drawn worlds: the chance that the others would have done what they did."""

from __future__ import annotations

from collections import defaultdict
from functools import cache
from itertools import combinations
from math import comb

import numpy as np
import pytest
import sampler_oracle
from nosy import Nosy
from sampler_views import Ending, empty_view, hidden_hands, view_of

from schmier_sim import Rules, find_policy
from schmier_sim._jit import JIT_ENABLED, kernel
from schmier_sim.cards import mask_of, parse_cards
from schmier_sim.dealing import Dealer
from schmier_sim.engine.state import new_tables, new_views, seat_players
from schmier_sim.policies.base import answers_of
from schmier_sim.rng import POLICY, stream
from schmier_sim.sampler.calls import MOST_ASKED
from schmier_sim.sampler.knowledge import Fact
from schmier_sim.sampler.plan import new_plan, read_view
from schmier_sim.sampler.weighing import drawn_cards, weigh_dealt
from schmier_sim.sampler.worlds import Sampler, effective_size

PLAIN, RANDOM, HEURISTIC = (find_policy(name) for name in ("plain", "random", "heuristic"))
RULES = Rules()


# --- One decision after the other, in real deals ------


@kernel
def _weigh(tables, views, plans, seens, answers, errors):
    seat_players(tables[0], answers)
    views[0].rules = seens[0].rules
    return weigh_dealt(tables[0], views[0], seens[0], plans[0], errors)


def weight_of_truth(deal, policy, seat, n_played, error, change=None):
    """The weight of what really was, or of that with some hands changed; errors: one or four."""
    errors = error if isinstance(error, tuple) else (error,) * 4
    tables, views, plans, seens = new_tables(1), new_views(1), new_plan(), new_views(1)
    seens[0] = view_of(deal, RULES, seat, n_played)
    read_view(seens[0], plans[0])
    plans["usual"] = 0.2
    tables["dealt"] = deal.dealt
    tables["policy_key"] = stream(21, deal.number, deal.attempt, POLICY)
    plans["hands"], plans["threw"] = hidden_hands(deal, n_played), deal.thrown
    if change:
        change(tables, plans)
    return _weigh(tables, views, plans, seens, answers_of((policy,) * 6), errors)


def deals_with_bids(policy, count):
    dealer = Dealer((policy,) * 6, RULES, seed=21)
    return [deal for deal in dealer.hands(0, count) if deal.bidder >= 0]


@pytest.mark.parametrize("policy", [RANDOM, HEURISTIC, Nosy], ids=lambda policy: policy.name)
def test_who_plays_by_the_policy_agrees_with_it_in_every_decision(policy):
    # `random` draws by deal, seat and decision, and `Nosy` looks at all that it is shown: they
    # agree only if each question is the same.
    for i, deal in enumerate(deals_with_bids(policy, 30 if JIT_ENABLED else 3)):
        for n_played in (-1, 0, 5 + i % 30, 35):
            assert weight_of_truth(deal, policy, i % 6, n_played, 0.0) == 1.0


def test_who_plays_otherwise_does_not():
    deals = deals_with_bids(RANDOM, 30 if JIT_ENABLED else 3)
    weights = [weight_of_truth(deal, HEURISTIC, 0, 35, 0.0) for deal in deals]
    assert not any(weights)
    softened = [weight_of_truth(deal, HEURISTIC, 0, 35, 0.05) for deal in deals]
    assert all(0.0 < weight < 1e-6 for weight in softened)
    # Taken for all but wholly random, every answer is as likely as any other; wholly so, not asked.
    (deal,) = deals[:1]
    almost = 1 - 1e-12
    alike = {weight_of_truth(deal, policy, 0, 35, almost) for policy in (HEURISTIC, PLAIN, RANDOM)}
    assert max(alike) == pytest.approx(min(alike))
    assert weight_of_truth(deal, HEURISTIC, 0, 35, 1.0) == 1.0


def test_errors_are_by_phase_and_at_1_a_phase_tells_nothing():
    errors, met = (0.3, 0.2, 0.1, 0.4), [set() for _ in range(4)]
    for deal in deals_with_bids(RANDOM, 12 if JIT_ENABLED else 4):
        seat, parts = (deal.bidder + 1) % 6, []
        for phase in range(4):
            alone = tuple(e if i == phase else 1.0 for i, e in enumerate(errors))
            parts.append(weight_of_truth(deal, HEURISTIC, seat, 12, alone))
            met[phase].add(parts[phase])
        whole = weight_of_truth(deal, HEURISTIC, seat, 12, errors)
        assert whole == pytest.approx(np.prod(parts))
    assert {round(weight, 9) for weight in met[1]} <= {0.05, 0.85}  # four suits could be named
    assert all(min(weights) < 1.0 for weights in met)


def test_a_card_in_another_hand_can_be_told_by_the_plays():
    def swap(tables, plans):
        hands = plans["hands"][0]
        one, other = (seat for seat in range(1, 6) if hands[seat] and seat < 3)
        hands[one], hands[other] = hands[other], hands[one]

    deals = deals_with_bids(HEURISTIC, 40 if JIT_ENABLED else 4)
    changed = [weight_of_truth(deal, HEURISTIC, 0, 18, 0.05, swap) for deal in deals]
    true = [weight_of_truth(deal, HEURISTIC, 0, 18, 0.05) for deal in deals]
    assert sum(changed) < sum(true)


# --- Calls, by `plain`, written down once more ------


def plain_call(cards, least):
    """Up to A + 2 + 0.7 R + 0.6 L + 0.4 joker + 0.5 K + 0.3 Q + 0.25 each, + 0.5 in his suit."""
    best = 0
    for trump in range(4):
        own, left = 13 * trump, 13 * (3 - trump) + 9
        worth = {own + 12: 100, own: 100, own + 11: 50, own + 10: 30, own + 9: 70, left: 60, 52: 40}
        held = [card for card in cards if sampler_oracle.suit(card, trump) == trump]
        best = max(best, 50 + sum(worth.get(card, 25) for card in held))
    return least if least <= 6 and 100 * least <= best else 0


def plain_likelihood(position, world, error, usual):
    known, calls, high, likely = position.known, position.view["calls"], 0, 1.0
    for k in range(1, 7):
        seat = (int(position.view["dealer"]) + k) % 6
        if calls[seat] < 0:
            continue
        first = max(3, high + 1)
        if seat != known.me:
            cards = known.shown[seat] + [c for c in range(53) if world[seat] >> c & 1]
            agrees = plain_call(cards, first) == calls[seat]
            likely *= (1 - error) * agrees + error * usual[seat]
        high = max(high, calls[seat])
    return likely


TOLD = (
    "AS KS QS 9S 8S",
    "AD KD QD 9D 8D",
    "AC KC QC 9C 8C",
    "",
    "2H 3H 4H 5H 6H",
    "TH 9H 8H QH KH",
)
HIDDEN = parse_cards("JS 2S JD 2D JC 2C 7H")
ME = 3
CALLS = [(0, 0, 0), (3, 0, 0), (0, 3, 0), (3, 4, 0), (3, 0, 4)]


@cache
def weighted(calls, error=0.05):
    """What I know as third to the dealer's left, the exact chances, and drawn worlds.

    The card that is not told of the first three hands makes a bid of 3 or none.
    """
    shown = [parse_cards(text) for text in TOLD]
    room = [int(seat != ME) for seat in range(6)]
    hand = parse_cards("AH JH JO TS TD TC")
    known = sampler_oracle.Known(
        ME, -1, -1, HIDDEN, shown, room, [-1] * 6, set(), set(), False
    )  # fmt: skip
    view = empty_view(RULES, ME, 5, mask_of(hand))[0]
    out = {*range(53)} - {*hand, *HIDDEN, *(card for cards in shown for card in cards)}
    view["thrown"] = mask_of(out)
    view["calls"][:3] = calls
    told = [Fact(seat, mask_of(shown[seat]), True, "") for seat in range(6) if shown[seat]]
    position = Ending(view, told, known)
    exact = sampler_oracle.worlds(known)
    n = 20_000 if JIT_ENABLED else 100
    sampler = Sampler(view, position.facts)
    usual = sampler.usual((PLAIN,) * 6, min(n, MOST_ASKED), 1)
    likely = {w: c * plain_likelihood(position, w, error, usual) for w, c in exact.items()}
    whole = sum(likely.values())
    drawn = sampler.draw_weighted((PLAIN,) * 6, n, 1, (error,) * 4)
    for fact in position.facts:
        drawn.cards[:, fact.seat] &= ~np.int64(fact.cards)
    drawn.cards[:, ME] = 0
    return position, {world: each / whole for world, each in likely.items()}, drawn, usual


@pytest.mark.parametrize("calls", CALLS)
def test_calls_weigh_as_likely_as_they_are(calls):
    position, exact, drawn, usual = weighted(calls)
    expected = np.array(
        [plain_likelihood(position, world, 0.05, usual) for world in drawn.cards[:500].tolist()]
    )
    ratio = drawn.weights[:500] / expected
    assert np.allclose(ratio, ratio[0])
    if not JIT_ENABLED:
        return
    # And so do the cards: by all that fits, each weighted by the same calls.
    n = len(drawn.weights)
    for seat in range(6):
        for card in position.known.hidden:
            has = (drawn.cards[:, seat] >> card & 1).astype(float)
            true = sum(chance for world, chance in exact.items() if world[seat] >> card & 1)
            error = np.sqrt(np.mean((drawn.weights * (has - true)) ** 2) / n)
            assert abs(np.mean(drawn.weights * has) - true) <= 5.5 * error + 1e-9


def test_usual_calls_are_those_of_hands_around_mine():
    """By `plain` written down once more, on hands of its own."""
    hand = parse_cards("AH JH JO TS TD TC")
    rng, n = np.random.default_rng(5), 4_000 if JIT_ENABLED else 200
    rest = [card for card in range(53) if card not in hand]
    hands = [rng.permutation(rest)[:6].tolist() for _ in range(n)]
    asked = 10_000 if JIT_ENABLED else 100
    for calls in CALLS[:4]:
        view = empty_view(RULES, ME, 5, mask_of(hand))[0]
        view["calls"][:3] = calls
        usual = Sampler(view).usual((PLAIN,) * 6, asked, 3)
        high = 0
        for seat, call in enumerate(calls):
            so = sum(plain_call(held, max(3, high + 1)) == call for held in hands) / n
            spread = np.sqrt(max(so * (1 - so), 0.001) * (1 / n + 1 / asked))
            assert abs(usual[seat] - so) < 5 * spread + 1 / asked
            high = max(high, call)
        assert usual[3:].tolist() == [1, 1, 1]


def test_calls_tell_something_and_a_wholly_random_caller_nothing():
    n = 20_000 if JIT_ENABLED else 100
    for calls in CALLS[:3]:
        assert weighted(calls)[2].effective_size < 0.9 * n
        assert weighted(calls, error=1.0)[2].effective_size == pytest.approx(n)


def test_the_mean_weight_is_the_chance_of_the_calls():
    for calls in CALLS[:3]:
        position, _, drawn, usual = weighted(calls)
        exact = sampler_oracle.worlds(position.known)
        chance = sum(
            c * plain_likelihood(position, world, 0.05, usual) for world, c in exact.items()
        )
        error = np.std(drawn.weights) * drawn.likelihood / np.sqrt(len(drawn.weights))
        assert abs(drawn.likelihood - chance) < 5 * error
    # Nobody bids 4 on such cards: without any error there is no explanation, and no division.
    position, *_ = weighted(CALLS[3])
    drawn = Sampler(position.view, position.facts).draw_weighted((PLAIN,) * 6, 50, 1, (0.0,) * 4)
    assert drawn.likelihood == drawn.effective_size == 0.0


def test_effective_size():
    assert effective_size(np.ones(7)) == pytest.approx(7)
    assert effective_size(np.array([1.0, 0, 0])) == pytest.approx(1)
    assert effective_size(np.array([3.0, 1.0])) == pytest.approx(1.6)
    assert effective_size(np.zeros(3)) == 0.0


# --- Numbers of discards ------

ACES = [13 * suit + 12 for suit in range(4)]


def number_weight(hand, pile, drawn, trump, error):
    """The mean weight of a number exchanged by `plain`, who throws no aces, over what came how.

    What came from the stock may be any cards of the hand; he threw his from all plain ones.
    """
    found = defaultdict(float)
    for came in combinations(hand, drawn):
        dealt = [card for card in hand if card not in came] + list(pile)
        plain = [card for card in dealt if sampler_oracle.suit(card, trump) != trump]
        throws = min(3, sum(card not in ACES for card in plain))
        weight = (1 - error) * (throws == drawn) + error / (min(3, len(plain)) + 1)
        found["all"] += 1 / comb(len(plain), drawn)
        found["weighed"] += weight / comb(len(plain), drawn)
    return found["weighed"] / found["all"]


AFTER = (
    "5S 6S 7S 8S",
    "9S TS KS AH KH",
    "AS QS JS JC JO 4S",
    "",
    "7H 8H 9H TH QH JH",
    "TD 9D 8D 7D 6D KD",
)
LEFT_OVER = parse_cards("AD 2S 3S 4D AC 5C 6H")


def bidders_position():
    """Before the first card, as the bidder sees it: seats 0 and 1 drew one card, the last two."""
    shown = [parse_cards(text) for text in AFTER]
    room, drawn = [2, 1, 0, 0, 0, 0], [1, 1, 0, 0, 0, 2]
    hand = parse_cards("2H 3H 4H 5H 2D 3D")
    view = empty_view(RULES, ME, 5, mask_of(hand))[0]
    out = {*range(53)} - {*hand, *LEFT_OVER, *(card for cards in shown for card in cards)}
    view["thrown"], view["drawn"] = mask_of(out), drawn
    view["bidder"], view["bid"], view["trump"] = ME, 3, 3
    known = sampler_oracle.Known(ME, 3, 5, LEFT_OVER, shown, room, drawn, set(), set(), False)
    told = [Fact(seat, mask_of(shown[seat]), True, "") for seat in range(6) if shown[seat]]
    return Ending(view, told, known)


def test_numbers_of_discards_weigh_as_likely_as_they_are():
    position, n = bidders_position(), 40_000 if JIT_ENABLED else 400
    drawn = Sampler(position.view, position.facts).draw_weighted((PLAIN,) * 6, n, 3)
    by_world = defaultdict(list)
    for world, weight in zip(drawn.cards.tolist(), drawn.weights.tolist(), strict=True):
        by_world[tuple(world)].append(weight)
    frequent = {
        world: weights for world, weights in by_world.items() if len(weights) >= min(100, n // 20)
    }
    expected = {world: expected_numbers(position.known, world) for world in frequent}
    scale = sum(map(sum, frequent.values())) / sum(
        expected[world] * len(weights) for world, weights in frequent.items()
    )
    of_scale = np.std(drawn.weights) / np.sqrt(n)
    for world, weights in frequent.items():
        error = np.hypot(np.std(weights) / np.sqrt(len(weights)), of_scale * np.mean(weights))
        assert abs(np.mean(weights) - scale * expected[world]) < 5 * error
    if JIT_ENABLED:
        assert len(frequent) > 10
        assert max(expected.values()) > 1.2 * min(expected.values())


def test_what_came_from_the_stock_leaves_a_choice_of_what_was_thrown():
    plans, hand, n = new_plan(), parse_cards("AS KS QS AD KD QD"), 20_000 if JIT_ENABLED else 400
    plans["trump"], plans["stream"] = 3, 5
    found = np.zeros(4)
    for _ in range(n):
        came = int(drawn_cards(plans[0], mask_of(hand), 3))
        assert came & ~mask_of(hand) == 0
        found[(came & mask_of(hand[3:])).bit_count()] += 1
    ways = np.array([comb(3, r) ** 2 / comb(6 - r, 3) for r in range(4)])
    exact = ways / ways.sum()
    assert np.all(abs(found / n - exact) < 5 * np.sqrt(exact * (1 - exact) / n))


def expected_numbers(known, world):
    """The mean over all ways to divide the discards."""
    seats = [s for s in range(6) if s not in (known.me, known.taker) and known.drawn[s] > 0]
    seats += [s for s in range(6) if s not in (known.me, known.taker) and known.drawn[s] == 0]
    pool = [card for card in range(53) if world[6] >> card & 1]

    def share(seats, pool):
        if not seats:
            yield 1.0, 1.0
            return
        seat, d = seats[0], known.drawn[seats[0]]
        for pile in combinations(pool, d):
            hand = [card for card in range(53) if world[seat] >> card & 1]
            weight = number_weight(hand, pile, d, known.trump, 0.05)
            rest = [card for card in pool if card not in pile]
            for one, all_of_it in share(seats[1:], rest):
                yield weight * one, all_of_it

    parts = list(share(seats, pool))
    return sum(weight for weight, _ in parts) / sum(each for _, each in parts)
