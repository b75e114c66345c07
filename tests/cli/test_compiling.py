"""A first run says that it compiles; what is found in the cache is not spoken of."""

from __future__ import annotations

import io
import os
import subprocess
import sys
import threading
from pathlib import Path
from types import ModuleType

import click
import pytest

from schmier_sim.cli import output
from schmier_sim.cli.compiling import Notice
from schmier_sim.cli.main import main

# Compiles one small kernel of the package, in a thread as commands do, under a command's notice.
SMALL = """
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from schmier_sim.cli.compiling import compiling_told
from schmier_sim.cli.main import main
with main.make_context("schmier-sim", ["rules"]) as context:
    context.meta["quiet"] = "--quiet" in sys.argv
    with compiling_told(context), ThreadPoolExecutor(1) as pool:
        from schmier_sim.rng import mix
        print(pool.submit(mix, 1).result())
"""
FIRST = "compiling for this machine, once (about 15 s)\n"
MORE = "compiling for this machine, once\n"


def small(cache: Path, *words: str, code: str = SMALL) -> tuple[str, str]:
    """Run with the JIT, whatever these tests run with; return what is said and noted."""
    done = subprocess.run(
        [sys.executable, "-c", code, *words], capture_output=True, text=True, check=True,
        env={**os.environ, "NUMBA_CACHE_DIR": str(cache), "NUMBA_DISABLE_JIT": "0"},
    )  # fmt: skip
    return done.stdout, done.stderr


def test_the_first_process_says_so_and_the_next_one_compiles_nothing(tmp_path: Path) -> None:
    answer, said = small(tmp_path)
    assert said == FIRST
    assert small(tmp_path) == (answer, "")
    other = SMALL.replace("import mix", "import absorb as mix").replace("mix, 1", "mix, 1, 2")
    assert small(tmp_path, code=other)[1] == MORE


def test_quiet_says_nothing(tmp_path: Path) -> None:
    assert small(tmp_path, "--quiet") == (small(tmp_path)[0], "")


def test_code_that_cannot_be_kept_is_not_called_compiled_once(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    said = small(tmp_path / "file" / "below")[1]
    assert said == "compiling; it cannot be kept, see `schmier-sim doctor`\n"


# --- On a terminal --------------------------------------------------------------------------------

OWN, GUEST = "schmier_sim.engine.hand", "schmier_sim_plugin_test"


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True

    @property
    def screen(self) -> list[str]:
        """The lines that are to be seen: what follows a return writes over what is there."""
        lines = []
        for line in self.getvalue().split("\n"):
            shown = ""
            for part in line.split("\r"):
                shown = part + shown[len(part) :]
            lines.append(shown.rstrip())
        return lines


class Clock:
    now = 0.0

    def monotonic(self) -> float:
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    clock = Clock()
    monkeypatch.setattr("schmier_sim.cli.compiling.time", clock)
    return clock


@pytest.fixture
def terminal(monkeypatch: pytest.MonkeyPatch) -> Terminal:
    """A terminal on which nothing is drawn but when the test says so."""
    terminal = Terminal()
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setattr("schmier_sim.cli.compiling._EVERY", 3600.0)
    monkeypatch.setattr("schmier_sim.cli.compiling._first_line", lambda: "compiling, once")
    return terminal


def notice(stderr: Terminal, monkeypatch: pytest.MonkeyPatch, *, quiet: bool = False) -> Notice:
    monkeypatch.setattr(sys, "stderr", stderr)
    context = click.Context(main)
    context.meta["quiet"] = quiet
    return Notice(context)


def test_seconds_run_on_a_terminal_and_go_away(
    terminal: Terminal, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    told = notice(terminal, monkeypatch)
    told.started(OWN)
    told.started(OWN)  # a callee
    clock.now = 0.1
    told.draw()
    assert terminal.screen == ["compiling, once", ""]
    clock.now = 12.0
    told.draw()
    assert terminal.screen == ["compiling, once", "compiling 12 s"]
    told.ended()
    told.draw()
    assert terminal.screen == ["compiling, once", "compiling 12 s"]
    told.ended()
    told.draw()
    assert terminal.screen == ["compiling, once", ""]
    clock.now = 100.0
    told.started(OWN)
    clock.now = 101.0
    told.draw()
    assert terminal.screen == ["compiling, once", "compiling 13 s"]
    told.close()
    told.draw()
    assert terminal.screen == ["compiling, once", ""]


def test_the_running_line_is_drawn_by_itself(
    terminal: Terminal, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("schmier_sim.cli.compiling._EVERY", 0.001)
    drawn = threading.Event()
    monkeypatch.setattr("schmier_sim.cli.compiling.show_running", lambda text: text and drawn.set())
    told = notice(terminal, monkeypatch)
    told.started(OWN)
    clock.now = 1.0
    assert drawn.wait(60)
    told.close()


def test_a_player_of_ones_own_leaves_no_line(
    terminal: Terminal, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    module = ModuleType(GUEST)
    module.__file__ = "/somewhere/mine.py"
    monkeypatch.setitem(sys.modules, GUEST, module)
    told = notice(terminal, monkeypatch)
    told.started(GUEST)
    clock.now = 1.0
    told.draw()
    assert terminal.screen == ["compiling mine.py 1 s"]
    told.started("numba.np.arraymath")
    told.ended()
    told.ended()
    assert terminal.screen == [""]
    told.started(GUEST)
    told.started(OWN)  # a helper of ours that it calls
    told.ended()
    told.ended()
    assert terminal.screen == [""]
    told.close()


@pytest.mark.parametrize("term", ["xterm", "dumb"])
def test_nothing_runs_where_it_is_not_wanted(
    term: str, terminal: Terminal, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TERM", term)
    told = notice(terminal, monkeypatch, quiet=term == "xterm")
    told.started(OWN)
    clock.now = 9.0
    told.draw()
    told.ended()
    told.close()
    assert terminal.getvalue() == ("" if term == "xterm" else "compiling, once\n")


def test_a_bar_that_is_there_is_labelled(
    terminal: Terminal, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The line stands above it, and nothing is written into it."""
    monkeypatch.setenv("COLUMNS", "79")
    monkeypatch.setenv("NO_COLOR", "1")
    told = notice(terminal, monkeypatch)
    with output.progress(100, "playing", False):
        bar = output._running.bars[-1]
        told.started(OWN)
        clock.now = 2.0
        told.draw()
        assert [task.description for task in bar.tasks] == ["compiling 2 s"]
        told.ended()
        assert [task.description for task in bar.tasks] == ["playing"]
    told.close()
    assert "compiling, once\n" in terminal.getvalue()
    assert not output._running.bars


def test_a_remark_above_a_bar_is_not_broken_into_lines(
    terminal: Terminal, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever copies the command in it wants one line."""
    monkeypatch.setenv("COLUMNS", "20")
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.setattr(sys, "stderr", terminal)
    with output.progress(100, "playing", False):
        output.note("go on with: schmier-sim simulate --hands 1000000000 --resume")
    assert "simulate --hands 1000000000 --resume" in terminal.getvalue()


def test_a_terminal_without_live_lines_has_no_bar(
    terminal: Terminal, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TERM", "dumb")
    monkeypatch.setattr(sys, "stderr", terminal)
    with output.progress(100, "playing", False) as show:
        show(50)
    assert terminal.getvalue() == ""


def test_nobody_there_to_be_told_is_no_error(clock: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    class Gone(Terminal):
        def write(self, text: str) -> int:
            raise BrokenPipeError

    monkeypatch.setattr("schmier_sim.cli.compiling._first_line", lambda: "compiling, once")
    told = notice(Gone(), monkeypatch)
    told.started(OWN)
    clock.now = 2.0
    told.draw()
    told.ended()
    told.close()
