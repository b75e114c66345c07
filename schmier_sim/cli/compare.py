"""``schmier-sim compare``: two policies on the same deals."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import click

from schmier_sim.cli import options as opt
from schmier_sim.cli.output import progress, say, say_json


@click.command(epilog="Example: schmier-sim compare plain random --hands 20000")
@click.argument("a")
@click.argument("b")
@click.option(
    "--hands", type=opt.COUNT, default=20_000, show_default=True, metavar="N",
    help="Deals, each played in all seatings.",
)  # fmt: skip
@click.option(
    "--auction", type=click.Choice(["free", "fixed"]), default="free", show_default=True,
    help="fixed: one policy makes all calls, names all trumps and throws all discards.",
)  # fmt: skip
@click.option(
    "--auction-by", default="plain", show_default=True, metavar="NAME",
    help="The policy of fixed auctions.",
)  # fmt: skip
@click.option("--games", type=opt.COUNT, metavar="N", help="Play so many games as well.")
@opt.rule_options
@opt.seed_option
@opt.jobs_option
@opt.json_option
@opt.quiet_option
def compare(
    a: str,
    b: str,
    hands: int,
    auction: str,
    auction_by: str,
    games: int | None,
    rule: tuple[str, ...],
    rules_file: Path | None,
    seed: int,
    jobs: int | None,
    as_json: bool,
    quiet: bool,
) -> None:
    """Does policy A score more than policy B?

    Every deal is played in all six seatings of A and B on the three teams in which both are
    present. The answer is the mean score of teams that play A less that of teams that play B,
    with the deal as the unit of its 95 % limits.
    """
    from schmier_sim import compare as match
    from schmier_sim.policies.registry import find
    from schmier_sim.provenance import provenance
    from schmier_sim.rules import parse_rules
    from schmier_sim.stats import mean_interval

    rules = parse_rules(rule, rules_file)
    by = find(auction_by) if auction == "fixed" else None
    one, other = find(a), find(b)
    meeting = match.Match(one, other, by, rules, seed)
    judge = match.Judge(meeting, jobs or opt.all_cores())
    with progress(hands, "playing deals", quiet) as show:
        deals = judge.deals(hands, show)
    result: dict[str, Any] = {
        "points_per_hand": mean_interval(match.margins(deals, meeting)),
        "bidding": match.as_bidder(deals),
        "defending": match.as_defender(deals),
        "win_share": None,
    }
    if games:
        with progress(games, "playing games", quiet) as show:
            result["win_share"] = mean_interval(match.win_shares(judge.games(games, show), meeting))
    if as_json:
        facts = provenance(
            rules=rules.changes(),
            policies=[one.identity, other.identity],
            seed=seed,
            start=0,
            stop=hands,
        )
        head = {"a": a, "b": b, "hands": hands, "auction": auction, "games": games}
        figures = {name: each and each.as_data() for name, each in result.items()}
        say_json({**head, **figures, "provenance": facts})
        return
    how = f"auction by {auction_by}" if by else "free auction"
    say(f"{a} against {b}, {how}; {hands:,} deals, seed {seed}; {rules.describe()}")
    say(f" points per hand     {_words(result['points_per_hand'])}")
    say(f" as bidding team     {_words(result['bidding'])}")
    say(f" as defending team   {_words(result['defending'])}")
    if games:
        say(f" games won per team  {_words(result['win_share'])}  ({games:,} games)")


def _words(interval: Any) -> str:
    if math.isnan(interval.mean):
        return "-"
    return f"{interval.mean:+.3f}  ({interval.low:+.3f} to {interval.high:+.3f})"
