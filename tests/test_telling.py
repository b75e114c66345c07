"""What calls tell: counts against plain Python, exact laws, and one hand by two ways."""

from __future__ import annotations

import json
from itertools import product
from math import comb
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from schmier_sim import Rules, find_policy
from schmier_sim._jit import JIT_ENABLED
from schmier_sim.cards import cards_of, mask_of, parse_cards
from schmier_sim.dealing import Dealer
from schmier_sim.errors import InputError, PolicyFault
from schmier_sim.policies.base import policy
from schmier_sim.situation import situation
from schmier_sim.telling import (
    BY_ENEMY,
    BY_PARTNER,
    CALLER_HAS,
    DEALS,
    ENEMIES_HAVE,
    NAMED,
    PARTNER_HAS,
    SETS,
    SIZES,
    Counts,
    chance,
    count,
)
from schmier_sim.telling_chart import telling_figure, write_telling
from schmier_sim.telling_hands import PARTNER, Told, by_keeping, by_weights
from schmier_sim.telling_report import write_parts
from schmier_sim.telling_rows import Effort, auction_rows, enemy_rows, hand_rows

REPORT = Path(__file__).parent.parent / "reports" / "what-calls-tell"
PLAYERS = (find_policy("heuristic"),) * 6
N = 1_000_000 if JIT_ENABLED else 240
TOLD = ("ace", "right bauer", "left bauer", "a bauer", "any of the five")
"""What a bid makes likelier at every position; of the 2 and the joker this does not hold."""


@pytest.fixture(scope="module")
def counts() -> Counts:
    return count(PLAYERS, N, seed=5, jobs=2)


@pytest.fixture(scope="module")
def table(counts: Counts) -> pd.DataFrame:
    return auction_rows(counts)


def near(held: np.ndarray, deals: np.ndarray, exact: float) -> bool:
    """Whether shares are what they should be, within five standard errors."""
    return bool(
        np.all(abs(held - deals * exact) <= 5 * np.sqrt(deals * exact * (1 - exact)) + 1e-9)
    )


# --- Counting -----------------------------------------------------------------


def test_sets_name_the_cards() -> None:
    spades = {name: cards_of(int(mask)) for name, mask in zip(SETS, NAMED[:, 3], strict=True)}
    assert spades["ace"] == parse_cards("AS")
    assert spades["2"] == parse_cards("2S")
    assert spades["right bauer"] == parse_cards("JS")
    assert spades["left bauer"] == parse_cards("JC")
    assert spades["joker"] == parse_cards("JO")
    assert spades["a bauer"] == sorted(parse_cards("JS JC"))
    assert spades["any of the five"] == sorted(parse_cards("AS 2S JS JC JO"))
    assert all(int(mask).bit_count() == k for masks, k in zip(NAMED, SIZES, strict=True)
               for mask in masks)  # fmt: skip


def counted_again(n: int, seed: int) -> tuple[dict, dict]:
    """Count in plain Python, from deals played to the end."""
    fixed, named = {}, {}

    def add(cells, key, *have):
        cell = cells.setdefault(key, [0] * (len(have) + 1))
        for at, holds in enumerate((True, *have)):
            cell[at] += holds

    dealer = Dealer(PLAYERS, Rules(), seed)
    for deal in dealer.play([(index, 0, 5) for index in range(n)]):
        hands = [set(cards_of(hand)) for hand in deal.dealt]
        for k, caller in product(range(len(SETS)), range(6)):
            turn = (deal.number // 4) % 4
            partner, enemy = (caller + 3) % 6, (caller + (1, 2, 4, 5)[turn]) % 6
            cards = set(cards_of(int(NAMED[k, deal.number % 4])))
            bid_before = int(max(deal.calls[:caller], default=0) > 0)
            for who, me in ((BY_PARTNER, partner), (BY_ENEMY, enemy)):
                others = [seat for seat in range(6) if seat % 3 != me % 3]
                if not hands[me] & cards:
                    add(fixed, (who, caller, bid_before, deal.calls[caller] + 1, k),
                        bool(hands[caller] & cards), bool(hands[(me + 3) % 6] & cards),
                        any(hands[seat] & cards for seat in others))  # fmt: skip
            if caller == deal.bidder:
                cards = set(cards_of(int(NAMED[k, deal.trump])))
                if not hands[partner] & cards:
                    add(named, (caller, deal.bid + 1, k), bool(hands[caller] & cards))
    return fixed, named


def test_counts_are_those_of_plain_python() -> None:
    n = 3000 if JIT_ENABLED else 60
    counts = count(PLAYERS, n, seed=8)
    for array, again in zip(counts, counted_again(n, 8), strict=True):
        found = {key: array[key].tolist() for key in np.ndindex(array.shape[:-1])}
        assert {key: cell for key, cell in found.items() if any(cell)} == again


def test_counts_do_not_depend_on_threads_and_pieces() -> None:
    n = 250_001 if JIT_ENABLED else 25
    one, two = count(PLAYERS, n, 3, 1), count(PLAYERS, n, 3, 2)
    assert all(np.array_equal(a, b) for a, b in zip(one, two, strict=True))


@policy(uses_bid=False)
class Shouter:
    """Calls what nobody may."""

    def call(view):  # noqa: N805
        return 7


def test_an_illegal_call_is_a_fault() -> None:
    shouter = (*PLAYERS[:5], Shouter)
    with pytest.raises(PolicyFault, match="Shouter"):
        count(shouter, 50)
    with pytest.raises(PolicyFault, match="Shouter"):
        by_keeping(situation("AS KS 3H 4H 3D 4D", 4), shouter, 50, 1, 0.05)


# --- Laws ---------------------------------------------------------------------


def test_the_exact_law() -> None:
    shares = [round(100 * chance(k), 2) for k in range(1, 6)]
    assert shares == [12.77, 24.14, 34.26, 43.22, 51.15]
    assert chance(1, 24) == pytest.approx(24 / 47)
    assert chance(2, 24) == pytest.approx(1 - 23 * 22 / (47 * 46))


@pytest.mark.parametrize("who", [BY_PARTNER, BY_ENEMY])
def test_before_any_call_the_shares_are_exact(counts: Counts, who: int) -> None:
    for cells in counts.fixed[who].sum(axis=(1, 2)):  # by position
        for (deals, caller, partner, enemies), k in zip(cells, SIZES, strict=True):
            assert near(deals, N, comb(53 - k, 6) / comb(53, 6))
            assert near(caller, deals, chance(k))
            assert near(partner, deals, chance(k))
            assert near(enemies, deals, chance(k, 24))


def check_total_probability(table: pd.DataFrame) -> None:
    """Calls that exclude each other, by their shares, give back the share before them."""
    fixed = table[table["suit"] == "fixed"].set_index(["before", "call"])
    keys = ["position", "cards"]

    def sums(before: list[str], calls: list[str]) -> pd.DataFrame:
        chosen = fixed.loc[[each for each in product(before, calls) if each in fixed.index]]
        return chosen.groupby(keys)[["deals", "held"]].sum()

    bids = [str(bid) for bid in range(1, 7)]
    whole = sums(["any"], ["any"])
    assert len(whole) == 6 * len(SETS)
    for before, calls in product(
        (["any"], ["all passed", "a bid"]),
        (["any"], ["not asked", "pass", "a bid"], ["not asked", "pass", *bids]),
    ):
        assert sums(before, calls).equals(whole)


def test_shares_after_calls_weighted_give_the_share_before(table: pd.DataFrame) -> None:
    check_total_probability(table)


def check_directions(table: pd.DataFrame) -> None:
    """A pass makes it less likely, a bid likelier, at every position."""
    for suit, cards, position in product(["fixed"], TOLD, range(1, 7)):
        rows = table[(table["suit"] == suit) & (table["before"] == "any")]
        rows = rows[(rows["cards"] == cards) & (rows["position"] == position)]
        rate = rows.set_index("call")["rate"]
        assert rate["pass"] < rate["any"] < rate["a bid"], (cards, position)


def test_a_pass_lowers_and_a_bid_raises(table: pd.DataFrame) -> None:
    if JIT_ENABLED:
        check_directions(table)
    calls = table[(table["cards"] == "ace") & (table["before"] == "any")].groupby(["suit", "call"])
    deals, held = calls["deals"].sum(), calls["held"].sum()
    rate = held / deals  # all positions together: enough deals without the JIT
    assert rate["fixed", "pass"] < 6 / 47 < rate["fixed", "a bid"] < rate["named", "a bid"]
    assert rate["named", "a bid"] > 0.85


def test_the_report_holds_to_the_laws() -> None:
    table = pd.read_csv(REPORT / "summary.csv")
    facts = json.loads((REPORT / "experiment.json").read_text("utf-8"))
    check_total_probability(table)
    check_directions(table)
    rows = table[(table["before"] == "any") & (table["call"] == "any")]
    for row in rows.itertuples():
        exact = comb(53 - row.k, 6) / comb(53, 6)
        assert near(np.array(row.deals), np.array(facts["hands"]), exact)
        assert near(np.array(row.held), np.array(row.deals), chance(row.k))
    by_seat = pd.read_csv(REPORT / "enemies.csv")
    by_seat = by_seat[(by_seat["caller"] == "my partner") & (by_seat["holder"] == "my partner")]
    both = by_seat.merge(table[table["before"] == "any"].query("suit == 'fixed'"),
                         on=["position", "call", "cards"])  # fmt: skip
    assert len(both) == len(by_seat)
    assert both["deals_x"].equals(both["deals_y"])
    assert both["held_x"].equals(both["held_y"])


# --- Tables -------------------------------------------------------------------


def test_rows_of_auctions(table: pd.DataFrame) -> None:
    assert list(table) == ["suit", "position", "before", "call", "cards", "k", "deals", "held",
                           "rate", "low", "high", "exact"]  # fmt: skip
    assert table["deals"].min() > 0
    assert table["deals"].dtype.kind == table["held"].dtype.kind == "i"
    assert ((table["low"] <= table["rate"]) & (table["rate"] <= table["high"])).all()
    assert not ((table["position"] == 1) & (table["before"] == "a bid")).any()
    assert set(table.loc[table["suit"] == "named", "call"]) <= {"a bid", *map(str, range(1, 7))}
    assert not table.duplicated(["suit", "position", "before", "call", "cards"]).any()


def test_rows_of_enemies(counts: Counts) -> None:
    table = enemy_rows(counts)
    assert not table.duplicated(["caller", "position", "call", "holder", "cards"]).any()
    rows = table[(table["call"] == "any") & (table["holder"] == "an enemy")]
    assert set(rows["exact"].round(6)) == {round(24 / 47, 6), round(1 - 23 * 22 / 47 / 46, 6)}
    own = counts.fixed[BY_ENEMY, 1, :, 1:2, 0].sum(axis=(0, 1))  # position 2 passes: the ace
    for holder, at in (("the caller", CALLER_HAS), ("my partner", PARTNER_HAS),
                       ("an enemy", ENEMIES_HAVE)):  # fmt: skip
        row = table[(table["caller"] == "an enemy") & (table["position"] == 2)]
        row = row[(row["call"] == "pass") & (row["holder"] == holder) & (row["cards"] == "ace")]
        assert row[["deals", "held"]].to_numpy().tolist() == [[own[DEALS], own[at]]]


# --- One hand -----------------------------------------------------------------

HANDS = ("AS KS 3H 4H 3D 4D", "AS KS JS JC 2S JO", "QS 9S JH KD 7C 4C", "AS AD AC KS 3H 4H")
WORLDS = 60_000 if JIT_ENABLED else 120
HEARD = ("pass pass pass", "3 pass pass", "pass pass pass pass pass", "pass pass 3 pass pass",
         "pass 3 4 pass")  # fmt: skip


@pytest.mark.parametrize("error", [1e-9, 0.05, 0.5] if JIT_ENABLED else [0.05])
@pytest.mark.parametrize("hand", HANDS if JIT_ENABLED else HANDS[:1])
@pytest.mark.parametrize("calls", HEARD if JIT_ENABLED else HEARD[:2])
def test_weights_agree_with_deals_that_fit(hand: str, calls: str, error: float) -> None:
    """Worlds by counting and weights, against deals around the hand that are kept or not."""
    asked = situation(hand, calls=calls)
    one = by_weights(asked, PLAYERS, WORLDS, 1, error)
    two = by_keeping(asked, PLAYERS, WORLDS // 2, 2, error)
    assert two.effective_size == pytest.approx(len(two.dealt))
    for seat, masks in product(range(1, 6), NAMED):
        for mask in {int(mask) & ~asked.hand for mask in masks} - {0}:
            means = [told.chance(seat, mask).mean for told in (one, two)]
            agree(means, [one.effective_size, two.effective_size])


def agree(means: list[float], sizes: list[float]) -> None:
    """Two shares of so many trials are the same within five standard errors."""
    pooled = np.average(means, weights=sizes)
    error = np.sqrt(pooled * (1 - pooled) * sum(1 / size for size in sizes))
    assert abs(means[0] - means[1]) <= 5 * error + 1e-9


def test_without_calls_the_chances_are_exact() -> None:
    told = by_weights(situation(HANDS[0], 1), PLAYERS, WORLDS, 1, 0.05)
    assert told.effective_size == pytest.approx(WORLDS)
    missing = mask_of(parse_cards("JS JC 2S"))
    assert near(np.array(told.chance(PARTNER, missing).mean * WORLDS), WORLDS, chance(3))
    assert told.chance(PARTNER, mask_of(parse_cards(HANDS[0]))).mean == 0.0


def test_the_more_errors_the_less_is_told() -> None:
    asked = situation(HANDS[0], calls="3 pass pass")
    sizes = [by_weights(asked, PLAYERS, WORLDS, 1, error).effective_size for error in (0, 0.05, 1)]
    assert sizes[0] < sizes[1] < sizes[2]
    assert sizes[2] == pytest.approx(WORLDS)


def test_of_what_is_never_called_there_are_no_chances_without_errors() -> None:
    told = by_weights(situation(HANDS[1], calls="5"), PLAYERS, 50, 1, 0.0)
    assert told.effective_size == 0.0
    assert np.isnan(told.chance(PARTNER, 1)).all()


def test_limits_come_from_the_effective_number() -> None:
    dealt = np.zeros((4, 6), np.int64)
    dealt[:2, PARTNER] = 1
    alike = Told(dealt, np.ones(4), 8).chance(PARTNER, 1)
    uneven = Told(dealt, np.array([1.0, 0.2, 1.0, 0.2]), 8).chance(PARTNER, 1)
    assert alike.mean == pytest.approx(uneven.mean) == 0.5
    assert uneven.low < alike.low < 0.5 < alike.high < uneven.high


def test_rows_of_a_hand() -> None:
    asked = situation(HANDS[0], calls="3 pass pass")
    effort = Effort(WORLDS, WORLDS // 2, (0.01, 0.05), 1)
    table = hand_rows(asked, 3, PLAYERS, effort)
    assert list(table["cards"].unique()) == ["JS", "2S", "JC", "JO", "any of these"]
    ways = ["weights0.01", "kept0.01", "weights0.05", "kept0.05"]
    assert list(table["how"] + table["error"].astype(str)) == [w for w in ways for _ in range(5)]
    assert table["exact"].tolist()[4] == chance(4)
    assert (table["calls"] == "3 pass pass").all()
    assert np.allclose(table["share"], table["effective"] / table["tried"])


# --- Chart and report ---------------------------------------------------------


def test_the_chart_is_grey_and_says_what_it_shows(tmp_path: Path) -> None:
    from matplotlib.colors import to_rgb

    figure = telling_figure(pd.read_csv(REPORT / "summary.csv"), "players and deals")
    titles = [ax.get_title() for ax in figure.axes]
    assert titles == ["ace", "2", "right bauer", "left bauer", "joker", "a bauer (at least one)",
                      "any of the five (at least one)", "he won: in the suit he names"]  # fmt: skip
    for ax in figure.axes:
        assert "position" in ax.get_xlabel()
        lines = [line for line in ax.get_lines() if line.get_marker() in ("o", "s", "^", "D", "v")]
        assert len({(line.get_linestyle(), line.get_marker()) for line in lines}) == len(lines) >= 3
        for line in ax.get_lines():
            assert len(set(to_rgb(line.get_color()))) == 1
            shown = line.get_ydata()
            assert np.min(shown) >= 0 and np.max(shown) <= ax.get_ylim()[1]  # noqa: PT018
    write_telling(pd.read_csv(REPORT / "summary.csv"), "title", tmp_path / "chart.png")
    assert (tmp_path / "chart.png").read_bytes().startswith(b"\x89PNG")
    with pytest.raises(InputError):
        write_telling(pd.read_csv(REPORT / "summary.csv"), "title", tmp_path / "no" / "chart.png")


def test_the_parts_of_the_report(tmp_path: Path) -> None:
    facts = json.loads((REPORT / "experiment.json").read_text("utf-8"))
    n = 2000 if JIT_ENABLED else 20
    few = {"deals": n // 20, "cases": facts["moves"]["cases"][:2]}
    facts |= {"hands": 6 * n, "heard": {**facts["heard"], "worlds": n, "deals": n}, "moves": few}
    facts["other"] |= {"hands": n}
    if not JIT_ENABLED:
        facts["heard"] |= {"calls": facts["heard"]["calls"][:1], "errors": [0.05]}
        facts["moves"]["cases"] = [[*case[:3], case[3][:1]] for case in facts["moves"]["cases"]]
    table = write_parts(facts, tmp_path, jobs=2)
    assert {file.name for file in tmp_path.iterdir()} == {
        "enemies.csv", "hands.csv", "moves.csv", "plain.csv", "what-calls-tell.png"}  # fmt: skip
    assert list(table) == list(pd.read_csv(REPORT / "summary.csv"))
    cases = pd.read_csv(tmp_path / "hands.csv")[["hand", "calls"]].drop_duplicates()
    assert len(cases) == 3 * len(facts["heard"]["calls"])
    moves = pd.read_csv(tmp_path / "moves.csv")
    assert len(moves) == 2 * sum(len(case[3]) for case in facts["moves"]["cases"])
    assert moves["weighed"].tolist() == [True, False] * (len(moves) // 2)
    assert (moves["made"] <= moves["got"]).all()
    assert (moves["got"] <= moves["hands"]).all()
    assert (moves["hands"] <= moves["dealt"]).all()
    assert list(pd.read_csv(tmp_path / "plain.csv")) == list(table)


def test_the_report_of_another_player_falls_and_rises_everywhere() -> None:
    table = pd.read_csv(REPORT / "plain.csv")
    check_total_probability(table)
    rows = table[(table["suit"] == "fixed") & (table["before"] == "any")]
    for (position, cards), group in rows.groupby(["position", "cards"]):
        rate = group.set_index("call")["rate"]
        assert rate["pass"] < rate["any"] < rate["a bid"], (position, cards)
