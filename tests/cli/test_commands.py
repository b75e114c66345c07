"""Every command from end to end, in this process."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import click
import pytest

from schmier_sim._jit import JIT_ENABLED
from schmier_sim.cli.main import COMMANDS, main
from schmier_sim.cli.run import run

Out = pytest.CaptureFixture[str]
HANDS = "2400" if JIT_ENABLED else "24"
HAND = "AS KS JS JC 2S JO"


def ok(capsys: Out, *words: str, code: int = 0) -> str:
    capsys.readouterr()
    assert run(words) == code, capsys.readouterr().err
    return capsys.readouterr().out


def data(capsys: Out, *words: str, code: int = 0) -> Any:
    def refuse(name: str) -> None:
        raise AssertionError(f"not strict JSON: {name}")

    return json.loads(ok(capsys, *words, code=code), parse_constant=refuse)


@pytest.fixture(scope="module")
def batch(tmp_path_factory: pytest.TempPathFactory) -> str:
    folder = tmp_path_factory.mktemp("batch") / "bidder"
    assert run(["simulate", "--hands", HANDS, "--experiment", "bidder", "--out", str(folder)]) == 0
    return str(folder)


@pytest.mark.parametrize("command", COMMANDS)
def test_help_has_an_example_and_every_option_its_words(capsys: Out, command: str) -> None:
    text = ok(capsys, command, "--help")
    assert "Example: schmier-sim " + command in text.replace("\n", " ").replace("  ", " ")
    found = main.get_command(click.Context(main), command)
    assert found is not None
    for option in found.params:
        if isinstance(option, click.Option) and option.name not in ("form", "hands"):
            assert option.help, option.name


def test_every_command_stands_in_the_readme() -> None:
    readme = (Path(__file__).parent.parent.parent / "README.md").read_text("utf-8")
    for command in COMMANDS:
        assert f"`{command}" in readme


def test_no_arguments_show_the_help(capsys: Out) -> None:
    assert "Commands:" in ok(capsys)


def test_version(capsys: Out) -> None:
    assert ok(capsys, "--version").startswith("schmier-sim, version ")


def test_advise_answers_and_its_data_fit_the_contract(capsys: Out) -> None:
    words = ("advise", HAND, "--bid", "4", "--hands", HANDS)
    text = ok(capsys, *words)
    assert text.split()[0] in {"YES", "NO", "TOO"}
    answer = data(capsys, *words, "--json")
    assert list(answer) == [
        "hand", "position", "calls", "conditioned", "known", "scores", "policies", "rules", "seed",
        "confidence", "trumps", "calls_ranked", "ranked_by", "answer", "asked", "about", "sure",
        "likely", "danger", "weighing", "hidden", "warnings", "variations", "again", "provenance",
    ]  # fmt: skip
    assert answer["hand"] == HAND.split()
    for suit in answer["trumps"]:
        assert sum(suit["points"]) == suit["hands"] == int(HANDS)
        for bid, make in suit["make"].items():
            assert make["rate"] == sum(suit["points"][int(bid) :]) / suit["hands"]
            assert make["low"] <= make["rate"] <= make["high"]
    assert [row["call"] for row in sorted(answer["calls_ranked"], key=lambda r: r["call"])] == [
        0, 3, 4, 5, 6,
    ]  # fmt: skip
    for row in answer["calls_ranked"]:
        names = {"call", "trump", "gets", "needs", "make", "points", "win", "behind_best"}
        assert set(row) == names
    assert answer["asked"]["bid"] == 4


def test_advise_quiet_is_the_first_line(capsys: Out) -> None:
    words = ("advise", HAND, "--hands", HANDS)
    assert ok(capsys, *words, "--quiet") == ok(capsys, *words).splitlines(keepends=True)[0]


def test_advise_takes_every_spelling(capsys: Out) -> None:
    words = ("--hands", "24", "--json", "--trump", "spades")
    answers = [
        data(capsys, "advise", *hand, *words)["trumps"]
        for hand in ([HAND], ["asksjsjc2sjo"], ["A♠", "K♠️", "J♠", "J♣", "2♠", "*"], HAND.split())
    ]
    assert answers == answers[:1] * 4


def test_advise_with_a_place_rules_players_and_a_chart(capsys: Out, tmp_path: Path) -> None:
    chart = tmp_path / "answer.png"
    words = (
        "advise", HAND, "--calls", "pass 3", "--scores=-3,5,12", "--rule", "low=taker",
        "--seat-policy", "opponents=random", "--hands", "48", "--chart", str(chart), "--json",
    )  # fmt: skip
    answer = data(capsys, *words)
    assert answer["calls"] == [0, 3]
    assert answer["position"] == 3
    assert answer["scores"] == [-3, 5, 12]
    assert answer["rules"] == {"low": "taker"}
    assert answer["policies"] == {"me": "heuristic", "partner": "heuristic", "opponents": "random"}
    assert chart.read_bytes().startswith(b"\x89PNG")
    ok(capsys, *words, code=2)  # the chart exists
    ok(capsys, *words, "--force")


def test_precision_plays_on_and_says_how_far(capsys: Out) -> None:
    """A bid and a pass that are worth nearly the same: only the limits can end it."""
    few, wanted = ("400", 0.3) if JIT_ENABLED else ("6", 3.5)
    question = ("advise", "2S AD JS 7D KH QH", "--position", "4", "--policy", "plain", "--json")
    answer = data(capsys, *question, "--hands", few, "--precision", str(wanted))
    hands = answer["trumps"][0]["hands"]
    assert hands > int(few)
    for row in answer["calls_ranked"]:
        assert row["behind_best"]["high"] - row["behind_best"]["mean"] <= wanted
    again = data(capsys, *question, "--hands", str(hands))
    assert again["calls_ranked"] == answer["calls_ranked"]
    assert f"--hands {few} --precision {wanted}" in answer["again"]


def test_simulate_table_and_chart(capsys: Out, batch: str, tmp_path: Path) -> None:
    text = ok(capsys, "table", batch, "--by", "trump,position,composition,trumps,bid",
              "--format", "csv")  # fmt: skip
    rows = list(csv.DictReader(io.StringIO(text)))
    assert list(rows[0]) == [
        "trump", "position", "composition", "trumps", "bid", "hands", "made", "rate", "low",
        "high", "mean_points",
    ]  # fmt: skip
    assert sum(int(row["hands"]) for row in rows) == 4 * int(HANDS)
    assert "| trumps |" in ok(capsys, "table", batch, "--format", "md")
    assert "make" not in ok(capsys, "table", batch, "--quiet")
    answer = data(capsys, "table", batch, "--json", "--by", "position")
    assert {row["position"] for row in answer["rows"]} <= set(range(1, 7))
    assert answer["provenance"]["seed"] == 1
    charts = tmp_path / "charts"
    assert len(ok(capsys, "chart", batch, "--out", str(charts)).split()) == 5
    suffixes = sorted(path.suffix for path in charts.iterdir())
    assert suffixes == [".json", ".json", ".png", ".png", ".png", ".png"]
    ok(capsys, "chart", batch, "--out", str(charts), code=2)
    again = data(capsys, "chart", batch, "--out", str(charts), "--force", "--json")
    assert len(again["written"]) == 5


def test_charts_of_an_auction_and_of_nearly_nothing(capsys: Out, tmp_path: Path) -> None:
    folder = tmp_path / "auction"
    ok(capsys, "simulate", "--hands", "3", "--out", str(folder), "--policy", "random")
    ok(capsys, "chart", str(folder), "--out", str(tmp_path / "charts"), "--format", "svg")
    ok(capsys, "table", str(folder), "--by", "position")


def test_a_run_that_is_resumed_is_the_whole_run(capsys: Out, tmp_path: Path) -> None:
    once, twice = tmp_path / "once", tmp_path / "twice"
    half = str(int(HANDS) // 3)
    ok(capsys, "simulate", "--hands", HANDS, "--out", str(once), "--policy", "random")
    for hands in (half, HANDS):
        ok(capsys, "simulate", "--hands", hands, "--out", str(twice), "--policy", "random",
           "--resume")  # fmt: skip
    files = sorted(path.name for path in once.iterdir())
    assert files == sorted(path.name for path in twice.iterdir())
    for name in files:
        assert (once / name).read_bytes() == (twice / name).read_bytes()
    nothing = data(capsys, "simulate", "--hands", HANDS, "--out", str(twice), "--policy",
                   "random", "--resume", "--json")  # fmt: skip
    assert nothing["totals"]["hands"] == int(HANDS)


@pytest.mark.parametrize(
    "change", [["--seed", "2"], ["--policy", "plain"], ["--rule", "low=taker"],
               ["--experiment", "bidder"]], ids=str,
)  # fmt: skip
def test_only_the_same_run_is_resumed(capsys: Out, tmp_path: Path, change: list[str]) -> None:
    words = ["simulate", "--out", str(tmp_path / "b"), "--policy", "random"]
    ok(capsys, *words, "--hands", "24")
    capsys.readouterr()
    assert run([*words, "--hands", "48", "--resume", *change]) == 2
    assert "--resume: the batch there has" in capsys.readouterr().err


def test_deal_and_replay(capsys: Out, tmp_path: Path) -> None:
    for game in ([], ["--game"]):
        text = ok(capsys, "deal", "--hands", "2", "--policy", "random", "--seed", "9", *game)
        file = tmp_path / "hands.jsonl"
        file.write_text(text, "utf-8")
        assert ok(capsys, "replay", str(file)).endswith(" records, 0 faulty\n")
        lines = [
            json.loads(line) for line in ok(capsys, "replay", str(file), "--json").splitlines()
        ]
        assert [line["line"] for line in lines] == list(range(1, len(text.splitlines()) + 1))
        assert all(list(line) == ["line", "ok", "faults", "points", "score"] for line in lines)


def test_deal_at_an_index_is_that_hand_of_the_run(capsys: Out) -> None:
    run_of_four = ok(capsys, "deal", "--hands", "4", "--policy", "random").splitlines()
    third = ok(capsys, "deal", "--index", "2", "--policy", "random").splitlines()
    assert third == [line for line in run_of_four if json.loads(line)["index"] == 2]


def test_a_given_dealer_does_not_change_the_cards(capsys: Out) -> None:
    first = [json.loads(ok(capsys, "deal", "--policy", "random", "--dealer", str(dealer))
                        .splitlines()[0]) for dealer in range(6)]  # fmt: skip
    assert [record["dealer"] for record in first] == list(range(6))
    assert all(record["hands"] == first[0]["hands"] for record in first)


def test_replay_gives_every_line_its_verdict(capsys: Out, tmp_path: Path) -> None:
    good = ok(capsys, "deal", "--policy", "random").splitlines()[-1]
    bad = json.loads(good)
    bad["tricks"][1]["winner"] = (bad["tricks"][1]["winner"] + 1) % 6
    file = tmp_path / "mixed.jsonl"
    file.write_text("\n".join([good, json.dumps(bad), "no record", good, ""]), "utf-8")
    text = ok(capsys, "replay", str(file), code=1)
    assert "line 2: tricks[1].winner" in text
    assert "line 3: no hand record" in text
    assert "3 records, 2 faulty" in text
    verdicts = [
        json.loads(line) for line in ok(capsys, "replay", str(file), "--json", code=1).splitlines()
    ]
    assert [verdict["ok"] for verdict in verdicts] == [True, False, False, True]


def test_a_record_without_results_is_scored(capsys: Out, tmp_path: Path) -> None:
    record = json.loads(ok(capsys, "deal", "--policy", "random").splitlines()[-1])
    score = record["score"]
    for name in ("points", "game_count", "score"):
        del record[name]
    file = tmp_path / "bare.jsonl"
    file.write_text(json.dumps(record) + "\n", "utf-8")
    assert data(capsys, "replay", str(file), "--json")["score"] == score


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", "empty"),
        (b"\n\n", "only blank lines"),
        (b"hello\n", "no hand record in it"),
        (b"\x89PNG\r\n\x1a\n\x00\xff", "no hand record in it"),
        (b"[1, 2]\n", "no hand record in it"),
        (b'{"format": "other/1"}\n', "no hand record in it"),
    ],
)
def test_files_that_are_no_records(capsys: Out, tmp_path: Path, content: bytes, words: str) -> None:
    file = tmp_path / "f"
    file.write_bytes(content)
    capsys.readouterr()
    assert run(["replay", str(file)]) == 2
    error = capsys.readouterr().err
    assert words in error
    assert error.count("\n") == 1


def test_a_file_that_is_cut_in_the_middle(capsys: Out, tmp_path: Path) -> None:
    text = ok(capsys, "deal", "--hands", "3", "--policy", "random")
    file = tmp_path / "cut.jsonl"
    file.write_text(text[:-200], "utf-8")
    capsys.readouterr()
    assert run(["replay", str(file)]) == 2
    assert "cut in the middle" in capsys.readouterr().err


def test_rules_policies_doctor_and_bench_speak_json(capsys: Out) -> None:
    rules = data(capsys, "rules", "--rule", "low=taker", "--json")
    assert {"name": "low", "value": "taker"}.items() <= next(
        r for r in rules if r["name"] == "low"
    ).items()
    assert [p["name"] for p in data(capsys, "policies", "--json")] == [
        "heuristic",
        "plain",
        "random",
    ]
    assert data(capsys, "doctor", "--json")["program"] == "schmier-sim"
    few = ("--hands", "240", "--jobs", "1", "--json")
    keys = {"hands_per_second", "hands", "jobs", "policy", "compile_seconds", "provenance"}
    assert set(data(capsys, "bench", "--policy", "random", *few)) == keys
    recipe = data(capsys, "bench", "--kernel", "random-play", *few)
    assert set(recipe) == {*keys, "points"}
    assert sum(recipe["points"]) == pytest.approx(1)
    for words in (
        ("rules",),
        ("policies",),
        ("doctor",),
        ("bench", *few[:4], "--kernel", "random-play"),
    ):
        assert ok(capsys, *words)


def test_the_recipe_of_random_play_has_its_known_distribution(capsys: Out) -> None:
    """From 3,000,000 hands of an independent program in C."""
    hands = 200_000 if JIT_ENABLED else 100
    known = [0.1982, 0.2373, 0.2013, 0.1659, 0.1133, 0.0672, 0.0168]
    recipe = data(capsys, "bench", "--kernel", "random-play", "--hands", str(hands), "--json")
    for share, p in zip(recipe["points"], known, strict=True):
        assert abs(share - p) < 5 * (p * (1 - p) / hands) ** 0.5 + 5e-5


def test_rules_from_a_file(capsys: Out, tmp_path: Path) -> None:
    file = tmp_path / "house.toml"
    file.write_text('[rules]\nlow = "taker"\nmax_bid = 5\ndealer_steal = true\n', "utf-8")
    shown = data(capsys, "rules", "--rules", str(file), "--rule", "max_bid=4", "--json")
    values = {rule["name"]: rule["value"] for rule in shown}
    assert (values["low"], values["max_bid"], values["dealer_steal"]) == ("taker", 4, True)


def test_compare_says_who_scores_more(capsys: Out) -> None:
    few = "300" if JIT_ENABLED else "4"
    words = ("compare", "plain", "random", "--hands", few, "--games", "3" if JIT_ENABLED else "1")
    answer = data(capsys, *words, "--json")
    assert list(answer) == [
        "a", "b", "hands", "auction", "auction_by", "games", "points_per_hand", "bidding",
        "defending", "win_share", "sprt", "provenance",
    ]  # fmt: skip
    assert answer["points_per_hand"]["mean"] > 0
    text = ok(capsys, *words, "--auction", "fixed")
    assert "auction by plain" in text
    assert "games won per team" in text
    assert data(capsys, *words[:5], "--json")["win_share"] is None
    assert data(capsys, *words[:5], "--auction", "fixed", "--json")["auction_by"] == "plain"
    ok(capsys, "compare", "plain", "nobody", code=2)


GAP = "0.1" if JIT_ENABLED else "8"
"""Of a sequential test; a wide one takes few deals."""


@pytest.fixture
def soon(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without the JIT a sequential test looks earlier."""
    if not JIT_ENABLED:
        monkeypatch.setattr("schmier_sim.sprt.FEWEST", 5)
        monkeypatch.setattr("schmier_sim.sprt._WAIT", 0.01)


@pytest.mark.usefixtures("soon")
def test_compare_plays_until_it_knows(capsys: Out) -> None:
    words = ("compare", "plain", "random", "--sprt", f"0,{GAP}", "--alpha", "0.01")
    text = ok(capsys, *words)
    answer = data(capsys, *words, "--json")
    found = answer["sprt"]
    assert list(found) == ["low", "high", "alpha", "beta", "llr", "bounds", "accepted", "hands"]
    assert (found["low"], found["high"], found["alpha"], found["beta"]) == (
        0,
        float(GAP),
        0.01,
        0.05,
    )
    assert found["accepted"] == "high"
    assert found["llr"] >= found["bounds"][1] > 0 > found["bounds"][0]
    assert found["hands"] == answer["hands"] == answer["provenance"]["stop"]
    assert text.startswith(f"HIGH accepted after {answer['hands']:,} deals: plain against random, ")
    assert f"+{GAP} points per hand and not 0\n" in text
    assert "biased" in text


@pytest.mark.usefixtures("soon")
@pytest.mark.parametrize("low", ["0", "-0.05"])
def test_compare_finds_a_player_no_better_than_himself(capsys: Out, low: str) -> None:
    """All margins are 0, and their variance."""
    pair = f"{low},{GAP}"
    found = data(capsys, "compare", "plain", "plain", "--sprt", pair, "--json")["sprt"]
    assert found["accepted"] == "low"
    assert ok(capsys, "compare", "plain", "plain", "--sprt", pair).startswith("LOW accepted")


@pytest.mark.usefixtures("soon")
def test_compare_may_end_undecided(capsys: Out) -> None:
    """What is as near to one hypothesis as to the other is never told from them."""
    most = "1500" if JIT_ENABLED else "7"
    words = ("compare", "plain", "plain", "--sprt=-0.1,0.1", "--hands", most)
    assert data(capsys, *words, "--json")["sprt"]["accepted"] is None
    text = ok(capsys, *words)
    assert text.startswith(f"UNDECIDED after {int(most):,} deals")
    assert "biased" not in text


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["--sprt", "0.1,0"], "LOW must be below HIGH"),
        (["--sprt", "0.1,0.1"], "LOW must be below HIGH"),
        (["--sprt", "0,nan"], "'0,nan' is no pair of numbers"),
        (["--sprt", "0,inf"], "no pair of numbers"),
        (["--sprt", "0"], "no pair of numbers"),
        (["--sprt", "0,1,2"], "no pair of numbers"),
        (["--sprt", "0,1e300"], "within 9 points"),
        (["--sprt", "0,10", "--rule", "teams=2x3", "--hands", "9"], "looks first after"),
        (["--sprt", "0,0.1", "--hands", "20"], "--hands 20: --sprt 0,0.1 looks first after 1,079"),
        (["--sprt", "0,0.1", "--alpha", "0.5"], "--alpha 0.5"),
        (["--sprt", "0,0.1", "--beta", "1e-9"], "--beta 1e-09"),
        (["--sprt", "0,0.1", "--beta", "0"], "'0' is no number above 0"),
        (["--alpha", "0.05"], "--sprt LOW,HIGH"),
        (["--auction-by", "random"], "--auction fixed"),
    ],
    ids=str,
)
def test_compare_refuses_what_makes_no_sense(capsys: Out, words: list[str], told: str) -> None:
    assert run(["compare", "plain", "random", *words]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.count("\n") == 1
    assert told in err


def stopping(at: int, what: str) -> Any:
    """A stand-in for `progress`: Ctrl-C when so much is done."""

    @contextmanager
    def progress(total: int, name: str, quiet: bool) -> Iterator[Any]:
        def show(done: int) -> None:
            if name == what and done >= at:
                raise KeyboardInterrupt

        yield show

    return progress


def interrupted(capsys: Out, words: tuple[str, ...]) -> tuple[str, str]:
    assert run(words) == 130
    out, err = capsys.readouterr()
    assert err.startswith("schmier-sim: interrupted")
    assert err.count("\n") == 1
    return out, err


def test_a_comparison_stopped_says_what_was_done(
    capsys: Out, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("schmier_sim.comparison._ROUND", 4)
    words = ("compare", "plain", "random", "--games", "2", "--jobs", "2")
    whole = data(capsys, *words[:3], "--hands", "8", "--json")
    monkeypatch.setattr("schmier_sim.cli.compare.progress", stopping(10, "playing deals"))
    words += ("--hands", "24")
    out, err = interrupted(capsys, (*words, "--json"))
    assert "8 of 24 deals and 0 of 2 games" in err
    answer = json.loads(out)
    answer["provenance"] = whole["provenance"]
    assert answer == whole
    assert " 8 deals, seed 1;" in interrupted(capsys, words)[0]
    monkeypatch.setattr("schmier_sim.cli.compare.progress", stopping(1, "playing deals"))
    assert interrupted(capsys, words) == ("", "schmier-sim: interrupted\n")


def test_a_comparison_stopped_in_its_games_keeps_the_deals(
    capsys: Out, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("schmier_sim.comparison._ROUND_OF_GAMES", 1)
    monkeypatch.setattr("schmier_sim.cli.compare.progress", stopping(2, "playing games"))
    words = ("compare", "plain", "random", "--rule", "target=3", "--hands", "5", "--games", "3")
    out, err = interrupted(capsys, (*words, "--json"))
    assert "5 of 5 deals and 1 of 3 games" in err
    answer = json.loads(out)
    assert (answer["hands"], answer["games"]) == (5, 1)
    share = answer["win_share"]
    assert -0.75 <= share["low"] <= share["mean"] <= share["high"] <= 0.75
    assert share["low"] < share["high"]


@pytest.mark.usefixtures("soon")
def test_a_sequential_test_stopped_gives_its_last_look(
    capsys: Out, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = 1079 if JIT_ENABLED else 5
    monkeypatch.setattr("schmier_sim.cli.compare.progress", stopping(first + 1, "playing deals"))
    words = ("compare", "plain", "plain", "--sprt=-0.1,0.1", "--json", "--hands", "5000")
    if JIT_ENABLED:
        words = (*words[:3], "--sprt=-0.05,0.05", *words[4:])
    found = json.loads(interrupted(capsys, words)[0])["sprt"]
    assert (found["accepted"], found["hands"]) == (None, first)


def test_a_run_stopped_before_anything_was_done_leaves_nothing(
    capsys: Out, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def stop(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("schmier_sim.simulate.run", stop)
    ok(capsys, "simulate", "--hands", "24", "--out", str(tmp_path / "new"), code=130)
    assert list(tmp_path.iterdir()) == []
    (tmp_path / "mine").mkdir()
    ok(capsys, "simulate", "--hands", "24", "--out", str(tmp_path / "mine"), code=130)
    assert (tmp_path / "mine").is_dir()
