"""Should I bid? Every legal call, and every sensible suit, played on the same sampled deals."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from threading import Event
from typing import Any, Final

import numpy as np

from schmier_sim._jit import kernel
from schmier_sim.bits import count_bits
from schmier_sim.cards import SUIT_MASK
from schmier_sim.engine.hand import play_until_bid
from schmier_sim.engine.state import new_tables, new_views
from schmier_sim.errors import InputError
from schmier_sim.policies.base import Policy, answers_of
from schmier_sim.policies.faults import policy_fault
from schmier_sim.sampler import deal_around
from schmier_sim.situation import ME, Situation
from schmier_sim.stats import CONFIDENCE, Interval, mean_interval
from schmier_sim.threads import threads

INDIFFERENCE: Final = 0.05
"""Points: calls that differ by less are equal for a person."""
MOST_HANDS: Final = 20_000_000
FEWEST_HANDS: Final = 100
_PIECE: Final = 50_000
_BIDDER, _BID, _FRESH, _POINTS, _SCORES = 0, 1, 2, slice(3, 6), slice(6, 9)


@kernel
def play_around(
    tables: Any,
    views: Any,
    answers: Any,
    fixed: tuple[int, int, int],
    plan: tuple[np.ndarray, np.ndarray],
    seed: int,
    start: int,
    out: np.ndarray,
) -> tuple[int, int]:
    """Play deals around a fixed hand, some calls and suits being given.

    Parameters
    ----------
    fixed : (seat, hand mask, dealer)
    plan : (calls, trumps), each ndarray of int64, shape (6,)
        By seat, -1 where the policy decides.
    out : ndarray of int8, shape (n, 9)
        Bidder, bid, 1 if the cards were thrown in and fresh ones dealt, points and scores by
        team, for hands ``start`` to ``start + n``.

    Returns
    -------
    (hand, attempt) of the first illegal answer; (-1, 0) if there was none
    """
    table, view = tables[0], views[0]
    seat, hand, dealer = fixed
    calls, trumps = plan
    for i in range(len(out)):
        for other in range(6):
            table.plan_calls[other] = calls[other]
            table.plan_trumps[other] = trumps[other]
        deal_around(table, seat, hand, seed, start + i)
        attempt = play_until_bid(table, view, answers, dealer, seed, start + i)
        if table.fault >= 0:
            return start + i, attempt
        out[i, 0], out[i, 1], out[i, 2] = view.bidder, view.bid, attempt > 0
        for team in range(3):
            out[i, 3 + team] = table.points[team]
            out[i, 6 + team] = table.score[team]
    return -1, 0


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
    """

    def __init__(
        self, situation: Situation, policies: Sequence[Policy], seed: int = 1, jobs: int = 1
    ) -> None:
        self.situation = situation
        self.policies = tuple(policies)
        self.seed = seed
        self.jobs = jobs
        self._answers = answers_of(policies)

    def play(
        self, call: int, trump: int, later: int, hands: int
    ) -> np.ndarray[tuple[int, int], np.dtype[np.int8]]:
        """Make a call and name a suit if it wins; ``later`` 0 lets all later seats pass, else -1.

        Returns
        -------
        ndarray of int8, (hands, 9)
            See `play_around`.
        """
        situation = self.situation
        calls = np.full(6, later, np.int64)
        calls[situation.seats_before] = situation.calls
        calls[ME] = call
        trumps = np.full(6, -1, np.int64)
        trumps[ME] = trump
        out = np.empty((hands, 9), np.int8)
        edges = np.linspace(0, hands, self.jobs + 1).astype(int).tolist()
        given_up = Event()
        with threads(self.jobs) as pool:
            parts = [
                pool.submit(self._play_part, (calls, trumps), a, out[a:b], given_up)
                for a, b in zip(edges, edges[1:], strict=False)
            ]
            try:
                for part in parts:
                    part.result()
            except BaseException:
                given_up.set()
                raise
        return out

    def _play_part(
        self, plan: tuple[Any, Any], start: int, out: np.ndarray, given_up: Event
    ) -> None:
        """Play in pieces of a moment each, so that Ctrl-C is heard."""
        for at in range(0, len(out), _PIECE):
            if given_up.is_set():
                return
            self._play_piece(plan, start + at, out[at : at + _PIECE])

    def _play_piece(self, plan: tuple[Any, Any], start: int, out: np.ndarray) -> None:
        situation = self.situation
        tables, views = new_tables(1), new_views(1)
        views["rules"] = situation.rules.packed
        views["scores"][0, : len(situation.scores)] = situation.scores
        fixed = (ME, situation.hand, situation.dealer)
        hand, attempt = play_around(
            tables, views, self._answers, fixed, plan, self.seed, start, out
        )
        if hand >= 0:
            where = f"seed {self.seed}, sampled deal {hand}, attempt {attempt}"
            raise policy_fault(tables[0], views[0], self.policies, where)


def values(outcomes: np.ndarray, n_teams: int) -> np.ndarray:
    """Return the value of each outcome: own change of score less the mean of the other teams'."""
    scores = outcomes[:, _SCORES].astype(float)
    return np.asarray(scores[:, 0] - scores[:, 1:n_teams].sum(axis=1) / (n_teams - 1))


@dataclass(frozen=True)
class SuitResult:
    """Me as the bidder in one suit, all later seats passing.

    Attributes
    ----------
    trump : int
    counts : mapping from bid to ndarray of int64, shape (7,)
        Hands by my team's points, when the bid was this one. One array for all bids, if no
        player looks at the level.
    value : mapping from bid to float
        Mean value of having to play for this bid.
    """

    trump: int
    counts: Mapping[int, np.ndarray]
    value: Mapping[int, float]

    def make(self, bid: int) -> tuple[int, int]:
        """Return (hands made, hands) at a level."""
        counts = self.counts[bid]
        return int(counts[bid:].sum()), int(counts.sum())


@dataclass(frozen=True)
class CallResult:
    """One legal call, the rest of auction and hand played by the policies."""

    call: int
    trump: int | None
    values: np.ndarray  # by deal
    got: np.ndarray  # by deal: the call won the auction
    made: np.ndarray  # by deal: and the bid was made
    points: Interval
    behind_best: Interval
    needs: float | None

    @property
    def gets(self) -> tuple[int, int]:
        """(hands in which it wins the auction, hands)."""
        return int(self.got.sum()), len(self.got)

    @property
    def make(self) -> tuple[int, int]:
        """(hands made, hands in which it wins the auction)."""
        return int(self.made.sum()), int(self.got.sum())


@dataclass(frozen=True)
class Advice:
    """The answer: suits, calls from the best, and what was asked for."""

    situation: Situation
    policies: tuple[Policy, ...]
    seed: int
    hands: int
    suits: tuple[SuitResult, ...]
    calls: tuple[CallResult, ...]
    interrupted: bool = False
    """Whether Ctrl-C kept it from going on to the precision asked for."""

    @property
    def best(self) -> CallResult:
        """The call of greatest value."""
        return self.calls[0]

    @property
    def decided(self) -> bool:
        """Whether the intervals separate the best call from the next.

        Never after fewer than `FEWEST_HANDS` deals: equal outcomes by chance have no width.
        """
        if self.hands < FEWEST_HANDS:
            return False
        return len(self.calls) == 1 or bool(self.calls[1].behind_best.low > 0)

    def of(self, call: int) -> CallResult | None:
        """Return the row of a call, None if it is not legal."""
        return next((row for row in self.calls if row.call == call), None)

    def versus_pass(self, call: int) -> Interval | None:
        """Return the paired difference of a bid and a pass; None if one of them is not legal."""
        bid, passing = self.of(call), self.of(0)
        if bid is None or passing is None or call == 0:
            return None
        return mean_interval(bid.values - passing.values, CONFIDENCE)

    def verdict(self, call: int) -> str:
        """Return ``yes``, ``no`` or ``close``: is the bid better than a pass?

        Where the rules forbid a pass: is it within the zone of indifference of the best bid?
        """
        difference = self.versus_pass(call)
        if difference is None:
            row = self.of(call)
            return "yes" if row and row.behind_best.mean < INDIFFERENCE else "no"
        if abs(difference.mean) < INDIFFERENCE:
            return "close"
        return "yes" if difference.mean > 0 else "no"


def sensible_suits(hand: int) -> list[int]:
    """Return the suits in which a hand holds two or more trumps."""
    return [suit for suit in range(4) if count_bits(hand & SUIT_MASK[suit, suit]) >= 2]


def _try_suit(table: Table, trump: int, hands: int) -> SuitResult:
    """Make me the bidder in a suit, at each level by itself if a player looks at it."""
    rules = table.situation.rules
    bids = [call for call in table.situation.legal if call]
    by_level = any(each.uses_bid for each in table.policies)
    counts, value = {}, {}
    outcomes = None
    for bid in range(rules.min_bid, rules.max_bid + 1):
        if outcomes is None or (by_level and bid in bids):
            level = bid if bid in bids else bids[0]
            outcomes = table.play(level, trump, 0, hands)
        points = outcomes[:, _POINTS].astype(int)
        own, others = points[:, 0], points[:, 1 : rules.n_teams].sum(axis=1)
        counts[bid] = np.bincount(own, minlength=7)
        score = np.where(own >= bid, own, -bid)
        value[bid] = float(np.mean(score - others / (rules.n_teams - 1)))
    return SuitResult(trump, counts, value)


def _break_even(call: int, got: np.ndarray, made: np.ndarray, value: np.ndarray, other: float,
                others_mean: float) -> float | None:  # fmt: skip
    """Return the make rate at which a call is worth as much as another one.

    The value of a call is linear in its make rate, given what it is worth when made, when set and
    when it does not win the auction. A worth that never occurred is that of just winning, or
    just missing, the points that the bid needs.
    """
    n, won = len(got), int(got.sum())
    if won == 0:
        return None
    set_ = got & ~made
    worth_made = value[made].mean() if made.any() else call - others_mean
    worth_set = value[set_].mean() if set_.any() else -call - others_mean
    lost = float(value[~got].sum()) / n
    share = won / n
    if worth_made <= worth_set:
        return None
    rate = ((other - lost) / share - worth_set) / (worth_made - worth_set)
    return float(max(rate, 0.0)) if rate <= 1 else None


def _rank(plays: Sequence[tuple[int, int | None, np.ndarray]], n_teams: int) -> list[CallResult]:
    """Order calls by value and compare each, deal by deal, with the best (the best with itself)."""
    scored = [(call, trump, out, values(out, n_teams)) for call, trump, out in plays]
    means = [float(value.mean()) for *_, value in scored]
    best = int(np.argmax(means))
    rows = []
    for i, (call, trump, out, value) in enumerate(scored):
        got = (out[:, _BIDDER] == ME) & (out[:, _FRESH] == 0) if call else np.zeros(len(out), bool)
        made = got & (out[:, _POINTS][:, 0] >= call)
        rival = max((m for j, m in enumerate(means) if j != i), default=means[i])
        others = float(out[got][:, _POINTS][:, 1:n_teams].mean()) if got.any() else 0.0
        behind = mean_interval(scored[best][3] - value)
        needs = _break_even(call, got, made, value, rival, others) if call else None
        rows.append(CallResult(call, trump, value, got, made, mean_interval(value), behind, needs))
    return sorted(rows, key=lambda row: (-row.points.mean, row.call))


def _study(table: Table, trump: int | None, hands: int) -> Advice:
    """Play everything on the same number of deals."""
    situation = table.situation
    named = [trump] if trump is not None else sensible_suits(situation.hand)
    suits = [_try_suit(table, suit, hands) for suit in named]
    plays: list[tuple[int, int | None, np.ndarray]] = []
    for call in situation.legal:
        if call == 0:
            plays.append((0, None, table.play(0, -1, -1, hands)))
            continue
        best = max(suits, key=lambda suit: suit.value[call])
        plays.append((call, best.trump, table.play(call, best.trump, -1, hands)))
    calls = _rank(plays, situation.rules.n_teams)
    return Advice(situation, table.policies, table.seed, hands, tuple(suits), tuple(calls))


def advise(
    table: Table,
    *,
    trump: int | None = None,
    hands: int = 20_000,
    precision: float | None = None,
    seconds: float | None = None,
    progress: Callable[[int], None] | None = None,
) -> Advice:
    """Answer what to call.

    Parameters
    ----------
    table : Table
    trump : int, optional
        The suit to name; by default each with two or more trumps in the hand is tried.
    hands : int
        Deals to play for each call, at first.
    precision : float, optional
        Double the deals until the limits of every `behind_best` are within so many points.
    seconds : float, optional
        Do not double them any more after this time.
    progress : function of the number of deals, optional
        Called before each round.

    Raises
    ------
    InputError
        If ``hands`` is above `MOST_HANDS`.
    PolicyFault
        If a policy answers illegally.
    """
    if hands > MOST_HANDS:
        raise InputError(f"--hands {hands:,}: at most {MOST_HANDS:,} deals for each call")
    began = time.monotonic()
    advice: Advice | None = None
    while True:
        if progress:
            progress(hands)
        try:
            advice = _study(table, trump, hands)
        except KeyboardInterrupt:
            if advice is None:
                raise
            return replace(advice, interrupted=True)
        widths = [row.behind_best.high - row.behind_best.mean for row in advice.calls]
        if precision is None or max(widths) <= precision or 2 * hands > MOST_HANDS:
            return advice
        if seconds is not None and 2 * (time.monotonic() - began) > seconds:
            return advice
        hands *= 2


def check_bid(situation: Situation, bid: int) -> None:
    """Raise InputError unless a bid may be asked about."""
    rules = situation.rules
    if not rules.min_bid <= bid <= rules.max_bid:
        raise InputError(f"--bid {bid}: bids are {rules.min_bid} to {rules.max_bid}")
    if bid not in situation.legal:
        legal = ", ".join(str(call) if call else "pass" for call in situation.legal)
        raise InputError(f"--bid {bid} is not legal after these calls; legal: {legal}")
