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

from schmier_sim._jit import inlined_kernel
from schmier_sim.bits import count_bits, lowest_bit
from schmier_sim.cards import JOKER, LEFT, RIGHT, SUIT_MASK
from schmier_sim.composition import N_COMPOSITIONS, OF_HOLDING, holding_of, number_of
from schmier_sim.engine.switches import lowest_bid
from schmier_sim.policies.heuristic.rules import JUMP, OVERBID, SUIT, TABLE
from schmier_sim.policies.heuristic.weights import (
    BAUER_DEFENDS,
    GETS,
    JUMP_MARGIN,
    OUTBID,
    THRESHOLDS,
)
from schmier_sim.policies.plain import estimate
from schmier_sim.policies.toolkit import same_team

HIGHEST: Final = 6
_ALONE, _AGAINST, _OVER_PARTNER = 0, 1, 2


def _read_values() -> np.ndarray:
    """``[dealer, bid, composition]``, in hundredths of a point."""
    values = np.zeros((2, HIGHEST + 1, N_COMPOSITIONS), np.int16)
    text = files(__package__).joinpath("values.csv").read_text("ascii")
    for row in csv.DictReader(text.splitlines()):
        dealer, number = int(row["dealer"]), number_of(row["composition"])
        for bid in range(1, HIGHEST + 1):
            values[dealer, bid, number] = int(row[str(bid)])
    return values


VALUES: Final = _read_values()
_WORTH: Final = np.ascontiguousarray(VALUES[:, :, OF_HOLDING])
"""``[dealer, bid, holding]``: one look-up for each suit instead of two."""
_LEAST: Final = THRESHOLDS.min(axis=1)
"""``[position - 1]``: no bid that is worth less is made, whoever's bid stands."""


@inlined_kernel
def worth(hand: int, suit: int, bid: int, dealer: int, without: int) -> int:
    """Return what a suit is worth at a level, in hundredths of a point."""
    if without & SUIT:
        return count_bits(hand & SUIT_MASK[suit, suit])
    return int(_WORTH[dealer, bid, holding_of(hand, suit)])


@inlined_kernel
def suit_of_most_worth(hand: int, bid: int, dealer: int, without: int) -> int:
    """Return the best suit to name; of equal ones the first."""
    most = worth(hand, 0, bid, dealer, without) << 2 | 3
    for suit in range(1, 4):
        most = max(most, worth(hand, suit, bid, dealer, without) << 2 | 3 - suit)
    return 3 - (most & 3)


@inlined_kernel
def best_suit(view: Any, without: int) -> int:
    """Name the trump suit."""
    dealer = 1 if view.seat == view.dealer else 0
    return suit_of_most_worth(view.hand, view.bid, dealer, without)


@inlined_kernel
def standing(view: Any, without: int) -> int:
    """Whose bid stands: nobody's, the enemy's or the partner's."""
    if view.position < 6 and view.legal >> lowest_bid(view.rules) & 1:
        return _ALONE
    high, bidder = 0, -1
    for seat in range(6):
        if view.calls[seat] > high:
            high, bidder = view.calls[seat], seat
    if bidder < 0:
        return _ALONE
    if same_team(view, bidder, view.seat) and not without & OVERBID:
        return _OVER_PARTNER
    return _AGAINST


@inlined_kernel
def defends(hand: int, suit: int) -> int:
    """Return what the bauers and the joker of a suit are worth if somebody else plays the hand."""
    return BAUER_DEFENDS * count_bits(hand & (1 << RIGHT[suit] | 1 << LEFT[suit] | 1 << JOKER))


@inlined_kernel
def best_bid(view: Any, suit: int, dealer: int, without: int) -> tuple[int, int]:
    """Return the bid of greatest expected value, and that value over being outbid, in per cent.

    A bid is worth what the suit is worth at its level, as often as it gets the auction, and else
    what it is worth to be outbid. A bid above the least one must be clearly better: the dealer,
    who speaks last, never bids more than he needs.
    """
    bids = view.legal & ~1
    holding = holding_of(view.hand, suit)
    outbid = OUTBID + defends(view.hand, suit)
    best, most = -1, 0
    while bids:
        bid = lowest_bit(bids)
        bids &= bids - 1
        gain = GETS[view.position - 1, bid] * (int(_WORTH[dealer, bid, holding]) - outbid)
        if best < 0:
            best, most = bid, gain
        elif gain - 100 * JUMP_MARGIN > most and not without & JUMP:
            best, most = bid, gain - 100 * JUMP_MARGIN
    return best, most


@inlined_kernel
def least_worth(view: Any, without: int, threshold: int, shift: int) -> int:
    """Return what a bid must be worth here, in hundredths, but for bauers and joker."""
    stands = standing(view, without)
    least = THRESHOLDS[view.position - 1, stands]
    return least + shift if 3 * (view.position - 1) + stands == threshold else least


@inlined_kernel
def best_call(view: Any, without: int, threshold: int, shift: int) -> int:
    """Bid what is worth most, if that is more than a pass is worth.

    Parameters
    ----------
    threshold, shift : int
        Add so many hundredths to one threshold, counted from 0; -1 for none.
    """
    bids = view.legal & ~1
    if not bids:
        return 0
    least_bid, dealer = lowest_bit(bids), 1 if view.position == 6 else 0
    suit = suit_of_most_worth(view.hand, least_bid, dealer, without)
    must_bid = not view.legal & 1
    if without & TABLE:
        return least_bid if must_bid or estimate(view.hand, suit) >= 100 * least_bid else 0
    worth_most = _WORTH[dealer, least_bid, holding_of(view.hand, suit)]
    lowered = min(0, shift) if threshold >= 0 else 0
    if worth_most <= _LEAST[view.position - 1] + lowered and not must_bid:
        return 0  # most hands: no need to look at whose bid stands
    least = least_worth(view, without, threshold, shift)
    passes = least + defends(view.hand, suit)
    # A bid that gets the auction for sure is worth most: no need to look at higher ones.
    if worth_most <= passes and not must_bid:
        return 0
    bid, gain = best_bid(view, suit, dealer, without)
    return bid if must_bid or gain > 100 * (least - OUTBID) else 0
