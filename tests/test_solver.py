"""The solver against minimax by brute force, and against itself where nothing may change."""

from __future__ import annotations

import random
from dataclasses import replace
from itertools import islice
from typing import Any

import pytest
import solver_checks as checks
import solver_oracle
from solver_oracle import Ending

from schmier_sim import Rules, find_policy
from schmier_sim._jit import JIT_ENABLED
from schmier_sim.cards import JOKER, LOW, mask_of, parse_cards
from schmier_sim.dealing import Dealer
from schmier_sim.engine.switches import team_of
from schmier_sim.errors import InputError
from schmier_sim.records.form import Fault, read_line
from schmier_sim.records.positions import Place, position_at
from schmier_sim.records.write import as_line, as_record
from schmier_sim.solver import Position, Solver

ENDINGS = 840 if JIT_ENABLED else 28
LONG_ENDINGS = 42 if JIT_ENABLED else 7
DEALS = 6 if JIT_ENABLED else 2
SAME_DEALS = 40 if JIT_ENABLED else 2  # for each switch
START = Place(1, 1) if JIT_ENABLED else Place(5, 1)

each_switch = pytest.mark.parametrize("switch", checks.SWITCHES, ids=str)


def records(count: int, rules: Rules, seed: int = 21) -> list[Any]:
    """Hands that were bid on, as records."""
    dealer = Dealer((find_policy("random"),) * 6, rules, seed)
    deals = islice((deal for deal in dealer.hands(0, 9 * count) if deal.bidder >= 0), count)
    return [
        read_line(as_line(as_record(deal, rules, seed, ["random"] * 6, None))) for deal in deals
    ]


def test_short_endings_are_those_of_brute_force() -> None:
    assert not list(checks.against_brute_force(ENDINGS, 1, (1, 2, 2)))


def test_endings_of_three_cards_are_those_of_brute_force() -> None:
    assert not list(checks.against_brute_force(LONG_ENDINGS, 2, (3,)))


@each_switch
def test_suits_have_no_names(switch: dict[str, Any]) -> None:
    assert not list(checks.under_relabelling(checks.whole(SAME_DEALS, 3, switch, START), 1))


@each_switch
def test_cards_as_good_as_one_another_are_worth_the_same(switch: dict[str, Any]) -> None:
    assert not list(checks.under_swaps(checks.whole(SAME_DEALS, 7, switch, START), 5))


@each_switch
@pytest.mark.parametrize("place", [START, Place(2, 3), Place(4, 6), Place(6, 2)], ids=str)
def test_a_position_is_worth_its_best_successor(switch: dict[str, Any], place: Place) -> None:
    if JIT_ENABLED or place.trick > 3:
        assert not list(checks.by_successors(checks.whole(DEALS, 7, switch, place)))


@each_switch
def test_the_last_trick_gives_what_was_won(switch: dict[str, Any]) -> None:
    """Nobody has a choice any more; from its first card to its last."""
    rules, solver = Rules.of(switch), Solver()
    for i, record in enumerate(records(60 if JIT_ENABLED else 6, rules)):
        position = position_at(record, Place(6, i % 6 + 1))
        own = team_of(record.bidder, rules.packed)
        assert position is not None
        found = solver.solve(position)
        assert found.points == sum(team == own for team in record.points.values())
        assert found.best == position.hands[position.turn]


def test_a_point_card_that_must_fall_counts_once() -> None:
    """The left bauer falls under the ace or the king; the joker is lost to seat 2 all the same."""
    hands = ("AS KS JO", "JC 2D 3D", "QS TS 9S", "4D 5D 6D", "7D 8D 9D", "3C 4C 5C")
    cards = tuple(tuple(hand.split()) for hand in hands)
    ending = Ending({}, "S", 0, 0, cards, counts=(0, 40, 0))
    position = checks.as_position(ending)
    assert solver_oracle.value(ending) == 2
    assert Solver().value(position) == 2


def test_six_highest_trumps_take_all() -> None:
    """High, right, left, joker and game, and low if the partner plays it or its taker gets it."""
    solver, hand = Solver(), mask_of(parse_cards("AS KS QS JS JC TS"))
    others = [card for card in range(53) if not hand >> card & 1]
    for bidder in range(6):
        draw = random.Random(bidder)
        draw.shuffle(others)
        others.sort(key=lambda card: card not in (int(LOW[3]), JOKER))
        dealt = others[:30]
        draw.shuffle(dealt)
        hands = [mask_of(dealt[6 * i : 6 * i + 6]) for i in range(5)]
        hands.insert(bidder, hand)
        position = Position(Rules(), 3, bidder, bidder, tuple(hands))
        partner = hands[(bidder + 3) % 6] >> int(LOW[3]) & 1
        if JIT_ENABLED:
            assert solver.value(position) == 5 + partner
            assert solver.value(replace(position, rules=Rules.of({"low": "taker"}))) == 6


def test_no_cards_are_left() -> None:
    position = Position(Rules(), 3, 1, 2, (0,) * 6, (), 2, (10, 20, 5))
    assert Solver().solve(position).points == 3
    assert Solver().solve(position).best == 0
    tie = replace(position, game_count=(20, 20, 5))
    assert Solver().value(tie) == 2
    assert Solver().value(replace(tie, rules=Rules.of({"game_tie": "bidder"}))) == 3


def test_what_was_solved_before_changes_nothing() -> None:
    """The table is kept: rules, bidders and places in any order give what a new solver gives."""
    places = [START, Place(6, 1), Place(5, 2)]
    positions = [
        position
        for switch in checks.SWITCHES[::-1]
        for place in places
        for position in checks.dealt(2 if JIT_ENABLED else 1, 8, Rules.of(switch), place)
    ]
    fresh = [Solver().value(position) for position in positions]
    solver = Solver()
    for _ in range(2):
        assert [solver.value(position) for position in positions] == fresh
    assert [solver.value(position) for position in positions[::-1]] == fresh[::-1]


def test_the_table_is_of_a_fixed_size() -> None:
    assert Solver.MEMORY < 64 * 2**20


def test_records_that_do_not_go_so_far() -> None:
    (record,) = records(1, Rules())
    cut = replace(record, tricks=record.tricks[:2], points=None, game_count=None, score=None)
    assert position_at(cut, Place(3, 1)) is not None
    with pytest.raises(Fault, match=r"the last place is 3\.1, not 3\.2"):
        position_at(cut, Place(3, 2))
    with pytest.raises(Fault, match="exchange: missing"):
        position_at(replace(cut, exchange=None, tricks=None))
    with pytest.raises(Fault, match="tricks"):
        position_at(replace(cut, tricks=[cut.tricks[1]]))


HANDS = tuple(0b111111 << 6 * seat for seat in range(6))


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"trump": 9}, "trump 9"),
        ({"trump": 0.5}, "0.5 is no whole number"),
        ({"trump": True}, "True is no whole number"),
        ({"bidder": -1}, "bidder -1"),
        ({"leader": 6}, "leader 6"),
        ({"hands": HANDS[:5]}, "six masks"),
        ({"hands": (63,) * 6}, "7C is there twice"),
        ({"hands": (*HANDS[:5], 1 << 60)}, "six masks"),
        ({"hands": (*HANDS[:5], HANDS[4])}, "is there twice"),
        ({"hands": (*HANDS[:5], 0)}, "all have as many"),
        ({"trick": (40, 41)}, "all have as many"),
        ({"trick": (99,)}, "five card ids"),
        ({"trick": (40,) * 6}, "five card ids"),
        ({"card_points": 99}, "card_points 99"),
        ({"game_count": (1,)}, "1 counts; 3 teams play"),
    ],
)
def test_positions_that_cannot_be_are_refused_in_one_line(
    changes: dict[str, Any], told: str
) -> None:
    position = replace(Position(Rules(), 0, 0, 0, HANDS), **changes)
    with pytest.raises(InputError, match=told):
        Solver().value(position)


def test_what_was_asked_before_does_not_matter() -> None:
    cut = tuple(mask & 0b111111 << 6 * seat & (3 << 6 * seat) for seat, mask in enumerate(HANDS))
    rules = Rules(teams="2x3")
    two = Position(rules, 0, 0, 0, cut, game_count=(0, 0))
    used, fresh = Solver(), Solver()
    used.value(replace(two, rules=Rules(), game_count=(80, 0, 0)))
    assert used.value(two) == fresh.value(two)
    assert used.n_searched >= 0
