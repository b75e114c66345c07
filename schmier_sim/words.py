"""An advice in words: at most 79 columns and 24 lines, the verdict first."""

from __future__ import annotations

from collections.abc import Sequence

from schmier_sim.advise import INDIFFERENCE, Advice, CallResult
from schmier_sim.again import command_lines
from schmier_sim.cards import SUIT_NAMES, by_trump, card_sign
from schmier_sim.changes import change_lines
from schmier_sim.findings import (
    danger_lines,
    known_lines,
    point_lines,
    reason_lines,
    rule_lines,
    sure_lines,
)
from schmier_sim.grids import calls_grid, suit_rows
from schmier_sim.heard import Heard, warnings
from schmier_sim.heard_words import heard_lines, warning_lines
from schmier_sim.phrases import WIDTH, call_name, capital, fit, how_often, note
from schmier_sim.reasons import reasons
from schmier_sim.situation import Situation
from schmier_sim.variations import Variation

MOST_LINES = 24


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
            return f"{call_name(rest[0])} is as good"
        return "no call is better"
    if row.behind_best.mean < INDIFFERENCE:
        return f"{call_name(best)} is as good"
    return f"{call_name(best)} is better (by {row.behind_best.mean:.2f})"


def headline(advice: Advice, asked: int | None) -> str:
    """Return the first line: it answers what was asked, or else says what to call."""
    row = advice.of(asked) if asked is not None else advice.best
    assert row is not None
    if row.trump is None:
        return _headline_pass(advice)
    suit = SUIT_NAMES[row.trump]
    verdict = advice.verdict(row.call)
    if verdict == "close":
        return _headline_close(advice, row, f"{row.call} in {suit} or pass")
    if verdict == "yes" and advice.of(0) is None:
        return f"YES - bid {row.call}, {suit}; you have to bid. {_make_clause(row)}."
    if verdict == "yes":
        start, compared = f"YES - bid {row.call}, {suit}.", _compared(advice, row)
        return fit([f"{start} {_make_clause(row)}; {compared}.", f"{start} {capital(compared)}."])
    instead = "pass" if advice.best.call == 0 else f"bid {call_name(advice.best)}"
    return _headline_no(advice, row, instead)


def _headline_close(advice: Advice, row: CallResult, choice: str) -> str:
    """Say what is close; if a third call is better, that one."""
    start = f"TOO CLOSE TO MATTER - {choice}"
    if row.behind_best.mean >= INDIFFERENCE:
        return f"{start}; {_compared(advice, row)}."
    clause = _make_clause(row)
    needs = row.needs
    against_pass = advice.best.call == 0 or (advice.calls[1:] and advice.calls[1].call == 0)
    ways = [f"{start}. {clause}.", start + "."]
    if needs is not None and against_pass and row.make[1]:
        unit = "" if "of 100 " in clause else " %"
        ways.insert(0, f"{start}. {clause}, needs {100 * needs:.0f}{unit}.")
    return fit(ways)


def _headline_no(advice: Advice, row: CallResult, instead: str) -> str:
    """``NO - pass. In hearts, your best suit, 4 makes in 14 of 100 deals, needs 62.``"""
    assert row.trump is not None
    suit, (made, got) = SUIT_NAMES[row.trump], row.make
    if not got:
        return f"NO - {instead}. In {suit} {row.call} never wins the auction."
    makes, needs = how_often(made, got), ""
    if row.needs is not None:
        needs = f", needs {100 * row.needs:.0f}" + (" %" if "of 100 " not in makes else "")
        if round(100 * made / got) == round(100 * row.needs):
            makes, needs = f"{100 * made / got:.1f} %", f", needs {100 * row.needs:.1f} %"
    best = ", your best suit," if len(advice.suits) > 1 and _is_best_suit(advice, row) else ""
    tell = f"{row.call} makes {makes}{needs}."
    return fit([f"NO - {instead}. In {suit}{best} {tell}", f"NO - {instead}. In {suit} {tell}"])


def _is_best_suit(advice: Advice, row: CallResult) -> bool:
    best = max(advice.suits, key=lambda suit: suit.value[row.call])
    return best.trump == row.trump


def _headline_pass(advice: Advice) -> str:
    nearest = advice.subject(None)
    if nearest is None:
        return "NO - pass. No bid is legal any more."
    if nearest.behind_best.mean < INDIFFERENCE:
        start = f"TOO CLOSE TO MATTER - pass or {call_name(nearest)}."
        return fit([f"{start} {_make_clause(nearest)}.", start])
    return _headline_no(advice, nearest, "pass")


def _place(situation: Situation) -> str:
    said = [str(call) if call else "pass" for call in situation.calls if call >= 0]
    places = ("first", "second", "third", "fourth", "fifth", "last (dealer)")
    before = f" after {' '.join(said)}" if said else ""
    if len(said) > 1 and set(said) == {"pass"}:
        before = f" after {len(said)} passes"
    scores = "-".join(map(str, situation.scores))
    return f"{places[situation.position - 1]} to call{before}, score {scores}"


def _hand_lines(advice: Advice, row: CallResult | None) -> list[str]:
    """The hand, trumps first, the place and the score; on two lines if one is too short."""
    situation = advice.situation
    trump = row.trump if row else None
    if trump is None:
        trump = max(advice.suits, key=lambda suit: max(suit.value.values())).trump
    cards = "  ".join(card_sign(card, trump) for card in by_trump(situation.cards, trump))
    place = _place(situation)
    both = f"{cards}    {place}"
    return [both] if len(both) <= WIDTH else [cards, *note("", place, 2, 0)]


class _Block:
    """Some lines, and shorter ways to say the same."""

    def __init__(self, *ways: list[str]) -> None:
        self.ways = list(ways)

    @property
    def lines(self) -> list[str]:
        return self.ways[0]

    def shorten(self) -> bool:
        """Take the next shorter way; False if there is none."""
        if len(self.ways) < 2:
            return False
        del self.ways[0]
        return True


def _fitted(blocks: Sequence[_Block], order: Sequence[_Block]) -> list[str]:
    """Shorten blocks, in this order, each by one way at a time, until all of it fits."""
    for block in order:
        while sum(len(each.lines) for each in blocks) > MOST_LINES and block.shorten():
            pass
    return [line for block in blocks for line in block.lines]


def _without_last(block: list[str], least: int) -> list[list[str]]:
    """Return a table, and the same with fewer and fewer rows."""
    return [block[:n] for n in range(len(block), least - 1, -1)]


def in_words(
    advice: Advice,
    asked: int | None,
    variations: Sequence[Variation] = (),
    told: Heard | None = None,
) -> str:
    """Return the whole answer as text.

    Parameters
    ----------
    advice : Advice
    asked : int, optional
        The bid in question.
    variations : sequence of Variation
        What was tried that might change the answer; see `variations.vary`.
    told : Heard, optional
        What the calls tell; see `heard.heard`.
    """
    row = advice.subject(asked)
    why = reasons(advice.situation, row) if row else None
    head = _Block([headline(advice, asked)])
    hand = _Block(_hand_lines(advice, row))
    hopeless = row is not None and advice.is_hopeless(row)
    points = _Block(*([point_lines(why, hopeless, n) for n in (3, 2)] if why else [[]]))
    danger = _Block(*(danger_lines(advice, row, why, n) for n in (3, 2, 1)))
    reason = _Block(*(reason_lines(advice, row, brief) for brief in (False, True)))
    doubt = _Block(*(warning_lines(warnings(advice), n) for n in (9, 2, 1)))
    calls_tell = _Block(*(heard_lines(advice, told, n) for n in (3, 2, 1)))
    known = _Block(known_lines(advice))
    gaps = [_Block([""], []) for _ in range(2)]
    calls = _Block(calls_grid(advice))
    rows = suit_rows(advice, row)
    suits = _Block(rows[:1], [])
    suits_more = _Block(*_without_last([] if hopeless else rows[1:], 0))
    changes = _Block(*(change_lines(advice, row, variations, n) for n in (2, 1)))
    sure = _Block(*(sure_lines(advice, row, why, variations, less) for less in range(3)))
    house = _Block(rule_lines(advice), [])
    again = _Block(*(command_lines(advice, asked, n) for n in (9, 3, 2)))
    blocks = [
        head, hand, known, points, danger, calls_tell, doubt, reason, gaps[0], calls, suits,
        suits_more, gaps[1], changes, sure, house, again,
    ]  # fmt: skip
    order = [
        suits_more, points, reason, *gaps, suits, changes, danger, calls_tell, sure, house, again,
        doubt,
    ]  # fmt: skip
    return "\n".join(_fitted(blocks, order))
