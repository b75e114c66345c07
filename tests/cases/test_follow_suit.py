"""Known faults of other programs in following suit and winning tricks, as tests of this one."""

from __future__ import annotations

import copy
import pickle

import pytest

from schmier_sim import find_policy, play_batch
from schmier_sim.cards import (
    BEATING,
    CARD_NAMES,
    SUIT_MASK,
    SUIT_OF,
    by_trump,
    card_names,
    cards_of,
    mask_of,
    parse_card,
    parse_cards,
    parse_suit,
)
from schmier_sim.dealing import Dealer
from schmier_sim.engine.play import beats, legal_follows
from schmier_sim.policies.toolkit import strongest, trumps_of
from schmier_sim.rules import Rules


def legal(trump: str, led: str, hand: str) -> set[str]:
    """The legal cards of a hand after a lead."""
    suit, held = parse_suit(trump), mask_of(parse_cards(hand))
    led_suit = int(SUIT_OF[suit, parse_card(led)])
    return set(card_names(legal_follows(held, led_suit, suit, Rules().packed)))


def winner(trump: str, trick: str) -> str:
    """The card that takes a trick."""
    suit = parse_suit(trump)
    first, *rest = parse_cards(trick)
    for card in rest:
        first = card if beats(card, first, suit) else first
    return CARD_NAMES[first]


def test_B01_the_left_bauer_does_not_follow_its_printed_suit() -> None:
    hand = "JD 2S 3S 4S 5S 6S"
    assert legal("H", "2D", hand) == set(hand.split())


def test_B02_a_led_left_bauer_asks_for_trumps() -> None:
    hand = "2H 2S 3S 4S 5S 6S"
    assert legal("D", "JH", hand) == set(hand.split())
    assert legal("D", "JH", "2H 2S 3S 4S 5S 4D") == {"4D"}


def test_B03_the_left_bauer_is_no_club_under_spades() -> None:
    hand = "6H 7H TS JC QD"
    assert legal("S", "9C", hand) == set(hand.split())


def test_B05_the_left_bauer_may_be_the_highest_trump_held() -> None:
    trumps = trumps_of(mask_of(parse_cards("JC 3S 9D")), 3)
    assert set(card_names(trumps)) == {"JC", "3S"}
    assert CARD_NAMES[strongest(trumps, 3)] == "JC"


def test_B07_legal_cards_follow_this_trick_not_the_last() -> None:
    assert legal("S", "KD", "3D 9H") == {"3D"}
    assert legal("S", "KH", "3D 9H") == {"9H"}


@pytest.mark.parametrize(
    ("trick", "takes"), [("6C TD JD", "JD"), ("TD JH", "JH"), ("QD JD", "QD"), ("9D TD", "TD")]
)
def test_B08_ten_below_the_bauers_and_they_below_the_queen(trick: str, takes: str) -> None:
    assert winner("D", trick) == takes


@pytest.mark.parametrize(
    ("trick", "takes"), [("AC KC JO", "JO"), ("AC JO 2S", "2S"), ("AC 2S JO", "2S")]
)
def test_B10_any_trump_beats_the_suit_led(trick: str, takes: str) -> None:
    assert winner("S", trick) == takes


def test_B11_a_card_of_another_suit_never_wins() -> None:
    assert winner("H", "5C AS 2S 4D") == "5C"


def test_B13_53_cards_that_print_parse_sort_and_pickle() -> None:
    assert len(set(CARD_NAMES)) == 53
    cards = [parse_card(name) for name in CARD_NAMES]
    assert cards == list(range(53))
    assert pickle.loads(pickle.dumps(cards)) == copy.deepcopy(cards) == sorted(cards)
    assert CARD_NAMES[by_trump(cards, 2)[14]] == "JO"


@pytest.mark.parametrize("name", ["plain", "random"])
def test_B14_a_hand_of_trumps_alone_can_be_played(name: str) -> None:
    from deals import shuffled

    hands, stock = shuffled(50, first="AS KS QS JS JC TS")
    played = play_batch(hands, stock, 5, policies=name, bidders=0, bids=5, trumps=3)
    assert (played.points[:, 0] >= 5).all()


def test_B15_the_last_trick_has_its_winner_too() -> None:
    for deal in Dealer((find_policy("random"),) * 6, Rules(), 3).hands(0, 30):
        if deal.bidder >= 0:
            assert len(deal.winners) == 6
            assert all(0 <= seat <= 5 for seat in deal.winners)


@pytest.mark.parametrize("trump", range(4))
def test_B17_every_ordered_pair_of_cards_compares(trump: int) -> None:
    """Inside a suit a total order; a trump beats every plain card, plain suits never each other."""
    order = by_trump(cards_of(int(SUIT_MASK[trump, trump])), trump)
    own = 13 * trump
    assert order == [
        own + 12, own + 11, own + 10, own + 9, 13 * (3 - trump) + 9,
        *range(own + 8, own - 1, -1), 52,
    ]  # fmt: skip
    for one in range(53):
        for other in range(53):
            if one == other:
                continue
            both = SUIT_OF[trump, one], SUIT_OF[trump, other]
            expected = both[0] == trump != both[1]
            if both[0] == both[1]:
                expected = one > other
                if both[0] == trump:
                    expected = order.index(one) < order.index(other)
            assert beats(one, other, trump) == expected
            assert bool(BEATING[trump, other] >> one & 1) == expected
