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
from schmier_sim.engine.state import N_PHASES, as_view, call_at
from schmier_sim.policies import registry
from schmier_sim.policies.base import answers_of
from schmier_sim.records.form import Fault

UNDER_TEST = "heuristic" if "heuristic" in registry.names() else registry.DEFAULT
POSITIONS = load_positions()

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


def possible_answers(position: Position, view: Any) -> list[int]:
    """All legal answers in a position."""
    legal = cards_of(int(view.legal[0]))
    if position.asks != "discard":
        return legal
    must = int(view.must_throw[0])
    sizes = [must] if must else range(4)
    return [mask_of(some) for size in sizes for some in combinations(legal, size)]


@each_position
def test_a_position_can_come_about_and_its_answers_are_legal(position: Position) -> None:
    view = position.view().view(type(position.view()))
    possible = possible_answers(position, _by_attribute(view))
    for name in ("right", "wrong"):
        assert set(position.answers(name)) <= set(possible)
    named = position.cards("keeps") | position.cards("throws")
    assert named & ~int(view["legal"][0]) == 0
    accepted = sum(map(position.accepts, possible))
    assert 0 < accepted < len(possible)


def _by_attribute(views: Any) -> Any:
    import numpy as np

    return views.view(np.recarray)
