"""How much ink is wanted, and what becomes of each colour then. Colours are RGB from 0 to 1."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

Colour = tuple[float, float, float]
BLACK, WHITE = (0.0, 0.0, 0.0), (1.0, 1.0, 1.0)
_INK = (0.13, 0.115, 0.1)
"""What pale texts are printed in, once their dark ground is white: near black, a little warm."""
READABLE = 5.5
"""The contrast with white of every text: 4.5 (WCAG 2.1, 1.4.3) is then left on a pale tint."""
_TINT, _BACKDROP, _ART = 0.1, 0.14, 0.4
"""How much is left of the colour of a ground, of what lies behind a picture, and of a picture."""
_PAPER = 0.72
"""The luminance from which on a ground is paper, and goes white."""


@dataclass(frozen=True)
class Ink:
    """What sheets are printed with: `low` saves ink, `grey` prints with black alone."""

    low: bool = False
    grey: bool = False

    def text(self, colour: Colour) -> Colour:
        """A letter's colour: dark enough to be read on white."""
        return self._greyed(readable(colour) if self.low else colour)

    def ground(self, colour: Colour) -> Colour:
        """A filled area's colour: white, or a breath of its own."""
        if not self.low:
            return self._greyed(colour)
        left = 0.0 if luminance(colour) > _PAPER and _paleness(colour) else _TINT
        return self._greyed(paled(colour, left))

    def line(self, colour: Colour) -> Colour:
        """A thin line's colour: one that was pale on dark is seen on white."""
        pale = self.low and contrast(colour) < 1.6
        return self._greyed((0.6, 0.59, 0.57) if pale else colour)

    def picture(self, colour: Colour) -> Colour:
        """A colour of a drawing or photograph: much paler, its tones still apart."""
        return self._greyed(paled(colour, _ART) if self.low else colour)

    def backdrop(self, colour: Colour) -> Colour:
        """The colour of what fills a drawing behind its figures."""
        return self._greyed(paled(colour, _BACKDROP) if self.low else colour)

    def _greyed(self, colour: Colour) -> Colour:
        return (luma(colour),) * 3 if self.grey else colour


FULL = Ink()
SHARES = (0.2126, 0.7152, 0.0722)
"""How much red, green and blue add to a colour's luminance."""


def luminance(colour: Colour) -> float:
    """Relative luminance, 0 to 1 (WCAG 2.1, from IEC 61966-2-1)."""
    r, g, b = (lightness(part, share) for part, share in zip(colour, SHARES, strict=True))
    return r + g + b


def lightness(part: float, share: float) -> float:
    """What one of a colour's three parts adds to its luminance; `share` is one of `SHARES`."""
    return share * (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4)


def luma(colour: Colour) -> float:
    """The grey that a colour becomes in black and white (ITU-R BT.601), as Pillow reckons it."""
    return 0.299 * colour[0] + 0.587 * colour[1] + 0.114 * colour[2]


def contrast(colour: Colour, ground: Colour = WHITE) -> float:
    """How far text stands out from its ground, 1 to 21."""
    return apart(luminance(colour), luminance(ground))


def apart(one: float, other: float) -> float:
    """The contrast of two luminances, 1 to 21."""
    return (one + 0.05) / (other + 0.05) if one > other else (other + 0.05) / (one + 0.05)


def paled(colour: Colour, left: float) -> Colour:
    """The colour mixed with white until that share of it is left."""
    r, g, b = (1 - left * (1 - part) for part in colour)
    return r, g, b


def readable(colour: Colour) -> Colour:
    """The colour darkened until it can be read on white; what is almost white turns to ink."""
    if contrast(colour) < 1.6 or (contrast(colour) < 3 and _paleness(colour)):
        return _INK
    while contrast(colour) < READABLE:
        r, g, b = (part * 0.94 for part in colour)
        colour = (r, g, b)
    return colour


def rgb_of_inks(parts: Sequence[float]) -> Colour:
    """Cyan, magenta, yellow and black, 0 to 1, as a screen shows them that knows of no press."""
    r, g, b = ((1 - part) * (1 - parts[3]) for part in parts[:3])
    return r, g, b


def rgb_of_lab(space: str, parts: Sequence[float]) -> Colour:
    """A colour of CIE L*a*b* (`lab-d50` or `lab-d65`) as the nearest that a screen shows."""
    from coloraide import Color  # noqa: PLC0415 - for colours that few write

    r, g, b = Color(space.removesuffix("-d50"), list(parts)).convert("srgb").fit("srgb").coords()
    return r, g, b


def _paleness(colour: Colour) -> bool:
    """Whether there is so little colour in it that it reads as paper."""
    return max(colour) - min(colour) < 0.25
