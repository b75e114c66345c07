"""The group of commands. Each is imported only when it is used, so that help is quick."""

from __future__ import annotations

from importlib import import_module
from typing import Final

import click

from schmier_sim._version import __version__

COMMANDS: Final = {
    "advise": "Should I bid with this hand? Every legal call, played out.",
    "simulate": "Play a batch of hands and tally it.",
    "runs": "What batches hold; adjoining ones put together.",
    "table": "Bidding tables from a batch.",
    "chart": "Bidding charts from a batch.",
    "compare": "Two policies on the same deals.",
    "deal": "Play hands or whole games and write their records.",
    "replay": "Check and score hand records.",
    "solve": "Points that are sure with all cards seen, and the best cards.",
    "policies": "The players that can be seated.",
    "rules": "Every rule switch, and what is in effect.",
    "bench": "How fast this machine plays.",
    "doctor": "Facts for a bug report.",
}


class LazyGroup(click.Group):
    """Imports a command's module when the command is looked up."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """All commands, in the order of use."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import one command."""
        if cmd_name not in COMMANDS:
            return None
        module = import_module(f"schmier_sim.cli.{cmd_name}")
        command = getattr(module, cmd_name)
        assert isinstance(command, click.Command)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the commands without importing them."""
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))


@click.group(
    cls=LazyGroup,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog='Example: schmier-sim advise "AS KS JS JC 2S JO" --bid 4',
)
@click.version_option(__version__, prog_name="schmier-sim")
def main() -> None:
    """Monte Carlo strategy analyzer for six-handed Schmier."""
