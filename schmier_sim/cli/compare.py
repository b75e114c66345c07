"""``schmier-sim compare``: two policies on the same deals."""

from __future__ import annotations

import math
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from schmier_sim.cli import options as opt
from schmier_sim.cli.output import INTERRUPTED, complain, emphasise, progress, say, say_json

if TYPE_CHECKING:
    from schmier_sim.comparison import Comparison
    from schmier_sim.sprt import Sprt, Verdict
    from schmier_sim.stats import Interval

_HANDS, _MOST = 20_000, 2_000_000
_COLOURS = {"low": "yellow", "high": "green"}


@click.command(epilog="Example: schmier-sim compare plain random --hands 20000")
@click.argument("a")
@click.argument("b")
@click.option(
    "--hands", type=opt.COUNT, metavar="N",
    help="Deals, each played in all seatings; with --sprt the most that it may take.  "
    "[default: 20000, with --sprt 2M]",
)  # fmt: skip
@click.option(
    "--sprt", type=opt.PAIR, metavar="LOW,HIGH",
    help="Play until it is known whether A scores LOW or HIGH points per hand more than B.",
)  # fmt: skip
@click.option(
    "--alpha", type=opt.POSITIVE, metavar="RATE",
    help="How often --sprt may accept HIGH where LOW is true.  [default: 0.05]",
)  # fmt: skip
@click.option(
    "--beta", type=opt.POSITIVE, metavar="RATE",
    help="How often --sprt may accept LOW where HIGH is true.  [default: 0.05]",
)  # fmt: skip
@click.option(
    "--auction", type=click.Choice(["free", "fixed"]), default="free", show_default=True,
    help="fixed: one policy makes all calls, names all trumps and throws all discards.",
)  # fmt: skip
@click.option(
    "--auction-by", metavar="NAME", help="The policy of fixed auctions.  [default: plain]"
)
@click.option("--games", type=opt.COUNT, metavar="N", help="Play so many games as well.")
@opt.rule_options
@opt.seed_option
@opt.jobs_option
@opt.json_option
@opt.quiet_option
def compare(
    a: str,
    b: str,
    hands: int | None,
    sprt: tuple[float, float] | None,
    alpha: float | None,
    beta: float | None,
    auction: str,
    auction_by: str | None,
    games: int | None,
    rule: tuple[str, ...],
    rules_file: Path | None,
    seed: int,
    jobs: int | None,
    as_json: bool,
    quiet: bool,
) -> int:
    """Does policy A score more than policy B?

    Every deal is played in all six seatings of A and B on the three teams in which both are
    present. The answer is the mean score of teams that play A less that of teams that play B,
    with the deal as the unit of its 95 % limits.
    """
    from schmier_sim.compare import Judge, Match
    from schmier_sim.comparison import compare as play
    from schmier_sim.comparison import greatest_margin
    from schmier_sim.policies.registry import find
    from schmier_sim.rules import parse_rules

    if auction_by is not None and auction == "free":
        raise click.UsageError("--auction-by is for --auction fixed; give both")
    rules = parse_rules(rule, rules_file)
    by = find(auction_by or "plain") if auction == "fixed" else None
    test = _test(sprt, alpha, beta, greatest_margin(rules))
    match = Match(find(a), find(b), by, rules, seed)
    judge = Judge(match, jobs or opt.all_cores())
    most = hands or (_MOST if test else _HANDS)
    with (
        progress(most, "playing deals", quiet) as deals_done,
        progress(games or 0, "playing games", quiet or not games) as games_done,
    ):
        done = play(judge, most, games or 0, test, (deals_done, games_done))
    if not len(done.deals):
        raise KeyboardInterrupt
    if as_json:
        say_json(_data(done))
    else:
        _say(done)
    if done.interrupted:
        complain(_how_far(done, most, games))
    return INTERRUPTED if done.interrupted else 0


def _test(
    pair: tuple[float, float] | None, alpha: float | None, beta: float | None, greatest: float
) -> Sprt | None:
    from schmier_sim.sprt import Sprt

    if pair is not None:
        rates = {"alpha": alpha, "beta": beta}
        given = {name: rate for name, rate in rates.items() if rate is not None}
        return Sprt(*pair, **given, greatest=greatest)
    if alpha is not None or beta is not None:
        raise click.UsageError("--alpha and --beta are for --sprt LOW,HIGH; give it too")
    return None


def _how_far(done: Comparison, most: int, games: int | None) -> str:
    text = f"interrupted; this speaks of {len(done.deals):,} of {most:,} deals"
    return text + (f" and {len(done.winners):,} of {games:,} games" if games else "")


def _data(done: Comparison) -> dict[str, Any]:
    """Return what is printed as JSON."""
    from schmier_sim.provenance import provenance

    match, hands = done.match, len(done.deals)
    a, b, by = match.a.name, match.b.name, match.auction_by
    facts = provenance(
        rules=match.rules.changes(),
        policies=[match.a.identity, match.b.identity],
        seed=match.seed,
        start=0,
        stop=hands,
    )
    return {
        "a": a,
        "b": b,
        "hands": hands,
        "auction": "fixed" if by else "free",
        "auction_by": by.name if by else None,
        "games": len(done.winners) or None,
        **{name: each and each.as_data() for name, each in done.figures().items()},
        "sprt": done.verdict.as_data() if done.verdict else None,
        "provenance": facts,
    }


def _say(done: Comparison) -> None:
    """Print the answer in words."""
    match, figures = done.match, done.figures()
    a, b, by = match.a.name, match.b.name, match.auction_by
    if done.verdict:
        say(_headline(done.verdict, a, b))
    how = f"auction by {by.name}" if by else "free auction"
    hands, rules = len(done.deals), match.rules.describe()
    say(f"{a} against {b}, {how}; {hands:,} deals, seed {match.seed}; {rules}")
    say(f" points per hand     {_words(figures['points_per_hand'])}")
    say(f" as bidding team     {_words(figures['bidding'])}")
    say(f" as defending team   {_words(figures['defending'])}")
    if len(done.winners):
        games = f"{len(done.winners):,} game{'s' if len(done.winners) > 1 else ''}"
        say(f" games won per team  {_words(figures['win_share'])}  ({games})")
    if done.verdict:
        say(_explain(done.verdict))


def _headline(verdict: Verdict, a: str, b: str) -> str:
    """Say what the sequential test found, and after how many deals."""
    low, high = _points(verdict.test.low), _points(verdict.test.high)
    after = f"after {verdict.hands:,} deals"
    if verdict.accepted is None:
        return f"UNDECIDED {after}: {a} against {b}, {low} or {high} points per hand"
    taken, left = (low, high) if verdict.accepted == "low" else (high, low)
    first = emphasise(f"{verdict.accepted.upper()} accepted", _COLOURS[verdict.accepted])
    return f"{first} {after}: {a} against {b}, {taken} points per hand and not {left}"


def _explain(verdict: Verdict) -> str:
    """Say how the sequential test came to it, and what to think of the estimates then."""
    test, (least, most) = verdict.test, verdict.test.bounds
    text = (
        f" test: log likelihood ratio {verdict.llr:+.2f}; LOW if {least:.2f} or less (wrongly in "
        f"{100 * test.beta:g} % at most),\n"
        f" HIGH if {most:+.2f} or more (wrongly in {100 * test.alpha:g} % at most)"
    )
    if verdict.accepted:
        text += (
            "\n It stops when the figures look extreme, so they are biased outwards: for an"
            "\n estimate compare again with --hands and another --seed, without --sprt."
        )
    return text


def _points(number: float) -> str:
    return f"{number:+g}" if number else "0"


def _words(interval: Interval | None) -> str:
    if interval is None or math.isnan(interval.mean):
        return "-"
    return f"{interval.mean:+.3f}  ({interval.low:+.3f} to {interval.high:+.3f})"
