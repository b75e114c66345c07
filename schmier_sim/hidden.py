"""The deals around a hand: all of them, or those that fit what was called and what is known."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

import numpy as np

from schmier_sim.cards import PACK_MASK
from schmier_sim.engine.state import new_tables, views_under
from schmier_sim.errors import InputError
from schmier_sim.policies.base import Policy, answers_of
from schmier_sim.policies.faults import policy_fault
from schmier_sim.rng import MAX_SEED
from schmier_sim.sampler.calls import (
    NO_FAULT,
    asked_for,
    count_calls,
    deal_numbers,
    excuse,
    keep_fitting,
    passing,
)
from schmier_sim.sampler.checks import check_policies, check_whole
from schmier_sim.sampler.weighing import ERRORS
from schmier_sim.sampler.worlds import planned
from schmier_sim.situation import ME, Situation
from schmier_sim.threads import hearing_ctrl_c, in_pieces

ERROR: Final = ERRORS[0]
"""The share of calls that tell nothing."""
_DEALT_FOR_EACH, _DEALT_IN_ANY_CASE, _DEALT_IN_ALL = 300, 30, 10_000_000
"""Deals that are dealt, at most, for each that is wanted, the first up to a number in all."""
HARDLY_EVER: Final = 1 / 2_000
"""What is called in a smaller share of deals is not weighed as what it is."""
_ENOUGH: Final = 200
"""As many calls are weighed as leave so many deals, or all that are wanted, to be expected."""
_FEWEST: Final = 100
"""With fewer that really fit, one call more is left out."""
_MOST_STEP, _PIECE = 4_000_000, 20_000
_MOST_WANTED, _MOST_JOBS = 10**9, 1024


@dataclass(frozen=True)
class HeardCall:
    """A call before mine.

    Attributes
    ----------
    seat, call : int
    asked, so : int
        Of so many deals, those in which the player would call so.
    meant : int
        The calls for which it was taken, as bits: itself, or so much or more; 0 if it was not
        weighed.
    likewise : int
        Of the deals asked about, those in which the player would make one of these.
    """

    seat: int
    call: int
    asked: int
    so: int
    meant: int
    likewise: int

    @property
    def is_rare(self) -> bool:
        """Whether the player would hardly ever call so."""
        return self.so < HARDLY_EVER * self.asked

    @property
    def is_exact(self) -> bool:
        """Whether it was weighed as what it is."""
        return self.meant == 1 << self.call

    @property
    def share(self) -> float:
        """The share of deals in which the player would make one of the calls meant."""
        return self.likewise / self.asked


@dataclass(frozen=True)
class Fitting:
    """Deals that fit the calls before mine.

    Attributes
    ----------
    numbers : ndarray of int64
        Of the deals, each of which stands for as much as any other.
    dealt : int
        How many were dealt to find them.
    calls : tuple of HeardCall
    """

    numbers: np.ndarray[Any, np.dtype[np.int64]]
    dealt: int
    calls: tuple[HeardCall, ...]


class Hidden:
    """Numbered deals around the hand of a situation, under a seed.

    Parameters
    ----------
    situation : Situation
    policies : sequence of Policy, length 6
        By seat: they are taken to have called as these would.
    seed : int
    jobs : int
        Number of threads; the results do not depend on it.
    error : float
        The share of calls that tell nothing, above 0; at 1 none is weighed.
    """

    def __init__(
        self, situation: Situation, policies: Sequence[Policy], seed: int, jobs: int, error: float
    ) -> None:
        check_policies(policies)
        if not 0 < error <= 1:
            raise InputError(f"error must be a share above 0 and up to 1, not {error!r}")
        self.situation = situation
        self.policies = tuple(policies)
        self.seed = check_whole("seed", seed, 0, MAX_SEED)
        self.jobs = check_whole("jobs", jobs, 1, _MOST_JOBS)
        self.error = error
        _check_situation(situation)
        self._answers = answers_of(policies)
        self._plans = planned(seen_in(situation), situation.known) if situation.known else None
        self._found: dict[int, Fitting] = {}

    @property
    def fixed(self) -> tuple[int, int, int]:
        """My seat, my hand, the dealer."""
        return ME, self.situation.hand, self.situation.dealer

    @property
    def weighs(self) -> bool:
        """Whether there are calls that tell something."""
        return self.error < 1 and any(call >= 0 for call in self.situation.calls)

    def plans(self) -> Any:
        """Return what is known as a plan of one's own to deal with; None if nothing is."""
        return None if self._plans is None else self._plans.copy()

    def numbers(self, n: int) -> np.ndarray[Any, np.dtype[np.int64]]:
        """Return the numbers of the first n deals that fit; fewer, if they are hard to find."""
        check_whole("n", n, 1, _MOST_WANTED)
        return self.fitting(n).numbers if self.weighs else np.arange(n)

    def masks(self, numbers: np.ndarray) -> np.ndarray[Any, np.dtype[np.int64]]:
        """Return the hands dealt, (n, 6), of some deals."""
        out = np.empty((len(numbers), 6), np.int64)
        deal_numbers(new_tables(1), self.fixed, self.plans(), self.seed, numbers, out)
        return out

    def fitting(self, n: int) -> Fitting:
        """Find the first n deals that fit the calls; fewer, if those are hard to find."""
        check_whole("n", n, 1, _MOST_WANTED)
        if n not in self._found:
            heard = self._heard(n)
            found = self._find(n, heard)
            while len(found.numbers) < min(n, _FEWEST) and any(each.meant for each in heard):
                heard = _without_rarest(heard)
                found = self._find(n, heard)
            self._found[n] = found
        return self._found[n]

    def _said(self) -> np.ndarray:
        """Return the calls by seat, -1 where none was made."""
        said = np.full(6, -1, np.int64)
        said[self.situation.seats_before] = self.situation.calls
        return said

    def _heard(self, n: int) -> tuple[HeardCall, ...]:
        """Learn how often the players call so, and choose as what calls can be weighed.

        The rarest tell most and are chosen first, as long as deals that fit them all can be found.
        """
        said = self._said()
        counts = np.zeros((6, 8), np.int64)

        def ask(tables: Any, views: Any) -> int:
            return hearing_ctrl_c(
                count_calls, tables, views, self._answers, self.fixed, said, self.plans(),
                (self.seed, 0, asked_for(n)), counts,
            )  # fmt: skip

        self._checked(ask)
        heard, needed = [], min(n, _ENOUGH) / _most_dealt(n)
        seats = [seat for seat in range(6) if said[seat] >= 0]
        for seat in sorted(seats, key=lambda seat: (counts[seat, said[seat]], seat)):
            call = _weighable(seat, int(said[seat]), counts[seat], needed, self.error)
            heard.append(call)
            needed /= passing(call.share, self.error) if call.meant else 1.0
        return tuple(sorted(heard, key=lambda each: each.likewise))

    def _find(self, n: int, heard: tuple[HeardCall, ...]) -> Fitting:
        """Deal until n deals fit, or as many have been dealt as it may take."""
        tests = [each for each in heard if each.meant]
        if not tests:
            return Fitting(np.arange(n), n, heard)
        expected = float(np.prod([passing(each.share, self.error) for each in tests]))
        most, found, dealt = _most_dealt(n), np.empty(0, np.int64), 0
        while len(found) < n and dealt < most:
            step = min(most - dealt, int((n - len(found)) / expected * 1.05) + 1_000, _MOST_STEP)
            kept = self._keep(tests, dealt, dealt + step)
            found = np.concatenate((found, dealt + np.flatnonzero(kept)))
            dealt += step
        if len(found) >= n:
            found = found[:n]
            dealt = int(found[-1]) + 1
        return Fitting(found, dealt, heard)

    def _keep(self, tests: Sequence[HeardCall], start: int, stop: int) -> np.ndarray:
        """Return which deals of a range fit."""
        said = self._said()
        seats = np.array([each.seat for each in tests], np.int64)
        meant = np.array([each.meant for each in tests], np.int64)
        excuses = np.array([excuse(each.share, self.error) for each in tests])
        kept = np.empty(stop - start, np.bool_)

        def keep(a: int, b: int) -> None:
            self._checked(
                lambda tables, views: keep_fitting(
                    tables, views, self._answers, self.fixed, said, self.plans(),
                    (self.seed, start + a, kept[a:b]), (seats, meant, excuses),
                )
            )  # fmt: skip

        in_pieces(self.jobs, len(kept), _PIECE, keep)
        return kept

    def _checked(self, ask: Callable[[Any, Any], int]) -> None:
        """Ask on a new table; raise PolicyFault after an illegal answer."""
        tables, views = (
            new_tables(1),
            views_under(self.situation.rules.packed, self.situation.scores),
        )
        number = ask(tables, views)
        if number != NO_FAULT:
            where = f"seed {self.seed}, sampled deal {number}, attempt 0"
            raise policy_fault(tables[0], views[0], self.policies, where)


def _check_situation(held: Situation) -> None:
    """Raise InputError if a situation, made by hand, cannot be."""
    if len({*held.cards}) != 6 or held.hand & ~PACK_MASK:
        raise InputError(f"situation: six different cards are expected, not {held.cards}")
    if len(held.calls) != held.position - 1 or len(held.scores) != held.rules.n_teams:
        raise InputError(
            f"situation: position {held.position} has {held.position - 1} calls before it, and "
            f"{held.rules.n_teams} teams have scores; {held.calls} and {held.scores} are given"
        )


def _without_rarest(heard: Sequence[HeardCall]) -> tuple[HeardCall, ...]:
    """Leave one call more unweighed: the rarest of those that still are."""
    rarest = next(each for each in heard if each.meant)
    return tuple(replace(each, meant=0) if each is rarest else each for each in heard)


def _ways_to_mean(call: int) -> Iterator[int]:
    """Yield as what a call may be weighed, as bits: itself; a bid as so much or more, or less."""
    yield 1 << call
    for least in range(call, 0, -1):
        yield 127 & ~((1 << least) - 1)


def _weighable(seat: int, call: int, counts: np.ndarray, needed: float, error: float) -> HeardCall:
    """Choose as what a call can be weighed, the narrowest first; or not at all.

    Parameters
    ----------
    counts : ndarray of int64, shape (8,)
        Deals by what the player would call.
    needed : float
        The share of deals that have to fit.
    """
    so, asked = int(counts[call]), int(counts.sum())
    for meant in _ways_to_mean(call):
        likewise = sum(int(counts[each]) for each in range(7) if meant >> each & 1)
        share = likewise / asked
        if share >= HARDLY_EVER and passing(share, error) >= needed:
            return HeardCall(seat, call, asked, so, meant, likewise)
    return HeardCall(seat, call, asked, so, 0, asked)


def _most_dealt(n: int) -> int:
    return max(min(_DEALT_FOR_EACH * n, _DEALT_IN_ALL), _DEALT_IN_ANY_CASE * n)


def seen_in(situation: Situation) -> Any:
    """Return what I see while I am asked for my call, as a VIEW record."""
    views = views_under(situation.rules.packed, situation.scores)
    for name in ("bidder", "bid", "trump", "leader", "calls", "drawn", "history"):
        views[name] = -1
    views["seat"], views["dealer"] = ME, situation.dealer
    views["position"], views["hand"] = situation.position, situation.hand
    views["calls"][0, situation.seats_before] = situation.calls
    return views[0]
