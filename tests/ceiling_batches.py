"""Batches made by hand: so many hands of a composition, with so many points."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from schmier_sim import find_policy
from schmier_sim.batches import FORMAT, StoredBatch
from schmier_sim.composition import number_of
from schmier_sim.simulate import BIDDER, Experiment, run
from schmier_sim.tally import BIDDING_SCORE, HANDS, OTHER_SCORE, Tally

Hands = Mapping[str, Mapping[int, int]]


def stored(tally: Tally, **facts: object) -> StoredBatch:
    hands = tally.total("hands")
    return StoredBatch(
        {
            "format": FORMAT, "experiment": BIDDER, "levels": [3, 6], "plays_by_level": False,
            "rules": {}, "policies": ["plain"] * 6, "commit": None, "seed": 7, "start": 0,
            "stop": hands, "sources": "", "version": "", **facts,
        },
        tally,
    )  # fmt: skip


def batch_of(
    hands: Hands,
    *,
    ties: int = 0,
    position: int = 1,
    suit: int = 3,
    bid: int = 3,
    by_level: Mapping[int, Hands] | None = None,
    **facts: object,
) -> StoredBatch:
    """Return a batch of hands: composition -> points -> count; `ties`: game won by nobody."""
    tally = Tally.empty()
    for level, counts in (by_level or {bid: hands}).items():
        for name, points in counts.items():
            for value, count in points.items():
                tally.cells[level, position - 1, suit, number_of(name), value] += count
    n, own = int(tally.cells.sum()), int((tally.cells * np.arange(7)).sum())
    tally.totals[HANDS], tally.totals[BIDDING_SCORE] = n, own
    tally.totals[OTHER_SCORE] = 6 * n - own - ties
    return stored(tally, plays_by_level=by_level is not None, **facts)


def played_batch(hands: int, policy: str = "plain") -> StoredBatch:
    """Return a batch of hands that were played."""
    experiment = Experiment.at_one_table(BIDDER, (find_policy(policy),) * 6, seed=7)
    return stored(run(experiment, 0, hands))
