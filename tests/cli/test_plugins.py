"""Players of one's own on the command line."""

from __future__ import annotations

import json
import shlex
from pathlib import Path

import pytest

from schmier_sim._jit import JIT_ENABLED
from schmier_sim.cli.run import run

FILE = '''
from schmier_sim.policies import policy


@policy(uses_bid=False)
class Bids:
    """Bids what it can."""

    least = 3

    def call(view, least):
        return least if view.legal >> least & 1 else view.legal & 1 ^ 1


@policy(uses_bid=False)
class Raises:
    def play(view):
        return view.history[view.n_played + 36] if view.n_played > 5 else view.history[40]


@policy(uses_bid=False)
class Cheats:
    def play(view):
        return 99
'''
EXAMPLES = Path(__file__).parent.parent.parent / "docs" / "examples"


@pytest.fixture(autouse=True)
def mine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "mine.py"
    path.write_text(FILE, "utf-8")
    return path


def test_the_players_of_a_file_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["policies", "mine.py", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert [each["name"] for each in found] == ["mine.py:Bids", "mine.py:Raises", "mine.py:Cheats"]
    assert found[0] == {
        "name": "mine.py:Bids", "summary": "Bids what it can.", "uses_bid": False,
        "parameters": {"least": 3},
    }  # fmt: skip
    assert run(["policies", "mine.py:Bids"]) == 0
    assert capsys.readouterr().out == "mine.py:Bids       Bids what it can. [least=3]\n"
    assert run(["policies", "--check"]) == 2


def test_a_record_names_the_source(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["deal", "--policy", "plain", "--seat-policy", "2=mine.py:Bids:least=4"]) == 0
    record = json.loads(capsys.readouterr().out.splitlines()[-1])
    name, _, digest = record["policies"][2].partition("@")
    assert (name, len(digest)) == ("mine.py:Bids:least=4", 12)
    assert record["policies"][1] == "plain"


def test_an_edited_player_does_not_go_on_with_a_batch(
    mine: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["simulate", "--experiment", "bidder", "--seat-policy", "me=mine.py:Bids", "--out", "b"]
    assert run([*words, "--hands", "24"]) == 0
    assert run([*words, "--hands", "48", "--resume"]) == 0
    mine.write_text(FILE + "\n# edited\n", "utf-8")
    capsys.readouterr()
    assert run([*words, "--hands", "72", "--resume"]) == 2
    assert "the batch there has policies" in capsys.readouterr().err


@pytest.mark.parametrize("experiment", ["auction", "bidder"])
def test_the_command_in_the_message_shows_the_hand(
    experiment: str, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["simulate", "--hands", "24", "--out", "b", "--experiment", experiment, "--rule"]
    assert run([*words, "low=taker", "--policy", "mine.py:Cheats"]) == 1
    err = capsys.readouterr().err
    assert err.count("\n") == 1
    assert "policy 'mine.py:Cheats' in seat" in err
    assert "illegal answer 99 to play, seed 1, hand 0, attempt" in err
    command = shlex.split(err.partition("to see it: ")[2])
    assert command[:2] == ["schmier-sim", "deal"]
    assert run(command[1:]) == 1
    out, again = capsys.readouterr()
    assert "low=taker" in out
    assert "Exchange" in out
    assert "Score" not in out
    assert again.strip() == err.partition("; to see it")[0]


def test_an_exception_is_told_with_its_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["deal", "--policy", "mine.py:Raises", "--experiment", "bidder"]) == 1
    assert "raised an exception in play (mine.py:18: IndexError: " in capsys.readouterr().err


def test_the_check_has_a_clear_end(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    from schmier_sim.cli import policies

    if not JIT_ENABLED:
        monkeypatch.setattr(policies, "_MANY", 12)
    monkeypatch.setattr(policies, "_SOME", 500 if JIT_ENABLED else 3)
    assert run(["policies", str(EXAMPLES / "wild.py"), "--check", "--jobs", "1"]) == 0
    assert "keeps to the rules of policies" in capsys.readouterr().out
    assert run(["policies", "mine.py:Cheats", "--check", "--jobs", "1"]) == 1
    assert "illegal answer 99 to play" in capsys.readouterr().err


@pytest.mark.parametrize("name", ["coward.py:Coward", "wild.py:Wild", "first_lead.py:LowFirst"])
def test_the_examples_of_the_tutorial(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    """They are short, and lose what the tutorial says."""
    text = (EXAMPLES.parent / "tutorial-policies.md").read_text("utf-8")
    command = f"schmier-sim compare examples/{name} heuristic --hands 20000\n"
    assert command in text
    told = text[text.index(command) + len(command) :].partition("\n")[0]
    assert len((EXAMPLES / name.partition(":")[0]).read_text("utf-8").splitlines()) <= 20
    hands = "20000" if JIT_ENABLED else "2"
    assert run(["compare", str(EXAMPLES / name), "heuristic", "--hands", hands]) == 0
    if JIT_ENABLED:
        assert told in capsys.readouterr().out.splitlines()
