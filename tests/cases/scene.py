"""Little scenes for the tests of this folder: cards by name, calls and discards by script."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pytest

from schmier_sim import find_policy
from schmier_sim.cards import SUITS, mask_of, parse_cards
from schmier_sim.engine.state import new_tables, new_views
from schmier_sim.rules import Rules


def mask(text: str) -> int:
    """The mask of some cards."""
    return mask_of(parse_cards(text))


def suit(letter: str) -> int:
    """The number of a suit."""
    return SUITS.index(letter)


def players(name: str = "plain") -> tuple[Any, ...]:
    """One policy in all seats."""
    return (find_policy(name),) * 6


def uncompiled(kernel: Any) -> Callable[..., Any]:
    """The Python function that a kernel was made of."""
    function: Callable[..., Any] = getattr(kernel, "py_func", kernel)
    return function


def empty_scene(rules: Rules | None = None, dealer: int = 5) -> tuple[Any, Any]:
    """One table and one view, as arrays, with nothing on them."""
    tables, views = new_tables(1), new_views(1)
    views["rules"] = (rules or Rules()).packed
    views["dealer"], views["calls"], views["bidder"], views["bid"] = dealer, -1, -1, -1
    return tables, views


def only(records: Any) -> Any:
    """The one record of an array, its fields being attributes."""
    return records.view(np.recarray)[0]


def script(monkeypatch: pytest.MonkeyPatch, module: Any, answers: Sequence[int]) -> list[int]:
    """Let seats answer by a script in a phase's module; return the list of those asked."""
    asked: list[int] = []
    coming = iter(answers)

    def ask(table: Any, view: Any, seat: int, phase: int, legal: int) -> int:
        asked.append(seat)
        return next(coming)

    monkeypatch.setattr(module, "ask", ask)
    return asked
