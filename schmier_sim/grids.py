"""The two tables of an answer: what each call is worth, and the points won in each suit."""

from __future__ import annotations

import numpy as np

from schmier_sim.advise import Advice, CallResult, SuitResult
from schmier_sim.cards import SUIT_NAMES
from schmier_sim.phrases import call_name, fit, limits, percent

_COLUMNS = (("gets it", 9), ("makes it", 11), ("needs", 8), ("net points", 16), ("behind best", 15))


def _row(advice: Advice, row: CallResult) -> str:
    got, hands = row.gets
    half = row.points.high - row.points.mean
    gets = percent(got, hands) if row.call else "-"
    makes = percent(*row.make) if row.call else "-"
    needs = f"{100 * row.needs:.0f} %" if row.needs is not None else "-"
    points = f"{row.points.mean:+.2f} ± {limits(half)}"
    behind = "-"
    if row is not advice.best:
        width = row.behind_best.high - row.behind_best.mean
        behind = f"{row.behind_best.mean:.2f} ± {limits(width)}"
    return f" {call_name(row):6}{gets:>9}{makes:>11}{needs:>8}{points:>16}{behind:>15}"


def calls_grid(advice: Advice) -> list[str]:
    """Return a row for each legal call, the best on top."""
    heads = (f"{name:>{width}}" for name, width in _COLUMNS)
    return [f" {'call':6}" + "".join(heads), *(_row(advice, row) for row in advice.calls)]


def _shares(counts: np.ndarray, of: int) -> list[str]:
    """``0-2 none``, ``3: 1``, ``4: 2``: deals by points, of so many."""
    parts = []
    points = 0
    while points < 7:
        end = points
        while end < 6 and counts[points] == counts[end + 1] == 0:
            end += 1
        span = str(points) if end == points else f"{points}-{end}"
        share = of * counts[points] / counts.sum()
        shown = f"{share:.0f}" if share >= 0.5 else "<1"
        parts.append(f"{span}: {shown}" if counts[points] else f"{span} none")
        points = end + 1
    return parts


def suit_rows(advice: Advice, row: CallResult | None) -> list[str]:
    """Return the points won as the bidder, by suit: the one in question first, then the best."""
    suits = sorted(
        advice.suits,
        key=lambda suit: (row is None or suit.trump != row.trump, -max(suit.value.values())),
    )
    return [_suit_row(suit) for suit in suits]


def _suit_row(suit: SuitResult) -> str:
    counts = next(iter(suit.counts.values()))
    of = min(100, int(counts.sum()))
    start = f" points in {of} deal{'s' if of > 1 else ''}, {SUIT_NAMES[suit.trump]}:"
    shares = _shares(counts, of)
    return fit([f"{start}  {'  '.join(shares)}", f"{start} {' '.join(shares)}"])
