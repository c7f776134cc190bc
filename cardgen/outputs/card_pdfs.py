"""Single cards as PDF pages with their boxes, as printers take them: a file a deck, card, side."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from cardgen.assets.fontfiles import Cut
from cardgen.base.problems import Problem
from cardgen.base.units import Box, Size
from cardgen.faces.face_pdfs import face_pdf
from cardgen.faces.produce import Face
from cardgen.game.model import Deck
from cardgen.outputs.contract import Artefact, Job, Output, key_of
from cardgen.outputs.single_cards import bleed_of, cards, short_bleeds, title_of
from cardgen.pdf.extending import extended
from cardgen.pdf.face_file import FacePdf

_WORD = "card-pdfs"


@dataclass(frozen=True)
class Recipe:
    """A PDF of faces of one trim size, in order, printed `bleed` mm beyond it."""

    title: str
    language: str
    trim: Size
    bleed: float
    faces: tuple[FacePdf, ...]
    cuts: tuple[Cut, ...]


@dataclass(frozen=True)
class _File:
    """A file to be: its name without its end, what it is called inside, and its pages."""

    name: str
    title: str
    faces: list[Face]


def _files(job: Job, deck: Deck, language: str) -> Iterator[_File]:
    """The files of a deck: one, or one for each card or side."""
    found, title = cards(job, [deck], language), title_of(job, deck, language)
    per = job.options.single.file_per
    if per == "deck" and found:
        # Each copy is its back, then its front.
        faces = [face for card in found for face in card.sides[::-1] * card.copies]
        yield _File(f"{deck.id}{job.some}", title, faces)
        return
    for card in found:
        called = f"{title} – {card.front.piece.id} × {card.copies}"
        for name, faces in card.files(per).items():
            side = "" if per == "card" else f", {faces[0].side}"
            yield _File(name, f"{called}{side}", faces)


def _artefact(job: Job, deck: Deck, language: str, file: _File) -> Artefact[Recipe]:
    placed = tuple(face_pdf(face, job.store) for face in file.faces)
    bleed = bleed_of(job, deck)
    recipe = Recipe(file.title, language, deck.size, bleed, placed, job.cuts)
    key = key_of(file.faces, job.faces, _WORD, file.title, language, deck.size, bleed)
    return Artefact(f"{language}/{_WORD}/{file.name}.pdf", key, recipe, language)


def _make_one(recipe: Recipe) -> bytes:
    from cardgen.pdf import boxes  # noqa: PLC0415 - loaded only where PDFs are made
    from cardgen.pdf.compose import Composer  # noqa: PLC0415

    composer = Composer(recipe.cuts)
    edge = 2 * recipe.bleed
    whole = Box(0, 0, recipe.trim.width + edge, recipe.trim.height + edge)
    for face in recipe.faces:
        content = extended("F", face, whole, (1.0, 1.0)).encode()
        page = composer.page(whole.width, whole.height, content, {"F": composer.form(face)})
        boxes.tell(page, recipe.bleed)
    return composer.save(recipe.title, recipe.language)


class CardPdfs(Output[Recipe]):
    """PDFs of single cards: of every deck, card or side one."""

    reads = ("single.bleed", "single.file_per")

    def plan(self, job: Job) -> tuple[list[Artefact[Recipe]], list[Problem]]:
        """`card-pdfs/<deck>.pdf` for every language, of each copy its back, then its front; or
        `card-pdfs/<deck>/<deck>_<id>_x<copies>.pdf`, front and back once."""
        artefacts = [
            _artefact(job, deck, language, file)
            for language in job.languages
            for deck in job.decks
            for file in _files(job, deck, language)
        ]
        return artefacts, short_bleeds(job, "bleed")

    def make(self, recipes: Sequence[Recipe]) -> list[bytes]:
        """The PDFs of the recipes."""
        return [_make_one(recipe) for recipe in recipes]
