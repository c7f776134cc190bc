"""The graphics state of a page that is checked for print: with inks, overprint and transparency."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from pikepdf import Array, Dictionary, Name

from cardgen.pdf.graphics_state import GraphicsState
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

_DEVICE_OPERATORS = {"g": GRAY, "G": GRAY, "rg": RGB, "RG": RGB, "k": CMYK, "K": CMYK}
COLOUR_OPERATORS = frozenset({*_DEVICE_OPERATORS, "cs", "CS", "sc", "SC", "scn", "SCN"})


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


def set_colour(
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


def apply_ext_gstate(state: PrintedState, changes: Any) -> PrintedState:
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
