"""Batches of adjoining ranges of one run, put together to the batch of the whole range."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any, Final, NamedTuple

from schmier_sim import batches
from schmier_sim.batches import StoredBatch
from schmier_sim.errors import InputError
from schmier_sim.tally import Tally

_OF_THE_RANGE: Final = {"start", "stop", "tally", "sha256"}
_OF_THE_PLACE: Final = {"version", "commit", "machine"}
"""May differ: the counts follow from the sources, which may not."""


class _Part(NamedTuple):
    start: int
    stop: int
    directory: Path
    facts: Mapping[str, Any]


def merged(directories: Sequence[Path]) -> StoredBatch:
    """Return the batch that one run over the ranges of all these would have given.

    Version, commit and machine are those of the last range, as if that run had gone on from the
    others. Batches are read one at a time.

    Raises
    ------
    InputError
        If one is damaged or there twice, if they are not of one run, or if their ranges, in any
        order, overlap or leave a gap.
    """
    _check_twice(directories)
    parts = [_part(directory) for directory in directories]
    for part in parts[1:]:
        _check_same_run(parts[0], part)
    parts.sort(key=lambda part: (part.start, part.stop))
    full = [part for part in parts if part.start < part.stop] or parts[:1]
    _check_adjoining(full)
    total = Tally.empty()
    for part in parts:
        total.add(_read_again(part))
    facts = {**full[-1].facts, "start": full[0].start}
    return StoredBatch(facts, total)


def numbers(start: int, stop: int) -> str:
    """Return a range of hands in words, the last one included."""
    if stop - start == 1:
        return f"hand {start:,}"
    return f"hands {start:,} to {stop - 1:,}" if stop > start else "no hands"


def _part(directory: Path) -> _Part:
    facts = batches.load_facts(directory)
    return _Part(facts["start"], facts["stop"], directory, facts)


def _read_again(part: _Part) -> Tally:
    batch = batches.load(part.directory)
    if batch.facts != part.facts:
        raise InputError(f"{part.directory}: another run writes to this directory")
    return batch.tally


def _check_twice(directories: Sequence[Path]) -> None:
    seen: set[Path] = set()
    for directory in directories:
        if directory.resolve() in seen:
            raise InputError(f"{directory} is there twice; its hands would count double")
        seen.add(directory.resolve())


def _check_same_run(one: _Part, other: _Part) -> None:
    for name in sorted({*one.facts, *other.facts} - _OF_THE_RANGE - _OF_THE_PLACE):
        mine, its = (json.dumps(part.facts.get(name)) for part in (one, other))
        if mine != its:
            raise InputError(
                f"{one.directory} and {other.directory} are not of one run: "
                f"{name} is {mine} and {its}"
            )


def _check_adjoining(parts: Sequence[_Part]) -> None:
    """Raise InputError unless each of these, in their order, begins where the last one ends."""
    missing = []
    for one, other in pairwise(parts):
        if other.start < one.stop:
            shared = numbers(other.start, min(one.stop, other.stop))
            raise InputError(f"{one.directory} and {other.directory} both have {shared}")
        if other.start > one.stop:
            missing.append(numbers(one.stop, other.start))
    if missing:
        raise InputError(f"the batches do not adjoin; missing: {', '.join(missing)}")
