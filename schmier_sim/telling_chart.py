"""The chart of what my partner's call tells of his cards, readable in grey and in print."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import pandas as pd

from schmier_sim.files import replacing
from schmier_sim.telling_rows import ANY, FIXED, NAMED_SUIT

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_PANELS: Final = (
    "ace", "2", "right bauer", "left bauer", "joker", "a bauer", "any of the five",
)  # fmt: skip
_NAMED: Final = ("ace", "2", "right bauer", "left bauer", "joker")
_STYLES: Final[dict[str, dict[str, Any]]] = {
    "pass": {"color": "0.0", "linestyle": "-", "marker": "o", "markerfacecolor": "white"},
    "3": {"color": "0.35", "linestyle": "--", "marker": "s"},
    "4": {"color": "0.0", "linestyle": "-.", "marker": "^"},
}
_SUITED: Final[tuple[dict[str, Any], ...]] = (
    {"color": "0.0", "linestyle": "-", "marker": "o"},
    {"color": "0.35", "linestyle": "--", "marker": "s"},
    {"color": "0.0", "linestyle": "-.", "marker": "^"},
    {"color": "0.55", "linestyle": ":", "marker": "D"},
    {"color": "0.35", "linestyle": "-", "marker": "v", "markerfacecolor": "white"},
)
_SINGLE, _SEVERAL = 36, 70
"""Where the axis of one card ends, and that of more, in per cent."""


def _line(ax: Axes, rows: pd.DataFrame, label: str, style: dict[str, Any]) -> None:
    """Draw shares with their limits over the position."""
    ax.errorbar(
        rows["position"], 100 * rows["rate"],
        yerr=100 * np.array([rows["rate"] - rows["low"], rows["high"] - rows["rate"]]),
        capsize=2, linewidth=1.2, markersize=4.5, elinewidth=0.8, label=label, **style,
    )  # fmt: skip


def _axes(ax: Axes, title: str, top: float) -> None:
    ax.set_title(title, fontsize=10)
    ax.set_xticks(range(1, 7))
    ax.set_ylim(0, top)
    ax.grid(axis="y", color="0.9")
    ax.set_xlabel("partner's position (6: dealer)", fontsize=8)
    ax.tick_params(labelsize=8)


def by_call(table: pd.DataFrame, ax: Axes, cards: str) -> Axes:
    """Draw the share by position, a line for each call, and the line before any call.

    Parameters
    ----------
    table : DataFrame
        From `telling_rows.auction_rows`.
    """
    fixed = (table["suit"] == FIXED) & (table["before"] == ANY)
    rows = table[fixed & (table["cards"] == cards)]
    exact = 100 * float(rows["exact"].iloc[0])
    ax.axhline(exact, color="0.5", linewidth=2.2, linestyle=":", label="before any call (exact)")
    ax.annotate(f"{exact:.2f}", (6.35, exact), fontsize=7, va="center", annotation_clip=False)
    for call, style in _STYLES.items():
        label = "after his pass" if call == "pass" else f"after his bid of {call}"
        _line(ax, rows[rows["call"] == call], label, style)
    several = int(rows["k"].iloc[0]) > 1
    least = "at least one" if several else ""
    shown = f"{cards} ({least})" if least else cards
    _axes(ax, shown, _SEVERAL if several else _SINGLE)
    return ax


def by_card_named(table: pd.DataFrame, ax: Axes) -> Axes:
    """Draw the share in the suit that the partner names, a line for each card."""
    rows = table[(table["suit"] == NAMED_SUIT) & (table["call"] == "a bid")]
    for cards, style in zip(_NAMED, _SUITED, strict=True):
        _line(ax, rows[rows["cards"] == cards], cards, style)
    _axes(ax, "he won: in the suit he names", 102)
    ax.legend(frameon=False, fontsize=7, loc="center", bbox_to_anchor=(0.5, 0.68), ncols=2)
    return ax


def telling_figure(table: pd.DataFrame, title: str) -> Figure:
    """Draw a panel for each card, and one for the suit that is named."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(figsize=(10.5, 6.2), layout="constrained")
    FigureCanvasAgg(figure)
    axes = figure.subplots(2, 4).flat
    for cards in _PANELS:
        ax = by_call(table, next(axes), cards)
    handles, labels = ax.get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside lower center", ncols=4, frameon=False, fontsize=9)
    by_card_named(table, next(axes))
    figure.supylabel("partner was dealt it, % (95 % limits), if I do not hold it", fontsize=10)
    figure.suptitle(title, fontsize=10)
    return figure


def write_telling(table: pd.DataFrame, title: str, path: Path) -> None:
    """Write the chart to a file.

    Raises
    ------
    InputError
        If it cannot be written.
    """
    with replacing(path) as temporary:
        telling_figure(table, title).savefig(temporary, dpi=130)
