"""A drawing's colours changed for the ink that is wanted, by its text alone.

Drawings hold thousands of path operators and a few colours, and no letters; to read every operator
would take longer than all the rest of a sheet. Operators: ISO 32000-1, annex A.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any

from pikepdf import Matrix

from cardgen.core.colour_math import BLACK, Colour, cmyk_to_rgb
from cardgen.pdf.ink_modes import InkMode

_COLOUR_OR_STATE_OPERATOR = re.compile(
    rb"(?<![^\s\]])(?:rg|RG|g|G|k|K|scn|SCN|sc|SC|cm|q|Q)(?![^\s/\[<])"
)
_NUMBER = re.compile(rb"[-+]?(?:\d+\.?\d*|\.\d+)")
_FILL_OPERATOR = re.compile(rb"(?<![^\s])[fFbB]\*?(?![^\s/])")
_OPERAND_COUNTS = {b"g": 1, b"rg": 3, b"k": 4, b"sc": 4, b"scn": 4}
"""How many a colour has at most."""
_SIMPLE, _GROUND = 700, 0.16
"""A ground is a path of fewer bytes, and fills more of the drawing than the second."""

IDENTITY = Matrix()


def recolour_drawing(data: bytes, ink: InkMode, area: float) -> bytes:
    """The content of a drawing of `area` (its own units squared) in its new colours.

    What fills much of it without detail is its ground, and paler than the rest.
    """
    return b"".join(_iterate_recoloured(data, ink, area))


def _iterate_recoloured(data: bytes, ink: InkMode, area: float) -> Iterator[bytes]:
    # A path before the first colour is black.
    yield (
        _format_colour(BLACK, False, ink, False)
        + b" "
        + _format_colour(BLACK, True, ink, False)
        + b"\n"
    )
    ctm, stack, at = IDENTITY, [], 0
    found = list(_COLOUR_OR_STATE_OPERATOR.finditer(data))
    ends = [match.start() for match in found[1:]] + [len(data)]
    for match, end in zip(found, ends, strict=True):
        before, name = data[at : match.start()], match[0]
        at = match.end()
        if name == b"q":
            stack.append(ctm)
        elif name == b"Q":
            ctm = stack.pop() if stack else IDENTITY
        elif name == b"cm":
            ctm = make_matrix(before.rsplit(None, 6)[-6:]) @ ctm
        elif (colour := _split_colour(before, name)) is not None:
            rest, parts = colour
            ground = _measure_cover(data[at:end], ctm) > _GROUND * area
            yield rest + _format_colour(operands_to_rgb(parts), name.isupper(), ink, ground)
            continue
        yield before + name
    yield data[at:]


def _split_colour(before: bytes, name: bytes) -> tuple[bytes, list[bytes]] | None:
    """What stands before a colour's operands, and they; None for a pattern's name."""
    words = before.rsplit(None, _OPERAND_COUNTS[name.lower()])
    parts: list[bytes] = []
    while words and len(parts) < _OPERAND_COUNTS[name.lower()] and _NUMBER.fullmatch(words[-1]):
        parts.insert(0, words.pop())
    if not parts:
        return None
    split = before.rsplit(None, len(parts))
    return (split[0] + b" " if len(split) > len(parts) else b""), parts


def _measure_cover(path: bytes, ctm: Matrix) -> float:
    """The area of the box round a plain filled path; 0 where it is none."""
    if len(path) > _SIMPLE or not _FILL_OPERATOR.search(path):
        return 0.0
    spots = list(_iterate_corners(path, ctm))
    if not spots:
        return 0.0
    across, up = [x for x, _ in spots], [y for _, y in spots]
    return (max(across) - min(across)) * (max(up) - min(up))


def _iterate_corners(path: bytes, ctm: Matrix) -> Iterator[tuple[float, float]]:
    numbers: list[float] = []
    for token in path.split():
        if _NUMBER.fullmatch(token):
            numbers.append(float(token))
            continue
        if token == b"re" and len(numbers) == 4:
            x, y, width, height = numbers
            numbers = [x, y, x + width, y + height]
        if token in {b"m", b"l", b"c", b"v", b"y", b"re"}:
            yield from map(ctm.transform, zip(numbers[::2], numbers[1::2], strict=False))
        numbers = []


def _format_colour(colour: Colour, stroke: bool, ink: InkMode, ground: bool) -> bytes:
    changed = (ink.convert_backdrop if ground else ink.convert_picture)(colour)
    if ink.grey:
        return b"%.4g %s" % (changed[0], b"G" if stroke else b"g")
    return b"%.4g %.4g %.4g %s" % (*changed, b"RG" if stroke else b"rg")


def operands_to_rgb(operands: Iterable[Any]) -> Colour:
    """Grey, RGB or CMYK operands as RGB, 0 to 1."""
    parts = [float(part) for part in operands]
    if len(parts) == 1:
        return (parts[0],) * 3
    if len(parts) == 4:
        return cmyk_to_rgb(parts)
    return parts[0], parts[1], parts[2]


def make_matrix(parts: Iterable[Any]) -> Matrix:
    """Six operands of `cm` as the matrix that they are."""
    return Matrix(*map(float, parts))
