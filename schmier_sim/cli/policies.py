"""``schmier-sim policies``: the players that can be seated."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from schmier_sim.cli import options as opt
from schmier_sim.cli.output import note, progress, say, say_json

_MANY, _SOME = 100_000, 5_000


@click.command(epilog="Example: schmier-sim policies mine.py --check")
@click.argument("names", nargs=-1, metavar="[NAME|FILE]...")
@click.option("--check", is_flag=True, help="Try whether they keep to the rules of policies.")
@opt.jobs_option
@opt.json_option
@opt.quiet_option
def policies(
    names: tuple[str, ...], check: bool, jobs: int | None, as_json: bool, quiet: bool
) -> None:
    """List the players that can be seated with --policy, or those of a file of one's own.

    --check plays some 300,000 hands under many rules: every answer must be legal, and be given
    again, whatever cards are hidden. The first that is not ends it with exit code 1.
    """
    found = [player for name in names for player in _of(name, check)] if names else _all()
    if check:
        if not names:
            raise click.UsageError("--check: say which, as in mine.py or mine.py:Name")
        for player in found:
            _check(player, jobs or opt.all_cores(), quiet or as_json)
    if as_json:
        checked = {"checked": True} if check else {}
        say_json([_as_data(player) | checked for player in found])
    elif not check:
        for player in found:
            _describe(player)


def _of(name: str, to_play: bool) -> list[Any]:
    """Return players, or only the facts of a built-in one, for which no compiler is loaded."""
    from schmier_sim.policies.catalogue import BUILT_IN

    if name in BUILT_IN and not to_play:
        return [BUILT_IN[name]]
    from schmier_sim.policies import plugins, registry

    if name.endswith(".py"):
        return plugins.all_in_file(Path(name))
    return [registry.find(name)]


def _all() -> list[Any]:
    """Return the built-in and the installed players; of broken ones there is a note."""
    from schmier_sim.errors import InputError
    from schmier_sim.policies import catalogue

    found: list[Any] = []
    for name in catalogue.all_names():
        try:
            found += _of(name, to_play=False)
        except InputError as error:
            note(" ".join(f"not to be used: {error}".split()))
    return found


def _as_data(player: Any) -> dict[str, Any]:
    return {
        "name": player.name,
        "summary": player.summary,
        "uses_bid": player.uses_bid,
        "parameters": dict(player.parameters),
    }


def _describe(player: Any) -> None:
    from schmier_sim.policies.catalogue import DEFAULT

    mark = " (default)" if player.name == DEFAULT else ""
    facts = ["plays by the level of the bid"] if player.uses_bid else []
    if player.parameters:
        facts.append(", ".join(f"{name}={value}" for name, value in player.parameters.items()))
    say(f"{player.name + mark:18} {player.summary}" + (f" [{'; '.join(facts)}]" if facts else ""))


def _check(player: Any, jobs: int, quiet: bool) -> None:
    from schmier_sim import contract

    steps = list(contract.steps_of(player, _MANY, _SOME, jobs))
    with progress(len(steps), f"checking {player.name}", quiet) as show:
        for done, (_, run) in enumerate(steps, 1):
            run()
            show(done)
    if not quiet:
        say(
            f"{player.name} keeps to the rules of policies: {len(steps) - 1} sets of rules and "
            "experiments, all answers legal, and the same whatever is hidden"
        )
