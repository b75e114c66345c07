"""Positions and their solutions, for Python."""

from __future__ import annotations

from dataclasses import dataclass
from numbers import Integral
from typing import Any, Final

import numpy as np

from schmier_sim._jit import structured
from schmier_sim.cards import N_CARDS, PACK_MASK, card_names
from schmier_sim.errors import InputError
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


def check_position(position: Position) -> None:
    """Raise InputError if a position cannot be: seats, cards, counts."""
    fault = _fault(position)
    if fault:
        raise InputError(f"position: {fault}")


def _fault(position: Position) -> str:
    numbers: tuple[object, ...] = (
        position.trump, position.bidder, position.leader, position.card_points, *position.hands,
        *position.trick, *position.game_count,
    )  # fmt: skip
    if {*map(type, numbers)} != {int}:
        wrong = [each for each in numbers if type(each) is bool or not isinstance(each, Integral)]
        if wrong:
            return f"{wrong[0]!r} is no whole number"
    if not 0 <= position.trump < 4:
        return f"trump {position.trump!r}; a suit is 0 to 3"
    if not (0 <= position.bidder < 6 and 0 <= position.leader < 6):
        return f"bidder {position.bidder!r}, leader {position.leader!r}; seats are 0 to 5"
    if len(position.hands) != 6 or any(not 0 <= hand <= PACK_MASK for hand in position.hands):
        return "hands: six masks of cards are expected"
    if len(position.trick) > 5 or any(not 0 <= card < N_CARDS for card in position.trick):
        return "trick: at most five card ids are expected"
    if not 0 <= position.card_points <= 5:
        return f"card_points {position.card_points!r}; from 0 to 5"
    if len(position.game_count) not in (position.rules.n_teams, 3):
        return f"game_count: {len(position.game_count)} counts; {position.rules.n_teams} teams play"
    return _cards_fault(position)


def _cards_fault(position: Position) -> str:
    """Return which card is there twice, or who has too many or too few."""
    seen = 0
    sizes = [hand.bit_count() for hand in position.hands]
    for turn, card in enumerate(position.trick):
        sizes[(position.leader + turn) % 6] += 1
        seen |= 1 << card
    for hand in position.hands:
        seen |= hand
    if min(sizes) < max(sizes) or sizes[0] > 6:
        return f"cards by seat, the trick's among them: {sizes}; all have as many, at most six"
    if seen.bit_count() < sum(sizes):
        return f"{_twice(position)} is there twice"
    return ""


def _twice(position: Position) -> str:
    """Return the name of a card that is there twice."""
    everything = [*position.hands, *(1 << card for card in position.trick)]
    seen = 0
    for mask in everything:
        if seen & mask:
            return card_names(seen & mask)[0]
        seen |= mask
    raise AssertionError("no card is")


class Solver:
    """Solves positions; it keeps what it learns, in a table of a fixed size."""

    MEMORY: Final = SPACE.itemsize
    """Bytes."""

    def __init__(self) -> None:
        self._space: Any = structured(1, SPACE).view(np.recarray)[0]

    def _answer(self, position: Position, wants_best: bool) -> Any:
        check_position(position)
        space = self._space
        space.rules, space.trump = position.rules.packed, position.trump
        space.bidder, space.leader = position.bidder, position.leader
        space.given[:] = position.hands
        space.n_trick = len(position.trick)
        space.trick[: len(position.trick)] = position.trick
        space.card_points = position.card_points
        space.game_count[:] = 0
        space.game_count[: len(position.game_count)] = position.game_count
        space.wants_best = wants_best
        solve(space)
        return space

    @property
    def n_searched(self) -> int:
        """How many turns it has looked at so far, in all positions together."""
        return int(self._space.n_nodes)

    def value(self, position: Position) -> int:
        """Return the most points of which the bidding team can be sure.

        Raises
        ------
        InputError
            If there can be no such position.
        """
        return int(self._answer(position, False).value)

    def solve(self, position: Position) -> Solution:
        """Return the value and the best cards."""
        space = self._answer(position, True)
        return Solution(int(space.value), int(space.best))
