"""Whole games in a sequence of records: scores carried on, the deal passing, the end (W1-W3)."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from schmier_sim.engine.game import winning_teams
from schmier_sim.engine.hand import next_dealer
from schmier_sim.engine.switches import team_of
from schmier_sim.records.form import GameNote, Record
from schmier_sim.records.referee import Ruling
from schmier_sim.rules import MAX_DEALS, Rules


class _Standing(NamedTuple):
    """What the next record of a game must go on from."""

    rules: Rules
    deal: int
    scores: list[int]
    dealer: int
    is_over: bool


class GameBook:
    """Follows the games of a file, which may be interleaved."""

    def __init__(self) -> None:
        self._games: dict[Any, _Standing] = {}

    def check(self, record: Record, ruling: Ruling) -> list[str]:
        """Return what is wrong with the place of a record in its game."""
        note = record.game
        if note is None:
            return []
        faults = self._form(record, note)
        if faults:
            return faults
        before = self._games.get(note.id)
        faults = _first(note) if before is None else _follows(before, record, note)
        if ruling.is_complete:
            faults += _result(record, note, ruling)
        # Where the hand itself is faulty, what is written has to do, or all that follows
        # would be faulty too.
        thrown_in = not any(call.bid for call in record.bids)
        self._games[note.id] = _Standing(
            record.rules,
            note.deal,
            note.after,
            int(next_dealer(record.dealer, thrown_in, record.rules.packed)),
            note.winners is None or bool(note.winners),
        )
        return faults

    @staticmethod
    def _form(record: Record, note: GameNote) -> list[str]:
        teams = record.rules.n_teams
        return [
            f"game.{name}: {len(scores)} scores, not {teams} (P1)"
            for name, scores in (("before", note.before), ("after", note.after))
            if len(scores) != teams
        ]


def _first(note: GameNote) -> list[str]:
    """The first record of a game; a file may begin in the middle of one."""
    if note.deal == 1 and any(note.before):
        return [f"game.before: {note.before}; a game begins at 0 (W1)"]
    return []


def _follows(before: _Standing, record: Record, note: GameNote) -> list[str]:
    """A record after another one of the same game."""
    faults = []
    if before.is_over:
        faults.append(f"game: deal {note.deal} after the end of game {note.id} (W1)")
    if note.deal != before.deal + 1:
        faults.append(f"game.deal: {note.deal} after {before.deal} (P3)")
    if record.rules != before.rules:
        faults.append("rules: not those of the deal before in this game (P3)")
    if note.before != before.scores:
        faults.append(f"game.before: {note.before}, the deal before ended at {before.scores} (W1)")
    if record.dealer != before.dealer:
        faults.append(f"dealer: seat {record.dealer}, not seat {before.dealer} (P3, A4)")
    return faults


def _result(record: Record, note: GameNote, ruling: Ruling) -> list[str]:
    """Scores after the deal, and winners."""
    faults = []
    change = ruling.score or [0] * record.rules.n_teams
    after = [a + b for a, b in zip(note.before, change, strict=True)]
    if note.after != after:
        faults.append(f"game.after: {note.after}, not {after} (S5)")
    winners = _winners(after, record, note, ruling)
    if note.winners != winners:
        faults.append(f"game.winners: {note.winners}, not {winners} (W1, W2, W3)")
    return faults


def _winners(after: list[int], record: Record, note: GameNote, ruling: Ruling) -> list[int] | None:
    """Return the teams that have won; none while play goes on; None at the cap."""
    mask = 0
    if ruling.bidder is not None:
        packed = record.rules.packed
        scores = np.zeros(3, np.int64)
        scores[: len(after)] = after
        mask = int(winning_teams(scores, team_of(ruling.bidder, packed), ruling.made, packed))
    winners = [team for team in range(3) if mask >> team & 1]
    return None if not winners and note.deal == MAX_DEALS else winners
