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

from cardgen.assets import fontfiles
from cardgen.assets.artwork import Art
from cardgen.assets.fontfiles import ICON_FAMILY
from cardgen.base import guard, paths
from cardgen.base.problems import Problem, Remark, Source, has_errors
from cardgen.base.store import digest_of, read
from cardgen.base.units import Size
from cardgen.book import cache
from cardgen.book.editions import Selection
from cardgen.book.manuscript import FOLDER
from cardgen.book.model import Book
from cardgen.faces import produce
from cardgen.faces.known import OfFaces
from cardgen.faces.produce import Face
from cardgen.outputs import book_orders
from cardgen.outputs.book_orders import Wanted
from cardgen.outputs.contract import Job, Options
from cardgen.pdf import raster
from cardgen.preview import press
from cardgen.preview.book_seen import Asked, BookSeen, contents, page_seen
from cardgen.preview.press import Place
from cardgen.sheets.arrange import Layout

_SECONDS = 20.0
_MOST_BOOKS = 64
"""So many set books a store keeps before those go that nothing shows."""


_MOST_OBJECTS = 1_500_000
"""So many objects may wait in memory to be looked through for cycles: some five layouts."""
_SELDOM = (100_000, 5, 5)
"""All that is new is looked through after 2.5 million objects: a first layout makes more."""
_OPTIONS = Options(Layout("a4", Size(210, 297)), 0, False, False)


@dataclass
class _Desk:
    """The book that was asked for last. `begun` is its layout until its PDF is written."""

    asked: Asked
    seen: BookSeen
    job: Job | None = None
    wanted: Wanted | None = None
    style: book_orders.Style = field(default_factory=book_orders.Style)
    begun: Any = None
    lines: Any = None
    blocks: int = 0
    behind: frozenset[str] = frozenset()

    @property
    def pages(self) -> list[Any]:
        """The pages of the layout under way."""
        return list(self.begun.settled.document.pages)


_desks: dict[Place, _Desk] = {}


def look(asked: Asked) -> BookSeen:
    """The book as it is now, laid out, unless all is as it was."""
    with _seldom_collected():
        seen = press.look(asked.place)
        wrong = seen.problems if seen else ()
        told: list[Problem] = []
        last, at = _desks.get(asked.place), press.at(asked.place)
        desk = press.alone(at, lambda: _desk(asked, wrong, last), told.append)
        if desk is None:
            desk = _Desk(asked, BookSeen(problems=tuple(told)))
        _desks.clear()
        _desks[asked.place] = desk
        return desk.seen


def draw(call: tuple[Place, str, int]) -> bytes | None:
    """A page by its picture, so many px wide, as PNG; None when the book has no such page any
    more. Raises `Stopped`."""
    place, picture, width = call
    desk = _desks.get(place)
    number = _number(desk, picture)
    if desk is None or number < 0:
        return None
    with guard.at(f"the picture of page {number + 1}", _SECONDS):
        if desk.begun is not None and (alone := _page_alone(desk, number)):
            return _png(alone, 0, width)
    whole = finish(desk.asked)
    if whole is None or whole.path is None:
        return None
    with guard.at(f"the picture of page {number + 1}", _SECONDS):
        return _png(read(whole.path), number, width)


def _png(pdf: bytes, number: int, width: int) -> bytes | None:
    image = raster.page(pdf, number, width)
    return None if image is None else raster.quick(image)


def finish(asked: Asked) -> BookSeen | None:
    """Write the PDF of the book that was asked for last into the store, as a build does, and tell
    what is wrong with it; None when it was another."""
    desk = _desks.get(asked.place)
    if desk is None or desk.asked != asked:
        return None
    if desk.begun is not None and all(map(_is_set(_job_of(desk)), _wanted(desk).faces)):
        told: list[Problem] = []
        with _seldom_collected():
            press.alone(press.at(asked.place), lambda: _finish(desk), told.append)
        desk.seen = replace(desk.seen, problems=(*desk.seen.problems, *told))
        _collect()
    return desk.seen


def line(call: tuple[Place, str, int, int]) -> Source | None:
    """The line from which an element of a page comes, by the page's picture, the block counted
    from the page's first, and the number in it; None when that is not known."""
    place, picture, block, element = call
    desk = _desks.get(place)
    number = _number(desk, picture)
    if desk is None or number < 0:
        return None
    lines = _lines(desk)
    found = lines.line(desk.seen.pages[number].first + block, element)
    return Source(lines.path, found) if found else None


def places_of_problems(asked: Asked) -> tuple[tuple[int, float], ...]:
    """Where each of the book's problems stands: its page, from 0, and how far down, mm; -1 for
    those of which that is not known."""
    desk = _desks.get(asked.place)
    if desk is None or desk.asked != asked or desk.wanted is None:
        return ()
    lines = _lines(desk)
    blocks = [
        lines.at(problem.source.line) if problem.source.path == lines.path else -1
        for problem in desk.seen.problems
    ]
    return tuple(_place_of(desk.seen, block) for block in blocks)


def _place_of(seen: BookSeen, block: int) -> tuple[int, float]:
    found = (
        (number, area[3])
        for number, page in enumerate(seen.pages)
        for area in page.areas
        if page.first + area[0] == block >= 0
    )
    return next(found, (-1, 0.0))


@contextmanager
def _seldom_collected() -> Iterator[None]:
    """With few looks for cycles, which take a third of the time that a layout takes otherwise, and
    none at what was there before. The whole is looked through when there is time, at the latest
    after a few layouts."""
    if gc.get_freeze_count() > _MOST_OBJECTS:
        _collect()
    gc.freeze()
    usual = gc.get_threshold()
    gc.set_threshold(*_SELDOM)
    try:
        yield
    finally:
        gc.freeze()
        gc.set_threshold(*usual)


def _collect() -> None:
    gc.unfreeze()
    gc.collect()


def _number(desk: _Desk | None, picture: str) -> int:
    pages = desk.seen.pages if desk else ()
    return next((n for n, page in enumerate(pages) if page.picture == picture), -1)


def _wanted(desk: _Desk) -> Wanted:
    assert desk.wanted is not None
    return desk.wanted


def _job_of(desk: _Desk) -> Job:
    assert desk.job is not None
    return desk.job


def _lines(desk: _Desk) -> Any:
    from cardgen.book import source_lines  # noqa: PLC0415 - WeasyPrint only when needed

    if desk.lines is None:
        job = _job_of(desk)
        glyphs = fontfiles.glyphs(job.faces.fonts, job.store)
        with guard.at(f"{FOLDER}/{desk.seen.language}.md: its lines", _SECONDS):
            desk.lines = source_lines.of_book(job.game, _wanted(desk).book, glyphs, desk.blocks)
    return desk.lines


def _desk(asked: Asked, wrong: Sequence[Problem], last: _Desk | None) -> _Desk:
    """The book, laid out or taken from the store; `wrong` is what a look at the game told."""
    at = press.at(asked.place)
    game, faces, store = at.game, at.faces, at.store
    if game is None or faces is None:
        errors = tuple(problem for problem in wrong if problem.severity == "error")
        return _Desk(asked, BookSeen(problems=errors))
    languages = tuple(
        code for code in game.languages if paths.there(game.root, f"{FOLDER}/{code}.md")
    )
    if not languages:
        return _Desk(asked, BookSeen())
    language = asked.language if asked.language in languages else languages[0]
    seen = BookSeen(languages, language, asked.edition, asked.format)
    wanted = Selection((language,), (asked.edition,), (asked.format,))
    glyphs = fontfiles.glyphs(faces.fonts, store)
    places = OfFaces(game, faces, store, sets=True)
    books = cache.books_of(game, wanted, glyphs, store, places)
    desk = _Desk(asked, replace(seen, problems=tuple(books.problems)))
    known = replace(faces, problems=[], remarks={})
    desk.job = Job(game, game.decks, (language,), known, books, store, _OPTIONS)
    if books.books and faces.fonts.cuts:
        _lay_out(desk, books.books[0], last)
    return desk


def _lay_out(desk: _Desk, book: Book, last: _Desk | None) -> None:
    """Lay the book out, or take what is known of that very layout."""
    job = _job_of(desk)
    style, problems = book_orders.style_of(job)
    failed = produce.draw_art([*style.art, *book.art], job.store)
    problems += [Problem(Source(FOLDER), message, "art") for message in failed.values()]
    problems += produce.art_remarks([*style.art, *book.art])
    desk.seen = replace(desk.seen, problems=(*desk.seen.problems, *problems))
    faces = _faces(job, book)
    if faces is None or has_errors(problems):
        return
    produce.make(job.game, replace(job.faces, faces=faces), job.store)
    (desk.wanted,), desk.style = book_orders.wanted_books(job, [book], style), style
    desk.behind = _behind(desk)
    pages = _pages(desk, last)
    around = digest_of([book_orders.shelf_of(job, style).around(book), job.faces.fonts.icon_digest])
    desk.blocks = max((_end(page.basis) for page in pages if page.basis), default=0)
    desk.seen = replace(
        desk.seen, title=book.title, width=book.format.width, height=book.format.height,
        pages=tuple(
            page_seen(page, number, around, _wanted(desk).key, _digests_on(page, desk))
            for number, page in enumerate(pages)
        ),
        contents=tuple(contents(pages)),
    )  # fmt: skip


def _faces(job: Job, book: Book) -> list[Face] | None:
    """The faces that a book shows; None when one of them could not be rendered."""
    known = {(face.deck.id, face.piece.id, face.side): face
             for face in job.faces.faces if face.language == book.language}  # fmt: skip
    shown = [known.get((each.deck, each.piece, each.side)) for each in book.faces]
    found = [face for face in shown if face is not None]
    return found if len(found) == len(shown) else None


def _pages(desk: _Desk, last: _Desk | None) -> Sequence[Any]:
    """The pages of the book: of its layout under way, else as the store keeps them, else newly
    laid out. Not all are known of a book that was set and whose pages could not be kept."""
    from cardgen.book import setting  # noqa: PLC0415 - WeasyPrint only when needed
    from cardgen.book.relayout import pages_of_data  # noqa: PLC0415

    job, wanted = _job_of(desk), _wanted(desk)
    if last and last.begun and last.wanted and last.wanted.key == wanted.key:
        desk.begun = last.begun
        return desk.pages
    shelf = book_orders.shelf_of(job, desk.style)
    order = book_orders.order_of(job, wanted, desk.style)
    remarks = shelf.remarks(wanted.layout)
    kept = shelf.pages(wanted.book, wanted.layout)
    if remarks is not None and kept is not None and all(map(_is_set(job), wanted.faces)):
        if book_orders.remarks_of(job, wanted) is None:
            book_orders.keep(job, wanted, shelf.bound(order, wanted.layout), remarks)
        _tell(desk, remarks)
        desk.seen = replace(desk.seen, path=book_orders.path_of(job, wanted.key))
        pages = pages_of_data(kept)
        number = raster.count(read(book_orders.path_of(job, wanted.key)))
        known = len(pages) == number and None not in pages
        return pages if known else [_Unknown()] * number
    begun = setting.begin(shelf.informed(order))
    if isinstance(begun, setting.Begun):
        desk.begun = begun
        return desk.pages
    _tell(desk, begun.layout.remarks)
    return []


class _Unknown:
    """A page of which nothing is known but how it looks."""

    basis, bookmarks, areas = None, (), ()

    def shown(self) -> set[str]:
        return set()


def _tell(desk: _Desk, remarks: Sequence[Remark]) -> None:
    book = _wanted(desk).book
    lines = book_orders.lines_of(_job_of(desk), book)
    found = [book_orders.problem_of(book, remark, lines) for remark in remarks]
    desk.seen = replace(desk.seen, problems=(*desk.seen.problems, *found))


def _end(basis: Any) -> int:
    end: int = basis.start.block + len(basis.digests)
    return end


def _digests_on(page: Any, desk: _Desk) -> list[str]:
    """The digests of the faces and pictures that stand on a page; of pictures that a style lays
    behind its texts, on every page."""
    wanted, on = _wanted(desk), page.shown()
    faces = [
        face.digest
        for name, face in zip(wanted.book.faces, wanted.faces, strict=True)
        if name.address in on
    ]
    on |= desk.behind
    return faces + [art.digest for art in _art(desk) if art.name in on]


def _art(desk: _Desk) -> tuple[Art, ...]:
    return (*desk.style.art, *_wanted(desk).book.art)


def _behind(desk: _Desk) -> frozenset[str]:
    """The pictures that no element of the book shows: those that styles lay behind its texts."""
    html = _wanted(desk).book.html
    names = {art.name for art in _art(desk)}
    return frozenset(name for name in names if f'src="{escape(name)}"' not in html)


def _is_set(job: Job) -> Callable[[Face], bool]:
    return lambda face: job.store.has(job.store.path("faces", f"{face.key}.pdf"))


def _page_alone(desk: _Desk, number: int) -> bytes:
    """A page of a layout under way as a PDF of its own, with what stands on it as far as it is
    set; b"" where it cannot be."""
    from cardgen.book.binding import bound  # noqa: PLC0415 - pikepdf only when needed

    job, order, begun = _job_of(desk), desk.begun.order, desk.begun
    on = desk.pages[number].shown()
    faces = {
        name: order.faces[name]
        for name, face in zip(_wanted(desk).book.faces, _wanted(desk).faces, strict=True)
        if name.address in on and _is_set(job)(face)
    }
    drawings = {name: path for name, path in order.drawings.items() if name in on | desk.behind}
    # The page's own fonts are subsets already; only the icons are drawn anew.
    icons = tuple(cut for cut in order.cuts if cut.family == ICON_FAMILY)
    page = begun.page(number)
    return page and bound(replace(order, faces=faces, drawings=drawings, cuts=icons), page)


def _finish(desk: _Desk) -> None:
    from cardgen.book import setting  # noqa: PLC0415 - WeasyPrint only when needed

    job, wanted = _job_of(desk), _wanted(desk)
    made = setting.end(desk.begun)
    _tell(desk, made.layout.remarks)
    if not made.pdf:
        return
    shelf = book_orders.shelf_of(job, desk.style)
    shelf.keep(wanted.book, wanted.layout, made.layout)
    book_orders.keep(job, wanted, made.pdf, made.layout.remarks)
    shelf.sweep(job.game.languages, {wanted.layout})
    in_use = {f"{wanted.key}.{end}" for end in ("pdf", "json")}
    job.store.sweep("books", in_use, _MOST_BOOKS)
    desk.begun = None
    desk.seen = replace(desk.seen, path=book_orders.path_of(job, wanted.key))
