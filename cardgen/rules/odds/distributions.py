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

    def get_quantile(self, share: Fraction) -> Fraction:
        """The least figure that is not passed in so large a share of the ways."""
        sofar, last = Fraction(0), Fraction(0)
        for value, own in self.shares.items():
            sofar, last = sofar + own, value
            if sofar >= share:
                break
        return last

    def sum_shares(self, holds: Callable[[Fraction], bool]) -> Fraction:
        """How likely it is that the figure passes."""
        return sum((s for value, s in self.shares.items() if holds(value)), Fraction(0))

    def sum_between(self, low: Fraction, high: Fraction) -> Fraction:
        """How likely it is that it lies from one figure to another, both included."""
        return self.sum_shares(lambda value: low <= value <= high)

    def get_central_range(self, share: Fraction) -> tuple[Fraction, Fraction]:
        """From where to where it lies in that share of the ways, with as little of the rest below
        as above."""
        rest = (1 - share) / 2
        return self.get_quantile(rest) if rest else min(self.shares), self.get_quantile(1 - rest)


def format_rounded_share(share: Fraction) -> str:
    """A share without decimals, never as none or all where it is neither."""
    if 0 < share < Fraction(1, 200):
        return "<1 %"
    return ">99 %" if Fraction(199, 200) <= share < 1 else f"{float(share) * 100:.0f} %"


def format_share(share: Fraction, *beside: Fraction) -> str:
    """A share in per cent, with as many digits as tell it from 0, from all, and from others."""
    others = [other for other in (Fraction(0), Fraction(1), *beside) if other != share]
    text = ""
    for digits in range(1, 13):
        text = f"{float(share * 100):.{digits}f}"
        if all(text != f"{float(other * 100):.{digits}f}" for other in others):
            break
    return f"{text.rstrip('0').rstrip('.')} %"


def format_percentage(share: float, digits: int) -> str:
    """A share in per cent with that many decimals, without the sign; never as none or all where it
    is neither: `<1`, `>99.9`."""
    text = f"{share * 100:.{digits}f}"
    least = Fraction(1, 10**digits)
    if share > 0 and float(text) == 0:
        return f"<{float(least):.{digits}f}"
    return f">{float(100 - least):.{digits}f}" if share < 1 and float(text) == 100 else text
