"""``schmier-sim doctor``: facts for a bug report."""

from __future__ import annotations

import sys

import click

from schmier_sim.cli import options as opt
from schmier_sim.cli.output import say, say_json


@click.command(epilog="Example: schmier-sim doctor --json")
@opt.json_option
def doctor(as_json: bool) -> None:
    """Show version, machine, and where compiled code is kept."""
    from schmier_sim._jit import JIT_ENABLED, cache_directory
    from schmier_sim.provenance import provenance

    directory = cache_directory()
    facts = provenance(
        cores=opt.all_cores(),
        compiled=JIT_ENABLED,
        cache=str(directory) if directory else None,
        encoding=sys.stdout.encoding,
    )
    if as_json:
        say_json(facts)
        return
    for name, value in facts.items():
        say(f"{name:10} {value}")
    if directory is None:
        say("No private directory can be written for compiled code: every run compiles anew.")
