"""What calls tell, as tidy data frames: integer counts, shares with limits, the share before."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple

import numpy as np
import pandas as pd

from schmier_sim.cards import POINT_MASK, SUITS, card_names, parse_card
from schmier_sim.policies.base import Policy
from schmier_sim.situation import Situation
from schmier_sim.stats import rate_interval
from schmier_sim.telling import (
    BY_ENEMY,
    BY_PARTNER,
    CALLER_HAS,
    DEALS,
    ENEMIES_HAVE,
    NOT_ASKED,
    PARTNER_HAS,
    SETS,
    SIZES,
    Counts,
    chance,
)
from schmier_sim.telling_hands import PARTNER, Told, by_keeping, by_weights

ANY: Final = "any"
BEFORE: Final = {ANY: [0, 1], "all passed": [0], "a bid": [1]}
"""What was called before."""
CALLS: Final = {
    ANY: range(NOT_ASKED, 7),
    "not asked": [NOT_ASKED],
    "pass": [0],
    "a bid": range(1, 7),
    **{str(bid): [bid] for bid in range(1, 7)},
}
"""What is called."""
HOLDERS: Final = {"an enemy": ENEMIES_HAVE, "the caller": CALLER_HAS, "my partner": PARTNER_HAS}
ENEMY_SETS: Final = ("ace", "a bauer")
HAND_COLUMNS: Final = [
    "hand", "position", "calls", "suit", "cards", "k", "how", "error", "tried", "effective",
    "share", "rate", "low", "high", "exact",
]  # fmt: skip
FIXED, NAMED_SUIT = "fixed", "named"
"""Whose cards: of a suit fixed beforehand, or of the one that my partner names, having won."""


def auction_rows(counts: Counts) -> pd.DataFrame:
    """Return what my partner's call tells of his own cards.

    Returns
    -------
    DataFrame
        ``suit`` (`FIXED`, `NAMED_SUIT`), ``position`` (his, 1 to 6), ``before`` (`BEFORE`),
        ``call`` (`CALLS`), ``cards`` (of a set at least one), ``k`` (its size), ``deals`` (in
        which I hold none of them), ``held`` (he was dealt one), ``rate low high`` (95 % Jeffreys
        limits), ``exact`` (before any call). Rows without deals are absent.
    """
    rows = [*_fixed_rows(counts.fixed[BY_PARTNER]), *_named_rows(counts.named)]
    return _with_rates(rows)


def enemy_rows(counts: Counts) -> pd.DataFrame:
    """Return what one call of my partner, or of an enemy, tells of the ace and the bauers.

    Returns
    -------
    DataFrame
        ``caller position call holder cards k``, then as `auction_rows`.
    """
    rows: list[dict[str, Any]] = []
    for who, caller in ((BY_PARTNER, "my partner"), (BY_ENEMY, "an enemy")):
        for position, (call, cells) in _calls(counts.fixed[who].sum(axis=1)):
            for holder, column in HOLDERS.items():
                if caller == "my partner" and holder == "the caller":
                    continue  # that is my partner
                head = {"caller": caller, "position": position, "call": call, "holder": holder}
                size = 24 if holder == "an enemy" else 6
                rows += _set_rows(head, cells[:, [DEALS, column]], size, ENEMY_SETS)
    return _with_rates(rows)


def _calls(cells: np.ndarray) -> Iterator[tuple[int, tuple[str, np.ndarray]]]:
    """Yield position, call and counts by set; cells: position - 1, call + 1, set, what."""
    for position in range(1, 7):
        for call, which in CALLS.items():
            at = [each - NOT_ASKED for each in which]
            yield position, (call, cells[position - 1, at].sum(axis=0))


def _fixed_rows(cells: np.ndarray) -> Iterator[dict[str, Any]]:
    for before, which in BEFORE.items():
        for position, (call, counts) in _calls(cells[:, which].sum(axis=1)):
            head = {"suit": FIXED, "position": position, "before": before, "call": call}
            yield from _set_rows(head, counts[:, [DEALS, CALLER_HAS]])


def _named_rows(cells: np.ndarray) -> Iterator[dict[str, Any]]:
    for position, (call, counts) in _calls(cells):
        if call != ANY:
            head = {"suit": NAMED_SUIT, "position": position, "before": ANY, "call": call}
            yield from _set_rows(head, counts)


def _set_rows(
    head: Mapping[str, Any], counts: np.ndarray, cards: int = 6, sets: Sequence[str] = tuple(SETS)
) -> Iterator[dict[str, Any]]:
    """Yield a row for each set; counts: (sets, 2), deals and those in which one is held."""
    for name, size, (deals, held) in zip(SETS, SIZES, counts.tolist(), strict=True):
        if deals and name in sets:
            exact = chance(size, cards)
            yield {**head, "cards": name, "k": size, "deals": deals, "held": held, "exact": exact}


def _with_rates(rows: Sequence[Mapping[str, Any]]) -> pd.DataFrame:
    table = pd.DataFrame(rows)
    exact = table.pop("exact")
    low, high = rate_interval(table["held"], table["deals"])
    return table.assign(rate=table["held"] / table["deals"], low=low, high=high, exact=exact)


# --- Single hands ---------------------------------------------------------------------------------


class Effort(NamedTuple):
    """How much is drawn to see what a hand of mine hears."""

    worlds: int
    """Worlds from the sampler, for each error rate."""
    deals: int
    """Deals around my hand to find that fit the calls."""
    errors: Sequence[float]
    """The assumed shares of calls that tell nothing."""
    seed: int


def hand_rows(
    situation: Situation, trump: int, policies: Sequence[Policy], effort: Effort
) -> pd.DataFrame:
    """Return what the calls before mine tell of my partner's cards: by weights, and by keeping.

    The cards are the five point cards of a suit, as far as I do not hold them, and all of these.

    Returns
    -------
    DataFrame
        ``hand position calls suit cards k``, ``how`` (weights, kept), ``error`` (the share of
        calls that is taken to tell nothing), ``tried`` (worlds or deals drawn), ``effective`` (how
        many deals of equal weight tell as much, see `sampler.worlds.effective_size`), ``share``
        (of those tried), ``rate low high exact`` as in `auction_rows`, with limits from the
        effective number.
    """
    said = " ".join(str(call or "pass") for call in situation.calls)
    head = {
        "hand": " ".join(card_names(situation.hand)), "position": situation.position,
        "calls": said, "suit": SUITS[trump],
    }  # fmt: skip
    lacking = int(POINT_MASK[trump]) & ~situation.hand
    rows: list[dict[str, Any]] = []
    for error in effort.errors:
        told = by_weights(situation, policies, effort.worlds, effort.seed, error)
        rows += _told_rows({**head, "how": "weights", "error": error}, told, lacking)
        told = by_keeping(situation, policies, effort.deals, effort.seed + 1, error)
        rows += _told_rows({**head, "how": "kept", "error": error}, told, lacking)
    return pd.DataFrame(rows)[HAND_COLUMNS]


def _told_rows(head: Mapping[str, Any], told: Told, lacking: int) -> Iterator[dict[str, Any]]:
    size = told.effective_size
    asked = {name: 1 << parse_card(name) for name in card_names(lacking)}
    for name, mask in {**asked, "any of these": lacking}.items():
        found, k = told.chance(PARTNER, mask), mask.bit_count()
        yield {
            **head, "cards": name, "k": k, "tried": told.tried, "effective": size,
            "share": size / told.tried,
            "rate": found.mean, "low": found.low, "high": found.high, "exact": chance(k),
        }  # fmt: skip
