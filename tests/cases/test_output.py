"""What is printed: not one known fault of other programs, but its whole kind."""

from __future__ import annotations

import csv
import io
import json
import os
import re
import subprocess
import sys
import warnings
from collections import Counter
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from cases.scene import players

from schmier_sim import Rules
from schmier_sim._jit import JIT_ENABLED
from schmier_sim.advise import Advice, advise
from schmier_sim.answers import as_data
from schmier_sim.around import Table
from schmier_sim.batches import load
from schmier_sim.cli.main import COMMANDS
from schmier_sim.cli.run import run
from schmier_sim.dealing import Dealer
from schmier_sim.phrases import how_often, percent
from schmier_sim.situation import situation
from schmier_sim.words import in_words

Out = pytest.CaptureFixture[str]
N = 2_000 if JIT_ENABLED else 12
FEW = "24" if JIT_ENABLED else "4"
SURE, OPEN = "AS KS QS JS JC TS", "AC KC 3S 6H 7H QH"
EXPERIMENTS = ("auction", "bidder")


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """A batch of each experiment."""
    made = {kind: str(tmp_path_factory.mktemp("batches") / kind) for kind in EXPERIMENTS}
    for kind, folder in made.items():
        assert (
            run(["simulate", "--hands", str(N), "--experiment", kind, "--out", folder, "-q"]) == 0
        )
    return made


@pytest.fixture(scope="module")
def nothing(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A batch in which nobody ever bids: no hand is counted."""
    folder = str(tmp_path_factory.mktemp("batches") / "nothing")
    assert run(["simulate", "--hands", "1", "--policy", "plain", "--rule", "min_bid=5",
                "--out", folder, "-q"]) == 0  # fmt: skip
    return folder


def printed(capsys: Out, *words: str) -> str:
    capsys.readouterr()
    assert run(words) == 0, capsys.readouterr().err
    return capsys.readouterr().out


def study(hand: str, hands: int = N, **more: Any) -> Advice:
    return advise(Table(situation(hand), players(), **more), hands=hands)


# --- Sums -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", EXPERIMENTS)
def test_B90_the_cells_of_a_batch_add_up_to_its_hands(kind: str, folders: dict[str, str]) -> None:
    batch = load(Path(folders[kind]))
    assert batch.tally.cells.sum() == batch.tally.total("hands") == N


def test_B90_points_of_the_speed_test_add_up(capsys: Out) -> None:
    text = printed(capsys, "bench", "--kernel", "random-play", "--hands", "97", "--json")
    shares = json.loads(text)["points"]
    assert len(shares) == 7
    assert sum(shares) == pytest.approx(1)
    assert sum(round(97 * share) for share in shares) == 97


@pytest.mark.parametrize("hand", [SURE, OPEN, "3C 4C 5D 6D 7H 8H"])
def test_B90_B91_exact_counts_of_every_suit_and_bid(hand: str) -> None:
    data = as_data(study(hand), None, {})
    for suit in data["trumps"]:
        assert sum(suit["points"]) == suit["hands"] == N
        for bid in range(3, 7):
            assert suit["make"][str(bid)]["rate"] == sum(suit["points"][bid:]) / N
        mean = sum(points * n for points, n in enumerate(suit["points"])) / N
        assert suit["mean_points"] == pytest.approx(mean)


@pytest.mark.parametrize("teams", ["3x2", "2x3"])
@pytest.mark.parametrize("top_tie", ["continue", "shared"])
def test_B94_wins_and_unfinished_games_add_up(teams: str, top_tie: str) -> None:
    """Each game gives one win in all, shared ones too, or none at the cap."""
    games = 20 if JIT_ENABLED else 2
    table = Dealer(players(), Rules(teams=teams, top_tie=top_tie), seed=94)
    wins: Counter[int] = Counter()
    unfinished, won = 0, Fraction(0)
    for number in range(games):
        *_, last = table.game(number)
        winners = last.game["winners"]
        unfinished += winners is None
        assert winners is None or len(winners) == 1 or top_tie == "shared"
        for team in winners or []:
            wins[team] += 1
            won += Fraction(1, len(winners))
    assert won + unfinished == games
    assert set(wins) <= set(range(3 if teams == "3x2" else 2))


# --- Per cent -------------------------------------------------------------------------------------


def rows_of(text: str) -> list[list[str]]:
    """The cells of a table in Markdown."""
    lines = [line for line in text.splitlines() if line.startswith("|")]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]


def nearly(percent: str, share: float) -> bool:
    """Whether a printed percentage is the share, to the last digit that is printed."""
    digits = len(percent.partition(".")[2])
    return abs(float(percent) - 100 * share) <= 0.5 * 10**-digits + 1e-9


@pytest.mark.parametrize("kind", EXPERIMENTS)
@pytest.mark.parametrize("by", ["", "trumps", "trumps,bid", "position,tops", "composition"])
def test_B91_B93_B102_every_format_of_a_table_says_the_same(
    kind: str, by: str, folders: dict[str, str], capsys: Out
) -> None:
    """Rates are counts by counts in data, and per cent with one decimal for people."""
    words = ["table", folders[kind], "--by", by, "--format"]
    data = json.loads(printed(capsys, *words, "json"))["rows"]
    tidy = list(csv.DictReader(io.StringIO(printed(capsys, *words, "csv"))))
    head, _, *shown = rows_of(printed(capsys, *words, "md"))
    plain = printed(capsys, *words, "text", "--quiet").splitlines()[1:]
    assert len(data) == len(tidy) == len(shown) == len(plain)
    for row, cells, line, text in zip(data, tidy, shown, plain, strict=True):
        assert row["rate"] == row["made"] / row["hands"] == float(cells["rate"])
        assert 0 <= row["low"] <= row["rate"] <= row["high"] <= 1
        told = dict(zip(head, line, strict=True))
        assert int(told["hands"].replace(",", "")) == row["hands"]
        assert all(nearly(told[f"{name} %"], row[name]) for name in ("rate", "low", "high"))
        assert text.split()[-6:] == line[-6:]


def test_B93_a_certainty_in_a_table_is_a_hundred(folders: dict[str, str], capsys: Out) -> None:
    words = ["table", folders["bidder"], "--by", "composition", "--format"]
    data = json.loads(printed(capsys, *words, "json"))["rows"]
    head, _, *shown = rows_of(printed(capsys, *words, "md"))
    told = {line[head.index("rate %")] for row, line in zip(data, shown, strict=True)
            if row["made"] == row["hands"]}  # fmt: skip
    assert told == {"100.0"}
    never = {line[head.index("rate %")] for row, line in zip(data, shown, strict=True)
             if row["made"] == 0}  # fmt: skip
    assert never == {"0.0"}


def test_B93_a_certain_bid_is_made_in_a_hundred_per_cent() -> None:
    """Five are sure with the six highest trumps: in figures, in words and in data."""
    advice = study(SURE)
    text = in_words(advice, 5)
    assert as_data(advice, 5, {})["trumps"][-1]["make"]["5"]["rate"] == 1.0
    assert re.search(r" 5 ♠ .* 100\.0 % ", text)
    assert "in every sampled deal" in text.splitlines()[0]


def test_B102_113_of_186_is_60_point_8() -> None:
    assert percent(113, 186) == "60.8 %"
    assert how_often(113, 186) == "in 61 of 100 deals"


def test_B102_every_share_as_a_frequency() -> None:
    """Off by no more than half a unit, and no certainty that is none."""
    for n in (7, 100, 186, 200, 400, 1000, 2000):
        for k in range(n + 1):
            words = how_often(k, n)
            found = re.fullmatch(r"in (\d+) of (\d+) deals", words)
            if found:
                times, of = map(int, found.groups())
                assert abs(times - of * k / n) <= 0.5 + 1e-9, (k, n, words)
                assert 0 < times < of, (k, n, words)
            else:
                assert k in (0, n) or not 0.0005 < k / n < 0.9995, (k, n, words)


@pytest.mark.parametrize("hand", [SURE, OPEN, "3C 4C 5D 6D 7H 8H"])
def test_B91_B93_B102_every_figure_of_an_answer_is_that_of_the_data(hand: str) -> None:
    advice = study(hand)
    text, data = in_words(advice, None), as_data(advice, None, {})
    for row in data["calls_ranked"]:
        if row["call"]:
            (line,) = [line for line in text.splitlines() if line.startswith(f" {row['call']} ")]
            gets, makes = re.findall(r"(\d+\.\d) %", line)[:2]
            assert nearly(gets, row["gets"])
            assert nearly(makes, row["make"]["rate"])
            points = re.search(r"([+-]\d+\.\d\d) ±", line)
            assert points
            assert abs(float(points[1]) - row["points"]["mean"]) <= 0.005 + 1e-9
    for suit in data["trumps"]:
        name = {"C": "clubs", "D": "diamonds", "H": "hearts", "S": "spades"}[suit["trump"]]
        of = min(N, 100)
        lines = [
            line for line in text.splitlines() if line.startswith(f" points in {of} deals, {name}:")
        ]
        if suit["trump"] != data["about"]["trump"] and not lines:
            continue  # a hopeless hand is told shortly
        (line,) = lines
        told = dict(re.findall(r"(\d): (\d+|<1)", line))
        none = re.findall(r"(\d)(?:-(\d))? none", line)
        empty = {n for a, b in none for n in range(int(a), int(b or a) + 1)}
        assert empty == {points for points, n in enumerate(suit["points"]) if n == 0}
        assert {*map(int, told), *empty} == set(range(7))
        for points, share in told.items():
            exact = of * suit["points"][int(points)] / N
            assert 0 < exact < 0.5 if share == "<1" else abs(int(share) - exact) <= 0.5 + 1e-9


# --- Nothing to count -----------------------------------------------------------------------------

NO_HANDS = ["0", "-0", "-1", "0.0", "0k", "0e3", "nan", "inf", "", "none"]
WITH_HANDS = [
    ["advise", SURE], ["deal"], ["deal", "--game"], ["deal", "--pretty"], ["bench"],
    ["bench", "--kernel", "random-play"], ["simulate", "--out", "x"],
    ["simulate", "--out", "x", "--resume"], ["compare", "plain", "random"],
]  # fmt: skip


@pytest.mark.parametrize("words", WITH_HANDS, ids=str)
def test_B96_no_hands_are_refused_by_every_command(
    words: list[str], capsys: Out, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for count in NO_HANDS:
        assert run([*words, f"--hands={count}"]) == 2
        out, err = capsys.readouterr()
        assert out == ""
        assert err.count("\n") == 1
        assert "--hands" in err
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("count", ["0", "-1"])
def test_B96_no_games_are_refused(count: str, capsys: Out) -> None:
    assert run(["compare", "plain", "random", "--hands", "2", f"--games={count}"]) == 2
    assert capsys.readouterr().err.count("\n") == 1


@pytest.mark.parametrize("by", ["trumps,bid", "", "composition"])
@pytest.mark.parametrize("form", ["text", "csv", "md", "json"])
def test_B96_a_table_of_no_hands_has_no_rows(by: str, form: str, nothing: str, capsys: Out) -> None:
    """Nobody ever bid: an empty table that a person and a program can read."""
    text = printed(capsys, "table", nothing, "--by", by, "--format", form)
    assert "DataFrame" not in text
    assert "Index" not in text
    assert not re.search(r"\bnan\b", text.lower())
    if form == "json":
        assert json.loads(text)["rows"] == []


def test_B96_charts_of_no_hands_are_drawn_or_refused_in_one_line(
    nothing: str, capsys: Out, tmp_path: Path
) -> None:
    """No warning of a library, no traceback."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        code = run(["chart", nothing, "--out", str(tmp_path / "charts"), "--quiet"])
    assert [str(warning.message) for warning in caught] == []
    assert code in (0, 2)
    assert capsys.readouterr().err.count("\n") == (code == 2)


def test_B96_one_hand_is_enough(capsys: Out) -> None:
    """Limits that do not exist are null."""
    data = json.loads(printed(capsys, "advise", OPEN, "--hands", "1", "--bid", "3", "--json"))
    assert data["trumps"][0]["hands"] == 1
    assert {data["calls_ranked"][0]["points"][name] for name in ("low", "high")} == {None}
    assert data["answer"]["decided"] is False


@pytest.mark.parametrize("letter", "CDHS")
def test_B97_hands_of_trumps_alone_in_every_suit(letter: str) -> None:
    left = "J" + {"C": "S", "S": "C", "D": "H", "H": "D"}[letter]
    hand = " ".join([*[rank + letter for rank in "AKQJT"], left])
    advice = study(hand, hands=N // 4)
    data = as_data(advice, 5, {})
    assert data["answer"]["trump"] == letter
    assert in_words(advice, 5).startswith("YES")
    (own,) = [suit for suit in data["trumps"] if suit["trump"] == letter]
    assert sum(own["points"][5:]) == own["hands"]


# --- Displays and consoles ------------------------------------------------------------------------


def process(*words: str, **environment: str) -> subprocess.CompletedProcess[bytes]:
    inherited = {name: value for name, value in os.environ.items() if name != "DISPLAY"}
    return subprocess.run(
        [sys.executable, "-m", "schmier_sim", *words],
        env={**inherited, **environment}, capture_output=True, check=False,
    )  # fmt: skip


def test_B99_charts_without_a_display(folders: dict[str, str], tmp_path: Path) -> None:
    words = ["chart", folders["bidder"], "--out", str(tmp_path), "-q"]
    done = process(*words, MPLBACKEND="TkAgg")
    assert (done.returncode, done.stderr, done.stdout) == (0, b"", b"")
    pictures = list(tmp_path.glob("*.png"))
    assert pictures
    assert all(path.read_bytes().startswith(b"\x89PNG") for path in pictures)


def test_B99_the_chart_of_an_answer_without_a_display(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("DISPLAY", raising=False)
    monkeypatch.setenv("MPLBACKEND", "TkAgg")
    file = tmp_path / "answer.png"
    assert run(["advise", SURE, "--hands", FEW, "--chart", str(file)]) == 0
    assert file.read_bytes().startswith(b"\x89PNG")


CONSOLES = ("cp1252", "ascii")


def on_console(encoding: str, *words: str) -> str:
    """Run a command where only some signs exist; return what it printed."""
    done = process(*words, PYTHONIOENCODING=encoding, PYTHONUTF8="0", COLUMNS="100")
    said = (done.stdout + done.stderr).decode(encoding)
    assert done.returncode == 0, said
    assert "Traceback" not in said
    return done.stdout.decode(encoding)


@pytest.mark.parametrize("encoding", CONSOLES)
@pytest.mark.parametrize(
    "words", [["advise", OPEN, "--hands", FEW], ["deal", "--pretty"], ["rules"]], ids=str
)
def test_B101_answers_on_poor_consoles(encoding: str, words: list[str]) -> None:
    """Letters for the signs of the suits, and nothing that cannot be read."""
    text = on_console(encoding, *words)
    assert "?" not in text
    assert not set(text) & set("♣♦♥♠")
    if words[0] == "deal":
        assert re.search(r"\b[2-9TJQKA][CDHS]\b", text)


@pytest.mark.parametrize("encoding", CONSOLES)
@pytest.mark.parametrize("form", ["text", "md"])
def test_B101_tables_on_poor_consoles(encoding: str, form: str, folders: dict[str, str]) -> None:
    text = on_console(encoding, "table", folders["bidder"], "--by", "trump", "--format", form)
    assert "?" not in text


@pytest.mark.parametrize("encoding", CONSOLES)
def test_B101_help_of_the_commands_with_signs_in_it(encoding: str) -> None:
    """`advise --help` shows how cards may be written, signs of suits included."""
    text = on_console(encoding, "advise", "--help")
    assert "AS TD 9H" in text


class Console(io.TextIOWrapper):
    """A console that has the signs of one encoding and refuses all others."""

    def __init__(self, encoding: str) -> None:
        super().__init__(io.BytesIO(), encoding=encoding, errors="strict", write_through=True)


@pytest.mark.parametrize("encoding", CONSOLES)
@pytest.mark.parametrize("command", ["", *COMMANDS])
def test_B101_every_help_on_poor_consoles(
    command: str, encoding: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    console = Console(encoding)
    monkeypatch.setattr(sys, "stdout", console)
    monkeypatch.setattr(sys, "stderr", console)
    code = run([*([command] if command else []), "--help"])
    monkeypatch.undo()
    said = console.buffer.getvalue().decode(encoding)  # type: ignore[attr-defined]
    assert code == 0, said
    assert "Usage:" in said


@pytest.mark.parametrize("encoding", CONSOLES)
def test_B101_complaints_on_poor_consoles(encoding: str) -> None:
    """Signs that were typed come back in a complaint of one line."""
    for hand in ("A♠ K♠ Ü♠", "A♠ K♠ 🃏 🃏 2♠ 3♠"):
        done = process("advise", hand, "--hands", "2", PYTHONIOENCODING=encoding, PYTHONUTF8="0")
        assert done.returncode == 2
        assert done.stdout == b""
        assert done.stderr.decode(encoding).count("\n") == 1
