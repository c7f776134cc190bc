"""Printers and how far off their backs are, in the user's own configuration.

`printers.yaml` holds them, one line each. A correction is told as one looks at the printed back,
the paper upright: how far its picture must move to the right and up (mm), after it was turned
counter-clockwise about the paper's middle (degrees).
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from math import cos, radians, sin
from pathlib import Path

from cardgen.core import yaml_nodes
from cardgen.core.problems import Problem, Source
from cardgen.core.units import Size
from cardgen.core.yaml_nodes import Node
from cardgen.runtime import game_files, safe_files

PRINTERS_FILE = "printers.yaml"
# More is no printer that is a little off, but a mistake.
MOST_MM, MOST_DEGREES = 20.0, 5.0
_PRINTER_NAME_PATTERN = re.compile(r"[A-Za-z0-9][A-Za-z0-9 ._-]{0,59}\Z")
_FILE_HEADER = (
    "# How far backs must move, seen from behind: mm right, mm up, degrees counter-clockwise.\n"
)


@dataclass(frozen=True)
class PrinterCalibration:
    """The correction of a printer's backs: mm to the right, mm up, degrees counter-clockwise."""

    dx: float = 0.0
    dy: float = 0.0
    angle: float = 0.0

    def __str__(self) -> str:
        return f"{self.dx:+g} mm to the right, {self.dy:+g} mm up, {self.angle:+g}° turned"

    def compute_matrix(self, paper: Size) -> tuple[float, float, float, float, float, float]:
        """As PDF has it, a b c d without unit, e f in mm: turned about the middle, then moved."""
        c, s = cos(radians(self.angle)), sin(radians(self.angle))
        x, y = paper.width / 2, paper.height / 2
        return (c, s, -s, c, x - c * x + s * y + self.dx, y - s * x - c * y + self.dy)


NO_CALIBRATION = PrinterCalibration()


def is_printer_name(name: str) -> bool:
    """Whether a printer may be called that."""
    return bool(_PRINTER_NAME_PATTERN.match(name))


def read_printers(folder: Path) -> tuple[dict[str, PrinterCalibration], list[Problem]]:
    """Every printer known, and what is wrong with the file."""
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
    found: dict[str, PrinterCalibration] = {}
    for name, child in printers.items() if printers else ():
        figures = {key: _read_figure(child, key) for key in ("dx", "dy", "angle")}
        wrong = [key for key, value in figures.items() if value is None]
        if wrong or not child.is_mapping:
            message = f"{name}: {', '.join(wrong) or 'what it holds'} is no figure in bounds"
            problems.append(Problem(child.source, message, "type"))
        else:
            found[name] = PrinterCalibration(
                **{key: float(value or 0) for key, value in figures.items()}
            )
    return found, problems


def _read_figure(node: Node, key: str) -> float | None:
    child = node.get(key)
    most = MOST_DEGREES if key == "angle" else MOST_MM
    return child.get_number(-most, most) if child else 0.0


def write_printers(folder: Path, printers: Mapping[str, PrinterCalibration]) -> Path:
    """Keep the printers; the file's path."""
    lines = [
        f'  "{name}": {{dx: {_format_decimal(c.dx)}, dy: {_format_decimal(c.dy)}, angle: {_format_decimal(c.angle)}}}\n'
        for name, c in sorted(printers.items())
    ]
    path = folder / PRINTERS_FILE
    folder.mkdir(parents=True, exist_ok=True)
    safe_files.replace_file(path, (_FILE_HEADER + "printers:\n" + "".join(lines)).encode())
    return path


def _format_decimal(value: float) -> str:
    """Without an exponent, which the reader would take for a word."""
    return f"{value:.4f}".rstrip("0").rstrip(".")
