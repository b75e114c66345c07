"""Checks of the solver, small in tests, large in scripts/verify; each yields what is wrong."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import permutations
from typing import Any

import solver_oracle
from solver_oracle import Ending, random_ending

from schmier_sim import Rules, find_policy
from schmier_sim.cards import (
    GAME_COUNT,
    JOKER,
    POINT_MASK,
    STRENGTH,
    SUIT_OF,
    card_name,
    cards_of,
    mask_of,
    parse_card,
    same_colour,
)
from schmier_sim.dealing import Dealer
from schmier_sim.records.form import read_line
from schmier_sim.records.positions import Place, position_at
from schmier_sim.records.write import as_line, as_record
from schmier_sim.solver import Position, Solver

SWITCHES: list[dict[str, Any]] = [
    {},
    {"teams": "2x3"},
    {"low": "taker"},
    {"game_tie": "bidder"},
    {"trump_anytime": True},
    {"first_lead": "trump"},
    {
        "teams": "2x3", "low": "taker", "game_tie": "bidder", "trump_anytime": True,
        "first_lead": "trump",
    },
]  # fmt: skip


def as_position(ending: Ending) -> Position:
    """The same for the solver, whose card points are those of finished tricks."""
    own = ending.team(ending.bidder)
    on_table = {"A" + ending.trump: "high", "2" + ending.trump: "low"}
    pending = {on_table[card] for card in ending.trick if card in on_table}
    return Position(
        Rules.of(ending.rules),
        "CDHS".index(ending.trump),
        ending.bidder,
        ending.leader,
        tuple(mask_of(map(parse_card, hand)) for hand in ending.hands),
        tuple(map(parse_card, ending.trick)),
        sum(team == own for name, team in ending.won.items() if name not in pending),
        ending.counts,
    )


def against_brute_force(
    count: int, seed: int, sizes: Sequence[int] = (1, 2, 2, 2, 3)
) -> Iterator[str]:
    """Value and best cards of random endings, each switch among them."""
    draw, solver = random.Random(seed), Solver()
    for i in range(count):
        size = draw.choice(sizes)
        on_table = draw.randrange(6) if size < 3 else draw.choice((3, 4, 5))
        ending = random_ending(draw, SWITCHES[i % len(SWITCHES)], size, on_table)
        for each in (ending, *close_by(draw, ending)):
            right = solver_oracle.solution(each)
            found = solver.solve(as_position(each))
            if (found.points, {card_name(card) for card in cards_of(found.best)}) != right:
                yield f"{each}: {found}, not {right}"


def close_by(draw: random.Random, ending: Ending) -> Iterator[Ending]:
    """The same cards with game open, so that what the solver knows of them is asked for again."""
    for i in range(6):
        counts = tuple(draw.randrange(12) for _ in ending.counts)
        leader = ending.leader if ending.trick or i % 2 else draw.randrange(6)
        yield ending._replace(counts=counts, leader=leader)


def dealt(count: int, seed: int, rules: Rules, place: Place = Place()) -> Iterator[Position]:  # noqa: B008
    """Positions of hands that `heuristic` has bid and played."""
    dealer = Dealer((find_policy("heuristic"),) * 6, rules, seed)
    for deal in dealer.hands(0, count):
        if deal.bidder >= 0:
            record = read_line(as_line(as_record(deal, rules, seed, ["heuristic"] * 6, None)))
            position = position_at(record, place)
            assert position is not None
            yield position


def whole(
    count: int,
    seed: int,
    switch: dict[str, Any],
    place: Place = Place(),  # noqa: B008
) -> Iterator[Position]:
    """The same under a switch; a tenth as many where a trump may fall on anything.

    These take twenty times as long.
    """
    if switch.get("trump_anytime"):
        count = (count + 9) // 10
    return dealt(count, seed, Rules.of(switch), place)


def relabelled(position: Position, suits: Sequence[int]) -> Position:
    """Put one suit for another everywhere."""

    def put(card: int) -> int:
        return card if card == JOKER else 13 * suits[card // 13] + card % 13

    return replace(
        position,
        trump=suits[position.trump],
        hands=tuple(mask_of(map(put, cards_of(hand))) for hand in position.hands),
        trick=tuple(map(put, position.trick)),
    )


def under_relabelling(positions: Iterable[Position], each: int = 7) -> Iterator[str]:
    """Suits of one colour stay of one colour: 8 relabellings that change nothing.

    Of the seven that are not the position itself, so many are tried with each, in turn.
    """
    solver = Solver()
    others = [p for p in permutations(range(4)) if same_colour(p[0]) == p[3]][1:]
    assert len(others) == 7
    for i, position in enumerate(positions):
        value = solver.value(position)
        for k in range(each):
            other = relabelled(position, others[(i * each + k) % 7])
            if solver.value(other) != value:
                yield f"{position}: {value}; {other}: {solver.value(other)}"


def swaps(position: Position) -> Iterator[tuple[int, int]]:
    """Each card in play with one out of play that is as good: none in play is between them."""
    trump, held = position.trump, mask_of(position.trick)
    for hand in position.hands:
        held |= hand
    for card in cards_of(held & ~int(POINT_MASK[trump])):
        for other in cards_of(~held & ((1 << 53) - 1) & ~int(POINT_MASK[trump])):
            same = SUIT_OF[trump, card] == SUIT_OF[trump, other]
            if not same or GAME_COUNT[card] != GAME_COUNT[other]:
                continue
            low, high = sorted((STRENGTH[trump, card], STRENGTH[trump, other]))
            if not any(
                SUIT_OF[trump, each] == SUIT_OF[trump, card] and low < STRENGTH[trump, each] < high
                for each in cards_of(held)
            ):
                yield card, other


def swapped(position: Position, card: int, other: int) -> Position:
    """Put one card for another."""
    return replace(
        position,
        hands=tuple(
            hand ^ (1 << card | 1 << other) if hand >> card & 1 else hand for hand in position.hands
        ),
        trick=tuple(other if each == card else each for each in position.trick),
    )


def under_swaps(positions: Iterable[Position], seed: int) -> Iterator[str]:
    """A card is as good as one out of play next to it; a few swaps at a time."""
    draw, solver = random.Random(seed), Solver()
    for position in positions:
        value, changed = solver.value(position), position
        for _ in range(4):
            changed = swapped(changed, *draw.choice(list(swaps(changed))))
        if solver.value(changed) != value:
            yield f"{position}: {value}; {changed}: {solver.value(changed)}"


def successors(position: Position) -> Iterator[tuple[int, Position]]:
    """Each legal card with the position after it, by the oracle's rules."""
    names = [tuple(map(card_name, cards_of(hand))) for hand in position.hands]
    changes = position.rules.changes()
    full = sum(map(len, names)) + len(position.trick) < 36
    ending = Ending(
        changes, "CDHS"[position.trump], position.bidder, position.leader, tuple(names),
        tuple(map(card_name, position.trick)), position.game_count, may_lead_any=full,
    )  # fmt: skip
    own = ending.team(ending.bidder)
    for name in solver_oracle.legal(ending):
        after = solver_oracle.play(ending, name)
        won = position.card_points
        if not after.trick:
            laid = solver_oracle.laid_points(ending, (*ending.trick, name))
            won += sum(team == own for team in (after.won | laid).values())
        yield parse_card(name), replace(
            position,
            leader=after.leader,
            hands=tuple(mask_of(map(parse_card, hand)) for hand in after.hands),
            trick=tuple(map(parse_card, after.trick)),
            card_points=won,
            game_count=after.counts,
        )  # fmt: skip


def by_successors(positions: Iterable[Position]) -> Iterator[str]:
    """A position is worth what its best successor is, and these are the best cards."""
    solver = Solver()
    for position in positions:
        after = {card: solver.value(each) for card, each in successors(position)}
        sides = 2 if position.rules.teams == "2x3" else 3
        ours = position.turn % sides == position.bidder % sides
        value = max(after.values()) if ours else min(after.values())
        best = mask_of(card for card, each in after.items() if each == value)
        found = solver.solve(position)
        if (found.points, found.best) != (value, best):
            yield f"{position}: {found}, but {after}"
