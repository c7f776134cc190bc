"""What outputs hand to the build: files to be, each with a key and a recipe."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from cardgen.book.book import Books
from cardgen.faces import Face, Faces, engine_digest
from cardgen.fontfiles import ICON_FAMILY, Cut
from cardgen.model import Deck, Game
from cardgen.pdf.facepdf import FacePdf
from cardgen.printing import Colophon, Layout
from cardgen.store import Store, digest_of
from cardgen.units import Size

IMAGE_FORMATS = ("png", "jpeg", "webp")
SHEET_PX = 4096
"""What every card's memory holds, and how large a sheet is unless told otherwise, px a side."""
LARGEST_SHEET_PX = 10_000


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

    With `mix` decks of one format share sheets; `cut_files` are the kinds wanted beside them.
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
    def cuts(self) -> tuple[Cut, ...]:
        """The font files that composing embeds."""
        return self.faces.fonts.cuts

    @property
    def label_font(self) -> Path | None:
        """The font file of slugs and captions: the first family, upright and near 400."""
        cuts = [cut for cut in self.cuts if cut.family != ICON_FAMILY]
        family = [cut for cut in cuts if cut.family == cuts[0].family]
        return min(family, key=_plainness).path if family else None


def _plainness(cut: Cut) -> tuple[bool, int]:
    return cut.style != "normal", abs(cut.weight - 400)


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
    return Colophon(game.title[language], game.edition, language, game.date)


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
    return digest_of([engine_digest(), icons, *looks, *(repr(value) for value in more)])
