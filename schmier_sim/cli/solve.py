"""``schmier-sim solve``: what hands are worth with all cards seen."""

from __future__ import annotations

import re
import sys
from typing import TYPE_CHECKING, Any

import click

from schmier_sim.cli import options as opt
from schmier_sim.cli.lines import Lines
from schmier_sim.cli.output import complain, has_live_line, progress, say, say_json
from schmier_sim.errors import InputError

if TYPE_CHECKING:
    from schmier_sim.records.solved import Solved, Unsolved


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
def solve(file: str, at: tuple[int, int], as_json: bool, quiet: bool) -> int:
    """Work out what the hands of FILE (- is stdin) are worth with all cards seen.

    For each record: the most points of which the bidding team can be sure against all the others
    together, and the best cards of the seat to play. A record needs tricks only as far as --at.
    With --quiet only the line that sums them up.

    The value is pessimistic: others who do not see the cards, and two teams of which each wants
    the points for itself, never play so well together.

    Exit code 1 if a line could not be solved, 2 if none could or the file ends in the middle of a
    record.
    """
    from schmier_sim.records.solved import solve_lines

    source = Lines(file)
    report = _Report(source, as_json, quiet)
    is_hidden = quiet or sys.stdout.isatty()  # the answers themselves are seen to come
    total = 0 if is_hidden or not has_live_line() else source.total()
    with progress(total, "solving", is_hidden or not total) as show:
        for found in solve_lines(source, at):
            report.take(found)
            show(found.line)
    return report.finish()


class _Report:
    """Tells of each line as it comes, and counts.

    Faults are held back until a line could be answered: where none can, there is one line in all.
    """

    def __init__(self, source: Lines, as_json: bool, quiet: bool) -> None:
        self.source, self.as_json, self.quiet = source, as_json, quiet
        self.n_records = self.n_thrown_in = 0
        self.n_solved = self.n_made = self.n_played = self.n_won = 0
        self.faults: list[str] = []
        self.n_told = 0
        self.unreadable = ""
        self.is_cut = False

    @property
    def is_any_answered(self) -> bool:
        """Whether there is a line without a fault."""
        return bool(self.n_solved or self.n_thrown_in)

    def take(self, found: Solved | Unsolved) -> None:
        """Count and tell what was found in a line."""
        self.n_records += found.is_record
        if self.as_json:
            say_json(found.as_json())
        if found.fault is not None:
            self._note_fault(found.line, found.fault, found.is_record)
        else:
            self._note_answer(found)
        if self.is_any_answered and not self.as_json:
            for fault in self.faults[self.n_told :]:
                complain(fault)
            self.n_told = len(self.faults)

    def _note_fault(self, line: int, fault: str, is_record: bool) -> None:
        text = f"line {line}: {fault}"
        if not is_record:
            self.unreadable = self.unreadable or text
            self.is_cut = self.source.is_cut_in(line)
        if not self.is_cut:
            self.faults.append(f"{self.source.name}: {text}")

    def _note_answer(self, solved: Solved) -> None:
        if not self.as_json and not self.quiet:
            say(solved.in_words())
        self.n_thrown_in += solved.points is None
        self.n_solved += solved.points is not None
        self.n_made += solved.made or 0
        if solved.played is not None:
            self.n_played += 1
            self.n_won += solved.was_made

    def finish(self) -> int:
        """Sum up; return the exit code."""
        self.source.refuse_without_records(self.n_records, self.unreadable)
        if self.is_cut:
            complain(self.source.cut)
            return 2
        if not self.is_any_answered:
            first, more = self.faults[0], len(self.faults) - 1
            lines = "line" if more == 1 else "lines"
            raise InputError(f"{first} (and {more:,} more faulty {lines})" if more else first)
        if not self.as_json:
            say(self._summary())
            if not self.quiet and self.n_solved:
                say(
                    "Pessimistic: all the others see every card and play as one; at a table two "
                    "teams never do."
                )
        return 1 if self.faults else 0

    def _summary(self) -> str:
        parts = []
        n, won, played = self.n_solved, self.n_won, self.n_played
        if n:
            hands = "1 hand" if n == 1 else f"{n:,} hands"
            parts += [f"{hands}: the bid is sure in {self.n_made:,} ({self.n_made / n:.1%})"]
        if played:
            parts += [f"it was made in {won:,} of {played:,} that were played ({won / played:.1%})"]
        if self.n_thrown_in:
            parts += [f"{self.n_thrown_in:,} thrown in"]
        if self.faults:
            parts += [f"{len(self.faults):,} faulty"]
        return "; ".join(parts)
