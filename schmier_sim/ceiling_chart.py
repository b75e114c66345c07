"""The chart "How high may I go?", one page of A4, readable in grey."""

from __future__ import annotations

import json
import textwrap
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import pandas as pd

from schmier_sim.batches import StoredBatch
from schmier_sim.ceiling_words import (
    IMPOSSIBLE,
    agreement_line,
    as_data,
    digit,
    explained_line,
    heading,
    mark,
)
from schmier_sim.ceilings import BLOCKS, CLOSE, PASS, RARE, SHAPE, Terms, ceilings, levels_of
from schmier_sim.charts import save_figure
from schmier_sim.explained import asked_first, explained, suits_agree
from schmier_sim.files import replacing

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

NAME: Final = "how-high"
"""Of the files, before the suffix."""
_TITLES: Final = (
    "the ace and the 2",
    "the ace, not the 2",
    "the 2, not the ace",
    "neither of them",
)
_A4: Final = (11.69, 8.27)
_PALE: Final = "0.55"
_UNBROKEN: Final = "\N{NO-BREAK SPACE}"
_LIGHTEST, _DARKEST = 0.87, 0.25
_STEPS: Final = (
    "1  Ace? 2?  Find the block.",
    "2  How many of K Q R L?  The row.",
    "3  How many trumps?  The column.",
    "4  Read the digit.",
)


def greys(bids: list[int]) -> dict[int, float]:
    """Return the shade of each bid, darker for higher ones."""
    return dict(zip(bids, np.linspace(_LIGHTEST, _DARKEST, len(bids)).tolist(), strict=True))


def is_pale(cell: Any) -> bool:
    """Return whether a cell is drawn pale: rare, or too few hands."""
    return bool(cell.rare) or cell.certainty in ("unsure", "none")


def draw_block(table: pd.DataFrame, ax: Axes, bids: list[int]) -> Axes:
    """Draw one block of the grid.

    Parameters
    ----------
    table : DataFrame
        Rows of `ceilings.ceilings` with the same ace and 2.
    """
    shades = greys(bids)
    possible = set()
    for cell in table.itertuples():
        possible.add((cell.tops4, cell.trumps))
        _draw_cell(ax, cell, shades)
    for row in range(SHAPE[1]):
        for column in range(SHAPE[2]):
            if (row, column) not in possible:
                ax.text(column, row, IMPOSSIBLE, ha="center", va="center", color=_PALE, fontsize=16)
    ax.set(xlim=(-0.55, SHAPE[2] - 0.45), ylim=(-0.55, SHAPE[1] - 0.45))
    ax.set_xticks(range(SHAPE[2]))
    ax.set_yticks(range(SHAPE[1]))
    ax.tick_params(length=0, labelsize=12)
    ax.spines[:].set_visible(False)
    return ax


def _draw_cell(ax: Axes, cell: Any, shades: dict[int, float]) -> None:
    """Draw a cell: shade, border, digit, make rate."""
    from matplotlib.patches import Rectangle

    pale, close = is_pale(cell), cell.certainty == "close"
    shade = 1.0 if pale else shades.get(cell.ceiling, 1.0)
    ax.add_patch(Rectangle(
        (cell.trumps - 0.47, cell.tops4 - 0.46), 0.94, 0.92, facecolor=str(shade),
        edgecolor="0.0" if close else "0.7", linewidth=1.6 if close else 0.6,
        linestyle=(0, (3, 2)) if close else "-", zorder=3 if close else 2,
    ))  # fmt: skip
    ink = _PALE if pale else "white" if shade < 0.5 else "black"
    shown = digit(cell)
    text = shown + mark(cell)
    size = 12 if pale or len(shown) > 1 else 18
    bid = cell.high_ceiling if shown else PASS
    up = 0.1 if bid else 0.0
    ax.text(
        cell.trumps, cell.tops4 + up, text, ha="center", va="center", color=ink, fontsize=size,
        fontweight="normal" if pale else "bold", zorder=4,
    )  # fmt: skip
    if bid:
        rate = 100 * getattr(cell, f"rate_{bid}")
        ax.text(
            cell.trumps, cell.tops4 - 0.3, f"{rate:.0f} %", ha="center", va="center", color=ink,
            fontsize=8, zorder=4,
        )  # fmt: skip


def how_high(batch: StoredBatch, terms: Terms | None = None) -> Figure:
    """Draw the chart.

    Raises
    ------
    InputError
        See `ceilings.played`.
    """
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    terms = terms or Terms()
    table = ceilings(batch, terms)
    bids = levels_of(batch)
    figure = Figure(figsize=_A4)
    FigureCanvasAgg(figure)
    axes = figure.subplots(2, 2, gridspec_kw={
        "left": 0.06, "right": 0.985, "top": 0.825, "bottom": 0.23, "wspace": 0.1, "hspace": 0.32,
    })  # fmt: skip
    for i, ((ace, two), ax) in enumerate(zip(BLOCKS, axes.flat, strict=True)):
        draw_block(table[(table["ace"] == ace) & (table["two"] == two)], ax, bids)
        ax.set_title(f"I hold {_TITLES[i]}", fontsize=13, fontweight="bold", loc="left", pad=5)
        ax.set_ylabel("how many of K Q R L", fontsize=9)
        ax.set_xlabel("how many trumps in all", fontsize=9, labelpad=1)
    _head(figure, heading(batch, terms, int(table["hands"].sum())))
    _legend(figure, bids)
    _foot(figure, batch, terms)
    return figure


def _head(figure: Figure, said: str) -> None:
    """Write title, who and what, and how to read it."""
    figure.text(0.03, 0.972, "How high may I go?", fontsize=21, fontweight="bold", va="top")
    for left, step in zip((0.03, 0.27, 0.56, 0.83), _STEPS, strict=True):
        figure.text(left, 0.895, step, fontsize=11.5, va="center")
    size, text = _fitted(said)
    figure.text(0.985, 0.968, text, fontsize=size, va="top", ha="right", color="0.25")


def _fitted(said: str) -> tuple[float, str]:
    """Return a font size and line breaks with which a text of any length stays in its corner."""
    kept = "; ".join(
        part.replace(" ", _UNBROKEN) if len(part) < 30 else part for part in said.split("; ")
    )
    lines: list[str] = []
    for size, width, most in ((8.5, 92, 3), (7.0, 112, 4), (5.5, 140, 5), (3.5, 220, 8)):
        lines = textwrap.wrap(kept, width)
        if len(lines) <= most:
            return size, "\n".join(lines)
    return 3.5, "\n".join([*lines[:7], "..."])


def _legend(figure: Figure, bids: list[int]) -> None:
    """Say in words what stands in a cell."""
    from matplotlib.patches import Rectangle

    shades = greys(bids)
    for i, bid in enumerate(bids):
        left = 0.03 + 0.03 * i
        figure.add_artist(Rectangle((left, 0.115), 0.028, 0.04, facecolor=str(shades[bid])))
        figure.text(
            left + 0.014, 0.134, str(bid), ha="center", va="center", fontsize=14,
            fontweight="bold", color="white" if shades[bid] < 0.5 else "black",
        )  # fmt: skip
    words = (
        f"the highest bid that pays; %: how often it is made (of 3-4, the 4)     "
        f"blank: pass     {IMPOSSIBLE}  impossible     R, L: right and left bauer\n"
        f"~ and dashed: within {CLOSE} point of the next choice, take either     "
        f"3-4, p-3: such hands differ (p: pass)\n"
        f"pale: rare, under 1 in {round(1 / RARE):,} hands in a suit     "
        f"pale with ?: too few hands played to be sure (? alone: none)"
    )
    figure.text(0.045 + 0.03 * len(bids), 0.136, words, fontsize=9, va="center", linespacing=1.45)


def _foot(figure: Figure, batch: StoredBatch, terms: Terms) -> None:
    """Say what it rests on."""
    rows = explained(batch, terms)
    bid = asked_first([row.bid for row in rows])
    line = explained_line(next(row for row in rows if row.bid == bid))
    text = (
        "A bid pays if it is worth more than a pass (own change of score less the others' mean); "
        "a lower bid that wins the auction is worth as much or more: this is a ceiling, not an "
        "opening. Joker, 10 and small trumps count as length. "
        f"Share explained of the differences between the 769 compositions in {line}. "
        f"{agreement_line(suits_agree(batch, terms))}. Other players give other ceilings."
    )
    text = textwrap.fill(text.replace(" %", f"{_UNBROKEN}%"), 195)
    figure.text(0.03, 0.082, text, fontsize=7.5, va="top", color="0.3")


def files(directory: Path, suffix: str) -> list[Path]:
    """Return the files that `write` writes."""
    return [directory / (NAME + suffix), directory / f"{NAME}.json"]


def write(
    batch: StoredBatch, directory: Path, suffix: str = ".png", terms: Terms | None = None
) -> dict[str, Any]:
    """Write the chart, and the figures behind it as JSON beside it.

    Returns
    -------
    dict
        What was written to the JSON file, without its provenance.

    Raises
    ------
    InputError
        See `ceilings.played`; or if a file cannot be written.
    """
    terms = terms or Terms()
    picture, numbers = files(directory, suffix)
    data = as_data(batch, terms)
    save_figure(how_high(batch, terms), picture)
    with replacing(numbers) as path:
        text = json.dumps({**data, "provenance": dict(batch.facts)}, indent=1, allow_nan=False)
        path.write_text(text + "\n", "utf-8")
    return data
