"""What would change an answer, in words."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from schmier_sim.advise import INDIFFERENCE, Advice, CallResult
from schmier_sim.cards import card_sign, parse_cards
from schmier_sim.phrases import about, listed, ranges
from schmier_sim.variations import Variation

_WIDE = 19
_CLOSE = "about even"


def _answer(variation: Variation, bid: int, base: str) -> str:
    """Return ``bid 4``, ``pass`` or ``about even``.

    Where the few deals leave it open, the answer stays what it is if the mean says the same.
    """
    difference = variation.versus_pass
    if variation.verdict is None or difference is None:
        return f"bid {variation.call}" if variation.call else "pass"
    verdict = variation.verdict
    if verdict == "open" and base == "yes" and difference.mean > INDIFFERENCE:
        verdict = "yes"
    if verdict == "open" and base == "no" and difference.mean < -INDIFFERENCE:
        verdict = "no"
    return {"yes": f"bid {bid}", "no": "pass", "open": _CLOSE}[verdict]


def _rate(variation: Variation) -> str:
    made, got = variation.make
    if not got or not variation.verdict:
        return ""
    outbid = ", mostly outbid" if 2 * variation.gets[0] < variation.gets[1] else ""
    return f" ({about(made / got)}{outbid})"


def _swapped(variation: Variation, advice: Advice, trump: int) -> str:
    """``K♣ for 6♥``."""
    cards, own = parse_cards(variation.name), advice.situation.cards
    new = next(card for card in cards if card not in own)
    old = next(card for card in own if card not in cards)
    return f"{card_sign(new, trump)} for {card_sign(old, trump)}"


def _items(
    answers: Iterable[tuple[Variation, str]], told: bool, after_bid: bool = False
) -> list[str]:
    """Name seats, bids before and rules, with their answers if they are to be told."""
    passes = " if all pass" if after_bid else ""
    places: dict[str, list[int]] = {}
    others = []
    for variation, answer in answers:
        then = f": {answer}" if told else ""
        if variation.kind == "position":
            places.setdefault(then, []).append(int(variation.name))
        elif variation.kind == "before":
            others.append(f"a {variation.name} before you{then}")
        elif variation.kind == "rule":
            others.append(f"{variation.name}{_rate(variation)}{then}")
    seats = [
        f"{'position' if len(numbers) == 1 else 'positions'} {ranges(numbers)}{passes}{then}"
        for then, numbers in places.items()
    ]
    return seats + others


def _clear_hands(advice: Advice, trump: int, variations: Sequence[Variation]) -> list[str]:
    """Name the nearest hands that are clear: ``K♣ for 6♥: bid (+0.9)``."""
    return [
        f"{_swapped(each, advice, trump)}: {'bid' if each.verdict == 'yes' else 'pass'} "
        f"({each.versus_pass.mean:+.1f})"
        for each in variations
        if each.kind == "hand" and each.versus_pass
    ]


def change_lines(
    advice: Advice, row: CallResult | None, variations: Sequence[Variation], most: int
) -> list[str]:
    """Return what would change the answer, what would not, and how other players move it.

    Where it is close: what tips it, and the nearest hands that are clear.
    """
    if row is None or not variations:
        return []
    assert row.trump is not None
    base = advice.verdict(row.call)
    now = {"yes": f"bid {row.call}", "no": "pass", "close": _CLOSE}[base]
    answers = [(each, _answer(each, row.call, base)) for each in variations]
    changing = [pair for pair in answers if pair[1] != now]
    same = [pair for pair in answers if pair[1] == now]
    after_bid = advice.situation.high > 0
    what = _items(changing, told=True, after_bid=after_bid) or ["nothing that was tried"]
    lines = listed("Tips it" if base == "close" else "Would change it", what, most, _WIDE)
    clear = _clear_hands(advice, row.trump, variations)
    lines += listed("Clear with", clear, most, _WIDE) if clear else []
    kept = _items(same, told=False, after_bid=after_bid)
    lines += listed("Would not", kept, most, _WIDE) if kept else []
    players = [
        f"`{each.name}`: {answer}{_rate(each)}"
        for each, answer in answers
        if each.kind == "players" and not (answer == now and advice.is_hopeless(row))
    ]
    tried = f"  [each {variations[0].hands:,} deals]"
    return lines + (listed("Other players", players, most, _WIDE, tried) if players else [])
