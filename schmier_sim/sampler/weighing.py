"""How well a drawn world explains what the others did, if they play by an assumed policy.

Worlds are drawn from what the cards and rules alone allow; a weight is the chance that the others
would have decided as they did in that world. Each decision counts ``1 - error`` if the policy
would decide so, plus ``error`` times a share in any case: of a call, that of all worlds drawn in
which the policy calls so (see `calls`); else one over the number of legal answers. Whoever decides
otherwise than assumed makes no world impossible. A policy that draws random numbers is asked once;
weights are then right on average.

Of discards their number is seen, and weighed: a seat with p plain cards had min(p, 3) + 1 answers.
Which cards they were stays as `plan` assumes it. The taker's number is no decision.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from schmier_sim._jit import inlined_kernel, kernel
from schmier_sim.bits import count_bits
from schmier_sim.cards import GAME_COUNT, SUIT_MASK, SUIT_OF
from schmier_sim.engine.ask import ask
from schmier_sim.engine.auction import legal_calls
from schmier_sim.engine.exchange import MOST_DISCARDS, discardable
from schmier_sim.engine.hand import clear
from schmier_sim.engine.play import (
    beats,
    lay_down,
    legal_follows,
    legal_leads,
    note_void,
    show_trick,
)
from schmier_sim.engine.scoring import award_trick, note_holders
from schmier_sim.engine.state import CALL, DISCARD, PLAY, TRUMP, next_seat, seat_players
from schmier_sim.rng import AROUND, POLICY, stream
from schmier_sim.sampler.calls import call_of
from schmier_sim.sampler.drawing import draw_world, share, some_of
from schmier_sim.sampler.plan import BINOMIAL, EXCESS, N_SLOTS, THROWN

Errors = tuple[float, float, float, float]
ERRORS: Final = (0.05, 0.05, 0.05, 0.05)
"""By phase, the assumed share of decisions that are made otherwise, at random.

At 1 the decisions of a phase tell nothing, and are not asked for.
"""


# --- What was before ------------------------------------------------------------------------------


@inlined_kernel
def share_of_plain(plan: Any, trumps: int, drawn: int, r: int) -> float:
    """Return how likely, but for a constant, r of the cards drawn are plain ones still held."""
    plain = 6 - trumps
    ways = BINOMIAL[plain, r] * BINOMIAL[trumps, drawn - r]
    return ways / BINOMIAL[drawn + plain - r, drawn]


@inlined_kernel
def drawn_cards(plan: Any, hand: int, drawn: int) -> int:
    """Draw which cards of a hand after the exchange came from the stock."""
    trumps = hand & SUIT_MASK[plan.trump, plan.trump]
    n = count_bits(trumps)
    least, most = max(0, drawn - n), min(drawn, 6 - n)
    whole = 0.0
    for r in range(least, most + 1):
        whole += share_of_plain(plan, n, drawn, r)
    aim, r = share(plan.stream, whole), least
    passed = share_of_plain(plan, n, drawn, r)
    while passed <= aim:
        r += 1
        passed += share_of_plain(plan, n, drawn, r)
    return some_of(hand & ~trumps, r, plan.stream) | some_of(trumps, drawn - r, plan.stream)


@inlined_kernel
def look_back(plan: Any, table: Any) -> None:
    """Draw what led to a drawn world: put into ``table.dealt`` what the others were dealt."""
    discards = plan.out[THROWN]
    for seat in range(6):
        hand = plan.hands[seat] | plan.played[seat]
        drawn, plan.threw[seat] = plan.drawn[seat], 0
        if seat not in (plan.seat, plan.taker) and drawn > 0:
            thrown = some_of(discards, drawn, plan.stream)
            discards &= ~thrown
            plan.threw[seat] = thrown
            hand = hand & ~drawn_cards(plan, hand, drawn) | thrown
        table.dealt[seat] = hand
    if plan.taker >= 0 and plan.taker != plan.seat:
        hand = plan.hands[plan.taker] | plan.played[plan.taker]
        plan.threw[plan.taker] = discards | plan.out[EXCESS]
        table.dealt[plan.taker] = some_of(hand | plan.threw[plan.taker], 6, plan.stream)
    plan.threw[plan.seat] = plan.thrown


# --- Weights --------------------------------------------------------------------------------------


@inlined_kernel
def soften(agrees: bool, otherwise: float, error: float) -> float:
    """Return the weight of one decision, made anyhow in so many of other cases."""
    return (1.0 - error if agrees else 0.0) + error * otherwise


@inlined_kernel
def weigh_calls(table: Any, view: Any, seen: Any, plan: Any, error: float) -> float:
    """Return the weight of ``table.dealt`` by the calls of the others.

    Parameters
    ----------
    table, view : TABLE and VIEW record
        To ask the players of the table with; rules and scores stand in the view.
    seen : VIEW record or View
        What one seat knows.
    plan : PLAN record
        Of it, how often each usually calls so.
    """
    clear(table, view, seen.dealer)
    weight, high, seat = 1.0, 0, seen.dealer
    for position in range(1, 7):
        seat = next_seat(seat)
        call = seen.calls[seat]
        if call < 0:
            continue
        if seat != seen.seat and error < 1.0:
            legal = legal_calls(high, position == 6, seen.rules)
            agrees = ask(table, view, seat, CALL, legal) == call
            weight *= soften(agrees, plan.usual[seat], error)
        view.calls[seat] = call
        high = max(high, call)
    return weight


@inlined_kernel
def weigh_trump(table: Any, view: Any, seen: Any, error: float) -> float:
    """Return the weight of the suit that was named; leaves bidder, bid and trump in the view."""
    view.bidder, view.bid = seen.bidder, seen.bid
    weight = 1.0
    if seen.bidder != seen.seat and seen.trump >= 0 and error < 1.0:
        weight = soften(ask(table, view, seen.bidder, TRUMP, 0b1111) == seen.trump, 0.25, error)
    view.trump = seen.trump
    return weight


@inlined_kernel
def weigh_discards(table: Any, view: Any, seen: Any, plan: Any, error: float) -> float:
    """Return the weight of the numbers exchanged; leaves the hands after the exchange."""
    weight, seat = 1.0, seen.dealer
    for _ in range(6):
        seat = next_seat(seat)
        if seat == plan.taker or plan.drawn[seat] < 0:
            continue
        if seat != plan.seat and error < 1.0:
            legal = discardable(table.hands[seat], view.trump, False, view.rules)
            if legal:
                number = count_bits(ask(table, view, seat, DISCARD, legal))
                answers = min(MOST_DISCARDS, count_bits(legal)) + 1
                weight *= soften(number == plan.drawn[seat], 1.0 / answers, error)
        view.drawn[seat] = plan.drawn[seat]
    for other in range(6):
        if plan.drawn[other] >= 0:
            table.hands[other] = plan.hands[other] | plan.played[other]
            table.thrown[other] = plan.threw[other]
            view.drawn[other] = plan.drawn[other]
    return weight


@inlined_kernel
def weigh_card(
    table: Any, view: Any, legal: int, turn: tuple[int, int, int], error: float
) -> float:
    """Return the weight of a card played, and lay it down; turn: seat, card, who looks on."""
    seat, card, onlooker = turn
    weight = 1.0
    if seat != onlooker and legal & (legal - 1):
        weight = soften(ask(table, view, seat, PLAY, legal) == card, 1.0 / count_bits(legal), error)
    lay_down(table, view, seat, card)
    return weight


@inlined_kernel
def weigh_plays(table: Any, view: Any, seen: Any, error: float) -> float:
    """Return the weight of the cards played by the others."""
    note_holders(table, view)
    view.leader = view.bidder
    weight, trump, seat, led_suit, cards, count = 1.0, view.trump, view.bidder, 0, 0, 0
    best, winner = -1, view.bidder
    for n in range(seen.n_played):
        card = seen.history[n]
        if n % 6 == 0:
            view.leader, view.n_trick, cards, count = seat, 0, 0, 0
            legal = legal_leads(table.hands[seat], trump, n == 0, view.rules)
            led_suit = SUIT_OF[trump, card]
        else:
            legal = legal_follows(table.hands[seat], led_suit, trump, view.rules)
        weight *= weigh_card(table, view, legal, (seat, card, seen.seat), error)
        note_void(view, seat, led_suit, SUIT_OF[trump, card])
        if n % 6 == 0 or beats(card, best, trump):
            best, winner = card, seat
        cards |= 1 << card
        count += GAME_COUNT[card]
        show_trick(view, cards, best, winner, count)
        seat = next_seat(seat)
        if n % 6 == 5:
            award_trick(table, view, winner, cards)
            seat = winner
    return weight


@inlined_kernel
def weigh_dealt(table: Any, view: Any, seen: Any, plan: Any, errors: Errors) -> float:
    """Return the weight of ``table.dealt``, and of hands and discards in a plan."""
    weight = weigh_calls(table, view, seen, plan, errors[CALL])
    if seen.bidder >= 0:
        weight *= weigh_trump(table, view, seen, errors[TRUMP])
        if seen.trump >= 0:
            weight *= weigh_discards(table, view, seen, plan, errors[DISCARD])
            if errors[PLAY] < 1.0:
                weight *= weigh_plays(table, view, seen, errors[PLAY])
    return weight


@inlined_kernel
def take_seats(table: Any, view: Any, seen: Any, answers: np.ndarray) -> None:
    """Seat the assumed players, under the rules and at the scores that are seen."""
    seat_players(table, answers)
    view.rules = seen.rules
    for team in range(3):
        view.scores[team] = seen.scores[team]


@inlined_kernel
def draw_past(table: Any, plan: Any, seed: int, index: int) -> None:
    """Draw a world of a seed, and what led to it: see `look_back`."""
    plan.stream[0] = stream(seed, index, 0, AROUND)
    table.policy_key = stream(seed, index, 0, POLICY)
    draw_world(plan)
    look_back(plan, table)


@kernel
def count_usual(
    tables: Any,
    views: Any,
    plan: Any,
    seen: Any,
    answers: np.ndarray,
    worlds: tuple[int, int],
    counts: np.ndarray,
) -> None:
    """Count what the others would call in drawn worlds, each after the calls that were made.

    Parameters
    ----------
    worlds : (seed, how many)
    counts : ndarray of int64, shape (6, 8)
        By seat and call, see `calls.call_of`; added to.
    """
    table, view = tables[0], views[0]
    take_seats(table, view, seen, answers)
    seed, n = worlds
    for i in range(n):
        draw_past(table, plan, seed, i)
        clear(table, view, seen.dealer)
        for seat in range(6):
            if seat != seen.seat and seen.calls[seat] >= 0:
                counts[seat, call_of(table, view, seen.calls, seat)] += 1


@kernel
def draw_weighted(
    tables: Any,
    views: Any,
    plan: Any,
    seen: Any,
    answers: np.ndarray,
    errors: Errors,
    start: tuple[int, int],
    out: tuple[np.ndarray, np.ndarray],
) -> None:
    """Draw worlds and their weights.

    Parameters
    ----------
    tables, views : arrays of one TABLE and VIEW record
        To ask the players with.
    plan : PLAN record
        Counted.
    seen : VIEW record or View
        What the seat knows, of which the plan was made.
    answers : ndarray of int64, shape (24,)
        The assumed players.
    errors : four floats
        By phase, see `ERRORS`.
    start : (seed, index of the first world)
    out : (worlds, weights), ndarrays of int64, shape (n, 9), and of float, shape (n,)
        See `drawing.draw_worlds`.
    """
    table, view = tables[0], views[0]
    worlds, weights = out
    seed, first = start
    take_seats(table, view, seen, answers)
    for i in range(len(weights)):
        draw_past(table, plan, seed, first + i)
        for seat in range(6):
            worlds[i, seat] = plan.hands[seat]
        for slot in range(THROWN, N_SLOTS):
            worlds[i, slot] = plan.out[slot]
        weights[i] = weigh_dealt(table, view, seen, plan, errors)
