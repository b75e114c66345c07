"""Read JSON strictly: no NaN, no infinite numbers, and one kind of error for whatever is wrong."""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from typing import Any


def read(text: str | bytes, pairs: Callable[[list[tuple[str, Any]]], Any] | None = None) -> Any:
    """Return the content of a JSON text.

    Parameters
    ----------
    pairs : function, optional
        Makes an object of its (name, value) pairs; a dict by default.

    Raises
    ------
    ValueError
        If it is no JSON, holds a number that JSON does not have, or is nested too deeply.
    """
    try:
        return json.loads(
            text, parse_constant=_refuse, parse_float=_finite, object_pairs_hook=pairs
        )
    except RecursionError:
        raise ValueError("nested too deeply") from None


def _refuse(name: str) -> None:
    raise ValueError(f"{name} is no JSON number")


def _finite(text: str) -> float:
    number = float(text)
    if not math.isfinite(number):
        raise ValueError(f"{text[:20]} is out of range")
    return number
