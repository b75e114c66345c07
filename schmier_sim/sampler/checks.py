"""What Python hands to the sampler is looked at before kernels take it for granted."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from schmier_sim.cards import N_CARDS, PACK_MASK, card_name, cards_of
from schmier_sim.engine.auction import legal_calls
from schmier_sim.engine.exchange import MOST_DISCARDS, taker_of
from schmier_sim.engine.state import VIEW
from schmier_sim.errors import InputError
from schmier_sim.policies.base import Policy
from schmier_sim.sampler.knowledge import Fact

_STOCK_SIZE = 17


def check_whole(name: str, value: object, least: int, most: int) -> int:
    """Return a whole number within limits, or raise InputError."""
    if (
        isinstance(value, bool)
        or not isinstance(value, int | np.integer)
        or not least <= value <= most
    ):
        raise InputError(f"{name} must be a whole number from {least} to {most}, not {value!r}")
    return int(value)


def check_errors(errors: Sequence[float]) -> tuple[float, float, float, float]:
    """Return four shares from 0 to 1, or raise InputError."""
    four = tuple(errors) if isinstance(errors, Sequence | np.ndarray) else ()
    right = [isinstance(e, int | float | np.floating) and 0.0 <= e <= 1.0 for e in four]
    if len(four) != 4 or not all(right):
        raise InputError(
            f"errors must be four numbers from 0 to 1 (call, trump, discard, play), not {errors!r}"
        )
    call, trump, discard, play = (float(error) for error in four)
    return call, trump, discard, play


def check_policies(policies: Sequence[Policy]) -> None:
    """Raise InputError if these are not six policies."""
    if len(policies) != 6:
        raise InputError(f"policies must be six, by seat, not {len(policies)}")
    for seat, policy in enumerate(policies):
        if not isinstance(policy, Policy):
            raise InputError(f"policies: at seat {seat} is no policy but {policy!r}")


def check_facts(view: Any, facts: Sequence[Fact]) -> None:
    """Raise InputError if a fact is about nobody else's hand, or of cards seen elsewhere."""
    places = (("in your own hand", view["hand"]), ("thrown by you", view["thrown"]),
              ("played already", view["played"]))  # fmt: skip
    for fact in facts:
        check_whole(f"--know {fact.text!r}: the seat", fact.seat, 0, 5)
        check_whole(f"--know {fact.text!r}: the mask of cards", fact.cards, 0, PACK_MASK)
        if fact.seat == int(view["seat"]):
            raise InputError(f"--know {fact.text!r}: that is you; your own cards are known")
        for where, mask in places:
            seen = cards_of(fact.cards & int(mask)) if fact.holds else []
            if seen:
                raise InputError(f"--know {fact.text!r}: {card_name(seen[0])} is {where}")


def check_view(view: Any) -> None:
    """Raise InputError if a view is no record, or contradicts itself."""
    dtype = getattr(view, "dtype", None)
    if getattr(dtype, "names", None) != VIEW.names or view.shape != ():
        raise InputError(f"view must be one record of engine.state.VIEW, not {type(view).__name__}")
    for name, least, most in _LIMITS:
        for value in view[name].ravel().tolist():
            check_whole(f"view.{name}", value, least, most)
    for fault in (_phase_fault(view), _cards_fault(view), _size_fault(view), _drawn_fault(view)):
        if fault:
            raise InputError(f"view: {fault}")


_LIMITS = (
    ("seat", 0, 5), ("dealer", 0, 5), ("bidder", -1, 5), ("bid", -1, 6), ("trump", -1, 3),
    ("hand", 0, PACK_MASK), ("thrown", 0, PACK_MASK), ("played", 0, PACK_MASK),
    ("calls", -1, 6), ("drawn", -1, _STOCK_SIZE), ("voids", 0, 15), ("n_played", 0, 36),
    ("rules", 0, 2**62),
)  # fmt: skip


def _phase_fault(view: Any) -> str:
    """Return what is there too early."""
    named = view["trump"] >= 0
    if named and view["bidder"] < 0:
        return "a suit is named, but there is no bidder"
    if not named and (view["drawn"] >= 0).any():
        return "cards are exchanged, but no suit is named"
    if _calls_fault(view):
        return _calls_fault(view)
    if view["n_played"] and (not named or (view["drawn"] < 0).any()):
        return "cards are played, but not everybody has exchanged"
    if view["voids"].any() and not view["n_played"]:
        return "somebody has shown to be out of a suit, but no card is played"
    return ""


def _calls_fault(view: Any) -> str:
    """Return that a bid is not higher than the one before it, or that nobody made the last one."""
    high, dealer, rules = 0, int(view["dealer"]), int(view["rules"])
    for k in range(1, 7):
        seat = (dealer + k) % 6
        call = int(view["calls"][seat])
        if call > 0 and not legal_calls(high, seat == dealer, rules) >> call & 1:
            return f"seat {seat} bids {call} after {high or 'passes'}"
        high = max(high, call)
    if view["bidder"] >= 0 and view["bid"] != high and (view["calls"] >= 0).any():
        return f"the bid is {int(view['bid'])}, but the highest call {high}"
    return ""


def _cards_fault(view: Any) -> str:
    """Return which cards are there twice, or what else is wrong with those seen."""
    history = view["history"][: int(view["n_played"])].tolist()
    wrong = [card for card in history if not 0 <= card < N_CARDS]
    if wrong:
        return f"history has {wrong[0]}, which is no card"
    if len({*history}) < len(history) or {*history} != {*cards_of(int(view["played"]))}:
        return "history and played do not agree"
    hand, thrown, played = (int(view[name]) for name in ("hand", "thrown", "played"))
    twice = cards_of(hand & thrown | hand & played | thrown & played)
    return f"{card_name(twice[0])} is in two places" if twice else ""


def _size_fault(view: Any) -> str:
    """Return that a seat has too few or too many cards in its hand."""
    n, hand = int(view["n_played"]), int(view["hand"]).bit_count()
    tricks, rest = divmod(n, 6)
    exchanging = view["trump"] >= 0 and not n  # a taker has more than six in hand then
    if exchanging:
        return "" if hand >= 6 else f"{hand} cards in hand before the first trick"
    if hand not in ({6 - tricks, 5 - tricks} if rest else {6 - tricks}):
        return f"{hand} cards in hand, when {n} are played"
    return ""


def _drawn_fault(view: Any) -> str:
    """Return whose number of cards exchanged cannot be (E1)."""
    taker = taker_of(int(view["dealer"]), int(view["bidder"]), int(view["rules"]))
    for seat, drawn in enumerate(view["drawn"].tolist()):
        if seat != taker and drawn > MOST_DISCARDS:
            return f"seat {seat} has exchanged {drawn} cards; at most {MOST_DISCARDS} may be"
    return ""
