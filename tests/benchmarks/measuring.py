"""Measure a function that plays hands."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

SEED = 1


def measure(benchmark: Any, play: Callable[[], object], hands: int, rounds: int = 5) -> None:
    """Run a function in rounds of one call each, after one that does not count.

    That first call compiles, or loads what is compiled, and fills caches.

    Parameters
    ----------
    benchmark : BenchmarkFixture
    hands : int
        How many hands one call plays; ``extra_info`` tells how many that is in a second.
    """
    benchmark.pedantic(play, rounds=rounds, iterations=1, warmup_rounds=1)
    benchmark.extra_info["hands"] = hands
    if benchmark.stats is not None:  # None with --benchmark-disable
        benchmark.extra_info["hands_per_second"] = hands / benchmark.stats.stats.median
