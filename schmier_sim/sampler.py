"""Hidden cards from what a seat knows: so far, its own six cards; all else is equally likely."""

from __future__ import annotations

from typing import Any

from schmier_sim._jit import kernel
from schmier_sim.bits import lowest_bit
from schmier_sim.cards import PACK_MASK
from schmier_sim.engine.deal import deal_out, six_cards
from schmier_sim.rng import AROUND, POLICY, stream


@kernel
def deal_around(table: Any, seat: int, hand: int, seed: int, index: int) -> None:
    """Deal the 47 other cards around a fixed hand, uniformly."""
    table.stream[0] = stream(seed, index, 0, AROUND)
    deal_out(table.pack, PACK_MASK & ~hand, table.stream)
    at = 0
    for other in range(6):
        if other == seat:
            table.dealt[other] = hand
        else:
            table.dealt[other] = six_cards(table.pack, at)
            at += 6
    for i in range(17):
        table.stock[i] = lowest_bit(table.pack[30 + i])
    table.policy_key = stream(seed, index, 0, POLICY)
