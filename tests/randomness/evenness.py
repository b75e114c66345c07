"""Packs against the laws of a uniformly random permutation. Packs: int8, (53, deals)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

import numpy as np

from randomness import laws
from schmier_sim.cards import N_CARDS, PACK_MASK, SUIT_MASK

ACES: Final = (12, 25, 38, 51)
LAGS: Final = (1, 2, 6)  # the next place, the one after, the same place of the next hand
FULL: Final = 5 * N_CARDS * (N_CARDS - 1)  # from so many deals on, each pair of cards is counted


def _members(mask: int) -> np.ndarray:
    return np.array([mask >> card & 1 for card in range(N_CARDS)], bool)


def _relations() -> Mapping[str, np.ndarray]:
    """Which ordered pairs of cards are looked for at neighbouring places."""
    card = np.arange(N_CARDS)
    suit = card // 13
    trumps = _members(int(SUIT_MASK[0, 0]))
    related = {
        "same suit": suit[:, None] == suit,
        "both trumps": trumps[:, None] & trumps,
        "ids that follow": card[:, None] + 1 == card,
        "ids that follow downwards": card[:, None] - 1 == card,
        "same rank": (card % 13)[:, None] == card % 13,
    }
    return {name: pairs & ~np.eye(N_CARDS, dtype=bool) for name, pairs in related.items()}


RELATIONS: Final = _relations()


def places(packs: np.ndarray) -> np.ndarray:
    """How often each place holds each card, (place, card)."""
    return np.array([np.bincount(row, minlength=N_CARDS) for row in packs])


def place_statistic(counts: np.ndarray) -> tuple[float, int]:
    """Chi-square of each card at each place, and its degrees of freedom.

    For one deal the indicators X of card j at place i have the covariance
    (d_ik - 1/n) (d_jl - 1/n) / (n - 1): the variance (n - 1) / n^2 of a cell, and no freedom in
    any row or column. That is 1 / (n - 1) times the projection on the matrices whose rows and
    columns add up to 0, of dimension (n - 1)^2. So the sum of (count - N/n)^2 (n - 1) / N tends to
    chi-square with (n - 1)^2 degrees: Pearson's statistic times (n - 1) / n.
    """
    n, deals = len(counts), int(counts[0].sum())
    deviation = counts - deals / n
    return float((deviation**2).sum()) * (n - 1) / deals, (n - 1) ** 2


def cards_at_places(packs: np.ndarray) -> float:
    """Each card at each place, all cells together."""
    return laws.chi_square(*place_statistic(places(packs)))


def worst_place(packs: np.ndarray) -> float:
    """The card and place furthest from their share."""
    return laws.worst_count(places(packs), packs.shape[1], 1 / N_CARDS)


def fixed_points(packs: np.ndarray) -> float:
    """How many cards lie at the place of their id."""
    still = (packs == np.arange(N_CARDS, dtype=np.int8)[:, None]).sum(axis=0)
    return laws.goodness(np.bincount(still), laws.fixed_points(N_CARDS))


def descents(packs: np.ndarray) -> float:
    """How often a card is followed by a lower id."""
    falls = (packs[1:] < packs[:-1]).sum(axis=0)
    return laws.goodness(np.bincount(falls), laws.descents(N_CARDS))


def inversions(packs: np.ndarray) -> float:
    """How many pairs of cards lie in falling order of their ids."""
    count = np.zeros(packs.shape[1], np.int16)
    for i in range(N_CARDS - 1):
        count += (packs[i] > packs[i + 1 :]).sum(axis=0, dtype=np.int16)
    return laws.goodness(np.bincount(count), laws.inversions(N_CARDS))


def _related(here: np.ndarray, there: np.ndarray) -> list[int]:
    """In how many deals the cards of two places are related, by relation."""
    code = here.astype(np.int16) * N_CARDS + there
    seen = np.bincount(code, minlength=N_CARDS**2)
    return [int(seen[relation.ravel()].sum()) for relation in RELATIONS.values()]


def neighbours(packs: np.ndarray) -> float:
    """Related cards at places 1, 2 and 6 apart: their number, and the worst place."""
    deals, p_values = packs.shape[1], []
    for lag in LAGS:
        counts = np.array([_related(*two) for two in zip(packs, packs[lag:], strict=False)])
        for relation, found in zip(RELATIONS.values(), counts.T, strict=True):
            mean, variance = laws.related_neighbours(relation.tobytes(), N_CARDS, lag)
            p_values.append(laws.normal((found.sum() - deals * mean) / np.sqrt(deals * variance)))
            p_values.append(laws.worst_count(found, deals, mean / (N_CARDS - lag)))
    return laws.any_of(p_values)


def pairs(packs: np.ndarray) -> float:
    """Every two cards at every two places that follow each other; nothing said of few deals."""
    if packs.shape[1] < FULL:
        return 1.0
    apart, p_values = ~np.eye(N_CARDS, dtype=bool).ravel(), []
    for here, there in zip(packs, packs[1:], strict=False):
        code = here.astype(np.int16) * N_CARDS + there
        p_values.append(laws.equal_cells(np.bincount(code, minlength=N_CARDS**2)[apart]))
    return laws.any_of(p_values)


def aces(packs: np.ndarray) -> float:
    """How many aces each of the six hands holds."""
    is_ace = np.isin(np.arange(N_CARDS), ACES)
    law = laws.matches_of_hands(len(ACES), 6, N_CARDS)
    held = [is_ace[packs[6 * seat : 6 * seat + 6]].sum(axis=0) for seat in range(6)]
    return laws.any_of([laws.goodness(np.bincount(count), law) for count in held])


CHECKS: Final[tuple[Callable[[np.ndarray], float], ...]] = (
    cards_at_places, worst_place, fixed_points, descents, inversions, neighbours, pairs, aces,
)  # fmt: skip


def p_values(packs: np.ndarray) -> dict[str, float]:
    """Every check of some packs."""
    return {check.__name__.replace("_", " "): check(packs) for check in CHECKS}


def relative(packs: np.ndarray, others: np.ndarray) -> np.ndarray:
    """Where each card of one deal lies in another one: what turns the one pack into the other.

    If the two are independent and at least one of them is uniform, so is this; and of a row of
    deals these steps from each to the next are independent. Its fixed points are the places at
    which both deals hold the same card.
    """
    deals = np.arange(packs.shape[1])
    where = np.empty_like(others)
    where[others, deals] = np.arange(N_CARDS, dtype=np.int8)[:, None]
    return where[packs, deals]


def common_cards(masks: np.ndarray, others: np.ndarray) -> float:
    """How many cards each seat holds in both of two deals; masks (deals, 6)."""
    law = laws.matches_of_hands(6, 6, N_CARDS)
    both = np.bitwise_count(masks & others)
    return laws.any_of([laws.goodness(np.bincount(column), law) for column in both.T])


def are_whole(packs: np.ndarray, masks: np.ndarray) -> bool:
    """Whether every pack holds every card, and the hands are its first 36, six by six."""
    seen = np.zeros(packs.shape[1], np.int64)
    hands = np.zeros_like(masks)
    for place, row in enumerate(packs):
        bits = np.int64(1) << row.astype(np.int64)
        seen |= bits
        if place < 36:
            hands[:, place // 6] |= bits
    return bool(np.all(seen == PACK_MASK) and np.array_equal(hands, masks))
