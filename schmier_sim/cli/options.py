"""Options that several commands share, and the kinds of values they take."""

from __future__ import annotations

import math
import os
import re
from collections.abc import Callable
from decimal import Decimal
from pathlib import Path
from typing import Any, TypeVar

import click

F = TypeVar("F", bound=Callable[..., Any])

_MOST = 10**12


class Count(click.ParamType[int]):
    """A number of hands, or of a hand: ``20000``, ``2e6``, ``10M``, ``50k``."""

    name = "n"

    def __init__(self, what: str = "number of hands", least: int = 1, most: int = _MOST) -> None:
        self.what, self.least, self.most = what, least, most

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        """Read a count."""
        if isinstance(value, int):
            return value
        match = re.fullmatch(
            r"([0-9]+(?:\.[0-9]+)?(?:e[0-9]{1,2})?)([kmg]?)", value.strip().lower()
        )
        if match:
            number = Decimal(match[1]) * {"": 1, "k": 10**3, "m": 10**6, "g": 10**9}[match[2]]
            if number == number.to_integral_value() and self.least <= number <= self.most:
                return int(number)
        self.fail(
            f"{value!r} is no {self.what}; write a whole number from {self.least}, "
            "like 20000, 50k, 2e6",
            param, ctx,
        )  # fmt: skip


class FilePath(click.ParamType[Path]):
    """A path; an empty one, as of an unset variable, is not the current directory."""

    name = "path"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Path:
        """Read a path."""
        if not str(value) or "\0" in str(value):
            self.fail("the path is empty" if not str(value) else "a path has no NUL", param, ctx)
        return Path(value)


class Number(click.ParamType[float]):
    """A finite number between two others, these left out."""

    name = "x"

    def __init__(self, low: float, high: float, what: str) -> None:
        self.low, self.high, self.what = low, high, what

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> float:
        """Read a number."""
        try:
            number = float(value)
        except ValueError:
            number = math.nan
        if not self.low < number < self.high:
            self.fail(f"{str(value)[:40]!r} is no {self.what}", param, ctx)
        return number


class Pair(click.ParamType[tuple[float, float]]):
    """Two finite numbers: ``-0.1,0.1``."""

    name = "x,y"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> tuple[float, float]:
        """Read two numbers."""
        try:
            x, y = (float(part) for part in str(value).split(","))
        except ValueError:
            x = y = math.nan
        if not (math.isfinite(x) and math.isfinite(y)):
            self.fail(f"{str(value)[:40]!r} is no pair of numbers, like 0,0.1", param, ctx)
        return x, y


COUNT = Count()
PAIR = Pair()
POSITIVE = Number(0, math.inf, "number above 0")
SHARE = Number(0, math.nextafter(1, 2), "share above 0 and up to 1")
VALUE = Number(-100, 100, "number of points between -100 and 100")
SEED = click.IntRange(0, 2**63 - 1)
INDEX = Count("number of a hand", 0, 2**53)
PATH = FilePath()


def all_cores() -> int:
    """Return the number of cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _stack(*options: Callable[[F], F]) -> Callable[[F], F]:
    def decorate(function: F) -> F:
        for option in reversed(options):
            function = option(function)
        return function

    return decorate


def _hush(ctx: click.Context, _: click.Parameter, quiet: bool) -> bool:
    """Let those know who have no options: see `cli.compiling`."""
    ctx.meta["quiet"] = quiet
    return quiet


rule_options = _stack(
    click.option(
        "--rule", "rule", multiple=True, metavar="NAME=VALUE",
        help="Change a rule; `schmier-sim rules` lists them. Repeatable.",
    ),
    click.option("--rules", "rules_file", type=PATH, metavar="FILE", help="Rules from TOML."),
)  # fmt: skip
policy_options = _stack(
    click.option(
        "--policy", default="heuristic", show_default=True, metavar="NAME",
        help="The player in every seat; `schmier-sim policies` lists them.",
    ),
    click.option(
        "--seat-policy", "seat_policy", multiple=True, metavar="WHO=NAME",
        help="Another player for a seat 0-5 or, where there is a me: me, partner, opponents. "
        "Repeatable.",
    ),
)  # fmt: skip
seed_option = click.option(
    "--seed", type=SEED, default=1, show_default=True, help="Same seed, same result."
)
jobs_option = click.option(
    "--jobs", type=click.IntRange(1, 256), default=None, metavar="N",
    help="Threads; results do not depend on it.  [default: all cores]",
)  # fmt: skip
ceiling_options = _stack(
    click.option(
        "--position", type=click.IntRange(1, 6), default=None, metavar="P",
        help="Ceilings of bidders in this place of the calling order, 6 is the dealer.  "
        "[default: all together]",
    ),
    click.option(
        "--pass-value", type=VALUE, default=None, metavar="X",
        help="A bid pays if it is worth more than X, what a pass is worth in points: own change "
        "of score less the mean of the other teams'.  [default: 0]",
    ),
)  # fmt: skip
json_option = click.option("--json", "as_json", is_flag=True, help="Strict JSON on stdout.")
quiet_option = click.option(
    "--quiet", "-q", is_flag=True, callback=_hush, help="Only the answer itself."
)
force_option = click.option("--force", is_flag=True, help="Overwrite what is there.")
