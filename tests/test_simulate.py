"""Batches: the same numbers for any division of the work, and suits that agree."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from schmier_sim import Rules, find_policy
from schmier_sim._jit import JIT_ENABLED
from schmier_sim.batches import StoredBatch, load, save
from schmier_sim.cards import SUIT_MASK, cards_of, mask_of, parse_hand, parse_suit
from schmier_sim.composition import N_COMPOSITIONS, NAMES, composition_of, number_of
from schmier_sim.errors import InputError
from schmier_sim.simulate import AUCTION, BIDDER, Experiment, run
from schmier_sim.stats import chi_square_tail, homogeneity
from schmier_sim.tables import frame, parse_groups
from schmier_sim.tally import Tally

N = 6_000 if JIT_ENABLED else 48
PLAIN = (find_policy("plain"),) * 6


def same(one: Tally, other: Tally) -> bool:
    return bool(np.array_equal(one.cells, other.cells) and np.array_equal(one.totals, other.totals))


def test_shards_add_up_in_any_order() -> None:
    experiment = Experiment.at_one_table(BIDDER, (find_policy("random"),) * 6, seed=4)
    a, b, c = (run(experiment, *edge) for edge in ((0, 7), (7, N // 2), (N // 2, N)))
    whole = run(experiment, 0, N)
    assert same(c + a + b, whole)
    assert not same(a + b, whole)


def test_tallies_count_every_hand_once() -> None:
    tally = run(Experiment.at_one_table(AUCTION, PLAIN, seed=5), 0, N)
    assert tally.cells.sum() == tally.total("hands") == N
    assert tally.total("thrown_in") > 0


def test_the_bidder_experiment_takes_seats_and_suits_by_turns() -> None:
    n = N // 24 * 24
    tally = run(Experiment.at_one_table(BIDDER, PLAIN), 0, n)
    assert tally.cells.sum(axis=(0, 1, 3, 4)).tolist() == [n // 4] * 4
    assert tally.cells[Rules().min_bid].sum() == n


def test_hands_without_a_bid_are_given_up_after_500_deals() -> None:
    from schmier_sim.policies import policy

    def never(view):  # type: ignore[no-untyped-def]
        return 0

    plain = find_policy("plain")
    body = {name: getattr(getattr(plain, name), "py_func", getattr(plain, name))
            for name in ("trump", "discard", "play")}  # fmt: skip
    coward = policy(uses_bid=False)(type("Coward", (), {"call": never, **body}))
    tally = run(Experiment.at_one_table(AUCTION, (coward,) * 6), 0, 3)
    assert (tally.total("hands"), tally.total("unfinished"), tally.total("thrown_in")) == (
        0,
        3,
        1500,
    )


def test_suits_agree_composition_by_composition() -> None:
    """Rates of equal compositions do not depend on the suit: p-values over all bids."""
    n = 960_000 if JIT_ENABLED else 480
    tally = run(Experiment.at_one_table(BIDDER, PLAIN, seed=6), 0, n, 2)
    by_suit = tally.cells.sum(axis=(0, 1))  # suit, composition, points
    hands = by_suit.sum(axis=2).T
    for bid in range(3, 7):
        made = by_suit[:, :, bid:].sum(axis=2).T
        statistic, degrees = homogeneity(made, hands)
        assert degrees > 200 or not JIT_ENABLED
        assert chi_square_tail(statistic, degrees) > 1e-3
        assert chi_square_tail(degrees - (statistic - degrees), degrees) > 1e-3  # nor too well


def test_the_homogeneity_test_sees_a_suit_that_differs() -> None:
    hands = np.full((50, 4), 1000)
    made = np.random.default_rng(1).binomial(hands, 0.3)
    even, degrees = homogeneity(made, hands)
    assert degrees == 150
    assert chi_square_tail(even, degrees) > 1e-3
    made[:, 2] += 30
    assert chi_square_tail(*homogeneity(made, hands)) < 1e-6


def test_there_are_769_compositions_and_names_lead_back() -> None:
    assert N_COMPOSITIONS == 769 == len(set(NAMES))
    assert [number_of(name) for name in NAMES] == list(range(769))


@pytest.mark.parametrize(
    ("hand", "suit", "name"),
    [
        ("AS KS JS JC 2S JO", "S", "AKRL2J+0"),
        ("AS KS JS JC 2S JO", "C", "RLJ+0"),
        ("AS KS JS TS 2S 7S", "S", "AKRT2+1"),
        ("3H 4H 5H 6D 7D 8D", "H", "-+3"),
        ("3H 4H 5H 6D 7D 8D", "C", "-+0"),
    ],
)
def test_composition_of_a_hand(hand: str, suit: str, name: str) -> None:
    assert NAMES[composition_of(mask_of(parse_hand(hand)), parse_suit(suit))] == name


@pytest.mark.parametrize("name", ["", "AKR2", "KA+1", "AKR2+5", "AKRQL2J+0", "AA+1", "X+1", "-+8"])
def test_a_composition_that_does_not_exist_is_refused(name: str) -> None:
    with pytest.raises(InputError, match="no composition"):
        number_of(name)


def batch_of(kind: str, n: int) -> StoredBatch:
    tally = run(Experiment.at_one_table(kind, PLAIN, seed=7), 0, n)
    facts = {
        "format": "schmier-batch/1", "experiment": kind, "levels": [3, 6], "plays_by_level": False,
        "rules": {}, "policies": ["plain"] * 6, "commit": None, "seed": 7, "start": 0, "stop": n,
        "sources": "", "version": "",
    }  # fmt: skip
    return StoredBatch(facts, tally)


def test_tables_agree_with_a_count_by_hand() -> None:
    batch = batch_of(BIDDER, N)
    table = frame(batch, ["trumps", "bid"]).set_index(["trumps", "bid"])
    cells = batch.tally.cells
    for trumps in range(5):
        classes = [
            i
            for i, name in enumerate(NAMES)
            if len(name.split("+")[0].strip("-")) + int(name[-1]) == trumps
        ]
        points = cells[:, :, :, classes].sum(axis=(0, 1, 2, 3))
        for bid in range(3, 7):
            row = table.loc[(trumps, bid)]
            assert row["hands"] == points.sum()
            assert row["made"] == points[bid:].sum()
            assert row["low"] <= row["rate"] == row["made"] / row["hands"] <= row["high"]
            assert row["mean_points"] == pytest.approx(points @ np.arange(7) / points.sum())


def test_an_auction_table_speaks_of_the_bids_that_won() -> None:
    batch = batch_of(AUCTION, N)
    table = frame(batch, ["bid"])
    assert table["hands"].sum() == N
    assert list(table.columns) == ["bid", "hands", "made", "rate", "low", "high", "mean_points"]
    whole = frame(batch, [])
    assert whole["hands"].tolist() == [N]
    assert whole["made"].tolist() == [table["made"].sum()]


def test_columns_stand_in_their_order_whatever_order_they_were_asked_for() -> None:
    table = frame(batch_of(BIDDER, N), parse_groups("bid, composition,TRUMP"))
    assert list(table.columns)[:3] == ["trump", "composition", "bid"]


@pytest.mark.parametrize("text", ["colour", "trump,trump", "trump,suit"])
def test_unknown_columns_are_refused(text: str) -> None:
    with pytest.raises(InputError, match="--by"):
        parse_groups(text)


def test_a_batch_comes_back_from_disk(tmp_path: Path) -> None:
    batch = batch_of(BIDDER, N)
    save(tmp_path, batch, None)
    again = load(tmp_path)
    assert same(again.tally, batch.tally)
    assert again.facts["stop"] == N
    assert sorted(path.name for path in tmp_path.iterdir()) == ["batch.json", f"tally-{N}.npz"]


def test_a_damaged_tally_is_noticed(tmp_path: Path) -> None:
    save(tmp_path, batch_of(BIDDER, N), None)
    file = tmp_path / f"tally-{N}.npz"
    file.write_bytes(file.read_bytes()[:-100])
    with pytest.raises(InputError, match="damaged"):
        load(tmp_path)


def test_a_tampered_count_is_noticed(tmp_path: Path) -> None:
    save(tmp_path, batch_of(BIDDER, N), None)
    tally = batch_of(BIDDER, N).tally
    tally.cells[3, 0, 0, 0, 0] += 1
    np.savez_compressed(tmp_path / f"tally-{N}.npz", cells=tally.cells, totals=tally.totals)
    with pytest.raises(InputError, match="damaged"):
        load(tmp_path)


def test_every_trump_is_a_trump_of_one_suit_only() -> None:
    for trump in range(4):
        masks = [int(SUIT_MASK[trump, suit]) for suit in range(4)]
        assert sorted(card for mask in masks for card in cards_of(mask)) == list(range(53))
        assert [mask.bit_count() for mask in masks].count(15) == 1
