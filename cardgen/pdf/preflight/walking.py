"""What a page paints: its operators read one by one, forms, patterns and letters that are drawings
too. Within bounds, since the page may be a stranger's. Operators: ISO 32000-1, annex A."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pikepdf
from pikepdf import Array, Dictionary, Matrix, Name, Stream

from cardgen.pdf.preflight import fonts, graphics, pictures, shadings, streams
from cardgen.pdf.preflight.colours import Colour
from cardgen.pdf.preflight.facts import Painted
from cardgen.pdf.preflight.graphics import COLOUR_OPERATORS, State, matrix
from cardgen.pdf.preflight.streams import TooMuch

MOST_OPERATORS = 3_000_000
"""Of one file, those of a form counted wherever it comes out otherwise."""
DEEPEST = 24
_MOST_KEPT = 300_000
"""Operators that are kept to be walked through again."""
_FILLS = frozenset({"f", "F", "f*", "B", "B*", "b", "b*"})
_STROKES = frozenset({"S", "s", "B", "B*", "b", "b*"})
_ENDS = _FILLS | _STROKES | {"n"}
_SHOWS = frozenset({"Tj", "TJ", "'", '"'})
_LINE = 2.0
"""A filled rectangle is a line when it is longer than so many points and thinner."""
_BROKEN = (
    ValueError, TypeError, IndexError, KeyError, AttributeError, ArithmeticError,
    NotImplementedError, pikepdf.PikepdfError,
)  # fmt: skip
"""What a broken file makes of an operator: it is told and passed over."""


class Walker:
    """Goes through the pages of one file, and remembers what its forms paint."""

    def __init__(self) -> None:
        self._left = MOST_OPERATORS
        self._kept = 0
        self._parsed: dict[tuple[int, int], list[tuple[list[Any], str]]] = {}
        self._painted: dict[Any, Painted] = {}
        self._pictures: dict[tuple[int, int], pictures.Picture] = {}

    def page(self, page: Any) -> Painted:
        """What a page paints."""
        painted = Painted()
        resources = page.resources if "/Resources" in page else Dictionary()
        group = pictures.group_space(page.obj.get("/Group"), resources)
        if group is not None and group.kind == "rgb":
            painted.transparency.add("blended in RGB")
        self._walk(page.obj, resources, State(), painted, ())
        return painted

    def _walk(
        self, held: Any, resources: Any, state: State, painted: Painted, above: tuple[Any, ...]
    ) -> None:
        try:
            instructions = self._instructions(held)
        except TooMuch as error:
            painted.faults.add(f"{'a form' if above else 'its content'} {error}")
            return
        except _BROKEN:
            painted.faults.add("its content cannot be read")
            return
        self._left -= len(instructions)
        if self._left < 0:
            painted.faults.add(f"there are more than {MOST_OPERATORS:,} operators up to here")
            return
        _Stream(self, resources, state, painted, above).run(instructions)

    def _instructions(self, held: Any) -> list[tuple[list[Any], str]]:
        known = held.objgen
        if known in self._parsed:
            return self._parsed[known]
        found = streams.parsed(held, max(0, self._left))
        if known != (0, 0) and held.get("/Type") != Name.Page and self._kept < _MOST_KEPT:
            self._kept += len(found)
            self._parsed[known] = found
        return found

    def form(
        self, form: Any, resources: Any, state: State, painted: Painted, above: tuple[Any, ...]
    ) -> None:
        """What a form, a pattern or a letter paints. `above` are those that it stands in."""
        own = form.objgen
        if len(above) >= DEEPEST or (own != (0, 0) and own in above):
            painted.faults.add("a form stands in itself, or too deep in others")
            return
        key = (own, state.key) if own != (0, 0) else None
        if key is None or key not in self._painted:
            inner = Painted()
            group = form.get("/Group")
            space = pictures.group_space(group, form.get("/Resources")) if group else None
            if space is not None and space.kind == "rgb":
                inner.transparency.add("blended in RGB")
            held = form.get("/Resources", resources)
            self._walk(form, held, state, inner, (*above, own))
            if key is None:
                painted.take(inner)
                return
            self._painted[key] = inner
        painted.take(self._painted[key])

    def picture(self, image: Any, resources: Any) -> pictures.Picture:
        """What a picture is."""
        own = image.objgen
        if own == (0, 0) or own not in self._pictures:
            found = pictures.of_object(image, resources)
            if own == (0, 0):
                return found
            self._pictures[own] = found
        return self._pictures[own]


class _Stream:
    """One stream, operator by operator."""

    def __init__(
        self, walker: Walker, resources: Any, state: State, painted: Painted,
        above: tuple[Any, ...],
    ) -> None:  # fmt: skip
        self.walker, self.resources, self.state = walker, resources, state
        self.painted, self.above = painted, above
        self.stack: list[State] = []
        self.rectangles: list[tuple[float, float]] = []

    def run(self, instructions: Sequence[tuple[list[Any], str]]) -> None:
        for operands, name in instructions:
            try:
                self._one(operands, name)
            except _BROKEN:
                self.painted.faults.add(f"an operator is wrong ({name[:20]})")
            except TooMuch as error:
                self.painted.faults.add(f"what an operator ({name[:20]}) needs {error}")

    def _one(self, operands: list[Any], name: str) -> None:
        if name in COLOUR_OPERATORS:
            self.state = graphics.coloured(self.state, operands, name, self.resources)
        elif name in _ENDS:
            self._paint(name)
        elif name in _SHOWS:
            self._show()
        elif name == "re":
            self._rectangle(*(float(each) for each in operands))
        elif name in {"Do", "BI", "sh"}:
            self._place(operands, name)
        else:
            self._follow(operands, name)

    def _follow(self, operands: list[Any], name: str) -> None:
        state = self.state
        if name == "q":
            if len(self.stack) < 10_000:
                self.stack.append(state)
        elif name == "Q" and self.stack:
            self.state = self.stack.pop()
        elif name == "cm":
            self.state = replace(state, ctm=matrix(operands) @ state.ctm)
        elif name == "w":
            self.state = replace(state, width=float(operands[0]))
        elif name == "Tf":
            font = self._held("/Font", operands[0])
            self.state = replace(state, font=font, size=float(operands[1]))
        elif name == "Tm":
            self.state = replace(state, text=matrix(operands))
        elif name == "BT":
            self.state = replace(state, text=graphics.UNIT)
        elif name == "Tr":
            self.state = replace(state, rendering=int(operands[0]))
        elif name == "gs":
            self.state = graphics.extended(state, self._held("/ExtGState", operands[0]))

    def _held(self, kind: str, name: Any) -> Any:
        held = (self.resources or {}).get(kind)
        return held.get(str(name)) if isinstance(held, Dictionary) else None

    def _rectangle(self, _x: float, _y: float, width: float, height: float) -> None:
        ctm = self.state.ctm
        across = abs(width) * (ctm.a**2 + ctm.b**2) ** 0.5
        up = abs(height) * (ctm.c**2 + ctm.d**2) ** 0.5
        self.rectangles.append((min(across, up), max(across, up)))

    def _paint(self, name: str) -> None:
        state = self.state
        if name in _FILLS:
            self._put(state.fill, "drawings")
            for thin, long in self.rectangles:
                if thin < _LINE < long:
                    self.painted.thinnest = min(self.painted.thinnest, thin)
        if name in _STROKES:
            self._put(state.stroke, "drawings", lines=True)
            self.painted.thinnest = min(self.painted.thinnest, state.width * state.scale)
        self.rectangles = []

    def _show(self) -> None:
        state = self.state
        if not state.shows:
            return
        font = state.font
        if isinstance(font, Dictionary):
            self.painted.fonts[fonts.name_of(font)] = fonts.missing(font)
            if str(font.get("/Subtype")) == "/Type3":
                self._drawn(font)
        else:
            self.painted.faults.add("letters stand in a font that the page does not have")
        if state.rendering != 1:
            self._put(state.fill, "text")
        if state.rendering in {1, 2, 5, 6}:
            self._put(state.stroke, "text", lines=True)
        self._black(state.fill)

    def _black(self, colour: Colour) -> None:
        how = colour.black
        if not how or self.state.rendering == 1:
            return
        if how == "one ink" and not self.state.overprints(colour):
            meant = self.state.over and colour.space.direct
            how = "mode 0" if meant else "knocks out"
        size = round(self.state.letters, 1)
        self.painted.black[how] = min(size, self.painted.black.get(how, size))

    def _drawn(self, font: Any) -> None:
        """Letters that are drawings: all that the font has."""
        letters = font.get("/CharProcs")
        if not isinstance(letters, Dictionary) or font.objgen in self.above:
            return
        within = matrix(font.get("/FontMatrix", [0.001, 0, 0, 0.001, 0, 0]))
        sized = Matrix(self.state.size, 0, 0, self.state.size, 0, 0) @ self.state.text
        state = replace(self.state, ctm=within @ sized @ self.state.ctm)
        resources = font.get("/Resources", self.resources)
        for letter in list(letters.values())[:256]:
            if isinstance(letter, Stream):
                above = (*self.above, font.objgen)
                self.walker.form(letter, resources, state, self.painted, above)

    def _put(self, colour: Colour, what: str, *, lines: bool = False) -> None:
        """A colour is laid down by something."""
        painted, space = self.painted, colour.space
        painted.transparency |= self.state.effects
        if space.kind == "pattern":
            self._pattern(colour.pattern)
            return
        painted.colours.add((space.kind, what))
        painted.spots.update(space.spots)
        percent = colour.percent
        if percent is not None:
            painted.ink(what, round(percent, 1), colour.said)
        over = self.state.over_lines if lines else self.state.over
        if over and colour.white:
            if self.state.overprints(colour):
                painted.overprinted.add("white")
            elif space.kind == "gray":
                painted.overprinted.add("grey white")
        elif over and not colour.black and not space.spots:
            painted.overprinted.add("colours")

    def _pattern(self, pattern: Any) -> None:
        if isinstance(pattern, Dictionary) and isinstance(
            pattern.get("/Shading"), Dictionary | Stream
        ):
            shadings.put(pattern.Shading, self.resources, self.painted)
        elif isinstance(pattern, Stream):
            within = matrix(pattern.get("/Matrix", [1, 0, 0, 1, 0, 0]))
            state = replace(self.state, ctm=within)
            self.walker.form(pattern, self.resources, state, self.painted, self.above)

    def _place(self, operands: list[Any], name: str) -> None:
        """A picture, a form or a gradient."""
        self.painted.transparency |= self.state.effects
        if name == "BI":
            self._picture(pictures.of_inline(operands[0], self.resources))
            return
        placed = self._held("/Shading" if name == "sh" else "/XObject", operands[0])
        if name == "sh" and isinstance(placed, Dictionary | Stream):
            shadings.put(placed, self.resources, self.painted)
        elif not isinstance(placed, Stream):
            self.painted.faults.add("something is placed that the page does not have")
        elif placed.get("/Subtype") == Name.Image:
            self._picture(self.walker.picture(placed, self.resources))
        elif placed.get("/Subtype") == Name.Form:
            within = matrix(placed.get("/Matrix", Array([1, 0, 0, 1, 0, 0])))
            state = replace(self.state, ctm=within @ self.state.ctm)
            self.walker.form(placed, self.resources, state, self.painted, self.above)

    def _picture(self, picture: pictures.Picture) -> None:
        painted = self.painted
        if picture.soft:
            painted.transparency.add("soft masks")
        if picture.mask:
            self._put(self.state.fill, "drawings")
            return
        painted.colours.add((picture.space.kind, "pictures"))
        painted.spots.update(picture.space.spots)
        if picture.percent is not None:
            size = f"{picture.width} × {picture.height} px"
            painted.ink("pictures", round(picture.percent, 1), size)
        elif picture.why and picture.space.kind in {"gray", "cmyk", "spot", "unknown"}:
            painted.unread.add(picture.why)
        placed = picture.placed(self.state.ctm)
        if placed is not None:
            painted.pictures = sorted({*painted.pictures, placed})[:12]
