"""Deals around a hand in which the others call as they did.

Deals are numbered. Each is kept with a chance in proportion to the weight of the calls in it, so
that those kept stand for what may be hidden, each for as much as any other. The weight of a call is
``1 - error`` if the player would make it with these cards, plus, in any case, ``error`` times the
share of all deals in which he makes it: of the calls of any kind, so many tell nothing. A call that
a player hardly ever makes can be taken for one of several, as for any bid of 4 or more.

A seat's own call depends on its own cards, and so the seats can be asked in any order: the one
that most often calls otherwise first, for then most deals are done with after one question.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from schmier_sim._jit import inlined_kernel, kernel
from schmier_sim.engine.ask import ask, blame
from schmier_sim.engine.auction import legal_calls
from schmier_sim.engine.hand import clear
from schmier_sim.engine.state import CALL, next_seat, seat_players
from schmier_sim.rng import KEPT, stream
from schmier_sim.sampler.drawing import deal_around, deal_known, share

MOST_ASKED: Final = 10_000
"""Deals, at most, by which it is known how often a player calls so."""
_ASKED_FOR_EACH, _LEAST_ASKED = 5, 50  # of the deals wanted; when few are wanted
NO_FAULT: Final = -1
ILLEGAL: Final = 7


@inlined_kernel
def deal_hidden(
    table: Any, fixed: tuple[int, int, int], plans: Any, seed: int, number: int
) -> None:
    """Deal what is hidden: around a hand, or as a plan leaves it.

    Parameters
    ----------
    fixed : (seat, hand mask, dealer)
    plans : array of one PLAN record, counted; or None
    """
    if plans is None:
        deal_around(table, fixed[0], fixed[1], seed, number)
    else:
        deal_known(table, plans[0], seed, number)


@kernel
def deal_numbers(
    tables: Any, fixed: tuple[int, int, int], plans: Any, seed: int, numbers: Any, out: np.ndarray
) -> None:
    """Deal the hidden hands of some numbers.

    Parameters
    ----------
    out : ndarray of int64, shape (n, 6)
        Masks of the hands dealt.
    """
    table = tables[0]
    for i in range(len(numbers)):
        deal_hidden(table, fixed, plans, seed, numbers[i])
        for seat in range(6):
            out[i, seat] = table.dealt[seat]


@inlined_kernel
def call_of(table: Any, view: Any, calls: Any, seat: int) -> int:
    """Ask a seat for its call, after those before it; after an illegal one, noted, it is 7."""
    high, other = 0, next_seat(view.dealer)
    view.calls[:] = -1
    while other != seat:
        view.calls[other] = calls[other]
        high = max(high, calls[other])
        other = next_seat(other)
    table.hands[seat] = table.dealt[seat]
    legal = legal_calls(high, seat == view.dealer, view.rules)
    call = ask(table, view, seat, CALL, legal)
    if call < 0 or call > 6 or not legal >> call & 1:
        blame(table, seat, CALL, call)
        return ILLEGAL
    return call


@kernel
def count_calls(
    tables: Any,
    views: Any,
    answers: Any,
    fixed: tuple[int, int, int],
    calls: np.ndarray,
    plans: Any,
    deals: tuple[int, int, int],
    counts: np.ndarray,
) -> int:
    """Count what the players would call, each after the calls that were made before him.

    Parameters
    ----------
    tables, views : arrays of one TABLE and VIEW record
        To ask with; rules and scores stand in the view.
    calls : ndarray of int64, shape (6,)
        By seat, -1 where nobody is to be asked.
    deals : (seed, first number, how many)
    counts : ndarray of int64, shape (6, 8)
        Deals by seat and call, 0 a pass; added to.

    Returns
    -------
    int
        The number of the first deal with an illegal answer, or `NO_FAULT`.
    """
    table, view = tables[0], views[0]
    clear(table, view, fixed[2])
    seat_players(table, answers)
    seed, start, n = deals
    for number in range(start, start + n):
        deal_hidden(table, fixed, plans, seed, number)
        for seat in range(6):
            if calls[seat] >= 0:
                counts[seat, call_of(table, view, calls, seat)] += 1
        if table.fault >= 0:
            return number
    return NO_FAULT


@inlined_kernel
def is_kept(table: Any, view: Any, calls: Any, tests: Any, seed: int, number: int) -> bool:
    """Whether the deal on the table is kept: each call is one of those meant, or excused."""
    seats, meant, excuses = tests
    table.stream[0] = stream(seed, number, 0, KEPT)
    for i in range(len(seats)):
        likewise = meant[i] >> call_of(table, view, calls, seats[i]) & 1
        if not likewise and share(table.stream, 1.0) >= excuses[i]:
            return False
    return True


@kernel
def keep_fitting(
    tables: Any,
    views: Any,
    answers: Any,
    fixed: tuple[int, int, int],
    calls: np.ndarray,
    plans: Any,
    deals: tuple[int, int, np.ndarray],
    tests: tuple[np.ndarray, np.ndarray, np.ndarray],
) -> int:
    """Note which of the deals ``start`` and on are kept.

    Parameters
    ----------
    tables, views, calls
        As of `count_calls`.
    deals : (seed, first number, kept)
        kept, an ndarray of bool, has a place for each deal, which is filled.
    tests : (seats, meant, excuses), ndarrays of int64, int64 and float, shape (m,)
        Who is asked, in order; the calls, as bits, one of which he has to make; and the chance
        that a deal is kept though he calls otherwise.

    Returns
    -------
    int
        The number of the first deal with an illegal answer, or `NO_FAULT`.
    """
    table, view = tables[0], views[0]
    clear(table, view, fixed[2])
    seat_players(table, answers)
    seed, start, kept = deals
    for i in range(len(kept)):
        deal_hidden(table, fixed, plans, seed, start + i)
        kept[i] = is_kept(table, view, calls, tests, seed, start + i)
        if table.fault >= 0:
            return start + i
    return NO_FAULT


def asked_for(n: int) -> int:
    """Return in how many deals players are asked how often they call so, if n deals are wanted."""
    return min(MOST_ASKED, max(_ASKED_FOR_EACH * n, _LEAST_ASKED))


def excuse(share_of_deals: float, error: float) -> float:
    """Return the chance that a deal is kept though a player calls otherwise in it.

    The weight of such a deal divided by that of one in which he calls so; see the module.
    """
    otherwise = error * share_of_deals
    return otherwise / (1 - error + otherwise)


def passing(share_of_deals: float, error: float) -> float:
    """Return the share of deals that are kept for a call that is made in so many of them."""
    return share_of_deals + (1 - share_of_deals) * excuse(share_of_deals, error)
