"""Minimax in plain Python, from docs/rules.md alone: every line of play is tried to its end.

Cards are spelled as in records. Nothing of the package is used, and nothing is left out because it
cannot be better: what comes out is right if the rules are, for endings of a few cards. Only the
last card of each is played without asking what is legal.
"""

from __future__ import annotations

import random
from functools import cache
from typing import Any, NamedTuple

RANKS = "23456789TJQKA"
PACK = [rank + suit for suit in "CDHS" for rank in RANKS] + ["JO"]
COUNTS = {"A": 4, "K": 3, "Q": 2, "J": 1, "T": 10}
OTHER = {"C": "S", "S": "C", "D": "H", "H": "D"}


class Ending(NamedTuple):
    """A position; ``high`` and so on are the teams that have won the points, or None."""

    rules: dict[str, Any]
    trump: str
    bidder: int
    leader: int
    hands: tuple[tuple[str, ...], ...]
    trick: tuple[str, ...] = ()
    counts: tuple[int, ...] = (0, 0, 0)
    won: dict[str, int] = {}  # noqa: RUF012  # a tuple's default, never changed
    may_lead_any: bool = True

    def team(self, seat: int) -> int:
        return seat % (2 if self.rules.get("teams") == "2x3" else 3)

    @property
    def turn(self) -> int:
        return (self.leader + len(self.trick)) % 6


@cache
def suit(card: str, trump: str) -> str:
    """R1: the left bauer and the joker are trumps."""
    return trump if card in ("JO", "J" + OTHER[trump]) else card[1]


@cache
def order(card: str, trump: str) -> float:
    """R1, R2: the higher the better, within a suit."""
    if suit(card, trump) != trump:
        return RANKS.index(card[0])
    names = [*(rank + trump for rank in "AKQJ"), "J" + OTHER[trump]]
    names += [*(rank + trump for rank in "T98765432"), "JO"]
    return -names.index(card)


@cache
def count(card: str) -> int:
    """S4"""
    return 1 if card == "JO" else COUNTS.get(card[0], 0)


def legal(ending: Ending) -> list[str]:
    """T1, T2"""
    hand, trump = list(ending.hands[ending.turn]), ending.trump
    if not ending.trick:
        must = not ending.may_lead_any and ending.rules.get("first_lead") == "trump"
        trumps = [card for card in hand if suit(card, trump) == trump]
        return trumps if must and trumps else hand
    led = suit(ending.trick[0], trump)
    follows = [card for card in hand if suit(card, trump) == led]
    if not follows:
        return hand
    if ending.rules.get("trump_anytime") and led != trump:
        return follows + [card for card in hand if suit(card, trump) == trump]
    return follows


def winner(ending: Ending, trick: tuple[str, ...]) -> int:
    """T3"""
    trump = ending.trump
    trumps = [card for card in trick if suit(card, trump) == trump]
    pool = trumps or [card for card in trick if suit(card, trump) == suit(trick[0], trump)]
    best = max(pool, key=lambda card: order(card, trump))
    return (ending.leader + trick.index(best)) % 6


def laid_points(ending: Ending, trick: tuple[str, ...]) -> dict[str, int]:
    """S1, S2: the points of a trick that go to who plays a card."""
    names = {"A" + ending.trump: "high"}
    if ending.rules.get("low") != "taker":
        names["2" + ending.trump] = "low"
    return {
        names[card]: ending.team((ending.leader + turn) % 6)
        for turn, card in enumerate(trick)
        if card in names
    }


def play(ending: Ending, card: str) -> Ending:
    """Play a card, and clear the table after the sixth."""
    seat = ending.turn
    hand = tuple(each for each in ending.hands[seat] if each != card)
    hands = (*ending.hands[:seat], hand, *ending.hands[seat + 1 :])
    trick = (*ending.trick, card)
    if len(trick) == 6:
        return take(ending, hands, trick)
    return ending._replace(hands=hands, trick=trick, won=ending.won | laid_points(ending, trick))


def take(ending: Ending, hands: tuple[tuple[str, ...], ...], trick: tuple[str, ...]) -> Ending:
    """Give a full trick to who wins it."""
    taker, trump = winner(ending, trick), ending.trump
    team = ending.team(taker)
    taken = {"J" + trump: "right", "J" + OTHER[trump]: "left", "JO": "joker"}
    if ending.rules.get("low") == "taker":
        taken["2" + trump] = "low"
    won = ending.won | laid_points(ending, trick)
    won |= {taken[each]: team for each in trick if each in taken}
    counts = list(ending.counts)
    counts[team] += sum(map(count, trick))
    return ending._replace(
        leader=taker, hands=hands, trick=(), won=won, counts=tuple(counts), may_lead_any=True
    )


def last_trick(ending: Ending) -> Ending:
    """Play what is left when nobody has more than one card."""
    turns = [(ending.turn + i) % 6 for i in range(6 - len(ending.trick))]
    rest = tuple(ending.hands[seat][0] for seat in turns)
    return take(ending, ((),) * 6, ending.trick + rest)


def final_points(ending: Ending) -> int:
    """S1-S4: the bidding team's."""
    own = ending.team(ending.bidder)
    points = sum(team == own for team in ending.won.values())
    most = max(ending.counts)
    level = [team for team, each in enumerate(ending.counts) if each == most]
    tie = len(level) > 1 and ending.rules.get("game_tie") == "bidder"
    return points + (own in level and (len(level) == 1 or tie))


def value(ending: Ending) -> int:
    """The most points of which the bidding team can be sure."""
    most = max(map(len, ending.hands))
    if most <= 1:
        return final_points(last_trick(ending) if most else ending)
    values = [value(play(ending, card)) for card in legal(ending)]
    own = ending.team(ending.turn) == ending.team(ending.bidder)
    return max(values) if own else min(values)


def solution(ending: Ending) -> tuple[int, set[str]]:
    """The value, and the cards that keep it."""
    after = {card: value(play(ending, card)) for card in legal(ending)}
    own = ending.team(ending.turn) == ending.team(ending.bidder)
    best = max(after.values()) if own else min(after.values())
    return best, {card for card, each in after.items() if each == best}


def random_ending(draw: random.Random, rules: dict[str, Any], size: int, on_table: int) -> Ending:
    """Deal so many cards to each seat, many trumps among them, and play some to the first trick.

    What is not in play went in tricks, six cards each, to random seats, or was out of play.
    """
    trump = draw.choice("CDHS")
    trumps = [card for card in PACK if suit(card, trump) == trump]
    n = 6 * size
    wanted = draw.randint(0, min(15, n))
    fought_for = [card for card in trumps if card[0] == "J"] if draw.random() < 0.5 else []
    fought_for += ["2" + trump] if fought_for and draw.random() < 0.5 else []
    cards = fought_for[:wanted]
    cards += draw.sample([card for card in trumps if card not in cards], wanted - len(cards))
    cards += draw.sample([card for card in PACK if card not in cards], n - wanted)
    draw.shuffle(cards)
    hands = tuple(tuple(cards[size * seat : size * seat + size]) for seat in range(6))
    bidder = draw.randrange(6)
    leader = bidder if size == 6 else draw.randrange(6)
    ending = Ending(rules, trump, bidder, leader, hands, counts=(0, 0, 0), may_lead_any=size < 6)
    ending = _with_past(draw, ending, [card for card in PACK if card not in cards], 6 - size)
    for _ in range(on_table):
        ending = play(ending, draw.choice(legal(ending)))
    return ending


def _with_past(draw: random.Random, ending: Ending, rest: list[str], n_tricks: int) -> Ending:
    """Give the tricks already played to random seats."""
    draw.shuffle(rest)
    teams = 2 if ending.rules.get("teams") == "2x3" else 3
    counts, won = [0] * teams, {}
    trump = ending.trump
    named = {"A" + trump: "high", "2" + trump: "low", "J" + trump: "right"}
    named |= {"J" + OTHER[trump]: "left", "JO": "joker"}
    for i in range(n_tricks):
        team = draw.randrange(teams)
        for card in rest[6 * i : 6 * i + 6]:
            counts[team] += count(card)
            if card in named:
                won[named[card]] = draw.randrange(teams)
    return ending._replace(counts=tuple(counts), won=won)
