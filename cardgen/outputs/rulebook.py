"""Rulebooks: both editions on A4, on A5, and as an A5 booklet to print on both sides and fold."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import takewhile
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cardgen.base.problems import Problem, Remark, Source, has_errors
from cardgen.base.store import digest_of, read
from cardgen.base.workers import spread
from cardgen.book.layouts import LayoutShelf
from cardgen.book.manuscript import FOLDER
from cardgen.book.model import Book
from cardgen.faces.produce import art_remarks, draw_art
from cardgen.game.writing import from_right
from cardgen.outputs.book_orders import (
    Style,
    Wanted,
    keep,
    lines_of,
    order_of,
    path_of,
    problem_of,
    remarks_of,
    shelf_of,
    style_of,
    wanted_books,
)
from cardgen.outputs.contract import Artefact, Job, Output
from cardgen.sheets import booklet

if TYPE_CHECKING:
    from cardgen.book.binding import BookOrder, SetBook

_NAMES = {"player": "rulebook", "designer": "rulebook-designer"}


@dataclass(frozen=True)
class Folding:
    """How a booklet's pages are imposed: pages of each stack (0 for the usual), mm by which each
    sheet stands out further than the one around it, and whether the last page is a back cover."""

    signature: int
    creep: float
    back: bool


@dataclass(frozen=True)
class Recipe:
    """A set book as it is, or its pages imposed two on a sheet's side."""

    title: str
    language: str
    path: Path
    folded: Folding | None = None


def _books(job: Job) -> list[Book]:
    options = job.options
    white = options.layout.ink.low
    return [
        replace(book, paper="") if white else book
        for book in job.books.books
        if book.language in job.languages
        and (not options.editions or book.edition in options.editions)
        and (not options.book_sizes or book.format.name in options.book_sizes)
    ]


def _set(
    job: Job, style: Style, layouts: LayoutShelf, stale: list[Wanted]
) -> dict[str, Sequence[Remark]]:
    """Set books into the store; what is wrong with each that was set, or could not be."""
    found: dict[str, Sequence[Remark]] = {}
    new: list[Wanted] = []
    for wanted in stale:
        remarks = layouts.remarks(wanted.layout)
        if remarks is None:
            new.append(wanted)
        else:
            order = order_of(job, wanted, style)
            keep(job, wanted, layouts.bound(order, wanted.layout), remarks)
            found[wanted.key] = remarks
    stopped: list[str] = []
    orders = (layouts.informed(order_of(job, each, style)) for each in new)
    unstopped = takewhile(lambda _: not stopped, orders)  # one that had to be stopped is enough
    for wanted, made in zip(new, spread(_set_one, unstopped, alone=len(new) < 2), strict=False):
        found[made.key] = made.layout.remarks
        if not made.pdf:
            stopped.append(made.key)
            continue
        layouts.keep(wanted.book, wanted.layout, made.layout)
        keep(job, wanted, made.pdf, made.layout.remarks)
    return found


def _set_one(order: BookOrder) -> SetBook:
    from cardgen.book.setting import set_book  # noqa: PLC0415 - in the helper process

    return set_book(order)


def _artefacts(job: Job, book: Book, key: str) -> list[Artefact[Recipe]]:
    path = path_of(job, key)
    name = f"{book.language}/{_NAMES[book.edition]}"
    flat = Recipe(book.title, book.language, path)
    if book.format.name == "a4":
        return [Artefact(f"{name}.pdf", digest_of([key]), flat, book.language)]
    usual = job.game.defaults
    folding = Folding(usual.signature, usual.creep, book.back)
    folded = Recipe(book.title, book.language, path, folding)
    return [
        Artefact(f"{name}-a5.pdf", digest_of([key]), flat, book.language),
        Artefact(
            f"{name}-booklet.pdf", digest_of([key, "folded", repr(folding)]), folded, book.language
        ),
    ]


def _folded(recipe: Recipe, folding: Folding) -> bytes:
    """A5 pages two by two on A4 on its side, so that the folded stacks read in order. Pages of
    inner sheets stand nearer to the fold, so that margins are even once the edge is cut."""
    from cardgen.base.units import Box  # noqa: PLC0415
    from cardgen.pdf.compose import Composer  # noqa: PLC0415 - loaded only where PDFs are made
    from cardgen.pdf.operators import painted  # noqa: PLC0415

    composer = Composer([])
    forms: Mapping[int, Any] = dict(enumerate(composer.overlay(read(recipe.path))))
    width, height = 148.0, 210.0
    sides = booklet.sides(
        len(forms),
        from_right=from_right(recipe.language),
        signature=folding.signature,
        back=folding.back,
    )
    for side in sides:
        content = []
        towards_fold = side.depth * folding.creep
        for page, left, moved in zip(
            side.pages, (0.5, 148.5), (towards_fold, -towards_fold), strict=True
        ):
            if page is not None:
                box = Box(left, 0, left + width, height)
                content.append(painted(f"P{page}", box, (1, 0, 0, 1, left + moved, 0)))
        named = {f"P{page}": forms[page] for page in side.pages if page is not None}
        composer.page(297, 210, "\n".join(content).encode(), named)
    return composer.save(recipe.title, recipe.language)


class Rulebook(Output[Recipe]):
    """The books of a game."""

    batch = 4
    of_decks = False
    of_cards = False
    reads = ("editions", "book_sizes", "layout.ink")

    def prepare(self, job: Job) -> list[Problem]:
        """Set every book that is asked for and not in the store; what is wrong with each."""
        books = _books(job)
        if not books:
            return []
        style, problems = style_of(job)
        art = [*style.art, *(art for book in books for art in book.art)]
        failed = draw_art(art, job.store)
        problems += [Problem(Source(FOLDER), message, "art") for message in failed.values()]
        problems += art_remarks(art)
        if has_errors(problems):
            return problems
        found = wanted_books(job, _books(job), style)
        kept = {wanted.key: remarks_of(job, wanted) for wanted in found}
        layouts = shelf_of(job, style)
        made = _set(job, style, layouts, [wanted for wanted in found if kept[wanted.key] is None])
        for wanted in found:
            told = made.get(wanted.key) or kept[wanted.key] or ()
            problems += [problem_of(wanted.book, each, lines_of(job, wanted.book)) for each in told]
        in_use = {f"{wanted.key}.{end}" for wanted in found for end in ("pdf", "json")}
        job.store.sweep("books", in_use, 3 * len(in_use) + 16)
        layouts.sweep(job.game.languages, {wanted.layout for wanted in found})
        return problems

    def plan(self, job: Job) -> tuple[list[Artefact[Recipe]], list[Problem]]:
        """Every book of the languages, editions and sizes asked for; a small one is two files."""
        style, _ = style_of(job)
        found = [
            _artefacts(job, wanted.book, wanted.key)
            for wanted in wanted_books(job, _books(job), style)
        ]
        return [artefact for each in found for artefact in each], []

    def make(self, recipes: Sequence[Recipe]) -> list[bytes]:
        """The PDFs of the recipes."""
        return [
            _folded(recipe, recipe.folded) if recipe.folded else read(recipe.path)
            for recipe in recipes
        ]
