"""Modes that save ink or print in grey, and what each colour becomes. Colours are RGB from 0 to
1."""

from __future__ import annotations

from dataclasses import dataclass

from cardgen.core.colour_math import Colour, get_contrast, get_luma, get_luminance

_INK_BLACK = (0.13, 0.115, 0.1)
"""Colour of pale texts once their dark ground is white: a warm, near black."""
READABLE_CONTRAST = 5.5
"""Contrast with white of every text: on a pale tint, 4.5 (WCAG 2.1, 1.4.3) is left."""
_TINT, _BACKDROP, _ART = 0.1, 0.14, 0.4
"""How much is left of the colour of a ground, of what is behind a picture, and of a picture."""
_PAPER_PALENESS = 0.72
"""Luminance from which on a ground counts as paper and becomes white."""


@dataclass(frozen=True)
class InkMode:
    """How sheets are printed: `low` saves ink, `grey` prints with black only."""

    low: bool = False
    grey: bool = False

    def convert_text(self, colour: Colour) -> Colour:
        """Return the colour of a letter, dark enough to be read on white."""
        return self._convert_to_grey(make_readable(colour) if self.low else colour)

    def convert_ground(self, colour: Colour) -> Colour:
        """Return the colour of a filled area: white or a tint."""
        if not self.low:
            return self._convert_to_grey(colour)
        left = 0.0 if get_luminance(colour) > _PAPER_PALENESS and _is_paper_like(colour) else _TINT
        return self._convert_to_grey(lighten_colour(colour, left))

    def convert_line(self, colour: Colour) -> Colour:
        """Return the colour of a thin line, which must show on white."""
        pale = self.low and get_contrast(colour) < 1.6
        return self._convert_to_grey((0.6, 0.59, 0.57) if pale else colour)

    def convert_picture(self, colour: Colour) -> Colour:
        """Return a colour of a drawing or photograph: much paler, with its tones still apart."""
        return self._convert_to_grey(lighten_colour(colour, _ART) if self.low else colour)

    def convert_backdrop(self, colour: Colour) -> Colour:
        """Return the colour of what fills a drawing behind its figures."""
        return self._convert_to_grey(lighten_colour(colour, _BACKDROP) if self.low else colour)

    def _convert_to_grey(self, colour: Colour) -> Colour:
        return (get_luma(colour),) * 3 if self.grey else colour


FULL_INK = InkMode()


def lighten_colour(colour: Colour, left: float) -> Colour:
    """Mix a colour with white until only a share `left` of it remains."""
    r, g, b = (1 - left * (1 - part) for part in colour)
    return r, g, b


def make_readable(colour: Colour) -> Colour:
    """Darken a colour until it can be read on white; near white becomes ink black."""
    if get_contrast(colour) < 1.6 or (get_contrast(colour) < 3 and _is_paper_like(colour)):
        return _INK_BLACK
    while get_contrast(colour) < READABLE_CONTRAST:
        r, g, b = (part * 0.94 for part in colour)
        colour = (r, g, b)
    return colour


def _is_paper_like(colour: Colour) -> bool:
    """Say if a colour has so little chroma that it looks like paper."""
    return max(colour) - min(colour) < 0.25
