"""What books are set from: the game's own style, faces, drawings; and the keys of it all."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cardgen.assets import artwork, font_files
from cardgen.assets.artwork import Art, UnusableArtError
from cardgen.book.editions import select_book_names
from cardgen.book.layout_store import LayoutStore
from cardgen.book.manuscript import RULEBOOK_FOLDER
from cardgen.book.model import Book
from cardgen.core import work_limits
from cardgen.core.problems import (
    Diagnostic,
    Problem,
    Source,
    find_line,
    parse_diagnostics,
    serialize_problems,
)
from cardgen.faces.model import Face, get_face_pdf
from cardgen.faces.rendering import compute_art_key
from cardgen.outputs.contract import Job, digest_recipe
from cardgen.runtime import code_version, game_files
from cardgen.runtime.content_store import digest_parts
from cardgen.templates import stylesheet_rules
from cardgen.templates.html_tags import list_urls

if TYPE_CHECKING:
    from cardgen.book.book_pdf import BookRequest
from dataclasses import replace
from itertools import takewhile
from typing import TYPE_CHECKING

from cardgen.core.problems import has_errors
from cardgen.faces.rendering import check_pictures
from cardgen.faces.typesetting import draw_vector_art
from cardgen.runtime.worker_pool import map_calls

if TYPE_CHECKING:
    from cardgen.book.book_pdf import BookRequest, TypesetBook


_SOURCE_LINES_SECONDS = 20.0
BlockLineLookup = Callable[[int], int]
"""Returns the source line of a block of a book, or 0 where it is not known."""
_BLOCK_LOCATION = re.compile(r"block ([0-9]{1,6})\Z")
BOOK_STYLE_FILE = f"{RULEBOOK_FOLDER}/book.css"


@dataclass(frozen=True)
class BookStyle:
    """The game's own style for its books: (name, text) of each file, and the pictures in it."""

    stylesheets: tuple[tuple[str, str], ...] = ()
    art: tuple[Art, ...] = ()


@dataclass(frozen=True)
class PlannedBook:
    """A book that is asked for, the faces that it shows, its key, and that of its layout."""

    book: Book
    faces: list[Face]
    key: str
    layout_key: str


def plan_books(job: Job, books: Sequence[Book], style: BookStyle) -> list[PlannedBook]:
    """The books with what each is set from."""
    known = {_get_face_key(face): face for face in job.faces.faces}
    found = []
    for book in books:
        faces = [known[book.language, *_get_reference_key(face)] for face in book.faces]
        key = _compute_book_key(job, book, faces, style)
        found.append(
            PlannedBook(book, faces, key, _compute_layout_key(job, book, book.html, style))
        )
    return found


def _get_face_key(face: Face) -> tuple[str, str, str, str]:
    return face.language, face.deck.id, face.piece.id, face.side


def _get_reference_key(face: Any) -> tuple[str, str, str]:
    return face.deck, face.piece, face.side


def load_book_style(job: Job) -> tuple[BookStyle, list[Problem]]:
    """The game's own style for its books, and what is wrong with it."""
    if not game_files.has_entry(job.game.root, BOOK_STYLE_FILE):
        return BookStyle(), []
    text, why = game_files.read_text(job.game.root, BOOK_STYLE_FILE)
    if why:
        return BookStyle(), [Problem(Source(BOOK_STYLE_FILE), f"the file {why}", "file")]
    if "@page" in text:
        message = "@page is cardgen's own; sizes and margins of a book are fixed"
        return BookStyle(), [
            Problem(Source(BOOK_STYLE_FILE, find_line(text, "@page")), message, "css")
        ]
    found: list[Art] = []
    problems = []
    for written in list_urls(text):
        try:
            found.append(artwork.load_by_address(job.game.root, written))
        except UnusableArtError as error:
            problems.append(
                Problem(Source(BOOK_STYLE_FILE, find_line(text, written)), str(error), "art")
            )
    problems += _find_undefined_properties(job, text)
    return BookStyle(((BOOK_STYLE_FILE, text),), tuple(found)), problems


def _find_undefined_properties(job: Job, text: str) -> Iterator[Problem]:
    """Custom properties that the game's own style uses and nothing sets."""
    known = stylesheet_rules.list_colour_variables(
        job.game.colours
    ) | stylesheet_rules.find_definitions(text)
    known |= set(stylesheet_rules.BOOK_VARIABLES)
    for name, at in stylesheet_rules.find_uses(text):
        if name not in known:
            where = Source(BOOK_STYLE_FILE, text.count("\n", 0, at) + 1)
            yield Problem(
                where, stylesheet_rules.explain_unknown_variable(name, known), "css", "warning"
            )


def _compute_book_key(job: Job, book: Book, faces: list[Face], style: BookStyle) -> str:
    placed = [(get_face_pdf(face, job.store), face.deck.form) for face in faces]
    colours, fonts = list(job.game.colours.items()), job.faces.fonts
    return digest_recipe(book, placed, style.stylesheets, style.art, colours, fonts.text_digest,
                         fonts.icon_digest)  # fmt: skip


def _compute_layout_key(job: Job, book: Book, html: str, style: BookStyle) -> str:
    """The hash of all that decides how that HTML of a book is laid out: of its faces the names
    alone, which stand in it, and of drawings the sizes."""
    art = [compute_art_key(art) for art in (*style.art, *book.art)]
    looks = (
        book.paper_colour,
        html,
        book.index,
        book.title,
        book.format,
        book.language,
        book.heading_letters,
        book.summary_count,
    )
    decides = (
        looks,
        art,
        style.stylesheets,
        list(job.game.colours.items()),
        job.faces.fonts.text_digest,
    )
    return digest_parts([code_version.digest_code("book"), "layout", repr(decides)])


def build_book_order(job: Job, wanted: PlannedBook, style: BookStyle) -> BookRequest:
    """A book with all that it is set from."""
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
    """Where the store holds a set book."""
    return job.store.get_path("books", f"{key}.pdf")


def load_book_remarks(job: Job, wanted: PlannedBook) -> list[Diagnostic] | None:
    """What is wrong with the layout of a book; None when the store does not hold the book."""
    if not job.store.has_entry(get_book_path(job, wanted.key)):
        return None
    return parse_diagnostics(job.store.read_json(job.store.get_path("books", f"{wanted.key}.json")))


def store_book(job: Job, wanted: PlannedBook, pdf: bytes, remarks: Sequence[Diagnostic]) -> None:
    """Put a set book into the store, with what is wrong with it."""
    job.store.write(get_book_path(job, wanted.key), pdf)
    job.store.write_json(
        job.store.get_path("books", f"{wanted.key}.json"), serialize_problems(remarks)
    )


def locate_remark(book: Book, remark: Diagnostic, line_of_block: BlockLineLookup) -> Problem:
    """What the layout showed to be wrong: at the style's line, at that of a block of the book,
    else of the book as a whole."""
    whole = Source(f"{RULEBOOK_FOLDER}/{book.language}.md")
    found = _BLOCK_LOCATION.match(remark.location)
    source = Source(whole.path, line_of_block(int(found[1]))) if found else remark.locate(whole)
    return Problem(source, remark.message, remark.kind, remark.severity)


def make_line_lookup(job: Job, book: Book) -> BlockLineLookup:
    """Asks the Markdown, read once more, from which line a block of a book comes."""

    def find_line(block: int) -> int:
        from cardgen.book import source_lines  # noqa: PLC0415 - WeasyPrint only when needed

        glyphs = font_files.read_all_code_points(job.faces.fonts, job.store)
        with work_limits.work_limit(
            f"{RULEBOOK_FOLDER}/{book.language}.md: its lines", _SOURCE_LINES_SECONDS
        ):
            return source_lines.find_source_lines(job.game, book, glyphs).get_line(block, 0)

    return find_line


def open_layout_cache(job: Job, style: BookStyle) -> LayoutStore:
    """The layouts of books that the store holds."""
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
    job: Job, style: BookStyle, layouts: LayoutStore, stale: list[PlannedBook]
) -> dict[str, Sequence[Diagnostic]]:
    """Set books into the store; what is wrong with each that was set, or could not be."""
    found: dict[str, Sequence[Diagnostic]] = {}
    new: list[PlannedBook] = []
    for wanted in stale:
        remarks = layouts.load_remarks(wanted.layout_key)
        if remarks is None:
            new.append(wanted)
        else:
            order = build_book_order(job, wanted, style)
            store_book(job, wanted, layouts.assemble_stored(order, wanted.layout_key), remarks)
            found[wanted.key] = remarks
    stopped: list[str] = []
    orders = (layouts.add_hints(build_book_order(job, each, style)) for each in new)
    unstopped = takewhile(lambda _: not stopped, orders)  # one that had to be stopped is enough
    for wanted, made in zip(
        new, map_calls(_typeset_book, unstopped, alone=len(new) < 2), strict=False
    ):
        found[made.key] = made.layout.remarks
        if not made.pdf:
            stopped.append(made.key)
            continue
        layouts.store_layout(wanted.book, wanted.layout_key, made.layout)
        store_book(job, wanted, made.pdf, made.layout.remarks)
    return found


def _typeset_book(order: BookRequest) -> TypesetBook:
    from cardgen.book.book_typesetting import typeset_book  # noqa: PLC0415 - in the helper process

    return typeset_book(order)


def typeset_missing_books(job: Job, books: Sequence[Book]) -> list[Problem]:
    """Set every one of the books that is not in the store; what is wrong with each."""
    if not books:
        return []
    style, problems = load_book_style(job)
    art = [*style.art, *(art for book in books for art in book.art)]
    failed = draw_vector_art(art, job.store)
    problems += [Problem(Source(RULEBOOK_FOLDER), message, "art") for message in failed.values()]
    problems += check_pictures(art)
    if has_errors(problems):
        return problems
    found = plan_books(job, books, style)
    kept = {wanted.key: load_book_remarks(job, wanted) for wanted in found}
    layouts = open_layout_cache(job, style)
    made = _typeset_books(
        job, style, layouts, [wanted for wanted in found if kept[wanted.key] is None]
    )
    for wanted in found:
        told = made.get(wanted.key) or kept[wanted.key] or ()
        problems += [
            locate_remark(wanted.book, each, make_line_lookup(job, wanted.book)) for each in told
        ]
    in_use = {f"{wanted.key}.{end}" for wanted in found for end in ("pdf", "json")}
    job.store.remove_unused("books", in_use, 3 * len(in_use) + 16)
    layouts.remove_old(job.game.languages, {wanted.layout_key for wanted in found})
    return problems
