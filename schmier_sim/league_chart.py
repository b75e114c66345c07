"""The chart of a league: a matrix of points per hand, every figure printed, readable in grey."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

import numpy as np
import pandas as pd

from schmier_sim.files import replacing

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_PANELS: Final = (
    ("free auction", ("points", "points_low", "points_high")),
    ("fixed auction: only the play differs", ("fixed_points", "fixed_low", "fixed_high")),
)
_INCH: Final = 1.25
"""Width of a cell."""


def matrix(table: pd.DataFrame, names: Sequence[str], column: str) -> np.ndarray:
    """Return a column of a league's frame as a matrix, A by B; the other half is its mirror.

    Parameters
    ----------
    table : DataFrame
        From `league.play_league`.
    names : sequence of str
        Policies in the order of rows and columns.

    Returns
    -------
    ndarray of float, shape (policies, policies)
        NaN where there is no figure, as of a policy against itself.
    """
    grid = np.full((len(names), len(names)), np.nan)
    for a, b, value in zip(table["a"], table["b"], table[column], strict=True):
        i, j = names.index(a), names.index(b)
        grid[i, j], grid[j, i] = value, -value
    return grid


def points_matrix(table: pd.DataFrame, ax: Axes, columns: tuple[str, str, str]) -> Axes:
    """Draw a mean with half the width of its limits: row less column, dark where the row wins.

    Parameters
    ----------
    columns : names of the mean and its limits
    """
    names = list(dict.fromkeys([*table["a"], *table["b"]]))
    mean, low, high = (matrix(table, names, column) for column in columns)
    half = np.abs(high - low) / 2
    greatest = max(float(np.nanmax(np.abs(mean))), 0.01)
    ax.imshow(mean, cmap="Greys", vmin=-1.2 * greatest, vmax=2 * greatest)
    for (i, j), value in np.ndenumerate(mean):
        text = "·" if np.isnan(value) else f"{value:+.2f}\n±{half[i, j]:.2f}"
        shade = "white" if value > 0.5 * greatest else "black"
        ax.text(j, i, text, ha="center", va="center", color=shade, fontsize=11)
    ax.set_xticks(range(len(names)), names)
    ax.set_yticks(range(len(names)), names)
    ax.set_xlabel("against")
    ax.tick_params(length=0)
    for edge in np.arange(0.5, len(names) - 1):
        ax.axhline(edge, color="0.6", linewidth=0.8)
        ax.axvline(edge, color="0.6", linewidth=0.8)
    return ax


def league_figure(table: pd.DataFrame, title: str) -> Figure:
    """Draw a league: points per hand in free and in fixed auctions, side by side.

    Each half has its own shades; the figures are printed.
    """
    from matplotlib.figure import Figure

    size = _INCH * len({*table["a"], *table["b"]}) + 1.6
    figure = Figure(figsize=(2 * size, size + 0.4), layout="constrained")
    for ax, (name, columns) in zip(figure.subplots(1, 2), _PANELS, strict=True):
        points_matrix(table, ax, columns)
        ax.set_title(name, fontsize=10)
    head = "Points per hand of the row's teams less the column's, with 95 % limits"
    figure.suptitle(f"{head}\n{title}", fontsize=10)
    return figure


def write_league(table: pd.DataFrame, title: str, path: Path) -> None:
    """Write the chart of a league to a file.

    Raises
    ------
    InputError
        If it cannot be written.
    """
    with replacing(path) as temporary:
        league_figure(table, title).savefig(temporary, dpi=130)
