"""Positions from the rules and from sound play: what a strong player would never get wrong."""

from __future__ import annotations

import copy
from collections.abc import Callable
from itertools import combinations
from typing import Any

import pytest
from position_records import Position, load_positions, position_of_data

from schmier_sim import find_policy
from schmier_sim._jit import kernel
from schmier_sim.cards import cards_of, mask_of
from schmier_sim.engine.exchange import MOST_DISCARDS
from schmier_sim.engine.state import N_PHASES, as_view, call_at
from schmier_sim.policies import catalogue
from schmier_sim.policies.base import answers_of
from schmier_sim.records.form import Fault

UNDER_TEST = catalogue.DEFAULT
POSITIONS = load_positions()
BY_ID = {position.id: position for position in POSITIONS}

each_position = pytest.mark.parametrize("position", POSITIONS, ids=lambda each: each.id)


@kernel
def answer_of(answers: Any, views: Any, seat: int, phase: int) -> int:
    """Ask the policy of one seat."""
    return call_at(answers[seat * N_PHASES + phase], as_view(views[0]))


@pytest.fixture(scope="module")
def answers() -> Any:
    """The functions of the policy under test."""
    return answers_of((find_policy(UNDER_TEST),) * 6)


@each_position
def test_the_player_answers_well(position: Position, answers: Any) -> None:
    answer = int(answer_of(answers, position.view(), position.seat, position.phase))
    assert position.accepts(answer), f"{position.shown(answer)}: {position.why}"


# --- The positions themselves, whoever plays ------------------------------------------------------


def possible_answers(position: Position) -> list[int]:
    """All legal answers in a position."""
    view = position.view()
    legal, must_throw = cards_of(int(view["legal"][0])), int(view["must_throw"][0])
    if position.asks != "discard":
        return legal
    sizes = [must_throw] if must_throw else range(MOST_DISCARDS + 1)
    return [mask_of(some) for size in sizes for some in combinations(legal, size)]


@each_position
def test_a_position_can_come_about_and_its_verdict_decides(position: Position) -> None:
    possible = possible_answers(position)
    assert {*position.answers("right"), *position.answers("wrong")} <= set(possible)
    discardable = int(position.view()["legal"][0])
    assert (position.cards("keeps") | position.cards("throws")) & ~discardable == 0
    assert 0 < sum(map(position.accepts, possible)) < len(possible)


def test_every_position_has_an_id_of_its_own_and_a_reason() -> None:
    assert len(BY_ID) == len(POSITIONS)
    assert all(position.why.endswith(".") for position in POSITIONS)


def test_a_view_holds_what_the_tricks_before_have_shown() -> None:
    view = BY_ID["joker-to-partners-right-not-queen"].view()[0]
    # AS 4S KS 3S 5S 6S, led by seat 3; then JS 7S 4D: seat 5 is out of spades.
    assert (int(view["n_played"]), int(view["n_trick"]), int(view["leader"])) == (9, 3, 3)
    assert view["voids"].tolist() == [0, 0, 0, 0, 0, 8]
    assert view["game_count"].tolist() == [7, 0, 0]
    assert view["card_points"].tolist() == [1, 0, 0]
    assert view["calls"].tolist() == [0, 0, 0, 3, 0, 0]
    assert view["drawn"].tolist() == [3, 2, 3, 3, 3, 3]


Change = Callable[[dict[str, Any]], Any]
FAULTS: list[tuple[str, str, Change]] = [
    ("joker-to-partners-ace-led", "twice", lambda r: r["tricks"][0]["cards"].__setitem__(1, "JO")),
    ("joker-to-partners-right-not-queen", "9H is not legal",
     lambda r: r["tricks"][0]["cards"].__setitem__(3, "9H")),
    ("plain-ten-to-partners-ace-against-voids", "TS, of which it was void",
     lambda r: r["tricks"][1]["cards"].__setitem__(4, "TS")),
    ("joker-to-partners-right-not-queen", "winner: it is seat 3",
     lambda r: r["tricks"][0].__setitem__("winner", 4)),
    ("joker-to-partners-right-not-queen", "seat 3 leads",
     lambda r: r["tricks"][1].__setitem__("leader", 4)),
    ("joker-to-partners-ace-led", "not the turn", lambda r: r["tricks"][0]["cards"].pop()),
    ("joker-to-partners-queen-against-voids", "nobody can hold",
     lambda r: r["tricks"][0]["cards"].__setitem__(slice(1, 3), ["8D", "9D"])
     or r["tricks"][1]["cards"].__setitem__(slice(1, 3), ["4D", "5D"])),
    ("joker-to-partners-ace-led", "0 to 3 cards",
     lambda r: r["exchange"][0].update(discard=4, draw=4)),
    ("joker-to-partners-ace-led", "as many as are drawn",
     lambda r: r["exchange"][0].update(draw=2)),
    ("joker-to-partners-ace-led", "have come so far", lambda r: r["exchange"].pop()),
    ("joker-to-partners-ace-led", "the taker draws", lambda r: r["exchange"][-1].update(draw=3)),
    ("joker-to-partners-ace-led", "trumps or not held",
     lambda r: next(e for e in r["exchange"] if e["seat"] == 0)["discard"].__setitem__(0, "JO")),
    ("joker-to-partners-ace-led", "the auction gives", lambda r: r.update(bid=4)),
    ("joker-to-partners-ace-led", "no others", lambda r: r["hands"].__setitem__(1, ["KS"])),
    ("joker-to-partners-ace-led", "too early", lambda r: r.update(score=[0, 0, 0])),
    ("dealer-bids-four-over-three", "not legal", lambda r: r["bids"][2].update(bid=3)),
    ("dealer-bids-four-over-three", "has not called", lambda r: r["bids"].pop()),
    ("dealer-bids-four-over-three", "too early", lambda r: r.update(trump="S")),
    ("dealer-excess-lowest-of-eight", "the taker draws", lambda r: r["exchange"][-1]["draw"].pop()),
]  # fmt: skip


@pytest.mark.parametrize(("name", "words", "change"), FAULTS, ids=[words for _, words, _ in FAULTS])
def test_a_position_that_cannot_come_about_is_refused(
    name: str, words: str, change: Change
) -> None:
    position = BY_ID[name]
    record = copy.deepcopy(dict(position.record))
    change(record)
    with pytest.raises(Fault, match=words):
        position._replace(record=record).view()


def test_a_verdict_is_needed_and_unknown_fields_are_refused() -> None:
    data = {"id": "x", "why": "x", "asks": "play", "seat": 0, "record": {}}
    for bad in (data, data | {"right": ["AS"], "left": []}):
        with pytest.raises(Fault, match="fields"):
            position_of_data(bad)


def test_each_kind_of_verdict_can_refuse_an_answer() -> None:
    right, wrong = BY_ID["joker-to-partners-ace-led"], BY_ID["last-ace-not-for-partners-two"]
    assert right.accepts(right.as_answer("JO"))
    assert not right.accepts(right.as_answer("3S"))
    assert wrong.accepts(wrong.as_answer("4S"))
    assert not wrong.accepts(wrong.as_answer("AS"))
    keeps = BY_ID["dealer-keeps-ace-with-four-trumps"]
    assert keeps.accepts(keeps.as_answer(["5C", "6C"]))
    assert not keeps.accepts(keeps.as_answer(["5C", "AD"]))
    throws = keeps._replace(verdict={"throws": ["5C"]})
    assert throws.accepts(throws.as_answer(["5C", "6C"]))
    assert not throws.accepts(throws.as_answer(["6C", "7H"]))
