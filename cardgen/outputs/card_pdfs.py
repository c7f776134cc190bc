"""Single cards as PDF pages with their boxes, as printers take them: a file a deck."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from cardgen.assets.fontfiles import Cut
from cardgen.base.problems import Problem
from cardgen.base.units import MM_PER_INCH, Size
from cardgen.faces.face_pdfs import face_pdf
from cardgen.faces.produce import Face
from cardgen.game.model import Deck
from cardgen.outputs.contract import Artefact, Job, Output, key_of
from cardgen.outputs.shops import shop_pictures
from cardgen.pdf.face_file import FacePdf

BLEED = MM_PER_INCH / 8
"""Beyond the trim on every side, mm: 9 points."""


@dataclass(frozen=True)
class Recipe:
    """A PDF of faces of one trim size, in order."""

    title: str
    language: str
    trim: Size
    faces: tuple[FacePdf, ...]
    cuts: tuple[Cut, ...]


def _faces(job: Job, deck: Deck, language: str) -> list[Face]:
    found: list[Face] = []
    for card in shop_pictures.cards(job, [deck], language):
        found += [face for face in (card.back, card.front) if face] * card.copies
    return found


def _artefact(job: Job, deck: Deck, language: str, faces: list[Face]) -> Artefact[Recipe]:
    title = f"{job.game.title.spoken(language)} – {deck.title.spoken(language)}"
    placed = tuple(face_pdf(face, job.store) for face in faces)
    recipe = Recipe(title, language, deck.size, placed, job.cuts)
    key = key_of(faces, job.faces, "card-pdfs", title, language, deck.size)
    return Artefact(f"{language}/card-pdfs/{deck.id}{job.some}.pdf", key, recipe, language)


def _make_one(recipe: Recipe) -> bytes:
    from cardgen.pdf.compose import Composer  # noqa: PLC0415 - loaded only where PDFs are made

    composer = Composer(recipe.cuts)
    canvas = Size(recipe.trim.width + 2 * BLEED, recipe.trim.height + 2 * BLEED)
    for face in recipe.faces:
        content = shop_pictures.covered("F", face, canvas, BLEED)
        page = composer.page(
            canvas.width, canvas.height, content.encode(), {"F": composer.form(face)}
        )
        composer.trim(page, BLEED)
    return composer.save(recipe.title, recipe.language)


class CardPdfs(Output[Recipe]):
    """A PDF of single cards for every deck."""

    def plan(self, job: Job) -> tuple[list[Artefact[Recipe]], list[Problem]]:
        """`card-pdfs/<deck>.pdf` for every language: of each copy its back, then its front."""
        artefacts = []
        for language in job.languages:
            for deck in job.decks:
                faces = _faces(job, deck, language)
                if faces:
                    artefacts.append(_artefact(job, deck, language, faces))
        return artefacts, []

    def make(self, recipes: Sequence[Recipe]) -> list[bytes]:
        """The PDFs of the recipes."""
        return [_make_one(recipe) for recipe in recipes]
