"""A process without the JIT that is asked what a plug-in raises: `policies.faults` starts it."""

from __future__ import annotations

import json
import sys

import numpy as np

from schmier_sim.engine.state import VIEW, new_views
from schmier_sim.policies.faults import what_is_raised
from schmier_sim.policies.registry import find


def main() -> None:
    """Read a question on stdin and write what is raised, or nothing, on stdout."""
    question = json.load(sys.stdin)
    record = new_views(1)
    record[0] = np.frombuffer(bytes.fromhex(question["view"]), VIEW)[0]
    raised = what_is_raised(find(question["name"]), question["phase"], record)
    print(" ".join((raised or "").split()))


if __name__ == "__main__":
    main()
