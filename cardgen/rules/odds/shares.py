"""Shares as people read them."""

from __future__ import annotations

from fractions import Fraction


def rounded(share: Fraction) -> str:
    """A share without decimals, never as none or all where it is neither."""
    if 0 < share < Fraction(1, 200):
        return "<1 %"
    return ">99 %" if Fraction(199, 200) <= share < 1 else f"{float(share) * 100:.0f} %"


def percent(share: Fraction, *beside: Fraction) -> str:
    """A share in per cent, with as many digits as tell it from 0, from all, and from others."""
    others = [other for other in (Fraction(0), Fraction(1), *beside) if other != share]
    text = ""
    for digits in range(1, 13):
        text = f"{float(share * 100):.{digits}f}"
        if all(text != f"{float(other * 100):.{digits}f}" for other in others):
            break
    return f"{text.rstrip('0').rstrip('.')} %"


def told(share: float, digits: int) -> str:
    """A share in per cent with that many decimals, without the sign; never as none or all where it
    is neither: `<1`, `>99.9`."""
    text = f"{share * 100:.{digits}f}"
    least = Fraction(1, 10**digits)
    if share > 0 and float(text) == 0:
        return f"<{float(least):.{digits}f}"
    return f">{float(100 - least):.{digits}f}" if share < 1 and float(text) == 100 else text
