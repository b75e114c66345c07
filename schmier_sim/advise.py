"""Should I bid? Every legal call, and every sensible suit, played on the same sampled deals."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import count
from typing import Final

import numpy as np

from schmier_sim.around import BIDDER, FRESH, POINTS, SCORES, Outcomes, Table
from schmier_sim.bits import count_bits
from schmier_sim.cards import SUIT_MASK
from schmier_sim.errors import InputError
from schmier_sim.policies.base import Policy
from schmier_sim.situation import ME, Situation
from schmier_sim.stats import CONFIDENCE, Interval, mean_interval

INDIFFERENCE: Final = 0.05
"""Points: calls that differ by less are equal for a person."""
MOST_HANDS: Final = 20_000_000
FEWEST_HANDS: Final = 100
_HOPELESS: Final = 0.2
DEFAULT_HANDS: Final = 20_000
DEFAULT_SEED: Final = 1


def values(outcomes: np.ndarray, n_teams: int) -> np.ndarray:
    """Return the value of each outcome: own change of score less the mean of the other teams'."""
    scores = outcomes[:, SCORES].astype(float)
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
    facts: np.ndarray  # of the first deals: see `around.note_facts`
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

    table: Table
    named: int | None
    """The suit that was given."""
    hands: int
    suits: tuple[SuitResult, ...]
    calls: tuple[CallResult, ...]
    confidence: float = CONFIDENCE
    """Of the limits by which it is decided: higher after several looks."""
    wanted: int = DEFAULT_HANDS
    """Deals asked for; `hands` are fewer if not so many were found that fit the calls."""
    searched: tuple[int, float] | None = None
    """Deals at first and precision, if that is how it came to this number of deals."""
    interrupted: bool = False
    """Whether Ctrl-C kept it from going on to the precision asked for."""

    @property
    def situation(self) -> Situation:
        """Who asks what."""
        return self.table.situation

    @property
    def policies(self) -> tuple[Policy, ...]:
        """The players by seat."""
        return self.table.policies

    @property
    def seed(self) -> int:
        """The seed of the sampled deals."""
        return self.table.seed

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
        return len(self.calls) == 1 or self.behind(self.calls[1]).low > 0

    @property
    def equal(self) -> list[CallResult]:
        """The calls that are certainly within `INDIFFERENCE` of the best."""
        rows = self.calls[1:] if self.hands >= FEWEST_HANDS else ()
        return [row for row in rows if self.behind(row).high < INDIFFERENCE]

    def behind(self, row: CallResult) -> Interval:
        """Return how far a call is behind the best, with the limits by which it is decided."""
        return mean_interval(self.best.values - row.values, self.confidence)

    def of(self, call: int) -> CallResult | None:
        """Return the row of a call, None if it is not legal."""
        return next((row for row in self.calls if row.call == call), None)

    def subject(self, asked: int | None) -> CallResult | None:
        """Return the bid that an answer is about: that asked for, the best, or the nearest."""
        if asked:
            return self.of(asked)
        return next((row for row in self.calls if row.call), None)

    def versus_pass(self, call: int, confidence: float = CONFIDENCE) -> Interval | None:
        """Return the paired difference of a bid and a pass; None if one of them is not legal."""
        bid, passing = self.of(call), self.of(0)
        if bid is None or passing is None or call == 0:
            return None
        return mean_interval(bid.values - passing.values, confidence)

    def is_hopeless(self, row: CallResult) -> bool:
        """Whether a pass is best and the bid is made far less often than it would need."""
        made, got = row.make
        if self.best.call or self.verdict(row.call) != "no" or not got or row.needs is None:
            return False
        return made / got < row.needs - _HOPELESS

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
        points = outcomes[:, POINTS].astype(int)
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


def fate(outcomes: np.ndarray, call: int) -> tuple[np.ndarray, np.ndarray]:
    """Return in which deals a call of mine won the auction, and in which of them it was made."""
    mine = (outcomes[:, BIDDER] == ME) & (outcomes[:, FRESH] == 0)
    got = mine if call else np.zeros(len(outcomes), bool)
    return got, got & (outcomes[:, POINTS][:, 0] >= call)


def rank(plays: Sequence[tuple[int, int | None, Outcomes]], n_teams: int) -> list[CallResult]:
    """Order calls by value and compare each, deal by deal, with the best (the best with itself).

    Parameters
    ----------
    plays : sequence of (call, trump or None, what became of the same deals)
    """
    scored = [(*play, values(play[2].outcomes, n_teams)) for play in plays]
    means = [float(value.mean()) for *_, value in scored]
    best = int(np.argmax(means))
    rows = []
    for i, (call, trump, (out, facts), value) in enumerate(scored):
        got, made = fate(out, call)
        rival = max((m for j, m in enumerate(means) if j != i), default=means[i])
        others = float(out[got][:, POINTS][:, 1:n_teams].mean()) if got.any() else 0.0
        behind = mean_interval(scored[best][3] - value)
        needs = _break_even(call, got, made, value, rival, others) if call else None
        points = mean_interval(value)
        rows.append(CallResult(call, trump, value, got, made, facts, points, behind, needs))
    return sorted(rows, key=lambda row: (-row.points.mean, row.call))


def _study(table: Table, trump: int | None, hands: int) -> Advice:
    """Play everything on the same deals."""
    situation = table.situation
    tried = [trump] if trump is not None else sensible_suits(situation.hand)
    suits = [_try_suit(table, suit, hands) for suit in tried]
    plays: list[tuple[int, int | None, Outcomes]] = []
    for call in situation.legal:
        if call == 0:
            plays.append((0, None, table.play_noting(0, -1, -1, hands)))
            continue
        best = max(suits, key=lambda suit: suit.value[call])
        plays.append((call, best.trump, table.play_noting(call, best.trump, -1, hands)))
    calls = rank(plays, situation.rules.n_teams)
    found = len(table.hidden.numbers(hands))
    return Advice(table, trump, found, tuple(suits), tuple(calls), wanted=hands)


def _is_settled(advice: Advice, asked: int | None) -> bool:
    """Whether more deals would hardly change the words.

    Every other call is certainly worse than the best or certainly equal for a person; and what
    was asked about is certainly better, worse or within the zone of indifference.
    """
    if advice.hands < FEWEST_HANDS:
        return False
    for row in advice.calls[1:]:
        behind = advice.behind(row)
        if behind.low <= 0 and behind.high >= INDIFFERENCE:
            return False
    difference = advice.versus_pass(asked, advice.confidence) if asked is not None else None
    if difference is None:
        return True
    edges = (-INDIFFERENCE, INDIFFERENCE)
    return not any(difference.low <= edge <= difference.high for edge in edges)


def _confidence(look: int, looks: bool) -> float:
    """Return the level of a look: all of them together err as seldom as a single one.

    The k-th look spends 1 / (k (k + 1)) of the error; over all k this adds up to one.
    """
    return 1 - (1 - CONFIDENCE) / (look * (look + 1)) if looks else CONFIDENCE


def advise(
    table: Table,
    *,
    trump: int | None = None,
    asked: int | None = None,
    hands: int = DEFAULT_HANDS,
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
    asked : int, optional
        The bid in question: with ``precision``, its verdict has to be certain too.
    hands : int
        Deals to play for each call, at first.
    precision : float, optional
        Double the deals until the answer is certain, or the limits of every `behind_best` are
        within so many points.
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
    began, first = time.monotonic(), hands
    advice: Advice | None = None
    for look in count(1):
        try:
            if progress:
                progress(hands)
            studied = _study(table, trump, hands)
        except KeyboardInterrupt:
            if advice is None:
                raise
            return replace(advice, interrupted=True)
        advice = replace(studied, confidence=_confidence(look, precision is not None))
        if precision is None or _is_settled(advice, asked) or 2 * hands > MOST_HANDS:
            break
        widths = [row.behind_best.high - row.behind_best.mean for row in advice.calls]
        if max(widths) <= precision:
            break
        if seconds is not None and 2 * (time.monotonic() - began) > seconds:
            return advice
        hands *= 2
    assert advice is not None
    return advice if precision is None else replace(advice, searched=(first, precision))


def check_bid(situation: Situation, bid: int) -> None:
    """Raise InputError unless a bid may be asked about."""
    rules = situation.rules
    if not rules.min_bid <= bid <= rules.max_bid:
        raise InputError(f"--bid {bid}: bids are {rules.min_bid} to {rules.max_bid}")
    if bid not in situation.legal:
        legal = ", ".join(str(call) if call else "pass" for call in situation.legal)
        raise InputError(f"--bid {bid} is not legal after these calls; legal: {legal}")
