"""The answer in words: it says what the data say, fits the page, and stays sensible."""

from __future__ import annotations

import json
import re
import shlex
from typing import Any

import numpy as np
import pytest
from golden_files import ADVISE, golden, without_source

from schmier_sim import Rules, find_policy
from schmier_sim._jit import JIT_ENABLED
from schmier_sim.advise import FEWEST_HANDS, INDIFFERENCE, Advice, advise
from schmier_sim.again import command, command_lines
from schmier_sim.answers import as_data
from schmier_sim.around import Table
from schmier_sim.cards import SUIT_NAMES, SUIT_SIGNS, SUITS, card_name
from schmier_sim.cli.run import run
from schmier_sim.explain import glossary
from schmier_sim.heard import heard
from schmier_sim.phrases import about, fit, how_often, listed, note, ranges
from schmier_sim.rules import SWITCHES
from schmier_sim.situation import Situation, situation
from schmier_sim.variations import vary
from schmier_sim.words import MOST_LINES, headline, in_words

Out = pytest.CaptureFixture[str]
PLAIN = (find_policy("plain"),) * 6
RANDOM_HANDS = range(200 if JIT_ENABLED else 3)
WILD = range(60 if JIT_ENABLED else 4)


def study(held: Situation, hands: int, seed: int = 1, players: Any = PLAIN) -> Advice:
    return advise(Table(held, players, seed), hands=hands)


def dealt(rng: np.random.Generator) -> str:
    return " ".join(card_name(int(card)) for card in rng.permutation(53)[:6])


def random_question(number: int) -> tuple[Situation, int | None]:
    """A hand in some seat, now and then with house rules and a bid in question."""
    rng = np.random.default_rng(number)
    changes: dict[str, object] = {}
    if rng.random() < 0.3:
        changes["low"] = "taker"
    if rng.random() < 0.2:
        changes["teams"] = "2x3"
    if rng.random() < 0.2:
        changes["all_pass"] = "stick_dealer"
    if rng.random() < 0.1:
        changes["min_bid"] = int(rng.integers(1, 6))
    held = situation(dealt(rng), int(rng.integers(1, 7)), rules=Rules.of(changes))
    bids = [call for call in held.legal if call]
    return held, int(rng.choice(bids)) if rng.random() < 0.6 else None


def nearly(told: str, rate: float) -> bool:
    digits = len(told.partition(".")[2])
    return abs(float(told) - 100 * rate) <= 0.5 * 10**-digits + 1e-9


def row_of(data: dict[str, Any], call: int) -> dict[str, Any]:
    (row,) = [row for row in data["calls_ranked"] if row["call"] == call]
    return row


# --- Words and data -------------------------------------------------------------------------------


def check_verdict(first: str, data: dict[str, Any]) -> None:
    """The first line against ``asked`` and ``answer``."""
    word = {"YES": "yes", "NO": "no", "TOO": "close"}[first.split(maxsplit=1)[0]]
    best = data["answer"]
    if "asked" in data:
        asked = data["asked"]
        assert word == asked["verdict"]
        assert ("better (by" in first) <= (not asked["best"])
        if word == "no":
            instead = re.match(r"NO - (pass|bid (\d) (.))\.", first)
            assert instead
            assert int(instead[2] or 0) == best["call"]
        else:
            assert f"{asked['bid']}" in first
        return
    if word == "yes":
        named = re.match(r"YES - bid (\d), (\w+)", first)
        assert named
        assert int(named[1]) == best["call"]
        assert SUITS[SUIT_NAMES.index(named[2])] == best["trump"]
    else:
        assert best["call"] == 0 or word == "close"
    better = re.search(r"(\d|pass) ?.? is better \(by ([\d.]+)\)", first)
    assert not better


def check_frequency(first: str, data: dict[str, Any]) -> None:
    """The make rate and the break-even rate of the first line."""
    found = re.search(r"in (\d+) of (\d+) deals", first)
    call = data["about"] and data["about"]["call"]
    if found and call:
        made = row_of(data, call)["make"]
        assert abs(int(found[1]) / int(found[2]) - made["rate"]) <= 0.5 / int(found[2]) + 1e-9
    needs = re.search(r"needs ([\d.]+)", first)
    if needs and call:
        assert nearly(needs[1], row_of(data, call)["needs"])
        shown = re.search(r"makes (?:in )?([\d.]+)(?: %| of 100)", first)
        if shown and first.startswith("NO"):
            assert float(shown[1]) < float(needs[1])


def check_table(lines: list[str], data: dict[str, Any]) -> None:
    """Order and figures of the calls."""
    shown = [line for line in lines if re.match(r" (\d [♣♦♥♠]|pass) ", line)]
    assert len(shown) == len(data["calls_ranked"])
    for line, row in zip(shown, data["calls_ranked"], strict=True):
        name = f"{row['call']} {SUIT_SIGNS[SUITS.index(row['trump'])]}" if row["call"] else "pass"
        assert line.split("  ")[0].strip() == name
        points, behind = re.findall(r"([-+]?[\d.]+) ±", line), row["behind_best"]["mean"]
        assert points[0] == f"{row['points']['mean']:+.2f}"
        assert points[1:] == ([f"{behind:.2f}"] if row is not data["calls_ranked"][0] else [])
        rates = re.findall(r"([\d.]+) %", line)
        told = [row["gets"], row["make"] and row["make"]["rate"], row["needs"]]
        known = [rate for rate in told if rate is not None]
        assert len(rates) == len(known)
        assert all(nearly(a, b) for a, b in zip(rates, known, strict=True))


def check_points(text: str, data: dict[str, Any]) -> None:
    """Sure and likely points, and the points won in each suit that is shown."""
    named = re.search(r"^Sure +([a-z, ]+)", text, re.M)
    assert (named[1].split(", ") if named else []) == data["sure"]
    for name, sign, rate in re.findall(
        r"(high|low|right|left|joker|game) ([<>]?)(\d+) %[,:\n]", text
    ):
        (known,) = [each["rate"] for each in data["likely"] if each["point"] == name]
        assert nearly(rate, known) or (sign and abs(float(rate) / 100 - known) < 0.01)
    for hands, name, shares in re.findall(r"^ points in (\d+) deals?, (\w+):(.*)$", text, re.M):
        (suit,) = [s for s in data["trumps"] if s["trump"] == SUITS[SUIT_NAMES.index(name)]]
        for points, share in re.findall(r"(\d): (\d+)", shares):
            exact = int(hands) * suit["points"][int(points)] / suit["hands"]
            assert abs(int(share) - exact) <= 0.5 + 1e-9


def check_sureness(text: str, data: dict[str, Any]) -> None:
    decided = re.search(r"(not )?decided after ([\d,]+) deal", text)
    equal = re.search(r"are equal after ([\d,]+) deal", text)
    assert bool(decided) != bool(equal)
    assert data["answer"]["decided"] == bool(decided and not decided[1])
    if equal:
        assert data["calls_ranked"][1]["behind_best"]["high"] < INDIFFERENCE


def check_danger(text: str, data: dict[str, Any]) -> None:
    danger = data["danger"]
    told = re.search(
        r"(?:makes|won|makes it) ([<>]?\d+) %(?: then)?, else ([<>]?\d+) %", " ".join(text.split())
    )
    assert bool(told) == bool(danger)
    if told:
        assert told[1] + " %" == about(danger["well_with"])
        assert told[2] + " %" == about(danger["well_without"])
        assert danger["well_with"] < danger["well_without"]


def expanded(numbers: str) -> list[int]:
    """``1, 3-5`` as numbers."""
    spans = [span.split("-") for span in numbers.strip(" ,").split(", ")]
    return [n for span in spans for n in range(int(span[0]), int(span[-1]) + 1)]


def check_positions(text: str, data: dict[str, Any]) -> None:
    """What other positions do to the answer."""
    block = re.search(r"^(Would change it|Tips it).*?(?=^How sure)", text, re.M | re.S)
    if not block or re.search(r"and \d+ more", block[0]):
        return
    row, passing = row_of(data, data["about"]["call"]), row_of(data, 0)
    ahead = row["points"]["mean"] - passing["points"]["mean"]
    now = "about even" if abs(ahead) < 0.05 else f"bid {row['call']}" if ahead > 0 else "pass"
    told = {}
    for numbers, answer in re.findall(
        r"positions? ([\d, -]+\d|\d)(?: if all pass)?(?:: (bid \d|pass|about even))?",
        " ".join(block[0].split()),
    ):
        told |= dict.fromkeys(expanded(numbers), answer or now)
    known = {}
    for each in data["variations"]:
        if each["kind"] == "position":
            mean, verdict = each["versus_pass"]["mean"], each["verdict"]
            same_side = (mean > 0.05 and now[:3] == "bid") or (mean < -0.05 and now == "pass")
            open_ = now if same_side else "about even"
            answer = {"yes": f"bid {row['call']}", "no": "pass", "open": open_}[verdict]
            known[int(each["name"])] = answer
    assert told == known


def check_calls(text: str, data: dict[str, Any]) -> None:
    """What the calls tell, and that no figure is without its deals."""
    assert bool(data["hidden"]) == bool(data["weighing"]) == (data["conditioned"] == "calls")
    told = re.search(r"^Calls.*?(?=^[A-Z]|^ |\Z)", text, re.M | re.S)
    if not data["weighing"]:
        assert not told
        return
    assert f"ffective sample {data['weighing']['effective_sample_size']:,}" in text
    hidden = data["hidden"]
    for side, name in (("partner", "Partner"), ("enemies", "Enemies")):
        line = re.search(rf"^(?:Calls)? +{name}.*$", text, re.M)
        if not line:
            continue
        means = re.search(r"([\d.]+) trumps \(([\d.]+)\)", line[0])
        assert means
        for shown, key in zip(means.groups(), ("mean", "without"), strict=True):
            assert abs(float(shown) - hidden[side]["trumps"][key]) <= 0.05 + 1e-9
        for card, rate, without in re.findall(r"(\S+) ([<>]?\d+ %) \((\d+)\)", line[0]):
            known = [
                each
                for each in hidden[side]["cards"].values()
                if about(each["rate"]) == rate and nearly(without, each["without"])
            ]
            assert known, card
    makes = re.search(r"Makes it ([\d.]+) %, ([\d.]+) without calls", text)
    if makes:
        assert nearly(makes[1], hidden["make"]["rate"])
        assert nearly(makes[2], hidden["make_without"]["rate"])
    for warning in data["warnings"]:
        assert "Warning" in text, warning


@pytest.mark.parametrize("number", RANDOM_HANDS)
def test_words_and_data_do_not_contradict_each_other(number: int) -> None:
    held, asked = random_question(number)
    advice = study(held, 1000 if JIT_ENABLED else 20, seed=number)
    variations = vary(advice, asked)
    told = heard(advice, asked)
    data = as_data(advice, asked, {}, variations, told)
    text = in_words(advice, asked, variations, told)
    lines = text.splitlines()
    assert len(lines) <= MOST_LINES
    assert max(map(len, lines)) <= 79
    assert lines[0] == headline(advice, asked)
    check_verdict(lines[0], data)
    check_frequency(lines[0], data)
    check_table(lines, data)
    check_points(text, data)
    check_sureness(text, data)
    check_positions(text, data)
    check_calls(text, data)
    if advice.hands >= FEWEST_HANDS:
        check_danger(text, data)
    assert json.loads(json.dumps(data, allow_nan=False)) == data
    assert ("Would not" in text or "Would change" in text or "Tips it" in text) == bool(variations)


@pytest.mark.parametrize("number", WILD)
def test_every_answer_fits_the_page_whatever_the_rules_players_and_hands(number: int) -> None:
    """Any switch, any seats, one deal or a thousand: no crash, nothing absurd, 24 lines."""
    rng = np.random.default_rng(1000 + number)
    changes = {
        switch.name: list(switch.values)[int(rng.integers(len(switch.values)))]
        for switch in SWITCHES
        if switch.name not in ("min_bid", "max_bid") and rng.random() < 0.4
    }
    changes["min_bid"], changes["max_bid"] = sorted(map(int, rng.integers(1, 7, 2)))
    rules = Rules.of(changes)
    last = 6 if rules.all_pass != "redeal_without_dealer" else 5
    held = situation(dealt(rng), int(rng.integers(1, last + 1)), rules=rules)
    bids = [call for call in held.legal if call]
    asked = int(rng.choice(bids)) if rng.random() < 0.6 else None
    players = [find_policy(("plain", "random")[int(rng.integers(2))]) for _ in range(6)]
    hands = int(rng.choice([1, 2, 50, 1000])) if JIT_ENABLED else 2
    advice = study(held, hands, number, players)
    variations = vary(advice, asked)
    told = heard(advice, asked)
    lines = in_words(advice, asked, variations, told).splitlines()
    assert len(lines) <= MOST_LINES
    assert max(map(len, lines)) <= 79
    assert not re.search(r"\b(nan|inf|None)\b", "\n".join(lines))
    json.dumps(as_data(advice, asked, {}, variations, told), allow_nan=False)
    assert len(glossary(advice).splitlines()) <= 25
    assert hands > 100 or "every sampled deal" not in lines[0] or "only" in lines[0]


# --- Layouts --------------------------------------------------------------------------------------


def test_layouts_of_the_answer(capsys: Out) -> None:
    """Figures too; ``scripts/regenerate-goldens`` writes the files."""
    for name, words in ADVISE.items() if JIT_ENABLED else ():
        capsys.readouterr()
        assert run(words) == 0
        assert without_source(capsys.readouterr().out) == golden(name), name


def test_the_verdicts_of_the_layouts() -> None:
    for name, start in (("yes", "YES"), ("no", "NO - pass"), ("close", "TOO CLOSE")):
        text = golden(f"advise-{name}.txt")
        assert text.startswith(start)
        assert len(text.splitlines()) <= MOST_LINES
    assert "Missing" in golden("advise-no.txt")
    assert "Luck" not in golden("advise-no.txt")
    close = golden("advise-close.txt")
    assert re.search(r"Sampling ± [\d.]+, players ± \d+: trust the range \d+-\d+ %", close)
    assert "Clear with" in close
    assert "Tips it" in close


# --- The command that prints it again -------------------------------------------------------------


@pytest.mark.parametrize(
    ("words", "shortest"),
    [
        (["AS KS JS JC 2S JO", "--bid", "4"], "ASKSJSJC2SJO --bid 4"),
        (["AS KS JS JC 2S JO", "--position", "3", "--scores=-3,5,12"],
         "ASKSJSJC2SJO --position 3 --scores=-3,5,12"),
        (["AS KS JS JC 2S JO", "--calls", "pass 3", "--trump", "S", "--seed", "7"],
         'ASKSJSJC2SJO --calls "pass 3" --trump S --seed 7'),
        (["AS KS JS JC 2S JO", "--know", "partner: QS", "--know", "seat 1: not TS 9S",
          "--error", ".2", "--position", "2"],
         "ASKSJSJC2SJO --position 2 --know 'partner: QS' --know 'seat 1: not TS 9S' --error 0.2"),
        (["AS KS JS JC 2S JO", "--rule", "low=taker", "--seat-policy", "opponents=random"],
         "ASKSJSJC2SJO --seat-policy opponents=random --rule low=taker"),
        (["AS KS JS JC 2S JO", "--policy", "random", "--seat-policy", "3=heuristic"],
         "ASKSJSJC2SJO --seat-policy me=random --seat-policy opponents=random"),
        (["AS KS JS JC 2S JO", "--policy", "random"], "ASKSJSJC2SJO --policy random"),
    ],
)  # fmt: skip
def test_the_shortest_command_prints_the_same_answer(
    words: list[str], shortest: str, capsys: Out
) -> None:
    few = ["--hands", "24" if JIT_ENABLED else "4"]
    first = json.loads(shown(capsys, *words, *few, "--json"))
    program, verb, *repeated = shlex.split(first["again"])
    assert (program, verb) == ("schmier-sim", "advise")
    answers = [first, json.loads(shown(capsys, *repeated, "--json"))]
    plain = re.sub(r" --hands \d+", "", answers[0]["again"])
    assert plain == f"schmier-sim advise {shortest}"
    for answer in answers:
        del answer["provenance"]
    sorted_hand = [sorted(answer.pop("hand")) for answer in answers]
    assert sorted_hand[0] == sorted_hand[1]
    assert answers[0] == answers[1]


def test_a_long_command_is_broken_between_options_or_cut_and_says_so() -> None:
    changes = {
        switch.name: list(switch.values)[-1 if switch.name != "min_bid" else 0]
        for switch in SWITCHES
    }
    held = situation("AS KS JS JC 2S JO", rules=Rules.of(changes))
    advice = study(held, 2)
    whole = command_lines(advice, 4, 20)
    joined = " ".join(line.strip().removesuffix(" \\") for line in whole)
    assert joined.removeprefix("Again      ") == command(advice, 4)
    cut = command_lines(advice, 4, 2)
    assert len(cut) == 2
    assert re.search(r"\.\.\. and \d+ more$", cut[-1])
    assert max(map(len, whole + cut)) <= 79


# --- Pieces ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("numbers", "words"), [([1], "1"), ([1, 2], "1, 2"), ([1, 2, 3, 5], "1-3, 5"), ([], "")]
)
def test_ranges_of_numbers(numbers: list[int], words: str) -> None:
    assert ranges(numbers) == words


def test_few_deals_are_told_as_few() -> None:
    assert how_often(1, 1) == "in every sampled deal (only 1)"
    assert how_often(0, 2) == "in no sampled deal (only 2)"
    assert how_often(3, 7) == "in 3 of 7 deals"


def test_no_rate_in_per_cent_is_rounded_to_a_certainty() -> None:
    assert about(1.0) == "100 %"
    assert about(0.9999) == ">99 %"
    assert about(0.0001) == "<1 %"
    assert about(0.0) == "0 %"


def test_lists_that_do_not_fit_say_how_many_are_left() -> None:
    items = [f"rule_{n}=value" for n in range(20)]
    (line,) = listed("Rules", items, 1)
    found = re.search(r"; and (\d+) more$", line)
    assert found
    assert int(found[1]) + line.count("=") == 20
    assert len(line) <= 79
    assert listed("Rules", [], 1) == []


def test_a_figure_is_not_parted_from_its_unit() -> None:
    for length in range(40, 70):
        lines = note("Name", "x" * length + " 93 % of it, ± 0.7 more of it " + "y" * 20)
        assert not any(line.strip().startswith("%") for line in lines)
        assert not any(line.endswith("±") for line in lines)
    assert fit(["z" * 90, "short"]) == "short"


# --- Samples --------------------------------------------------------------------------------------


def shown(capsys: Out, *words: str) -> str:
    capsys.readouterr()
    assert run(["advise", *words]) == 0, capsys.readouterr().err
    return capsys.readouterr().out


FEW = "60" if JIT_ENABLED else "12"


def test_the_deals_shown_are_those_of_the_study(capsys: Out) -> None:
    """In clubs: which of two suits looks better in a few deals is a matter of chance."""
    words = ("AC KC 3S 6H 7H QH", "--bid", "4", "--trump", "C", "--hands", FEW)
    words += ("--policy", "plain")
    table = Table(situation(words[0]), PLAIN, seed=1)
    row = advise(table, trump=SUITS.index("C"), hands=int(FEW)).of(4)
    assert row is not None
    for kind, those in (("set", row.got & ~row.made), ("made", row.made)):
        text = shown(capsys, *words, "--show", kind)
        numbers = [int(n) for n in re.findall(r"^Sampled deal (\d+) ", text, re.M)]
        assert numbers == np.flatnonzero(those)[:3].tolist()
        assert text.count(f"4 in clubs is {kind}") == len(numbers)
        assert max(map(len, text.splitlines())) <= 79
        ends = re.findall(r"bid 4, won (\d): (\w+)\.", text)
        assert all(end == kind for _, end in ends)
        assert len(ends) == len(numbers)
        assert text.count("seat 0  team 0  A♣ K♣") == len(numbers)
        if numbers:
            one = shown(capsys, *words, "--show", str(numbers[-1]))
            assert one[one.index("Sampled deal") :] in text


def test_a_deal_that_was_not_sampled_is_refused(capsys: Out) -> None:
    for show, words in ((FEW, "deals 0 to"), ("-1", "--show"), ("lost", "set, made")):
        capsys.readouterr()
        assert run(["advise", "AC KC 3S 6H 7H QH", "--hands", FEW, f"--show={show}"]) == 2
        out, err = capsys.readouterr()
        assert out == ""
        assert err.count("\n") == 1
        assert words in err


def test_a_bid_that_is_never_set_has_nothing_to_show(capsys: Out) -> None:
    words = ("AS KS QS JS JC TS", "--bid", "5", "--hands", "8", "--show", "set")
    assert "was set in none of 8 sampled deals" in shown(capsys, *words)


def test_the_fresh_deals_after_a_pass_are_not_taken_for_the_hand() -> None:
    """Where the hand is thrown in, the deal shown says so."""
    table = Table(situation("3C 4C 5D 6D 7H 8H", 6), PLAIN, 1)
    deal = table.deal(0, 0, -1)
    assert deal.attempt == 1
    assert deal.bidder >= 0
