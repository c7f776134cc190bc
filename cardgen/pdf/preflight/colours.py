"""Colours of a PDF as ink: of which kind they are, how much they lay down (ISO 32000-1, 8.6)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from pikepdf import Array, Dictionary, Name, Stream

from cardgen.pdf.preflight import streams
from cardgen.pdf.preflight.streams import TooMuch

_PROCESS = frozenset({"Cyan", "Magenta", "Yellow", "Black"})
_SHORT = {
    "/DeviceGray": "gray", "/G": "gray", "/CalGray": "gray", "/DeviceRGB": "rgb", "/RGB": "rgb",
    "/CalRGB": "rgb", "/DeviceCMYK": "cmyk", "/CMYK": "cmyk", "/Lab": "lab", "/Pattern": "pattern",
}  # fmt: skip
PARTS = {"gray": 1, "rgb": 3, "lab": 3, "cmyk": 4}
_DEPTH = 6
_MOST_NAMES = 32
_BLACK, _NONE = 0.85, 0.01
"""From how much of black ink on a text is black, and what of another ink is none."""


@dataclass(frozen=True)
class Space:
    """A colour space. `names` are the inks of a Separation or DeviceN; `table` the colours of an
    indexed one, whose `kind` is that of its colours; `direct` is DeviceCMYK, written as such."""

    kind: str
    parts: int
    names: tuple[str, ...] = ()
    direct: bool = False
    table: bytes | None = None

    @property
    def spots(self) -> tuple[str, ...]:
        """Its inks beside the four."""
        return tuple(name for name in self.names if name not in _PROCESS | {"None", "All"})


GRAY = Space("gray", 1)
RGB = Space("rgb", 3)
CMYK = Space("cmyk", 4, direct=True)
PATTERN = Space("pattern", 0)
UNKNOWN = Space("unknown", 0)
_PLAIN = {"gray": GRAY, "rgb": RGB, "cmyk": CMYK, "lab": Space("lab", 3), "pattern": PATTERN}


@dataclass(frozen=True)
class Colour:
    """A colour as it is set; None are the values of a pattern, whose object `pattern` is."""

    space: Space
    values: tuple[float, ...] | None = None
    pattern: Any = None

    @property
    def key(self) -> tuple[Any, ...]:
        """What tells it from others."""
        drawn = self.pattern.objgen if isinstance(self.pattern, Dictionary | Stream) else (0, 0)
        return self.space.kind, self.space.names, self.space.direct, self.values, drawn

    @property
    def inks(self) -> tuple[float, ...] | None:
        """What of each ink is laid down, 0 to 1; None where the press's profile decides that."""
        if self.values is None or self.space.table is not None or self.space.names == ("All",):
            return None
        if self.space.kind == "gray":
            return tuple(1 - value for value in self.values)
        return self.values if self.space.kind in {"cmyk", "spot"} else None

    @property
    def percent(self) -> float | None:
        """All its inks together."""
        inks = self.inks
        return None if inks is None else 100 * sum(min(1.0, max(0.0, part)) for part in inks)

    @property
    def said(self) -> str:
        """The colour in words."""
        inks = self.inks or ()
        if self.space.direct and len(inks) == 4:
            return " ".join(f"{n}{round(100 * v)}" for n, v in zip("CMYK", inks, strict=True))
        return self.space.kind

    @property
    def white(self) -> bool:
        """Whether it lays down nothing."""
        inks = self.inks
        return inks is not None and max(inks, default=1.0) <= _NONE

    @property
    def black(self) -> str:
        """How it is black: `one ink`, `rich`, `rgb`; "" when it is another colour."""
        if self.values is None:
            return ""
        if self.space.kind == "rgb":
            return "rgb" if len(self.values) == 3 and max(self.values) <= 1 - _BLACK else ""
        inks = self.inks
        if inks is None:
            return ""
        if self.space.kind == "gray" or self.space.names == ("Black",):
            return "one ink" if inks and inks[0] >= _BLACK else ""
        if self.space.direct or self.space.kind == "cmyk":
            return _four(inks)
        return ""


def _four(inks: Sequence[float]) -> str:
    if len(inks) != 4:
        return ""
    others = max(inks[:3])
    if inks[3] >= _BLACK:
        return "one ink" if others <= _NONE else "rich"
    return "rich" if min(inks[:3]) >= 0.6 and inks[3] >= 0.3 else ""


START = Colour(GRAY, (0.0,))
"""Of a page's first operator."""


def space_of(given: Any, resources: Any, depth: int = 0) -> Space:
    """What a colour space is, by its name or array."""
    if depth > _DEPTH or given is None:
        return UNKNOWN
    if isinstance(given, Name):
        if str(given) in _SHORT:
            return _PLAIN[_SHORT[str(given)]]
        held = (resources or {}).get("/ColorSpace")
        found = held.get(str(given)) if isinstance(held, Dictionary) else None
        return space_of(found, None, depth + 1) if found is not None else UNKNOWN
    return _made(given, resources, depth) if isinstance(given, Array) and len(given) else UNKNOWN


def _made(given: Any, resources: Any, depth: int) -> Space:
    """A colour space that is an array."""
    family = str(given[0])
    if family in _SHORT:
        return _PLAIN[_SHORT[family]]
    if family == "/ICCBased" and len(given) > 1:
        return _profiled(given[1])
    if family in {"/Indexed", "/I"} and len(given) > 3:
        return _indexed(given, resources, depth)
    if family in {"/Separation", "/DeviceN"} and len(given) > 1:
        return _named(given[1])
    return UNKNOWN


def _profiled(profile: Any) -> Space:
    if not isinstance(profile, Stream):
        return UNKNOWN
    parts = int(profile.get("/N", 0))
    kind = {1: "gray", 3: "rgb", 4: "cmyk"}.get(parts, "unknown")
    if parts == 3 and str(profile.get("/Alternate", "")).startswith("/Lab"):
        kind = "lab"
    return Space(kind, parts)


def _indexed(given: Any, resources: Any, depth: int) -> Space:
    base = space_of(given[1], resources, depth + 1)
    held = given[3]
    try:
        table = streams.content(held, 1 << 20) if isinstance(held, Stream) else bytes(held)
    except (TooMuch, TypeError):
        table = b""
    return Space(base.kind, 1, base.names, base.direct, table)


def _named(given: Any) -> Space:
    names = list(given) if isinstance(given, Array) else [given]
    plain = tuple(str(name).removeprefix("/") for name in names[:_MOST_NAMES])
    spots = set(plain) - _PROCESS - {"None", "All"}
    kind = "spot" if spots else "cmyk"
    return Space(kind, len(plain), plain)
