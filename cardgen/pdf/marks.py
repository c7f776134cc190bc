"""Crop marks and slugs, drawn with reportlab as pages to lay over the sheets. Lengths in mm."""

from __future__ import annotations

import io
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from reportlab.lib.units import mm
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFError, TTFont
from reportlab.pdfgen.canvas import Canvas

from cardgen.impose import Grid
from cardgen.units import Size

# A mark begins outside the trim, so that it never prints on a card, and inside the bleed, because
# little else of the margin can be printed on. The paper-white halo makes it visible on any colour.
_GAP, _LENGTH, _EDGE = 1.0, 5.0, 1.0
_LINE, _HALO = 0.15, 0.6
_SLUG_SIZE = 6.5


@dataclass(frozen=True)
class Overlay:
    """What is drawn over one sheet."""

    grid: Grid
    slug: str
    crop_marks: bool


def draw(overlays: Iterable[Overlay], paper: Size, font: Path | None) -> bytes:
    """A PDF with a page for each overlay. `font` is a TrueType file for the slug."""
    out = io.BytesIO()
    name = _font(font)
    size = (paper.width * mm, paper.height * mm)
    # Without a first font of ours reportlab lists Helvetica, which no one embeds.
    canvas = Canvas(out, pagesize=size, invariant=1, initialFontName=name)
    for overlay in overlays:
        if overlay.crop_marks:
            _crop_marks(canvas, overlay.grid)
        _slug(canvas, overlay, name)
        canvas.showPage()
    canvas.save()
    return out.getvalue()


def labels(
    paper: Size,
    title: tuple[float, float, str],
    captions: Iterable[tuple[float, float, str]],
    font: Path | None,
) -> bytes:
    """A one-page PDF with a title and captions, each at its left end and baseline (mm)."""
    out = io.BytesIO()
    name = _font(font)
    size = (paper.width * mm, paper.height * mm)
    canvas = Canvas(out, pagesize=size, invariant=1, initialFontName=name)
    for points, grey, texts in ((11, 0.0, [title]), (6.5, 0.35, captions)):
        canvas.setFillGray(grey)
        canvas.setFont(name, points)
        for x, y, text in texts:
            canvas.drawString(x * mm, y * mm, text)
    canvas.save()
    return out.getvalue()


def _font(path: Path | None) -> str:
    if path is None:
        return "Helvetica"
    try:
        pdfmetrics.registerFont(TTFont(path.stem, str(path)))
    except TTFError:
        return "Helvetica"
    return path.stem


def _crop_marks(canvas: Canvas, grid: Grid) -> None:
    xs, ys = grid.cuts()
    side = min(_GAP + _LENGTH, xs[0] - _EDGE)
    foot = min(_GAP + _LENGTH, ys[0] - _EDGE)
    lines = [
        *((x, y, x, y + way * foot, way) for x in xs for y, way in ((ys[0], -1), (ys[-1], 1))),
        *((x, y, x + way * side, y, way) for y in ys for x, way in ((xs[0], -1), (xs[-1], 1))),
    ]
    for width, white in ((_HALO, True), (_LINE, False)):
        canvas.setStrokeGray(1 if white else 0)
        canvas.setLineWidth(width * mm)
        for x1, y1, x2, y2, way in lines:
            dx, dy = (way * _GAP, 0.0) if y1 == y2 else (0.0, way * _GAP)
            canvas.line((x1 + dx) * mm, (y1 + dy) * mm, x2 * mm, y2 * mm)


def _slug(canvas: Canvas, overlay: Overlay, font: str) -> None:
    """Along the foot where there is room, else up the left side."""
    grid = overlay.grid
    canvas.setFillGray(0.35)
    canvas.setFont(font, _SLUG_SIZE)
    paper, foot, side = grid.paper, grid.bottom - grid.bleed, grid.left - grid.bleed
    if foot >= side:
        canvas.drawCentredString(paper.width / 2 * mm, max(5.5, foot / 2) * mm, overlay.slug)
        return
    canvas.saveState()
    canvas.translate(max(6.5, side / 2 + 1) * mm, paper.height / 2 * mm)
    canvas.rotate(90)
    canvas.drawCentredString(0, 0, overlay.slug)
    canvas.restoreState()
