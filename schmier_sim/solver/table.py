"""What is known of positions at the start of a trick: keys and slots.

A key of 64 bits stands for a position: two positions in one search share one with a chance of
2**-64. Facts hold for ever, whatever is searched, so that nothing is ever cleared.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from schmier_sim._jit import wrapping_kernel
from schmier_sim.bits import count_bits
from schmier_sim.solver.space import TABLE_BITS

_FACTOR: Final = np.uint64(0x9E3779B97F4A7C15)
_HALF: Final = np.uint64(32)
_TO_SLOT: Final = np.uint64(64 - TABLE_BITS)


@wrapping_kernel
def stir(key: Any, word: int) -> Any:
    """Take one more word into a key."""
    key = (key ^ np.uint64(word)) * _FACTOR
    return key ^ key >> _HALF


@wrapping_kernel
def seed_of(rules: int) -> Any:
    """Return what keys of positions under the same rules begin with."""
    return stir(np.uint64(1), rules)


@wrapping_kernel
def key_of(space: Any, level: int, leader: int) -> Any:
    """Return the key of a position without its game counts."""
    at = 6 * level
    key = stir(space.seed, space.hands[at] << 3 | leader)
    for seat in range(1, 5):
        key = stir(key, space.hands[at + seat])
    at = 4 * level
    lengths = (
        count_bits(space.lanes[at])
        | count_bits(space.lanes[at + 1]) << 4
        | count_bits(space.lanes[at + 2]) << 8
    )
    return stir(key, space.points[level] << 12 | lengths)


@wrapping_kernel
def with_counts(space: Any, level: int, key: Any, need: int) -> Any:
    """Return the key of a position in which game counts and how many points are needed."""
    at = 4 * level
    key = stir(key, space.worth[at] << 3 | need)
    for i in range(1, 4):
        key = stir(key, space.worth[at + i])
    return key


@wrapping_kernel
def slot_of(key: Any) -> Any:
    """Return where a position is kept."""
    return np.int64(key >> _TO_SLOT)
