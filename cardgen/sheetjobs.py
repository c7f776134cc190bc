"""From a build's faces to sheets: what every output that prints sheets has in common."""

from __future__ import annotations

from collections.abc import Sequence

from cardgen import printing
from cardgen.artefacts import Job, face_pdf, key_of
from cardgen.impose import Format
from cardgen.model import Deck
from cardgen.printing import Pair, Recipe, Sheet


def format_of(deck: Deck) -> Format:
    """What a deck's pieces must share with others to share a sheet."""
    return Format(deck.size, deck.bleed, deck.form, deck.gap)


def pairs_of(job: Job, deck: Deck, language: str) -> dict[str, Pair]:
    """Every piece of a deck as it is printed once, by its id."""
    backs = {face.piece.id: face for face in job.faces.of(deck, language, "back")}
    title = deck.title[language].replace("\u00ad", "")
    found = {}
    for front in job.faces.of(deck, language, "front"):
        back = backs.get(front.piece.id)
        found[front.piece.id] = Pair(
            face_pdf(front, job.store),
            face_pdf(back, job.store) if back else None,
            format_of(deck),
            title,
            front.piece.id,
        )
    return found


def recipe_of(job: Job, title: str, language: str, sheets: Sequence[Sheet]) -> Recipe:
    """What the PDF of those sheets is made from."""
    layout = job.options.layout
    pages = printing.pages_of(sheets, layout)
    return Recipe(
        title, language, layout.paper, pages, job.cuts, job.label_font, layout.calibration,
        layout.ink,
    )  # fmt: skip


def key_of_sheets(job: Job, recipe: Recipe, sheets: Sequence[Sheet]) -> str:
    """Guides follow from layout and formats, so these stand for them."""
    faces = {face.key: face for face in job.faces.faces}
    placed = [faces[face.key] for page in recipe.pages for face, _ in page.placed]
    formats = [sheet.pieces[0].format for sheet in sheets]
    slots = [(page.slug, [slot for _, slot in page.placed]) for page in recipe.pages]
    return key_of(
        placed, job.faces, recipe.title, recipe.language, job.options.layout, formats, slots
    )
