"""Why, and what would change it: sure points by the rules, facts of hidden cards, variations."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from schmier_sim import Rules, find_policy
from schmier_sim._jit import JIT_ENABLED
from schmier_sim.advise import Advice, CallResult, advise
from schmier_sim.around import HOLDERS, POINT_TEAMS, Table
from schmier_sim.cards import card_name, parse_card
from schmier_sim.engine.state import POINT_NAMES
from schmier_sim.reasons import reasons, sure_points, trumps_high_to_low
from schmier_sim.situation import Situation, situation
from schmier_sim.stats import mean_interval
from schmier_sim.variations import MOST, near_hands, vary

N = 400 if JIT_ENABLED else 12
PLAIN, RANDOM = ((find_policy(name),) * 6 for name in ("plain", "random"))
CLUBS, SPADES = 0, 3


def study(held: Situation, hands: int = N, players: Any = PLAIN, **more: Any) -> Advice:
    return advise(Table(held, players), hands=hands, **more)


# --- Sure points ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("hand", "place", "sure"),
    [
        ("AS KS 3C 6H 7H QH", {}, "high"),
        ("KS 2S 3C 6H 7H QH", {}, "low"),
        ("KS 2S 3C 6H 7H QH", {"rules": Rules(low="taker")}, ""),
        ("AS 2S JS JC JO QH", {}, "high low"),
        ("AS KS QS JS JC TS", {}, "high right left joker game"),
        ("AS KS QS JS JC TS", {"rules": Rules(low="taker")}, "high low right left joker game"),
        ("AS KS QS JS JC TS", {"position": 6}, "high"),
        ("AS KS QS JS JC TS", {"rules": Rules(rest_to="bidder")}, "high"),
        ("AS KS QS JS JC TS", {"position": 6, "rules": Rules(rest_to="bidder")}, "high"),
        ("AC 2C QS JO JC TS", {}, ""),
    ],
)
def test_S1_S2_what_the_rules_alone_give(hand: str, place: dict[str, Any], sure: str) -> None:
    assert " ".join(sure_points(situation(hand, **place), SPADES)) == sure


@pytest.mark.parametrize("number", range(40 if JIT_ENABLED else 3))
def test_sure_points_are_never_lost_however_badly_one_plays(number: int) -> None:
    """Random players under random rules lose none of them."""
    rng = np.random.default_rng(number)
    rules = Rules(
        low=str(rng.choice(["player", "taker"])), teams=str(rng.choice(["3x2", "2x3"])),
        rest_to=str(rng.choice(["dealer", "bidder"])),
        dealer_excess=str(rng.choice(["minimum", "free"])), trump_anytime=bool(rng.integers(2)),
    )  # fmt: skip
    special = [[parse_card(n) for n in names.split()] for names in
               ("AS 2S", "AS KS QS JS JC TS", "AS 2S JS JC JO")][number % 3]  # fmt: skip
    rest = [int(card) for card in rng.permutation(53) if card not in special]
    hand = " ".join(map(card_name, (special + rest)[:6]))
    held = situation(hand, int(rng.integers(1, 7)), rules=rules)
    facts = Table(held, RANDOM, number).play_noting(6, SPADES, 0, N).facts
    sure = sure_points(held, SPADES)
    assert sure
    for name in sure:
        assert (facts[:, POINT_TEAMS][:, POINT_NAMES.index(name)] == 0).all(), name


# --- Facts ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("players", [PLAIN, RANDOM])
def test_facts_are_those_of_the_deals(players: Any) -> None:
    """Against the deals played again, one by one."""
    held = situation("AC KC 3S 6H 7H QH", 3)
    table = Table(held, players)
    few = 30 if JIT_ENABLED else 4
    facts = table.play_noting(3, CLUBS, 0, few).facts
    for number, dealt in enumerate(table.hidden.numbers(few)):
        deal = table.deal(int(dealt), 3, CLUBS)
        if deal.bidder != 0:
            continue  # a later seat overbid; in the study all passed
        seats: dict[int, int] = {}
        leader = deal.bidder
        for trick in range(6):
            for turn in range(6):
                seats[deal.history[6 * trick + turn]] = (leader + turn) % 6
            leader = deal.winners[trick]
        low_to_high = trumps_high_to_low(CLUBS)[::-1]
        assert facts[number, HOLDERS].tolist() == [seats.get(card, -1) for card in low_to_high]
        assert facts[number, POINT_TEAMS].tolist() == deal.point_team


def test_facts_do_not_depend_on_the_jobs_or_on_how_many_are_noted(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    held = situation("AC KC 3S 6H 7H QH")
    whole = Table(held, PLAIN, 4, 1).play_noting(3, CLUBS, -1, 40)
    shared = Table(held, PLAIN, 4, 3).play_noting(3, CLUBS, -1, 40)
    monkeypatch.setattr("schmier_sim.around.MOST_FACTS", 7)
    short = Table(held, PLAIN, 4, 3).play_noting(3, CLUBS, -1, 40)
    assert np.array_equal(whole.outcomes, shared.outcomes)
    assert np.array_equal(whole.facts, shared.facts)
    assert np.array_equal(whole.outcomes, short.outcomes)
    assert np.array_equal(whole.facts[:7], short.facts)


# --- Danger ---------------------------------------------------------------------------------------


def invented(made_of: Any, n: int = 2000) -> tuple[Situation, CallResult]:
    """A bid of 3 in spades with random facts; ``made_of`` says of these which deals are made."""
    held = situation("KS 3S 3C 6H 7H QH")
    rng = np.random.default_rng(1)
    facts = np.zeros((n, 21), np.int8)
    facts[:, HOLDERS] = rng.integers(0, 6, (n, 15))
    made = made_of(facts[:, HOLDERS], rng)
    facts[:, POINT_TEAMS] = np.where(made[:, None], 0, 1)
    ones, none = np.ones(n, bool), mean_interval(np.zeros(2))
    return held, CallResult(3, SPADES, np.zeros(n), ones, made, facts, none, none, 0.5)


def test_the_card_that_sets_the_bid_is_named_with_its_rates() -> None:
    """The ace of trumps with an enemy sets it in 7 of 10 deals, and nothing else does."""

    def made_of(holders: Any, rng: np.random.Generator) -> Any:
        enemy = holders[:, 14] % 3 != 0
        return ~(enemy & (rng.random(len(holders)) < 0.7))

    held, row = invented(made_of)
    why = reasons(held, row)
    assert why is not None
    danger = why.danger
    assert danger is not None
    assert danger.fact == "an enemy holds A♠"
    assert danger.loses == "bid"
    assert danger.failed == danger.failed_with_fact == (~row.made).sum()
    assert danger.rates == (1 - danger.failed / danger.with_fact, 1.0)
    assert danger.rates[0] == pytest.approx(0.3, abs=0.05)


def test_two_cards_together_are_named_together() -> None:
    held, row = invented(lambda h, rng: ~((h[:, 12] % 3 != 0) & (h[:, 10] % 3 != 0)))
    why = reasons(held, row)
    assert why is not None
    assert why.danger is not None
    assert why.danger.fact == "enemies hold Q♠ and J♣ left"


@pytest.mark.parametrize("seed", [7, 8, 9])
def test_mere_chance_is_no_danger(seed: int) -> None:
    """A bid that is set in half of the deals whatever the cards."""
    held, row = invented(lambda h, rng: np.random.default_rng(seed).random(len(h)) < 0.5)
    why = reasons(held, row)
    assert why is not None
    assert why.danger is None


def test_where_nothing_is_set_a_likely_point_is_looked_at() -> None:
    held, row = invented(lambda h, rng: np.ones(len(h), bool))
    lost = row.facts[:, HOLDERS][:, 14] % 3 == 1
    row.facts[:, POINT_NAMES.index("right")] = np.where(lost, 1, 0)
    why = reasons(held, row)
    assert why is not None
    assert why.danger is not None
    assert (why.danger.fact, why.danger.loses) == ("an enemy holds A♠", "right")
    (right,) = [rate for rate in why.likely if rate.name == "right"]
    assert right.won == len(row.facts) - why.danger.failed


# --- Variations -----------------------------------------------------------------------------------

FEW = 100 if JIT_ENABLED else 2


def test_a_variation_is_the_answer_of_its_situation() -> None:
    """Each is what a study of the changed question gives for the same bid."""
    held = situation("AC KC 3S 6H 7H QH", 3)
    advice = study(held)
    tried = vary(advice, 3, FEW)
    for each in tried:
        place: dict[str, Any] = {"position": 3}
        players, rules = PLAIN, held.rules
        if each.kind == "position":
            place = {"position": int(each.name)}
        elif each.kind == "before":
            place = {"calls": f"pass {each.name}"}
        elif each.kind == "players":
            players = (find_policy(each.name),) * 6
        else:
            rules = replace(rules, low="taker")
        there = situation("AC KC 3S 6H 7H QH", rules=rules, **place)
        known = study(there, FEW, players, trump=CLUBS)
        bid = known.of(3)
        if bid is None:
            assert each.verdict is None
            assert each.call == known.best.call
            continue
        assert each.versus_pass == known.versus_pass(3, 0.99)
        assert each.gets == bid.gets
        assert each.kind == "players" or each.make == bid.make
    assert {each.kind for each in tried} == {"position", "before", "players", "rule"}


def test_variations_are_left_out_where_there_are_too_few_deals() -> None:
    advice = study(situation("AC KC 3S 6H 7H QH"), 10)
    assert vary(advice, 3) == ()
    assert MOST == 2000


def test_no_variation_of_a_bid_that_one_has_to_make() -> None:
    held = situation("2C 3D 4H 5S 6S 7D", 6, rules=Rules(all_pass="stick_dealer"))
    assert vary(study(held, 10), None, FEW) == ()


@pytest.mark.parametrize(
    ("hand", "trump"),
    [("AC KC 3S 6H 7H QH", 0), ("AS KS QS JS JC TS", 3), ("2C JO 4D 5D 6D 7D", 0)],
)
def test_near_hands_differ_in_one_card(hand: str, trump: int) -> None:
    held = situation(hand)
    near = near_hands(held, trump)
    assert near
    assert len(set(near)) == len(near)
    for cards in near:
        assert len(set(cards)) == 6
        assert len(set(cards) - set(held.cards)) == 1
