"""The sampler for Python: what is no view, fact, number or player is told in one line."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from sampler_views import empty_view, ending, view_of

from schmier_sim import Rules, find_policy
from schmier_sim._jit import JIT_ENABLED
from schmier_sim.cards import mask_of, parse_cards
from schmier_sim.dealing import Dealer
from schmier_sim.errors import InputError
from schmier_sim.sampler.knowledge import Fact
from schmier_sim.sampler.worlds import Sampler

PLAIN = (find_policy("plain"),) * 6
RULES = Rules()
HAND = mask_of(parse_cards("AS KS JS JC 2S JO"))


def auction():
    return empty_view(RULES, 0, 5, HAND)[0]


def refused(line, call, *arguments, **named):
    with pytest.raises(InputError) as caught:
        call(*arguments, **named)
    assert line in str(caught.value)
    assert "\n" not in str(caught.value)


def in_play(seed=1):
    """A view in play, with all that is told of its other cards."""
    position = ending(seed, "play", n_played=9)
    return position.view, position.facts


@pytest.mark.parametrize(
    ("field", "value", "line"),
    [
        ("seat", 6, "view.seat must be a whole number from 0 to 5, not 6"),
        ("dealer", -1, "view.dealer must be"),
        ("bidder", 6, "view.bidder must be"),
        ("trump", 4, "view.trump must be"),
        ("hand", 1 << 53, "view.hand must be"),
        ("hand", HAND & HAND - 1, "view: 5 cards in hand, when 0 are played"),
        ("thrown", HAND & -HAND, "JC is in two places"),
        ("calls", 7, "view.calls must be"),
        ("drawn", 18, "view.drawn must be"),
        ("drawn", 0, "view: cards are exchanged, but no suit is named"),
        ("trump", 2, "view: a suit is named, but there is no bidder"),
        ("voids", 1, "view: somebody has shown to be out of a suit, but no card is played"),
        ("n_played", 37, "view.n_played must be"),
        ("n_played", 1, "view: cards are played, but not everybody has exchanged"),
        ("played", 1, "view: history and played do not agree"),
        ("rules", -1, "view.rules must be"),
    ],
)
def test_a_view_that_cannot_be(field, value, line):
    view = auction()
    view[field] = value
    refused(line, Sampler, view)


@pytest.mark.parametrize(
    ("field", "value", "line"),
    [
        ("n_played", 8, "view: history and played do not agree"),
        ("history", 53, "view: history has 53, which is no card"),
        ("history", -1, "view: history has -1, which is no card"),
        ("history", 5, "view: history and played do not agree"),
        ("drawn", -1, "view: cards are played, but not everybody has exchanged"),
        ("drawn", 4, "has exchanged 4 cards; at most 3 may be"),
        ("hand", 0, "view: 0 cards in hand, when 9 are played"),
    ],
)
def test_a_view_in_play_that_cannot_be(field, value, line):
    view, facts = in_play()
    view[field] = value
    refused(line, Sampler, view, facts)


def test_what_is_no_view():
    for thing in (None, [1, 2], empty_view(RULES, 0, 5, HAND), np.zeros(3)):
        refused("view must be one record of engine.state.VIEW, not", Sampler, thing)


def test_facts_about_nobody_else():
    for fact, line in (
        (Fact(0, HAND & -HAND, True, "me"), "--know 'me': that is you"),
        (Fact(0, 1, False, "not me"), "--know 'not me': that is you"),
        (Fact(6, 1, True, "six"), "--know 'six': the seat must be a whole number from 0 to 5"),
        (Fact(-1, 1, True, "none"), "--know 'none': the seat must be"),
        (Fact(1, 1 << 53, True, "far"), "--know 'far': the mask of cards must be"),
    ):
        refused(line, Sampler, auction(), [fact])
    seven = [Fact(seat, 1 << seat, True, f"seat {seat}") for seat in range(1, 8)]
    refused(
        "'seat 6': the seat must be a whole number from 0 to 5, not 6", Sampler, auction(), seven
    )


def test_numbers_out_of_range():
    sampler = Sampler(auction())
    for n in (0, -1, 2.5, True, "3"):
        refused("n must be a whole number from 1 to", sampler.draw, n)
        refused("n must be a whole number from 1 to", sampler.draw_weighted, PLAIN, n)
    for seed in (-1, 2**63, 0.5):
        refused("seed must be a whole number from 0 to", sampler.draw, 1, seed)
        refused("seed must be a whole number from 0 to", sampler.draw_weighted, PLAIN, 1, seed)
    refused("start must be a whole number from 0 to", sampler.draw, 1, 1, -1)
    refused("jobs must be a whole number from 1", sampler.draw_weighted, PLAIN, 1, jobs=0)
    for errors in (
        (0.1, 0.1, 0.1),
        (-0.1, 0, 0, 0),
        (0, 0, 0, 1.1),
        (float("nan"),) * 4,
        None,
        0.5,
    ):
        refused(
            "errors must be four numbers from 0 to 1", sampler.draw_weighted, PLAIN, 1, 1, errors
        )


def test_players_who_are_none():
    sampler = Sampler(auction())
    refused("policies must be six, by seat, not 5", sampler.draw_weighted, PLAIN[:5], 1)
    refused("at seat 5 is no policy but 'plain'", sampler.draw_weighted, (*PLAIN[:5], "plain"), 1)


def moment(n_played):
    """A view of a real deal."""
    deal = next(
        deal
        for deal in Dealer((find_policy("random"),) * 6, RULES, 4).hands(0, 9)
        if deal.bidder >= 0
    )
    return view_of(deal, RULES, (deal.taker + 1) % 6, n_played)


def test_worlds_and_weights_do_not_depend_on_the_number_of_threads():
    n = 999 if JIT_ENABLED else 7
    sampler = Sampler(moment(8))
    one, three, many = (sampler.draw_weighted(PLAIN, n, 3, jobs=jobs) for jobs in (1, 3, 8))
    for other in (three, many):
        assert np.array_equal(one.cards, other.cards)
        assert np.array_equal(one.weights, other.weights)
        assert one.likelihood == other.likelihood
    assert np.array_equal(one.cards, sampler.draw(n, 3))
    assert np.array_equal(sampler.draw(2, 3, start=4), one.cards[4:6])
    assert len({*one.weights.tolist()}) > 1


def test_one_sampler_may_be_asked_by_several_threads_at_once():
    n = 3_000 if JIT_ENABLED else 5
    sampler = Sampler(moment(8))
    alone = sampler.draw(n, 3)
    with ThreadPoolExecutor(4) as pool:
        together = list(pool.map(lambda _: sampler.draw(n, 3), range(8)))
    assert all(np.array_equal(alone, each) for each in together)


def test_a_view_may_be_written_anew_after_the_sampler_is_made():
    view = moment(8)
    sampler = Sampler(view)
    before = sampler.draw_weighted(PLAIN, 20)
    view["hand"], view["n_played"], view["calls"] = 0, 0, -1
    after = sampler.draw_weighted(PLAIN, 20)
    assert np.array_equal(before.cards, after.cards)
    assert np.array_equal(before.weights, after.weights)
