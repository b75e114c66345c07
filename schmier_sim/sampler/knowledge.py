"""What an analyst knows besides: ``partner: KS``, ``seat 4: not AS``."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from schmier_sim.cards import card_name, cards_of, mask_of, parse_cards
from schmier_sim.errors import InputError
from schmier_sim.rules import Rules

HOW_TO = "write like 'partner: KS' or 'seat 4: not AS'"


class Fact(NamedTuple):
    """That a seat holds some cards, or none of them."""

    seat: int
    cards: int
    holds: bool
    text: str


def parse_known(texts: Iterable[str], rules: Rules, me: int = 0, hand: int = 0) -> tuple[Fact, ...]:
    """Read what is known of hidden cards.

    Parameters
    ----------
    texts : iterable of str
        ``WHO: CARDS`` or ``WHO: not CARDS``, WHO being ``partner`` or ``seat N``.
    rules : Rules
        Say who is whose partner.
    me : int
        The seat that asks.
    hand : int
        Mask of the cards that it holds itself.

    Raises
    ------
    InputError
        If one cannot be read, speaks of my own seat, tells of a card that I hold that it is
        elsewhere, or disagrees with another.
    """
    facts = tuple(_fact(text, rules, me) for text in texts)
    for fact in facts:
        own = [card_name(card) for card in cards_of(fact.cards & hand)]
        if own and fact.holds:
            raise InputError(f"--know {fact.text!r}: {own[0]} is in your own hand")
    check_agreement(facts)
    return facts


def _fact(text: str, rules: Rules, me: int) -> Fact:
    said = " ".join(text.split())
    who, colon, what = (part.strip() for part in said.partition(":"))
    if not colon:
        raise InputError(f"--know {said!r}: {HOW_TO}")
    seat = _seat(who, said, rules, me)
    negated = re.match(r"not\b", what, re.IGNORECASE)
    try:
        cards = parse_cards(what[negated.end() :] if negated else what)
    except InputError as error:
        several = re.search(r"\bnot\b|:", what[negated.end() :] if negated else what, re.IGNORECASE)
        told = "one fact at a time; give --know for each" if several else error
        raise InputError(f"--know {said!r}: {told}") from None
    if not cards:
        raise InputError(f"--know {said!r}: no card is named; {HOW_TO}")
    return Fact(seat, mask_of(cards), negated is None, said)


def _seat(who: str, said: str, rules: Rules, me: int) -> int:
    """Read of whom a fact speaks."""
    name = who.lower()
    if name == "partner":
        if rules.n_teams == 2:
            raise InputError(f"--know {said!r}: with teams=2x3 there are two; write 'seat N'")
        return (me + 3) % 6
    number = re.fullmatch(r"(?:seat ?)?([0-5])", name)
    if not number:
        raise InputError(f"--know {said!r}: nobody is called {who!r}; partner, or seat 0 to seat 5")
    seat = int(number[1])
    if seat == me:
        raise InputError(f"--know {said!r}: seat {seat} is you; your own cards are known")
    return seat


def check_agreement(facts: Sequence[Fact]) -> None:
    """Raise InputError if two facts disagree, or a seat would hold more than six cards."""
    where: dict[int, Fact] = {}
    for fact in facts:
        if not fact.holds:
            continue
        for card in cards_of(fact.cards):
            other = where.setdefault(card, fact)
            if other.seat != fact.seat:
                raise InputError(
                    f"--know: {card_name(card)} is in two places: {other.text!r} and {fact.text!r}"
                )
    for fact in facts:
        denied = [card for card in cards_of(fact.cards) if not fact.holds and card in where]
        for card in denied:
            if where[card].seat == fact.seat:
                raise InputError(
                    f"--know: {where[card].text!r} and {fact.text!r} disagree on {card_name(card)}"
                )
    for seat in range(6):
        held = [card for card, fact in where.items() if fact.seat == seat]
        if len(held) > 6:
            raise InputError(f"--know: {len(held)} cards of seat {seat} are named; it has six")
