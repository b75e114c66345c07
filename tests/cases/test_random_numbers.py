"""Known faults of other programs in random numbers and reproducibility."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from schmier_sim import find_policy
from schmier_sim._jit import JIT_ENABLED, kernel
from schmier_sim.cli.run import run
from schmier_sim.dealing import Dealer
from schmier_sim.engine.deal import deal_cards
from schmier_sim.engine.state import new_tables
from schmier_sim.rules import Rules
from schmier_sim.stats import chi_square_tail

Out = pytest.CaptureFixture[str]


@kernel
def count_places(tables, counts, deals):  # type: ignore[no-untyped-def]
    for index in range(deals):
        deal_cards(tables[0], 1, index, 0)
        for place in range(53):
            counts[tables[0].pack[place], place] += 1


def test_B70_every_card_is_as_likely_in_every_place() -> None:
    deals = 200_000 if JIT_ENABLED else 500
    counts = np.zeros((53, 53), np.int64)
    count_places(new_tables(1), counts, deals)
    share = deals / 53
    # Rows and columns of a permutation add up to 1, which stretches the statistic by 53 / 52.
    statistic = float(((counts - share) ** 2 / share).sum()) * 52 / 53
    assert 1e-3 < chi_square_tail(statistic, 52 * 52) < 1 - 1e-3
    sigma = np.sqrt(share * (1 - 1 / 53))
    assert np.abs(counts - share).max() < 5 * sigma


def test_B71_deals_of_a_seed_differ_and_do_not_depend_on_the_players() -> None:
    cards = []
    for name in ("plain", "random"):
        dealer = Dealer((find_policy(name),) * 6, Rules(), 11)
        deals = dealer.play([(index, 0, 0) for index in range(10)])
        cards.append([(deal.dealt, deal.stock) for deal in deals])
    assert cards[0] == cards[1]
    assert len({tuple(dealt) for dealt, _ in cards[0]}) == 10


def test_B72_one_game_does_not_move_the_next() -> None:
    dealer = Dealer((find_policy("random"),) * 6, Rules(), 12)
    alone = list(dealer.game(3))
    list(dealer.game(2))
    assert list(dealer.game(3)) == alone


def test_B76_ten_thousand_deals_are_each_a_whole_pack() -> None:
    tables = new_tables(1)
    for index in range(10_000 if JIT_ENABLED else 300):
        deal_cards(tables[0], 13, index, 0)
        mask = 0
        for hand in tables["dealt"][0].tolist():
            assert hand.bit_count() == 6
            mask |= hand
        for card in tables["stock"][0].tolist():
            mask |= 1 << card
        assert mask == 2**53 - 1


COMMANDS = {
    "advise": ["advise", "AS KS 3C 6H 7H QH", "--hands", "48", "--json"],
    "deal": ["deal", "--hands", "2", "--policy", "random"],
    "game": ["deal", "--game", "--policy", "random"],
    "pretty": ["deal", "--pretty", "--policy", "random"],
}


@pytest.mark.parametrize("name", COMMANDS)
def test_B74_B77_the_same_seed_the_same_output_another_seed_another(name: str, capsys: Out) -> None:
    texts = []
    for seed in ("7", "7", "8"):
        assert run([*COMMANDS[name], "--seed", seed]) == 0
        texts.append(capsys.readouterr().out)
    assert texts[0] == texts[1]
    assert texts[0].replace("7", "8") != texts[2].replace("7", "8")


@pytest.mark.parametrize("experiment", ["auction", "bidder"])
def test_B75_B77_any_number_of_jobs_writes_the_same_bytes_and_the_seed_matters(
    experiment: str, tmp_path: Path
) -> None:
    hands = "3000" if JIT_ENABLED else "36"
    words = ["simulate", "--hands", hands, "--experiment", experiment, "--policy", "random"]
    written = []
    for seed, jobs in (("7", "1"), ("7", "2"), ("7", "4"), ("8", "1")):
        folder = tmp_path / f"{seed}-{jobs}"
        assert run([*words, "--seed", seed, "--jobs", jobs, "--out", str(folder)]) == 0
        written.append({path.name: path.read_bytes() for path in folder.iterdir()})
    assert written[0] == written[1] == written[2]
    tally = f"tally-{hands}.npz"
    assert written[0][tally] != written[3][tally]
