from schmier_sim.policies import policy
from schmier_sim.policies.default import play as default_play
from schmier_sim.policies.toolkit import point_cards, trumps_of, weakest


@policy(uses_bid=False)
class LowFirst:
    """Leads its lowest trump first, as the bidder; all else is the default player's."""

    def play(view):
        low = trumps_of(view.legal, view.trump)
        low &= ~point_cards(low, view.trump)
        if view.n_played == 0 and low:
            return weakest(low, view.trump)
        return default_play(view)
