"""Which line of its Markdown each element of a book comes from.

The book is written once more, by a writer that marks its tags; it has the very elements that are
laid out. An element is told by its block (see `blocks`) and its number there.
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
from cardgen.game.model import Game
from cardgen.pdf.weasyprint_library import weasyprint

_LINE_ATTRIBUTE = "data-from"
_OPENING_TAG_PATTERN = re.compile(r"\s*<[a-z][a-z0-9]*")


@dataclass(frozen=True)
class SourceLines:
    """The line of every element of every block, from 1; 0 where it comes from none."""

    path: str
    blocks: tuple[tuple[int, ...], ...] = ()

    def get_line(self, block: int, element: int) -> int:
        """The line of an element; 0 where there is none."""
        if not 0 <= block < len(self.blocks) or not 0 <= element < len(self.blocks[block]):
            return 0
        return self.blocks[block][element]

    def find_block(self, line: int) -> int:
        """The block in which a line stands, or the last one before it; -1 before the first."""
        starts = [
            (min(known), number)
            for number, block in enumerate(self.blocks)
            if (known := [each for each in block if each])
        ]
        before = [start for start in starts if start[0] <= line]
        return max(before)[1] if before else -1


class _LineMarkingRenderer(BlockRenderer):
    """A writer that says of every element from which line of the manuscript it comes, from 0."""

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


def find_source_lines(game: Game, book: Book, glyphs: frozenset[int], blocks: int) -> SourceLines:
    """The lines of a book that is laid out in so many blocks; none of one that cannot be written
    any more, or has others."""
    path = f"{RULEBOOK_FOLDER}/{book.language}.md"
    text, _ = manuscript.read_manuscript(game, book.language, book.edition == "designer")
    if text is None:
        return SourceLines(path)
    written, _ = _LineMarkingWriter(game, book.language, book.edition, text, glyphs).write_book(
        book.format
    )
    html = f"<!doctype html><html><body>{written.html}</body></html>"
    root = weasyprint.HTML(string=html).etree_element
    body = list(root.find("body"))
    apart = [inner for each in body for inner in (list(each) if each.tag == "main" else [each])]
    for found in (apart, body):
        if len(found) == blocks:
            return SourceLines(path, tuple(_list_element_lines(each, text) for each in found))
    return SourceLines(path)


def _list_element_lines(block: Any, text: Manuscript) -> tuple[int, ...]:
    """The lines of a block's elements in their order; what has none of its own has that of what
    it stands in. A book's title has the first."""
    found: list[int] = []

    def visit_element(element: Any, line: int) -> None:
        mark = element.get(_LINE_ATTRIBUTE)
        line = line if mark is None else text.locate_line(int(mark)).line
        found.append(line)
        for inner in element:
            visit_element(inner, line)

    visit_element(block, 1 if block.tag == "header" else 0)
    return tuple(found)
