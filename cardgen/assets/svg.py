"""SVG files, read: a tree of UTF-8 and without entities, and the numbers in it that are any.

Lengths are CSS px, 96 to the inch.
"""

from __future__ import annotations

import math
import re
from xml.etree import ElementTree
from xml.etree.ElementTree import Element
from xml.parsers import expat

from cardgen.assets.file_kinds import kind_of

LARGEST_PX = 10_000.0
"""So long is a side at most: a larger drawing is taken to be smaller, in its proportions."""
_NUMBER = r"[-+]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][-+]?[0-9]+)?"
_NUMBERED = re.compile(_NUMBER)
_LENGTH = re.compile(rf"\s*({_NUMBER})\s*(mm|cm|in|pt|px)?\s*\Z")
_PX_PER = {"mm": 96 / 25.4, "cm": 96 / 2.54, "in": 96.0, "pt": 96 / 72, "px": 1.0, "": 1.0}
_LEAST, _MOST = 1e-9, 1e9
_DOCTYPE = re.compile(
    r"<!DOCTYPE\s+svg(?:\s+(?:PUBLIC|SYSTEM)(?:\s+(?:\"[^\"<>]*\"|'[^'<>]*'))+)?\s*>"
)
"""What Illustrator and others begin with. It declares nothing, and nothing is fetched for it."""


def tree(data: bytes) -> Element:
    """The drawing as elements. Raises `ValueError`, which goes on after its name."""
    kind = kind_of(data)
    if kind not in ("", "an SVG", "UTF-16 text"):
        raise ValueError("is empty" if kind == "empty" else f"is {kind}, and no SVG")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise ValueError("is not UTF-8; save it as UTF-8") from None
    text = without_doctype(text)
    if "<!DOCTYPE" in text or "<!ENTITY" in text:
        raise ValueError(f"has a DOCTYPE with declarations; {_WITHOUT}")
    try:
        return ElementTree.fromstring(text)  # noqa: S314 - no entities; UTF-8, whatever it declares
    except ElementTree.ParseError as error:
        raise ValueError(f"cannot be read: {error}") from None


_WITHOUT = "take it out, or export anew (Illustrator: without 'Preserve Editing Capabilities')"


def without_doctype(text: str) -> str:
    """The drawing without a DOCTYPE that declares nothing, its lines where they were."""
    return _DOCTYPE.sub(lambda match: "\n" * match[0].count("\n"), text, count=1)


def lines(data: bytes) -> list[int]:
    """The line of each element's tag, in the order of the tree. For what `tree` has read."""
    found: list[int] = []
    reader = expat.ParserCreate("utf-8")
    reader.StartElementHandler = lambda *_: found.append(reader.CurrentLineNumber)
    reader.Parse(without_doctype(data.decode("utf-8-sig")).encode(), True)
    return found


def numbers(text: str) -> list[float]:
    """The numbers of a list, `0 0 24,24` or `.5-3`. Raises `ValueError` where one is none."""
    if _NUMBERED.sub(" ", text).strip(" ,\t\r\n"):
        raise ValueError(f"'{text[:40]}' are no numbers")
    return [number(part) for part in _NUMBERED.findall(text)]


def number(text: str) -> float:
    """A number as SVG writes it. Raises `ValueError` for what is none, infinite or beyond use."""
    value = float(text) if _NUMBERED.fullmatch(text) and len(text) < 40 else math.nan
    if not abs(value) < _MOST:
        raise ValueError(f"'{text[:40]}' is no number that can be drawn")
    return value if abs(value) > _LEAST else 0.0


def size(element: Element) -> tuple[float, float]:
    """Width and height of a drawing, by `width` and `height` or by its viewBox. Raises
    `ValueError`, which goes on after its name."""
    box = view(element)
    width, height = (_px(element.get(key, "")) for key in ("width", "height"))
    if box:
        width, height = width or box[2], height or box[3]
    if not width or not height:
        raise ValueError("has neither width and height nor a viewBox")
    shrunk = min(1.0, LARGEST_PX / max(width, height))
    return width * shrunk, height * shrunk


def view(element: Element) -> list[float]:
    """The four numbers of the viewBox; nothing where there is none. Raises `ValueError`."""
    written = element.get("viewBox")
    if written is None:
        return []
    try:
        box = numbers(written)
    except ValueError:
        box = []
    if len(box) != 4 or min(box[2:]) <= 0:
        asked = "four numbers are asked for, such as 0 0 100 140, the last two above 0"
        raise ValueError(f"has the viewBox '{written[:40]}'; {asked}")
    return box


def length(text: str, whole: float) -> float:
    """A length in the drawing's own units, `12`, `0.5px`, `3mm`, or a percentage of `whole`. Raises
    `ValueError` for what is none."""
    written = text.strip()
    if written.endswith("%"):
        return number(written[:-1].strip()) / 100 * whole
    match = _LENGTH.match(written)
    return number(match[1]) * _PX_PER[match[2] or ""] if match else number(written)


def _px(length: str) -> float:
    """A length that is one and above 0; 0 for any other, such as 100 %."""
    match = _LENGTH.match(length)
    try:
        value = number(match[1]) if match else 0.0
    except ValueError:
        return 0.0
    return max(0.0, value) * _PX_PER[match[2] or ""] if match else 0.0
