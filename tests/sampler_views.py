"""Views for tests of the sampler: small endings made up at random, and moments of real deals."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from sampler_oracle import Known, is_point, suit

from schmier_sim.cards import STRENGTH, cards_of, mask_of
from schmier_sim.dealing import Deal
from schmier_sim.engine.state import new_views
from schmier_sim.rules import Rules
from schmier_sim.sampler.knowledge import Fact


def empty_view(rules: Rules, seat: int, dealer: int, hand: int) -> Any:
    """Return the view of a seat that has nothing but its cards."""
    views = new_views(1)
    for name in ("bidder", "bid", "trump", "leader", "calls", "drawn", "history"):
        views[name] = -1
    views["rules"], views["seat"], views["dealer"], views["hand"] = rules.packed, seat, dealer, hand
    return views


class Ending(NamedTuple):
    """A made-up position with few hidden cards."""

    view: Any
    facts: list[Fact]
    known: Known


def _winner(cards: list[tuple[int, int]], trump: int) -> int:
    led = suit(cards[0][1], trump)

    def rank(play: tuple[int, int]) -> int:
        own = suit(play[1], trump)
        return int(STRENGTH[trump, play[1]]) if own in (led, trump) else -1

    return max(cards, key=rank)[0]


def _play(rng: np.random.Generator, hands: list[list[int]], bidder: int, trump: int, n: int) -> Any:
    """Lay down n cards, whichever, the winner leading; return history and cards by seat."""
    history, by_seat, trick, seat = [], [[] for _ in range(6)], [], bidder
    for _ in range(n):
        card = hands[seat].pop(int(rng.integers(len(hands[seat]))))
        history.append(card)
        by_seat[seat].append(card)
        trick.append((seat, card))
        seat = (seat + 1) % 6
        if len(trick) == 6:
            seat, trick = _winner(trick, trump), []
    return history, by_seat


def _cards(rng: np.random.Generator, rules: Rules, seats: tuple[int, int], kind: str) -> Any:
    """Deal hands of six and small discards; what is in neither is out of this world."""
    taker, trump = seats
    pack = [int(card) for card in rng.permutation(53)]
    trumps = [card for card in pack if suit(card, trump) == trump]
    plain = [card for card in pack if card not in trumps]
    loose = [card for card in trumps if not is_point(card, trump)]
    drawn = [int(rng.integers(0, 2)) for _ in range(6)]
    drawn[taker] = int(rng.integers(1, 4))
    piles = [[plain.pop() for _ in range(d)] for d in drawn]
    first: list[int] = []
    if kind == "excess":
        excess = int(rng.integers(1, drawn[taker] + 1))
        thrown = loose[:excess]
        plain += piles[taker][:excess]
        piles[taker] = thrown + piles[taker][excess:]
        held = 6 if rules.dealer_excess == "minimum" else max(7 - excess, int(rng.integers(4, 7)))
        first = [card for card in trumps if card not in thrown][:held]
    used = {*first, *(card for pile in piles for card in pile)}
    rest = [card for card in plain + trumps if card not in used]
    if kind == "excess":  # else hardly any trumps are left for the others
        rest = [card for card in rest if card not in first]
    rest = [int(card) for card in rng.permutation(rest)]
    hands = []
    for seat in range(6):
        own = list(first) if seat == taker else []
        while len(own) < 6:
            own.append(rest.pop())
        hands.append(own)
    return hands, piles, drawn, rest


def ending(seed: int, kind: str = "play", n_played: int = -1, hidden: int = 7) -> Ending:
    """Make up a position with about so many hidden cards.

    Kinds: ``auction``; ``exchange``, in the middle of it; ``play``, from its start to its end;
    ``excess``, with trumps that the taker threw. The number of cards played is -1 for any.
    """
    rng = np.random.default_rng(seed)
    rest_to, excess = ("dealer", "bidder")[seed % 2], ("minimum", "free")[seed // 2 % 2]
    rules = Rules.of({"rest_to": rest_to, "dealer_excess": excess})
    trump, bidder, dealer, me = (int(x) for x in rng.integers((4, 6, 6, 6)))
    taker = bidder if rules.rest_to == "bidder" else dealer
    if kind == "excess" and me == taker:
        me = (me + 1) % 6
    hands, piles, drawn, out = _cards(rng, rules, (taker, trump), kind)
    if n_played < 0:
        n_played = int(rng.integers(0, 36)) if kind in ("play", "excess") else 0
    if kind in ("auction", "exchange"):
        order = [seat for k in range(1, 7) if (seat := (dealer + k) % 6) != taker] + [taker]
        done = order[: int(rng.integers(6)) if kind == "exchange" else 0]
        for seat in range(6):
            drawn[seat] = drawn[seat] if seat in done else -1
        taker = -1
    history, by_seat = _play(rng, hands, bidder, trump, n_played)
    thrown = piles[me] if drawn[me] >= 0 else []
    views = empty_view(rules, me, dealer, mask_of(hands[me]))
    views["drawn"], views["thrown"], views["n_played"] = drawn, mask_of(thrown + out), n_played
    views["history"][0, :n_played], views["played"] = history, mask_of(history)
    if kind == "auction":
        trump = -1
    else:
        views["bidder"], views["trump"], views["bid"] = bidder, trump, 3
    voids = _voids(rng, hands, trump, me) if n_played else set()
    for seat, each in voids:
        views["voids"][0, seat] |= 1 << each
    laid = sum(len(piles[seat]) for seat in range(6) if seat != me or not thrown)
    facts, shown, room = _told(rng, hands, by_seat, me, hidden - laid)
    told = mask_of(card for fact in facts if fact.holds for card in cards_of(fact.cards))
    seen = mask_of(history + hands[me] + thrown + out) | told
    denied = {(f.seat, card) for f in facts if not f.holds for card in cards_of(f.cards)}
    known = Known(
        me, trump, taker, cards_of((1 << 53) - 1 & ~seen), shown, room, drawn, voids, denied,
        rules.dealer_excess == "free",
    )  # fmt: skip
    return Ending(views[0], facts, known)


def _voids(rng: Any, hands: list[list[int]], trump: int, me: int) -> set[tuple[int, int]]:
    """Some of the voids that there are."""
    return {
        (seat, each)
        for seat in range(6)
        for each in range(4)
        if seat != me and all(suit(c, trump) != each for c in hands[seat]) and rng.random() < 0.5
    }


def _told(rng: Any, hands: list[list[int]], by_seat: Any, me: int, hidden: int) -> Any:
    """Tell of so many cards that few are left hidden, and of some where they are not."""
    facts, shown, room = [], [list(cards) for cards in by_seat], [0] * 6
    others = [seat for seat in range(6) if seat != me]
    quota = [0] * 6
    for _ in range(max(1, hidden)):
        quota[int(rng.choice(others))] += 1
    for seat in others:
        order = [int(card) for card in rng.permutation(hands[seat])]
        room[seat] = min(quota[seat], len(order))
        told = order[room[seat] :]
        if told:
            facts.append(Fact(seat, mask_of(told), True, f"seat {seat}: some"))
            shown[seat] += told
        other = others[(others.index(seat) + 1) % 5]
        if order[: room[seat]] and rng.random() < 0.3:
            facts.append(Fact(other, 1 << order[0], False, f"seat {other}: not one"))
    return facts, shown, room


def view_of(deal: Deal, rules: Rules, seat: int, n_played: int) -> Any:
    """Return what a seat knew when n cards were played; -1: in its turn to call."""
    after = _hands_after(deal)
    views = empty_view(rules, seat, deal.dealer, deal.dealt[seat])
    for k in range(1, 7):
        other = (deal.dealer + k) % 6
        if n_played < 0 and other == seat:
            return views[0]
        views["calls"][0, other] = deal.calls[other]
    views["bidder"], views["bid"], views["trump"] = deal.bidder, deal.bid, deal.trump
    views["drawn"], views["thrown"] = deal.drawn, deal.thrown[seat]
    who, trick = deal.bidder, []
    hand = after[seat]
    for n, card in enumerate(deal.history[:n_played]):
        views["history"][0, n] = card
        trick.append((who, card))
        led = suit(trick[0][1], deal.trump)
        own = suit(card, deal.trump)
        if own != led and not (rules.trump_anytime and own == deal.trump):
            views["voids"][0, who] |= 1 << led
        if who == seat:
            hand &= ~(1 << card)
        who = (who + 1) % 6
        if n % 6 == 5:
            who, trick = _winner(trick, deal.trump), []
    views["n_played"], views["hand"] = n_played, hand
    views["played"] = mask_of(deal.history[:n_played])
    return views[0]


def _hands_after(deal: Deal) -> list[int]:
    """The hands after the exchange, from who played what."""
    hands, who, trick = [0] * 6, deal.bidder, []
    for card in deal.history:
        if card < 0:
            break
        hands[who] |= 1 << card
        trick.append((who, card))
        who = (who + 1) % 6
        if len(trick) == 6:
            who, trick = _winner(trick, deal.trump), []
    return hands


def hidden_hands(deal: Deal, n_played: int) -> list[int]:
    """The six hands after n cards."""
    played = mask_of(deal.history[: max(0, n_played)])
    return [hand & ~played for hand in _hands_after(deal)] if n_played >= 0 else deal.dealt
