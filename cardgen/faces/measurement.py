"""Measurement of a laid-out page: drawn text, overflowing boxes, named elements.

Reads WeasyPrint's layout boxes, which are not a public interface. The version is pinned, and
tests/faces/test_measurement.py fails if they change. WeasyPrint's lengths are CSS px, results
mm.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from html.parser import HTMLParser
from math import inf
from typing import Any
from unicodedata import normalize

from cardgen.core.units import CSS_PX_PER_MM

TOLERANCE_MM = 0.15
_ROUNDING_PX = 0.01
# Ink of a line above and below its baseline, in em: capitals, capitals with a ring, descenders.
_ASCENT_EM, _ACCENTED_ASCENT_EM, _DESCENT_EM = 0.74, 0.94, 0.22


@dataclass(frozen=True)
class TextRun:
    """A piece of drawn text, in mm from the page's top left, transforms applied."""

    text: str
    left: float
    top: float
    right: float
    bottom: float
    size: float
    families: tuple[str, ...]
    weight: int
    style: str
    location: str
    unsafe_allowed: bool


@dataclass(frozen=True)
class Overflow:
    """How far content exceeds its box in mm; `fit_id` is the id of a fitted box or "".

    A fitted box that grows with its text is `is_unbounded`: any size would fit. `width` and
    `height` are those of its content box, `left` and `top` its position before transforms.
    `visible_box` is the area it covers on the page: left, top, width, height.
    """

    fit_id: str
    location: str
    excess_height: float
    excess_width: float
    is_unbounded: bool = False
    width: float = 0.0
    height: float = 0.0
    left: float = 0.0
    top: float = 0.0
    visible_box: tuple[float, float, float, float] = field(
        default=(0.0, 0.0, 0.0, 0.0), kw_only=True
    )


@dataclass(frozen=True)
class TemplateOrigin:
    """Place in a template an item comes from: `template:line`, the number of its block, whether
    it may overlap others or stand near the edge, and its `data-text`."""

    location: str = ""
    block: int = 0
    may_overlap: bool = False
    unsafe_allowed: bool = False
    text: str = ""


NO_ORIGIN = TemplateOrigin()


@dataclass
class NamedElement:
    """An element with `data-place`. `box` is its transformed border box: left, top, width,
    height; mm."""

    name: str
    location: str
    box: tuple[float, float, float, float]
    element: Any = None
    """Identifies the element, whose parts may come in several boxes."""


@dataclass
class FaceLayout:
    """Measurements of a page. `face` is the id of the face's wrapper.

    A page `is_mixed` if it shows content of other faces: overflow from another page, or a box of
    `position: fixed`, which repeats on all pages.
    """

    face: str = ""
    runs: list[TextRun] = field(default_factory=list)
    overflows: list[Overflow] = field(default_factory=list)
    is_continued: bool = False
    is_mixed: bool = False
    origins: dict[int, TemplateOrigin] = field(default_factory=dict)
    """Origin of every box, by the identity of its style."""
    nested_bleeds: list[str] = field(default_factory=list)
    """Lines of `bleed` elements within others, where they cover nothing."""
    named_elements: list[NamedElement] = field(default_factory=list)
    """Elements with `data-place`, in document order."""

    @property
    def text(self) -> str:
        return "".join(run.text for run in self.runs)


def measure_page(page: Any) -> FaceLayout:
    """Measure a WeasyPrint page."""
    layout = FaceLayout()
    _walk_box(page._page_box, None, NO_ORIGIN, layout)
    return layout


def measure_fitted_boxes(page: Any) -> list[Overflow]:
    """Return only the measurements of fitted boxes."""
    layout = FaceLayout()
    _collect_fitted(page._page_box, layout)
    return layout.overflows


def _collect_fitted(box: Any, layout: FaceLayout) -> None:
    kind = type(box).__name__
    if kind == "TextBox":
        return
    if kind not in {"LineBox", "InlineBox"} and _get_attribute(box, "data-fit"):
        _add_overflow(box, None, "", layout)
    for child in _list_children(box):
        _collect_fitted(child, layout)


def split_lines(page: Any) -> Iterator[tuple[Any, float, float, float]]:
    """Yield each line of a page of lines as a page, with left end, baseline and width in mm."""
    root = page._page_box
    (html,) = root.children
    (body,) = html.children
    for block in body.children:
        (line,) = block.children
        left = min(child.position_x for child in line.children)
        right = max(child.position_x + child.margin_width() for child in line.children)
        alone = html.copy_with_children([body.copy_with_children([block])])
        whole = type(page)(root.copy_with_children([alone]))
        base = line.position_y + line.baseline
        yield whole, *(value / CSS_PX_PER_MM for value in (left, base, right - left))


def _unwrap_placeholder(box: Any) -> Any:
    """Return the box behind the placeholder of an absolutely positioned box."""
    return box.__dict__.get("_box", box) if hasattr(box, "__dict__") else box


def _list_children(box: Any) -> Iterator[Any]:
    for child in getattr(box, "children", ()):
        yield _unwrap_placeholder(child)


def _get_attribute(box: Any, name: str) -> str:
    element = getattr(box, "element", None)
    return str(element.get(name) or "") if element is not None else ""


def _walk_box(box: Any, matrix: Any, place: TemplateOrigin, layout: FaceLayout) -> None:
    kind = type(box).__name__
    place = _find_origin(box, kind, place)
    layout.origins[id(box.style)] = place
    own_box = getattr(box, "transformation_matrix", None)
    if own_box is not None:
        matrix = own_box @ matrix if matrix is not None else own_box
    if box.element_tag == "html" and kind == "BlockBox":
        layout.is_mixed = any(child.element_tag != "body" for child in _list_children(box))
    if kind == "TextBox":
        _add_text_run(box, matrix, place, layout)
        return
    if _is_face(box):
        layout.is_mixed = layout.is_mixed or bool(layout.face)
        layout.face = layout.face or _get_attribute(box, "id")
    elif kind not in {"LineBox", "InlineBox"}:
        _add_overflow(box, matrix, place.location, layout)
    if kind != "LineBox" and _get_attribute(box, "data-place"):
        _add_named_element(box, kind, matrix, place.location, layout)
    if box.style["position"] == "static" and "bleed" in _get_attribute(box, "class").split():
        layout.nested_bleeds.append(place.location)
    for child in _list_children(box):
        _walk_box(child, matrix, place, layout)


def _find_origin(box: Any, kind: str, outer: TemplateOrigin) -> TemplateOrigin:
    """Return the origin of a box, by its element or the surrounding one."""
    element = box.element
    block = id(box) if kind not in {"LineBox", "InlineBox", "TextBox"} else outer.block
    if element is None:
        return replace(outer, block=block) if block != outer.block else outer
    at = _get_attribute(box, "data-at") or outer.location
    overlaps = outer.may_overlap or element.get("data-overlap") is not None
    unsafe = outer.unsafe_allowed or element.get("data-unsafe") is not None
    return TemplateOrigin(at, block, overlaps, unsafe, str(element.get("data-text") or outer.text))


def _add_named_element(box: Any, kind: str, matrix: Any, at: str, layout: FaceLayout) -> None:
    """Record a named element.

    Inner boxes of the same element, such as a table in its wrapper, are skipped; parts of a
    broken line are joined.
    """
    own_box = (box.border_box_x(), box.border_box_y(), box.border_width(), box.border_height())
    visible = _transform_box(*own_box, matrix)
    known = next((each for each in layout.named_elements if each.element is box.element), None)
    if known is None:
        layout.named_elements.append(
            NamedElement(_get_attribute(box, "data-place"), at, visible, box.element)
        )
    elif kind == "InlineBox":
        known.box = _join_boxes(known.box, visible)


def _join_boxes(
    one: tuple[float, float, float, float], other: tuple[float, float, float, float]
) -> tuple[float, float, float, float]:
    """Return the smallest box around two."""
    left, top = min(one[0], other[0]), min(one[1], other[1])
    right = max(one[0] + one[2], other[0] + other[2])
    bottom = max(one[1] + one[3], other[1] + other[3])
    return left, top, right - left, bottom - top


def _is_face(box: Any) -> bool:
    return "face" in _get_attribute(box, "class").split() and box.element_tag == "section"


def _add_text_run(box: Any, matrix: Any, place: TemplateOrigin, layout: FaceLayout) -> None:
    if not box.text.strip() or box.style["visibility"] != "visible":
        return
    size = box.style["font_size"]
    top = box.position_y + box.baseline - _estimate_ascent(box.text) * size
    tall = (_estimate_ascent(box.text) + _DESCENT_EM) * size
    left, top, wide, tall = _transform_box(box.position_x, top, box.width, tall, matrix)
    families, weight = tuple(box.style["font_family"]), int(box.style["font_weight"])
    font = (size * 0.75, families, weight, str(box.style["font_style"]))
    edges = (left, top, left + wide, top + tall)
    layout.runs.append(TextRun(box.text, *edges, *font, place.location, place.unsafe_allowed))


def _transform_box(
    left: float, top: float, width: float, height: float, matrix: Any
) -> tuple[float, float, float, float]:
    """Return the area a box (px) covers on the page: left, top, width, height; mm."""
    corners = [(x, y) for x in (left, left + width) for y in (top, top + height)]
    if matrix is not None:
        corners = [matrix.transform_point(x, y) for x, y in corners]
    xs, ys = ([each / CSS_PX_PER_MM for each in sides] for sides in zip(*corners, strict=True))
    return min(xs), min(ys), max(xs) - min(xs), max(ys) - min(ys)


def _estimate_ascent(text: str) -> float:
    """Return the height of a text's ink in em."""
    if text.isascii() or not any(c.isupper() and len(normalize("NFD", c)) > 1 for c in text):
        return _ASCENT_EM
    return _ACCENTED_ASCENT_EM


def _add_overflow(box: Any, matrix: Any, at: str, layout: FaceLayout) -> None:
    """Record a box that overflows or is to be fitted."""
    fit = _get_attribute(box, "id") if _get_attribute(box, "data-fit") else ""
    if not isinstance(box.width, int | float) or not isinstance(box.height, int | float):
        return
    edges = [edge for child in _list_children(box) for edge in _measure_ink(child)]
    if not edges:
        return
    top = box.content_box_y() if fit else box.padding_box_y()
    left = box.content_box_x() if fit else box.padding_box_x()
    height = box.height if fit else box.padding_height()
    width = box.width if fit else box.padding_width()
    tall = max(max(e[3] for e in edges) - top - height, top - min(e[1] for e in edges))
    wide = max(max(e[2] for e in edges) - left - width, left - min(e[0] for e in edges))
    if not fit and (_has_auto_height(box) or _is_stretched(box)):
        tall = 0.0  # lines may be tighter than their letters; the box has no end
    given_height = _get_cell_height(box)
    if given_height is not None:  # a cell grows with its text; its given height counts
        tall = max(e[3] for e in edges) - min(e[1] for e in edges) - given_height
    boundless = bool(fit) and given_height is None and _has_auto_height(box)
    own_box = (box.width, box.height, box.content_box_x(), box.content_box_y())
    sizes = (value / CSS_PX_PER_MM for value in own_box)
    visible = _transform_box(left, top, width, height, matrix)
    by = tall / CSS_PX_PER_MM, wide / CSS_PX_PER_MM
    found = Overflow(fit, at, *by, boundless, *sizes, visible_box=visible)
    if max(found.excess_height, found.excess_width) > TOLERANCE_MM or fit:
        layout.overflows.append(found)


def _get_cell_height(box: Any) -> float | None:
    """Return the given height of a table cell in px; None for other boxes."""
    given_height = getattr(box, "computed_height", None)
    return float(given_height) if isinstance(given_height, int | float) else None


def _has_auto_height(box: Any) -> bool:
    """Return True if a box grows with its content."""
    style = box.style
    pinned = style["position"] == "absolute" and "auto" not in (style["top"], style["bottom"])
    limited = style["height"] != "auto" or style["max_height"].value != inf
    return not (pinned or limited)


def _is_stretched(box: Any) -> bool:
    """Return True for an item of a grid whose lines fit the height that its row gave it."""
    given = getattr(box.style, "cascaded", {"height": "set"}).get("height")
    ends = [child.position_y + child.margin_height() for child in _list_children(box)]
    fits = max(ends, default=inf) <= box.content_box_y() + box.height + _ROUNDING_PX
    return given is None and fits


def _measure_ink(box: Any) -> Iterator[tuple[float, float, float, float]]:
    """Yield left, top, right, bottom (px) of each text in a box, before transforms."""
    if type(box).__name__ == "TextBox":
        if box.text.strip() and box.width:
            base, size = box.position_y + box.baseline, box.style["font_size"]
            bottom = base + _DESCENT_EM * size
            top = base - _estimate_ascent(box.text) * size
            yield box.position_x, top, box.position_x + box.width, bottom
        return
    if getattr(box, "transformation_matrix", None) is not None:
        return
    for child in _list_children(box):
        yield from _measure_ink(child)


class _VisibleTextParser(HTMLParser):
    """Collects the text of HTML that is meant to be seen."""

    def __init__(self) -> None:
        super().__init__()
        self.parts: list[str] = []
        self._hidden = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._hidden += tag in {"style", "script", "title"}

    def handle_endtag(self, tag: str) -> None:
        self._hidden -= tag in {"style", "script", "title"}

    def handle_data(self, data: str) -> None:
        if not self._hidden:
            self.parts.append(data)


def find_lost_text(html: str, drawn_text: str) -> str:
    """Return the words of HTML that were not drawn, in order, or "".

    Ignores case (text-transform), white space, hyphens and soft hyphens.
    """
    reader = _VisibleTextParser()
    reader.feed(html)
    source = " ".join(reader.parts)
    missing = Counter(_count_words(source)) - Counter(_count_words(drawn_text))
    if not missing:
        return ""
    words = source.split()
    lost_indexes: set[int] = set()
    letters_drawn = _count_words(drawn_text)
    suspects = sorted(
        range(len(words)), key=lambda index: (_count_words(words[index]) in letters_drawn, -index)
    )
    # Words that are missing completely come first, then words the missing letters may be from;
    # within each group, words that do not occur in the drawn text come first.
    for whole in (True, False):
        for index in suspects:
            letters = Counter(_count_words(words[index]))
            if (
                missing & letters
                and index not in lost_indexes
                and not (whole and letters - missing)
            ):
                missing -= letters
                lost_indexes.add(index)
    return " ".join(words[index] for index in sorted(lost_indexes))


def _count_words(text: str) -> str:
    return "".join(c for c in text.casefold() if not c.isspace() and c not in "-\u00ad\u2010")
