"""What the calls before mine tell: who is likely to hold what, and how far make rates move."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from schmier_sim.advise import Advice, CallResult, fate
from schmier_sim.around import MOST_FACTS, Table
from schmier_sim.cards import JOKER, LOW, SUIT_MASK, trumps_high_to_low
from schmier_sim.hidden import Fitting, HeardCall
from schmier_sim.phrases import ranges
from schmier_sim.players import seats_by_role
from schmier_sim.situation import ME

_TOPS: Final = 5  # A K Q R L


@dataclass(frozen=True)
class Likely:
    """How often a card lies with somebody, given the calls and without them.

    Attributes
    ----------
    card : int
    with_calls, without : (deals in which it was dealt there, deals)
    """

    card: int
    with_calls: tuple[int, int]
    without: tuple[int, int]

    @property
    def shift(self) -> float:
        """How far the calls move the rate."""
        (a, n), (b, m) = self.with_calls, self.without
        return a / n - b / m


@dataclass(frozen=True)
class Side:
    """My partner, or partners, or all enemies together.

    Attributes
    ----------
    name : str
        ``partner`` or ``enemies``.
    seats : tuple of int
    likely : tuple of Likely
        The tops of trumps, the 2 and the joker, as far as I do not hold them.
    trumps : (float, float)
        The mean number dealt to the side, given the calls and without them.
    """

    name: str
    seats: tuple[int, ...]
    likely: tuple[Likely, ...]
    trumps: tuple[float, float]


@dataclass(frozen=True)
class Heard:
    """What the calls tell.

    Attributes
    ----------
    fitting : Fitting
        The deals that fit them.
    trump : int
        The suit in question.
    sides : tuple of Side
    make, make_without : (made, got) or None
        Of the bid in question given the calls, and on deals as if nobody had called.
    """

    fitting: Fitting
    trump: int
    sides: tuple[Side, ...]
    make: tuple[int, int] | None
    make_without: tuple[int, int] | None


def _sides(table: Table, trump: int, dealt: tuple[np.ndarray, np.ndarray]) -> tuple[Side, ...]:
    roles = seats_by_role(ME, table.situation.rules)
    pairs = (("partner", roles["partner"]), ("enemies", roles["opponents"]))
    return tuple(_side(name, seats, table, trump, dealt) for name, seats in pairs)


def _side(
    name: str,
    seats: list[int],
    table: Table,
    trump: int,
    dealt: tuple[np.ndarray, np.ndarray],
) -> Side:
    held = [np.bitwise_or.reduce(masks[:, seats], axis=1) for masks in dealt]
    hand = table.situation.hand
    cards = [*trumps_high_to_low(trump)[:_TOPS], int(LOW[trump]), JOKER]
    likely = []
    for card in cards:
        if not hand >> card & 1:
            rates = [(int((masks >> card & 1).sum()), len(masks)) for masks in held]
            likely.append(Likely(card, rates[0], rates[1]))
    suit = int(SUIT_MASK[trump, trump])
    means = [float(np.bitwise_count(masks & suit).mean()) for masks in held]
    return Side(name, tuple(seats), tuple(likely), (means[0], means[1]))


def _subject(advice: Advice, asked: int | None) -> tuple[CallResult | None, int]:
    """Return the bid in question, if there is one, and the suit."""
    row = advice.subject(asked)
    if row is not None and row.trump is not None:
        return row, row.trump
    return None, max(advice.suits, key=lambda suit: max(suit.value.values())).trump


def heard(advice: Advice, asked: int | None) -> Heard | None:
    """Return what the calls tell; None if there are none, or they are not to be weighed.

    Parameters
    ----------
    advice : Advice
    asked : int, optional
        The bid in question; else the best bid.
    """
    table = advice.table
    if not table.hidden.weighs:
        return None
    row, trump = _subject(advice, asked)
    silent = table.as_if_silent()
    numbers = table.hidden.numbers(advice.wanted)[:MOST_FACTS]
    without = silent.hidden.numbers(min(advice.wanted, MOST_FACTS))
    dealt = table.hidden.masks(numbers), silent.hidden.masks(without)
    sides = _sides(table, trump, dealt)
    make = make_without = None
    if row is not None:
        got, made = fate(silent.play(row.call, trump, -1, len(without)), row.call)
        make, make_without = row.make, (int(made.sum()), int(got.sum()))
    return Heard(table.hidden.fitting(advice.wanted), trump, sides, make, make_without)


def _weighed_as(call: HeardCall) -> str:
    if not call.meant:
        return "not weighed"
    return f"taken for {(call.meant & -call.meant).bit_length() - 1} or more"


def _doubts(advice: Advice, calls: Sequence[HeardCall]) -> Iterator[str]:
    """Name calls that were not weighed as what they are, those alike together."""
    alike: dict[tuple[str, str, str], list[HeardCall]] = {}
    for each in calls:
        if not each.is_exact:
            name = advice.policies[each.seat].name if each.is_rare else ""
            call = f"bid {each.call}" if each.call else "pass"
            alike.setdefault((name, call, _weighed_as(each)), []).append(each)
    for (name, call, taken), group in alike.items():
        places = sorted((each.seat - advice.situation.dealer - 1) % 6 + 1 for each in group)
        where = f"position {places[0]}" if len(places) == 1 else f"positions {ranges(places)}"
        most, asked = max(each.so for each in group), group[0].asked
        often = f"in {most:,} of {asked:,} deals" if most else f"in none of {asked:,} deals"
        if name:
            yield f"`{name}` would hardly ever {call} in {where} ({often}): {taken}"
        else:
            yield f"all these calls together are too rare: {call} in {where} is {taken}"


def warnings(advice: Advice) -> list[str]:
    """Return what makes an answer given these calls doubtful, a sentence each."""
    hidden = advice.table.hidden
    if not hidden.weighs:
        return []
    found = hidden.fitting(advice.wanted)
    said = list(_doubts(advice, found.calls))
    if len(found.numbers) < advice.wanted:
        said.append(
            f"only {len(found.numbers):,} deals fit these calls, of {found.dealt:,} dealt "
            f"({advice.wanted:,} wanted)"
        )
    return said
