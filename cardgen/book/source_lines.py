"""Source lines of a book's elements in its Markdown file.

The book is written once more with a renderer that marks tags with their lines. It has the same
elements as the book that was laid out. An element is identified by its block and its number there,
as in `page_areas`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from markdown_it.token import Token

from cardgen.book import manuscript
from cardgen.book.block_renderer import BlockRenderer
from cardgen.book.editions import BookWriter
from cardgen.book.manuscript import RULEBOOK_FOLDER, Manuscript
from cardgen.book.model import Book
from cardgen.book.page_areas import list_blocks
from cardgen.game.model import Game
from cardgen.pdf.weasyprint_library import weasyprint

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
