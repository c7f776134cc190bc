"""PDF operators that paint a form onto a page (ISO 32000-1, 8.4.4 and 8.8). Lengths in mm."""

from __future__ import annotations

from cardgen.base.units import Box, points

Matrix = tuple[float, float, float, float, float, float]
"""a b c d without unit, e f in mm."""


def painted(name: str, clip: Box, matrix: Matrix) -> str:
    """The form of that name, put in place by the matrix and cut to `clip`."""
    a, b, c, d, e, f = matrix
    rectangle = (clip.left, clip.bottom, clip.right - clip.left, clip.top - clip.bottom)
    return (
        f"q {numbers(*map(points, rectangle))} re W n "
        f"{numbers(a, b, c, d, points(e), points(f))} cm /{name} Do Q"
    )


def moved(content: str, matrix: Matrix) -> str:
    """All of a page's content, moved by the matrix."""
    a, b, c, d, e, f = matrix
    return f"q {numbers(a, b, c, d)} {numbers(points(e), points(f))} cm\n{content}\nQ"


def numbers(*values: float) -> str:
    """Operands, in points where they are lengths."""
    return " ".join(f"{value:.5f}".rstrip("0").rstrip(".") for value in values)
