"""Who sits where, and what is said of it."""

from __future__ import annotations

from pathlib import Path

import pytest

from schmier_sim import Rules
from schmier_sim.cli.run import run
from schmier_sim.players import described, names_of, parse_seat_policies, seating, seats_by_role


@pytest.mark.parametrize(
    ("teams", "partner", "opponents"),
    [("3x2", [4], [0, 2, 3, 5]), ("2x3", [3, 5], [0, 2, 4])],
)
def test_roles_of_the_seats(teams: str, partner: list[int], opponents: list[int]) -> None:
    roles = seats_by_role(1, Rules(teams=teams))
    assert roles == {"me": [1], "partner": partner, "opponents": opponents}


def test_a_seat_goes_before_its_role_and_all_of_it_is_told() -> None:
    chosen = parse_seat_policies(["opponents=random", "2=plain"], has_me=True)
    seated = seating("plain", chosen, Rules(), me=0)
    assert [player.name for player in seated] == [
        "plain", "random", "plain", "plain", "random", "random",
    ]  # fmt: skip
    assert described("plain", chosen, seated) == ["plain", "2=plain", "opponents=random"]
    assert names_of(seated) == "plain/random"


def test_another_player_in_one_seat_is_another_run(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["simulate", "--experiment", "bidder", "--out", str(tmp_path / "b")]
    words += ["--seat-policy", "me=random"]
    assert run([*words, "--hands", "24"]) == 0
    capsys.readouterr()
    assert run([*words, "--hands", "48", "--resume", "--seat-policy", "3=random"]) == 2
    assert "the batch there has policies" in capsys.readouterr().err
