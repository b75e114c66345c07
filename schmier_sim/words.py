"""An advice in words: at most 79 columns and 25 lines, the verdict first."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Sequence

from schmier_sim.advise import FEWEST_HANDS, INDIFFERENCE, Advice, CallResult, SuitResult
from schmier_sim.cards import SUIT_NAMES, SUIT_SIGNS, by_trump, card_sign
from schmier_sim.players import names_of, seats_by_role
from schmier_sim.situation import ME, Situation

_MOST_LEVELS = 4  # as many as fit into the line
PLAYER_NOTES = {
    "plain": "a simple club table; better players change these figures",
    "random": "no plan at all; a floor, no guide to a real table",
}


def _call_name(row: CallResult) -> str:
    if row.call == 0 or row.trump is None:
        return "pass"
    return f"{row.call} {SUIT_SIGNS[row.trump]}"


def how_often(successes: int, trials: int) -> str:
    """Return a rate as a natural frequency that is never rounded to a certainty.

    >>> how_often(484, 1000), how_often(9999, 10000), how_often(500, 500)
    ('in 48 of 100 deals', 'in over 999 of 1000 deals', 'in every sampled deal')
    """
    if successes == trials:
        return "in every sampled deal"
    if successes == 0:
        return "in no sampled deal"
    rate = successes / trials
    for whole in (100, 1000):
        if 0 < round(whole * rate) < whole:
            return f"in {round(whole * rate)} of {whole} deals"
    return "in over 999 of 1000 deals" if rate > 0.5 else "in fewer than 1 of 1000 deals"


def _make_clause(row: CallResult) -> str:
    """``Made in 97 of 100 deals``."""
    made, got = row.make
    return f"Made {how_often(made, got)}" if got else "It never wins the auction"


def _compared(advice: Advice, row: CallResult) -> str:
    """Say whether another call is better than a bid."""
    best = advice.best
    if best is row:
        rest = advice.calls[1:]
        if rest and rest[0].behind_best.mean < INDIFFERENCE:
            return f"{_call_name(rest[0])} is as good"
        return "no call is better"
    if row.behind_best.mean < INDIFFERENCE:
        return f"{_call_name(best)} is as good"
    return f"{_call_name(best)} is better (by {row.behind_best.mean:.2f})"


def headline(advice: Advice, asked: int | None) -> str:
    """Return the first line: it answers what was asked, or else says what to call."""
    row = advice.of(asked) if asked is not None else advice.best
    assert row is not None
    if row.trump is None:
        return _headline_pass(advice)
    suit = SUIT_NAMES[row.trump]
    verdict = advice.verdict(row.call)
    if verdict == "close":
        start = f"TOO CLOSE TO MATTER - {row.call} in {suit} or pass"
        if row.behind_best.mean < INDIFFERENCE:
            return f"{start}. {_make_clause(row)}."
        return f"{start}; {_compared(advice, row)}."
    if verdict == "yes" and advice.of(0) is None:
        return f"YES - bid {row.call}, {suit}; you have to bid. {_make_clause(row)}."
    if verdict == "yes":
        return f"YES - bid {row.call}, {suit}. {_make_clause(row)}; {_compared(advice, row)}."
    instead = "pass" if advice.best.call == 0 else f"bid {_call_name(advice.best)}"
    return f"NO - {instead}. {_shortfall(row)}."


def _shortfall(row: CallResult) -> str:
    """``In hearts 4 makes in 14 of 100 deals, needs 62``."""
    assert row.trump is not None
    made, got = row.make
    makes = f"makes {how_often(made, got)}" if got else "never wins the auction"
    needs = f", needs {100 * row.needs:.0f}" if row.needs is not None else ""
    return f"In {SUIT_NAMES[row.trump]} {row.call} {makes}{needs}"


def _headline_pass(advice: Advice) -> str:
    bids = [row for row in advice.calls if row.call]
    if not bids:
        return "NO - pass. No bid is legal any more."
    nearest = bids[0]
    if nearest.behind_best.mean < INDIFFERENCE:
        return f"TOO CLOSE TO MATTER - pass or {_call_name(nearest)}. {_make_clause(nearest)}."
    return f"NO - pass. {_shortfall(nearest)}."


def _place(situation: Situation) -> str:
    said = [str(call) if call else "pass" for call in situation.calls if call >= 0]
    places = ("first", "second", "third", "fourth", "fifth", "last, the dealer")
    before = f" after {' '.join(said)}" if said else ""
    scores = "-".join(map(str, situation.scores))
    return f"to call: {places[situation.position - 1]}{before}; score {scores}"


def _percent(part: int, whole: int) -> str:
    return f"{100 * (part / whole):.1f} %" if whole else "-"


def _limits(half: float) -> str:
    """Print a limit with as many digits as it supports."""
    if half == float("inf"):
        return "?"
    return f"{half:.2f}" if half < 0.995 else f"{half:.1f}"


def _row(advice: Advice, row: CallResult) -> str:
    got, hands = row.gets
    half = row.points.high - row.points.mean
    gets = _percent(got, hands) if row.call else "-"
    makes = _percent(*row.make) if row.call else "-"
    needs = f"{100 * row.needs:.0f} %" if row.needs is not None else "-"
    points = f"{row.points.mean:+.2f} ± {_limits(half)}"
    behind = "-"
    if row is not advice.best:
        width = row.behind_best.high - row.behind_best.mean
        behind = f"{row.behind_best.mean:.2f} ± {_limits(width)}"
    return f" {_call_name(row):6}{gets:>9}{makes:>11}{needs:>8}{points:>16}{behind:>15}"


def _calls_table(advice: Advice) -> Iterator[str]:
    names = ("gets it", "makes it", "needs", "net points", "behind best")
    widths = (9, 11, 8, 16, 15)
    heads = (f"{name:>{width}}" for name, width in zip(names, widths, strict=True))
    yield f" {'call':6}" + "".join(heads)
    for row in advice.calls:
        yield _row(advice, row)


def _suits_table(suits: Sequence[SuitResult], bids: Sequence[int]) -> Iterator[str]:
    """Points won as the bidder, every later seat passing, and how often they are enough."""
    levels = bids[:_MOST_LEVELS]
    head = "".join(f"{n:>6}" for n in range(7)) + "".join(f"{f'{bid}+':>6}" for bid in levels)
    yield f" {'points, %':10}{head}"
    for suit in sorted(suits, key=lambda suit: -max(suit.value.values())):
        counts = next(iter(suit.counts.values()))
        shares = "".join(f"{100 * (n / counts.sum()):6.1f}" for n in counts)
        makes = "".join(f"{100 * (made / n):6.1f}" for made, n in map(suit.make, levels))
        yield f" {SUIT_NAMES[suit.trump]:10}{shares}{makes}"


def _sure(advice: Advice) -> str:
    hands = f"{advice.hands:,} deals"
    if advice.decided:
        return f"decided after {hands}"
    second = advice.calls[min(1, len(advice.calls) - 1)]
    if advice.hands >= FEWEST_HANDS and second.behind_best.high < INDIFFERENCE:
        return f"{_call_name(advice.best)} and {_call_name(second)} are equal after {hands}"
    return f"not decided after {hands}; more with --precision 0.02"


def _players(advice: Advice) -> str:
    names = {policy.name for policy in advice.policies}
    if len(names) == 1:
        name = names.pop()
        note = PLAYER_NOTES.get(name)
        return f"all seats `{name}`" + (f": {note}" if note else "")
    seats = seats_by_role(ME, advice.situation.rules)
    return ", ".join(
        f"{role} {names_of(advice.policies[seat] for seat in own)}" for role, own in seats.items()
    )


def in_words(advice: Advice, asked: int | None) -> str:
    """Return the whole answer as text."""
    situation = advice.situation
    row = advice.of(asked) if asked is not None else advice.best
    assert row is not None
    trump = row.trump
    if trump is None:
        trump = max(advice.suits, key=lambda suit: max(suit.value.values())).trump
    lines = [
        headline(advice, asked),
        "",
        "  ".join(card_sign(card, trump) for card in by_trump(situation.cards, trump)),
        _place(situation),
        "",
        *_calls_table(advice),
        "",
        *_suits_table(advice.suits, [call for call in situation.legal if call]),
        "",
        *_note("How sure", f"{_sure(advice)}; ± is 95 % sampling error alone"),
        *_note("Players", _players(advice)),
        *_note("Unweighed", "the score, and what the calls tell of the hidden hands"),
        *_note("Rules", f"{situation.rules.describe()}; seed {advice.seed}"),
    ]
    return "\n".join(lines)


def _note(name: str, text: str) -> list[str]:
    indent = " " * 11
    return textwrap.wrap(text, 77, initial_indent=f"{name:11}", subsequent_indent=indent)
