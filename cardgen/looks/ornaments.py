"""Ornaments of looks: frames, and patterns for backs.

Each is an SVG in one colour on a transparent ground. Turned by half a circle each looks the same,
so that no back tells which way its card lies. Lengths are in millimetres.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping
from functools import cache, lru_cache
from pathlib import Path
from xml.etree import ElementTree

_SVG = "{http://www.w3.org/2000/svg}"
_COMMAND = re.compile(r"([A-Za-z])([^A-Za-z]*)")
_NUMBER = re.compile(r"-?(?:\d+\.?\d*|\.\d+)")
_AXES = {"h": "x", "v": "y", "a": "xy---xy"}
"""The axis of each number of a command; other commands take pairs of x and y."""


def format_mm(value: float) -> str:
    """Format a length with two decimals, so that the bytes are equal on every machine."""
    return f"{round(value, 2) + 0.0:g}"


def place_path(data: str, x: float, y: float, scale: float, scale_y: float | None = None) -> str:
    """Return path data scaled about its origin and moved to x, y. An arc must be relative (`a`)."""
    scales = {"x": scale, "y": scale if scale_y is None else scale_y, "-": 1.0}

    def place(match: re.Match[str]) -> str:
        command, numbers = match[1], _NUMBER.findall(match[2])
        start = {"x": x, "y": y, "-": 0.0} if command.isupper() else {}
        axes = _AXES.get(command.lower(), "xy" * len(numbers))
        return command + " ".join(
            format_mm(float(number) * scales[axis] + start.get(axis, 0.0))
            for number, axis in zip(numbers, axes, strict=False)
        )

    return _COMMAND.sub(place, data)


@cache
def load_parts(file: Path) -> Mapping[str, tuple[Mapping[str, str], ...]]:
    """Return the elements with an id of an SVG file: id → the attributes of the element itself, and
    of each path in it."""
    root = ElementTree.parse(file).getroot()  # noqa: S314 - a file of this package
    return {
        part.attrib["id"]: (part.attrib, *(path.attrib for path in part.iter(f"{_SVG}path")))
        for part in root.iter()
        if "id" in part.attrib
    }


def format_svg(width: float, height: float, content: str, definitions: str = "") -> bytes:
    """Return an SVG of `width` × `height` mm whose content is clipped to its box."""
    box = f"M0 0H{format_mm(width)}V{format_mm(height)}H0Z"
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {format_mm(width)} '
        f'{format_mm(height)}"><defs>{definitions}<clipPath id="c"><path d="{box}"/></clipPath>'
        f'</defs><g clip-path="url(#c)">{content}</g></svg>'
    ).encode()


_PATTERNS = load_parts(Path(__file__).with_name("patterns.svg"))
PATTERN_NAMES = (*_PATTERNS, "rays")
CIRCLE = "M-1 0a.98 .98 0 1 1 2 0a.98 .98 0 1 1 -2 0Z"
"""Unit circle. The radius is too small on purpose: SVG enlarges it to half the chord, so that
rounding cannot shift the centre."""
_MAX_CELLS = 420
"""Maximum number of cells in a pattern; on a large board the cells are larger instead."""
_MAX_KEPT = 32
"""Number of ornaments of a kind that are kept: all cards of a deck have the same."""


@lru_cache(maxsize=_MAX_KEPT)
def draw_frame(width: float, height: float, colour: str, ground: str, shape: str) -> bytes:
    """Draw a double line round a box, filled with `ground`. `shape` is one of `SHAPES`."""
    thick = min(0.7, max(0.22, min(width, height) / 170))
    outer, inner = (SHAPES[shape](width, height, thick * inset) for inset in (0.5, 3.4))
    lines = (
        f'<path d="{outer}" fill="{ground}" stroke-width="{format_mm(thick)}"/>'
        f'<path d="{inner}" fill="none" stroke-width="{format_mm(thick * 0.42)}"/>'
    )
    return format_svg(width, height, f'<g stroke="{colour}">{lines}</g>')


@lru_cache(maxsize=_MAX_KEPT)
def draw_pattern(name: str, width: float, height: float, colour: str, cell: float) -> bytes:
    """Cover a box with a pattern, one of `PATTERN_NAMES`, in cells of at least `cell` mm."""
    cell = max(cell, math.sqrt(width * height / _MAX_CELLS))
    if name == "rays":
        lines, fills = "", draw_rays(width, height, cell)
    else:
        tile, *paths = _PATTERNS[name]
        across, down = cell * float(tile["width"]), cell * float(tile["height"])
        columns, rows = math.ceil(width / across / 2), math.ceil(height / down / 2)
        lines, fills = (
            "".join(
                place_path(path["d"], width / 2 + i * across, height / 2 + j * down, cell)
                for path in paths
                if path.get("class") == kind
                for j in range(-rows, rows + 1)
                for i in range(-columns, columns + 1)
            )
            for kind in (None, "fill")
        )
    return format_svg(
        width,
        height,
        f'<path d="{fills}" fill="{colour}"/><path d="{lines}" fill="none" stroke="{colour}" '
        f'stroke-width="{format_mm(max(0.12, cell * 0.035))}" stroke-linejoin="round"/>',
    )


def draw_rays(width: float, height: float, cell: float) -> str:
    """Return the path of rays from the middle of a box, about `cell` mm apart."""
    far, count = math.hypot(width, height), 2 * min(36, max(10, round(60 / math.sqrt(cell))))
    ends = [
        f"{math.cos(turn) * far:.9f} {math.sin(turn) * far:.9f}"
        for turn in (math.pi * k / count for k in range(2 * count))
    ]
    rays = "".join(f"M0 0L{a}L{b}Z" for a, b in zip(ends[::2], ends[1::2], strict=True))
    return place_path(rays, width / 2, height / 2, 1)


def _draw_box(width: float, height: float, inset: float, corner: float, curve: str) -> str:
    """Return a box `inset` from the edge, with each corner replaced by a command of path data."""
    c = corner
    turns = [f"{curve}{format_mm(x * c)} {format_mm(y * c)}" if c else ""
             for x, y in ((1, 1), (-1, 1), (-1, -1), (1, -1))]  # fmt: skip
    left, top = format_mm(inset + c), format_mm(inset + c)
    right, low = format_mm(width - inset - c), format_mm(height - inset - c)
    return (
        f"M{left} {format_mm(inset)}H{right}{turns[0]}V{low}{turns[1]}H{left}{turns[2]}V{top}"
        f"{turns[3]}Z"
    )


def _draw_notched(width: float, height: float, inset: float) -> str:
    bite = min(width, height) * 0.055 + inset * 0.8
    return _draw_box(width, height, inset, bite, f"a{format_mm(bite)} {format_mm(bite)} 0 0 0 ")


def _draw_cut(width: float, height: float, inset: float) -> str:
    return _draw_box(width, height, inset, min(width, height) * 0.06 + inset * 0.59, "l")


def _draw_round(width: float, height: float, inset: float) -> str:
    return place_path(CIRCLE, width / 2, height / 2, width / 2 - inset, height / 2 - inset)


def _draw_hexagon(width: float, height: float, inset: float) -> str:
    """Draw a hexagon on its point, or on its side where the box is wider than high."""
    flat = width > height
    long, short = (width, height) if flat else (height, width)
    a, b = long / 2 - inset * 1.155, short / 2 - inset
    corners = ((a, 0.0), (a / 2, b), (-a / 2, b), (-a, 0.0), (-a / 2, -b), (a / 2, -b))
    points = (f"{x} {y}" if flat else f"{y} {x}" for x, y in corners)
    return place_path(f"M{'L'.join(points)}Z", width / 2, height / 2, 1)


SHAPES: Mapping[str, Callable[[float, float, float], str]] = {
    "notched": _draw_notched,
    "cut": _draw_cut,
    "square": lambda width, height, inset: _draw_box(width, height, inset, 0, ""),
    "round": _draw_round,
    "hexagon": _draw_hexagon,
}
"""Outlines of frames: width, height and inset in mm → path data."""
