"""A book's blocks: what stands in it one below the other, each with a digest of all that its
layout hangs on, and places between and within them.

A block is a child of the HTML's `main`, or another child of its `body`. Its digest is that of its
boxes before layout: their kinds, texts, elements with attributes, and for each style what the
cascade gave it, up to the root. So two blocks of one digest, laid out from the same place on with
the same stylesheets, fonts and pictures, come out the same.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from cardgen.pdf.weasyprint_library import Pending, boxes

_ADDRESS = re.compile(r" at 0x[0-9a-f]+")
_FLAGS = ("leading_collapsible_space", "trailing_collapsible_space", "is_outside_marker")


class Doubt(Exception):  # noqa: N818 - it reads as what it says
    """Something of a layout is not as it must be for pages to be taken from the last one."""


@dataclass(frozen=True)
class Place:
    """Where a page begins: in which block, and how deep within it.

    `depth` is 0 at the book's beginning, else how many numbers of WeasyPrint's `resume_at` tell the
    block; `rest` is what remains of that, as lists, None at the block's own beginning.
    """

    depth: int
    block: int
    rest: Any = None


class Blocks:
    """The blocks of a box tree before its layout. Raises `Doubt` where it is no book's."""

    def __init__(self, root: Any) -> None:
        if len(root.children) != 1:
            raise Doubt
        (body,) = root.children
        self._ways: list[tuple[int, ...]] = []
        self._boxes: list[Any] = []
        around = [root, body]
        for number, part in enumerate(body.children):
            apart = part.element_tag == "main" and all(map(_is_block, part.children))
            inner = list(enumerate(part.children)) if apart else []
            self._ways += [(number, index) for index, _ in inner] or [(number,)]
            self._boxes += [child for _, child in inner] or [part]
            around += [part] if inner else []
        self._around = around
        self._numbers = {way: number for number, way in enumerate(self._ways)}
        self._of_box = {id(box): number for number, box in enumerate(self._boxes)}
        self.digests = _digests(around, self._boxes)

    def number(self, box: Any) -> int:
        """Which block a box is; -1 for any other box."""
        return self._of_box.get(id(box), -1)

    def chapters(self) -> list[bool]:
        """Of each block, whether it begins a chapter."""
        return [box.element_tag == "h2" for box in self._boxes]

    def places(self) -> dict[int, tuple[int, int]]:
        """By the id of each element that lies in a block: which, and its number there."""
        around = {id(self._around[0].element), id(self._around[1].element)}
        found: dict[int, tuple[int, int]] = {}
        for block, box in enumerate(self._boxes):
            if box.element is not None and id(box.element) not in around:
                for number, element in enumerate(box.element.iter()):
                    found.setdefault(id(element), (block, number))
        return found

    def place(self, resume_at: Any) -> Place:
        """The place that WeasyPrint means. Raises `Doubt` where it is none in these blocks."""
        if resume_at is None:
            return Place(0, 0)
        number, within = _only(_only(resume_at, 0)[1])
        if (number,) in self._numbers:
            return Place(1, self._number(number), _packed(within))
        if within is None:
            return Place(1, self._number(number, 0))
        child, rest = _only(within)
        return Place(2, self._number(number, child), _packed(rest))

    def _number(self, *way: int) -> int:
        if way not in self._numbers:
            raise Doubt
        return self._numbers[way]

    def resume_at(self, place: Place) -> Any:
        """What WeasyPrint calls a place. Raises `Doubt` where there is no such one."""
        if place.depth == 0:
            return None
        if not 0 <= place.block < len(self._ways):
            raise Doubt
        number, *child = self._ways[place.block]
        if place.depth == 1 and child in ([], [0]) and not (child and place.rest):
            return {0: {number: _unpacked(place.rest)}}
        if place.depth == 2 and child:
            return {0: {number: {child[0]: _unpacked(place.rest)}}}
        raise Doubt


def _is_block(box: Any) -> bool:
    return isinstance(box, boxes.BlockLevelBox) and box.is_in_normal_flow()


def _only(resume_at: Any, key: int | None = None) -> tuple[int, Any]:
    if not isinstance(resume_at, dict) or len(resume_at) != 1:
        raise Doubt
    ((found, rest),) = resume_at.items()
    if key not in (None, found):
        raise Doubt
    return found, rest


def _packed(resume_at: Any) -> Any:
    if resume_at is None:
        return None
    return [[key, _packed(rest)] for key, rest in resume_at.items()]


def _unpacked(packed: Any) -> Any:
    return None if packed is None else {key: _unpacked(rest) for key, rest in packed}


def _digests(around: list[Any], blocks: list[Any]) -> list[str]:
    styles = _Styles()
    first = "".join(_said(box, styles) for box in around)
    found = []
    for block in blocks:
        total = hashlib.sha256(first.encode())
        for line in _lines(block, styles):
            total.update(line.encode("utf-8", "surrogatepass"))
        found.append(total.hexdigest()[:32])
    return found


def _lines(box: Any, styles: _Styles) -> Iterator[str]:
    """All that a layout of a box reads, what stands within it too; its footnotes are elsewhere."""
    yield _said(box, styles)
    for inner in (*box.all_children(), *filter(None, (box.footnote,))):
        yield from _lines(inner, styles)
    yield "<"


def _said(box: Any, styles: _Styles) -> str:
    element = box.element
    if box.first_letter_style is not None:
        raise Doubt  # a first letter is taken out of the box itself when it is first laid out
    attributes = None if element is None else sorted(element.attrib.items())
    text = box.text if isinstance(box, boxes.TextBox) else None
    flags = [getattr(box, name) for name in _FLAGS]
    own = [styles.of(box.style), styles.of(box.first_line_style)]
    names = (type(box).__name__, box.element_tag, box.string_set, box.bookmark_label)
    said = (names, attributes, text, flags, own)
    return f"{said!r}\n"


class _Styles:
    """Digests of styles, by what the cascade gave each and the styles that it inherits from."""

    def __init__(self) -> None:
        self._known: dict[int, tuple[str, Any]] = {}
        self._values: dict[int, tuple[str, Any]] = {}

    def of(self, style: Any) -> str:
        if style is None:
            return ""
        if id(style) not in self._known:  # with the style itself, so that no other takes its place
            total = hashlib.sha256(self.of(style.parent_style).encode())
            cascaded = getattr(style, "cascaded", {})
            for key in sorted(cascaded):
                value, weight = cascaded[key]
                total.update(f"{key}:{self._value(value)} {weight}\n".encode())
            kind = f"{type(style).__name__} {getattr(style, 'pseudo_type', None)}"
            total.update(kind.encode())
            self._known[id(style)] = total.hexdigest(), style
        return self._known[id(style)][0]

    def _value(self, value: Any) -> str:
        if id(value) not in self._values:
            self._values[id(value)] = _written(value), value
        return self._values[id(value)][0]


def _written(value: Any) -> str:
    """A value of the cascade in words that are the same in another process. Raises `Doubt`."""
    if isinstance(value, Pending):
        return f"{type(value).__name__}({_written(value.tokens)})"
    if isinstance(value, (list, tuple)):
        return f"[{','.join(map(_written, value))}]"
    if hasattr(value, "serialize"):
        return f"{type(value).__name__} {value.serialize()}"
    written = repr(value)
    if _ADDRESS.search(written):
        raise Doubt
    return written
