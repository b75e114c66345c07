"""The 769 compositions: a bidder's six dealt cards as seen in the suit that he names.

Which of A K Q R L T 2 J(oker) he holds, and how many of 3-9. Written ``AKR2+1``; none of the
eight and three small ones: ``-+3``.
"""

from __future__ import annotations

from math import comb
from typing import Final

import numpy as np

from schmier_sim._jit import inlined_kernel
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

# Trumps as 15 bits from the joker, the lowest, over 2-9, 10, left, right, Q and K to the ace.
_KEY_BITS: Final = (14, 13, 12, 11, 10, 9, 1, 0)  # of `KEYS`
_SMALL_BITS: Final = 0b1_1111_1100


def _by_trumps() -> np.ndarray:
    """Composition by 15 bits of trumps; -1 for more than six, which no dealt hand holds."""
    trumps = np.arange(1 << 15)
    keys = np.zeros_like(trumps)
    for i, bit in enumerate(_KEY_BITS):
        keys |= (trumps >> bit & 1) << i
    return _NUMBER[keys, np.bitwise_count(trumps & _SMALL_BITS)]


_OF_TRUMPS: Final = _by_trumps()


@inlined_kernel
def trumps_by_rank(hand: int, trump: int) -> int:
    """Return the trumps of a hand as 15 bits in the order of their ranks, bit 0 the joker (R1)."""
    own = hand >> 13 * trump
    left = hand >> 13 * (3 - trump) + JACK & 1
    return hand >> JOKER & 1 | (own & 0x1FF) << 1 | left << 10 | (own & 0x1E00) << 2


@inlined_kernel
def composition_of(hand: int, trump: int) -> int:
    """Return the number of the composition of a six-card hand in a suit."""
    return int(_OF_TRUMPS[trumps_by_rank(hand, trump)])


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
