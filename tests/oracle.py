"""A naive referee of one hand of Schmier: the independent check of the real software.

It shares no code with the package. Cards are strings ("AS", "TD", the joker "JO"), hands are
lists, and every rule is written down the way a card player would say it, with the id of its
clause beside it. Speed does not matter here; being easy to check does.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from typing import Any

Record = dict[str, Any]
Rules = dict[str, Any]
Call = tuple[int, int]  # (seat, bid); a bid of 0 is a pass

SEATS = [0, 1, 2, 3, 4, 5]
SUITS = ["C", "D", "H", "S"]
RANKS_HIGH_TO_LOW = ["A", "K", "Q", "J", "T", "9", "8", "7", "6", "5", "4", "3", "2"]
JOKER = "JO"
PACK = [rank + suit for suit in SUITS for rank in RANKS_HIGH_TO_LOW] + [JOKER]
OTHER_SUIT_OF_COLOUR = {"C": "S", "S": "C", "D": "H", "H": "D"}
POINT_NAMES = ["high", "low", "right", "left", "joker", "game"]
DEAL_CAP = 500  # W3

DEFAULTS: Rules = {
    "teams": "3x2",
    "min_bid": 3,
    "max_bid": 6,
    "all_pass": "redeal",
    "dealer_steal": False,
    "dealer_excess": "minimum",
    "rest_to": "dealer",
    "first_lead": "any",
    "trump_anytime": False,
    "low": "player",
    "game_tie": "nobody",
    "target": 21,
    "top_tie": "continue",
    "end": "high_score",
    "must_bid_to_win": False,
}

CHOICES: dict[str, list[Any]] = {
    "teams": ["3x2", "2x3"],
    "all_pass": ["redeal", "redeal_next", "stick_dealer", "redeal_without_dealer"],
    "dealer_steal": [False, True],
    "dealer_excess": ["minimum", "free"],
    "rest_to": ["dealer", "bidder"],
    "first_lead": ["any", "trump"],
    "trump_anytime": [False, True],
    "low": ["player", "taker"],
    "game_tie": ["nobody", "bidder"],
    "top_tie": ["continue", "shared"],
    "end": ["high_score", "bidder_first"],
    "must_bid_to_win": [False, True],
}


class Fault(Exception):
    """The first thing in a record that the rules forbid."""

    def __init__(self, clause: str, message: str) -> None:
        super().__init__(f"{message} ({clause})")
        self.clause = clause


@dataclass
class Result:
    """All that follows from the cards and the decisions of one hand."""

    bidder: int | None = None
    bid: int | None = None
    trump: str | None = None
    thrown_in: bool = False
    taker: int | None = None
    exchange_order: list[int] = field(default_factory=list)
    draws: dict[int, list[str]] = field(default_factory=dict)
    discards: dict[int, list[str]] = field(default_factory=dict)
    hands_after: list[list[str]] = field(default_factory=list)
    leaders: list[int] = field(default_factory=list)
    winners: list[int] = field(default_factory=list)
    points: dict[str, int | None] | None = None
    game_count: list[int] | None = None
    points_won: list[int] | None = None
    score: list[int] | None = None
    dead: list[str] = field(default_factory=list)


# ---------------------------------------------------------------- rules, seats, teams, cards


def _is_whole(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def full_rules(rules: Rules) -> Rules:
    """The rules in force: the defaults, and over them what the record says."""
    for name, value in rules.items():
        if name not in DEFAULTS:
            raise Fault("rules", f"no rule is called {name}")
        if name in CHOICES:
            # type() too, because 1 == True in Python and is no switch position in JSON
            known = any(value == c and type(value) is type(c) for c in CHOICES[name])
        else:
            known = _is_whole(value) and value >= 1
        if not known:
            raise Fault("rules", f"{name} cannot be {value!r}")
    all_rules = {**DEFAULTS, **rules}
    if not 1 <= all_rules["min_bid"] <= all_rules["max_bid"] <= 6:
        raise Fault("A1", "the bids must be 1 <= min_bid <= max_bid <= 6")
    return all_rules


def number_of_teams(rules: Rules) -> int:
    return 3 if rules["teams"] == "3x2" else 2


def team_of(seat: int, rules: Rules) -> int:
    """P1: partners sit opposite (3x2), or the two teams alternate (2x3)."""
    return seat % number_of_teams(rules)


def clockwise_from(seat: int) -> list[int]:
    return [(seat + step) % 6 for step in range(6)]


def trumps_high_to_low(trump: str) -> list[str]:
    """R1: A K Q right left 10 9 8 7 6 5 4 3 2 joker."""
    right = "J" + trump
    left = "J" + OTHER_SUIT_OF_COLOUR[trump]
    top = ["A" + trump, "K" + trump, "Q" + trump]
    rest = [rank + trump for rank in ["T", "9", "8", "7", "6", "5", "4", "3", "2"]]
    return [*top, right, left, *rest, JOKER]


def protected_trumps(trump: str) -> list[str]:
    """E3: the five trumps that nobody may ever throw."""
    return ["A" + trump, "J" + trump, "J" + OTHER_SUIT_OF_COLOUR[trump], "2" + trump, JOKER]


def is_trump(card: str, trump: str) -> bool:
    return card in trumps_high_to_low(trump)


def suit_of(card: str, trump: str) -> str:
    """The suit that a card belongs to in play: the left bauer and the joker are trumps."""
    if is_trump(card, trump):
        return trump
    return card[1]


def plain_cards(cards: list[str], trump: str) -> list[str]:
    return [card for card in cards if not is_trump(card, trump)]


def trump_cards(cards: list[str], trump: str) -> list[str]:
    return [card for card in cards if is_trump(card, trump)]


# ---------------------------------------------------------------- auction


def highest_bid(calls: list[Call]) -> int:
    return max((bid for _, bid in calls), default=0)


def next_caller(calls: list[Call], dealer: int, rules: Rules) -> int | None:
    """Whose turn it is to call; None when the auction is over (A1, A2, A4, A5)."""
    asked = [seat for seat, _ in calls]
    if dealer in asked:
        return None
    if highest_bid(calls) == rules["max_bid"]:
        return dealer if rules["dealer_steal"] else None
    waiting = [seat for seat in clockwise_from(dealer + 1) if seat not in asked]
    only_the_dealer_is_left = waiting == [dealer]
    if only_the_dealer_is_left and highest_bid(calls) == 0:
        return None if rules["all_pass"] == "redeal_without_dealer" else dealer
    return waiting[0]


def legal_calls(calls: list[Call], seat: int, dealer: int, rules: Rules) -> list[int]:
    """A1 with the switches of A4 and A5."""
    highest = highest_bid(calls)
    bids = [b for b in range(rules["min_bid"], rules["max_bid"] + 1) if b > highest]
    if rules["dealer_steal"] and seat == dealer and highest > 0:
        bids.append(highest)
    dealer_is_stuck = rules["all_pass"] == "stick_dealer" and seat == dealer and highest == 0
    if not dealer_is_stuck:
        bids.append(0)
    return sorted(bids)


def auction_winner(calls: list[Call]) -> Call | None:
    """A3: the last who bid at all, for each bid beat (or the dealer's equalled) those before."""
    bids = [(seat, bid) for seat, bid in calls if bid > 0]
    return bids[-1] if bids else None


def _hear_the_calls(record: Record, rules: Rules) -> list[Call]:
    dealer = record["dealer"]
    calls: list[Call] = []
    for number, entry in enumerate(record["bids"]):
        seat, bid = entry["seat"], entry["bid"]
        expected = next_caller(calls, dealer, rules)
        if expected is None:
            raise Fault("A2", f"bids[{number}]: the auction was over")
        if seat != expected:
            raise Fault("A1", f"bids[{number}]: seat {expected} was to call, not seat {seat}")
        if not _is_whole(bid) or bid not in legal_calls(calls, seat, dealer, rules):
            clause = "A4" if bid == 0 else "A1"
            raise Fault(clause, f"bids[{number}]: seat {seat} may not call {bid}")
        calls.append((seat, bid))
    if next_caller(calls, dealer, rules) is not None:
        raise Fault("A2", f"bids: seat {next_caller(calls, dealer, rules)} has not called")
    return calls


# ---------------------------------------------------------------- exchange


def taker_of_the_rest(dealer: int, bidder: int, rules: Rules) -> int:
    return bidder if rules["rest_to"] == "bidder" else dealer


def exchange_order(dealer: int, taker: int) -> list[int]:
    """E1: clockwise from the dealer's left; who takes the rest comes last."""
    others = [seat for seat in clockwise_from(dealer + 1) if seat != taker]
    return [*others, taker]


def check_discard(hand: list[str], discard: list[str], trump: str) -> None:
    """E1, for a player who does not take the rest."""
    _check_held(hand, discard, "E1")
    if len(discard) > 3:
        raise Fault("E1", f"{len(discard)} cards thrown, three are allowed")
    if trump_cards(discard, trump):
        raise Fault("E1", f"a trump was thrown: {trump_cards(discard, trump)}")


def check_taker_discard(held: list[str], discard: list[str], trump: str, rules: Rules) -> None:
    """E2 and E3, for who takes the rest; held = his cards and the whole pick-up."""
    _check_held(held, discard, "E2")
    if len(held) - len(discard) != 6:
        raise Fault("E2", f"{len(held) - len(discard)} cards kept instead of six")
    thrown = trump_cards(discard, trump)
    if any(card in protected_trumps(trump) for card in thrown):
        raise Fault("E3", f"A, R, L, 2 and joker must stay: {thrown}")
    trumps_held = len(trump_cards(held, trump))
    if trumps_held <= 6 and thrown:
        raise Fault("E3", f"a trump was thrown without more than six: {thrown}")
    if trumps_held > 6 and rules["dealer_excess"] == "minimum" and len(thrown) != trumps_held - 6:
        raise Fault("E3", "with more than six trumps exactly six of them stay")


def _check_held(hand: list[str], cards: list[str], clause: str) -> None:
    if len(set(cards)) != len(cards):
        raise Fault(clause, "a card is thrown twice")
    for card in cards:
        if card not in hand:
            raise Fault(clause, f"{card} is thrown but not held")


def _without(cards: list[str], gone: list[str]) -> list[str]:
    return [card for card in cards if card not in gone]


def _exchange(record: Record, result: Result, rules: Rules) -> None:
    bidder, trump = result.bidder, result.trump
    assert bidder is not None
    assert trump is not None
    if "exchange" not in record:
        raise Fault("exchange", "exchange: is missing")
    discard_of = {entry["seat"]: entry["discard"] for entry in record["exchange"]}
    if len(record["exchange"]) != 6 or sorted(discard_of) != SEATS:
        raise Fault("E1", "exchange: every seat exactly once")
    result.taker = taker_of_the_rest(record["dealer"], bidder, rules)
    result.exchange_order = exchange_order(record["dealer"], result.taker)
    result.hands_after = [list(hand) for hand in record["hands"]]
    stock = list(record["stock"])
    for seat in result.exchange_order:
        hand, discard = result.hands_after[seat], list(discard_of[seat])
        if seat == result.taker:
            draw, stock = stock, []
            check_taker_discard(hand + draw, discard, trump, rules)
        else:
            check_discard(hand, discard, trump)
            draw, stock = stock[: len(discard)], stock[len(discard) :]
        result.hands_after[seat] = _without(hand + draw, discard)
        result.draws[seat] = draw
        result.discards[seat] = discard
        result.dead += discard


# ---------------------------------------------------------------- play


def legal_first_leads(hand: list[str], trump: str, rules: Rules) -> list[str]:
    """T1: any card, or under the switch a trump if he holds one."""
    if rules["first_lead"] == "trump" and trump_cards(hand, trump):
        return trump_cards(hand, trump)
    return list(hand)


def legal_follows(hand: list[str], card_led: str, trump: str, rules: Rules) -> list[str]:
    """T2: the suit led if he can; a house rule allows trumps instead of a plain suit."""
    suit_led = suit_of(card_led, trump)
    following = [card for card in hand if suit_of(card, trump) == suit_led]
    if not following:
        return list(hand)
    if rules["trump_anytime"] and suit_led != trump:
        return following + trump_cards(hand, trump)
    return following


def best_card(cards: list[str], trump: str) -> str:
    """T3: the highest trump, else the highest card of the suit led (cards[0])."""
    for card in trumps_high_to_low(trump):
        if card in cards:
            return card
    suit_led = cards[0][1]
    for rank in RANKS_HIGH_TO_LOW:
        if rank + suit_led in cards:
            return rank + suit_led
    raise AssertionError("the card led is always there")


def legal_cards(
    hand: list[str], on_table: list[str], first_trick: bool, trump: str, rules: Rules
) -> list[str]:
    if on_table:
        return legal_follows(hand, on_table[0], trump, rules)
    if first_trick:
        return legal_first_leads(hand, trump, rules)
    return list(hand)


def _play(record: Record, result: Result, rules: Rules) -> bool:
    """Follows the tricks; True if all six are complete."""
    assert result.bidder is not None
    assert result.trump is not None
    hands = [list(hand) for hand in result.hands_after]
    leader = result.bidder
    for number, trick in enumerate(record["tricks"]):
        if number == 6 or len(trick["cards"]) > 6:
            raise Fault("T1", f"tricks[{number}]: six tricks of six cards are played")
        if number > 0 and len(record["tricks"][number - 1]["cards"]) < 6:
            raise Fault("T1", f"tricks[{number}]: the trick before is not finished")
        result.leaders.append(leader)
        seats = clockwise_from(leader)
        cards: list[str] = []
        for seat, card in zip(seats, trick["cards"], strict=False):
            _check_card(hands[seat], card, cards, number, seat, result.trump, rules)
            hands[seat].remove(card)
            cards.append(card)
        if len(cards) < 6:
            continue
        leader = seats[cards.index(best_card(cards, result.trump))]
        result.winners.append(leader)
    return len(result.winners) == 6


def _check_card(
    hand: list[str],
    card: str,
    on_table: list[str],
    number: int,
    seat: int,
    trump: str,
    rules: Rules,
) -> None:
    if card not in hand:
        raise Fault("tricks", f"tricks[{number}]: seat {seat} does not hold {card}")
    if card not in legal_cards(hand, on_table, number == 0, trump, rules):
        if on_table:
            raise Fault("T2", f"tricks[{number}]: seat {seat} revokes with {card}")
        raise Fault("T1", f"tricks[{number}]: seat {seat} must lead a trump, not {card}")


# ---------------------------------------------------------------- points


def count_of(card: str) -> int:
    """S4: A 4, K 3, Q 2, J 1, 10 ten, joker 1."""
    if card == JOKER:
        return 1
    return {"A": 4, "K": 3, "Q": 2, "J": 1, "T": 10}.get(card[0], 0)


def player_and_taker(card: str, tricks: list[list[str]], result: Result) -> tuple[int, int]:
    """The seat that played the card, and the seat that won the trick it fell in."""
    for cards, leader, winner in zip(tricks, result.leaders, result.winners, strict=True):
        if card in cards:
            return clockwise_from(leader)[cards.index(card)], winner
    raise AssertionError(f"{card} is always in play")


def score_the_hand(tricks: list[list[str]], result: Result, rules: Rules) -> None:
    """S1 to S5."""
    assert result.bidder is not None
    assert result.bid is not None
    assert result.trump is not None
    trump = result.trump
    bidding_team = team_of(result.bidder, rules)
    teams = range(number_of_teams(rules))

    def team_that_plays(card: str) -> int:
        return team_of(player_and_taker(card, tricks, result)[0], rules)

    def team_that_takes(card: str) -> int:
        return team_of(player_and_taker(card, tricks, result)[1], rules)

    two = "2" + trump
    game_count = [0 for _ in teams]
    for cards, winner in zip(tricks, result.winners, strict=True):
        game_count[team_of(winner, rules)] += sum(count_of(card) for card in cards)
    points: dict[str, int | None] = {
        "high": team_that_plays("A" + trump),
        "low": team_that_plays(two) if rules["low"] == "player" else team_that_takes(two),
        "right": team_that_takes("J" + trump),
        "left": team_that_takes("J" + OTHER_SUIT_OF_COLOUR[trump]),
        "joker": team_that_takes(JOKER),
        "game": game_point(game_count, bidding_team, rules),
    }
    won = [list(points.values()).count(team) for team in teams]
    score = list(won)
    if won[bidding_team] < result.bid:
        score[bidding_team] = -result.bid
    result.points, result.game_count = points, game_count
    result.points_won, result.score = won, score


def game_point(game_count: list[int], bidding_team: int, rules: Rules) -> int | None:
    """S4: the team with most, and for a tie for most the switch game_tie."""
    most = [team for team, count in enumerate(game_count) if count == max(game_count)]
    if len(most) == 1:
        return most[0]
    if rules["game_tie"] == "bidder" and bidding_team in most:
        return bidding_team
    return None


# ---------------------------------------------------------------- the hand as a whole


def _check_deal(record: Record) -> None:
    """P1, P2."""
    if not _is_whole(record["dealer"]) or record["dealer"] not in SEATS:
        raise Fault("dealer", f"dealer {record['dealer']!r} is no seat")
    hands, stock = record["hands"], record["stock"]
    if stock is None or any(hand is None for hand in hands):
        raise Fault("hands", "hands and stock must be known")
    if len(hands) != 6 or any(len(hand) != 6 for hand in hands):
        raise Fault("P2", "hands: six cards to each of six players")
    if len(stock) != 17:
        raise Fault("P2", f"stock: {len(stock)} cards instead of 17")
    dealt = [card for hand in hands for card in hand] + list(stock)
    if sorted(dealt) != sorted(PACK):
        raise Fault("P2", "hands and stock are not the pack of 53 different cards")


def replay(record: Record) -> Result:
    """Everything that follows from cards and decisions; Fault at the first illegal decision.

    The derived fields of the record (bidder, draws, leaders, winners, points ...) are not read.
    """
    rules = full_rules(record["rules"])
    _check_deal(record)
    result = Result()
    won = auction_winner(_hear_the_calls(record, rules))
    if won is None:
        result.thrown_in = True
        return result
    result.bidder, result.bid = won
    result.trump = record["trump"]
    if result.trump not in SUITS:
        raise Fault("A3", f"trump: {result.trump!r} is no suit")
    _exchange(record, result, rules)
    if record.get("tricks") is not None and _play(record, result, rules):
        score_the_hand([trick["cards"] for trick in record["tricks"]], result, rules)
    return result


def compare(record: Record, result: Result) -> list[str]:
    """Every derived field written in the record that is not what the referee found."""
    wrong: list[str] = []

    def check(name: str, written: object, right: object) -> None:
        if written != right or isinstance(written, bool):
            wrong.append(f"{name}: {written!r} instead of {right!r}")

    check("bidder", record["bidder"], result.bidder)
    check("bid", record["bid"], result.bid)
    if result.thrown_in:
        check("trump", record["trump"], None)
        names = ["exchange", "tricks", "points", "game_count", "score"]
        return wrong + [f"{name}: in a thrown-in deal" for name in names if name in record]
    entries = record["exchange"]
    check("exchange order", [entry["seat"] for entry in entries], result.exchange_order)
    for number, entry in enumerate(entries):
        check(f"exchange[{number}].draw", entry["draw"], result.draws[entry["seat"]])
    for number, trick in enumerate(record.get("tricks") or []):
        finished = number < len(result.winners)
        winner = result.winners[number] if finished else None
        check(f"tricks[{number}].leader", trick.get("leader"), result.leaders[number])
        check(f"tricks[{number}].winner", trick.get("winner"), winner)
    for name in ["points", "game_count", "score"]:
        if name in record:
            check(name, record[name], getattr(result, name))
    return wrong


# ---------------------------------------------------------------- the game


def winners(scores_after: list[int], rules: Rules, bidding_team: int, made: bool) -> list[int]:
    """W1 and W2 after a hand that was played; empty while play goes on."""
    rules = full_rules(rules)
    at_target = [team for team, score in enumerate(scores_after) if score >= rules["target"]]
    bidder_is_there = bidding_team in at_target
    if rules["must_bid_to_win"]:
        return [bidding_team] if bidder_is_there and made else []
    if rules["end"] == "bidder_first" and bidder_is_there:
        return [bidding_team]
    if not at_target:
        return []
    most = max(scores_after)
    at_top = [team for team, score in enumerate(scores_after) if score == most]
    if len(at_top) == 1:
        return at_top
    if bidding_team in at_top:
        return [bidding_team]
    return at_top if rules["top_tie"] == "shared" else []


def next_dealer(dealer: int, thrown_in: bool, rules: Rules) -> int:
    """P3 after a hand that was played, A4 after one that was thrown in."""
    if thrown_in and full_rules(rules)["all_pass"] != "redeal_next":
        return dealer
    return (dealer + 1) % 6


def _outcome(record: Record, result: Result) -> tuple[list[int], list[int] | None]:
    """What the record's `after` and `winners` must be, from its `before`."""
    rules, game = full_rules(record["rules"]), record["game"]
    after, won = list(game["before"]), []
    if not result.thrown_in:
        assert result.score is not None
        assert result.bidder is not None
        after = [b + s for b, s in zip(game["before"], result.score, strict=True)]
        bidding_team = team_of(result.bidder, rules)
        made = result.score[bidding_team] > 0
        won = winners(after, record["rules"], bidding_team, made)
    if not won and game["deal"] == DEAL_CAP:
        return after, None
    return after, won


def replay_game(records: list[Record]) -> list[str]:
    """Faults in the sequence of one game's records, from its first deal on."""
    faults: list[str] = []
    previous: Record | None = None
    for number, record in enumerate(records, start=1):

        def fault(message: str, number: int = number) -> None:
            faults.append(f"deal {number}: {message}")

        try:
            result = replay(record)
        except Fault as found:
            fault(str(found))
            return faults
        for difference in compare(record, result):
            fault(difference)
        game = record["game"]
        if number > DEAL_CAP:
            fault("a game has 500 deals at most (W3)")
        if game["deal"] != number:
            fault(f"game.deal is {game['deal']}")
        _check_step(previous, record, fault)
        if not result.thrown_in and result.score is None:
            fault("the hand is not played to its end")
            return faults
        after, won = _outcome(record, result)
        if game["after"] != after:
            fault(f"game.after is {game['after']}, not {after}")
        if game["winners"] != won:
            fault(f"game.winners is {game['winners']}, not {won} (W1, W2, W3)")
        previous = record
    return faults


def _check_step(previous: Record | None, record: Record, fault: Any) -> None:
    """What a record of a game must share with the one before."""
    game = record["game"]
    if previous is None:
        if game["before"] != [0] * number_of_teams(full_rules(record["rules"])):
            fault(f"a game starts at nought, not at {game['before']}")
        return
    if full_rules(previous["rules"]) != full_rules(record["rules"]):
        fault("the rules changed")
    if previous["game"]["id"] != game["id"]:
        fault("this is another game")
    if previous["game"]["winners"] != []:
        fault("the game was over")
    if game["before"] != previous["game"]["after"]:
        fault(f"game.before is {game['before']}, not {previous['game']['after']}")
    thrown_in = previous["bidder"] is None
    dealer = next_dealer(previous["dealer"], thrown_in, previous["rules"])
    if record["dealer"] != dealer:
        fault(f"seat {dealer} deals ({'A4' if thrown_in else 'P3'})")


# ---------------------------------------------------------------- random legal hands


def blank_record(rules: Rules, dealer: int, hands: list[list[str]], stock: list[str]) -> Record:
    """A record that holds the deal and nothing else."""
    origin: Record = {"seed": None, "index": None, "attempt": None, "policies": None}
    deal: Record = {"dealer": dealer, "hands": hands, "stock": stock}
    auction: Record = {"bids": [], "bidder": None, "bid": None, "trump": None}
    return {"format": "schmier-hand/1", "rules": dict(rules), **origin, **deal, **auction}


def write_exchange_and_tricks(record: Record, discards: dict[int, list[str]]) -> None:
    """Writes the exchange with its draws, and an empty list of tricks."""
    seats = list(discards)
    record["exchange"] = [{"seat": s, "discard": discards[s], "draw": []} for s in seats]
    result = replay(record)
    for entry in record["exchange"]:
        entry["draw"] = result.draws[entry["seat"]]
    record["tricks"] = []


def write_result(record: Record) -> None:
    """Writes points, game_count and score of a hand that is played to its end."""
    result = replay(record)
    record["points"], record["score"] = result.points, result.score
    record["game_count"] = result.game_count


def _random_calls(rng: random.Random, dealer: int, rules: Rules) -> list[Call]:
    calls: list[Call] = []
    while (seat := next_caller(calls, dealer, rules)) is not None:
        choices = legal_calls(calls, seat, dealer, rules)
        if 0 in choices and rng.random() < 0.6:
            calls.append((seat, 0))
        else:
            # the lower of two, so that auctions do not jump to the top at once
            calls.append((seat, min(rng.choice(choices), rng.choice(choices))))
    return calls


def random_discard(rng: random.Random, hand: list[str], trump: str) -> list[str]:
    plain = plain_cards(hand, trump)
    return rng.sample(plain, rng.randint(0, min(3, len(plain))))


def random_taker_discard(
    rng: random.Random, held: list[str], trump: str, rules: Rules
) -> list[str]:
    plain, trumps = plain_cards(held, trump), trump_cards(held, trump)
    excess = len(trumps) - 6
    if excess <= 0:
        return rng.sample(plain, len(held) - 6)
    may_go = [card for card in trumps if card not in protected_trumps(trump)]
    if rules["dealer_excess"] == "minimum":
        return plain + rng.sample(may_go, excess)
    return rng.sample(plain + may_go, len(held) - 6)


def _random_discards(rng: random.Random, record: Record, rules: Rules) -> dict[int, list[str]]:
    dealer, trump = record["dealer"], record["trump"]
    taker = taker_of_the_rest(dealer, record["bidder"], rules)
    stock = list(record["stock"])
    discards: dict[int, list[str]] = {}
    for seat in exchange_order(dealer, taker):
        hand = record["hands"][seat]
        if seat == taker:
            discards[seat] = random_taker_discard(rng, hand + stock, trump, rules)
        else:
            discards[seat] = random_discard(rng, hand, trump)
            stock = stock[len(discards[seat]) :]
    return discards


def play_out(record: Record, choose: Any, rules: Rules) -> None:
    """Plays what is left of six tricks; choose(seat, legal cards) names each card."""
    trump = record["trump"]
    hands = replay(record).hands_after
    leader = record["bidder"]
    for number in range(6):
        cards: list[str] = []
        seats = clockwise_from(leader)
        for seat in seats:
            card = choose(seat, legal_cards(hands[seat], cards, number == 0, trump, rules))
            hands[seat].remove(card)
            cards.append(card)
        winner = seats[cards.index(best_card(cards, trump))]
        record["tricks"].append({"leader": leader, "cards": cards, "winner": winner})
        leader = winner


def random_record(
    rng: random.Random, rules: Rules, dealer: int | None = None, calls: list[Call] | None = None
) -> Record:
    """A complete legal record of random decisions; a thrown-in one when all pass.

    The calls are random too unless they are given.
    """
    all_rules = full_rules(rules)
    dealer = rng.randrange(6) if dealer is None else dealer
    cards = rng.sample(PACK, 53)
    hands = [cards[6 * seat : 6 * seat + 6] for seat in SEATS]
    record = blank_record(rules, dealer, hands, cards[36:])
    calls = _random_calls(rng, dealer, all_rules) if calls is None else calls
    record["bids"] = [{"seat": seat, "bid": bid} for seat, bid in calls]
    won = auction_winner(calls)
    if won is None:
        return record
    record["bidder"], record["bid"] = won
    record["trump"] = rng.choice(SUITS)
    write_exchange_and_tricks(record, _random_discards(rng, record, all_rules))
    play_out(record, lambda _, legal: rng.choice(legal), all_rules)
    write_result(record)
    return record


def add_to_game(game: list[Record], record: Record, name: str = "g1") -> None:
    """Appends a record to a game's list and writes its `game` field."""
    rules = full_rules(record["rules"])
    before = game[-1]["game"]["after"] if game else [0] * number_of_teams(rules)
    record["game"] = {"id": name, "deal": len(game) + 1, "before": list(before)}
    after, won = _outcome(record, replay(record))
    record["game"]["after"], record["game"]["winners"] = after, won
    game.append(record)


def random_game(rng: random.Random, rules: Rules, name: str = "g1") -> list[Record]:
    """A whole game of random hands, up to its winner or the cap."""
    game: list[Record] = []
    dealer = rng.randrange(6)
    while not game or game[-1]["game"]["winners"] == []:
        record = random_record(rng, rules, dealer)
        add_to_game(game, record, name)
        dealer = next_dealer(dealer, record["bidder"] is None, rules)
    return game
