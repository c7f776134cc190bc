"""Rulebooks for the screen: laid out as a build does, in the press that works beside the press.

What is on the screen comes first: a book is laid out, and its pages can be drawn one by one before
its PDF is written. `finish` does the rest, so that a build has nothing left to lay out. One book at
a time is held in memory with its boxes, until it is finished or another is asked for.
"""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Any

from markupsafe import escape

from cardgen.assets import font_files
from cardgen.assets.artwork import Art
from cardgen.assets.font_files import ICON_FAMILY
from cardgen.book import book_cache
from cardgen.book.editions import BookSelection
from cardgen.book.manuscript import RULEBOOK_FOLDER
from cardgen.book.model import Book, BookPage
from cardgen.core import work_limits
from cardgen.core.problems import Diagnostic, Problem, Source, has_errors
from cardgen.core.units import Size
from cardgen.faces import rendering, typesetting
from cardgen.faces.model import Face
from cardgen.faces.queries import FaceQueries
from cardgen.outputs import rulebook_typesetting
from cardgen.outputs.contract import Job, Options
from cardgen.outputs.rulebook_typesetting import PlannedBook
from cardgen.pdf import raster
from cardgen.preview.workers import render_worker
from cardgen.preview.workers.book_messages import (
    BookInfo,
    BookViewRequest,
    describe_page,
    list_headings,
)
from cardgen.preview.workers.render_worker import GameLocation
from cardgen.runtime import game_files
from cardgen.runtime.content_store import digest_parts, read_entry
from cardgen.sheets.arrangement import SheetLayout

PAGE_DRAW_SECONDS = 20.0
MAX_STORED_BOOKS = 64
"""So many set books a store keeps before those go that nothing shows."""


MAX_UNCOLLECTED_OBJECTS = 1_500_000
"""So many objects may wait in memory to be looked through for cycles: some five layouts."""
RARE_GC_THRESHOLDS = (100_000, 5, 5)
"""All that is new is looked through after 2.5 million objects: a first layout makes more."""
SCREEN_OPTIONS = Options(SheetLayout("a4", Size(210, 297)), 0, False, False)


@dataclass
class BookSession:
    """The book that was asked for last. `begun` is its layout until its PDF is written."""

    request: BookViewRequest
    view: BookInfo
    job: Job | None = None
    planned_book: PlannedBook | None = None
    style: rulebook_typesetting.BookStyle = field(default_factory=rulebook_typesetting.BookStyle)
    layout_in_progress: Any = None
    source_lines: Any = None
    pages: Sequence[BookPage] = ()
    background_art: frozenset[str] = frozenset()


_book_sessions: dict[GameLocation, BookSession] = {}


def update_book(asked: BookViewRequest) -> BookInfo:
    """The book as it is now, laid out, unless all is as it was."""
    with _collect_rarely():
        seen = render_worker.update_game(asked.location)
        wrong = seen.problems if seen else ()
        told: list[Problem] = []
        last, at = _book_sessions.get(asked.location), render_worker.get_session(asked.location)
        desk = render_worker.run_in_build_folder(
            at, lambda: _open_book(asked, wrong, last), told.append
        )
        if desk is None:
            desk = BookSession(asked, BookInfo(problems=tuple(told)))
        _book_sessions.clear()
        _book_sessions[asked.location] = desk
        return desk.view


def draw_layout_page(call: tuple[GameLocation, str, int]) -> bytes | None:
    """A page by its picture, so many px wide, as PNG; None when the book has no such page any
    more. Raises `Stopped`."""
    place, picture, width = call
    desk = _book_sessions.get(place)
    number = _find_page_number(desk, picture)
    if desk is None or number < 0:
        return None
    with work_limits.work_limit(f"the picture of page {number + 1}", PAGE_DRAW_SECONDS):
        if desk.layout_in_progress is not None:
            return _rasterise_page(_write_single_page(desk, number), 0, width)
    whole = finish_book(desk.request)
    if whole is None or whole.path is None:
        return None
    with work_limits.work_limit(f"the picture of page {number + 1}", PAGE_DRAW_SECONDS):
        return _rasterise_page(read_entry(whole.path), number, width)


def _rasterise_page(pdf: bytes, number: int, width: int) -> bytes | None:
    image = raster.rasterise_page(pdf, number, width)
    return None if image is None else raster.encode_quick_png(image)


def finish_book(asked: BookViewRequest) -> BookInfo | None:
    """Write the PDF of the book that was asked for last into the store, as a build does, and tell
    what is wrong with it; None when it was another."""
    desk = _book_sessions.get(asked.location)
    if desk is None or desk.request != asked:
        return None
    if desk.layout_in_progress is not None and all(
        map(_make_typeset_test(_require_job(desk)), _require_plan(desk).faces)
    ):
        told: list[Problem] = []
        with _collect_rarely():
            render_worker.run_in_build_folder(
                render_worker.get_session(asked.location), lambda: _store_book(desk), told.append
            )
        desk.view = replace(desk.view, problems=(*desk.view.problems, *told))
        _collect_garbage()
    return desk.view


def find_source_line(call: tuple[GameLocation, str, int, int]) -> Source | None:
    """The line from which an element of a page comes, by the page's picture, the block counted
    from the page's first, and the number in it; None when that is not known."""
    place, picture, block, element = call
    desk = _book_sessions.get(place)
    number = _find_page_number(desk, picture)
    if desk is None or number < 0:
        return None
    lines = _load_source_lines(desk)
    found = lines.get_line(desk.view.pages[number].first + block, element)
    return Source(lines.path, found) if found else None


def locate_problems(asked: BookViewRequest) -> tuple[tuple[int, float], ...]:
    """Where each of the book's problems stands: its page, from 0, and how far down, mm; -1 for
    those of which that is not known."""
    desk = _book_sessions.get(asked.location)
    if desk is None or desk.request != asked or desk.planned_book is None:
        return ()
    lines = _load_source_lines(desk)
    blocks = [
        lines.find_block(problem.source.line) if problem.source.path == lines.path else -1
        for problem in desk.view.problems
    ]
    return tuple(_locate_block(desk.view, block) for block in blocks)


def _locate_block(seen: BookInfo, block: int) -> tuple[int, float]:
    found = (
        (number, area[3])
        for number, page in enumerate(seen.pages)
        for area in page.areas
        if page.first + area[0] == block >= 0
    )
    return next(found, (-1, 0.0))


@contextmanager
def _collect_rarely() -> Iterator[None]:
    """With few looks for cycles, which take a third of the time that a layout takes otherwise, and
    none at what was there before. The whole is looked through when there is time, at the latest
    after a few layouts."""
    if gc.get_freeze_count() > MAX_UNCOLLECTED_OBJECTS:
        _collect_garbage()
    gc.freeze()
    usual = gc.get_threshold()
    gc.set_threshold(*RARE_GC_THRESHOLDS)
    try:
        yield
    finally:
        gc.freeze()
        gc.set_threshold(*usual)


def _collect_garbage() -> None:
    gc.unfreeze()
    gc.collect()


def _find_page_number(desk: BookSession | None, picture: str) -> int:
    pages = desk.view.pages if desk else ()
    return next((n for n, page in enumerate(pages) if page.picture == picture), -1)


def _require_plan(desk: BookSession) -> PlannedBook:
    assert desk.planned_book is not None
    return desk.planned_book


def _require_job(desk: BookSession) -> Job:
    assert desk.job is not None
    return desk.job


def _load_source_lines(desk: BookSession) -> Any:
    from cardgen.book import source_lines  # noqa: PLC0415 - WeasyPrint only when needed

    if desk.source_lines is None:
        job = _require_job(desk)
        glyphs = font_files.read_all_code_points(job.faces.fonts, job.store)
        with work_limits.work_limit(
            f"{RULEBOOK_FOLDER}/{desk.view.language}.md: its lines", PAGE_DRAW_SECONDS
        ):
            desk.source_lines = source_lines.find_source_lines(
                job.game, _require_plan(desk).book, glyphs
            )
    return desk.source_lines


def _open_book(
    asked: BookViewRequest, wrong: Sequence[Problem], last: BookSession | None
) -> BookSession:
    """The book, laid out or taken from the store; `wrong` is what a look at the game told."""
    at = render_worker.get_session(asked.location)
    game, faces, store = at.game, at.faces, at.store
    if game is None or faces is None:
        errors = tuple(problem for problem in wrong if problem.severity == "error")
        return BookSession(asked, BookInfo(problems=errors))
    languages = tuple(
        code
        for code in game.languages
        if game_files.has_entry(game.root, f"{RULEBOOK_FOLDER}/{code}.md")
    )
    if not languages:
        return BookSession(asked, BookInfo())
    language = asked.language if asked.language in languages else languages[0]
    seen = BookInfo(languages, language, asked.edition, asked.format)
    wanted = BookSelection((language,), (asked.edition,), (asked.format,))
    glyphs = font_files.read_all_code_points(faces.fonts, store)
    places = FaceQueries(game, faces, store, sets=True)
    books = book_cache.load_books(game, wanted, glyphs, store, places)
    desk = BookSession(asked, replace(seen, problems=tuple(books.problems)))
    known = replace(faces, problems=[], diagnostics={})
    desk.job = Job(game, game.decks, (language,), known, books, store, SCREEN_OPTIONS)
    if books.books and faces.fonts.files:
        _lay_out_book(desk, books.books[0], last)
    return desk


def _lay_out_book(desk: BookSession, book: Book, last: BookSession | None) -> None:
    """Lay the book out, or take what is known of that very layout."""
    job = _require_job(desk)
    style, problems = rulebook_typesetting.load_book_style(job)
    failed = typesetting.draw_vector_art([*style.art, *book.art], job.store)
    problems += [Problem(Source(RULEBOOK_FOLDER), message, "art") for message in failed.values()]
    problems += rendering.check_pictures([*style.art, *book.art])
    desk.view = replace(desk.view, problems=(*desk.view.problems, *problems))
    faces = _find_book_faces(job, book)
    if faces is None or has_errors(problems):
        return
    typesetting.typeset_faces(job.game, replace(job.faces, faces=faces), job.store)
    (desk.planned_book,), desk.style = rulebook_typesetting.plan_books(job, [book], style), style
    desk.background_art = _find_background_art(desk)
    desk.pages = _lay_out_pages(desk, last)
    layouts = rulebook_typesetting.open_layout_cache(job, style)
    style_key = digest_parts([layouts.compute_style_key(book), job.faces.fonts.icon_digest])
    desk.view = replace(
        desk.view, title=book.title, width=book.format.width, height=book.format.height,
        pages=tuple(
            describe_page(page, style_key, _collect_digests(page, desk)) for page in desk.pages
        ),
        contents=tuple(list_headings(desk.pages)),
    )  # fmt: skip


def _find_book_faces(job: Job, book: Book) -> list[Face] | None:
    """The faces that a book shows; None when one of them could not be rendered."""
    known = {(face.deck.id, face.piece.id, face.side): face
             for face in job.faces.faces if face.language == book.language}  # fmt: skip
    shown = [known.get((each.deck, each.piece, each.side)) for each in book.faces]
    found = [face for face in shown if face is not None]
    return found if len(found) == len(shown) else None


def _lay_out_pages(desk: BookSession, last: BookSession | None) -> Sequence[BookPage]:
    """Return the pages of the book: of its layout in progress, of a stored one, or of a new one."""
    from cardgen.book import book_typesetting  # noqa: PLC0415 - WeasyPrint only when needed

    job, wanted = _require_job(desk), _require_plan(desk)
    if (
        last
        and last.layout_in_progress
        and last.planned_book
        and last.planned_book.key == wanted.key
    ):
        desk.layout_in_progress = last.layout_in_progress
        return last.pages
    layouts = rulebook_typesetting.open_layout_cache(job, desk.style)
    request = rulebook_typesetting.build_book_order(job, wanted, desk.style)
    remarks = layouts.load_remarks(wanted.layout_key)
    pages = layouts.load_pages(wanted.layout_key)
    if remarks is not None and pages and all(map(_make_typeset_test(job), wanted.faces)):
        if rulebook_typesetting.load_book_remarks(job, wanted) is None:
            rulebook_typesetting.store_book(
                job, wanted, layouts.assemble_stored(request, wanted.layout_key), remarks
            )
        _add_remarks(desk, remarks)
        desk.view = replace(desk.view, path=rulebook_typesetting.get_book_path(job, wanted.key))
        return pages
    laid_out = book_typesetting.lay_out_book(layouts.add_hints(request))
    if isinstance(laid_out, book_typesetting.LaidOutBook):
        desk.layout_in_progress = laid_out
        return laid_out.pages
    _add_remarks(desk, laid_out.layout.remarks)
    return ()


def _add_remarks(desk: BookSession, remarks: Sequence[Diagnostic]) -> None:
    book = _require_plan(desk).book
    lines = rulebook_typesetting.make_line_lookup(_require_job(desk), book)
    found = [rulebook_typesetting.locate_remark(book, remark, lines) for remark in remarks]
    desk.view = replace(desk.view, problems=(*desk.view.problems, *found))


def _collect_digests(page: BookPage, desk: BookSession) -> list[str]:
    """The digests of the faces and pictures that stand on a page; of pictures that a style lays
    behind its texts, on every page."""
    wanted, on = _require_plan(desk), set(page.images)
    faces = [
        face.digest
        for name, face in zip(wanted.book.faces, wanted.faces, strict=True)
        if name.stand_in_name in on
    ]
    on |= desk.background_art
    return faces + [art.digest for art in _list_art(desk) if art.name in on]


def _list_art(desk: BookSession) -> tuple[Art, ...]:
    return (*desk.style.art, *_require_plan(desk).book.art)


def _find_background_art(desk: BookSession) -> frozenset[str]:
    """The pictures that no element of the book shows: those that styles lay behind its texts."""
    html = _require_plan(desk).book.html
    names = {art.name for art in _list_art(desk)}
    return frozenset(name for name in names if f'src="{escape(name)}"' not in html)


def _make_typeset_test(job: Job) -> Callable[[Face], bool]:
    return lambda face: job.store.has_entry(job.store.get_path("faces", f"{face.key}.pdf"))


def _write_single_page(desk: BookSession, number: int) -> bytes:
    """Return a page of the layout in progress as a PDF, with the faces that are typeset so far."""
    from cardgen.book.book_pdf import assemble_book  # noqa: PLC0415 - pikepdf only when needed

    job, begun = _require_job(desk), desk.layout_in_progress
    order, on = begun.request, set(desk.pages[number].images)
    faces = {
        name: order.faces[name]
        for name, face in zip(
            _require_plan(desk).book.faces, _require_plan(desk).faces, strict=True
        )
        if name.stand_in_name in on and _make_typeset_test(job)(face)
    }
    drawings = {
        name: path for name, path in order.drawings.items() if name in on | desk.background_art
    }
    # The page's own fonts are subsets already; only the icons are drawn anew.
    icons = tuple(cut for cut in order.cuts if cut.family == ICON_FAMILY)
    single = replace(order, faces=faces, drawings=drawings, cuts=icons)
    return assemble_book(single, begun.paint_page(number))


def _store_book(desk: BookSession) -> None:
    from cardgen.book import book_typesetting  # noqa: PLC0415 - WeasyPrint only when needed

    job, wanted = _require_job(desk), _require_plan(desk)
    made = book_typesetting.paint_book(desk.layout_in_progress)
    _add_remarks(desk, made.layout.remarks)
    if not made.pdf:
        return
    shelf = rulebook_typesetting.open_layout_cache(job, desk.style)
    shelf.store_layout(wanted.book, wanted.layout_key, made.layout)
    rulebook_typesetting.store_book(job, wanted, made.pdf, made.layout.remarks)
    shelf.remove_old(job.game.languages, {wanted.layout_key})
    in_use = {f"{wanted.key}.{end}" for end in ("pdf", "json")}
    job.store.remove_unused("books", in_use, MAX_STORED_BOOKS)
    desk.layout_in_progress = None
    desk.view = replace(desk.view, path=rulebook_typesetting.get_book_path(job, wanted.key))
