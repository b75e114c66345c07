"""The default player's functions, for plug-ins that change only a part of him.

Each takes a view and answers as he does, in compiled code too::

    from schmier_sim.policies.default import play as default_play
"""

from __future__ import annotations

from schmier_sim.policies.registry import default

call, trump, discard, play = default().functions
