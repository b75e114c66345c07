"""Many hands in one call: arrays in, arrays out. `play_batch` is public."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from schmier_sim._jit import kernel
from schmier_sim.cards import PACK_MASK
from schmier_sim.engine.hand import play_deal
from schmier_sim.engine.state import new_tables, new_views, seat_players
from schmier_sim.errors import InputError
from schmier_sim.policies.base import Policy, answers_of
from schmier_sim.policies.catalogue import DEFAULT
from schmier_sim.policies.faults import policy_fault
from schmier_sim.policies.registry import find
from schmier_sim.rng import POLICY, stream
from schmier_sim.rules import Rules


class Batch(NamedTuple):
    """What became of n hands. Teams as in P1; two columns under ``teams=2x3``."""

    points: np.ndarray
    """int8, (n, teams): points won, 0-6."""
    scores: np.ndarray
    """int8, (n, teams): change of score (S5)."""
    game_counts: np.ndarray
    """int8, (n, teams): what the cards won count for game (S4)."""
    bidders: np.ndarray
    """int8, (n,): seat; -1 if the cards were thrown in, and then all else is 0 or -1."""
    bids: np.ndarray
    """int8, (n,): the winning bid, or -1."""
    trumps: np.ndarray
    """int8, (n,): suit 0-3, or -1."""


@kernel
def play_given(
    tables: Any,
    views: Any,
    answers: Any,
    cards: tuple[np.ndarray, np.ndarray, np.ndarray],
    forced: np.ndarray,
    seed: int,
    first_index: int,
    out: tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray],
) -> int:
    """Play given deals on one table; return the first with an illegal answer, or n.

    Parameters
    ----------
    cards : (hands (n, 6), stock (n, 17), dealers (n,)), int64
    forced : ndarray of int64, shape (n, 3)
        Bidder, bid and trump of each hand, -1 where the policies decide.
    out : (points, scores, game counts (n, 3), auction (n, 3)), int8
    """
    table, view = tables[0], views[0]
    hands, stock, dealers = cards
    points, scores, game_counts, auction = out
    n = len(dealers)
    seat_players(table, answers)
    for i in range(n):
        for seat in range(6):
            table.dealt[seat] = hands[i, seat]
            table.plan_trumps[seat] = forced[i, 2]
        for k in range(17):
            table.stock[k] = stock[i, k]
        table.policy_key = stream(seed, first_index + i, 0, POLICY)
        table.plan_bidder, table.plan_bid = forced[i, 0], forced[i, 1]
        play_deal(table, view, dealers[i])
        if table.fault >= 0:
            return i
        for team in range(3):
            points[i, team] = table.points[team]
            scores[i, team] = table.score[team]
            game_counts[i, team] = view.game_count[team]
        auction[i, 0], auction[i, 1], auction[i, 2] = view.bidder, view.bid, view.trump
    return n


def _seated(policies: str | Sequence[str | Policy]) -> list[Policy]:
    """Return the players of six seats, given by name or themselves."""
    given = [policies] * 6 if isinstance(policies, str) else list(policies)
    if len(given) != 6:
        raise InputError(f"policies: a name, or six of them, not {len(given)}")
    return [find(each) if isinstance(each, str) else each for each in given]


def _column(values: Any, n: int, name: str, low: int, high: int) -> np.ndarray:
    """Read one optional column: a scalar or n integers from low to high, -1 where not forced."""
    if values is None:
        return np.full(n, -1, np.int64)
    column = np.asarray(values)
    if column.dtype.kind not in "iu" or column.shape not in ((), (n,)):
        raise InputError(f"{name}: one integer, or {n} of them, not {column.dtype} {column.shape}")
    column = np.broadcast_to(column, n).astype(np.int64)
    if np.any((column != -1) & ((column < low) | (column > high))):
        raise InputError(f"{name}: from {low} to {high}, or -1 where the policies decide")
    return column


def _check_cards(hands: np.ndarray, stock: np.ndarray) -> None:
    """Each deal must hold each of the 53 cards once, six to a seat."""
    if hands.ndim != 2 or hands.shape[1] != 6 or stock.shape != (len(hands), 17):
        raise InputError(
            f"hands are (n, 6) masks and stock (n, 17) cards, not {hands.shape} and {stock.shape}"
        )
    if np.any((stock < 0) | (stock > 52)):
        raise InputError("stock: card ids are 0 to 52")
    stock_mask = np.bitwise_or.reduce(np.int64(1) << stock, axis=1) if len(stock) else stock[:, 0]
    every = np.bitwise_or.reduce(hands, axis=1) | stock_mask
    sizes = np.bitwise_count(hands)
    wrong = np.any(sizes != 6, axis=1) | (every != PACK_MASK)
    if np.any(wrong):
        raise InputError(
            f"deal {int(np.flatnonzero(wrong)[0])}: six cards to each hand and 17 in the stock, "
            "each of the 53 just once"
        )


def play_batch(  # noqa: PLR0913  # n columns, and what holds for all of them
    hands: np.ndarray,
    stock: np.ndarray,
    dealers: np.ndarray | int,
    *,
    policies: str | Sequence[str | Policy] = DEFAULT,
    rules: Rules | None = None,
    scores: Sequence[int] = (0, 0, 0),
    bidders: np.ndarray | int | None = None,
    bids: np.ndarray | int | None = None,
    trumps: np.ndarray | int | None = None,
    seed: int = 1,
    first_index: int = 0,
) -> Batch:
    """Play n given deals, all in one call of a compiled kernel.

    Parameters
    ----------
    hands : ndarray of int64, shape (n, 6)
        Masks by seat, bit ``1 << card``.
    stock : ndarray of int8, shape (n, 17)
        Card ids in the order in which they are dealt out.
    dealers : ndarray of int, shape (n,), or int
        Seats.
    policies : name, or sequence of six names or Policy
        Of all seats, or by seat.
    rules : Rules, optional
        The default game if left out.
    scores : sequence of int
        Scores before the hand, by team.
    bidders, bids, trumps : ndarray of int, shape (n,), or int, optional
        Force the bidder and his bid (all others pass), and the suit that any bidder names; -1 or
        left out: the policies decide. A bidder needs a bid.
    seed, first_index : int
        Hand i uses the policies' random numbers of (seed, first_index + i).

    Returns
    -------
    Batch
        A deal on which nobody bids is thrown in and not dealt anew: its bidder is -1.

    Raises
    ------
    InputError
        If a deal is not made of the 53 cards, or something is out of range.
    PolicyFault
        If a policy answers illegally.
    """
    rules = rules or Rules()
    hands = np.ascontiguousarray(hands, np.int64)
    stock = np.ascontiguousarray(stock, np.int64)
    _check_cards(hands, stock)
    n = len(hands)
    forced = np.stack(
        [
            _column(bidders, n, "bidders", 0, 5),
            _column(bids, n, "bids", rules.min_bid, rules.max_bid),
            _column(trumps, n, "trumps", 0, 3),
        ],
        axis=1,
    )
    if np.any((forced[:, 0] < 0) != (forced[:, 1] < 0)):
        raise InputError("bidders and bids: force both, or neither")
    dealt_by = _column(dealers, n, "dealers", 0, 5)
    if np.any(dealt_by < 0):
        raise InputError("dealers: seats 0 to 5")
    tables, views = new_tables(1), new_views(1)
    views["rules"] = rules.packed
    views["scores"][0, : len(scores)] = scores
    points, changes, counts, auction = (np.zeros((n, 3), np.int8) for _ in range(4))
    out = (points, changes, counts, auction)
    players = _seated(policies)
    answers = answers_of(players)
    done = play_given(
        tables, views, answers, (hands, stock, dealt_by), forced, seed, first_index, out
    )
    if done < n:
        where = f"seed {seed}, hand {first_index + done}"
        raise policy_fault(tables[0], views[0], players, where)
    teams = rules.n_teams
    return Batch(
        points[:, :teams], changes[:, :teams], counts[:, :teams],
        auction[:, 0], auction[:, 1], auction[:, 2],
    )  # fmt: skip
