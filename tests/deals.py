"""Deals for tests: random ones as arrays, and some with chosen cards."""

from __future__ import annotations

import numpy as np

from schmier_sim.cards import parse_cards


def shuffled(n: int, seed: int = 1, first: str = "") -> tuple[np.ndarray, np.ndarray]:
    """Return hands (n, 6) and stock (n, 17); the cards of ``first`` are dealt to seat 0."""
    fixed = parse_cards(first)
    others = np.array([card for card in range(53) if card not in fixed])
    order = np.argsort(np.random.default_rng(seed).random((n, len(others))), axis=1)
    packs = np.hstack([np.tile(np.array(fixed, int), (n, 1)), others[order]])
    hands = np.bitwise_or.reduce(np.int64(1) << packs[:, :36].reshape(n, 6, 6), axis=2)
    return hands, packs[:, 36:].astype(np.int8)
