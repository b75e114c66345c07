"""Any threads, chunks, parts and interruptions: the same counts, and the same bytes."""

from __future__ import annotations

import random
import shutil
from pathlib import Path

import numpy as np
import pytest

from schmier_sim import find_policy
from schmier_sim import simulate as simulation
from schmier_sim._jit import JIT_ENABLED
from schmier_sim.batches import StoredBatch, load, save
from schmier_sim.cli.run import run as command
from schmier_sim.errors import PolicyFault
from schmier_sim.policies import registry
from schmier_sim.simulate import AUCTION, BIDDER, EXPERIMENTS, Experiment, run
from schmier_sim.tally import Tally

N = 3_000 if JIT_ENABLED else 30
CHUNKS = (1, 7, 64, 1000, 10**6)
DIVISIONS = [(jobs, chunk) for jobs in (1, 2, 3, 4) for chunk in CHUNKS]
if not JIT_ENABLED:
    DIVISIONS = DIVISIONS[5::4]
WILD = str(Path(__file__).parent.parent / "docs" / "examples" / "wild.py:Wild")
POLICIES = [*registry.names(), WILD]

FALLIBLE = """
from schmier_sim.policies import policy
from schmier_sim.policies.toolkit import draw_below, weakest

@policy(uses_bid=False)
class Fallible:
    one_in = 3000

    def play(view, one_in):
        return 99 if draw_below(view, one_in) == 0 else weakest(view.legal, view.trump)
"""


def experiment(kind: str, policy: str, seed: int = 1) -> Experiment:
    return Experiment.at_one_table(kind, (find_policy(policy),) * 6, seed=seed)


def same(one: Tally, other: Tally) -> bool:
    return bool(np.array_equal(one.cells, other.cells) and np.array_equal(one.totals, other.totals))


@pytest.mark.parametrize("kind", EXPERIMENTS)
@pytest.mark.parametrize("policy", POLICIES, ids=lambda name: name.rpartition("/")[2])
def test_threads_and_chunks_do_not_matter(kind: str, policy: str) -> None:
    plan = experiment(kind, policy)
    whole = run(plan, 0, N, 1)
    assert whole.total("hands") == N
    for jobs, chunk in DIVISIONS:
        assert same(run(plan, 0, N, jobs, chunk=chunk), whole), (jobs, chunk)


@pytest.mark.parametrize("start", [0, 5, 2**53])
def test_ranges_of_no_hand_and_of_one(start: int) -> None:
    plan = experiment(BIDDER, "random", seed=3)
    for jobs in (1, 3):
        assert same(run(plan, start, start, jobs), Tally.empty())
        one = run(plan, start, start + 1, jobs, chunk=1)
        assert one.total("hands") == 1
        assert same(one + run(plan, start + 1, start + 9, jobs), run(plan, start, start + 9))


# --- Parts, by the command ------------------------------------------------------------------------


def files(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def simulate(folder: Path, kind: str, policy: str, start: int, stop: int, *more: str) -> Path:
    """Play a part; of no hands, which the command does not play, one is made of a neighbour."""
    words = ["simulate", "--experiment", kind, "--policy", policy, "--out", str(folder), "--quiet"]
    hands = max(1, stop - start)
    assert command([*words, "--start", str(start), "--hands", str(hands), *more]) == 0
    if stop == start:
        facts = {**load(folder).facts, "stop": stop}
        shutil.rmtree(folder)
        folder.mkdir()
        save(folder, StoredBatch(facts, Tally.empty()), None)
    return folder


@pytest.mark.parametrize("kind", EXPERIMENTS)
@pytest.mark.parametrize("policy", POLICIES, ids=lambda name: name.rpartition("/")[2])
def test_parts_in_any_order_give_the_bytes_of_the_whole(
    kind: str, policy: str, tmp_path: Path
) -> None:
    draw = random.Random(f"{kind} {policy.rpartition('/')[2]}")
    first = draw.choice([0, 17])
    cut, single = (first + draw.randrange(2, N - 2) for _ in range(2))
    edges = sorted([first, cut, cut, single, single + 1, first + draw.randrange(N), first + N])
    parts = []
    for number, (a, b) in enumerate(zip(edges, edges[1:], strict=False)):
        jobs, chunk = draw.choice(DIVISIONS)
        words = ("--jobs", str(jobs), "--chunk", str(chunk))
        parts.append(str(simulate(tmp_path / str(number), kind, policy, a, b, *words)))
    draw.shuffle(parts)
    assert command(["runs", "merge", *parts, "--out", str(tmp_path / "merged"), "--quiet"]) == 0
    whole = simulate(tmp_path / "whole", kind, policy, first, first + N)
    assert files(tmp_path / "merged") == files(whole)
    assert set(files(whole)) == {"batch.json", f"tally-{first + N}.npz"}


def test_what_was_merged_is_merged_again_and_resumed(tmp_path: Path) -> None:
    def part(a: int, b: int) -> str:
        return str(simulate(tmp_path / f"{a}-{b}", BIDDER, "random", a, b))

    def merge(out: str, *parts: str) -> str:
        assert command(["runs", "merge", *parts, "--out", str(tmp_path / out)]) == 0
        return str(tmp_path / out)

    last = merge("last", part(24, 30), part(12, 24))
    merged = merge("merged", last, part(5, 12))
    resumed = simulate(Path(merged), BIDDER, "random", 5, 36, "--resume")
    whole = simulate(tmp_path / "whole", BIDDER, "random", 5, 36)
    assert files(resumed) == files(whole)


# --- Stopped on the way ---------------------------------------------------------------------------


class Stops:
    """Notes what it is told, and presses Ctrl-C at some look at the progress."""

    def __init__(self, looks: int) -> None:
        self.looks = looks
        self.shown: list[int] = []
        self.kept: list[tuple[int, Tally]] = []

    def progress(self, done: int) -> None:
        self.shown.append(done)
        if len(self.shown) == self.looks:
            raise KeyboardInterrupt

    def keep(self, at: int, tally: Tally) -> None:
        self.kept.append((at, tally))


@pytest.mark.parametrize("jobs", [1, 2, 3])
@pytest.mark.parametrize("chunk", [1, 64, 20_000])
def test_after_ctrl_c_all_that_was_played_is_a_range(jobs: int, chunk: int) -> None:
    plan, watcher = experiment(AUCTION, "random"), Stops(looks=2)
    with pytest.raises(KeyboardInterrupt):
        run(plan, 7, 10**12, jobs, watcher, chunk)
    ((at, tally),) = watcher.kept
    assert at > 7
    assert tally.total("hands") + tally.total("unfinished") == at - 7
    assert same(tally, run(plan, 7, at))


def test_states_on_the_way_have_no_gaps(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(simulation, "_KEEP_EVERY", 0.0)
    monkeypatch.setattr(simulation, "_TICK", 0.01)
    plan, watcher = experiment(BIDDER, "random"), Stops(looks=4)
    with pytest.raises(KeyboardInterrupt):
        run(plan, 3, 10**12, 3, watcher, 500)
    assert len(watcher.kept) == 4
    stops = [at for at, _ in watcher.kept]
    assert stops == sorted(stops)
    assert watcher.shown == sorted(watcher.shown)
    for at, tally in watcher.kept:
        assert same(tally, run(plan, 3, at))


def test_the_end_is_kept_too() -> None:
    plan, watcher = experiment(BIDDER, "random"), Stops(looks=-1)
    whole = run(plan, 3, 3 + N, 2, watcher)
    assert watcher.kept[-1][0] == 3 + N
    assert same(watcher.kept[-1][1], whole)
    assert watcher.shown[-1] == N


def test_a_watcher_that_fails_ends_the_run() -> None:
    class Fails(Stops):
        def progress(self, done: int) -> None:
            raise OSError("no room")

    with pytest.raises(OSError, match="no room"):
        run(experiment(BIDDER, "random"), 0, 10**12, 2, Fails(0))


def test_the_first_fault_is_told_for_any_division(tmp_path: Path) -> None:
    file = tmp_path / "mine.py"
    file.write_text(FALLIBLE, "utf-8")
    plan = experiment(AUCTION, f"{file}:Fallible" + ("" if JIT_ENABLED else ":one_in=300"))
    told = set()
    for jobs, chunk in DIVISIONS:
        with pytest.raises(PolicyFault) as fault:
            run(plan, 0, 10**6, jobs, chunk=chunk)
        told.add(str(fault.value))
    assert len(told) == 1, told
    assert "illegal answer 99 to play, seed 1, hand " in told.pop()
