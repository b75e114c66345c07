"""The exchange: not one known fault of other programs, but its whole kind."""

from __future__ import annotations

from typing import Any

import numpy as np
import oracle
import pytest
from cases.scene import empty_scene, mask, only, players, script, suit, uncompiled
from deals import shuffled
from engine.test_against_oracle import SWITCHES
from rules.handmade import HANDS, make_record, verdicts, with_discards

from schmier_sim import Rules, play_batch
from schmier_sim._jit import JIT_ENABLED
from schmier_sim.cards import CARD_NAMES, card_names, mask_of, parse_card
from schmier_sim.dealing import Deal, Dealer
from schmier_sim.engine import exchange
from schmier_sim.engine.state import DISCARD
from schmier_sim.policies import registry
from schmier_sim.records.write import as_record

Patch = pytest.MonkeyPatch
N = 300 if JIT_ENABLED else 4
every_trump = pytest.mark.parametrize("trump", "CDHS")


def walk(record: dict[str, Any]) -> None:
    """Follow every card: it is in one place always, and moves from there only."""
    place = {card: seat for seat, hand in enumerate(record["hands"]) for card in hand}
    place |= dict.fromkeys(record["stock"], "stock")
    assert len(place) == 53

    def move(card: str, source: object, target: object) -> None:
        assert place[card] == source
        place[card] = target

    for entry in record["exchange"]:
        seat, last = entry["seat"], entry is record["exchange"][-1]
        for card in entry["draw"] if last else ():
            move(card, "stock", seat)
        for card in entry["discard"]:
            move(card, seat, "dead")
        for card in () if last else entry["draw"]:
            move(card, "stock", seat)
        assert list(place.values()).count(seat) == 6
    assert list(place.values()).count("dead") == 17
    assert "stock" not in place.values()
    for trick in record["tricks"]:
        for turn, card in enumerate(trick["cards"]):
            move(card, (trick["leader"] + turn) % 6, "won")
    assert list(place.values()).count("won") == 36


@pytest.mark.parametrize("name", registry.names())
@pytest.mark.parametrize("changes", [{}, *SWITCHES], ids=str)
def test_B60_B61_six_cards_each_and_none_in_two_places(name: str, changes: dict[str, Any]) -> None:
    """After every step of every deal, under every custom."""
    if name == "plain" and changes.get("min_bid", 3) > 3:
        changes = {**changes, "all_pass": "stick_dealer"}
    rules = Rules.of(changes)
    for deal in Dealer(players(name), rules, seed=60).hands(0, N):
        if deal.bidder >= 0:
            walk(as_record(deal, rules, 60, [name] * 6, None))


def refused(
    patch: Patch, hand: str, discard: int, trump: str = "S", *, taker: bool = False, **rules: object
) -> bool:
    """Whether the engine refuses an answer to the exchange; seat 0 asks, or takes 11 cards."""
    table, view = map(only, empty_scene(Rules.of(rules)))
    view.trump, table.hands[0], table.taker = suit(trump), mask(hand), 0 if taker else 5
    free = [card for card in range(53) if not mask(hand) >> card & 1]
    table.stock[:] = free[:17]
    uncompiled(exchange.lay_stock)(table)
    script(patch, exchange, [discard])
    function = uncompiled(exchange.exchange_taker if taker else exchange.exchange_others)
    if taker:
        table.stock_used = 17
    ok = function(table, view) if taker else function(table, view, 0)
    assert (table.fault == DISCARD) == (not ok)
    return not ok


def test_B62_too_many_trumps_or_cards_not_held(monkeypatch: Patch) -> None:
    """Four cards, a trump, the joker, the left bauer, a card of somebody else."""
    hand = "JC JO 3S 2H 3H 4H"
    for discard in ("JC", "JO", "3S", "9D", "2H JO", "2H 9D"):
        assert refused(monkeypatch, hand, mask(discard))
    for discard in ("2H", "2H 3H", "2H 3H 4H"):
        assert not refused(monkeypatch, hand, mask(discard))
    assert refused(monkeypatch, "2H 3H 4H 5H 3S 4S", mask("2H 3H 4H 5H"))
    assert refused(monkeypatch, hand, 1 << 60)
    assert refused(monkeypatch, hand, -1)


@every_trump
def test_B62_every_single_card_and_its_right(trump: str, monkeypatch: Patch) -> None:
    """A seat that is not the taker: of 53 cards it may throw the plain ones that it holds."""
    left = "J" + oracle.OTHER_SUIT_OF_COLOUR[trump]
    hand = [left, "JO", "A" + trump, *[c for c in CARD_NAMES if not oracle.is_trump(c, trump)][:3]]
    for card in CARD_NAMES:
        right = card in hand and not oracle.is_trump(card, trump)
        found = refused(monkeypatch, " ".join(hand), 1 << parse_card(card), trump)
        assert found == (not right)


TAKER = "AS KS QS JS JC TS 2S JO 9S 2H 3H"


@pytest.mark.parametrize("protected", ["AS", "JS", "JC", "2S", "JO"])
def test_B62_the_taker_keeps_what_is_protected(protected: str, monkeypatch: Patch) -> None:
    """Nine trumps: three of K Q 10 9 go, beside the plain ones."""
    assert not refused(monkeypatch, TAKER, mask("QS TS 9S"), taker=True)
    assert refused(monkeypatch, TAKER, mask(f"QS TS {protected}"), taker=True)
    free = {"taker": True, "dealer_excess": "free"}
    assert not refused(monkeypatch, TAKER, mask("QS TS 9S KS 2H"), **free)
    assert refused(monkeypatch, TAKER, mask(f"QS TS 9S 2H {protected}"), **free)


@pytest.mark.parametrize("discard", ["QS TS", "QS TS 9S KS", "QS TS 2H", ""])
def test_B62_the_taker_keeps_six_and_the_trumps(discard: str, monkeypatch: Patch) -> None:
    assert refused(monkeypatch, TAKER, mask(discard), taker=True)


def test_B62_a_taker_with_six_trumps_throws_none(monkeypatch: Patch) -> None:
    hand = "AS KS QS TS 9S 8S 2H 3H"
    assert not refused(monkeypatch, hand, mask("2H 3H"), taker=True)
    assert refused(monkeypatch, hand, mask("2H 8S"), taker=True)


@pytest.mark.parametrize(
    ("discard", "words"),
    [("9C 8C 7C 6D", "does not hold"), ("9S", "throws trumps"), ("JO", "does not hold"),
     ("9C 8C 7C 9S", "4 cards, at most 3"), ("2C", "does not hold")],
)  # fmt: skip
def test_B62_records_are_refused_for_the_same(discard: str, words: str) -> None:
    record = with_discards(make_record(HANDS), {0: discard.split()})
    (verdict,) = verdicts([record])
    assert any("exchange[0].discard" in fault and words in fault for fault in verdict.faults)


def test_B65_hands_without_anything_and_buried_tens_are_no_misdeal() -> None:
    """Seat 1 has no trump, no ace and no honour; the dealer throws tens and kings."""
    hands = {0: "AS KS QS JS JC TS", 1: "2C 3C 4D 5D 6H 7H"}
    record = make_record(hands, stock="9C 8C 7C TC TH TD KC KH AD", discards={1: "2C 3C 4D"})
    assert {"TC", "TH", "TD", "KC", "KH", "AD"} <= set(record["exchange"][-1]["discard"])
    (verdict,) = verdicts([record])
    assert verdict.ok, verdict.faults
    assert verdict.score is not None


@pytest.mark.parametrize("name", registry.names())
def test_B65_every_deal_with_a_bid_is_played_and_scored(name: str) -> None:
    """Whatever is dealt or thrown: with a forced bidder no hand is thrown in."""
    hands, stock = shuffled(10 * N, seed=65)
    played = play_batch(hands, stock, 5, policies=players(name), bidders=0, bids=3, trumps=3)
    assert np.all(played.bidders == 0)
    assert np.all(played.points.sum(axis=1) >= 5)


def test_B61_the_discards_of_a_deal_are_those_of_its_record() -> None:
    deal: Deal
    for deal in Dealer(players("random"), Rules(), seed=61).hands(0, N):
        if deal.bidder >= 0:
            record = as_record(deal, Rules(), 61, ["random"] * 6, None)
            for entry in record["exchange"]:
                assert sorted(entry["discard"]) == sorted(card_names(deal.thrown[entry["seat"]]))
            assert mask_of(deal.history) & sum(deal.thrown) == 0
