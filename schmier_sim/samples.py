"""Sampled deals behind an answer, as diagrams."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import numpy as np

from schmier_sim.advise import Advice, CallResult
from schmier_sim.cards import SUIT_NAMES
from schmier_sim.errors import InputError
from schmier_sim.records.pretty import diagram
from schmier_sim.records.write import as_record
from schmier_sim.situation import ME

SHOWN: Final = 3
"""Deals that are shown of a kind."""


def _check_number(number: int, hands: int) -> None:
    if number >= hands:
        raise InputError(f"--show {number}: deals 0 to {hands - 1} are sampled")


def parse_show(text: str, hands: int | None) -> str | int:
    """Read ``set``, ``made``, or the number of a sampled deal, of which there are ``hands``.

    Raises
    ------
    InputError
        If it is something else, or a number that will not be sampled.
    """
    word = text.strip().lower()
    if word in ("set", "made"):
        return word
    if word.isascii() and word.isdigit() and len(word) < 10:
        if hands is not None:
            _check_number(int(word), hands)
        return int(word)
    raise InputError(f"--show {text[:40]!r}: set, made, or the number of a sampled deal, from 0")


def numbers(advice: Advice, row: CallResult, show: str | int) -> list[int]:
    """Return the first sampled deals in which the bid is set or made, or the one named.

    Raises
    ------
    InputError
        If a deal of this number was not sampled.
    """
    if isinstance(show, int):
        _check_number(show, advice.hands)
        return [show]
    chosen = row.made if show == "made" else row.got & ~row.made
    return [int(number) for number in np.flatnonzero(chosen)[:SHOWN]]


def _title(advice: Advice, row: CallResult, number: int, dealt: int) -> str:
    assert row.trump is not None
    which = f"Sampled deal {number} of seed {advice.seed}"
    which += f", dealt as number {dealt}" if dealt != number else ""
    what = f"{row.call} in {SUIT_NAMES[row.trump]}"
    fate = "made" if row.made[number] else "set" if row.got[number] else "does not win the auction"
    return f"{which}\n{what} {_verb(fate)}; you are seat {ME}"


def _verb(fate: str) -> str:
    return fate if fate.startswith("does") else f"is {fate}"


def diagrams(advice: Advice, asked: int | None, show: str | int) -> Iterator[str]:
    """Yield the deals behind an answer, as text; I am seat 0, my hand is the one asked about.

    Raises
    ------
    InputError
        If there is no bid to show, or no such deal.
    """
    row = advice.subject(asked)
    if row is None or row.trump is None:
        raise InputError("--show: no bid is legal here, there is nothing to show")
    chosen = numbers(advice, row, show)
    if not chosen:
        what = f"{row.call} in {SUIT_NAMES[row.trump]}"
        yield f"{what} was {show} in none of {advice.hands:,} sampled deals"
    names = [policy.name for policy in advice.policies]
    dealt = advice.table.hidden.numbers(advice.wanted)
    for number in chosen:
        deal = advice.table.deal(int(dealt[number]), row.call, row.trump)
        record = as_record(deal, advice.situation.rules, advice.seed, names, None)
        fresh = "\nIt was thrown in; this is the deal after it." if deal.attempt else ""
        text = diagram(record | {"index": None, "seed": None})
        yield f"{_title(advice, row, number, int(dealt[number]))}{fresh}\n{text}"
