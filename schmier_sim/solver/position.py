"""Positions and their solutions, for Python."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from schmier_sim._jit import structured
from schmier_sim.rules import Rules
from schmier_sim.solver.solve import solve
from schmier_sim.solver.space import SPACE


@dataclass(frozen=True)
class Position:
    """A position after the exchange. Cards are ids, sets of cards masks, both as in `cards`.

    Attributes
    ----------
    rules : Rules
    trump, bidder : int
    leader : int
        Who led, or has to lead, to the trick that is played.
    hands : tuple of int
        By seat, without the cards on the table.
    trick : tuple of int
        The cards on the table in order, at most five.
    card_points : int
        Card points of the bidding team from finished tricks.
    game_count : tuple of int
        By team, from finished tricks.
    """

    rules: Rules
    trump: int
    bidder: int
    leader: int
    hands: tuple[int, ...]
    trick: tuple[int, ...] = ()
    card_points: int = 0
    game_count: tuple[int, ...] = (0, 0, 0)

    @property
    def turn(self) -> int:
        """Who plays next."""
        return (self.leader + len(self.trick)) % 6


@dataclass(frozen=True)
class Solution:
    """The value of a position.

    Attributes
    ----------
    points : int
        Of which the bidding team can be sure, those won so far among them.
    best : int
        Mask of the cards of the seat to play that keep this value; 0 if no cards are left.
    """

    points: int
    best: int


class Solver:
    """Solves positions; it keeps what it learns, in a table of a fixed size."""

    MEMORY: Final = SPACE.itemsize
    """Bytes."""

    def __init__(self) -> None:
        self._space: Any = structured(1, SPACE).view(np.recarray)[0]

    def _answer(self, position: Position, wants_best: bool) -> Any:
        space = self._space
        space.rules, space.trump = position.rules.packed, position.trump
        space.bidder, space.leader = position.bidder, position.leader
        space.given[:] = position.hands
        space.n_trick = len(position.trick)
        space.trick[: len(position.trick)] = position.trick
        space.card_points = position.card_points
        space.game_count[: len(position.game_count)] = position.game_count
        space.wants_best = wants_best
        solve(space)
        return space

    def value(self, position: Position) -> int:
        """Return the most points of which the bidding team can be sure."""
        return int(self._answer(position, False).value)

    def solve(self, position: Position) -> Solution:
        """Return the value and the best cards."""
        space = self._answer(position, True)
        return Solution(int(space.value), int(space.best))
