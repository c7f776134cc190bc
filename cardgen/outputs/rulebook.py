"""Rulebooks: both editions on A4, on A5, and as an A5 booklet to print on both sides and fold."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import takewhile
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cardgen.assets import artwork
from cardgen.assets.artwork import Art, Unusable
from cardgen.base import code_digest, paths
from cardgen.base.problems import (
    Problem,
    Remark,
    Source,
    has_errors,
    kept_remarks,
    line_of,
    packed,
)
from cardgen.base.store import digest_of, read
from cardgen.base.workers import spread
from cardgen.book.layouts import LayoutShelf
from cardgen.book.manuscript import FOLDER
from cardgen.book.model import Book
from cardgen.faces.produce import Face, art_key, art_remarks, draw_art
from cardgen.game.writing import from_right
from cardgen.outputs.contract import Artefact, Job, Output, face_pdf, key_of
from cardgen.sheets import booklet
from cardgen.templates import variables
from cardgen.templates.tags import addresses

if TYPE_CHECKING:
    from cardgen.book.binding import BookOrder, SetBook

STYLE = f"{FOLDER}/book.css"
_NAMES = {"player": "rulebook", "designer": "rulebook-designer"}


@dataclass(frozen=True)
class Recipe:
    """A set book as it is, or its pages imposed two on a sheet's side."""

    title: str
    language: str
    path: Path
    folded: bool


@dataclass(frozen=True)
class _Style:
    """The game's own style for its books: (name, text) of each file, and the pictures in it."""

    texts: tuple[tuple[str, str], ...] = ()
    art: tuple[Art, ...] = ()


def _books(job: Job) -> list[Book]:
    options = job.options
    return [
        book
        for book in job.books.books
        if book.language in job.languages
        and (not options.editions or book.edition in options.editions)
        and (not options.book_sizes or book.format.name in options.book_sizes)
    ]


@dataclass(frozen=True)
class _Wanted:
    """A book that is asked for, the faces that it shows, its key, and that of its layout."""

    book: Book
    faces: list[Face]
    key: str
    layout: str


def _wanted(job: Job, style: _Style) -> list[_Wanted]:
    known = {_name(face): face for face in job.faces.faces}
    found = []
    for book in _books(job):
        faces = [known[book.language, *_id(face)] for face in book.faces]
        key = _key(job, book, faces, style)
        found.append(_Wanted(book, faces, key, _layout_key(job, book, book.html, style)))
    return found


def _name(face: Face) -> tuple[str, str, str, str]:
    return face.language, face.deck.id, face.piece.id, face.side


def _id(face: Any) -> tuple[str, str, str]:
    return face.deck, face.piece, face.side


def _style(job: Job) -> tuple[_Style, list[Problem]]:
    if not paths.there(job.game.root, STYLE):
        return _Style(), []
    text, why = paths.read_text(job.game.root, STYLE)
    if why:
        return _Style(), [Problem(Source(STYLE), f"the file {why}", "file")]
    if "@page" in text:
        message = "@page is cardgen's own; sizes and margins of a book are fixed"
        return _Style(), [Problem(Source(STYLE, line_of(text, "@page")), message, "css")]
    found: list[Art] = []
    problems = []
    for written in addresses(text):
        try:
            found.append(artwork.named(job.game.root, written))
        except Unusable as error:
            problems.append(Problem(Source(STYLE, line_of(text, written)), str(error), "art"))
    problems += _unset(job, text)
    return _Style(((STYLE, text),), tuple(found)), problems


def _unset(job: Job, text: str) -> Iterator[Problem]:
    """Custom properties that the game's own style uses and nothing sets."""
    known = variables.of_colours(job.game.colours) | variables.defined(text)
    known |= set(variables.OF_BOOKS)
    for name, at in variables.used(text):
        if name not in known:
            where = Source(STYLE, text.count("\n", 0, at) + 1)
            yield Problem(where, variables.unknown(name, known), "css", "warning")


def _key(job: Job, book: Book, faces: list[Face], style: _Style) -> str:
    art = [digest_of([art.name, art.digest]) for art in (*style.art, *book.art)]
    forms = [(face.deck.size, face.deck.bleed, face.deck.form) for face in faces]
    looks = (book.html, book.index, book.title, book.format, book.language, book.display, book.alts)
    colours = list(job.game.colours.items())
    fonts = job.faces.fonts.text_digest
    return key_of(faces, job.faces, "book", looks, forms, art, style.texts, colours, fonts)


def _layout_key(job: Job, book: Book, html: str, style: _Style) -> str:
    """The hash of all that decides how that HTML of a book is laid out: of its faces the names
    alone, which stand in it, and of drawings the sizes."""
    art = [art_key(art) for art in (*style.art, *book.art)]
    looks = (html, book.index, book.title, book.format, book.language, book.display, book.summaries)
    decides = (looks, art, style.texts, list(job.game.colours.items()), job.faces.fonts.text_digest)
    return digest_of([code_digest.digest("book"), "layout", repr(decides)])


def _order(job: Job, wanted: _Wanted, style: _Style) -> BookOrder:
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


def _remarks(job: Job, wanted: _Wanted) -> list[Remark] | None:
    """What is wrong with the layout of a book; None when the store does not hold the book."""
    if not job.store.has(job.store.path("books", f"{wanted.key}.pdf")):
        return None
    return kept_remarks(job.store.read_json(job.store.path("books", f"{wanted.key}.json")))


def _set(
    job: Job, style: _Style, layouts: LayoutShelf, stale: list[_Wanted]
) -> dict[str, Sequence[Remark]]:
    """Set books into the store; what is wrong with each that was set, or could not be."""
    found: dict[str, Sequence[Remark]] = {}
    new: list[_Wanted] = []
    for wanted in stale:
        remarks = layouts.remarks(wanted.layout)
        if remarks is None:
            new.append(wanted)
        else:
            order = _order(job, wanted, style)
            _keep(job, wanted, layouts.bound(order, wanted.layout), remarks)
            found[wanted.key] = remarks
    stopped: list[str] = []
    orders = (layouts.informed(_order(job, each, style)) for each in new)
    unstopped = takewhile(lambda _: not stopped, orders)  # one that had to be stopped is enough
    for wanted, made in zip(new, spread(_set_one, unstopped, alone=len(new) < 2), strict=False):
        found[made.key] = made.layout.remarks
        if not made.pdf:
            stopped.append(made.key)
            continue
        layouts.keep(wanted.book, wanted.layout, made.layout)
        _keep(job, wanted, made.pdf, made.layout.remarks)
    return found


def _keep(job: Job, wanted: _Wanted, pdf: bytes, remarks: Sequence[Remark]) -> None:
    job.store.write(job.store.path("books", f"{wanted.key}.pdf"), pdf)
    job.store.write_json(job.store.path("books", f"{wanted.key}.json"), packed(remarks))


def _set_one(order: BookOrder) -> SetBook:
    from cardgen.book.setting import set_book  # noqa: PLC0415 - in the helper process

    return set_book(order)


def _problem(book: Book, remark: Remark) -> Problem:
    """What the layout showed to be wrong: at the style's line, else of the book as a whole."""
    source = remark.source(Source(f"{FOLDER}/{book.language}.md"))
    return Problem(source, remark.message, remark.kind, remark.severity)


def _artefacts(job: Job, book: Book, key: str) -> list[Artefact[Recipe]]:
    path = job.store.path("books", f"{key}.pdf")
    name = f"{book.language}/{_NAMES[book.edition]}"
    flat = Recipe(book.title, book.language, path, folded=False)
    if book.format.name == "a4":
        return [Artefact(f"{name}.pdf", digest_of([key]), flat, book.language)]
    folded = Recipe(book.title, book.language, path, folded=True)
    return [
        Artefact(f"{name}-a5.pdf", digest_of([key]), flat, book.language),
        Artefact(f"{name}-booklet.pdf", digest_of([key, "folded"]), folded, book.language),
    ]


def _folded(recipe: Recipe) -> bytes:
    """A5 pages two by two on A4 on its side, so that the folded stack reads in order."""
    from cardgen.base.units import Box  # noqa: PLC0415
    from cardgen.pdf.compose import Composer  # noqa: PLC0415 - loaded only where PDFs are made
    from cardgen.pdf.operators import painted  # noqa: PLC0415

    composer = Composer([])
    forms: Mapping[int, Any] = dict(enumerate(composer.overlay(read(recipe.path))))
    width, height = 148.0, 210.0
    for side in booklet.sides(len(forms), from_right=from_right(recipe.language)):
        content = []
        for page, left in zip(side, (0.5, 148.5), strict=True):
            if page is not None:
                box = Box(left, 0, left + width, height)
                content.append(painted(f"P{page}", box, (1, 0, 0, 1, left, 0)))
        named = {f"P{page}": forms[page] for page in side if page is not None}
        composer.page(297, 210, "\n".join(content).encode(), named)
    return composer.save(recipe.title, recipe.language)


class Rulebook(Output[Recipe]):
    """The books of a game."""

    batch = 4
    of_decks = False
    of_cards = False
    reads = ("editions", "book_sizes")

    def prepare(self, job: Job) -> list[Problem]:
        """Set every book that is asked for and not in the store; what is wrong with each."""
        books = _books(job)
        if not books:
            return []
        style, problems = _style(job)
        art = [*style.art, *(art for book in books for art in book.art)]
        failed = draw_art(art, job.store)
        problems += [Problem(Source(FOLDER), message, "art") for message in failed.values()]
        problems += art_remarks(art)
        if has_errors(problems):
            return problems
        found = _wanted(job, style)
        kept = {wanted.key: _remarks(job, wanted) for wanted in found}
        layouts = LayoutShelf(job.store, lambda book, html: _layout_key(job, book, html, style))
        made = _set(job, style, layouts, [wanted for wanted in found if kept[wanted.key] is None])
        for wanted in found:
            told = made.get(wanted.key) or kept[wanted.key] or ()
            problems += [_problem(wanted.book, each) for each in told]
        in_use = {f"{wanted.key}.{end}" for wanted in found for end in ("pdf", "json")}
        job.store.sweep("books", in_use, 3 * len(in_use) + 16)
        layouts.sweep(job.game.languages, {wanted.layout for wanted in found})
        return problems

    def plan(self, job: Job) -> tuple[list[Artefact[Recipe]], list[Problem]]:
        """Every book of the languages, editions and sizes asked for; a small one is two files."""
        style, _ = _style(job)
        found = [_artefacts(job, wanted.book, wanted.key) for wanted in _wanted(job, style)]
        return [artefact for each in found for artefact in each], []

    def make(self, recipes: Sequence[Recipe]) -> list[bytes]:
        """The PDFs of the recipes."""
        return [_folded(recipe) if recipe.folded else read(recipe.path) for recipe in recipes]
