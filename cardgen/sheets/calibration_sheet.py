"""The calibration sheet: held to the light, it tells how far a printer's backs are off.

The front has crosses, the back has rulers through the same five places. The back is the side one
looks at: there the front's crosses shine through, upon figures that are the correction itself.
"""

from __future__ import annotations

import io
from typing import Any

from reportlab.lib.units import mm
from reportlab.pdfgen.canvas import Canvas

from cardgen.core.units import Size

_RULER_REACH_MM = 10
MAX_ARM_MM = 100.0
"""The upper and lower rulers lie so far (mm) from the middle, where the paper has room."""
_FONT = "Helvetica"
_FRONT_TEXT = (
    "cardgen calibration · front. Print both pages on one paper, at 100 %, on both sides, turned",
    "over the edge that you will use for the cards. Then look at the back, held to the light.",
)
_BACK_TEXT = (
    "cardgen calibration · back. Hold the paper to the light with this side towards you, upright.",
    "At the middle, read where the front's upright line crosses the level ruler: that is --dx.",
    "At both sides, read where its level line crosses the upright ruler: between them is --dy.",
    "Right and up are +. Read the upper and the lower ruler, too:",
    "--angle is {factor:.3f} × (lower – upper).",
    "Then: cardgen calibrate --printer NAME --dx … --dy … --angle …",
)


def measure_arm(paper: Size) -> float:
    """How far the outer rulers lie from the middle of the paper, mm."""
    return min(MAX_ARM_MM, paper.height / 2 - 35)


def draw_calibration_sheet(paper: Size) -> bytes:
    """The PDF of both pages."""
    out = io.BytesIO()
    canvas = Canvas(
        out, pagesize=(paper.width * mm, paper.height * mm), invariant=1, initialFontName=_FONT
    )
    canvas.setTitle("cardgen calibration")
    middle, away = (paper.width / 2, paper.height / 2), measure_arm(paper)
    aside = paper.width / 4
    _draw_text(canvas, paper, _FRONT_TEXT)
    for x, y in ((0.0, -away), (0.0, 0.0), (0.0, away), (-aside, 0.0), (aside, 0.0)):
        _draw_cross(canvas, middle[0] + x, middle[1] + y)
    canvas.showPage()
    # Degrees for each mm that the readings at both ends differ by.
    factor = 180 / 3.14159265 / (2 * away)
    _draw_text(canvas, paper, [line.format(factor=factor) for line in _BACK_TEXT])
    for y in (-away, 0.0, away):
        _draw_ruler(canvas, middle[0], middle[1] + y, upright=False)
    for x in (-aside, aside):
        _draw_ruler(canvas, middle[0] + x, middle[1], upright=True)
    canvas.showPage()
    canvas.save()
    return out.getvalue()


def _draw_text(canvas: Any, paper: Size, lines: Any) -> None:
    """Half way up to the upper edge, where no ruler runs."""
    canvas.setFillGray(0)
    canvas.setFont(_FONT, min(8.5, 8.5 * paper.width / 210))
    for number, line in enumerate(lines):
        canvas.drawCentredString(
            paper.width / 2 * mm, (paper.height * 3 / 4 + 8 - 4 * number) * mm, line
        )


def _draw_cross(canvas: Any, x: float, y: float) -> None:
    canvas.setLineWidth(0.15 * mm)
    canvas.setStrokeGray(0)
    canvas.line((x - 15) * mm, y * mm, (x + 15) * mm, y * mm)
    canvas.line(x * mm, (y - 15) * mm, x * mm, (y + 15) * mm)


def _draw_ruler(canvas: Any, x: float, y: float, *, upright: bool) -> None:
    """Ticks each half millimetre, figures each fifth one; zero at the middle."""
    canvas.saveState()
    canvas.translate(x * mm, y * mm)
    canvas.setLineWidth(0.1 * mm)
    canvas.setFont(_FONT, 5.5)
    for half in range(-2 * _RULER_REACH_MM, 2 * _RULER_REACH_MM + 1):
        at = half / 2
        length = 4.0 if half % 10 == 0 else 3.0 if half % 2 == 0 else 1.5
        ends = (0, at, length, at) if upright else (at, 0, at, length)
        canvas.line(*(mm * end for end in ends))
        if half % 10 == 0:
            sign = "+" if half > 0 else "–" if half < 0 else ""
            text = f"{sign}{abs(at):g}"
            if upright:
                canvas.drawString(4.6 * mm, (at - 0.6) * mm, text)
            else:
                canvas.drawCentredString(at * mm, 4.8 * mm, text)
    ends = (
        (0, -_RULER_REACH_MM, 0, _RULER_REACH_MM)
        if upright
        else (-_RULER_REACH_MM, 0, _RULER_REACH_MM, 0)
    )
    canvas.line(*(mm * end for end in ends))
    canvas.restoreState()
