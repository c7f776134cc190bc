"""Colours of a PDF as inks: their kind, and how much ink they take (ISO 32000-1, 8.6)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from pikepdf import Array, Dictionary, Name, Stream

from cardgen.pdf.preflight import bounded_streams
from cardgen.pdf.preflight.bounded_streams import StreamTooLargeError

_PROCESS_INKS = frozenset({"Cyan", "Magenta", "Yellow", "Black"})
COMPONENT_COUNTS = {"gray": 1, "rgb": 3, "lab": 3, "cmyk": 4}
_MAX_DEPTH = 6
_MAX_INK_NAMES = 32
_BLACK, _NONE = 0.85, 0.01
"""From how much of black ink on a text is black, and what of another ink is none."""


@dataclass(frozen=True)
class InkSpace:
    """A colour space.

    `ink_names` are the inks of a Separation or DeviceN space. `table` has the colours of an indexed
    space. `is_direct` is true of DeviceCMYK itself.
    """

    kind: str
    components: int
    ink_names: tuple[str, ...] = ()
    is_direct: bool = False
    table: bytes | None = None

    @property
    def spots(self) -> tuple[str, ...]:
        """Spot inks of the space."""
        return tuple(name for name in self.ink_names if name not in _PROCESS_INKS | {"None", "All"})


GRAY = InkSpace("gray", 1)
RGB = InkSpace("rgb", 3)
CMYK = InkSpace("cmyk", 4, is_direct=True)
PATTERN = InkSpace("pattern", 0)
UNKNOWN = InkSpace("unknown", 0)
_NAMED_SPACES = {
    "/DeviceGray": GRAY, "/G": GRAY, "/CalGray": GRAY, "/DeviceRGB": RGB, "/RGB": RGB,
    "/CalRGB": RGB, "/DeviceCMYK": CMYK, "/CMYK": CMYK, "/Lab": InkSpace("lab", 3),
    "/Pattern": PATTERN,
}  # fmt: skip


@dataclass(frozen=True)
class InkColour:
    """A colour in its space; a pattern has no values, but its object in `pattern`."""

    space: InkSpace
    values: tuple[float, ...] | None = None
    pattern: Any = None

    @property
    def key(self) -> tuple[Any, ...]:
        """What distinguishes it from other colours."""
        drawn = self.pattern.objgen if isinstance(self.pattern, Dictionary | Stream) else (0, 0)
        return self.space.kind, self.space.ink_names, self.space.is_direct, self.values, drawn

    @property
    def inks(self) -> tuple[float, ...] | None:
        """Amount of each ink, 0 to 1; None where the profile of the press decides."""
        if self.values is None or self.space.table is not None or self.space.ink_names == ("All",):
            return None
        if self.space.kind == "gray":
            return tuple(1 - value for value in self.values)
        return self.values if self.space.kind in {"cmyk", "spot"} else None

    @property
    def coverage(self) -> float | None:
        """All inks together, in %."""
        inks = self.inks
        return None if inks is None else 100 * sum(min(1.0, max(0.0, part)) for part in inks)

    @property
    def description(self) -> str:
        """The colour in words."""
        inks = self.inks or ()
        if self.space.is_direct and len(inks) == 4:
            return " ".join(f"{n}{round(100 * v)}" for n, v in zip("CMYK", inks, strict=True))
        return self.space.kind

    @property
    def is_white(self) -> bool:
        """Say if it takes no ink."""
        inks = self.inks
        return inks is not None and max(inks, default=1.0) <= _NONE

    @property
    def black_kind(self) -> str:
        """Kind of black: `one ink`, `rich`, `rgb`; "" for another colour."""
        values, inks = self.values or (), self.inks or ()
        if self.space.kind == "rgb":
            return "rgb" if len(values) == 3 and max(values) <= 1 - _BLACK else ""
        if self.space.kind == "gray" or self.space.ink_names == ("Black",):
            return "one ink" if inks and inks[0] >= _BLACK else ""
        if self.space.kind != "cmyk" or len(inks) != 4:
            return ""
        least, most, black = min(inks[:3]), max(inks[:3]), inks[3]
        if black >= _BLACK:
            return "one ink" if most <= _NONE else "rich"
        return "rich" if least >= 0.6 and black >= 0.3 else ""


INITIAL_COLOUR = InkColour(GRAY, (0.0,))
"""Of a page's first operator."""


def read_space(given: Any, resources: Any, depth: int = 0) -> InkSpace:
    """Return a colour space by its name or array."""
    if isinstance(given, Name):
        spaces = (resources or {}).get("/ColorSpace")
        found = spaces.get(str(given)) if isinstance(spaces, Dictionary) else None
        return _NAMED_SPACES.get(str(given)) or read_space(found, None, depth + 1)
    if depth > _MAX_DEPTH or not isinstance(given, Array) or not len(given):
        return UNKNOWN
    family = str(given[0])
    if family in _NAMED_SPACES:
        return _NAMED_SPACES[family]
    if family == "/ICCBased" and len(given) > 1:
        return _read_icc_space(given[1])
    if family in {"/Indexed", "/I"} and len(given) > 3:
        base = read_space(given[1], resources, depth + 1)
        return replace(base, components=1, table=_read_palette(given[3]))
    has_inks = family in {"/Separation", "/DeviceN"} and len(given) > 1
    return _read_ink_names(given[1]) if has_inks else UNKNOWN


def _read_icc_space(profile: Any) -> InkSpace:
    if not isinstance(profile, Stream):
        return UNKNOWN
    parts = int(profile.get("/N", 0))
    kind = {1: "gray", 3: "rgb", 4: "cmyk"}.get(parts, "unknown")
    if parts == 3 and str(profile.get("/Alternate", "")).startswith("/Lab"):
        kind = "lab"
    return InkSpace(kind, parts)


def _read_palette(lookup: Any) -> bytes:
    try:
        if isinstance(lookup, Stream):
            return bounded_streams.read_stream(lookup, 1 << 20)
        return bytes(lookup)
    except (StreamTooLargeError, TypeError):
        return b""


def _read_ink_names(given: Any) -> InkSpace:
    names = list(given) if isinstance(given, Array) else [given]
    plain = tuple(str(name).removeprefix("/") for name in names[:_MAX_INK_NAMES])
    space = InkSpace("cmyk", len(plain), plain)
    return replace(space, kind="spot") if space.spots else space
