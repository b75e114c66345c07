"""Sets of cards as 53 bits of an int64: the few operations that the machine has for them."""

from __future__ import annotations

from typing import Any

from schmier_sim._jit import JIT_ENABLED, inlined_kernel

if JIT_ENABLED:
    import platform

    from llvmlite import binding, ir
    from numba import config, types
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

    def _deposits_fast() -> bool:
        """Whether compiled code is for a processor that scatters bits in one step.

        The first two Zen generations have the instruction, but are slow at it.
        """
        if config.CPU_NAME or config.CPU_FEATURES or platform.machine() not in ("x86_64", "AMD64"):
            return False
        slow = binding.get_host_cpu_name() in ("znver1", "znver2")
        return not slow and bool(binding.get_host_cpu_features().get("bmi2"))

    @intrinsic
    def _deposit(typing_context: Any, bits: Any, mask: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            int64 = ir.IntType(64)
            deposit = builder.module.declare_intrinsic(
                "llvm.x86.bmi.pdep.64", (), ir.FunctionType(int64, [int64, int64])
            )
            return builder.call(deposit, args)

        return types.int64(types.int64, types.int64), generate

    DEPOSITS_FAST = _deposits_fast()

else:
    DEPOSITS_FAST = False

    def _deposit(bits: int, mask: int) -> int:
        raise NotImplementedError

    def _population(mask: int) -> int:
        return int(mask).bit_count()

    def _trailing_zeros(mask: int) -> int:
        return (int(mask) & -int(mask)).bit_length() - 1

    def _leading_zeros(mask: int) -> int:
        return 64 - int(mask).bit_length()


@inlined_kernel
def natural(n: int) -> int:
    """Return a number from 0 to 63 so that the compiler knows it for an index from the front."""
    return n & 63


@inlined_kernel
def count_bits(mask: int) -> int:
    """Number of set bits."""
    return _population(mask)


@inlined_kernel
def lowest_bit(mask: int) -> int:
    """Index of the lowest set bit; the mask must not be empty."""
    return _trailing_zeros(mask)


@inlined_kernel
def highest_bit(mask: int) -> int:
    """Index of the highest set bit; the mask must not be empty."""
    return 63 - _leading_zeros(mask)


@inlined_kernel
def nth_one(mask: int, n: int) -> int:
    """Return the n-th set bit as a mask, counted from 0 at the lowest; 0 of an empty mask."""
    if DEPOSITS_FAST:
        return _deposit(1 << n, mask)
    at = 0
    for width in (32, 16, 8, 4, 2, 1):
        below = _population(mask >> at & (1 << width) - 1)
        if n >= below:
            n -= below
            at += width
    return mask & 1 << at


@inlined_kernel
def nth_bit(mask: int, n: int) -> int:
    """Index of the n-th set bit, counted from 0 at the lowest; there must be more than n."""
    return _trailing_zeros(nth_one(mask, n))
