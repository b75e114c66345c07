"""The rules of `heuristic` that can be switched off, by the bits of its parameter ``without``."""

from __future__ import annotations

from typing import Final

DRAW: Final = 1 << 0
MEMORY: Final = 1 << 1
VOIDS: Final = 1 << 2
GIFTS: Final = 1 << 3
CATCH: Final = 1 << 4
GUARDS: Final = 1 << 5
DEFENCE: Final = 1 << 6
GAME: Final = 1 << 7
PARTNER: Final = 1 << 8
DISCARDS: Final = 1 << 9
SUIT: Final = 1 << 10
TABLE: Final = 1 << 11
OVERBID: Final = 1 << 12
JUMP: Final = 1 << 13

RULES: Final = {
    "draw": (DRAW, "leads trumps that nobody can beat, from the top"),
    "memory": (MEMORY, "knows from the cards played which card is boss"),
    "voids": (VOIDS, "knows who is out of trumps"),
    "gifts": (GIFTS, "gives points to a trick that its partner holds surely"),
    "catch": (CATCH, "takes a trick for the point cards in it"),
    "guards": (GUARDS, "keeps what is worth more later, and gives the enemy nothing"),
    "defence": (DEFENCE, "weighs otherwise as a defender than in the bidding team"),
    "game": (GAME, "counts for the game point"),
    "partner": (PARTNER, "trusts a partner who is still to play"),
    "discards": (DISCARDS, "throws plain aces and tens too, for any drawn card is worth more"),
    "suit": (SUIT, "names the suit of the best estimated result"),
    "table": (TABLE, "bids from the measured table"),
    "overbid": (OVERBID, "asks for more to bid over its partner"),
    "jump": (JUMP, "bids higher at once where the least bid would be outbid"),
}
"""By name: the bit, and what the rule says."""
