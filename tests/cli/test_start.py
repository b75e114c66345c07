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
for name in ("numba", "llvmlite", "numpy", "pandas", "matplotlib", "scipy"):
    sys.modules[name] = None  # an import of it fails
sys.argv = ["schmier-sim", *sys.argv[1:]]
runpy.run_module("schmier_sim", run_name="__main__")
"""


def without_libraries(*words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", WITHOUT, *words], capture_output=True, text=True, check=False
    )


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
    done = without_libraries(*words)
    is_wrong = words[-1].endswith("nosuch")
    assert done.returncode == (2 if is_wrong else 0), done.stderr
    assert "internal error" not in done.stderr
    assert bool(done.stdout) != is_wrong


def test_the_list_says_what_the_players_are() -> None:
    listed = json.loads(without_libraries("policies", "--json").stdout)
    assert [each["name"] for each in listed] == registry.names() == sorted(BUILT_IN)
    for facts in listed:
        player = registry.find(facts["name"])
        assert facts == {
            "name": player.name, "summary": player.summary, "uses_bid": player.uses_bid,
            "parameters": dict(player.parameters),
        }  # fmt: skip
