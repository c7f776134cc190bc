"""Lengths in mm, and the sizes of cards and papers by their trade names.

Sizes follow ISO 216, ANSI and the makers' tables that docs/reference.md lists.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TypeGuard

from cardgen.core.problems import did_you_mean

MM_PER_INCH = 25.4
POINTS_PER_MM = 72 / MM_PER_INCH
CSS_PX_PER_MM = 96 / MM_PER_INCH

CARD_SIZES: dict[str, tuple[float, float]] = {
    "poker": (63.5, 88.9),
    "standard": (63.0, 88.0),
    "bridge": (57.15, 88.9),
    "tarot": (69.85, 120.65),
    "mini-american": (41.0, 63.0),
    "mini-euro": (44.0, 68.0),
    "mini": (44.45, 63.5),
    "japanese": (59.0, 86.0),
    "euro": (59.0, 92.0),
    "square": (70.0, 70.0),
    "domino": (44.45, 88.9),
    "jumbo": (88.9, 139.7),
    "a4": (210.0, 297.0),
    "a5": (148.0, 210.0),
    "a6": (105.0, 148.0),
    "a7": (74.0, 105.0),
}

PAPERS: dict[str, tuple[float, float]] = {
    "a4": (210.0, 297.0),
    "letter": (215.9, 279.4),
    "a3": (297.0, 420.0),
    "legal": (215.9, 355.6),
    "tabloid": (279.4, 431.8),
    "a2": (420.0, 594.0),
}

MAX_NAME_LENGTH = 100
"""Maximum number of characters of an id or font family; files are named after them."""
NUMERAL_PATTERN = r"[0-9]{1,9}(?:\.[0-9]{1,20})?"
"""A decimal number in ASCII digits, no longer than any length needs."""
_NUMERAL_PATTERN = re.compile(NUMERAL_PATTERN)
_GRID_PATTERN = re.compile(r"\s*([1-9][0-9]?)\s*[x×]\s*([1-9][0-9]?)\s*")
_SEPARATOR_PATTERN = re.compile(r"\s*,\s*|\s+")
DIMENSIONS_PATTERN = re.compile(
    rf"\s*({NUMERAL_PATTERN})\s*[x×]\s*({NUMERAL_PATTERN})\s*(?:mm)?\s*\Z"
)


def is_number(value: object) -> TypeGuard[int | float]:
    """Return True for an int or float that is not a bool."""
    return isinstance(value, int | float) and not isinstance(value, bool)


def is_integer(value: object) -> TypeGuard[int]:
    """Return True for an int that is not a bool."""
    return isinstance(value, int) and not isinstance(value, bool)


@dataclass(frozen=True)
class Size:
    """Width and height in mm."""

    width: float
    height: float

    def __str__(self) -> str:
        return f"{self.width:g} × {self.height:g} mm"

    def rotate(self) -> Size:
        """Return the size with width and height swapped."""
        return Size(self.height, self.width)

    def measure_difference(self, other: Size) -> float:
        """Return the larger difference of the sides of two sizes in mm, both upright."""
        sides, others = (sorted((each.width, each.height)) for each in (self, other))
        return max(abs(side - other_side) for side, other_side in zip(sides, others, strict=True))


@dataclass(frozen=True)
class Box:
    """Rectangle given by its edges, in mm or pt; y counts upwards."""

    left: float
    bottom: float
    right: float
    top: float

    @property
    def width(self) -> float:
        return self.right - self.left

    @property
    def height(self) -> float:
        return self.top - self.bottom

    def move(self, x: float, y: float) -> Box:
        """Return the box moved by x and y."""
        return Box(self.left + x, self.bottom + y, self.right + x, self.top + y)

    def join(self, other: Box) -> Box:
        """Return the box around this one and another."""
        left, bottom = min(self.left, other.left), min(self.bottom, other.bottom)
        return Box(left, bottom, max(self.right, other.right), max(self.top, other.top))

    def grow(self, by: float) -> Box:
        """Return the box with every edge moved outwards."""
        return Box(self.left - by, self.bottom - by, self.right + by, self.top + by)


@dataclass(frozen=True)
class Margins:
    """Distances from the edges of a paper, in mm."""

    top: float
    right: float
    bottom: float
    left: float

    def __str__(self) -> str:
        sides = (self.top, self.right, self.bottom, self.left)
        return ",".join(f"{side:g}" for side in (sides[:1] if len(set(sides)) == 1 else sides))


DEFAULT_MARGINS = Margins(5.0, 5.0, 5.0, 5.0)
"""What home printers reach; they leave 4 to 6.7 mm."""
NO_GAP = Size(0.0, 0.0)


def parse_margins(text: str, most: float) -> Margins | None:
    """Return margins up to `most` mm written as in CSS: one to four numbers, with commas or spaces
    between them. Return None where the text has another form."""
    parts = _SEPARATOR_PATTERN.split(text.strip())
    sides = [float(part) for part in parts if _NUMERAL_PATTERN.fullmatch(part)]
    if not 1 <= len(sides) == len(parts) <= 4 or max(sides) > most:
        return None
    top, right, bottom, left = (sides * 4)[:4] if len(sides) != 3 else (*sides, sides[1])
    return Margins(top, right, bottom, left)


def parse_gap(text: str, most: float) -> Size | None:
    """Return gaps up to `most` mm, across and down: `4` is both, `4x0` is none between rows.
    Return None where the text has another form."""
    match = DIMENSIONS_PATTERN.match(text if "x" in text or "×" in text else f"{text}x{text}")
    gap = Size(float(match[1]), float(match[2])) if match else None
    return gap if gap and max(gap.width, gap.height) <= most else None


def format_gap(gap: Size) -> str:
    """Return a gap in the shortest form that `parse_gap` reads."""
    across, down = f"{gap.width:g}", f"{gap.height:g}"
    return across if across == down else f"{across}x{down}"


def parse_grid(text: str) -> tuple[int, int] | None:
    """Return columns and rows written as `2x3`, each from 1 to 99; None for any other text."""
    match = _GRID_PATTERN.fullmatch(text)
    return (int(match[1]), int(match[2])) if match else None


def parse_size(text: str, names: dict[str, tuple[float, float]]) -> Size | None:
    """Return the size for a name (`poker`, `a5 landscape`) or dimensions (`63.5 x 88.9`), or
    None."""
    words = text.lower().split()
    turn = len(words) == 2 and words[1] == "landscape"
    if words and words[0] in names and (len(words) == 1 or turn):
        size = Size(*names[words[0]])
        return size.rotate() if turn else size
    match = DIMENSIONS_PATTERN.match(text)
    if match and float(match[1]) > 0 and float(match[2]) > 0:
        return Size(float(match[1]), float(match[2]))
    return None


def parse_paper(text: str) -> Size | None:
    """Return a paper size in portrait format, or None unless its sides are 50 to 2000 mm."""
    size = parse_size(text, PAPERS)
    if size is None or not all(50 <= side <= 2000 for side in (size.width, size.height)):
        return None
    return size.rotate() if size.width > size.height else size


def format_unknown_paper(text: str) -> str:
    """Return the message about a paper that `parse_paper` does not accept."""
    if size := parse_size(text, PAPERS):
        return f"{size} is not between 50 and 2000 mm"
    return f"unknown paper '{text}'{did_you_mean(text, PAPERS) or '; or a size such as 320x450'}"


def convert_to_points(mm: float) -> float:
    """Convert mm to PDF points (1/72 in)."""
    return mm * POINTS_PER_MM


def format_decimal(value: float, digits: int = 4) -> str:
    """Format a number without an exponent and without zeros at its end."""
    return f"{value:.{digits}f}".rstrip("0").rstrip(".")
