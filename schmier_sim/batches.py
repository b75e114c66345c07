"""A batch on disk: a directory with ``batch.json`` and the tally that it names.

``batch.json`` is written last and names the tally file with its digest, so that an interrupted
write leaves the state before.
"""

from __future__ import annotations

import hashlib
import json
import zipfile
import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from re import fullmatch
from types import NoneType
from typing import Any, Final

import numpy as np

from schmier_sim import strict_json
from schmier_sim.errors import InputError
from schmier_sim.files import replacing
from schmier_sim.locks import alone_in
from schmier_sim.rng import MAX_SEED
from schmier_sim.rules import Rules
from schmier_sim.simulate import EXPERIMENTS
from schmier_sim.tally import SHAPE, TOTALS, Tally

FORMAT: Final = "schmier-batch/1"
INDEX: Final = "batch.json"
_TALLY_NAME: Final = r"tally-[0-9]+(-[0-9a-f]{12})?\.npz"
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
    def start(self) -> int:
        """The first hand counted."""
        return int(self.facts["start"])

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


def save(directory: Path, batch: StoredBatch, before: bytes | None) -> bytes:
    """Write a batch; what was there before stays until all is written.

    Parameters
    ----------
    before : bytes or None
        The index that this run found or wrote last (see `index_bytes`).

    Returns
    -------
    bytes
        The index now, to be given to the next call.

    Raises
    ------
    InputError
        If the index is not that one: another run writes to the same directory. Or if a file
        cannot be written.
    """
    file = BytesIO()
    np.savez_compressed(file, cells=batch.tally.cells, totals=batch.tally.totals)
    content = file.getvalue()
    name = f"tally-{batch.stop}.npz"
    beside = f"tally-{batch.stop}-{hashlib.sha256(content).hexdigest()[:12]}.npz"
    with alone_in(directory):
        if index_bytes(directory) != before:
            raise InputError(f"{directory}: another run writes to this directory")
        old = _tally_named_by(before)
        if (directory / name).exists() and not _holds(directory / name, content):
            if name != old:
                name = beside  # somebody else's file stays
            else:  # is not overwritten while the index names it
                _put(directory, batch.facts, (beside, content), old)
                old = beside
        return _put(directory, batch.facts, (name, content), old)


def _holds(path: Path, content: bytes) -> bool:
    """Whether a file has just this content, as one that a killed run has written."""
    try:
        return path.read_bytes() == content
    except OSError:
        return False


def _put(
    directory: Path, facts: Mapping[str, Any], file: tuple[str, bytes], old: str | None
) -> bytes:
    """Write a tally file, then the index that names it; then remove the old tally file."""
    name, content = file
    is_new = not _holds(directory / name, content)
    if is_new:
        with replacing(directory / name) as path:
            path.write_bytes(content)
    named = {"tally": name, "sha256": hashlib.sha256(content).hexdigest()}
    index = (json.dumps({**facts, **named}, indent=1) + "\n").encode()
    try:
        with replacing(directory / INDEX) as path:
            path.write_bytes(index)
    except InputError:
        if is_new and name != old:
            (directory / name).unlink(missing_ok=True)
        raise
    if old is not None and old != name:
        (directory / old).unlink(missing_ok=True)
    return index


def index_bytes(directory: Path) -> bytes | None:
    """Return the index of a batch as it stands on disk, None if there is none."""
    try:
        return (directory / INDEX).read_bytes()
    except OSError:
        return None


def sweep(directory: Path) -> None:
    """Remove what a run that was killed left half-written."""
    with alone_in(directory):  # nobody is writing just now
        for pattern in (".tally-*.npz.*.tmp.npz", f".{INDEX}.*.tmp.json"):
            for path in directory.glob(pattern):
                path.unlink(missing_ok=True)


def _tally_named_by(index: bytes | None) -> str | None:
    """Return the tally file that an index names, None if it is no index of ours."""
    try:
        facts = strict_json.read(index or b"")
    except ValueError:
        return None
    if not isinstance(facts, dict) or facts.get("format") != FORMAT:
        return None
    name = facts.get("tally")
    return name if isinstance(name, str) and fullmatch(_TALLY_NAME, name) else None


def load(directory: Path) -> StoredBatch:
    """Read a batch.

    Raises
    ------
    InputError
        If there is none, or it is damaged.
    """
    with alone_in(directory):  # the tally is still the one that the index names
        facts = load_facts(directory)
        return StoredBatch(facts, _load_tally(directory, facts))


def load_facts(directory: Path) -> dict[str, Any]:
    """Read what a batch is a tally of, and not the tally.

    Raises
    ------
    InputError
        If there is no batch, or its index is damaged.
    """
    index = directory / INDEX
    try:
        facts = strict_json.read(index.read_bytes())
    except OSError as error:
        raise InputError(
            f"{directory} holds no batch ({INDEX}: {error.strerror}); "
            "`schmier-sim simulate` makes one"
        ) from error
    except ValueError as error:
        raise InputError(f"{index} is damaged: {str(error)[:80]}") from error
    if not isinstance(facts, dict) or facts.get("format") != FORMAT:
        raise InputError(f"{index} is no {FORMAT} batch")
    _check_facts(index, facts)
    return facts


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
    if (
        not isinstance(facts.get("commit", 0), (str, NoneType))
        or not 0 <= facts["seed"] <= MAX_SEED
    ):
        raise InputError(f"{index} is damaged: commit or seed is no such thing")
    if not 0 <= facts["start"] <= facts["stop"]:
        raise InputError(f"{index} is damaged: hands {facts['start']} to {facts['stop']}")


def _load_tally(directory: Path, facts: Mapping[str, Any]) -> Tally:
    path = directory / str(facts["tally"])
    if not fullmatch(_TALLY_NAME, path.name) or path.parent != directory:
        raise InputError(f"{directory / INDEX} is damaged: tally is {str(facts['tally'])[:40]!r}")
    try:
        content = path.read_bytes()
        if hashlib.sha256(content).hexdigest() != facts.get("sha256"):
            raise InputError(f"{path} is damaged: it is not the file that {INDEX} speaks of")
        with np.load(BytesIO(content), allow_pickle=False) as arrays:
            tally = Tally(arrays["cells"], arrays["totals"])
    except (
        OSError,
        KeyError,
        ValueError,
        EOFError,
        TypeError,
        RuntimeError,  # encrypted, or packed as zipfile cannot unpack
        zipfile.BadZipFile,
        zlib.error,
    ) as error:
        raise InputError(f"{path} cannot be read: {str(error)[:80]}") from error
    _check_tally(path, tally, facts)
    return tally


def _check_tally(path: Path, tally: Tally, facts: Mapping[str, Any]) -> None:
    """Raise InputError unless the counts are counts, and of as many hands as the index says."""
    arrays = ((tally.cells, SHAPE), (tally.totals, (len(TOTALS),)))
    if any(array.shape != shape or array.dtype != np.int64 for array, shape in arrays):
        raise InputError(f"{path} is damaged: wrong shape or type")
    hands = tally.total("hands")
    if (
        tally.cells.min() < 0
        or tally.cells.max() > hands
        or tally.totals[:3].min() < 0
        or tally.cells.sum() != hands
        or hands + tally.total("unfinished") != facts["stop"] - facts["start"]
    ):
        raise InputError(f"{path} is damaged: its counts are not those of {INDEX}")
