"""The position before any card of a record, for the solver."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from schmier_sim.cards import HIGH, LOW, mask_of
from schmier_sim.engine.play import beats
from schmier_sim.engine.scoring import count_for_game, taken_points
from schmier_sim.engine.switches import team_of
from schmier_sim.records.form import Exchange, Fault, Record
from schmier_sim.records.referee import judge
from schmier_sim.solver import Position


class Place(NamedTuple):
    """A place in a hand: before a card of a trick, both counted from 1."""

    trick: int = 1
    card: int = 1

    def __str__(self) -> str:
        return f"{self.trick}.{self.card}"

    @property
    def n_before(self) -> int:
        """The number of cards played before."""
        return 6 * (self.trick - 1) + self.card - 1


def position_at(record: Record, place: Place = Place()) -> Position | None:  # noqa: B008
    """Return the position before a card, 1.1 right after the exchange; None if nobody bid.

    Raises
    ------
    Fault
        If the record is against the rules, or does not go so far.
    """
    ruling = judge(record)
    if ruling.faults:
        raise Fault(ruling.faults[0])
    if record.bidder is None:
        return None
    if record.exchange is None:
        raise Fault("exchange: missing; a hand is solved from after the exchange")
    played = [card for trick in record.tricks or () for card in trick.cards]
    if place.n_before > len(played):
        trick, card = divmod(len(played), 6)
        last = Place(trick + 1, card + 1)
        raise Fault(
            f"tricks: {len(played)} cards are played; the last place is {last}, not {place}"
        )
    return _position(record, record.bidder, played[: place.n_before])


def _hands(record: Record, entries: Sequence[Exchange]) -> list[int]:
    """The hands after the exchange."""
    hands = [mask_of(hand or ()) for hand in record.hands]
    for entry in entries:
        hands[entry.seat] |= mask_of(entry.draw)
        hands[entry.seat] &= ~mask_of(entry.discard)
    return hands


def _position(record: Record, leader: int, played: Sequence[int]) -> Position:
    assert record.trump is not None
    assert record.bidder is not None
    packed, trump = record.rules.packed, record.trump
    own = team_of(record.bidder, packed)
    hands = _hands(record, record.exchange or ())
    taken = int(taken_points(trump, packed))
    laid = {int(HIGH[trump]), int(LOW[trump])} - {c for c in range(53) if taken >> c & 1}
    counts, card_points = [0] * record.rules.n_teams, 0
    n_finished = len(played) // 6 * 6
    for first in range(0, n_finished, 6):
        cards = played[first : first + 6]
        seats = [(leader + turn) % 6 for turn in range(6)]
        leader = _winner(cards, leader, trump)
        for seat, card in zip(seats, cards, strict=True):
            hands[seat] &= ~(1 << card)
            scorer = seat if card in laid else leader if taken >> card & 1 else None
            card_points += scorer is not None and team_of(scorer, packed) == own
        counts[team_of(leader, packed)] += int(count_for_game(mask_of(cards)))
    trick = tuple(played[n_finished:])
    for turn, card in enumerate(trick):
        hands[(leader + turn) % 6] &= ~(1 << card)
    return Position(
        record.rules, trump, record.bidder, leader, tuple(hands), trick, card_points, tuple(counts)
    )


def _winner(cards: Sequence[int], leader: int, trump: int) -> int:
    best = 0
    for turn in range(1, 6):
        if beats(cards[turn], cards[best], trump):
            best = turn
    return (leader + best) % 6
