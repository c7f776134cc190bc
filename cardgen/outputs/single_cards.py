"""What outputs of single cards have in common: which cards, by which title, and how much bleed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from math import ceil

from cardgen.assets.font_files import FontFile
from cardgen.core.problems import Problem, Subject
from cardgen.core.units import Box, Size
from cardgen.faces.face_pdfs import get_face_pdf
from cardgen.faces.model import Face
from cardgen.game.model import Deck
from cardgen.outputs.contract import Artefact, Job, Output, compute_key
from cardgen.pdf.content_operators import paint_extended
from cardgen.pdf.face_file import FacePdf
from cardgen.runtime.content_store import digest_parts

_MAX_NAME_LENGTH = 220
"""Signs of a file's name; systems take 255 bytes, and side and ending come after it."""
NEGLIGIBLE_BLEED_MM = 0.25
"""What is missing of a bleed without anyone's seeing it, mm."""
_BLEED_STEPS_PER_MM = 10


@dataclass(frozen=True)
class SingleCard:
    """A card to be ordered: its faces, as often as it is wanted."""

    deck: Deck
    front: Face
    back: Face | None
    copies: int

    @property
    def sides(self) -> list[Face]:
        """Front and back, or the front alone."""
        return [face for face in (self.front, self.back) if face]

    def name_files(self, per: str) -> dict[str, list[Face]]:
        """What its files are called below those of all decks, without the end, and what each
        holds: one a `card`, or one a `side`."""
        name = f"{self.deck.id}/{format_card_file_name(self.deck.id, self.front.piece.id, self.copies)}"
        if per == "card":
            return {name: self.sides}
        return {f"{name}_{face.side}": [face] for face in self.sides}


def format_card_file_name(deck: str, card: str, copies: int) -> str:
    """What a card's file is called, without its end. Where no system would take it, as an id and a
    player's together can be, the card's is a hash."""
    name = f"{deck}_{card}_x{copies}"
    return (
        name if len(name) <= _MAX_NAME_LENGTH else f"{deck}_{digest_parts([card])[:12]}_x{copies}"
    )


def list_single_cards(job: Job, decks: Iterable[Deck], language: str) -> list[SingleCard]:
    """The cards of the decks in a language, in order; what has no copies is left out."""
    found = []
    for deck in decks:
        backs = {face.piece.id: face for face in job.faces.find_faces(deck, language, "back")}
        for front in job.faces.find_faces(deck, language, "front"):
            if front.piece.copies:
                back = backs.get(front.piece.id)
                found.append(SingleCard(deck, front, back, front.piece.copies))
    return found


def format_deck_title(job: Job, deck: Deck, language: str) -> str:
    """What a file of a deck's cards is called inside."""
    return f"{job.game.title.get_plain_text(language)} – {deck.title.get_plain_text(language)}"


def get_card_bleed(job: Job, deck: Deck) -> float:
    """How far a deck's single cards are printed beyond the cut, mm."""
    asked = job.options.single.bleed
    return deck.bleed if asked is None else asked


def check_bleed(deck: Deck, wanted: float, needs: str, kind: str) -> list[Problem]:
    """A warning where a deck has less bleed than is wanted (mm); `needs` says who wants it."""
    if deck.bleed >= wanted - NEGLIGIBLE_BLEED_MM or not deck.count:
        return []
    enough = ceil(round(wanted * _BLEED_STEPS_PER_MM, 6)) / _BLEED_STEPS_PER_MM
    message = (
        f"{deck.bleed:g} mm of bleed and {needs}; what is missing mirrors the edges of the cards. "
        f"With 'bleed: {enough:g}' in its file your own ground runs on"
    )
    source = deck.sources.get("bleed", deck.source)
    return [Problem(source, message, kind, "warning", Subject(deck.id))]


def check_bleeds(job: Job, kind: str) -> list[Problem]:
    """A warning for each deck with less bleed than its single cards are asked for with."""
    found = []
    for deck in job.decks:
        wanted = get_card_bleed(job, deck)
        found += check_bleed(deck, wanted, f"--bleed-mm {wanted:g} is asked for", kind)
    return found


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
    key = compute_key(
        file.faces, job.faces, _CARD_PDFS_FOLDER, file.title, language, deck.size, bleed
    )
    return Artefact(f"{language}/{_CARD_PDFS_FOLDER}/{file.name}.pdf", key, recipe, language)


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

    options_read = ("single.bleed", "single.file_per")

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
