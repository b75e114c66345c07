"""What every policy has to keep to: legal answers, from what its seat may know and nothing else.

A policy that keeps to it can be trusted in every experiment; ``schmier-sim policies mine.py
--check`` tries it on a user's own.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import Any, Final, NamedTuple

import numpy as np

from schmier_sim._jit import JIT_ENABLED
from schmier_sim.cards import N_CARDS
from schmier_sim.engine.hand import play_deal
from schmier_sim.engine.state import N_PHASES, PHASES, PLAY, VIEW, call_at, new_tables, new_views
from schmier_sim.errors import PolicyFault
from schmier_sim.policies.base import Policy, answers_of
from schmier_sim.rules import SWITCHES, Rules, Value
from schmier_sim.simulate import AUCTION, BIDDER, Experiment, run

_HOOK: Final = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_void_p)
_BIDS: Final[dict[str, Value]] = {"min_bid": 2, "max_bid": 5}
_SWAPS: Final = 12  # of hidden cards, for each deal and seat


def changes_of_rules() -> list[dict[str, Value]]:
    """Return every switch at each of its other values (of targets one), and many at once."""
    default, found = Rules(), []
    for switch in SWITCHES:
        values: Iterable[Value] = (11,) if switch.name == "target" else switch.values
        found += [
            {switch.name: value} for value in values if value != getattr(default, switch.name)
        ]
    lowest, highest = default.min_bid, default.max_bid
    single = [
        each
        for each in found
        if int(each.get("min_bid", lowest)) <= int(each.get("max_bid", highest))
    ]
    return [*single, {name: value for each in single for name, value in each.items()} | _BIDS]


def answers_legally(
    player: Policy, kind: str, hands: int, rules: Rules | None = None, seed: int = 21, jobs: int = 1
) -> None:
    """Play hands with a player in all seats; the engine stops at the first illegal answer.

    Raises
    ------
    PolicyFault
        If there is one.
    """
    experiment = Experiment.at_one_table(kind, (player,) * 6, rules, seed)
    run(experiment, 0, hands, jobs)


class Asked(NamedTuple):
    """A question that was put to a player, all that he was told, and his answer."""

    seat: int
    phase: int
    n_played: int
    view: bytes
    answer: int


class Script(NamedTuple):
    """Answers that are given for all seats but one: calls and the like by seat, cards by turn."""

    seat: int
    given: dict[tuple[int, int], int]
    history: list[int]

    def answer(self, seat: int, phase: int, n_played: int) -> int | None:
        """Return what is laid down, None where the player himself is asked."""
        if seat == self.seat:
            return None
        if phase == PLAY:
            return self.history[n_played]
        return self.given.get((seat, phase), 0)


def _laid_out(cards: np.ndarray, key: int, rules: Rules) -> tuple[Any, Any]:
    """Return a table and a view with a deal on them: six cards to each seat, then the stock."""
    tables, views = new_tables(1), new_views(1)
    views["rules"] = rules.packed
    tables["dealt"][0] = (np.int64(1) << cards[:36].reshape(6, 6)).sum(axis=1)
    tables["stock"][0], tables["policy_key"] = cards[36:], key
    return tables, views


class Watched:
    """A table with one player in all seats, whose every question and answer is seen."""

    def __init__(self, player: Policy, rules: Rules | None = None) -> None:
        self.rules = rules or Rules()
        self._answers = answers_of((player,) * 6)[:N_PHASES]
        self._asked: list[Asked] = []
        self._script: Script | None = None
        hooks = [self._hook(phase) for phase in range(N_PHASES)]
        self._kept: list[Any] = hooks
        if JIT_ENABLED:
            self._kept = [_HOOK(hook) for hook in hooks]
        self._hooks = [self._address(hook) for hook in self._kept] * 6

    @staticmethod
    def _address(hook: Any) -> int:
        """Return the address of a function, or what stands for it with the JIT switched off."""
        if JIT_ENABLED:
            return ctypes.cast(hook, ctypes.c_void_p).value or 0
        from schmier_sim.engine.state import number_of

        return number_of(hook)

    def _hook(self, phase: int) -> Callable[[Any], int]:
        address = int(self._answers[phase])
        ask = _HOOK(address) if JIT_ENABLED else partial(call_at, address)

        def answer(view: Any) -> int:
            told = ctypes.string_at(view, VIEW.itemsize) if JIT_ENABLED else view._record.tobytes()
            record = np.frombuffer(told, VIEW)[0]
            seat, n_played = int(record["seat"]), int(record["n_played"])
            laid_down = self._script and self._script.answer(seat, phase, n_played)
            given = int(ask(view)) if laid_down is None else laid_down
            self._asked.append(Asked(seat, phase, n_played, told, given))
            return given

        return answer

    def play(
        self, cards: np.ndarray, key: int, bidder: int, script: Script | None = None
    ) -> tuple[list[Asked], list[int]]:
        """Play a deal, seat 5 dealing.

        Parameters
        ----------
        cards : ndarray of int64, shape (53,)
            Six to each seat, then the stock.
        key : int
            Of the players' random numbers.
        bidder : int
            Who is made the bidder at the lowest bid; -1 for an auction.

        Returns
        -------
        (questions, cards in the order played)
        """
        tables, views = _laid_out(cards, key, self.rules)
        if bidder >= 0:
            tables["plan_bidder"], tables["plan_bid"] = bidder, self.rules.min_bid
        self._asked, self._script = [], script
        tables["answers"] = self._hooks
        play_deal(tables[0], views[0], 5)
        return self._asked, views["history"][0].tolist()


def sees_only_its_view(
    player: Policy, deals: int, seed: int = 8, progress: Callable[[int], None] | None = None
) -> dict[str, int]:
    """Swap cards that a seat cannot see, and see that its answers stay what they were.

    All others answer as before the swap, up to the point where they cannot.

    Returns
    -------
    dict
        How many answers were compared, by phase.

    Raises
    ------
    PolicyFault
        If an answer, or what the player was told, depends on the hidden cards.
    """
    watched, draw = Watched(player), np.random.default_rng(seed)
    compared = dict.fromkeys(PHASES, 0)
    for deal in range(deals):
        cards = draw.permutation(N_CARDS).astype(np.int64)
        bidder = deal % 7 - 1
        asked, history = watched.play(cards, seed + deal, bidder)
        for seat in range(6):
            script = Script(seat, {(q.seat, q.phase): q.answer for q in asked}, history)
            for other in _hidden_swaps(cards, history, seat, draw):
                again, _ = watched.play(other, seed + deal, bidder, script)
                for phase in _compare(player, asked, again, seat):
                    compared[PHASES[phase]] += 1
        if progress:
            progress(deal + 1)
    return compared


def plays_alike_at_every_level(
    player: Policy, deals: int, seed: int = 9, progress: Callable[[int], None] | None = None
) -> int:
    """Unless he says that he uses the bid, a player plays the same at all its levels.

    Returns
    -------
    int
        How many deals were compared.

    Raises
    ------
    PolicyFault
        If a card or a discard depends on the level after all.
    """
    if player.uses_bid:
        return 0
    draw, answers, rules = np.random.default_rng(seed), answers_of((player,) * 6), Rules()
    for deal in range(deals):
        cards = draw.permutation(N_CARDS).astype(np.int64)
        played = []
        for bid in (rules.min_bid, rules.min_bid + 1 + deal % (rules.max_bid - rules.min_bid)):
            tables, views = _laid_out(cards, seed + deal, rules)
            tables["plan_bidder"], tables["plan_bid"] = deal % 6, bid
            tables["plan_trumps"] = deal % 4
            tables["answers"] = answers
            play_deal(tables[0], views[0], 5)
            played.append((tables["thrown"].tolist(), views["history"].tolist()))
        if played[0] != played[1]:
            raise PolicyFault(
                f"policy {player.name!r} plays otherwise for another bid, but declares "
                "uses_bid=False: its make rates would be wrong; write @policy(uses_bid=True)"
            )
        if progress:
            progress(deal + 1)
    return deals


def _hidden_swaps(
    cards: np.ndarray, history: list[int], seat: int, draw: np.random.Generator
) -> Iterator[np.ndarray]:
    """Yield the deal itself, and deals with two cards changed that a seat has not in its hand.

    Cards that are played late stay hidden for long, so they are chosen more often.
    """
    yield cards
    late = {card: turn for turn, card in enumerate(history) if card >= 0}
    places = [place for place in range(36) if place // 6 != seat]
    weights = np.array([1.0 + late.get(int(cards[place]), 0) ** 2 for place in places])
    for _ in range(_SWAPS):
        one, two = draw.choice(places, 2, replace=False, p=weights / weights.sum())
        swapped = cards.copy()
        swapped[[one, two]] = cards[[two, one]]
        yield swapped


def _compare(player: Policy, asked: list[Asked], again: list[Asked], seat: int) -> Iterator[int]:
    """Yield the phases of the answers of a seat that were the same, as they must be."""
    before = {(q.phase, q.n_played): q for q in asked if q.seat == seat}
    for question in again:
        if question.seat != seat:
            continue
        old = before.get((question.phase, question.n_played))
        if old is None or not _same_public(old.view, question.view):
            return
        if question.view != old.view or question.answer != old.answer:
            raise PolicyFault(
                f"policy {player.name!r} in seat {seat} answered {old.answer} to "
                f"{PHASES[question.phase]}, and {question.answer} to the same view: it draws "
                "random numbers of its own, or sees what is hidden"
            )
        yield question.phase


def _same_public(one: bytes, other: bytes) -> bool:
    """Whether all has been called, drawn and played alike, and the own hand is the same."""
    names = ("calls", "drawn", "history", "hand", "trump")
    a, b = (np.frombuffer(each, VIEW)[0] for each in (one, other))
    return all(np.array_equal(a[name], b[name]) for name in names)


def steps_of(
    player: Policy, many: int, some: int, jobs: int = 1
) -> Iterator[tuple[str, Callable[[], object]]]:
    """Yield the parts of the whole check: what it is, and a function that raises if it fails.

    Parameters
    ----------
    many, some : int
        Hands under the default rules, and under each change of them.
    """
    legal = partial(answers_legally, player, jobs=jobs)
    for kind in (AUCTION, BIDDER):
        yield f"{kind}, default rules", partial(legal, kind, many)
    for changes in changes_of_rules():
        rules = Rules.of(changes)
        yield f"{BIDDER}, {rules.describe()}", partial(legal, BIDDER, some, rules)
    yield "hidden cards", partial(sees_only_its_view, player, max(1, some // 100))
    yield "levels of the bid", partial(plays_alike_at_every_level, player, max(1, some // 10))
