"""`random`: every legal answer is as likely as any other."""

from __future__ import annotations

from typing import Any

from schmier_sim._jit import inlined_kernel
from schmier_sim.bits import count_bits, nth_one
from schmier_sim.engine.exchange import MOST_DISCARDS
from schmier_sim.policies.base import built_in
from schmier_sim.policies.toolkit import draw_below, draw_one


@inlined_kernel
def any_subset(view: Any, mask: int, size: int) -> int:
    """Draw a subset of a size, all equally likely: what goes or what stays, card by card."""
    left = count_bits(mask)
    number = min(size, left - size)
    rest = mask
    for _ in range(number):
        rest &= ~nth_one(rest, draw_below(view, left))
        left -= 1
    return mask & ~rest if number == size else rest


@inlined_kernel
def any_size(view: Any, n: int) -> int:
    """Draw a number of discards: all subsets of up to three of n cards are equally likely."""
    pairs = n * (n - 1) // 2
    drawn = draw_below(view, 1 + n + pairs + pairs * (n - 2) // 3)
    if drawn < 1:
        return 0
    if drawn < 1 + n:
        return 1
    return 2 if drawn < 1 + n + pairs else MOST_DISCARDS


class _Random:
    def call(view: Any) -> int:  # noqa: N805
        return draw_one(view, view.legal)

    def trump(view: Any) -> int:  # noqa: N805
        return draw_one(view, view.legal)

    def discard(view: Any) -> int:  # noqa: N805
        if view.must_throw:
            return any_subset(view, view.legal, view.must_throw)
        return any_subset(view, view.legal, any_size(view, count_bits(view.legal)))

    def play(view: Any) -> int:  # noqa: N805
        return draw_one(view, view.legal)


RANDOM = built_in("random")(_Random)
