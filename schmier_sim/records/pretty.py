"""A hand as a diagram: hands around the table, auction, exchange, tricks, score."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from schmier_sim.cards import (
    SUIT_NAMES,
    SUIT_OF,
    SUIT_SIGNS,
    SUITS,
    by_suit,
    by_trump,
    card_sign,
    parse_card,
)

_NUMBERS = ("first", "second", "third", "fourth", "fifth", "sixth")


def _sign(card: int) -> str:
    sign = card_sign(card)
    return "Jo" if sign == "joker" else sign


def _signs(cards: Sequence[int], trump: int | None) -> str:
    """Cards in suits, the suits apart, trumps first."""
    ordered = by_suit(cards) if trump is None else by_trump(cards, trump)
    groups: list[list[str]] = []
    last = None
    for card in ordered:
        suit = int(SUIT_OF[trump or 0, card]) if trump is not None else card // 13
        if suit != last:
            groups.append([])
        groups[-1].append(_sign(card))
        last = suit
    return "   ".join(" ".join(group) for group in groups) or "-"


def _parse(names: Sequence[str]) -> list[int]:
    return [parse_card(name) for name in names]


def _teams(record: Mapping[str, Any]) -> int:
    return 2 if record["rules"].get("teams") == "2x3" else 3


def _title(record: Mapping[str, Any]) -> str:
    parts = []
    if record.get("game"):
        parts.append(f"Game {record['game']['id']}, deal {record['game']['deal']}")
    if record.get("index") is not None:
        parts.append(f"hand {record['index']} of seed {record['seed']}")
        if record["attempt"]:
            parts.append(f"dealt anew {record['attempt']}x")
    parts.append(f"seat {record['dealer']} deals")
    if record["rules"]:
        parts.append(", ".join(f"{k}={v}" for k, v in record["rules"].items()))
    text = "; ".join(parts)
    return text[0].upper() + text[1:]


def _hands(record: Mapping[str, Any], trump: int | None) -> Iterator[str]:
    teams = _teams(record)
    for seat, hand in enumerate(record["hands"]):
        role = "dealer" if seat == record["dealer"] else ""
        if seat == record["bidder"]:
            role = "dealer, bidder" if role else "bidder"
        cards = _signs(_parse(hand), trump)
        yield f"  seat {seat}  team {seat % teams}  {cards:40} {role}".rstrip()


def _auction(record: Mapping[str, Any], is_whole: bool) -> str:
    calls = ", ".join(
        f"{call['seat']} bids {call['bid']}" if call["bid"] else f"{call['seat']} passes"
        for call in record["bids"]
    )
    if record["bidder"] is None:
        return f"Auction   {calls or '-'}" + (": thrown in" if is_whole else "")
    if record["trump"] is None:
        return f"Auction   {calls}\n          Seat {record['bidder']} plays {record['bid']}"
    trump = SUITS.index(record["trump"])
    name = f"{SUIT_NAMES[trump]} {SUIT_SIGNS[trump]}"
    return f"Auction   {calls}\n          Seat {record['bidder']} plays {record['bid']} in {name}"


def _exchange(record: Mapping[str, Any], trump: int) -> Iterator[str]:
    yield "Exchange"
    for entry in record["exchange"]:
        thrown = _signs(_parse(entry["discard"]), trump).replace("   ", " ")
        drawn = " ".join(_sign(card) for card in _parse(entry["draw"])) or "-"
        if len(entry["discard"]) > 3:
            yield f"  seat {entry['seat']}  takes the rest  {drawn}"
            yield f"          throws {thrown}"
        else:
            yield f"  seat {entry['seat']}  throws {thrown:14} draws {drawn}"


def _tricks(record: Mapping[str, Any]) -> Iterator[str]:
    """A column for each seat, so that everybody's cards stand one below the other."""
    yield "Tricks    " + "".join(f"seat {seat:<3}" for seat in range(6)) + "  won by"
    for i, trick in enumerate(record["tricks"]):
        cells = [""] * 6
        for turn, name in enumerate(trick["cards"]):
            seat = (trick["leader"] + turn) % 6
            lead = ">" if turn == 0 else " "
            star = "*" if seat == trick["winner"] else ""
            cells[seat] = f"{lead}{_sign(parse_card(name))}{star}"
        yield (
            f"  {_NUMBERS[i]:7}"
            + "".join(f"{cell:8}" for cell in cells)
            + ("" if trick["winner"] is None else f"  seat {trick['winner']}")
        ).rstrip()
    yield "          (> leads, * wins)"


def _result(record: Mapping[str, Any]) -> Iterator[str]:
    won = [
        f"{name} {'nobody' if team is None else f'team {team}'}"
        for name, team in record["points"].items()
    ]
    yield "Points    " + ", ".join(won[:3]) + ","
    yield "          " + ", ".join(won[3:])
    counts = " - ".join(map(str, record["game_count"]))
    team = record["bidder"] % _teams(record)
    points = sum(each == team for each in record["points"].values())
    made = "made" if points >= record["bid"] else "set"
    change = " / ".join(f"team {t} {s:+d}" for t, s in enumerate(record["score"]))
    yield f"          game counts {counts}"
    yield f"Score     bid {record['bid']}, won {points}: {made}.  {change}"


def _game(record: Mapping[str, Any]) -> Iterator[str]:
    game = record.get("game")
    if game:
        yield f"          {game['before']} -> {game['after']}".replace("[", "").replace("]", "")
        if game["winners"]:
            yield "          won by team " + " and team ".join(map(str, game["winners"]))


def diagram(record: Mapping[str, Any], *, is_whole: bool = True) -> str:
    """Return a record as a text that a card player reads at once.

    Parameters
    ----------
    record : mapping
        Complete or thrown in; or broken off, if it is not said to be whole.
    """
    trump = None if record["trump"] is None else SUITS.index(record["trump"])
    lines = [_title(record), *_hands(record, trump)]
    lines.append(f"  stock          {' '.join(_sign(card) for card in _parse(record['stock']))}")
    lines.append(_auction(record, is_whole))
    if trump is not None:
        lines += _exchange(record, trump)
        lines += _tricks(record) if record["tricks"] else []
    if "points" in record:
        lines += _result(record)
    lines += _game(record)
    return "\n".join(lines)
