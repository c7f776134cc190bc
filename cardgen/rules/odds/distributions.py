"""Exact distribution of a total, and the formats of shares in percent."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import sqrt

_MAX_DIGITS = 12


@dataclass(frozen=True)
class Distribution:
    """Distribution of a total: its values in rising order → their probabilities."""

    shares: Mapping[Fraction, Fraction]

    @property
    def mean(self) -> Fraction:
        return sum((value * share for value, share in self.shares.items()), Fraction(0))

    @property
    def spread(self) -> float:
        """The standard deviation."""
        mean = self.mean
        return sqrt(sum((value - mean) ** 2 * share for value, share in self.shares.items()))

    def get_quantile(self, share: Fraction) -> Fraction:
        """Return the least value that the total does not exceed with that probability."""
        below = Fraction(0)
        for value, own in self.shares.items():
            below += own
            if below >= share:
                return value
        return max(self.shares, default=Fraction(0))

    def sum_between(self, low: Fraction, high: Fraction) -> Fraction:
        """Return the probability of a total from `low` to `high`, both included."""
        return sum((s for value, s in self.shares.items() if low <= value <= high), Fraction(0))

    def get_central_range(self, share: Fraction) -> tuple[Fraction, Fraction]:
        """Return the range that holds the total with that probability, cut equally at both ends."""
        rest = (1 - share) / 2
        return self.get_quantile(rest) if rest else min(self.shares), self.get_quantile(1 - rest)


def format_rounded_share(share: Fraction) -> str:
    """Format a share without decimals; `<1 %` and `>99 %` stand for nearly none and nearly all."""
    if 0 < share < Fraction(1, 200):
        return "<1 %"
    return ">99 %" if Fraction(199, 200) <= share < 1 else f"{float(share) * 100:.0f} %"


def format_share(share: Fraction, *others: Fraction) -> str:
    """Format a share in percent, with enough digits to differ from 0, from 1 and from others."""
    text = format_apart(share * 100, [Fraction(0), Fraction(100), *(o * 100 for o in others)], 1)
    return f"{text.rstrip('0').rstrip('.')} %"


def format_apart(
    value: Fraction, others: Iterable[Fraction], digits: int, notation: str = "f"
) -> str:
    """Format a number with at least so many digits, and enough to differ from other numbers."""
    others = [other for other in others if other != value]
    while True:
        text = f"{float(value):.{digits}{notation}}"
        same = any(text == f"{float(other):.{digits}{notation}}" for other in others)
        if not same or digits == _MAX_DIGITS:
            return text
        digits += 1


def format_percentage(share: float, digits: int) -> str:
    """Format a share in percent without the sign; `<1`, `>99.9` are nearly none and nearly all."""
    text = f"{share * 100:.{digits}f}"
    least = Fraction(1, 10**digits)
    if share > 0 and float(text) == 0:
        return f"<{float(least):.{digits}f}"
    return f">{float(100 - least):.{digits}f}" if share < 1 and float(text) == 100 else text
