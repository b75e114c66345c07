"""The referee: is every decision in a record legal, and what did the hand score?

What follows from the decisions (draws, leaders, winners, points, scores) is worked out with the
engine's own functions and compared with what is written.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from schmier_sim.cards import (
    PACK_MASK,
    POINT_MASK,
    SUIT_MASK,
    SUIT_OF,
    card_name,
    card_names,
    cards_of,
    mask_of,
)
from schmier_sim.engine.auction import is_asked, legal_calls
from schmier_sim.engine.exchange import (
    MOST_DISCARDS,
    discardable,
    forced_discards,
    taker_of,
)
from schmier_sim.engine.play import beats, legal_follows, legal_leads
from schmier_sim.engine.scoring import score_played
from schmier_sim.engine.state import POINT_NAMES, new_tables, new_views
from schmier_sim.records.form import Call, Exchange, Fault, Record, Trick


@dataclass
class Ruling:
    """What the referee found.

    Attributes
    ----------
    faults : list of str
        Field, what is wrong, clause.
    points, game_count, score
        The true ones, in the form of a record; None if the cards were thrown in or not played
        out, or if a decision was illegal.
    bidder : int or None
        The true one.
    made : bool
    is_complete : bool
        Whether the deal was followed to its end: thrown in, or scored.
    """

    faults: list[str] = field(default_factory=list)
    points: dict[str, int | None] | None = None
    game_count: list[int] | None = None
    score: list[int] | None = None
    bidder: int | None = None
    made: bool = False
    is_complete: bool = False


def judge(record: Record) -> Ruling:
    """Check one record by the rules it was played under."""
    referee = _Referee(record)
    try:
        referee.check()
    except Fault as fault:
        referee.ruling.faults.append(str(fault))
    return referee.ruling


class _Referee:
    """Follows one record; hands and stock change as cards are thrown, drawn and played."""

    def __init__(self, record: Record) -> None:
        self.record = record
        self.packed = record.rules.packed
        self.ruling = Ruling()
        self.hands: list[int] = []

    def note(self, text: str) -> None:
        """Note a fault that does not keep us from going on."""
        self.ruling.faults.append(text)

    def check(self) -> None:
        """Check everything, in the order of play."""
        record = self.record
        self.check_cards()
        self.check_auction()
        if self.ruling.bidder is None:
            self.check_nothing_follows()
            self.ruling.is_complete = True
            return
        if record.trump is None:
            raise Fault("trump: missing; the bidder names one (A3)")
        if record.exchange is None:
            if record.tricks is not None:
                raise Fault("exchange: missing, though there are tricks (E1)")
            self.check_no_result("exchange")
            return
        self.check_exchange(record.exchange, record.trump)
        if record.tricks is None:
            self.check_no_result("tricks")
            return
        self.check_tricks(record.tricks, record.trump)

    def check_cards(self) -> None:
        """P2: six cards to each seat and 17 in the stock, each of the 53 once."""
        stock = self.record.stock
        owner: dict[int, str] = {}
        for name, cards, size in [
            *((f"hands[{seat}]", hand, 6) for seat, hand in enumerate(self.record.hands)),
            ("stock", stock, 17),
        ]:
            if cards is None:
                raise Fault(
                    f"{name}: unknown (null); a hand can be checked only with all cards seen"
                )
            if len(cards) != size:
                raise Fault(f"{name}: {len(cards)} cards, not {size} (P2)")
            for card in cards:
                if card in owner:
                    raise Fault(f"{name}: {card_name(card)} is in {owner[card]} too (P2)")
                owner[card] = name
        assert mask_of(owner) == PACK_MASK
        assert stock is not None
        self.stock = stock
        self.hands = [mask_of(hand) for hand in self.record.hands if hand is not None]

    # --- Auction ----------------------------------------------------------------------------------

    def check_auction(self) -> None:
        """A1-A5: who calls, what, and who wins."""
        record, high, bidder = self.record, 0, None
        calls = list(enumerate(record.bids))
        for position in range(1, 7):
            if not is_asked(position, high, self.packed):
                continue
            seat = (record.dealer + position) % 6
            if not calls:
                raise Fault(f"bids: the auction is not over, seat {seat} has not called (A2)")
            i, call = calls.pop(0)
            self.check_call(i, call, seat, high, position == 6)
            if call.bid:
                high, bidder = call.bid, seat
        if calls:
            i, call = calls[0]
            clause = "A2" if high else "A4"
            raise Fault(f"bids[{i}]: seat {call.seat} calls after the auction has ended ({clause})")
        self.ruling.bidder = bidder
        won = (bidder, high if bidder is not None else None)
        if (record.bidder, record.bid) != won:
            written = f"bidder {record.bidder}, bid {record.bid}"
            raise Fault(f"bidder: written is {written}; the auction gives {won[0]}, {won[1]} (A3)")

    def check_call(self, i: int, call: Call, seat: int, high: int, is_dealer: bool) -> None:
        """One call: by whom, and is it legal?"""
        if call.seat != seat:
            raise Fault(f"bids[{i}]: seat {call.seat} calls, it is the turn of seat {seat} (A1)")
        legal = cards_of(legal_calls(high, is_dealer, self.packed))
        if call.bid not in legal:
            shown = ", ".join(str(bid) if bid else "pass" for bid in legal)
            said = f"bids {call.bid}" if call.bid else "passes"
            clause = "A1" if call.bid else "A4"
            raise Fault(f"bids[{i}]: seat {seat} {said}; legal: {shown} ({clause})")

    def check_nothing_follows(self) -> None:
        """A4: after six passes there is no trump, no play and no result."""
        record = self.record
        for name in ("trump", "exchange", "tricks", "points", "game_count", "score"):
            if getattr(record, name) is not None:
                raise Fault(f"{name}: there, though nobody bid (A4)")

    def check_no_result(self, missing: str) -> None:
        """A hand that was not played has no result."""
        for name in ("points", "game_count", "score"):
            if getattr(self.record, name) is not None:
                raise Fault(f"{name}: there, though {missing} are missing (S1)")

    # --- Exchange ---------------------------------------------------------------------------------

    def check_exchange(self, entries: Sequence[Exchange], trump: int) -> None:
        """E1-E4: who throws and draws what, in which order."""
        record, used = self.record, 0
        assert self.ruling.bidder is not None
        taker = taker_of(record.dealer, self.ruling.bidder, self.packed)
        order = [seat for k in range(1, 7) if (seat := (record.dealer + k) % 6) != taker]
        for i, (entry, seat) in enumerate(zip(entries, [*order, taker], strict=True)):
            at = f"exchange[{i}]"
            if entry.seat != seat:
                raise Fault(
                    f"{at}: seat {entry.seat} exchanges, it is the turn of seat {seat} (E1)"
                )
            if seat != taker:
                self.check_discards(at, entry, trump)
                count = len(entry.discard)
            else:
                count = 17 - used
            draw = self.stock[used : used + count]
            used += count
            if entry.draw != draw:
                right = " ".join(map(card_name, draw)) or "nothing"
                clause = "E2" if seat == taker else "E1"
                self.note(f"{at}.draw: seat {seat} is dealt {right} ({clause})")
            if seat == taker:
                self.hands[seat] |= mask_of(draw)
                self.check_taker(at, entry, trump)
            else:
                self.hands[seat] = self.hands[seat] & ~mask_of(entry.discard) | mask_of(draw)

    def check_held(self, at: str, entry: Exchange, clause: str) -> int:
        """Return the mask of the discards, all of which must be held."""
        discards = mask_of(entry.discard)
        missing = discards & ~self.hands[entry.seat]
        if missing:
            names = " ".join(card_names(missing))
            raise Fault(f"{at}.discard: seat {entry.seat} does not hold {names} ({clause})")
        return discards

    def check_discards(self, at: str, entry: Exchange, trump: int) -> None:
        """E1: 0-3 cards, no trumps."""
        discards = self.check_held(at, entry, "E1")
        if len(entry.discard) > MOST_DISCARDS:
            count = len(entry.discard)
            raise Fault(f"{at}.discard: {count} cards, at most {MOST_DISCARDS} (E1)")
        trumps = discards & ~discardable(self.hands[entry.seat], trump, False, self.packed)
        if trumps:
            names = " ".join(card_names(trumps))
            raise Fault(f"{at}.discard: seat {entry.seat} throws trumps: {names} (E1)")

    def check_taker(self, at: str, entry: Exchange, trump: int) -> None:
        """E2-E4: down to six cards; trumps only as far as the excess goes."""
        seat = entry.seat
        discards = self.check_held(at, entry, "E2")
        hand = self.hands[seat]
        if len(entry.discard) != hand.bit_count() - 6:
            right = hand.bit_count() - 6
            raise Fault(f"{at}.discard: {len(entry.discard)} cards, not {right} (E2)")
        protected = discards & POINT_MASK[trump]
        if protected:
            names = " ".join(card_names(protected))
            raise Fault(f"{at}.discard: {names} may never be thrown (E3)")
        forced = forced_discards(hand, trump, self.packed)
        trumps = discards & SUIT_MASK[trump, trump]
        if trumps & ~discardable(hand, trump, True, self.packed):
            names = " ".join(card_names(trumps))
            raise Fault(
                f"{at}.discard: {names} thrown, though no more than six trumps are held (E3)"
            )
        if forced & ~discards:
            names = " ".join(card_names(forced & ~discards))
            raise Fault(f"{at}.discard: {names} kept, though more than six trumps are held (E3)")
        self.hands[seat] = hand & ~discards

    # --- Play -------------------------------------------------------------------------------------

    def check_tricks(self, tricks: Sequence[Trick], trump: int) -> None:
        """T1-T3, and if all six tricks are there the result."""
        if len(tricks) > 6:
            raise Fault(f"tricks: {len(tricks)}; a hand has six (T1)")
        assert self.ruling.bidder is not None
        leader = self.ruling.bidder
        finished: list[tuple[Trick, int]] = []
        for i, trick in enumerate(tricks):
            at = f"tricks[{i}]"
            if trick.leader != leader:
                clause = "T3" if i else "T1"
                raise Fault(f"{at}.leader: seat {trick.leader} leads, not seat {leader} ({clause})")
            if len(trick.cards) > 6 or (len(trick.cards) < 6 and i + 1 < len(tricks)):
                raise Fault(f"{at}: {len(trick.cards)} cards, not 6 (T1)")
            leader = self.check_trick(at, trick, trump, i == 0)
            if len(trick.cards) == 6:
                finished.append((trick, leader))
        if len(finished) == 6:
            self.check_result(finished, trump)
        else:
            self.check_no_result("some of six tricks")

    def check_trick(self, at: str, trick: Trick, trump: int, is_first: bool) -> int:
        """One trick, perhaps unfinished; return who holds it."""
        winner, best = trick.leader, -1
        for turn, card in enumerate(trick.cards):
            seat = (trick.leader + turn) % 6
            hand = self.hands[seat]
            if not hand >> card & 1:
                raise Fault(
                    f"{at}: seat {seat} plays {card_name(card)}, which it does not hold (T1)"
                )
            if turn == 0:
                if not legal_leads(hand, trump, is_first, self.packed) >> card & 1:
                    raise Fault(f"{at}: seat {seat} leads {card_name(card)}, no trump (T1)")
                best = card
            else:
                led_suit = int(SUIT_OF[trump, trick.cards[0]])
                if not legal_follows(hand, led_suit, trump, self.packed) >> card & 1:
                    raise Fault(f"{at}: seat {seat} revokes with {card_name(card)} (T2)")
                if beats(card, best, trump):
                    winner, best = seat, card
            self.hands[seat] = hand & ~(1 << card)
        if len(trick.cards) < 6:
            if trick.winner is not None:
                self.note(f"{at}.winner: there, though the trick is not finished (T3)")
        elif trick.winner != winner:
            self.note(f"{at}.winner: {_or_nobody(trick.winner)}, not seat {winner} (T3)")
        return winner

    # --- Result -----------------------------------------------------------------------------------

    def check_result(self, tricks: Sequence[tuple[Trick, int]], trump: int) -> None:
        """S1-S5: score the hand, and compare what is written."""
        table, view = self.scored(tricks, trump)
        teams = self.record.rules.n_teams
        ruling, record = self.ruling, self.record
        ruling.points = {
            name: None if team < 0 else team
            for name, team in zip(POINT_NAMES, table.point_team.tolist(), strict=True)
        }
        ruling.game_count = view.game_count.tolist()[:teams]
        ruling.score = table.score.tolist()[:teams]
        ruling.made = bool(table.made)
        ruling.is_complete = True
        clauses = ("S1", "S2", "S3", "S3", "S3", "S4")
        for name, clause in zip(POINT_NAMES, clauses, strict=True):
            if record.points is not None and record.points[name] != ruling.points[name]:
                written, right = record.points[name], ruling.points[name]
                self.note(f"points.{name}: {_team(written)}, not {_team(right)} ({clause})")
        if record.game_count is not None and record.game_count != ruling.game_count:
            self.note(f"game_count: {record.game_count}, not {ruling.game_count} (S4)")
        if record.score is not None and record.score != ruling.score:
            self.note(f"score: {record.score}, not {ruling.score} (S5)")

    def scored(self, tricks: Sequence[tuple[Trick, int]], trump: int) -> tuple[Any, Any]:
        """Give the tricks to the engine's scoring."""
        tables, views = new_tables(1), new_views(1)
        table, view = tables.view(np.recarray)[0], views.view(np.recarray)[0]
        view.rules, view.trump = self.packed, trump
        view.bidder, view.bid = self.ruling.bidder, self.record.bid
        view.history[:] = [card for trick, _ in tricks for card in trick.cards]
        table.winners[:] = [winner for _, winner in tricks]
        score_played(tables, views)
        return table, view


def _or_nobody(seat: int | None) -> str:
    return "nobody" if seat is None else f"seat {seat}"


def _team(team: int | None) -> str:
    return "nobody" if team is None else f"team {team}"
