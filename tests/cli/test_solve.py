"""``solve``: what it prints, and what it refuses."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import pytest

from schmier_sim._jit import JIT_ENABLED
from schmier_sim.cli.run import run

Out = pytest.CaptureFixture[str]
AT = "1.1" if JIT_ENABLED else "5.1"


def lines(capsys: Out, *words: str) -> list[str]:
    capsys.readouterr()
    assert run(["deal", "--policy", "random", "--seed", "4", *words]) == 0
    return capsys.readouterr().out.splitlines()


def without(line: str, *names: str) -> str:
    return json.dumps({k: v for k, v in json.loads(line).items() if k not in names})


@pytest.fixture
def hands(capsys: Out, tmp_path: Path) -> str:
    file = tmp_path / "hands.jsonl"
    bid_on = [line for line in lines(capsys, "--hands", "9") if json.loads(line)["bidder"]]
    file.write_text("\n".join(bid_on[:3]) + "\n")
    return str(file)


def data(capsys: Out, *words: str) -> list[Any]:
    capsys.readouterr()
    assert run(["solve", *words, "--json"]) == 0, capsys.readouterr().err
    return [json.loads(line) for line in capsys.readouterr().out.splitlines()]


def test_json_has_a_line_for_each_record(capsys: Out, hands: str) -> None:
    found = data(capsys, hands, "--at", AT)
    assert [each["line"] for each in found] == [1, 2, 3]
    for each, line in zip(found, Path(hands).read_text().splitlines(), strict=True):
        record = json.loads(line)
        assert 0 <= each["points"] <= 6
        assert each["at"] == AT
        assert each["made"] == (each["points"] >= record["bid"])
        assert (each["bidder"], each["bid"]) == (record["bidder"], record["bid"])
        assert each["best"]
        own = record["bidder"] % 3
        assert each["played"] == list(record["points"].values()).count(own)


def test_tricks_are_not_needed_from_after_the_exchange(capsys: Out, hands: str) -> None:
    if not JIT_ENABLED:
        return
    file = Path(hands)
    before = data(capsys, hands)
    bare = [
        without(line, "tricks", "points", "game_count", "score")
        for line in file.read_text().splitlines()
    ]
    file.write_text("\n".join(bare))
    after = data(capsys, hands)
    assert [each["points"] for each in before] == [each["points"] for each in after]
    assert [each["best"] for each in before] == [each["best"] for each in after]
    assert after[0]["played"] is None


def test_words_say_that_it_is_pessimistic(capsys: Out, hands: str) -> None:
    capsys.readouterr()
    assert run(["solve", hands, "--at", AT]) == 0
    out = capsys.readouterr().out
    assert "line 1: seat" in out
    assert "best for seat" in out
    assert "Pessimistic" in out
    assert "3 hands: the bid is sure in" in out
    assert run(["solve", hands, "--at", "6.6", "--quiet"]) == 0
    assert len(capsys.readouterr().out.splitlines()) == 3


def test_records_from_stdin(capsys: Out, hands: str, monkeypatch: pytest.MonkeyPatch) -> None:
    text = Path(hands).read_bytes()
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(text)))
    assert len(data(capsys, "-", "--at", AT)) == 3


def test_deals_thrown_in_have_no_points(capsys: Out, hands: str) -> None:
    record = json.loads(Path(hands).read_text().splitlines()[0])
    seats = [(record["dealer"] + k) % 6 for k in range(1, 7)]
    thrown_in = {name: record[name] for name in ("format", "rules", "dealer", "hands", "stock")} | {
        "bids": [{"seat": seat, "bid": 0} for seat in seats]
    }
    thrown_in |= dict.fromkeys(("bidder", "bid", "trump"))
    file = Path(hands)
    file.write_text(json.dumps(thrown_in) + "\n" + file.read_text())
    assert [each["points"] is None for each in data(capsys, hands, "--at", AT)] == [True] + 3 * [
        False
    ]
    file.write_text(json.dumps(thrown_in) + "\n")
    assert run(["solve", hands, "-q"]) == 2
    assert "no hand to solve" in capsys.readouterr().err


def test_refused_with_one_line(capsys: Out, hands: str) -> None:
    file = Path(hands)
    first = file.read_text().splitlines()[0]
    record = json.loads(first)
    bare = without(first, "tricks", "points", "game_count", "score")
    in_mid_trick = json.loads(bare) | {"tricks": json.loads(first)["tricks"][:2]}
    in_mid_trick["tricks"][1] = {
        "leader": record["tricks"][1]["leader"],
        "cards": record["tricks"][1]["cards"][:2],
    }
    faulty = record | {"bidder": (record["bidder"] + 1) % 6}
    for text, at, says in (
        (bare, "1.2", "line 1: tricks: 0 cards are played; the last place is 1.1, not 1.2"),
        (json.dumps(in_mid_trick), "3.1", "the last place is 2.3, not 3.1"),
        (json.dumps(faulty), "1.1", "line 1: bidder: "),
        (without(bare, "exchange"), "1.1", "exchange: missing"),
        (bare, "7.1", "--at"),
        (bare, "1", "write 1.1 to 6.6"),
        (bare, "1.1.1", "write 1.1 to 6.6"),
        ("", "1.1", "no hand to solve"),
        ("\n \n", "1.1", "no hand to solve"),
        ("{}", "1.1", "line 1: no hand record"),
        (bare[:-20], "1.1", "the file is cut in the middle"),
    ):
        file.write_text(text)
        capsys.readouterr()
        assert run(["solve", hands, "--at", at]) == 2, says
        out, err = capsys.readouterr()
        assert out == ""
        assert says in err
        assert err.count("\n") == 1
    assert run(["solve", "nowhere"]) == 2
    assert "nowhere" in capsys.readouterr().err
    assert run(["solve"]) == 2
