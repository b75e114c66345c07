"""Where compiled code is kept: found again, never stale, never another's, and not needed."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest

import schmier_sim
from schmier_sim import _jit

PACKAGE = Path(schmier_sim.__file__).parent
TWICE = "from schmier_sim._jit import kernel\n\n\n@kernel\ndef twice(x):\n    return x + x\n"
PARTS = """
from schmier_sim._jit import inlined_kernel, kernel, part_kernel

@part_kernel
def part(x):
    return x + x

@inlined_kernel
def inlined(x):
    return part(x) + part(2)

@kernel
def whole(x):
    return inlined(x) + inlined(3)
"""
COUNT = """
from parts import inlined, part, whole
print(whole(1), part(1), len(part.overloads), len(inlined.overloads))
"""
ASK = """
import sys
from schmier_sim._jit import cache_directory
from twice import twice
answer = twice(float(sys.argv[1]) if "." in sys.argv[1] else int(sys.argv[1]))
print(answer, sum(twice.stats.cache_hits.values()), cache_directory())
"""
# The first process to write has read the index, and waits for the other one to be done.
SLOW = """
import os, time
from pathlib import Path
from numba.core.caching import IndexDataCacheFile
fast = IndexDataCacheFile._save_index
def slow(self, overloads):
    Path("waits").touch()
    until = time.monotonic() + 3
    while not Path("done").exists() and time.monotonic() < until:
        time.sleep(0.02)
    fast(self, overloads)
IndexDataCacheFile._save_index = slow
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A directory with one small kernel, to work in."""
    folder = tmp_path / "here"
    folder.mkdir()
    (folder / "twice.py").write_text(TWICE)
    return folder


def begun(code: str, number: str, folder: Path, **environment: str) -> subprocess.Popen[str]:
    """Start a process that asks the kernel, with the JIT, in an environment of its own."""
    left_out = {"HOME", "XDG_CACHE_HOME", "LOCALAPPDATA", "NUMBA_CACHE_DIR"}
    kept = {key: value for key, value in os.environ.items() if key not in left_out}
    path = os.pathsep.join([str(folder), environment.pop("FIRST", str(PACKAGE.parent))])
    own = {"TMPDIR": str(folder.parent), "NUMBA_DISABLE_JIT": "0", "PYTHONPATH": path}
    return subprocess.Popen(
        [sys.executable, "-B", "-c", code, number], cwd=folder, text=True,
        env={**kept, **own, **environment}, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    )  # fmt: skip


def ended(running: subprocess.Popen[str]) -> tuple[str, int, Path | None]:
    """Return the answer, how much was found in the cache, and where that is."""
    out, err = running.communicate(timeout=120)
    assert (running.returncode, err) == (0, "")
    answer, hits, directory = out.strip().split(" ", 2)
    return answer, int(hits), None if directory == "None" else Path(directory)


def asked(number: str, folder: Path, **environment: str) -> tuple[str, int, Path | None]:
    return ended(begun(ASK, number, folder, **environment))


def test_the_next_process_compiles_nothing(folder: Path) -> None:
    cache = str(folder.parent / "cache")
    assert asked("4", folder, NUMBA_CACHE_DIR=cache)[:2] == ("8", 0)
    assert asked("5", folder, NUMBA_CACHE_DIR=cache)[:2] == ("10", 1)


def test_an_integer_that_is_written_out_is_one_like_others(folder: Path) -> None:
    """Each function is compiled once, whether it is asked for 2 or for x."""
    (folder / "parts.py").write_text(PARTS)
    out, err = begun(COUNT, "", folder).communicate()
    assert out.split() == ["16", "2", "1", "1"], err


def test_two_processes_do_not_take_each_others_code(folder: Path) -> None:
    """Both write the first code of one kernel at the same time, for different types."""
    cache = str(folder.parent / "cache")
    first = begun(SLOW + ASK, "4", folder, NUMBA_CACHE_DIR=cache)
    while not (folder / "waits").exists() and first.poll() is None:
        time.sleep(0.02)
    second = begun(ASK, "0.25", folder, NUMBA_CACHE_DIR=cache)
    assert ended(second)[0] == "0.5"
    (folder / "done").touch()
    assert ended(first)[0] == "8"
    assert asked("0.25", folder, NUMBA_CACHE_DIR=cache)[:2] == ("0.5", 1)
    assert asked("4", folder, NUMBA_CACHE_DIR=cache)[:2] == ("8", 1)


def test_a_full_disk_is_no_reason_to_fail(folder: Path) -> None:
    full = (
        "import errno\nfrom numba.core.caching import IndexDataCacheFile\n"
        "def save(*_):\n    raise OSError(errno.ENOSPC, 'full')\nIndexDataCacheFile.save = save\n"
    )
    running = begun(full + ASK, "4", folder, NUMBA_CACHE_DIR=str(folder.parent / "cache"))
    assert ended(running)[:2] == ("8", 0)


def test_an_edit_of_any_file_changes_the_directory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Tables too, for their numbers are constants of compiled code."""
    copy = shutil.copytree(PACKAGE, tmp_path / "schmier_sim")
    monkeypatch.setattr(_jit, "__file__", str(copy / "_jit.py"))
    digest = _jit.sources_digest.__wrapped__
    files = [path for path in copy.rglob("*") if path.suffix in (".py", ".csv")]
    assert digest() == _jit.sources_digest()
    seen = {digest()}
    for done, path in enumerate(files, 1):
        path.write_bytes(path.read_bytes() + b"\n")
        seen.add(digest())
        assert len(seen) == done + 1, path
    assert {path.suffix for path in files} == {".py", ".csv"}


def test_a_package_that_cannot_be_written_into(folder: Path) -> None:
    """Nothing is put beside the sources, whoever may do so."""
    copy = shutil.copytree(
        PACKAGE, folder.parent / "installed" / "schmier_sim",
        ignore=shutil.ignore_patterns("__pycache__"),
    )  # fmt: skip
    paths = [copy, *copy.rglob("*")]
    for path in paths:
        path.chmod(0o555 if path.is_dir() else 0o444)
    try:
        answer, _, directory = asked("4", folder, FIRST=str(copy.parent), HOME=str(folder))
        assert answer == "8"
        assert directory is not None
        assert directory.is_relative_to(folder / ".cache" / "schmier_sim")
        assert [copy, *copy.rglob("*")] == paths
    finally:
        for path in paths:
            path.chmod(0o755)


HOMES = {
    "that does not exist": {"HOME": "{0}/nowhere"},
    "that is a file": {"HOME": "{0}/file"},
    "that is relative": {"HOME": "twice.py"},
    "that is empty": {"HOME": ""},
    "where no cache can be": {"HOME": "{0}", "XDG_CACHE_HOME": "{0}/file/below"},
}


@pytest.mark.skipif(not hasattr(os, "getuid"), reason="homes of another kind")
@pytest.mark.parametrize("case", [*HOMES, "not told, of nobody known"])
def test_a_home(case: str, folder: Path) -> None:
    """Compiled code goes to the directory for temporary files, and no home is made up."""
    (folder.parent / "file").write_text("")
    code = ASK
    if case not in HOMES:  # as in a container that runs as some number
        code = "import pwd\ndef none(_): raise KeyError\npwd.getpwuid = none\n" + ASK
    told = {key: value.format(folder.parent) for key, value in HOMES.get(case, {}).items()}
    before = set(folder.parent.rglob("*"))
    answer, _, directory = ended(begun(code, "4", folder, **told))
    assert answer == "8"
    assert directory is not None
    made = folder.parent / f"schmier_sim-{os.getuid()}"
    assert directory.parent == made
    assert all(path.is_relative_to(made) for path in set(folder.parent.rglob("*")) - before)


@pytest.mark.skipif(not hasattr(os, "getuid"), reason="no owners of files here")
@pytest.mark.parametrize(("mode", "is_used"), [(0o777, False), (0o1777, True), (0o755, True)])
def test_where_others_can_put_another_directory_nothing_is_kept(
    mode: int, is_used: bool, folder: Path
) -> None:
    shared = folder.parent / "shared"
    shared.mkdir()
    shared.chmod(mode)
    answer, _, directory = asked("4", folder, NUMBA_CACHE_DIR=str(shared))
    assert answer == "8"
    assert (directory is not None) == is_used


def test_two_first_runs_at_the_same_time(tmp_path: Path) -> None:
    """Both answer, and say that they compile; the third finds all of it."""
    environment = {
        **os.environ, "NUMBA_CACHE_DIR": str(tmp_path / "cache"), "NUMBA_DISABLE_JIT": "0",
    }  # fmt: skip
    command = [sys.executable, "-m", "schmier_sim", "deal", "--policy", "random", "--hands", "20"]

    def start() -> subprocess.Popen[str]:
        return subprocess.Popen(
            command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )

    both = [start(), start()]
    answers = [running.communicate(timeout=300) for running in both]
    third = start().communicate(timeout=300)
    assert third[1] == ""
    assert len(third[0].splitlines()) >= 20
    for answer, said in answers:
        assert answer == third[0]
        assert said.startswith("compiling for this machine, once")


DAMAGES = {
    "half": lambda content: content[: len(content) // 2],
    "garbled": lambda content: bytes(byte ^ 0x55 for byte in content),
    "a block of zeros": lambda content: content[:-1500] + bytes(1500),
}
CALLED_BACK = """
import sys, ctypes
import numba
from schmier_sim import _jit
import twice
found = _jit.callback(twice.twice, numba.int64(numba.int64))
print(found.ctypes(int(sys.argv[1])), found.cache_hits, _jit.cache_directory())
"""


@pytest.mark.parametrize("code", [ASK, CALLED_BACK], ids=["kernel", "callback"])
@pytest.mark.parametrize(
    ("kind", "damage"),
    [("nbi", "half"), ("nbi", "garbled"), ("nbc", "half"), ("nbc", "a block of zeros")],
)
def test_damaged_code_is_compiled_anew(kind: str, damage: str, code: str, folder: Path) -> None:
    cache = folder.parent / "cache"
    told = {"NUMBA_CACHE_DIR": str(cache)}
    ended(begun(code, "4", folder, **told))
    kept = [path for path in cache.rglob(f"*.{kind}") if "twice" in path.name]
    assert kept
    for path in kept:
        path.write_bytes(DAMAGES[damage](path.read_bytes()))
    assert ended(begun(code, "5", folder, **told))[:2] == ("10", 0)
    assert ended(begun(code, "6", folder, **told))[:2] == ("12", 1)


NO_ROOM = """
import errno
from numba.core.caching import IndexDataCacheFile, UserProvidedCacheLocator
def refuse(*_):
    raise OSError(errno.ENOSPC, "full")
"""


@pytest.mark.parametrize("code", [ASK, CALLED_BACK], ids=["kernel", "callback"])
@pytest.mark.parametrize(
    "place", ["IndexDataCacheFile._save_index", "UserProvidedCacheLocator.ensure_cache_path"]
)
def test_no_room_for_code_or_its_directory(place: str, code: str, folder: Path) -> None:
    full = f"{NO_ROOM}{place} = refuse\n"
    told = {"NUMBA_CACHE_DIR": str(folder.parent / "cache")}
    assert ended(begun(full + code, "4", folder, **told))[:2] == ("8", 0)
