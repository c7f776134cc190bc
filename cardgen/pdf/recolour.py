"""Recolouring of a composed PDF for an ink mode, without typesetting again.

Faces are rewritten operator by operator. Drawings have thousands of path operators, few colours and
no letters, so their text is edited with regular expressions: parsing it would take longer than all
the rest of a sheet. Operators: ISO 32000-1, annex A.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from itertools import takewhile
from typing import Any

import pikepdf
from pikepdf import Array, Dictionary, Matrix, Name

from cardgen.core.colour_math import BLACK, WHITE, Colour, get_contrast
from cardgen.core.units import convert_to_points
from cardgen.pdf.graphics_state import (
    FILL_OPERATORS,
    IDENTITY,
    STROKE_OPERATORS,
    get_scale,
    make_matrix,
    measure_extent,
    operands_to_rgb,
)
from cardgen.pdf.ink_modes import FULL_INK, InkMode, make_readable
from cardgen.pdf.operator_painter import Instruction, OperatorPainter
from cardgen.pdf.pdf_objects import count_components, make_image

# In mm. A fill larger than the first and darker than paper is a tag or frame: it gets an outline
# of the second width. Letters taller than the third are hollow.
_TAG, _OUTLINE, _HOLLOW = 1.6, 0.22, 9.0
_DARK_CONTRAST = 2.2
"""Contrast with white above which a tag gets an outline."""
_COLOUR_OR_STATE_OPERATOR = re.compile(
    rb"(?<![^\s\]])(?:rg|RG|g|G|k|K|scn|SCN|sc|SC|cm|q|Q)(?![^\s/\[<])"
)
_STROKE_COLOURS = {b"RG", b"G", b"K", b"SCN", b"SC"}
_NUMBER = re.compile(rb"[-+]?(?:\d+\.?\d*|\.\d+)")
_FILL_OPERATOR = re.compile(rb"(?<![^\s])[fFbB]\*?(?![^\s/])")
_OPERAND_COUNTS = {b"g": 1, b"rg": 3, b"k": 4, b"sc": 4, b"scn": 4}
"""Maximum number of operands of a colour."""
_SIMPLE, _GROUND = 700, 0.16
"""A ground is a path of fewer bytes that fills more than this share of the drawing."""


class Recolourer:
    """Recolours forms, drawings and images of one PDF, each once."""

    def __init__(self, pdf: Any, ink: InkMode) -> None:
        self._pdf = pdf
        self._ink = ink
        self._done: set[Any] = set()

    def recolour_face(self, form: Any) -> None:
        """Recolour a face's form and all in it, except drawings and images that are done."""
        self._rewrite_form(form, IDENTITY)

    def recolour_drawing_form(self, form: Any, *, sign: bool = False) -> None:
        """Recolour a drawing's form and all in it; a `sign` only becomes grey."""
        box = [float(v) for v in form.BBox]
        mode, self._ink = self._ink, replace(self._ink, low=self._ink.low and not sign)
        if self._ink != FULL_INK:
            self._rewrite_drawing(form, (box[2] - box[0]) * (box[3] - box[1]))
        else:
            self._was_recoloured(form)
        self._ink = mode

    def recolour_image(self, image: Any) -> Any:
        """Return an image in its new colours, with the same transparency."""
        if self._was_recoloured(image) or image.get("/ImageMask"):
            return image
        picture = pikepdf.PdfImage(image).as_pil_image().convert("RGB")
        if self._ink.low:
            curve = [round(255 * self._ink.convert_picture((n / 255,) * 3)[0]) for n in range(256)]
            picture = picture.point(curve * 3)
        if self._ink.grey:
            picture = picture.convert("L")
        entries = {"SMask": image.SMask} if "/SMask" in image else {}
        replaced = make_image(self._pdf, picture, Interpolate=True, **entries)
        self._was_recoloured(replaced)
        return replaced

    def _was_recoloured(self, item: Any) -> bool:
        """Say if an object was recoloured before, and note it. Direct objects are met only once."""
        is_done = item.objgen in self._done
        if item.is_indirect:
            self._done.add(item.objgen)
        return is_done

    def _rewrite_form(self, form: Any, ctm: Matrix) -> None:
        """Rewrite a face's stream and what its resources contain, except soft masks."""
        if self._was_recoloured(form):
            return
        start = make_matrix(form.get("/Matrix", (1, 0, 0, 1, 0, 0))) @ ctm
        painter = _FacePainter(self._ink, start)
        form.write(painter.rewrite_stream(form))
        for name, item in self._list_inner_streams(form, drawn=False):
            self._rewrite_form(item, painter.placed.get(name, start))

    def _rewrite_drawing(self, form: Any, area: float) -> None:
        """Rewrite a drawing's stream and what its resources contain, except soft masks."""
        if self._was_recoloured(form):
            return
        form.write(recolour_drawing(form.read_bytes(), self._ink, area))
        for _, item in self._list_inner_streams(form, drawn=True):
            self._rewrite_drawing(item, area)

    def _list_inner_streams(self, form: Any, *, drawn: bool) -> Iterator[tuple[str, Any]]:
        """Yield the streams that a stream draws, and recolour its gradients."""
        resources = form.get("/Resources") or Dictionary()
        for name, item in list((resources.get("/XObject") or {}).items()):
            if item.get("/Subtype") == Name.Form:
                yield name, item
            elif drawn:
                resources.XObject[name] = self.recolour_image(item)
        for name, item in (resources.get("/Pattern") or {}).items():
            if item.get("/PatternType") == 1:
                yield name, item
            elif "/Shading" in item:
                self._recolour_shading(item.Shading, drawn)
        for item in (resources.get("/Shading") or {}).values():
            self._recolour_shading(item, drawn)

    def _recolour_shading(self, shading: Any, drawn: bool) -> None:
        """Recolour a gradient at its stops."""
        if not isinstance(shading.get("/Function"), (Dictionary, pikepdf.Stream)):
            return
        if count_components(shading.ColorSpace) not in {1, 3} or self._was_recoloured(shading):
            return
        change = self._ink.convert_picture if drawn else self._ink.convert_ground
        self._recolour_function(shading.Function, change)
        shading.ColorSpace = Name.DeviceRGB

    def _recolour_function(self, function: Any, change: Callable[[Colour], Colour]) -> None:
        if self._was_recoloured(function):
            return
        kind = int(function.FunctionType)
        if kind == 3:
            for inner in function.Functions:
                self._recolour_function(inner, change)
        elif kind == 2:
            for key, plain in (("/C0", 0.0), ("/C1", 1.0)):
                colour = operands_to_rgb(list(function.get(key, [plain])))
                function[key] = Array([round(part, 5) for part in change(colour)])
            if "/Range" in function:
                function.Range = Array([0, 1] * 3)
        elif kind == 0 and int(function.BitsPerSample) == 8 and len(function.Range) == 6:
            parts = [value / 255 for value in function.read_bytes()]
            colours = map(change, zip(parts[::3], parts[1::3], parts[2::3], strict=False))
            function.write(bytes(round(255 * part) for colour in colours for part in colour))


class _FacePainter(OperatorPainter):
    """Rewrites a face's operators in the colours of an ink mode."""

    def __init__(self, ink: InkMode, ctm: Matrix) -> None:
        super().__init__(ctm)
        self.ink = ink
        self.placed: dict[str, Matrix] = {}
        """Where each form is drawn, first of all."""

    def read_colour(self, operands: list[Any], space: str) -> Any:
        """Return the colour as RGB."""
        return operands_to_rgb(operands)

    def draw_object(self, operands: list[Any], name: str) -> Iterator[Instruction]:
        """Draw a form and note where, or draw another object."""
        if name == "Do":
            self.placed.setdefault(str(operands[0]), self.state.ctm)
        yield operands, name

    def paint_path(self, name: str) -> Iterator[Instruction]:
        """Write colours, the path and the operator that paints it, with an outline if needed."""
        fills, strokes, outlined = name in FILL_OPERATORS, name in STROKE_OPERATORS, False
        colour = self.state.fill
        if fills and colour[0] != "pattern":
            fill, is_tag = self._convert_fill(colour)
            outlined = is_tag and not strokes and not self.is_clipping
            if outlined:
                yield [], "q"
                yield _round_all(self.ink.convert_line(make_readable(colour))), "RG"
                yield self._get_outline_width(), "w"
                yield _round_all(fill), "rg"
            else:
                yield from self._use_colour(0, fill)
        elif fills:
            yield from self.write_colour(0, colour)
        if strokes:
            yield from self._use_stroke()
        yield from self.path
        yield [], {"f": "B", "F": "B", "f*": "B*"}[name] if outlined else name
        if outlined:
            yield [], "Q"

    def _convert_fill(self, colour: Colour) -> tuple[Colour, bool]:
        """Return the new colour of a filled path, and if it needs an outline."""
        if self.is_thin:
            return self.ink.convert_line(colour), False
        is_large = min(self.measure_path()) > convert_to_points(_TAG)
        is_tag = self.ink.low and is_large and get_contrast(colour) > _DARK_CONTRAST
        return self.ink.convert_ground(colour), is_tag

    def _use_stroke(self) -> Iterator[Instruction]:
        colour = self.state.stroke
        if colour[0] == "pattern":
            return self.write_colour(1, colour)
        thick = self.state.width * get_scale(self.state.ctm) > convert_to_points(_TAG)
        change = self.ink.convert_ground if thick else self.ink.convert_line
        return self._use_colour(1, change(colour))

    def show_text(self, operands: list[Any], name: str) -> Iterator[Instruction]:
        """Write letters in ink; when saving ink, large ones are hollow."""
        colour = self.state.fill
        is_pattern = colour[0] == "pattern"
        size = self.state.size * get_scale(self.state.text @ self.state.ctm)
        is_hollow = self.ink.low and size >= convert_to_points(_HOLLOW)
        if is_pattern:
            yield from self.write_colour(0, colour)
        elif self.state.rendering or not is_hollow:
            yield from self._use_colour(0, self.ink.convert_text(colour))
        else:
            yield from self._use_colour(0, WHITE)
            yield from self._use_colour(1, self.ink.convert_text(colour))
            yield self._get_outline_width(), "w"
            yield [2], "Tr"
            yield operands, name
            yield [0], "Tr"
            yield _round_all([self.state.width]), "w"
            return
        yield operands, name

    def _get_outline_width(self) -> list[float]:
        return _round_all([convert_to_points(_OUTLINE) / (get_scale(self.state.ctm) or 1.0)])

    def _use_colour(self, side: int, colour: Colour) -> Iterator[Instruction]:
        shades, name = (colour[:1], "g") if self.ink.grey else (colour, "rg")
        return self.write_colour(side, colour, [(_round_all(shades), name)])


def _round_all(numbers: Iterable[float]) -> list[float]:
    return [round(number, 4) for number in numbers]


def recolour_drawing(data: bytes, ink: InkMode, area: float) -> bytes:
    """Return the content of a drawing of `area` (its own units squared) in its new colours.

    What fills much of it without detail is its ground, which becomes paler than the rest.
    """
    return b"".join(_iterate_recoloured(data, ink, area))


def _iterate_recoloured(data: bytes, ink: InkMode, area: float) -> Iterator[bytes]:
    # A path before the first colour is black.
    fill, stroke = (_format_colour(BLACK, side, ink, False) for side in (False, True))
    yield fill + b" " + stroke + b"\n"
    ctm, stack, at = IDENTITY, [], 0
    found = list(_COLOUR_OR_STATE_OPERATOR.finditer(data))
    # Where a colour of areas is followed by one of lines, its path stands behind both.
    ends, end = [], len(data)
    for match in reversed(found):
        ends.append(end)
        end = end if match[0] in _STROKE_COLOURS else match.start()
    for match, end in zip(found, reversed(ends), strict=True):
        before, name = data[at : match.start()], match[0]
        at = match.end()
        if name == b"q":
            stack.append(ctm)
        elif name == b"Q":
            ctm = stack.pop() if stack else IDENTITY
        elif name == b"cm":
            ctm = make_matrix(before.rsplit(None, 6)[-6:]) @ ctm
        elif (colour := _split_colour(before, name)) is not None:
            rest, parts = colour
            is_line = name in _STROKE_COLOURS
            ground = not is_line and _measure_cover(data[at:end], ctm) > _GROUND * area
            yield rest + _format_colour(operands_to_rgb(parts), is_line, ink, ground)
            continue
        yield before + name
    yield data[at:]


def _split_colour(before: bytes, name: bytes) -> tuple[bytes, list[bytes]] | None:
    """Split a colour's operands from what is before them; None for a pattern's name."""
    count = _OPERAND_COUNTS[name.lower()]
    last = before.rsplit(None, count)[-count:]
    parts = list(takewhile(_NUMBER.fullmatch, reversed(last)))[::-1]
    if not parts:
        return None
    split = before.rsplit(None, len(parts))
    return (split[0] + b" " if len(split) > len(parts) else b""), parts


def _measure_cover(path: bytes, ctm: Matrix) -> float:
    """Return the area of the box around a plain filled path; 0 for anything else."""
    if len(path) > _SIMPLE or not _FILL_OPERATOR.search(path):
        return 0.0
    width, height = measure_extent(_iterate_corners(path, ctm))
    return width * height


def _iterate_corners(path: bytes, ctm: Matrix) -> Iterator[tuple[float, float]]:
    numbers: list[float] = []
    for token in path.split():
        if _NUMBER.fullmatch(token):
            numbers.append(float(token))
            continue
        if token == b"re" and len(numbers) == 4:
            x, y, width, height = numbers
            numbers = [x, y, x + width, y + height]
        if token in {b"m", b"l", b"c", b"v", b"y", b"re"}:
            yield from map(ctm.transform, zip(numbers[::2], numbers[1::2], strict=False))
        numbers = []


def _format_colour(colour: Colour, stroke: bool, ink: InkMode, ground: bool) -> bytes:
    changed = (ink.convert_backdrop if ground else ink.convert_picture)(colour)
    if ink.grey:
        return b"%.4g %s" % (changed[0], b"G" if stroke else b"g")
    return b"%.4g %.4g %.4g %s" % (*changed, b"RG" if stroke else b"rg")
