"""What a seat knows, as slots with room for cards and classes of cards that may go into them.

The unknown cards lie in slots: the hands of the other seats, their discards, the stock as long as
it is not dealt out. Which slots are open to a card follows from:

- E1: whoever is not the taker discards plain cards only. So once the taker has the rest of the
  stock, all 15 trumps are in hands, but for
- E3: a taker's excess. He throws trumps, no point cards, only if he had more than six; under
  ``dealer_excess=minimum`` he then holds six trumps. This is a slot of its own, of 0 to 9 cards:
  each size is a *case*, counted by itself.
- shown voids, trumps too; under ``first_lead=trump`` a bidder who leads a plain card has no trump;
- what an analyst knows besides: a seat holds a card, or does not.

What is assumed of the others' discards: the cards are dealt fairly; that a seat threw d cards tells
that it had as many plain ones, no more; and these were any d of them, each choice being as likely
as the others, likewise the taker's. How many somebody throws tells more if one knows his habits:
`weighing` adds that.
"""

from __future__ import annotations

from math import comb
from typing import Any, Final

import numpy as np

from schmier_sim._jit import inlined_kernel, kernel, structured
from schmier_sim.bits import count_bits, lowest_bit
from schmier_sim.cards import N_CARDS, PACK_MASK, POINT_MASK, SUIT_MASK, SUIT_OF
from schmier_sim.engine.exchange import taker_of
from schmier_sim.engine.play import beats
from schmier_sim.engine.state import next_seat
from schmier_sim.engine.switches import excess_is_free, trump_leads_first

FITS, NOTHING_FITS, TOO_MANY_KINDS = 0, 1, 2
"""What `lay_out` and `counting.count_worlds` return."""

THROWN, STOCK, EXCESS = 6, 7, 8
"""Slots beyond the six hands: the others' plain discards, the stock, trumps the taker threw."""
N_SLOTS: Final = 9
N_CASES: Final = 10
MOST_CLASSES: Final = 20
TABLE_SIZE: Final = 1 << 18
COUNTS_AS_TRUMP, COUNTS_AS_POINT = 1 << 9, 1 << 10
"""Beside the slots in the key of a class."""

BINOMIAL: Final = np.array(
    [[comb(n, k) for k in range(N_CARDS + 1)] for n in range(N_CARDS + 1)], float
)


def _came(trumps: int, drawn: int, r: int) -> float:
    """Of a hand after the exchange: how likely r plain cards in it, no others, came from the stock.

    Any of its cards may be those drawn; r of its plain ones, and it had ``drawn + plain - r`` plain
    cards to throw ``drawn`` from.
    """
    plain = 6 - trumps
    ways = comb(plain, r) * comb(trumps, drawn - r) if 0 <= r <= min(plain, drawn) else 0
    return ways / comb(drawn + plain - r, drawn) if ways else 0.0


DISCARDS_WORTH: Final = np.array(
    [[sum(_came(t, d, r) for r in range(d + 1)) for t in range(7)] for d in range(4)]
)
"""By cards exchanged and trumps in the hand: the chance that these discards led there."""

_I, _F = np.int64, np.float64
PLAN: Final = np.dtype(
    [
        # What the seat knows. Nothing else of a view is looked at after `read_view`.
        ("seat", _I),
        ("trump", _I),  # -1 during the auction
        ("taker", _I),  # -1 until he has taken the rest
        ("rules", _I),
        ("hand", _I),  # masks
        ("thrown", _I),
        ("played", _I, (6,)),  # by seat
        ("drawn", _I, (6,)),
        ("voids", _I, (6,)),
        ("must", _I, (6,)),  # by seat: cards that it is known to hold now
        ("cannot", _I, (6,)),  # and not to hold
        ("usual", _F, (6,)),  # by seat: how often he calls as he did, see `weighing`
        # What follows: by seat, of the cards that are known to be or to have been in the hand
        ("unknown", _I),
        ("known_trumps", _I, (6,)),
        ("known_points", _I, (6,)),
        ("room", _I, (N_SLOTS,)),  # without an excess
        ("tells", _I, (6,)),  # cards exchanged, if they tell of the hand: see `DISCARDS_WORTH`
        ("most_excess", _I),  # 0 if it is known that there is none
        # The unknown cards by classes
        ("n_classes", _I),
        ("key", _I, (MOST_CLASSES,)),  # bits of the slots, and what counts
        ("cards", _I, (MOST_CLASSES,)),  # masks
        ("stride", _I, (MOST_CLASSES,)),  # 0 for the largest: it follows from the others
        ("largest", _I),
        ("n_states", _I),
        # By case, which is the number of trumps in excess
        ("chance", _F, (N_CASES,)),  # relative, 0 where nothing fits
        ("first", _F, (N_CASES,)),  # weighted ways to fill all slots
        ("all_chances", _F),
        ("least_trumps", _I, (N_CASES,)),  # of the unknown cards in the taker's hand
        ("taker_worth", _F, (N_CASES, 7)),  # by trumps in his hand; with an excess, by point cards
        ("n_slots", _I, (N_CASES,)),
        ("order", _I, (N_SLOTS,)),
        ("n_shared", _I),  # so many are the same in all cases: the hands of all but the taker
        ("slots", _I, (N_CASES, N_SLOTS)),  # the last to be filled comes first
        ("rooms", _I, (N_CASES, N_SLOTS)),
        ("at", _I, (N_CASES, N_SLOTS + 1)),  # where the counts of so many last slots begin
        ("used", _I),  # of the table
        ("table", _F, (TABLE_SIZE,)),
        ("fewest", _I, (MOST_CLASSES,)),  # of a class that can be left
        ("most", _I, (MOST_CLASSES,)),
        # One way to fill a slot, class by class (see `counting`)
        ("left", _I, (MOST_CLASSES,)),
        ("fits", _I, (MOST_CLASSES + 1,)),
        ("taken", _I, (MOST_CLASSES,)),
        ("space", _I, (MOST_CLASSES + 1,)),
        ("ways", _F, (MOST_CLASSES + 1,)),
        ("cell", _I, (MOST_CLASSES + 1,)),
        ("trumps", _I, (MOST_CLASSES + 1,)),
        ("points", _I, (MOST_CLASSES + 1,)),
        # A world as drawn: hands now, with the known cards; masks in the other slots
        ("hands", _I, (6,)),
        ("out", _I, (N_SLOTS,)),
        ("rest", _I, (MOST_CLASSES,)),
        ("threw", _I, (6,)),  # discards by seat, if one looks back (`weighing`)
        ("stream", np.uint64, (1,)),
    ]
)


def new_plan() -> Any:
    """Return one empty `PLAN` record, in an array."""
    return structured(1, PLAN)


# --- What the seat knows --------------------------------------------------------------------------


@inlined_kernel
def note_plays(view: Any, plan: Any) -> None:
    """Note who played what, and by T1 what a first lead tells."""
    for seat in range(6):
        plan.played[seat] = 0
        plan.voids[seat] = view.voids[seat]
    if not view.n_played:
        return
    seat, best, winner = view.bidder, view.history[0], view.bidder
    if trump_leads_first(view.rules) and SUIT_OF[view.trump, best] != view.trump:
        plan.voids[seat] |= 1 << view.trump
    for n in range(view.n_played):
        card = view.history[n]
        if n % 6 == 0 or beats(card, best, view.trump):
            best, winner = card, seat
        plan.played[seat] |= 1 << card
        seat = winner if n % 6 == 5 else next_seat(seat)


@kernel
def read_view(view: Any, plan: Any) -> None:
    """Take over what a view tells, whether a record or what a policy gets."""
    plan.seat, plan.trump, plan.rules = view.seat, view.trump, view.rules
    plan.hand, plan.thrown = view.hand, view.thrown
    plan.taker = -1
    if view.trump >= 0:
        taker = taker_of(view.dealer, view.bidder, view.rules)
        if view.drawn[taker] >= 0:
            plan.taker = taker
    for seat in range(6):
        plan.drawn[seat] = view.drawn[seat]
    note_plays(view, plan)


# --- Slots and their room -------------------------------------------------------------------------


@inlined_kernel
def trumps_in(cards: int, trump: int) -> int:
    """Number of trumps in a mask, 0 while no suit is named."""
    return count_bits(cards & SUIT_MASK[trump, trump]) if trump >= 0 else 0


@inlined_kernel
def points_in(cards: int, trump: int) -> int:
    """Number of point cards in a mask, 0 while no suit is named."""
    return count_bits(cards & POINT_MASK[trump]) if trump >= 0 else 0


@inlined_kernel
def may_hold(plan: Any, seat: int) -> bool:
    """Whether a seat can hold the cards that it is known to hold."""
    barred = plan.cannot[seat] | plan.played[seat]
    for suit in range(4):
        if plan.voids[seat] >> suit & 1:
            barred |= SUIT_MASK[plan.trump, suit]
    return not plan.must[seat] & barred


@inlined_kernel
def lay_slots(plan: Any) -> bool:
    """Note the unknown cards and the room for them; False if they do not fit."""
    known, filled, fits = plan.hand | plan.thrown, 0, True
    plan.room[:] = 0
    for seat in range(6):
        held = 0 if seat == plan.seat else plan.must[seat]
        fits &= not held & known
        known |= held | plan.played[seat]
        shown = held | plan.played[seat]
        plan.known_trumps[seat] = trumps_in(shown, plan.trump)
        plan.known_points[seat] = points_in(shown, plan.trump)
        if seat != plan.seat:
            fits &= may_hold(plan, seat)
            plan.room[seat] = 6 - count_bits(shown)
            fits &= plan.room[seat] >= 0
            filled += plan.room[seat]
            if plan.drawn[seat] > 0:
                plan.room[THROWN] += plan.drawn[seat]
    filled += plan.room[THROWN]
    plan.unknown = PACK_MASK & ~known
    if plan.taker < 0:
        plan.room[STOCK] = count_bits(plan.unknown) - filled
        return fits & (plan.room[STOCK] >= 0)
    return fits & (count_bits(plan.unknown) == filled)


# --- Classes of cards -----------------------------------------------------------------------------


@inlined_kernel
def key_of(plan: Any, card: int) -> int:
    """Return the slots open to a card, and what is to be counted of it."""
    one, trump, key = 1 << card, plan.trump, 0
    suit = SUIT_OF[trump, card] if trump >= 0 else -1
    for seat in range(6):
        void = suit >= 0 and plan.voids[seat] >> suit & 1
        if plan.room[seat] and not plan.cannot[seat] & one and not void:
            key |= 1 << seat
    if plan.room[STOCK]:
        key |= 1 << STOCK
    if trump < 0:
        return key
    if suit != trump:
        return key | 1 << THROWN
    key |= COUNTS_AS_TRUMP
    if plan.most_excess:
        key |= COUNTS_AS_POINT if POINT_MASK[trump] & one else 1 << EXCESS
    return key


@inlined_kernel
def divide(plan: Any) -> bool:
    """Put cards that may lie in the same slots into classes; False if there are too many."""
    rest, n = plan.unknown, 0
    while rest:
        card = lowest_bit(rest)
        rest &= rest - 1
        key, found = key_of(plan, card), 0
        while found < n and plan.key[found] != key:
            found += 1
        if found == n:
            if n == MOST_CLASSES:
                return False
            n += 1
            plan.key[found], plan.cards[found] = key, 0
        plan.cards[found] |= 1 << card
    plan.n_classes = n
    return number_states(plan)


@inlined_kernel
def number_states(plan: Any) -> bool:
    """Number what may be left of the classes; False if the table has no room for it."""
    largest, states = 0, 1
    for c in range(plan.n_classes):
        if count_bits(plan.cards[c]) > count_bits(plan.cards[largest]):
            largest = c
    for c in range(plan.n_classes):
        plan.stride[c] = 0
        if c != largest:
            plan.stride[c] = states
            states *= count_bits(plan.cards[c]) + 1
            if states > TABLE_SIZE:
                return False
    plan.largest, plan.n_states = largest, states
    return True


# --- What the numbers exchanged tell --------------------------------------------------------------


@inlined_kernel
def note_worth(plan: Any) -> None:
    """Note of whom the number exchanged tells something: of the taker it does otherwise."""
    for seat in range(6):
        tells = plan.drawn[seat] > 0 and seat != plan.taker
        plan.tells[seat] = plan.drawn[seat] if tells else 0


@inlined_kernel
def note_taker(plan: Any, excess: int) -> None:
    """Note, for a case, what the taker's hand may be and what it is worth (E3)."""
    taker, drawn = plan.taker, plan.drawn[plan.taker]
    known = count_bits(plan.played[taker] | plan.must[taker])
    plan.least_trumps[excess] = 0
    free = excess_is_free(plan.rules)
    if excess:
        plan.least_trumps[excess] = 7 - excess - plan.known_trumps[taker]
        if not free:  # 7 and so unattainable where he played a plain card
            plan.least_trumps[excess] = 6 - known if known == plan.known_trumps[taker] else 7
    for n in range(7):
        # What he could not throw are all his trumps, or with an excess his point cards alone.
        choices = BINOMIAL[6 + drawn - n, drawn]
        if excess and not free:
            choices = BINOMIAL[6 + excess - n, excess]
        plan.taker_worth[excess, n] = 1.0 / choices


@inlined_kernel
def may_be(plan: Any, excess: int) -> bool:
    """Whether the taker has room for the trumps that a case asks of him, and they are there."""
    trumps = plan.unknown & SUIT_MASK[plan.trump, plan.trump]
    least = plan.least_trumps[excess]
    enough = count_bits(trumps & ~POINT_MASK[plan.trump]) >= excess
    return enough and least <= plan.room[plan.taker] and least + excess <= count_bits(trumps)


@inlined_kernel
def note_excess(plan: Any) -> None:
    """Note the most trumps that the taker can have thrown unseen, and what he then may hold."""
    plan.most_excess = 0
    if plan.taker < 0 or plan.taker == plan.seat:
        return
    for excess in range(min(N_CASES - 1, plan.drawn[plan.taker]) + 1):
        note_taker(plan, excess)
        if may_be(plan, excess):
            plan.most_excess = excess


# --- Their order ----------------------------------------------------------------------------------


@inlined_kernel
def last_slot(plan: Any) -> int:
    """Return the slot that gets the rest: the roomiest of those that all cases share."""
    largest = -1
    for slot in range(6 if plan.most_excess else EXCESS):
        apart = plan.most_excess and slot == plan.taker
        if not apart and (largest < 0 or plan.room[slot] >= plan.room[largest]):
            largest = slot
    return largest


@inlined_kernel
def order_slots(plan: Any) -> None:
    """Put the slots in order: last come what the taker has and threw, which differ by case."""
    last, n = last_slot(plan), 1
    plan.order[0], plan.n_shared = last, 0
    for apart in range(2):
        for slot in range(N_SLOTS):
            if slot != last and (slot >= THROWN or slot == plan.taker) == apart:
                plan.order[n] = slot
                n += 1
    if plan.most_excess:
        for seat in range(6):
            plan.n_shared += plan.room[seat] > 0 and seat != plan.taker


@inlined_kernel
def lay_case(plan: Any, excess: int) -> None:
    """Note the slots of a case that have room, and how much."""
    n = 0
    for k in range(N_SLOTS):
        slot = plan.order[k]
        room = plan.room[slot]
        if slot == EXCESS:
            room = excess
        elif slot == THROWN:
            room -= excess
        if room > 0:
            plan.slots[excess, n], plan.rooms[excess, n] = slot, room
            n += 1
    plan.n_slots[excess] = n


@inlined_kernel
def lay_out(plan: Any) -> int:
    """Make slots, classes and cases of what is known; all but the counts."""
    if not lay_slots(plan):
        return NOTHING_FITS
    note_worth(plan)
    note_excess(plan)
    if not divide(plan):
        return TOO_MANY_KINDS
    order_slots(plan)
    for excess in range(plan.most_excess + 1):
        lay_case(plan, excess)
    return FITS
