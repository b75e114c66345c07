"""Hostile input: whatever is given, one line on stderr and exit code 2, and nothing left behind."""

from __future__ import annotations

import hashlib
import io
import json
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from schmier_sim.cli.run import run

Out = pytest.CaptureFixture[str]
GOOD = "AS KS JS JC 2S JO"
ADVISE = ["advise", GOOD, "--hands", "24"]
STEAL = ["--rule", "dealer_steal=on"]


def refused(capsys: Out, words: list[str], says: str = "") -> str:
    """Run, and check that the refusal has the form that every refusal has."""
    capsys.readouterr()
    code = run(words)
    out, err = capsys.readouterr()
    assert code == 2, err
    assert out == ""
    assert err.startswith("schmier-sim: ")
    assert err.count("\n") == 1
    assert says in err
    return err


ADVICE = [
    (["--bid", str(10**30)], "bids are 3 to 6"),
    (["--bid", "-3"], "bids are 3 to 6"),
    (["--bid", "3.0"], "--bid"),
    (["--bid", ""], "--bid"),
    (["--bid", "6", "--rule", "max_bid=5"], "bids are 3 to 5"),
    (["--bid", "2", "--rule", "min_bid=1", "--rule", "max_bid=1"], "bids are 1 to 1"),
    (["--position", "0"], "positions are 1"),
    (["--position", "-1"], "positions are 1"),
    (["--position", str(10**40)], "positions are 1"),
    (["--position", "6", "--rule", "all_pass=redeal_without_dealer"], "not asked"),
    (["--calls", "2"], "legal: a pass or 3 to 6"),
    (["--calls", "6"], "not asked"),
    (["--calls", "6 pass"], "auction has ended"),
    (["--calls", "6 pass", *STEAL], "auction has ended"),
    (["--calls", "pass 4", "--bid", "4"], "legal: pass, 5, 6"),
    (["--calls", "³"], "no call"),
    (["--calls", "pass " * 1000], "at most five"),
    (["--position", "3", "--calls", "6", *STEAL], "disagree"),
    (["--position", "2", "--calls", "pass pass"], "disagree"),
    (["--scores", "0,0", "--bid", "3"], "3 teams"),
    (["--scores", "0,0,0", "--rule", "teams=2x3"], "2 teams"),
    (["--scores", "21,0", "--rule", "teams=2x3"], "the game is over"),
    (["--scores", "21,21", "--rule", "teams=2x3"], "the game is over"),
    (["--scores", "21,21,0", "--rule", "top_tie=shared"], "the game is over"),
    (["--scores", ""], "3 teams"),
    (["--scores", "nan,0,0"], "whole numbers"),
    (["--trump", ""], "no suit"),
    (["--trump", "♠♠"], "no suit"),
    (["--hands", "nan"], "whole number from 1"),
    (["--hands", "inf"], "whole number from 1"),
    (["--hands", ""], "whole number from 1"),
    (["--hands", "1e99"], "whole number from 1"),
    (["--hands", "٣"], "whole number from 1"),
    (["--seed", "1.0"], "--seed"),
    (["--jobs", "1000"], "--jobs"),
    (["--jobs", "1.5"], "--jobs"),
    (["--policy", ""], "policies: heuristic, plain, random"),
    (["--seat-policy", "=plain"], "--seat-policy"),
    (["--seat-policy", "me="], "WHO=NAME"),
    (["--rule", ""], "NAME=VALUE"),
    (["--rule", "="], "no rule is called"),
    (["--rule", "low="], "legal: player, taker"),
    (["--rule", "min_bid=³"], "legal: 1 to 6"),
    (["--rule", "min_bid=3.0"], "legal: 1 to 6"),
    (["--rule", "max_bid=2"], "above"),
    (["--rule", "target=0"], "legal: 1 to 1000"),
    (["--chart", ""], "the path is empty"),
    (["--chart", "/dev/null/x.png"], "/dev/null"),
    (["--json", "--bid", "9"], "bids are 3 to 6"),
    # The seats between are skipped: only the dealer may be asked about.
    (["--calls", "pass pass 6", "--position", "4", *STEAL], "position"),
    # No comparison with NaN ever ends a search for precision; --hands is above its limit, so
    # that nothing is played where NaN is let through.
    (["--precision", "nan", "--hands", "1e9"], "--precision"),
    (["--precision", "1", "--seconds", "nan", "--hands", "1e9"], "--seconds"),
]


@pytest.mark.parametrize(("words", "says"), ADVICE, ids=lambda v: str(v)[:60])
def test_advise(
    words: list[str],
    says: str,
    capsys: Out,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    refused(capsys, [*ADVISE, *words], says)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    "hand",
    ["JO * 2S 3S 4S 5S", "🂡", "\uff21♠", "٢S", "\ud800", "AS|KS", "\x1b[31m", "\u017fS", "1" * 999],
)
def test_strange_hands(hand: str, capsys: Out) -> None:
    assert len(refused(capsys, ["advise", hand])) < 300


@pytest.mark.parametrize(
    "hand", ["A♠️K♠️J♠️J♣️2♠️🃏", "A♠︎ K♠︎ J♠︎ J♣︎ 2♠︎ Joker", "asksjsjc2sjo", "as\tks,js;jc 2s *"]
)
def test_every_accepted_spelling_is_the_same_hand(hand: str, capsys: Out) -> None:
    assert run(["advise", hand, "--hands", "24", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["hand"] == GOOD.split()


TOML = {
    "binary": b"\x00\xff\xfe",
    "nested": b"[a.b.c]\nx = 1",
    "a table for a value": b'[rules.low]\nto = "taker"',
    "a list of tables": b'[[rules]]\nlow = "taker"',
    "beside the table": b'x = 1\n[rules]\nlow = "taker"',
    "a number with a point": b"min_bid = 3.0",
    "NaN": b"min_bid = nan",
    "a truth for a number": b"min_bid = true",
    "a number for a truth": b"dealer_steal = 1",
    "a date": b"min_bid = 2020-01-01",
    "a list": b'low = ["taker"]',
    "twice": b'low = "taker"\nlow = "player"',
    "cut": b'low = "tak',
    "contradictory": b"min_bid = 6\nmax_bid = 5",
    "unknown": b"lows = 1",
    "UTF-16": 'low = "taker"'.encode("utf-16"),
    "too many digits": b"min_bid = " + b"9" * 5000,
    "too deep": b"x = " + b"[" * 5000 + b"]" * 5000,
}


@pytest.mark.parametrize("name", TOML)
def test_rules_files(name: str, capsys: Out, tmp_path: Path) -> None:
    file = tmp_path / "rules.toml"
    file.write_bytes(TOML[name])
    refused(capsys, ["rules", "--rules", str(file)])


@pytest.mark.parametrize(
    "words",
    [
        ["simulate", "--hands", "24", "--out", ""],
        ["simulate", "--hands", "24", "--out", "/proc/x"],
        ["simulate", "--hands", "24", "--out", "x" * 300],
        ["simulate", "--hands", "24", "--out", "x", "--seat-policy", "me=random"],
        ["simulate", "--hands", "24", "--out", "x", "--rule", "min_bid=5", "--rule", "max_bid=4"],
        ["deal", "--index", str(2**53 + 1)],
        ["deal", "--dealer", "-1"],
        ["deal", "--hands", "1e30"],
        ["deal", "--seed", str(2**63)],
        ["bench", "--hands", "1e13"],
        ["compare", "plain", "nobody"],
        ["compare", "plain"],
        ["rules", "x"],
        ["table", "."],
        ["table", ""],
        ["replay", ""],
        ["replay", "a", "b"],
        [""],
    ],
    ids=lambda words: " ".join(words)[:60],
)
def test_other_commands(
    words: list[str], capsys: Out, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    refused(capsys, words)
    assert list(tmp_path.iterdir()) == []


# --- Records --------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def lines() -> list[str]:
    """Two records of completed hands."""
    from schmier_sim.dealing import Dealer
    from schmier_sim.policies.registry import find
    from schmier_sim.records.write import as_line, as_record
    from schmier_sim.rules import Rules

    play = Dealer([find("random")] * 6, Rules(), 1)
    hands = [one for one in play.hands(0, 2) if one.bidder >= 0]
    return [as_line(as_record(one, Rules(), 1, ["random"] * 6, None)) for one in hands]


READERS = {"replay": [], "solve": ["--at", "6.1"]}


def told_by(
    reader: str, capsys: Out, tmp_path: Path, content: bytes
) -> tuple[int, list[bool], str]:
    """Exit code, whether each line is good, and what is said on stderr."""
    file = tmp_path / "hands.jsonl"
    file.write_bytes(content)
    capsys.readouterr()
    code = run([reader, str(file), "--json", *READERS[reader]])
    out, err = capsys.readouterr()
    told = [json.loads(line, parse_constant=pytest.fail) for line in out.splitlines()]
    return code, [each["ok"] if reader == "replay" else each["fault"] is None for each in told], err


FILES: dict[str, tuple[Callable[[bytes, bytes], bytes], int, int]] = {
    "good": (lambda a, b: a + b"\n" + b + b"\n", 0, 2),
    "no last line feed": (lambda a, b: a + b"\n" + b, 0, 2),
    "CRLF": (lambda a, b: a + b"\r\n" + b + b"\r\n", 0, 2),
    "BOM": (lambda a, b: b"\xef\xbb\xbf" + a + b"\n" + b, 0, 2),
    "blank lines": (lambda a, b: b"\n" + a + b"\n  \n" + b + b"\n\n", 0, 2),
    "a strange line": (lambda a, b: a + b"\nhello\n" + b + b"\n", 1, 3),
    "a cut line between": (lambda a, b: a[:90] + b"\n" + b + b"\n", 1, 2),
    "the last line cut": (lambda a, b: a + b"\n" + b[:-9], 2, 2),
    "a fault, and the last line cut": (lambda a, b: a[:-1] + b',"bid":9}\n' + b[:-9], 2, 2),
    "empty": (lambda a, b: b"", 2, 0),
    "blank": (lambda a, b: b"\n \n", 2, 0),
    "no record": (lambda a, b: b"{}\n[]\n7\n", 2, 3),
    "UTF-16": (lambda a, b: a.decode().encode("utf-16"), 2, 1),
    "NaN": (lambda a, b: a[:-1] + b',"x":NaN}\n' + b + b"\n", 1, 2),
    "a huge number": (lambda a, b: a[:-1] + b',"dealer":1e999}\n' + b + b"\n", 1, 2),
    "too many digits": (lambda a, b: a[:-1] + b',"seed":' + b"9" * 5000 + b"}\n" + b, 1, 2),
    "too deep": (lambda a, b: a[:-1] + b',"hands":' + b"[" * 9**5 + b"\n" + b, 1, 2),
    "no UTF-8": (lambda a, b: a.replace(b'"random"', b'"r\xff"', 1) + b"\n" + b, 1, 2),
    "a field twice": (lambda a, b: b'{"dealer":9,' + a[1:] + b"\n" + b, 1, 2),
}


@pytest.mark.parametrize("reader", READERS)
@pytest.mark.parametrize("name", FILES)
def test_every_line_gets_its_verdict(
    name: str, reader: str, lines: list[str], capsys: Out, tmp_path: Path
) -> None:
    make, wanted, verdicts = FILES[name]
    content = make(*(line.encode() for line in lines))
    code, good, err = told_by(reader, capsys, tmp_path, content)
    assert code == wanted
    assert len(good) == verdicts
    assert err.count("\n") == (wanted == 2)
    if wanted == 0:
        assert all(good)
    if wanted == 1:
        assert not all(good)
        assert good[-1]


@pytest.mark.parametrize("reader", READERS)
@pytest.mark.parametrize("depth", [100, 900, 960, 990, 5000])
@pytest.mark.parametrize("field", ["dealer", "hands", "game", "policies", "format"])
def test_nesting_is_survived(
    field: str, depth: int, reader: str, lines: list[str], capsys: Out, tmp_path: Path
) -> None:
    nested = f'{lines[0][:-1]},"{field}":{"[" * depth}{"]" * depth}}}'
    content = f"{nested}\n{lines[1]}\n".encode()
    code, good, _ = told_by(reader, capsys, tmp_path, content)
    assert code == 1
    assert good == [False, True]


@pytest.mark.parametrize("reader", READERS)
def test_without_a_stdin(reader: str, capsys: Out, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", None)
    refused(capsys, [reader, "-"], "stdin")


# --- Batches --------------------------------------------------------------------------------------


@pytest.fixture
def batch(tmp_path: Path, capsys: Out) -> Path:
    folder = tmp_path / "batch"
    assert run(["simulate", "--hands", "24", "--policy", "random", "--out", str(folder)]) == 0
    capsys.readouterr()
    return folder


def readers(batch: Path) -> list[list[str]]:
    """Return all commands that read a batch."""
    more = ["simulate", "--hands", "48", "--policy", "random", "--resume", "--out", str(batch)]
    return [
        ["table", str(batch)],
        ["table", str(batch), "--json"],
        ["chart", str(batch), "--out", str(batch.parent / "charts"), "--json"],
        more,
    ]


def all_refuse(capsys: Out, batch: Path) -> None:
    before = {path.name: path.read_bytes() for path in batch.iterdir() if path.is_file()}
    for words in readers(batch):
        refused(capsys, words)
    assert {p.name: p.read_bytes() for p in batch.iterdir() if p.is_file()} == before
    assert not (batch.parent / "charts").exists()


INDEXES: dict[str, Callable[[str], bytes]] = {
    "empty": lambda text: b"",
    "no UTF-8": lambda text: text.encode().replace(b'"version"', b'"version\xff"'),
    "too deep": lambda text: b"[" * 100_000,
    "too many digits": lambda text: text.replace('"seed": 1', '"seed": ' + "9" * 5000).encode(),
    "NaN": lambda text: text.replace('"seed": 1', '"x": NaN, "seed": 1').encode(),
    "infinite": lambda text: text.replace('"seed": 1', '"x": 1e999, "seed": 1').encode(),
    "a fraction": lambda text: text.replace('"stop": 24', '"stop": 24.0').encode(),
    "fewer hands than are there": lambda text: text.replace('"stop": 24', '"stop": 23').encode(),
    "more hands than are there": lambda text: text.replace('"stop": 24', '"stop": 25').encode(),
    "no commit": lambda text: text.replace('"commit"', '"comet"').encode(),
    "a commit of another kind": lambda text: text.replace(
        '"commit":', '"commit": 7, "x":'
    ).encode(),
    "the tally elsewhere": lambda text: text.replace("tally-24.npz", "..").encode(),
}


@pytest.mark.parametrize("name", INDEXES)
def test_a_damaged_index(name: str, batch: Path, capsys: Out) -> None:
    index = batch / "batch.json"
    damaged = INDEXES[name](index.read_text("utf-8"))
    assert damaged != index.read_bytes()
    index.write_bytes(damaged)
    all_refuse(capsys, batch)


def test_an_index_that_is_a_directory(batch: Path, capsys: Out) -> None:
    (batch / "batch.json").unlink()
    (batch / "batch.json").mkdir()
    all_refuse(capsys, batch)


def npz(**arrays: Any) -> bytes:
    file = io.BytesIO()
    np.savez_compressed(file, **arrays)
    return file.getvalue()


def npy(array: Any) -> bytes:
    file = io.BytesIO()
    np.save(file, array)
    return file.getvalue()


def with_header(archive: bytes, offset: int, value: int) -> bytes:
    """Return a zip archive with one byte of all entries in its directory changed."""
    changed = bytearray(archive)
    for entry in re.finditer(b"PK\x01\x02", archive):
        changed[entry.start() + offset] = value
    return bytes(changed)


TALLIES: dict[str, Callable[[Any, Any], bytes]] = {
    "empty": lambda cells, totals: b"",
    "no archive": lambda cells, totals: b"hello",
    "truncated": lambda cells, totals: npz(cells=cells, totals=totals)[:300],
    "encrypted": lambda cells, totals: with_header(npz(cells=cells, totals=totals), 8, 1),
    "packed in another way": lambda cells, totals: with_header(
        npz(cells=cells, totals=totals), 10, 99
    ),
    "one array": lambda cells, totals: npy(cells),
    "other names": lambda cells, totals: npz(a=cells, b=totals),
    "another shape": lambda cells, totals: npz(cells=cells[1:], totals=totals),
    "fractions": lambda cells, totals: npz(cells=cells / 2, totals=totals),
    "words": lambda cells, totals: npz(cells=cells, totals=np.array(list("abcde"))),
    "negative": lambda cells, totals: npz(cells=-cells, totals=totals),
    "totals that do not fit": lambda cells, totals: npz(cells=cells, totals=totals * 0),
    "no hands": lambda cells, totals: npz(cells=cells * 0, totals=totals),
}


@pytest.mark.parametrize("name", TALLIES)
def test_a_tally_that_is_none(name: str, batch: Path, capsys: Out) -> None:
    """With the digest of just this file in the index, so that only its content can tell."""
    with np.load(batch / "tally-24.npz") as arrays:
        content = TALLIES[name](arrays["cells"], arrays["totals"])
    (batch / "tally-24.npz").write_bytes(content)
    facts = json.loads((batch / "batch.json").read_text("utf-8"))
    facts["sha256"] = hashlib.sha256(content).hexdigest()
    (batch / "batch.json").write_text(json.dumps(facts), "utf-8")
    all_refuse(capsys, batch)


@pytest.mark.parametrize("damage", [b"", b"PK"])
def test_a_tally_with_another_digest(damage: bytes, batch: Path, capsys: Out) -> None:
    (batch / "tally-24.npz").write_bytes(damage)
    all_refuse(capsys, batch)


def test_a_missing_tally(batch: Path, capsys: Out) -> None:
    (batch / "tally-24.npz").unlink()
    all_refuse(capsys, batch)


# --- What is there stays --------------------------------------------------------------------------


def test_charts_do_not_replace_another_provenance(batch: Path, capsys: Out, tmp_path: Path) -> None:
    out = tmp_path / "charts"
    out.mkdir()
    (out / "provenance.json").write_text("mine")
    refused(capsys, ["chart", str(batch), "--out", str(out)], "--force")
    assert [path.name for path in out.iterdir()] == ["provenance.json"]
    assert (out / "provenance.json").read_text() == "mine"


@pytest.mark.parametrize("name", ["tally-2025.npz", "tally-24.npz"])
def test_a_first_batch_leaves_other_files_alone(name: str, tmp_path: Path, capsys: Out) -> None:
    """Whether it is refused or done: what no batch wrote is still there."""
    (tmp_path / name).write_text("mine")
    code = run(["simulate", "--hands", "24", "--policy", "random", "--out", str(tmp_path)])
    assert code in (0, 2), capsys.readouterr().err
    assert (tmp_path / name).read_text() == "mine"


# --- What an answer must say ----------------------------------------------------------------------


def test_a_close_bid_is_told_of_a_better_one() -> None:
    from schmier_sim.advise import INDIFFERENCE, advise
    from schmier_sim.around import Table
    from schmier_sim.players import seating
    from schmier_sim.situation import situation
    from schmier_sim.words import headline

    held = situation("AH 5C TS 2H 3C 3H")
    advice = advise(Table(held, seating("plain", {}, held.rules)), hands=60)
    passing, bid = advice.of(0), advice.of(4)
    assert passing is not None
    assert bid is not None
    # A bid worth as much as a pass, far behind another bid.
    best = replace(advice.calls[0], call=3, trump=2, values=passing.values + 2)
    equal = replace(
        bid,
        values=passing.values,
        behind_best=passing.behind_best._replace(mean=2.0, low=1.9, high=2.1),
    )
    close = replace(advice, calls=(best, equal, passing))
    assert close.verdict(4) == "close"
    assert equal.behind_best.mean > INDIFFERENCE
    assert "3 ♥ is better (by 2.00)" in headline(close, 4)


def test_an_odd_opponent_is_named(capsys: Out) -> None:
    assert run([*ADVISE, "--json", "--seat-policy", "2=random"]) == 0
    assert "random" in json.loads(capsys.readouterr().out)["policies"]["opponents"]
