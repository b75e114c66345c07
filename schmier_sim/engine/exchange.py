"""E1-E4: five seats discard and draw in turn, then the taker takes the rest and keeps six."""

from __future__ import annotations

from typing import Any

from schmier_sim._jit import inlined_kernel, kernel
from schmier_sim.bits import count_bits
from schmier_sim.cards import POINT_MASK, SUIT_MASK
from schmier_sim.engine.ask import ask, blame
from schmier_sim.engine.state import DISCARD, next_seat
from schmier_sim.engine.switches import excess_is_free, rest_to_bidder

MOST_DISCARDS = 3


@inlined_kernel
def taker_of(dealer: int, bidder: int, rules: int) -> int:
    """The seat that takes the rest of the stock: the dealer, or by ``rest_to`` the bidder."""
    return bidder if rest_to_bidder(rules) else dealer


@inlined_kernel
def forced_discards(hand: int, trump: int, rules: int) -> int:
    """E3: the plain cards, all of which a taker with more than six trumps must throw."""
    trumps = hand & SUIT_MASK[trump, trump]
    if count_bits(trumps) > 6 and not excess_is_free(rules):
        return hand & ~trumps
    return 0


@inlined_kernel
def discardable(hand: int, trump: int, is_taker: bool, rules: int) -> int:
    """Return the mask of cards of which a seat may choose what to throw (E1, E3).

    For a taker any choice of the right number of them is legal; `forced_discards` have to be
    taken out of the hand before.
    """
    trumps = hand & SUIT_MASK[trump, trump]
    if is_taker and count_bits(trumps) > 6:
        return hand & ~POINT_MASK[trump]
    return hand & ~trumps


@inlined_kernel
def lay_stock(table: Any) -> None:
    """Note the first cards of the stock, none up to all, as masks."""
    cards = 0
    for i in range(17):
        table.stock_tops[i] = cards
        cards |= 1 << table.stock[i]
    table.stock_tops[17] = cards


@inlined_kernel
def draw(table: Any, seat: int, count: int) -> None:
    """Give a seat cards from the top of the stock."""
    used = table.stock_used
    table.hands[seat] |= table.stock_tops[used + count] & ~table.stock_tops[used]
    table.stock_used = used + count


@inlined_kernel
def throw(table: Any, seat: int, discards: int) -> None:
    """Take discards out of a seat's hand."""
    table.hands[seat] &= ~discards
    table.thrown[seat] |= discards


@inlined_kernel
def exchange_others(table: Any, view: Any, seat: int) -> bool:
    """E1: one seat discards 0-3 cards that are no trumps, and draws as many."""
    legal = discardable(table.hands[seat], view.trump, False, view.rules)
    discards = 0
    if legal:
        discards = ask(table, view, seat, DISCARD, legal)
    if discards & ~legal or count_bits(discards) > MOST_DISCARDS:
        blame(table, seat, DISCARD, discards)
        return False
    throw(table, seat, discards)
    draw(table, seat, count_bits(discards))
    view.drawn[seat] = count_bits(discards)
    return True


@inlined_kernel
def exchange_taker(table: Any, view: Any) -> bool:
    """E2-E4: the taker picks up the rest and discards down to six."""
    seat = table.taker
    rest = 17 - table.stock_used
    draw(table, seat, rest)
    view.drawn[seat] = rest
    throw(table, seat, forced_discards(table.hands[seat], view.trump, view.rules))
    view.must_throw = count_bits(table.hands[seat]) - 6
    if view.must_throw > 0:
        legal = discardable(table.hands[seat], view.trump, True, view.rules)
        discards = ask(table, view, seat, DISCARD, legal)
        if discards & ~legal or count_bits(discards) != view.must_throw:
            blame(table, seat, DISCARD, discards)
            return False
        throw(table, seat, discards)
    view.must_throw = 0
    return True


@kernel
def exchange(table: Any, view: Any) -> None:
    """Hold the whole exchange."""
    lay_stock(table)
    table.taker = taker_of(view.dealer, view.bidder, view.rules)
    seat = view.dealer
    for _ in range(6):
        seat = next_seat(seat)
        if seat != table.taker and not exchange_others(table, view, seat):
            return
    exchange_taker(table, view)
