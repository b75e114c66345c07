"""Where the time of a hand goes: each row plays one phase more than the one before."""

from __future__ import annotations

from typing import Any

import pytest

from benchmarks.measuring import SEED, measure
from schmier_sim import Rules, find_policy
from schmier_sim._jit import kernel
from schmier_sim.engine.auction import hold_auction, name_trump
from schmier_sim.engine.deal import deal_cards, first_dealer
from schmier_sim.engine.exchange import exchange
from schmier_sim.engine.hand import clear, drop_plan
from schmier_sim.engine.play import play_tricks
from schmier_sim.engine.scoring import score_hand
from schmier_sim.engine.state import new_tables, new_views, seat_players
from schmier_sim.policies import registry
from schmier_sim.policies.base import answers_of

PHASES = ("1 deal", "2 auction", "3 exchange", "4 play", "5 score")
DEALS = 100_000


@kernel
def play_phases(tables: Any, views: Any, answers: Any, seed: int, deals: int, phases: int) -> int:
    """Play so many phases of each deal; where nobody bids, seat 0 has to play 3."""
    table, view, seen = tables[0], views[0], 0
    seat_players(table, answers)
    drop_plan(table)
    for index in range(deals):
        deal_cards(table, seed, index, 0)
        clear(table, view, first_dealer(table, seed, index))
        if phases > 1:
            hold_auction(table, view)
            if view.bidder < 0:
                view.bidder, view.bid = 0, 3
            name_trump(table, view)
        if phases > 2:
            exchange(table, view)
        if phases > 3:
            play_tricks(table, view)
        if phases > 4:
            score_hand(table, view)
        seen ^= table.hands[0] + table.points[0]
    return seen


@pytest.mark.parametrize("phases", range(1, 6), ids=PHASES)
@pytest.mark.parametrize("name", registry.names())
def test_phases(benchmark: Any, name: str, phases: int) -> None:
    tables, views = new_tables(1), new_views(1)
    views["rules"] = Rules().packed
    answers = answers_of((find_policy(name),) * 6)
    measure(
        benchmark, lambda: play_phases(tables, views, answers, SEED, DEALS, phases), DEALS, rounds=5
    )
