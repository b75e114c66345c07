"""Streams of random numbers: one for each (seed, hand, redeal attempt, purpose).

A hand's cards depend on nothing but these four numbers, so that results are the same for any
number of threads, chunks or machines, and all policies meet the same deals. The generator is
splitmix64 (Steele, Lea, Flood 2014, "Fast splittable pseudorandom number generators"); bounded
draws are unbiased (Lemire 2019, "Fast random integer generation in an interval").
"""

from __future__ import annotations

import numpy as np

from schmier_sim._jit import kernel, wrapping_kernel

# What a stream is for. Policies have theirs apart from the deal, whatever they draw.
DEAL = 1
DEALER = 2
POLICY = 3
AROUND = 4  # the unknown cards around a fixed hand

MAX_SEED = 2**63 - 1

_ROOT = np.uint64(0x5343484D49455231)  # "SCHMIER1": all streams start from here
GAMMA = np.uint64(0x9E3779B97F4A7C15)
_MIX_1 = np.uint64(0xBF58476D1CE4E5B9)
_MIX_2 = np.uint64(0x94D049BB133111EB)
_ONE = np.uint64(1)
_27 = np.uint64(27)
_30 = np.uint64(30)
_31 = np.uint64(31)
_32 = np.uint64(32)
_LOW_32 = np.uint64(0xFFFFFFFF)
_2_TO_32 = np.uint64(0x100000000)


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
def next_below(state: np.uint64, bound: int) -> tuple[np.uint64, int]:
    """Return the next state of a stream and a uniform integer from 0 to bound - 1.

    Parameters
    ----------
    bound : int
        1 to 2**31.
    """
    n = np.uint64(bound)
    state += GAMMA
    product = (mix(state) >> _32) * n
    if product & _LOW_32 < n:
        biased = (_2_TO_32 - n) % n
        while product & _LOW_32 < biased:
            state += GAMMA
            product = (mix(state) >> _32) * n
    return state, np.int64(product >> _32)  # type: ignore[return-value]


@kernel
def below(states: np.ndarray, bound: int) -> int:
    """Draw a uniform integer from 0 to bound - 1 from the stream in ``states[0]``.

    Parameters
    ----------
    states : ndarray of uint64
        The first is the state of the stream, advanced in place.
    bound : int
        1 to 2**31.
    """
    states[0], drawn = next_below(states[0], bound)
    return drawn
