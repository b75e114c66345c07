"""Cards: ids, the order of ranks (R1, R2), printing, and the tables that kernels look things up in.

A card is an integer 13 * suit + rank, suits C D H S = 0-3, ranks 2-A = 0-12; the joker is 52. A
set of cards is an integer mask with bit ``1 << card``.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Final

import numpy as np

from schmier_sim.errors import InputError

SUITS: Final = "CDHS"
SUIT_SIGNS: Final = "♣♦♥♠"
SUIT_NAMES: Final = ("clubs", "diamonds", "hearts", "spades")
RANKS: Final = "23456789TJQKA"

JOKER: Final = 52
N_CARDS: Final = 53
PACK_MASK: Final = (1 << N_CARDS) - 1

TWO, TEN, JACK, QUEEN, KING, ACE = 0, 8, 9, 10, 11, 12


def same_colour(suit: int) -> int:
    """The other suit of the same colour: clubs and spades, diamonds and hearts."""
    return 3 - suit


def mask_of(cards: Iterable[int]) -> int:
    """Return the mask of some card ids."""
    mask = 0
    for card in cards:
        mask |= 1 << card
    return mask


def cards_of(mask: int) -> list[int]:
    """Return the card ids of a mask, ascending."""
    mask, cards = int(mask), []
    while mask:
        lowest = mask & -mask
        cards.append(lowest.bit_length() - 1)
        mask ^= lowest
    return cards


# --- Tables by trump suit -------------------------------------------------------------------------


def trumps_high_to_low(trump: int) -> list[int]:
    """Return the 15 trumps of a suit (R1): A K Q R L 10 9 8 7 6 5 4 3 2 joker."""
    own, left = 13 * trump, 13 * same_colour(trump) + JACK
    top = [own + ACE, own + KING, own + QUEEN, own + JACK, left]
    return [*top, *(own + rank for rank in range(TEN, TWO - 1, -1)), JOKER]


def _suit_table() -> np.ndarray:
    suits = np.empty((4, N_CARDS), np.int64)
    suits[:, :JOKER] = np.arange(JOKER) // 13
    for trump in range(4):
        suits[trump, trumps_high_to_low(trump)] = trump
    return suits


def _strength_table() -> np.ndarray:
    strength = np.empty((4, N_CARDS), np.int64)
    strength[:, :JOKER] = np.arange(JOKER) % 13
    for trump in range(4):
        strength[trump, trumps_high_to_low(trump)] = np.arange(114, 99, -1)
    return strength


def _masks_by_suit(suits: np.ndarray) -> np.ndarray:
    return np.array(
        [[mask_of(np.flatnonzero(row == suit).tolist()) for suit in range(4)] for row in suits],
        np.int64,
    )


def _beating(suits: np.ndarray, strength: np.ndarray) -> np.ndarray:
    beating = np.zeros((4, N_CARDS), np.int64)
    for trump in range(4):
        for card in range(N_CARDS):
            same = suits[trump] == suits[trump, card]
            over = same & (strength[trump] > strength[trump, card])
            if suits[trump, card] != trump:
                over |= suits[trump] == trump
            beating[trump, card] = mask_of(np.flatnonzero(over).tolist())
    return beating


def _game_counts() -> np.ndarray:
    by_rank = np.zeros(13, np.int64)
    by_rank[[TEN, JACK, QUEEN, KING, ACE]] = 10, 1, 2, 3, 4
    return np.append(np.tile(by_rank, 4), 1)


SUIT_OF: Final = _suit_table()
"""``[trump, card]``: the suit that a card belongs to; the left bauer and the joker are trumps."""
STRENGTH: Final = _strength_table()
"""``[trump, card]``: trumps 100-114, others their rank; compare cards of the suit led or trumps."""
SUIT_MASK: Final = _masks_by_suit(SUIT_OF)
"""``[trump, suit]``: the mask of all cards of a suit."""
BEATING: Final = _beating(SUIT_OF, STRENGTH)
"""``[trump, card]``: the mask of cards that take a trick from this card, led or trump (T3)."""
GAME_COUNT: Final = _game_counts()
"""``[card]``: what a card counts for game (S4); 81 in the pack."""
RIGHT: Final = np.array([13 * trump + JACK for trump in range(4)], np.int64)
LEFT: Final = np.array([13 * same_colour(trump) + JACK for trump in range(4)], np.int64)
HIGH: Final = np.array([13 * trump + ACE for trump in range(4)], np.int64)
LOW: Final = np.array([13 * trump + TWO for trump in range(4)], np.int64)
POINT_MASK: Final = np.array(
    [mask_of([int(table[t]) for table in (HIGH, LOW, RIGHT, LEFT)] + [JOKER]) for t in range(4)],
    np.int64,
)
"""``[trump]``: the five point cards A, 2, R, L and joker, which are never discarded (E3)."""


# --- Spelling -------------------------------------------------------------------------------------

_TOKEN = re.compile(r"(JOKER|JO|\*|🃏)|(10|[2-9TJQKA])([CDHS♣♦♥♠♧♢♡♤])")
_BETWEEN = re.compile(r"[\s,;]+")
_SUIT_OF_SIGN = {sign: i for signs in (SUITS, SUIT_SIGNS, "♧♢♡♤") for i, sign in enumerate(signs)}
_HOW_TO = "write rank and suit like AS TD 9H, the joker as JO"


CARD_NAMES: Final = (*(rank + suit for suit in SUITS for rank in RANKS), "JO")
"""Canonical spellings by card id."""
_BY_NAME = {name: card for card, name in enumerate(CARD_NAMES)}


def card_name(card: int) -> str:
    """Return the canonical spelling, ``AS``, ``TD``, ``JO``."""
    return CARD_NAMES[card]


def card_names(mask: int) -> list[str]:
    """Return the canonical spellings of a mask, by suit from the top, the joker last."""
    return [card_name(card) for card in by_suit(cards_of(mask))]


def card_sign(card: int, trump: int | None = None) -> str:
    """Return a spelling for people: ``A♠``, ``joker``, with trumps named ``J♠ right`` too."""
    if card == JOKER:
        return "joker"
    name = RANKS[card % 13] + SUIT_SIGNS[card // 13]
    if trump is not None and card == RIGHT[trump]:
        return f"{name} right"
    if trump is not None and card == LEFT[trump]:
        return f"{name} left"
    return name


def by_suit(cards: Iterable[int]) -> list[int]:
    """Sort cards for printing: spades, hearts, diamonds, clubs, each from the top, joker last."""
    return sorted(cards, key=lambda card: (card == JOKER, -(card // 13), -(card % 13)))


def by_trump(cards: Iterable[int], trump: int) -> list[int]:
    """Sort cards for printing: trumps from the top, then the other suits."""
    return sorted(
        cards,
        key=lambda card: (
            SUIT_OF[trump, card] != trump,
            -(card // 13) if SUIT_OF[trump, card] != trump else 0,
            -STRENGTH[trump, card],
        ),
    )


def _tokens(text: str) -> Iterator[tuple[str, int]]:
    """Split a text into (spelling, card), whatever stands between the cards."""
    plain = text.replace("\ufe0f", "").replace("\ufe0e", "").upper()
    at = 0
    while at < len(plain):
        gap = _BETWEEN.match(plain, at)
        if gap:
            at = gap.end()
            continue
        found = _TOKEN.match(plain, at)
        if not found:
            word = _BETWEEN.split(plain[at:])[0][:12]
            raise InputError(f"no card: {word!r} in {text.strip()[:80]!r}; {_HOW_TO}")
        joker, rank, suit = found.groups()
        rank = "T" if rank == "10" else rank
        yield found[0], JOKER if joker else 13 * _SUIT_OF_SIGN[suit] + RANKS.index(rank)
        at = found.end()


def parse_cards(text: str) -> list[int]:
    """Read any number of cards in any accepted spelling, in the order written.

    Raises
    ------
    InputError
        If something is no card, or a card is there twice.
    """
    cards: list[int] = []
    for _, card in _tokens(text):
        if card in cards:
            raise InputError(f"card {card_name(card)} is there twice in {text.strip()[:80]!r}")
        cards.append(card)
    return cards


def parse_card(text: object) -> int:
    """Read exactly one card."""
    if isinstance(text, str) and text in _BY_NAME:
        return _BY_NAME[text]
    cards = parse_cards(text) if isinstance(text, str) else []
    if len(cards) != 1:
        raise InputError(f"no card: {text!r}; {_HOW_TO}")
    return cards[0]


def parse_hand(text: str) -> list[int]:
    """Read a hand of six cards.

    Raises
    ------
    InputError
        If there are not six different cards; the message says how many were read.
    """
    cards = parse_cards(text)
    if len(cards) != 6:
        read = " ".join(card_name(card) for card in cards) or "nothing"
        raise InputError(f"a hand has 6 cards, {len(cards)} were read: {read}")
    return cards


def parse_suit(text: str) -> int:
    """Read a suit: its letter, sign or name."""
    word = text.strip().replace("\ufe0f", "").replace("\ufe0e", "").upper()
    for suit, name in enumerate(SUIT_NAMES):
        if word and (word in (name.upper(), name.upper()[:-1]) or _SUIT_OF_SIGN.get(word) == suit):
            return suit
    raise InputError(f"no suit: {text!r}; one of C D H S (or ♣ ♦ ♥ ♠)")
