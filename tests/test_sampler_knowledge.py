"""What an analyst knows besides: read, checked, and what contradicts it told in one line."""

from __future__ import annotations

import pytest
from sampler_views import empty_view, ending

from schmier_sim import Rules
from schmier_sim.cards import mask_of, parse_cards
from schmier_sim.errors import InputError
from schmier_sim.sampler.knowledge import parse_known
from schmier_sim.sampler.worlds import Sampler

HAND = mask_of(parse_cards("AS KS JS JC 2S JO"))
RULES = Rules()


def cards(text):
    return mask_of(parse_cards(text))


def test_facts_are_read_in_any_spelling():
    facts = parse_known(["partner: KD", "seat 4: not AD", " 2:10h,9H ", "Seat 5 : NOT qd"], RULES)
    assert [fact[:3] for fact in facts] == [
        (3, cards("KD"), True), (4, cards("AD"), False),
        (2, cards("TH 9H"), True), (5, cards("QD"), False),
    ]  # fmt: skip
    assert parse_known(["partner: KD"], RULES, me=4)[0].seat == 1


@pytest.mark.parametrize(
    ("known", "line"),
    [
        (["KD"], "--know 'KD': write like 'partner: KS' or 'seat 4: not AS'"),
        (["partner:"], "--know 'partner:': no card is named; write like"),
        (["partner: not"], "no card is named"),
        (["partner: KX"], "--know 'partner: KX': no card: 'KX'"),
        (["partner: KD KD"], "card KD is there twice"),
        (["left: KD"], "--know 'left: KD': nobody is called 'left'; partner, or seat 0 to seat 5"),
        (["seat 6: KD"], "nobody is called 'seat 6'"),
        (["seat 0: KD"], "--know 'seat 0: KD': seat 0 is you; your own cards are known"),
        (["partner: KS"], "--know 'partner: KS': KS is in your own hand"),
        (["partner: KD", "seat 4: KD"], "KD is in two places: 'partner: KD' and 'seat 4: KD'"),
        (["seat 3: KD", "partner: not KD"], "'seat 3: KD' and 'partner: not KD' disagree on KD"),
        (["partner: 2D 3D 4D 5D", "seat 3: 6D 7D 8D"], "7 cards of seat 3 are named; it has six"),
    ],
)  # fmt: skip
def test_what_cannot_be_is_told_in_one_line(known, line):
    with pytest.raises(InputError) as caught:
        parse_known(known, RULES, 0, HAND)
    assert line in str(caught.value)
    assert "\n" not in str(caught.value)


def test_with_two_partners_partner_is_no_name():
    with pytest.raises(InputError, match="there are two; write 'seat N'"):
        parse_known(["partner: KD"], Rules.of({"teams": "2x3"}))


def test_that_somebody_does_not_hold_my_card_is_no_contradiction():
    (fact,) = parse_known(["partner: not KS"], RULES, 0, HAND)
    views = empty_view(RULES, 0, 5, HAND)
    assert Sampler(views[0], [fact]).draw(3).shape == (3, 9)


def in_play(played, hand, drawn, voids, thrown=""):
    """My view as seat 0, dealer 5, bidder 0, spades, one trick played."""
    views = empty_view(RULES, 0, 5, cards(hand))
    views["bidder"], views["bid"], views["trump"] = 0, 3, 3
    views["drawn"], views["n_played"] = drawn, 6
    views["history"][0, :6] = parse_cards(played)
    views["played"], views["thrown"] = cards(played), cards(thrown)
    for seat, suit in voids:
        views["voids"][0, seat] |= 1 << suit
    return views[0]


def test_knowledge_against_shown_voids_names_both_and_nothing_else():
    view = in_play("AS 2D 3S 4S 5S 6S", "KS QS JS JC 2S", [0, 0, 0, 0, 0, 17], [(1, 3)])
    known = parse_known(["seat 1: TS", "seat 2: not 9D", "seat 4: 9H"], RULES)
    with pytest.raises(InputError) as caught:
        Sampler(view, known)
    line = str(caught.value)
    assert "'seat 1: TS'; seat 1 has shown to be out of trumps" in line
    assert "seat 2" not in line
    assert "seat 4" not in line


def test_a_trump_that_nobody_may_hold_is_named():
    # E1: the ten of spades is in a hand; the taker can have thrown it only with six trumps left.
    view = in_play("AS 2D 3S 4S 5S 6D", "KS QS JS JC 2S", [0, 0, 0, 0, 0, 17], [(1, 3), (5, 3)])
    known = parse_known([f"seat {seat}: not TS" for seat in (2, 3, 4)], RULES)
    with pytest.raises(InputError) as caught:
        Sampler(view, known)
    line = str(caught.value)
    for seat in (2, 3, 4):
        assert f"'seat {seat}: not TS'" in line
    assert "seat 1 has shown to be out of trumps" in line
    assert "all trumps but a taker's excess are in hands" in line
    Sampler(view, known[:2])


def test_cards_seen_already_are_in_no_hand():
    view = in_play("AS 2D 3S 4S 5S 6S", "KS QS JS JC 2S", [0, 0, 0, 0, 0, 17], [(1, 3)])
    for text, where in (("seat 2: 2D", "played already"), ("seat 2: KS", "in your own hand")):
        with pytest.raises(InputError, match=where):
            Sampler(view, parse_known([text], RULES))


def test_too_many_different_facts_are_refused_not_waited_for():
    view = empty_view(RULES, 0, 5, HAND)[0]
    pack = [card for card in range(53) if not HAND >> card & 1]
    names = [f"{card}" for card in pack]
    facts = []
    from schmier_sim.sampler.knowledge import Fact

    for i, card in enumerate(pack[:31]):  # every one may lie with another set of seats
        facts += [Fact(s, 1 << card, False, names[i]) for s in range(1, 6) if i >> s - 1 & 1]
    with pytest.raises(InputError, match="too many different facts"):
        Sampler(view, facts)


def test_a_position_that_does_not_add_up_is_told():
    position = ending(1, "play")
    position.view["drawn"] += 1
    with pytest.raises(InputError, match="do not add up"):
        Sampler(position.view, position.facts)
