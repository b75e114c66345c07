"""Leagues: their figures are those of comparisons; their chart prints each of them, in grey."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from schmier_sim import Rules, find_policy
from schmier_sim._jit import JIT_ENABLED
from schmier_sim.compare import Judge, Match, margins, win_shares
from schmier_sim.errors import InputError
from schmier_sim.league import COLUMNS, League, play_league
from schmier_sim.league_chart import league_figure, matrix, write_league
from schmier_sim.stats import bounded_mean_interval, mean_interval

REPORTS = Path(__file__).parent.parent / "reports"
N, GAMES = (200, 3) if JIT_ENABLED else (4, 1)
TARGET = Rules(target=3)  # short games


@pytest.fixture(scope="module")
def table() -> pd.DataFrame:
    return play_league(League(["random", "plain"], N, GAMES, rules=TARGET, seed=4), jobs=2)


@pytest.fixture
def three() -> pd.DataFrame:
    """Made up: three policies, figures all unlike."""
    rows = [
        ("x", "y", 9, 1.5, 1.25, 1.75, 0.5, 0.25, 0.75, 9, 0.25, 0.0, 0.5),
        ("x", "z", 9, 3.0, 2.99, 3.01, 0.125, 0.0, 0.25, 9, 0.5, 0.25, 0.75),
        ("y", "z", 9, -0.75, -1.5, 0.0, -0.25, -0.5, 0.0, 9, -0.25, -0.5, 0.0),
    ]
    return pd.DataFrame(rows, columns=list(COLUMNS))


def test_a_row_is_two_comparisons(table: pd.DataFrame) -> None:
    a, b = find_policy("random"), find_policy("plain")
    free, fixed = Match(a, b, None, TARGET, 4), Match(a, b, b, TARGET, 4)
    judge = Judge(free)
    assert table.values.tolist() == [[
        "random", "plain", N, *mean_interval(margins(judge.deals(N), free)),
        *mean_interval(margins(Judge(fixed).deals(N), fixed)),
        GAMES, *bounded_mean_interval(win_shares(judge.games(GAMES), free), -0.75, 0.75),
    ]]  # fmt: skip
    assert tuple(table.columns) == COLUMNS


def test_every_two_meet_once(monkeypatch: pytest.MonkeyPatch) -> None:
    met: list[tuple[str, str]] = []

    def row(league: League, a: str, b: str, jobs: int) -> list[object]:
        met.append((a, b))
        return [a, b, *range(len(COLUMNS) - 2)]

    monkeypatch.setattr("schmier_sim.league._row", row)
    monkeypatch.setattr("schmier_sim.league.find", lambda name: None)
    assert len(play_league(League(["z", "x", "y"], 1, 1))) == 3
    assert met == [("z", "x"), ("z", "y"), ("x", "y")]


@pytest.mark.parametrize(
    ("policies", "hands", "told"),
    [([], 9, "nobody"), (["plain"], 9, "two policies"), (["plain", "plain"], 9, "each once"),
     (["plain", "nobody"], 9, "'nobody'"), (["plain", "random"], 0, "a deal and a game")],
)  # fmt: skip
def test_no_league_of_one(policies: list[str], hands: int, told: str) -> None:
    with pytest.raises(InputError, match=told):
        League(policies, hands, 1)


def test_ctrl_c_leaves_no_half_league(monkeypatch: pytest.MonkeyPatch) -> None:
    def stop(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(Judge, "deal_rounds", stop)
    with pytest.raises(KeyboardInterrupt):
        play_league(League(["plain", "random"], 1, 1))


def test_the_matrix_is_its_own_mirror(three: pd.DataFrame) -> None:
    grid = matrix(three, ["x", "y", "z"], "points")
    expected = [[np.nan, 1.5, 3], [-1.5, np.nan, -0.75], [-3, 0.75, np.nan]]
    assert np.array_equal(grid, expected, equal_nan=True)


def test_the_chart_prints_every_figure_in_grey(three: pd.DataFrame) -> None:
    figure = league_figure(three, "title")
    left, right = figure.axes
    texts = [text.get_text() for text in left.texts]
    assert texts == ["·", "+1.50\n±0.25", "+3.00\n±0.01", "-1.50\n±0.25", "·", "-0.75\n±0.75",
                     "-3.00\n±0.01", "+0.75\n±0.75", "·"]  # fmt: skip
    assert "+0.12\n±0.12" in [text.get_text() for text in right.texts]
    assert "only the play differs" in right.get_title()
    for ax in (left, right):
        assert [label.get_text() for label in ax.get_yticklabels()] == ["x", "y", "z"]
        image = ax.images[0]
        shades = image.cmap(image.norm(image.get_array()))[..., :3]
        assert np.ptp(shades, axis=-1).max() < 0.01  # grey
        for text, shade in zip(ax.texts, shades.reshape(-1, 3), strict=True):
            ink = 1.0 if text.get_color() == "white" else 0.0
            assert text.get_text() == "·" or abs(ink - shade[0]) > 0.45  # legible


def test_the_chart_is_written_whole_or_not(three: pd.DataFrame, tmp_path: Path) -> None:
    write_league(three, "title", tmp_path / "league.png")
    assert (tmp_path / "league.png").read_bytes().startswith(b"\x89PNG")
    with pytest.raises(InputError):
        write_league(three, "title", tmp_path / "none" / "league.png")


def test_a_league_of_equals_has_a_chart(table: pd.DataFrame) -> None:
    level = table.assign(points=0.0, fixed_points=0.0)
    assert "+0.00" in league_figure(level, "title").axes[0].texts[1].get_text()


def test_the_report_speaks_of_all_its_policies() -> None:
    folder = REPORTS / "policy-league"
    names = json.loads((folder / "experiment.json").read_text("utf-8"))["policies"]
    summary = pd.read_csv(folder / "summary.csv")
    assert tuple(summary.columns) == COLUMNS
    assert len(summary) == len(names) * (len(names) - 1) // 2
    assert {*summary["a"], *summary["b"]} == set(names)
    source = json.loads((folder / "provenance.json").read_text("utf-8"))
    assert source["policies"] == names
    readme = (folder / "README.md").read_text("utf-8")
    for name in names:
        assert f"`{name}`" in readme
