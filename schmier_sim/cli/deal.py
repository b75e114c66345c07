"""``schmier-sim deal``: play hands or games and write their records."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click

from schmier_sim.cli import options as opt
from schmier_sim.cli.output import note, progress, say


@click.command(epilog="Example: schmier-sim deal --hands 3 --seed 7 --pretty")
@click.option(
    "--hands", type=opt.COUNT, default=1, show_default=True, metavar="N",
    help="Hands to complete; with --game, games.",
)  # fmt: skip
@click.option(
    "--index", type=opt.INDEX, default=0, show_default=True, metavar="I",
    help="The first hand's number; with --game, the first game's.",
)  # fmt: skip
@click.option("--dealer", type=click.IntRange(0, 5), help="Seat 0-5. Else drawn with the deal.")
@click.option(
    "--experiment", type=click.Choice(["auction", "bidder"]), default="auction", show_default=True,
    help="bidder: hands as `simulate --experiment bidder` plays them.",
)  # fmt: skip
@click.option("--game", is_flag=True, help="Whole games to the target.")
@click.option("--pretty", is_flag=True, help="A diagram for people instead of records.")
@opt.policy_options
@opt.rule_options
@opt.seed_option
@opt.quiet_option
def deal(
    hands: int,
    index: int,
    dealer: int | None,
    experiment: str,
    game: bool,
    pretty: bool,
    policy: str,
    seat_policy: tuple[str, ...],
    rule: tuple[str, ...],
    rules_file: Path | None,
    seed: int,
    quiet: bool,
) -> None:
    """Play hands and write their records, one JSON line for each deal.

    Deals that are thrown in are written too, and not counted as hands.
    """
    from schmier_sim.dealing import Dealer
    from schmier_sim.errors import PolicyFault
    from schmier_sim.players import parse_seat_policies, seating
    from schmier_sim.records.pretty import diagram
    from schmier_sim.records.write import as_line, as_record
    from schmier_sim.rules import parse_rules

    rules = parse_rules(rule, rules_file)
    players = seating(policy, parse_seat_policies(seat_policy, has_me=False), rules)
    if game and experiment == "bidder":
        raise click.UsageError("--game plays whole auctions; it goes with --experiment auction")
    names = [player.identity for player in players]
    play = Dealer(players, rules, seed, forced=experiment == "bidder")
    unfinished = 0
    with progress(hands, "playing", quiet or pretty) as show:
        try:
            for number, one, notes in _deals(play, hands, index, dealer, game):
                record = as_record(one, rules, seed, names, notes)
                say(diagram(record) + "\n" if pretty else as_line(record))
                unfinished += _is_unfinished(one, notes)
                show(number)
        except PolicyFault as fault:
            if pretty and fault.deal:
                record = as_record(fault.deal, rules, seed, names, None)
                say(diagram(record, is_whole=False) + "\n")
            raise
    if unfinished:
        what = "games" if game else "hands"
        note(f"{unfinished:,} {what} unfinished after 500 deals")


def _deals(
    play: Any, hands: int, index: int, dealer: int | None, game: bool
) -> Iterator[tuple[int, Any, dict[str, Any] | None]]:
    """Yield (number of the hand or game, deal, note on the game)."""
    if not game:
        for one in play.hands(index, hands, dealer):
            yield one.number - index, one, None
        return
    for number in range(index, index + hands):
        for one, notes in play.game(number, dealer):
            yield number - index, one, notes


def _is_unfinished(one: Any, notes: dict[str, Any] | None) -> bool:
    from schmier_sim.rules import MAX_DEALS

    if notes is not None:
        return notes["winners"] is None
    return bool(one.bidder < 0 and one.attempt + 1 == MAX_DEALS)
