"""What the columns and terms of an answer mean, a sentence each."""

from __future__ import annotations

from schmier_sim.advise import INDIFFERENCE, Advice
from schmier_sim.phrases import note
from schmier_sim.stats import CONFIDENCE

_TERMS = (
    ("gets it", "how often the call wins the auction, the later seats calling as they do"),
    ("makes it", "how often my team then wins the points that were bid, or more"),
    ("needs", "the make rate at which the call is worth as much as the best other call"),
    ("net points", "my team's change of score less the mean of the other teams', over all deals, "
                   "outbid and thrown-in ones too"),
    ("behind best", "how much less it is worth than the best call, on the same deals"),
    ("points in 100 deals", "what my team wins if I am the bidder and all later seats pass"),
    ("Sure", "points that by the rules this hand cannot lose as the bidder"),
    ("Likely", "the other points: how often my team wins them with this bid"),
    ("Danger", "the fact of the hidden cards that best tells set deals (or lost points) apart"),
    ("Why", "you score all you win: a higher bid earns no more, it only buys the auction"),
    ("Would change it", "one thing changed at a time, on fewer deals"),
    ("Sampling", "what more deals would make smaller"),
    ("Players", "other players have other rates; more deals do not help"),
    ("Luck", "what depends on cards that nobody sees; nothing helps"),
)  # fmt: skip


def glossary(advice: Advice) -> str:
    """Return the glossary, at most 25 lines."""
    lines = []
    for name, meaning in _TERMS:
        lines += note(name, meaning, 2, 21)
    level = f"{100 * CONFIDENCE:.0f} %"
    lines += note("±", f"limits of {level} for sampling alone, by pairs of the same deals", 2, 21)
    lines += note("close", f"within {INDIFFERENCE} points of a pass: equal for a person", 2, 21)
    if advice.of(0) is None:
        lines += note("you have to bid", "the rules forbid a pass here", 1, 21)
    return "\n".join(lines)
