"""T1-T3: six tricks."""

from __future__ import annotations

from typing import Any

from schmier_sim._jit import inlined_kernel, kernel
from schmier_sim.bits import lowest_bit
from schmier_sim.cards import BEATING, GAME_COUNT, SUIT_MASK, SUIT_OF
from schmier_sim.engine.ask import ask, blame
from schmier_sim.engine.scoring import award_trick, note_holders
from schmier_sim.engine.state import PLAY, next_seat
from schmier_sim.engine.switches import trump_at_any_time, trump_leads_first


@inlined_kernel
def legal_leads(hand: int, trump: int, is_first: bool, rules: int) -> int:
    """T1: any card may be led; by ``first_lead=trump`` a trump to the first trick, if held."""
    trumps = hand & SUIT_MASK[trump, trump]
    if is_first and trumps and trump_leads_first(rules):
        return trumps
    return hand


@inlined_kernel
def legal_follows(hand: int, led_suit: int, trump: int, rules: int) -> int:
    """T2: follow suit if able; by ``trump_anytime`` a trump may be played on a plain suit."""
    follows = hand & SUIT_MASK[trump, led_suit]
    if not follows:
        return hand
    if trump_at_any_time(rules):
        follows |= hand & SUIT_MASK[trump, trump]
    return follows


@inlined_kernel
def beats(card: int, best: int, trump: int) -> bool:
    """T3: whether a card takes the trick from the best card so far, which is led or trump."""
    return BEATING[trump, best] >> card & 1 == 1


@inlined_kernel
def choose(table: Any, view: Any, seat: int, legal: int) -> int:
    """Return the card that a seat plays, or -1 after an illegal answer."""
    if not legal & (legal - 1):
        return lowest_bit(legal)  # no choice: nobody is asked
    card = ask(table, view, seat, PLAY, legal)
    if card < 0 or card > 52 or not legal >> card & 1:
        blame(table, seat, PLAY, card)
        return -1
    return card


@inlined_kernel
def note_void(view: Any, seat: int, led_suit: int, suit: int) -> None:
    """Note that a seat did not follow, if that shows it to be out of the suit."""
    # No branches: whether a seat follows cannot be foretold.
    may_ruff = trump_at_any_time(view.rules) & (suit == view.trump)
    shown = int((suit != led_suit) & (not may_ruff))
    view.voids[seat] |= shown << led_suit
    view.out_of_trumps |= (shown & (led_suit == view.trump)) << seat


@inlined_kernel
def show_trick(view: Any, cards: int, best: int, holder: int, count: int) -> None:
    """Keep up what policies may ask of the trick so far, for nothing."""
    view.trick_mask, view.trick_best, view.trick_holder = cards, best, holder
    view.trick_count = count


@inlined_kernel
def lay_down(table: Any, view: Any, seat: int, card: int) -> None:
    """Move a card from a hand to the table."""
    table.hands[seat] &= ~(1 << card)
    view.history[view.n_played] = card
    view.played |= 1 << card
    view.n_played += 1
    view.n_trick += 1


@inlined_kernel
def play_trick(table: Any, view: Any, trick: int) -> int:
    """Play one trick; return its winner, or -1 after an illegal answer."""
    trump, seat = view.trump, view.leader
    view.n_trick = 0
    legal = legal_leads(table.hands[seat], trump, trick == 0, view.rules)
    best = choose(table, view, seat, legal)
    if best < 0:
        return -1
    lay_down(table, view, seat, best)
    winner, led_suit, cards = seat, SUIT_OF[trump, best], 1 << best
    count = GAME_COUNT[best]
    show_trick(view, cards, best, winner, count)
    for _ in range(5):
        seat = next_seat(seat)
        legal = legal_follows(table.hands[seat], led_suit, trump, view.rules)
        card = choose(table, view, seat, legal)
        if card < 0:
            return -1
        lay_down(table, view, seat, card)
        note_void(view, seat, led_suit, SUIT_OF[trump, card])
        if beats(card, best, trump):
            best, winner = card, seat
        cards |= 1 << card
        count += GAME_COUNT[card]
        show_trick(view, cards, best, winner, count)
    award_trick(table, view, winner, cards)
    return winner


@kernel
def play_tricks(table: Any, view: Any) -> None:
    """Play all six tricks, the bidder leading to the first."""
    note_holders(table, view)
    view.leader = view.bidder
    for trick in range(6):
        winner = play_trick(table, view, trick)
        if winner < 0:
            return
        table.winners[trick] = view.leader = winner
