"""Deals around a hand that fit the calls: against auctions held one by one, and exact laws."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from scipy import stats

from schmier_sim import Rules, find_policy
from schmier_sim._jit import JIT_ENABLED
from schmier_sim.advise import advise
from schmier_sim.answers import as_data
from schmier_sim.around import Table
from schmier_sim.cards import mask_of, parse_cards
from schmier_sim.engine.auction import hold_auction
from schmier_sim.engine.hand import clear, drop_plan
from schmier_sim.engine.state import new_tables, new_views, seat_players
from schmier_sim.errors import InputError, PolicyFault
from schmier_sim.heard import heard, warnings
from schmier_sim.hidden import ERROR, Hidden
from schmier_sim.policies import policy
from schmier_sim.policies.base import answers_of
from schmier_sim.sampler.drawing import deal_around
from schmier_sim.situation import ME, Situation, situation
from schmier_sim.variations import vary

HAND = "AS KS 3H 4H 3D 4D"
HEURISTIC = (find_policy("heuristic"),) * 6
PLAIN = (find_policy("plain"),) * 6
RANDOM = (find_policy("random"),) * 6
SURE = 1e-12  # an error that excuses nothing
N = 2_000 if JIT_ENABLED else 10


@policy(uses_bid=False)
class Silent:
    """Never bids."""

    def call(view: Any) -> Any:  # noqa: N805
        return 0


@policy(uses_bid=False)
class Wrong:
    """Calls what is not legal."""

    def call(view: Any) -> Any:  # noqa: N805
        return 9


def hidden(held: Situation, players: Sequence[Any] = HEURISTIC, *, error: float = ERROR,
           seed: int = 1, jobs: int = 1) -> Hidden:  # fmt: skip
    return Hidden(held, players, seed, jobs, error)


def auction(held: Situation, players: Sequence[Any], seed: int, number: int) -> list[int]:
    """The calls of the seats before mine, if nothing is given beforehand."""
    tables, views = new_tables(1), new_views(1)
    views["rules"] = held.rules.packed
    deal_around(tables[0], ME, held.hand, seed, number)
    drop_plan(tables[0])
    clear(tables[0], views[0], held.dealer)
    seat_players(tables[0], answers_of(players))
    hold_auction(tables[0], views[0])
    return [int(views["calls"][0, seat]) for seat in held.seats_before]


FEW = [(players, calls) for players in (PLAIN, HEURISTIC)
       for calls in ("pass pass pass", "pass pass 3", "pass 3 pass")]  # fmt: skip
RARE = [(HEURISTIC, calls) for calls in ("3 4", "pass 3 pass 4")]


@pytest.mark.parametrize(("players", "calls"), FEW + RARE if JIT_ENABLED else FEW)
def test_the_deals_are_those_in_which_the_auction_goes_so(players: Any, calls: str) -> None:
    held = situation(HAND, calls=calls)
    fits = hidden(held, players, error=SURE, seed=7)
    found = fits.fitting(N // 10)
    assert all(each.is_exact for each in found.calls)
    few = found.numbers[: 40 if JIT_ENABLED else 2]
    held_so = [n for n in range(few[-1] + 1) if n - few[0] < 20_000]
    really = [n for n in held_so if auction(held, players, 7, n) == list(held.calls)]
    assert really == [n for n in few.tolist() if n in held_so]


def test_deals_that_do_not_fit_are_excused_as_often_as_their_weight_says() -> None:
    error, held = 0.5, situation(HAND, calls="3")
    found = hidden(held, error=error).fitting(N)
    (three,) = found.calls
    kept = np.zeros(found.dealt, bool)
    kept[found.numbers] = True
    some = min(found.dealt, N)
    likewise = np.array([auction(held, HEURISTIC, 1, n) == [3] for n in range(some)])
    assert kept[:some][likewise].all()
    n_others, n_kept = int((~likewise).sum()), int(kept[:some][~likewise].sum())
    # The weight of a deal in which he calls so is 1/2 + 1/2 p, of another one 1/2 p.
    # Each deal is asked about by itself: his share is that of the auctions.
    assert abs(three.share - likewise.mean()) < 5 * np.sqrt(0.25 / some)
    chance = three.share / (1 + three.share)
    assert stats.binomtest(n_kept, n_others, chance).pvalue > 1e-4


@pytest.mark.parametrize("text", ["pass pass 3", None])
def test_they_do_not_depend_on_threads_or_on_how_many_are_wanted(text: str | None) -> None:
    held = situation(HAND, calls=text)
    one = hidden(held, PLAIN).numbers(N)
    assert np.array_equal(hidden(held, PLAIN, jobs=3).numbers(N), one)
    assert np.array_equal(hidden(held, PLAIN).numbers(2 * N)[:N], one)
    assert np.array_equal(hidden(held, PLAIN).masks(one[5:7]), hidden(held, PLAIN).masks(one)[5:7])
    assert hidden(held, PLAIN).weighs == (text is not None)
    if text is None:
        assert one.tolist() == list(range(N))


def test_each_deal_fits_just_one_call_of_the_seat_before() -> None:
    """The law of total probability, in counts."""
    n = 3_000 if JIT_ENABLED else 20
    times, rare = np.zeros(n, int), 0.0
    # After a 6 nobody is asked any more; of rare calls it takes many deals.
    for call in ("pass", "3", "4", "5") if JIT_ENABLED else ("pass", "3"):
        found = hidden(situation(HAND, calls=call), error=SURE).fitting(n)
        (said,) = found.calls
        if not said.is_exact:
            rare += said.so / said.asked
            continue
        times[found.numbers[found.numbers < n]] += 1
    assert times.max() == 1
    assert not JIT_ENABLED or (times == 0).sum() <= 2 * n * rare + 10


def test_a_call_that_is_never_made_is_not_weighed_and_said_so() -> None:
    players = (HEURISTIC[0], *(Silent,) * 5)
    held = situation(HAND, calls="pass 3")
    found = hidden(held, players).fitting(N)  # type: ignore[arg-type]
    assert found.numbers.tolist() == list(range(N))
    assert {each.call: each.meant for each in found.calls} == {0: 1, 3: 0}
    advice = advise(Table(held, players), hands=N)  # type: ignore[arg-type]
    (warning,) = warnings(advice)
    asked = "10,000" if JIT_ENABLED else "50"
    said = f"`Silent` would hardly ever bid 3 in position 2 (in none of {asked} deals): not weighed"
    assert warning == said
    assert as_data(advice, None, {})["warnings"] == [warning]


def test_a_leap_that_is_never_made_is_taken_for_a_lower_bid() -> None:
    """`heuristic` bids no more than it has to: a first bid of 6 tells of a good hand."""
    held = situation(HAND, calls="pass 6", rules=Rules(dealer_steal=True))
    assert held.position == 6
    found = hidden(held).fitting(N)
    six = next(each for each in found.calls if each.call == 6)
    assert six.meant in (0b1111000, 0b1110000, 0b1100000)
    assert six.likewise > six.so
    assert 0 < len(found.numbers) <= N


def test_known_cards_lie_where_they_are_known_to_be_with_calls_and_without() -> None:
    facts = ["partner: QS", "seat 1: not JS JC", "seat 5: TS 9S"]
    for calls in (None, "pass pass 3"):
        held = situation(HAND, calls=calls, known=facts)
        fits = hidden(held, PLAIN)
        masks = fits.masks(fits.numbers(N // 10 or 1))
        queen, bauers, two = (mask_of(parse_cards(text)) for text in ("QS", "JS JC", "TS 9S"))
        assert (masks[:, 3] & queen == queen).all()
        assert (masks[:, 1] & bauers == 0).all()
        assert (masks[:, 5] & two == two).all()
        assert (masks[:, ME] == held.hand).all()
        together = np.bitwise_or.reduce(masks, axis=1)
        assert (np.bitwise_count(together) == 36).all()


def test_an_illegal_call_of_somebody_before_ends_it() -> None:
    players = (HEURISTIC[0], *(Wrong,) * 5)
    with pytest.raises(PolicyFault, match=r"Wrong.*sampled deal 0"):
        hidden(situation(HAND, calls="pass"), players).numbers(10)  # type: ignore[arg-type]


def test_few_deals_are_told_as_few_and_all_calls_are_played_on_the_same() -> None:
    held = situation(HAND, calls="3 4 5" if JIT_ENABLED else "3 4")
    advice = advise(Table(held, HEURISTIC), hands=N)
    assert advice.wanted == N
    assert {len(row.values) for row in advice.calls} == {advice.hands}
    assert {int(suit.counts[6].sum()) for suit in advice.suits} == {advice.hands}
    if advice.hands < N:
        assert any("only" in warning for warning in warnings(advice))


def test_too_many_rare_calls_are_not_told_to_be_rare_one_by_one() -> None:
    held = situation("AS KS QS JS JC 2S", calls="3 4 5" if JIT_ENABLED else "3 4")
    advice = advise(Table(held, HEURISTIC), hands=N)
    dropped = [c for c in advice.table.hidden.fitting(N).calls if not c.is_exact and not c.is_rare]
    told = [each for each in warnings(advice) if each.startswith("all these calls together")]
    assert bool(told) == bool(dropped)
    assert not any("hardly ever bid 4" in each for each in warnings(advice) if not dropped)


def test_variations_count_the_deals_that_were_played() -> None:
    held = situation("AS KS QS JS JC 2S", calls="3 4" if JIT_ENABLED else "pass")
    advice = advise(Table(held, HEURISTIC), hands=N)
    few = 400 if JIT_ENABLED else 10
    tried = vary(advice, None, few)
    assert any(each.kind == "players" for each in tried)
    for each in tried:
        made, got = each.make
        assert made <= got <= each.gets[1] == each.hands or each.kind == "players"
        if each.kind == "players":
            assert got <= each.hands
            table = advice.table.with_players((find_policy(each.name),) * 6)
            assert got == len(table.hidden.numbers(few))


def test_earlier_passes_tell_as_much_whether_written_or_not() -> None:
    written = advise(Table(situation(HAND, calls="pass pass pass"), PLAIN), hands=N)
    implied = advise(Table(situation(HAND, 4), PLAIN), hands=N)
    assert as_data(written, None, {}) == as_data(implied, None, {})


def test_an_error_of_one_weighs_nothing() -> None:
    held = situation(HAND, calls="pass pass 3")
    table = Table(held, PLAIN, error=1.0)
    assert table.hidden.numbers(N).tolist() == list(range(N))
    assert heard(advise(table, hands=N), None) is None
    silent = Table(held, PLAIN).as_if_silent()
    assert np.array_equal(silent.play(4, 3, -1, N), table.play(4, 3, -1, N))


def test_a_pass_lowers_what_a_partner_is_likely_to_hold_and_a_bid_raises_it() -> None:
    """The enemies call by lot, so that their calls tell nothing."""
    players = tuple((PLAIN if seat % 3 == 0 else RANDOM)[0] for seat in range(6))
    shifts = {}
    for call in ("pass", "3") if JIT_ENABLED else ():  # it takes many deals
        held = situation("4C 5C 3H 4H 3D 4D", calls=f"{call} pass pass")
        told = heard(advise(Table(held, players), trump=3), None)
        assert told is not None
        for each in told.sides[0].likely:
            there, deals = each.without
            assert stats.binomtest(there, deals, 6 / 47).pvalue > 1e-4
            shifts[call, each.card] = each.shift
    for card in parse_cards("AS 2S JS JC JO") if JIT_ENABLED else ():
        assert shifts["pass", card] < 0 < shifts["3", card]


def test_what_contradicts_is_said_in_one_line() -> None:
    with pytest.raises(InputError, match="AS is in your own hand"):
        situation(HAND, known=["partner: AS"])
    with pytest.raises(InputError, match="disagree on JS"):
        situation(HAND, known=["partner: JS", "seat 3: not JS"])
    all_but = " ".join(f"{rank}{suit}" for suit in "CDHS" for rank in "23456789TJQKA")
    held = situation("AS KS QS JS TS 9S", known=[f"seat {seat}: not {all_but}" for seat in (1, 2)])
    with pytest.raises(InputError, match="no cards fit what is known"):
        hidden(held)


def test_the_share_that_is_asked_is_that_of_auctions() -> None:
    held = situation(HAND, calls="pass")
    (passed,) = hidden(held).fitting(N).calls
    n = 1_000 if JIT_ENABLED else 5
    so = sum(auction(held, HEURISTIC, 1, number) == [0] for number in range(n))
    assert abs(so / n - passed.so / passed.asked) < 5 * np.sqrt(0.25 / n)


def test_what_python_hands_over_is_looked_at() -> None:
    held = situation(HAND, calls="pass")
    for error in (0, -1, 2, float("nan")):
        with pytest.raises(InputError, match="error must be a share"):
            hidden(held, error=error)
    for more in ({"seed": -1}, {"seed": 1.5}, {"jobs": 0}):
        with pytest.raises(InputError, match="must be a whole number"):
            hidden(held, **more)  # type: ignore[arg-type]
    with pytest.raises(InputError, match="policies must be six"):
        hidden(held, PLAIN[:5])
    for n in (0, -1, 1.5, 10**12):
        with pytest.raises(InputError, match="n must be a whole number"):
            hidden(held).numbers(n)  # type: ignore[arg-type]
    wrong: list[dict[str, Any]] = [{"calls": ()}, {"calls": (0, 0)}, {"scores": (0,)}]
    wrong += [{"cards": cards} for cards in ((1, 1, 2, 3, 4, 5), (1, 2, 3, 4, 5), (60, *range(5)))]
    for changes in wrong:
        with pytest.raises(InputError, match="situation: "):
            hidden(replace(held, **changes))
