"""Positions: what one seat knows in the midst of a hand, and which answers a strong player gives.

The files ``positions/*.jsonl`` hold one position a line::

    {"id", "why", "asks", "seat", "record", "right" or "wrong" or "keeps" and "throws"}

``asks`` is ``call``, ``trump``, ``discard`` or ``play``. ``right`` lists the good answers, and
``wrong`` the bad ones: calls, suit letters, card names, or lists of cards to discard. ``keeps`` and
``throws`` name cards that must stay or go in a discard, whatever else does.

``record`` is a hand record (``schmier-hand/1``) as far as the seat has seen it, just before its
answer. The hands of others and the stock are null. ``bids`` ends with the last call made; until the
auction is over ``bidder``, ``bid`` and ``trump`` are null, and ``trump`` is until it is named.
``exchange`` holds the seats that have come so far. Their faces are unknown, so that the ``discard``
and ``draw`` of another seat are numbers of cards; one's own are lists. The taker of the rest who is
asked what to throw has an entry with his ``draw`` and no ``discard``. ``tricks`` ends with the
unfinished trick, if cards lie in it.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from schmier_sim._jit import kernel
from schmier_sim.bits import count_bits
from schmier_sim.cards import (
    PACK_MASK,
    POINT_MASK,
    SUIT_MASK,
    SUIT_OF,
    SUITS,
    card_name,
    cards_of,
    mask_of,
    parse_card,
)
from schmier_sim.engine.auction import is_asked, legal_calls
from schmier_sim.engine.exchange import MOST_DISCARDS, discardable, forced_discards, taker_of
from schmier_sim.engine.play import beats, legal_follows, legal_leads, note_void, show_trick
from schmier_sim.engine.scoring import award_played, count_for_game
from schmier_sim.engine.state import PHASES, new_tables, new_views, position_of
from schmier_sim.records.form import Fault, Record, Trick, read_line

FOLDER = Path(__file__).parent / "positions"
VERDICTS = ("right", "wrong", "keeps", "throws")


class Position(NamedTuple):
    """One position as written."""

    id: str
    why: str
    asks: str
    seat: int
    record: Mapping[str, Any]
    verdict: Mapping[str, Sequence[Any]]

    @property
    def phase(self) -> int:
        """The number of the phase in which the seat is asked."""
        return PHASES.index(self.asks)

    def accepts(self, answer: int) -> bool:
        """Whether an answer of the seat is good."""
        verdict = self.verdict
        if "right" in verdict and answer not in self.answers("right"):
            return False
        if "wrong" in verdict and answer in self.answers("wrong"):
            return False
        thrown = self.cards("throws")
        return thrown & ~answer == 0 and self.cards("keeps") & answer == 0

    def answers(self, name: str) -> list[int]:
        """The answers of a verdict as a policy would give them."""
        return [self.as_answer(word) for word in self.verdict.get(name, ())]

    def as_answer(self, word: Any) -> int:
        """One answer as a policy would give it."""
        if self.asks == "call":
            return int(word)
        if self.asks == "trump":
            return SUITS.index(word)
        if self.asks == "discard":
            return mask_of(map(parse_card, word))
        return parse_card(word)

    def cards(self, name: str) -> int:
        """The mask of the cards of ``keeps`` or ``throws``."""
        return mask_of(map(parse_card, self.verdict.get(name, ())))

    def view(self) -> Any:
        """Return what the seat knows, an array of one `VIEW`, checked by the rules.

        Raises
        ------
        Fault
            If the position cannot come about.
        """
        return _Follower(self).views

    def shown(self, answer: int) -> str:
        """An answer in words."""
        if self.asks == "call":
            return str(answer)
        if self.asks == "trump":
            return SUITS[answer]
        return " ".join(map(card_name, cards_of(answer) if self.asks == "discard" else [answer]))


def position_of_data(data: Mapping[str, Any]) -> Position:
    """Read the fields of a position."""
    verdict = {name: data[name] for name in VERDICTS if name in data}
    known = {"id", "why", "asks", "seat", "record", *VERDICTS}
    if set(data) - known or not verdict:
        raise Fault(f"fields: {sorted(data)}")
    return Position(*(data[name] for name in ("id", "why", "asks", "seat", "record")), verdict)


def load_positions() -> list[Position]:
    """Read all positions, file by file."""
    lines = [
        line
        for path in sorted(FOLDER.glob("*.jsonl"))
        for line in path.read_text("utf-8").splitlines()
    ]
    return [position_of_data(json.loads(line)) for line in lines]


@kernel
def _award(tables: Any, views: Any, trick: int, winner: int) -> None:
    award_played(tables[0], views[0], trick, views[0].leader, winner)


@kernel
def _note_void(views: Any, seat: int, led_suit: int, suit: int) -> None:
    note_void(views[0], seat, led_suit, suit)


class _Follower:
    """Follows a record up to the question, with the functions of the engine."""

    def __init__(self, position: Position) -> None:
        self.position, self.seat = position, position.seat
        self.entries: list[dict[str, Any]] = list(position.record.get("exchange") or [])
        self.record: Record = read_line(json.dumps({**position.record, "exchange": None}))
        self.tables, self.views = new_tables(1), new_views(1)
        self.view = self.views.view(np.recarray)[0]
        self.view.rules, self.view.dealer = self.record.rules.packed, self.record.dealer
        for name in ("bidder", "bid", "trump", "leader", "calls", "drawn", "history"):
            self.view[name] = -1
        self.seen = self.hand = self.thrown = 0
        self.follow()

    def follow(self) -> None:
        """Go through the phases up to the question, then put it."""
        self.take_up_hand()
        legal = self.follow_auction()
        phase = self.position.asks
        if phase != "call":
            legal = 0b1111
        if phase in ("discard", "play"):
            self.view.trump = self.known("trump")
            legal = self.follow_exchange()
        if phase == "play":
            legal = self.follow_tricks()
            self.check_room()
        self.check_absent()
        view = self.view
        view.seat, view.position = self.seat, position_of(self.seat, view.dealer)
        view.hand, view.thrown, view.legal = self.hand, self.thrown, legal
        view.stream[0] = 77

    def known(self, field: str) -> int:
        """A field that must be there by now."""
        value = getattr(self.record, field)
        if value is None:
            raise Fault(f"{field}: missing")
        return int(value)

    def see(self, cards: Sequence[int]) -> int:
        """Note cards whose place the seat knows; none may have another."""
        mask = mask_of(cards)
        if mask.bit_count() != len(cards) or mask & self.seen:
            raise Fault(f"there twice: {[card_name(card) for card in cards]} (P2)")
        self.seen |= mask
        return mask

    def take_up_hand(self) -> None:
        """P2: six cards of one's own, and nothing else known."""
        others = [hand for seat, hand in enumerate(self.record.hands) if seat != self.seat]
        own = self.record.hands[self.seat]
        if any(others) or self.record.stock is not None or own is None or len(own) != 6:
            raise Fault("hands: six cards of one's own are known, and no others (P2)")
        self.hand = self.see(own)

    def check_absent(self) -> None:
        """Nothing that lies after the question may be there."""
        record, phase = self.record, self.position.phase
        for name, first in (("bidder", 1), ("bid", 1), ("trump", 2), ("tricks", 3)):
            if (getattr(record, name) is not None) != (phase >= first):
                raise Fault(f"{name}: there too early, or missing")
        if (phase < 2 and self.entries) or record.points or record.score or record.game_count:
            raise Fault("exchange or result: there too early")

    # --- Auction ----------------------------------------------------------------------------------

    def follow_auction(self) -> int:
        """A1-A5; return the legal calls of the next seat."""
        record, view, high, bidder = self.record, self.view, 0, -1
        calls, legal = list(record.bids), 0
        for position in range(1, 7):
            seat = (record.dealer + position) % 6
            if not is_asked(position, high, view.rules):
                continue
            legal = int(legal_calls(high, position == 6, view.rules))
            if not calls:
                if self.position.asks != "call" or seat != self.seat:
                    raise Fault(f"bids: seat {seat} has not called (A2)")
                return legal
            call = calls.pop(0)
            if call.seat != seat or not legal >> call.bid & 1:
                raise Fault(f"bids: {call} is not legal (A1)")
            view.calls[seat] = call.bid
            if call.bid:
                high, bidder = call.bid, seat
        if calls or self.position.asks == "call":
            raise Fault("bids: the auction is over (A2)")
        if (self.known("bidder"), self.known("bid")) != (bidder, high):
            raise Fault(f"bidder: the auction gives {bidder}, {high} (A3)")
        view.bidder, view.bid = bidder, high
        if self.position.asks == "trump" and self.seat != bidder:
            raise Fault("seat: only the bidder names trumps (A3)")
        return legal

    # --- Exchange ---------------------------------------------------------------------------------

    def follow_exchange(self) -> int:
        """E1-E4; return the mask of cards that the seat may throw, if it is asked."""
        view, used = self.view, 0
        taker = int(taker_of(view.dealer, view.bidder, view.rules))
        order = [seat for k in range(1, 7) if (seat := (view.dealer + k) % 6) != taker] + [taker]
        asked = self.position.asks == "discard"
        last = order.index(self.seat) if asked else 6
        if [entry["seat"] for entry in self.entries] != order[: last + (self.seat == taker)][:6]:
            raise Fault("exchange: not the seats that have come so far (E1)")
        for entry in self.entries:
            if entry["seat"] == taker:
                used = self.follow_taker(entry, 17 - used, asked)
            else:
                used += self.follow_other(entry)
        return int(discardable(self.hand, view.trump, asked and self.seat == taker, view.rules))

    def follow_other(self, entry: Mapping[str, Any]) -> int:
        """E1: as many drawn as thrown, no trumps; return the number."""
        seat, count = entry["seat"], entry["discard"]
        if seat == self.seat:
            thrown = mask_of(map(parse_card, entry["discard"]))
            count = thrown.bit_count()
            if thrown & ~int(discardable(self.hand, self.view.trump, False, self.view.rules)):
                raise Fault("exchange: discards that are trumps or not held (E1)")
            drawn = self.see([parse_card(card) for card in entry["draw"]])
            self.hand, self.thrown = self.hand & ~thrown | drawn, thrown
        drawn_count = entry["draw"] if seat != self.seat else len(entry["draw"])
        if type(count) is not int or not 0 <= count <= MOST_DISCARDS or drawn_count != count:
            raise Fault(f"exchange: seat {seat}: 0 to 3 cards, as many as are drawn (E1)")
        self.view.drawn[seat] = count
        return count

    def follow_taker(self, entry: Mapping[str, Any], rest: int, asked: bool) -> int:
        """E2-E4: all the rest is drawn, six cards are kept."""
        self.view.drawn[entry["seat"]] = rest
        if entry["seat"] != self.seat:
            if (entry["discard"], entry["draw"]) != (rest, rest):
                raise Fault(f"exchange: the taker draws and throws {rest} cards (E2)")
            return 17
        if len(entry["draw"]) != rest:
            raise Fault(f"exchange: the taker draws {rest} cards (E2)")
        self.hand |= self.see([parse_card(card) for card in entry["draw"]])
        view = self.view
        self.throw(int(forced_discards(self.hand, view.trump, view.rules)))
        if asked:
            view.must_throw = int(count_bits(self.hand)) - 6
            return 17
        discards = mask_of(map(parse_card, entry["discard"]))
        free = discards & ~self.thrown
        legal = int(discardable(self.hand, view.trump, True, view.rules))
        if self.thrown & ~discards or free & ~legal or (self.hand & ~free).bit_count() != 6:
            raise Fault("exchange: the taker's discards are not legal (E3)")
        self.throw(free)
        return 17

    def throw(self, discards: int) -> None:
        """Take discards out of one's own hand."""
        self.hand &= ~discards
        self.thrown |= discards

    # --- Play -------------------------------------------------------------------------------------

    def follow_tricks(self) -> int:
        """T1-T3; return the mask of one's legal cards."""
        view = self.view
        view.leader, tricks = view.bidder, list(self.record.tricks or [])
        for i, trick in enumerate(tricks):
            finished = len(trick.cards) == 6
            if trick.leader != view.leader or not (finished or i + 1 == len(tricks)):
                raise Fault(f"tricks[{i}]: seat {view.leader} leads, to six cards (T1)")
            winner = self.follow_trick(i, trick)
            if trick.winner != (winner if finished else None):
                raise Fault(f"tricks[{i}].winner: it is seat {winner} (T3)")
            if finished:
                _award(self.tables, self.views, i, winner)
                view.leader, view.n_trick = winner, 0
        if (view.leader + view.n_trick) % 6 != self.seat or view.n_played == 36:
            raise Fault("seat: it is not the turn of this seat (T1)")
        return self.legal_cards()

    def legal_cards(self) -> int:
        """The cards that the seat may play now, which it holds itself."""
        view = self.view
        if view.n_trick == 0:
            return int(legal_leads(self.hand, view.trump, view.n_played == 0, view.rules))
        led = view.history[view.n_played - view.n_trick]
        return int(legal_follows(self.hand, SUIT_OF[view.trump, led], view.trump, view.rules))

    def follow_trick(self, number: int, trick: Trick) -> int:
        """One trick, perhaps unfinished; return who holds it."""
        view, winner, best, cards = self.view, trick.leader, -1, 0
        for turn, card in enumerate(trick.cards):
            seat = (trick.leader + turn) % 6
            view.n_trick = turn
            if seat == self.seat:
                if not self.legal_cards() >> card & 1:
                    raise Fault(f"tricks[{number}]: {card_name(card)} is not legal (T2)")
                self.hand &= ~(1 << card)
            else:
                self.see([card])
                self.check_void(seat, card, trick.cards[0])
            if best < 0 or beats(card, best, view.trump):
                winner, best = seat, card
            cards |= 1 << card
            show_trick(view, cards, best, winner, int(count_for_game(cards)))
            view.history[view.n_played] = card
            view.played |= 1 << card
            view.n_played += 1
        view.n_trick = len(trick.cards)
        return winner

    def check_void(self, seat: int, card: int, led: int) -> None:
        """T2: what a seat has shown to be out of, it cannot play."""
        suit, led_suit = SUIT_OF[self.view.trump, card], SUIT_OF[self.view.trump, led]
        if self.view.voids[seat] >> suit & 1:
            raise Fault(f"seat {seat} plays {card_name(card)}, of which it was void (T2)")
        _note_void(self.views, seat, led_suit, suit)

    def check_room(self) -> None:
        """All trumps are in play but for the taker's excess: can the others hold those unseen?"""
        view = self.view
        unseen = PACK_MASK & ~self.seen & int(SUIT_MASK[view.trump, view.trump])
        left = 6 - (view.n_played - view.n_trick) // 6
        room = sum(
            left - self.has_played(seat)
            for seat in range(6)
            if seat != self.seat and not view.voids[seat] >> view.trump & 1
        )
        if unseen.bit_count() > room + self.excess():
            raise Fault("voids: nobody can hold the trumps that are unseen (E3)")

    def has_played(self, seat: int) -> bool:
        """Whether a seat has played to the current trick."""
        return bool((seat - self.view.leader) % 6 < self.view.n_trick)

    def excess(self) -> int:
        """How many unseen trumps may lie in the taker's discards (E3)."""
        taker = int(taker_of(self.view.dealer, self.view.bidder, self.view.rules))
        if taker == self.seat or self.view.voids[taker] >> self.view.trump & 1:
            return 0
        free = int(SUIT_MASK[self.view.trump, self.view.trump]) & ~int(POINT_MASK[self.view.trump])
        return (free & ~self.seen).bit_count()
