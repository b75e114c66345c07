"""Play deals one by one and keep everything that happened, for records and diagrams."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final, NamedTuple

import numpy as np

from schmier_sim._jit import kernel
from schmier_sim.engine.deal import deal_cards, first_dealer
from schmier_sim.engine.game import winning_teams
from schmier_sim.engine.hand import next_dealer, plan_bidder, play_deal
from schmier_sim.engine.state import new_tables, new_views, seat_players
from schmier_sim.engine.switches import team_of
from schmier_sim.errors import PolicyFault
from schmier_sim.policies.base import Policy, answers_of, levels_played
from schmier_sim.policies.faults import policy_fault
from schmier_sim.rules import MAX_DEALS, Rules
from schmier_sim.threads import hearing_ctrl_c

_CHUNK = 512
_FIELDS_OF_TABLE: Final = ("dealt", "stock", "thrown", "taker", "winners", "point_team", "score")
_FIELDS_OF_VIEW: Final = (
    "dealer", "bidder", "bid", "trump", "calls", "drawn", "history", "game_count",
)  # fmt: skip


class Deal(NamedTuple):
    """All of one deal, in plain integers; lists by seat, trick, point or team; cards are ids."""

    number: int
    attempt: int
    dealt: list[int]
    stock: list[int]
    thrown: list[int]
    taker: int
    winners: list[int]
    point_team: list[int]
    score: list[int]
    dealer: int
    bidder: int
    bid: int
    trump: int
    calls: list[int]
    drawn: list[int]
    history: list[int]
    game_count: list[int]
    made: bool


class GameDeal(NamedTuple):
    """A deal of a game."""

    deal: Deal
    game: dict[str, Any]
    """As in a record: ``id deal before after winners``."""


@kernel
def play_listed(tables: Any, views: Any, answers: Any, seed: int, deals: np.ndarray) -> int:
    """Play one deal on each table; return the first with an illegal answer, or the number.

    Parameters
    ----------
    deals : ndarray of int64, shape (n, 3)
        Hand index, attempt and dealer; a dealer of -1 is drawn with the deal.
    """
    for i in range(len(deals)):
        index, attempt, dealer = deals[i]
        table, view = tables[i], views[i]
        deal_cards(table, seed, index, attempt)
        if dealer < 0:
            dealer = first_dealer(table, seed, index)
        seat_players(table, answers)
        play_deal(table, view, dealer)
        if table.fault >= 0:
            return i
    return len(deals)


def deals_of(tables: Any, views: Any, numbers: Sequence[tuple[int, int]]) -> list[Deal]:
    """Return what lies on tables after play.

    Parameters
    ----------
    tables, views : TABLE and VIEW records
        One deal each.
    numbers : sequence of (hand index, attempt)
    """
    columns = {name: tables[name].tolist() for name in _FIELDS_OF_TABLE}
    columns |= {name: views[name].tolist() for name in _FIELDS_OF_VIEW}
    columns["made"] = tables["made"].astype(bool).tolist()
    return [
        Deal(number, attempt, **{name: values[i] for name, values in columns.items()})
        for i, (number, attempt) in enumerate(numbers)
    ]


class Dealer:
    """Plays deals of one seed with six policies.

    Parameters
    ----------
    policies : sequence of Policy, length 6
        By seat.
    forced : bool
        Make one seat the bidder in one suit, all by turns, as the ``bidder`` experiment does.
    """

    def __init__(
        self, policies: Sequence[Policy], rules: Rules, seed: int, *, forced: bool = False
    ) -> None:
        self.policies = tuple(policies)
        self.rules = rules
        self.seed = seed
        self.forced = forced
        self._answers = answers_of(policies)

    def play(
        self, deals: Sequence[tuple[int, int, int]], scores: Sequence[int] = (0, 0, 0)
    ) -> list[Deal]:
        """Play deals given as (hand index, attempt, dealer or -1).

        Raises
        ------
        PolicyFault
            If a policy answers illegally.
        """
        tables, views = new_tables(len(deals)), new_views(len(deals))
        views["rules"] = self.rules.packed
        views["scores"][:, : len(scores)] = scores
        if self.forced:
            levels = levels_played(self.policies, self.rules)
            for table, (index, _, _) in zip(tables, deals, strict=True):
                plan_bidder(table, self.rules.packed, index, levels)
        listed = np.array(deals, np.int64).reshape(-1, 3)
        given = (tables, views, self._answers, self.seed, listed)
        may_hang = any(each.is_foreign for each in self.policies)
        done = int(hearing_ctrl_c(play_listed, *given) if may_hang else play_listed(*given))
        if done < len(deals):
            raise self._fault(tables[done : done + 1], views[done : done + 1], deals[done])
        return deals_of(tables, views, [(number, attempt) for number, attempt, _ in deals])

    def _fault(self, tables: Any, views: Any, deal: tuple[int, int, int]) -> PolicyFault:
        index, attempt, _ = deal
        where = f"seed {self.seed}, hand {index}, attempt {attempt}"
        fault = policy_fault(tables[0], views[0], self.policies, where)
        (fault.deal,) = deals_of(tables, views, [(index, attempt)])
        return fault

    def hands(self, start: int, count: int, dealer: int | None = None) -> Iterator[Deal]:
        """Yield hands from index ``start``, the deals thrown in before each among them.

        A hand on which nobody bids ends with its 500th deal (W3).
        """
        for first in range(start, start + count, _CHUNK):
            indices = range(first, min(first + _CHUNK, start + count))
            pending = [(index, 0, -1 if dealer is None else dealer) for index in indices]
            histories: dict[int, list[Deal]] = {index: [] for index in indices}
            while pending:
                again = []
                for deal in self.play(pending):
                    histories[deal.number].append(deal)
                    if deal.bidder < 0 and deal.attempt + 1 < MAX_DEALS:
                        onward = int(next_dealer(deal.dealer, True, self.rules.packed))
                        again.append((deal.number, deal.attempt + 1, onward))
                pending = again
            for index in indices:
                yield from histories[index]

    def game(self, number: int, dealer: int | None = None) -> Iterator[GameDeal]:
        """Yield the deals of a whole game, whose hands have the indices from 500 * number."""
        teams, packed = self.rules.n_teams, self.rules.packed
        scores = [0] * teams
        index, attempt = MAX_DEALS * number, 0
        seat = -1 if dealer is None else dealer
        for n in range(1, MAX_DEALS + 1):
            (deal,) = self.play([(index, attempt, seat)], scores)
            thrown_in = deal.bidder < 0
            before = scores
            scores = [a + b for a, b in zip(before, deal.score, strict=False)]
            winners = [] if thrown_in else self._winners(deal, scores)
            unfinished = not winners and n == MAX_DEALS
            yield GameDeal(deal, {
                "id": number, "deal": n, "before": before, "after": scores,
                "winners": None if unfinished else winners,
            })  # fmt: skip
            if winners:
                return
            seat = int(next_dealer(deal.dealer, thrown_in, packed))
            index, attempt = (index, attempt + 1) if thrown_in else (index + 1, 0)

    def _winners(self, deal: Deal, scores: Sequence[int]) -> list[int]:
        packed = self.rules.packed
        by_team = np.zeros(3, np.int64)
        by_team[: len(scores)] = scores
        mask = int(winning_teams(by_team, team_of(deal.bidder, packed), deal.made, packed))
        return [team for team in range(len(scores)) if mask >> team & 1]
