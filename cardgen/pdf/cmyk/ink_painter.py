"""Painters that rewrite the operators of a page or form: in inks, or in greys for soft masks."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from pikepdf import Matrix, Name

from cardgen.core.colour_math import BLACK, Colour, lab_to_rgb
from cardgen.pdf import graphics_state
from cardgen.pdf.cmyk import separation
from cardgen.pdf.cmyk.printing_condition import CmykInks, get_total_ink
from cardgen.pdf.operator_painter import Instruction, OperatorPainter

PURE_BLACK: CmykInks = (0.0, 0.0, 0.0, 1.0)
_LETTER, _LINE, _GROUND = "letter", "line", "ground"
OVERPRINT_STATES: Mapping[str, tuple[bool, bool]] = {
    f"/CgOver{int(strokes)}{int(fills)}": (strokes, fills)
    for strokes in (False, True)
    for fills in (False, True)
}
"""Names of graphics states, by whether strokes and fills overprint."""
LAB_SPACES = {"/Lab50": "lab-d50", "/Lab65": "lab-d65"}
"""CIE L*a*b* spaces by their white point."""
_OVERPRINT_STATE_NAMES = {pair: name for name, pair in OVERPRINT_STATES.items()}


class UnprintableError(Exception):
    """Content that cannot be converted to inks; the text names it."""


def make_spot_name(number: int) -> str:
    """Return the name of a spot ink's colour space, in the resources of every form."""
    return f"/CgSpot{number}"


def convert_to_rgb(operands: list[Any], space: str) -> Colour:
    """Convert a colour of another space than the press's to sRGB, 0 to 1."""
    if space in LAB_SPACES:
        return lab_to_rgb(LAB_SPACES[space], [float(operand) for operand in operands])
    return graphics_state.operands_to_rgb(operands)


def convert_to_bytes(colour: tuple[float, float, float]) -> separation.RgbBytes:
    """Convert a colour from 0 to 1 to bytes."""
    r, g, b = (min(255, max(0, round(255 * part))) for part in colour)
    return r, g, b


class InkPainter(OperatorPainter):
    """Rewrites operators in inks.

    `spaces` maps the names of colour spaces to a device's space, to one of `LAB_SPACES`, or to ""
    for a space that stays. `stencils` are image masks, painted in the fill colour. `inline` makes
    an inline image one of the resources and returns its name.
    """

    def __init__(
        self,
        separator: separation.InkSeparator,
        record: separation.SeparationRecord,
        spaces: Mapping[str, str],
        stencils: frozenset[str],
        inline: Callable[[Any], str],
    ) -> None:
        super().__init__(Matrix())
        self.separator, self.record = separator, record
        self.spaces, self.stencils, self.inline = spaces, stencils, inline
        spots = separator.condition.spots
        self.spots = {
            separation.parse_hex_colour(colour): number for number, (_, colour) in enumerate(spots)
        }

    def read_colour(self, operands: list[Any], space: str) -> Any:
        """Return RGB as it is, inks after the word `inks`, and a space that stays after its
        name."""
        target = self.spaces.get(space, space)
        if target == "/DeviceCMYK":
            return ("inks", *(round(float(part), 4) for part in operands))
        if not target:
            return ("space", space, *operands)
        return convert_to_rgb(operands, target)

    def paint_path(self, name: str) -> Iterator[Instruction]:
        """Write colours, the path, and the operator that paints it."""
        if name in graphics_state.FILL_OPERATORS:
            dark = not isinstance(self.state.fill[0], str) and separation.is_black(
                convert_to_bytes(self.state.fill)
            )
            yield from self._use_colour(0, _LINE if dark and self.is_thin else _GROUND)
        if name in graphics_state.STROKE_OPERATORS:
            yield from self._use_colour(1, _LINE)
        yield from self.path
        yield [], name

    def show_text(self, operands: list[Any], name: str) -> Iterator[Instruction]:
        """Write colours and letters."""
        if self.state.rendering not in graphics_state.UNPAINTED_MODES:
            yield from self._use_colour(0, _LETTER)
        if self.state.rendering in graphics_state.STROKING_MODES:
            yield from self._use_colour(1, _LINE)
        yield operands, name

    def draw_object(self, operands: list[Any], name: str) -> Iterator[Instruction]:
        """Draw an object, which knocks out what is below and begins without overprint."""
        if name == "INLINE IMAGE":
            operands, name = [Name(self.inline(operands[0]))], "Do"
        if name == "Do" and str(operands[0]) in self.stencils:
            yield from self._use_colour(0, _GROUND)
        yield from self._set_overprint(False, False)
        yield operands, name

    def _use_colour(self, side: int, role: str) -> Iterator[Instruction]:
        """Write the colour of a side, unless it was the last one, and its overprint."""
        value = self.state.stroke if side else self.state.fill
        operator, over = self._convert_colour(value, role)
        strokes, fills = self.state.overprint
        yield from self._set_overprint(over if side else strokes, fills if side else over)
        yield from self.write_colour(side, operator, operator)

    def _set_overprint(self, strokes: bool, fills: bool) -> Iterator[Instruction]:
        if self.state.overprint != (strokes, fills):
            self.state = replace(self.state, overprint=(strokes, fills))
            yield [Name(_OVERPRINT_STATE_NAMES[strokes, fills])], "gs"

    def _convert_colour(
        self, value: Any, role: str
    ) -> tuple[tuple[tuple[tuple[Any, ...], str], ...], bool]:
        """Return the operators of a colour, as for fills, and if it overprints."""
        kind = value[0]
        if kind == "pattern":
            if len(value) > 2:
                raise UnprintableError("a pattern that takes its colour from where it is used")
            return (((Name.Pattern,), "cs"), (tuple(value[1:]), "scn")), False
        if kind == "space":
            return (((Name(value[1]),), "cs"), (tuple(value[2:]), "scn")), False
        if kind == "inks":
            declared = (value[1], value[2], value[3], value[4])
            self.record.declared.add(declared)
            inks, over = self._record_inks(declared), declared == PURE_BLACK and role != _GROUND
            return ((inks, "k"),), over
        colour = convert_to_bytes(value)
        if colour in self.spots:
            number = self.spots[colour]
            self.record.spots.add(self.separator.condition.spots[number][0])
            return (((Name(make_spot_name(number)),), "cs"), ((1,), "scn")), True
        separated, over = self._separate_colour(colour, role)
        return ((separated, "k"),), over

    def _separate_colour(self, colour: separation.RgbBytes, role: str) -> tuple[CmykInks, bool]:
        """Return the inks of a colour, and if it overprints.

        Blacks and the greys of letters use black only; black letters and lines overprint.
        """
        if separation.is_black(colour):
            rich = self.separator.condition.rich_black if role == _GROUND else None
            inks = rich or PURE_BLACK
            if rich:
                self.record.declared.add(rich)
            return self._record_inks(inks), role != _GROUND
        if role == _LETTER and separation.is_grey(colour):
            return self._record_inks(self.separator.separate_grey(colour)), False
        inks, unlimited = self.separator.separate_colour(colour)
        self.record.colours[colour] = inks
        return self._record_inks(inks, unlimited), False

    def _record_inks(self, inks: CmykInks, unlimited: float | None = None) -> CmykInks:
        """Record how much ink a colour takes, with and without the limit, and return its inks."""
        total = get_total_ink(inks)
        self.record.record_ink(total if unlimited is None else unlimited, total)
        return inks


class MaskPainter(OperatorPainter):
    """Rewrites the operators of a soft mask in greys of the same luminosity."""

    def __init__(self, spaces: Mapping[str, str], inline: Callable[[Any], str]) -> None:
        super().__init__(Matrix())
        self.spaces, self.inline = spaces, inline

    def read_colour(self, operands: list[Any], space: str) -> Any:
        """Return the luminosity of a colour, 0 to 1 (ISO 32000-1, 11.5.3)."""
        return (get_brightness(convert_to_rgb(operands, self.spaces.get(space, space))),)

    def paint_path(self, name: str) -> Iterator[Instruction]:
        """Write greys, the path, and the operator that paints it."""
        operators = (graphics_state.FILL_OPERATORS, graphics_state.STROKE_OPERATORS)
        for side, among in enumerate(operators):
            if name in among:
                yield from self._use_grey(side)
        yield from self.path
        yield [], name

    def show_text(self, operands: list[Any], name: str) -> Iterator[Instruction]:
        """Write greys and letters."""
        for side in (0, 1):
            yield from self._use_grey(side)
        yield operands, name

    def draw_object(self, operands: list[Any], name: str) -> Iterator[Instruction]:
        """Write the grey of fills, which image masks use, and draw an object."""
        if name == "INLINE IMAGE":
            operands, name = [Name(self.inline(operands[0]))], "Do"
        yield from self._use_grey(0)
        yield operands, name

    def _use_grey(self, side: int) -> Iterator[Instruction]:
        value = self.state.stroke if side else self.state.fill
        # A pattern has its own operators.
        grey = 0 if value == BLACK or value[0] == "pattern" else round(value[0], 4)
        return self.write_colour(side, value, [([grey], "g")])


def get_brightness(colour: tuple[float, float, float]) -> float:
    """Return the luminosity of a colour in a soft mask, 0 to 1."""
    return 0.3 * colour[0] + 0.59 * colour[1] + 0.11 * colour[2]
