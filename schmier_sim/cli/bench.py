"""``schmier-sim bench``: how fast this machine plays."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from schmier_sim.cli import options as opt
from schmier_sim.cli.output import say, say_json


@click.command(epilog="Example: schmier-sim bench --policy plain --hands 500k --jobs 1")
@click.option("--hands", type=opt.COUNT, default=200_000, show_default=True, metavar="N")
@click.option(
    "--kernel", type=click.Choice(["random-play"]),
    help="Instead of a whole batch: deal, exchange (the lowest plain cards go), random play and "
    "score with a fixed bidder and suit, on one thread.",
)  # fmt: skip
@opt.policy_options
@opt.rule_options
@opt.seed_option
@opt.jobs_option
@opt.json_option
def bench(
    hands: int,
    kernel: str | None,
    policy: str,
    seat_policy: tuple[str, ...],
    rule: tuple[str, ...],
    rules_file: Path | None,
    seed: int,
    jobs: int | None,
    as_json: bool,
) -> None:
    """Measure hands per second, compile time apart."""
    from schmier_sim import bench as measure
    from schmier_sim.players import names_of, parse_seat_policies, seating
    from schmier_sim.provenance import provenance
    from schmier_sim.rules import parse_rules

    rules = parse_rules(rule, rules_file)
    players = seating(policy, parse_seat_policies(seat_policy, has_me=False), rules)
    threads = jobs or opt.all_cores()
    result: dict[str, Any]
    if kernel:
        compiling = measure.warm_up_recipe()
        seconds, points = measure.random_play(hands, seed)
        threads = 1
        result = {"policy": kernel, "points": [count / hands for count in points]}
    else:
        compiling = measure.warm_up(players, rules)
        seconds = measure.whole_path(players, rules, seed, hands, threads)
        result = {"policy": names_of(players)}
    result = {
        "hands_per_second": hands / seconds, "hands": hands, "jobs": threads, **result,
        "compile_seconds": compiling,
    }  # fmt: skip
    if as_json:
        facts = provenance(rules=rules.changes(), seed=seed, start=0, stop=hands)
        say_json({**result, "provenance": facts})
        return
    say(
        f"{result['hands_per_second']:,.0f} hands a second, {result['policy']}, "
        f"{threads} thread{'s' if threads > 1 else ''} "
        f"({hands:,} hands in {seconds:.2f} s; {compiling:.1f} s to compile or load)"
    )
    if kernel:
        say("points of the bidder's team: " + " ".join(f"{p:.4f}" for p in result["points"]))
