"""Rulebooks: both editions on A4, on A5, and as an A5 booklet to print on both sides and fold."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from cardgen.base.problems import Problem
from cardgen.base.store import digest_of, read
from cardgen.book.model import Book
from cardgen.game.writing import from_right
from cardgen.outputs.book_orders import path_of, style_of, wanted_books
from cardgen.outputs.book_setting import books_asked, set_books
from cardgen.outputs.contract import Artefact, Job, Output
from cardgen.sheets import booklet

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
    return books_asked(job, white=job.options.layout.ink.low)


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
    of_books = True
    of_cards = False
    reads = ("editions", "book_sizes", "layout.ink")

    def prepare(self, job: Job) -> list[Problem]:
        """Set every book that is asked for and not in the store; what is wrong with each."""
        return set_books(job, _books(job))

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
