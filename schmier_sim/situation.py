"""A hand in a situation: who speaks when, what was called, what stands on the score sheet."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from schmier_sim.cards import cards_of, mask_of, parse_hand
from schmier_sim.engine.auction import is_asked, legal_calls
from schmier_sim.errors import InputError
from schmier_sim.rules import Rules
from schmier_sim.sampler.knowledge import Fact, parse_known

ME = 0
"""The seat of who asks; everything else is turned to it."""


@dataclass(frozen=True)
class Situation:
    """Six cards at a place in an auction.

    Attributes
    ----------
    cards : tuple of six card ids, in the order given
    position : int
        1-6, the dealer is 6.
    calls : tuple of int
        Those before, ``position - 1`` of them: 0 a pass, or the bid; -1 a seat not asked.
    scores : tuple of int
        My team, the team on my left, the team on my right; two under ``teams=2x3``.
    rules : Rules
    known : tuple of Fact
        What is known besides of hidden cards.
    """

    cards: tuple[int, ...]
    position: int = 1
    calls: tuple[int, ...] = ()
    scores: tuple[int, ...] = (0, 0, 0)
    rules: Rules = field(default_factory=Rules)
    known: tuple[Fact, ...] = ()

    @property
    def hand(self) -> int:
        """The mask of the six cards."""
        return mask_of(self.cards)

    @property
    def dealer(self) -> int:
        """The dealer's seat, mine being `ME`."""
        return (ME - self.position) % 6

    @property
    def seats_before(self) -> list[int]:
        """The seats that have called, in order."""
        return [(self.dealer + k) % 6 for k in range(1, self.position)]

    @property
    def high(self) -> int:
        """The highest bid so far, 0 if there is none."""
        return max(self.calls, default=0)

    @property
    def legal(self) -> list[int]:
        """My legal calls, a pass being 0."""
        return cards_of(legal_calls(self.high, self.position == 6, self.rules.packed))


def parse_calls(text: str) -> tuple[int, ...]:
    """Read ``pass 3 pass``.

    Raises
    ------
    InputError
        If a word is neither a pass nor a number.
    """
    calls = []
    for word in re.split(r"[\s,]+", text.strip().lower()):
        if word in ("pass", "p", "-"):
            calls.append(0)
        elif word.isascii() and word.isdigit() and len(word) < 3:
            calls.append(int(word))
        elif word:
            raise InputError(f"--calls: no call: {word!r}; write like 'pass 3 pass'")
    return tuple(calls)


def parse_scores(text: str, rules: Rules) -> tuple[int, ...]:
    """Read ``-3,5,12``: my team, the team on my left, the team on my right.

    Raises
    ------
    InputError
        If the number of scores is wrong, or the game is over at this score.
    """
    words = [word for word in re.split(r"[\s,]+", text.strip()) if word]
    if not all(re.fullmatch(r"[+-]?[0-9]{1,4}", word) for word in words):
        raise InputError(f"--scores: {text!r}; write whole numbers like 0,5,12 or --scores=-3,5,12")
    scores = tuple(int(word) for word in words)
    if len(scores) != rules.n_teams:
        raise InputError(
            f"--scores: {len(scores)} given; {rules.n_teams} teams play (teams={rules.teams})"
        )
    if is_finished(scores, rules):
        shown = ",".join(map(str, scores))
        raise InputError(f"--scores: the game is over at {shown}; the target is {rules.target}")
    return scores


def is_finished(scores: Sequence[int], rules: Rules) -> bool:
    """Whether a game with these scores cannot go on (W1, W2).

    It can go on at the target with teams level at the top, and under ``must_bid_to_win`` always.
    """
    top = max(scores)
    if rules.must_bid_to_win or top < rules.target:
        return False
    level = list(scores).count(top) > 1
    return not (level and rules.n_teams == 3 and rules.top_tie == "continue")


def _check_calls(calls: Sequence[int], rules: Rules) -> None:
    """Raise InputError unless these calls can open an auction."""
    high = 0
    for i, call in enumerate(calls):
        position = i + 1
        said = f"call {position}: {call or 'pass'}"
        if not is_asked(position, high, rules.packed):
            raise InputError(f"--calls: {said} comes after the auction has ended")
        if not legal_calls(high, position == 6, rules.packed) >> call & 1:
            first = max(high + 1, rules.min_bid)
            right = f"a pass or {first} to {rules.max_bid}" if first <= rules.max_bid else "a pass"
            raise InputError(f"--calls: {said} is not legal there; legal: {right}")
        high = max(high, call)


def situation(
    hand: str,
    position: int | None = None,
    calls: str | None = None,
    scores: str | None = None,
    rules: Rules | None = None,
    known: Sequence[str] = (),
) -> Situation:
    """Read a situation from what a user writes.

    Without ``calls`` all earlier seats have passed; without ``position`` it follows from them.

    Raises
    ------
    InputError
        If a part is wrong or two parts disagree.
    """
    rules = rules or Rules()
    cards = tuple(parse_hand(hand))
    if position is not None and not 1 <= position <= 6:
        raise InputError(f"--position: {position}; positions are 1 (dealer's left) to 6 (dealer)")
    said = parse_calls(calls) if calls is not None else (0,) * ((position or 1) - 1)
    if len(said) > 5:
        raise InputError(f"--calls: {len(said)} calls; at most five come before the dealer's")
    skips = rules.dealer_steal and position == 6 and max(said, default=0) == rules.max_bid
    if position is not None and position != len(said) + 1 and not skips:
        raise InputError(
            f"--position {position} and --calls disagree: position {len(said) + 1} comes after "
            "these calls"
        )
    _check_calls(said, rules)
    if rules.dealer_steal and max(said, default=0) == rules.max_bid:
        said = (*said, *(-1,) * (5 - len(said)))  # A5: only the dealer is still asked
        if position not in (None, 6):
            raise InputError(
                f"--position {position} is not asked after a bid of {rules.max_bid}; only the "
                "dealer is, position 6"
            )
    position = len(said) + 1
    if not is_asked(position, max(said, default=0), rules.packed):
        raise InputError(f"position {position} is not asked any more after these calls")
    told = parse_scores(scores, rules) if scores is not None else (0,) * rules.n_teams
    facts = parse_known(known, rules, ME, mask_of(cards))
    return Situation(cards, position, said, told, rules, facts)
