"""How fast hands are played here: whole batches, or a fixed recipe of random play."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any, Final

import numpy as np

from schmier_sim._jit import JIT_ENABLED, inlined_kernel, kernel
from schmier_sim.bits import count_bits, lowest_bit, nth_one
from schmier_sim.cards import SUIT_OF
from schmier_sim.engine.deal import deal_cards
from schmier_sim.engine.exchange import (
    MOST_DISCARDS,
    discardable,
    draw,
    lay_stock,
    throw,
)
from schmier_sim.engine.play import beats, legal_follows
from schmier_sim.engine.scoring import (
    count_for_game,
    game_winner,
    note_holders,
    point_cards_of,
)
from schmier_sim.engine.state import new_tables, new_views, next_seat
from schmier_sim.engine.switches import team_of
from schmier_sim.policies.base import Policy
from schmier_sim.rng import next_word, product
from schmier_sim.rules import Rules
from schmier_sim.simulate import AUCTION, Experiment, Watcher, run
from schmier_sim.threads import hearing_ctrl_c

_FEW: Final = 64
_PIECE: Final = 500_000 if JIT_ENABLED else 1_000
_TRUMP: Final = 3
_RULES: Final = Rules().packed
_SHARES: Final = 60
_SIX_DRAWS: Final = np.uint64(_SHARES**6)


@inlined_kernel
def lowest_cards(mask: int, count: int) -> int:
    """Return the first cards of a mask in the order of their ids, all if there are no more."""
    if count_bits(mask) <= count:
        return mask
    last = nth_one(mask, count - 1)
    return mask & (2 * last - 1)


@inlined_kernel
def exchange_lowest(table: Any) -> None:
    """E1-E4: everybody throws his lowest plain cards; seat 5 takes the rest."""
    table.stock_used = 0
    lay_stock(table)
    for seat in range(6):
        table.hands[seat] = table.dealt[seat]
    for seat in range(5):
        thrown = lowest_cards(discardable(table.hands[seat], _TRUMP, False, _RULES), MOST_DISCARDS)
        throw(table, seat, thrown)
        draw(table, seat, count_bits(thrown))
    draw(table, 5, 17 - table.stock_used)
    hand = table.hands[5]
    throw(table, 5, lowest_cards(discardable(hand, _TRUMP, False, _RULES), count_bits(hand) - 6))
    hand = table.hands[5]
    if count_bits(hand) > 6:
        throw(table, 5, lowest_cards(discardable(hand, _TRUMP, True, _RULES), count_bits(hand) - 6))


@inlined_kernel
def play_any_card(table: Any, view: Any) -> None:
    """T1-T3: six tricks of uniformly random legal cards, with one random word for each trick."""
    state, leader = table.stream[0], 0
    for _ in range(6):
        state, word = next_word(state, _SIX_DRAWS)
        seat, led_suit, best, winner, cards = leader, 0, -1, leader, 0
        for turn in range(6):
            hand = table.hands[seat]
            legal = hand if turn == 0 else legal_follows(hand, led_suit, _TRUMP, _RULES)
            share, word = product(word, np.uint64(_SHARES))
            # 1 to 6 cards are legal, and each of these numbers divides 60.
            place = np.int64(share) * count_bits(legal) // _SHARES
            bit = nth_one(legal, place)  # type: ignore[arg-type]
            table.hands[seat] = hand & ~bit
            card = lowest_bit(bit)
            cards |= bit
            if turn == 0:
                led_suit, best = SUIT_OF[_TRUMP, card], card
            elif beats(card, best, _TRUMP):
                best, winner = card, seat
            seat = next_seat(seat)
        leader = winner
        team = team_of(winner, _RULES)
        table.won[team] |= cards
        view.game_count[team] += count_for_game(cards)


@kernel
def play_recipe(
    tables: Any, views: Any, seed: int, hands: tuple[int, int], points: np.ndarray
) -> None:
    """Deal a range of hands, seat 0 bidding and seat 5 dealing, and count his team's points."""
    table, view = tables[0], views[0]
    for index in range(hands[0], hands[1]):
        deal_cards(table, seed, index, 0)
        exchange_lowest(table)
        for team in range(3):
            table.held[team] = table.won[team] = view.game_count[team] = 0
        note_holders(table, view)
        play_any_card(table, view)
        own = count_bits(point_cards_of(table, view, 0))
        points[own + (1 if game_winner(view.game_count, 0, _RULES) == 0 else 0)] += 1


def random_play(hands: int, seed: int) -> tuple[float, list[int]]:
    """Play the recipe on one thread.

    Returns
    -------
    (seconds, hands by the bidding team's points)
    """
    tables, views = new_tables(1), new_views(1)
    views["rules"], views["trump"], views["played"] = _RULES, _TRUMP, -1
    points = np.zeros(7, np.int64)
    began = time.perf_counter()
    for start in range(0, hands, _PIECE):
        piece = start, min(hands, start + _PIECE)
        hearing_ctrl_c(play_recipe, tables, views, seed, piece, points)
    return time.perf_counter() - began, points.tolist()


def warm_up_recipe() -> float:
    """Compile the recipe, or load it; return the seconds it took."""
    began = time.perf_counter()
    random_play(_FEW, 1)
    return time.perf_counter() - began


def whole_path(
    players: Sequence[Policy],
    rules: Rules,
    seed: int,
    hands: int,
    jobs: int,
    watcher: Watcher | None = None,
) -> float:
    """Return the seconds that a batch takes: deal, auction, exchange, play, score, tally."""
    experiment = Experiment.at_one_table(AUCTION, players, rules, seed)
    began = time.perf_counter()
    run(experiment, 0, hands, jobs, watcher)
    return time.perf_counter() - began


def warm_up(players: Sequence[Policy], rules: Rules) -> float:
    """Compile, or load what is compiled; return the seconds it took."""
    return whole_path(players, rules, 1, _FEW, 1)
