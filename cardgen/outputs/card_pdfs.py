"""PDF pages of single cards with trim and bleed boxes, one file for each deck, card or side."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from cardgen.assets.font_files import FontFile
from cardgen.core.problems import Problem
from cardgen.core.units import Box, Size
from cardgen.faces.model import Face, get_face_pdf
from cardgen.game.model import Deck
from cardgen.outputs.contract import Artefact, Job, Output
from cardgen.outputs.single_cards import (
    check_bleeds,
    format_deck_title,
    get_card_bleed,
    list_single_cards,
)
from cardgen.pdf.content_operators import paint_extended
from cardgen.pdf.face_file import FacePdf

_CARD_PDFS_FOLDER = "card-pdfs"


@dataclass(frozen=True)
class CardPdfRecipe:
    """A PDF of faces of one trim size, in order, printed `bleed` mm beyond it."""

    title: str
    language: str
    trim: Size
    bleed: float
    faces: tuple[FacePdf, ...]
    font_files: tuple[FontFile, ...]


@dataclass(frozen=True)
class _CardFile:
    """A file to be: its name without its end, what it is called inside, and its pages."""

    name: str
    title: str
    faces: list[Face]


def _list_card_files(job: Job, deck: Deck, language: str) -> Iterator[_CardFile]:
    """The files of a deck: one, or one for each card or side."""
    found, title = list_single_cards(job, [deck], language), format_deck_title(job, deck, language)
    per = job.options.single.file_per
    if per == "deck" and found:
        # Each copy is its back, then its front.
        faces = [face for card in found for face in card.sides[::-1] * card.copies]
        yield _CardFile(f"{deck.id}{job.selection_suffix}", title, faces)
        return
    for card in found:
        called = f"{title} – {card.front.piece.id} × {card.copies}"
        for name, faces in card.name_files(per).items():
            side = "" if per == "card" else f", {faces[0].side}"
            yield _CardFile(name, f"{called}{side}", faces)


def _plan_card_pdf(job: Job, deck: Deck, language: str, file: _CardFile) -> Artefact[CardPdfRecipe]:
    placed = tuple(get_face_pdf(face, job.store) for face in file.faces)
    bleed = get_card_bleed(job, deck)
    recipe = CardPdfRecipe(file.title, language, deck.size, bleed, placed, job.font_files)
    return Artefact(f"{language}/{_CARD_PDFS_FOLDER}/{file.name}.pdf", recipe, language)


def _make_card_pdf(recipe: CardPdfRecipe) -> bytes:
    from cardgen.pdf import page_edits  # noqa: PLC0415 - loaded only where PDFs are made
    from cardgen.pdf.composition import Composer  # noqa: PLC0415

    composer = Composer(recipe.font_files)
    edge = 2 * recipe.bleed
    whole = Box(0, 0, recipe.trim.width + edge, recipe.trim.height + edge)
    for face in recipe.faces:
        content = paint_extended("F", face, whole, (1.0, 1.0)).encode()
        page = composer.add_page(whole.width, whole.height, content, {"F": composer.add_face(face)})
        page_edits.set_page_boxes(page, recipe.bleed)
    return composer.save(recipe.title, recipe.language)


class CardPdfs(Output[CardPdfRecipe]):
    """PDFs of single cards: of every deck, card or side one."""

    def plan(self, job: Job) -> tuple[list[Artefact[CardPdfRecipe]], list[Problem]]:
        """`card-pdfs/<deck>.pdf` for every language, of each copy its back, then its front; or
        `card-pdfs/<deck>/<deck>_<id>_x<copies>.pdf`, front and back once."""
        artefacts = [
            _plan_card_pdf(job, deck, language, file)
            for language in job.languages
            for deck in job.decks
            for file in _list_card_files(job, deck, language)
        ]
        return artefacts, check_bleeds(job, "bleed")

    def make(self, recipes: Sequence[CardPdfRecipe]) -> list[bytes]:
        """The PDFs of the recipes."""
        return [_make_card_pdf(recipe) for recipe in recipes]
