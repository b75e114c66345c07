"""The form of a hand record: JSON to a `Record`, with every field checked for its kind."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final, NamedTuple, TypeVar

from schmier_sim import strict_json
from schmier_sim.cards import SUITS, card_name, parse_card
from schmier_sim.engine.state import POINT_NAMES
from schmier_sim.errors import InputError
from schmier_sim.rules import Rules

FORMAT: Final = "schmier-hand/1"
T = TypeVar("T")

_LARGEST: Final = 2**63 - 1
_LARGEST_SCORE: Final = 10**9


class Fault(Exception):
    """Something is wrong with a record; the text names field and clause."""


class NoRecordError(Exception):
    """A line is no hand record at all."""


class Call(NamedTuple):
    """One seat's call; 0 is a pass."""

    seat: int
    bid: int


class Exchange(NamedTuple):
    """One seat's discards and the cards that it was dealt for them."""

    seat: int
    discard: list[int]
    draw: list[int]


class Trick(NamedTuple):
    """Cards in playing order; the winner is None while the trick is not finished."""

    leader: int
    cards: list[int]
    winner: int | None


@dataclass(frozen=True)
class GameNote:
    """Where a deal stands in a game."""

    id: Any
    deal: int
    before: list[int]
    after: list[int]
    winners: list[int] | None


@dataclass(frozen=True)
class Record:
    """One deal, as written; nothing about it need be legal yet. Cards are ids."""

    rules: Rules
    dealer: int
    hands: list[list[int] | None]
    stock: list[int] | None
    bids: list[Call]
    bidder: int | None
    bid: int | None
    trump: int | None
    exchange: list[Exchange] | None
    tricks: list[Trick] | None
    points: dict[str, int | None] | None
    game_count: list[int] | None
    score: list[int] | None
    game: GameNote | None
    source: Mapping[str, Any]


def read_line(line: str) -> Record:
    """Read one line.

    Raises
    ------
    NoRecordError
        If it is not JSON, or JSON of another kind.
    Fault
        If a field is missing or not of its kind.
    """
    try:
        data = strict_json.read(line, _refuse_double)
    except ValueError as error:
        raise NoRecordError(f"no hand record: not JSON ({error})") from error
    if isinstance(data, list):
        raise NoRecordError("no hand record but a list; write one record a line")
    if not isinstance(data, dict) or "format" not in data:
        raise NoRecordError(f'no hand record: no "format": "{FORMAT}" in it')
    if data["format"] != FORMAT:
        raise NoRecordError(f"format: {_show(data['format'])}, not {FORMAT!r}")
    return _record(data)


def _refuse_double(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise Fault(f"{twice[:40]}: there twice")
    return found


def _show(value: object) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 40 else text[:37] + "..."


def _record(data: Mapping[str, Any]) -> Record:
    for name in ("rules", "dealer", "hands", "stock", "bids", "bidder", "bid", "trump"):
        if name not in data:
            raise Fault(f"{name}: missing")
    return Record(
        rules=_rules(data["rules"]),
        dealer=_integer(data["dealer"], "dealer", 0, 5),
        hands=[
            _optional(hand, f"hands[{i}]", _cards)
            for i, hand in enumerate(_list(data["hands"], "hands", 6))
        ],
        stock=_optional(data["stock"], "stock", _cards),
        bids=[_call(call, f"bids[{i}]") for i, call in enumerate(_list(data["bids"], "bids"))],
        bidder=_optional(data["bidder"], "bidder", _seat),
        bid=_optional(data["bid"], "bid", _bid),
        trump=_optional(data["trump"], "trump", _suit),
        exchange=_optional(data.get("exchange"), "exchange", _exchange),
        tricks=_optional(data.get("tricks"), "tricks", _tricks),
        points=_optional(data.get("points"), "points", _points),
        game_count=_optional(data.get("game_count"), "game_count", _integers),
        score=_optional(data.get("score"), "score", _integers),
        game=_optional(data.get("game"), "game", _game),
        source=_source(data),
    )


def _optional(value: Any, field: str, read: Callable[[Any, str], T]) -> T | None:
    return None if value is None else read(value, field)


def _integer(value: Any, field: str, low: int | None = None, high: int | None = None) -> int:
    if not isinstance(value, int) or isinstance(value, bool):
        raise Fault(f"{field}: {_show(value)} is no whole number")
    if abs(value) > _LARGEST:
        raise Fault(f"{field}: {_show(value)} is out of range")
    if (low is not None and value < low) or (high is not None and value > high):
        raise Fault(f"{field}: {value} is not from {low} to {high}")
    return value


def _seat(value: Any, field: str) -> int:
    return _integer(value, field, 0, 5)


def _bid(value: Any, field: str) -> int:
    return _integer(value, field, 0, 6)


def _list(value: Any, field: str, length: int | None = None) -> list[Any]:
    if not isinstance(value, list):
        raise Fault(f"{field}: {_show(value)} is no list")
    if length is not None and len(value) != length:
        raise Fault(f"{field}: {len(value)} entries, not {length}")
    return value


def _object(value: Any, field: str, *names: str) -> Mapping[str, Any]:
    if not isinstance(value, dict):
        raise Fault(f"{field}: {_show(value)} is no object")
    for name in names:
        if name not in value:
            raise Fault(f"{field}.{name}: missing")
    return value


def _integers(value: Any, field: str) -> list[int]:
    return [
        _integer(entry, f"{field}[{i}]", -_LARGEST_SCORE, _LARGEST_SCORE)
        for i, entry in enumerate(_list(value, field))
    ]


def _rules(value: Any) -> Rules:
    try:
        return Rules.of(_object(value, "rules"))
    except InputError as error:
        raise Fault(f"rules: {error}") from error


def _cards(value: Any, field: str) -> list[int]:
    cards: list[int] = []
    for i, text in enumerate(_list(value, field)):
        try:
            card = parse_card(text)
        except InputError as error:
            raise Fault(f"{field}[{i}]: {error}") from error
        if card in cards:
            raise Fault(f"{field}: {card_name(card)} is there twice (P2)")
        cards.append(card)
    return cards


def _suit(value: Any, field: str) -> int:
    if not isinstance(value, str) or value not in tuple(SUITS):
        raise Fault(f'{field}: {_show(value)} is no suit; one of "C" "D" "H" "S"')
    return SUITS.index(value)


def _call(value: Any, field: str) -> Call:
    entry = _object(value, field, "seat", "bid")
    return Call(_seat(entry["seat"], f"{field}.seat"), _bid(entry["bid"], f"{field}.bid"))


def _exchange(value: Any, field: str) -> list[Exchange]:
    entries = []
    for i, raw in enumerate(_list(value, field, 6)):
        at = f"{field}[{i}]"
        entry = _object(raw, at, "seat", "discard", "draw")
        entries.append(
            Exchange(
                _seat(entry["seat"], f"{at}.seat"),
                _cards(entry["discard"], f"{at}.discard"),
                _cards(entry["draw"], f"{at}.draw"),
            )
        )
    return entries


def _tricks(value: Any, field: str) -> list[Trick]:
    tricks = []
    for i, raw in enumerate(_list(value, field)):
        at = f"{field}[{i}]"
        entry = _object(raw, at, "leader", "cards")
        tricks.append(
            Trick(
                _seat(entry["leader"], f"{at}.leader"),
                _cards(entry["cards"], f"{at}.cards"),
                _optional(entry.get("winner"), f"{at}.winner", _seat),
            )
        )
    return tricks


def _points(value: Any, field: str) -> dict[str, int | None]:
    entry = _object(value, field, *POINT_NAMES)
    for name in entry:
        if name not in POINT_NAMES:
            raise Fault(f"{field}: no point is called {_show(name)}; {' '.join(POINT_NAMES)}")
    return {
        name: _optional(entry[name], f"{field}.{name}", lambda v, f: _integer(v, f, 0, 2))
        for name in POINT_NAMES
    }


def _game(value: Any, field: str) -> GameNote:
    entry = _object(value, field, "id", "deal", "before", "after", "winners")
    identity = entry["id"]
    if isinstance(identity, (dict, list)):
        raise Fault(f"{field}.id: {_show(identity)} is neither a number nor a text")
    return GameNote(
        identity,
        _integer(entry["deal"], f"{field}.deal", 1, 500),
        _integers(entry["before"], f"{field}.before"),
        _integers(entry["after"], f"{field}.after"),
        _optional(entry["winners"], f"{field}.winners", _integers),
    )


def _source(data: Mapping[str, Any]) -> dict[str, Any]:
    source = {name: data.get(name) for name in ("seed", "index", "attempt", "policies")}
    for name in ("seed", "index", "attempt"):
        _optional(source[name], name, lambda v, f: _integer(v, f, 0, 2**63 - 1))
    if source["policies"] is not None:
        for i, name in enumerate(_list(source["policies"], "policies", 6)):
            if not isinstance(name, str):
                raise Fault(f"policies[{i}]: {_show(name)} is no name")
    return source
