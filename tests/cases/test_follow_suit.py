"""Following suit and taking tricks: not one known fault of other programs, but its whole kind."""

from __future__ import annotations

import json
import pickle
import random
from functools import reduce
from itertools import permutations
from typing import Any

import numpy as np
import oracle
import pytest
from cases.scene import mask, players, suit
from deals import shuffled
from rules.handmade import edited, make_record, verdicts

from schmier_sim import Rules, play_batch
from schmier_sim._jit import JIT_ENABLED
from schmier_sim.bits import count_bits
from schmier_sim.cards import (
    BEATING,
    CARD_NAMES,
    STRENGTH,
    SUIT_MASK,
    SUIT_OF,
    by_suit,
    by_trump,
    card_name,
    card_names,
    parse_card,
    parse_cards,
)
from schmier_sim.cli.run import run
from schmier_sim.composition import NAMES, composition_of
from schmier_sim.dealing import Deal, Dealer
from schmier_sim.engine.play import beats, legal_follows
from schmier_sim.engine.state import new_views
from schmier_sim.policies import registry
from schmier_sim.policies.toolkit import strongest, trick_best, trumps_of
from schmier_sim.situation import situation

Out = pytest.CaptureFixture[str]
PACK = list(CARD_NAMES)
TRICKS = 3_000 if JIT_ENABLED else 600
DEALS = 600 if JIT_ENABLED else 6
every_trump = pytest.mark.parametrize("trump", "CDHS")
every_policy = pytest.mark.parametrize("name", registry.names())


def follows(trump: str, led: str, hand: str, **rules: object) -> set[str]:
    """What may be played on a lead."""
    t = suit(trump)
    led_suit = SUIT_OF[t, parse_card(led)]
    return set(card_names(int(legal_follows(mask(hand), led_suit, t, Rules.of(rules).packed))))


def winner(trump: str, trick: str) -> str:
    """The card that takes a trick, in both of the ways that the software works it out."""
    t, cards = suit(trump), parse_cards(trick)
    best = reduce(lambda best, card: card if beats(card, best, t) else best, cards)
    views = new_views(1)
    views["trump"], views["n_played"], views["n_trick"] = t, len(cards), len(cards)
    views["history"][0][: len(cards)] = cards
    assert trick_best(views[0]) == (best, cards.index(best))
    return card_name(best)


def test_B01_left_jack_does_not_follow_its_printed_suit() -> None:
    """Diamonds led, hearts trumps: the jack of diamonds is a trump, so nothing is forced."""
    hand = "JD 2S 3S 4S 5S 6S"
    assert follows("H", "2D", hand) == set(hand.split())


def test_B02_left_jack_led_asks_for_trumps() -> None:
    """Diamonds are trumps and the jack of hearts is led: no heart is forced, but a trump is."""
    free = "2H 2S 3S 4S 5S 6S"
    assert follows("D", "JH", free) == set(free.split())
    assert follows("D", "JH", "2H 2S 3S 4S 5S 4D") == {"4D"}


def test_B03_left_jack_is_no_club_when_spades_are_trumps() -> None:
    hand = "6H 7H TS JC QD"
    assert follows("S", "9C", hand) == set(hand.split())


def test_B05_left_jack_is_counted_and_found_as_the_highest_trump() -> None:
    held = trumps_of(mask("JC 3S 9D"), suit("S"))
    assert count_bits(held) == 2
    assert card_name(strongest(held, suit("S"))) == "JC"


def test_B01_left_jack_follows_trumps() -> None:
    assert follows("H", "2H", "JD 2S 3S 4S 5S 6S") == {"JD"}
    assert follows("H", "JO", "JD 2S 3D 4D 5S 6S") == {"JD"}


def test_B02_a_led_joker_asks_for_trumps() -> None:
    assert follows("D", "JH", "2H 2S 3S 4S 5S JO") == {"JO"}
    assert follows("D", "JO", "2H 2S JH 4S 5S 4D") == {"JH", "4D"}


def test_B03_a_true_club_is_forced_beside_the_left_jack() -> None:
    assert follows("S", "9C", "6H TS JC 2C QD") == {"2C"}
    assert follows("S", "9C", "6H TS JC 2C QD", trump_anytime=True) == {"2C", "TS", "JC"}


@every_trump
def test_B01_B03_every_left_jack_and_every_lead(trump: str) -> None:
    """A hand of the left jack and the three of each suit, whatever is led."""
    left = "J" + oracle.OTHER_SUIT_OF_COLOUR[trump]
    hand = [left, "3C", "3D", "3H", "3S"]
    for led in set(PACK) - set(hand):
        right = oracle.legal_follows(hand, led, trump, oracle.DEFAULTS)
        assert follows(trump, led, " ".join(hand)) == set(right)
        assert (left in right) == oracle.is_trump(led, trump)


@pytest.mark.parametrize("trump_anytime", [False, True])
def test_B01_B03_random_hands_follow_as_the_referee_says(trump_anytime: bool) -> None:
    rng = random.Random(1)
    rules = {**oracle.DEFAULTS, "trump_anytime": trump_anytime}
    for _ in range(TRICKS):
        led, *hand = rng.sample(PACK, rng.randint(2, 7))
        trump = rng.choice("CDHS")
        right = oracle.legal_follows(hand, led, trump, rules)
        assert follows(trump, led, " ".join(hand), trump_anytime=trump_anytime) == set(right)


@every_trump
def test_B05_the_left_jack_is_seen_wherever_trumps_are_counted(trump: str) -> None:
    t, left, three = suit(trump), "J" + oracle.OTHER_SUIT_OF_COLOUR[trump], "3" + trump
    plain = [name for name in PACK if not oracle.is_trump(name, trump)][:4]
    hand = mask(" ".join([left, three, *plain]))
    assert NAMES[composition_of(hand, t)] == "L+1"
    assert count_bits(trumps_of(hand, t)) == 2
    assert card_name(strongest(trumps_of(hand, t), t)) == left
    assert by_trump(parse_cards(f"{three} {left}"), t) == parse_cards(f"{left} {three}")


SECOND_TRICK = {
    0: "AH KD 9C 8C 7C 6C",
    1: "2H 3D 9H 3C 4C 5C",
    2: "4H 4D 9S 8S 7S 6S",
    3: "5H 5D AS KS QS JS",
    4: "6H 6D JC TS 5S 4S",
    5: "7H 7D 3S 2S AC JO",
}


def test_B07_the_second_trick_asks_for_its_own_suit() -> None:
    """Hearts were led before; now the king of diamonds is, and 3D has to go, not 9H."""
    record = make_record(SECOND_TRICK, wishes={0: "AH KD", 1: "2H 3D"})
    assert [trick["cards"][:2] for trick in record["tricks"][:2]] == [["AH", "2H"], ["KD", "3D"]]
    (good,) = verdicts([record])
    assert good.ok, good.faults

    def revoke(broken: Any) -> None:
        broken["tricks"][1]["cards"][1] = "9H"

    (bad,) = verdicts([edited(record, revoke)])
    assert any(fault.startswith("tricks[1]: seat 1 revokes with 9H") for fault in bad.faults)


@every_policy
def test_B07_no_seat_revokes_in_any_trick(name: str) -> None:
    """Every card is checked against what its seat still held, trick by trick."""
    for deal in Dealer(players(name), Rules(), seed=7).hands(0, DEALS):
        for i in range(36) if deal.bidder >= 0 else ():
            held = [
                card_name(deal.history[k]) for k in range(i, 36) if owner(deal, k) == owner(deal, i)
            ]
            led = card_name(deal.history[i - i % 6])
            if i % 6:
                legal = oracle.legal_follows(held, led, "CDHS"[deal.trump], oracle.DEFAULTS)
                assert held[0] in legal


def owner(deal: Deal, i: int) -> int:
    """The seat that played the i-th card."""
    leader = deal.bidder if i < 6 else deal.winners[i // 6 - 1]
    return (leader + i % 6) % 6


@pytest.mark.parametrize(
    ("trump", "trick", "takes"),
    [("D", "6C TD JD", "JD"), ("D", "TD JH", "JH"), ("D", "QD JD", "QD"), ("S", "AC 2C JO", "JO"),
     ("S", "AC 2S JO", "2S"), ("S", "AC JO 2S", "2S"), ("H", "5C AS 2S 4D", "5C")],
)  # fmt: skip
def test_B08_B10_B11_policies_see_the_same_winner_as_the_engine(
    trump: str, trick: str, takes: str
) -> None:
    assert winner(trump, trick) == takes


def test_B08_B11_random_tricks_are_taken_as_the_referee_says() -> None:
    rng = random.Random(2)
    for _ in range(TRICKS):
        trick, trump = rng.sample(PACK, rng.randint(1, 6)), rng.choice("CDHS")
        assert winner(trump, " ".join(trick)) == oracle.best_card(trick, trump)


@every_trump
def test_B11_no_plain_card_of_another_suit_ever_takes(trump: str) -> None:
    t = suit(trump)
    for led in range(53):
        for other in set(range(4)) - {t, int(SUIT_OF[t, led])}:
            assert not int(BEATING[t, led]) & int(SUIT_MASK[t, other])


@every_trump
def test_B17_every_ordered_pair_of_cards(trump: str) -> None:
    """Second card on first: it takes the trick just when the referee says so."""
    t = suit(trump)
    for first, second in permutations(range(53), 2):
        best = oracle.best_card([CARD_NAMES[first], CARD_NAMES[second]], trump)
        assert beats(second, first, t) == (best == CARD_NAMES[second])


@every_trump
def test_B17_trumps_sort_and_compare_as_in_the_rules(trump: str) -> None:
    t = suit(trump)
    order = [parse_card(name) for name in oracle.trumps_high_to_low(trump)]
    assert all(np.diff(STRENGTH[t, order]) < 0)
    mixed = list(range(53))
    random.Random(3).shuffle(mixed)
    assert by_trump(mixed, t)[:15] == order
    assert sorted(by_trump(mixed, t)) == sorted(by_suit(mixed)) == list(range(53))


def test_B13_a_pack_of_53_that_parses_prints_and_pickles() -> None:
    assert len(set(CARD_NAMES)) == 53
    assert [parse_card(name) for name in CARD_NAMES] == list(range(53))
    assert pickle.loads(pickle.dumps(CARD_NAMES)) == CARD_NAMES


def test_B13_what_holds_cards_can_be_pickled() -> None:
    deal = next(Dealer(players("random"), Rules(), seed=1).hands(0, 1))
    for thing in (situation("AS KS QS JS 2S JO"), deal, Rules(low="taker")):
        assert pickle.loads(pickle.dumps(thing)) == thing


@every_policy
@every_trump
def test_B14_trumps_alone_in_every_seat_and_suit(name: str, trump: str) -> None:
    """Nothing plain to throw or to lead, from every seat around the dealer."""
    hand = " ".join(oracle.trumps_high_to_low(trump)[:6])
    hands, stock = shuffled(DEALS // 6, seed=14, first=hand)
    for dealer in range(6):
        played = play_batch(
            hands, stock, dealer, policies=players(name), bidders=0, bids=6, trumps=suit(trump)
        )
        assert np.all(played.points.sum(axis=1) >= 5)


@every_policy
def test_B14_trumps_alone_in_two_hands_against_any_bidder(name: str) -> None:
    trumps = oracle.trumps_high_to_low("S")
    plain = [card for card in PACK if card not in trumps]
    dealer = [*trumps[12:], *plain[18:21]]
    hands = [plain[:6], trumps[:6], plain[6:12], plain[12:18], trumps[6:12], dealer]
    masks = np.array([[mask(" ".join(hand)) for hand in hands]])
    stock = np.array([[parse_card(card) for card in plain[21:]]])
    for bidder in range(6):
        played = play_batch(
            masks, stock, 5, policies=players(name), bidders=bidder, bids=3, trumps=3
        )
        assert played.points.sum() >= 5


@every_policy
def test_B15_the_winner_of_the_last_trick_is_told_and_true(name: str, capsys: Out) -> None:
    """In records and in diagrams."""
    words = ["deal", "--hands", "20", "--policy", name, "--seed", "15"]
    assert run(words) == 0
    records = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    records = [record for record in records if record["bidder"] is not None]
    assert run([*words, "--pretty"]) == 0
    told = [line for line in capsys.readouterr().out.splitlines() if line.startswith("  sixth")]
    assert len(records) == len(told) == 20
    for record, line in zip(records, told, strict=True):
        last = record["tricks"][5]
        best = oracle.best_card(last["cards"], record["trump"])
        seat = (last["leader"] + last["cards"].index(best)) % 6
        assert last["winner"] == seat
        assert line.endswith(f"  seat {seat}")
