"""The layer over a draft face: problems outlined, messages at its foot, and DRAFT across it.

Also the placeholder of a missing picture. Lengths in points from the bottom left of the face's
bleed box, unless they say mm.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from math import atan2, cos, hypot, sin

from cardgen.core.colour_math import WHITE, Colour
from cardgen.core.problems import Spot
from cardgen.core.units import convert_to_points
from cardgen.pdf import text_outlines
from cardgen.pdf.content_operators import format_numbers
from cardgen.pdf.face_file import DraftLayer, FacePdf
from cardgen.pdf.ink_modes import InkMode
from cardgen.pdf.text_outlines import OutlinedLine, OutlineFont

DRAFT_MARK = "DRAFT"
_MARK_COLOUR: Colour = (0.8, 0.05, 0.13)
_REFERENCE_WIDTH_PT = convert_to_points(63.0)
"""Width of a card on which the layer has its own size; on a smaller one it is smaller."""
_LINE, _CASING = 1.0, 1.8
_TYPE, _LEAST_TYPE, _INSET = 6.0, 3.0, 1.5
_LEADING, _CAPITAL = 1.25, 0.69
"""Distance of lines, and height of a capital letter, in em."""
_MAX_LINES = 4
PALE_OPACITY = 0.2
"""Opacity of the mark, in the graphics state `/Pale`."""
_MAX_COORDINATE_PT = 14_400.0


def draw_draft_layer(face: FacePdf, fonts: tuple[OutlineFont, ...], ink: InkMode) -> str:
    """Draw the layer of a face."""
    layer = face.layer or DraftLayer()
    drawing = _DraftDrawing(face, fonts, ink.convert_line(_MARK_COLOUR))
    size = convert_to_points(face.width), convert_to_points(face.height)
    content = ["q", f"{format_numbers(0, 0, *size)} re W n"]
    if layer.is_marked:
        content += drawing.draw_mark()
    for spots, inside in ((layer.spots, False), (layer.frames, True)):
        for spot in spots:
            sides = (spot.left, spot.top, spot.width, spot.height)
            if all(abs(convert_to_points(side)) < _MAX_COORDINATE_PT for side in sides):
                content += drawing.outline_spot(spot, inside=inside)
    if layer.messages:
        content += drawing.draw_messages(layer.messages)
    return "\n".join([*content, "Q"])


def draw_picture_frame(width: float, height: float) -> str:
    """Draw the placeholder of a missing picture of those proportions: a pale box with a cross."""
    w, h = format_numbers(width), format_numbers(height)
    line = format_numbers(max(width, height) / 150)
    inner = format_numbers(width / 300, height / 300, width * 149 / 150, height * 149 / 150)
    return (
        f"0.93 0.91 0.88 rg 0 0 {w} {h} re f {line} w 0.72 0.69 0.65 RG "
        f"0 0 m {w} {h} l S 0 {h} m {w} 0 l S {inner} re S"
    )


@dataclass(frozen=True)
class _DraftDrawing:
    face: FacePdf
    fonts: tuple[OutlineFont, ...]
    colour: Colour

    @property
    def scale(self) -> float:
        """Scale of all parts of the layer."""
        shorter = convert_to_points(min(self.face.width, self.face.height))
        return min(1.0, shorter / _REFERENCE_WIDTH_PT)

    @property
    def size(self) -> float:
        """Size of type."""
        return max(_LEAST_TYPE, _TYPE * self.scale)

    @property
    def trim(self) -> tuple[float, float, float, float]:
        """Left, bottom, width and height of the trim."""
        edge = convert_to_points(self.face.bleed)
        width, height = convert_to_points(self.face.width), convert_to_points(self.face.height)
        return edge, edge, width - 2 * edge, height - 2 * edge

    def outline_spot(self, spot: Spot, *, inside: bool) -> Iterator[str]:
        """Draw a box with its label on the upper edge, or in the middle of it."""
        left, top = convert_to_points(spot.left), convert_to_points(self.face.height - spot.top)
        width, height = convert_to_points(spot.width), convert_to_points(spot.height)
        margin = _CASING * self.scale / 2  # beside the letters, not on them
        x, y = left - margin, top - height - margin
        box = format_numbers(x, y, width + 2 * margin, height + 2 * margin)
        for colour, thick in ((WHITE, _CASING), (self.colour, _LINE)):
            yield f"{format_numbers(*colour)} RG {format_numbers(thick * self.scale)} w {box} re S"
        if spot.label:
            yield from self._draw_tag(spot.label, left, top, (width, height) if inside else None)

    def _draw_tag(
        self, text: str, left: float, top: float, within: tuple[float, float] | None
    ) -> Iterator[str]:
        edge, foot, across, tall = self.trim
        pad, size = 0.45 * self.size, self.size
        text = text_outlines.shorten_text(text, (across - 2 * pad) / size, self.fonts)
        line = text_outlines.outline_line(text, self.fonts)
        width, height = line.width * size + 2 * pad, _CAPITAL * size + 2 * pad
        bottom = top + _CASING * self.scale / 2
        if within:
            left, bottom = left + (within[0] - width) / 2, top - (within[1] + height) / 2
        left = max(edge, min(left, edge + across - width))
        if bottom + height > foot + tall:  # no room above the box
            bottom = top - height
        bottom = max(foot, min(bottom, foot + tall - height))
        yield f"{_fill_with(self.colour)} {format_numbers(left, bottom, width, height)} re f"
        yield _fill_with(WHITE)
        yield line.draw_line(left + pad, bottom + pad, size)

    def draw_messages(self, messages: Iterable[str]) -> Iterator[str]:
        """Draw a band with messages at the foot of the face."""
        edge, foot, across, tall = self.trim
        size = self.size
        side, pad = _INSET * size, 0.5 * size
        wide = across - 2 * side
        lines: list[OutlinedLine] = []
        for message in messages:
            lines += text_outlines.wrap_text(message, wide / size, _MAX_LINES, self.fonts)
        most = max(1, int((tall / 2 - 2 * pad) / (size * _LEADING)))
        lines = lines[:most]
        height = len(lines) * size * _LEADING + 2 * pad
        # The band covers the bleed, too: it is cut with the card.
        band = format_numbers(0, 0, across + 2 * edge, foot + height)
        yield f"{_fill_with(self.colour)} {band} re f"
        yield _fill_with(WHITE)
        base = foot + height - pad - size * (_LEADING + _CAPITAL) / 2
        for index, line in enumerate(lines):
            yield line.draw_line(edge + side, base - index * size * _LEADING, size)

    def draw_mark(self) -> Iterator[str]:
        """Draw DRAFT from the lower left to the upper right, as large as it fits."""
        edge, foot, across, tall = self.trim
        line = text_outlines.outline_line(DRAFT_MARK, self.fonts)
        if not line.width:
            return
        angle = atan2(tall, across)
        # The band of letters from corner to corner must stay inside the trim.
        ems = line.width + _CAPITAL * (tall / across + across / tall) + 0.25
        size = hypot(across, tall) / ems
        turned = (cos(angle), sin(angle), -sin(angle), cos(angle))
        yield f"q /Pale gs {_fill_with(self.colour)} {format_numbers(*WHITE)} RG 0.02 w"
        yield f"{format_numbers(*turned, edge + across / 2, foot + tall / 2)} cm"
        yield line.draw_line(-line.width * size / 2, -_CAPITAL * size / 2, size, paint="B")
        yield "Q"


def _fill_with(colour: Colour) -> str:
    return f"{format_numbers(*colour)} rg"
