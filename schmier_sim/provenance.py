"""Where a result comes from: version, commit, rules, players, seed, hands, machine."""

from __future__ import annotations

import platform
import subprocess
from functools import cache
from pathlib import Path
from typing import Any

from schmier_sim._version import __version__


@cache
def commit() -> str | None:
    """Return the commit of the clone that runs, ``+changes`` if it is not clean; else None."""
    root = Path(__file__).resolve().parent.parent
    if not (root / ".git").exists():
        return None
    try:
        head = _git(root, "rev-parse", "HEAD")
        return head + ("+changes" if _git(root, "status", "--porcelain", "-uno") else "")
    except (OSError, subprocess.SubprocessError):
        return None


def _git(root: Path, *words: str) -> str:
    done = subprocess.run(
        ["git", "-C", str(root), *words], capture_output=True, text=True, check=True, timeout=5
    )
    return done.stdout.strip()


@cache
def machine() -> dict[str, str]:
    """Return what is known of the machine and the libraries that matter for the numbers."""
    import numba
    import numpy as np

    return {
        "system": platform.system(),
        "processor": platform.machine(),
        "python": platform.python_version(),
        "numba": numba.__version__,
        "numpy": np.__version__,
    }


def provenance(**facts: Any) -> dict[str, Any]:
    """Return the facts that travel with an output, after those of the program and machine."""
    from schmier_sim._jit import sources_digest

    return {
        "program": "schmier-sim",
        "version": __version__,
        "commit": commit(),
        "sources": sources_digest(),
        **facts,
        "machine": machine(),
    }
