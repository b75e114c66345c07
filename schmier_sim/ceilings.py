"""How high may I go? The highest bid that pays, by what the bidder was dealt.

The grid: four blocks by ace and 2 of trumps; rows: how many of K Q R L are held; columns: how many
trumps (joker, 10 and small ones count as length). Every composition lies in one cell. From batches
of the ``bidder`` experiment alone: its hands are dealt uniformly, nobody chose to bid them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

import numpy as np
import pandas as pd

from schmier_sim.batches import StoredBatch
from schmier_sim.composition import FREQUENCY, HELD, KEYS, TRUMPS
from schmier_sim.errors import InputError
from schmier_sim.rules import Rules
from schmier_sim.simulate import BIDDER
from schmier_sim.stats import Floats, rate_interval

BLOCKS: Final = ((True, True), (True, False), (False, True), (False, False))
"""(ace held, 2 held), in the order of the chart."""
SHAPE: Final = (4, 5, 7)
"""Of the grid: block, how many of K Q R L, trumps."""
_ACE, _TWO = HELD[:, KEYS.index("A")], HELD[:, KEYS.index("2")]
TOPS4: Final = HELD[:, [KEYS.index(key) for key in "KQRL"]].sum(axis=1)
"""``[composition]``: how many of K Q R L."""
CELL_OF: Final = np.ravel_multi_index((3 - 2 * _ACE - _TWO, TOPS4, TRUMPS), SHAPE)
"""``[composition]``: the cell of the grid, counted through `SHAPE`."""
N_CELLS: Final = int(np.prod(SHAPE))
CELL_FREQUENCY: Final = np.bincount(CELL_OF, FREQUENCY, N_CELLS)
"""``[cell]``: how often six dealt cards are in it, in a given suit; 0: impossible."""

CLOSE: Final = 0.1
"""Points; choices no further apart are equal for a person."""
RARE: Final = 1e-4
"""Cells dealt less often than this are rare."""
ENOUGH: Final = 30
"""Hands; of fewer no ceiling is certain."""
MEMBERS: Final = 0.05
"""A ceiling belongs to a cell's range if members with at least this share of the cell have it."""
_MEMBER_ERRORS = 3.0  # a member's margin in standard errors: 769 are looked at, few may mislead
_TWO_SIDED = 1.959964
_TIE = 1e-9  # sums of floats: what is nearer than this is equal
PASS: Final = 0


@dataclass(frozen=True)
class Terms:
    """What a ceiling is asked for.

    Attributes
    ----------
    pass_value : float
        What a pass is worth, in points (own change of score less the mean of the other teams').
        Over all teams these values sum to 0, so that 0 is the middle; a pass is worth less where
        the others often make their bids, more where they are often set.
    position : int or None
        Place of the bidder in the calling order, 1-6; None for all together.
    """

    pass_value: float = 0.0
    position: int | None = None


def played(batch: StoredBatch, terms: Terms) -> np.ndarray:
    """Return the hands by bid, trump suit, composition and points at a position.

    Raises
    ------
    InputError
        If the batch is none of the ``bidder`` experiment, or there are no hands.
    """
    if batch.facts["experiment"] != BIDDER:
        raise InputError(
            "how high to go is read from a batch of all hands, not of hands that somebody chose "
            "to bid: simulate --experiment bidder"
        )
    place = terms.position
    if place is not None and not 1 <= place <= 6:
        raise InputError(f"position {place}: positions are 1 to 6")
    cells = batch.tally.cells if place is None else batch.tally.cells[:, place - 1 : place]
    if not cells.any():
        where = "" if place is None else f" at position {place}"
        raise InputError(f"the batch holds no completed hand{where}")
    return np.asarray(cells.sum(axis=1))


def levels_of(batch: StoredBatch) -> list[int]:
    """Return the legal bids, ascending."""
    low, high = batch.facts["levels"]
    return list(range(low, high + 1))


def by_level(batch: StoredBatch, hands: np.ndarray) -> np.ndarray:
    """Let hands speak for each level of the bid.

    Parameters
    ----------
    hands : ndarray, shape (7, ...)
        By the bid at which they were played, as from `played`.

    Returns
    -------
    ndarray, shape (levels, ...)
        If play looks at the level, the hands played at it; else all hands, at every level.
    """
    levels = levels_of(batch)
    if batch.facts["plays_by_level"]:
        return np.asarray(hands[levels])
    return np.repeat(hands.sum(axis=0)[None], len(levels), axis=0)


def game_ties(batch: StoredBatch) -> float:
    """Return the share of all hands in which nobody won game, exactly.

    Every hand awards five card points, and game unless it ties (S1-S4). The other teams score
    what they win in any case, and the bidding team's points are tallied: what is missing from six
    a hand is game that nobody won.
    """
    own = int((batch.tally.cells * np.arange(7)).sum())
    hands = batch.tally.total("hands")
    return 6 - (own + batch.tally.total("other_score")) / hands


def payoffs(batch: StoredBatch) -> Floats:
    """Return the value of a bid by the points won, shape (levels, 7).

    The value is the own change of score (the points if they reach the bid, else minus the bid:
    S5) less the mean of the other teams'. Exact: the own change, and the sum of the others'
    points over the whole batch. Approximated: the tally does not keep the others' points hand by
    hand; they are taken as 6 less the own less the batch's share of hands without game. In a
    cell in which game ties more or less often than in the whole batch, all values are off by the
    difference of the two shares divided by the number of other teams: a common shift (less than
    0.01 point for ``plain``), which moves no bid against another, only all against a pass.
    """
    points, bids = np.arange(7), np.array(levels_of(batch))[:, None]
    own = np.where(points >= bids, points, -bids)
    teams = Rules.of(batch.facts["rules"]).n_teams
    return np.asarray(own - (6 - game_ties(batch) - points) / (teams - 1), float)


class Choice(NamedTuple):
    """What pays, for each of some groups of hands.

    Attributes
    ----------
    values, errors : ndarray, shape (levels, groups)
        Value of each bid and its standard error; NaN without hands.
    ceiling : ndarray of int, shape (groups,)
        The highest bid that pays; `PASS` if none does, or without hands.
    margin, error : ndarray, shape (groups,)
        How far the next choice is: by how much the values would have to change for another
        ceiling; and its standard error.
    next : ndarray of int, shape (groups,)
        That other ceiling.
    """

    values: Floats
    errors: Floats
    ceiling: np.ndarray
    margin: Floats
    error: Floats
    next: np.ndarray


def choose(counts: np.ndarray, payoff: Floats, bids: list[int], pass_value: float) -> Choice:
    """Find the highest bid worth more than a pass.

    Parameters
    ----------
    counts : ndarray of int, shape (levels, groups, 7)
        Hands by the bidding team's points.
    payoff : ndarray, shape (levels, 7)
        From `payoffs`.
    """
    hands = counts.sum(axis=2)
    with np.errstate(invalid="ignore", divide="ignore"):
        values = np.einsum("lgp,lp->lg", counts, payoff) / hands
        squares = np.einsum("lgp,lp->lg", counts, payoff**2) / hands
        spread = np.maximum(squares - values**2, 0)
        errors = np.where(hands > 1, np.sqrt(spread / (hands - 1)), np.inf)
    errors[hands == 0] = np.nan
    gain = np.nan_to_num(values - pass_value)
    pays = gain > _TIE
    level = np.array(bids)[:, None]
    ceiling = np.where(pays, level, PASS).max(axis=0)
    # Another ceiling comes about if the ceiling stops paying, or a bid above it begins to.
    distance = np.where(level >= ceiling, np.abs(gain), np.inf)
    nearest = distance.argmin(axis=0)
    below = np.where(pays & (level < ceiling), level, PASS).max(axis=0)
    column = np.arange(len(nearest))
    return Choice(
        values, errors, ceiling, distance[nearest, column], errors[nearest, column],
        np.where(level[nearest, 0] == ceiling, below, level[nearest, 0]),
    )  # fmt: skip


def _range(member: Choice, hands: np.ndarray, cells: Choice) -> tuple[np.ndarray, np.ndarray]:
    """Return the lowest and highest ceiling within each cell.

    A member composition speaks if its own ceiling is clear: enough hands, the next choice more
    than `CLOSE` away and beyond three standard errors; what a few rare members say is left out.
    """
    clear = (hands >= ENOUGH) & (member.margin > np.maximum(CLOSE, _MEMBER_ERRORS * member.error))
    share = np.zeros((N_CELLS, 7))
    np.add.at(share, (CELL_OF[clear], member.ceiling[clear]), FREQUENCY[clear])
    there = share >= MEMBERS * np.maximum(CELL_FREQUENCY, _TIE**2)[:, None]
    there[np.arange(N_CELLS), cells.ceiling] = True
    return there.argmax(axis=1), 6 - there[:, ::-1].argmax(axis=1)


def certainty(choice: Choice, hands: np.ndarray) -> np.ndarray:
    """Return ``clear``, ``close``, ``unsure`` or ``none`` by group.

    Unsure: fewer than `ENOUGH` hands, or the 95 % limits of the margin reach beyond both the next
    choice and the zone of indifference. None: no hands.
    """
    unsure = _TWO_SIDED * choice.error > np.maximum(choice.margin, CLOSE)
    return np.select(
        [hands == 0, unsure | (hands < ENOUGH), choice.margin <= CLOSE + _TIE],
        ["none", "unsure", "close"],
        "clear",
    )


def ceilings(batch: StoredBatch, terms: Terms | None = None) -> pd.DataFrame:
    """Return the grid, one row per cell that can occur.

    Returns
    -------
    DataFrame
        ``ace two tops4 trumps`` (the cell), ``hands``, ``frequency`` (exact share of dealt hands
        in a given suit), ``ceiling`` (0: pass), ``low_ceiling high_ceiling`` (the range of its
        members), ``next_choice``, ``margin margin_error`` (points, and its standard error),
        ``certainty`` (see `certainty`), ``rare``, then for each bid b ``rate_b low_b high_b
        value_b``: make rate with 95 % Jeffreys limits, and value. If play looks at the level,
        ``hands`` are those of all levels, and the level with fewest must have enough.

    Raises
    ------
    InputError
        See `played`.
    """
    terms = terms or Terms()
    hands = played(batch, terms).sum(axis=1)
    bids, payoff = levels_of(batch), payoffs(batch)
    counts = by_level(batch, hands)
    grid = np.zeros((len(bids), N_CELLS, 7), np.int64)
    for level, hands_at_it in zip(grid, counts, strict=True):
        np.add.at(level, CELL_OF, hands_at_it)
    cells = choose(grid, payoff, bids, terms.pass_value)
    members = choose(counts, payoff, bids, terms.pass_value)
    low, high = _range(members, counts.sum(axis=2).min(axis=0), cells)
    table = pd.DataFrame({
        **_labels(),
        "hands": np.bincount(CELL_OF, hands.sum(axis=(0, 2)), N_CELLS).astype(int),
        "frequency": CELL_FREQUENCY,
        "ceiling": cells.ceiling, "low_ceiling": low, "high_ceiling": high,
        "next_choice": cells.next, "margin": cells.margin, "margin_error": cells.error,
        "certainty": certainty(cells, grid.sum(axis=2).min(axis=0)),
        "rare": CELL_FREQUENCY < RARE,
    })  # fmt: skip
    for i, bid in enumerate(bids):
        table = table.assign(**_rates(grid[i], bid, cells.values[i]))
    return table[CELL_FREQUENCY > 0].reset_index(drop=True)


def _labels() -> Mapping[str, np.ndarray]:
    """Return the columns that say which cell it is."""
    block, tops4, trumps = np.unravel_index(np.arange(N_CELLS), SHAPE)
    ace, two = np.array(BLOCKS)[block].T
    return {"ace": ace, "two": two, "tops4": tops4, "trumps": trumps}


def _rates(counts: np.ndarray, bid: int, values: Floats) -> Mapping[str, Any]:
    """Return the columns of a bid."""
    made, hands = counts[:, bid:].sum(axis=1), counts.sum(axis=1)
    low, high = rate_interval(made, hands)
    with np.errstate(invalid="ignore"):
        rate = made / hands
    return {f"rate_{bid}": rate, f"low_{bid}": low, f"high_{bid}": high, f"value_{bid}": values}


def records(table: pd.DataFrame) -> list[dict[str, Any]]:
    """Return the rows as plain Python values, for JSON; what is not a number is None."""
    return [
        {str(name): _plain(value) for name, value in row.items()}
        for row in table.to_dict("records")
    ]


def _plain(value: Any) -> Any:
    if not isinstance(value, float):
        return value
    return round(value, 9) if np.isfinite(value) else None
