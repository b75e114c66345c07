"""A player whose every answer hangs on all that it is shown."""

from __future__ import annotations

from schmier_sim.policies import kernel, policy
from schmier_sim.policies.toolkit import count_bits, lowest_bit, nth_bit


@kernel
def stirred(view):
    """A number made of all public fields."""
    mixed = view.seat + 7 * view.dealer + 49 * view.position + 343 * view.bidder
    mixed = mixed * 31 % 1000003 + view.bid + 11 * view.trump + 101 * view.leader + view.n_trick
    mixed = mixed * 31 % 1000003 + view.hand % 999983 + view.thrown % 999979
    mixed = mixed * 31 % 1000003 + view.played % 999961 + view.n_played + view.must_throw
    for seat in range(6):
        mixed = (
            mixed * 31 % 1000003 + view.calls[seat] + 9 * view.drawn[seat] + 99 * view.voids[seat]
        )
    for n in range(36):
        mixed = mixed * 31 % 1000003 + view.history[n]
    for team in range(3):
        mixed = mixed * 31 % 1000003 + view.game_count[team] + 99 * view.card_points[team]
    return mixed


@policy(uses_bid=True)
class Nosy:
    """Answers by all that it sees."""

    def call(view):  # noqa: N805
        return nth_bit(view.legal, stirred(view) % count_bits(view.legal))

    def trump(view):  # noqa: N805
        return stirred(view) % 4

    def discard(view):  # noqa: N805
        thrown, rest = 0, view.legal
        number = view.must_throw if view.must_throw else stirred(view) % 4
        while rest and number > 0:
            thrown |= 1 << lowest_bit(rest)
            rest &= rest - 1
            number -= 1
        return thrown

    def play(view):  # noqa: N805
        return nth_bit(view.legal, stirred(view) % count_bits(view.legal))
