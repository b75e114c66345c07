"""A sequential test of a mean: play on until the data tell LOW from HIGH.

The statistic is the generalised likelihood ratio of two normal laws of unknown variance, as used
to test chess engines (GSPRT): ``n / 2 * log(S(low) / S(high))``, S(m) being the mean square about
m. See ``docs/methods.md``.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import ArrayLike

from schmier_sim.errors import InputError
from schmier_sim.stats import Floats

LOW, HIGH = "low", "high"
FEWEST: Final = 1_000
"""The first look comes after at least so many deals: by then their mean is nearly normal."""
LEAST_ERROR, LEAST_GAP = 0.001, 0.0001

_GROWTH = 1.1
_WAIT = 4
_EXTREMES = 2


@dataclass(frozen=True)
class Sprt:
    """A test of mean = low against mean = high.

    Attributes
    ----------
    low, high : float
        Points per hand.
    alpha, beta : float
        Greatest chance to accept `high` if the mean is `low`, and `low` if it is `high`.
    greatest : float
        No value is further from 0. Rare values of this size might make up the whole difference
        between the hypotheses, so it says how long to wait for them.

    Raises
    ------
    InputError
        If there is no such test.
    """

    low: float
    high: float
    alpha: float = 0.05
    beta: float = 0.05
    greatest: float = 12.0

    def __post_init__(self) -> None:
        what = f"--sprt {self.low:g},{self.high:g}"
        if not self.low <= self.high - LEAST_GAP:
            raise InputError(
                f"{what}: LOW must be below HIGH, by {LEAST_GAP:g} at least, like --sprt 0,0.1"
            )
        if max(-self.low, self.high) > self.greatest:
            raise InputError(f"{what}: margins lie within {self.greatest:g} points of 0")
        for name, rate in (("alpha", self.alpha), ("beta", self.beta)):
            if not LEAST_ERROR <= rate < 0.5:
                raise InputError(f"--{name} {rate:g}: write a rate from {LEAST_ERROR} to below 0.5")

    @property
    def bounds(self) -> tuple[float, float]:
        """Where the test stops: log(beta), log(1 / alpha).

        A trifle wider than Wald's, which hold the sum of both error rates; these hold each.
        """
        return math.log(self.beta), -math.log(self.alpha)

    @property
    def first_look(self) -> int:
        """After how many deals the test may stop.

        If values of the greatest size alone made the difference, one would come every
        ``greatest / (high - low)`` deals; of so many as are awaited here some have come.
        """
        one = self.greatest / (self.high - self.low)
        wait = _WAIT * one * -math.log(min(self.alpha, self.beta))
        return max(FEWEST, math.ceil(wait))

    def looks(self, most: int) -> list[int]:
        """Return the numbers of deals after which the test is made, the last being `most`.

        Raises
        ------
        InputError
            If that is before the first look.
        """
        first = self.first_look
        if most < first:
            raise InputError(
                f"--hands {most}: --sprt {self.low:g},{self.high:g} looks first after "
                f"{first:,} deals; allow so many at least"
            )
        looks = [first]
        while looks[-1] < most:
            looks.append(min(most, math.ceil(looks[-1] * _GROWTH)))
        return looks

    def llr(self, n: ArrayLike, total: ArrayLike, squares: ArrayLike) -> Floats:
        """Return the log likelihood ratio of high against low.

        Two values of the greatest size, one each way, are added to the squares: what is rare has
        perhaps not been seen yet, and the variance is never 0.

        Parameters
        ----------
        n, total, squares : arrays
            Number of values, their sum, the sum of their squares.
        """
        count = np.asarray(n, float)
        mean = np.asarray(total, float) / count
        extremes = _EXTREMES * self.greatest**2
        variance = np.maximum(np.asarray(squares, float) / count - mean**2, 0) + extremes / count
        # S(low) = S(high) + this; log1p keeps the digits of a ratio near 1.
        excess = (self.high - self.low) * (2 * mean - self.low - self.high)
        return np.asarray(count / 2 * np.log1p(excess / (variance + (mean - self.high) ** 2)))

    def verdict(self, values: ArrayLike) -> Verdict:
        """Return what the test says to all values so far."""
        data = np.asarray(values, float)
        return Verdict(self, data.size, float(self.llr(data.size, data.sum(), data @ data)))


@dataclass(frozen=True)
class Verdict:
    """A look of the test at its data.

    Attributes
    ----------
    test : Sprt
    hands : int
        Number of deals.
    llr : float
    """

    test: Sprt
    hands: int
    llr: float

    @property
    def accepted(self) -> str | None:
        """The hypothesis accepted, ``low`` or ``high``, if any is."""
        least, most = self.test.bounds
        if self.llr <= least:
            return LOW
        return HIGH if self.llr >= most else None

    def as_data(self) -> dict[str, Any]:
        """Return it for JSON."""
        test = self.test
        return {
            "low": test.low,
            "high": test.high,
            "alpha": test.alpha,
            "beta": test.beta,
            "llr": self.llr,
            "bounds": list(test.bounds),
            "accepted": self.accepted,
            "hands": self.hands,
        }
