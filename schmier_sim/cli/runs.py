"""``schmier-sim runs``: what batches hold, and adjoining ones put together."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import click

from schmier_sim.cli import options as opt
from schmier_sim.cli.output import note, say, say_json


@click.group(epilog="Example: schmier-sim runs merge runs/a runs/b --out runs/ab")
def runs() -> None:
    """Look at batches of `simulate`, and put adjoining ones together."""


_directories = click.argument(
    "directories", type=opt.PATH, nargs=-1, required=True, metavar="DIR..."
)


@runs.command(epilog="Example: schmier-sim runs merge runs/a runs/b --out runs/ab")
@_directories
@click.option(
    "--out", type=opt.PATH, required=True, metavar="DIR2", help="Where the whole batch goes."
)
@opt.json_option
@opt.quiet_option
@opt.force_option
def merge(
    directories: tuple[Path, ...], out: Path, as_json: bool, quiet: bool, force: bool
) -> None:
    """Put batches of adjoining ranges together.

    They are batches of one run (the same experiment, rules, players and seed), given in any order.
    The result is, byte for byte, what one run over the whole range writes. The parts stay.
    """
    from schmier_sim import batches
    from schmier_sim.errors import InputError
    from schmier_sim.files import filling, refuse_existing
    from schmier_sim.merging import merged, numbers
    from schmier_sim.tally import TOTALS
    from schmier_sim.threads import undisturbed

    for directory in directories:
        if out.resolve() == directory.resolve():
            raise InputError(f"--out {out} is one of the batches to merge; write to another place")
    refuse_existing(out / batches.INDEX, force)
    before = batches.index_bytes(out)
    batch = merged(directories)
    with filling(out):
        batches.sweep(out)
        with undisturbed():
            batches.save(out, batch, before)
    if as_json:
        totals = {name: batch.tally.total(name) for name in TOTALS}
        say_json({"out": str(out), "totals": totals, "provenance": dict(batch.facts)})
    elif not quiet:
        parts = f"{len(directories)} batch{'es' if len(directories) > 1 else ''}"
        say(f"{numbers(batch.start, batch.stop)} of {parts} in {out}")
        note(f"next: schmier-sim table {out}")


@runs.command(epilog="Example: schmier-sim runs show runs/*")
@_directories
@opt.json_option
def show(directories: tuple[Path, ...], as_json: bool) -> None:
    """Say what batches hold: hands, experiment, players, rules and seed."""
    from schmier_sim.batches import INDEX, load

    with_batch = [directory for directory in directories if (directory / INDEX).exists()]
    for directory in directories:
        if with_batch and directory not in with_batch:
            note(f"{directory} holds no batch")
    found = [(each, load(each).facts) for each in with_batch or directories]
    if as_json:
        say_json([{"out": str(directory), "provenance": dict(facts)} for directory, facts in found])
        return
    for directory, facts in found:
        say(f"{directory}: {_in_words(facts)}")


def _in_words(facts: Mapping[str, Any]) -> str:
    from schmier_sim.merging import numbers
    from schmier_sim.rules import Rules

    players = "/".join(dict.fromkeys(facts["policies"]))
    return (
        f"{numbers(facts['start'], facts['stop'])}, {facts['experiment']}, {players}, "
        f"seed {facts['seed']}, {Rules.of(facts['rules']).describe()}"
    )
