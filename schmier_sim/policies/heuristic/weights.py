"""The measured weights of `heuristic`, in hundredths of a point unless said otherwise.

Found by coordinate search: one weight is changed, and the change kept if the player with it beats
the player without it on the same deals (`schmier_sim.compare`), with the limits of the difference
above 0 on deals not used before. Few of them were set by hand, where trials saw no difference.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from schmier_sim.cards import (
    ACE,
    JACK,
    JOKER,
    KING,
    LEFT,
    LOW,
    QUEEN,
    RIGHT,
    SUIT_MASK,
    TEN,
    cards_of,
)  # fmt: skip

N_KINDS: Final = 13
"""Trumps A K Q R L 10, 3-9, joker, 2; plain aces, tens, K Q J, and 2-9."""


def _kinds() -> np.ndarray:
    kinds = np.empty((4, 53), np.int64)
    for trump in range(4):
        for rank in range(13):
            kind = {ACE: 9, TEN: 10, JACK: 11, QUEEN: 11, KING: 11}.get(rank, 12)
            kinds[trump, rank:JOKER:13] = kind
        kinds[trump, cards_of(int(SUIT_MASK[trump, trump]))] = 6
        own = 13 * trump
        top = (own + ACE, own + KING, own + QUEEN, RIGHT[trump], LEFT[trump])
        for kind, card in enumerate(top):
            kinds[trump, card] = kind
        kinds[trump, own + TEN], kinds[trump, JOKER], kinds[trump, LOW[trump]] = 5, 7, 8
    return kinds


KIND: Final = _kinds()
"""``[trump, card]``."""
IS_POINT: Final = np.array([0, 0, 0, 1, 1, 0, 0, 1, 0, 0, 0, 0, 0], np.int64)
"""By kind: whether the taker of the trick scores it: right, left and joker."""

POINT_WORTH: Final = np.array([130, 230], np.int64)
"""By side, the bidding team and the defenders: a point card in the trick."""
COUNT_WORTH: Final = np.array([4, 6], np.int64)
"""By side: each count for game."""
LEAD_WORTH: Final = np.array([0, 0], np.int64)
"""By side: leading to the next trick."""
STAGE: Final = np.array([0, 0, 1, 1, 2, 2], np.int64)
"""By trick: early, middle, late."""
KEEP: Final = np.array(
    [
        [
            [150, 65, 50, 140, 110, 60, 21, 45, 8, 30, 15, 5, 0],
            [150, 100, 85, 140, 110, 44, 15, 45, 8, 14, 9, 5, 0],
        ],
        [
            [100, 82, 56, 132, 91, 40, 10, 37, 5, 4, 4, 3, 0],
            [100, 82, 56, 151, 91, 34, 16, 43, 15, 4, 10, 3, 0],
        ],
        [
            [62, 52, 38, 87, 73, 20, -11, 30, 2, 10, 5, 1, 0],
            [50, 49, 28, 93, 73, 20, 5, 24, 2, 4, 5, 1, 0],
        ],
    ],
    np.int64,
)
"""``[stage, side, kind]``: what a card is worth if kept."""
PARTNER_TAKES: Final = np.array(
    [
        [
            [0, 0, 15, 14],
            [0, 7, 14, 20],
        ],
        [
            [0, 22, 15, 14],
            [0, 0, 2, 20],
        ],
    ],
    np.int64,
)
"""``[side, is trump, hidden trumps above it]``: per cent that the partner beats an enemy's card."""
HOLDS_TRUMP: Final = np.array(
    [
        [100, 100, 100, 100, 100, 100],
        [100, 80, 64, 51, 41, 33],
        [100, 60, 36, 22, 13, 8],
        [100, 40, 16, 6, 3, 1],
        [100, 20, 4, 1, 0, 0],
    ],
    np.int64,
)
"""``[armed enemies to come, hidden trumps above it]``: per cent that a trump holds, trumps led."""
HOLDS_RUFF: Final = np.array(
    [
        [100, 100, 100, 100, 100, 100],
        [100, 90, 81, 81, 66, 59],
        [100, 80, 64, 51, 41, 33],
        [100, 70, 49, 34, 24, 17],
        [100, 60, 36, 22, 13, 8],
    ],
    np.int64,
)
"""Likewise for a trump on a plain suit."""
HOLDS_PLAIN: Final = np.array(
    [
        [100, 100, 100, 100, 100, 100],
        [80, 72, 65, 58, 52, 47],
        [64, 51, 41, 33, 18, 21],
        [51, 36, 25, 18, 12, 9],
        [41, 25, 15, 9, 5, 3],
    ],
    np.int64,
)
"""``[armed enemies to come, hidden cards of the suit above it]``: per cent, for a plain card."""

BOSS: Final = 0
PLAIN_BOSS: Final = 8
TWO_BOSSES: Final = 12
MORE_BOSSES: Final = 13
SURE: Final = 14
IS_LED_HIGH: Final = np.array([1, 0, 0, 0, 0, 1, 0, 0, 1, 0, 0, 0, 1, 1, 1], np.int64)
"""By lead kind: whether the higher card of the kind is led, not the lower."""
LEAD_KIND: Final = np.array([0, 1, 1, 2, 3, 4, 5, 7, 6, 11, 9, 10, 11], np.int64)
"""By kind, what it is to lead if not boss: K Q, R, L, 10, 3-9, 2, joker; plain 10, K Q J, 2-9."""
LEADS: Final = np.array(
    [
        [
            [100, 20, 5, 5, 10, 10, 10, 0, 30, 5, 12, 25, 100, 100, 150],
            [9, 38, 5, 6, 0, 31, 39, 1, 86, 39, 84, 44, 95, 43, 150],
            [2, 54, 28, 34, 7, 26, 28, -1, 44, 21, 84, 58, 95, 95, 150],
            [36, 1, -18, 30, 11, 35, 59, -1, 43, 41, 41, 68, 19, 130, 150],
            [66, 36, 12, 11, 25, 4, 43, -1, 32, 4, 20, 20, 118, 118, 150],
        ],
        [
            [42, 42, 1, -29, -1, 24, 45, -1, 46, 53, 43, 50, 104, 104, 150],
            [41, 4, -31, 1, 13, 39, 61, 30, 72, 41, 22, 58, 37, 37, 150],
            [51, 50, 4, 14, 33, 59, 59, -1, 43, 24, 16, 22, 85, 85, 150],
            [155, 24, -18, -11, -17, 42, 54, -33, 15, -12, 29, -1, 162, 162, 150],
            [170, 74, -43, -32, 28, -13, 20, -77, 29, 4, 11, 24, 159, 159, 150],
        ],
        [
            [43, 55, -21, 24, -4, 26, 61, 21, 28, 3, 16, 22, 101, 101, 150],
            [46, 37, 20, 24, 32, 30, 41, 18, 38, 8, 29, 51, 50, 50, 150],
            [69, -12, 8, 2, 15, 39, 36, 5, 50, 50, 7, 41, 67, 67, 150],
            [90, 20, -7, 4, 30, 26, 23, -1, 23, 8, 32, 8, 99, 99, 150],
            [99, 19, 17, 8, 12, 39, 37, 34, 29, 4, 11, 18, 99, 99, 150],
        ],
        [
            [21, 47, 7, 24, 32, 30, 28, -5, 35, 29, 32, 31, 77, 77, 150],
            [32, 19, -6, 16, 29, 31, 29, 35, 48, 38, 40, 37, 36, 36, 150],
            [4, 30, 5, 1, 20, 32, 30, 8, 39, 35, 40, 48, 46, 46, 150],
            [46, 52, -20, 1, 42, 42, 43, -51, 36, 29, 56, 34, 75, 75, 150],
            [58, 24, 9, -23, 21, 28, 56, 8, 68, 13, 38, 43, 48, 48, 150],
        ],
    ],
    np.int64,
)
"""``[part, length, lead kind]``: what a lead is worth against the other kinds.

Parts: bidder to the first trick, bidder later, his partner, an enemy. Length: up to one trump, two,
three, four, more. Lead kinds: the only boss trump 0, others by `LEAD_KIND`, a plain boss 8, one of
two boss trumps 12, of more 13, a plain boss when no trump is hidden 14.
"""

RANK_CLASS: Final = np.array([5, 5, 5, 5, 5, 5, 5, 5, 3, 0, 1, 2, 4], np.int64)
"""By rank: J Q K 10 A, 2-9."""
KEEP_DRAWING: Final = np.array([-30, -25, -20, -55, -1, -60], np.int64)
"""``[rank class]``: what a plain card is worth against one drawn from the stock."""
KEEP_TAKING: Final = np.array([-30, -25, -20, -5, 20, -60], np.int64)
"""``[rank class]``: what a plain card is worth to the taker of the rest; only the order matters."""
GETS: Final = np.array(
    [
        [0, 80, 80, 80, 99, 99, 100],
        [0, 80, 80, 80, 99, 99, 100],
        [0, 83, 83, 83, 99, 100, 100],
        [0, 88, 88, 88, 99, 100, 100],
        [0, 93, 93, 93, 99, 100, 100],
        [0, 100, 100, 100, 100, 100, 100],
    ],
    np.int64,
)
"""``[position - 1, bid]``: per cent of the auctions that a bid gets."""
OUTBID: Final = -110
"""What it is worth to be outbid, but for the bauers and the joker in the hand."""
BAUER_DEFENDS: Final = 32
"""What right, left and joker of the suit in mind are worth each if somebody else plays the hand."""
JUMP_MARGIN: Final = 30
"""How much better a bid above the least one must be."""
THRESHOLDS: Final = np.array(
    [
        [-30, -30, 60],
        [-30, -30, 60],
        [-45, 0, 60],
        [-30, -70, 100],
        [-30, -30, 60],
        [-30, -30, 60],
    ],
    np.int64,
)
"""``[position - 1, whose bid stands]``: nobody's, an enemy's, the partner's: worth of a pass."""
