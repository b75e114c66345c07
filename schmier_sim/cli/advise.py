"""``schmier-sim advise``: should I bid with this hand?"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from schmier_sim.cli import options as opt
from schmier_sim.cli.output import INTERRUPTED, complain, emphasise, note, say, say_json

if TYPE_CHECKING:
    from schmier_sim.advise import Advice
    from schmier_sim.heard import Heard
    from schmier_sim.variations import Variation

_COLOURS = {"YES": "green", "NO": "red", "TOO": "yellow"}


@click.command(epilog='Example: schmier-sim advise "AS KS JS JC 2S JO" --bid 4 --position 3')
@click.argument("hand", nargs=-1, required=True)
@click.option("--bid", type=int, metavar="N", help="The bid in question; else: what to call?")
@click.option("--position", type=int, metavar="P", help="1, left of the dealer, to 6, the dealer.")
@click.option("--calls", metavar="CALLS", help='The calls before, as "pass 3 pass".')
@click.option(
    "--know", multiple=True, metavar="FACT",
    help="What is known of hidden cards: 'partner: KS', 'seat 1: not AS QS'; seat 1 is on my left, "
    "seat 3 my partner. Repeatable.",
)  # fmt: skip
@click.option(
    "--error", type=opt.SHARE, default=0.05, show_default=True,
    metavar="E",
    help="Share of the calls before that tell nothing, above 0 and up to 1 (then none is weighed).",
)  # fmt: skip
@click.option(
    "--scores", metavar="A,B,C", help="Scores: my team, the team on my left, on my right."
)
@click.option("--trump", metavar="S", help="The suit to name: C D H S. Else the best one.")
@click.option(
    "--hands", type=opt.COUNT, default=20_000, show_default=True, metavar="N",
    help="Deals to play for each call; fewer, if not so many fit the calls before mine.",
)  # fmt: skip
@click.option(
    "--precision", type=opt.POSITIVE, metavar="X",
    help="Play on until the answer is certain, or differences are known to X points.",
)  # fmt: skip
@click.option(
    "--seconds", type=opt.POSITIVE, metavar="T",
    help="With --precision: do not play on after this time.",
)  # fmt: skip
@click.option("--explain", is_flag=True, help="Say what each column and term means.")
@click.option(
    "--show",
    metavar="set|made|N",
    help="Show some sampled deals in which the bid is set, or made, or the deal of a number.",
)
@click.option("--chart", type=opt.PATH, metavar="FILE", help="Draw it: .png, .svg or .pdf.")
@opt.policy_options
@opt.rule_options
@opt.seed_option
@opt.jobs_option
@opt.json_option
@opt.quiet_option
@opt.force_option
def advise(
    hand: tuple[str, ...],
    bid: int | None,
    position: int | None,
    calls: str | None,
    know: tuple[str, ...],
    error: float,
    scores: str | None,
    trump: str | None,
    hands: int,
    precision: float | None,
    seconds: float | None,
    explain: bool,
    show: str | None,
    chart: Path | None,
    policy: str,
    seat_policy: tuple[str, ...],
    rule: tuple[str, ...],
    rules_file: Path | None,
    seed: int,
    jobs: int | None,
    as_json: bool,
    quiet: bool,
    force: bool,
) -> int:
    """Should I bid with this HAND of six cards?

    Deals the other cards at random, as far as the deals fit the calls before mine, lets the players
    play on after each legal call, and ranks the calls by net points: my team's change of score less
    the mean of the other teams'.

    Cards: rank and suit, AS TD 9H, the joker JO; suit signs are read too.
    """
    from schmier_sim import advise as study
    from schmier_sim.around import Table
    from schmier_sim.cards import parse_suit
    from schmier_sim.players import parse_seat_policies, seating
    from schmier_sim.rules import parse_rules
    from schmier_sim.situation import ME, situation

    rules = parse_rules(rule, rules_file)
    held = situation(" ".join(hand), position, calls, scores, rules, know)
    if bid is not None:
        study.check_bid(held, bid)
    if chart:
        _check_chart(chart, force)
    if seconds is not None and precision is None:
        raise click.UsageError("--seconds limits --precision; give both")
    if (explain or show is not None) and (as_json or quiet):
        raise click.UsageError("--explain and --show add to the words; no --json or --quiet then")
    shown = _shown(show, hands if precision is None else None)
    named = parse_suit(trump) if trump is not None else None
    chosen = parse_seat_policies(seat_policy, has_me=True)
    players = seating(policy, chosen, rules, ME)
    table = Table(held, players, seed, jobs or opt.all_cores(), error)

    def playing(count: int) -> None:
        if not quiet and (count > 20_000 or count > hands):
            note(f"playing {count:,} deals for each call ...")

    advice = study.advise(
        table, trump=named, asked=bid, hands=hands, precision=precision, seconds=seconds,
        progress=playing,
    )  # fmt: skip
    answer = _Answer(advice, bid) if quiet else _explored(advice, bid)
    if chart:
        from schmier_sim.charts import write_advice

        write_advice(answer.advice, chart)
    if as_json or quiet:
        _say_for_machines(answer, quiet and not as_json)
    else:
        _say_in_words(answer)
        _say_more(answer.advice, bid, explain, shown)
    if answer.advice.interrupted:
        complain("interrupted; this is the answer of the last whole round")
    return INTERRUPTED if answer.advice.interrupted else 0


class _Answer(NamedTuple):
    """An advice, and what is told besides."""

    advice: Advice
    asked: int | None
    told: Heard | None = None
    variations: tuple[Variation, ...] = ()

    @property
    def facts(self) -> dict[str, Any]:
        """Where it comes from."""
        from schmier_sim.provenance import provenance

        table, dealt = self.advice.table, self.advice.hands
        if table.hidden.weighs:
            dealt = table.hidden.fitting(self.advice.wanted).dealt
        return provenance(
            rules=table.situation.rules.changes(), seed=table.seed, start=0, stop=dealt,
            policies=[each.identity for each in table.policies],
        )  # fmt: skip


def _explored(advice: Advice, asked: int | None) -> _Answer:
    """Find out what the calls tell and what would change the answer, unless interrupted."""
    from schmier_sim.heard import heard
    from schmier_sim.variations import vary

    if advice.interrupted:
        return _Answer(advice, asked)
    try:
        return _Answer(advice, asked, heard(advice, asked), vary(advice, asked))
    except KeyboardInterrupt:  # the answer itself is there
        return _Answer(replace(advice, interrupted=True), asked)


def _say_for_machines(answer: _Answer, only_the_first_line: bool) -> None:
    """Print JSON, or one line of words; warnings go to stderr."""
    from schmier_sim.answers import as_data
    from schmier_sim.heard import warnings
    from schmier_sim.words import headline

    for warning in warnings(answer.advice):
        complain(f"warning: {warning}")
    if only_the_first_line:
        say(headline(answer.advice, answer.asked))
    else:
        advice, asked, told, variations = answer
        say_json(as_data(advice, asked, answer.facts, variations, told))


def _say_in_words(answer: _Answer) -> None:
    """Print the whole answer."""
    from schmier_sim.words import in_words

    advice, asked, told, variations = answer
    first, _, rest = in_words(advice, asked, variations, told).partition("\n")
    say(emphasise(first, _COLOURS[first.split()[0]]) + "\n" + rest)
    source = answer.facts["commit"] or answer.facts["sources"]
    say(f"           schmier-sim {answer.facts['version']}, {source[:12]}")


def _shown(show: str | None, hands: int | None) -> str | int | None:
    """Read --show, which few want: referee and diagrams are loaded for it."""
    if show is None:
        return None
    from schmier_sim.samples import parse_show

    return parse_show(show, hands)


def _say_more(advice: Advice, bid: int | None, explain: bool, show: str | int | None) -> None:
    """Print the glossary and sampled deals, if wanted."""
    if explain:
        from schmier_sim.explain import glossary

        say("\n" + glossary(advice))
    if show is not None:
        from schmier_sim.samples import diagrams

        for text in diagrams(advice, bid, show):
            say("\n" + text)


def _check_chart(chart: Path, force: bool) -> None:
    from schmier_sim.charts import check_format
    from schmier_sim.files import make_directory, refuse_existing

    check_format(chart)
    refuse_existing(chart, force)
    make_directory(chart.parent)
