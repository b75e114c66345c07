"""The engine and the naive oracle agree in every card, trick, point and score."""

from __future__ import annotations

import oracle
import pytest

from schmier_sim import Rules, find_policy
from schmier_sim._jit import JIT_ENABLED
from schmier_sim.dealing import Dealer
from schmier_sim.records.write import as_record

DEFAULTS = 20_000 if JIT_ENABLED else 40
SWITCHED = 2_000 if JIT_ENABLED else 10

SWITCHES: list[dict[str, object]] = [
    {"teams": "2x3"},
    {"min_bid": 1},
    {"min_bid": 4, "max_bid": 4},
    {"max_bid": 5},
    {"all_pass": "redeal_next"},
    {"all_pass": "stick_dealer"},
    {"all_pass": "redeal_without_dealer"},
    {"dealer_steal": True},
    {"dealer_steal": True, "max_bid": 3},
    {"dealer_excess": "free"},
    {"rest_to": "bidder"},
    {"rest_to": "bidder", "dealer_excess": "free"},
    {"first_lead": "trump"},
    {"trump_anytime": True},
    {"low": "taker"},
    {"game_tie": "bidder"},
    {"target": 11},
    {"top_tie": "shared"},
    {"end": "bidder_first"},
    {"must_bid_to_win": True},
    {
        "teams": "2x3", "dealer_steal": True, "rest_to": "bidder", "dealer_excess": "free",
        "first_lead": "trump", "trump_anytime": True, "low": "taker", "game_tie": "bidder",
        "all_pass": "stick_dealer", "min_bid": 2,
    },
]  # fmt: skip


def check(rules: Rules, players: list[str], hands: int, seed: int) -> None:
    """Play hands, and let the oracle work out the same decisions."""
    dealer = Dealer([find_policy(name) for name in players], rules, seed)
    seen = 0
    for deal in dealer.hands(0, hands):
        record = as_record(deal, rules, seed, players, None)
        result = oracle.replay(record)
        assert oracle.compare(record, result) == []
        seen += deal.bidder >= 0
    assert seen == hands


def test_defaults_random_players() -> None:
    check(Rules(), ["random"] * 6, DEFAULTS, 1)


def test_defaults_plain_players() -> None:
    check(Rules(), ["plain"] * 6, SWITCHED, 2)


@pytest.mark.parametrize(
    "changes", SWITCHES, ids=lambda c: ",".join(f"{k}={v}" for k, v in c.items())
)
def test_every_switch(changes: dict[str, object]) -> None:
    mixed = ["random", "random", "plain", "random", "random", "random"]
    check(Rules.of(changes), mixed, SWITCHED, 3)


@pytest.mark.parametrize("changes", [{}, *SWITCHES[4:9], *SWITCHES[16:]], ids=str)
def test_whole_games(changes: dict[str, object]) -> None:
    """Scores carried on, the deal passing, and the end of the game."""
    rules = Rules.of(changes)
    names = ["random", "plain"] * 3
    dealer = Dealer([find_policy(name) for name in names], rules, 4)
    for number in range(60 if JIT_ENABLED else 1):
        records = [
            as_record(played.deal, rules, 4, names, played.game) for played in dealer.game(number)
        ]
        assert oracle.replay_game(records) == []
        assert records[-1]["game"]["winners"] or len(records) == 500
