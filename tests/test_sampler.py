"""Hidden hands: drawn as often as all of them, written down one by one, are likely."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
import sampler_oracle
from sampler_views import ending, view_of

from schmier_sim._jit import JIT_ENABLED
from schmier_sim.sampler.plan import FAIR, WAYS
from schmier_sim.sampler.worlds import Sampler
from schmier_sim.stats import chi_square_tail

DRAWS = 20_000 if JIT_ENABLED else 300


def as_enumerated(position, model, seed, draws=DRAWS):
    """The p-value of the sampled frequencies of hidden cards, by the list of them."""
    exact = sampler_oracle.worlds(position.known, fair=model == FAIR)
    drawn = Sampler(position.view, position.facts, model).draw(draws, seed)
    told = [fact for fact in position.facts if fact.holds]
    for fact in told:
        assert np.all(drawn[:, fact.seat] & fact.cards == fact.cards)
        drawn[:, fact.seat] &= ~np.int64(fact.cards)
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


if __name__ == "__main__":
    import time
    for model in (FAIR, WAYS):
        for kind in ("plain", "excess"):
            ps = []
            t = time.time()
            for seed in range(40):
                p = as_enumerated(ending(seed, kind), model, 100+seed)
                ps.append(p)
            print(model, kind, time.time()-t, np.sort(ps).round(4))
