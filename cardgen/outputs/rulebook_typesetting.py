"""Typesetting of rulebooks into the store, for every output that shows them.

A book's key is the digest of its text, faces, pictures, style and fonts. A layout's key leaves out
how faces and drawings look, so that a changed card does not lay the book out anew.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import takewhile
from pathlib import Path
from typing import TYPE_CHECKING

from cardgen.assets import artwork, font_files
from cardgen.assets.artwork import Art, UnusableArtError
from cardgen.book.layout_store import LayoutStore
from cardgen.book.manuscript import BOOK_STYLE_FILE, RULEBOOK_FOLDER
from cardgen.book.model import Book, select_book_names
from cardgen.core import work_limits
from cardgen.core.problems import (
    Diagnostic,
    Problem,
    Source,
    find_line,
    has_errors,
    parse_diagnostics,
    serialize_problems,
)
from cardgen.faces.model import Face, get_face_pdf
from cardgen.faces.rendering import check_pictures, compute_art_key
from cardgen.faces.typesetting import draw_vector_art
from cardgen.outputs.contract import Job, digest_recipe
from cardgen.runtime import code_version, game_files
from cardgen.runtime.content_store import digest_parts
from cardgen.runtime.worker_pool import map_calls
from cardgen.templates import stylesheet_rules
from cardgen.templates.template_lint import list_urls

if TYPE_CHECKING:
    from cardgen.book.book_pdf import BookRequest, TypesetBook

_SOURCE_LINES_SECONDS = 20.0
BlockLineLookup = Callable[[int], int]
"""Returns the source line of a block of a book, or 0 where it is not known."""
_BLOCK_LOCATION = re.compile(r"block ([0-9]{1,6})\Z")


@dataclass(frozen=True)
class BookStyle:
    """The game's own style for its books: name and text of each file, and its pictures."""

    stylesheets: tuple[tuple[str, str], ...] = ()
    art: tuple[Art, ...] = ()


@dataclass(frozen=True)
class PlannedBook:
    """A book to typeset, the faces that it shows, and the keys of the book and its layout."""

    book: Book
    faces: list[Face]
    key: str
    layout_key: str


def plan_books(job: Job, books: Sequence[Book], style: BookStyle) -> list[PlannedBook]:
    """Return the books with their faces and keys."""
    faces_by_key = {
        (face.language, face.deck.id, face.piece.id, face.side): face for face in job.faces.faces
    }
    planned = []
    for book in books:
        faces = [faces_by_key[book.language, f.deck, f.piece, f.side] for f in book.faces]
        key = _compute_book_key(job, book, faces, style)
        layout_key = _compute_layout_key(job, book, book.html, style)
        planned.append(PlannedBook(book, faces, key, layout_key))
    return planned


def load_book_style(job: Job) -> tuple[BookStyle, list[Problem]]:
    """Return the game's own style for its books, and its problems."""
    if not game_files.has_entry(job.game.root, BOOK_STYLE_FILE):
        return BookStyle(), []
    text, why = game_files.read_text(job.game.root, BOOK_STYLE_FILE)
    if why:
        return BookStyle(), [Problem(Source(BOOK_STYLE_FILE), f"the file {why}", "file")]
    if "@page" in text:
        source = Source(BOOK_STYLE_FILE, find_line(text, "@page"))
        message = "@page is cardgen's own; sizes and margins of a book are fixed"
        return BookStyle(), [Problem(source, message, "css")]
    found: list[Art] = []
    problems = []
    for written in list_urls(text):
        try:
            found.append(artwork.load_by_address(job.game.root, written))
        except UnusableArtError as error:
            source = Source(BOOK_STYLE_FILE, find_line(text, written))
            problems.append(Problem(source, str(error), "art"))
    colours = stylesheet_rules.list_colour_variables(job.game.colours)
    known = {*colours, *stylesheet_rules.find_definitions(text), *stylesheet_rules.BOOK_VARIABLES}
    for name, at in stylesheet_rules.find_uses(text):
        if name not in known:
            source = Source(BOOK_STYLE_FILE, text.count("\n", 0, at) + 1)
            message = stylesheet_rules.explain_unknown_variable(name, known)
            problems.append(Problem(source, message, "css", "warning"))
    return BookStyle(((BOOK_STYLE_FILE, text),), tuple(found)), problems


def _compute_book_key(job: Job, book: Book, faces: list[Face], style: BookStyle) -> str:
    placed = [(get_face_pdf(face, job.store), face.deck.form) for face in faces]
    colours, fonts = list(job.game.colours.items()), job.faces.fonts
    return digest_recipe(book, placed, style.stylesheets, style.art, colours, fonts.text_digest,
                         fonts.icon_digest)  # fmt: skip


def _compute_layout_key(job: Job, book: Book, html: str, style: BookStyle) -> str:
    """Return the digest of everything that decides the layout of a book.

    Of faces this is the names, which are in the HTML, and of drawings the sizes.
    """
    art = [compute_art_key(art) for art in (*style.art, *book.art)]
    looks = (book.paper_colour, html, book.index, book.title, book.format, book.language)
    letters = (book.heading_letters, book.summary_count)
    colours, fonts = list(job.game.colours.items()), job.faces.fonts.text_digest
    decides = (looks, letters, art, style.stylesheets, colours, fonts)
    return digest_parts([code_version.digest_code("book"), "layout", repr(decides)])


def build_book_order(job: Job, wanted: PlannedBook, style: BookStyle) -> BookRequest:
    """Return the request to typeset a book."""
    from cardgen.book.book_pdf import BookRequest, PlacedFace  # noqa: PLC0415 - pikepdf only when needed

    book, placed = wanted.book, {}
    for name, face in zip(book.faces, wanted.faces, strict=True):
        deck = face.deck
        placed[name] = PlacedFace(get_face_pdf(face, job.store), deck.size, deck.bleed, deck.form)
    art = tuple({art.name: art for art in (*style.art, *book.art)}.values())
    drawings = {a.name: job.store.get_path("art", f"{a.digest}.pdf") for a in art if a.vector}
    return BookRequest(
        wanted.key, book, style.stylesheets, tuple(job.game.colours.items()), job.font_files,
        tuple(sorted(job.faces.fonts.patterns.items())), placed, art, drawings,
    )  # fmt: skip


def get_book_path(job: Job, key: str) -> Path:
    """Return the path of a book in the store."""
    return job.store.get_path("books", f"{key}.pdf")


def load_book_remarks(job: Job, wanted: PlannedBook) -> list[Diagnostic] | None:
    """Return the remarks on a book's layout, or None if the store does not hold the book."""
    if not job.store.has_entry(get_book_path(job, wanted.key)):
        return None
    return parse_diagnostics(job.store.read_json(job.store.get_path("books", f"{wanted.key}.json")))


def store_book(job: Job, wanted: PlannedBook, pdf: bytes, remarks: Sequence[Diagnostic]) -> None:
    """Store a book with the remarks on its layout."""
    job.store.write(get_book_path(job, wanted.key), pdf)
    path = job.store.get_path("books", f"{wanted.key}.json")
    job.store.write_json(path, serialize_problems(remarks))


def locate_remark(book: Book, remark: Diagnostic, line_of_block: BlockLineLookup) -> Problem:
    """Return a remark as a problem at a line of the style or of the Markdown, if known."""
    whole = Source(f"{RULEBOOK_FOLDER}/{book.language}.md")
    found = _BLOCK_LOCATION.match(remark.location)
    source = Source(whole.path, line_of_block(int(found[1]))) if found else remark.locate(whole)
    return Problem(source, remark.message, remark.kind, remark.severity)


def make_line_lookup(job: Job, book: Book) -> BlockLineLookup:
    """Return a function that finds the source line of a block by reading the Markdown again."""

    def find_line(block: int) -> int:
        from cardgen.book import source_lines  # noqa: PLC0415 - WeasyPrint only when needed

        glyphs = font_files.read_all_code_points(job.faces.fonts, job.store)
        task = f"{RULEBOOK_FOLDER}/{book.language}.md: its lines"
        with work_limits.work_limit(task, _SOURCE_LINES_SECONDS):
            return source_lines.find_source_lines(job.game, book, glyphs).get_line(block, 0)

    return find_line


def open_layout_cache(job: Job, style: BookStyle) -> LayoutStore:
    """Return the stored layouts of books."""
    return LayoutStore(job.store, lambda book, html: _compute_layout_key(job, book, html, style))


def select_books(job: Job, *, white: bool = False) -> list[Book]:
    """Return the books to make: of the editions and sizes that the user names, else of those that
    the game lists. With `white` the paper's tone is left out."""
    names = select_book_names(job.game, job.options.editions, job.options.book_sizes)
    return [
        replace(book, paper_colour="") if white else book
        for book in job.books.books
        if book.language in job.languages and book.name in names
    ]


def _typeset_books(
    job: Job, style: BookStyle, layouts: LayoutStore, books: Sequence[PlannedBook]
) -> dict[str, Sequence[Diagnostic]]:
    """Typeset books into the store. Return the remarks by the book's key."""
    remarks: dict[str, Sequence[Diagnostic]] = {}
    new: list[PlannedBook] = []
    for planned in books:
        stored = layouts.load_remarks(planned.layout_key)
        if stored is None:
            new.append(planned)
        else:
            request = build_book_order(job, planned, style)
            pdf = layouts.assemble_stored(request, planned.layout_key)
            store_book(job, planned, pdf, stored)
            remarks[planned.key] = stored
    failed: list[str] = []
    requests = (layouts.add_hints(build_book_order(job, each, style)) for each in new)
    until_failure = takewhile(lambda _: not failed, requests)  # one long wait is enough
    results = map_calls(_typeset_book, until_failure, alone=len(new) < 2)
    for planned, result in zip(new, results, strict=False):
        remarks[result.key] = result.layout.remarks
        if result.pdf:
            layouts.store_layout(planned.book, planned.layout_key, result.layout)
            store_book(job, planned, result.pdf, result.layout.remarks)
        else:
            failed.append(result.key)
    return remarks


def _typeset_book(request: BookRequest) -> TypesetBook:
    from cardgen.book.book_typesetting import typeset_book  # noqa: PLC0415 - in the helper process

    return typeset_book(request)


def typeset_missing_books(job: Job, books: Sequence[Book]) -> list[Problem]:
    """Typeset the books that the store lacks. Return the problems of all of them."""
    if not books:
        return []
    style, problems = load_book_style(job)
    art = [*style.art, *(art for book in books for art in book.art)]
    failed = draw_vector_art(art, job.store)
    problems += [Problem(Source(RULEBOOK_FOLDER), message, "art") for message in failed.values()]
    problems += check_pictures(art)
    if has_errors(problems):
        return problems
    planned = plan_books(job, books, style)
    remarks: dict[str, Sequence[Diagnostic] | None] = {
        each.key: load_book_remarks(job, each) for each in planned
    }
    layouts = open_layout_cache(job, style)
    stale = [each for each in planned if remarks[each.key] is None]
    remarks |= _typeset_books(job, style, layouts, stale)
    for each in planned:
        lookup = make_line_lookup(job, each.book)
        problems += [locate_remark(each.book, r, lookup) for r in remarks[each.key] or ()]
    in_use = {f"{each.key}.{extension}" for each in planned for extension in ("pdf", "json")}
    job.store.remove_unused("books", in_use, 3 * len(in_use) + 16)
    layouts.remove_old(job.game.languages, {each.layout_key for each in planned})
    return problems
