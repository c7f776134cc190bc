"""What outputs hand to the build: files to be, each with a key and a recipe."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from cardgen.assets.fontfiles import Cut
from cardgen.base import engine
from cardgen.base.store import Store, digest_of
from cardgen.base.units import Size
from cardgen.book.editions import Books
from cardgen.changes.compare import Base
from cardgen.faces.produce import Face, Faces
from cardgen.game.model import Deck, Game
from cardgen.pdf.face_file import FacePdf
from cardgen.sheets.arrange import Colophon, Layout
from cardgen.sheets.lettering import Lettering, Line, lettering

IMAGE_FORMATS = ("png", "jpeg", "webp")
SHEET_PX = 4096
"""What every card's memory holds, and how large a sheet is unless told otherwise, px a side."""
LARGEST_SHEET_PX = 10_000
_LONGEST_PART = 60


@dataclass(frozen=True)
class TableOptions:
    """How virtual tables are wanted: a sheet's longest side in px, its format, and where the
    pictures will be hosted ("" for the files on this machine)."""

    sheet_px: int = SHEET_PX
    png: bool = False
    base_url: str = ""


@dataclass(frozen=True)
class Options:
    """How outputs are wanted: sheets by their layout; `dpi`, `bleed` and `rounded` for images, or
    their width in px.

    With `mix` decks of one format share sheets; `cut_files` are the kinds wanted beside them, and
    `estimate` tells how much ink they take. `editions` and `book_sizes` are those of rulebooks;
    empty means all. `base` is what changed cards are compared with.
    """

    layout: Layout
    dpi: int
    bleed: bool
    rounded: bool
    mix: bool = False
    cut_files: tuple[str, ...] = ()
    image_format: str = "png"
    width_px: int = 0
    tables: TableOptions = TableOptions()
    editions: tuple[str, ...] = ()
    book_sizes: tuple[str, ...] = ()
    base: Base | None = None
    estimate: bool = False

    @property
    def paper(self) -> Size:
        return self.layout.paper


def quiet(_what: str, _done: int, _total: int) -> None:
    """The progress of those who do not watch."""


@dataclass(frozen=True)
class Job:
    """All that an output works from. `folder` is where the build publishes."""

    game: Game
    decks: tuple[Deck, ...]
    languages: tuple[str, ...]
    faces: Faces
    books: Books
    store: Store
    options: Options
    folder: Path = Path()
    progress: Callable[[str, int, int], None] = quiet

    @property
    def part(self) -> str:
        """What the names of files end with that hold the whole game, when these decks are a part
        of it: they do not take the place of the whole."""
        return part_of(self.decks, self.game.decks)

    @property
    def cuts(self) -> tuple[Cut, ...]:
        """The font files that composing embeds."""
        return self.faces.fonts.cuts

    def lettered(self, lines: Iterable[Line], language: str) -> Lettering:
        """Words that a file prints beside the pieces, ready to be set."""
        return lettering(lines, language, self.faces.fonts, self.store, engine.digest("sheets"))


def part_of(decks: Sequence[Deck], whole: Sequence[Deck]) -> str:
    """`+loot+money` for these decks of many, nothing for all; a hash where it would be long."""
    if len(decks) == len(whole):
        return ""
    ids = [deck.id for deck in decks]
    name = "".join(f"+{each}" for each in ids)
    return name if len(name) <= _LONGEST_PART else f"+{digest_of(ids)[:12]}"


@dataclass(frozen=True)
class Artefact:
    """A file to be, below the build folder. Equal keys mean equal bytes.

    `recipe` is what the output's `make` turns into bytes, maybe in another process.
    """

    path: str
    key: str
    recipe: Any
    language: str
    summary: str = ""


def colophon_of(game: Game, language: str) -> Colophon:
    """What the game's sheets tell of it."""
    return Colophon(game.title.spoken(language), game.edition, language, game.date)


def face_pdf(face: Face, store: Store) -> FacePdf:
    """Where a face lies in the store, with its drawings."""
    deck = face.deck
    return FacePdf(
        face.key,
        store.path("faces", f"{face.key}.pdf"),
        deck.size.width + 2 * deck.bleed,
        deck.size.height + 2 * deck.bleed,
        deck.bleed,
        {art.name: store.path("art", f"{art.digest}.pdf") for art in face.art if art.vector},
    )


def key_of(faces: Iterable[Face], fonts: Faces, *more: object) -> str:
    """The hash of all that decides an artefact's bytes."""
    looks = [face.digest for face in faces]
    icons = fonts.fonts.icon_digest
    return digest_of([engine.digest("outputs"), icons, *looks, *(repr(value) for value in more)])
