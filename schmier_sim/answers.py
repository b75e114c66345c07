"""An advice as data: the JSON of ``schmier-sim advise``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from schmier_sim.advise import Advice, CallResult, SuitResult
from schmier_sim.again import command
from schmier_sim.cards import SUITS, card_name, cards_of
from schmier_sim.heard import Heard, Side, warnings
from schmier_sim.hidden import HeardCall
from schmier_sim.players import names_of, seats_by_role
from schmier_sim.policies.base import Policy
from schmier_sim.reasons import Danger, reasons
from schmier_sim.situation import ME
from schmier_sim.stats import CONFIDENCE, rate_interval
from schmier_sim.variations import Variation


def _rate(made: int, hands: int) -> dict[str, float] | None:
    if hands == 0:
        return None
    low, high = rate_interval(made, hands)
    return {"rate": made / hands, "low": float(low), "high": float(high)}


def _suit_data(suit: SuitResult, policies: Sequence[Policy], suit_name: str) -> dict[str, Any]:
    first = next(iter(suit.counts.values()))
    data: dict[str, Any] = {
        "trump": suit_name,
        "hands": int(first.sum()),
        "points": first.tolist(),
        "mean_points": float(first @ np.arange(7) / first.sum()),
        "make": {str(bid): _rate(*suit.make(bid)) for bid in suit.counts},
    }
    if any(each.uses_bid for each in policies):
        data["by_bid"] = {str(bid): counts.tolist() for bid, counts in suit.counts.items()}
    return data


def _call_data(row: CallResult, suit_name: str | None) -> dict[str, Any]:
    got, hands = row.gets
    return {
        "call": row.call,
        "trump": suit_name,
        "gets": got / hands if row.call else None,
        "needs": row.needs,
        "make": _rate(*row.make) if row.call else None,
        "points": row.points.as_data(),
        "win": None,
        "behind_best": row.behind_best.as_data(),
    }


def _share(part: int, whole: int) -> float | None:
    return part / whole if whole else None


def _danger_data(danger: Danger | None) -> dict[str, Any] | None:
    if danger is None:
        return None
    made, otherwise = danger.rates
    return {
        "fact": danger.fact,
        "loses": danger.loses,
        "rate": danger.with_fact / danger.deals,
        "of_failures": danger.failed_with_fact / danger.failed,
        "well_with": made,
        "well_without": otherwise,
    }


def _reason_data(advice: Advice, asked: int | None) -> dict[str, Any]:
    """Why the bid in question, or the best or nearest bid, goes as it goes."""
    row = advice.subject(asked)
    why = reasons(advice.situation, row) if row else None
    if row is None or why is None:
        return {"about": None, "sure": [], "likely": [], "danger": None}
    return {
        "about": {"call": why.bid, "trump": SUITS[why.trump]},
        "sure": list(why.sure),
        "likely": [{"point": rate.name, "rate": rate.won / rate.deals} for rate in why.likely],
        "danger": _danger_data(why.danger),
    }


def _variation_data(variation: Variation) -> dict[str, Any]:
    difference = variation.versus_pass
    return {
        "kind": variation.kind,
        "name": variation.name,
        "hands": variation.hands,
        "best": variation.call,
        "verdict": variation.verdict,
        "versus_pass": None if difference is None else difference.as_data(),
        "gets": _share(*variation.gets),
        "make": _share(*variation.make),
    }


def _call_heard(call: HeardCall) -> dict[str, Any]:
    return {
        "seat": call.seat,
        "call": call.call,
        "rate": call.so / call.asked,
        "weighed_as": cards_of(call.meant) or None,
    }


def _side_data(side: Side) -> dict[str, Any]:
    cards = {
        card_name(each.card): {"rate": _share(*each.with_calls), "without": _share(*each.without)}
        for each in side.likely
    }
    return {
        "seats": list(side.seats),
        "cards": cards,
        "trumps": {"mean": side.trumps[0], "without": side.trumps[1]},
    }


def _heard_data(advice: Advice, told: Heard | None) -> dict[str, Any]:
    """What the calls tell, and by what deals it is known."""
    hidden = advice.table.hidden
    data: dict[str, Any] = {"weighing": None, "hidden": None, "warnings": warnings(advice)}
    if hidden.weighs:
        found = hidden.fitting(advice.wanted)
        data["weighing"] = {
            "error": advice.table.error,
            "dealt": found.dealt,
            "effective_sample_size": len(found.numbers),
            "calls": [_call_heard(call) for call in found.calls],
        }
    if told is not None:
        data["hidden"] = {
            "trump": SUITS[told.trump],
            **{side.name: _side_data(side) for side in told.sides},
            "make": None if told.make is None else _rate(*told.make),
            "make_without": None if told.make_without is None else _rate(*told.make_without),
        }
    return data


def as_data(
    advice: Advice,
    asked: int | None,
    provenance: Mapping[str, Any],
    variations: Sequence[Variation] = (),
    told: Heard | None = None,
) -> dict[str, Any]:
    """Return the answer as plain values, for JSON; see ``docs/formats.md``."""
    situation = advice.situation
    data: dict[str, Any] = {
        "hand": [card_name(card) for card in situation.cards],
        "position": situation.position,
        "calls": [call for call in situation.calls if call >= 0],
        "conditioned": "calls" if advice.table.hidden.weighs else "no",
        "known": [fact.text for fact in situation.known],
        "scores": list(situation.scores),
        "policies": {
            role: names_of(advice.policies[seat] for seat in seats)
            for role, seats in seats_by_role(ME, situation.rules).items()
        },
        "rules": situation.rules.changes(),
        "seed": advice.seed,
        "confidence": CONFIDENCE,
        "trumps": [_suit_data(suit, advice.policies, SUITS[suit.trump]) for suit in advice.suits],
        "calls_ranked": [
            _call_data(row, None if row.trump is None else SUITS[row.trump]) for row in advice.calls
        ],
        "ranked_by": "points",
        "answer": {
            "call": advice.best.call,
            "trump": None if advice.best.trump is None else SUITS[advice.best.trump],
            "decided": advice.decided,
        },
    }
    if asked is not None:
        difference = advice.versus_pass(asked)
        data["asked"] = {
            "bid": asked,
            "verdict": advice.verdict(asked),
            "best": advice.best.call == asked,
            "versus_pass": None if difference is None else difference.as_data(),
        }
    data |= _reason_data(advice, asked)
    data |= _heard_data(advice, told)
    data["variations"] = [_variation_data(each) for each in variations]
    data["again"] = command(advice, asked)
    data["provenance"] = dict(provenance)
    return data
