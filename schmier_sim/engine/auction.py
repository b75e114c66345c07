"""A1-A5: one call each from the dealer's left; who bids highest names trumps."""

from __future__ import annotations

from typing import Any

from schmier_sim._jit import inlined_kernel, kernel
from schmier_sim.engine.ask import ask, blame
from schmier_sim.engine.state import CALL, TRUMP, next_seat
from schmier_sim.engine.switches import (
    REDEAL_WITHOUT_DEALER,
    STICK_DEALER,
    dealer_steals,
    highest_bid,
    lowest_bid,
    when_all_pass,
)


@inlined_kernel
def legal_calls(high: int, is_dealer: bool, rules: int) -> int:
    """Return the mask of legal calls, bit 0 a pass, when ``high`` (0: none) is the best bid."""
    first = max(high + 1, lowest_bid(rules))
    if is_dealer and high > 0 and dealer_steals(rules):
        first = high  # A5
    legal = 1
    if is_dealer and high == 0 and when_all_pass(rules) == STICK_DEALER:
        legal = 0  # A4
    if first <= highest_bid(rules):
        legal |= (2 << highest_bid(rules)) - (1 << first)
    return legal


@inlined_kernel
def is_asked(position: int, high: int, rules: int) -> bool:
    """Whether the seat in a position speaks at all (A2, A4, A5)."""
    if high == highest_bid(rules):
        return position == 6 and dealer_steals(rules)
    return not (position == 6 and high == 0 and when_all_pass(rules) == REDEAL_WITHOUT_DEALER)


@kernel
def hold_auction(table: Any, view: Any) -> None:
    """Ask for the calls; leaves ``view.bidder`` at -1 if nobody bids."""
    high, bidder, seat = 0, -1, view.dealer
    for position in range(1, 7):
        seat = next_seat(seat)
        if not is_asked(position, high, view.rules):
            continue
        legal = legal_calls(high, position == 6, view.rules)
        call = table.plan_calls[seat]
        if call < 0:
            call = ask(table, view, seat, CALL, legal)
        if call < 0 or call > 6 or not legal >> call & 1:
            blame(table, seat, CALL, call)
            return
        view.calls[seat] = call
        if call > 0:
            high, bidder = call, seat
    if bidder >= 0:
        view.bidder, view.bid = bidder, high


@kernel
def force_bidder(table: Any, view: Any) -> None:
    """Take bidder and bid from the plan, as if all others had passed."""
    for seat in range(6):
        view.calls[seat] = 0
    view.calls[table.plan_bidder] = table.plan_bid
    view.bidder, view.bid = table.plan_bidder, table.plan_bid


@kernel
def name_trump(table: Any, view: Any) -> None:
    """A3: the bidder names any suit."""
    trump = table.plan_trumps[view.bidder]
    if trump < 0:
        trump = ask(table, view, view.bidder, TRUMP, 0b1111)
    if trump < 0 or trump > 3:
        blame(table, view.bidder, TRUMP, trump)
        return
    view.trump = trump
