"""PDF pages of single cards with trim and bleed boxes, one file for each deck, card or side."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from cardgen.core.problems import Problem
from cardgen.faces.model import Face
from cardgen.game.model import Deck
from cardgen.outputs.contract import Artefact, Job, Output
from cardgen.outputs.single_cards import (
    CardPagesRecipe,
    build_card_pages,
    check_bleeds,
    compose_card_pages,
    format_deck_title,
    get_card_bleed,
    list_single_cards,
)


def _list_card_files(job: Job, deck: Deck, language: str) -> Iterator[tuple[str, str, list[Face]]]:
    """Yield name, title and faces of each file of a deck."""
    cards, title = list_single_cards(job, [deck], language), format_deck_title(job, deck, language)
    per = job.options.single.file_per
    if per == "deck" and cards:
        # Each copy is its back, then its front.
        faces = [face for card in cards for face in card.sides[::-1] * card.copies]
        yield f"{deck.id}{job.selection_suffix}", title, faces
        return
    for card in cards:
        for name, faces in card.name_files(per).items():
            side = "" if per == "card" else f", {faces[0].side}"
            yield name, f"{title} – {card.front.piece.id} × {card.copies}{side}", faces


class CardPdfs(Output[CardPagesRecipe]):
    """PDFs of single cards."""

    def plan(self, job: Job) -> tuple[list[Artefact[CardPagesRecipe]], list[Problem]]:
        """Plan `card-pdfs/<deck>.pdf` for every language, with back and front of each copy, or
        `card-pdfs/<deck>/<deck>_<id>_x<copies>.pdf` with front and back once."""
        artefacts = []
        for language in job.languages:
            for deck in job.decks:
                bleed = get_card_bleed(job, deck)
                for name, title, faces in _list_card_files(job, deck, language):
                    pages = build_card_pages(job, deck, language, faces, bleed)
                    path = f"{language}/card-pdfs/{name}.pdf"
                    artefacts.append(Artefact(path, replace(pages, title=title), language))
        return artefacts, check_bleeds(job, "bleed")

    def make(self, recipes: Sequence[CardPagesRecipe]) -> list[bytes]:
        """Return the PDFs of the recipes."""
        return [compose_card_pages(recipe, set_boxes=True) for recipe in recipes]
