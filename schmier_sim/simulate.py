"""An experiment, and how its hands are played and counted, in threads over compiled kernels."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np

from schmier_sim._jit import JIT_ENABLED, kernel
from schmier_sim.engine.deal import deal_cards, first_dealer
from schmier_sim.engine.hand import drop_plan, plan_bidder, play_until_bid
from schmier_sim.engine.state import new_tables, new_views, seat_players
from schmier_sim.policies.base import Policy, answers_of, levels_played
from schmier_sim.policies.faults import policy_fault, showing
from schmier_sim.rules import Rules
from schmier_sim.tally import Tally, count_hand
from schmier_sim.threads import threads

AUCTION, BIDDER = "auction", "bidder"
EXPERIMENTS: Final = (AUCTION, BIDDER)

_ROUND_SECONDS = 0.5
_PATIENCE = 1.5  # seconds after Ctrl-C for a round with players who may never answer
_FIRST_ROUND = 2_000 if JIT_ENABLED else 20


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
    counters: tuple[np.ndarray, np.ndarray],
) -> tuple[int, int]:
    """Play and count hands from ``hands[0]`` up to, not including, ``hands[1]``.

    Returns
    -------
    (hand, attempt) of the first illegal answer; (-1, 0) if there was none
    """
    table, view = tables[0], views[0]
    cells, totals = counters
    seat_players(table, answers[0])
    for index in range(hands[0], hands[1]):
        drop_plan(table)
        if forced:
            seat_players(table, answers[plan_bidder(table, view.rules, index, levels)])
        deal_cards(table, seed, index, 0)
        dealer = first_dealer(table, seed, index)
        thrown_in = play_until_bid(table, view, dealer, seed, index)
        if table.fault >= 0:
            return index, thrown_in
        count_hand(table, view, thrown_in, cells, totals)
    return -1, 0


class _Worker:
    """The memory that one thread plays in."""

    def __init__(self, experiment: Experiment) -> None:
        self.experiment = experiment
        self.tables, self.views = new_tables(1), new_views(1)
        self.views["rules"] = experiment.rules.packed
        self.tally = Tally.empty()

    @property
    def may_hang(self) -> bool:
        """Whether a player is none of ours."""
        return any(each.is_foreign for row in self.experiment.seatings for each in row)

    def play(self, answers: Any, start: int, stop: int) -> None:
        """Play a range of hands into this worker's tally."""
        experiment = self.experiment
        index, attempt = tally_hands(
            self.tables, self.views, answers, experiment.kind == BIDDER, experiment.levels,
            experiment.seed, (start, stop), (self.tally.cells, self.tally.totals),
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
    return np.array([answers_of(row) for row in seatings])


def run(
    experiment: Experiment,
    start: int,
    stop: int,
    jobs: int = 1,
    after_round: Callable[[int, Tally], None] | None = None,
) -> Tally:
    """Play hands ``start`` to ``stop`` and return their tally.

    The result is the same for any number of jobs and any division of the range.

    Parameters
    ----------
    after_round : function of (next hand, tally of all before), optional
        Called about every half second; may raise to stop the run. On Ctrl-C the round under way
        is finished, and it is called once more before KeyboardInterrupt goes on; a round with
        plug-ins that does not end soon is given up.

    Raises
    ------
    PolicyFault
        If a policy answers illegally: policy, seat, seed and hand are named.
    """
    answers = seating_answers(experiment.seatings)
    workers = [_Worker(experiment) for _ in range(jobs)]
    size = _FIRST_ROUND * jobs
    at = start
    with threads(jobs) as pool:
        while at < stop:
            began = time.monotonic()
            end = min(stop, at + size)
            interrupted = _play_round(pool, workers, answers, at, end)
            at = end
            if after_round:
                after_round(at, _sum(workers))
            if interrupted:
                raise KeyboardInterrupt
            spent = max(time.monotonic() - began, 1e-3)
            size = max(jobs, int(size * min(4.0, _ROUND_SECONDS / spent)))
    return _sum(workers)


def _play_round(
    pool: ThreadPoolExecutor, workers: Sequence[_Worker], answers: Any, start: int, stop: int
) -> bool:
    """Let every worker play its share; return whether Ctrl-C was pressed meanwhile."""
    edges = np.linspace(start, stop, len(workers) + 1).astype(int).tolist()
    tasks = [
        pool.submit(worker.play, answers, a, b)
        for worker, a, b in zip(workers, edges, edges[1:], strict=False)
    ]
    interrupted = False
    while True:
        try:
            for task in tasks:
                task.result()
            return interrupted
        except KeyboardInterrupt:
            interrupted = True
            if any(worker.may_hang for worker in workers):
                _, running = wait(tasks, _PATIENCE)
                if running:
                    raise


def _sum(workers: Sequence[_Worker]) -> Tally:
    total = Tally.empty()
    for worker in workers:
        total += worker.tally
    return total
