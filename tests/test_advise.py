"""Advice: exact where the answer is known, consistent everywhere, and laid out as agreed."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from schmier_sim import Rules, find_policy
from schmier_sim._jit import JIT_ENABLED
from schmier_sim.advise import Advice, _confidence, advise, check_bid, sensible_suits, values
from schmier_sim.answers import as_data
from schmier_sim.around import Table
from schmier_sim.cards import mask_of, parse_hand
from schmier_sim.charts import write_advice
from schmier_sim.errors import InputError
from schmier_sim.phrases import how_often
from schmier_sim.policies import policy
from schmier_sim.policies.base import Policy
from schmier_sim.situation import is_finished, parse_scores, situation
from schmier_sim.stats import CONFIDENCE, mean_interval
from schmier_sim.words import headline, in_words

N = 4_000 if JIT_ENABLED else 20
PLAIN = (find_policy("plain"),) * 6


def study(hand: str, *, rules: Rules | None = None, hands: int = N, players: Any = PLAIN,
          seed: int = 1, jobs: int = 1, **place: Any) -> Advice:  # fmt: skip
    table = Table(situation(hand, rules=rules, **place), players, seed, jobs)
    return advise(table, hands=hands)


def test_six_top_trumps_make_five_in_every_deal_from_positions_1_to_5() -> None:
    for position in range(1, 6):
        advice = study("AS KS QS JS JC TS", position=position, hands=N // 4)
        five = advice.of(5)
        assert five is not None
        assert five.trump == 3
        made, got = five.make
        assert made == got > 0
        assert advice.best.call != 0


def test_six_top_trumps_make_six_if_low_goes_to_the_taker() -> None:
    advice = study("AS KS QS JS JC TS", rules=Rules(low="taker"), hands=N // 4)
    six = advice.of(6)
    assert six is not None
    assert six.make[0] == six.make[1] == N // 4
    # Six points, nothing for the others: the value is six in every deal.
    assert set(six.values.tolist()) == {6.0}


def test_counts_and_rates_add_up() -> None:
    advice = study("AC KC 3S 6H 7H QH", position=3)
    for suit in advice.suits:
        counts = suit.counts[3]
        assert counts.sum() == N
        assert [suit.make(bid)[0] for bid in range(3, 7)] == [
            counts[bid:].sum() for bid in range(3, 7)
        ]
    for row in advice.calls:
        made, got = row.make
        assert made <= got <= row.gets[1] == N
        assert row.behind_best.mean >= 0
    assert advice.best.behind_best == (0.0, 0.0, 0.0)
    means = [row.points.mean for row in advice.calls]
    assert means == sorted(means, reverse=True)


def test_values_are_own_score_less_the_mean_of_the_others() -> None:
    outcome = np.array([[0, 4, 0, 4, 1, 0, 4, 1, 0], [1, 3, 0, 0, 2, 4, 0, -3, 4]], np.int8)
    assert values(outcome, 3).tolist() == [3.5, -0.5]
    assert values(outcome, 2).tolist() == [3.0, 3.0]


def test_break_even_is_where_two_calls_are_worth_the_same() -> None:
    """With the rate at `needs`, and made and set worth what they are, the values are equal."""
    advice = study("AC KC 3S 6H 7H QH", position=6)
    three, rest = advice.of(3), [row for row in advice.calls if row.call != 3]
    assert three is not None
    assert three.needs is not None
    won, set_ = three.values[three.made], three.values[three.got & ~three.made]
    share = three.got.mean()
    lost = three.values[~three.got].sum() / N
    at_needs = share * (three.needs * won.mean() + (1 - three.needs) * set_.mean()) + lost
    assert at_needs == pytest.approx(max(row.points.mean for row in rest))


def test_the_same_answer_for_any_number_of_jobs_and_another_for_another_seed() -> None:
    one, three = (study("AC KC 3S 6H 7H QH", jobs=jobs) for jobs in (1, 3))
    assert json.dumps(as_data(one, 3, {})) == json.dumps(as_data(three, 3, {}))
    other = study("AC KC 3S 6H 7H QH", seed=2)
    assert as_data(other, 3, {})["trumps"] != as_data(one, 3, {})["trumps"]


def test_relabelled_hands_get_the_same_answer_within_the_error() -> None:
    """Clubs for spades and spades for clubs."""
    spades = study("AS KS 3C 6H 7H QH", hands=2 * N)
    clubs = study("AC KC 3S 6H 7H QH", hands=2 * N)
    for call in (0, 3, 4):
        one, other = spades.of(call), clubs.of(call)
        assert one is not None
        assert other is not None
        difference = mean_interval(one.values - other.values, 0.9999)
        assert difference.low <= 0 <= difference.high


def wild() -> Policy:
    """Bids six on everything."""

    def six(view):  # type: ignore[no-untyped-def]
        return 6

    body = {name: getattr(f, "py_func", f) for name, f in
            zip(("call", "trump", "discard", "play"), PLAIN[0].functions, strict=True)}  # fmt: skip
    return policy(uses_bid=False)(type("Wild", (), body | {"call": six}))


def test_a_call_that_is_always_overbid_never_gets_the_auction() -> None:
    advice = study("AC KC 3S 6H 7H QH", players=(PLAIN[0], *(wild(),) * 5), hands=N // 4)
    three = advice.of(3)
    assert three is not None
    assert three.gets == (0, N // 4)
    assert three.needs is None
    assert as_data(advice, 3, {})["asked"]["versus_pass"]["mean"] == pytest.approx(0, abs=1e-9)
    assert headline(advice, 3).startswith("TOO CLOSE TO MATTER")


# --- Looking again and again ---------------------------------------------------------------------


def test_looks_share_the_error_of_one() -> None:
    spent = [1 - _confidence(look, True) for look in range(1, 60)]
    assert sum(spent) <= 0.05
    assert sum(spent) > 0.049
    assert _confidence(1, False) == CONFIDENCE


def test_a_tie_is_seldom_taken_for_a_decision_however_often_one_looks() -> None:
    """Six doublings from 100: the limits of a single look err far too often, those used do not."""
    rng = np.random.default_rng(5)
    wrong = {True: 0, False: 0}
    for _ in range(400):
        values = rng.normal(0, 5, 3200)
        for spending in wrong:
            limits = [
                mean_interval(values[: 100 * 2**k], _confidence(k + 1, spending)) for k in range(6)
            ]
            wrong[spending] += any(each.low > 0 or each.high < 0 for each in limits)
    assert wrong[True] / 400 <= 0.05
    assert wrong[False] / 400 > 0.1


def test_precision_stops_as_soon_as_the_answer_is_certain() -> None:
    few = 100
    table = Table(situation("2C 3D 4H 5S 6S 7D"), PLAIN)
    advice = advise(table, asked=6, hands=few, precision=1e-9)
    assert advice.hands == few
    assert advice.decided
    assert advice.searched == (few, 1e-9)
    assert advice.calls[1].behind_best.high - advice.calls[1].behind_best.mean > 1e-9


def test_precision_stops_when_calls_are_certainly_equal() -> None:
    """All bids but the highest are always outbid: they are the same call."""
    table = Table(situation("AC KC 3S 6H 7H QH"), (PLAIN[0], *(wild(),) * 5))
    advice = advise(table, asked=3, hands=100, precision=1e-9)
    assert advice.hands == 100
    assert not advice.decided
    assert [row.call for row in advice.equal] == [3, 4, 5]
    assert "pass and 3 ♣ are equal after 100 deals" in in_words(advice, 3)


def test_precision_plays_on_while_it_is_open() -> None:
    hands = (100, 800) if JIT_ENABLED else (20, 40)
    table = Table(situation("2S AD JS 7D KH QH", 4), PLAIN)
    advice = advise(table, asked=3, hands=hands[0], precision=0.5 if JIT_ENABLED else 2.5)
    assert advice.hands >= hands[1]


def level_watcher() -> Policy:
    """Plays its cards upside down at a bid of 4."""

    def play(view):  # type: ignore[no-untyped-def]
        card = 0
        for i in range(53):
            if view.legal >> i & 1:
                card = i
                if view.bid == 4:
                    break
        return card

    body = {name: getattr(f, "py_func", f) for name, f in
            zip(("call", "trump", "discard", "play"), PLAIN[0].functions, strict=True)}  # fmt: skip
    return policy(uses_bid=True)(type("Watcher", (), body | {"play": play}))


def test_players_who_look_at_the_bid_are_tried_at_each_level() -> None:
    advice = study("AC KC 3S 6H 7H QH", players=(level_watcher(),) * 6, hands=N // 8)
    clubs = advice.suits[0]
    assert clubs.counts[3].tolist() == clubs.counts[5].tolist()
    assert clubs.counts[3].tolist() != clubs.counts[4].tolist()
    data = as_data(advice, None, {})["trumps"][0]
    assert {level: sum(counts) for level, counts in data["by_bid"].items()} == dict.fromkeys(
        "3456", N // 8
    )


def test_where_a_pass_is_illegal_the_words_say_so() -> None:
    rules = Rules(all_pass="stick_dealer")
    advice = study("2C 3D 4H 5S 6S 7D", position=6, rules=rules, hands=N // 4)
    assert advice.best.call == 3
    assert headline(advice, None).startswith("YES - bid 3, ")
    assert "you have to bid" in headline(advice, 3)


def test_nothing_is_decided_by_a_handful_of_deals() -> None:
    """Two deals with the same difference have limits of no width."""
    for hands in (1, 2, 20):
        advice = study("AC KC 3S 6H 7H QH", hands=hands, seed=3)
        assert not advice.decided
        assert "not decided" in in_words(advice, None)
        assert "inf" not in in_words(advice, None)


def test_suits_with_two_trumps_are_sensible() -> None:
    assert sensible_suits(mask_of(parse_hand("AS KS JS JC 2S JO"))) == [0, 3]
    assert sensible_suits(mask_of(parse_hand("2C 3D 4H 5S 6S 7D"))) == [1, 3]


@pytest.mark.parametrize(
    ("place", "legal"),
    [
        ({}, [0, 3, 4, 5, 6]),
        ({"calls": "pass 4"}, [0, 5, 6]),
        ({"position": 4}, [0, 3, 4, 5, 6]),
        ({"position": 6, "rules": Rules(all_pass="stick_dealer")}, [3, 4, 5, 6]),
        ({"calls": "p p 4 p p", "rules": Rules(dealer_steal=True)}, [0, 4, 5, 6]),
        ({"calls": "p 6", "position": 6, "rules": Rules(dealer_steal=True)}, [0, 6]),
        ({"rules": Rules(min_bid=5, max_bid=5)}, [0, 5]),
    ],
)
def test_legal_calls_of_a_situation(place: dict[str, Any], legal: list[int]) -> None:
    held = situation("AC KC 3S 6H 7H QH", **place)
    assert held.legal == legal
    table = Table(held, PLAIN)
    assert sorted(row.call for row in advise(table, hands=N // 10).calls) == legal


@pytest.mark.parametrize(
    ("place", "words"),
    [
        ({"position": 0}, "positions are 1"),
        ({"position": 7}, "positions are 1"),
        ({"position": 2, "calls": "pass pass"}, "disagree"),
        ({"calls": "pass 3 3"}, "a pass or 4 to 6"),
        ({"calls": "4 3"}, "a pass or 5 to 6"),
        ({"calls": "7"}, "call 1: 7"),
        ({"calls": "2"}, "3 to 6"),
        ({"calls": "p p p p p p"}, "at most five"),
        ({"calls": "6 pass"}, "after the auction has ended"),
        ({"calls": "6"}, "not asked any more"),
        ({"calls": "pass maybe"}, "no call: 'maybe'"),
        ({"position": 6, "rules": Rules(all_pass="redeal_without_dealer")}, "not asked"),
        ({"scores": "1,2"}, "3 teams"),
        ({"scores": "21,0,0"}, "over"),
        ({"scores": "a,b,c"}, "whole numbers"),
        ({"scores": "1,2,3", "rules": Rules(teams="2x3")}, "2 teams"),
    ],
)
def test_impossible_situations_are_refused(place: dict[str, Any], words: str) -> None:
    with pytest.raises(InputError, match=words):
        situation("AC KC 3S 6H 7H QH", **place)


def test_scores_that_can_still_be_played_on() -> None:
    assert parse_scores("-3,5,12", Rules()) == (-3, 5, 12)
    assert not is_finished((22, 22, 5), Rules())
    assert is_finished((22, 22, 5), Rules(top_tie="shared"))
    assert is_finished((22, 22), Rules(teams="2x3"))
    assert not is_finished((30, 2, 5), Rules(must_bid_to_win=True))


def test_bids_that_cannot_be_asked_about() -> None:
    held = situation("AC KC 3S 6H 7H QH", calls="4")
    for bid, words in ((2, "3 to 6"), (7, "3 to 6"), (4, "legal: pass, 5, 6")):
        with pytest.raises(InputError, match=words):
            check_bid(held, bid)


FREQUENCIES = [
    (484, 1000, "in 48 of 100 deals"),
    (113, 186, "in 61 of 100 deals"),
    (996, 1000, "in 996 of 1000 deals"),
    (3, 1000, "in 3 of 1000 deals"),
    (9999, 10_000, "in over 999 of 1000 deals"),
    (1, 10_000, "in fewer than 1 of 1000 deals"),
    (500, 500, "in every sampled deal"),
    (0, 500, "in no sampled deal"),
]


@pytest.mark.parametrize(("successes", "trials", "words"), FREQUENCIES)
def test_rates_are_never_rounded_to_certainty(successes: int, trials: int, words: str) -> None:
    assert how_often(successes, trials) == words


@pytest.mark.parametrize("suffix", [".png", ".svg", ".pdf"])
def test_the_chart_of_an_answer_is_written_without_a_display(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, suffix: str
) -> None:
    monkeypatch.delenv("DISPLAY", raising=False)
    path = tmp_path / f"answer{suffix}"
    write_advice(study("AC KC 3S 6H 7H QH", hands=40), path)
    assert path.stat().st_size > 1000
    assert [each.name for each in tmp_path.iterdir()] == [path.name]
