"""Bad input: exit code 2 and one line that says what, where and what would be right."""

from __future__ import annotations

from pathlib import Path

import pytest

from schmier_sim.cli.run import run

GOOD = "AS KS JS JC 2S JO"

REFUSED = [
    (["advise", ""], "0 were read"),
    (["advise", "AS KS JS JC 2S"], "5 were read"),
    (["advise", "AS KS JS JC 2S JO 3S"], "7 were read"),
    (["advise", "AS AS JS JC 2S JO"], "AS is there twice"),
    (["advise", "AS KS JS JC JO *"], "JO is there twice"),
    (["advise", "AS KS JS JC 2S ZZ"], "no card: 'ZZ'"),
    (["advise", "AS KS JS JC 2S 1S"], "no card: '1S'"),
    (["advise", "A\0 KS JS JC 2S 1S"], "no card"),
    (["advise", "A" * 10_000], "no card"),
    (["advise"], "HAND"),
    (["advise", GOOD, "--bid", "2"], "bids are 3 to 6"),
    (["advise", GOOD, "--bid", "7"], "bids are 3 to 6"),
    (["advise", GOOD, "--bid", "x"], "--bid"),
    (["advise", GOOD, "--bid", "3", "--calls", "3"], "legal: pass, 4, 5, 6"),
    (["advise", GOOD, "--calls", "4 3"], "legal: a pass or 5 to 6"),
    (["advise", GOOD, "--calls", "3 3"], "legal: a pass or 4 to 6"),
    (["advise", GOOD, "--calls", "pass pass pass pass pass pass"], "at most five"),
    (["advise", GOOD, "--calls", "-1"], "no call"),
    (["advise", GOOD, "--position", "2", "--calls", "3 4"], "disagree"),
    (["advise", GOOD, "--position", "7"], "positions are 1"),
    (["advise", GOOD, "--scores", "21,3,4"], "the game is over"),
    (["advise", GOOD, "--scores", "1,3"], "3 teams"),
    (["advise", GOOD, "--scores", "1,3,99999999999"], "whole numbers"),
    (["advise", GOOD, "--trump", "X"], "no suit"),
    (["advise", GOOD, "--hands", "0"], "whole number from 1"),
    (["advise", GOOD, "--hands", "-5"], "whole number from 1"),
    (["advise", GOOD, "--hands", "1e30"], "whole number from 1"),
    (["advise", GOOD, "--hands", "1e9"], "at most 20,000,000"),
    (["advise", GOOD, "--hands", "1.5"], "whole number from 1"),
    (["advise", GOOD, "--precision", "0"], "--precision"),
    (["advise", GOOD, "--seconds", "2"], "--precision"),
    (["advise", GOOD, "--seed", "-1"], "--seed"),
    (["advise", GOOD, "--seed", str(2**63)], "--seed"),
    (["advise", GOOD, "--jobs", "0"], "--jobs"),
    (["advise", GOOD, "--policy", "expert"], "policies: heuristic, plain, random"),
    (["advise", GOOD, "--seat-policy", "me"], "WHO=NAME"),
    (["advise", GOOD, "--seat-policy", "6=plain"], "no seat '6'"),
    (["advise", GOOD, "--seat-policy", "me=expert"], "policies: heuristic, plain, random"),
    (["advise", GOOD, "--seat-policy", "me=plain", "--seat-policy", "me=random"], "twice"),
    (["advise", GOOD, "--rule", "low"], "NAME=VALUE"),
    (["advise", GOOD, "--rule", "lows=taker"], "no rule is called 'lows'"),
    (["advise", GOOD, "--rule", "low=me"], "legal: player, taker"),
    (["advise", GOOD, "--rule", "dealer_steal=maybe"], "legal: off, on"),
    (["advise", GOOD, "--rule", "min_bid=0"], "legal: 1 to 6"),
    (["advise", GOOD, "--rule", "min_bid=5", "--rule", "max_bid=4"], "above"),
    (["advise", GOOD, "--rules", "missing.toml"], "missing.toml"),
    (["advise", GOOD, "--chart", "answer.gif"], ".png, .svg, .pdf"),
    (["advise", GOOD, "--colour"], "--colour"),
    (["advise", GOOD, "--show", "all"], "set, made, or the number"),
    (["advise", GOOD, "--show", "set", "--json"], "add to the words"),
    (["advise", GOOD, "--explain", "--quiet"], "add to the words"),
    (["deal", "--seat-policy", "me=random"], "no seat 'me'"),
    (["deal", "--dealer", "6"], "--dealer"),
    (["deal", "--index", "-1"], "--index"),
    (["simulate", "--hands", "10"], "--out"),
    (["simulate", "--out", "x", "--hands", "10", "--experiment", "other"], "experiment"),
    (["table", "nowhere"], "no batch"),
    (["chart", "nowhere", "--out", "x"], "no batch"),
    (["replay", "nowhere"], "nowhere"),
    (["replay", "."], "."),
    (["bench", "--kernel", "other"], "random-play"),
    (["guess"], "guess"),
]


@pytest.mark.parametrize(("words", "says"), REFUSED, ids=lambda v: str(v)[:40])
def test_refused_with_one_line(
    words: list[str],
    says: str,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    assert run(words) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert says in err
    assert err.startswith("schmier-sim: ")
    assert err.count("\n") == 1
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("command", [["simulate", "--hands", "24"], ["chart", "{batch}"]])
@pytest.mark.parametrize("where", ["file/out", "file"])
def test_where_nothing_can_be_written(
    command: list[str], where: str, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    batch = tmp_path / "batch"
    assert run(["simulate", "--hands", "24", "--policy", "random", "--out", str(batch)]) == 0
    (tmp_path / "file").write_text("kept")
    capsys.readouterr()
    words = [word.format(batch=batch) for word in command]
    assert run([*words, "--out", str(tmp_path / where)]) == 2
    assert capsys.readouterr().err.count("\n") == 1
    assert (tmp_path / "file").read_text() == "kept"


def test_an_existing_batch_is_not_overwritten(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    words = ["simulate", "--policy", "random", "--out", str(tmp_path)]
    assert run([*words, "--hands", "24"]) == 0
    before = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    assert run([*words, "--hands", "48"]) == 2
    assert "--force" in capsys.readouterr().err
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == before
    assert run([*words, "--hands", "48", "--force"]) == 0
    assert sorted(path.name for path in tmp_path.iterdir()) == ["batch.json", "tally-48.npz"]
    capsys.readouterr()
    assert run([*words, "--hands", "24", "--resume"]) == 2
    assert "48 hands already" in capsys.readouterr().err


DAMAGES = {
    "not JSON": lambda text: text[:40],
    "a list": lambda text: "[]",
    "another format": lambda text: text.replace("schmier-batch/1", "schmier-batch/9"),
    "no tally": lambda text: text.replace('"tally"', '"tale"'),
    "no levels": lambda text: text.replace('"levels"', '"label"'),
    "no stop": lambda text: text.replace('"stop"', '"step"'),
    "no digest": lambda text: text.replace('"sha256"', '"sha"'),
    "hands before the first": lambda text: text.replace('"stop": 24', '"stop": -1'),
    "a policy without a name": lambda text: text.replace('"random"', "3"),
    "a word for a number": lambda text: text.replace('"stop": 24', '"stop": "x"'),
    "unknown rules": lambda text: text.replace('"rules": {}', '"rules": {"x": 1}'),
    "unknown experiment": lambda text: text.replace('"auction"', '"other"'),
    "no policies": lambda text: text.replace('"policies"', '"players"'),
}


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_batch_is_met_with_one_line(
    damage: str, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    batch = tmp_path / "batch"
    assert run(["simulate", "--hands", "24", "--policy", "random", "--out", str(batch)]) == 0
    index = batch / "batch.json"
    text = index.read_text("utf-8")
    damaged = DAMAGES[damage](text)
    assert damaged != text
    index.write_text(damaged, "utf-8")
    for words in (["table", str(batch)], ["chart", str(batch), "--out", str(tmp_path / "c")]):
        capsys.readouterr()
        assert run(words) == 2
        out, err = capsys.readouterr()
        assert out == ""
        assert err.count("\n") == 1
