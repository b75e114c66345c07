"""Builds hand records for the rule tests, and asks the real software about them.

A test names only the cards and decisions that it is about; the rest is filled in plainly: the
first seat left of the dealer bids, nobody but the taker of the rest exchanges, and a seat plays
its first legal card unless the test wishes another.
"""

from __future__ import annotations

import copy
import functools
import json
import random
import re
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import oracle

Record = dict[str, Any]
SEATS = oracle.SEATS

# A deal for many tests: trump is spades, seat 5 deals, and all seventeen cards of the stock are
# red and plain.
HANDS = {
    0: "9C 8C 7C 9S 8S 7S",
    1: "6C 5C 4C TS 6S 5S",
    2: "AC KC QC 4S 3S 2S",
    3: "TC 3C 2C JC QD TD",
    4: "JO AH KH QH TH 9H",
    5: "AS KS QS JS AD KD",
}

# ---------------------------------------------------------------- building a hand


def cards(text: str) -> list[str]:
    return text.split()


def deal_with(
    hands: dict[int, str], trump: str = "S", stock: str = "", fill: Iterable[int] = SEATS
) -> tuple[list[list[str]], list[str]]:
    """The named cards, and the others dealt in: trumps into the hands first, then plain cards.

    Hands with room are filled in the order of `fill`; `stock` names the top of the stock.
    """
    full = [cards(hands.get(seat, "")) for seat in SEATS]
    top = cards(stock)
    named = [card for hand in full for card in hand] + top
    assert len(set(named)) == len(named), "a card is named twice"
    free = [card for card in oracle.PACK if card not in named]
    free = oracle.trump_cards(free, trump) + oracle.plain_cards(free, trump)
    for seat in fill:
        missing = 6 - len(full[seat])
        full[seat] += free[:missing]
        free = free[missing:]
    return full, top + free


def calls_to_bids(calls: list[int], dealer: int) -> list[dict[str, int]]:
    seats = oracle.clockwise_from(dealer + 1)
    return [{"seat": seat, "bid": bid} for seat, bid in zip(seats, calls, strict=False)]


def make_record(
    hands: dict[int, str],
    *,
    trump: str = "S",
    dealer: int = 5,
    calls: list[int] | None = None,
    bids: list[tuple[int, int]] | None = None,
    rules: dict[str, Any] | None = None,
    discards: dict[int, str] | None = None,
    wishes: dict[int, str] | None = None,
    stock: str = "",
    fill: Iterable[int] = SEATS,
    play: bool = True,
) -> Record:
    """A complete legal record; the oracle writes what follows from the decisions.

    `calls` are in order from the dealer's left (`bids` says the seats too); a seat plays its
    first legal card of `wishes`, or else the first legal one in its hand.
    """
    rules = rules or {}
    record = oracle.blank_record(rules, dealer, *deal_with(hands, trump, stock, fill))
    record["bids"] = calls_to_bids(calls or [3, 0, 0, 0, 0, 0], dealer)
    if bids is not None:
        record["bids"] = [{"seat": seat, "bid": bid} for seat, bid in bids]
    won = oracle.auction_winner([(call["seat"], call["bid"]) for call in record["bids"]])
    if won is None:
        return record
    record["bidder"], record["bid"] = won
    record["trump"] = trump
    all_rules = oracle.full_rules(rules)
    oracle.write_exchange_and_tricks(record, _discards(record, discards or {}, all_rules))
    if play:
        oracle.play_out(record, _chooser(wishes or {}), all_rules)
        oracle.write_result(record)
    return record


def _discards(record: Record, given: dict[int, str], rules: dict[str, Any]) -> dict[int, list[str]]:
    taker = oracle.taker_of_the_rest(record["dealer"], record["bidder"], rules)
    order = oracle.exchange_order(record["dealer"], taker)
    thrown = {seat: cards(given.get(seat, "")) for seat in order}
    if taker not in given:
        drawn_before = sum(len(thrown[seat]) for seat in order if seat != taker)
        pick_up = record["stock"][drawn_before:]
        thrown[taker] = _plain_taker_discard(record["hands"][taker], pick_up, record["trump"])
    return thrown


def _plain_taker_discard(hand: list[str], pick_up: list[str], trump: str) -> list[str]:
    """Plain cards go, those picked up first; then the lowest trumps that may."""
    protected = oracle.protected_trumps(trump)
    held = pick_up + hand
    trumps = [c for c in oracle.trumps_high_to_low(trump) if c in held and c not in protected]
    return (oracle.plain_cards(held, trump) + trumps[::-1])[: len(pick_up)]


def _chooser(wishes: dict[int, str]) -> Callable[[int, list[str]], str]:
    def choose(seat: int, legal: list[str]) -> str:
        return next((card for card in cards(wishes.get(seat, "")) if card in legal), legal[0])

    return choose


def trick(record: Record, number: int) -> str:
    return " ".join(record["tricks"][number]["cards"])


def winners_of(record: Record) -> list[int]:
    return [played["winner"] for played in record["tricks"]]


# ---------------------------------------------------------------- breaking a record


def edited(record: Record, edit: Callable[[Record], object]) -> Record:
    """A copy of the record with one thing done to it."""
    broken = copy.deepcopy(record)
    edit(broken)
    return broken


def with_value(record: Record, path: list[Any], value: object) -> Record:
    """A copy in which the value at a path such as ["tricks", 0, "winner"] is another."""

    def edit(broken: Any) -> None:
        place = broken
        for step in path[:-1]:
            place = place[step]
        assert place[path[-1]] != value, "this would change nothing"
        place[path[-1]] = value

    return edited(record, edit)


def with_bids(record: Record, bids: list[tuple[int, int]]) -> Record:
    """The same hand with other calls, bidder and bid as before."""
    return with_value(record, ["bids"], [{"seat": s, "bid": b} for s, b in bids])


def without_result(record: Record) -> Record:
    return {k: v for k, v in record.items() if k not in ("points", "game_count", "score")}


def with_discards(record: Record, discards: dict[int, list[str]]) -> Record:
    """The same record with other discards; everybody draws in turn, and the tricks stay."""

    def edit(broken: Record) -> None:
        stock = list(broken["stock"])
        for entry in broken["exchange"]:
            entry["discard"] = discards.get(entry["seat"], entry["discard"])
            last = entry is broken["exchange"][-1]
            drawn = len(stock) if last else len(entry["discard"])
            entry["draw"], stock = stock[:drawn], stock[drawn:]

    return edited(record, edit)


def place_of_card(record: Record, card: str) -> tuple[int, int]:
    """Trick and place in it."""
    for number, played in enumerate(record["tricks"]):
        if card in played["cards"]:
            return number, played["cards"].index(card)
    raise AssertionError(f"{card} is not played")


def with_play_swapped(record: Record, early: str, late: str) -> Record:
    """One seat plays two of its cards in the other order; nothing else is touched."""
    (trick1, place1), (trick2, place2) = place_of_card(record, early), place_of_card(record, late)

    def edit(broken: Record) -> None:
        broken["tricks"][trick1]["cards"][place1] = late
        broken["tricks"][trick2]["cards"][place2] = early

    return edited(record, edit)


# ---------------------------------------------------------------- whole games


@functools.cache
def _scored_hand_text(
    dealer: int, bidder: int, bid: int, score: tuple[int, ...], rules_text: str
) -> str:
    calls = [(seat, 0) for seat in oracle.clockwise_from(dealer + 1)]
    calls = [(seat, bid if seat == bidder else 0) for seat, _ in calls]
    if bid == 6:
        calls = calls[: calls.index((bidder, bid)) + 1]
    rng = random.Random(f"{dealer} {bidder} {bid} {score}")
    for _ in range(20_000):
        record = oracle.random_record(rng, json.loads(rules_text), dealer, calls)
        if record["score"] == list(score):
            return json.dumps(record)
    raise AssertionError(f"no hand found that scores {score}")


def scored_hand(
    dealer: int, bidder: int, bid: int, score: tuple[int, ...], rules: dict[str, Any]
) -> Record:
    """Some hand in which this bid changes the scores by just this much."""
    text = json.dumps(rules, sort_keys=True)
    record: Record = json.loads(_scored_hand_text(dealer, bidder, bid, score, text))
    return record


def passed_hand(dealer: int, rules: dict[str, Any], seed: int = 0) -> Record:
    calls = [(seat, 0) for seat in oracle.clockwise_from(dealer + 1)]
    return oracle.random_record(random.Random(f"{dealer} {seed}"), rules, dealer, calls)


Step = tuple[int, int, tuple[int, ...]]  # bidding team, bid, change of every score


def make_game(
    steps: Sequence[Step | None],
    rules: dict[str, Any] | None = None,
    dealer: int = 5,
    name: str = "g",
) -> list[Record]:
    """A game of such hands; None is a thrown-in deal. The oracle writes the `game` fields."""
    rules = rules or {}
    game: list[Record] = []
    for number, step in enumerate(steps):
        if step is None:
            record = passed_hand(dealer, rules, number)
        else:
            # the seat with the team's number is always in that team
            record = scored_hand(dealer, step[0], step[1], step[2], rules)
        oracle.add_to_game(game, record, name)
        dealer = oracle.next_dealer(dealer, step is None, rules)
    return game


# ---------------------------------------------------------------- asking the real software


def verdicts(records: Iterable[Record]) -> list[Any]:
    return verdicts_of_lines([json.dumps(record) for record in records])


def verdicts_of_lines(lines: list[str]) -> list[Any]:
    # imported here, so that the oracle's own tests need no package
    from schmier_sim.records import check_lines

    found = list(check_lines(lines))
    assert [verdict.line for verdict in found] == list(range(1, len(lines) + 1))
    assert all(verdict.ok == (not verdict.faults) for verdict in found)
    return found


def clauses_in(fault: str) -> set[str]:
    """The clause ids in the brackets that end a fault."""
    end = re.search(r"\(([^()]*)\)$", fault)
    return set(re.findall(r"\b[PRAETSW]\d\b", end.group(1))) if end else set()


def assert_accepted(record: Record) -> Any:
    """The record is legal, and scored as the oracle scores it, with and without its result."""
    result = oracle.replay(record)
    assert oracle.compare(record, result) == []
    bare = without_result(record)
    for verdict in verdicts([record, bare]):
        assert verdict.ok, verdict.faults
        assert verdict.points == result.points
        assert _as_list(verdict.game_count) == result.game_count
        assert _as_list(verdict.score) == result.score
    return verdict


def _as_list(value: Iterable[int] | None) -> list[int] | None:
    return None if value is None else list(value)


def assert_refused(record: Record, *clauses: str) -> None:
    """The software finds a fault, and one that names (one of) the clauses."""
    assert not oracle_accepts(record), "the oracle sees nothing wrong here"
    (verdict,) = verdicts([record])
    assert not verdict.ok
    if clauses:
        named = set().union(*[clauses_in(fault) for fault in verdict.faults])
        assert named & set(clauses), verdict.faults


def assert_fault_names(record: Record, *words: str) -> None:
    """The software finds a fault about one of these fields, cards or clauses."""
    (verdict,) = verdicts([record])
    assert not verdict.ok
    assert any(word in fault for fault in verdict.faults for word in words), verdict.faults


def oracle_accepts(record: Record) -> bool:
    try:
        return oracle.compare(record, oracle.replay(record)) == []
    except oracle.Fault:
        return False


def assert_game_accepted(game: list[Record]) -> None:
    assert oracle.replay_game(game) == []
    for verdict in verdicts(game):
        assert verdict.ok, (verdict.line, verdict.faults)


def assert_game_refused(game: list[Record], line: int, *words: str) -> None:
    """The fault is found in this line (counted from 1), and no line before it is touched."""
    assert oracle.replay_game(game) != []
    found = verdicts(game)
    for verdict in found[: line - 1]:
        assert verdict.ok, (verdict.line, verdict.faults)
    faults = found[line - 1].faults
    assert faults
    assert not words or any(word in fault for fault in faults for word in words), faults
