"""How fast hands are played here: whole batches, or a fixed recipe of random play."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any, Final

import numpy as np

from schmier_sim._jit import kernel
from schmier_sim.bits import count_bits
from schmier_sim.engine.deal import deal_cards
from schmier_sim.engine.exchange import MOST_DISCARDS
from schmier_sim.engine.hand import play_deal
from schmier_sim.engine.state import new_tables, new_views
from schmier_sim.policies.base import Policy, answers_of, policy
from schmier_sim.policies.random import any_of
from schmier_sim.policies.toolkit import trumps_of
from schmier_sim.rules import Rules
from schmier_sim.simulate import AUCTION, Experiment, Watcher, run
from schmier_sim.threads import hearing_ctrl_c

_FEW: Final = 64


@kernel
def lowest_cards(mask: int, count: int) -> int:
    """Return the first cards of a mask in the order of their ids."""
    chosen = 0
    for _ in range(count):
        chosen |= mask & -mask
        mask &= mask - 1
    return chosen


class _RandomPlay:
    """The recipe of the speed test: the lowest plain cards go, any legal card is played."""

    def call(view: Any) -> int:  # noqa: N805
        return any_of(view, view.legal)

    def trump(view: Any) -> int:  # noqa: N805
        return any_of(view, view.legal)

    def discard(view: Any) -> int:  # noqa: N805
        if not view.must_throw:
            return lowest_cards(view.legal, min(MOST_DISCARDS, count_bits(view.legal)))
        plain = view.legal & ~trumps_of(view.legal, view.trump)
        thrown = lowest_cards(plain, min(view.must_throw, count_bits(plain)))
        return thrown | lowest_cards(view.legal & ~plain, view.must_throw - count_bits(thrown))

    def play(view: Any) -> int:  # noqa: N805
        return any_of(view, view.legal)


RECIPE: Final = policy(uses_bid=False, name="random-play")(_RandomPlay)


@kernel
def play_recipe(tables: Any, views: Any, answers: Any, seed: int, hands: int, points: Any) -> None:
    """Deal hands, seat 0 bidding and seat 5 dealing, and count his team's points."""
    table, view = tables[0], views[0]
    for index in range(hands):
        deal_cards(table, seed, index, 0)
        play_deal(table, view, answers, 5)
        points[table.points[0]] += 1


def random_play(hands: int, seed: int) -> tuple[float, list[int]]:
    """Play the recipe on one thread.

    Returns
    -------
    (seconds, hands by the bidding team's points)
    """
    tables, views = new_tables(1), new_views(1)
    views["rules"] = Rules().packed
    tables["plan_bidder"], tables["plan_bid"], tables["plan_trumps"] = 0, Rules().min_bid, 3
    answers = answers_of((RECIPE,) * 6)
    points = np.zeros(7, np.int64)
    began = time.perf_counter()
    hearing_ctrl_c(play_recipe, tables, views, answers, seed, hands, points)
    return time.perf_counter() - began, points.tolist()


def warm_up_recipe() -> float:
    """Compile the recipe, or load it; return the seconds it took."""
    began = time.perf_counter()
    random_play(_FEW, 1)
    return time.perf_counter() - began


def whole_path(
    players: Sequence[Policy],
    rules: Rules,
    seed: int,
    hands: int,
    jobs: int,
    watcher: Watcher | None = None,
) -> float:
    """Return the seconds that a batch takes: deal, auction, exchange, play, score, tally."""
    experiment = Experiment.at_one_table(AUCTION, players, rules, seed)
    began = time.perf_counter()
    run(experiment, 0, hands, jobs, watcher)
    return time.perf_counter() - began


def warm_up(players: Sequence[Policy], rules: Rules) -> float:
    """Compile, or load what is compiled; return the seconds it took."""
    return whole_path(players, rules, 1, _FEW, 1)
