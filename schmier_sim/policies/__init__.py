"""Policies: how a seat calls, names trumps, discards and plays. See ``docs/policies.md``."""

from schmier_sim.policies.base import Policy, policy
from schmier_sim.policies.foreign import kernel

__all__ = ["Policy", "kernel", "policy"]
