"""How far the calls before mine move make rates, break-even rates and the best call."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

import pandas as pd

from schmier_sim.advise import Advice, advise
from schmier_sim.around import Table
from schmier_sim.cards import SUITS, card_names, parse_suit
from schmier_sim.policies.base import Policy
from schmier_sim.situation import situation
from schmier_sim.stats import rate_interval

MOVE_COLUMNS: Final = [
    "hand", "trump", "position", "calls", "bid", "weighed", "dealt", "hands", "got", "made",
    "rate", "low", "high", "needs", "behind_pass", "best",
]  # fmt: skip


def move_rows(
    asked: Mapping[str, Any], policies: Sequence[Policy], seed: int, jobs: int
) -> pd.DataFrame:
    """Return what becomes of a bid given the calls, and as if nobody had called.

    Parameters
    ----------
    asked : mapping
        ``deals`` to play for each call; ``cases``: hand, suit, bid and a list of calls each.

    Returns
    -------
    DataFrame
        Two rows for each case: ``weighed`` whether the calls were; ``dealt``, ``hands``: deals that
        were dealt, and of them those that fit; ``got made``: of these, in which the bid wins the
        auction, and is made; ``rate low high``: made of got, with 95 % Jeffreys limits;
        ``needs``: the make rate at which the bid is worth as much as the best other call;
        ``behind_pass``: how much more a pass is worth; ``best``: the best call.
    """
    rows = []
    for hand, suit, bid, lists in asked["cases"]:
        for calls in lists:
            held = situation(hand, calls=calls)
            weighed = Table(held, policies, seed, jobs)
            for table in (weighed, weighed.as_if_silent()):
                found = advise(table, trump=parse_suit(suit), hands=asked["deals"])
                rows.append(_row(found, bid, suit))
    return pd.DataFrame(rows)[MOVE_COLUMNS]


def _row(found: Advice, bid: int, suit: str) -> dict[str, Any]:
    held, hidden = found.situation, found.table.hidden
    row, against_pass = found.of(bid), found.versus_pass(bid)
    assert row is not None
    assert against_pass is not None
    made, got = row.make
    low, high = rate_interval(made, got)
    return {
        "hand": " ".join(card_names(held.hand)), "trump": SUITS[parse_suit(suit)],
        "position": held.position, "calls": " ".join(str(call or "pass") for call in held.calls),
        "bid": bid, "weighed": hidden.weighs,
        "dealt": hidden.fitting(found.wanted).dealt if hidden.weighs else found.hands,
        "hands": found.hands, "got": got, "made": made,
        "rate": made / got, "low": float(low), "high": float(high), "needs": row.needs,
        "behind_pass": -against_pass.mean, "best": found.best.call,
    }  # fmt: skip
