"""``runs merge`` and ``runs show``: what is refused, what is written, and what stays."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from schmier_sim.cli.run import run

Out = pytest.CaptureFixture[str]


def files(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def simulate(folder: Path, start: int, stop: int, *more: str) -> str:
    words = ["simulate", "--out", str(folder), "--start", str(start), "--quiet"]
    if "--policy" not in more:
        words += ["--policy", "random"]
    assert run([*words, "--hands", str(stop - start), *more]) == 0
    return str(folder)


@pytest.fixture
def parts(tmp_path: Path) -> tuple[str, str, str]:
    """Hands 0 to 9, 10 to 29, and all of them."""
    a, b = simulate(tmp_path / "a", 0, 10), simulate(tmp_path / "b", 10, 30)
    return a, b, simulate(tmp_path / "whole", 0, 30)


def refused(capsys: Out, words: str, *given: str) -> None:
    """Merging is refused with one line that says so; nothing is written."""
    out = Path(given[0]).parent / "out"
    before = {folder: files(Path(folder)) for folder in given if Path(folder).is_dir()}
    capsys.readouterr()
    assert run(["runs", "merge", *given, "--out", str(out)]) == 2
    printed, err = capsys.readouterr()
    assert (printed, err.count("\n")) == ("", 1)
    assert words in err
    assert not out.exists()
    assert {folder: files(Path(folder)) for folder in before} == before


def test_what_it_prints(parts: tuple[str, str, str], capsys: Out, tmp_path: Path) -> None:
    a, b, whole = parts
    assert run(["runs", "merge", b, a, "--out", str(tmp_path / "1")]) == 0
    out, err = capsys.readouterr()
    assert out == f"hands 0 to 29 of 2 batches in {tmp_path / '1'}\n"
    assert err == f"next: schmier-sim table {tmp_path / '1'}\n"
    assert run(["runs", "merge", a, b, "--out", str(tmp_path / "2"), "--quiet"]) == 0
    assert capsys.readouterr() == ("", "")
    assert run(["runs", "merge", a, b, "--out", str(tmp_path / "3"), "--json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert (data["out"], data["totals"]["hands"]) == (str(tmp_path / "3"), 30)
    assert (data["provenance"]["start"], data["provenance"]["stop"]) == (0, 30)
    for name in "123":
        assert files(tmp_path / name) == files(Path(whole))
    assert run(["simulate", "--policy", "random", "--hands", "30", "--json", "--resume",
                "--out", whole]) == 0  # fmt: skip
    again = json.loads(capsys.readouterr().out)
    assert (again["totals"], set(again)) == (data["totals"], set(data))


def test_a_merged_batch_is_read_like_any_other(parts: tuple[str, str, str], capsys: Out) -> None:
    a, b, whole = parts
    both = str(Path(a).parent / "both")
    assert run(["runs", "merge", b, a, "--out", both, "--quiet"]) == 0
    tables = []
    for folder in (both, whole):
        assert run(["table", folder, "--by", "trump,bid", "--format", "csv"]) == 0
        tables.append(capsys.readouterr().out)
        assert run(["chart", folder, "--out", folder + "-charts", "--quiet"]) == 0
    assert tables[0] == tables[1]


def test_one_batch_alone_is_copied(parts: tuple[str, str, str], tmp_path: Path) -> None:
    assert run(["runs", "merge", parts[1], "--out", str(tmp_path / "one")]) == 0
    assert files(tmp_path / "one") == files(Path(parts[1]))


# --- Ranges that do not adjoin --------------------------------------------------------------------


def test_hands_that_two_have(parts: tuple[str, str, str], capsys: Out, tmp_path: Path) -> None:
    a, b, whole = parts
    refused(capsys, f"{a} and {whole} both have hands 0 to 9", b, whole, a)
    c = simulate(tmp_path / "c", 29, 40)
    refused(capsys, f"{b} and {c} both have hand 29", c, a, b)


def test_hands_that_none_has(parts: tuple[str, str, str], capsys: Out, tmp_path: Path) -> None:
    a, b, _ = parts
    c, d = simulate(tmp_path / "c", 31, 40), simulate(tmp_path / "d", 1040, 1042)
    refused(capsys, "do not adjoin; missing: hand 30, hands 40 to 1,039", d, a, c, b)
    refused(capsys, "missing: hands 10 to 30", c, a)


@pytest.mark.parametrize("again", ["{}", "{}/", "{}/../a", "{}/../link"])
def test_the_same_directory_twice(again: str, parts: tuple[str, str, str], capsys: Out) -> None:
    a, b, _ = parts
    Path(a).with_name("link").symlink_to(a)
    refused(capsys, "is there twice", a, b, again.format(a))


# --- Batches of different runs --------------------------------------------------------------------

OTHERS = {
    "seed": (["--seed", "2"], "seed is 1 and 2"),
    "rules": (["--rule", "low=taker"], 'rules is {} and {"low": "taker"}'),
    "levels": (["--rule", "max_bid=5"], "levels is [3, 6] and [3, 5]"),
    "policies": (["--policy", "plain"], 'policies is ["random",'),
    "experiment": (["--experiment", "bidder"], 'experiment is "auction" and "bidder"'),
}


@pytest.mark.parametrize("name", OTHERS)
def test_another_run(name: str, parts: tuple[str, str, str], capsys: Out, tmp_path: Path) -> None:
    more, words = OTHERS[name]
    other = simulate(tmp_path / "other", 10, 20, *more)
    refused(capsys, f"{parts[0]} and {other} are not of one run: {words}", parts[0], other)


def with_facts(folder: str, **changes: Any) -> None:
    index = Path(folder) / "batch.json"
    facts = {**json.loads(index.read_text("utf-8")), **changes}
    index.write_text(json.dumps(facts, indent=1) + "\n", "utf-8")


@pytest.mark.parametrize("name", ["sources", "plays_by_level", "something_new"])
def test_other_facts(name: str, parts: tuple[str, str, str], capsys: Out) -> None:
    value = {"sources": "0123", "plays_by_level": True, "something_new": 1}[name]
    with_facts(parts[1], **{name: value})
    refused(capsys, f"are not of one run: {name} is", *parts[:2])


def test_version_commit_and_machine_may_differ(parts: tuple[str, str, str], tmp_path: Path) -> None:
    """They are those of the last range, as if its run had gone on from the others."""
    a, b, whole = parts
    for folder in (b, whole):
        with_facts(folder, version="9.9", commit="f00", machine={"system": "Other"})
    assert run(["runs", "merge", b, a, "--out", str(tmp_path / "both")]) == 0
    assert files(tmp_path / "both") == files(Path(whole))


# --- Damage, and what stays -----------------------------------------------------------------------


def test_damaged_batches(parts: tuple[str, str, str], capsys: Out, tmp_path: Path) -> None:
    a, b, _ = parts
    refused(capsys, "holds no batch", a, str(tmp_path / "nothing"))
    tally = Path(b) / "tally-30.npz"
    whole = tally.read_bytes()
    tally.write_bytes(whole[:-10])
    refused(capsys, f"{tally} is damaged", a, b)
    tally.write_bytes(whole)
    with_facts(b, stop=31)
    refused(capsys, "its counts are not those of batch.json", a, b)


def test_out_is_no_part_and_not_overwritten(parts: tuple[str, str, str], capsys: Out) -> None:
    a, b, whole = parts
    before = {folder: files(Path(folder)) for folder in parts}
    for out, words in ((a, "is one of the batches to merge"), (a + "/../b", "is one of the")):
        assert run(["runs", "merge", a, b, "--out", out, "--force"]) == 2
        assert words in capsys.readouterr().err
    assert run(["runs", "merge", a, b, "--out", whole]) == 2
    assert "--force overwrites it" in capsys.readouterr().err
    assert {folder: files(Path(folder)) for folder in parts} == before
    old = simulate(Path(a).parent / "old", 0, 24, "--seed", "5")
    assert run(["runs", "merge", a, b, "--out", old, "--force"]) == 0
    assert files(Path(old)) == before[whole]


@contextmanager
def full_after(renamings: int) -> Iterator[None]:
    """The disk takes so many files more."""
    rename, left = os.replace, [renamings]

    def limited(*paths: Path) -> None:
        left[0] -= 1
        if left[0] < 0:
            raise OSError(28, "No space left on device")
        rename(*paths)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "replace", limited)
        yield


@pytest.mark.parametrize("stop", [24, 30])
@pytest.mark.parametrize("renamings", range(5))
def test_a_full_disk_leaves_the_old_batch_or_the_new(
    renamings: int, stop: int, parts: tuple[str, str, str], capsys: Out
) -> None:
    a, b, whole = parts
    old = simulate(Path(a).parent / "old", 0, stop, "--seed", "5")
    before = files(Path(old))
    with full_after(renamings):
        code = run(["runs", "merge", a, b, "--out", old, "--force"])
    needed = 4 if stop == 30 else 2  # of the same name: beside the old file first
    assert code == (0 if renamings >= needed else 2)
    capsys.readouterr()
    assert run(["runs", "show", old]) == 0
    seed = "seed 5" if renamings < 2 else "seed 1"
    assert seed in capsys.readouterr().out
    if code == 0 or renamings < 2:
        assert files(Path(old)) == (files(Path(whole)) if code == 0 else before)
    assert len(files(Path(old))) == 2


@pytest.mark.parametrize("renamings", [0, 1])
def test_a_full_disk_leaves_no_new_directory(
    renamings: int, parts: tuple[str, str, str], capsys: Out, tmp_path: Path
) -> None:
    with full_after(renamings):
        assert run(["runs", "merge", *parts[:2], "--out", str(tmp_path / "new")]) == 2
    assert "No space left on device" in capsys.readouterr().err
    assert not (tmp_path / "new").exists()


# --- Ranges of `simulate` -------------------------------------------------------------------------


def test_resuming_wants_the_same_start(parts: tuple[str, str, str], capsys: Out) -> None:
    words = ["simulate", "--policy", "random", "--resume", "--out", parts[1], "--hands", "40"]
    for start, its in (("0", "0"), ("11", "11")):
        assert run([*words, "--start", start]) == 2
        assert f"the batch there has start 10, not {its}" in capsys.readouterr().err
    assert run([*words, "--start", "10", "--hands", "19"]) == 2
    assert "holds 20 hands already, more than --hands 19" in capsys.readouterr().err


@pytest.mark.parametrize("more", [["--start", "-1"], ["--start", "x"], ["--chunk", "0"]], ids=str)
def test_numbers_that_make_no_sense(more: list[str], capsys: Out, tmp_path: Path) -> None:
    assert run(["simulate", "--hands", "24", "--out", str(tmp_path / "x"), *more]) == 2
    assert capsys.readouterr().err.count("\n") == 1
    assert not (tmp_path / "x").exists()


def test_a_stopped_run_and_the_rest_are_the_whole(
    capsys: Out, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In the middle of what was asked for, at hands that do not begin with 0."""

    @contextmanager
    def stopping(*_: object) -> Iterator[Any]:
        def show(done: int) -> None:
            if done > 40:
                raise KeyboardInterrupt

        yield show

    out, more = tmp_path / "out", ("--experiment", "bidder", "--seed", "4", "--chunk", "100")
    with monkeypatch.context() as patch:
        patch.setattr("schmier_sim.cli.simulate.progress", stopping)
        words = ["simulate", "--policy", "random", "--start", "7", *more, "--out", str(out)]
        assert run([*words, "--hands", "1G"]) == 130
    printed, err = capsys.readouterr()
    stop = json.loads((out / "batch.json").read_text("utf-8"))["stop"]
    assert printed == ""
    told, _, command = err.partition("; go on with: ")
    assert told == f"schmier-sim: interrupted; kept {stop - 7:,} hands in {out}"
    assert command.startswith("schmier-sim simulate --hands 1000000000 --start 7 --out")
    assert command.endswith(" --resume\n")
    rest = simulate(tmp_path / "rest", stop, stop + 13, *more)
    both = str(tmp_path / "both")
    assert run(["runs", "merge", rest, str(out), "--out", both]) == 0
    whole = files(Path(simulate(tmp_path / "whole", 7, stop + 13, *more[:4])))
    assert files(Path(both)) == whole
    assert files(Path(simulate(out, 7, stop + 13, *more, "--resume"))) == whole


# --- What batches hold ----------------------------------------------------------------------------


def test_show(parts: tuple[str, str, str], capsys: Out, tmp_path: Path) -> None:
    mixed = simulate(tmp_path / "mixed", 4, 5, "--seat-policy", "2=plain", "--rule", "low=taker",
                     "--experiment", "bidder")  # fmt: skip
    capsys.readouterr()
    assert run(["runs", "show", parts[1], mixed]) == 0
    assert capsys.readouterr().out == (
        f"{parts[1]}: hands 10 to 29, auction, random, seed 1, default rules\n"
        f"{mixed}: hand 4, bidder, random/plain, seed 1, low=taker\n"
    )
    assert run(["runs", "show", parts[1], "--json"]) == 0
    (data,) = json.loads(capsys.readouterr().out)
    assert data["out"] == parts[1]
    assert data["provenance"] == json.loads((Path(parts[1]) / "batch.json").read_text("utf-8"))
    assert run(["runs", "show", str(tmp_path)]) == 2


def test_show_passes_over_what_is_no_batch(
    parts: tuple[str, str, str], capsys: Out, tmp_path: Path
) -> None:
    """As ``runs/*`` gives it, charts among them; but something must be a batch."""
    charts = tmp_path / "charts"
    charts.mkdir()
    assert run(["runs", "show", parts[0], str(charts)]) == 0
    out, err = capsys.readouterr()
    assert out.startswith(f"{parts[0]}: hands 0 to 9")
    assert err == f"{charts} holds no batch\n"
    assert run(["runs", "show", str(charts)]) == 2


def test_numbers_of_hands_are_written_alike_everywhere(
    parts: tuple[str, str, str], tmp_path: Path
) -> None:
    words = ["simulate", "--policy", "random", "--hands", "20", "--quiet"]
    assert run([*words, "--start", "1e1", "--chunk", "0.01k", "--out", str(tmp_path / "c")]) == 0
    assert files(tmp_path / "c") == files(Path(parts[1]))
    assert run([*words, "--start", "-1", "--out", str(tmp_path / "d")]) == 2
