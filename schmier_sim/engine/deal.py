"""P2, P3: six cards to each seat, 17 in the stock, and the first dealer."""

from __future__ import annotations

from typing import Any

import numpy as np

from schmier_sim._jit import kernel
from schmier_sim.cards import N_CARDS
from schmier_sim.rng import DEAL, DEALER, POLICY, absorb, below, hand_key, next_below, stream


@kernel
def shuffle(cards: np.ndarray, states: np.ndarray) -> None:
    """Put cards into a uniformly random order, in place (Fisher-Yates)."""
    n, state = len(cards), states[0]
    for i in range(n - 1):
        state, drawn = next_below(state, n - i)
        j = i + drawn
        cards[i], cards[j] = cards[j], cards[i]
    states[0] = state


@kernel
def deal_cards(table: Any, seed: int, index: int, attempt: int) -> None:
    """Deal all 53 cards of one attempt at a hand, and key the policies' random numbers."""
    for card in range(N_CARDS):
        table.pack[card] = card
    key = hand_key(seed, index, attempt)
    table.stream[0] = absorb(key, DEAL)
    shuffle(table.pack, table.stream)
    for seat in range(6):
        hand = 0
        for i in range(6 * seat, 6 * seat + 6):
            hand |= 1 << table.pack[i]
        table.dealt[seat] = hand
    for i in range(17):
        table.stock[i] = table.pack[36 + i]
    table.policy_key = absorb(key, POLICY)


@kernel
def first_dealer(table: Any, seed: int, index: int) -> int:
    """Draw the dealer of a hand; its cards do not depend on it."""
    table.stream[0] = stream(seed, index, 0, DEALER)
    return below(table.stream, 6)
