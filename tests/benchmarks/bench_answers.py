"""What is made of hands, in this process and on one thread: answers, figures, files."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from benchmarks.measuring import SEED, measure
from schmier_sim import Rules, find_policy
from schmier_sim.advise import advise
from schmier_sim.around import Table
from schmier_sim.batches import load
from schmier_sim.charts import write_all
from schmier_sim.cli.run import run
from schmier_sim.compare import Judge, Match
from schmier_sim.dealing import Dealer
from schmier_sim.policies.registry import DEFAULT
from schmier_sim.records import check_lines
from schmier_sim.records.write import as_line, as_record
from schmier_sim.situation import situation
from schmier_sim.tables import frame

HAND = "AS KS JS JC 2S 4H"
DEALS = 20_000
RECORDS = 1_000
BATCH = 20_000
PLAYERS = (find_policy(DEFAULT),) * 6


@pytest.fixture(scope="module")
def lines() -> list[str]:
    """Records of whole hands, as replay reads them."""
    found = Dealer(PLAYERS, Rules(), SEED).hands(0, RECORDS)
    made = [as_line(as_record(deal, Rules(), SEED, [DEFAULT] * 6, None)) for deal in found]
    return made[:RECORDS]


@pytest.fixture(scope="module")
def batch(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The directory of a batch of the bidder experiment."""
    folder = tmp_path_factory.mktemp("batch")
    words = ["simulate", "--experiment", "bidder", "--hands", str(BATCH), "--quiet", "--force"]
    assert run([*words, "--out", str(folder)]) == 0
    return folder


def test_advise(benchmark: Any) -> None:
    """Every call and every sensible suit on each of the deals."""
    table = Table(situation(HAND, 3), PLAYERS, SEED)
    measure(benchmark, lambda: advise(table, hands=DEALS), DEALS)


def test_compare(benchmark: Any) -> None:
    """Six seatings of each of the deals."""
    judge = Judge(Match(find_policy(DEFAULT), find_policy("plain"), seed=SEED))
    measure(benchmark, lambda: judge.deals(DEALS), DEALS)


def test_replay(benchmark: Any, lines: list[str]) -> None:
    measure(benchmark, lambda: [verdict.ok for verdict in check_lines(lines)], len(lines))


def test_table(benchmark: Any, batch: Path) -> None:
    measure(benchmark, lambda: frame(load(batch), ["trumps", "bid"]), BATCH)


def test_chart(benchmark: Any, batch: Path, tmp_path: Path) -> None:
    measure(benchmark, lambda: write_all(load(batch), tmp_path), BATCH, rounds=3)
