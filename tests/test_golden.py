"""Numbers of fixed seeds; ``scripts/regenerate-goldens`` writes them anew."""

from __future__ import annotations

from pathlib import Path

import pytest

from schmier_sim.cli.run import run

GOLDEN = Path(__file__).parent / "golden"


def printed(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    capsys.readouterr()
    assert run(words) == 0
    return capsys.readouterr().out


@pytest.mark.parametrize(
    ("file", "words"),
    [
        ("hands-seed-7.jsonl", ["deal", "--hands", "6", "--seed", "7", "--policy", "random"]),
        ("game-seed-7.jsonl", ["deal", "--hands", "1", "--seed", "7", "--game"]),
        ("hand-seed-3.txt", ["deal", "--seed", "3", "--pretty"]),
    ],
)
def test_deals_of_a_seed(capsys: pytest.CaptureFixture[str], file: str, words: list[str]) -> None:
    assert printed(capsys, *words) == (GOLDEN / file).read_text("utf-8")


def test_table_of_a_seed(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    batch = str(tmp_path / "batch")
    printed(capsys, "simulate", "--hands", "1200", "--experiment", "bidder", "--out", batch)
    table = printed(capsys, "table", batch, "--by", "trumps,bid", "--format", "csv")
    assert table == (GOLDEN / "table-seed-1.csv").read_text("utf-8")
