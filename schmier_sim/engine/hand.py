"""One deal from the cards to the score, all phases in order."""

from __future__ import annotations

from typing import Any

from schmier_sim._jit import kernel
from schmier_sim.engine.auction import force_bidder, hold_auction, name_trump
from schmier_sim.engine.deal import deal_cards
from schmier_sim.engine.exchange import exchange
from schmier_sim.engine.play import play_tricks
from schmier_sim.engine.scoring import score_hand
from schmier_sim.engine.state import next_seat
from schmier_sim.engine.switches import REDEAL_NEXT, lowest_bid, when_all_pass
from schmier_sim.rules import MAX_DEALS


@kernel
def clear(table: Any, view: Any, dealer: int) -> None:
    """Forget the deal before: nothing is known yet but dealer, scores and rules."""
    view.dealer = dealer
    view.bidder = view.bid = view.trump = view.leader = -1
    view.must_throw = view.n_played = view.n_trick = view.played = 0
    view.trick_mask = view.trick_count = view.out_of_trumps = 0
    view.trick_best = view.trick_holder = -1
    view.history[:] = -1
    table.stock_used = table.made = 0
    table.taker = table.fault = -1
    for seat in range(6):
        view.calls[seat] = view.drawn[seat] = -1
        view.voids[seat] = 0
        table.hands[seat] = table.dealt[seat]
        table.thrown[seat] = 0
        table.winners[seat] = table.point_team[seat] = -1
    for team in range(3):
        view.game_count[team] = view.card_points[team] = 0
        table.points[team] = table.score[team] = table.held[team] = table.won[team] = 0


@kernel
def play_deal(table: Any, view: Any, dealer: int) -> None:
    """Play one deal whose cards are in ``table.dealt`` and ``table.stock``.

    Afterwards ``view.bidder`` is -1 if the cards were thrown in, and ``table.fault`` is not -1 if
    a policy answered illegally.
    """
    clear(table, view, dealer)
    if table.plan_bidder >= 0:
        force_bidder(table, view)
    else:
        hold_auction(table, view)
    if view.bidder < 0:
        return
    name_trump(table, view)
    if table.fault < 0:
        exchange(table, view)
    if table.fault < 0:
        play_tricks(table, view)
    if table.fault < 0:
        score_hand(table, view)


@kernel
def next_dealer(dealer: int, thrown_in: bool, rules: int) -> int:
    """P3, A4: who deals after this deal."""
    if thrown_in and when_all_pass(rules) != REDEAL_NEXT:
        return dealer
    return next_seat(dealer)


@kernel
def drop_plan(table: Any) -> None:
    """Leave everything to the policies."""
    table.plan_bidder = -1
    table.plan_calls[:] = -1
    table.plan_trumps[:] = -1


@kernel
def plan_bidder(table: Any, rules: int, index: int, levels: int) -> int:
    """Make one seat the bidder in one suit, all by turns over the hands; return the seat."""
    seat = index % 6
    table.plan_bidder = seat
    table.plan_trumps[seat] = index // 6 % 4
    table.plan_bid = lowest_bid(rules) + index // 24 % levels
    return seat


@kernel
def play_until_bid(table: Any, view: Any, dealer: int, seed: int, index: int) -> int:
    """Play the deal on the table, and as long as it is thrown in (A4) deal new cards.

    What was planned for the first deal does not hold for those after it.

    Returns
    -------
    int
        The number of deals thrown in; `MAX_DEALS` if nobody ever bid (W3).
    """
    for attempt in range(MAX_DEALS):
        if attempt:
            drop_plan(table)
            deal_cards(table, seed, index, attempt)
        play_deal(table, view, dealer)
        if view.bidder >= 0 or table.fault >= 0:
            return attempt
        dealer = next_dealer(dealer, True, view.rules)
    return MAX_DEALS
