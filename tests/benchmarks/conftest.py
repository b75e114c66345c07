"""Hands a second, after the table of times."""

from __future__ import annotations

from typing import Any


def pytest_terminal_summary(terminalreporter: Any, config: Any) -> None:
    """Tell how many hands each benchmark played in a second."""
    session = getattr(config, "_benchmarksession", None)
    for each in session.benchmarks if session else []:
        speed = each.extra_info.get("hands_per_second")
        if speed:
            terminalreporter.write_line(f"{speed:14,.0f} hands a second  {each.name}")
