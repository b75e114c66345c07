"""The digest of what the built-in players do: ``scripts/regenerate-goldens`` writes it anew."""

from __future__ import annotations

import json

import numpy as np
import pytest
from golden_files import SHARES, SIGNATURE_FILE, golden

from schmier_sim import signature as sign
from schmier_sim._jit import JIT_ENABLED
from schmier_sim.cli.run import run
from schmier_sim.policies import registry
from schmier_sim.tally import SHAPE, TOTALS, Tally

SHARE = SHARES[0] if JIT_ENABLED else SHARES[-1]

Out = pytest.CaptureFixture[str]


def known_of(share: int) -> dict[str, str]:
    found: dict[str, str] = json.loads(golden(SIGNATURE_FILE))[str(share)]
    return found


def printed(capsys: Out, *words: str) -> str:
    capsys.readouterr()
    assert run(["bench", "--signature", *words]) == 0
    return capsys.readouterr().out


def test_the_command_prints_what_is_known(capsys: Out, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sign, "HANDS", {kind: n // SHARE for kind, n in sign.HANDS.items()})
    known = known_of(SHARE)
    assert list(known) == registry.names()
    whole = sign.of_all(known)
    data = json.loads(printed(capsys, "--json"))
    assert (data["policies"], data["all"], data["hands"]) == (known, whole, sign.HANDS)
    lines = printed(capsys, "--jobs", "1").splitlines()
    assert dict(line.split() for line in lines) == {**known, "all": whole}
    assert printed(capsys, "--quiet") == f"{whole}\n"


@pytest.mark.parametrize(("jobs", "chunk"), [(1, 3), (3, 1), (2, 7)])
def test_it_does_not_depend_on_the_threads(jobs: int, chunk: int) -> None:
    assert sign.signature(jobs, chunk, share=100) == known_of(100)


def test_it_sees_every_count_its_place_and_its_title() -> None:
    tally = Tally.empty()
    tally.cells[3, 0, 0, 0, 4] = 1
    other, moved, total = tally.copy(), Tally.empty(), tally.copy()
    other.cells[3, 0, 0, 0, 4] = 2
    moved.cells[3, 0, 0, 0, 5] = 1
    total.totals[4] = -1
    flat = Tally(tally.cells.reshape(SHAPE[0], -1), tally.totals)
    seen = {sign.digest_of(each, "x") for each in (tally, other, moved, total, flat)}
    assert len(seen | {sign.digest_of(tally, "y")}) == 6
    swapped = Tally(tally.cells.astype(">i8"), np.zeros(len(TOTALS), ">i8"))
    assert sign.digest_of(swapped, "x") == sign.digest_of(tally, "x")


@pytest.mark.parametrize(
    "words", [["--hands", "3"], ["--policy", "plain"], ["--seed", "1"], ["--rule", "low=taker"],
              ["--kernel", "random-play"]], ids=str,
)  # fmt: skip
def test_nothing_else_can_be_chosen(words: list[str], capsys: Out) -> None:
    assert run(["bench", "--signature", *words]) == 2
    assert "only --jobs, --json and --quiet go with it" in capsys.readouterr().err


@pytest.mark.parametrize(
    "words", [["--policy", "plain"], ["--seat-policy", "0=plain"], ["--rule", "low=taker"],
              ["--rules", "x.toml"]], ids=str,
)  # fmt: skip
def test_the_recipe_has_rules_and_players_of_its_own(words: list[str], capsys: Out) -> None:
    """Provenance would name what was not played."""
    assert run(["bench", "--kernel", "random-play", "--hands", "3", *words]) == 2
    assert "do not go with it" in capsys.readouterr().err
