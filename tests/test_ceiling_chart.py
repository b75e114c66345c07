"""The chart and the text "How high may I go?": what stands in the cells."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from ceiling_batches import batch_of, played_batch

from schmier_sim import ceiling_chart
from schmier_sim.batches import StoredBatch
from schmier_sim.ceiling_chart import draw_block, greys, how_high, write
from schmier_sim.ceiling_words import agreement_line, as_text, foundations, heading
from schmier_sim.ceilings import Terms, ceilings
from schmier_sim.explained import SuitTest
from schmier_sim.rules import SWITCHES

LOTS = 100_000
HOUSE = {switch.name: switch.values[-1] for switch in SWITCHES if "bid" not in switch.name}
"""Another value for every rule, to make the longest heading."""
HANDS = {
    "AK2+0": {4: LOTS},  # ace and 2: 4
    "AK+1": {3: LOTS}, "AR+1": {4: LOTS},  # ace: 3-4
    "2J+0": {4: 200 * LOTS, 2: 100 * LOTS},  # 2: 3, and 4 is worth exactly a pass
    "K2+1": {4: 10},  # 2: too few hands
    "-+1": {0: LOTS},  # neither: pass
    "KQRL+0": {5: LOTS},  # neither: rare
    "KQ+1": {2: 9 * LOTS}, "RL+1": {3: LOTS},  # neither: pass, but R L 3
}  # fmt: skip


def texts_in(ax: Any) -> dict[tuple[int, int], list[str]]:
    """Return the texts of an Axes by (row, column)."""
    found: dict[tuple[int, int], list[str]] = {}
    for text in ax.texts:
        x, y = text.get_position()
        found.setdefault((round(y), round(x)), []).append(text.get_text())
    return found


def blocks() -> list[dict[tuple[int, int], list[str]]]:
    return [texts_in(ax) for ax in how_high(batch_of(HANDS)).axes]


def test_digits_marks_and_make_rates_stand_in_their_cells() -> None:
    both, ace, two, neither = blocks()
    assert both[1, 3] == ["4", "100 %"]
    assert ace[1, 3] == ["3-4", "50 %"]  # the make rate of the 4
    assert two[0, 2] == ["3~", "67 %"]
    assert two[1, 3] == ["4?", "100 %"]
    assert neither[0, 1] == [""]
    assert neither[4, 4] == ["5", "100 %"]
    assert neither[2, 3] == ["p-3", "10 %"]


def test_impossible_cells_have_a_dot_and_cells_without_hands_a_question_mark() -> None:
    for i, (block, cells) in enumerate(zip(blocks(), (15, 20, 20, 25), strict=True)):
        dots = [where for where, words in block.items() if words == ["·"]]
        assert len(block) == 35
        assert len(dots) == 35 - cells
        fewest = (2, 1, 1, 0)[i]
        assert set(dots) == {(r, c) for r in range(5) for c in range(7) if c < r + fewest}
    assert blocks()[0][0, 2] == ["?"]


def patch_at(ax: Any, row: int, column: int) -> Any:
    (found,) = [
        patch
        for patch in ax.patches
        if round(patch.get_y() + 0.46) == row and round(patch.get_x() + 0.47) == column
    ]
    return found


def test_close_cells_are_dashed_and_pale_ones_have_no_shade() -> None:
    axes = how_high(batch_of(HANDS)).axes
    assert patch_at(axes[2], 0, 2).get_linestyle() != "-"
    assert patch_at(axes[0], 1, 3).get_linestyle() == "-"
    assert patch_at(axes[0], 1, 3).get_facecolor()[0] < 0.9
    for ax, row, column in ((axes[3], 4, 4), (axes[2], 1, 3), (axes[3], 0, 1)):
        assert patch_at(ax, row, column).get_facecolor()[0] == 1.0  # rare, too few, a pass


def test_four_bids_have_four_greys_far_enough_apart_to_print() -> None:
    shades = list(greys([3, 4, 5, 6]).values())
    assert all(a - b > 0.15 for a, b in zip([1.1, *shades], shades, strict=False))
    assert list(greys([5]).values()) == [shades[0]]


def test_the_chart_says_who_plays_what_and_how_to_read_it() -> None:
    figure = how_high(batch_of(HANDS, rules={"low": "taker"}), Terms(-0.25, 1))
    said = " ".join(" ".join(text.get_text() for text in figure.texts).split())
    for words in (
        "How high may I go?", "players: plain", "low=taker", "position 1", "a pass worth -0.25",
        "31,500,010 hands", "blank: pass", "impossible", "within 0.1 point",
        "pale: rare, under 1 in 10,000", "too few hands", "The four suits", "this grid",
        "the highest bid that pays", "R, L: right and left bauer",
    ):  # fmt: skip
        assert words in said
    assert [ax.get_title(loc="left") for ax in figure.axes] == [
        "I hold the ace and the 2", "I hold the ace, not the 2", "I hold the 2, not the ace",
        "I hold neither of them",
    ]  # fmt: skip


MANY = [f"a/long/path/to/players.py:Number{i}" for i in range(150)]


@pytest.mark.parametrize(
    "facts", [{}, {"rules": HOUSE}, {"policies": MANY[:9]}, {"policies": MANY}]
)
def test_nothing_that_is_written_leaves_the_page(facts: dict[str, Any]) -> None:
    batch = played_batch(48)
    figure = how_high(StoredBatch({**batch.facts, **facts}, batch.tally))
    renderer = figure.canvas.get_renderer()  # type: ignore[attr-defined]
    width, height = figure.canvas.get_width_height()
    for text in figure.texts:
        box = text.get_window_extent(renderer)
        assert box.x0 >= 0 <= box.y0, text.get_text()
        assert not any(box.overlaps(ax.get_window_extent(renderer)) for ax in figure.axes)
        assert box.x1 <= width, text.get_text()
        assert box.y1 <= height, text.get_text()


@pytest.mark.parametrize(
    ("suffix", "begins"), [(".png", b"\x89PNG"), (".svg", b"<?xml"), (".pdf", b"%PDF")]
)
def test_it_is_written_with_its_figures_beside(suffix: str, begins: bytes, tmp_path: Path) -> None:
    batch = batch_of(HANDS)
    data = write(batch, tmp_path, suffix)
    picture, numbers = ceiling_chart.files(tmp_path, suffix)
    assert sorted(tmp_path.iterdir()) == sorted([picture, numbers])
    assert picture.read_bytes().startswith(begins)

    def refuse(name: str) -> None:
        raise AssertionError(f"not strict JSON: {name}")

    stored = json.loads(numbers.read_text("utf-8"), parse_constant=refuse)
    assert stored.pop("provenance")["seed"] == 7
    assert stored == json.loads(json.dumps(data))
    assert len(stored["cells"]) == 80
    assert {row["bid"] for row in stored["explained"]} == {3, 4, 5, 6}


def test_one_level_and_six_levels_are_drawn() -> None:
    for low, high in ((6, 6), (1, 6)):
        batch = batch_of(HANDS, levels=[low, high], rules={"min_bid": low})
        assert texts_in(how_high(batch).axes[3])[4, 4][0] == ("" if low == 6 else "5")


def test_the_text_of_the_grid() -> None:
    lines = as_text(ceilings(batch_of(HANDS))).splitlines()
    assert max(map(len, lines)) <= 79
    assert lines[0] == "ACE AND 2                              ACE, NO 2"
    assert lines[4] == "1  ·    ·    ·    4    ?    ?    ?     1  ·    ·    ?   3-4   ?    ?    ?"
    assert lines[11] == "2  ·    ·    ·    ?    ?    ?    ?     2  ·    ·    ?   p-3   ?    ?    ?"
    assert lines[13] == "0  ·    ?   3~    ?    ?    ?    ?     0  ?         ?    ?    ?    ?    ?"


def test_a_pass_is_blank_unless_it_has_a_mark() -> None:
    grid = as_text(ceilings(batch_of({"-+0": {0: LOTS}, "-+1": {0: 10}})))
    row = grid.splitlines()[13]
    assert row.split()[-6:] == ["p?", *"?????"]
    assert re.search(r"0\s{6,}p\?", row)


def test_a_block_can_be_drawn_on_any_axes() -> None:
    from matplotlib.figure import Figure

    table = ceilings(batch_of(HANDS))
    ax = Figure().subplots()
    assert draw_block(table[table["ace"] & table["two"]], ax, [3, 4, 5, 6]) is ax


def test_words_about_the_suits() -> None:
    assert "agree: chi-square p = 0.2 " in agreement_line([SuitTest(4, 9.0, 6, 0.2)])
    assert "DO NOT AGREE" in agreement_line([SuitTest(4, 99.0, 6, 1e-9)])
    assert "too few" in agreement_line([SuitTest(5, 0.0, 0, None)])


def test_foundations_tell_of_every_bid_and_of_the_suits() -> None:
    lines = foundations(batch_of(HANDS), Terms())
    assert max(map(len, lines)) <= 79
    assert [line.split()[:2] for line in lines[2:6]] == [["making", bid] for bid in "3456"]
    assert lines[5].split()[2:] == ["-"] * 4  # nobody made 6
    assert float(lines[4].split()[5]) == pytest.approx(100)  # 5: two compositions, two cells
    assert "suits" in lines[6]


def test_the_heading_names_players_that_differ() -> None:
    batch = batch_of(HANDS, policies=["plain", "partner=random"])
    assert "players: plain/partner=random;" in heading(batch, Terms(), 5)
