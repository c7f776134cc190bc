"""Marks, slugs and labels as operators, to draw over the pieces of a page. Lengths in mm."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from cardgen.base.units import Size, points
from cardgen.pdf.operators import numbers
from cardgen.sheets.caption_forms import Letters, Spot
from cardgen.sheets.captions import SLUG_GREY
from cardgen.sheets.captions import Line as Words
from cardgen.sheets.guides import CUT_LINE, Guide, Label, Line, Patch, Path

# The paper-white halo makes a mark visible on any colour. Style: line and halo, mm.
_LINES = {"crop": (0.15, 0.6), "fold": (0.2, 0.6), "join": (0.2, 0.7)}
_DASH = (2.0, 1.5)
_HALO = 0.3
_CONTOUR = 0.15
_CONTOURS: Mapping[str, tuple[tuple[float, float, float], tuple[float, ...]]] = {
    "cut": ((0.85, 0.0, 0.45), ()),
    "bleed": ((0.0, 0.4, 0.8), (2.4, 1.0)),
    "safe": ((0.0, 0.5, 0.2), (0.9, 0.6)),
}
"""Lines of a proof by what they show: red, green and blue, and dashes, mm. They are told apart
without their colours, too."""
_SLUG_SIZE, _SLUG_LEAST = 6.5, 4.5
# Slugs keep so far from the paper's edges.
_SLUG_EDGE = 6.0


def drawn(guides: Iterable[Guide]) -> str:
    """The operators of all guides but labels: patches below lines, outlines above them."""
    listed = list(guides)
    parts = [*_patches(listed), *_lines([g for g in listed if isinstance(g, Line)])]
    outlines = [_outline(guide) for guide in listed if isinstance(guide, Path)]
    if outlines:
        parts += [f"{_lengths(CUT_LINE)} w", *outlines]
    return "\n".join(parts)


def _patches(guides: Iterable[Guide]) -> Iterator[str]:
    for patch in guides:
        if isinstance(patch, Patch):
            box = patch.box
            yield f"{numbers(patch.grey)} g"
            yield f"{_lengths(box.left, box.bottom, box.width, box.height)} re f"


def _lines(lines: Sequence[Line]) -> Iterator[str]:
    for halo in (True, False) if lines else ():
        yield "1 G" if halo else "0 G"
        for line in lines:
            thin, wide = _LINES[line.style]
            dashed = not halo and line.style == "fold"
            yield f"[{_lengths(*_DASH) if dashed else ''}] 0 d {_lengths(wide if halo else thin)} w"
            yield f"{_lengths(line.x1, line.y1)} m {_lengths(line.x2, line.y2)} l S"
    if lines:
        yield "[] 0 d"


def contour(style: str, along: Sequence[tuple[float, float]], *, closed: bool = True) -> str:
    """The operators of a line of a proof along points, closed or not: cut, bleed or safe."""
    colour, dash = _CONTOURS[style]
    first, *rest = (_lengths(x, y) for x, y in along)
    path = " ".join([f"{first} m", *(f"{point} l" for point in rest), "s" if closed else "S"])
    return (
        f"q 1 G {_lengths(_HALO)} w {path} "
        f"{numbers(*colour)} RG [{_lengths(*dash)}] 0 d {_lengths(_CONTOUR)} w {path} Q"
    )


def _outline(path: Path) -> str:
    first, *rest = (_lengths(x, y) for x, y in path.points)
    along = " ".join(f"{point} l" for point in rest)
    return f"{numbers(path.grey)} G {first} m {along} {'s' if path.closed else 'S'}"


def _lengths(*values: float) -> str:
    return numbers(*map(points, values))


def labels(guides: Iterable[Guide], letters: Letters, forms: dict[str, Any]) -> str:
    """The operators of the labels among guides; their forms join `forms`."""
    return "\n".join(_label(g, letters, forms) for g in guides if isinstance(g, Label))


def _label(label: Label, letters: Letters, forms: dict[str, Any]) -> str:
    line = Words(label.text)
    put = letters.put(line, Spot(label.x, label.y, label.points, label.middle), forms)
    if not label.patch:
        return put
    width = letters.width(line, label.points)
    x, y = points(label.x) - (width / 2 if label.middle else 0), points(label.y)
    return f"1 g {numbers(x - 1, y - 1, width + 2, label.points * 0.72 + 2)} re f\n{put}"


def slug(
    text: str, at: tuple[float, float, int], paper: Size, letters: Letters, forms: dict[str, Any]
) -> str:
    """The line in the middle of its place, in smaller type where the paper is short of room."""
    x, y, turn = at
    line = Words(text, SLUG_GREY)
    room = points((paper.height if turn else paper.width) - 2 * _SLUG_EDGE)
    width = letters.width(line, _SLUG_SIZE)
    size = max(_SLUG_LEAST, min(_SLUG_SIZE, _SLUG_SIZE * room / width)) if width else _SLUG_SIZE
    return letters.put(line, Spot(x, y, size, True, turn), forms)
