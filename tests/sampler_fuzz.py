"""Many views of many deals, each with one world drawn: what may not be is counted.

Compiled, as a million are looked at by ``scripts/verify``.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from schmier_sim import Rules, find_policy
from schmier_sim._jit import JIT_ENABLED, structured
from schmier_sim.bits import count_bits
from schmier_sim.cards import PACK_MASK, POINT_MASK, SUIT_MASK, SUIT_OF
from schmier_sim.dealing import play_listed
from schmier_sim.engine.play import beats
from schmier_sim.engine.state import VIEW, new_tables, new_views
from schmier_sim.engine.switches import trump_at_any_time
from schmier_sim.policies.base import answers_of
from schmier_sim.sampler.counting import count_worlds
from schmier_sim.sampler.drawing import draw_worlds
from schmier_sim.sampler.plan import EXCESS, FITS, STOCK, THROWN, new_plan, read_view

FAULTS = (
    "nothing fits", "cards twice or lost", "a hand of another size", "a void held",
    "a trump thrown", "an excess of none", "own cards elsewhere",
)  # fmt: skip


def _compiled(function: Any) -> Any:
    if not JIT_ENABLED:
        return function
    import numba

    return numba.njit(nogil=True)(function)


@_compiled
def turn_back(last: Any, table: Any, seen: Any, seat: int, n_played: int) -> None:
    """Write down what a seat knew when n cards were played; below 0: in its turn to call."""
    seen.seat, seen.dealer, seen.rules = seat, last.dealer, last.rules
    seen.bidder = seen.bid = seen.trump = -1
    seen.n_played = seen.played = 0
    seen.hand, seen.thrown = table.dealt[seat], 0
    for other in range(6):
        seen.calls[other] = seen.drawn[other] = -1
        seen.voids[other] = 0
    if n_played < 0:
        return
    seen.bidder, seen.bid, seen.trump = last.bidder, last.bid, last.trump
    seen.thrown, seen.n_played = table.thrown[seat], n_played
    for other in range(6):
        seen.calls[other], seen.drawn[other] = last.calls[other], last.drawn[other]
    seen.hand = 0
    who, best, winner, led = last.bidder, 0, last.bidder, 0
    for n in range(36):
        card = last.history[n]
        suit = SUIT_OF[last.trump, card]
        if n % 6 == 0:
            led = suit
        if n % 6 == 0 or beats(card, best, last.trump):
            best, winner = card, who
        if n < n_played:
            seen.history[n] = card
            seen.played |= 1 << card
            if suit != led and not (suit == last.trump and trump_at_any_time(last.rules)):
                seen.voids[who] |= 1 << led
        elif who == seat:
            seen.hand |= 1 << card
        who = winner if n % 6 == 5 else (who + 1) % 6


@_compiled
def faults_of(seen: Any, plan: Any, faults: Any) -> None:
    """Count what is wrong with a drawn world."""
    every, size, trump = seen.played | seen.thrown, count_bits(seen.thrown), seen.trump
    for seat in range(6):
        hand = plan.hands[seat]
        every |= hand
        size += count_bits(hand)
        faults[2] += count_bits(hand) + count_bits(plan.played[seat]) != 6
        for suit in range(4):
            if seen.voids[seat] >> suit & 1 and hand & SUIT_MASK[trump, suit]:
                faults[3] += 1
    for slot in range(THROWN, EXCESS + 1):
        every |= plan.out[slot]
        size += count_bits(plan.out[slot])
    faults[1] += every != PACK_MASK or size + count_bits(seen.played) != 53
    faults[6] += plan.hands[seen.seat] != seen.hand
    if trump < 0:
        return
    excess, taker = plan.out[EXCESS], plan.taker
    faults[4] += plan.out[THROWN] & SUIT_MASK[trump, trump] != 0 or plan.out[STOCK] != 0
    if excess:
        held = (plan.hands[taker] | plan.played[taker]) & SUIT_MASK[trump, trump]
        faults[5] += (
            count_bits(held | excess) < 7
            or excess & ~SUIT_MASK[trump, trump] | excess & POINT_MASK[trump] != 0
        )


@_compiled
def look_at(tables: Any, views: Any, seens: Any, plans: Any, first: int, faults: Any) -> None:
    """Draw a world in one moment for each seat of each deal, with so many cards played or more."""
    plan, seen, world = plans[0], seens[0], np.empty((1, 9), np.int64)
    for i in range(len(tables)):
        if views[i].bidder < 0:
            continue
        for seat in range(6):
            n_played = first + (i * 7 + seat * 5) % (36 - first)
            turn_back(views[i], tables[i], seen, seat, n_played)
            read_view(seen, plan)
            if count_worlds(plan) != FITS:
                faults[0] += 1
                continue
            draw_worlds(plan, 1, i * 6 + seat, world)
            faults_of(seen, plan, faults)


def fuzz(rules: Rules, deals: int, seed: int, first: int = -1) -> np.ndarray:
    """Return how often each of `FAULTS` was met in six views of each of some deals."""
    tables, views = new_tables(deals), new_views(deals)
    views["rules"] = rules.packed
    listed = np.array([(i, 0, i % 6) for i in range(deals)], np.int64)
    play_listed(tables, views, answers_of((find_policy("random"),) * 6), seed, listed)
    faults = np.zeros(len(FAULTS), np.int64)
    look_at(tables, views, structured(1, VIEW), new_plan(), first, faults)
    return faults


def told(faults: np.ndarray) -> str:
    """Say which faults there were."""
    return ", ".join(f"{n} x {what}" for n, what in zip(faults, FAULTS, strict=True) if n)
