"""Solve a file of records, line by line."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, ClassVar

from schmier_sim.cards import SUIT_NAMES, by_trump, card_names, card_sign, cards_of
from schmier_sim.engine.switches import team_of
from schmier_sim.records.form import Fault, NoRecordError, Record, read_line
from schmier_sim.records.positions import Place, position_at
from schmier_sim.solver import Solver
from schmier_sim.threads import hearing_ctrl_c


@dataclass(frozen=True)
class Solved:
    """What a record is worth with all cards seen.

    Attributes
    ----------
    line : int
        From 1.
    record : Record
    at : Place
    points : int or None
        Of which the bidding team is sure; None if the cards were thrown in.
    turn : int or None
        Who plays the next card.
    best : int
        Mask of the cards that keep this value.
    """

    line: int
    record: Record
    at: Place
    points: int | None = None
    turn: int | None = None
    best: int = 0
    fault: ClassVar[None] = None
    is_record: ClassVar[bool] = True

    @property
    def made(self) -> bool | None:
        """Whether the bid is sure."""
        return None if self.points is None else self.points >= (self.record.bid or 0)

    @property
    def played(self) -> int | None:
        """What the bidding team won when the hand was played, if the record says."""
        if self.record.points is None or self.record.bidder is None:
            return None
        own = team_of(self.record.bidder, self.record.rules.packed)
        return sum(team == own for team in self.record.points.values())

    @property
    def was_made(self) -> bool:
        """Whether the bid was made when the hand was played."""
        return self.played is not None and self.played >= (self.record.bid or 0)

    def as_json(self) -> dict[str, Any]:
        """Return the line of ``solve --json``."""
        return {
            "line": self.line,
            "points": self.points,
            "bidder": self.record.bidder,
            "bid": self.record.bid,
            "made": self.made,
            "at": str(self.at),
            "turn": self.turn,
            "best": None if self.points is None else card_names(self.best),
            "played": self.played,
            "fault": None,
        }

    def in_words(self) -> str:
        """Return a line for people."""
        record = self.record
        if self.points is None:
            return f"line {self.line}: thrown in, nothing to solve"
        assert record.trump is not None
        cards = ", ".join(card_sign(card) for card in by_trump(cards_of(self.best), record.trump))
        played = "" if self.played is None else f" (won {self.played} when played)"
        return (
            f"line {self.line}: seat {record.bidder} bid {record.bid} in "
            f"{SUIT_NAMES[record.trump]}: sure of {self.points}, "
            f"{'enough' if self.made else 'too few'}{played}; best for seat {self.turn}: {cards}"
        )


@dataclass(frozen=True)
class Unsolved:
    """A line that could not be solved.

    Attributes
    ----------
    line : int
        From 1.
    at : Place
    fault : str
        What is wrong.
    is_record : bool
        False if the line is no hand record at all.
    """

    line: int
    at: Place
    fault: str
    is_record: bool = True

    def as_json(self) -> dict[str, Any]:
        """Return the line of ``solve --json``."""
        nothing = dict.fromkeys(("points", "bidder", "bid", "made", "at", "turn", "best", "played"))
        return {"line": self.line} | nothing | {"at": str(self.at), "fault": self.fault}


def solve_lines(lines: Iterable[str], at: tuple[int, int]) -> Iterator[Solved | Unsolved]:
    """Solve records, one a line, from a place; every line but blank ones gets its verdict."""
    solver, place = Solver(), Place(*at)
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            yield _solved(number, read_line(line), place, solver)
        except NoRecordError as error:
            yield Unsolved(number, place, str(error), is_record=False)
        except Fault as fault:
            yield Unsolved(number, place, str(fault))


def _solved(number: int, record: Record, place: Place, solver: Solver) -> Solved:
    position = position_at(record, place)
    if position is None:
        return Solved(number, record, place)
    found = hearing_ctrl_c(solver.solve, position)
    return Solved(number, record, place, found.points, position.turn, found.best)
