"""An experiment, and how its hands are played and counted, in threads over compiled kernels."""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Sequence
from concurrent.futures import Future, wait
from dataclasses import dataclass, field
from itertools import chain
from operator import itemgetter
from typing import Any, Final, Protocol

import numpy as np

from schmier_sim._jit import JIT_ENABLED, kernel, zeros_apart
from schmier_sim.engine.deal import deal_cards, first_dealer
from schmier_sim.engine.hand import drop_plan, plan_bidder, play_until_bid
from schmier_sim.engine.state import new_tables, new_views, seat_players
from schmier_sim.policies.base import Policy, answers_of, levels_played
from schmier_sim.policies.faults import policy_fault, showing
from schmier_sim.rules import Rules
from schmier_sim.tally import Tally, count_cells, count_hand
from schmier_sim.threads import hearing_ctrl_c, threads

AUCTION, BIDDER = "auction", "bidder"
EXPERIMENTS: Final = (AUCTION, BIDDER)

CHUNK: Final = 20_000
"""The most hands that a thread takes at a time."""

_FIRST: Final = 16 if JIT_ENABLED else 2  # hands, while it is not known how fast the players are
_SECONDS: Final = 0.25  # that a thread plays at most before it hears that the run is to end
_WAITING: Final = 256  # hands that are counted together
_NAP: Final = 0.002  # seconds between two looks whether all threads rest
_TICK: Final = 0.1  # seconds between two looks at the progress
_KEEP_EVERY: Final = 10.0  # seconds between two states that are handed out
_KEEP_EVERY_IF_HANGING: Final = 1.0  # the same with players who may never answer
_PATIENCE: Final = 1.5  # seconds after Ctrl-C for players who may never answer


@dataclass(frozen=True)
class Experiment:
    """What is played; together with a range of hands it fixes every number of the result.

    Attributes
    ----------
    kind : str
        ``auction``: hands as the policies call and play. ``bidder``: on each deal one seat is the
        bidder in one suit, both by turns, and the others pass.
    rules : Rules
    seatings : tuple of six tuples of six Policy
        Who sits where; in ``bidder`` the row of the bidder's seat holds, in ``auction`` row 0.
    seed : int
    """

    kind: str
    seatings: tuple[tuple[Policy, ...], ...]
    rules: Rules = field(default_factory=Rules)
    seed: int = 1

    @classmethod
    def at_one_table(
        cls, kind: str, policies: Sequence[Policy], rules: Rules | None = None, seed: int = 1
    ) -> Experiment:
        """Return an experiment in which everybody keeps his seat."""
        return cls(kind, (tuple(policies),) * 6, rules or Rules(), seed)

    @property
    def levels(self) -> int:
        """How many levels of the bid are played by turns: one, if no player looks at the level."""
        return levels_played([each for row in self.seatings for each in row], self.rules)


@kernel
def tally_hands(
    tables: Any,
    views: Any,
    answers: Any,
    forced: bool,
    levels: int,
    seed: int,
    hands: tuple[int, int],
    counters: tuple[np.ndarray, np.ndarray, np.ndarray],
) -> tuple[int, int]:
    """Play and count hands from ``hands[0]`` up to, not including, ``hands[1]``.

    Parameters
    ----------
    answers : ndarray of int64, shape (6, 24)
        Of the seatings of an `Experiment`.
    forced : bool
        Whether it is the experiment ``bidder``.
    counters : (cells, totals, waiting)
        Those of a `Tally`, the cells in one row; room for the cells that are counted together.

    Returns
    -------
    (hand, attempt) of the first illegal answer; (-1, 0) if there was none
    """
    table, view = tables[0], views[0]
    cells, totals, waiting = counters
    number = 0
    seat_players(table, answers[0])
    for index in range(hands[0], hands[1]):
        drop_plan(table)
        if forced:
            seat_players(table, answers[plan_bidder(table, view.rules, index, levels)])
        deal_cards(table, seed, index, 0)
        dealer = first_dealer(table, seed, index)
        thrown_in = play_until_bid(table, view, dealer, seed, index)
        if table.fault >= 0:
            count_cells(cells, waiting, number)
            return index, thrown_in
        cell = count_hand(table, view, thrown_in, totals)
        if cell >= 0:
            waiting[number] = cell
            number += 1
        if number == len(waiting):
            count_cells(cells, waiting, number)
            number = 0
    count_cells(cells, waiting, number)
    return -1, 0


class Watcher(Protocol):
    """Who is told how a run goes on."""

    def progress(self, done: int) -> None:
        """Hear, some ten times a second, how many hands are played."""

    def keep(self, at: int, tally: Tally) -> None:
        """Take the tally of all hands before ``at``: now and then, at the end, after Ctrl-C.

        The threads play on meanwhile. May raise, to stop the run.
        """


class _Queue:
    """Hands out a range in pieces, in order, so that what was taken and played has no gaps.

    Only the threads that play take the lock: Ctrl-C, which strikes the main thread anywhere, never
    leaves it locked. The main thread sets flags and reads counters.
    """

    def __init__(self, start: int, stop: int, jobs: int) -> None:
        self.at, self.done, self.playing = start, 0, 0
        self.is_held, self.is_closed = False, False
        self._stop, self._jobs = stop, jobs
        self._faults: list[tuple[int, BaseException]] = []
        self._lock = threading.Lock()

    def take(self, most: int) -> tuple[int, int] | None:
        """Return the next piece; None if there is none, or none shall be played any more."""
        while True:
            with self._lock:
                self.playing += 1  # before the look at the flag: whoever sets it looks here then
                if not (self.is_held or self._is_over):
                    start, self.at = self.at, self.at + min(most, self._share)
                    return start, self.at
                self.playing -= 1
                if self._is_over:
                    return None
            time.sleep(_NAP)

    @property
    def _is_over(self) -> bool:
        return self.is_closed or self.at >= self._stop

    @property
    def _share(self) -> int:
        """What one thread may take: less towards the end, so that all end together."""
        left = self._stop - self.at
        return min(left, max(_FIRST, left // (2 * self._jobs)))

    def give_back(self, piece: tuple[int, int], fault: BaseException | None = None) -> None:
        """Hear that a piece is played, or that it came to an end with a fault."""
        with self._lock:
            if fault is None:
                self.done += piece[1] - piece[0]
            else:
                self._faults.append((piece[0], fault))
                self.is_closed = True
            self.playing -= 1

    def rest(self, patience: float = math.inf) -> bool:
        """Wait until nothing is played any more; return whether that came in time."""
        until = time.monotonic() + patience
        while self.playing:
            if time.monotonic() > until:
                return False
            time.sleep(_NAP)
        return True

    def check(self) -> None:
        """Raise the fault of the first hand that had one; all hands before it are played."""
        if self._faults:
            raise min(self._faults, key=itemgetter(0))[1]


class _Worker:
    """The memory that one thread plays in."""

    def __init__(self, experiment: Experiment, chunk: int) -> None:
        self.experiment, self.chunk = experiment, chunk
        self.tables, self.views = new_tables(1), new_views(1)
        self.views["rules"] = experiment.rules.packed
        self.tally = Tally.empty()
        waiting = zeros_apart(_WAITING, np.int64)
        self._counters = self.tally.cells.reshape(-1), self.tally.totals, waiting

    def work(self, answers: Any, queue: _Queue) -> None:
        """Play pieces until there are no more; they grow to the chunk if the players are fast."""
        size = min(self.chunk, _FIRST)
        while (piece := queue.take(size)) is not None:
            began = time.monotonic()
            try:
                self.play(answers, *piece)
            except BaseException as fault:
                queue.give_back(piece, fault)
                return
            queue.give_back(piece)
            per_second = (piece[1] - piece[0]) / max(time.monotonic() - began, 1e-6)
            size = max(1, min(self.chunk, 4 * size, int(per_second * _SECONDS)))

    def play(self, answers: Any, start: int, stop: int) -> None:
        """Play a range of hands into this worker's tally."""
        experiment = self.experiment
        index, attempt = tally_hands(
            self.tables, self.views, answers, experiment.kind == BIDDER, experiment.levels,
            experiment.seed, (start, stop), self._counters,
        )  # fmt: skip
        if index >= 0:
            forced = experiment.kind == BIDDER
            row = experiment.seatings[index % 6 if forced else 0]
            where = f"seed {experiment.seed}, hand {index}, attempt {attempt}"
            more = ("--experiment", BIDDER) if forced else ()
            command = showing(row, experiment.rules, experiment.seed, index, *more)
            raise policy_fault(self.tables[0], self.views[0], row, where, command)


def seating_answers(seatings: Sequence[Sequence[Policy]]) -> np.ndarray:
    """Return the functions of all seatings, (6, 24), for `tally_hands`."""
    found = {row: answers_of(row) for row in {tuple(row) for row in seatings}}
    return np.array([found[tuple(row)] for row in seatings])


def run(
    experiment: Experiment,
    start: int,
    stop: int,
    jobs: int = 1,
    watcher: Watcher | None = None,
    chunk: int = CHUNK,
) -> Tally:
    """Play hands ``start`` to ``stop`` and return their tally.

    The result is the same for any number of jobs, any chunk and any division of the range.

    Parameters
    ----------
    watcher : Watcher, optional
        On Ctrl-C the pieces under way are played to their end (well under a second) and it may
        keep what is done, a range without gaps, before KeyboardInterrupt goes on. Plug-ins that
        do not answer are given up then; nothing since the last state handed out is kept.
    chunk : int
        The most hands that a thread takes at a time; fewer if the players are slow.

    Raises
    ------
    PolicyFault
        If a policy answers illegally: policy, seat, seed and hand are named; of several faults
        that of the first hand.
    """
    queue = _Queue(start, stop, jobs)
    workers = [_Worker(experiment, chunk) for _ in range(jobs)]
    answers = hearing_ctrl_c(seating_answers, experiment.seatings)  # may have to be compiled
    may_hang = any(each.is_foreign for each in {*chain(*experiment.seatings)})
    every = _KEEP_EVERY_IF_HANGING if may_hang else _KEEP_EVERY
    with threads(jobs) as pool:
        try:
            tasks = [pool.submit(worker.work, answers, queue) for worker in workers]
            _watch(tasks, queue, workers, watcher, every)
            queue.check()
            if not watcher:
                return _sum(workers, workers[0].tally)
            tally = _sum(workers)
            watcher.keep(stop, tally)
            return tally
        except KeyboardInterrupt:
            queue.is_closed = True
            # If nothing is done, it may still be compiling, for which nobody waits.
            if queue.done and queue.rest(_PATIENCE if may_hang else math.inf):
                queue.check()
                if watcher:
                    watcher.keep(queue.at, _sum(workers))
            raise
        finally:
            queue.is_closed = True


def _watch(
    tasks: Sequence[Future[None]],
    queue: _Queue,
    workers: Sequence[_Worker],
    watcher: Watcher | None,
    every: float,
) -> None:
    """Tell the watcher how it goes on, until all is played."""
    due = time.monotonic() + every
    while wait(tasks, _TICK).not_done:
        if not watcher:
            continue
        watcher.progress(queue.done)
        if time.monotonic() > due:
            _hand_out(queue, workers, watcher)
            due = time.monotonic() + every
    for task in tasks:
        task.result()
    if watcher:
        watcher.progress(queue.done)


def _hand_out(queue: _Queue, workers: Sequence[_Worker], watcher: Watcher) -> None:
    """Let the watcher keep what is played, unless there was a fault; all threads rest shortly."""
    queue.is_held = True
    try:
        queue.rest()
        if queue.is_closed:
            return
        at, tally = queue.at, _sum(workers)
    finally:
        queue.is_held = False
    watcher.keep(at, tally)


def _sum(workers: Sequence[_Worker], total: Tally | None = None) -> Tally:
    """Return the counts of all workers, in memory of its own or in that of the first one."""
    if total is None:
        total = workers[0].tally.copy()
    for worker in workers[1:]:
        if worker.tally.totals.any():  # it has played
            total.add(worker.tally)
    return total
