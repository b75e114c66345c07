"""Directories of batches that a run was killed in, or that two runs work in at the same time."""

from __future__ import annotations

import shutil
import threading
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from schmier_sim import batches
from schmier_sim.batches import StoredBatch
from schmier_sim.cli.run import run
from schmier_sim.errors import InputError

Out = pytest.CaptureFixture[str]
pytest.importorskip("fcntl", reason="no locks of files here")


def simulate(out: Path, *more: str) -> int:
    return run(["simulate", "--hands", "24", "--policy", "random", "--out", str(out), *more])


def files(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


@pytest.fixture
def whole(tmp_path: Path) -> Path:
    assert simulate(tmp_path / "whole") == 0
    return tmp_path / "whole"


@pytest.mark.parametrize("more", [[], ["--resume"], ["--force"]], ids=str)
def test_killed_between_tally_and_index(more: list[str], whole: Path, tmp_path: Path) -> None:
    """The tally file that is there is taken for what it is."""
    killed = tmp_path / "killed"
    killed.mkdir()
    shutil.copy(whole / "tally-24.npz", killed)
    assert simulate(killed, *more) == 0
    assert files(killed) == files(whole)


def test_a_tally_that_was_there_stays_if_the_index_cannot_be_written(
    whole: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It may be another run's, who has just written its index."""
    there = tmp_path / "there"
    there.mkdir()
    shutil.copy(whole / "tally-24.npz", there)
    (there / "batch.json").mkdir()
    with pytest.raises(InputError, match="Is a directory"):
        batches.save(there, batches.load(whole), None)
    assert (there / "tally-24.npz").exists()


def in_thread(function: Callable[[], Any]) -> threading.Thread:
    thread = threading.Thread(target=function)
    thread.start()
    return thread


def test_of_two_that_write_at_the_same_time_one_is_told(
    whole: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Both look at the index before either writes, if they can."""
    out, batch, meeting = tmp_path / "out", batches.load(whole), threading.Barrier(2)
    out.mkdir()
    look, told = batches.index_bytes, []

    def slowly(directory: Path) -> bytes | None:
        seen = look(directory)
        with suppress(threading.BrokenBarrierError):
            meeting.wait(0.5)
        return seen

    def save() -> None:
        try:
            batches.save(out, batch, None)
        except InputError as error:
            told.append(str(error))

    monkeypatch.setattr(batches, "index_bytes", slowly)
    for thread in [in_thread(save), in_thread(save)]:
        thread.join()
    assert told == [f"{out}: another run writes to this directory"]
    assert files(out) == files(whole)


def test_a_reader_sees_the_old_state_or_the_new(
    whole: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A run goes on between the reading of the index and that of the tally."""
    before, index = batches.load(whole), (whole / "batch.json").read_bytes()
    later = replace(before, facts={**before.facts, "stop": 30})
    writers: list[threading.Thread] = []
    read = batches._load_tally

    def slowly(directory: Path, facts: Mapping[str, Any]) -> Any:
        writers.append(in_thread(lambda: batches.save(whole, later, index)))
        writers[0].join(0.5)
        return read(directory, facts)

    monkeypatch.setattr(batches, "_load_tally", slowly)
    seen: StoredBatch = batches.load(whole)
    writers[0].join()
    assert seen.stop == 24
    assert sorted(files(whole)) == ["batch.json", "tally-30.npz"]


def test_the_fault_is_told_though_the_directory_is_gone(tmp_path: Path, capsys: Out) -> None:
    out = tmp_path / "out"
    player = tmp_path / "player.py"
    player.write_text(
        "from schmier_sim.policies import policy\n"
        "@policy(uses_bid=False)\nclass Wrong:\n    def play(view):\n        return 99\n"
    )

    def gone(*_: Any) -> None:
        out.rmdir()

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(batches, "sweep", gone)
        assert simulate(out, "--policy", f"{player}:Wrong") == 1
    assert "Wrong" in capsys.readouterr().err
