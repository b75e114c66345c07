"""A match from its first deal to its figures: in rounds, until it is over, decided or stopped."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from schmier_sim._jit import JIT_ENABLED
from schmier_sim.compare import (
    COLUMNS,
    Judge,
    Match,
    Progress,
    as_bidder,
    as_defender,
    margins,
    win_shares,
)
from schmier_sim.rules import Rules
from schmier_sim.sprt import Sprt, Verdict
from schmier_sim.stats import Interval, bounded_mean_interval, mean_interval

_ROUND, _ROUND_OF_GAMES = (2_000, 100) if JIT_ENABLED else (20, 1)
"""After how many deals, or games, what is done so far is kept."""


def greatest_margin(rules: Rules) -> float:
    """Return the greatest margin that there can be.

    A team wins six points at most, all there are, while another is set on six; a mean over the
    teams of one policy holds that team and perhaps others, which then have none.
    """
    return 6 + 6 / (rules.n_teams - 1)


def greatest_share(rules: Rules) -> float:
    """Return the greatest of `win_shares`: one policy wins in all seatings.

    Half of these have one team of it, which wins 1, half all but one, which win so much together.
    """
    return (1 + 1 / (rules.n_teams - 1)) / 2


@dataclass
class Comparison:
    """What a match has come to.

    Attributes
    ----------
    match : Match
    deals : ndarray of int16, shape (deals, 9)
        See `compare_deals`.
    winners : ndarray of int8, shape (games, seatings)
        See `compare_games`.
    verdict : Verdict, optional
        Of the sequential test, if one was made.
    interrupted : bool
        Stopped by Ctrl-C; the rest speaks of the whole rounds before it.
    """

    match: Match
    deals: np.ndarray
    winners: np.ndarray
    verdict: Verdict | None = None
    interrupted: bool = False

    def figures(self) -> dict[str, Interval | None]:
        """Return A less B with limits: points per hand, in either role, and games won per team."""
        points = mean_interval(margins(self.deals, self.match))
        wins = None
        if len(self.winners):
            most = greatest_share(self.match.rules)
            wins = bounded_mean_interval(win_shares(self.winners, self.match), -most, most)
        return {
            "points_per_hand": points,
            "bidding": as_bidder(self.deals),
            "defending": as_defender(self.deals),
            "win_share": wins,
        }


def compare(judge: Judge, hands: int, games: int = 0, test: Sprt | None = None,
            progress: tuple[Progress | None, Progress | None] = (None, None),
            ) -> Comparison:  # fmt: skip
    """Play a match, deals first and then games, until it is over, decided or interrupted.

    Parameters
    ----------
    hands : int
        Number of deals; with a test the most that it may play.
    games : int
        Number of games.
    test : Sprt, optional
        Looks at the margins at fixed numbers of deals, and stops when it knows.
    progress : pair of functions, optional
        Take the number of deals, and of games, that are done.

    Raises
    ------
    InputError
        If the test needs more deals than `hands`.
    PolicyFault
        If a policy answers illegally.
    """
    match = judge.match
    done = Comparison(match, np.zeros((0, COLUMNS), np.int16), np.zeros((0, 1), np.int8))
    looks = test.looks(hands) if test else []
    stops = sorted({*looks, *_ends(looks[-1] if test else hands, _ROUND)})
    try:
        for done.deals in judge.deal_rounds(stops, progress[0]):
            if test and len(done.deals) in looks:
                done.verdict = test.verdict(margins(done.deals, match))
                if done.verdict.accepted:
                    break
        if games:
            for done.winners in judge.game_rounds(_ends(games, _ROUND_OF_GAMES), progress[1]):
                pass
    except KeyboardInterrupt:
        done.interrupted = True
    return done


def _ends(total: int, step: int) -> Sequence[int]:
    """Return where rounds of one size end, not too many; the last is shorter."""
    step = max(step, total // 100_000)
    return [*range(step, total, step), total]
