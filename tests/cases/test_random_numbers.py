"""Random numbers and reproducibility: not one known fault of other programs, but its whole kind."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from itertools import combinations
from pathlib import Path
from typing import Any

import click
import numpy as np
import pytest
from cases.scene import empty_scene, mask, only, players, uncompiled
from randomness import sources

from schmier_sim import Rules
from schmier_sim._jit import JIT_ENABLED, kernel
from schmier_sim.around import Table
from schmier_sim.cards import GAME_COUNT
from schmier_sim.cli.main import COMMANDS, main
from schmier_sim.cli.run import run
from schmier_sim.compare import Judge, Match
from schmier_sim.dealing import Dealer
from schmier_sim.engine import ask
from schmier_sim.engine.deal import deal_cards, first_dealer
from schmier_sim.engine.state import new_tables
from schmier_sim.policies import registry
from schmier_sim.rng import GAMMA, mix
from schmier_sim.sampler.drawing import deal_around
from schmier_sim.simulate import AUCTION, BIDDER, Experiment
from schmier_sim.simulate import run as run_batch
from schmier_sim.situation import situation
from schmier_sim.stats import chi_square_tail

Out = pytest.CaptureFixture[str]
DEALS = 200_000 if JIT_ENABLED else 1_500
MANY = 10_000 if JIT_ENABLED else 200
HAND = "AS KS JS JC 2S JO"


def many_packs(seed: int, deals: int) -> np.ndarray:
    """Deal hands 0, 1, ...: the packs in the order in which they are dealt, (deals, 53)."""
    return sources.deal(sources.keys(seed, np.arange(deals), 0)).packs.T.astype(np.int64)


@kernel
def many_around(tables, hand, seed, packs):  # type: ignore[no-untyped-def]
    """Deal the other cards around a hand."""
    for index in range(len(packs)):
        deal_around(tables[0], 0, hand, seed, index)
        for seat in range(5):
            packs[index, seat] = tables[0].dealt[seat + 1]
        for i in range(17):
            packs[index, 5 + i] = tables[0].stock[i]


@pytest.fixture(scope="module")
def packs() -> np.ndarray:
    """The packs of many deals of one seed."""
    return many_packs(70, DEALS)


@pytest.fixture(scope="module")
def places(packs: np.ndarray) -> np.ndarray:
    """How often each card lay in each of the 53 places."""
    counts = np.zeros((53, 53), np.int64)
    for place in range(53):
        counts[:, place] = np.bincount(packs[:, place], minlength=53)
    return counts


def assert_even(counts: np.ndarray, tests: int = 1, stretch: float = 1.0) -> None:
    """Chi-square of equal expected counts, at one in ten thousand over all tests; not too even."""
    expected = counts.sum() / counts.size
    statistic = stretch * float(((counts - expected) ** 2 / expected).sum())
    tail = chi_square_tail(statistic, counts.size - 1)
    assert 1e-4 / tests < tail < 1 - 1e-4 / tests


def test_B70_each_card_over_the_places_and_each_place_over_the_cards(places: np.ndarray) -> None:
    for row in [*places, *places.T]:
        assert_even(row, tests=106)


def test_B70_no_card_is_more_than_five_sigma_from_its_share(places: np.ndarray) -> None:
    """1.887 per cent of the deals, for every card in every place."""
    p = 1 / 53
    assert np.abs(places / DEALS - p).max() < 5 * np.sqrt(p * (1 - p) / DEALS)
    assert np.all(places.sum(axis=0) == DEALS)


def test_B70_every_two_cards_are_as_often_in_one_hand(packs: np.ndarray) -> None:
    """15 pairs in each of six hands, of 1378."""
    counts = np.zeros((53, 53), np.int64)
    for seat in range(6):
        hand = packs[:, 6 * seat : 6 * seat + 6]
        for a, b in combinations(range(6), 2):
            np.add.at(counts, (hand[:, a], hand[:, b]), 1)
    together = (counts + counts.T)[np.triu_indices(53, 1)]
    p = 90 / 1378
    assert np.abs(together / DEALS - p).max() < 5 * np.sqrt(p * (1 - p) / DEALS)


def test_B70_one_deal_tells_nothing_of_the_next(packs: np.ndarray) -> None:
    """First cards of deals that follow each other, and places that follow each other."""
    pairs = np.bincount(53 * packs[:-1, 0] + packs[1:, 0], minlength=53 * 53)
    if JIT_ENABLED:
        assert_even(pairs)
    for other in (1, 35, 52):
        pairs = np.bincount(53 * packs[:, 0] + packs[:, other], minlength=53 * 53).reshape(53, 53)
        assert np.all(np.diag(pairs) == 0)
        if JIT_ENABLED:
            assert_even(pairs[~np.eye(53, dtype=bool)])


def test_B70_every_seat_deals_as_often() -> None:
    assert_even(np.bincount(sources.dealers(71, MANY), minlength=6))


def test_B70_cards_around_a_fixed_hand_are_as_even() -> None:
    """47 cards over five hands and 17 places of the stock."""
    n = DEALS // 4
    hand = mask(HAND)
    found = np.zeros((n, 22), np.int64)
    many_around(new_tables(1), hand, 72, found)
    others = [card for card in range(53) if not hand >> card & 1]
    for place in range(5, 22):
        counts = np.bincount(found[:, place], minlength=53)
        assert counts[[card for card in range(53) if card not in others]].sum() == 0
        assert_even(counts[others], tests=100)
    for seat in range(5):
        counts = np.array([(found[:, seat] >> card & 1).sum() for card in others])
        # six cards of 47 without repetition vary less than independent ones
        assert_even(counts, tests=100, stretch=46 / 41)


def test_B71_ten_deals_are_ten_and_no_player_changes_them() -> None:
    """Nor do the rules, nor who deals."""
    seen = {}
    for name in registry.names():
        for changes in ({}, {"rest_to": "bidder"}, {"teams": "2x3"}):
            dealer = Dealer(players(name), Rules.of(changes), 71)
            deals = dealer.play([(index, 0, index % 6) for index in range(1, 11)])
            seen[name, str(changes)] = [(deal.dealt, deal.stock) for deal in deals]
    first, *others = seen.values()
    assert all(other == first for other in others)
    assert len({str(dealt) for dealt in first}) == 10


@pytest.mark.parametrize("name", registry.names())
def test_B72_the_hidden_hands_are_the_same_for_every_call(name: str) -> None:
    """What one plan draws moves no other: alone, after others, or one deal more."""
    n = 20 if JIT_ENABLED else 5
    table = Table(situation("AS KS 3C 6H 7H QH"), players(name), seed=72)
    alone = table.play(3, 3, 0, n)
    table.play(0, -1, -1, n + 10)
    assert np.array_equal(table.play(3, 3, 0, n), alone)
    assert np.array_equal(table.play(3, 3, 0, n + 1)[:n], alone)


def test_B72_playing_other_games_moves_none() -> None:
    dealer = Dealer(players("random"), Rules(target=3), 72)
    alone = [list(dealer.game(number)) for number in (3, 0, 2)]
    assert [list(dealer.game(number)) for number in (0, 2, 3)] == [alone[1], alone[2], alone[0]]
    assert alone[0][0].deal.dealt != alone[1][0].deal.dealt


def test_B76_ten_thousand_deals_are_whole_packs_and_all_differ() -> None:
    """A hundred seeds, too, and the attempts at one hand."""
    found = many_packs(76, MANY)
    assert np.all(np.sort(found, axis=1) == np.arange(53))
    assert len(np.unique(found, axis=0)) == MANY
    assert all(GAME_COUNT[pack].sum() == 81 for pack in found[:10])


def first_pack(seed: int, index: int = 0, attempt: int = 0) -> tuple[int, ...]:
    tables = new_tables(1)
    deal_cards(tables[0], seed, index, attempt)
    return tuple(tables["pack"][0].tolist())


def test_B71_seeds_hands_and_attempts_never_give_the_same_pack() -> None:
    """Neighbours, and seeds that differ in a high bit alone."""
    seeds = [*range(60), *(1 << bit for bit in range(6, 63)), 2**63 - 1]
    keys = [(seed, 0, 0) for seed in seeds]
    keys += [(1, index, 0) for index in range(1, 60)]
    keys += [(1, 0, attempt) for attempt in range(1, 60)]
    keys += [(1, 2**32, 0), (1, 2**53, 0)]
    assert len({first_pack(*key) for key in keys}) == len(keys)


# --- Commands -------------------------------------------------------------------------------------

DRAWING: dict[str, list[list[str]]] = {
    "advise": [[HAND, "--hands", "48", "--json"], ["AS KS 3C 6H 7H QH", "--hands", "48"],
               ["AS KS 3C 6H 7H QH", "--hands", "48", "--policy", "random", "--json"]],
    "deal": [["--hands", "2"], ["--pretty", "--policy", "random"], ["--game", "--rule", "target=3"],
             ["--index", "5", "--dealer", "2"]],
    "compare": [["plain", "random", "--hands", "48", "--json"],
                ["plain", "random", "--hands", "24", "--games", "3", "--rule", "target=3"]],
    "bench": [["--kernel", "random-play", "--hands", "500", "--json"]],
    "simulate": [["--hands", "240", "--json", "--quiet"],
                 ["--hands", "240", "--experiment", "bidder", "--policy", "random", "--json"]],
}  # fmt: skip
LINES = [(command, words) for command, lines in DRAWING.items() for words in lines]
if not JIT_ENABLED:
    LINES = [
        (c, ["6" if w in ("48", "240", "500", "24") else w for w in words]) for c, words in LINES
    ]


def output(capsys: Out, command: str, words: Sequence[str], seed: int, folder: Path) -> str:
    """What a command prints or writes with a seed, the seed itself and speeds left out."""
    capsys.readouterr()
    out = ["--out", str(folder), "--force"] if command == "simulate" else []
    assert run([command, *words, *out, "--seed", str(seed)]) == 0
    text = capsys.readouterr().out
    if command == "simulate":
        text = "".join(path.read_bytes().hex() for path in sorted(folder.glob("tally-*")))
    if command == "bench":
        text = str(json.loads(text)["points"])
    return re.sub(r'"seed": ?\d+|seed \d+', "seed", text)


@pytest.mark.parametrize(("command", "words"), LINES, ids=str)
def test_B74_B77_seeds_are_honoured(
    command: str, words: list[str], capsys: Out, tmp_path: Path
) -> None:
    """The same seed gives the same bytes, whatever was run between; other seeds others."""
    texts = [output(capsys, command, words, seed, tmp_path) for seed in (7, 8, 7, 2**62)]
    assert texts[0] == texts[2]
    assert len(set(texts)) == 3


def test_B77_no_command_that_takes_a_seed_is_forgotten_here() -> None:
    with_seed = []
    for name in COMMANDS:
        command = main.get_command(click.Context(main), name)
        assert command is not None
        if any(option.name == "seed" for option in command.params):
            with_seed.append(name)
    assert sorted(with_seed) == sorted(DRAWING)


def test_B77_the_seed_is_one_by_default(capsys: Out) -> None:
    assert run(["deal"]) == 0
    text = capsys.readouterr().out
    assert run(["deal", "--seed", "1"]) == 0
    assert capsys.readouterr().out == text


JOBS = ("1", "2", "4")


@pytest.mark.parametrize("experiment", [AUCTION, BIDDER])
@pytest.mark.parametrize("policy", registry.names())
def test_B75_files_tables_and_charts_do_not_depend_on_the_jobs(
    experiment: str, policy: str, capsys: Out, tmp_path: Path
) -> None:
    """Several pieces for several threads: the same bytes of every file, and of the table."""
    hands = "9001" if JIT_ENABLED else "30"
    words = ["simulate", "--hands", hands, "--experiment", experiment, "--policy", policy]
    written = []
    for jobs in JOBS:
        folder = tmp_path / jobs
        assert run([*words, "--jobs", jobs, "--out", str(folder), "--quiet"]) == 0
        capsys.readouterr()
        assert run(["table", str(folder), "--by", "composition,position", "--format", "csv"]) == 0
        files = {path.name: path.read_bytes() for path in folder.iterdir()}
        written.append((capsys.readouterr(), files))
    assert written[0] == written[1] == written[2]
    assert len(written[0][1]) == 2


def test_B75_more_jobs_than_hands_and_odd_shares() -> None:
    experiment = Experiment.at_one_table(BIDDER, players(), seed=75)
    for hands in (1, 2, 5, 25):
        one = run_batch(experiment, 0, hands, 1)
        other = run_batch(experiment, 0, hands, 7)
        assert np.array_equal(one.cells, other.cells)
        assert np.array_equal(one.totals, other.totals)
        assert one.total("hands") == hands


@pytest.mark.parametrize("words", [["advise", HAND], ["compare", "plain", "random"]], ids=str)
def test_B75_answers_do_not_depend_on_the_jobs(words: list[str], capsys: Out) -> None:
    texts = []
    for jobs in JOBS:
        hands = "50" if JIT_ENABLED else "5"
        assert run([*words, "--hands", hands, "--jobs", jobs, "--json"]) == 0
        texts.append(capsys.readouterr().out)
    assert texts[0] == texts[1] == texts[2]


def test_B77_the_seed_moves_the_first_dealer() -> None:
    """And not the cards alone: two seeds, two rows of dealers."""
    tables = new_tables(1)
    rows = [tuple(first_dealer(tables[0], seed, i) for i in range(40)) for seed in range(5)]
    assert len(set(rows)) == 5


def test_B72_B77_players_draw_anew_for_each_seed_hand_and_attempt() -> None:
    """Their random numbers are keyed like the cards, and unlike them."""
    tables = new_tables(1)
    keys = set()
    for seed in range(5):
        for index in range(5):
            for attempt in range(5):
                deal_cards(tables[0], seed, index, attempt)
                keys |= {int(tables["policy_key"][0]), int(tables["stream"][0, 0])}
    assert len(keys) == 2 * 125


def test_B72_B77_hidden_cards_and_their_players_are_new_for_each_seed_and_deal() -> None:
    """Around one hand: no two deals alike, no two of them with the players' numbers alike."""
    tables, hand = new_tables(1), mask(HAND)
    hidden, keys = set(), set()
    for seed in range(5):
        for index in range(5):
            deal_around(tables[0], 0, hand, seed, index)
            hidden.add((*tables["dealt"][0].tolist(), *tables["stock"][0].tolist()))
            keys.add(int(tables["policy_key"][0]))
    assert len(hidden) == len(keys) == 25


def test_B72_no_two_decisions_share_their_random_numbers(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whichever the seat, the phase and the number of cards played."""
    table, view = map(only, empty_scene())

    def start(function: object, view: Any) -> int:
        """The first number of this decision (`toolkit.draw_below`)."""
        return int(mix(np.uint64((int(view.stream[0]) + int(GAMMA)) % 2**64)))

    monkeypatch.setattr(ask, "as_view", lambda view: view)
    monkeypatch.setattr(ask, "call_at", start)
    states = set()
    for table.policy_key in np.array([72, 73], np.uint64):
        for view.n_played in range(36):
            for phase in range(4):
                for seat in range(6):
                    states.add(uncompiled(ask.ask)(table, view, seat, phase, 1))
    assert len(states) == 2 * 36 * 4 * 6


def test_B75_B77_compared_games_depend_on_the_seed_and_not_on_the_jobs() -> None:
    """Who wins each game in each seating, in whatever shares the games are played."""
    found = []
    for seed, jobs in ((75, 1), (75, 2), (75, 4), (76, 1)):
        match = Match(players()[0], players("random")[0], rules=Rules(target=3), seed=seed)
        found.append(Judge(match, jobs).games(9).tolist())
    assert found[0] == found[1] == found[2]
    assert found[0] != found[3]
