"""``schmier-sim table``: bidding tables from a batch."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from schmier_sim.cli import options as opt
from schmier_sim.cli.output import note, say, say_json


@click.command(epilog="Example: schmier-sim table runs/bidder --by trumps,tops --format md")
@click.argument("directory", metavar="DIR", type=opt.PATH)
@click.option(
    "--by", default="trumps,bid", show_default=True, metavar="COLUMNS",
    help="Any of trump, position, composition, trumps (their number), tops (how many of A K Q R), "
    "bid.",
)  # fmt: skip
@click.option(
    "--format", "form", type=click.Choice(["text", "csv", "md", "json"]), default="text",
    show_default=True,
)  # fmt: skip
@click.option("--json", "as_json", is_flag=True, help="The same as --format json.")
@opt.quiet_option
def table(directory: Path, by: str, form: str, as_json: bool, quiet: bool) -> None:
    """Make rates of a batch DIR, with 95 % limits.

    In the auction experiment a cell speaks of the hands in which this bid won the auction, in the
    bidder experiment of all hands, at every level of the bid.
    """
    from schmier_sim.batches import load
    from schmier_sim.tables import frame, parse_groups, records, speaks_of

    groups = parse_groups(by)
    batch = load(directory)
    rows = frame(batch, groups)
    if as_json or form == "json":
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
    shown = _spelled(rows)
    lines = [list(shown.columns), ["---:"] * len(shown.columns), *shown.values.tolist()]
    return "\n".join("| " + " | ".join(map(str, line)) + " |" for line in lines)
