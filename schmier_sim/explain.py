"""What the columns and terms of an answer mean, a sentence each."""

from __future__ import annotations

from schmier_sim.advise import INDIFFERENCE, Advice
from schmier_sim.phrases import note
from schmier_sim.stats import CONFIDENCE

_TERMS = (
    ("gets it", "how often the call wins the auction against the later seats"),
    ("makes it", "how often my team then wins the points bid, or more"),
    ("needs", "the make rate at which it is worth as much as the best other call"),
    ("net points", "my team's change of score less the mean of the others'"),
    ("behind best", "how much less it is worth than the best call, on the same deals"),
    ("±", "limits of 95 % for sampling alone, not for other players"),
    ("points in ...", "what my team wins if I am the bidder and later seats pass"),
    ("Sure", "points that the rules give to this hand as the bidder"),
    ("Likely", "the other points, and how often my team wins each with this bid"),
    ("Danger", "the fact of the hidden cards that best tells set deals from the others"),
    ("Why", "you score all you win: a higher bid earns no more, it buys the auction"),
    ("Calls", "cards as dealt, given those before me (and without them)"),
    ("Would change it", "one thing at a time, on fewer deals; other positions: all passed"),
    ("TOO CLOSE", "within 0.05 points of a pass: equal for a person"),
    ("Sampling", "the error of having played a sample; more deals help"),
    ("Players", "other players have other rates; more deals do not help"),
    ("Luck", "how the hidden cards lie this time; nothing helps"),
)  # fmt: skip
_WIDE = 17


def glossary(advice: Advice) -> str:
    """Return the glossary, at most 25 lines."""
    assert (INDIFFERENCE, CONFIDENCE) == (0.05, 0.95)
    lines = [line for name, meaning in _TERMS for line in note(name, meaning, 2, _WIDE)]
    if advice.of(0) is None:
        lines += note("you have to bid", "the rules forbid a pass here", 1, _WIDE)
    return "\n".join(lines)
