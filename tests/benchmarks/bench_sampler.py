"""Hidden hands: how fast worlds are drawn at three moments, weighted, and a view made ready."""

from __future__ import annotations

from typing import Any

import pytest
from sampler_views import view_of

from benchmarks.measuring import SEED, measure
from schmier_sim import Rules, find_policy
from schmier_sim.dealing import Dealer
from schmier_sim.policies.registry import DEFAULT
from schmier_sim.sampler.worlds import Sampler

PLAYERS = (find_policy(DEFAULT),) * 6
DEALS, WORLDS = 40, 5_000
MOMENTS = {"auction": -1, "exchanged": 0, "8 cards played": 8, "20 cards played": 20}


@pytest.fixture(scope="module", params=MOMENTS)
def views(request: Any) -> list[Any]:
    """What one seat knew of each of some deals."""
    rules, n_played = Rules(), MOMENTS[request.param]
    deals = [deal for deal in Dealer(PLAYERS, rules, SEED).hands(0, DEALS) if deal.bidder >= 0]
    return [view_of(deal, rules, i % 6, n_played) for i, deal in enumerate(deals)]


def test_draw(benchmark: Any, views: list[Any]) -> None:
    """Worlds from counted views."""
    samplers = [Sampler(view) for view in views]
    measure(benchmark, lambda: [each.draw(WORLDS) for each in samplers], WORLDS * len(views))


def test_draw_weighted(benchmark: Any, views: list[Any]) -> None:
    """The same, each weighted by all that the others did."""
    samplers = [Sampler(view) for view in views]
    measure(
        benchmark,
        lambda: [each.draw_weighted(PLAYERS, WORLDS // 10) for each in samplers],
        WORLDS // 10 * len(views),
    )


def test_make_ready(benchmark: Any, views: list[Any]) -> None:
    """Counting, once for a view."""
    measure(benchmark, lambda: [Sampler(view) for view in views], len(views))
