"""What only a whole process shows: consoles, colours, caches."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

COMMAND = [sys.executable, "-m", "schmier_sim"]
ADVISE = ["advise", "AS KS JS JC 2S JO", "--hands", "24"]


def process(*words: str, **environment: str) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        [*COMMAND, *words], env={**os.environ, **environment}, capture_output=True, check=False
    )


@pytest.mark.parametrize("encoding", ["ascii", "cp1252"])
@pytest.mark.parametrize(
    "words", [ADVISE, ["deal", "--pretty", "--policy", "random"], ["advise", "A♠"]], ids=str
)
def test_consoles_without_suit_signs(encoding: str, words: list[str]) -> None:
    done = process(*words, PYTHONIOENCODING=encoding, PYTHONUTF8="0")
    assert done.returncode == (2 if words[-1] == "A♠" else 0)
    text = (done.stdout + done.stderr).decode(encoding)
    assert "Traceback" not in text
    assert "?" not in text


def test_no_colour_in_a_pipe() -> None:
    assert b"\x1b" not in process(*ADVISE).stdout


def test_without_a_place_for_compiled_code_it_still_answers(tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("")
    done = process("doctor", "--json", NUMBA_CACHE_DIR=str(blocked / "below"))
    assert done.returncode == 0
    assert json.loads(done.stdout)["cache"] is None


@pytest.mark.skipif(not hasattr(os, "getuid"), reason="no owners of files here")
def test_compiled_code_is_not_read_from_where_others_can_write(tmp_path: Path) -> None:
    done = process("doctor", "--json", NUMBA_CACHE_DIR=str(tmp_path))
    cache = Path(json.loads(done.stdout)["cache"])
    assert cache.parent == tmp_path
    assert cache.stat().st_mode & 0o077 == 0
    cache.chmod(0o777)
    assert (
        json.loads(process("doctor", "--json", NUMBA_CACHE_DIR=str(tmp_path)).stdout)["cache"]
        is None
    )


def test_an_edited_callee_is_never_met_by_a_stale_caller(tmp_path: Path) -> None:
    """Change a rule's reading in one file; the kernels of all others follow at once."""
    import shutil

    import schmier_sim

    shutil.copytree(Path(schmier_sim.__file__).parent, tmp_path / "schmier_sim")
    environment = {
        "PYTHONPATH": str(tmp_path),
        "NUMBA_CACHE_DIR": str(tmp_path / "cache"),
        "NUMBA_DISABLE_JIT": "0",
    }
    words = ("bench", "--kernel", "random-play", "--hands", "2000", "--json")

    def points() -> list[float]:
        done = subprocess.run(
            [*COMMAND, *words], env={**os.environ, **environment}, cwd=tmp_path,
            capture_output=True, check=True,
        )  # fmt: skip
        shares: list[float] = json.loads(done.stdout)["points"]
        return shares

    before = points()
    assert points() == before
    scoring = tmp_path / "schmier_sim" / "engine" / "scoring.py"
    source = scoring.read_text("utf-8")
    scoring.write_text(source.replace("return lowest_bit(level)", "return -1"), "utf-8")
    assert points()[6] == 0 < before[6]  # nobody scores game any more
    scoring.write_text(source, "utf-8")
    assert points() == before
