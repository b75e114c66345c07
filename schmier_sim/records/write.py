"""Write hand records, one JSON line each."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from schmier_sim.cards import CARD_NAMES, SUITS, cards_of
from schmier_sim.dealing import Deal
from schmier_sim.engine.state import POINT_NAMES
from schmier_sim.records.form import FORMAT
from schmier_sim.rules import Rules


def _names(cards: Sequence[int]) -> list[str]:
    return [CARD_NAMES[card] for card in cards]


def _exchange(deal: Deal) -> Iterator[dict[str, Any]]:
    """Clockwise from the dealer's left, the taker of the rest last."""
    order = [(deal.dealer + k) % 6 for k in range(1, 7)]
    used = 0
    for seat in [*(seat for seat in order if seat != deal.taker), deal.taker]:
        if deal.drawn[seat] < 0:
            return
        drawn = deal.stock[used : used + deal.drawn[seat]]
        used += deal.drawn[seat]
        yield {
            "seat": seat,
            "discard": _names(cards_of(deal.thrown[seat])),
            "draw": _names(drawn),
        }


def _tricks(deal: Deal) -> Iterator[dict[str, Any]]:
    leader = deal.bidder
    for trick, winner in enumerate(deal.winners):
        cards = [card for card in deal.history[6 * trick : 6 * trick + 6] if card >= 0]
        if not cards:
            return
        yield {"leader": leader, "cards": _names(cards), "winner": winner if winner >= 0 else None}
        leader = winner


def as_record(
    deal: Deal, rules: Rules, seed: int, policies: Sequence[str], game: Mapping[str, Any] | None
) -> dict[str, Any]:
    """Return the record of one deal, in the order of the format's fields.

    A deal that was broken off lacks what did not happen; that is for diagrams only.
    """
    bid_on = deal.bidder >= 0
    order = [(deal.dealer + k) % 6 for k in range(1, 7)]
    record: dict[str, Any] = {
        "format": FORMAT,
        "rules": rules.changes(),
        "seed": seed,
        "index": deal.number,
        "attempt": deal.attempt,
        "policies": list(policies),
        "dealer": deal.dealer,
        "hands": [_names(cards_of(hand)) for hand in deal.dealt],
        "stock": _names(deal.stock),
        "bids": [
            {"seat": seat, "bid": deal.calls[seat]} for seat in order if deal.calls[seat] >= 0
        ],
        "bidder": deal.bidder if bid_on else None,
        "bid": deal.bid if bid_on else None,
        "trump": SUITS[deal.trump] if deal.trump >= 0 else None,
    }
    if deal.trump >= 0:
        record["exchange"] = list(_exchange(deal))
        record["tricks"] = list(_tricks(deal))
    if deal.winners[-1] >= 0:
        teams = rules.n_teams
        record["points"] = {
            name: None if team < 0 else team
            for name, team in zip(POINT_NAMES, deal.point_team, strict=True)
        }
        record["game_count"] = deal.game_count[:teams]
        record["score"] = deal.score[:teams]
    if game is not None:
        record["game"] = dict(game)
    return record


def as_line(record: Mapping[str, Any]) -> str:
    """Return a record as one line of JSON."""
    return json.dumps(record, separators=(",", ":"))
