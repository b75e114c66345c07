"""Policies: how a seat calls, names trumps, discards and plays. See ``docs/policies.md``."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from schmier_sim.policies.base import Policy, policy
    from schmier_sim.policies.foreign import kernel

__all__ = ["Policy", "kernel", "policy"]

_WHERE = {
    "Policy": "schmier_sim.policies.base",
    "policy": "schmier_sim.policies.base",
    "kernel": "schmier_sim.policies.foreign",
}


def __getattr__(name: str) -> Any:
    """Import what is public on first use, so that players are listed without a compiler."""
    if name not in _WHERE:
        raise AttributeError(f"module 'schmier_sim.policies' has no attribute {name!r}")
    return getattr(import_module(_WHERE[name]), name)
