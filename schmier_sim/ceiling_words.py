"""The grid of ceilings as text and as data, and what it rests on in a few lines."""

from __future__ import annotations

from typing import Any, Final

import pandas as pd

from schmier_sim.batches import StoredBatch
from schmier_sim.ceilings import (
    BLOCKS,
    CLOSE,
    PASS,
    SHAPE,
    Terms,
    ceilings,
    game_ties,
    levels_of,
    records,
)
from schmier_sim.explained import Explained, SuitTest, asked_first, explained, suits_agree
from schmier_sim.rules import Rules

BLOCK_NAMES: Final = ("ace and 2", "ace, no 2", "2, no ace", "neither ace nor 2")
"""By number of the block."""
IMPOSSIBLE: Final = "·"
_AXES_WORDS: Final = {
    "trumps": "number of trumps", "trumps and ace": "with the ace",
    "trumps and tops": "with how many of A K Q R instead", "grid": "this grid",
}  # fmt: skip
_DOUBT = 0.001  # a p-value below this says that something is wrong with suits


def digit(cell: Any) -> str:
    """Return what stands in a cell (a row of `ceilings.ceilings`): ``4``, ``3-4``, ``p-3``.

    Empty for a clear pass, and without hands.
    """
    if cell.certainty == "none" or (cell.high_ceiling == PASS and not mark(cell)):
        return ""
    low, high = (str(bid) if bid else "p" for bid in (cell.low_ceiling, cell.high_ceiling))
    return low if low == high else f"{low}-{high}"


def mark(cell: Any) -> str:
    """Return the mark beside the digit: ``~`` close, ``?`` too few hands, or nothing."""
    return {"close": "~", "unsure": "?", "none": "?"}.get(cell.certainty, "")


def as_text(table: pd.DataFrame) -> str:
    """Return the grid for a terminal, 75 columns wide."""
    cells: list[Any] = list(table.itertuples())
    drawn = {
        (BLOCKS.index((cell.ace, cell.two)), cell.tops4, cell.trumps): digit(cell) + mark(cell)
        for cell in cells
    }
    lines = []
    for pair in ((0, 1), (2, 3)):
        lines.append("   ".join(f"{BLOCK_NAMES[block].upper():<36}" for block in pair).rstrip())
        for row in reversed(range(SHAPE[1])):
            parts = [_text_row(drawn, block, row) for block in pair]
            lines.append("   ".join(parts).rstrip())
        head = " " + "".join(f"{trumps:^5}" for trumps in range(SHAPE[2]))
        lines += [f"{head}   {head}".rstrip(), ""]
    lines += [
        "rows: how many of K Q R L of trumps I hold (R, L: right and left bauer)",
        "columns: how many trumps in all; a digit: the highest bid that pays",
        f"blank: pass   {IMPOSSIBLE}: impossible   ~: within {CLOSE} point of the next choice",
        "3-4, p-3: such hands differ (p: pass)   4?: too few hands played   ?: none",
    ]
    return "\n".join(lines)


def _text_row(drawn: dict[tuple[int, int, int], str], block: int, row: int) -> str:
    cells = (drawn.get((block, row, trumps), IMPOSSIBLE) for trumps in range(SHAPE[2]))
    return str(row) + "".join(f"{cell:^5}" for cell in cells)


def where(terms: Terms) -> str:
    """Say which bidders are meant."""
    return "all positions together" if terms.position is None else f"position {terms.position}"


def heading(batch: StoredBatch, terms: Terms, hands: int) -> str:
    """Say who plays, by which rules, from how many hands and where."""
    players = "/".join(dict.fromkeys(batch.facts["policies"]))
    rules = Rules.of(batch.facts["rules"]).describe()
    return (
        f"players: {players}; {rules}; {hands:,} hands dealt to a bidder who had to bid, "
        f"seed {batch.facts['seed']}; {where(terms)}; a pass worth {terms.pass_value:g}"
    )


def agreement_line(tests: list[SuitTest]) -> str:
    """Say whether the four suits agree."""
    bid = asked_first([test.bid for test in tests])
    test = next(test for test in tests if test.bid == bid)
    if test.p is None:
        return "The four suits are pooled; too few hands to test whether they agree"
    verdict = "agree" if test.p >= _DOUBT else "DO NOT AGREE"
    return f"The four suits, pooled here, {verdict}: chi-square p = {test.p:.2g} (making {bid})"


def explained_line(row: Explained) -> str:
    """Say how much of the differences between compositions the axes tell."""
    parts = [
        f"{_AXES_WORDS[name]} {100 * share:.1f} %"
        for name, share in row.share.items()
        if share is not None
    ]
    return f"making {row.bid}: {', '.join(parts) or 'nothing to explain'}"


def foundations(batch: StoredBatch, terms: Terms) -> list[str]:
    """Say in lines what the features explain at each bid, and whether the suits agree."""
    lines = [
        "explained of the differences between the 769 compositions, %, by trump count",
        f"{'':<12}{'alone':>12}{'and ace':>12}{'and A K Q R':>14}{'this grid':>12}",
    ]
    for row in explained(batch, terms):
        shares = (row.share[name] for name in _AXES_WORDS)
        cells = ["-" if share is None else f"{100 * share:.1f}" for share in shares]
        lines.append(f"making {row.bid:<5}{cells[0]:>12}{cells[1]:>12}{cells[2]:>14}{cells[3]:>12}")
    return [*lines, agreement_line(suits_agree(batch, terms))]


def as_data(batch: StoredBatch, terms: Terms) -> dict[str, Any]:
    """Return the grid and what it rests on, for JSON.

    Raises
    ------
    InputError
        See `ceilings.played`.
    """
    table = ceilings(batch, terms)
    return {
        "bids": levels_of(batch),
        "position": terms.position,
        "pass_value": terms.pass_value,
        "hands": int(table["hands"].sum()),
        "game_ties": game_ties(batch),
        "explained": [row._asdict() for row in explained(batch, terms)],
        "suits": [test._asdict() for test in suits_agree(batch, terms)],
        "cells": records(table),
    }
