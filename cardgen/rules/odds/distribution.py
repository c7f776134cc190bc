"""What a total comes to, and how often: figures → shares, exact."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import sqrt


@dataclass(frozen=True)
class Distribution:
    """Figures in rising order → the share of all ways in which it comes to that."""

    shares: Mapping[Fraction, Fraction]

    @property
    def mean(self) -> Fraction:
        return sum((value * share for value, share in self.shares.items()), Fraction(0))

    @property
    def spread(self) -> float:
        """The standard deviation: how far from the mean a total usually lies."""
        mean = self.mean
        return sqrt(sum((value - mean) ** 2 * share for value, share in self.shares.items()))

    def quantile(self, share: Fraction) -> Fraction:
        """The least figure that is not passed in so large a share of the ways."""
        sofar, last = Fraction(0), Fraction(0)
        for value, own in self.shares.items():
            sofar, last = sofar + own, value
            if sofar >= share:
                break
        return last

    def chance(self, holds: Callable[[Fraction], bool]) -> Fraction:
        """How likely it is that the figure passes."""
        return sum((s for value, s in self.shares.items() if holds(value)), Fraction(0))

    def between(self, low: Fraction, high: Fraction) -> Fraction:
        """How likely it is that it lies from one figure to another, both included."""
        return self.chance(lambda value: low <= value <= high)

    def mostly(self, share: Fraction) -> tuple[Fraction, Fraction]:
        """From where to where it lies in that share of the ways, with as little of the rest below
        as above."""
        rest = (1 - share) / 2
        return self.quantile(rest) if rest else min(self.shares), self.quantile(1 - rest)
