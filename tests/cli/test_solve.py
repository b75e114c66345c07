"""``solve``: what it prints, and what it refuses."""

from __future__ import annotations

import io
import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from schmier_sim._jit import JIT_ENABLED
from schmier_sim.cli.run import run

Out = pytest.CaptureFixture[str]
RESULTS = ("points", "game_count", "score")
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
    bare = [without(line, "tricks", *RESULTS) for line in file.read_text().splitlines()]
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


def test_quiet_is_the_line_that_sums_up(capsys: Out, hands: str) -> None:
    file = Path(hands)
    file.write_text(thrown_in(hands) + "{}\n" + file.read_text())
    assert run(["solve", hands, "--at", "6.6", "--quiet"]) == 1
    out, err = capsys.readouterr()
    assert out.startswith("3 hands: the bid is sure in ")
    assert out.endswith("; 1 thrown in; 1 faulty\n")
    assert out.count("\n") == 1
    assert err.count("\n") == 1


def test_records_from_stdin(capsys: Out, hands: str, monkeypatch: pytest.MonkeyPatch) -> None:
    text = Path(hands).read_bytes()
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(text)))
    assert len(data(capsys, "-", "--at", AT)) == 3


def thrown_in(hands: str) -> str:
    """The first deal, had nobody bid."""
    record = json.loads(Path(hands).read_text().splitlines()[0])
    seats = [(record["dealer"] + k) % 6 for k in range(1, 7)]
    bare = {name: record[name] for name in ("format", "rules", "dealer", "hands", "stock")} | {
        "bids": [{"seat": seat, "bid": 0} for seat in seats]
    }
    return json.dumps(bare | dict.fromkeys(("bidder", "bid", "trump"))) + "\n"


def test_deals_thrown_in_have_no_points(capsys: Out, hands: str) -> None:
    file, passed = Path(hands), thrown_in(hands)
    file.write_text(passed + file.read_text())
    found = data(capsys, hands, "--at", AT)
    assert [each["points"] is None for each in found] == [True, False, False, False]
    assert [each["fault"] for each in found] == [None] * 4
    file.write_text(passed)
    assert run(["solve", hands]) == 0
    assert capsys.readouterr().out == "line 1: thrown in, nothing to solve\n1 thrown in\n"


def test_every_line_gets_its_verdict(capsys: Out, hands: str) -> None:
    file = Path(hands)
    good = file.read_text().splitlines()
    unknown = json.loads(good[0])
    unknown["hands"][2] = None
    faulty = ["hello", json.dumps(unknown), without(good[1], "exchange", "tricks", *RESULTS), ""]
    file.write_text("\n".join([faulty[0], good[0], *faulty[1:], good[1]]) + "\n")
    says = {
        1: "no hand record: not JSON",
        3: "hands[2]: unknown (null)",
        4: "exchange: missing",
    }
    assert run(["solve", hands, "--at", AT, "--json"]) == 1
    out, err = capsys.readouterr()
    assert err == ""
    told = [json.loads(line, parse_constant=pytest.fail) for line in out.splitlines()]
    assert [each["line"] for each in told] == [1, 2, 3, 4, 6]
    assert len({tuple(each) for each in told}) == 1
    for each in told:
        assert (each["points"] is None) == (each["line"] in says)
        assert says.get(each["line"], "") in (each["fault"] or "")

    assert run(["solve", hands, "--at", AT]) == 1
    out, err = capsys.readouterr()
    assert [line.partition(":")[0] for line in out.splitlines()[:2]] == ["line 2", "line 6"]
    assert "; 3 faulty\n" in out
    lines = err.splitlines()
    assert len(lines) == 3
    for line, (number, fault) in zip(lines, says.items(), strict=True):
        assert f"{hands}: line {number}: {fault}" in line


@pytest.mark.parametrize("as_json", [True, False])
def test_a_last_line_that_is_cut(capsys: Out, hands: str, as_json: bool) -> None:
    file = Path(hands)
    file.write_text(file.read_text()[:-9])
    assert run(["solve", hands, "--at", AT, *["--json"] * as_json]) == 2
    out, err = capsys.readouterr()
    assert len(out.splitlines()) == 2 + as_json
    assert err == f"schmier-sim: {hands}: line 3 is cut in the middle; the file is not complete\n"


def test_progress_is_shown_on_a_terminal(
    capsys: Out, hands: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of a file, whose lines can be counted beforehand, and with the answers going elsewhere."""
    shown = []

    @contextmanager
    def progress(total: int, what: str, quiet: bool) -> Iterator[Callable[[int], None]]:
        yield lambda done: None if quiet else shown.append((done, total))

    monkeypatch.setattr("schmier_sim.cli.solve.progress", progress)
    monkeypatch.setattr("schmier_sim.cli.solve.has_live_line", lambda: True)
    assert run(["solve", hands, "--at", "6.6"]) == 0
    assert shown == [(1, 3), (2, 3), (3, 3)]
    shown.clear()
    assert run(["solve", hands, "--at", "6.6", "-q"]) == 0
    assert shown == []


def test_refused_with_one_line(capsys: Out, hands: str) -> None:
    file = Path(hands)
    first = file.read_text().splitlines()[0]
    record = json.loads(first)
    bare = without(first, "tricks", *RESULTS)
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
        (f"{json.dumps(faulty)}\n\n{bare[:-30]}\n", "1.1", "line 1: bidder: "),
        (f"{json.dumps(faulty)}\n\n{bare[:-30]}\n", "1.1", "(and 1 more faulty line)"),
        (f"{json.dumps(faulty)}\n{bare[:-30]}", "1.1", "line 2 is cut in the middle"),
        ("", "1.1", "empty; one hand record a line is expected"),
        ("\n \n", "1.1", "only blank lines"),
        ("{}", "1.1", "line 1: no hand record"),
        (bare[:-20], "1.1", "the file ends in the middle of a line"),
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
