"""``schmier-sim policies``: the players that can be seated."""

from __future__ import annotations

import click

from schmier_sim.cli import options as opt
from schmier_sim.cli.output import say, say_json


@click.command(epilog="Example: schmier-sim policies")
@opt.json_option
def policies(as_json: bool) -> None:
    """List the players that can be seated with --policy."""
    from schmier_sim.policies import registry

    found = [registry.find(name) for name in registry.names()]
    if as_json:
        say_json([{"name": p.name, "summary": p.summary, "uses_bid": p.uses_bid} for p in found])
        return
    for each in found:
        mark = " (default)" if each.name == registry.DEFAULT else ""
        say(f"{each.name + mark:18} {each.summary}")
