"""The rules of `heuristic` that can be switched off, by the bits of its parameter ``without``."""

from __future__ import annotations

from typing import Final

DRAW: Final = 1 << 0
MEMORY: Final = 1 << 1
VOIDS: Final = 1 << 2
GIFTS: Final = 1 << 3
WITHHOLD: Final = 1 << 4
CATCH: Final = 1 << 5
GUARDS: Final = 1 << 6
DEFENCE: Final = 1 << 7
GAME: Final = 1 << 8
PARTNER: Final = 1 << 9
DISCARDS: Final = 1 << 10
SUIT: Final = 1 << 11
TABLE: Final = 1 << 12
OVERBID: Final = 1 << 13
JUMP: Final = 1 << 14

RULES: Final = {
    "draw": (DRAW, "leads trumps that nobody can beat, from the top"),
    "memory": (MEMORY, "knows from the cards played which card is boss"),
    "voids": (VOIDS, "knows who is out of trumps"),
    "gifts": (GIFTS, "gives points to a trick that its partner holds surely"),
    "withhold": (WITHHOLD, "gives no points to a trick that the enemy holds"),
    "catch": (CATCH, "takes a trick for the point cards in it"),
    "guards": (GUARDS, "keeps what is worth more later"),
    "defence": (DEFENCE, "weighs otherwise as a defender than in the bidding team"),
    "game": (GAME, "counts for the game point"),
    "partner": (PARTNER, "trusts a partner who is still to play"),
    "discards": (DISCARDS, "throws by measured worth"),
    "suit": (SUIT, "names the suit of the best estimated result"),
    "table": (TABLE, "bids from the measured table"),
    "overbid": (OVERBID, "asks for more to bid over its partner"),
    "jump": (JUMP, "bids higher at once where the least bid would be outbid"),
}
"""By name: the bit, and what the rule says."""
