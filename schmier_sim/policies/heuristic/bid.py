"""A1, A3: bids and names the suit from a measured table of what each composition is worth.

``values.csv`` holds the mean value, own change of score less the mean of the other teams', in
hundredths of a point, of being the bidder at each level. ``scripts/measure-bidding-values`` made
it by ``simulate --experiment bidder`` and makes it anew.
"""

from __future__ import annotations

import csv
from importlib.resources import files
from typing import Any, Final

import numpy as np

from schmier_sim._jit import kernel
from schmier_sim.bits import count_bits, lowest_bit
from schmier_sim.cards import SUIT_MASK
from schmier_sim.composition import N_COMPOSITIONS, composition_of, number_of
from schmier_sim.policies.heuristic.rules import JUMP, OVERBID, SUIT, TABLE
from schmier_sim.policies.heuristic.weights import GETS, OUTBID, THRESHOLDS
from schmier_sim.policies.plain import estimate
from schmier_sim.policies.toolkit import same_team

HIGHEST: Final = 6
_SURE = 1 << 30
_ALONE, _AGAINST, _OVER_PARTNER = 0, 1, 2


def _read_values() -> np.ndarray:
    """``[dealer, bid, composition]``, in hundredths of a point."""
    values = np.zeros((2, HIGHEST + 1, N_COMPOSITIONS), np.int64)
    text = files(__package__).joinpath("values.csv").read_text("ascii")
    for row in csv.DictReader(text.splitlines()):
        for bid in range(1, HIGHEST + 1):
            values[int(row["dealer"]), bid, number_of(row["composition"])] = int(row[str(bid)])
    return values


VALUES: Final = _read_values()


@kernel
def worth(hand: int, suit: int, bid: int, dealer: int, without: int) -> int:
    """Return what a suit is worth at a level, in hundredths of a point."""
    if without & SUIT:
        return count_bits(hand & SUIT_MASK[suit, suit])
    return VALUES[dealer, bid, composition_of(hand, suit)]


@kernel
def suit_of_most_worth(hand: int, bid: int, dealer: int, without: int) -> int:
    """Return the best suit to name; of equal ones the first."""
    best, most = 0, worth(hand, 0, bid, dealer, without)
    for suit in range(1, 4):
        value = worth(hand, suit, bid, dealer, without)
        if value > most:
            best, most = suit, value
    return best


@kernel
def best_suit(view: Any, without: int) -> int:
    """Name the trump suit."""
    dealer = 1 if view.seat == view.dealer else 0
    return suit_of_most_worth(view.hand, view.bid, dealer, without)


@kernel
def standing(view: Any, without: int) -> int:
    """Whose bid stands: nobody's, the enemy's or the partner's."""
    high, bidder = 0, -1
    for seat in range(6):
        if view.calls[seat] > high:
            high, bidder = view.calls[seat], seat
    if bidder < 0:
        return _ALONE
    if same_team(view, bidder, view.seat) and not without & OVERBID:
        return _OVER_PARTNER
    return _AGAINST


@kernel
def best_bid(view: Any, without: int) -> tuple[int, int]:
    """Return the bid of greatest expected value, and that value over being outbid.

    A bid is worth what the suit is worth at its level, as often as it gets the auction, and else
    what it is worth to be outbid. Of equal ones the lowest is bid, and the dealer, who speaks
    last, never more than he needs.
    """
    bids = view.legal & ~1
    bid = lowest_bit(bids)
    dealer = 1 if view.position == 6 else 0
    suit = suit_of_most_worth(view.hand, bid, dealer, without)
    if without & TABLE:
        return bid, _SURE if estimate(view.hand, suit) >= 100 * bid else -_SURE
    composition = composition_of(view.hand, suit)
    best, most = -1, 0
    while bids:
        bid = lowest_bit(bids)
        bids &= bids - 1
        gain = GETS[view.position - 1, bid] * (VALUES[dealer, bid, composition] - OUTBID)
        if best < 0 or gain > most:
            best, most = bid, gain
        if without & JUMP:
            break
    return best, most


@kernel
def best_call(view: Any, without: int, threshold: int, shift: int) -> int:
    """Bid what is worth most, if that is more than a pass is worth.

    Parameters
    ----------
    threshold, shift : int
        Add so many hundredths to one threshold, counted from 0; -1 for none.
    """
    if not view.legal & ~1:
        return 0
    bid, gain = best_bid(view, without)
    stands = standing(view, without)
    least = THRESHOLDS[view.position - 1, stands] - OUTBID
    if 3 * (view.position - 1) + stands == threshold:
        least += shift
    return bid if gain > 100 * least or not view.legal & 1 else 0
