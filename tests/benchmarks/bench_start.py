"""The whole program, from its start to its end, when everything is compiled already."""

from __future__ import annotations

import subprocess
import sys
from typing import Any

from benchmarks.measuring import measure

DEALS = 20_000


def started(*words: str) -> None:
    """Run the program; it must end well."""
    command = [sys.executable, "-m", "schmier_sim", *words]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)


def test_start_of_help(benchmark: Any) -> None:
    measure(benchmark, lambda: started("--help"), 0)


def test_start_of_advise(benchmark: Any) -> None:
    words = ("advise", "AS KS JS JC 2S 4H", "--hands", str(DEALS), "--jobs", "1")
    measure(benchmark, lambda: started(*words), DEALS)
