"""``table --ceiling`` and the chart how-high from end to end."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest

from schmier_sim._jit import JIT_ENABLED
from schmier_sim.cli.run import run

Out = pytest.CaptureFixture[str]
HANDS = "2400" if JIT_ENABLED else "48"
CHARTS = ("make-rate-by-bid", "make-rate-by-position", "make-rate-by-trumps-and-tops", "how-high")


@pytest.fixture(scope="module")
def batch(tmp_path_factory: pytest.TempPathFactory) -> str:
    folder = tmp_path_factory.mktemp("batch") / "bidder"
    assert run(["simulate", "--hands", HANDS, "--experiment", "bidder", "--out", str(folder)]) == 0
    return str(folder)


@pytest.fixture(scope="module")
def auction(tmp_path_factory: pytest.TempPathFactory) -> str:
    folder = tmp_path_factory.mktemp("batch") / "auction"
    words = ["simulate", "--hands", "24", "--policy", "random", "--out", str(folder)]
    assert run(words) == 0
    return str(folder)


def printed(capsys: Out, *words: str, code: int = 0) -> tuple[str, str]:
    capsys.readouterr()
    assert run(words) == code, capsys.readouterr().err
    out, err = capsys.readouterr()
    return out, err


def refused(capsys: Out, words: list[str], says: str) -> None:
    out, err = printed(capsys, *words, code=2)
    assert out == ""
    assert says in err
    assert err.startswith("schmier-sim: ")
    assert err.count("\n") == 1


def test_the_grid_as_text(batch: str, capsys: Out) -> None:
    out, err = printed(capsys, "table", batch, "--ceiling")
    assert err == ""
    assert max(map(len, out.splitlines())) <= 79
    for words in ("How high may I go?", "players: heuristic", "NEITHER ACE NOR 2", "making 6 ",
                  "all positions together", "suits"):  # fmt: skip
        assert words in out
    quiet, _ = printed(capsys, "table", batch, "--ceiling", "--quiet")
    assert quiet in out
    assert quiet.startswith("ACE AND 2")


def test_the_grid_as_data(batch: str, capsys: Out) -> None:
    out, err = printed(capsys, "table", batch, "--ceiling", "--format", "csv", "--position", "3")
    rows = list(csv.DictReader(io.StringIO(out)))
    assert list(rows[0])[:5] == ["ace", "two", "tops4", "trumps", "hands"]
    assert "position 3" in err
    out, err = printed(capsys, "table", batch, "--ceiling", "--json", "--position", "3")
    data = json.loads(out, parse_constant=pytest.fail)
    assert err == ""
    assert [cell["hands"] for cell in data["cells"]] == [int(row["hands"]) for row in rows]
    assert (data["position"], data["pass_value"], len(rows)) == (3, 0, 80)
    assert sum(cell["hands"] for cell in data["cells"]) == data["hands"] < int(HANDS)
    out, _ = printed(capsys, "table", batch, "--ceiling", "--format", "md", "-q")
    assert len(out.splitlines()) == 82
    assert out.startswith("| ace | two |")


def test_a_dear_pass_leaves_nothing_that_pays(batch: str, capsys: Out) -> None:
    for value, best in (("50", {0}), ("-50", {6})):
        out, _ = printed(capsys, "table", batch, "--ceiling", "--json", "--pass-value", value)
        cells = json.loads(out)["cells"]
        assert {cell["ceiling"] for cell in cells if cell["hands"]} == best


def test_the_charts_of_a_batch_and_what_they_rest_on(
    batch: str, capsys: Out, tmp_path: Path
) -> None:
    words = ["chart", batch, "--out", str(tmp_path), "--format", "svg"]
    out, err = printed(capsys, *words)
    files = [*(f"{name}.svg" for name in CHARTS), "how-high.json"]
    assert out.split() == [str(tmp_path / name) for name in files]
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted([*files, "provenance.json"])
    assert [line[:8] for line in err.splitlines()[2:6]] == [f"making {bid}" for bid in "3456"]
    assert "suits" in err
    out, err = printed(capsys, *words, "--json", "--force", "--position", "6")
    data = json.loads(out, parse_constant=pytest.fail)
    assert err == ""
    assert data["how_high"]["position"] == 6
    assert set(data["how_high"]["explained"][0]["share"]) == {
        "trumps", "trumps and ace", "trumps and tops", "grid",
    }  # fmt: skip
    assert len(data["written"]) == 5
    assert printed(capsys, *words, "--force", "--quiet") == ("", "")


@pytest.mark.parametrize("name", ["how-high.png", "how-high.json"])
def test_what_is_there_is_not_overwritten(
    name: str, batch: str, capsys: Out, tmp_path: Path
) -> None:
    (tmp_path / name).write_text("mine")
    refused(capsys, ["chart", batch, "--out", str(tmp_path)], "--force")
    assert [path.name for path in tmp_path.iterdir()] == [name]


def test_an_auction_has_charts_but_no_ceilings(auction: str, capsys: Out, tmp_path: Path) -> None:
    out, err = printed(capsys, "chart", auction, "--out", str(tmp_path / "a"))
    assert len(out.split()) == 3
    assert "no how-high" in err
    assert err.count("\n") == 1
    out, _ = printed(capsys, "chart", auction, "--out", str(tmp_path / "b"), "--json")
    assert json.loads(out)["how_high"] is None
    charts = ["chart", auction, "--out", str(tmp_path / "c")]
    for words in (
        ["table", auction, "--ceiling"],
        ["table", auction, "--ceiling", "--json"],
        [*charts, "--position", "3"],
        [*charts, "--pass-value", "-0.2"],
    ):
        refused(capsys, words, "--experiment bidder")
    assert not (tmp_path / "c").exists()


@pytest.mark.parametrize(
    ("more", "says"),
    [
        (["--ceiling", "--position", "0"], "--position"),
        (["--ceiling", "--position", "7"], "--position"),
        (["--ceiling", "--position", "dealer"], "--position"),
        (["--ceiling", "--pass-value", "nan"], "--pass-value"),
        (["--ceiling", "--pass-value", "inf"], "--pass-value"),
        (["--ceiling", "--pass-value", "much"], "between -100 and 100"),
        (["--ceiling", "--by", "trump"], "leave out --by"),
        (["--ceiling", "--by", ""], "leave out --by"),
        (["--position", "3"], "go with --ceiling"),
        (["--pass-value", "0"], "go with --ceiling"),
    ],
    ids=str,
)
def test_refused_with_one_line(more: list[str], says: str, batch: str, capsys: Out) -> None:
    refused(capsys, ["table", batch, *more], says)


def test_one_hand_is_a_batch_and_a_position_without_hands_is_refused(
    capsys: Out, tmp_path: Path
) -> None:
    folder = str(tmp_path / "one")
    words = ["simulate", "--hands", "1", "--experiment", "bidder", "--out", folder]
    printed(capsys, *words)
    out, _ = printed(capsys, "table", folder, "--ceiling", "--json")
    cells = json.loads(out, parse_constant=pytest.fail)["cells"]
    assert [cell["certainty"] for cell in cells if cell["hands"]] == ["unsure"]
    taken = set()
    for place in range(1, 7):
        code = run(["table", folder, "--ceiling", "--position", str(place), "-q"])
        taken.add(code)
        err = capsys.readouterr().err
        assert (f"no completed hand at position {place}" in err) == (code == 2)
    assert taken == {0, 2}
    printed(capsys, "chart", folder, "--out", str(tmp_path / "charts"), "-q")
