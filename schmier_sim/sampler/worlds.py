"""The sampler for Python: many worlds at once, with weights, and a word on why nothing fits."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from schmier_sim.cards import SUIT_NAMES
from schmier_sim.engine.state import CALL, new_tables, new_views
from schmier_sim.errors import InputError
from schmier_sim.policies.base import Policy, answers_of
from schmier_sim.rng import MAX_SEED
from schmier_sim.sampler.calls import MOST_ASKED
from schmier_sim.sampler.checks import (
    check_errors,
    check_facts,
    check_policies,
    check_view,
    check_whole,
)
from schmier_sim.sampler.counting import count_worlds
from schmier_sim.sampler.drawing import draw_worlds
from schmier_sim.sampler.knowledge import Fact, check_agreement
from schmier_sim.sampler.plan import (
    FITS,
    NOTHING_FITS,
    TOO_MANY_KINDS,
    new_plan,
    read_view,
)
from schmier_sim.sampler.weighing import ERRORS, Errors, count_usual, draw_weighted
from schmier_sim.threads import threads

_MOST_WORLDS = 10**9
_MOST_JOBS = 1024
_LEAST_ASKED = 100


class Worlds(NamedTuple):
    """Worlds with their weights."""

    cards: np.ndarray
    """int64, (n, 9): the six hands, plain discards of others, the stock, trumps in excess."""
    weights: np.ndarray
    """float, (n,): mean 1, or 0 if nothing drawn explains what was done and no error is allowed."""
    likelihood: float
    """The chance of all that the others did, as far as it is weighed: the mean before scaling."""

    @property
    def effective_size(self) -> float:
        """How many worlds of equal weight would tell as much: (sum w)^2 / sum w^2."""
        return effective_size(self.weights)


def effective_size(weights: np.ndarray) -> float:
    """Return (sum w)^2 / sum w^2 (Kish 1965), 0 of no weights."""
    total = float(weights.sum())
    return total * total / float(np.square(weights).sum()) if total else 0.0


class Sampler:
    """Draws hidden cards from what one seat knows.

    Parameters
    ----------
    view : VIEW record
        What the seat knows: `engine.state`.
    facts : sequence of Fact
        What is known besides.

    Raises
    ------
    InputError
        If the view contradicts itself, or nothing fits; then it names facts that exclude each
        other, no more than it takes.
    """

    def __init__(self, view: Any, facts: Sequence[Fact] = ()) -> None:
        self.plans = planned(view, facts)
        self.view = view.copy()  # what it shares with an array may be written anew
        self._lock = threading.Lock()  # a plan has room for one world at a time

    def draw(self, n: int, seed: int = 1, start: int = 0) -> np.ndarray:
        """Draw worlds ``start`` and on of a seed; columns as in `Worlds.cards`."""
        first = (check_whole("seed", seed, 0, MAX_SEED), check_whole("start", start, 0, MAX_SEED))
        out = np.empty((check_whole("n", n, 1, _MOST_WORLDS), 9), np.int64)
        with self._lock:
            draw_worlds(self.plans[0], *first, out)
        return out

    def draw_weighted(
        self,
        policies: Sequence[Policy],
        n: int,
        seed: int = 1,
        errors: Errors = ERRORS,
        *,
        jobs: int = 1,
    ) -> Worlds:
        """Draw worlds, weighted by what the others did if they play by some policies.

        Parameters
        ----------
        policies : sequence of Policy, length 6
            By seat.
        n : int
            How many worlds.
        seed : int
            The same worlds are drawn as by `draw`.
        errors : four floats
            By phase (call, trump, discard, play), see `weighing.ERRORS`.
        jobs : int
            Number of threads; the result does not depend on it.
        """
        check_policies(policies)
        check_whole("seed", seed, 0, MAX_SEED)
        errors, n = check_errors(errors), check_whole("n", n, 1, _MOST_WORLDS)
        jobs = min(n, check_whole("jobs", jobs, 1, _MOST_JOBS))
        cards, weights, answers = np.empty((n, 9), np.int64), np.empty(n), answers_of(policies)

        def draw_piece(plans: Any, first: int, stop: int) -> None:
            draw_weighted(
                new_tables(1), new_views(1), plans[0], self.view, answers,
                errors, (seed, first), (cards[first:stop], weights[first:stop]),
            )  # fmt: skip

        ends = [n * job // jobs for job in range(jobs + 1)]
        with self._lock:
            if errors[CALL] < 1:
                self.plans["usual"] = self._usual(
                    answers, max(_LEAST_ASKED, min(n, MOST_ASKED)), seed
                )
            if jobs == 1:  # a thread would take as long as a hundred worlds
                draw_piece(self.plans, 0, n)
            else:
                with threads(jobs) as pool:
                    plans = [self.plans, *(self.plans.copy() for _ in range(jobs - 1))]
                    list(pool.map(draw_piece, plans, ends, ends[1:]))
        likelihood = float(weights.mean())
        return Worlds(cards, weights / likelihood if likelihood else weights, likelihood)

    def usual(self, policies: Sequence[Policy], n: int, seed: int = 1) -> np.ndarray:
        """Return by seat in what share of n worlds its player would call as it did, (6,).

        Never quite 0; 1 where nobody is to be asked.
        """
        check_policies(policies)
        with self._lock:
            return self._usual(answers_of(policies), check_whole("n", n, 1, _MOST_WORLDS), seed)

    def _usual(self, answers: np.ndarray, n: int, seed: int) -> np.ndarray:
        counts, said = np.zeros((6, 8), np.int64), self.view["calls"]
        count_usual(
            new_tables(1), new_views(1), self.plans[0], self.view, answers, (seed, n), counts
        )
        shares = (counts[range(6), np.maximum(said, 0)] + 0.5) / (n + 1)
        told = (said >= 0) & (np.arange(6) != int(self.view["seat"]))
        return np.where(told, shares, 1.0)


def planned(view: Any, facts: Sequence[Fact] = ()) -> Any:
    """Return a counted plan, as an array of one `plan.PLAN` record.

    Raises
    ------
    InputError
        If the view contradicts itself, nothing fits, or the facts speak of too many kinds of
        cards.
    """
    check_view(view)
    check_facts(view, facts)
    check_agreement(facts)
    plans = new_plan()
    status = _count(plans, view, facts, None)
    if status == TOO_MANY_KINDS:
        raise InputError(
            "--know: too many different facts of single cards to be counted; leave some out"
        )
    if status != FITS:
        raise InputError(f"no cards fit what is known: {'; '.join(_conflict(view, facts))}")
    return plans


def _count(
    plans: Any,
    view: Any,
    facts: Sequence[Fact],
    voids: Sequence[tuple[int, int]] | None,
) -> int:
    """Count with these facts, and these shown voids alone if they are given."""
    plan = plans[0]
    read_view(view, plan)
    plans["must"] = plans["cannot"] = 0
    for fact in facts:
        plans["must" if fact.holds else "cannot"][0, fact.seat] |= fact.cards
    if voids is not None:
        plans["voids"] = 0
        for seat, suit in voids:
            plans["voids"][0, seat] |= 1 << suit
    return int(count_worlds(plan))


def _shown_voids(view: Any) -> list[tuple[int, int]]:
    plans = new_plan()
    read_view(view, plans[0])
    others = [seat for seat in range(6) if seat != int(view["seat"])]
    return [(s, suit) for s in others for suit in range(4) if plans["voids"][0, s] >> suit & 1]


def _conflict(view: Any, facts: Sequence[Fact]) -> list[str]:
    """Return what excludes each other: without any one of these the others could hold."""
    left: list[Fact | tuple[int, int]] = [*facts, *_shown_voids(view)]

    def fits(some: Sequence[Fact | tuple[int, int]]) -> bool:
        known = [each for each in some if isinstance(each, Fact)]
        voids = [each for each in some if not isinstance(each, Fact)]
        return _count(new_plan(), view, known, voids) != NOTHING_FITS

    if not fits([]):
        return ["the cards of this position do not add up"]
    return [_told(each, int(view["trump"])) for each in _needed(left, fits)] + _background(view)


def _needed(
    facts: list[Fact | tuple[int, int]], fits: Callable[[Sequence[Fact | tuple[int, int]]], bool]
) -> list[Fact | tuple[int, int]]:
    """Return facts that do not fit together, none of which can be left out."""
    needed = list(facts)
    for fact in facts:
        fewer = [each for each in needed if each is not fact]
        if not fits(fewer):
            needed = fewer
    return needed


def _told(fact: Fact | tuple[int, int], trump: int) -> str:
    if isinstance(fact, Fact):
        return f"{fact.text!r}"
    seat, suit = fact
    return f"seat {seat} has shown to be out of {'trumps' if suit == trump else SUIT_NAMES[suit]}"


def _background(view: Any) -> list[str]:
    """Return the rule that may stand behind it."""
    return ["all trumps but a taker's excess are in hands (E1, E3)"] if view["trump"] >= 0 else []
