"""Hidden cards from what a seat knows: so far, its own six cards; all else is equally likely."""

from __future__ import annotations

from typing import Any

from schmier_sim._jit import kernel
from schmier_sim.cards import N_CARDS
from schmier_sim.engine.deal import shuffle
from schmier_sim.rng import AROUND, POLICY, stream


@kernel
def deal_around(table: Any, seat: int, hand: int, seed: int, index: int) -> None:
    """Deal the 47 other cards around a fixed hand, uniformly."""
    others = table.pack[:47]
    n = 0
    for card in range(N_CARDS):
        if not hand >> card & 1:
            others[n] = card
            n += 1
    table.stream[0] = stream(seed, index, 0, AROUND)
    shuffle(others, table.stream)
    at = 0
    for other in range(6):
        dealt = hand
        if other != seat:
            dealt = 0
            for i in range(at, at + 6):
                dealt |= 1 << others[i]
            at += 6
        table.dealt[other] = dealt
    for i in range(17):
        table.stock[i] = others[30 + i]
    table.policy_key = stream(seed, index, 0, POLICY)
