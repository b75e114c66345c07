"""W1, W2: who has won after a hand."""

from __future__ import annotations

import numpy as np

from schmier_sim._jit import kernel
from schmier_sim.engine.switches import (
    bidder_wins_first,
    only_made_bids_win,
    target_score,
    team_count,
    top_tie_shared,
)


@kernel
def winning_teams(scores: np.ndarray, bidding_team: int, made: bool, rules: int) -> int:
    """Return the teams that have won, bit ``1 << team``; 0 if the game goes on.

    Parameters
    ----------
    scores : ndarray of int64, shape (3,)
        After the hand.
    made : bool
        Whether the bidding team made its bid.
    """
    target = target_score(rules)
    bidder_there = scores[bidding_team] >= target
    if only_made_bids_win(rules):
        return 1 << bidding_team if bidder_there and made else 0
    top, level = target, 0
    for team in range(team_count(rules)):
        if scores[team] > top:
            top, level = scores[team], 0
        if scores[team] == top:
            level |= 1 << team
    if bidder_there and (bidder_wins_first(rules) or level >> bidding_team & 1):
        return 1 << bidding_team
    if level & (level - 1) and not top_tie_shared(rules):
        return 0
    return level
