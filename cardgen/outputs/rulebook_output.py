"""Rulebooks: editions on A4, on A5, and as an A5 booklet to print on both sides and fold."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from cardgen.book.model import Book
from cardgen.core.problems import Problem
from cardgen.game.card_text import is_right_to_left
from cardgen.outputs import rulebook_typesetting
from cardgen.outputs.contract import Artefact, Job, Output
from cardgen.runtime.content_store import read_entry
from cardgen.sheets import imposition

_BASE_NAMES = {"player": "rulebook", "designer": "rulebook-designer"}


@dataclass(frozen=True)
class BookletFolding:
    """Imposition of a booklet: pages of each signature (0 for one of all pages), mm by which inner
    sheets stick out, and whether the last page is a back cover."""

    signature: int
    creep: float
    has_back_cover: bool


@dataclass(frozen=True)
class RulebookRecipe:
    """A typeset book as it is, or imposed as a booklet."""

    title: str
    language: str
    path: Path
    folding: BookletFolding | None = None


def _select_rulebooks(job: Job) -> list[Book]:
    return rulebook_typesetting.select_books(job, white=job.options.layout.ink.low)


def _plan_book_files(job: Job, book: Book, key: str) -> list[Artefact[RulebookRecipe]]:
    path = rulebook_typesetting.get_book_path(job, key)
    name = f"{book.language}/{_BASE_NAMES[book.edition]}"
    flat = RulebookRecipe(book.title, book.language, path)
    if book.format.name == "a4":
        return [Artefact(f"{name}.pdf", flat, book.language)]
    usual = job.game.defaults
    folding = BookletFolding(usual.signature, usual.creep, book.has_back_cover)
    folded = RulebookRecipe(book.title, book.language, path, folding)
    return [
        Artefact(f"{name}-a5.pdf", flat, book.language),
        Artefact(f"{name}-booklet.pdf", folded, book.language),
    ]


def _impose_booklet(recipe: RulebookRecipe, folding: BookletFolding) -> bytes:
    """Return A5 pages in pairs on A4 landscape, so that the folded sheets read in order.

    Pages of inner sheets are nearer to the fold, so that margins are even after cutting.
    """
    from cardgen.core.units import Box  # noqa: PLC0415
    from cardgen.pdf.composition import Composer  # noqa: PLC0415 - loaded only where PDFs are made
    from cardgen.pdf.content_operators import paint_form  # noqa: PLC0415

    composer = Composer([])
    forms: Mapping[int, Any] = dict(enumerate(composer.import_pages(read_entry(recipe.path))))
    width, height = 148.0, 210.0
    sides = imposition.impose_booklet(
        len(forms),
        from_right=is_right_to_left(recipe.language),
        signature=folding.signature,
        back=folding.has_back_cover,
    )
    for side in sides:
        content = []
        towards_fold = side.depth * folding.creep
        for page, left, moved in zip(
            side.pages, (0.5, 148.5), (towards_fold, -towards_fold), strict=True
        ):
            if page is not None:
                box = Box(left, 0, left + width, height)
                content.append(paint_form(f"P{page}", box, (1, 0, 0, 1, left + moved, 0)))
        named = {f"P{page}": forms[page] for page in side.pages if page is not None}
        composer.add_page(297, 210, "\n".join(content).encode(), named)
    return composer.save(recipe.title, recipe.language)


class RulebookOutput(Output[RulebookRecipe]):
    """The rulebooks of a game."""

    batch_size = 4

    def prepare(self, job: Job) -> list[Problem]:
        """Typeset the books that the store lacks."""
        return rulebook_typesetting.typeset_missing_books(job, _select_rulebooks(job))

    def plan(self, job: Job) -> tuple[list[Artefact[RulebookRecipe]], list[Problem]]:
        """Plan the selected books. An A5 book is two files, flat and as a booklet."""
        style, _ = rulebook_typesetting.load_book_style(job)
        artefacts: list[Artefact[RulebookRecipe]] = []
        for planned in rulebook_typesetting.plan_books(job, _select_rulebooks(job), style):
            artefacts += _plan_book_files(job, planned.book, planned.key)
        return artefacts, []

    def make_file(self, recipe: RulebookRecipe) -> bytes:
        """Return the PDF of a recipe."""
        folding = recipe.folding
        return _impose_booklet(recipe, folding) if folding else read_entry(recipe.path)
