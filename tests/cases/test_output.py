"""Known faults of other programs in what is printed, as tests of this one."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from schmier_sim import find_policy
from schmier_sim._jit import JIT_ENABLED
from schmier_sim.advise import Table, advise
from schmier_sim.answers import as_data
from schmier_sim.cli.run import run
from schmier_sim.situation import situation
from schmier_sim.words import how_often, in_words

Out = pytest.CaptureFixture[str]
N = 2_000 if JIT_ENABLED else 40
SURE = "AS KS QS JS JC TS"


def answer(hand: str, bid: int | None = None) -> tuple[str, dict[str, Any]]:
    found = advise(Table(situation(hand), (find_policy("plain"),) * 6), hands=N)
    return in_words(found, bid), as_data(found, bid, {})


def test_B90_outcomes_add_up_to_the_deals() -> None:
    _, data = answer("AC KC 3S 6H 7H QH")
    for suit in data["trumps"]:
        assert len(suit["points"]) == 7
        assert sum(suit["points"]) == suit["hands"] == N


def test_B91_shares_are_printed_with_a_decimal_and_add_up_but_for_rounding() -> None:
    text, data = answer("AC KC 3S 6H 7H QH")
    line = next(line for line in text.splitlines() if line.startswith(" clubs"))
    shares = [float(word) for word in line.split()[1:8]]
    assert sum(shares) == pytest.approx(100, abs=0.35)
    counts = data["trumps"][0]["points"]
    assert shares == [float(f"{100 * (count / N):.1f}") for count in counts]


def test_B93_a_certainty_is_a_hundred_per_cent() -> None:
    text, data = answer(SURE, 5)
    assert data["trumps"][-1]["make"]["5"]["rate"] == 1.0
    assert re.search(r" 5 ♠ .* 100\.0 % ", text)
    assert "in every sampled deal" in text.splitlines()[0]


def test_B97_a_hand_of_trumps_alone() -> None:
    text, data = answer(SURE)
    assert data["answer"]["trump"] == "S"
    assert text.startswith("YES")


@pytest.mark.parametrize("what", ["advise", "deal", "simulate", "bench"])
def test_B96_no_hands_are_refused(what: str, capsys: Out, tmp_path: Path) -> None:
    extra = {"advise": [SURE], "simulate": ["--out", str(tmp_path / "b")]}.get(what, [])
    assert run([what, *extra, "--hands", "0"]) == 2
    assert capsys.readouterr().err.count("\n") == 1


def test_B99_charts_need_no_display(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Out
) -> None:
    monkeypatch.delenv("DISPLAY", raising=False)
    monkeypatch.setenv("MPLBACKEND", "TkAgg")
    file = tmp_path / "answer.png"
    assert run(["advise", SURE, "--hands", "24", "--chart", str(file)]) == 0
    assert file.read_bytes().startswith(b"\x89PNG")


@pytest.mark.parametrize("encoding", ["cp1252", "ascii"])
@pytest.mark.parametrize("words", [["deal", "--pretty", "--policy", "random"], ["rules"]], ids=str)
def test_B101_consoles_without_suit_signs(encoding: str, words: list[str]) -> None:
    import os

    environment = {**os.environ, "PYTHONIOENCODING": encoding, "PYTHONUTF8": "0"}
    done = subprocess.run(
        [sys.executable, "-m", "schmier_sim", *words],
        env=environment, capture_output=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0
    assert done.stderr == b""
    assert "?" not in done.stdout.decode(encoding)


def test_B102_percentages_are_those_of_the_counts() -> None:
    assert how_often(113, 186) == "in 61 of 100 deals"
    text, data = answer("AC KC 3S 6H 7H QH", 3)
    for row in data["calls_ranked"]:
        if row["make"]:
            assert f"{100 * row['make']['rate']:.1f} %" in text
    assert json.loads(json.dumps(data, allow_nan=False)) == data
