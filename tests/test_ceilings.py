"""Ceilings on tallies made by hand, whose answers are known exactly."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import product
from math import comb
from typing import Any

import numpy as np
import pandas as pd
import pytest
from ceiling_batches import batch_of, played_batch

from schmier_sim._jit import JIT_ENABLED
from schmier_sim.cards import LEFT, RIGHT, SUIT_OF, cards_of, mask_of
from schmier_sim.ceilings import (
    BLOCKS,
    CELL_FREQUENCY,
    CELL_OF,
    SHAPE,
    Terms,
    ceilings,
    game_ties,
    payoffs,
)
from schmier_sim.composition import FREQUENCY, composition_of
from schmier_sim.errors import InputError

Hands = Mapping[str, Mapping[int, int]]
LOTS = 100_000


def cell(table: pd.DataFrame, *, ace: bool, two: bool, tops4: int, trumps: int) -> Any:
    of = table[
        (table["ace"] == ace)
        & (table["two"] == two)
        & (table["tops4"] == tops4)
        & (table["trumps"] == trumps)
    ]
    assert len(of) == 1
    return of.iloc[0]


def only(table: pd.DataFrame) -> Any:
    (row,) = [row for row in table.itertuples() if row.hands]
    return row


# --- The cells ------------------------------------------------------------------------------------


def counted_by_hand() -> dict[tuple[int, int, int], int]:
    """Six-card hands by cell: of A, 2, the four K Q R L, nine others trumps and 38 plain cards."""
    found: dict[tuple[int, int, int], int] = {}
    for ace, two, tops, other in product(range(2), range(2), range(5), range(10)):
        trumps = ace + two + tops + other
        if trumps <= 6:
            where = (BLOCKS.index((bool(ace), bool(two))), tops, trumps)
            ways = comb(4, tops) * comb(9, other) * comb(38, 6 - trumps)
            found[where] = found.get(where, 0) + ways
    return found


def test_80_cells_can_occur_and_how_often_each_does() -> None:
    found = counted_by_hand()
    assert len(found) == 80
    assert sum(found.values()) == comb(53, 6) == 22_957_480
    expected = np.zeros(SHAPE)
    for where, ways in found.items():
        expected[where] = ways / comb(53, 6)
    assert pytest.approx(expected.ravel(), rel=1e-12) == CELL_FREQUENCY
    assert FREQUENCY.sum() == pytest.approx(1)


def test_a_hand_lies_in_the_cell_that_its_cards_say() -> None:
    rng = np.random.default_rng(8)
    for _ in range(300):
        hand, trump = mask_of(rng.permutation(53)[:6].tolist()), int(rng.integers(4))
        cards = set(cards_of(hand))
        ace, two = 13 * trump + 12 in cards, 13 * trump in cards
        tops = {13 * trump + 11, 13 * trump + 10, int(RIGHT[trump]), int(LEFT[trump])} & cards
        trumps = sum(SUIT_OF[trump, card] == trump for card in cards)
        where = (BLOCKS.index((ace, two)), len(tops), trumps)
        assert np.unravel_index(CELL_OF[composition_of(hand, trump)], SHAPE) == where


def test_every_cell_that_can_occur_has_a_row_even_without_hands() -> None:
    table = ceilings(batch_of({"AK+1": {4: 50}}))
    assert len(table) == 80
    assert table["hands"].sum() == 50
    empty = table[table["hands"] == 0]
    assert set(empty["certainty"]) == {"none"}
    assert empty["rate_4"].isna().all()


# --- Values ---------------------------------------------------------------------------------------


def test_value_is_own_change_of_score_less_the_mean_of_two_other_teams() -> None:
    values = payoffs(batch_of({"AK+1": {4: 1}}))
    for i, bid in enumerate((3, 4, 5, 6)):
        for points in range(7):
            own = points if points >= bid else -bid
            assert values[i, points] == pytest.approx(own - (6 - points) / 2)


def test_value_against_one_other_team() -> None:
    values = payoffs(batch_of({"AK+1": {4: 1}}, rules={"teams": "2x3"}))
    assert values[1].tolist() == pytest.approx([-10, -9, -8, -7, 2, 4, 6])


def test_hands_in_which_nobody_won_game_are_counted_exactly() -> None:
    batch = batch_of({"AK+1": {4: 60, 2: 40}}, ties=7)
    assert game_ties(batch) == pytest.approx(0.07)
    assert payoffs(batch)[1, 4] == pytest.approx(4 - (6 - 0.07 - 4) / 2)


def test_mean_value_is_that_of_the_scores_that_were_played() -> None:
    """At the level that was played both sides are exact: the tally's points and its scores."""
    batch = played_batch(12_000 if JIT_ENABLED else 96)
    points = batch.tally.cells.sum(axis=(0, 1, 2, 3))
    total = points @ payoffs(batch)[0]
    scores = batch.tally.total("bidding_score") - batch.tally.total("other_score") / 2
    assert total == pytest.approx(scores)
    assert 0 <= game_ties(batch) < 0.1


# --- Ceilings -------------------------------------------------------------------------------------


def test_a_bid_that_is_always_made_is_the_ceiling() -> None:
    row = only(ceilings(batch_of({"AKR2+1": {5: LOTS}})))
    assert (row.ace, row.two, row.tops4, row.trumps) == (True, True, 2, 5)
    assert (row.ceiling, row.next_choice, row.certainty) == (5, 4, "clear")
    assert row.margin == pytest.approx(5 - 1 / 2)
    assert (row.rate_5, row.rate_6) == (1, 0)
    assert row.value_6 == pytest.approx(-6 - 1 / 2)


def test_a_bid_worth_exactly_a_pass_does_not_pay() -> None:
    """4 points twice and 2 points once: 4 is worth 3 + 3 - 6 = 0, 3 is worth (3 + 3 - 5) / 3."""
    hands = {"AK+1": {4: 2 * LOTS, 2: LOTS}}
    row = only(ceilings(batch_of(hands)))
    assert (row.value_3, row.value_4) == (pytest.approx(1 / 3), pytest.approx(0))
    assert (row.ceiling, row.next_choice, row.certainty) == (3, 4, "close")
    assert row.margin == pytest.approx(0)
    row = only(ceilings(batch_of(hands), Terms(pass_value=-1e-6)))
    assert (row.ceiling, row.next_choice) == (4, 3)


@pytest.mark.parametrize(
    ("below", "certainty"), [(0.1, "close"), (0.0999, "close"), (0.1001, "clear")]
)
def test_the_zone_of_indifference_ends_at_a_tenth_of_a_point(below: float, certainty: str) -> None:
    hands = {"AK+1": {4: 200 * LOTS, 2: 100 * LOTS}}
    row = only(ceilings(batch_of(hands), Terms(pass_value=1 / 3 - below)))
    assert (row.ceiling, row.next_choice, row.certainty) == (3, 0, certainty)
    assert row.margin == pytest.approx(below)


def test_nothing_pays() -> None:
    row = only(ceilings(batch_of({"-+2": {1: LOTS}})))
    assert (row.ceiling, row.low_ceiling, row.high_ceiling, row.next_choice) == (0, 0, 0, 3)
    assert row.margin == pytest.approx(3 + 5 / 2)


def test_standard_error_of_the_margin() -> None:
    row = only(ceilings(batch_of({"AK+1": {4: 40, 2: 20}})))
    assert row.margin_error == pytest.approx(np.std([3] * 40 + [-6] * 20, ddof=1) / np.sqrt(60))


@pytest.mark.parametrize(("hands", "certainty"), [(29, "unsure"), (30, "clear")])
def test_fewer_than_30_hands_make_nothing_certain(hands: int, certainty: str) -> None:
    assert only(ceilings(batch_of({"AK+1": {4: hands}}))).certainty == certainty


def test_a_margin_within_its_error_is_unsure() -> None:
    assert only(ceilings(batch_of({"AK+1": {4: 45, 2: 20}}))).certainty == "unsure"
    assert only(ceilings(batch_of({"AK+1": {4: 4500, 2: 2000}}))).certainty == "clear"


def test_limits_of_make_rates_are_jeffreys() -> None:
    row = only(ceilings(batch_of({"AK+1": {4: 50, 2: 50}})))
    assert row.rate_4 == 0.5
    assert (row.low_4, row.high_4) == (
        pytest.approx(0.403, abs=5e-4),
        pytest.approx(0.597, abs=5e-4),
    )


def test_each_level_is_judged_by_its_own_hands_where_play_looks_at_it() -> None:
    hands: dict[int, Hands] = {
        3: {"AK+1": {2: LOTS}}, 4: {"AK+1": {4: LOTS}}, 5: {"AK+1": {3: LOTS}},
        6: {"AK+1": {6: 10}},
    }  # fmt: skip
    row = only(ceilings(batch_of(hands[3], by_level=hands)))
    assert (row.rate_3, row.rate_4, row.rate_5, row.rate_6) == (0, 1, 0, 1)
    assert row.ceiling == 6
    assert row.certainty == "unsure"  # ten hands at the level of the answer
    assert row.hands == 3 * LOTS + 10


def test_hands_speak_for_every_level_whichever_was_played() -> None:
    batch = batch_of({"AK+1": {5: LOTS}}, bid=4, levels=[4, 6], rules={"min_bid": 4})
    row = only(ceilings(batch))
    assert (row.ceiling, row.rate_4, row.rate_6) == (5, 1, 0)
    assert not hasattr(row, "rate_3")


def test_a_position_is_judged_by_its_own_hands() -> None:
    batch = batch_of({"AK+1": {4: 100}}, position=2)
    batch.tally.cells[3, 4] = batch_of({"AK+1": {3: 70}}).tally.cells[3, 0]
    assert only(ceilings(batch, Terms(position=2))).ceiling == 4
    late = only(ceilings(batch, Terms(position=5)))
    assert (late.ceiling, late.hands) == (3, 70)
    with pytest.raises(InputError, match="at position 1"):
        ceilings(batch, Terms(position=1))


# --- Members that differ --------------------------------------------------------------------------


def test_members_with_other_ceilings_make_a_range() -> None:
    row = only(ceilings(batch_of({"AK+1": {3: LOTS}, "AR+1": {4: LOTS}, "AQ+1": {2: LOTS}})))
    assert (row.low_ceiling, row.ceiling, row.high_ceiling) == (0, 0, 4)
    row = only(ceilings(batch_of({"AK+1": {3: LOTS}, "AR+1": {4: LOTS}})))
    assert (row.low_ceiling, row.ceiling, row.high_ceiling) == (3, 3, 4)


@pytest.mark.parametrize(
    "other",
    [
        {"ART+0": {6: LOTS}},  # 1 of 36 hands of the cell
        {"AR+1": {6: 29}},  # too few hands
        {"AR+1": {4: 40, 2: 19}},  # ceiling 4, but by chance perhaps
        {"AR+1": {4: 2 * LOTS + 5000, 2: LOTS}},  # ceiling 4 by less than a tenth of a point
    ],
)
def test_rare_few_or_close_members_make_no_range(other: Hands) -> None:
    row = only(ceilings(batch_of({"AK+1": {3: 9 * LOTS}, **other})))
    assert (row.low_ceiling, row.high_ceiling) == (3, 3)


# --- Bad input ------------------------------------------------------------------------------------


def test_hands_that_somebody_chose_to_bid_are_refused() -> None:
    with pytest.raises(InputError, match="--experiment bidder"):
        ceilings(batch_of({"AK+1": {4: 100}}, experiment="auction"))


def test_no_hands_are_refused() -> None:
    with pytest.raises(InputError, match="no completed hand"):
        ceilings(batch_of({}))


@pytest.mark.parametrize("position", [0, 7, -1])
def test_positions_that_do_not_exist_are_refused(position: int) -> None:
    with pytest.raises(InputError, match="1 to 6"):
        ceilings(batch_of({"AK+1": {4: 100}}), Terms(position=position))


def test_a_cell_is_found_by_its_labels() -> None:
    table = ceilings(batch_of({"KQL2+0": {3: 40}}))
    assert cell(table, ace=False, two=True, tops4=3, trumps=4).hands == 40
