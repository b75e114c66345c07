"""Charts, readable in grey: from data frames to axes, from axes to files."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import pandas as pd

from schmier_sim.advise import Advice
from schmier_sim.batches import StoredBatch
from schmier_sim.cards import SUIT_NAMES, SUIT_SIGNS, card_sign
from schmier_sim.errors import InputError
from schmier_sim.files import replacing
from schmier_sim.players import names_of
from schmier_sim.rules import Rules
from schmier_sim.tables import frame, speaks_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

CHARTS: Final = ("make-rate-by-bid", "make-rate-by-position", "make-rate-by-trumps-and-tops")
"""Names of the files that `write_all` writes."""
FORMATS: Final = (".png", ".svg", ".pdf")
_GREYS: Final = ("0.0", "0.3", "0.5", "0.65", "0.15", "0.4", "0.75")
_DASHES: Final = ("-", "--", "-.", ":", "-", "--", "-.")
_MARKS: Final = ("o", "s", "^", "D", "v", "P", "X")
_RARE: Final = 30
"""Cells with fewer hands are drawn pale."""


def check_format(path: Path) -> None:
    """Raise InputError unless charts can be written in the format that a file name ends in."""
    if path.suffix.lower() not in FORMATS:
        raise InputError(f"{path}: charts are written as {', '.join(FORMATS)}")


def _figure(width: float, height: float, columns: int = 1) -> tuple[Figure, Any]:
    """A figure that needs no display."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(figsize=(width, height), layout="constrained")
    FigureCanvasAgg(figure)
    return figure, figure.subplots(1, columns, squeeze=False)[0]


def _lines(ax: Axes, table: pd.DataFrame, x: str, line: str, label: Callable[[Any], str]) -> None:
    """Draw rates with their limits over a column, a line for each value of another."""
    for i, (value, rows) in enumerate(table.groupby(line)):
        style: dict[str, Any] = {"color": _GREYS[i], "linestyle": _DASHES[i], "marker": _MARKS[i]}
        shift = 0.06 * (i - (table[line].nunique() - 1) / 2)
        ax.errorbar(
            rows[x] + shift, 100 * rows["rate"],
            yerr=100 * np.array([rows["rate"] - rows["low"], rows["high"] - rows["rate"]]),
            capsize=2, linewidth=1.2, markersize=4, elinewidth=0.8, label=label(value), **style,
        )  # fmt: skip
    ax.set_ylim(0, min(102.0, 110 * float(table["high"].max())))
    ax.set_ylabel("bid made, % (95 % limits)")
    ax.grid(axis="y", color="0.9")
    ax.legend(frameon=False, fontsize=8)


def by_bid(table: pd.DataFrame, ax: Axes) -> Axes:
    """Make rate over the number of trumps, a line for each bid."""
    _lines(ax, table, "trumps", "bid", lambda bid: f"bid {bid}")
    ax.set_xlabel("trumps among the bidder's six dealt cards")
    ax.set_xticks(sorted(table["trumps"].unique()))
    return ax


def by_position(table: pd.DataFrame, ax: Axes) -> Axes:
    """Make rate over the position of the bidder, a line for each bid."""
    _lines(ax, table, "position", "bid", lambda bid: f"bid {bid}")
    ax.set_xlabel("position of the bidder (1 left of the dealer, 6 the dealer)")
    ax.set_xticks(range(1, 7))
    return ax


def by_trumps_and_tops(table: pd.DataFrame, ax: Axes, bid: int) -> Axes:
    """Make rate of one bid: rows how many of A K Q R, columns how many trumps.

    Shade and number say the same; a cell of fewer than 30 hands is in small italics.
    """
    rows = table[table["bid"] == bid]
    grid = np.full((5, 7), np.nan)
    grid[rows["tops"], rows["trumps"]] = rows["rate"]
    ax.imshow(grid, cmap="Greys", vmin=0, vmax=1.35, origin="lower", aspect="auto")
    for cell in rows.itertuples():
        rare = int(str(cell.hands)) < _RARE
        rate = float(str(cell.rate))
        ax.text(
            float(str(cell.trumps)), float(str(cell.tops)), f"{100 * rate:.0f}",
            ha="center", va="center", color="white" if rate > 0.6 else "black",
            fontsize=8 if rare else 11, fontstyle="italic" if rare else "normal",
        )  # fmt: skip
    for tops in range(5):
        for trumps in range(7):
            if tops > trumps:
                ax.text(trumps, tops, "·", ha="center", va="center", color="0.5")
    ax.set_xticks(range(7))
    ax.set_yticks(range(5))
    ax.set_xlabel("trumps among the six dealt cards")
    ax.set_ylabel("how many of A K Q R of trumps")
    ax.set_title(f"bid {bid} made, %", fontsize=10)
    return ax


def describe(facts: Mapping[str, Any]) -> str:
    """Return what a title must say: players, experiment, hands, seed, rules."""
    players = dict.fromkeys(facts["policies"])
    rules = Rules.of(facts["rules"]).describe()
    hands = facts["stop"] - facts["start"]
    names = "/".join(players)
    return (
        f"{facts['experiment']}, players: {names}; {hands:,} hands, seed {facts['seed']}; {rules}"
    )


def _note(batch: StoredBatch) -> str:
    return speaks_of(batch) + "; rates are those of these players"


def save_figure(figure: Figure, path: Path) -> None:
    """Write a figure to a file, in the format that its name ends in."""
    with replacing(path) as temporary:
        figure.savefig(
            temporary, dpi=130, metadata={"Date": None} if path.suffix == ".svg" else None
        )


def _titled(figure: Figure, title: str, batch: StoredBatch) -> None:
    figure.suptitle(f"{title}\n{describe(batch.facts)}", fontsize=10)
    figure.supxlabel(_note(batch), fontsize=7, color="0.35")


def write_all(batch: StoredBatch, directory: Path, suffix: str = ".png") -> list[Path]:
    """Draw the charts of a batch.

    Returns
    -------
    list of Path
        What was written: make rate by bid, by position, by trump count and top trumps.

    Raises
    ------
    InputError
        If there are no hands, or a file cannot be written.
    """
    if not batch.tally.cells.any():
        raise InputError("the batch holds no completed hand, there is nothing to draw")
    levels = range(batch.facts["levels"][0], batch.facts["levels"][1] + 1)
    written = []
    plain: Sequence[tuple[str, str, list[str], Callable[[pd.DataFrame, Axes], Axes]]] = (
        (CHARTS[0], "Make rate by bid and number of trumps", ["trumps", "bid"], by_bid),
        (CHARTS[1], "Make rate by position", ["position", "bid"], by_position),
    )
    for name, title, groups, draw in plain:
        figure, axes = _figure(7, 4.6)
        draw(frame(batch, groups), axes[0])
        _titled(figure, title, batch)
        written.append(directory / (name + suffix))
        save_figure(figure, written[-1])
    table = frame(batch, ["trumps", "tops", "bid"])
    shown = [bid for bid in levels if (table["bid"] == bid).any()]
    figure, axes = _figure(3.4 * max(len(shown), 2), 4.4, max(len(shown), 1))
    for ax, bid in zip(axes, shown, strict=False):
        by_trumps_and_tops(table, ax, bid)
        if ax is not axes[0]:
            ax.set_ylabel("")
    title = "Make rate by number of trumps and of A K Q R (· impossible, blank: no hand seen)"
    _titled(figure, title, batch)
    written.append(directory / (CHARTS[2] + suffix))
    save_figure(figure, written[-1])
    return written


# --- Advice ---------------------------------------------------------------------------------------


def advice_figure(advice: Advice) -> Figure:
    """Draw an advice: what each call is worth, and the points won in each suit."""
    figure, (left, right) = _figure(9.5, 4, 2)
    calls(advice, left)
    points_won(advice, right)
    hand = " ".join(card_sign(card) for card in advice.situation.cards)
    names = names_of(advice.policies)
    rules = advice.situation.rules.describe()
    figure.suptitle(
        f"{hand}   position {advice.situation.position}\n"
        f"players: {names}; {advice.hands:,} deals, seed {advice.seed}; {rules}",
        fontsize=10,
    )
    return figure


def calls(advice: Advice, ax: Axes) -> Axes:
    """Value of each call with its limits, the best on top."""
    rows = list(reversed(advice.calls))
    for i, row in enumerate(rows):
        half = row.points.high - row.points.mean
        best = row is advice.best
        ax.barh(i, row.points.mean, color="0.35" if best else "0.75", xerr=half, capsize=3)
        ax.annotate(
            f"{row.points.mean:+.2f}", (row.points.mean, i), xytext=(4, 8),
            textcoords="offset points", fontsize=8,
        )  # fmt: skip
    names = ["pass" if row.trump is None else f"{row.call} {SUIT_SIGNS[row.trump]}" for row in rows]
    ax.set_yticks(range(len(rows)), names)
    ax.axvline(0, color="0.2", linewidth=0.8)
    ax.margins(x=0.15)
    ax.set_xlabel("net points: own change of score less the others' mean")
    ax.set_title("what each call is worth", fontsize=10)
    return ax


def points_won(advice: Advice, ax: Axes) -> Axes:
    """Points won as the bidder, a line for each suit."""
    for i, suit in enumerate(advice.suits):
        counts = next(iter(suit.counts.values()))
        ax.plot(
            range(7), 100 * counts / counts.sum(), color=_GREYS[i], linestyle=_DASHES[i],
            marker=_MARKS[i], label=SUIT_NAMES[suit.trump],
        )  # fmt: skip
    ax.set_xlabel("points of my team as the bidder")
    ax.set_ylabel("% of deals")
    ax.set_ylim(0)
    ax.grid(axis="y", color="0.9")
    ax.legend(frameon=False, fontsize=8)
    ax.set_title("if I am the bidder", fontsize=10)
    return ax


def write_advice(advice: Advice, path: Path) -> None:
    """Write the chart of an advice to a file."""
    save_figure(advice_figure(advice), path)
