"""`heuristic`: its calls against its own simulation, its tables, its rules."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from deals import shuffled

from schmier_sim import find_policy, play_batch
from schmier_sim._jit import JIT_ENABLED, kernel
from schmier_sim.ablations import rule_gains, threshold_gains
from schmier_sim.advise import INDIFFERENCE, advise
from schmier_sim.around import Table
from schmier_sim.cards import HIGH, LOW
from schmier_sim.compare import Judge, Match, margins
from schmier_sim.composition import N_COMPOSITIONS, number_of
from schmier_sim.engine.state import as_view, call_at, new_views
from schmier_sim.policies.base import answers_of
from schmier_sim.policies.heuristic.bid import VALUES
from schmier_sim.policies.heuristic.rules import RULES
from schmier_sim.policies.heuristic.weights import KIND, N_KINDS, THRESHOLDS
from schmier_sim.situation import Situation, situation
from schmier_sim.stats import mean_interval

HEURISTIC = find_policy("heuristic")
DEALS = 20_000 if JIT_ENABLED else 60

CLAIMED = {
    "ace and jack, nothing else": "AS JS 3H 4H 3D 4D",
    "jack and 2": "JS 2S 3H 4H 3D 4D",
    "ace and 2": "AS 2S 3H 4H 3D 4D",
    "ace and king": "AS KS 3H 4H 3D 4D",
    "a bot bids 3 with ace and king": "AC KC 3S 6H 7H QH",
    "a bot bids 3 with ace, queen and two small": "7D 5S 8S QS AS 6H",
    "a bot bids 3 with ace, queen and one small": "AH QH 6H 5D JC 5C",
    "a bot bids 4 with ace, king, queen, right and 2": "AC KC QC JC 2C AH",
    "a bot passes with two small": "6C 5C 5S 4S 3D 2D",
    "both bauers, joker and 2, no ace": "JS JC JO 2S 5S 4S",
    "ace and both bauers": "AC JC JS 8C 3H 5H",
}
"""Hands of which players, or their programs, claim what to call, first to call."""


@kernel
def ask(answers: Any, views: Any) -> int:
    """Ask seat 0 for its call."""
    return call_at(answers[0], as_view(views[0]))


def call_of(held: Situation) -> int:
    """What `heuristic` calls in a situation."""
    views = new_views(1)
    views["dealer"], views["position"], views["rules"] = (
        held.dealer, held.position, held.rules.packed,
    )  # fmt: skip
    views["bidder"] = views["bid"] = views["trump"] = views["calls"] = -1
    views["hand"], views["legal"] = held.hand, sum(1 << call for call in held.legal)
    for seat, call in zip(held.seats_before, held.calls, strict=True):
        views["calls"][0, seat] = call
    return int(ask(answers_of((HEURISTIC,) * 6), views))


@pytest.mark.parametrize("hand", CLAIMED.values(), ids=CLAIMED)
def test_claimed_hands_get_the_call_that_their_own_simulation_supports(hand: str) -> None:
    held = situation(hand)
    call = call_of(held)
    if not JIT_ENABLED:
        assert call in held.legal
        return
    row = advise(Table(held, (HEURISTIC,) * 6), hands=DEALS).of(call)
    assert row is not None
    assert row.behind_best.mean < INDIFFERENCE


def test_nobody_bids_5_or_6_without_ace_and_2_in_his_hand() -> None:
    """A team that plays neither wins four points at most."""
    hands, stock = shuffled(DEALS, seed=31)
    played = play_batch(hands, stock, 5, policies="heuristic")
    high = np.flatnonzero(played.bids >= 5)
    assert not JIT_ENABLED or len(high) > 20
    for i in high:
        hand, trump = int(hands[i, played.bidders[i]]), int(played.trumps[i])
        assert hand >> int(HIGH[trump]) & 1 or hand >> int(LOW[trump]) & 1


def test_it_beats_plain_in_free_and_in_fixed_auctions() -> None:
    plain = find_policy("plain")
    for auction_by, least in ((None, 0.3), (plain, 0.15), (HEURISTIC, 0.15)):
        match = Match(HEURISTIC, plain, auction_by, seed=32)
        deals = Judge(match).deals(2000 if JIT_ENABLED else 2)
        assert not JIT_ENABLED or mean_interval(margins(deals, match)).low > least / 2


def test_bidding_values_are_all_there_and_fall_with_the_bid() -> None:
    assert VALUES.shape == (2, 7, N_COMPOSITIONS)
    assert np.all(np.diff(VALUES[:, 1:], axis=1) <= 0)
    sure = number_of("AKQRLT+0")  # five points whatever happens, dealt to any seat but the dealer's
    assert np.ptp(VALUES[0, 1:6, sure]) == 0
    assert VALUES[0, 5, sure] > 450


def test_every_card_is_of_one_kind() -> None:
    for kinds in KIND:
        assert sorted(set(kinds.tolist())) == list(range(N_KINDS))
        assert [int((kinds == kind).sum()) for kind in range(6)] == [1] * 6


def test_each_rule_is_one_bit_of_its_own() -> None:
    bits = [bit for bit, _ in RULES.values()]
    assert sum(bits) == (1 << len(bits)) - 1


def test_rules_earn_their_place_and_thresholds_theirs() -> None:
    """The large rules on a few deals; `reports/heuristic` has them all on many."""
    hands = 1000 if JIT_ENABLED else 1
    gains = {row["rule"]: row for row in rule_gains(hands, seed=33)}
    assert list(gains) == list(RULES)
    moved = list(threshold_gains(hands, 100, seed=34)) if JIT_ENABLED else []
    if JIT_ENABLED:
        assert all(gains[rule]["low"] > 0 for rule in ("catch", "guards", "table", "gifts", "game"))
        assert len(moved) == 2 * THRESHOLDS.size
        assert max(row["low"] for row in moved) < 0.05
