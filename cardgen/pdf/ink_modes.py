"""How much ink is wanted, and what becomes of each colour then. Colours are RGB from 0 to 1."""

from __future__ import annotations

from dataclasses import dataclass

from cardgen.core.colour_math import Colour, get_contrast, get_luma, get_luminance

_INK_BLACK = (0.13, 0.115, 0.1)
"""What pale texts are printed in, once their dark ground is white: near black, a little warm."""
READABLE_CONTRAST = 5.5
"""The contrast with white of every text: 4.5 (WCAG 2.1, 1.4.3) is then left on a pale tint."""
_TINT, _BACKDROP, _ART = 0.1, 0.14, 0.4
"""How much is left of the colour of a ground, of what lies behind a picture, and of a picture."""
_PAPER_PALENESS = 0.72
"""The luminance from which on a ground is paper, and goes white."""


@dataclass(frozen=True)
class InkMode:
    """What sheets are printed with: `low` saves ink, `grey` prints with black alone."""

    low: bool = False
    grey: bool = False

    def convert_text(self, colour: Colour) -> Colour:
        """A letter's colour: dark enough to be read on white."""
        return self._convert_to_grey(make_readable(colour) if self.low else colour)

    def convert_ground(self, colour: Colour) -> Colour:
        """A filled area's colour: white, or a breath of its own."""
        if not self.low:
            return self._convert_to_grey(colour)
        left = 0.0 if get_luminance(colour) > _PAPER_PALENESS and _is_paper_like(colour) else _TINT
        return self._convert_to_grey(lighten_colour(colour, left))

    def convert_line(self, colour: Colour) -> Colour:
        """A thin line's colour: one that was pale on dark is seen on white."""
        pale = self.low and get_contrast(colour) < 1.6
        return self._convert_to_grey((0.6, 0.59, 0.57) if pale else colour)

    def convert_picture(self, colour: Colour) -> Colour:
        """A colour of a drawing or photograph: much paler, its tones still apart."""
        return self._convert_to_grey(lighten_colour(colour, _ART) if self.low else colour)

    def convert_backdrop(self, colour: Colour) -> Colour:
        """The colour of what fills a drawing behind its figures."""
        return self._convert_to_grey(lighten_colour(colour, _BACKDROP) if self.low else colour)

    def _convert_to_grey(self, colour: Colour) -> Colour:
        return (get_luma(colour),) * 3 if self.grey else colour


FULL_INK = InkMode()


def lighten_colour(colour: Colour, left: float) -> Colour:
    """The colour mixed with white until that share of it is left."""
    r, g, b = (1 - left * (1 - part) for part in colour)
    return r, g, b


def make_readable(colour: Colour) -> Colour:
    """The colour darkened until it can be read on white; what is almost white turns to ink."""
    if get_contrast(colour) < 1.6 or (get_contrast(colour) < 3 and _is_paper_like(colour)):
        return _INK_BLACK
    while get_contrast(colour) < READABLE_CONTRAST:
        r, g, b = (part * 0.94 for part in colour)
        colour = (r, g, b)
    return colour


def _is_paper_like(colour: Colour) -> bool:
    """Whether there is so little colour in it that it reads as paper."""
    return max(colour) - min(colour) < 0.25
