"""The solver's picture of a position: relative ranks, one level for each trick.

Cards in play are numbered from below: three plain suits, then the trumps, each from its lowest
card. After a trick those left close up, so that positions which differ only in cards that are gone
look the same, and cards that are neighbours in rank are neighbours here. Seats are counted from
the bidder. Nothing is taken back: each trick is a level with its own masks.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from schmier_sim._jit import JIT_ENABLED, inlined_kernel, part_kernel
from schmier_sim.bits import DEPOSITS_FAST, count_bits, highest_bit
from schmier_sim.cards import N_CARDS

TABLE_BITS: Final = 16  # a megabyte: more would know a little more, but be slower to ask
N_SLOTS: Final = 1 << TABLE_BITS
GAME_FRAMES: Final = 48
N_FRAMES: Final = 2 * GAME_FRAMES
UNKNOWN: Final = -1
"""No verdict yet; the others are 1, the bidding team is sure, and 0."""

SPACE: Final = np.dtype(
    [
        # The question.
        ("trump", np.int64),
        ("bidder", np.int64),
        ("rules", np.int64),  # packed
        ("leader", np.int64),  # of the trick that is played
        ("given", np.int64, (6,)),  # cards in hand by seat, as masks
        ("n_trick", np.int64),
        ("trick", np.int64, (6,)),  # cards on the table, in order
        ("card_points", np.int64),  # of the bidding team, from finished tricks
        ("game_count", np.int64, (3,)),  # by team, from finished tricks
        ("wants_best", np.int64),
        # The answer.
        ("value", np.int64),  # points of the bidding team
        ("best", np.int64),  # mask of the best cards of the seat to play
        # What does not change while a position is searched. Seats from here on: bidder 0.
        ("sides", np.int64),  # mask of the seats of the bidding team
        ("last", np.int64),  # the level of the last trick
        ("any_ruff", np.int64),
        ("trump_first", np.int64),
        ("seed", np.uint64),  # of keys
        ("places", np.int64, (N_CARDS,)),  # of the first level, by card
        ("rivals", np.int64, (6,)),  # by seat: 0, or which of the other teams, as bits
        ("n_nodes", np.int64),
        # By level.
        ("hands", np.int64, (42,)),  # 6 * level + seat
        ("lanes", np.int64, (28,)),  # 4 * level + suit; 3 are the trumps
        ("worth", np.int64, (28,)),  # 4 * level + i: cards whose game count has bit i
        ("points", np.int64, (7,)),  # point cards still fought for
        ("cards", np.int64, (7,)),  # all cards in play
        ("ours", np.int64, (7,)),  # those of the bidding team
        ("theirs", np.int64, (7,)),  # those of the first of the others
        ("unlike", np.int64, (7,)),  # those that are not as good as the next higher, but for game
        ("unequal", np.int64, (7,)),  # and with game
        ("left", np.int64, (7,)),  # what all cards count for game
        ("lead_1", np.int64, (7,)),  # by how much the bidding team leads the others for game
        ("lead_2", np.int64, (7,)),
        ("gain_1", np.int64, (7,)),  # what the trick before has added to these
        ("gain_2", np.int64, (7,)),
        # By frame: how far the search has come, 6 * level + cards on the table; from `GAME_FRAMES`
        # on with game.
        ("need", np.int64, (N_FRAMES,)),  # points that the bidding team must still get
        ("seat", np.int64, (N_FRAMES,)),  # whose turn it is
        ("down", np.int64, (N_FRAMES,)),  # cards on the table
        ("high", np.int64, (N_FRAMES,)),  # the card that holds the trick
        ("holder", np.int64, (N_FRAMES,)),  # who played that
        ("led", np.int64, (N_FRAMES,)),  # all cards of the suit led
        ("moves", np.int64, (N_FRAMES,)),  # cards still to try
        ("first", np.int64, (N_FRAMES,)),  # those to try first
        ("hint", np.int64, (N_FRAMES,)),  # the one to try before all
        ("card", np.int64, (N_FRAMES,)),  # the one that is tried
        ("key", np.uint64, (N_FRAMES,)),  # at the start of a trick
        ("edges_1", np.int64, (N_FRAMES,)),  # how far what was found so far holds
        ("edges_2", np.int64, (N_FRAMES,)),
        # How far the last verdict holds, see `counts`.
        ("edge_1", np.int64),
        ("edge_2", np.int64),
        # What is known of positions at the start of a trick.
        ("keys", np.uint64, (N_SLOTS,)),
        ("facts", np.int64, (N_SLOTS,)),
    ]
)

if JIT_ENABLED:
    from llvmlite import ir
    from numba import types
    from numba.extending import intrinsic

    @intrinsic
    def _extract(typing_context: Any, bits: Any, mask: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            int64 = ir.IntType(64)
            extract = builder.module.declare_intrinsic(
                "llvm.x86.bmi.pext.64", (), ir.FunctionType(int64, [int64, int64])
            )
            return builder.call(extract, args)

        return types.int64(types.int64, types.int64), generate

else:

    def _extract(bits: int, mask: int) -> int:
        raise NotImplementedError


@inlined_kernel
def next_seat(seat: int) -> int:
    """Return the seat to the left; cheaper than a remainder."""
    return 0 if seat == 5 else seat + 1


@inlined_kernel
def squeeze(mask: int, gone: int) -> int:
    """Close the gaps that some cards leave; the mask has none of them."""
    if DEPOSITS_FAST:
        return _extract(mask, ~gone)
    while gone:
        top = 1 << highest_bit(gone)
        mask = (mask & (top - 1)) | (mask >> 1 & ~(top - 1))
        gone ^= top
    return mask


@inlined_kernel
def count_of(space: Any, level: int, cards: int) -> int:
    """S4: what cards count for game."""
    at = 4 * level
    return (
        count_bits(cards & space.worth[at])
        + 2 * count_bits(cards & space.worth[at + 1])
        + 4 * count_bits(cards & space.worth[at + 2])
        + 8 * count_bits(cards & space.worth[at + 3])
    )


@part_kernel
def next_level(space: Any, level: int, trick: int) -> None:
    """Set up the level after a trick, of cards on this one."""
    now, then = 6 * level, 6 * level + 6
    for seat in range(6):
        space.hands[then + seat] = squeeze(space.hands[now + seat] & ~trick, trick)
    now, then = 4 * level, 4 * level + 4
    for i in range(4):
        space.lanes[then + i] = squeeze(space.lanes[now + i] & ~trick, trick)
    space.points[level + 1] = squeeze(space.points[level] & ~trick, trick)
    space.ours[level + 1] = squeeze(space.ours[level] & ~trick, trick)
    space.theirs[level + 1] = squeeze(space.theirs[level] & ~trick, trick)
    space.cards[level + 1] = space.cards[level] >> 6


@inlined_kernel
def next_worth(space: Any, level: int, trick: int) -> None:
    """Set up what the cards of the level after a trick count."""
    now, then = 4 * level, 4 * level + 4
    for i in range(4):
        space.worth[then + i] = squeeze(space.worth[now + i] & ~trick, trick)


@inlined_kernel
def above(mask: int) -> int:
    """Return the cards above the highest of a mask."""
    return ~((2 << highest_bit(mask)) - 1) if mask else -1


@inlined_kernel
def suit_of(space: Any, level: int, card: int) -> int:
    """Return the mask of the suit of a card, which is a mask too."""
    at = 4 * level
    for i in range(3):
        if card & space.lanes[at + i]:
            return space.lanes[at + i]
    return space.lanes[at + 3]


@inlined_kernel
def last_winner(space: Any, level: int, trick: int, leader: int) -> int:
    """Return the card, a mask, that wins the last trick, when all others but a trick are gone."""
    rest = space.cards[level] ^ trick
    led = suit_of(space, level, space.hands[6 * level + leader] & rest)
    return 1 << highest_bit(rest & (led | space.lanes[4 * level + 3]))


@inlined_kernel
def differ(mask: int) -> int:
    """Return the cards of which just one, they or the next higher, is in a mask."""
    return mask ^ mask >> 1


@inlined_kernel
def apart(space: Any, level: int) -> int:
    """Return the cards that are not as good as the next higher one, but for game."""
    at = 4 * level
    trumps = space.lanes[at + 3]
    return (
        differ(space.lanes[at + 1] | trumps)
        | differ(space.lanes[at + 2] | trumps)
        | differ(space.points[level])
    )


@inlined_kernel
def apart_in_count(space: Any, level: int) -> int:
    """Return the cards that count otherwise than the next higher one."""
    at = 4 * level
    return (
        differ(space.worth[at])
        | differ(space.worth[at + 1])
        | differ(space.worth[at + 2])
        | differ(space.worth[at + 3])
    )


@inlined_kernel
def safe_cards(trumps: int, others: int) -> int:
    """Return the trumps of one side that no trump of the other can take: nobody else wins them."""
    return trumps & above(others)


@inlined_kernel
def settle(space: Any, level: int) -> int:
    """Stop the fight for point cards that are safe; return how many are the bidding team's."""
    trumps = space.lanes[4 * level + 3]
    ours = space.ours[level] & trumps
    safe = safe_cards(ours, trumps ^ ours) & space.points[level]
    lost = safe_cards(trumps ^ ours, ours) & space.points[level]
    space.points[level] ^= safe | lost
    space.unlike[level] = apart(space, level)
    return count_bits(safe)
