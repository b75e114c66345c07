"""Deals around a hand played: some calls and suits given, the rest as the players decide."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Final, NamedTuple

import numpy as np

from schmier_sim._jit import kernel
from schmier_sim.cards import STRENGTH, SUIT_OF
from schmier_sim.dealing import Deal, deals_of
from schmier_sim.engine.hand import play_until_bid
from schmier_sim.engine.state import new_tables, next_seat, seat_players, views_under
from schmier_sim.hidden import ERROR, Hidden
from schmier_sim.policies.base import Policy, answers_of
from schmier_sim.policies.faults import policy_fault
from schmier_sim.sampler.calls import deal_hidden
from schmier_sim.situation import ME, Situation
from schmier_sim.threads import in_pieces

BIDDER, BID, FRESH, POINTS, SCORES = 0, 1, 2, slice(3, 6), slice(6, 9)
"""Columns of outcomes."""
POINT_TEAMS, HOLDERS = slice(0, 6), slice(6, 21)
"""Columns of facts."""
MOST_FACTS: Final = 20_000
"""Of how many deals, at most, it is kept where the trumps lay."""
_PIECE: Final = 10_000
_TOP, _LOWEST = 6, 100  # first of the 15 columns of holders, strength of the lowest trump


@kernel
def note_facts(table: Any, view: Any, fact: np.ndarray) -> None:
    """Note which team won each point and who held each trump after the exchange.

    Parameters
    ----------
    fact : ndarray of int8, shape (21,)
        Team by point, -1 nobody; seat by trump from the joker up to the ace, -1 out of play.
    """
    for point in range(6):
        fact[point] = table.point_team[point]
    for k in range(15):
        fact[_TOP + k] = -1
    if view.bidder < 0:
        return
    trump, seat = view.trump, view.bidder
    for n in range(36):
        card = view.history[n]
        if SUIT_OF[trump, card] == trump:
            fact[_TOP + STRENGTH[trump, card] - _LOWEST] = seat
        seat = table.winners[n // 6] if n % 6 == 5 else next_seat(seat)


@kernel
def play_around(
    tables: Any,
    views: Any,
    answers: Any,
    fixed: tuple[int, int, int],
    plans: Any,
    plan: tuple[np.ndarray, np.ndarray],
    deals: tuple[int, np.ndarray],
    out: tuple[np.ndarray, np.ndarray],
) -> tuple[int, int]:
    """Play deals around a fixed hand, some calls and suits being given.

    Parameters
    ----------
    fixed, plans
        What is known of the cards: see `sampler.calls.deal_hidden`.
    plan : (calls, trumps), each ndarray of int64, shape (6,)
        By seat, -1 where the policy decides.
    deals : (seed, numbers), numbers an ndarray of int64, shape (n,)
    out : (outcomes, facts), ndarrays of int8, shapes (n, 9) and (m, 21), m <= n
        By deal: bidder, bid, 1 if the cards were thrown in and fresh ones dealt, points and scores
        by team. Of the first m: see `note_facts`.

    Returns
    -------
    (number, attempt) of the first illegal answer; (-1, 0) if there was none
    """
    table, view = tables[0], views[0]
    calls, trumps = plan
    seed, numbers = deals
    outcomes, facts = out
    seat_players(table, answers)
    for i in range(len(outcomes)):
        for other in range(6):
            table.plan_calls[other] = calls[other]
            table.plan_trumps[other] = trumps[other]
        number = numbers[i]
        deal_hidden(table, fixed, plans, seed, number)
        attempt = play_until_bid(table, view, fixed[2], seed, number)
        if table.fault >= 0:
            return number, attempt
        outcomes[i, 0], outcomes[i, 1], outcomes[i, 2] = view.bidder, view.bid, attempt > 0
        for team in range(3):
            outcomes[i, 3 + team] = table.points[team]
            outcomes[i, 6 + team] = table.score[team]
        if i < len(facts):
            note_facts(table, view, facts[i])
    return -1, 0


class Outcomes(NamedTuple):
    """What became of some deals; see `play_around`."""

    outcomes: np.ndarray[tuple[int, int], np.dtype[np.int8]]
    facts: np.ndarray


class Table:
    """A situation with players, on which plans are played.

    Parameters
    ----------
    situation : Situation
    policies : sequence of Policy, length 6
        By seat, `ME` being mine.
    seed : int
    jobs : int
        Number of threads; the results do not depend on it.
    error : float
        The share of calls that tell nothing: see `Hidden`. At 1 the hidden hands are dealt as if
        nobody had called.
    """

    def __init__(
        self,
        situation: Situation,
        policies: Sequence[Policy],
        seed: int = 1,
        jobs: int = 1,
        error: float = ERROR,
    ) -> None:
        self.situation = situation
        self.policies = tuple(policies)
        self.seed = seed
        self.jobs = jobs
        self.error = error
        self.hidden = Hidden(situation, policies, seed, jobs, error)
        self._answers = answers_of(policies)

    def with_situation(self, **changes: Any) -> Table:
        """Return the same players in another situation."""
        held = replace(self.situation, **changes)
        return Table(held, self.policies, self.seed, self.jobs, self.error)

    def with_players(self, policies: Sequence[Policy]) -> Table:
        """Return other players in the same situation."""
        return Table(self.situation, policies, self.seed, self.jobs, self.error)

    def as_if_silent(self) -> Table:
        """Return the same table with hidden hands as if nobody had called."""
        return Table(self.situation, self.policies, self.seed, self.jobs, 1.0)

    def play(
        self, call: int, trump: int, later: int, hands: int
    ) -> np.ndarray[tuple[int, int], np.dtype[np.int8]]:
        """Make a call and name a suit if it wins; ``later`` 0 lets all later seats pass, else -1.

        Returns
        -------
        ndarray of int8, (hands, 9)
            See `play_around`. Fewer, if not so many deals fit the calls.
        """
        return self._play(call, trump, later, hands, 0).outcomes

    def play_noting(self, call: int, trump: int, later: int, hands: int) -> Outcomes:
        """Like `play`, with the facts of the first `MOST_FACTS` deals."""
        return self._play(call, trump, later, hands, min(hands, MOST_FACTS))

    def _play(self, call: int, trump: int, later: int, hands: int, noted: int) -> Outcomes:
        plan = self._plan(call, trump, later)
        numbers = self.hidden.numbers(hands)
        out = np.empty((len(numbers), 9), np.int8)
        facts = np.empty((min(noted, len(numbers)), 21), np.int8)

        def play(a: int, b: int) -> None:
            self._play_piece(plan, numbers[a:b], Outcomes(out[a:b], facts[a:b]))

        in_pieces(self.jobs, len(numbers), _PIECE, play)
        return Outcomes(out, facts)

    def deal(self, number: int, call: int, trump: int) -> Deal:
        """Play a numbered deal again and return all of it.

        If it was thrown in, the one of the fresh deals on which somebody bid.
        """
        out = Outcomes(np.empty((1, 9), np.int8), np.empty((0, 21), np.int8))
        table, view = self._play_piece(self._plan(call, trump, -1), np.array([number]), out)
        fresh = int(out.outcomes[0, FRESH])
        return deals_of(table, view, [(number, fresh)])[0]

    def _plan(self, call: int, trump: int, later: int) -> tuple[np.ndarray, np.ndarray]:
        situation = self.situation
        calls = np.full(6, later, np.int64)
        calls[situation.seats_before] = situation.calls
        calls[ME] = call
        trumps = np.full(6, -1, np.int64)
        trumps[ME] = trump
        return calls, trumps

    def _play_piece(
        self, plan: tuple[Any, Any], numbers: np.ndarray, out: Outcomes
    ) -> tuple[Any, Any]:
        """Play on a new table and return it."""
        situation, hidden = self.situation, self.hidden
        tables, views = new_tables(1), views_under(situation.rules.packed, situation.scores)
        number, attempt = play_around(
            tables, views, self._answers, hidden.fixed, hidden.plans(), plan,
            (self.seed, numbers), (out.outcomes, out.facts),
        )  # fmt: skip
        if number >= 0:
            where = f"seed {self.seed}, sampled deal {number}, attempt {attempt}"
            raise policy_fault(tables[0], views[0], self.policies, where)
        return tables, views
