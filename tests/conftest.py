"""What holds for all tests."""

from __future__ import annotations

from contextlib import nullcontext

import pytest


@pytest.fixture(autouse=True)
def no_word_of_compiling(monkeypatch: pytest.MonkeyPatch) -> None:
    """A command in a test's own process does not tell what it compiles: it depends on the cache."""
    monkeypatch.setattr("schmier_sim.cli.run.compiling_told", nullcontext)
