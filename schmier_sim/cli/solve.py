"""``schmier-sim solve``: what hands are worth with all cards seen."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import click

from schmier_sim.cli import options as opt
from schmier_sim.cli.lines import Lines
from schmier_sim.cli.output import note, say, say_json
from schmier_sim.errors import InputError

if TYPE_CHECKING:
    from schmier_sim.records.solved import Solved


class _At(click.ParamType[tuple[int, int]]):
    """A place in a hand: ``2.3`` is before the third card of the second trick."""

    name = "trick.card"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> tuple[int, int]:
        """Read a place."""
        match = re.fullmatch(r"([1-6])\.([1-6])", str(value).strip())
        if not match:
            self.fail(f"{str(value)[:40]!r} is no place; write 1.1 to 6.6, like 2.3", param, ctx)
        return int(match[1]), int(match[2])


@click.command(epilog="Example: schmier-sim solve hands.jsonl --at 2.1")
@click.argument("file", type=click.Path(allow_dash=True))
@click.option(
    "--at", type=_At(), default="1.1", show_default=True, metavar="TRICK.CARD",
    help="The position before this card of this trick; 1.1 is right after the exchange.",
)  # fmt: skip
@opt.json_option
@opt.quiet_option
def solve(file: str, at: tuple[int, int], as_json: bool, quiet: bool) -> None:
    """Work out what the hands of FILE (- is stdin) are worth with all cards seen.

    For each record: the most points of which the bidding team can be sure against all the others
    together, and the best cards of the seat to play. A record needs tricks only as far as --at.

    The value is pessimistic: others who do not see the cards, and two teams of which each wants
    the points for itself, never play so well together.
    """
    from schmier_sim.records.solved import solve_lines

    source = Lines(file)
    n_solved = n_made = n_won = n_played = 0
    for solved in _checked(solve_lines(source, at), source):
        if as_json:
            say_json(solved.as_json())
        elif solved.points is None:
            note(f"line {solved.line}: thrown in, nothing to solve")
        else:
            say(solved.in_words())
        n_solved += solved.points is not None
        n_made += solved.made or 0
        if solved.played is not None:
            n_played += 1
            n_won += solved.was_made
    if not n_solved:
        raise InputError(
            f"{source.name}: no hand to solve; one record a line is expected, of a hand that was "
            "bid on"
        )
    if not as_json and not quiet:
        say(_summary(n_solved, n_made, n_played, n_won))


def _checked(found: Iterator[Solved], source: Lines) -> Iterator[Solved]:
    """Say in which file something is wrong."""
    try:
        yield from found
    except InputError as error:
        where = "" if str(error).startswith(source.name) else f"{source.name}: "
        cut = "; the file is cut in the middle" if source.is_cut and "no hand" in str(error) else ""
        raise InputError(f"{where}{error}{cut}") from error


def _summary(solved: int, made: int, played: int, won: int) -> str:
    hands = "1 hand" if solved == 1 else f"{solved:,} hands"
    text = f"{hands}: the bid is sure in {made:,} ({made / solved:.1%})"
    if played:
        text += f"; it was made in {won:,} of {played:,} that were played ({won / played:.1%})"
    return (
        text + "\nPessimistic: all the others see every card and play as one; at a table two teams "
        "never do."
    )
