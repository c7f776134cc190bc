"""What books are set from: the game's own style, faces, drawings; and the keys of it all."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cardgen.assets import artwork, fontfiles
from cardgen.assets.artwork import Art, Unusable
from cardgen.base import code_digest, guard, paths
from cardgen.base.problems import Problem, Remark, Source, kept_remarks, line_of, packed
from cardgen.base.store import digest_of
from cardgen.book.layouts import LayoutShelf
from cardgen.book.manuscript import FOLDER
from cardgen.book.model import Book
from cardgen.faces.face_pdfs import face_pdf
from cardgen.faces.produce import Face, art_key
from cardgen.outputs.contract import Job, key_of
from cardgen.templates import variables
from cardgen.templates.tags import addresses

if TYPE_CHECKING:
    from cardgen.book.binding import BookOrder

_SECONDS = 20.0
LineOfBlock = Callable[[int, int], int]
"""From which line a block of a book comes, of so many blocks; 0 where that is not known."""
_BLOCK = re.compile(r"block ([0-9]{1,6})/([0-9]{1,6})\Z")
STYLE = f"{FOLDER}/book.css"


@dataclass(frozen=True)
class Style:
    """The game's own style for its books: (name, text) of each file, and the pictures in it."""

    texts: tuple[tuple[str, str], ...] = ()
    art: tuple[Art, ...] = ()


@dataclass(frozen=True)
class Wanted:
    """A book that is asked for, the faces that it shows, its key, and that of its layout."""

    book: Book
    faces: list[Face]
    key: str
    layout: str


def wanted_books(job: Job, books: Sequence[Book], style: Style) -> list[Wanted]:
    """The books with what each is set from."""
    known = {_name(face): face for face in job.faces.faces}
    found = []
    for book in books:
        faces = [known[book.language, *_id(face)] for face in book.faces]
        key = _key(job, book, faces, style)
        found.append(Wanted(book, faces, key, _layout_key(job, book, book.html, style)))
    return found


def _name(face: Face) -> tuple[str, str, str, str]:
    return face.language, face.deck.id, face.piece.id, face.side


def _id(face: Any) -> tuple[str, str, str]:
    return face.deck, face.piece, face.side


def style_of(job: Job) -> tuple[Style, list[Problem]]:
    """The game's own style for its books, and what is wrong with it."""
    if not paths.there(job.game.root, STYLE):
        return Style(), []
    text, why = paths.read_text(job.game.root, STYLE)
    if why:
        return Style(), [Problem(Source(STYLE), f"the file {why}", "file")]
    if "@page" in text:
        message = "@page is cardgen's own; sizes and margins of a book are fixed"
        return Style(), [Problem(Source(STYLE, line_of(text, "@page")), message, "css")]
    found: list[Art] = []
    problems = []
    for written in addresses(text):
        try:
            found.append(artwork.named(job.game.root, written))
        except Unusable as error:
            problems.append(Problem(Source(STYLE, line_of(text, written)), str(error), "art"))
    problems += _unset(job, text)
    return Style(((STYLE, text),), tuple(found)), problems


def _unset(job: Job, text: str) -> Iterator[Problem]:
    """Custom properties that the game's own style uses and nothing sets."""
    known = variables.of_colours(job.game.colours) | variables.defined(text)
    known |= set(variables.OF_BOOKS)
    for name, at in variables.used(text):
        if name not in known:
            where = Source(STYLE, text.count("\n", 0, at) + 1)
            yield Problem(where, variables.unknown(name, known), "css", "warning")


def _key(job: Job, book: Book, faces: list[Face], style: Style) -> str:
    art = [digest_of([art.name, art.digest]) for art in (*style.art, *book.art)]
    forms = [(face.deck.size, face.deck.bleed, face.deck.form) for face in faces]
    looks = (
        book.paper,
        book.html,
        book.index,
        book.title,
        book.format,
        book.language,
        book.display,
        book.alts,
    )
    colours = list(job.game.colours.items())
    fonts = job.faces.fonts.text_digest
    return key_of(faces, job.faces, "book", looks, forms, art, style.texts, colours, fonts)


def _layout_key(job: Job, book: Book, html: str, style: Style) -> str:
    """The hash of all that decides how that HTML of a book is laid out: of its faces the names
    alone, which stand in it, and of drawings the sizes."""
    art = [art_key(art) for art in (*style.art, *book.art)]
    looks = (
        book.paper,
        html,
        book.index,
        book.title,
        book.format,
        book.language,
        book.display,
        book.summaries,
    )
    decides = (looks, art, style.texts, list(job.game.colours.items()), job.faces.fonts.text_digest)
    return digest_of([code_digest.digest("book"), "layout", repr(decides)])


def order_of(job: Job, wanted: Wanted, style: Style) -> BookOrder:
    """A book with all that it is set from."""
    from cardgen.book.binding import BookOrder, Placed  # noqa: PLC0415 - pikepdf only when needed

    book, placed = wanted.book, {}
    for name, face in zip(book.faces, wanted.faces, strict=True):
        deck = face.deck
        placed[name] = Placed(face_pdf(face, job.store), deck.size, deck.bleed, deck.form)
    art = tuple({art.name: art for art in (*style.art, *book.art)}.values())
    drawings = {a.name: job.store.path("art", f"{a.digest}.pdf") for a in art if a.vector}
    return BookOrder(
        wanted.key, book, style.texts, tuple(job.game.colours.items()), job.cuts,
        tuple(sorted(job.faces.fonts.patterns.items())), placed, art, drawings,
    )  # fmt: skip


def path_of(job: Job, key: str) -> Path:
    """Where the store holds a set book."""
    return job.store.path("books", f"{key}.pdf")


def remarks_of(job: Job, wanted: Wanted) -> list[Remark] | None:
    """What is wrong with the layout of a book; None when the store does not hold the book."""
    if not job.store.has(path_of(job, wanted.key)):
        return None
    return kept_remarks(job.store.read_json(job.store.path("books", f"{wanted.key}.json")))


def keep(job: Job, wanted: Wanted, pdf: bytes, remarks: Sequence[Remark]) -> None:
    """Put a set book into the store, with what is wrong with it."""
    job.store.write(path_of(job, wanted.key), pdf)
    job.store.write_json(job.store.path("books", f"{wanted.key}.json"), packed(remarks))


def problem_of(book: Book, remark: Remark, line_of_block: LineOfBlock) -> Problem:
    """What the layout showed to be wrong: at the style's line, at that of a block of the book,
    else of the book as a whole."""
    whole = Source(f"{FOLDER}/{book.language}.md")
    found = _BLOCK.match(remark.at)
    if found:
        source = Source(whole.path, line_of_block(int(found[1]), int(found[2])))
    else:
        source = remark.source(whole)
    return Problem(source, remark.message, remark.kind, remark.severity)


def lines_of(job: Job, book: Book) -> LineOfBlock:
    """Asks the Markdown, read once more, from which line a block of a book comes."""

    def line(block: int, blocks: int) -> int:
        from cardgen.book import source_lines  # noqa: PLC0415 - WeasyPrint only when needed

        glyphs = fontfiles.glyphs(job.faces.fonts, job.store)
        with guard.at(f"{FOLDER}/{book.language}.md: its lines", _SECONDS):
            return source_lines.of_book(job.game, book, glyphs, blocks).line(block, 0)

    return line


def shelf_of(job: Job, style: Style) -> LayoutShelf:
    """The layouts of books that the store holds."""
    return LayoutShelf(job.store, lambda book, html: _layout_key(job, book, html, style))
