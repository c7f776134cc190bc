"""Faces of a game: their identity, their grouping, and where the store keeps them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING

from cardgen.core.problems import Diagnostic, Problem, Subject
from cardgen.game.face_facts import FaceFacts
from cardgen.game.model import Deck, Piece
from cardgen.pdf.face_file import DraftLayer, FacePdf
from cardgen.runtime.content_store import Store, digest_parts
from cardgen.templates import stylesheet_rules

if TYPE_CHECKING:
    from cardgen.assets.artwork import Art
    from cardgen.assets.font_files import FontFile, FontSet
    from cardgen.faces.image_sampling import DownsampledArt

FaceProgress = Callable[[int, int], None]
"""Called with the numbers of finished and of all faces."""


@dataclass(frozen=True, slots=True)
class Face:
    """One side of a card in one language. Faces with the same `key` look the same."""

    deck: Deck
    piece: Piece
    side: str
    language: str
    key: str
    pictures: tuple[Art, ...]
    make_html: Callable[[], str] = field(compare=False)
    """Returns the HTML, which only a face that is typeset anew needs."""
    styles: tuple[tuple[str, str], ...] = field(default=(), compare=False, repr=False)
    """Stylesheets of its deck at rendering time, as (name, text)."""
    is_placeholder: bool = False
    """True for a card that replaces a face that could not be made."""
    original_key: str = ""
    """Of a draft: the key of the typeset face it marks."""
    layer: DraftLayer | None = None
    """Of a draft: the marks drawn over the face."""

    @property
    def subject(self) -> Subject:
        """Its card, language and side."""
        return Subject(self.deck.id, self.piece.id, self.language, self.side)

    @property
    def file_stem(self) -> str:
        """Stem of file names for this face: the card's id, with `-back` for a back."""
        return f"{self.piece.id}-back" if self.side == "back" else self.piece.id

    @property
    def digest(self) -> str:
        """Hash of everything that affects its appearance, drawings included."""
        return digest_parts([self.key, *(art.digest for art in self.pictures)])

    def compute_visible_digest(self) -> str:
        """Return the hash of what can be seen.

        Counts only the styles and pictures that can concern this face, so faces that look alike
        may have different keys. Renders the HTML.
        """
        html = self.make_html()
        css = stylesheet_rules.select_styles(
            [text for _, text in self.styles], stylesheet_rules.collect_words(html)
        )
        visible_art = [
            f"{a.name} {a.digest}" for a in self.pictures if a.name in html or a.name in css
        ]
        size = f"{self.deck.size} {self.deck.bleed} {self.deck.form}"
        return digest_parts([size, html, css, *visible_art])


class FaceIndex:
    """Faces of a list by deck, side and language."""

    def __init__(self, faces: list[Face]) -> None:
        self._faces, self._count = faces, len(faces)
        self._found: dict[tuple[str, str], dict[str, list[Face]]] = {}
        for face in faces:
            sides = self._found.setdefault((face.deck.id, face.side), {})
            sides.setdefault(face.language, []).append(face)

    def is_index_of(self, faces: list[Face]) -> bool:
        """Return True if this is the current index of the list."""
        return self._faces is faces and self._count == len(faces)

    def find_side(self, deck: str, side: str, language: str = "") -> list[Face]:
        """Return the faces of a side of a deck, in one language or in all."""
        faces = self._found.get((deck, side), {})
        return faces.get(language, []) if language else [f for each in faces.values() for f in each]


@dataclass
class FaceSet:
    """All faces of a build with their diagnostics and problems."""

    fonts: FontSet
    faces: list[Face] = field(default_factory=list)
    skipped: list[Face] = field(default_factory=list)
    """Faces of selected cards that no output shows. They have keys, but are never typeset."""
    render_names: set[str] = field(default_factory=set)
    """Names of the store entries of all renders that were used."""
    blocked_decks: set[str] = field(default_factory=set)
    """Decks with errors in their head or styles. Their layout diagnostics would mislead."""
    diagnostics: dict[str, Sequence[Diagnostic]] = field(default_factory=dict)
    """Layout diagnostics of each typeset face, by key."""
    downsampled: dict[str, DownsampledArt] = field(default_factory=dict)
    """Pictures made smaller for sheets, by name."""
    problems: list[Problem] = field(default_factory=list)
    typeset_count: int = 0
    _indexes: dict[int, FaceIndex] = field(
        default_factory=dict, compare=False, repr=False, init=False
    )

    def find_faces(
        self, deck: Deck, language: str, side: str, *, unset: bool = False
    ) -> list[Face]:
        """Return the faces of a side of a deck in a language, skipped ones last."""
        ids = {piece.id for piece in deck.pieces}
        faces = [*self._index_faces(self.faces).find_side(deck.id, side, language)]
        if unset:
            faces += self._index_faces(self.skipped).find_side(deck.id, side, language)
        return [face for face in faces if face.piece.id in ids]

    def _index_faces(self, listed: list[Face]) -> FaceIndex:
        """Return an index of a list, rebuilt only if the list changed."""
        number = int(listed is self.skipped)
        index = self._indexes.get(number)
        if index is None or not index.is_index_of(listed):
            index = self._indexes[number] = FaceIndex(listed)
        return index

    def find_backs(self, deck_id: str) -> dict[str, list[str]]:
        """Return the cards that have each different back of a deck, in each language."""
        looks: dict[str, list[str]] = {}
        index: dict[str, str] = {}
        for face in self._index_faces(self.faces).find_side(deck_id, "back"):
            if face.digest not in index:
                index[face.digest] = face.compute_visible_digest()
            looks.setdefault(f"{face.language} {index[face.digest]}", []).append(face.piece.id)
        return looks


NO_DOWNSAMPLED: Mapping[str, DownsampledArt] = MappingProxyType({})


def get_face_pdf(
    face: Face, store: Store, smaller: Mapping[str, DownsampledArt] = NO_DOWNSAMPLED
) -> FacePdf:
    """Return the files of a typeset face: its PDF, its drawings and downsampled pictures."""
    deck = face.deck
    vector_art = (art for art in face.pictures if art.vector and not art.missing)
    drawings = {art.name: store.get_path("art", f"{art.digest}.pdf") for art in vector_art}
    drawings |= {art.name: smaller[art.name].path for art in face.pictures if art.name in smaller}
    missing = {art.name: (art.width, art.height) for art in face.pictures if art.missing}
    path = store.get_path("faces", f"{face.original_key or face.key}.pdf")
    width, height = (side + 2 * deck.bleed for side in (deck.size.width, deck.size.height))
    return FacePdf(face.key, path, width, height, deck.bleed, drawings, missing, face.layer)


def format_geometry(deck: Deck) -> str:
    """Return the measures of a deck's faces in mm, as part of keys."""
    return f"{deck.size.width} {deck.size.height} {deck.bleed} {deck.safe}"


@dataclass(frozen=True)
class FaceSettings:
    """Settings shared by a batch. Lengths in mm; stylesheets as (name, text)."""

    width: float
    height: float
    bleed: float
    safe: float
    styles: tuple[tuple[str, str], ...]
    colours: tuple[tuple[str, str], ...]
    font_files: tuple[FontFile, ...]
    patterns: tuple[tuple[str, Path], ...]
    digest: str = ""
    """Hash of everything but the styles that affects layout."""
    coloured_icons: tuple[tuple[str, str], ...] = ()
    """Icons that keep their colours, as (name, file)."""


@dataclass(frozen=True)
class FaceInput:
    """A face to typeset: store key, language, HTML, pictures, and a name for messages."""

    key: str
    language: str
    html: str
    pictures: tuple[Art, ...] = ()
    name: str = "?"


@dataclass(frozen=True)
class FaceOutput:
    """A typeset face: its PDF, diagnostics and facts."""

    key: str
    pdf: bytes
    diagnostics: tuple[Diagnostic, ...]
    facts: FaceFacts = field(default_factory=FaceFacts)
