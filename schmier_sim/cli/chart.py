"""``schmier-sim chart``: bidding charts from a batch."""

from __future__ import annotations

import json
from pathlib import Path

import click

from schmier_sim.cli import options as opt
from schmier_sim.cli.output import say, say_json


@click.command(epilog="Example: schmier-sim chart runs/bidder --out charts")
@click.argument("directory", metavar="DIR", type=opt.PATH)
@click.option("--out", type=opt.PATH, required=True, metavar="DIR2", help="Where the charts go.")
@click.option(
    "--format", "form", type=click.Choice(["png", "svg", "pdf"]), default="png", show_default=True
)
@opt.json_option
@opt.quiet_option
@opt.force_option
def chart(directory: Path, out: Path, form: str, as_json: bool, quiet: bool, force: bool) -> None:
    """Draw the make rates of a batch DIR.

    By bid and number of trumps, by position, and by number of trumps and of A K Q R.
    """
    from schmier_sim.batches import load
    from schmier_sim.charts import CHARTS, write_all
    from schmier_sim.files import make_directory, refuse_existing, replacing

    batch = load(directory)
    for name in CHARTS:
        refuse_existing(out / f"{name}.{form}", force)
    refuse_existing(out / "provenance.json", force)
    make_directory(out)
    written = write_all(batch, out, f".{form}")
    with replacing(out / "provenance.json") as path:
        path.write_text(json.dumps(dict(batch.facts), indent=1) + "\n", "utf-8")
    if as_json:
        say_json({"written": [str(path) for path in written], "provenance": dict(batch.facts)})
    elif not quiet:
        for path in written:
            say(str(path))
