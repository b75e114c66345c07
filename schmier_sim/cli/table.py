"""``schmier-sim table``: bidding tables from a batch."""

from __future__ import annotations

import textwrap
from pathlib import Path
from typing import Any

import click

from schmier_sim.cli import options as opt
from schmier_sim.cli.output import note, say, say_json


@click.command(epilog="Example: schmier-sim table runs/bidder --by trumps,tops --format md")
@click.argument("directory", metavar="DIR", type=opt.PATH)
@click.option(
    "--by", default=None, metavar="COLUMNS",
    help="Any of trump, position, composition, trumps (their number), tops (how many of A K Q R), "
    "bid.  [default: trumps,bid]",
)  # fmt: skip
@click.option(
    "--ceiling",
    is_flag=True,
    help="Instead: the highest bid that pays, by ace, 2, how many of K Q R L and how many trumps.",
)
@opt.ceiling_options
@click.option(
    "--format", "form", type=click.Choice(["text", "csv", "md", "json"]), default="text",
    show_default=True,
)  # fmt: skip
@click.option("--json", "as_json", is_flag=True, help="The same as --format json.")
@opt.quiet_option
def table(
    directory: Path,
    by: str | None,
    ceiling: bool,
    position: int | None,
    pass_value: float | None,
    form: str,
    as_json: bool,
    quiet: bool,
) -> None:
    """Make rates of a batch DIR, with 95 % limits.

    In the auction experiment a cell speaks of the hands in which this bid won the auction, in the
    bidder experiment of all hands, at every level of the bid. With --ceiling, from a bidder
    batch, how high one may go; --position and --pass-value are for this alone.
    """
    from schmier_sim.batches import load
    from schmier_sim.tables import frame, parse_groups, records, speaks_of

    form = "json" if as_json else form
    if ceiling:
        if by is not None:
            raise click.UsageError("--ceiling has its own columns: leave out --by")
        _ceilings(load(directory), position, pass_value, form, quiet)
        return
    if position is not None or pass_value is not None:
        raise click.UsageError("--position and --pass-value go with --ceiling")
    groups = parse_groups("trumps,bid" if by is None else by)
    batch = load(directory)
    rows = frame(batch, groups)
    if form == "json":
        say_json({"cells": speaks_of(batch), "rows": records(rows), "provenance": batch.facts})
        return
    header = _header(batch)
    if form == "csv":
        if not quiet:
            note(header)
        say(rows.to_csv(index=False, lineterminator="\n").rstrip("\n"))
        return
    if not quiet:
        say(header + "\n")
    say(_markdown(rows) if form == "md" else _text(rows))


def _ceilings(
    batch: Any, position: int | None, pass_value: float | None, form: str, quiet: bool
) -> None:
    """Print how high one may go."""
    from schmier_sim.ceiling_words import as_data, as_text, foundations, heading
    from schmier_sim.ceilings import Terms, ceilings

    terms = Terms(pass_value or 0.0, position)
    if form == "json":
        say_json({**as_data(batch, terms), "provenance": dict(batch.facts)})
        return
    rows = ceilings(batch, terms)
    header = textwrap.fill(heading(batch, terms, int(rows["hands"].sum())), 79)
    if form == "csv":
        if not quiet:
            note(header)
        say(rows.to_csv(index=False, lineterminator="\n").rstrip("\n"))
        return
    if not quiet:
        say(f"How high may I go?\n{header}\n")
    say(as_text(rows) if form == "text" else _as_markdown(rows.round(4)))
    if not quiet:
        say("")
        for line in foundations(batch, terms):
            say(line)


def _header(batch: Any) -> str:
    from schmier_sim.charts import describe
    from schmier_sim.tables import speaks_of

    source = batch.facts["commit"] or batch.facts["sources"]
    program = f"schmier-sim {batch.facts['version']}, {source[:12]}"
    return f"{describe(batch.facts)}\n{speaks_of(batch)}; {program}"


_PERCENTS = ("rate", "low", "high")


def _spelled(rows: Any) -> Any:
    """Return the cells as text: rates in per cent."""
    shown = rows.astype(object).copy()
    for name in _PERCENTS:
        shown[name] = [f"{100 * value:.1f}" for value in rows[name]]
    shown["mean_points"] = [f"{value:.2f}" for value in rows["mean_points"]]
    for name in ("hands", "made"):
        shown[name] = [f"{value:,}" for value in rows[name]]
    return shown.rename(columns={name: f"{name} %" for name in _PERCENTS})


def _text(rows: Any) -> str:
    if rows.empty:
        return "no hands"
    return str(_spelled(rows).to_string(index=False))


def _markdown(rows: Any) -> str:
    return _as_markdown(_spelled(rows))


def _as_markdown(shown: Any) -> str:
    lines = [list(shown.columns), ["---:"] * len(shown.columns), *shown.values.tolist()]
    return "\n".join("| " + " | ".join(map(str, line)) + " |" for line in lines)
