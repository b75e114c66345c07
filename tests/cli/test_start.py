"""What only tells or explains needs no compiler, and starts at once."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from schmier_sim.cli.main import COMMANDS
from schmier_sim.policies import registry
from schmier_sim.policies.catalogue import BUILT_IN

WITHOUT = """
import runpy, sys
for name in sys.argv[1].split():
    sys.modules[name] = None  # an import of it fails
sys.argv = ["schmier-sim", *sys.argv[2:]]
runpy.run_module("schmier_sim", run_name="__main__")
"""
FRAMES = "pandas matplotlib rich"
HEAVY = f"{FRAMES} numba llvmlite numpy scipy"


def without(modules: str, *words: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", WITHOUT, modules, *words]
    return subprocess.run(command, capture_output=True, text=True, check=False)


TELLS = [
    ("--help",),
    ("--version",),
    *((command, "--help") for command in COMMANDS),
    ("rules",),
    ("rules", "--json", "--rule", "low=taker"),
    ("policies",),
    ("policies", "--json"),
    ("policies", "plain", "random"),
    ("nosuch",),
    ("rules", "--rule", "low=nosuch"),
]


@pytest.mark.parametrize("words", TELLS, ids=" ".join)
def test_no_heavy_library_is_loaded(words: tuple[str, ...]) -> None:
    done = without(HEAVY, *words)
    is_wrong = words[-1].endswith("nosuch")
    assert done.returncode == (2 if is_wrong else 0), done.stderr
    assert "internal error" not in done.stderr
    assert bool(done.stdout) != is_wrong


def test_the_list_says_what_the_players_are() -> None:
    listed = json.loads(without(HEAVY, "policies", "--json").stdout)
    assert [each["name"] for each in listed] == registry.names() == sorted(BUILT_IN)
    for facts in listed:
        player = registry.find(facts["name"])
        assert facts == {
            "name": player.name, "summary": player.summary, "uses_bid": player.uses_bid,
            "parameters": dict(player.parameters),
        }  # fmt: skip


@pytest.mark.parametrize(
    "words",
    [
        ("advise", "AS KS JS JC 2S JO", "--hands", "12"),
        ("advise", "AS KS JS JC 2S JO", "--hands", "12", "--json"),
        ("deal", "--policy", "random"),
        ("bench", "--policy", "random", "--hands", "12"),
        ("doctor",),
    ],
    ids=" ".join,
)
def test_what_answers_in_words_draws_and_groups_nothing(words: tuple[str, ...]) -> None:
    modules = FRAMES + (" schmier_sim.records" if words[0] in ("advise", "bench") else "")
    done = without(modules, *words)
    assert done.returncode == 0, done.stderr
    assert done.stdout
