"""Cards, file names, PDF pages and bleed checks that all outputs of single cards share."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from math import ceil

from cardgen.assets.font_files import FontFile
from cardgen.core.problems import Problem, Subject
from cardgen.core.units import Box, Size
from cardgen.faces.model import Face, get_face_pdf
from cardgen.game.model import Deck
from cardgen.outputs.contract import Artefact, Job, Output
from cardgen.pdf.content_operators import paint_extended
from cardgen.pdf.face_file import FacePdf
from cardgen.runtime.content_store import digest_parts

_MAX_NAME_LENGTH = 220
"""Maximum characters of a file name. Systems take 255 bytes, and side and extension follow."""
NEGLIGIBLE_BLEED_MM = 0.25
"""Missing bleed in mm that nobody sees."""
_BLEED_STEPS_PER_MM = 10


@dataclass(frozen=True)
class SingleCard:
    """A card to be printed by itself: its faces and its copies."""

    deck: Deck
    front: Face
    back: Face | None
    copies: int

    @property
    def sides(self) -> list[Face]:
        """The front, and the back if there is one."""
        return [face for face in (self.front, self.back) if face]

    def name_files(self, per: str) -> dict[str, list[Face]]:
        """Return the faces of each file by the file's name, without extension.

        `per` is "card" for one file or "side" for one file a side.
        """
        file = format_card_file_name(self.deck.id, self.front.piece.id, self.copies)
        name = f"{self.deck.id}/{file}"
        if per == "card":
            return {name: self.sides}
        return {f"{name}_{face.side}": [face] for face in self.sides}


def format_card_file_name(deck: str, card: str, copies: int) -> str:
    """Return `<deck>_<card>_x<copies>`, with a hash for a card whose name would be too long."""
    name = f"{deck}_{card}_x{copies}"
    if len(name) <= _MAX_NAME_LENGTH:
        return name
    return f"{deck}_{digest_parts([card])[:12]}_x{copies}"


@dataclass(frozen=True)
class CardPagesRecipe:
    """PDF pages of faces of one trim size, printed `bleed` mm beyond the trim."""

    title: str
    language: str
    trim: Size
    bleed: float
    faces: tuple[FacePdf, ...]
    font_files: tuple[FontFile, ...]


def build_card_pages(
    job: Job, deck: Deck, language: str, faces: Iterable[Face], bleed: float
) -> CardPagesRecipe:
    """Return the recipe of pages with faces of a deck. Its title is the deck's."""
    pdfs = tuple(get_face_pdf(face, job.store) for face in faces)
    title = format_deck_title(job, deck, language)
    return CardPagesRecipe(title, language, deck.size, bleed, pdfs, job.font_files)


def compose_card_pages(recipe: CardPagesRecipe, *, set_boxes: bool = False) -> bytes:
    """Return the PDF. With `set_boxes` its pages have a TrimBox and a BleedBox."""
    from cardgen.pdf import page_edits  # noqa: PLC0415 - loaded only where PDFs are made
    from cardgen.pdf.composition import Composer  # noqa: PLC0415

    composer = Composer(recipe.font_files)
    edge = 2 * recipe.bleed
    whole = Box(0, 0, recipe.trim.width + edge, recipe.trim.height + edge)
    for face in recipe.faces:
        content = paint_extended("F", face, whole, (1.0, 1.0)).encode()
        forms = {"F": composer.add_face(face)}
        page = composer.add_page(whole.width, whole.height, content, forms)
        if set_boxes:
            page_edits.set_page_boxes(page, recipe.bleed)
    return composer.save(recipe.title, recipe.language)


def list_single_cards(job: Job, decks: Iterable[Deck], language: str) -> list[SingleCard]:
    """Return the cards of decks in a language, in order, without those of 0 copies."""
    found = []
    for deck in decks:
        backs = {face.piece.id: face for face in job.faces.find_faces(deck, language, "back")}
        for front in job.faces.find_faces(deck, language, "front"):
            if front.piece.copies:
                back = backs.get(front.piece.id)
                found.append(SingleCard(deck, front, back, front.piece.copies))
    return found


def format_deck_title(job: Job, deck: Deck, language: str) -> str:
    """Return the title of a file with a deck's cards."""
    return f"{job.game.title.get_plain_text(language)} – {deck.title.get_plain_text(language)}"


def get_card_bleed(job: Job, deck: Deck) -> float:
    """Return the bleed of a deck's single cards in mm."""
    bleed = job.options.single.bleed
    return deck.bleed if bleed is None else bleed


def check_bleed(deck: Deck, wanted: float, needs: str, kind: str) -> list[Problem]:
    """Warn about a deck with less bleed than `wanted` mm. `needs` says who wants it."""
    if deck.bleed >= wanted - NEGLIGIBLE_BLEED_MM or not deck.count:
        return []
    enough = ceil(round(wanted * _BLEED_STEPS_PER_MM, 6)) / _BLEED_STEPS_PER_MM
    message = (
        f"{deck.bleed:g} mm of bleed, but {needs}; the rest mirrors the edges of the cards. Write "
        f"'bleed: {enough:g}' in the deck's file to use your own background"
    )
    source = deck.sources.get("bleed", deck.source)
    return [Problem(source, message, kind, "warning", Subject(deck.id))]


def check_bleeds(job: Job, kind: str) -> list[Problem]:
    """Warn about each deck with less bleed than the user asked for."""
    found = []
    for deck in job.decks:
        wanted = get_card_bleed(job, deck)
        found += check_bleed(deck, wanted, f"--bleed-mm asks for {wanted:g}", kind)
    return found


def encode_csv(columns: Sequence[str], rows: Iterable[Sequence[object]]) -> bytes:
    """Return a CSV table as RFC 4180 has it, in UTF-8."""
    out = io.StringIO(newline="")
    csv.writer(out, lineterminator="\r\n").writerows([columns, *rows])
    return out.getvalue().encode()


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

    def make_file(self, recipe: CardPagesRecipe) -> bytes:
        """Return the PDF of a recipe."""
        return compose_card_pages(recipe, set_boxes=True)
