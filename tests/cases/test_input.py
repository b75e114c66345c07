"""What is read: not one known fault of other programs, but its whole kind."""

from __future__ import annotations

import copy
import json
import random
from collections.abc import Callable
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from cases.scene import players
from deals import shuffled
from rules.handmade import HANDS, make_record, verdicts

from schmier_sim import Rules, play_batch
from schmier_sim._jit import JIT_ENABLED
from schmier_sim.cards import CARD_NAMES, RANKS, SUITS, card_name, parse_cards, parse_hand
from schmier_sim.cli.run import run
from schmier_sim.errors import InputError
from schmier_sim.situation import parse_scores, situation

Out = pytest.CaptureFixture[str]
SIGNS = {"C": "cC♣♧", "D": "dD♦♢", "H": "hH♥♡", "S": "sS♠♤"}
JOKERS = ("JO", "jo", "Jo", "jO", "joker", "Joker", "JOKER", "*", "🃏")
GOOD = "AS KS QS JS JC TS"


def spellings(name: str) -> list[str]:
    """Every accepted way of writing a card."""
    if name == "JO":
        return list(JOKERS)
    ranks = {"T": ["T", "t", "10"]}.get(name[0], [name[0], name[0].lower()])
    selectors = ("", "\ufe0e", "\ufe0f")
    return [
        rank + sign + selector
        for rank in ranks
        for sign in SIGNS[name[1]]
        for selector in (selectors if sign in "♣♦♥♠" else selectors[:1])
    ]


@pytest.mark.parametrize("name", CARD_NAMES)
def test_B110_B111_every_spelling_of_every_card(name: str) -> None:
    """One written form comes out, whatever goes in."""
    for text in spellings(name):
        assert [card_name(card) for card in parse_cards(text)] == [name]


def test_B110_B111_random_hands_in_mixed_spellings_and_gaps() -> None:
    rng = random.Random(110)
    for _ in range(500):
        names = rng.sample(CARD_NAMES, 6)
        texts = [rng.choice(spellings(name)) for name in names]
        for gap in (" ", "", ",", ", ", "  ", "\t", ";", "\n"):
            assert [card_name(card) for card in parse_hand(gap.join(texts))] == names


def test_B110_no_ten_is_taken_for_another_card() -> None:
    """Neither a bare one nor a nought, nor other numbers are cards."""
    for text in ("1S", "0S", "11S", "12S", "010S", "100S", "1OS", "T0S", "10", "S10", "10X"):
        with pytest.raises(InputError, match="no card"):
            parse_cards(f"AS {text}")


def test_B110_B111_answers_are_the_same_for_every_spelling(capsys: Out) -> None:
    """And the hand is written canonically."""
    texts = []
    for hand in ("TS 9S AS JO 2H 3H", "10s 9♠ as * 2♥ 3♡", "10S9SAS🃏2H3H", "ts,9s,aS;joker 2h 3h"):
        assert run(["advise", hand, "--hands", "2", "--json"]) == 0
        texts.append(capsys.readouterr().out)
    assert len(set(texts)) == 1
    assert json.loads(texts[0])["hand"] == ["TS", "9S", "AS", "JO", "2H", "3H"]


def test_B111_records_may_be_spelled_in_any_way() -> None:
    record = make_record(HANDS)
    text = json.dumps(record)
    for name in CARD_NAMES:
        text = text.replace(f'"{name}"', json.dumps(spellings(name)[-1]))
    (verdict,) = verdicts([json.loads(text)])
    assert verdict.ok, verdict.faults
    assert verdict.score == record["score"]


@pytest.mark.parametrize("text", ["jk", "J", "JOK", "JOKERS", "jokerr", "J0", "JJ", "*S", "🂡"])
def test_B111_what_is_no_joker(text: str) -> None:
    with pytest.raises(InputError, match="no card"):
        parse_cards(text)


def test_B115_every_card_twice_in_every_pair_of_spellings() -> None:
    for name in CARD_NAMES:
        ways = spellings(name)[:6]
        for one, other in [*combinations(ways, 2), (ways[0], ways[0])]:
            with pytest.raises(InputError, match=f"card {name} is there twice"):
                parse_cards(f"{one} {other}")


@pytest.mark.parametrize(
    ("hand", "name"),
    [("AS AS 3S 4S 5S 6S", "AS"), ("JO 3S 4S 5S 6S 🃏", "JO"), ("10s TS 3S 4S 5S 6S", "TS")],
)
def test_B115_the_command_names_the_card(hand: str, name: str, capsys: Out) -> None:
    assert run(["advise", hand, "--hands", "2"]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert f"{name} is there twice" in err
    assert err.count("\n") == 1


@pytest.mark.parametrize("count", [*range(6), 7, 8, 12, 53])
def test_B116_any_wrong_number_of_cards_is_counted(count: int, capsys: Out) -> None:
    names = CARD_NAMES[:count]
    assert run(["advise", " ".join(names), "--hands", "2"]) == 2
    err = capsys.readouterr().err
    assert f"a hand has 6 cards, {count} were read" in err
    assert err.count("\n") == 1
    with pytest.raises(InputError, match=f"{count} were read"):
        situation("".join(names))


@pytest.mark.parametrize(
    ("text", "scores"),
    [("-3,5,12", (-3, 5, 12)), ("-3,-5,-12", (-3, -5, -12)), ("+3,0,-0", (3, 0, 0)),
     ("20,-100,20", (20, -100, 20)), ("-3 5 12", (-3, 5, 12)), (" -3 , 5 , 12 ", (-3, 5, 12))],
)  # fmt: skip
def test_B119_negative_scores_are_read(text: str, scores: tuple[int, ...], capsys: Out) -> None:
    assert parse_scores(text, Rules()) == scores
    assert run(["advise", GOOD, f"--scores={text}", "--hands", "2", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["scores"] == list(scores)


@pytest.mark.parametrize("words", [["--scores", "-3,5,12"], ["--scores=-3,5,12"]], ids=str)
def test_B119_with_and_without_an_equals_sign(words: list[str], capsys: Out) -> None:
    assert run(["advise", GOOD, *words, "--hands", "2", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["scores"] == [-3, 5, 12]


def test_B119_two_teams_have_two_scores(capsys: Out) -> None:
    words = ["advise", GOOD, "--rule", "teams=2x3", "--hands", "2", "--json"]
    assert run([*words, "--scores=-3,-5"]) == 0
    assert json.loads(capsys.readouterr().out)["scores"] == [-3, -5]
    assert run([*words, "--scores=-3,-5,1"]) == 2


@pytest.mark.parametrize("text", ["--3,5,12", "-,5,12", "1-3,5,12", "-3.5,5,12", "-3,5", "", ",,"])
def test_B119_what_are_no_scores(text: str, capsys: Out) -> None:
    assert run(["advise", GOOD, f"--scores={text}", "--hands", "2"]) == 2
    err = capsys.readouterr().err
    assert err.count("\n") == 1
    assert "--scores" in err


FEW = ["--hands", "2"]
NEGATIVE = [
    ["advise", GOOD, *FEW, "--bid=-3"], ["advise", GOOD, *FEW, "--position=-1"],
    ["advise", GOOD, *FEW, "--seed=-1"],
    ["advise", GOOD, *FEW, "--jobs=-1"], ["advise", GOOD, *FEW, "--precision=-1"],
    ["advise", GOOD, *FEW, "--calls=-3"], ["deal", "--index=-1"], ["deal", "--dealer=-1"],
    ["rules", "--rule", "target=-1"], ["rules", "--rule", "min_bid=-1"],
]  # fmt: skip


@pytest.mark.parametrize("words", NEGATIVE, ids=str)
def test_B119_other_negative_numbers_are_refused_in_one_line(words: list[str], capsys: Out) -> None:
    assert run(words) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.count("\n") == 1


# --- One validator --------------------------------------------------------------------------------

Deal = tuple[list[list[int]], list[int]]


def swap_in(deal: Deal) -> None:
    """The first card of seat 0 stands in seat 1's hand too."""
    deal[0][1][0] = deal[0][0][0]


def stock_twice(deal: Deal) -> None:
    deal[1][0] = deal[1][1]


def hand_and_stock(deal: Deal) -> None:
    deal[1][0] = deal[0][3][2]


def second_joker(deal: Deal) -> None:
    place = next(hand for hand in deal[0] if 52 not in hand)
    place[0] = 52
    if 52 not in [card for hand in deal[0] for card in hand if hand is not place]:
        deal[1][deal[1].index(52)] = 52


def seven_and_five(deal: Deal) -> None:
    deal[0][0].append(deal[0][1].pop())


def five_and_a_longer_stock(deal: Deal) -> None:
    deal[1].append(deal[0][4].pop())


def a_card_is_missing(deal: Deal) -> None:
    deal[0][2].pop()


BREAKS: list[Callable[[Deal], None]] = [
    swap_in, stock_twice, hand_and_stock, second_joker, seven_and_five, five_and_a_longer_stock,
    a_card_is_missing,
]  # fmt: skip


def broken_deal(broken: Callable[[Deal], None]) -> Deal:
    hands, stock = shuffled(1, seed=121)
    deal = ([[c for c in range(53) if int(h) >> c & 1] for h in hands[0]], stock[0].tolist())
    broken(deal)
    return deal


@pytest.mark.parametrize("broken", BREAKS, ids=lambda f: f.__name__)
def test_B121_play_batch_refuses_every_impossible_deal(broken: Callable[[Deal], None]) -> None:
    hands, stock = broken_deal(broken)
    masks = np.array([[sum(1 << card for card in hand) for hand in hands]])
    with pytest.raises(InputError, match=r"deal 0|stock|hands"):
        play_batch(masks, np.array([stock]), 5, policies=players())


@pytest.mark.parametrize("broken", BREAKS, ids=lambda f: f.__name__)
@pytest.mark.parametrize("bid", [0, 3])
def test_B121_replay_refuses_every_impossible_deal(
    broken: Callable[[Deal], None], bid: int, tmp_path: Path, capsys: Out
) -> None:
    """Played or thrown in, whole or without tricks: a field and a clause are named."""
    record = make_record(HANDS, calls=[bid] + [0] * 5)
    hands, stock = broken_deal(broken)
    record["hands"] = [[card_name(card) for card in hand] for hand in hands]
    record["stock"] = [card_name(card) for card in stock]
    shorter = {
        k: v for k, v in record.items() if k not in ("tricks", "points", "game_count", "score")
    }
    for each in (record, shorter):
        (verdict,) = verdicts([each])
        assert any("(P2)" in fault for fault in verdict.faults)
        file = tmp_path / "deal.jsonl"
        file.write_text(json.dumps(each) + "\n", "utf-8")
        assert run(["replay", str(file)]) == 1
        assert "(P2)" in capsys.readouterr().out


def test_B121_every_card_of_a_deal_replaced_by_every_other_kind_of_card() -> None:
    """One card of a record becomes another one: then it is there twice, and that is said."""
    record = make_record(HANDS, play=False)
    rng = random.Random(121)
    for _ in range(200 if JIT_ENABLED else 40):
        broken: Any = copy.deepcopy(record)
        place = rng.choice([*broken["hands"], broken["stock"]])
        at = rng.randrange(len(place))
        card = rng.choice([name for name in CARD_NAMES if name != place[at]])
        place[at] = rng.choice(spellings(card))
        (verdict,) = verdicts([broken])
        assert any(card in fault and "(P2)" in fault for fault in verdict.faults)


def test_B121_cards_that_do_not_exist_are_refused_in_records() -> None:
    record = make_record(HANDS, play=False)
    for word in ("1S", "AX", "", " ", "AS KS", "10", None, 5, ["AS"], {"a": 1}, True):
        broken: Any = copy.deepcopy(record)
        broken["hands"][2][3] = word
        (verdict,) = verdicts([broken])
        assert any(fault.startswith("hands[2][3]") for fault in verdict.faults), word
    assert set(RANKS) == {name[0] for name in CARD_NAMES[:52]}
    assert set(SUITS) == {name[1] for name in CARD_NAMES[:52]}
