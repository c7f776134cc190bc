"""Path data of SVG parts, scaled and moved to a place in a drawing. Lengths are in millimetres."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
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
