"""Source lines of a book's elements in its Markdown file.

The book is written once more with a renderer that marks tags with their lines. It has the same
elements as the book that was laid out. An element is identified by its block and its number there,
as in `page_areas`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from markdown_it.token import Token

from cardgen.book import manuscript
from cardgen.book.block_renderer import BlockRenderer
from cardgen.book.editions import BookWriter
from cardgen.book.manuscript import RULEBOOK_FOLDER, Manuscript
from cardgen.book.model import Book, BookPage
from cardgen.core.colour_math import WHITE, Colour, format_hex, get_contrast
from cardgen.core.units import MM_PER_INCH
from cardgen.game.model import Game
from cardgen.pdf.weasyprint_library import boxes, weasyprint
from cardgen.runtime.content_store import digest_parts

ElementPlaces = Mapping[int, tuple[int, int]]
"""Block number and number within the block, by the `id()` of an element."""

_AREA_TAGS = frozenset(
    ("p", "h1", "h2", "h3", "h4", "h5", "h6", "li", "td", "th", "dt", "dd", "pre", "figure",
     "figcaption", "blockquote", "table", "img", "section", "nav", "div")
)  # fmt: skip
_FOOTNOTE_CLASS = "footnote"
_MM_PER_PX = MM_PER_INCH / 96
_LINE_END_HYPHEN = "-"
_MAX_AREAS_PER_PAGE = 5000
_OVERRUN_TOLERANCE_MM = 1.0
_IN_FLOW = ("static", "relative")
MIN_CONTRAST = 3.0
"""Of text that is still read when it is large (WCAG 2.1, 1.4.3)."""


def list_blocks(body: Any) -> list[Any]:
    """List the blocks of a book's HTML: the children of `main`, and other children of `body`."""
    return [block for part in body for block in (part if part.tag == "main" else [part])]


def describe_pages(document: Any, body: Any) -> tuple[BookPage, ...]:
    """Describe each page of a document that was laid out from that body element."""
    places = _locate_elements(body)
    return tuple(_describe_page(page, places) for page in document.pages)


def _locate_elements(body: Any) -> ElementPlaces:
    return {
        id(element): (block, number)
        for block, root in enumerate(list_blocks(body))
        for number, element in enumerate(root.iter())
    }


@dataclass(frozen=True)
class TextFault:
    """A text that cannot be read as it stands, with its page (from 1), block and words.

    It passes the side of the text area by `mm`, or its colour and that of its ground, `colours`,
    are alike: `contrast` is below that of text.
    """

    page: int
    block: int
    words: str
    mm: float = 0.0
    colours: tuple[str, str] = ("", "")
    contrast: float = 0.0


def find_text_faults(document: Any, body: Any) -> Iterator[TextFault]:
    """Yield the widest text of each block and page that passes the side of the text area, and the
    faintest text on each ground from which it cannot be told."""
    places = _locate_elements(body)
    faintest = dict[Colour, TextFault]()
    for number, page in enumerate(document.pages, start=1):
        box, widest = page._page_box, dict[int, TextFault]()
        left = box.content_box_x()
        for text, ground in _walk_texts(box, WHITE):
            words = text.text.strip()
            if id(text.element) not in places or not words:
                continue
            block = places[id(text.element)][0]
            over = max(left - text.position_x, text.position_x + text.width - left - box.width)
            mm = over * _MM_PER_PX
            if mm > _OVERRUN_TOLERANCE_MM and (block not in widest or widest[block].mm < mm):
                widest[block] = TextFault(number, block, words, mm)
            colour = _read_opaque(text.style["color"])
            if ground is None or colour is None:
                continue
            contrast = get_contrast(colour, ground)
            least = faintest[ground].contrast if ground in faintest else MIN_CONTRAST
            if contrast < least:
                colours = format_hex(colour), format_hex(ground)
                faintest[ground] = TextFault(
                    number, block, words, colours=colours, contrast=contrast
                )
        yield from widest.values()
    yield from faintest.values()


def _walk_texts(box: Any, ground: Colour | None) -> Iterator[tuple[Any, Colour | None]]:
    """Yield the texts of a box with the colour that is painted behind each; None if it is unknown,
    since it is a picture or shines through."""
    if box.style["position"] not in _IN_FLOW or box.style["opacity"] < 1:
        ground = None
    for background in (getattr(box, "canvas_background", None), getattr(box, "background", None)):
        if background is not None:
            if any(layer.image is not None for layer in background.layers):
                ground = None
            elif background.color is not None and background.color.alpha:
                ground = _read_opaque(background.color)
    if isinstance(box, boxes.TextBox):
        yield box, ground
    for child in getattr(box, "children", ()):
        yield from _walk_texts(child, ground)


def _read_opaque(colour: Any) -> Colour | None:
    """Return a colour of WeasyPrint as RGB from 0 to 1; None if something shines through."""
    if colour.alpha < 1:
        return None
    r, g, b = colour.to("srgb").coordinates
    return r, g, b


def _describe_page(page: Any, places: ElementPlaces) -> BookPage:
    layout, images = [], set()
    first: int | None = None
    for box in page._page_box.descendants():
        element = box.element
        attributes = () if element is None else sorted(element.items())
        edges = [
            round(edge, 2) if isinstance(edge, int | float) else edge
            for edge in (box.position_x, box.position_y, box.width, box.height)
        ]
        layout.append(repr((type(box).__name__, attributes, edges, getattr(box, "text", ""))))
        if box.element_tag == "img" and element is not None:
            images.add(element.get("src", ""))
        if first is None and element is not None and id(element) in places:
            first = places[id(element)][0]
    return BookPage(
        digest_parts(layout), first or 0, _list_areas(page._page_box, places, first or 0),
        [[int(level), str(text), round(top * _MM_PER_PX, 1)]
         for level, text, (_, top), _ in page.bookmarks],
        sorted(images),
    )  # fmt: skip


def _list_areas(page_box: Any, places: ElementPlaces, first: int) -> list[list[Any]]:
    areas = []
    for box in page_box.descendants():
        element = box.element
        if element is None or id(element) not in places or not _is_area(box):
            continue
        block, number = places[id(element)]
        edges = (
            box.border_box_x(), box.border_box_y(), box.border_width(), box.border_height(),
        )  # fmt: skip
        mm = [round(edge * _MM_PER_PX, 1) for edge in edges]
        areas.append([block - first, number, *mm, " ".join(_list_text_lines(box))])
        if len(areas) == _MAX_AREAS_PER_PAGE:
            break
    return areas


def _is_area(box: Any) -> bool:
    is_named = (
        box.element_tag in _AREA_TAGS or _FOOTNOTE_CLASS in (box.element.get("class") or "").split()
    )
    is_block = isinstance(
        box, (boxes.BlockLevelBox, boxes.TableCellBox, boxes.AtomicInlineLevelBox)
    )
    return is_named and is_block and not box.is_table_wrapper


def _list_text_lines(box: Any) -> Iterator[str]:
    """Yield the lines of a box itself. A line that ends with a hyphen is joined to the next one."""
    line = ""
    for child in getattr(box, "children", ()):
        if isinstance(child, boxes.LineBox):
            texts = [box.text for box in child.descendants() if isinstance(box, boxes.TextBox)]
            line += "".join(texts).replace("\u00ad", "")
            if line.endswith(_LINE_END_HYPHEN):
                line = line.removesuffix(_LINE_END_HYPHEN)
            else:
                yield line.strip()
                line = ""
    if line:
        yield line.strip()


_LINE_ATTRIBUTE = "data-from"
_OPENING_TAG_PATTERN = re.compile(r"\s*<[a-z][a-z0-9]*")


@dataclass(frozen=True)
class SourceLines:
    """Line of every element of every block, from 1; 0 for an element without one."""

    path: str
    blocks: tuple[tuple[int, ...], ...] = ()

    def get_line(self, block: int, element: int) -> int:
        """Return the line of an element, or 0."""
        if not 0 <= block < len(self.blocks) or not 0 <= element < len(self.blocks[block]):
            return 0
        return self.blocks[block][element]

    def find_block(self, line: int) -> int:
        """Return the block that holds a line, or the last one before it; -1 before the first."""
        starts = [
            (min(lines), number)
            for number, block in enumerate(self.blocks)
            if (lines := [each for each in block if each])
        ]
        before = [start for start in starts if start[0] <= line]
        return max(before)[1] if before else -1


class _LineMarkingRenderer(BlockRenderer):
    """Renderer that marks every element with its line of the manuscript, from 0."""

    def mark_source_line(self, html: str, line: int) -> str:
        return _OPENING_TAG_PATTERN.sub(
            lambda match: f'{match[0]} {_LINE_ATTRIBUTE}="{line}"', html, count=1
        )

    def footnote_ref(self, tokens: Any, idx: int, *given: Any) -> str:
        note: list[Token] = self._context.notes.get(tokens[idx].meta.get("id", -1), [])
        lines = [token.map[0] for token in note if token.map]
        html = super().footnote_ref(tokens, idx, *given)
        return self.mark_source_line(html, lines[0]) if lines and html else html


class _LineMarkingWriter(BookWriter):
    writer_class = _LineMarkingRenderer


def find_source_lines(game: Game, book: Book, glyphs: frozenset[int]) -> SourceLines:
    """Return the source lines of a book's elements; none if the book cannot be written any more."""
    path = f"{RULEBOOK_FOLDER}/{book.language}.md"
    text, _ = manuscript.read_manuscript(game, book.language, book.edition == "designer")
    if text is None:
        return SourceLines(path)
    writer = _LineMarkingWriter(game, book.language, book.edition, text, glyphs)
    book_with_lines, _ = writer.write_book(book.format)
    html = f"<!doctype html><html><body>{book_with_lines.html}</body></html>"
    body = weasyprint.HTML(string=html).etree_element.find("body")
    return SourceLines(path, tuple(_list_element_lines(block, text) for block in list_blocks(body)))


def _list_element_lines(block: Any, text: Manuscript) -> tuple[int, ...]:
    """Return the line of each element of a block in document order. Elements without a mark have
    the line of their parent; the book's title has line 1."""
    lines: list[int] = []

    def visit_element(element: Any, line: int) -> None:
        mark = element.get(_LINE_ATTRIBUTE)
        line = line if mark is None else text.locate_line(int(mark)).line
        lines.append(line)
        for child in element:
            visit_element(child, line)

    visit_element(block, 1 if block.tag == "header" else 0)
    return tuple(lines)
