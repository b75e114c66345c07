"""What every registered policy must keep to, and what `plain` does in single positions."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from deals import shuffled
from engine.test_against_oracle import SWITCHES

from schmier_sim import Rules, contract, find_policy, play_batch
from schmier_sim._jit import JIT_ENABLED
from schmier_sim.bits import highest_bit, lowest_bit
from schmier_sim.cards import mask_of, parse_cards, parse_hand, parse_suit
from schmier_sim.engine.hand import play_deal
from schmier_sim.engine.state import PHASES, PUBLIC_FIELDS, as_view, new_tables, new_views
from schmier_sim.errors import InputError, PolicyFault
from schmier_sim.policies import policy, registry
from schmier_sim.policies.base import Policy, answers_of
from schmier_sim.policies.plain import best_suit, estimate
from schmier_sim.rules import SWITCHES as RULES
from schmier_sim.simulate import AUCTION, BIDDER

MANY = 100_000 if JIT_ENABLED else 40
SOME = 5_000 if JIT_ENABLED else 6

EXAMPLES = sorted((Path(__file__).parent.parent / "docs" / "examples").glob("*.py"))

every_policy = pytest.mark.parametrize("name", [*registry.names(), *map(str, EXAMPLES)])


@every_policy
@pytest.mark.parametrize("kind", [AUCTION, BIDDER])
def test_only_legal_answers_under_the_defaults(name: str, kind: str) -> None:
    """The engine stops at the first illegal answer."""
    contract.answers_legally(find_policy(name), kind, MANY)


@every_policy
@pytest.mark.parametrize("changes", [*SWITCHES, *contract.changes_of_rules()[-1:]], ids=str)
def test_only_legal_answers_under_every_switch(name: str, changes: dict[str, object]) -> None:
    contract.answers_legally(find_policy(name), BIDDER, SOME, Rules.of(changes), seed=22)


def test_the_contract_knows_every_switch() -> None:
    single, last = contract.changes_of_rules()[:-1], contract.changes_of_rules()[-1]
    assert {name for changes in single for name in changes} == {each.name for each in RULES}
    assert set(last) == {each.name for each in RULES}


@every_policy
def test_the_same_view_gets_the_same_answer_whatever_is_hidden(name: str) -> None:
    """Swap cards that a seat cannot see when it calls, names trumps, discards, leads, follows."""
    compared = contract.sees_only_its_view(find_policy(name), 90 if JIT_ENABLED else 7)
    assert compared["call"] > (300 if JIT_ENABLED else 10)
    assert compared["discard"] > compared["trump"] > 0
    assert compared["play"] > compared["discard"]


def _draws_anew(view):  # type: ignore[no-untyped-def]
    return view.legal & -view.legal if np.random.random() < 0.5 else 0


@every_policy
def test_who_does_not_use_the_bid_plays_alike_at_every_level(name: str) -> None:
    player = find_policy(name)
    assert (
        contract.plays_alike_at_every_level(player, 200 if JIT_ENABLED else 3) > 0
        or player.uses_bid
    )


def test_the_contract_finds_who_uses_the_bid_in_secret() -> None:
    @policy(uses_bid=False)
    class Secret:
        def play(view: Any) -> int:  # noqa: N805
            return lowest_bit(view.legal) if view.bid > 3 else highest_bit(view.legal)

    with pytest.raises(PolicyFault, match="plays otherwise for another bid"):
        contract.plays_alike_at_every_level(Secret, 5)


@pytest.mark.parametrize("phase", ["discard", "play"])
def test_the_contract_finds_who_draws_numbers_of_his_own(phase: str) -> None:
    function = {"discard": _draws_anew, "play": _tosses}[phase]
    with pytest.raises(PolicyFault, match=rf"'Mine' in seat \d answered \d+ to {phase}, and \d+"):
        contract.sees_only_its_view(player_with(**{phase: function}), 20)


def _tosses(view):  # type: ignore[no-untyped-def]
    return lowest_bit(view.legal) if np.random.random() < 0.5 else highest_bit(view.legal)


def test_the_contract_finds_what_the_engine_would_betray(monkeypatch: pytest.MonkeyPatch) -> None:
    """Put a hidden card into the view, as a fault in the engine would."""
    watched = contract.Watched
    play = watched.play

    def betrayed(self: contract.Watched, cards: np.ndarray, *more: object) -> object:
        asked, history = play(self, cards, *more)  # type: ignore[arg-type]
        seen = [
            question._replace(view=question.view[:-8] + bytes([int(cards[35])]) + b"\0" * 7)
            for question in asked
        ]
        return seen, history

    monkeypatch.setattr(watched, "play", betrayed)
    with pytest.raises(PolicyFault, match="sees what is hidden"):
        contract.sees_only_its_view(find_policy("plain"), 10)


def test_the_view_has_the_fields_of_the_contract_and_no_others() -> None:
    assert PUBLIC_FIELDS == (
        "seat", "dealer", "position", "bidder", "bid", "trump", "hand", "thrown", "legal",
        "must_throw", "calls", "drawn", "history", "n_played", "leader", "n_trick", "played",
        "voids", "game_count", "card_points", "scores", "rules",
    )  # fmt: skip


def player_with(**functions: object) -> Policy:
    """`plain` with other functions."""
    body = {
        name: getattr(find_policy("plain"), name) for name in ("call", "trump", "discard", "play")
    }
    body = {name: getattr(f, "py_func", f) for name, f in body.items()} | functions
    return policy(uses_bid=False)(type("Mine", (), body))


def _peek(view):  # type: ignore[no-untyped-def]
    return view.hands[0]


def _scribble(view):  # type: ignore[no-untyped-def]
    view.scores[0] = 20
    return 0


def _seven(view):  # type: ignore[no-untyped-def]
    return 7


@pytest.mark.parametrize(("function", "words"), [(_peek, "no field 'hands'"), (_scribble, "read")])
def test_a_policy_can_neither_see_more_nor_write(function: object, words: str) -> None:
    hands, stock = shuffled(2)
    with pytest.raises(Exception, match=words):
        play_batch(hands, stock, 5, policies=(player_with(play=function),) * 6, bidders=0, bids=3)


@pytest.mark.parametrize("phase", ["call", "trump", "discard", "play"])
def test_an_illegal_answer_names_policy_seat_seed_and_hand(phase: str) -> None:
    hands, stock = shuffled(3)
    # 7 is no call and no suit; the mask 7 is 2C 3C 4C; card 7 is 9C.
    with pytest.raises(
        PolicyFault, match=rf"'Mine' in seat \d .* answer 7 to {phase}, seed 5, hand"
    ):
        play_batch(
            hands, stock, 5, policies=(player_with(**{phase: _seven}),) * 6, seed=5,
            bids=None if phase == "call" else 3, bidders=None if phase == "call" else 0,
        )  # fmt: skip


def test_an_unknown_policy_is_refused_with_the_list() -> None:
    with pytest.raises(InputError, match=r"'expert'.*heuristic, plain, random"):
        find_policy("expert")


# --- random ---------------------------------------------------------------------------------------


def test_random_draws_all_discards_alike() -> None:
    """Subsets of up to three of the five plain cards: 1 + 5 + 10 + 10, equally likely."""
    n = 26_000 if JIT_ENABLED else 260
    hands, stock = shuffled(1, first="AS 2C 3C 4D 5D 6H")
    tables, views = new_tables(1), new_views(1)
    views["rules"] = Rules().packed
    tables["dealt"][0], tables["stock"][0] = hands[0], stock[0]
    tables["plan_bidder"], tables["plan_bid"], tables["plan_trumps"] = 0, 3, 3
    tables["answers"] = answers_of((find_policy("random"),) * 6)
    seen: dict[int, int] = {}
    for key in range(n):
        tables["policy_key"] = key
        play_deal(tables[0], views[0], 5)
        thrown = int(tables["thrown"][0][0])
        seen[thrown] = seen.get(thrown, 0) + 1
    expected = n / 26
    statistic = sum((count - expected) ** 2 / expected for count in seen.values())
    assert len(seen) == 26
    assert statistic < 60  # chi-square with 25 degrees of freedom: 1 in 10,000


# --- plain ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("hand", "suit", "hundredths"),
    [
        ("AS KS JS JC 2S JO", "S", 470),
        ("AS KS JS JC 2S JO", "C", 220),  # R 70, L 60, joker 40
        ("QS TS 3S 4D 5D 6H", "S", 130),
        ("AC KC QC 2C 3C 4C", "C", 380),
        ("7D 5S 8S QS AS 6H", "H", 75),
    ],
)
def test_plain_estimates_a_suit(hand: str, suit: str, hundredths: int) -> None:
    assert estimate(mask_of(parse_hand(hand)), parse_suit(suit)) == hundredths


def test_plain_names_its_best_suit_and_the_first_of_equal_ones() -> None:
    assert best_suit(mask_of(parse_hand("AS KS 2C 3C 4H 5H"))) == 3
    assert best_suit(mask_of(parse_hand("AH 3H AC 3C 4S 5D"))) == 0


def play_of(
    hand: str, trick: str = "", *, trump: str = "S", bidder: int = 0, leader: int = 0,
    before: str = "", phase: str = "play", legal: str = "", must_throw: int = 0,
) -> str:  # fmt: skip
    """Return what `plain` in seat 0 plays (or throws) in a position.

    ``before`` are cards of earlier tricks, ``trick`` those of this one from ``leader`` on.
    """
    from schmier_sim.cards import card_names

    views = new_views(1)
    earlier, now = parse_cards(before), parse_cards(trick)
    played = earlier + now
    held = mask_of(parse_cards(hand))
    views["rules"], views["bidder"], views["bid"] = Rules().packed, bidder, 3
    views["trump"], views["hand"] = parse_suit(trump), held
    views["legal"] = mask_of(parse_cards(legal)) if legal else held
    views["must_throw"], views["leader"] = must_throw, leader
    views["history"][0] = -1
    views["history"][0][: len(played)] = played
    views["played"], views["n_played"], views["n_trick"] = mask_of(played), len(played), len(now)
    answer = ask_plain(phase, views)
    return " ".join(card_names(answer if phase == "discard" else 1 << answer))


def ask_plain(phase: str, views: np.ndarray) -> int:
    """Call one function of `plain` on a view."""
    function = getattr(find_policy("plain"), phase)
    if not JIT_ENABLED:
        return int(function(as_view(views[0])))
    return int(_through_view(answers_of((find_policy("plain"),) * 6), views, phase))


def _through_view(answers: np.ndarray, views: np.ndarray, phase: str) -> int:
    import ctypes

    address = int(answers[PHASES.index(phase)])
    return int(ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_void_p)(address)(views.ctypes.data))


@pytest.mark.parametrize(
    ("hand", "card"),
    [
        ("AS 3S 4D 5D 6H 7H", "AS"),  # the highest trump, none unseen is higher
        ("KS 9S 3S 4D 5D 6H", "9S"),  # from three trumps the highest of 3-9
        ("KS QS TS AD 5D 6H", "AD"),  # no small trump: a plain ace
        ("KS 3S AD 5D 6H TH", "AD"),  # two trumps only
        ("KS 3S 5D 6H TH QH", "5D"),  # the plain card of least game value
        ("KS TS 2S JO", "TS"),  # trumps only: the lowest that is no point card
        ("JS JC 2S JO", "JS"),  # only point cards: the highest
    ],
)
def test_plain_leads_as_the_bidding_team(hand: str, card: str) -> None:
    assert play_of(hand) == card


@pytest.mark.parametrize(
    ("hand", "card"),
    [
        ("AS 3S AD 5D 6H 7H", "AD"),  # a plain ace before the ace of trumps
        ("AS 3S KD 5D 6H 7H", "5D"),
        ("AS 3S 4S", "AS"),  # no plain card: as the bidding team
        ("KS 9S 3S", "9S"),
    ],
)
def test_plain_leads_as_a_defender(hand: str, card: str) -> None:
    assert play_of(hand, bidder=1) == card


@pytest.mark.parametrize(
    ("hand", "trick", "leader", "card", "why"),
    [
        ("JO TS KS 3S", "QS AS 4S 5S 6S", 1, "3S", "an enemy's ace holds it in last seat"),
        ("JO TS KS 3S", "4S 5S AS 6S 7S", 1, "JO", "partner's ace is unbeatable: joker first"),
        ("TS KS 3S", "4S 5S AS 6S 7S", 1, "TS", "then the ten; the king is kept"),
        ("JC KS 3S", "QS 4S 5S TS 6S", 1, "KS", "last, a ten in it: takes it as cheap as can be"),
        ("AD KD 3D", "2D 4D 5D 6D 7D", 1, "3D", "last, nothing in it"),
        ("AS 3S", "KS 4S", 4, "AS", "a sure winner, three game points in it"),
        ("KS 3S", "QS TS", 4, "3S", "the ace is unseen, so the king is not sure"),
        ("JO 9D TH", "AC 2C", 4, "9D", "nothing to win: the cheapest card, joker counts twelve"),
    ],
)
def test_plain_follows(hand: str, trick: str, leader: int, card: str, why: str) -> None:
    assert play_of(hand, trick, leader=leader, bidder=1) == card, why


def test_plain_throws_plain_cards_of_least_game_value_but_no_aces() -> None:
    assert play_of("AS AD TD KD 2C 9H", phase="discard", legal="AD TD KD 2C 9H") == "9H KD 2C"
    assert play_of("AS AD AC 3S 4S 9H", phase="discard", legal="AD AC 9H") == "9H"


def test_plain_as_taker_keeps_aces_to_the_last_and_the_high_trumps() -> None:
    assert play_of("AS 2S AD AC TD KD 5H 6H", phase="discard", legal="AD AC TD KD 5H 6H",
                   must_throw=5) == "6H 5H KD TD AC"  # fmt: skip
    trumps = "AS KS QS JS JC 9S 8S 2S"
    assert play_of(trumps, phase="discard", legal="KS QS 9S 8S", must_throw=2) == "9S 8S"


@pytest.mark.parametrize("team", [0, 1, 2])
def test_plain_beats_random_by_a_point_a_hand_on_the_same_deals(team: int) -> None:
    n = 6_000 if JIT_ENABLED else 60
    hands, stock = shuffled(n, seed=31)
    players = [find_policy("plain" if seat % 3 == team else "random") for seat in range(6)]
    scores = play_batch(hands, stock, np.arange(n) % 6, policies=players).scores.astype(float)
    ahead = scores[:, team] - (scores.sum(axis=1) - scores[:, team]) / 2
    assert ahead.mean() - 4 * ahead.std() / np.sqrt(n) > (1 if JIT_ENABLED else -1)
