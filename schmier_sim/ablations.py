"""Does each rule of `heuristic` earn its place? The player against himself without it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from schmier_sim.compare import Judge, Match, margins
from schmier_sim.policies.base import Policy
from schmier_sim.policies.heuristic import HEURISTIC
from schmier_sim.policies.heuristic.rules import RULES
from schmier_sim.policies.heuristic.weights import THRESHOLDS
from schmier_sim.stats import Interval, mean_interval

STANDING = ("no bid", "an enemy's bid", "the partner's bid")
"""What may stand when a seat is asked, in the order of the thresholds."""


def difference(one: Policy, other: Policy, hands: int, seed: int, jobs: int = 1) -> Interval:
    """Return the points per hand by which one player is ahead of another, auctions free."""
    match = Match(one, other, seed=seed)
    return mean_interval(margins(Judge(match, jobs).deals(hands), match))


def _row(head: Mapping[str, Any], gain: Interval, hands: int) -> dict[str, Any]:
    return {**head, "hands": hands, "gain": gain.mean, "low": gain.low, "high": gain.high}


def rule_gains(hands: int, seed: int = 1, jobs: int = 1) -> Iterator[dict[str, Any]]:
    """Yield what each rule gains: ``rule what hands gain low high``, in points per hand.

    Parameters
    ----------
    hands : int
        Deals for each rule; those of one seed are the same for all.
    """
    for rule, (bit, what) in RULES.items():
        without = HEURISTIC.with_parameters({"without": bit})
        gain = difference(HEURISTIC, without, hands, seed, jobs)
        yield _row({"rule": rule, "what": what}, gain, hands)


def threshold_gains(hands: int, by: int, seed: int = 1, jobs: int = 1) -> Iterator[dict[str, Any]]:
    """Yield what is gained by raising or lowering one bidding threshold by so many hundredths.

    Columns: ``position standing shift hands gain low high``.
    """
    for number in range(THRESHOLDS.size):
        for shift in (-by, by):
            position, standing = number // 3 + 1, STANDING[number % 3]
            changed = HEURISTIC.with_parameters({"threshold": number, "shift": shift})
            gain = difference(changed, HEURISTIC, hands, seed, jobs)
            head = {"position": position, "standing": standing, "shift": shift}
            yield _row(head, gain, hands)
