"""Random hands under every switch: the software and the oracle must say the same."""

from __future__ import annotations

import copy
import random
from collections.abc import Callable
from typing import Any

import oracle
import pytest
from handmade import Record, oracle_accepts, verdicts

SWITCHES: list[dict[str, Any]] = [
    {name: value}
    for name, values in oracle.CHOICES.items()
    for value in values
    if value != oracle.DEFAULTS[name]
]
PARAMETERS: list[dict[str, Any]] = [
    {"min_bid": 1},
    {"min_bid": 2, "max_bid": 5},
    {"min_bid": 6},
    {"max_bid": 3},
    {"target": 11},
]
TOGETHER: list[dict[str, Any]] = [
    {"dealer_steal": True, "all_pass": "stick_dealer", "max_bid": 4},
    {"rest_to": "bidder", "dealer_excess": "free"},
    {"teams": "2x3", "low": "taker", "game_tie": "bidder"},
    {"first_lead": "trump", "trump_anytime": True, "rest_to": "bidder"},
]
RULE_SETS = SWITCHES + PARAMETERS + TOGETHER


def name_of(rules: dict[str, Any]) -> str:
    return ",".join(f"{k}={v}" for k, v in rules.items()) or "defaults"


def random_records(number: int, rules: dict[str, Any]) -> list[Record]:
    rng = random.Random(name_of(rules))
    return [oracle.random_record(rng, rules) for _ in range(number)]


def assert_same(records: list[Record]) -> None:
    for record, verdict in zip(records, verdicts(records), strict=True):
        assert verdict.ok, (verdict.faults, record)
        assert verdict.points == record.get("points")
        for name in ["game_count", "score"]:
            found = getattr(verdict, name)
            assert (None if found is None else list(found)) == record.get(name)


def test_300_hands_under_the_defaults() -> None:
    assert_same(random_records(300, {}))


@pytest.mark.parametrize("rules", RULE_SETS, ids=name_of)
def test_60_hands_under_each_switch(rules: dict[str, Any]) -> None:
    assert_same(random_records(60, rules))


@pytest.mark.parametrize("rules", RULE_SETS, ids=name_of)
def test_records_read_under_another_rule(rules: dict[str, Any]) -> None:
    """Hands made under the defaults, read with a switch set, and the other way round."""
    records = [{**record, "rules": rules} for record in random_records(40, {})]
    records += [{**record, "rules": {}} for record in random_records(40, rules)]
    assert_agree(records)


# ---------------------------------------------------------------- mutations

Mutation = Callable[[random.Random, Record], None]


def other(rng: random.Random, choices: list[Any], value: Any) -> Any:
    return rng.choice([choice for choice in choices if choice != value])


def swap_two_plays(rng: random.Random, record: Record) -> None:
    """A seat plays two of its cards in the other order; mostly a revoke."""
    one, two = rng.sample(record["tricks"], 2)
    seat = rng.randrange(6)
    i, j = (seat - one["leader"]) % 6, (seat - two["leader"]) % 6
    one["cards"][i], two["cards"][j] = two["cards"][j], one["cards"][i]


def play_a_strange_card(rng: random.Random, record: Record) -> None:
    cards = rng.choice(record["tricks"])["cards"]
    place = rng.randrange(6)
    cards[place] = other(rng, oracle.PACK, cards[place])


def swap_cards_in_a_trick(rng: random.Random, record: Record) -> None:
    cards = rng.choice(record["tricks"])["cards"]
    i, j = rng.sample(range(6), 2)
    cards[i], cards[j] = cards[j], cards[i]


def wrong_winner(rng: random.Random, record: Record) -> None:
    trick = rng.choice(record["tricks"])
    trick["winner"] = other(rng, oracle.SEATS, trick["winner"])


def wrong_leader(rng: random.Random, record: Record) -> None:
    trick = rng.choice(record["tricks"])
    trick["leader"] = other(rng, oracle.SEATS, trick["leader"])


def wrong_point(rng: random.Random, record: Record) -> None:
    name = rng.choice(oracle.POINT_NAMES)
    record["points"][name] = other(rng, [0, 1, None], record["points"][name])


def wrong_count(rng: random.Random, record: Record) -> None:
    team = rng.randrange(len(record["game_count"]))
    record["game_count"][team] += rng.choice([-1, 1, 10])


def wrong_score(rng: random.Random, record: Record) -> None:
    team = rng.randrange(len(record["score"]))
    record["score"][team] = other(rng, list(range(-6, 7)), record["score"][team])


def last_trick_gone(rng: random.Random, record: Record) -> None:
    record["tricks"].pop()


def four_discards(rng: random.Random, record: Record) -> None:
    entry = record["exchange"][rng.randrange(5)]
    entry["discard"] = rng.sample(record["hands"][entry["seat"]], 4)


def another_discard(rng: random.Random, record: Record) -> None:
    entry = rng.choice(record["exchange"])
    if entry["discard"]:
        place = rng.randrange(len(entry["discard"]))
        entry["discard"][place] = rng.choice(oracle.PACK)


def a_trump_discarded(rng: random.Random, record: Record) -> None:
    entry = rng.choice(record["exchange"])
    held = record["hands"][entry["seat"]] + entry["draw"]
    trumps = oracle.trump_cards(held, record["trump"])
    if trumps and entry["discard"]:
        entry["discard"][0] = rng.choice(trumps)


def one_draw_altered(rng: random.Random, record: Record) -> None:
    draw = rng.choice(record["exchange"])["draw"]
    if draw:
        place = rng.randrange(len(draw))
        draw[place] = other(rng, record["stock"], draw[place])


def draws_turned_round(rng: random.Random, record: Record) -> None:
    rng.choice(record["exchange"])["draw"].reverse()


def exchange_out_of_order(rng: random.Random, record: Record) -> None:
    i, j = rng.sample(range(6), 2)
    exchange = record["exchange"]
    exchange[i], exchange[j] = exchange[j], exchange[i]


def another_call(rng: random.Random, record: Record) -> None:
    call = rng.choice(record["bids"])
    call["bid"] = other(rng, list(range(8)), call["bid"])


def another_caller(rng: random.Random, record: Record) -> None:
    call = rng.choice(record["bids"])
    call["seat"] = other(rng, oracle.SEATS, call["seat"])


def one_call_more(rng: random.Random, record: Record) -> None:
    seat = (record["bids"][-1]["seat"] + 1) % 6
    record["bids"].append({"seat": seat, "bid": rng.choice([0, 0, 6])})


def one_call_less(rng: random.Random, record: Record) -> None:
    record["bids"].pop(rng.randrange(len(record["bids"])))


def another_bidder(rng: random.Random, record: Record) -> None:
    record["bidder"] = other(rng, oracle.SEATS, record["bidder"])


def another_bid(rng: random.Random, record: Record) -> None:
    record["bid"] = other(rng, [1, 2, 3, 4, 5, 6], record["bid"])


def another_trump(rng: random.Random, record: Record) -> None:
    record["trump"] = other(rng, oracle.SUITS, record["trump"])


def another_dealer(rng: random.Random, record: Record) -> None:
    record["dealer"] = other(rng, oracle.SEATS, record["dealer"])


def a_card_twice(rng: random.Random, record: Record) -> None:
    hand = rng.choice(record["hands"])
    hand[rng.randrange(6)] = rng.choice(record["stock"])


def two_dealt_cards_swapped(rng: random.Random, record: Record) -> None:
    hand, stock = rng.choice(record["hands"]), record["stock"]
    i, j = rng.randrange(6), rng.randrange(17)
    hand[i], stock[j] = stock[j], hand[i]


def stock_in_another_order(rng: random.Random, record: Record) -> None:
    i, j = rng.sample(range(17), 2)
    record["stock"][i], record["stock"][j] = record["stock"][j], record["stock"][i]


IN_EVERY_DEAL: list[Mutation] = [
    another_call,
    another_caller,
    one_call_more,
    one_call_less,
    another_dealer,
    a_card_twice,
    two_dealt_cards_swapped,
    stock_in_another_order,
]
IN_A_PLAYED_HAND: list[Mutation] = [
    swap_two_plays,
    play_a_strange_card,
    swap_cards_in_a_trick,
    wrong_winner,
    wrong_leader,
    wrong_point,
    wrong_count,
    wrong_score,
    last_trick_gone,
    four_discards,
    another_discard,
    a_trump_discarded,
    one_draw_altered,
    draws_turned_round,
    exchange_out_of_order,
    another_bidder,
    another_bid,
    another_trump,
]


def assert_agree(records: list[Record]) -> int:
    """The software refuses just what the oracle refuses; tells how many that were."""
    refused = 0
    for record, verdict in zip(records, verdicts(records), strict=True):
        right = oracle_accepts(record)
        assert verdict.ok == right, (verdict.faults, oracle_says(record), record)
        refused += not right
    return refused


def oracle_says(record: Record) -> str:
    try:
        return "; ".join(oracle.compare(record, oracle.replay(record))) or "fine"
    except oracle.Fault as fault:
        return str(fault)


def mutants(mutation: Mutation, records: list[Record]) -> list[Record]:
    rng = random.Random(getattr(mutation, "__name__", ""))
    changed = copy.deepcopy(records)
    for record in changed:
        mutation(rng, record)
    return changed


@pytest.mark.parametrize("mutation", IN_A_PLAYED_HAND, ids=lambda m: m.__name__)
def test_mutated_hands_are_refused(mutation: Mutation) -> None:
    records = [record for record in random_records(300, {}) if record["bidder"] is not None]
    assert assert_agree(mutants(mutation, records)) > 20


@pytest.mark.parametrize("mutation", IN_EVERY_DEAL, ids=lambda m: m.__name__)
def test_mutated_deals_are_refused(mutation: Mutation) -> None:
    assert assert_agree(mutants(mutation, random_records(300, {}))) > 20


@pytest.mark.parametrize("rules", RULE_SETS, ids=name_of)
def test_mutated_hands_under_each_switch(rules: dict[str, Any]) -> None:
    records = random_records(60, rules)
    played = [record for record in records if record["bidder"] is not None]
    changed = [m for mutation in IN_EVERY_DEAL for m in mutants(mutation, records[:12])]
    changed += [m for mutation in IN_A_PLAYED_HAND for m in mutants(mutation, played[:12])]
    assert assert_agree(changed) > 50


# ---------------------------------------------------------------- games

GAME_RULES: list[dict[str, Any]] = [
    {},
    {"teams": "2x3"},
    {"all_pass": "redeal_next"},
    {"all_pass": "redeal_without_dealer", "target": 11},
    {"top_tie": "shared", "target": 6},
    {"end": "bidder_first", "target": 11},
    {"must_bid_to_win": True, "target": 11},
]


def random_games(rules: dict[str, Any], number: int) -> list[list[Record]]:
    rng = random.Random(name_of(rules))
    games = [oracle.random_game(rng, rules, f"g{i}") for i in range(2 * number)]
    return [game for game in games if len(game) > 2][:number]


@pytest.mark.parametrize("rules", GAME_RULES, ids=name_of)
def test_random_games_are_accepted(rules: dict[str, Any]) -> None:
    games = random_games(rules, 4)
    assert all(oracle.replay_game(game) == [] for game in games)
    for verdict in verdicts([record for game in games for record in game]):
        assert verdict.ok, verdict.faults


def game_after(rng: random.Random, game: list[Record]) -> None:
    after = rng.choice(game)["game"]["after"]
    after[rng.randrange(len(after))] += 1


def game_before(rng: random.Random, game: list[Record]) -> None:
    before = rng.choice(game)["game"]["before"]
    before[rng.randrange(len(before))] -= 1


def game_winners(rng: random.Random, game: list[Record]) -> None:
    field = rng.choice(game)["game"]
    field["winners"] = other(rng, [[], [0], [1], [0, 1], None], field["winners"])


def game_deal(rng: random.Random, game: list[Record]) -> None:
    rng.choice(game)["game"]["deal"] += rng.choice([-1, 1])


def game_one_deal_missing(rng: random.Random, game: list[Record]) -> None:
    # one between two others: a file may well hold only a part of a game
    game.pop(rng.randrange(1, len(game) - 1))


def game_one_deal_twice(rng: random.Random, game: list[Record]) -> None:
    place = rng.randrange(len(game))
    game.insert(place, copy.deepcopy(game[place]))


def game_rule_changed(rng: random.Random, game: list[Record]) -> None:
    record = game[rng.randrange(1, len(game))]
    record["rules"] = {**record["rules"], "target": 30}


def game_wrong_dealer(rng: random.Random, game: list[Record]) -> None:
    """All seats of one record move round by a whole turn of teams, or by less."""
    place = rng.randrange(1, len(game))
    rules = game[place]["rules"]
    dealer = (game[place]["dealer"] + rng.randrange(1, 6)) % 6
    old = game[place]["game"]
    thrown_in = oracle.random_record(rng, rules, dealer, [])
    calls = [(seat, 0) for seat in oracle.clockwise_from(dealer + 1)]
    if rules.get("all_pass") == "redeal_without_dealer":
        calls.pop()
    thrown_in["bids"] = [{"seat": seat, "bid": bid} for seat, bid in calls]
    thrown_in["game"] = {**old, "after": list(old["before"]), "winners": []}
    game[place:] = [thrown_in]


GAME_MUTATIONS = [
    game_after,
    game_before,
    game_winners,
    game_deal,
    game_one_deal_missing,
    game_one_deal_twice,
    game_rule_changed,
    game_wrong_dealer,
]


@pytest.mark.parametrize("rules", GAME_RULES, ids=name_of)
@pytest.mark.parametrize("mutation", GAME_MUTATIONS, ids=lambda m: m.__name__)
def test_mutated_games_are_refused(mutation: Any, rules: dict[str, Any]) -> None:
    rng = random.Random(3)
    for game in random_games(rules, 6):
        changed = copy.deepcopy(game)
        mutation(rng, changed)
        faults = oracle.replay_game(changed)
        assert faults
        assert not all(verdict.ok for verdict in verdicts(changed)), faults


def test_all_mutations_do_something() -> None:
    """The oracle refuses most mutants, so that the tests above say something."""
    records = [record for record in random_records(60, {}) if record["bidder"] is not None]
    for mutation in IN_A_PLAYED_HAND + IN_EVERY_DEAL:
        refused = sum(not oracle_accepts(record) for record in mutants(mutation, records))
        assert refused >= 10, mutation
