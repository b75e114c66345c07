"""``schmier-sim rules``: every switch, what it means, and what is in effect."""

from __future__ import annotations

import textwrap
from pathlib import Path

import click

from schmier_sim.cli import options as opt
from schmier_sim.cli.output import say, say_json


@click.command(epilog="Example: schmier-sim rules --rule low=taker")
@opt.rule_options
@opt.json_option
def rules(rule: tuple[str, ...], rules_file: Path | None, as_json: bool) -> None:
    """Explain every rule switch, and show what is in effect."""
    from schmier_sim.rules import SWITCHES, Rules, parse_rules, spell

    chosen, default = parse_rules(rule, rules_file), Rules()
    if as_json:
        say_json(
            [
                {
                    "name": switch.name,
                    "value": getattr(chosen, switch.name),
                    "default": getattr(default, switch.name),
                    "legal": list(switch.values)
                    if not isinstance(switch.values, range)
                    else {"from": switch.values.start, "to": switch.values.stop - 1},
                    "clause": switch.clause,
                    "meaning": switch.meaning,
                }
                for switch in SWITCHES
            ]
        )
        return
    for switch in SWITCHES:
        value = getattr(chosen, switch.name)
        usual = getattr(default, switch.name)
        changed = f"  (default {spell(usual)})" if value != usual else ""
        say(f"{switch.name}={spell(value)}{changed}")
        say(textwrap.fill(f"{switch.clause}. {switch.meaning}", 79, initial_indent="    ",
                          subsequent_indent="    "))  # fmt: skip
        say(f"    Legal: {switch.legal()}")
