"""Rulebooks: both editions on A4, on A5, and as an A5 booklet to print on both sides and fold."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import takewhile
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cardgen.assets import artwork
from cardgen.assets.artwork import Art, Unusable
from cardgen.base import paths
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
from cardgen.book.manuscript import FOLDER
from cardgen.book.model import Book
from cardgen.faces.produce import Face, art_remarks, draw_art
from cardgen.game.writing import from_right
from cardgen.outputs.contract import Artefact, Job, Output, face_pdf, key_of
from cardgen.sheets import booklet
from cardgen.templates import variables
from cardgen.templates.tags import addresses

if TYPE_CHECKING:
    from cardgen.book.setting import BookOrder, SetBook

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


def _keyed(job: Job, style: _Style) -> list[tuple[Book, list[Face], str]]:
    """Every book that is asked for, the faces that it shows, and its key."""
    known = {_name(face): face for face in job.faces.faces}
    found = []
    for book in _books(job):
        faces = [known[book.language, *_id(face)] for face in book.faces]
        found.append((book, faces, _key(job, book, faces, style)))
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
    looks = (book.html, book.index, book.title, book.format, book.language, book.display)
    colours = list(job.game.colours.items())
    fonts = job.faces.fonts.text_digest
    return key_of(faces, job.faces, "book", looks, forms, art, style.texts, colours, fonts)


def _order(job: Job, book: Book, faces: list[Face], style: _Style, key: str) -> BookOrder:
    from cardgen.book.setting import BookOrder, Placed  # noqa: PLC0415 - WeasyPrint only when needed

    placed = {}
    for name, face in zip(book.faces, faces, strict=True):
        deck = face.deck
        placed[name] = Placed(face_pdf(face, job.store), deck.size, deck.bleed, deck.form)
    art = tuple({art.name: art for art in (*style.art, *book.art)}.values())
    drawings = {a.name: job.store.path("art", f"{a.digest}.pdf") for a in art if a.vector}
    return BookOrder(
        key, book, style.texts, tuple(job.game.colours.items()), job.cuts,
        tuple(sorted(job.faces.fonts.patterns.items())), placed, art, drawings,
    )  # fmt: skip


def _remarks(job: Job, key: str) -> list[Remark] | None:
    """What is wrong with the layout of a book; None when the store does not hold the book."""
    if not job.store.has(job.store.path("books", f"{key}.pdf")):
        return None
    return kept_remarks(job.store.read_json(job.store.path("books", f"{key}.json")))


def _set(job: Job, orders: list[BookOrder]) -> dict[str, Sequence[Remark]]:
    """Set books into the store; what is wrong with each that was set, or could not be."""
    found: dict[str, Sequence[Remark]] = {}
    stopped: list[str] = []
    wanted = takewhile(lambda _: not stopped, orders)  # one that had to be stopped is enough
    for made in spread(_set_one, wanted, alone=len(orders) < 2):
        found[made.key] = made.remarks
        if not made.pdf:
            stopped.append(made.key)
            continue
        job.store.write(job.store.path("books", f"{made.key}.pdf"), made.pdf)
        job.store.write_json(job.store.path("books", f"{made.key}.json"), packed(made.remarks))
    return found


def _set_one(order: BookOrder) -> SetBook:
    from cardgen.book.setting import set_books  # noqa: PLC0415 - in the helper process

    (made,) = set_books([order])
    return made


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
        keyed = _keyed(job, style)
        kept = {key: _remarks(job, key) for _, _, key in keyed}
        made = _set(job, [
            _order(job, book, faces, style, key)
            for book, faces, key in keyed
            if kept[key] is None
        ])  # fmt: skip
        for book, _, key in keyed:
            problems += [_problem(book, each) for each in made.get(key) or kept[key] or ()]
        in_use = {f"{key}.{end}" for _, _, key in keyed for end in ("pdf", "json")}
        job.store.sweep("books", in_use, 3 * len(in_use) + 16)
        return problems

    def plan(self, job: Job) -> tuple[list[Artefact[Recipe]], list[Problem]]:
        """Every book of the languages, editions and sizes asked for; a small one is two files."""
        style, _ = _style(job)
        found = [_artefacts(job, book, key) for book, _, key in _keyed(job, style)]
        return [artefact for each in found for artefact in each], []

    def make(self, recipes: Sequence[Recipe]) -> list[bytes]:
        """The PDFs of the recipes."""
        return [_folded(recipe) if recipe.folded else read(recipe.path) for recipe in recipes]
