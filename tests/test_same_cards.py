"""All players meet the same cards, whatever they draw and by whichever way they are played."""

from __future__ import annotations

import json

import numpy as np
import pytest
from randomness import sources
from randomness.sources import deal, keys

from schmier_sim import Rules, find_policy
from schmier_sim._jit import JIT_ENABLED
from schmier_sim.cards import parse_cards
from schmier_sim.cli.run import run as run_command
from schmier_sim.compare import Judge, Match
from schmier_sim.composition import composition_of
from schmier_sim.dealing import Dealer
from schmier_sim.policies import policy, registry
from schmier_sim.policies.base import Policy
from schmier_sim.policies.toolkit import draw_below
from schmier_sim.simulate import AUCTION, BIDDER, Experiment, run
from schmier_sim.tally import SHAPE

PLAIN = find_policy("plain")
CALL, TRUMP, DISCARD, PLAY = PLAIN.functions


class _Wasteful:
    """`plain`, who draws some numbers in vain before he answers."""

    def call(view):  # type: ignore[no-untyped-def]  # noqa: N805
        draw_below(view, 6)
        return CALL(view)

    def trump(view):  # type: ignore[no-untyped-def]  # noqa: N805
        draw_below(view, 53)
        return TRUMP(view)

    def discard(view):  # type: ignore[no-untyped-def]  # noqa: N805
        draw_below(view, 7)
        return DISCARD(view)

    def play(view):  # type: ignore[no-untyped-def]  # noqa: N805
        for _ in range(9):
            draw_below(view, 53)
        return PLAY(view)


WASTEFUL = policy(uses_bid=PLAIN.uses_bid, name="wasteful")(_Wasteful)
PLAYERS = [*map(find_policy, registry.names()), WASTEFUL]
HANDS = 240 if JIT_ENABLED else 24


def by_hand(seed: int, hands: int) -> np.ndarray:
    """Count the forced bidders' hands by position, suit and composition, from the cards alone."""
    masks = deal(keys(seed, np.arange(hands), 0)).masks
    dealers = sources.dealers(seed, hands)
    cells = np.zeros(SHAPE[1:4], np.int64)
    for index, (dealt, dealer) in enumerate(zip(masks, dealers, strict=True)):
        seat, trump = index % 6, index // 6 % 4
        cells[(seat - dealer - 1) % 6, trump, composition_of(dealt[seat], trump)] += 1
    return cells


def test_simulated_hands_are_the_same_whoever_plays() -> None:
    for player in PLAYERS:
        tally = run(Experiment.at_one_table(BIDDER, [player] * 6, seed=3), 0, HANDS)
        assert np.array_equal(tally.cells.sum(axis=(0, 4)), by_hand(3, HANDS)), player.name


def test_draws_in_vain_change_nothing() -> None:
    """Nor do they in attempts after cards thrown in, at tables with others, or in games."""
    other = find_policy("random")
    for kind in (AUCTION, BIDDER):
        one, two = (
            run(Experiment.at_one_table(kind, [player, other] * 3, seed=4), 0, HANDS // 4)
            for player in (PLAIN, WASTEFUL)
        )
        assert np.array_equal(one.cells, two.cells)
        assert np.array_equal(one.totals, two.totals)
    judges = [Judge(Match(player, other, seed=4)) for player in (PLAIN, WASTEFUL)]
    one, two = (judge.deals(HANDS // 12) for judge in judges)
    assert np.array_equal(one, two)
    mirror = Match(PLAIN, WASTEFUL, seed=4)
    assert not Judge(mirror).deals(HANDS // 12)[:, 0].any()


@pytest.mark.parametrize("player", PLAYERS, ids=lambda player: player.name)
def test_played_deals_are_the_cards_of_their_key(
    player: Policy,
) -> None:
    """Every attempt at every hand; in a mixed company as well."""
    seed, hands = 5, 4 if JIT_ENABLED else 1
    for company in ([player] * 6, [player, PLAIN, find_policy("random")] * 2):
        played = list(Dealer(company, Rules(), seed).hands(7, hands))
        attempts = [(seed, each.number, each.attempt) for each in played]
        dealt = deal(np.array(attempts))
        assert [each.dealt for each in played] == dealt.masks.tolist()
        assert [each.stock for each in played] == dealt.packs[36:].T.tolist()


@pytest.mark.parametrize("name", registry.names())
def test_printed_deals_are_the_cards_of_their_key(
    name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["deal", "--index", "7", "--hands", "2" if JIT_ENABLED else "1", "--policy", name]
    assert run_command([*words, "--seed", "5", "--rule", "min_bid=1"]) == 0
    records = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    dealt = deal(np.array([(5, each["index"], each["attempt"]) for each in records]))
    for each, masks, pack in zip(records, dealt.masks, dealt.packs.T, strict=True):
        assert [parse_mask(hand) for hand in each["hands"]] == masks.tolist()
        assert [parse_cards(card)[0] for card in each["stock"]] == pack[36:].tolist()


def parse_mask(cards: list[str]) -> int:
    return sum(1 << card for card in parse_cards(" ".join(cards)))
