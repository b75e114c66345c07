"""A digest of what the built-in players do in a fixed batch: it changes if a count of it does.

It depends on the rules, the engine, the random numbers and the players alone: not on threads,
chunks, machine or the format of any file.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from typing import Final

from schmier_sim.policies import registry
from schmier_sim.rules import Rules
from schmier_sim.simulate import AUCTION, BIDDER, CHUNK, Experiment, run
from schmier_sim.tally import Tally

SEED: Final = 1
HANDS: Final[Mapping[str, int]] = {AUCTION: 2_000, BIDDER: 2_400}
RULES: Final = (
    Rules(),
    Rules(
        min_bid=2, all_pass="stick_dealer", dealer_steal=True, rest_to="bidder",
        trump_anytime=True, low="taker", game_tie="bidder",
    ),
)  # fmt: skip


def signature(jobs: int = 1, chunk: int = CHUNK, share: int = 1) -> dict[str, str]:
    """Return a digest for every built-in policy, by name.

    Parameters
    ----------
    share : int
        Play one in so many of the `HANDS` (of each kind the first ones).
    """
    return {name: _of_policy(name, jobs, chunk, share) for name in registry.names()}


def of_all(digests: Mapping[str, str]) -> str:
    """Return one digest of the digests of all policies."""
    lines = "".join(f"{name} {digest}\n" for name, digest in sorted(digests.items()))
    return hashlib.sha256(lines.encode()).hexdigest()


def digest_of(tally: Tally, title: str) -> bytes:
    """Return the digest of a tally's counts with their shapes and names, under a title."""
    digest = hashlib.sha256(f"{title}\n".encode())
    for name in ("cells", "totals"):
        counts = getattr(tally, name)
        digest.update(f"{name} {'x'.join(map(str, counts.shape))}\n".encode())
        digest.update(counts.astype("<i8").tobytes())
    return digest.digest()


def _of_policy(name: str, jobs: int, chunk: int, share: int) -> str:
    players = (registry.find(name),) * 6
    digest = hashlib.sha256()
    for rules in RULES:
        for kind, hands in HANDS.items():
            experiment = Experiment.at_one_table(kind, players, rules, SEED)
            stop = hands // share
            tally = run(experiment, 0, stop, jobs, chunk=chunk)
            title = f"{kind}; {rules.describe()}; seed {SEED}; hands 0 to {stop}"
            digest.update(digest_of(tally, title))
    return digest.hexdigest()
