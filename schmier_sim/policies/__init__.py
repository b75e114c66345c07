"""Policies: how a seat calls, names trumps, discards and plays. See ``docs/policies.md``."""

from schmier_sim.policies.base import Policy, policy

__all__ = ["Policy", "policy"]
