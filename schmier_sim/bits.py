"""Sets of cards as 53 bits of an int64: the few operations that the machine has for them."""

from __future__ import annotations

from typing import Any

from schmier_sim._jit import JIT_ENABLED, kernel

if JIT_ENABLED:
    from numba import types
    from numba.extending import intrinsic

    @intrinsic
    def _population(typing_context: Any, mask: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            return builder.ctpop(args[0])

        return types.int64(types.int64), generate

    @intrinsic
    def _trailing_zeros(typing_context: Any, mask: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            return builder.cttz(args[0], context.get_constant(types.boolean, 0))

        return types.int64(types.int64), generate

    @intrinsic
    def _leading_zeros(typing_context: Any, mask: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            return builder.ctlz(args[0], context.get_constant(types.boolean, 0))

        return types.int64(types.int64), generate

else:

    def _population(mask: int) -> int:
        return int(mask).bit_count()

    def _trailing_zeros(mask: int) -> int:
        return (int(mask) & -int(mask)).bit_length() - 1

    def _leading_zeros(mask: int) -> int:
        return 64 - int(mask).bit_length()


@kernel
def count_bits(mask: int) -> int:
    """Number of set bits."""
    return _population(mask)


@kernel
def lowest_bit(mask: int) -> int:
    """Index of the lowest set bit; the mask must not be empty."""
    return _trailing_zeros(mask)


@kernel
def highest_bit(mask: int) -> int:
    """Index of the highest set bit; the mask must not be empty."""
    return 63 - _leading_zeros(mask)


@kernel
def nth_bit(mask: int, n: int) -> int:
    """Index of the n-th set bit, counted from 0 at the lowest; there must be more than n."""
    for _ in range(n):
        mask &= mask - 1
    return _trailing_zeros(mask)
