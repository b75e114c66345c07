"""The record's form: fields, types, card spellings, and one verdict for every line."""

from __future__ import annotations

import json
from typing import Any

import pytest
from handmade import (
    HANDS,
    Record,
    assert_accepted,
    assert_fault_names,
    edited,
    make_game,
    make_record,
    verdicts,
    verdicts_of_lines,
    with_value,
)


def good() -> Record:
    return make_record(HANDS, wishes={0: "9C", 4: "JO", 5: "AS"}, discards={0: "9C 8C"})


@pytest.mark.parametrize("text", ["", "{", "nonsense", "[]", "3", '"AS"', "null", "{}"])
def test_a_line_that_is_no_record(text: str) -> None:
    found = verdicts_of_lines([json.dumps(good()), text or "{]", json.dumps(good())])
    assert [verdict.ok for verdict in found] == [True, False, True]
    assert found[1].faults


def test_reading_never_stops_at_a_bad_line() -> None:
    bad = with_value(good(), ["tricks", 0, "winner"], 1)
    found = verdicts([bad, good(), bad, good()])
    assert [verdict.ok for verdict in found] == [False, True, False, True]
    assert [verdict.line for verdict in found] == [1, 2, 3, 4]


@pytest.mark.parametrize("field", ["format", "rules", "dealer", "hands", "stock", "bids"])
def test_a_missing_field_is_named(field: str) -> None:
    assert_fault_names(edited(good(), lambda r: r.pop(field)), field)


@pytest.mark.parametrize("field", ["bidder", "bid", "trump", "exchange"])
def test_a_missing_field_of_the_auction_or_exchange(field: str) -> None:
    assert_fault_names(edited(good(), lambda r: r.pop(field)), field)


def test_the_format_is_checked() -> None:
    assert_fault_names(with_value(good(), ["format"], "schmier-hand/2"), "format")


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("teem", "2x3"),
        ("teams", "4x2"),
        ("low", "winner"),
        ("low", None),
        ("dealer_steal", "yes"),
        ("dealer_steal", 1),
        ("target", "21"),
        ("target", 2.5),
        ("target", True),
        ("min_bid", True),
        ("min_bid", "3"),
        ("end", True),
    ],
)
def test_unknown_rules_and_values(name: str, value: object) -> None:
    assert_fault_names(with_value(good(), ["rules"], {name: value}), name)


def test_rules_are_an_object() -> None:
    values: list[Any] = [None, [], "low=taker"]
    for value in values:
        assert_fault_names(with_value(good(), ["rules"], value), "rules")


@pytest.mark.parametrize("seat", [0, 5])
def test_unknown_hands_are_refused_with_a_clear_line(seat: int) -> None:
    assert_fault_names(with_value(good(), ["hands", seat], None), "hands")


def test_an_unknown_stock_is_refused_with_a_clear_line() -> None:
    assert_fault_names(with_value(good(), ["stock"], None), "stock")


SPELLINGS: list[tuple[str, Any]] = [
    ("lower case", str.lower),
    ("ten", lambda card: card.replace("T", "10") if card[0] == "T" else card),
    ("signs", lambda card: card[0] + "♣♦♥♠"["CDHS".index(card[1])] if card != "JO" else card),
    ("joker", lambda card: "joker" if card == "JO" else card),
    ("star", lambda card: "*" if card == "JO" else card),
]


@pytest.mark.parametrize("spell", [s for _, s in SPELLINGS], ids=[name for name, _ in SPELLINGS])
def test_any_spelling_of_the_parser_is_read(spell: Any) -> None:
    record = good()
    plain = assert_accepted(record)
    other = json.loads(json.dumps(record))
    other["hands"] = [[spell(card) for card in hand] for hand in other["hands"]]
    other["stock"] = [spell(card) for card in other["stock"]]
    for entry in other["exchange"]:
        entry["discard"] = [spell(card) for card in entry["discard"]]
        entry["draw"] = [spell(card) for card in entry["draw"]]
    for trick in other["tricks"]:
        trick["cards"] = [spell(card) for card in trick["cards"]]
    (verdict,) = verdicts([other])
    assert verdict.ok, verdict.faults
    assert verdict.points == plain.points
    assert verdict.score == plain.score


def test_the_same_card_in_two_spellings_is_a_double() -> None:
    assert_fault_names(with_value(good(), ["stock", 0], "10s"), "TS")
    assert_fault_names(with_value(good(), ["stock", 0], "joker"), "JO")


@pytest.mark.parametrize("card", ["1S", "XX", "", "SA", "11S", "A", 5, None, "AS KS"])
def test_what_is_no_card(card: object) -> None:
    assert_fault_names(with_value(good(), ["hands", 0, 0], card), "hands")
    assert_fault_names(with_value(good(), ["stock", 3], card), "stock")


def test_what_is_no_card_in_play() -> None:
    assert_fault_names(with_value(good(), ["tricks", 2, "cards", 1], "XX"), "tricks[2]", "XX")
    assert_fault_names(with_value(good(), ["exchange", 0, "discard"], ["XX"]), "exchange[0]", "XX")


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (["hands"], "AS"),
        (["hands"], None),
        (["hands", 0], "AS KS QS JS JC TS"),
        (["stock"], {}),
        (["bids"], None),
        (["bids", 0], 3),
        (["bids", 0], [0, 3]),
        (["bids", 0, "seat"], "0"),
        (["bids", 0, "seat"], 6),
        (["bidder"], "0"),
        (["bid"], "3"),
        (["exchange"], None),
        (["exchange"], []),
        (["exchange", 0], []),
        (["exchange", 0, "seat"], 7),
        (["exchange", 0, "draw"], None),
        (["tricks"], {}),
        (["tricks", 0], []),
        (["tricks", 0, "leader"], "0"),
        (["tricks", 0, "winner"], 6),
        (["tricks", 0, "cards"], "AS"),
        (["points"], []),
        (["points"], {}),
        (["points", "high"], 3),
        (["game_count"], 81),
        (["score"], {"0": 1}),
    ],
)
def test_wrong_types_name_their_field(path: list[Any], value: object) -> None:
    assert_fault_names(with_value(good(), path, value), str(path[0]))


@pytest.mark.parametrize("part", [("exchange", "seat"), ("exchange", "discard"), ("bids", "bid")])
def test_missing_parts_name_their_field(part: tuple[str, str]) -> None:
    outer, inner = part
    assert_fault_names(edited(good(), lambda r: r[outer][0].pop(inner)), outer)


JUNK: list[Any] = [None, True, -1, 7, 10**30, 1.5, "", "x", "AS", [], ["AS"], {}, {"seat": 0}]


def places(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """The paths to all values in a record, from the outermost ones on."""
    found = [path] if path else []
    if isinstance(value, dict):
        return found + [p for key, part in value.items() for p in places(part, (*path, key))]
    if isinstance(value, list):
        return found + [p for i, part in enumerate(value) for p in places(part, (*path, i))]
    return found


def put(record: Record, path: tuple[Any, ...], value: Any) -> None:
    place: Any = record
    for step in path[:-1]:
        place = place[step]
    place[path[-1]] = value


@pytest.mark.parametrize("junk", JUNK, ids=repr)
def test_junk_in_any_place_gets_a_verdict_and_stops_nothing(junk: Any) -> None:
    game = make_game([(0, 3, (3, 2, 1))])[0]
    origin = ("seed", "index", "attempt", "policies")
    paths = [path for path in places(game) if path[0] not in origin]
    lines = []
    for path in paths:
        record = json.loads(json.dumps(game))
        put(record, path, junk)
        # each line a game of its own, so that only what stands in it can be wrong
        if isinstance(record["game"], dict) and path[:2] != ("game", "id"):
            record["game"]["id"] = str(path)
        lines.append(json.dumps(record))
    found = verdicts_of_lines([*lines, json.dumps(good())])
    assert found[-1].ok
    for path, line, verdict in zip(paths, lines, found, strict=False):
        if junk is None and path in [("points",), ("game_count",), ("score",)]:
            continue  # null may be read as: is not there
        changed = json.loads(line) != {**game, "game": json.loads(line)["game"]}
        assert not (changed and verdict.ok), path


@pytest.mark.parametrize(
    "line",
    [
        "[" * 100_000,
        '{"format": ' + "9" * 5000 + "}",
        '{"format": NaN}',
        '"\\ud800"',
        "\x00",
        "{}{}",
    ],
    ids=["deep", "long number", "NaN", "surrogate", "nul", "two"],
)
def test_hostile_lines_get_a_verdict(line: str) -> None:
    found = verdicts_of_lines([line, json.dumps(good())])
    assert [verdict.ok for verdict in found] == [False, True]
