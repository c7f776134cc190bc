"""Gradients of a PDF: in which colours they are, and how much ink their ends lay down."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from pikepdf import Array, Dictionary, Stream

from cardgen.pdf.preflight import streams
from cardgen.pdf.preflight.colours import Colour, Space, space_of
from cardgen.pdf.preflight.facts import Painted

_DEPTH = 6
_MOST_STOPS = 4096
_MOST_BYTES = 1 << 20


def put(shading: Any, resources: Any, painted: Painted) -> None:
    """Note what a gradient paints."""
    space = space_of(shading.get("/ColorSpace"), resources)
    painted.colours.add((space.kind, "gradients"))
    painted.spots.update(space.spots)
    if space.kind not in {"gray", "cmyk", "spot"}:
        return
    found = list(_colours(shading.get("/Function"), space))
    if not found:
        painted.unread.add("a gradient between points")
    for values in found:
        colour = Colour(space, values)
        if colour.percent is not None:
            painted.ink("gradients", round(colour.percent, 1), colour.said)


def _colours(function: Any, space: Space) -> Iterator[tuple[float, ...]]:
    """The colours at its stops."""
    if isinstance(function, Array):  # one function for each ink
        each = [list(_stops(one)) for one in list(function)[: space.parts]]
        for values in zip(*each, strict=False):
            yield tuple(value for part in values for value in part)
        return
    for values in _stops(function):
        if len(values) == space.parts:
            yield values


def _stops(function: Any, depth: int = 0) -> Iterator[tuple[float, ...]]:
    if depth > _DEPTH or not isinstance(function, Dictionary | Stream):
        return
    kind = int(function.get("/FunctionType", -1))
    if kind == 2:
        for key, plain in (("/C0", 0.0), ("/C1", 1.0)):
            yield tuple(float(part) for part in function.get(key, [plain]))
    elif kind == 3:
        for inner in list(function.get("/Functions", []))[:_MOST_STOPS]:
            yield from _stops(inner, depth + 1)
    elif kind == 0 and isinstance(function, Stream):
        yield from _sampled(function)


def _sampled(function: Any) -> Iterator[tuple[float, ...]]:
    bounds = [float(value) for value in function.get("/Range", [])]
    parts = len(bounds) // 2
    if int(function.get("/BitsPerSample", 0)) != 8 or not parts:
        return
    data = streams.content(function, _MOST_BYTES)
    for at in range(0, min(len(data), _MOST_STOPS * parts) - parts + 1, parts):
        yield tuple(
            bounds[2 * n] + data[at + n] / 255 * (bounds[2 * n + 1] - bounds[2 * n])
            for n in range(parts)
        )
