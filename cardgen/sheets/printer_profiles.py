"""Printers of the user, the offsets of their backs, and the sheet that shows these offsets.

The printers stand in `printers.yaml` of the user's configuration. A correction is given as seen on
the printed back with the paper upright: a counter-clockwise turn about the paper's middle
(degrees), then a move to the right and up (mm).

The front of the calibration sheet has crosses and its back has rulers at the same five places.
Held to the light and seen from the back, the crosses shine through onto the rulers, whose figures
are the correction itself.
"""

from __future__ import annotations

import io
import re
from collections.abc import Mapping
from dataclasses import dataclass
from math import cos, radians, sin
from pathlib import Path
from typing import Any

from cardgen.core import yaml_nodes
from cardgen.core.problems import Problem, Source
from cardgen.core.units import POINTS_PER_MM, Size, format_decimal
from cardgen.core.yaml_nodes import Node
from cardgen.runtime import game_files, safe_files

PRINTERS_FILE = "printers.yaml"
# More than this is a mistake, not a printer's offset.
MAX_OFFSET_MM, MAX_ANGLE_DEGREES = 20.0, 5.0
_PRINTER_NAME_PATTERN = re.compile(r"[A-Za-z0-9][A-Za-z0-9 ._-]{0,59}\Z")
_FILE_HEADER = (
    "# How far backs must move, seen from behind: mm right, mm up, degrees counter-clockwise.\n"
)

_RULER_REACH_MM = 10
MAX_ARM_MM = 100.0
"""Largest distance of the upper and lower rulers from the middle of the paper."""
_MM = POINTS_PER_MM
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


@dataclass(frozen=True)
class PrinterCalibration:
    """Correction of a printer's backs: mm to the right, mm up, degrees counter-clockwise."""

    dx: float = 0.0
    dy: float = 0.0
    angle: float = 0.0

    def __str__(self) -> str:
        return f"{self.dx:+g} mm to the right, {self.dy:+g} mm up, {self.angle:+g}° turned"

    def compute_matrix(self, paper: Size) -> tuple[float, float, float, float, float, float]:
        """Return the PDF matrix (e and f in mm) that turns about the paper's middle, then moves."""
        c, s = cos(radians(self.angle)), sin(radians(self.angle))
        x, y = paper.width / 2, paper.height / 2
        return (c, s, -s, c, x - c * x + s * y + self.dx, y - s * x - c * y + self.dy)


NO_CALIBRATION = PrinterCalibration()


def is_printer_name(name: str) -> bool:
    """Tell whether a printer may have that name."""
    return bool(_PRINTER_NAME_PATTERN.match(name))


def read_printers(folder: Path) -> tuple[dict[str, PrinterCalibration], list[Problem]]:
    """Return all printers of the file, and its problems."""
    path = folder / PRINTERS_FILE
    try:
        text = game_files.read_file(path, game_files.MAX_TEXT_BYTES).decode()
    except game_files.MissingFileError:
        return {}, []
    except (game_files.UnreadableError, UnicodeDecodeError) as error:
        reason = "is not UTF-8 text" if isinstance(error, UnicodeDecodeError) else error
        return {}, [Problem(Source(str(path)), f"the file {reason}", "file")]
    node, problems = yaml_nodes.load(text, str(path))
    printers = node.get("printers") if node else None
    calibrations: dict[str, PrinterCalibration] = {}
    for name, child in printers.items() if printers else ():
        figures = {key: _read_figure(child, key) for key in ("dx", "dy", "angle")}
        invalid_keys = [key for key, value in figures.items() if value is None]
        if invalid_keys or not child.is_mapping:
            wrong = ", ".join(invalid_keys) or "the entry"
            message = (
                f"{name}: {wrong} is not valid; write dx and dy up to {MAX_OFFSET_MM:g} mm, angle "
                f"up to {MAX_ANGLE_DEGREES:g} degrees"
            )
            problems.append(Problem(child.source, message, "type"))
        else:
            valid = {key: float(value or 0) for key, value in figures.items()}
            calibrations[name] = PrinterCalibration(**valid)
    return calibrations, problems


def _read_figure(node: Node, key: str) -> float | None:
    child = node.get(key)
    limit = MAX_ANGLE_DEGREES if key == "angle" else MAX_OFFSET_MM
    return child.get_number(-limit, limit) if child else 0.0


def write_printers(folder: Path, printers: Mapping[str, PrinterCalibration]) -> Path:
    """Write the printers into their file and return its path."""
    # The YAML reader would take a number with an exponent for a word.
    lines = [
        f'  "{name}": {{dx: {format_decimal(c.dx)}, dy: {format_decimal(c.dy)}, '
        f"angle: {format_decimal(c.angle)}}}\n"
        for name, c in sorted(printers.items())
    ]
    path = folder / PRINTERS_FILE
    folder.mkdir(parents=True, exist_ok=True)
    safe_files.replace_file(path, (_FILE_HEADER + "printers:\n" + "".join(lines)).encode())
    return path


def measure_arm(paper: Size) -> float:
    """Return the distance of the outer rulers from the middle of the paper, in mm."""
    return min(MAX_ARM_MM, paper.height / 2 - 35)


def draw_calibration_sheet(paper: Size) -> bytes:
    """Return the PDF with both pages."""
    from reportlab.pdfgen.canvas import Canvas  # noqa: PLC0415 - slow to import

    out = io.BytesIO()
    size = (paper.width * _MM, paper.height * _MM)
    canvas = Canvas(out, pagesize=size, invariant=1, initialFontName=_FONT)
    canvas.setTitle("cardgen calibration")
    middle, away = (paper.width / 2, paper.height / 2), measure_arm(paper)
    aside = paper.width / 4
    _draw_text(canvas, paper, _FRONT_TEXT)
    for x, y in ((0.0, -away), (0.0, 0.0), (0.0, away), (-aside, 0.0), (aside, 0.0)):
        _draw_cross(canvas, middle[0] + x, middle[1] + y)
    canvas.showPage()
    # Degrees per mm of difference between the readings at both ends.
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
    """Draw lines of text half way between the middle and the upper edge, clear of all rulers."""
    canvas.setFillGray(0)
    canvas.setFont(_FONT, min(8.5, 8.5 * paper.width / 210))
    for number, line in enumerate(lines):
        y = (paper.height * 3 / 4 + 8 - 4 * number) * _MM
        canvas.drawCentredString(paper.width / 2 * _MM, y, line)


def _draw_cross(canvas: Any, x: float, y: float) -> None:
    canvas.setLineWidth(0.15 * _MM)
    canvas.setStrokeGray(0)
    canvas.line((x - 15) * _MM, y * _MM, (x + 15) * _MM, y * _MM)
    canvas.line(x * _MM, (y - 15) * _MM, x * _MM, (y + 15) * _MM)


def _draw_ruler(canvas: Any, x: float, y: float, *, upright: bool) -> None:
    """Draw a ruler with a tick each half millimetre and a figure each fifth, zero in the middle."""
    canvas.saveState()
    canvas.translate(x * _MM, y * _MM)
    canvas.setLineWidth(0.1 * _MM)
    canvas.setFont(_FONT, 5.5)
    for half in range(-2 * _RULER_REACH_MM, 2 * _RULER_REACH_MM + 1):
        tick = half / 2
        length = 4.0 if half % 10 == 0 else 3.0 if half % 2 == 0 else 1.5
        ends = (0, tick, length, tick) if upright else (tick, 0, tick, length)
        canvas.line(*(_MM * end for end in ends))
        if half % 10 == 0:
            sign = "+" if half > 0 else "–" if half < 0 else ""
            text = f"{sign}{abs(tick):g}"
            if upright:
                canvas.drawString(4.6 * _MM, (tick - 0.6) * _MM, text)
            else:
                canvas.drawCentredString(tick * _MM, 4.8 * _MM, text)
    reach = _RULER_REACH_MM
    ends = (0, -reach, 0, reach) if upright else (-reach, 0, reach, 0)
    canvas.line(*(_MM * end for end in ends))
    canvas.restoreState()
