"""What a batch counts: exact integers by bid, position, trump suit, composition and points."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from schmier_sim._jit import inlined_kernel, zeros_apart
from schmier_sim.composition import N_COMPOSITIONS, composition_of
from schmier_sim.engine.state import position_of
from schmier_sim.engine.switches import team_of
from schmier_sim.rules import MAX_DEALS

AXES: Final = ("bid", "position", "trump", "composition", "points")
SHAPE: Final = (7, 6, 4, N_COMPOSITIONS, 7)
"""Of `Tally.cells`: bid 0-6, position less one, suit, composition, points of the bidder's team."""

HANDS, THROWN_IN, UNFINISHED, BIDDING_SCORE, OTHER_SCORE = range(5)
TOTALS: Final = ("hands", "thrown_in", "unfinished", "bidding_score", "other_score")


@dataclass(frozen=True)
class Tally:
    """Counters of a range of hands. Merging is addition, in any order.

    Attributes
    ----------
    cells : ndarray of int64, shape `SHAPE`
        Number of completed hands.
    totals : ndarray of int64, shape (5,)
        Completed hands; deals thrown in; hands on which nobody bid in 500 deals; sum of the
        score changes of the bidding teams, and of all other teams.
    """

    cells: np.ndarray
    totals: np.ndarray

    @classmethod
    def empty(cls) -> Tally:
        """Return a tally of no hands."""
        return cls(np.zeros(SHAPE, np.int64), zeros_apart(len(TOTALS), np.int64))

    def __add__(self, other: Tally) -> Tally:
        return Tally(self.cells + other.cells, self.totals + other.totals)

    def copy(self) -> Tally:
        """Return a tally of the same counts that shares no memory with this one."""
        return Tally(self.cells.copy(), self.totals.copy())

    def add(self, other: Tally) -> None:
        """Add another tally to this one, in its own memory."""
        np.add(self.cells, other.cells, out=self.cells)
        np.add(self.totals, other.totals, out=self.totals)

    def total(self, name: str) -> int:
        """Return one of the totals by its name in `TOTALS`."""
        return int(self.totals[TOTALS.index(name)])


@inlined_kernel
def count_hand(table: Any, view: Any, thrown_in: int, totals: np.ndarray) -> int:
    """Add one hand to the totals; return its cell (as `Tally.cells` lies in memory), or -1."""
    totals[THROWN_IN] += thrown_in
    if thrown_in == MAX_DEALS:
        totals[UNFINISHED] += 1
        return -1
    seat, trump = view.bidder, view.trump
    team = team_of(seat, view.rules)
    totals[HANDS] += 1
    totals[BIDDING_SCORE] += table.score[team]
    totals[OTHER_SCORE] += table.score[0] + table.score[1] + table.score[2] - table.score[team]
    cell = view.bid * SHAPE[1] + position_of(seat, view.dealer) - 1
    cell = cell * SHAPE[2] + trump
    cell = cell * SHAPE[3] + composition_of(table.dealt[seat], trump)
    return int(cell * SHAPE[4] + table.points[team])


@inlined_kernel
def count_cells(cells: np.ndarray, waiting: np.ndarray, number: int) -> None:
    """Count the cells of many hands together: the ways to memory then go side by side."""
    for i in range(number):
        cells[waiting[i]] += 1
