"""From a question in cards and seats to the first level."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from schmier_sim._jit import inlined_kernel, part_kernel
from schmier_sim.bits import count_bits, lowest_bit
from schmier_sim.cards import GAME_COUNT, HIGH, LOW, N_CARDS, STRENGTH, SUIT_OF
from schmier_sim.engine.scoring import taken_points
from schmier_sim.engine.switches import (
    game_tie_to_bidder,
    team_count,
    team_of,
    trump_at_any_time,
    trump_leads_first,
)
from schmier_sim.solver.moves import clear_table, put_down
from schmier_sim.solver.space import GAME_FRAMES, count_of, squeeze
from schmier_sim.solver.table import seed_of

_WIDTH: Final = 16
_TRUMPS_FROM: Final = 3 * _WIDTH
_ALL_PLACES: Final = (1 << 4 * _WIDTH - 1) - 1


def _place_table() -> np.ndarray:
    """By trump suit and card: the place in suits of 16 places each, trumps above all others."""
    places = np.empty((4, N_CARDS), np.int64)
    for trump in range(4):
        plain = [suit for suit in range(4) if suit != trump]
        for card in range(N_CARDS):
            suit, strength = int(SUIT_OF[trump, card]), int(STRENGTH[trump, card])
            lane = _TRUMPS_FROM - 100 if suit == trump else _WIDTH * plain.index(suit)
            places[trump, card] = lane + strength
    return places


PLACE: Final = _place_table()


@inlined_kernel
def from_bidder(space: Any, seat: int) -> int:
    """Count a seat from the bidder."""
    return seat - space.bidder if seat >= space.bidder else seat - space.bidder + 6


@part_kernel
def seat_teams(space: Any) -> None:
    """P1: note who plays with whom."""
    space.sides = 0
    own, is_two = team_of(space.bidder, space.rules), team_count(space.rules) == 2
    for seat in range(6):
        at = from_bidder(space, seat)
        space.rivals[at] = 0
        if team_of(seat, space.rules) == own:
            space.sides |= 1 << at
        else:
            space.rivals[at] = 3 if is_two else at % 3


@part_kernel
def place_hands(space: Any) -> int:
    """Put the cards of each seat, those on the table among them, in places; return all of them."""
    everything = 0
    for seat in range(6):
        at, cards = from_bidder(space, seat), space.given[seat]
        turn = seat - space.leader if seat >= space.leader else seat - space.leader + 6
        if turn < space.n_trick:
            cards |= 1 << space.trick[turn]
        space.hands[at] = 0
        while cards:
            space.hands[at] |= 1 << PLACE[space.trump, lowest_bit(cards)]
            cards &= cards - 1
        everything |= space.hands[at]
    return everything


@part_kernel
def close_up(space: Any, everything: int) -> None:
    """Number the cards in play from 0, and note what each is."""
    gone = _ALL_PLACES & ~everything
    space.cards[0] = space.ours[0] = space.theirs[0] = 0
    for seat in range(6):
        hand = squeeze(space.hands[seat], gone)
        space.hands[seat] = hand
        space.cards[0] |= hand
        space.ours[0] |= hand if space.rivals[seat] == 0 else 0
        space.theirs[0] |= hand if space.rivals[seat] & 1 else 0
    for i in range(4):
        space.lanes[i] = space.worth[i] = 0
    space.points[0] = 0
    taken = taken_points(space.trump, space.rules)
    for card in range(N_CARDS):
        wide = PLACE[space.trump, card]
        space.places[card] = -1
        if not everything >> wide & 1:
            continue
        place = squeeze(1 << wide, gone)
        space.places[card] = lowest_bit(place)
        space.lanes[wide >> 4] |= place
        space.points[0] |= place if taken >> card & 1 else 0
        for i in range(4):
            space.worth[i] |= place if GAME_COUNT[card] >> i & 1 else 0


@inlined_kernel
def owned_points(space: Any) -> int:
    """S1, S2: the points of cards in play that go to the team that plays them."""
    found = 0
    taken = taken_points(space.trump, space.rules)
    for card in (HIGH[space.trump], LOW[space.trump]):
        place = space.places[card]
        if place >= 0 and not taken >> card & 1:
            found += space.ours[0] >> place & 1
    return found


@part_kernel
def compare_counts(space: Any) -> None:
    """S4: note by how much the bidding team leads the others for game; above 0 is won."""
    own = team_of(space.bidder, space.rules)
    mine = space.game_count[own] + (1 if game_tie_to_bidder(space.rules) else 0)
    if team_count(space.rules) == 2:
        space.lead_1[0] = space.lead_2[0] = mine - space.game_count[1 - own]
    else:
        space.lead_1[0] = mine - space.game_count[(own + 1) % 3]
        space.lead_2[0] = mine - space.game_count[(own + 2) % 3]


@part_kernel
def look_at_table(space: Any) -> None:
    """Lay the cards of the trick so far; the last frame is the one to search from."""
    for frames in (0, GAME_FRAMES):
        clear_table(space, frames, from_bidder(space, space.leader), 0)
        for i in range(space.n_trick):
            put_down(space, frames + i, 0, i, 1 << space.places[space.trick[i]])


@part_kernel
def lay_out(space: Any) -> None:
    """Set up the first level and the first frames from the question."""
    seat_teams(space)
    everything = place_hands(space)
    close_up(space, everything)
    space.left[0] = count_of(space, 0, space.cards[0])
    space.last = count_bits(everything) // 6 - 1
    compare_counts(space)
    look_at_table(space)
    must_lead = trump_leads_first(space.rules)
    space.any_ruff = 1 if trump_at_any_time(space.rules) else 0
    space.trump_first = 1 if must_lead and count_bits(everything) == 36 else 0
    space.seed = seed_of(space.sides << 2 | space.any_ruff << 1 | (1 if must_lead else 0))
