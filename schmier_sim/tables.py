"""From a batch to tidy data frames: rate, low, high, n."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np
import pandas as pd

from schmier_sim.batches import StoredBatch
from schmier_sim.cards import SUITS
from schmier_sim.composition import NAMES, TOPS, TRUMPS
from schmier_sim.errors import InputError
from schmier_sim.simulate import BIDDER
from schmier_sim.stats import rate_interval

GROUPS: Final = ("trump", "position", "composition", "trumps", "tops", "bid")
"""What a table may be split by: suit, position 1-6, composition, number of trumps, how many of
A K Q R, bid."""


def parse_groups(text: str) -> list[str]:
    """Read ``trump,position,...``.

    Raises
    ------
    InputError
        If a name is unknown or given twice.
    """
    names = [name.strip().lower() for name in text.split(",") if name.strip()]
    for name in names:
        if name not in GROUPS:
            raise InputError(f"--by: no column {name!r}; columns: {', '.join(GROUPS)}")
        if names.count(name) > 1:
            raise InputError(f"--by: {name!r} is there twice")
    return names


def speaks_of(batch: StoredBatch) -> str:
    """Say which hands a cell of this batch's tables counts."""
    if batch.facts["experiment"] == BIDDER:
        return "each cell: all hands dealt to a bidder who had to bid, whatever he held"
    return "each cell: the hands in which this bid won the auction"


def _cells(batch: StoredBatch) -> pd.DataFrame:
    """One row per non-empty cell of the tally: labels, points and count."""
    bid, position, trump, composition, points = np.nonzero(batch.tally.cells)
    return pd.DataFrame(
        {
            "bid": bid,
            "position": position + 1,
            "trump": trump,
            "composition": composition,
            "trumps": TRUMPS[composition],
            "tops": TOPS[composition],
            "points": points,
            "hands": batch.tally.cells[bid, position, trump, composition, points],
        }
    )


def _at_every_level(cells: pd.DataFrame, levels: Sequence[int]) -> pd.DataFrame:
    """Let hands that were played once speak for every level of the bid."""
    copies = [cells.assign(bid=level) for level in levels]
    return pd.concat(copies, ignore_index=True)


def frame(batch: StoredBatch, by: Sequence[str]) -> pd.DataFrame:
    """Return the make rates of a batch, one row per cell.

    Parameters
    ----------
    batch : StoredBatch
    by : sequence of str
        Some of `GROUPS`. In the ``bidder`` experiment ``bid`` is added: there every hand speaks
        for every level.

    Returns
    -------
    DataFrame
        The columns of `GROUPS` asked for, then ``hands made rate low high mean_points``:
        counts, the make rate with its 95 % Jeffreys limits, and the mean points of the bidder's
        team. Cells without hands are absent.
    """
    levels = range(batch.facts["levels"][0], batch.facts["levels"][1] + 1)
    cells = _cells(batch)
    keys = [name for name in GROUPS if name in by]
    if batch.facts["experiment"] == BIDDER:
        keys = [*keys, "bid"] if "bid" not in keys else keys
        if not batch.facts["plays_by_level"]:
            cells = _at_every_level(cells, levels)
    cells["made"] = cells["hands"].where(cells["points"] >= cells["bid"], 0)
    cells["won"] = cells["hands"] * cells["points"]
    sums = cells[[*keys, "hands", "made", "won"]]
    if keys:
        table = sums.groupby(keys, as_index=False).sum()
    else:
        table = sums.sum().to_frame().T.query("hands > 0").reset_index(drop=True)
    return _finish(table, keys)


def _finish(table: pd.DataFrame, keys: Sequence[str]) -> pd.DataFrame:
    """Add rates and limits, spell the labels, fix the order of columns."""
    table["rate"] = table["made"] / table["hands"]
    table["low"], table["high"] = rate_interval(table["made"], table["hands"])
    table["mean_points"] = table["won"] / table["hands"]
    if "trump" in keys:
        table["trump"] = table["trump"].map(dict(enumerate(SUITS)))
    if "composition" in keys:
        table["composition"] = table["composition"].map(dict(enumerate(NAMES)))
    return table[[*keys, "hands", "made", "rate", "low", "high", "mean_points"]]


def records(table: pd.DataFrame) -> list[dict[str, Any]]:
    """Return the rows as plain Python values, for JSON."""
    return [{str(name): value for name, value in row.items()} for row in table.to_dict("records")]


def write_table(table: pd.DataFrame, path: Path) -> None:
    """Write a table as CSV, the same bytes everywhere."""
    table.to_csv(path, index=False, float_format="%.6f", lineterminator="\n")
