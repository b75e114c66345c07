"""Solve a file of records, line by line."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from schmier_sim.cards import SUIT_NAMES, by_trump, card_names, card_sign, cards_of
from schmier_sim.engine.switches import team_of
from schmier_sim.errors import InputError
from schmier_sim.records.form import Fault, NoRecordError, Record, read_line
from schmier_sim.records.positions import Place, position_at
from schmier_sim.solver import Solver


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
            "best": card_names(self.best),
            "played": self.played,
        }

    def in_words(self) -> str:
        """Return a line for people."""
        record = self.record
        assert record.trump is not None
        cards = ", ".join(card_sign(card) for card in by_trump(cards_of(self.best), record.trump))
        played = "" if self.played is None else f" (won {self.played} when played)"
        return (
            f"line {self.line}: seat {record.bidder} bid {record.bid} in "
            f"{SUIT_NAMES[record.trump]}: sure of {self.points}, "
            f"{'enough' if self.made else 'too few'}{played}; best for seat {self.turn}: {cards}"
        )


def solve_lines(lines: Iterable[str], at: tuple[int, int]) -> Iterator[Solved]:
    """Solve records, one a line, from a place; blank lines are passed over.

    Raises
    ------
    InputError
        If a line is no record, a faulty one, or one that does not go so far.
    """
    solver, place = Solver(), Place(*at)
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            record = read_line(line)
            position = position_at(record, place)
        except (NoRecordError, Fault) as error:
            raise InputError(f"line {number}: {error}") from error
        if position is None:
            yield Solved(number, record, place)
            continue
        found = solver.solve(position)
        yield Solved(number, record, place, found.points, position.turn, found.best)
