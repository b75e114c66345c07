"""Numbers of fixed seeds; ``scripts/regenerate-goldens`` writes them anew."""

from __future__ import annotations

from pathlib import Path

import pytest
from golden_files import BATCH, DEALS, TABLE, TABLE_FILE, golden

from schmier_sim.cli.run import run


def printed(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    capsys.readouterr()
    assert run(words) == 0
    return capsys.readouterr().out


@pytest.mark.parametrize("file", DEALS)
def test_deals_of_a_seed(capsys: pytest.CaptureFixture[str], file: str) -> None:
    assert printed(capsys, *DEALS[file]) == golden(file)


def test_table_of_a_seed(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    batch = str(tmp_path / "batch")
    printed(capsys, *BATCH, batch)
    assert printed(capsys, *TABLE, batch) == golden(TABLE_FILE)
