"""Check a file of records, line by line; every line gets its verdict."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from schmier_sim.records.form import Fault, NoRecordError, read_line
from schmier_sim.records.games import GameBook
from schmier_sim.records.referee import judge


@dataclass(frozen=True)
class Verdict:
    """What is to be said of one line.

    Attributes
    ----------
    line : int
        From 1.
    ok : bool
    is_record : bool
        False if the line is no hand record at all.
    faults : list of str
        Field, what is wrong, clause.
    points, game_count, score
        As in a record, worked out anew; None if the cards were thrown in or not played out.
    """

    line: int
    faults: list[str]
    is_record: bool = True
    points: dict[str, int | None] | None = None
    game_count: list[int] | None = None
    score: list[int] | None = None

    @property
    def ok(self) -> bool:
        """Whether nothing is wrong."""
        return not self.faults


def check_lines(lines: Iterable[str]) -> Iterator[Verdict]:
    """Check records, one a line; blank lines are passed over.

    Parameters
    ----------
    lines : iterable of str
    """
    games = GameBook()
    for number, line in enumerate(lines, 1):
        if line.strip():
            yield _verdict(number, line, games)


def _verdict(number: int, line: str, games: GameBook) -> Verdict:
    try:
        record = read_line(line)
    except NoRecordError as error:
        return Verdict(number, [str(error)], is_record=False)
    except Fault as fault:
        return Verdict(number, [str(fault)])
    ruling = judge(record)
    faults = [*ruling.faults, *games.check(record, ruling)]
    return Verdict(number, faults, True, ruling.points, ruling.game_count, ruling.score)
