"""All that a seat may not know, written down one by one: the check of the sampler.

It shares no code with the package but the numbering of cards and the fields of a view. Cards are
laid one after the other wherever they may lie, each discard pile by itself; then the rules are
read to the result. Slow, and so for a dozen hidden cards.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations
from math import comb

JACK, TEN_AND_LESS = 9, range(9)
World = tuple[int, ...]


def suit(card: int, trump: int) -> int:
    """R1, R2."""
    left = 13 * (3 - trump) + JACK
    return trump if card in (52, left) else card // 13


def is_point(card: int, trump: int) -> bool:
    """A, 2, both bauers and the joker (E3)."""
    return card in (13 * trump + 12, 13 * trump, 13 * trump + JACK, 13 * (3 - trump) + JACK, 52)


@dataclass(eq=False)
class Known:
    """What a seat knows, in plain Python."""

    me: int
    trump: int  # -1 in the auction
    taker: int  # -1 until he has the rest
    hidden: list[int]
    shown: list[list[int]]  # by seat, cards that are or were in its hand
    room: list[int]  # by seat, hidden cards in its hand
    drawn: list[int]
    voids: set[tuple[int, int]]
    denied: set[tuple[int, int]]  # (seat, card)
    excess_is_free: bool


def _may_lie(known: Known, card: int, place: tuple[str, int]) -> bool:
    kind, seat = place
    if kind == "stock":
        return True
    own_suit = suit(card, known.trump) if known.trump >= 0 else -1
    if kind == "hand":
        return (seat, card) not in known.denied and (seat, own_suit) not in known.voids
    return seat == known.taker or own_suit != known.trump  # E1


def _lay(
    known: Known, cards: list[int], room: dict[tuple[str, int], int]
) -> Iterator[dict[int, tuple[str, int]]]:
    if not cards:
        yield {}
        return
    for place, free in room.items():
        if free and _may_lie(known, cards[0], place):
            room[place] -= 1
            for rest in _lay(known, cards[1:], room):
                yield {cards[0]: place, **rest}
            room[place] += 1


def legal_throws(cards: list[int], number: int, known: Known) -> list[tuple[int, ...]]:
    """E3: all that a taker may throw."""
    trumps = [card for card in cards if suit(card, known.trump) == known.trump]
    plain = [card for card in cards if card not in trumps]
    loose = [card for card in trumps if not is_point(card, known.trump)]
    if len(trumps) <= 6:
        return list(combinations(plain, number))
    if known.excess_is_free:
        return list(combinations(plain + loose, number))
    return [(*plain, *some) for some in combinations(loose, number - len(plain))]


def _plain(cards: list[int], trump: int) -> int:
    return sum(suit(card, trump) != trump for card in cards)


def ways(known: Known, where: dict[int, tuple[str, int]]) -> float:
    """How likely a placement is, but for a constant; 0 if the taker could not throw so."""
    result = 1.0
    for seat in range(6):
        d = known.drawn[seat]
        if seat == known.me or d <= 0:
            continue
        hand = known.shown[seat] + [c for c, place in where.items() if place == ("hand", seat)]
        pile = [c for c, place in where.items() if place == ("thrown", seat)]
        assert len(hand) == 6
        if seat == known.taker:
            choices = legal_throws(hand + pile, len(pile), known)
            if tuple(sorted(pile)) not in {tuple(sorted(each)) for each in choices}:
                return 0.0
            result *= 1 / len(choices)
        else:
            result *= sum(
                1 / comb(_plain([*{*hand} - {*drawn}, *pile], known.trump), d)
                for drawn in combinations(hand, d)
            )  # fmt: skip
    return result


def worlds(known: Known) -> dict[World, float]:
    """The chance of each: masks of six hidden hands, plain discards, the stock, trumps thrown."""
    found: dict[World, float] = defaultdict(float)
    for where in _placed(known):
        found[_masks(known, where)] += ways(known, where)
    total = sum(found.values())
    return {world: each / total for world, each in found.items() if each}


@lru_cache(2)
def _placed(known: Known) -> list[dict[int, tuple[str, int]]]:
    """All ways to lay the hidden cards where they may lie."""
    room = {("hand", seat): known.room[seat] for seat in range(6)}
    for seat in range(6):
        if seat != known.me and known.drawn[seat] > 0:
            room["thrown", seat] = known.drawn[seat]
    room["stock", 0] = len(known.hidden) - sum(room.values())
    return list(_lay(known, known.hidden, room))


def _masks(known: Known, where: dict[int, tuple[str, int]]) -> World:
    masks = [0] * 9
    for card, (kind, seat) in where.items():
        at = seat if kind == "hand" else 7
        if kind == "thrown":
            at = 8 if suit(card, known.trump) == known.trump else 6
        masks[at] |= 1 << card
    return tuple(masks)
