"""What is compared with the laws: many packs, dealers and draws of players."""

from __future__ import annotations

from typing import Any, Final, NamedTuple

import numpy as np

from schmier_sim._jit import kernel
from schmier_sim.bits import lowest_bit
from schmier_sim.engine.ask import ask
from schmier_sim.engine.deal import deal_cards, first_dealer
from schmier_sim.engine.state import new_tables, new_views, seat_players
from schmier_sim.policies import policy
from schmier_sim.policies.base import answers_of
from schmier_sim.policies.toolkit import draw_below
from schmier_sim.rules import Rules

THREE_UP_TO: Final = 2**20  # an answer holds three draws of such a bound, else two


class Deals(NamedTuple):
    """Some deals: packs int8 (53, deals), hands as masks (deals, 6)."""

    packs: np.ndarray
    masks: np.ndarray


@kernel
def _deal(tables: Any, keys: np.ndarray, packs: np.ndarray, masks: np.ndarray) -> None:
    table = tables[0]
    for i in range(len(keys)):
        deal_cards(table, keys[i, 0], keys[i, 1], keys[i, 2])
        for place in range(53):
            packs[place, i] = lowest_bit(table.pack[place])
        for seat in range(6):
            masks[i, seat] = table.dealt[seat]


@kernel
def _dealers(tables: Any, seed: int, dealers: np.ndarray) -> None:
    for index in range(len(dealers)):
        deal_cards(tables[0], seed, index, 0)
        dealers[index] = first_dealer(tables[0], seed, index)


def keys(seed: Any, index: Any, attempt: Any) -> np.ndarray:
    """Return keys of deals, (deals, 3); each part is a number or a column."""
    return np.stack(np.broadcast_arrays(seed, index, attempt), axis=1).astype(np.int64)


def deal(wanted: np.ndarray) -> Deals:
    """Deal what some keys of (seed, hand, attempt) name."""
    done = Deals(np.empty((53, len(wanted)), np.int8), np.empty((len(wanted), 6), np.int64))
    _deal(new_tables(1), wanted, done.packs, done.masks)
    return done


def dealers(seed: int, hands: int) -> np.ndarray:
    """Who deals hands 0, 1, ... of a seed."""
    drawn = np.empty(hands, np.int64)
    _dealers(new_tables(1), seed, drawn)
    return drawn


class _Drawer:
    """Answers with its own draws below `view.legal`, the first in front."""

    def call(view: Any) -> int:  # noqa: N805
        answer = 0
        for _ in range(3 if view.legal <= THREE_UP_TO else 2):
            answer = answer * view.legal + draw_below(view, view.legal)
        return answer

    trump = discard = play = call


_DRAWER: Final = policy(uses_bid=False, name="drawer")(_Drawer)


@kernel
def _ask(tables: Any, views: Any, answers: Any, decision: tuple[int, int, int], bound: int,
         seed: int, first: int, out: np.ndarray) -> None:  # fmt: skip
    table, view = tables[0], views[0]
    seat_players(table, answers)
    seat, phase, played = decision
    for i in range(len(out)):
        deal_cards(table, seed, first + i, 0)
        view.n_played = played
        out[i] = ask(table, view, seat, phase, bound)


def draws(
    decision: tuple[int, int, int], bound: int, seed: int, hands: int, first: int = 0
) -> np.ndarray:
    """What a player draws at one decision of many hands.

    Parameters
    ----------
    decision : (seat, phase, cards played before)

    Returns
    -------
    ndarray of int64, (hands, draws)
        Three draws of each hand, two above `THREE_UP_TO`.
    """
    views = new_views(1)
    views["rules"] = Rules().packed
    packed = np.empty(hands, np.int64)
    _ask(new_tables(1), views, answers_of((_DRAWER,) * 6), decision, bound, seed, first, packed)
    columns = [packed // bound % bound, packed % bound]
    if bound <= THREE_UP_TO:
        columns.insert(0, packed // bound // bound)
    return np.stack(columns, axis=1)
