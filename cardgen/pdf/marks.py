"""Marks, slugs and captions, drawn with reportlab as pages to lay over others. Lengths in mm."""

from __future__ import annotations

import io
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from reportlab.lib.units import mm
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFError, TTFont
from reportlab.pdfgen.canvas import Canvas

from cardgen.guides import CUT_LINE, Guide, Label, Line, Patch
from cardgen.guides import Path as Outlined
from cardgen.units import Size

# The paper-white halo makes a mark visible on any colour. Style: line and halo, mm.
_LINES = {"crop": (0.15, 0.6), "fold": (0.2, 0.6), "join": (0.2, 0.7)}
_SLUG_SIZE, _SLUG_LEAST = 6.5, 4.5
# Slugs keep so far from the paper's edges.
_SLUG_EDGE = 6.0


@dataclass(frozen=True)
class Overlay:
    """What is drawn over one page. `slug_at` is the middle of its line: x, y, degrees."""

    guides: Sequence[Guide]
    slug: str = ""
    slug_at: tuple[float, float, int] = (0.0, 0.0, 0)


def draw(overlays: Iterable[Overlay], paper: Size, font: Path | None) -> bytes:
    """A PDF with a page for each overlay. `font` is a TrueType file for the slug."""
    out = io.BytesIO()
    name = _font(font)
    size = (paper.width * mm, paper.height * mm)
    # Without a first font of ours reportlab lists Helvetica, which no one embeds.
    canvas = Canvas(out, pagesize=size, invariant=1, initialFontName=name)
    for overlay in overlays:
        _guides(canvas, overlay.guides, name)
        _slug(canvas, overlay, paper, name)
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


def _guides(canvas: Any, guides: Sequence[Guide], font: str) -> None:
    for patch in guides:
        if isinstance(patch, Patch):
            box = patch.box
            canvas.setFillGray(patch.grey)
            canvas.rect(
                box.left * mm, box.bottom * mm, box.width * mm, box.height * mm, stroke=0, fill=1
            )
    _lines(canvas, [guide for guide in guides if isinstance(guide, Line)])
    canvas.setStrokeGray(0.4)
    canvas.setLineWidth(CUT_LINE * mm)
    for outline in guides:
        if isinstance(outline, Outlined):
            path = canvas.beginPath()
            path.moveTo(*(mm * value for value in outline.points[0]))
            for x, y in outline.points[1:]:
                path.lineTo(x * mm, y * mm)
            if outline.closed:
                path.close()
            canvas.drawPath(path)
    for label in guides:
        if isinstance(label, Label):
            _label(canvas, label, font)


def _lines(canvas: Any, lines: Sequence[Line]) -> None:
    for halo in (True, False):
        canvas.setStrokeGray(1 if halo else 0)
        for line in lines:
            thin, wide = _LINES[line.style]
            canvas.setLineWidth((wide if halo else thin) * mm)
            canvas.setDash([] if halo or line.style != "fold" else [2 * mm, 1.5 * mm])
            canvas.line(line.x1 * mm, line.y1 * mm, line.x2 * mm, line.y2 * mm)
    canvas.setDash([])


def _label(canvas: Any, label: Label, font: str) -> None:
    width = pdfmetrics.stringWidth(label.text, font, label.points)
    x, y = label.x * mm - (width / 2 if label.middle else 0), label.y * mm
    if label.patch:
        canvas.setFillGray(1)
        canvas.rect(x - 1, y - 1, width + 2, label.points * 0.72 + 2, stroke=0, fill=1)
    canvas.setFillGray(0)
    canvas.setFont(font, label.points)
    canvas.drawString(x, y, label.text)


def _slug(canvas: Any, overlay: Overlay, paper: Size, font: str) -> None:
    """The line in the middle of its place, in smaller type where the paper is short of room."""
    x, y, turn = overlay.slug_at
    room = ((paper.height if turn else paper.width) - 2 * _SLUG_EDGE) * mm
    width = pdfmetrics.stringWidth(overlay.slug, font, _SLUG_SIZE)
    size = max(_SLUG_LEAST, min(_SLUG_SIZE, _SLUG_SIZE * room / width)) if width else _SLUG_SIZE
    canvas.saveState()
    canvas.setFillGray(0.35)
    canvas.setFont(font, size)
    canvas.translate(x * mm, y * mm)
    canvas.rotate(turn)
    canvas.drawCentredString(0, 0, overlay.slug)
    canvas.restoreState()
