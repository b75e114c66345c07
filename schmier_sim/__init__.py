"""Monte Carlo strategy analyzer for the six-handed card game Schmier.

For analysts: ``play_batch`` plays arrays of deals, `Rules` are the rules of a table,
``find_policy`` returns a player. Everything else is documented in its module.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from schmier_sim._version import __version__

if TYPE_CHECKING:
    from schmier_sim.engine.batch import Batch, play_batch
    from schmier_sim.policies.registry import find as find_policy
    from schmier_sim.rules import Rules

__all__ = ["Batch", "Rules", "__version__", "find_policy", "play_batch"]

_WHERE = {
    "Batch": ("schmier_sim.engine.batch", "Batch"),
    "play_batch": ("schmier_sim.engine.batch", "play_batch"),
    "find_policy": ("schmier_sim.policies.registry", "find"),
    "Rules": ("schmier_sim.rules", "Rules"),
}


def __getattr__(name: str) -> Any:
    """Import what is public on first use, so that importing the package costs nothing."""
    if name not in _WHERE:
        raise AttributeError(f"module 'schmier_sim' has no attribute {name!r}")
    module, attribute = _WHERE[name]
    return getattr(import_module(module), attribute)
