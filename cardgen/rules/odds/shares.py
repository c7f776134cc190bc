"""Shares as people read them."""

from __future__ import annotations

from fractions import Fraction


def percent(share: Fraction, *beside: Fraction) -> str:
    """A share in per cent, with as many digits as tell it from 0, from all, and from others."""
    others = [other for other in (Fraction(0), Fraction(1), *beside) if other != share]
    text = ""
    for digits in range(1, 13):
        text = f"{float(share * 100):.{digits}f}"
        if all(text != f"{float(other * 100):.{digits}f}" for other in others):
            break
    return f"{text.rstrip('0').rstrip('.')} %"
