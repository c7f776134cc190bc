"""The graphics state of a PDF, as far as a printer asks for it (ISO 32000-1, 8.4)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from pikepdf import Array, Dictionary, Matrix, Name

from cardgen.pdf.preflight.colours import (
    CMYK,
    GRAY,
    PATTERN,
    RGB,
    START,
    Colour,
    Space,
    space_of,
)

UNIT = Matrix()
_DIRECT = {"g": GRAY, "G": GRAY, "rg": RGB, "RG": RGB, "k": CMYK, "K": CMYK}
COLOUR_OPERATORS = frozenset({*_DIRECT, "cs", "CS", "sc", "SC", "scn", "SCN"})
_HIDDEN = 3
"""The rendering mode of letters that are not painted; 7 only clips."""


@dataclass(frozen=True)
class State:
    """What holds when something is painted. `over` and `over_lines` tell whether what is filled
    and drawn overprints, `mode` whether inks of which it has none are kept then."""

    ctm: Matrix = UNIT
    fill: Colour = START
    stroke: Colour = START
    width: float = 1.0
    font: Any = None
    size: float = 0.0
    text: Matrix = UNIT
    rendering: int = 0
    over: bool = False
    over_lines: bool = False
    mode: int = 0
    effects: frozenset[str] = frozenset()

    @property
    def key(self) -> tuple[Any, ...]:
        """All that decides what comes of a form but for its place."""
        shape = tuple(round(v, 4) for v in (self.ctm.a, self.ctm.b, self.ctm.c, self.ctm.d))
        return (
            shape, self.fill.key, self.stroke.key, round(self.width, 4), _own(self.font),
            round(self.size, 3), self.over, self.over_lines, self.mode, self.effects,
            self.rendering,
        )  # fmt: skip

    @property
    def scale(self) -> float:
        """How many points a unit is."""
        return scale_of(self.ctm)

    @property
    def letters(self) -> float:
        """The size of letters, points."""
        return abs(self.size) * scale_of(self.text @ self.ctm)

    @property
    def shows(self) -> bool:
        """Whether letters are painted."""
        return self.rendering not in {_HIDDEN, 7}

    def overprints(self, colour: Colour) -> bool:
        """Whether what is filled with a colour leaves the inks below it that it has none of."""
        if not self.over:
            return False
        if colour.space.names:
            return True
        return colour.space.direct and self.mode == 1


def _own(held: Any) -> tuple[int, int]:
    return held.objgen if isinstance(held, Dictionary) else (0, 0)


def scale_of(placed: Matrix) -> float:
    """How many units of one side of a matrix are one of the other, in the mean."""
    return math.sqrt(abs(placed.a * placed.d - placed.b * placed.c))


def matrix(operands: Sequence[Any]) -> Matrix:
    """Raises ValueError where they are no six numbers."""
    values = [float(each) for each in operands]
    if len(values) != 6 or not all(map(math.isfinite, values)):
        raise ValueError("a matrix has six numbers")
    return Matrix(*values)


def coloured(state: State, operands: Sequence[Any], name: str, resources: Any) -> State:
    """The state after an operator that sets a colour."""
    before = state.fill if name.islower() else state.stroke
    if name in _DIRECT:
        colour = Colour(_DIRECT[name], tuple(float(each) for each in operands))
    elif name in {"cs", "CS"}:
        colour = _first(space_of(operands[0], resources))
    elif operands and isinstance(operands[-1], Name):
        held = (resources or {}).get("/Pattern")
        drawn = held.get(str(operands[-1])) if isinstance(held, Dictionary) else None
        colour = Colour(PATTERN, None, drawn)
    else:
        colour = Colour(before.space, tuple(float(each) for each in operands))
    return replace(state, fill=colour) if name.islower() else replace(state, stroke=colour)


def _first(space: Space) -> Colour:
    """The colour that holds once a space is set."""
    if space.kind == "pattern":
        return Colour(space)
    if space.names:
        return Colour(space, (1.0,) * space.parts)
    if space.kind == "cmyk":
        return Colour(space, (0.0, 0.0, 0.0, 1.0))
    return Colour(space, (0.0,) * space.parts)


def extended(state: State, given: Any) -> State:
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
        over=state.over if over is None else bool(over),
        over_lines=state.over_lines if lines is None else bool(lines),
        mode=int(given.get("/OPM", state.mode)),
        width=float(given.get("/LW", state.width)),
        font=font[0] if isinstance(font, Array) and len(font) == 2 else state.font,
        size=float(font[1]) if isinstance(font, Array) and len(font) == 2 else state.size,
    )
