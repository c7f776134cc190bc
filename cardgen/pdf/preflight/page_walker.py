"""A walker that records what a page paints, with its forms, patterns and glyphs.

Its work is limited, because the page may come from a stranger. Operators: ISO 32000-1, annex A.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import pikepdf
from pikepdf import Array, Dictionary, Matrix, Name, Stream

from cardgen.pdf import graphics_state
from cardgen.pdf.graphics_state import GraphicsState, StateWalker, get_scale, make_matrix
from cardgen.pdf.preflight import bounded_streams, ink_coverage
from cardgen.pdf.preflight.bounded_streams import StreamTooLargeError
from cardgen.pdf.preflight.colour_spaces import (
    CMYK,
    GRAY,
    INITIAL_COLOUR,
    PATTERN,
    RGB,
    InkColour,
    InkSpace,
    read_space,
)
from cardgen.pdf.preflight.pdf_facts import PaintedContent

Above = tuple[Any, ...]
"""Object numbers of the forms that a stream is drawn in."""
MAX_OPERATORS = 3_000_000
"""Per file; those of a form count again wherever it paints something else."""
MAX_FORM_DEPTH = 24
_MAX_CACHED_OPERATORS = 300_000
"""Operators kept in memory to be walked again."""
_MAX_LINE_PT = 2.0
"""A filled rectangle that is longer than this and thinner is a line."""
_MALFORMED_ERRORS = (
    ValueError, TypeError, IndexError, KeyError, AttributeError, ArithmeticError,
    NotImplementedError, pikepdf.PikepdfError,
)  # fmt: skip
"""Errors of an operator in a broken file, which is reported and skipped."""
_FONT_FILE_KEYS = ("/FontFile", "/FontFile2", "/FontFile3")
_SUBSET_PREFIX = re.compile(r"[A-Z]{6}\+")
_STANDARD_FONTS = ("Courier", "Helvetica", "Times", "Symbol", "ZapfDingbats")


def get_font_name(font: Any) -> str:
    """Return the name of a font without the prefix of a subset."""
    name = str(font.get("/BaseFont") or font.get("/Name") or "a font without a name")
    return _SUBSET_PREFIX.sub("", name.removeprefix("/"))[:80]


def explain_missing_font(font: Any) -> str:
    """Say why a font is not embedded; "" when it is."""
    kind = str(font.get("/Subtype"))
    if kind == "/Type3":
        return ""  # its letters are drawings in the file
    if kind == "/Type0":
        below = font.get("/DescendantFonts")
        font = below[0] if isinstance(below, Array) and len(below) else Dictionary()
    described = font.get("/FontDescriptor")
    if isinstance(described, Dictionary) and any(name in described for name in _FONT_FILE_KEYS):
        return ""
    if get_font_name(font).startswith(_STANDARD_FONTS):
        return "it is one of the fourteen that every program has a likeness of, each another"
    return "its letters are not in the file"


_DEVICE_OPERATORS = {"g": GRAY, "G": GRAY, "rg": RGB, "RG": RGB, "k": CMYK, "K": CMYK}
_COLOUR_OPERATORS = frozenset({*_DEVICE_OPERATORS, "cs", "CS", "sc", "SC", "scn", "SCN"})


@dataclass(frozen=True)
class PrintedState(GraphicsState):
    """The graphics state with colours as inks (ISO 32000-1, 8.6.7 on overprint).

    `effects` are the kinds of transparency in use, in words.
    """

    fill: InkColour = INITIAL_COLOUR
    stroke: InkColour = INITIAL_COLOUR
    fill_overprint: bool = False
    stroke_overprint: bool = False
    overprint_mode: int = 0
    effects: frozenset[str] = frozenset()

    @property
    def key(self) -> tuple[Any, ...]:
        """All that decides what a form paints, except its place."""
        shape = tuple(round(v, 4) for v in (self.ctm.a, self.ctm.b, self.ctm.c, self.ctm.d))
        font = self.font.objgen if isinstance(self.font, Dictionary) else (0, 0)
        return (
            shape, self.fill.key, self.stroke.key, round(self.width, 4), font, round(self.size, 3),
            self.fill_overprint, self.stroke_overprint, self.overprint_mode, self.effects,
            self.rendering,
        )  # fmt: skip

    def keeps_inks_below(self, colour: InkColour) -> bool:
        """Say if a fill of that colour keeps the inks below it of which it has none."""
        in_mode = bool(colour.space.ink_names) or (
            colour.space.is_direct and self.overprint_mode == 1
        )
        return self.fill_overprint and in_mode


def _set_colour(
    state: PrintedState, operands: Sequence[Any], name: str, resources: Any
) -> PrintedState:
    """Return the state after an operator that sets a colour."""
    before = state.fill if name.islower() else state.stroke
    if name in _DEVICE_OPERATORS:
        colour = InkColour(_DEVICE_OPERATORS[name], tuple(float(each) for each in operands))
    elif name in {"cs", "CS"}:
        colour = _get_initial_colour(read_space(operands[0], resources))
    elif operands and isinstance(operands[-1], Name):
        patterns = (resources or {}).get("/Pattern")
        pattern = patterns.get(str(operands[-1])) if isinstance(patterns, Dictionary) else None
        colour = InkColour(PATTERN, None, pattern)
    else:
        colour = InkColour(before.space, tuple(float(each) for each in operands))
    return replace(state, fill=colour) if name.islower() else replace(state, stroke=colour)


def _get_initial_colour(space: InkSpace) -> InkColour:
    """Return the initial colour of a colour space."""
    if space.kind == "pattern":
        return InkColour(space)
    if space.kind == "cmyk" and not space.ink_names:
        return InkColour(space, (0.0, 0.0, 0.0, 1.0))
    return InkColour(space, (1.0 if space.ink_names else 0.0,) * space.components)


def _apply_ext_gstate(state: PrintedState, changes: Any) -> PrintedState:
    """Return the state after an ExtGState (ISO 32000-1, 8.4.5)."""
    if not isinstance(changes, Dictionary):
        return state
    effects = set(state.effects)
    if "/ca" in changes or "/CA" in changes:
        effects.discard("see-through")
    if min(float(changes.get("/ca", 1)), float(changes.get("/CA", 1))) < 1:
        effects.add("see-through")
    if "/BM" in changes:
        mode = changes.BM[0] if isinstance(changes.BM, Array) and len(changes.BM) else changes.BM
        effects = {effect for effect in effects if not effect.startswith("blended")}
        if str(mode) not in {"/Normal", "/Compatible"}:
            effects.add(f"blended ({str(mode).removeprefix('/')[:20]})")
    if "/SMask" in changes:
        effects.discard("soft masks")
        if isinstance(changes.SMask, Dictionary):
            effects.add("soft masks")
    font = changes.get("/Font")
    has_font = isinstance(font, Array) and len(font) == 2
    return replace(
        state,
        effects=frozenset(effects),
        fill_overprint=bool(changes.get("/op", changes.get("/OP", state.fill_overprint))),
        stroke_overprint=bool(changes.get("/OP", state.stroke_overprint)),
        overprint_mode=int(changes.get("/OPM", state.overprint_mode)),
        width=float(changes.get("/LW", state.width)),
        font=font[0] if has_font else state.font,
        size=float(font[1]) if has_font else state.size,
    )


class PageWalker:
    """Walks through the pages of one file, and caches what forms paint."""

    def __init__(self) -> None:
        self._left = MAX_OPERATORS
        self._kept = 0
        self._parsed: dict[tuple[int, int], list[tuple[list[Any], str]]] = {}
        self._painted: dict[Any, PaintedContent] = {}
        self._pictures: dict[tuple[int, int], ink_coverage.PdfPicture] = {}

    def walk_page(self, page: Any) -> PaintedContent:
        """Return what a page paints."""
        resources = page.resources if "/Resources" in page else Dictionary()
        return self._walk_content(page.obj, resources, resources, PrintedState(), ())

    def _walk_content(
        self, content: Any, own: Any, resources: Any, state: PrintedState, above: Above
    ) -> PaintedContent:
        """Return what a page or form paints. `own` are its resources, `resources` those in use."""
        painted = PaintedContent()
        group = content.get("/Group")
        if isinstance(group, Dictionary) and read_space(group.get("/CS"), own).kind == "rgb":
            painted.transparency.add("blended in RGB")
        try:
            instructions = self._parse_content(content)
        except StreamTooLargeError as error:
            painted.faults.add(f"{'a form' if above else 'its content'} {error}")
            return painted
        except _MALFORMED_ERRORS:
            painted.faults.add("its content cannot be read")
            return painted
        self._left -= len(instructions)
        if self._left < 0:
            painted.faults.add(f"there are more than {MAX_OPERATORS:,} operators up to here")
        else:
            _StreamWalker(self, resources, state, painted, above).walk_operators(instructions)
        return painted

    def _parse_content(self, content: Any) -> list[tuple[list[Any], str]]:
        key = content.objgen
        if key in self._parsed:
            return self._parsed[key]
        found = bounded_streams.parse_operators(content, max(0, self._left))
        is_reusable = key != (0, 0) and content.get("/Type") != Name.Page
        if is_reusable and self._kept < _MAX_CACHED_OPERATORS:
            self._kept += len(found)
            self._parsed[key] = found
        return found

    def walk_form(
        self, form: Any, resources: Any, state: PrintedState, painted: PaintedContent, above: Above
    ) -> None:
        """Record what a form, pattern or glyph paints. `above` are the forms that it is in."""
        own = form.objgen
        if len(above) >= MAX_FORM_DEPTH or (own != (0, 0) and own in above):
            painted.faults.add("a form stands in itself, or too deep in others")
            return
        inner = self._painted.get((own, state.key)) if own != (0, 0) else None
        if inner is None:
            given = form.get("/Resources")
            used = resources if given is None else given
            inner = self._walk_content(form, given, used, state, (*above, own))
            if own != (0, 0):
                self._painted[own, state.key] = inner
        painted.merge(inner)

    def read_picture(self, image: Any, resources: Any) -> ink_coverage.PdfPicture:
        """Return the facts about a picture."""
        found = self._pictures.get(image.objgen) or ink_coverage.read_image_object(image, resources)
        if image.objgen != (0, 0):
            self._pictures[image.objgen] = found
        return found


class _StreamWalker(StateWalker[PrintedState]):
    """Walks through one stream, operator by operator."""

    def __init__(
        self, walker: PageWalker, resources: Any, state: PrintedState, painted: PaintedContent,
        above: Above,
    ) -> None:  # fmt: skip
        super().__init__(state)
        self.walker, self.resources, self.painted, self.above = walker, resources, painted, above
        self.rectangles: list[tuple[float, float]] = []

    def walk_operators(self, instructions: Sequence[tuple[list[Any], str]]) -> None:
        for operands, name in instructions:
            try:
                self._walk_operator(operands, name)
            except _MALFORMED_ERRORS:
                self.painted.faults.add(f"an operator is wrong ({name[:20]})")
            except StreamTooLargeError as error:
                self.painted.faults.add(f"what an operator ({name[:20]}) needs {error}")

    def _walk_operator(self, operands: list[Any], name: str) -> None:
        if name in _COLOUR_OPERATORS:
            self.state = _set_colour(self.state, operands, name, self.resources)
        elif name in graphics_state.PATH_END_OPERATORS:
            self._paint_path(name)
        elif name in graphics_state.TEXT_OPERATORS:
            self._show_text()
        elif name == "re":
            self._add_rectangle(*(float(each) for each in operands))
        elif name in {"Do", "BI", "sh"}:
            self._place_object(operands, name)
        elif name == "gs":
            changes = self._find_resource("/ExtGState", operands[0])
            self.state = _apply_ext_gstate(self.state, changes)
        else:
            self.follow_state(operands, name)

    def find_font(self, name: Any) -> Any:
        return self._find_resource("/Font", name)

    def _find_resource(self, kind: str, name: Any) -> Any:
        resources = (self.resources or {}).get(kind)
        return resources.get(str(name)) if isinstance(resources, Dictionary) else None

    def _add_rectangle(self, _x: float, _y: float, width: float, height: float) -> None:
        ctm = self.state.ctm
        across = abs(width) * (ctm.a**2 + ctm.b**2) ** 0.5
        up = abs(height) * (ctm.c**2 + ctm.d**2) ** 0.5
        self.rectangles.append((min(across, up), max(across, up)))

    def _paint_path(self, name: str) -> None:
        state, lines = self.state, list[float]()
        if name in graphics_state.FILL_OPERATORS:
            self._note_colour(state.fill, "drawings")
            lines += [thin for thin, long in self.rectangles if thin < _MAX_LINE_PT < long]
        if name in graphics_state.STROKE_OPERATORS:
            self._note_colour(state.stroke, "drawings", lines=True)
            lines.append(state.width * get_scale(state.ctm))
        self.painted.thinnest = min([self.painted.thinnest, *lines])
        self.rectangles = []

    def _show_text(self) -> None:
        state = self.state
        if state.rendering in graphics_state.UNPAINTED_MODES:
            return
        font = state.font
        if isinstance(font, Dictionary):
            self.painted.missing_fonts[get_font_name(font)] = explain_missing_font(font)
            if str(font.get("/Subtype")) == "/Type3":
                self._walk_glyphs(font)
        else:
            self.painted.faults.add("letters stand in a font that the page does not have")
        if state.rendering != 1:
            self._note_colour(state.fill, "text")
        if state.rendering in graphics_state.STROKING_MODES:
            self._note_colour(state.stroke, "text", lines=True)
        self._note_black_text(state.fill)

    def _note_black_text(self, colour: InkColour) -> None:
        how = colour.black_kind
        if not how or self.state.rendering == 1:
            return
        if how == "one ink" and not self.state.keeps_inks_below(colour):
            meant = self.state.fill_overprint and colour.space.is_direct
            how = "mode 0" if meant else "knocks out"
        scale = get_scale(self.state.text @ self.state.ctm)
        size = round(abs(self.state.size) * scale, 1)
        self.painted.black[how] = min(size, self.painted.black.get(how, size))

    def _walk_glyphs(self, font: Any) -> None:
        """Record what the glyphs of a Type 3 font paint."""
        letters = font.get("/CharProcs")
        if not isinstance(letters, Dictionary) or font.objgen in self.above:
            return
        within = make_matrix(font.get("/FontMatrix", [0.001, 0, 0, 0.001, 0, 0]))
        sized = Matrix(self.state.size, 0, 0, self.state.size, 0, 0) @ self.state.text
        state = replace(self.state, ctm=within @ sized @ self.state.ctm)
        resources = font.get("/Resources", self.resources)
        for letter in list(letters.values())[:256]:
            if isinstance(letter, Stream):
                above = (*self.above, font.objgen)
                self.walker.walk_form(letter, resources, state, self.painted, above)

    def _note_colour(self, colour: InkColour, what: str, *, lines: bool = False) -> None:
        """Record a colour that something is painted in."""
        painted, space = self.painted, colour.space
        painted.transparency |= self.state.effects
        if space.kind == "pattern":
            self._walk_pattern(colour.pattern)
            return
        painted.colours.add((space.kind, what))
        painted.spots.update(space.spots)
        percent = colour.coverage
        if percent is not None:
            painted.add_ink(what, round(percent, 1), colour.description)
        over = self.state.stroke_overprint if lines else self.state.fill_overprint
        if over and colour.is_white:
            if self.state.keeps_inks_below(colour):
                painted.overprinted.add("white")
            elif space.kind == "gray":
                painted.overprinted.add("grey white")
        elif over and not colour.black_kind and not space.spots:
            painted.overprinted.add("colours")

    def _walk_pattern(self, pattern: Any) -> None:
        if isinstance(pattern, Dictionary) and isinstance(
            pattern.get("/Shading"), Dictionary | Stream
        ):
            ink_coverage.add_shading(pattern.Shading, self.resources, self.painted)
        elif isinstance(pattern, Stream):
            within = make_matrix(pattern.get("/Matrix", [1, 0, 0, 1, 0, 0]))
            state = replace(self.state, ctm=within)
            self.walker.walk_form(pattern, self.resources, state, self.painted, self.above)

    def _place_object(self, operands: list[Any], name: str) -> None:
        """Record a picture, form or gradient."""
        self.painted.transparency |= self.state.effects
        if name == "BI":
            self._place_picture(ink_coverage.read_inline_image(operands[0], self.resources))
            return
        placed = self._find_resource("/Shading" if name == "sh" else "/XObject", operands[0])
        if name == "sh" and isinstance(placed, Dictionary | Stream):
            ink_coverage.add_shading(placed, self.resources, self.painted)
        elif not isinstance(placed, Stream):
            self.painted.faults.add("something is placed that the page does not have")
        elif placed.get("/Subtype") == Name.Image:
            self._place_picture(self.walker.read_picture(placed, self.resources))
        elif placed.get("/Subtype") == Name.Form:
            within = make_matrix(placed.get("/Matrix", Array([1, 0, 0, 1, 0, 0])))
            state = replace(self.state, ctm=within @ self.state.ctm)
            self.walker.walk_form(placed, self.resources, state, self.painted, self.above)

    def _place_picture(self, picture: ink_coverage.PdfPicture) -> None:
        painted = self.painted
        if picture.has_soft_mask:
            painted.transparency.add("soft masks")
        if picture.is_mask:
            self._note_colour(self.state.fill, "drawings")
            return
        painted.colours.add((picture.space.kind, "pictures"))
        painted.spots.update(picture.space.spots)
        if picture.coverage is not None:
            size = f"{picture.width} × {picture.height} px"
            painted.add_ink("pictures", round(picture.coverage, 1), size)
        elif picture.unknown_reason and picture.space.kind in {"gray", "cmyk", "spot", "unknown"}:
            painted.unreadable.add(picture.unknown_reason)
        placed = picture.place_picture(self.state.ctm)
        if placed is not None:
            painted.pictures = sorted({*painted.pictures, placed})[:12]
