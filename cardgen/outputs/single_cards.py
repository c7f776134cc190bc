"""What outputs of single cards have in common: which cards, by which title, and how much bleed."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from math import ceil

from cardgen.core.problems import Problem, Subject
from cardgen.faces.model import Face
from cardgen.game.model import Deck
from cardgen.outputs.contract import Job
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
