"""The graphics state of a PDF, as far as a printer asks for it (ISO 32000-1, 8.4)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from pikepdf import Array, Dictionary, Matrix, Name

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

IDENTITY = Matrix()
_DEVICE_OPERATORS = {"g": GRAY, "G": GRAY, "rg": RGB, "RG": RGB, "k": CMYK, "K": CMYK}
COLOUR_OPERATORS = frozenset({*_DEVICE_OPERATORS, "cs", "CS", "sc", "SC", "scn", "SCN"})
_INVISIBLE_MODE = 3
"""The rendering mode of letters that are not painted; 7 only clips."""


@dataclass(frozen=True)
class GraphicsState:
    """What holds when something is painted. `over` and `over_lines` tell whether what is filled
    and drawn overprints, `mode` whether inks of which it has none are kept then."""

    ctm: Matrix = IDENTITY
    fill: InkColour = INITIAL_COLOUR
    stroke: InkColour = INITIAL_COLOUR
    width: float = 1.0
    font: Any = None
    size: float = 0.0
    text: Matrix = IDENTITY
    rendering: int = 0
    fill_overprint: bool = False
    stroke_overprint: bool = False
    overprint_mode: int = 0
    effects: frozenset[str] = frozenset()

    @property
    def key(self) -> tuple[Any, ...]:
        """All that decides what comes of a form but for its place."""
        shape = tuple(round(v, 4) for v in (self.ctm.a, self.ctm.b, self.ctm.c, self.ctm.d))
        return (
            shape, self.fill.key, self.stroke.key, round(self.width, 4), _get_object_id(self.font),
            round(self.size, 3), self.fill_overprint, self.stroke_overprint, self.overprint_mode, self.effects,
            self.rendering,
        )  # fmt: skip

    @property
    def get_unit_points(self) -> float:
        """How many points a unit is."""
        return get_matrix_scale(self.ctm)

    @property
    def get_text_points(self) -> float:
        """The size of letters, points."""
        return abs(self.size) * get_matrix_scale(self.text @ self.ctm)

    @property
    def is_text_visible(self) -> bool:
        """Whether letters are painted."""
        return self.rendering not in {_INVISIBLE_MODE, 7}

    def overprints(self, colour: InkColour) -> bool:
        """Whether what is filled with a colour leaves the inks below it that it has none of."""
        if not self.fill_overprint:
            return False
        if colour.space.ink_names:
            return True
        return colour.space.is_direct and self.overprint_mode == 1


def _get_object_id(held: Any) -> tuple[int, int]:
    return held.objgen if isinstance(held, Dictionary) else (0, 0)


def get_matrix_scale(placed: Matrix) -> float:
    """How many units of one side of a matrix are one of the other, in the mean."""
    return math.sqrt(abs(placed.a * placed.d - placed.b * placed.c))


def read_matrix(operands: Sequence[Any]) -> Matrix:
    """Raises ValueError where they are no six numbers."""
    values = [float(each) for each in operands]
    if len(values) != 6 or not all(map(math.isfinite, values)):
        raise ValueError("a matrix has six numbers")
    return Matrix(*values)


def set_colour(
    state: GraphicsState, operands: Sequence[Any], name: str, resources: Any
) -> GraphicsState:
    """The state after an operator that sets a colour."""
    before = state.fill if name.islower() else state.stroke
    if name in _DEVICE_OPERATORS:
        colour = InkColour(_DEVICE_OPERATORS[name], tuple(float(each) for each in operands))
    elif name in {"cs", "CS"}:
        colour = _get_initial_colour(read_space(operands[0], resources))
    elif operands and isinstance(operands[-1], Name):
        held = (resources or {}).get("/Pattern")
        drawn = held.get(str(operands[-1])) if isinstance(held, Dictionary) else None
        colour = InkColour(PATTERN, None, drawn)
    else:
        colour = InkColour(before.space, tuple(float(each) for each in operands))
    return replace(state, fill=colour) if name.islower() else replace(state, stroke=colour)


def _get_initial_colour(space: InkSpace) -> InkColour:
    """The colour that holds once a space is set."""
    if space.kind == "pattern":
        return InkColour(space)
    if space.ink_names:
        return InkColour(space, (1.0,) * space.components)
    if space.kind == "cmyk":
        return InkColour(space, (0.0, 0.0, 0.0, 1.0))
    return InkColour(space, (0.0,) * space.components)


def apply_ext_gstate(state: GraphicsState, given: Any) -> GraphicsState:
    """The state after an operator that sets many of its parts by name."""
    if not isinstance(given, Dictionary):
        return state
    effects = set(state.effects)
    for key, effect in (("/ca", "see-through"), ("/CA", "see-through")):
        if key in given:
            effects.discard(effect)
    if min(float(given.get("/ca", 1)), float(given.get("/CA", 1))) < 1:
        effects.add("see-through")
    if "/BM" in given:
        mode = given.BM[0] if isinstance(given.BM, Array) and len(given.BM) else given.BM
        effects = {effect for effect in effects if not effect.startswith("blended")}
        if str(mode) not in {"/Normal", "/Compatible"}:
            effects.add(f"blended ({str(mode).removeprefix('/')[:20]})")
    if "/SMask" in given:
        effects.discard("soft masks")
        if isinstance(given.SMask, Dictionary):
            effects.add("soft masks")
    over = given.get("/op", given.get("/OP"))
    lines = given.get("/OP")
    font = given.get("/Font")
    return replace(
        state,
        effects=frozenset(effects),
        fill_overprint=state.fill_overprint if over is None else bool(over),
        stroke_overprint=state.stroke_overprint if lines is None else bool(lines),
        overprint_mode=int(given.get("/OPM", state.overprint_mode)),
        width=float(given.get("/LW", state.width)),
        font=font[0] if isinstance(font, Array) and len(font) == 2 else state.font,
        size=float(font[1]) if isinstance(font, Array) and len(font) == 2 else state.size,
    )
