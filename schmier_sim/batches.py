"""A batch on disk: a directory with ``batch.json`` and the tally that it names.

``batch.json`` is written last and names the tally file with its digest, so that an interrupted
write leaves the state before.
"""

from __future__ import annotations

import hashlib
import json
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np

from schmier_sim.errors import InputError
from schmier_sim.files import replacing
from schmier_sim.rules import Rules
from schmier_sim.simulate import EXPERIMENTS
from schmier_sim.tally import SHAPE, TOTALS, Tally

FORMAT: Final = "schmier-batch/1"
INDEX: Final = "batch.json"
_FIXED: Final = ("format", "experiment", "rules", "policies", "seed", "start", "sources")


@dataclass(frozen=True)
class StoredBatch:
    """A tally and what it is a tally of.

    Attributes
    ----------
    facts : dict
        Provenance: ``format experiment rules policies seed start stop sources ...``.
    tally : Tally
        Of the hands from ``start`` up to ``stop``.
    """

    facts: Mapping[str, Any]
    tally: Tally

    @property
    def stop(self) -> int:
        """The hand after the last one counted."""
        return int(self.facts["stop"])

    def check_same_run(self, facts: Mapping[str, Any]) -> None:
        """Raise InputError unless a run with these facts may go on from here."""
        for name in _FIXED:
            if self.facts.get(name) != facts.get(name):
                raise InputError(
                    f"--resume: the batch there has {name} {json.dumps(self.facts.get(name))}, "
                    f"not {json.dumps(facts.get(name))}"
                )


def save(directory: Path, batch: StoredBatch) -> None:
    """Write a batch; what was there before stays until all is written."""
    name = f"tally-{batch.stop}.npz"
    with replacing(directory / name) as path:
        np.savez_compressed(path, cells=batch.tally.cells, totals=batch.tally.totals)
    digest = hashlib.sha256((directory / name).read_bytes()).hexdigest()
    facts = {**batch.facts, "tally": name, "sha256": digest}
    with replacing(directory / INDEX) as path:
        path.write_text(json.dumps(facts, indent=1) + "\n", "utf-8")
    for old in directory.glob("tally-*.npz"):
        if old.name != name:
            old.unlink(missing_ok=True)


def load(directory: Path) -> StoredBatch:
    """Read a batch.

    Raises
    ------
    InputError
        If there is none, or it is damaged.
    """
    index = directory / INDEX
    try:
        facts = json.loads(index.read_text("utf-8"))
    except OSError as error:
        raise InputError(
            f"{directory} holds no batch ({INDEX}: {error.strerror}); "
            "`schmier-sim simulate` makes one"
        ) from error
    except ValueError as error:
        raise InputError(f"{index} is damaged: {error}") from error
    if not isinstance(facts, dict) or facts.get("format") != FORMAT:
        raise InputError(f"{index} is no {FORMAT} batch")
    _check_facts(index, facts)
    return StoredBatch(facts, _load_tally(directory, facts))


_KINDS: Final[Mapping[str, type]] = {
    "experiment": str, "levels": list, "plays_by_level": bool, "rules": dict, "policies": list,
    "seed": int, "start": int, "stop": int, "sources": str, "version": str, "tally": str,
}  # fmt: skip


def _check_facts(index: Path, facts: Mapping[str, Any]) -> None:
    """Raise InputError unless everything that readers rely on is there, and of its kind."""
    for name, kind in _KINDS.items():
        if type(facts.get(name)) is not kind:
            raise InputError(f"{index} is damaged: {name} is {json.dumps(facts.get(name))[:40]}")
    if facts["experiment"] not in EXPERIMENTS:
        raise InputError(f"{index} is damaged: experiment is {facts['experiment']!r}")
    try:
        rules = Rules.of(facts["rules"])
    except InputError as error:
        raise InputError(f"{index} is damaged: {error}") from error
    if facts["levels"] != [rules.min_bid, rules.max_bid] or not facts["policies"]:
        raise InputError(f"{index} is damaged: levels or policies do not fit the rules")
    if not all(isinstance(name, str) for name in facts["policies"]):
        raise InputError(f"{index} is damaged: policies are no names")
    if not 0 <= facts["start"] <= facts["stop"]:
        raise InputError(f"{index} is damaged: hands {facts['start']} to {facts['stop']}")


def _load_tally(directory: Path, facts: Mapping[str, Any]) -> Tally:
    path = directory / Path(str(facts.get("tally"))).name
    try:
        if hashlib.sha256(path.read_bytes()).hexdigest() != facts.get("sha256"):
            raise InputError(f"{path} is damaged: it is not the file that {INDEX} speaks of")
        with np.load(path, allow_pickle=False) as arrays:
            tally = Tally(arrays["cells"], arrays["totals"])
    except (OSError, KeyError, ValueError, zipfile.BadZipFile) as error:
        raise InputError(f"{path} cannot be read: {error}") from error
    if tally.cells.shape != SHAPE or tally.totals.shape != (len(TOTALS),):
        raise InputError(f"{path} is damaged: wrong shape")
    return tally
