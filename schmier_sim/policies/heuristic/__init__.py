"""`heuristic`: the best fast player, and the default.

Every choice weighs what it brings against what it costs, in hundredths of a point. The weights
were measured (`weights`, `values.csv`); the parameter ``without`` switches rules off (`rules`), so
that each can be shown to earn its place.
"""

from __future__ import annotations

from typing import Any

from schmier_sim.policies.base import built_in
from schmier_sim.policies.heuristic.bid import best_call, best_suit
from schmier_sim.policies.heuristic.discard import throw
from schmier_sim.policies.heuristic.follow import follow
from schmier_sim.policies.heuristic.lead import lead


class _Heuristic:
    def call(view: Any, without: int, threshold: int, shift: int) -> int:  # noqa: N805
        return best_call(view, without, threshold, shift)

    def trump(view: Any, without: int) -> int:  # noqa: N805
        return best_suit(view, without)

    def discard(view: Any, without: int) -> int:  # noqa: N805
        return throw(view, without)

    def play(view: Any, without: int) -> int:  # noqa: N805
        return lead(view, without) if view.n_trick == 0 else follow(view, without)


HEURISTIC = built_in("heuristic")(_Heuristic)
