from schmier_sim.policies import policy
from schmier_sim.policies.toolkit import (
    ACE, card_of, count_bits, holds, least_bid, longest_suit, may_pass, trumps_of,
)  # fmt: skip


@policy(uses_bid=False)
class Coward:
    """Passes with all but the best hands."""

    trumps = 5

    def call(view, trumps):
        suit = longest_suit(view.hand)
        mine = trumps_of(view.hand, suit)
        if count_bits(mine) >= trumps and holds(mine, card_of(suit, ACE)):
            return least_bid(view)
        return 0 if may_pass(view) else least_bid(view)
