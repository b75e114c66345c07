"""Two policies on the same deals: all seatings in which both are present, the deal as the unit."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np

from schmier_sim._jit import kernel
from schmier_sim.engine.deal import deal_cards, first_dealer
from schmier_sim.engine.game import winning_teams
from schmier_sim.engine.hand import drop_plan, next_dealer, play_deal, play_until_bid
from schmier_sim.engine.state import new_tables, new_views, seat_players
from schmier_sim.engine.switches import team_count, team_of
from schmier_sim.policies.base import Policy
from schmier_sim.policies.faults import policy_fault, showing
from schmier_sim.rules import MAX_DEALS, Rules
from schmier_sim.simulate import seating_answers
from schmier_sim.stats import Interval, ratio_difference
from schmier_sim.threads import threads

# The columns of `compare_deals`: twice the sum over seatings of (mean of A less mean of B), then
# sum of scores and number of teams, for A and B as the bidding team and as a defending one.
_MARGIN, _A_BID, _B_BID, _A_DEFENDS, _B_DEFENDS = 0, 1, 3, 5, 7
COLUMNS: Final = 9

_CHUNK: Final = 250
"""No thread plays more hands at a time, so that Ctrl-C is heard soon."""

Progress = Callable[[int], None]
"""Takes the number of hands, or games, that are done."""


@dataclass(frozen=True)
class Match:
    """Two policies and the table on which they meet.

    Attributes
    ----------
    a, b : Policy
    auction_by : Policy, optional
        Makes all calls, names all trumps and throws all discards, so that only the play differs;
        left out, each policy does everything itself.
    rules : Rules
    seed : int
    """

    a: Policy
    b: Policy
    auction_by: Policy | None = None
    rules: Rules = field(default_factory=Rules)
    seed: int = 1

    @property
    def sides(self) -> list[int]:
        """The teams that play A in each seating, as masks: all but none and all."""
        return list(range(1, 2**self.rules.n_teams - 1))

    def seated(self, policy: Policy) -> Policy:
        """Return a policy as it sits here, its auction perhaps made for it."""
        other = self.auction_by
        if other is None:
            return policy
        call, trump, discard, _ = other.functions
        play = policy.functions[3]
        return Policy(policy.name, policy.summary, policy.uses_bid, call, trump, discard, play)

    def seatings(self) -> list[list[Policy]]:
        """Return the six policies by seat of each seating."""
        a, b = self.seated(self.a), self.seated(self.b)
        teams = self.rules.n_teams
        return [[a if side >> seat % teams & 1 else b for seat in range(6)] for side in self.sides]


@kernel
def note_deal(table: Any, view: Any, side: int, out: np.ndarray) -> None:
    """Add one played deal to a row of `compare_deals`."""
    teams = team_count(view.rules)
    bidding_team = team_of(view.bidder, view.rules)
    of_a, of_b, n_a = 0, 0, 0
    for team in range(teams):
        score = table.score[team]
        column = _A_BID if team == bidding_team else _A_DEFENDS
        if side >> team & 1:
            of_a += score
            n_a += 1
        else:
            of_b += score
            column += 2
        out[column] += score
        out[column + 1] += 1
    # One team against two, or one against one: twice the difference of means is whole.
    out[_MARGIN] += 2 // n_a * of_a - 2 // (teams - n_a) * of_b


@kernel
def compare_deals(
    tables: Any, views: Any, answers: Any, sides: np.ndarray, seed: int, start: int, out: np.ndarray
) -> tuple[int, int, int]:
    """Play each deal in every seating.

    Parameters
    ----------
    answers : ndarray of int64, shape (seatings, 24)
    sides : ndarray of int64, shape (seatings,)
        Mask of the teams that play A.
    out : ndarray of int64, shape (n, 9)
        Filled for hands ``start`` to ``start + n``; must be zero.

    Returns
    -------
    (hand, attempt, seating) of the first illegal answer; (-1, 0, 0) if there was none
    """
    table, view = tables[0], views[0]
    for i in range(len(out)):
        for k in range(len(sides)):
            drop_plan(table)
            seat_players(table, answers[k])
            deal_cards(table, seed, start + i, 0)
            dealer = first_dealer(table, seed, start + i)
            attempt = play_until_bid(table, view, dealer, seed, start + i)
            if table.fault >= 0:
                return start + i, attempt, k
            if attempt < MAX_DEALS:
                note_deal(table, view, sides[k], out[i])
    return -1, 0, 0


@kernel
def play_game(table: Any, view: Any, seed: int, game: int) -> int:
    """Play one game; return the mask of winners, 0 if it is unfinished (W3), -1 for a fault."""
    index, attempt = game * MAX_DEALS, 0
    view.scores[:] = 0
    dealer = first_dealer(table, seed, index)
    for _ in range(MAX_DEALS):
        deal_cards(table, seed, index, attempt)
        play_deal(table, view, dealer)
        if table.fault >= 0:
            return -1
        thrown_in = view.bidder < 0
        if thrown_in:
            attempt += 1
        else:
            for team in range(3):
                view.scores[team] += table.score[team]
            team = team_of(view.bidder, view.rules)
            winners = winning_teams(view.scores, team, table.made == 1, view.rules)
            if winners:
                return winners
            index, attempt = index + 1, 0
        dealer = next_dealer(dealer, thrown_in, view.rules)
    return 0


@kernel
def compare_games(
    tables: Any, views: Any, answers: Any, sides: np.ndarray, seed: int, start: int, out: np.ndarray
) -> tuple[int, int, int]:
    """Play each game in every seating; like `compare_deals`.

    Parameters
    ----------
    out : ndarray of int64, shape (n, seatings)
        Filled with the mask of winners.
    """
    table, view = tables[0], views[0]
    drop_plan(table)
    for i in range(len(out)):
        for k in range(len(sides)):
            seat_players(table, answers[k])
            out[i, k] = play_game(table, view, seed, start + i)
            if table.fault >= 0:
                return start + i, 0, k
    return -1, 0, 0


class Judge:
    """Plays a match in threads; the numbers do not depend on how many.

    Parameters
    ----------
    jobs : int
        Number of threads.
    """

    def __init__(self, match: Match, jobs: int = 1) -> None:
        self.match = match
        self.jobs = jobs
        self._seatings = match.seatings()
        self._answers = seating_answers(self._seatings)
        self._sides = np.array(match.sides, np.int64)

    def _play(self, compiled: Any, what: str, start: int, out: np.ndarray) -> None:
        tables, views = new_tables(1), new_views(1)
        views["rules"] = self.match.rules.packed
        index, attempt, k = compiled(
            tables, views, self._answers, self._sides, self.match.seed, start, out
        )
        if index >= 0:
            where = f"seed {self.match.seed}, {what} {index}, attempt {attempt}, seating {k}"
            row = self._seatings[k]
            more = ("--game",) if what == "game" else ()
            command = showing(row, self.match.rules, self.match.seed, int(index), *more)
            raise policy_fault(tables[0], views[0], row, where, command)

    def _round(self, pool: ThreadPoolExecutor, task: tuple[Any, str], out: np.ndarray,
               ends: tuple[int, int], progress: Progress | None) -> None:  # fmt: skip
        """Play a part of `out`, in pieces over the threads."""
        start, stop = ends
        chunk = max(1, min(_CHUNK, (stop - start) // (4 * self.jobs)))
        edges = [*range(start, stop, chunk), stop]
        pieces = [
            pool.submit(self._play, *task, a, out[a:b])
            for a, b in zip(edges, edges[1:], strict=False)
        ]
        try:
            for end, piece in zip(edges[1:], pieces, strict=True):
                piece.result()
                if progress:
                    progress(end)
        finally:
            for piece in pieces:
                piece.cancel()

    def _rounds(self, task: tuple[Any, str], out: np.ndarray, stops: Sequence[int],
                progress: Progress | None) -> Iterator[np.ndarray]:  # fmt: skip
        start = 0
        with threads(self.jobs) as pool:
            for stop in stops:
                self._round(pool, task, out, (start, stop), progress)
                yield out[:stop]
                start = stop

    def deal_rounds(
        self, stops: Sequence[int], progress: Progress | None = None
    ) -> Iterator[np.ndarray]:
        """Play deals in rounds; give, after each, the counts of `compare_deals` of all so far.

        Parameters
        ----------
        stops : sequence of int
            After how many deals each round ends.

        Raises
        ------
        PolicyFault
            If a policy answers illegally.
        """
        out = np.zeros((stops[-1], COLUMNS), np.int16)
        return self._rounds((compare_deals, "hand"), out, stops, progress)

    def game_rounds(
        self, stops: Sequence[int], progress: Progress | None = None
    ) -> Iterator[np.ndarray]:
        """Play games in rounds; give, after each, the masks of winners, (games, seatings)."""
        out = np.zeros((stops[-1], len(self._sides)), np.int8)
        return self._rounds((compare_games, "game"), out, stops, progress)

    def deals(self, hands: int) -> np.ndarray:
        """Return the counts of `compare_deals`, (hands, 9)."""
        (deals,) = self.deal_rounds([hands])
        return deals

    def games(self, games: int) -> np.ndarray:
        """Return the masks of winners, (games, seatings)."""
        (winners,) = self.game_rounds([games])
        return winners


def margins(deals: np.ndarray, match: Match) -> np.ndarray:
    """Return, by deal, the mean score of teams that play A less that of teams that play B."""
    return np.asarray(deals[:, _MARGIN] / (2 * len(match.sides)))


def as_bidder(deals: np.ndarray) -> Interval:
    """Return the mean score of bidding teams that play A less that of those that play B."""
    return _split(deals, _A_BID, _B_BID)


def as_defender(deals: np.ndarray) -> Interval:
    """Return the mean score of defending teams that play A less that of those that play B."""
    return _split(deals, _A_DEFENDS, _B_DEFENDS)


def _split(deals: np.ndarray, a: int, b: int) -> Interval:
    return ratio_difference(deals[:, a], deals[:, a + 1], deals[:, b], deals[:, b + 1])


def win_shares(games: np.ndarray, match: Match) -> np.ndarray:
    """Return, by game, wins per team that plays A less wins per team that plays B.

    A shared win counts a half each; an unfinished game counts for nobody.
    """
    teams = match.rules.n_teams
    shares = np.zeros(games.shape)
    for k, side in enumerate(match.sides):
        won = np.stack([games[:, k] >> team & 1 for team in range(teams)], axis=1).astype(float)
        won /= np.maximum(won.sum(axis=1, keepdims=True), 1)
        plays_a = np.array([side >> team & 1 for team in range(teams)], bool)
        shares[:, k] = won[:, plays_a].mean(axis=1) - won[:, ~plays_a].mean(axis=1)
    return np.asarray(shares.mean(axis=1))
