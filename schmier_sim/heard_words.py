"""What the calls tell, in words."""

from __future__ import annotations

from collections.abc import Sequence

from schmier_sim.advise import FEWEST_HANDS, Advice
from schmier_sim.cards import JOKER, LEFT, RIGHT, card_sign
from schmier_sim.heard import Heard, Likely, Side
from schmier_sim.phrases import INDENT, WIDTH, about, capital, fit, listed, note
from schmier_sim.situation import Situation

_TOLD = 4  # cards of a side
_SHIFT = 0.01  # what moves less is not told


def _who(situation: Situation, side: Side) -> str:
    """``Partner (passed)``: with several seats their calls are not named."""
    name = "Enemies" if side.name == "enemies" else "Partners"
    if len(side.seats) > 1:
        return name
    said = dict(zip(situation.seats_before, situation.calls, strict=True))
    call = said.get(side.seats[0], -1)
    return "Partner" + (f" (bid {call})" if call > 0 else " (passed)" if call == 0 else "")


def _rate(each: Likely, trump: int) -> str:
    """``right 12 % (13)``."""
    short = {int(RIGHT[trump]): "right", int(LEFT[trump]): "left", JOKER: "joker"}
    name = short.get(each.card) or card_sign(each.card, trump)
    (a, n), (b, m) = each.with_calls, each.without
    return f"{name} {about(a / n)} ({100 * b / m:.0f})"


def _side_text(situation: Situation, side: Side, trump: int) -> str:
    """Return of the rates that moved those that moved most, as many as there is room for."""
    start = f"{_who(situation, side)}: dealt {side.trumps[0]:.1f} trumps ({side.trumps[1]:.1f})"
    moved = [each for each in side.likely if abs(each.shift) >= _SHIFT]
    moved.sort(key=lambda each: -abs(each.shift))
    ways = []
    for told in range(_TOLD, -1, -1):
        rates = [_rate(each, trump) for each in side.likely if each in moved[:told]]
        ways.append(", ".join([start, *rates]) + ".")
    return fit(ways, WIDTH - INDENT)


def _sides(situation: Situation, told: Heard) -> list[Side]:
    """Put first whom the calls are about: my partner if he has called, else the enemies."""
    partner, enemies = told.sides
    said = dict(zip(situation.seats_before, situation.calls, strict=True))
    spoke = any(said.get(seat, -1) >= 0 for seat in partner.seats)
    return [partner, enemies] if spoke else [enemies, partner]


def _sample_text(told: Heard) -> str:
    """How far the make rate moves, and by how many deals that is known."""
    found = told.fitting
    n, of = f"effective sample {len(found.numbers):,}", f" of {found.dealt:,} dealt"
    made = ""
    if told.make and told.make_without and min(told.make[1], told.make_without[1]) >= FEWEST_HANDS:
        rates = [100 * part / whole for part, whole in (told.make, told.make_without)]
        made = f"Makes it {rates[0]:.1f} %, {rates[1]:.1f} without calls; "
    return fit(
        [capital(f"{made}{n}{of}."), capital(f"{made}{n}."), capital(f"{n}.")], WIDTH - INDENT
    )


def heard_lines(advice: Advice, told: Heard | None, most: int) -> list[str]:
    """Return what the calls tell: of my partner, of the enemies, of the make rate.

    With room for two lines one of the sides is left out, with room for one the other too.
    """
    if told is None:
        return []
    held = advice.situation
    sides = [_side_text(held, side, told.trump) for side in _sides(held, told)]
    texts = [*sides[: most - 1], _sample_text(told)]
    return [note("" if i else "Calls", text, 1)[0] for i, text in enumerate(texts)]


def warning_lines(warnings: Sequence[str], most: int) -> list[str]:
    """Return warnings, each a paragraph of its own, or all in so many lines."""
    if most > 2:
        return [line for text in warnings for line in note("Warning", f"{text}.", 3)]
    return listed("Warning", warnings, most) if warnings else []
