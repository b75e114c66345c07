"""What kernels and policies ask of the rules in force, which they see as `Rules.packed`."""

from __future__ import annotations

from schmier_sim._jit import inlined_kernel
from schmier_sim.rules import SHIFTS

_TEAMS, _MIN_BID, _MAX_BID = SHIFTS["teams"], SHIFTS["min_bid"], SHIFTS["max_bid"]
_ALL_PASS, _DEALER_STEAL = SHIFTS["all_pass"], SHIFTS["dealer_steal"]
_DEALER_EXCESS, _REST_TO = SHIFTS["dealer_excess"], SHIFTS["rest_to"]
_FIRST_LEAD, _TRUMP_ANYTIME = SHIFTS["first_lead"], SHIFTS["trump_anytime"]
_LOW, _GAME_TIE, _TARGET = SHIFTS["low"], SHIFTS["game_tie"], SHIFTS["target"]
_TOP_TIE, _END, _MUST_BID = SHIFTS["top_tie"], SHIFTS["end"], SHIFTS["must_bid_to_win"]

REDEAL, REDEAL_NEXT, STICK_DEALER, REDEAL_WITHOUT_DEALER = range(4)


@inlined_kernel
def team_count(rules: int) -> int:
    """P1: number of teams."""
    return 3 - (rules >> _TEAMS & 1)


@inlined_kernel
def team_of(seat: int, rules: int) -> int:
    """P1: the team of a seat."""
    if rules >> _TEAMS & 1:
        return seat & 1
    return seat - 3 if seat > 2 else seat


@inlined_kernel
def lowest_bid(rules: int) -> int:
    """A1: ``min_bid``."""
    return rules >> _MIN_BID & 7


@inlined_kernel
def highest_bid(rules: int) -> int:
    """A1: ``max_bid``."""
    return rules >> _MAX_BID & 7


@inlined_kernel
def when_all_pass(rules: int) -> int:
    """A4: one of REDEAL, REDEAL_NEXT, STICK_DEALER, REDEAL_WITHOUT_DEALER."""
    return rules >> _ALL_PASS & 3


@inlined_kernel
def dealer_steals(rules: int) -> bool:
    """A5: whether the dealer may equal the highest bid."""
    return rules >> _DEALER_STEAL & 1 == 1


@inlined_kernel
def excess_is_free(rules: int) -> bool:
    """E3: whether a taker with more than six trumps may keep plain cards."""
    return rules >> _DEALER_EXCESS & 1 == 1


@inlined_kernel
def rest_to_bidder(rules: int) -> bool:
    """E2: whether the bidder, not the dealer, takes the rest."""
    return rules >> _REST_TO & 1 == 1


@inlined_kernel
def trump_leads_first(rules: int) -> bool:
    """T1: whether the first lead must be a trump."""
    return rules >> _FIRST_LEAD & 1 == 1


@inlined_kernel
def trump_at_any_time(rules: int) -> bool:
    """T2: whether a trump may be played instead of following."""
    return rules >> _TRUMP_ANYTIME & 1 == 1


@inlined_kernel
def low_to_taker(rules: int) -> bool:
    """S2: whether low goes to who takes the 2 of trumps."""
    return rules >> _LOW & 1 == 1


@inlined_kernel
def game_tie_to_bidder(rules: int) -> bool:
    """S4: whether the bidding team wins a tie for game."""
    return rules >> _GAME_TIE & 1 == 1


@inlined_kernel
def target_score(rules: int) -> int:
    """W1: the score that ends a game."""
    return rules >> _TARGET & 1023


@inlined_kernel
def top_tie_shared(rules: int) -> bool:
    """W2: whether teams level at the top share the win."""
    return rules >> _TOP_TIE & 1 == 1


@inlined_kernel
def bidder_wins_first(rules: int) -> bool:
    """W1: whether the bidding team at the target wins whatever the totals."""
    return rules >> _END & 1 == 1


@inlined_kernel
def only_made_bids_win(rules: int) -> bool:
    """W1: whether only a bidding team that made its bid can win."""
    return rules >> _MUST_BID & 1 == 1
