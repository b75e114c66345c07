"""Figures and names in words: the smallest pieces of an answer."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence

from schmier_sim.advise import CallResult
from schmier_sim.cards import SUIT_SIGNS

WIDTH = 79
INDENT = 11
_FEW = 100


def call_name(row: CallResult) -> str:
    """Return ``4 ♠`` or ``pass``."""
    if row.call == 0 or row.trump is None:
        return "pass"
    return f"{row.call} {SUIT_SIGNS[row.trump]}"


def how_often(successes: int, trials: int) -> str:
    """Return a rate as a natural frequency that is never rounded to a certainty.

    >>> how_often(484, 1000), how_often(9999, 10000), how_often(500, 500)
    ('in 48 of 100 deals', 'in over 999 of 1000 deals', 'in every sampled deal')
    """
    few = f" (only {trials})" if trials < _FEW else ""
    if successes == trials:
        return f"in every sampled deal{few}"
    if successes == 0:
        return f"in no sampled deal{few}"
    if few:
        return f"in {successes} of {trials} deals"
    rate = successes / trials
    for whole in (100, 1000):
        if 0 < round(whole * rate) < whole:
            return f"in {round(whole * rate)} of {whole} deals"
    return "in over 999 of 1000 deals" if rate > 0.5 else "in fewer than 1 of 1000 deals"


def percent(part: int, whole: int) -> str:
    """Return ``60.8 %``, or ``-`` of nothing."""
    return f"{100 * (part / whole):.1f} %" if whole else "-"


def about(rate: float) -> str:
    """Return a rate in whole per cent that is never rounded to a certainty.

    >>> about(0.484), about(0.9999), about(0.0), about(1.0)
    ('48 %', '>99 %', '0 %', '100 %')
    """
    if 0 < rate < 0.005:
        return "<1 %"
    if 0.995 <= rate < 1:
        return ">99 %"
    return f"{100 * rate:.0f} %"


def limits(half: float) -> str:
    """Print a limit with as many digits as it supports."""
    if half == float("inf"):
        return "?"
    return f"{half:.2f}" if half < 0.995 else f"{half:.1f}"


def ranges(numbers: Sequence[int]) -> str:
    """Return ``2-4, 6``.

    >>> ranges([1, 2, 4, 6]), ranges([2, 3, 4]), ranges([5])
    ('1, 2, 4, 6', '2-4', '5')
    """
    parts: list[str] = []
    at = 0
    while at < len(numbers):
        end = at
        while end + 1 < len(numbers) and numbers[end + 1] == numbers[end] + 1:
            end += 1
        if end - at >= 2:
            parts.append(f"{numbers[at]}-{numbers[end]}")
            at = end + 1
        else:
            parts.append(str(numbers[at]))
            at += 1
    return ", ".join(parts)


def capital(text: str) -> str:
    """Return a text with its first letter large."""
    return text[:1].upper() + text[1:]


def note(name: str, text: str, most: int = 9, indent: int = INDENT) -> list[str]:
    """Return a named paragraph of at most so many lines; what is cut ends in ``...``."""
    lines = textwrap.wrap(
        text.replace(" %", "\xa0%").replace("± ", "±\xa0"), WIDTH,
        initial_indent=f"{name:{indent}}", subsequent_indent=" " * indent,
        max_lines=most, placeholder=" ...", break_on_hyphens=False,
    )  # fmt: skip
    return [line.replace("\xa0", " ") for line in lines]


def listed(
    name: str, items: Sequence[str], most: int, indent: int = INDENT, tail: str = ""
) -> list[str]:
    """Return a named list of at most so many lines; what does not fit is ``and N more``.

    The tail is left out first.
    """
    for shown in range(len(items), 0, -1):
        left = len(items) - shown
        text = "; ".join(items[:shown]) + (f"; and {left} more" if left else "")
        for end in (tail, "") if tail else ("",):
            lines = note(name, text + end, 99, indent)
            if len(lines) <= most:
                return lines
    return note(name, items[0], most, indent) if items else []


def fit(variants: Sequence[str], width: int = WIDTH) -> str:
    """Return the first of several wordings that is not too wide, else the last."""
    return next((text for text in variants if len(text) <= width), variants[-1])
