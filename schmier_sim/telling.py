"""What calls tell of the cards that were dealt: auctions of random deals, counted.

Each deal is one trial: it speaks of one suit, fixed beforehand, deals and suits taking turns, so
that the trials of a cell are independent of each other. Of the named cards of that suit it counts
only if I hold none of them; before any call the chance that one other seat was dealt at least one
of k such cards is then exactly `chance`. Teams are three pairs, the dealer is seat 5, and so
position p is seat p - 1.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import comb
from typing import Any, Final, NamedTuple

import numpy as np

from schmier_sim._jit import inlined_kernel, kernel
from schmier_sim.cards import HIGH, JOKER, LEFT, LOW, RIGHT, mask_of
from schmier_sim.engine.auction import hold_auction, name_trump
from schmier_sim.engine.deal import deal_cards
from schmier_sim.engine.hand import clear
from schmier_sim.engine.state import new_tables, new_views, seat_players
from schmier_sim.policies.base import Policy, answers_of
from schmier_sim.policies.faults import policy_fault
from schmier_sim.rules import Rules
from schmier_sim.threads import threads

_JOKERS: Final = np.full(4, JOKER)
SETS: Final = {
    "ace": (HIGH,),
    "2": (LOW,),
    "right bauer": (RIGHT,),
    "left bauer": (LEFT,),
    "joker": (_JOKERS,),
    "a bauer": (RIGHT, LEFT),
    "ace or a bauer": (HIGH, RIGHT, LEFT),
    "ace, 2 or a bauer": (HIGH, LOW, RIGHT, LEFT),
    "any of the five": (HIGH, LOW, RIGHT, LEFT, _JOKERS),
}
"""Named cards, of which at least one is asked for; by suit."""
SIZES: Final = tuple(len(cards) for cards in SETS.values())
"""How many cards each set has."""
NAMED: Final = np.array(
    [[mask_of(int(card[suit]) for card in cards) for suit in range(4)] for cards in SETS.values()],
    np.int64,
)
"""``[set, suit]``: the masks."""
_N_SETS: Final = len(SETS)

BY_PARTNER, BY_ENEMY = 0, 1
"""Who calls."""
DEALS, CALLER_HAS, PARTNER_HAS, ENEMIES_HAVE = range(4)
"""What is counted: deals in which I hold none of a set; those in which the caller, my partner, at
least one of the four enemies was dealt one of them."""
NOT_ASKED: Final = -1
"""A call of a seat that was not asked, because 6 was bid before it. Calls count from here."""
_DEALER: Final = 5
_ENEMIES: Final = np.array([1, 2, 4, 5])  # how many seats from an enemy I sit, by turns
_PIECE: Final = 100_000


class Counts(NamedTuple):
    """Auctions by what was called and who was dealt what.

    Attributes
    ----------
    fixed : ndarray of int64, shape (2, 6, 2, 8, sets, 4)
        Who calls (`BY_PARTNER`, `BY_ENEMY`), his position - 1, whether somebody had bid, his call
        + 1, set of a suit fixed beforehand, what is counted (`DEALS` and on).
    named : ndarray of int64, shape (6, 8, sets, 2)
        My partner won the auction, and the sets are of the suit that he then named: his position
        - 1, his bid + 1, set, deals or those in which he was dealt one of them.
    """

    fixed: np.ndarray
    named: np.ndarray


def no_counts() -> Counts:
    """Return zeros."""
    return Counts(
        np.zeros((2, 6, 2, 8, _N_SETS, 4), np.int64), np.zeros((6, 8, _N_SETS, 2), np.int64)
    )


def chance(k: int, cards: int = 6) -> float:
    """Return the chance that so many of the 47 cards not in my hand hold one of k named ones."""
    return 1 - comb(47 - k, cards) / comb(47, cards)


@inlined_kernel
def dealt_to_enemies(table: Any, me: int) -> int:
    """Return the mask of what the two other teams were dealt."""
    cards = 0
    for seat in range(6):
        if seat % 3 != me % 3:
            cards |= table.dealt[seat]
    return cards


@inlined_kernel
def count_call(
    table: Any, fixed: np.ndarray, cell: tuple[int, int, int, int], me: int, suit: int
) -> None:
    """Count one call as I hear it; cell: who calls, his seat, whether there was a bid, the call."""
    who, caller, bid_before, call = cell
    mine, partners = table.dealt[me], table.dealt[(me + 3) % 6]
    callers, enemies = table.dealt[caller], dealt_to_enemies(table, me)
    for k in range(_N_SETS):
        named = NAMED[k, suit]
        if mine & named:
            continue
        fixed[who, caller, bid_before, call, k, DEALS] += 1
        fixed[who, caller, bid_before, call, k, CALLER_HAS] += callers & named != 0
        fixed[who, caller, bid_before, call, k, PARTNER_HAS] += partners & named != 0
        fixed[who, caller, bid_before, call, k, ENEMIES_HAVE] += enemies & named != 0


@inlined_kernel
def count_calls(table: Any, view: Any, index: int, fixed: np.ndarray) -> None:
    """Count all six calls of an auction, each as a partner's and as an enemy's."""
    suit, high = index % 4, 0
    distance = _ENEMIES[index // 4 % 4]
    for seat in range(6):
        call, bid_before = view.calls[seat], 1 if high > 0 else 0
        cell = (BY_PARTNER, seat, bid_before, call - NOT_ASKED)
        count_call(table, fixed, cell, (seat + 3) % 6, suit)
        cell = (BY_ENEMY, seat, bid_before, call - NOT_ASKED)
        count_call(table, fixed, cell, (seat + distance) % 6, suit)
        high = max(high, call)


@inlined_kernel
def count_named(table: Any, view: Any, named: np.ndarray) -> None:
    """Count the bidder's cards of the suit that he names, as his partner hears it."""
    seat, call = view.bidder, view.bid - NOT_ASKED
    mine, partners = table.dealt[(seat + 3) % 6], table.dealt[seat]
    for k in range(_N_SETS):
        cards = NAMED[k, view.trump]
        if not mine & cards:
            named[seat, call, k, 0] += 1
            named[seat, call, k, 1] += partners & cards != 0


@kernel
def count_auctions(
    tables: Any,
    views: Any,
    answers: np.ndarray,
    seed: int,
    deals: tuple[int, int],
    fixed: np.ndarray,
    named: np.ndarray,
) -> int:
    """Deal, hold the auction, and count.

    Parameters
    ----------
    deals : (first, beyond the last)
    fixed, named : ndarrays
        See `Counts`; added to.

    Returns
    -------
    int
        The deal of the first illegal answer, -1 if there was none.
    """
    table, view = tables[0], views[0]
    seat_players(table, answers)
    for index in range(deals[0], deals[1]):
        deal_cards(table, seed, index, 0)
        clear(table, view, _DEALER)
        hold_auction(table, view)
        if table.fault < 0 and view.bidder >= 0:
            name_trump(table, view)
        if table.fault >= 0:
            return index
        count_calls(table, view, index, fixed)
        if view.bidder >= 0:
            count_named(table, view, named)
    return -1


def count(policies: Sequence[Policy], deals: int, seed: int = 1, jobs: int = 1) -> Counts:
    """Count the auctions of the first deals of a seed, under the default rules.

    Parameters
    ----------
    policies : sequence of Policy, length 6
        By seat.
    jobs : int
        Number of threads; the counts do not depend on it.

    Raises
    ------
    PolicyFault
        If a policy answers illegally.
    """
    answers, whole = answers_of(policies), no_counts()

    def piece(start: int) -> Counts:
        tables, views, part = new_tables(1), new_views(1), no_counts()
        views["rules"] = Rules().packed
        span = (start, min(start + _PIECE, deals))
        fault = int(count_auctions(tables, views, answers, seed, span, part.fixed, part.named))
        if fault >= 0:
            where = f"seed {seed}, hand {fault}, attempt 0"
            raise policy_fault(tables[0], views[0], policies, where)
        return part

    with threads(jobs) as pool:
        for part in pool.map(piece, range(0, deals, _PIECE)):
            whole = Counts(whole.fixed + part.fixed, whole.named + part.named)
    return whole
