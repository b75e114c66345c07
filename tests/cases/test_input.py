"""Known faults of other programs in what is read, as tests of this one."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from schmier_sim.cards import CARD_NAMES, card_name, card_sign, parse_card, parse_cards, parse_hand
from schmier_sim.cli.run import run
from schmier_sim.errors import InputError
from schmier_sim.records import check_lines
from schmier_sim.rules import Rules
from schmier_sim.situation import parse_scores

Out = pytest.CaptureFixture[str]


@pytest.mark.parametrize("text", ["10S", "TS", "10s", "ts", "t♠", "10♠️", " TS ", "TS,"])
def test_B110_ten_has_one_written_form(text: str) -> None:
    assert [card_name(card) for card in parse_cards(text)] == ["TS"]


@pytest.mark.parametrize("text", ["as", "aS", "As", "AS"])
def test_B111_case_does_not_matter(text: str) -> None:
    assert parse_card(text) == parse_card("AS")


@pytest.mark.parametrize("text", ["jo", "JO", "Jo", "joker", "JOKER", "*", "🃏"])
def test_B111_the_joker_has_many_names(text: str) -> None:
    assert card_name(parse_card(text)) == "JO"


def test_B111_every_card_comes_back_from_each_of_its_spellings() -> None:
    for card, name in enumerate(CARD_NAMES):
        assert parse_cards(name) == parse_cards(name.lower()) == [card]
        assert parse_cards(card_sign(card)) == [card]
    assert parse_cards("".join(CARD_NAMES)) == list(range(53))


@pytest.mark.parametrize(
    ("text", "name"),
    [("AS AS 3S 4S 5S 6S", "AS"), ("JO * 3S 4S 5S 6S", "JO"), ("10S TS 3S 4S 5S 6S", "TS")],
)
def test_B115_a_card_twice_is_named(text: str, name: str) -> None:
    with pytest.raises(InputError, match=f"{name} is there twice"):
        parse_hand(text)


@pytest.mark.parametrize(("text", "count"), [("", 0), ("AS KS QS JS TS", 5), ("AS23456S", 0)])
def test_B116_the_number_of_cards_read_is_said(text: str, count: int) -> None:
    words = f"{count} were read" if "23" not in text else "no card"
    with pytest.raises(InputError, match=words):
        parse_hand(text)


def test_B119_negative_scores(capsys: Out) -> None:
    assert parse_scores("-3,5,12", Rules()) == (-3, 5, 12)
    assert run(["advise", "AS KS QS JS JC TS", "--scores=-3,5,12", "--hands", "24", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["scores"] == [-3, 5, 12]


def test_B121_one_card_in_two_hands_is_refused_wherever_a_deal_is_read(
    capsys: Out, tmp_path: Path
) -> None:
    assert run(["deal", "--policy", "random"]) == 0
    record = json.loads(capsys.readouterr().out.splitlines()[-1])
    record["hands"][1][0] = record["hands"][0][0]
    (verdict,) = check_lines([json.dumps(record)])
    assert "is in hands[0] too (P2)" in verdict.faults[0]
    file = tmp_path / "twice.jsonl"
    file.write_text(json.dumps(record) + "\n", "utf-8")
    assert run(["replay", str(file)]) == 1
