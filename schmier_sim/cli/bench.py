"""``schmier-sim bench``: how fast this machine plays."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click
from click.core import ParameterSource

from schmier_sim.cli import options as opt
from schmier_sim.cli.output import progress, say, say_json


@click.command(epilog="Example: schmier-sim bench --policy plain --hands 500k --jobs 1")
@click.option("--hands", type=opt.COUNT, default=200_000, show_default=True, metavar="N")
@click.option(
    "--kernel", type=click.Choice(["random-play"]),
    help="Instead of a whole batch: deal, exchange (the lowest plain cards go), random play and "
    "score with a fixed bidder and suit, on one thread.",
)  # fmt: skip
@click.option(
    "--signature", is_flag=True,
    help="Instead: a digest of what every built-in player does in a fixed small batch. It changes "
    "if a number changes, and not with machine, threads or chunks.",
)  # fmt: skip
@opt.policy_options
@opt.rule_options
@opt.seed_option
@opt.jobs_option
@opt.json_option
@opt.quiet_option
def bench(
    hands: int,
    kernel: str | None,
    signature: bool,
    policy: str,
    seat_policy: tuple[str, ...],
    rule: tuple[str, ...],
    rules_file: Path | None,
    seed: int,
    jobs: int | None,
    as_json: bool,
    quiet: bool,
) -> None:
    """Measure hands per second, compile time apart."""
    from schmier_sim.threads import load

    load("schmier_sim.bench")
    from schmier_sim import bench as measure
    from schmier_sim.players import parse_seat_policies, seating
    from schmier_sim.provenance import provenance
    from schmier_sim.rules import parse_rules

    threads = jobs or opt.all_cores()
    if signature:
        _sign(threads, as_json=as_json, quiet=quiet)
        return
    if kernel and _given() & _NOT_WITH_KERNEL:
        raise click.UsageError(
            f"--kernel {kernel} has players and rules of its own; "
            "--policy, --seat-policy, --rule and --rules do not go with it"
        )
    rules = parse_rules(rule, rules_file)
    players = seating(policy, parse_seat_policies(seat_policy, has_me=False), rules)
    result: dict[str, Any]
    if kernel:
        compiling = measure.warm_up_recipe()
        seconds, points = measure.random_play(hands, seed)
        threads = 1
        result = {"policy": kernel, "points": [count / hands for count in points]}
    else:
        compiling = measure.warm_up(players, rules)
        with progress(hands, "playing", quiet) as show:
            seconds = measure.whole_path(players, rules, seed, hands, threads, _Shown(show))
        result = {"policy": "/".join(dict.fromkeys(player.identity for player in players))}
    result = {
        "hands_per_second": hands / seconds, "hands": hands, "jobs": threads, **result,
        "compile_seconds": compiling,
    }  # fmt: skip
    if as_json:
        facts = provenance(rules=rules.changes(), seed=seed, start=0, stop=hands)
        say_json({**result, "provenance": facts})
    else:
        _say(result, seconds, quiet)


@dataclass
class _Shown:
    """Shows how a run goes on; its counts are not wanted."""

    progress: Callable[[int], None]

    def keep(self, at: int, tally: Any) -> None:
        """Let the counts go."""


def _say(result: Mapping[str, Any], seconds: float, quiet: bool) -> None:
    speed, threads = f"{result['hands_per_second']:,.0f} hands a second", result["jobs"]
    if quiet:
        say(speed)
        return
    say(
        f"{speed}, {result['policy']}, {threads} thread{'s' if threads > 1 else ''} "
        f"({result['hands']:,} hands in {seconds:.2f} s; "
        f"{result['compile_seconds']:.1f} s to compile or load)"
    )
    if "points" in result:
        say("points of the bidder's team: " + " ".join(f"{p:.4f}" for p in result["points"]))


_GO_WITH_SIGNATURE = {"signature", "jobs", "as_json", "quiet"}
_NOT_WITH_KERNEL = {"policy", "seat_policy", "rule", "rules_file"}


def _given() -> set[str]:
    """Return the names of the options that stand on the command line."""
    context = click.get_current_context()
    source = context.get_parameter_source
    return {name for name in context.params if source(name) is ParameterSource.COMMANDLINE}


def _sign(jobs: int, *, as_json: bool, quiet: bool) -> None:
    from schmier_sim import signature as sign
    from schmier_sim.provenance import provenance

    if _given() - _GO_WITH_SIGNATURE:
        raise click.UsageError(
            "--signature is of one fixed batch; only --jobs, --json and --quiet go with it"
        )
    digests = sign.signature(jobs)
    whole = sign.of_all(digests)
    if as_json:
        facts = provenance(rules=[each.changes() for each in sign.RULES], seed=sign.SEED)
        say_json(
            {"policies": digests, "all": whole, "hands": dict(sign.HANDS), "provenance": facts}
        )
    elif quiet:
        say(whole)
    else:
        for name, digest in {**digests, "all": whole}.items():
            say(f"{name:12} {digest}")
