"""Rulebooks in the preview, laid out as a build lays them out.

The visible part comes first: `update_book` lays a book out, and its pages can be drawn one by one
before its PDF is written. `finish_book` writes the PDF, so that a build has nothing left to do. One
book at a time is kept in memory, until it is finished or another one is requested. Runs in the
preview's book worker.
"""

from __future__ import annotations

import gc
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from markupsafe import escape

from cardgen.assets import font_files
from cardgen.book import book_cache
from cardgen.book.manuscript import RULEBOOK_FOLDER
from cardgen.book.model import Book, BookPage, BookSelection, name_book
from cardgen.core import work_limits
from cardgen.core.problems import Diagnostic, Problem, Source, has_errors
from cardgen.core.units import Size
from cardgen.faces import rendering, typesetting
from cardgen.faces.model import Face
from cardgen.outputs import rulebook_typesetting
from cardgen.outputs.contract import Job, Options
from cardgen.outputs.rulebook_typesetting import PlannedBook
from cardgen.pipeline.stages import Stages
from cardgen.preview.messages import BookInfo, BookViewRequest, GameLocation, PageInfo
from cardgen.preview.workers import render_worker
from cardgen.runtime import game_files
from cardgen.runtime.content_store import digest_parts, read_entry
from cardgen.sheets.arrangement import SheetLayout

PAGE_DRAW_SECONDS = 20.0
MAX_STORED_BOOKS = 64
"""Number of books kept in the store, unused ones included."""
MAX_UNCOLLECTED_OBJECTS = 1_500_000
"""Number of objects exempt from garbage collection, about five layouts, before all are scanned."""
RARE_GC_THRESHOLDS = (100_000, 5, 5)
"""New objects are scanned after 2.5 million allocations; a first layout makes more."""
SCREEN_OPTIONS = Options(SheetLayout("a4", Size(210, 297)), 0, False, False)


@dataclass
class OpenBook:
    """A book that can be laid out, and its layout until its PDF is written."""

    job: Job
    planned: PlannedBook
    style: rulebook_typesetting.BookStyle
    pages: Sequence[BookPage] = ()
    layout_in_progress: Any = None

    @property
    def is_typeset(self) -> bool:
        """All faces on its pages are typeset."""
        return all(map(self.has_face, self.planned.faces))

    def has_face(self, face: Face) -> bool:
        store = self.job.store
        return store.has_entry(store.get_path("faces", f"{face.key}.pdf"))

    @cached_property
    def art_digests(self) -> dict[str, str]:
        """Digests of the book's and the style's pictures by name."""
        return {art.name: art.digest for art in (*self.style.art, *self.planned.book.art)}

    @cached_property
    def background_art(self) -> frozenset[str]:
        """Pictures without an element: those that styles place behind the text."""
        html = self.planned.book.html
        return frozenset(name for name in self.art_digests if f'src="{escape(name)}"' not in html)

    @cached_property
    def source_lines(self) -> Any:
        """The lines of the Markdown by block and element."""
        from cardgen.book import source_lines  # noqa: PLC0415 - WeasyPrint only when needed

        job, book = self.job, self.planned.book
        glyphs = font_files.read_all_code_points(job.faces.fonts, job.store)
        subject = f"{RULEBOOK_FOLDER}/{book.language}.md: its lines"
        with work_limits.work_limit(subject, PAGE_DRAW_SECONDS):
            return source_lines.find_source_lines(job.game, book, glyphs)


@dataclass
class BookSession:
    """The book that was requested last."""

    request: BookViewRequest
    view: BookInfo
    book: OpenBook | None = None
    """None when there is no book, or it cannot be laid out."""

    def add_problems(self, problems: Iterable[Problem]) -> None:
        self.view = replace(self.view, problems=(*self.view.problems, *problems))

    def add_remarks(self, book: OpenBook, remarks: Sequence[Diagnostic]) -> None:
        """Add what was noticed in a layout as problems at the lines of the Markdown."""
        lines = rulebook_typesetting.make_line_lookup(book.job, book.planned.book)
        locate = rulebook_typesetting.locate_remark
        self.add_problems(locate(book.planned.book, each, lines) for each in remarks)

    def show_stored(self, book: OpenBook) -> None:
        """Show the PDF of the book in the store."""
        path = rulebook_typesetting.get_book_path(book.job, book.planned.key)
        self.view = replace(self.view, path=path)


_book_sessions: dict[GameLocation, BookSession] = {}


def update_book(wanted: BookViewRequest) -> BookInfo:
    """Return the book as it is now, laid out."""
    with _collect_rarely():
        render_worker.update_game(wanted.location)
        last = _book_sessions.get(wanted.location)
        render = render_worker.get_session(wanted.location)
        session, problems = render_worker.run_in_build_folder(
            render, lambda: _open_session(wanted, render, last)
        )
        session = session or BookSession(wanted, BookInfo(problems=problems))
        _book_sessions.clear()
        _book_sessions[wanted.location] = session
        return session.view


def draw_layout_page(location: GameLocation, picture: str, width: int) -> bytes | None:
    """Return a page as PNG, `width` px wide; None when the current book has no such page."""
    session, book, number = _find_page(location, picture)
    if session is None or book is None:
        return None
    from cardgen.pdf import raster  # noqa: PLC0415 - not in the server

    with work_limits.work_limit(f"the picture of page {number + 1}", PAGE_DRAW_SECONDS):
        if book.layout_in_progress is not None:
            pdf, number = _write_single_page(book, number), 0
        elif session.view.path is not None:
            pdf = read_entry(session.view.path)
        else:
            return None
        image = raster.rasterise_page(pdf, number, width)
        return None if image is None else raster.encode_quick_png(image)


def _find_page(
    location: GameLocation, picture: str
) -> tuple[BookSession | None, OpenBook | None, int]:
    """Return the current book and the number of the page with a picture id, from 0. Return no book
    when there is no such page."""
    session = _book_sessions.get(location)
    for number, page in enumerate(session.view.pages if session else ()):
        if page.picture == picture and session:
            return session, session.book, number
    return None, None, -1


def finish_book(wanted: BookViewRequest) -> BookInfo | None:
    """Write the PDF of the current book into the store, as a build does.

    Return None when another book is the current one.
    """
    session = _book_sessions.get(wanted.location)
    if session is None or session.request != wanted:
        return None
    book = session.book
    if book is not None and book.layout_in_progress is not None and book.is_typeset:
        with _collect_rarely():
            _, problems = render_worker.run_in_build_folder(
                render_worker.get_session(wanted.location), lambda: _store_book(session, book)
            )
        session.add_problems(problems)
        _collect_garbage()
    return session.view


def find_source_line(
    location: GameLocation, picture: str, block: int, element: int
) -> Source | None:
    """Return the source of an element of a page, None when it is unknown.

    The page is named by its picture id. The block is counted from the first one of the page, and
    the element within the block.
    """
    session, book, number = _find_page(location, picture)
    if session is None or book is None:
        return None
    lines = book.source_lines
    line = lines.get_line(session.view.pages[number].first + block, element)
    return Source(lines.path, line) if line else None


def locate_problems(wanted: BookViewRequest) -> tuple[tuple[int, float], ...]:
    """Return the page of each of the book's problems, and the mm from its top; -1 for unknown."""
    session = _book_sessions.get(wanted.location)
    if session is None or session.request != wanted or session.book is None:
        return ()
    lines = session.book.source_lines
    places: dict[int, tuple[int, float]] = {}
    for number, page in enumerate(session.view.pages):
        for block, _, _, top, *_ in page.areas:
            places.setdefault(page.first + block, (number, top))
    blocks = [
        lines.find_block(problem.source.line) if problem.source.path == lines.path else -1
        for problem in session.view.problems
    ]
    return tuple(places.get(block, (-1, 0.0)) if block >= 0 else (-1, 0.0) for block in blocks)


@contextmanager
def _collect_rarely() -> Iterator[None]:
    """Scan only new objects for garbage, and these rarely: otherwise it takes a third of the time
    of a layout."""
    if gc.get_freeze_count() > MAX_UNCOLLECTED_OBJECTS:
        _collect_garbage()
    gc.freeze()
    thresholds = gc.get_threshold()
    gc.set_threshold(*RARE_GC_THRESHOLDS)
    try:
        yield
    finally:
        gc.freeze()
        gc.set_threshold(*thresholds)


def _collect_garbage() -> None:
    gc.unfreeze()
    gc.collect()


def _open_session(
    wanted: BookViewRequest, render: render_worker.RenderSession, last: BookSession | None
) -> BookSession:
    """Open the requested book, and lay it out or load its layout from the store."""
    stages = render.stages
    if stages is None:
        errors = tuple(p for p in render.last_update.problems if p.severity == "error")
        return BookSession(wanted, BookInfo(problems=errors))
    game = stages.game
    languages = tuple(
        code
        for code in game.languages
        if game_files.has_entry(game.root, f"{RULEBOOK_FOLDER}/{code}.md")
    )
    if not languages:
        return BookSession(wanted, BookInfo())
    language = wanted.language if wanted.language in languages else languages[0]
    selection = BookSelection((language,), (name_book(wanted.edition, wanted.format),))
    glyphs = font_files.read_all_code_points(stages.fonts, stages.store)
    books = book_cache.load_books(game, selection, glyphs, stages.store, stages.queries)
    view = BookInfo(languages, language, wanted.edition, wanted.format)
    session = BookSession(wanted, replace(view, problems=tuple(books.problems)))
    if books.books and stages.fonts.files:
        _lay_out_book(session, stages, books.books[0], last)
    return session


def _lay_out_book(
    session: BookSession, stages: Stages, book: Book, last: BookSession | None
) -> None:
    faces = replace(stages.faces, problems=[], diagnostics={})
    job = stages.create_job(
        SCREEN_OPTIONS, decks=stages.game.decks, languages=(book.language,), faces=faces
    )
    style, problems = rulebook_typesetting.load_book_style(job)
    failed = typesetting.draw_vector_art([*style.art, *book.art], job.store)
    problems += [Problem(Source(RULEBOOK_FOLDER), message, "art") for message in failed.values()]
    problems += rendering.check_pictures([*style.art, *book.art])
    session.add_problems(problems)
    by_side = {(face.deck.id, face.piece.id, face.side): face
               for face in job.faces.faces if face.language == book.language}  # fmt: skip
    shown = [by_side.get((each.deck, each.piece, each.side)) for each in book.faces]
    rendered = [face for face in shown if face is not None]
    if len(rendered) < len(shown) or has_errors(problems):
        return
    typesetting.typeset_faces(job.game, replace(job.faces, faces=rendered), job.store)
    (planned,) = rulebook_typesetting.plan_books(job, [book], style)
    session.book = OpenBook(job, planned, style)
    session.book.pages = _lay_out_pages(session, session.book, last)
    layouts = rulebook_typesetting.open_layout_cache(job, style)
    style_key = digest_parts([layouts.compute_style_key(book), job.faces.fonts.icon_digest])
    session.view = replace(
        session.view, title=book.title, width=book.format.width, height=book.format.height,
        pages=tuple(_describe_page(page, session.book, style_key) for page in session.book.pages),
        contents=tuple(
            (level, text, number, top)
            for number, page in enumerate(session.book.pages)
            for level, text, top in page.headings
        ),
    )  # fmt: skip


def _lay_out_pages(
    session: BookSession, book: OpenBook, last: BookSession | None
) -> Sequence[BookPage]:
    """Return the pages of the layout in progress, of a stored layout, or of a new one."""
    from cardgen.book import book_typesetting  # noqa: PLC0415 - WeasyPrint only when needed

    job, planned = book.job, book.planned
    before = last.book if last else None
    if before and before.layout_in_progress and before.planned.key == planned.key:
        book.layout_in_progress = before.layout_in_progress
        return before.pages
    layouts = rulebook_typesetting.open_layout_cache(job, book.style)
    request = rulebook_typesetting.build_book_order(job, planned, book.style)
    remarks = layouts.load_remarks(planned.layout_key)
    pages = layouts.load_pages(planned.layout_key)
    if remarks is not None and pages and book.is_typeset:
        if rulebook_typesetting.load_book_remarks(job, planned) is None:
            pdf = layouts.assemble_stored(request, planned.layout_key)
            rulebook_typesetting.store_book(job, planned, pdf, remarks)
        session.add_remarks(book, remarks)
        session.show_stored(book)
        return pages
    laid_out = book_typesetting.lay_out_book(layouts.add_hints(request))
    if isinstance(laid_out, book_typesetting.LaidOutBook):
        book.layout_in_progress = laid_out
        return laid_out.pages
    session.add_remarks(book, laid_out.layout.remarks)
    return ()


def _describe_page(page: BookPage, book: OpenBook, style_key: str) -> PageInfo:
    """Return a page with its picture id: the digest of its text, style, faces and pictures.

    Pictures behind the text count on every page, since styles decide where they show.
    """
    faces = [
        face.digest
        for name, face in zip(book.planned.book.faces, book.planned.faces, strict=True)
        if name.stand_in_name in page.images
    ]
    shown = {*page.images, *book.background_art}
    art = [digest for name, digest in book.art_digests.items() if name in shown]
    picture = digest_parts([style_key, page.digest, *faces, *art])
    return PageInfo(picture, page.first_block, page.areas)


def _write_single_page(book: OpenBook, number: int) -> bytes:
    """Return a page of the layout in progress as a PDF, with the faces that are typeset so far."""
    from cardgen.book.book_pdf import assemble_book  # noqa: PLC0415 - pikepdf only when needed

    layout, images = book.layout_in_progress, book.pages[number].images
    request = layout.request
    faces = {
        name: request.faces[name]
        for name, face in zip(book.planned.book.faces, book.planned.faces, strict=True)
        if name.stand_in_name in images and book.has_face(face)
    }
    shown = {*images, *book.background_art}
    drawings = {name: path for name, path in request.drawings.items() if name in shown}
    # The page's text fonts are subsets already; only the icon fonts are subset again.
    icons = tuple(font for font in request.cuts if font.family == font_files.ICON_FAMILY)
    single = replace(request, faces=faces, drawings=drawings, cuts=icons)
    return assemble_book(single, layout.paint_page(number))


def _store_book(session: BookSession, book: OpenBook) -> None:
    from cardgen.book import book_typesetting  # noqa: PLC0415 - WeasyPrint only when needed

    job, planned = book.job, book.planned
    typeset = book_typesetting.paint_book(book.layout_in_progress)
    session.add_remarks(book, typeset.layout.remarks)
    if not typeset.pdf:
        return
    layouts = rulebook_typesetting.open_layout_cache(job, book.style)
    layouts.store_layout(planned.book, planned.layout_key, typeset.layout)
    rulebook_typesetting.store_book(job, planned, typeset.pdf, typeset.layout.remarks)
    layouts.remove_old(job.game.languages, {planned.layout_key})
    in_use = {f"{planned.key}.{suffix}" for suffix in ("pdf", "json")}
    job.store.remove_unused("books", in_use, MAX_STORED_BOOKS)
    book.layout_in_progress = None
    session.show_stored(book)
