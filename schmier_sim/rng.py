"""Streams of random numbers: one for each (seed, hand, redeal attempt, purpose).

A hand's cards depend on nothing but these four numbers, so that results are the same for any
number of threads, chunks or machines, and all policies meet the same deals. The generator is
splitmix64 (Steele, Lea, Flood 2014, "Fast splittable pseudorandom number generators"); bounded
draws are unbiased (Lemire 2019, "Fast random integer generation in an interval"), those of a
shuffle several from one word (Brackett-Rozinsky, Lemire 2024, "Batched ranged random integer
generation").
"""

from __future__ import annotations

from typing import Any

import numpy as np

from schmier_sim._jit import JIT_ENABLED, inlined_kernel, kernel, wrapping_kernel

# What a stream is for. Policies have theirs apart from the deal, whatever they draw.
DEAL = 1
DEALER = 2
POLICY = 3
AROUND = 4  # the unknown cards around a fixed hand
KEPT = 5  # whether such a deal is kept

MAX_SEED = 2**63 - 1

_ROOT = np.uint64(0x5343484D49455231)  # "SCHMIER1": all streams start from here
GAMMA = np.uint64(0x9E3779B97F4A7C15)
_MIX_1 = np.uint64(0xBF58476D1CE4E5B9)
_MIX_2 = np.uint64(0x94D049BB133111EB)
_ONE = np.uint64(1)
_27 = np.uint64(27)
_30 = np.uint64(30)
_31 = np.uint64(31)
_ZERO = np.uint64(0)
_STRIDE = GAMMA << np.uint64(32)  # modulo 2**64

if JIT_ENABLED:
    from llvmlite import ir
    from numba import types
    from numba.extending import intrinsic

    @intrinsic  # type: ignore[untyped-decorator]
    def product(typing_context: Any, a: Any, b: Any) -> Any:
        """Return the upper and the lower 64 bits of a product."""
        result = types.UniTuple(types.uint64, 2)

        def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            wide = ir.IntType(128)
            whole = builder.mul(*(builder.zext(each, wide) for each in args))
            upper = builder.lshr(whole, wide(64))
            halves = [builder.trunc(each, ir.IntType(64)) for each in (upper, whole)]
            return context.make_tuple(builder, result, halves)

        return result(types.uint64, types.uint64), generate

else:

    def product(a: np.uint64, b: np.uint64) -> tuple[np.uint64, np.uint64]:
        """Return the upper and the lower 64 bits of a product."""
        whole = int(a) * int(b)
        return np.uint64(whole >> 64), np.uint64(whole & (1 << 64) - 1)


@wrapping_kernel
def mix(z: np.uint64) -> np.uint64:
    """Scramble 64 bits (the finalizer of splitmix64)."""
    z = (z ^ (z >> _30)) * _MIX_1
    z = (z ^ (z >> _27)) * _MIX_2
    return z ^ (z >> _31)


@wrapping_kernel
def absorb(state: np.uint64, word: int) -> np.uint64:
    """Key a state with one more number; different numbers give unrelated states."""
    return mix(state + GAMMA * (np.uint64(word) + _ONE))


@kernel
def hand_key(seed: int, index: int, attempt: int) -> np.uint64:
    """Return what all streams of one attempt at one hand have in common; `absorb` a purpose."""
    return absorb(absorb(absorb(_ROOT, seed), index), attempt)


@kernel
def stream(seed: int, index: int, attempt: int, purpose: int) -> np.uint64:
    """Return the start of the stream for one purpose of one attempt at one hand."""
    return absorb(hand_key(seed, index, attempt), purpose)


@wrapping_kernel
def decision_start(key: np.uint64, number: int) -> np.uint64:
    """Return where in a stream the draws of one decision start: 2**32 of them for each number."""
    return key + _STRIDE * np.uint64(number)


@wrapping_kernel
def next_word(state: np.uint64, bound: np.uint64) -> tuple[np.uint64, np.uint64]:
    """Return the next state of a stream, and a word that is a fair draw below a bound.

    The upper half of its product with the bound is uniform from 0 to bound - 1; or, if the bound
    is itself a product, the factors can be drawn from it one after the other.
    """
    state += GAMMA
    word = mix(state)
    if word * bound < bound:  # hardly ever
        biased = (_ZERO - bound) % bound
        while word * bound < biased:
            state += GAMMA
            word = mix(state)
    return state, word


@inlined_kernel
def below(states: np.ndarray, bound: int) -> int:
    """Draw a uniform integer from 0 to bound - 1 from the stream in ``states[0]``.

    Parameters
    ----------
    states : ndarray of uint64
        The first is the state of the stream, advanced in place.
    bound : int
        1 to 2**62.
    """
    n = np.uint64(bound)
    states[0], word = next_word(states[0], n)
    return np.int64(product(word, n)[0])  # type: ignore[return-value]
