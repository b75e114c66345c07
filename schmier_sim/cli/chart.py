"""``schmier-sim chart``: bidding charts from a batch."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import click

from schmier_sim.cli import options as opt
from schmier_sim.cli.output import note, say, say_json


@click.command(epilog="Example: schmier-sim chart runs/bidder --out charts")
@click.argument("directory", metavar="DIR", type=opt.PATH)
@click.option("--out", type=opt.PATH, required=True, metavar="DIR2", help="Where the charts go.")
@click.option(
    "--format", "form", type=click.Choice(["png", "svg", "pdf"]), default="png", show_default=True
)
@opt.ceiling_options
@opt.json_option
@opt.quiet_option
@opt.force_option
def chart(
    directory: Path,
    out: Path,
    form: str,
    position: int | None,
    pass_value: float | None,
    as_json: bool,
    quiet: bool,
    force: bool,
) -> None:
    """Draw the bidding charts of a batch DIR.

    Make rates by bid and number of trumps, by position, and by number of trumps and of A K Q R.
    From a bidder batch also how-high: the highest bid that pays, by ace, 2, how many of K Q R L
    and how many trumps; its figures are in how-high.json. --position and --pass-value are for
    this one. How much such features explain, and whether the four suits agree, is told on stderr.
    """
    from schmier_sim import ceiling_chart, charts
    from schmier_sim.batches import load
    from schmier_sim.ceilings import Terms, played
    from schmier_sim.files import make_directory, refuse_existing, replacing
    from schmier_sim.simulate import BIDDER

    batch, terms = load(directory), Terms(pass_value or 0.0, position)
    with_ceilings = batch.facts["experiment"] == BIDDER
    if with_ceilings or position is not None or pass_value is not None:
        played(batch, terms)  # says what is wrong before anything is written
    more = ceiling_chart.files(out, f".{form}") if with_ceilings else []
    for file in (*(out / f"{name}.{form}" for name in charts.CHARTS), *more):
        refuse_existing(file, force)
    refuse_existing(out / "provenance.json", force)
    make_directory(out)
    written = charts.write_all(batch, out, f".{form}") + more
    data = ceiling_chart.write(batch, out, f".{form}", terms) if with_ceilings else None
    with replacing(out / "provenance.json") as path:
        path.write_text(json.dumps(dict(batch.facts), indent=1) + "\n", "utf-8")
    if as_json:
        paths = [str(path) for path in written]
        say_json({"written": paths, "how_high": data, "provenance": dict(batch.facts)})
    elif not quiet:
        for path in written:
            say(str(path))
        _tell(batch, terms if with_ceilings else None)


def _tell(batch: Any, terms: Any) -> None:
    """Say what the ceilings rest on, or why there are none."""
    from schmier_sim.ceiling_words import foundations

    if terms is None:
        note("no how-high: it is drawn from batches of simulate --experiment bidder")
        return
    for line in foundations(batch, terms):
        note(line)
