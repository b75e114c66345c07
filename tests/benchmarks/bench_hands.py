"""Hands on one thread: dealt alone, in whole batches by each player, in random play."""

from __future__ import annotations

from typing import Any

import pytest

from benchmarks.measuring import SEED, measure
from schmier_sim import find_policy
from schmier_sim._jit import kernel
from schmier_sim.bench import random_play
from schmier_sim.engine.deal import deal_cards
from schmier_sim.engine.state import new_tables
from schmier_sim.policies import registry
from schmier_sim.simulate import EXPERIMENTS, Experiment, run

HANDS = 100_000
DEALS = 1_000_000


@kernel
def deal_all(tables: Any, seed: int, deals: int) -> int:
    """Deal hands 0, 1, ...; return something of all of them."""
    seen = 0
    for index in range(deals):
        deal_cards(tables[0], seed, index, 0)
        seen ^= tables[0].dealt[0]
    return seen


def test_deal(benchmark: Any) -> None:
    tables = new_tables(1)
    measure(benchmark, lambda: deal_all(tables, SEED, DEALS), DEALS)


@pytest.mark.parametrize("experiment", EXPERIMENTS)
@pytest.mark.parametrize("name", registry.names())
def test_batch(benchmark: Any, experiment: str, name: str) -> None:
    """Deal, auction, exchange, play, score and tally; hands alone are counted, not redeals."""
    table = Experiment.at_one_table(experiment, (find_policy(name),) * 6, seed=SEED)
    measure(benchmark, lambda: run(table, 0, HANDS), HANDS, rounds=3)


def test_random_play(benchmark: Any) -> None:
    measure(benchmark, lambda: random_play(HANDS, SEED), HANDS)
