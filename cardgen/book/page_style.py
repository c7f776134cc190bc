"""CSS of a book's pages: margins, running heads, text size, and the game's colours and fonts."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

from cardgen.assets.font_files import ICON_FAMILY, measure_mean_width, read_code_points
from cardgen.book.book_pdf import BookRequest
from cardgen.book.covers import COVER_TAG
from cardgen.book.model import BookPage, PageFormat
from cardgen.core.colour_math import parse_hex
from cardgen.core.units import MM_PER_INCH
from cardgen.looks.look_colours import readable
from cardgen.pdf.weasyprint_library import weasyprint

_POINTS_PER_MM = 72 / MM_PER_INCH
_PREFERRED_LINE_CHARACTERS, _MAX_LINE_CHARACTERS = 76, 81
"""Preferred and largest number of characters in a full line. Lines end before a word that would be
too long, so most have a few less."""
_TEXT_SIZE_RANGES_PT = {"a4": (9.6, 11.0), "a5": (8.4, 9.5)}
"""Smallest text size, and the largest unless lines would have too many characters."""
_BODY_FONT_PATTERN = re.compile(
    r"(?:\A|[}/,])\s*(?:body|html|:root)\s*\{[^}]*?font-family:\s*[\"']?([^\"',;}]+)"
)
_TINT_FACTOR = 0.94
_SAMPLE_TEXTS = {
    "en": "the ship that waits lies on its side until the crane of the harbour is free again",
    "ru": "корабль который ждёт лежит на боку пока портовый кран снова не освободится",
}
"""Texts with the average character width of a usual line, by script."""


def compute_text_size(format_: PageFormat, cuts: tuple[Path, ...]) -> float:
    """Return the text size in pt at which a full line holds 60 to 75 characters of the first font
    that has the letters."""
    smallest, largest = _TEXT_SIZE_RANGES_PT[format_.name]
    for path in cuts:
        for sample in _SAMPLE_TEXTS.values():
            em = measure_mean_width(path, sample)
            if em:
                line = format_.text_width * _POINTS_PER_MM / em
                usual = min(max(line / _PREFERRED_LINE_CHARACTERS, smallest), largest)
                return round(max(usual, line / _MAX_LINE_CHARACTERS), 1)
    return smallest


def make_page_style(request: BookRequest) -> str:
    """Return the CSS of pages: margins, running heads, and the page number at the outer edge."""
    format_ = request.book.format
    size = compute_text_size(format_, _list_text_fonts(request))
    side = (format_.width - format_.full_width) / 2
    small = f"font-size: {size * 0.82:.2f}pt; color: #6b645a"
    number = f"{small}; font-weight: 700; content: counter(page)"
    column, paper = format_.side_column_width, request.book.paper_colour
    return (
        f"@page {{ size: {format_.width}mm {format_.height}mm; "
        f"margin: {format_.top_margin}mm {side}mm {format_.bottom_margin}mm {side}mm }}\n"
        f"@page {{ @footnote {{ padding-left: {column}mm; margin-top: 4mm }} }}\n"
        f"@page :left {{ @top-left {{ {small}; content: string(chapter, start) }} "
        f"@bottom-left {{ {number} }} }}\n"
        f"@page :right {{ @top-right {{ {small}; content: string(chapter, start) }} "
        f"@bottom-right {{ {number} }} }}\n"
        f"{_style_whole_pages(request)}"
        f":root {{ --hang: {column}mm; --in-box: {column - 5.2:.1f}mm; "
        f"--unbox: {5.2 - column:.1f}mm; --beside: {column - 6}mm; "
        f"--side: {side}mm; --paper: {paper or '#ffffff'}; {_compute_tint(paper)}"
        f"--measure: {format_.text_width}mm; --full: {format_.full_width}mm; "
        f"font-size: {size}pt }}\n"
        f"body {{ font-size: {size}pt }}\n"
    )


def _compute_tint(paper: str) -> str:
    """Return the ground of boxes on toned paper: the paper's colour, darker."""
    if not paper:
        return ""
    parts = (int(int(paper[at : at + 2], 16) * _TINT_FACTOR) for at in (1, 3, 5))
    return f"--tint: #{''.join(f'{part:02x}' for part in parts)}; "


def _style_whole_pages(request: BookRequest) -> str:
    """Return the CSS of pages without margins and heads, and of the tone of all pages."""
    bare = " ".join(
        f"@{place} {{ content: none }}"
        for place in ("top-left", "top-right", "bottom-left", "bottom-right")
    )
    covered = COVER_TAG in request.book.html
    headless = "@top-left { content: none } @top-right { content: none }"
    first = f"margin: 0; {bare}" if covered else headless
    paper = (
        f"@page {{ background: {request.book.paper_colour} }}\n"
        if request.book.paper_colour
        else ""
    )
    return f"{paper}@page plate {{ margin: 0; {bare} }}\n@page :first {{ {first} }}\n"


def _list_text_fonts(request: BookRequest) -> tuple[Path, ...]:
    """Return the text's font files, regular text first.

    Their family is the one that the game's own style names for the body, else the first one.
    """
    cuts = [cut for cut in request.cuts if cut.family != ICON_FAMILY]
    named_families = [
        match[1].strip()
        for _, style in request.styles
        for match in _BODY_FONT_PATTERN.finditer(style)
    ]
    available = [name for name in named_families if any(cut.family == name for cut in cuts)]
    family = available[-1] if available else cuts[0].family if cuts else ""
    first = [cut for cut in cuts if cut.family == family]
    plain = sorted(first, key=lambda cut: (cut.style != "normal", abs(cut.weight - 400)))
    return tuple(cut.path for cut in plain)


def make_style_variables(request: BookRequest) -> str:
    """Return CSS variables of the game's colours and fonts: the first family for text, another for
    headings."""
    families = list(dict.fromkeys(cut.family for cut in request.cuts if cut.family != ICON_FAMILY))
    display, weight = _choose_heading_font(request, families)
    mono = next((cut.family for cut in request.cuts if _is_monospaced(cut.path)), "")
    code = ", ".join(f"'{name}'" for name in sorted(families, key=lambda name: name != mono))
    families_css = ", ".join(f"'{family}'" for family in [*families, ICON_FAMILY])
    heading = ", ".join(f"'{family}'" for family in dict.fromkeys([display, *families]))
    colours = "".join(f"--{name}: {value}; " for name, value in _list_colours(request))
    return (
        f":root {{ {colours}--code: {code}; --display: {heading}, '{ICON_FAMILY}'; "
        f"--display-weight: {weight}; "
        f"font-family: {families_css} }}\n@page {{ font-family: {families_css} }}\n"
    )


def _list_colours(request: BookRequest) -> Iterator[tuple[str, str]]:
    """Yield the game's colours, the accent as it can be read on the book's paper."""
    for name, value in request.colours:
        legible = name == "accent" and parse_hex(value)
        yield name, readable(value, request.book.paper_colour or "#ffffff") if legible else value


def _is_monospaced(path: Path) -> bool:
    widths = {measure_mean_width(path, letter) for letter in "imM"}
    return len(widths) == 1 and 0.0 not in widths


def _choose_heading_font(request: BookRequest, families: list[str]) -> tuple[str, int]:
    """Return the second family with its boldest weight, if it has every letter of the headings.

    Other characters, such as emoji, come from any family that has them.
    """
    letters = {ord(c) for c in request.book.heading_letters if c.isalpha() or c.isdecimal()}
    for family in [*families[1:2], *families[:1]]:
        cuts = [cut for cut in request.cuts if cut.family == family and cut.style == "normal"]
        weights = [cut.weight for cut in cuts if cut.weight <= 700]
        if cuts and (family == families[0] or letters <= read_code_points(cuts[0].path)):
            return family, max(weights, default=400)
    return families[0], 400


_BREAKABLE_TAGS = frozenset(
    ("table", "section", "dl", "dd", "ul", "ol", "li", "blockquote", "pre", "div")
)
_UPPER_PAGE_SHARE = 0.56
"""Share of the page's height, down to the end of its text, in which elements may be broken."""
_HALF_FULL_SHARE = 0.5
_AVOID_VALUES = ("avoid", "avoid-page")
_FORCED_BREAKS = ("page", "always", "left", "right", "recto", "verso")
_block_layout = weasyprint.layout.block


@contextmanager
def relax_breaks() -> Iterator[None]:
    """Let WeasyPrint break elements that would leave more than half of a page empty.

    WeasyPrint has no hook for this, so its `block_level_layout` is replaced for the duration.
    """
    original = _block_layout.block_level_layout

    def lay_out_block(context: Any, box: Any, *args: Any, **kwargs: Any) -> Any:
        style = box.style
        if (
            box.element_tag not in _BREAKABLE_TAGS
            or style["break_inside"] not in _AVOID_VALUES
            or box.position_y >= _UPPER_PAGE_SHARE * context.page_bottom
        ):
            return original(context, box, *args, **kwargs)
        value = style["break_inside"]
        style["break_inside"] = "auto"
        try:
            return original(context, box, *args, **kwargs)
        finally:
            style["break_inside"] = value

    _block_layout.block_level_layout = lay_out_block
    try:
        yield
    finally:
        _block_layout.block_level_layout = original


@dataclass(frozen=True)
class PageGap:
    """A page (from 1), the share of it that is filled, and the block that did not fit on it."""

    page: int
    filled: float
    block: int


def find_page_gaps(
    document: Any, pages: Sequence[BookPage], format_: PageFormat
) -> Iterator[PageGap]:
    """Yield the pages under half full, without the last page and those before a forced break or a
    new chapter."""
    height = format_.height - format_.top_margin - format_.bottom_margin
    boxes = [page._page_box for page in document.pages]
    for number, (page, following) in enumerate(pairwise(pages)):
        if not page.areas or not following.areas or _has_forced_break(*boxes[number : number + 2]):
            continue
        filled = (max(area[3] + area[5] for area in page.areas) - format_.top_margin) / height
        if filled < _HALF_FULL_SHARE:
            yield PageGap(number + 1, max(filled, 0.0), following.first_block)


def _has_forced_break(page: Any, following: Any) -> bool:
    """Tell whether a forced break, another kind of page or a chapter begins the following page."""
    if page.page_type.name != following.page_type.name:
        return True
    ends, starts = _list_edge_boxes(page, -1), _list_edge_boxes(following, 0)
    continued = {id(box.element) for box in ends} & {id(box.element) for box in starts}
    ends = [box for box in ends if id(box.element) not in continued]
    starts = [box for box in starts if id(box.element) not in continued]
    return (
        any(box.style["break_after"] in _FORCED_BREAKS for box in ends)
        or any(box.style["break_before"] in _FORCED_BREAKS for box in starts)
        or any(box.element_tag == "h2" for box in starts)
    )


def _list_edge_boxes(page: Any, index: int) -> list[Any]:
    """List the boxes at a page's beginning (`index` 0) or end (-1), from the root down."""
    edge_boxes: list[Any] = []
    (root,) = [box for box in page.children if box.element_tag == "html"]
    children = [root]
    while children:
        edge_boxes.append(children[index])
        inner = getattr(edge_boxes[-1], "children", ())
        children = [box for box in inner if box.is_in_normal_flow()]
    return edge_boxes
