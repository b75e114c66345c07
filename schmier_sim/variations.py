"""What would change the answer: other seats, bids before, players, rules, and hands near by.

Each is tried with few deals, of the same seed; what they leave open is told as open.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import reduce
from operator import or_
from typing import Final

from schmier_sim.advise import FEWEST_HANDS, INDIFFERENCE, Advice, CallResult, rank
from schmier_sim.around import POINTS, Table
from schmier_sim.cards import N_CARDS, SUIT_OF, card_name, trumps_high_to_low
from schmier_sim.engine.auction import is_asked
from schmier_sim.policies import registry
from schmier_sim.situation import Situation
from schmier_sim.stats import Interval, mean_interval

MOST: Final = 2_000
"""Deals for each call of a variation."""
OTHER_PLAYERS: Final = ("heuristic", "plain", "random")
"""Players fast enough to be tried each time."""
_CONFIDENCE: Final = 0.99  # there are many of them
_ROUGH: Final = 3.0  # points by which a near hand may differ and still be worth naming


@dataclass(frozen=True)
class Variation:
    """The same question with one thing changed.

    Attributes
    ----------
    kind : str
        ``position``, ``before``, ``players``, ``rule`` or ``hand``.
    name : str
        As ``3``, ``random``, ``low=taker`` or ``AS KS ...``.
    hands : int
        Deals for each call.
    call : int
        The best of the calls that were tried.
    verdict : str or None
        ``yes``, ``no`` or ``open`` (the limits do not tell, or it is close) for the bid; None if
        the bid is not legal there.
    versus_pass : Interval or None
    make : (made, got)
        Of the bid, or of ``call`` if the bid is not legal; with other players, of the bid when
        all later seats pass.
    """

    kind: str
    name: str
    hands: int
    call: int
    verdict: str | None
    versus_pass: Interval | None
    make: tuple[int, int]
    gets: tuple[int, int]
    """Deals in which that call wins the auction, and all."""


def _verdict(difference: Interval) -> str:
    if difference.low > 0 and difference.mean > INDIFFERENCE:
        return "yes"
    return "no" if difference.high < 0 and difference.mean < -INDIFFERENCE else "open"


def _try(
    table: Table, kind: str, name: str, subject: CallResult, hands: int, every: bool = False
) -> Variation | None:
    """Try the bid against a pass, or every legal call; None if there is nothing to compare."""
    legal = table.situation.legal
    trump = subject.trump
    assert trump is not None
    calls = legal if every else [call for call in legal if call in (0, subject.call)]
    if 0 not in calls or len(calls) < 2:
        return None
    plays = [
        (call, trump if call else None, table.play_noting(call, trump if call else -1, -1, hands))
        for call in calls
    ]
    rows = {row.call: row for row in rank(plays, table.situation.rules.n_teams)}
    best = next(iter(rows.values()))
    hands = len(best.values)  # fewer, if not so many deals fit the calls
    bid = rows.get(subject.call)
    if bid is None:
        return Variation(kind, name, hands, best.call, None, None, best.make, best.gets)
    difference = mean_interval(bid.values - rows[0].values, _CONFIDENCE)
    return Variation(
        kind, name, hands, best.call, _verdict(difference), difference, bid.make, bid.gets
    )


def _seats(table: Table, bid: CallResult, hands: int) -> Iterator[Variation | None]:
    """Every other seat, and this one if somebody has bid: all before it passed."""
    held = table.situation
    for position in range(1, 7):
        if position == held.position and held.high == 0:
            continue
        if not is_asked(position, 0, held.rules.packed):
            continue
        there = table.with_situation(position=position, calls=(0,) * (position - 1))
        yield _try(there, "position", str(position), bid, hands)


def _bids_before(table: Table, bid: CallResult, hands: int) -> Iterator[Variation | None]:
    """A bid of one less, and of as much, by the seat before; the first seat moves on by one."""
    held = table.situation
    position = max(held.position, 2)
    calls = held.calls if held.position > 1 else (0,)
    for level in (bid.call - 1, bid.call):
        if not max(held.high + 1, held.rules.min_bid) <= level <= held.rules.max_bid:
            continue
        if calls[-1] < 0 or not is_asked(position, level, held.rules.packed):
            continue
        there = table.with_situation(position=position, calls=(*calls[:-1], level))
        yield _try(there, "before", str(level), bid, hands, every=True)


def _players(table: Table, bid: CallResult, hands: int) -> Iterator[Variation | None]:
    """Tables at which all seats play one other policy."""
    here = {policy.name for policy in table.policies}
    for name in registry.names():
        if name in OTHER_PLAYERS and here != {name}:
            there = table.with_players((registry.find(name),) * 6)
            tried = _try(there, "players", name, bid, hands)
            if tried:
                yield replace(tried, make=_as_bidder(there, bid, hands))


def _as_bidder(table: Table, bid: CallResult, hands: int) -> tuple[int, int]:
    """Return (made, deals) of the bid, all later seats passing: wild players outbid it."""
    assert bid.trump is not None
    points = table.play(bid.call, bid.trump, 0, hands)[:, POINTS][:, 0]
    return int((points >= bid.call).sum()), len(points)


def _rule(table: Table, bid: CallResult, hands: int) -> Iterator[Variation | None]:
    """The other rule for low."""
    held = table.situation
    other = "player" if held.rules.low == "taker" else "taker"
    there = table.with_situation(rules=replace(held.rules, low=other))
    yield _try(there, "rule", f"low={other}", bid, hands)


def near_hands(held: Situation, trump: int) -> list[tuple[int, ...]]:
    """Return hands in which one card is raised or lowered, or a small trump more or less.

    Cards of which something is known stay where they are.
    """
    ranked = trumps_high_to_low(trump)
    spoken_of = reduce(or_, (fact.cards for fact in held.known), 0)
    own = [card for card in ranked if card in held.cards]
    free = [card for card in ranked if card not in held.cards and not spoken_of >> card & 1]
    swaps = []
    for card in own:
        above = [other for other in free if ranked.index(other) < ranked.index(card)]
        below = [other for other in free if ranked.index(other) > ranked.index(card)]
        swaps += [(card, above[-1])] if above else []
        swaps += [(card, below[0])] if below else []
    plain = sorted((card for card in held.cards if card not in own), key=lambda card: card % 13)
    if plain and free:
        small = [card for card in free if 1 <= card % 13 <= 7]
        swaps += [(plain[0], small[0])] if small else []
    others = [c for c in range(N_CARDS) if c not in held.cards and not spoken_of >> c & 1]
    out = [c for c in others if SUIT_OF[trump, c] != trump]
    if len(own) > 1 and out:
        swaps.append((own[-1], min(out, key=lambda card: card % 13)))
    return [tuple(new if card == old else card for card in held.cards) for old, new in swaps]


def _clear_hands(table: Table, bid: CallResult, hands: int) -> Iterator[Variation]:
    """The nearest hands, one card changed, that are clearly bid and clearly passed."""
    assert bid.trump is not None
    tried = []
    for cards in near_hands(table.situation, bid.trump):
        name = " ".join(card_name(card) for card in cards)
        variation = _try(table.with_situation(cards=cards), "hand", name, bid, hands)
        if variation and variation.versus_pass and abs(variation.versus_pass.mean) < _ROUGH:
            tried.append((abs(variation.versus_pass.mean), variation))
    for verdict in ("yes", "no"):
        clear = [pair for pair in tried if pair[1].verdict == verdict]
        if clear:
            yield min(clear, key=lambda pair: pair[0])[1]


def vary(advice: Advice, asked: int | None, hands: int | None = None) -> tuple[Variation, ...]:
    """Try what might change the answer.

    Parameters
    ----------
    advice : Advice
    asked : int, optional
        The bid in question; else the best bid.
    hands : int, optional
        Deals for each call of a variation; by default a tenth of the advice's, at most `MOST`,
        and none at all if that is fewer than `FEWEST_HANDS`.
    """
    bid = advice.subject(asked)
    if hands is None:
        hands = min(MOST, advice.hands // 10)
        hands = hands if hands >= FEWEST_HANDS else 0
    if bid is None or hands == 0 or advice.of(0) is None:
        return ()
    table = advice.table
    tried: list[Variation | None] = []
    for kind in (_seats, _bids_before, _players, _rule):
        if kind is not _bids_before or advice.verdict(bid.call) != "no":
            tried += kind(table, bid, hands)
    if advice.verdict(bid.call) == "close":
        tried += _clear_hands(table, bid, hands)
    return tuple(variation for variation in tried if variation)
