"""Ctrl-C, a kill and a reader that has gone: what was done is kept, and goes on to the same end."""

from __future__ import annotations

import json
import os
import shlex
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

import pytest

from schmier_sim._jit import JIT_ENABLED
from schmier_sim.cli.main import main
from schmier_sim.cli.run import run

# Whoever runs the tests may have Ctrl-C switched off, which children inherit.
AWAKE = "import signal; signal.signal(signal.SIGINT, signal.default_int_handler); "
MAIN = "from schmier_sim.__main__ import main; main()"
COMMAND = [sys.executable, "-c", AWAKE + MAIN]
RANDOM = ["--policy", "random"]
FAST = [*RANDOM, "--jobs", "2"]

ASLEEP = """
from schmier_sim.policies import policy

@policy(uses_bid=False)
class Asleep:
    def play(view):
        card = 0
        while not view.legal >> card & 1 or view.n_played >= 0:
            card = (card + 1) % 53
        return card
"""

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="signals of another kind")


def process(*words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([*COMMAND, *words], capture_output=True, text=True, check=False)


def stopped(words: Sequence[str], sent: int, ready: Path, after: float) -> tuple[int, str]:
    """Send a signal some time after a file or directory has come to be."""
    with subprocess.Popen(
        [*COMMAND, *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as running:
        until = time.monotonic() + 60
        while not ready.exists() and running.poll() is None and time.monotonic() < until:
            time.sleep(0.02)
        time.sleep(after)
        running.send_signal(sent)
        out, err = running.communicate(timeout=60)
        assert out == ""
        return running.returncode, err


def same_tally(a: Path, b: Path) -> bool:
    facts = [json.loads((folder / "batch.json").read_text("utf-8")) for folder in (a, b)]
    names = [each["tally"] for each in facts]
    return (
        facts[0]["stop"] == facts[1]["stop"]
        and facts[0]["sha256"] == facts[1]["sha256"]
        and (a / names[0]).read_bytes() == (b / names[1]).read_bytes()
    )


def simulate(out: Path, hands: int | str, *more: str) -> list[str]:
    return ["simulate", "--hands", str(hands), "--out", str(out), *FAST, *more]


@pytest.fixture(scope="module", autouse=True)
def compiled(tmp_path_factory: pytest.TempPathFactory) -> None:
    """All is compiled before any clock runs, and no word of it comes between."""
    warm = tmp_path_factory.mktemp("warm")
    for words in (
        simulate(warm / "random", 24),
        simulate(warm / "default", 24, "--policy", "heuristic"),
        ["bench", "--hands", "24", "--kernel", "random-play"],
    ):
        done = process(*words)
        assert done.returncode == 0, done.stderr


def test_ctrl_c_keeps_a_batch_that_goes_on_to_the_same_end(tmp_path: Path) -> None:
    out, whole = tmp_path / "stopped", tmp_path / "whole"
    plan = ("--experiment", "bidder")
    code, err = stopped(simulate(out, "1G", *plan), signal.SIGINT, out, 2.5)
    assert process("table", str(out), "--json").returncode == 0
    stop = json.loads((out / "batch.json").read_text("utf-8"))["stop"]
    assert 0 < stop < 10**9
    told, _, command = err.partition("; go on with: ")
    assert (code, told) == (130, f"schmier-sim: interrupted; kept {stop:,} hands in {out}")
    again = shlex.split(command)
    assert sorted(again) == sorted(["schmier-sim", *simulate(out, 10**9), *plan, "--resume"])
    rest, both = tmp_path / "rest", tmp_path / "both"
    assert process(*simulate(rest, 25, *plan, "--start", str(stop))).returncode == 0
    assert process("runs", "merge", str(rest), str(out), "--out", str(both)).returncode == 0
    again[again.index("--hands") + 1] = str(stop + 25)
    assert process(*again[1:]).returncode == 0
    assert process(*simulate(whole, stop + 25, *plan, "--jobs", "1")).returncode == 0
    assert same_tally(both, whole)
    assert same_tally(out, whole)
    assert sorted(path.name for path in out.iterdir()) == ["batch.json", f"tally-{stop + 25}.npz"]


def test_a_killed_run_goes_on_to_the_same_end(tmp_path: Path) -> None:
    out, whole = tmp_path / "killed", tmp_path / "whole"
    assert process(*simulate(out, 240)).returncode == 0
    code, err = stopped(simulate(out, "1G", "--resume"), signal.SIGKILL, out, 1.5)
    assert (code, err) == (-signal.SIGKILL, "")
    assert process("table", str(out)).returncode == 0
    stop = json.loads((out / "batch.json").read_text("utf-8"))["stop"]
    assert process(*simulate(out, stop + 240, "--resume")).returncode == 0
    assert process(*simulate(whole, stop + 240)).returncode == 0
    assert same_tally(out, whole)


def test_what_a_kill_left_half_written_is_swept_up(tmp_path: Path) -> None:
    out = tmp_path / "batch"
    assert process(*simulate(out, 24)).returncode == 0
    with subprocess.Popen(["true"]) as gone:
        gone.wait()
    (out / f".tally-48.npz.{gone.pid}.tmp.npz").write_bytes(b"PK")
    assert process(*simulate(out, 48, "--resume")).returncode == 0
    assert sorted(path.name for path in out.iterdir()) == ["batch.json", "tally-48.npz"]


def test_ctrl_c_before_anything_was_done(tmp_path: Path) -> None:
    code, err = stopped(simulate(tmp_path / "b", "1G"), signal.SIGINT, tmp_path, 0.4)
    assert code == 130
    assert "Traceback" not in err
    assert not list(tmp_path.rglob("*.tmp*"))


def test_ctrl_c_twice_while_libraries_are_loaded(tmp_path: Path) -> None:
    """It ends at the first one, and does not wait for what it was loading."""
    ready = tmp_path / "ready"
    slow = f"""
import pathlib, time
from schmier_sim import threads
def sleep():
    pathlib.Path({str(ready)!r}).touch()
    time.sleep(60)
threads.load = lambda *_: threads.hearing_ctrl_c(sleep)
"""
    command = [sys.executable, "-c", AWAKE + slow + MAIN, *simulate(tmp_path / "b", 24)]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as running:
        while not ready.exists() and running.poll() is None:
            time.sleep(0.02)
        for _ in range(20):
            running.send_signal(signal.SIGINT)
            time.sleep(0.05)
        _, err = running.communicate(timeout=30)
    assert running.returncode == 130
    assert "Traceback" not in err


@pytest.mark.parametrize("what", [["--policy", "random"], ["--kernel", "random-play"]], ids=str)
def test_ctrl_c_ends_a_measurement_of_speed(what: list[str], tmp_path: Path) -> None:
    words = ["bench", "--hands", "1000G", *what]
    code, err = stopped(words, signal.SIGINT, tmp_path, 2.5)
    assert (code, err) == (130, "schmier-sim: interrupted\n")


def test_ctrl_c_gives_up_a_player_who_never_answers(tmp_path: Path) -> None:
    mine, out = tmp_path / "mine.py", tmp_path / "out"
    mine.write_text(ASLEEP, "utf-8")
    words = ["simulate", "--hands", "24", "--policy", f"{mine}:Asleep", "--out", str(out)]
    assert stopped(words, signal.SIGINT, out, 1) == (130, "schmier-sim: interrupted\n")
    assert not out.exists()


def test_ctrl_c_gives_up_a_caller_who_never_answers_when_he_is_asked_what_he_would_call(
    tmp_path: Path,
) -> None:
    mine, pictures = tmp_path / "mine.py", tmp_path / "pictures"
    body = ASLEEP.replace("def play", "def call").replace("view.n_played", "view.seat")
    mine.write_text(body.replace("% 53", "% 7"), "utf-8")
    words = ["advise", "AS KS JS 9S 4H 2D", "--calls", "pass", "--policy", f"{mine}:Asleep"]
    words += ["--chart", str(pictures / "chart.png"), "--seat-policy", "me=random"]
    assert stopped(words, signal.SIGINT, pictures, 3) == (130, "schmier-sim: interrupted\n")


def test_ctrl_c_in_a_search_for_precision_keeps_the_answer() -> None:
    """Each round is a whole answer; the last one stands when the next is broken off.

    The bid is worth about 0.05 less than a pass: whether that is close is long uncertain.
    """
    first = "200" if JIT_ENABLED else "20"
    words = ["advise", "3D 6H AH 7H AD 5C", "--position", "4", "--bid", "3", "--policy", "plain",
             "--hands", first, "--precision", "1e-9", "--json"]  # fmt: skip
    with subprocess.Popen(
        [*COMMAND, *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as running:
        assert running.stderr is not None
        # The second round: one answer is there.
        assert any("playing" in line for line in running.stderr)
        running.send_signal(signal.SIGINT)
        out, err = running.communicate(timeout=60)
    assert running.returncode == 130
    assert "Traceback" not in err
    assert json.loads(out)["calls_ranked"]


@pytest.mark.parametrize(
    "words",
    [
        ["deal", "--quiet", *RANDOM, "--hands", "2000" if JIT_ENABLED else "20"],
        ["deal", "--quiet", "--game", *RANDOM, "--hands", "40" if JIT_ENABLED else "2"],
        ["rules"],
    ],
    ids=" ".join,
)
def test_a_reader_that_has_gone_is_no_error(words: list[str]) -> None:
    with subprocess.Popen(
        [*COMMAND, *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as running:
        assert running.stdout is not None
        assert running.stderr is not None
        assert running.stdout.readline()
        running.stdout.close()
        assert running.stderr.read() == ""
        assert running.wait() == 0


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="no such device")
@pytest.mark.parametrize("words", [["rules"], ["doctor", "--json"]], ids=" ".join)
def test_a_full_device_is_told_in_one_line(words: list[str]) -> None:
    with open("/dev/full", "w") as full:
        done = subprocess.run(
            [*COMMAND, *words], stdout=full, stderr=subprocess.PIPE, text=True, check=False
        )
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="no such device")
def test_a_remark_that_nobody_hears_is_no_failure(tmp_path: Path) -> None:
    with open("/dev/full", "w") as full:
        command = [*COMMAND, *simulate(tmp_path / "batch", 24)]
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=full, text=True, check=False)
    assert done.returncode == 0
    assert done.stdout.startswith("24 hands in ")


def test_libraries_take_their_temporary_files_away(tmp_path: Path) -> None:
    """matplotlib makes some where it finds no home."""
    batch, scratch = tmp_path / "batch", tmp_path / "scratch"
    assert process(*simulate(batch, 24)).returncode == 0
    scratch.mkdir()
    (tmp_path / "file").touch()
    told = {"TMPDIR": str(scratch), "MPLCONFIGDIR": str(tmp_path / "file" / "below")}
    command = [*COMMAND, "chart", str(batch), "--out", str(tmp_path / "charts")]
    done = subprocess.run(
        command, env={**os.environ, **told}, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0
    assert str(scratch) in done.stderr  # it has said so
    assert not list(scratch.iterdir())


@pytest.mark.parametrize("closed", ["0", "1", "2"])
def test_a_closed_stream_is_no_traceback(closed: str) -> None:
    code = f"import os; os.close({closed}); os.execv({sys.executable!r}, "
    code += f"[{sys.executable!r}, '-m', 'schmier_sim', 'rules'])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert "Traceback" not in done.stderr
    assert done.returncode in (0, 2)


def test_an_error_that_ctrl_c_led_to_is_an_interruption(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """As where Ctrl-C strikes in the lock of a thread that is waited for."""

    def broken_lock(context: object) -> int:
        try:
            raise KeyboardInterrupt
        finally:
            raise RuntimeError("release unlocked lock")

    monkeypatch.setattr(main, "invoke", broken_lock)
    assert run(["policies"]) == 130
    assert capsys.readouterr().err == "schmier-sim: interrupted\n"
