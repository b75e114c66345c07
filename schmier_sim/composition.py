"""The 769 compositions: a bidder's six dealt cards as seen in the suit that he names.

Which of A K Q R L T 2 J(oker) he holds, and how many of 3-9. Written ``AKR2+1``; none of the
eight and three small ones: ``-+3``.
"""

from __future__ import annotations

from math import comb
from typing import Final

import numpy as np

from schmier_sim._jit import inlined_kernel
from schmier_sim.bits import count_bits
from schmier_sim.cards import JACK, JOKER
from schmier_sim.errors import InputError

KEYS: Final = "AKQRLT2J"


def _classes() -> list[tuple[int, int]]:
    """All (keys held as bits of `KEYS`, number of small trumps) that six cards can make."""
    return [
        (keys, small)
        for keys in range(256)
        for small in range(min(7, 6 - keys.bit_count()) + 1)
        if keys.bit_count() <= 6
    ]


def _name(keys: int, small: int) -> str:
    held = "".join(key for i, key in enumerate(KEYS) if keys >> i & 1)
    return f"{held or '-'}+{small}"


_CLASSES: Final = _classes()
N_COMPOSITIONS: Final = len(_CLASSES)
NAMES: Final = tuple(_name(keys, small) for keys, small in _CLASSES)
"""By composition number."""
HELD: Final = np.array([[keys >> i & 1 for i in range(8)] for keys, _ in _CLASSES], bool)
"""``[composition, key]``: which of `KEYS` are held."""
SMALL: Final = np.array([small for _, small in _CLASSES])
"""``[composition]``: how many of 3-9."""
TRUMPS: Final = HELD.sum(axis=1) + SMALL
"""``[composition]``: number of trumps."""
TOPS: Final = HELD[:, [KEYS.index(key) for key in "AKQR"]].sum(axis=1)
"""``[composition]``: how many of A K Q R."""
FREQUENCY: Final = np.array(
    [
        comb(7, small) * comb(38, 6 - trumps) / comb(53, 6)
        for small, trumps in zip(SMALL.tolist(), TRUMPS.tolist(), strict=True)
    ]
)
"""``[composition]``: how often six dealt cards are one in a given suit; exact, 1 together."""

_NUMBER = np.full((256, 8), -1, np.int16)
for _i, (_keys, _small) in enumerate(_CLASSES):
    _NUMBER[_keys, _small] = _i

# What a hand holds in a suit as 11 bits: 10 R Q K A, 2, left, joker, and three for the number of
# small trumps.
_HOLDING_KEYS: Final = "TRQKA2LJ"


def _by_holding() -> np.ndarray:
    """Composition by holding; -1 for more than six trumps, which no dealt hand holds."""
    holdings = np.arange(1 << 11)
    keys = np.zeros_like(holdings)
    for bit, key in enumerate(_HOLDING_KEYS):
        keys |= (holdings >> 3 + bit & 1) << KEYS.index(key)
    return _NUMBER[keys, holdings & 7]


OF_HOLDING: Final = _by_holding()
"""``[holding]``: number of the composition."""


@inlined_kernel
def holding_of(hand: int, trump: int) -> int:
    """Return what a hand holds in a suit: an index for tables such as `OF_HOLDING`."""
    own = hand >> 13 * trump
    left = hand >> 13 * (3 - trump) + JACK & 1
    keys = own >> 8 & 0x1F | (own & 1) << 5 | left << 6 | (hand >> JOKER & 1) << 7
    return keys << 3 | count_bits(own & 0xFE)


@inlined_kernel
def composition_of(hand: int, trump: int) -> int:
    """Return the number of the composition of a six-card hand in a suit."""
    return int(OF_HOLDING[holding_of(hand, trump)])


def number_of(name: str) -> int:
    """Return the number of a composition written like ``AKR2+1``.

    Raises
    ------
    InputError
        If it is not one of the 769.
    """
    keys, plus, small = name.strip().upper().partition("+")
    held = sum(1 << KEYS.index(key) for key in set(keys) if key in KEYS)
    if plus and small.isdigit() and len(small) == 1 and int(small) < 8:
        number = int(_NUMBER[held, int(small)])
        if number >= 0 and NAMES[number] == f"{keys}+{small}":
            return number
    raise InputError(f"no composition: {name!r}; write the honours in the order {KEYS}, as AKR2+1")
