"""What all drawing scripts share: numbers, path data, elements and files of SVG.

Lengths are 0.1 mm. Functions named after a figure return path data; the others return elements.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path

ART = Path(__file__).resolve().parents[1]
PAPER, INK = "#f1e6cf", "#211d1a"

Point = tuple[float, float]


def num(value: float) -> str:
    """One decimal at most, no idle noughts."""
    text = f"{value:.1f}".removesuffix(".0")
    return "0" if text == "-0" else text


def short(value: float) -> str:
    """The same without the nought before the point, for files of thousands of dots."""
    text = num(value)
    return text.replace("0.", ".") if text.startswith(("0.", "-0.")) else text


def circle(x: float, y: float, radius: float, number: Callable[[float], str] = num) -> str:
    """A circle as one arc that all but closes: about twenty characters."""
    r = number(radius)
    return f"M{number(x)} {number(y - radius)}a{r} {r} 0 1 1-.1 0z"


def polygon(points: Iterable[Point], number: Callable[[float], str] = num) -> str:
    """Straight lines through the points and back to the first."""
    return "M" + "L".join(f"{number(x)} {number(y)}" for x, y in points) + "z"


def element(name: str, inner: str = "", /, **attributes: str | float) -> str:
    """One element; `stroke_width=2` becomes `stroke-width="2"`."""
    texts = {key: v if isinstance(v, str) else num(v) for key, v in attributes.items()}
    start = name + "".join(f' {key.replace("_", "-")}="{v}"' for key, v in texts.items())
    return f"<{start}>{inner}</{name}>" if inner else f"<{start}/>"


def fill(colour: str, d: str, **attributes: str | float) -> str:
    """A path in one flat colour."""
    return element("path", fill=colour, **attributes, d=d)


def document(width: float, height: float, title: str, *parts: str) -> str:
    """A whole SVG file, one part a line."""
    size = f'width="{num(width / 10)}mm" height="{num(height / 10)}mm"'
    lines = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" {size}>',
        f"<title>{title}</title>",
        *parts,
        "</svg>\n",
    )
    return "\n".join(lines)


def save(name: str, text: str) -> None:
    """Write a file below art/, the same bytes on every system."""
    file = ART / name
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, encoding="utf-8", newline="\n")
