"""The checks of one seed, each with its p-value; how many there are sets the limit for each."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Final, NamedTuple

import numpy as np

from randomness import evenness, laws, sources
from randomness.sources import deal, keys
from schmier_sim.cards import N_CARDS
from schmier_sim.engine.state import CALL, DISCARD, PLAY, TRUMP
from schmier_sim.rng import MAX_SEED

FAMILY: Final = 1e-3
"""How often good randomness may fail in any of the checks made together (Bonferroni)."""


class Check(NamedTuple):
    """What was checked, and how likely it is to look so odd or odder by chance."""

    name: str
    p: float


class Size(NamedTuple):
    """How much is drawn: deals of one seed; deals for each kind of neighbours; draws."""

    deals: int
    neighbours: int
    draws: int


def failing(checks: Iterable[Check]) -> list[Check]:
    """Return those of checks made together that fail, so that together they err in `FAMILY`."""
    made = list(checks)
    return [check for check in made if not check.p >= FAMILY / len(made)]


def _deals(seed: int, n: int) -> Iterator[Check]:
    """The deals of a seed, and who deals them."""
    dealt = deal(keys(seed, np.arange(n), 0))
    yield Check("packs are whole and the hands are theirs", float(evenness.are_whole(*dealt)))
    for name, p in evenness.p_values(dealt.packs).items():
        yield Check(name, p)
    dealers = sources.dealers(seed, n)
    yield Check("dealers", laws.equal_cells(np.bincount(dealers, minlength=6)))
    ends = n // 2 * 2  # pairs that share no dealer
    after = np.bincount(6 * dealers[:ends:2] + dealers[1:ends:2], minlength=36)
    yield Check("a dealer and the next", laws.equal_cells(after))
    yield Check("cards under each dealer", _by_dealer(dealt.packs, dealers))


def _by_dealer(packs: np.ndarray, dealers: np.ndarray) -> float:
    """Each card at each place, under each dealer by himself."""
    parts = [evenness.places(packs[:, dealers == seat]) for seat in range(6)]
    terms = [evenness.place_statistic(part) for part in parts if part.any()]
    return laws.chi_square(sum(term for term, _ in terms), sum(degrees for _, degrees in terms))


def _neighbours(seed: int, n: int) -> Iterator[tuple[str, np.ndarray, np.ndarray]]:
    """Keys of deals that a weak mixing of the key would make alike.

    The number of the seed stands where it does not matter, so that other seeds check other deals.
    """
    i = np.arange(n)
    yield "index and the next", keys(seed, i, 0), keys(seed, i + 1, 0)
    yield "seed and the next", keys(i, seed, 0), keys(i + 1, seed, 0)
    yield "attempt and the next", keys(seed, i // 500, i % 500), keys(seed, i // 500, i % 500 + 1)
    row, column = np.divmod(i, int(np.sqrt(n)))
    a, b = row, row + column + 1
    yield "seed and index exchanged", keys(a, b, seed), keys(b, a, seed)
    yield "index and attempt exchanged", keys(seed, a, b), keys(seed, b, a)
    yield "seed up, index down", keys(a, b + 1, seed), keys(a + 1, b, seed)
    yield "index up, attempt down", keys(seed, i, 1), keys(seed, i + 1, 0)
    for what, far in (("2^31", 2**31), ("2^32", 2**32), ("2^62", 2**62)):
        yield f"index {what} further", keys(seed, i, 0), keys(seed, i + far, 0)
        yield f"seed {what} further", keys(i, seed, 0), keys(i + far, seed, 0)
    yield "the last indices", keys(seed, i, 0), keys(seed, MAX_SEED - i, 0)
    yield "the last seeds", keys(i, seed, 0), keys(MAX_SEED - i, seed, 0)
    yield "the last seeds, exchanged", keys(i, MAX_SEED - i, seed), keys(MAX_SEED - i, i, seed)


def neighbour_checks(
    seed: int, n: int, deal: Callable[[np.ndarray], sources.Deals] = deal
) -> Iterator[Check]:
    """Deals against those of neighbouring keys, as some function deals them."""
    for name, one, other in _neighbours(seed, n):
        yield Check(f"deals: {name}", two_rows(deal(one), deal(other)))


def two_rows(one: sources.Deals, other: sources.Deals) -> float:
    """Whether deals tell nothing of other ones: all checks of what turns the one into the other."""
    step = evenness.relative(one.packs, other.packs)
    found = [*evenness.p_values(step).values(), evenness.common_cards(one.masks, other.masks)]
    return laws.any_of(found)


def _draws(seed: int, n: int) -> Iterator[Check]:
    """What players draw: every draw by itself."""
    bounds = range(2, 61)
    drawn = [sources.draws((1, PLAY, 7), b, seed, n // 10, b * n) for b in bounds]
    counts = [
        np.bincount(column, minlength=b)
        for b, each in zip(bounds, drawn, strict=True)
        for column in each.T
    ]
    yield Check("draws below 2 to 60", laws.any_of([laws.equal_cells(each) for each in counts]))
    least = sources.draws((1, PLAY, 7), 1, seed, 100)
    yield Check("draws below 1 are 0", float(not least.any()))
    for name, bound in (("2^31", 2**31), ("3 * 2^29", 3 * 2**29)):
        large = sources.draws((2, PLAY, 8), bound, seed, n)
        high = [np.bincount(column * 48 // bound, minlength=48) for column in large.T]
        low = [np.bincount(column % 64, minlength=64) for column in large.T]
        p = laws.any_of([laws.equal_cells(each) for each in high + low])
        yield Check(f"draws below {name}", p)


def _pairs_of_draws(seed: int, n: int) -> Iterator[tuple[str, np.ndarray, np.ndarray]]:
    """Draws that a weak key would make alike."""
    faces = faces_for(n)
    first = sources.draws((1, PLAY, 7), faces, seed, n)
    yield "draw 1 and 2", first[:, 0], first[:, 1]
    yield "draw 1 and 3", first[:, 0], first[:, 2]
    yield "draw 2 and 3", first[:, 1], first[:, 2]
    ends = n // 2 * 2
    yield "hand and the next", first[:ends:2, 0], first[1:ends:2, 0]
    decisions = {
        "seat and the next": (2, PLAY, 7),
        "card and the next": (1, PLAY, 8),
        "seat up, card down": (2, PLAY, 6),
        "play and discard": (1, DISCARD, 7),
        "play and call": (1, CALL, 0),
        "play and trump": (1, TRUMP, 0),
    }
    for name, decision in decisions.items():
        other = sources.draws(decision, faces, seed, n)
        yield name, first[:, 0], other[:, 0]
        yield name + ", draw 1 and 2", first[:, 0], other[:, 1]
        yield name + ", draw 2 and 1", first[:, 1], other[:, 0]
    other_seed = sources.draws((1, PLAY, 7), faces, seed + 1, n)
    yield "seed and the next", first[:, 0], other_seed[:, 0]


def faces_for(draws: int) -> int:
    """Below what to draw for pairs of draws: enough of each pair are to be expected."""
    return 16 if draws >= laws.LEAST * 16**2 else 4


def independent(one: np.ndarray, other: np.ndarray, faces: tuple[int, int]) -> float:
    """P-value of two numbers as uniform, each below its number of faces, and independent."""
    pairs = np.bincount(one * faces[1] + other, minlength=faces[0] * faces[1])
    return laws.equal_cells(pairs)


def _draws_and_cards(seed: int, n: int) -> float:
    """A player's first draw, and the first card, that of the next seat and that of the stock."""
    faces = faces_for(n)
    drawn = sources.draws((1, PLAY, 7), faces, seed, n)[:, 0]
    packs = deal(keys(seed, np.arange(n), 0)).packs
    found = [independent(drawn, packs[place], (faces, N_CARDS)) for place in (0, 6, 36)]
    return laws.any_of(found)


def checks(seed: int, size: Size) -> Iterator[Check]:
    """Make every check of a seed."""
    yield from _deals(seed, size.deals)
    yield from neighbour_checks(seed, size.neighbours)
    yield from _draws(seed, size.draws)
    faces = faces_for(size.draws)
    for name, first, second in _pairs_of_draws(seed, size.draws):
        yield Check(f"draws: {name}", independent(first, second, (faces, faces)))
    yield Check("draws and cards", _draws_and_cards(seed, size.draws))


def table(seeds: Iterable[int], size: Size) -> Iterator[tuple[bool, str]]:
    """Make every check of some seeds, all of them one family: verdict and line of each."""
    made = [list(checks(seed, size)) for seed in seeds]
    failed = set(failing(each for row in made for each in row))
    for row in zip(*made, strict=True):
        shown = "  ".join(f"{each.p:<8.3g}" for each in row)
        yield not failed.intersection(row), f"{shown}  {row[0].name}"
