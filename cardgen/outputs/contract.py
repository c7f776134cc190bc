"""What an output is, what it is given, and what it hands to the build.

An output is asked three times, in this order: `prepare`, `plan`, `make`. The first alone does work
whose result a file's name or key may hang on; the last may be asked in another process. Before
faces are set, it is asked which of them it will show.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Generic, TypeVar

from cardgen.assets.fontfiles import Cut
from cardgen.base import code_digest
from cardgen.base.problems import Problem
from cardgen.base.store import Store, digest_of
from cardgen.base.units import Size
from cardgen.book.editions import Books
from cardgen.changes.compare import Base
from cardgen.faces.known import OfFaces
from cardgen.faces.produce import Face, Faces
from cardgen.game.face_facts import Known
from cardgen.game.model import Deck, Game
from cardgen.sheets.arrange import Colophon, Layout
from cardgen.sheets.captions import Lettering, Line, lettering
from cardgen.sheets.numbers import ALL, Numbers

IMAGE_FORMATS = ("png", "jpeg", "webp")
SHEET_PX = 4096
"""What every card's memory holds, and how large a sheet is unless told otherwise, px a side."""
LARGEST_SHEET_PX = 10_000
_LONGEST_PART = 60
Recipe = TypeVar("Recipe")
Recipe_co = TypeVar("Recipe_co", covariant=True)


@dataclass(frozen=True)
class TableOptions:
    """How virtual tables are wanted: a sheet's longest side in px, its format, and where the
    pictures will be hosted ("" for the files on this machine)."""

    sheet_px: int = SHEET_PX
    png: bool = False
    base_url: str = ""


@dataclass(frozen=True)
class PressOptions:
    """How files for a press are wanted: a profile's file, or its name among the system's; the most
    ink, in %. "" and 0 are as game.yaml has it."""

    profile: str = ""
    ink: int = 0


PER = ("deck", "card", "side")
"""What a file of single cards holds."""


@dataclass(frozen=True)
class SingleOptions:
    """How single cards are wanted for those who print them: mm of bleed, None for the deck's own;
    what a file holds, one of PER; how a size becomes a shop's nearby, one of FITS, or "" as deck
    and game say."""

    bleed: float | None = None
    file_per: str = PER[0]
    fit: str = ""


@dataclass(frozen=True)
class Options:
    """How outputs are wanted: sheets by their layout; `dpi`, `bleed` and `rounded` for images, or
    their width in px.

    With `mix` decks of one format share sheets; `cut_files` are the kinds wanted beside them, and
    `estimate` tells how much ink they take. `editions` and `book_sizes` are those of rulebooks;
    empty means all, and so it does for the numbers of `sheets`. `base` is what changed cards are
    compared with.
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
    sheets: Numbers = ALL
    press: PressOptions = PressOptions()
    single: SingleOptions = SingleOptions()

    @property
    def paper(self) -> Size:
        return self.layout.paper


Progress = Callable[[str, int, int], None]
"""Called with what is being done, how many are done and how many there are; of 0 it is a word to
the user."""


def quiet(_what: str, _done: int, _total: int) -> None:
    """The progress of those who do not watch."""


@dataclass(frozen=True)
class Job:
    """All that an output works from. `folder` is where the build publishes.

    `decks` hold the cards asked for. Where these are some of a deck's alone, `some` is what the
    names of files end with that would show all of them else.
    """

    game: Game
    decks: tuple[Deck, ...]
    languages: tuple[str, ...]
    faces: Faces
    books: Books
    store: Store
    options: Options
    folder: Path = Path()
    progress: Progress = quiet
    some: str = ""

    @property
    def part(self) -> str:
        """What the names of files end with that hold the whole game, when these decks and cards
        are a part of it: they do not take the place of the whole."""
        return part_of(self.decks, self.game.decks) + self.some

    def shows(self, face: Face) -> bool:
        """Whether a face is of the cards and languages asked for."""
        return face.language in self.languages and (face.deck.id, face.piece.id) in self.pieces

    @cached_property
    def pieces(self) -> frozenset[tuple[str, str]]:
        """Deck and id of every piece asked for."""
        return frozenset((deck.id, piece.id) for deck in self.decks for piece in deck.pieces)

    @cached_property
    def known(self) -> Known:
        """What faces tell of themselves. Boards that are asked about and not set are set."""
        return OfFaces(self.game, self.faces, self.store, sets=True)

    @property
    def cuts(self) -> tuple[Cut, ...]:
        """The font files that composing embeds."""
        return self.faces.fonts.cuts

    def lettered(self, lines: Iterable[Line], language: str) -> Lettering:
        """Words that a file prints beside the pieces, ready to be set."""
        return lettering(
            lines, language, self.faces.fonts, self.store, code_digest.digest("sheets")
        )


def part_of(decks: Sequence[Deck], whole: Sequence[Deck]) -> str:
    """`+loot+money` for these decks of many, nothing for all; a hash where it would be long."""
    return "" if len(decks) == len(whole) else ending(deck.id for deck in decks)


def ending(words: Iterable[str]) -> str:
    """`+barn+shop`; a hash where it would be long."""
    listed = [*words]
    name = "".join(f"+{each}" for each in listed)
    return name if len(name) <= _LONGEST_PART else f"+{digest_of(listed)[:12]}"


@dataclass(frozen=True, slots=True)
class Artefact(Generic[Recipe_co]):
    """A file to be, below the build folder. Equal keys mean equal bytes.

    `recipe` is what the output's `make` turns into bytes. It is picklable.
    """

    path: str
    key: str
    recipe: Recipe_co
    language: str
    summary: str = ""


class Kind(ABC):
    """What is known of an output by those whom its recipes do not concern."""

    batch: int = 1
    """How many recipes are handed to `make` at once."""
    of_decks: bool = True
    """Whether it shows the decks asked for."""
    of_books: bool = False
    """Whether it shows what the game's books show; if it shows decks, too, only a whole game's."""
    of_cards: bool = True
    """Whether it can show some of a deck's cards alone, too."""
    of_table: bool = False
    """Whether it lays things on a table, as table.yaml says."""
    last: bool = False
    """Whether it takes along what others have made, so that they are published before it."""
    reads: tuple[str, ...] = ()
    """The options that decide its files: fields of `Options`, dotted where one is of parts.
    `layout` stands for `layout.paper` and all the rest of it."""

    def prepare(self, job: Job) -> list[Problem]:
        """Put into the store what the files are named after and made from; what is wrong with it.

        It comes before `plan`, since a picture's name, or a save that holds such names, is known
        only once the picture is drawn. With an error, nothing is planned.
        """
        return []

    @abstractmethod
    def files(self, job: Job) -> tuple[Files[object], list[Problem]]:
        """The files that the output plans, as the build carries them about."""

    def shown(self, job: Job) -> list[Face]:
        """The faces that its files show, of those of the cards asked for. It comes before these
        are set, so that no others need be."""
        return [face for face in job.faces.faces if job.shows(face)]

    def uses(self, option: str) -> bool:
        """Whether an option, a field of `Options`, decides anything here."""
        return option in self.reads or option.partition(".")[0] in self.reads


class Output(Kind, Generic[Recipe]):
    """Something that can be made. It keeps nothing: all it knows is in the job and the store."""

    @abstractmethod
    def plan(self, job: Job) -> tuple[list[Artefact[Recipe]], list[Problem]]:
        """Which files there will be, under which keys, from which recipes; and what speaks against
        any of them. No work: it reads, counts and arranges."""

    @abstractmethod
    def make(self, recipes: Sequence[Recipe]) -> list[bytes]:
        """The bytes of each recipe, in that order; maybe in another process."""

    def files(self, job: Job) -> tuple[Files[object], list[Problem]]:
        artefacts, problems = self.plan(job)
        return Files(self, tuple(artefacts)), problems


@dataclass(frozen=True)
class Files(Generic[Recipe_co]):
    """Files of one output, which alone knows what their recipes are."""

    _output: Output[Recipe_co]
    artefacts: tuple[Artefact[Recipe_co], ...]

    def without(self, paths: Collection[str]) -> Files[Recipe_co]:
        """The files but those at these paths."""
        return Files(self._output, tuple(a for a in self.artefacts if a.path not in paths))

    def without_keys(self, keys: Collection[str]) -> Files[Recipe_co]:
        """The files but those of these keys."""
        return Files(self._output, tuple(a for a in self.artefacts if a.key not in keys))

    def and_those(self, more: Iterable[Artefact[Any]]) -> Files[Any]:
        """These files, and more of the same output."""
        return Files(self._output, (*self.artefacts, *more))

    def batches(self) -> list[Files[Recipe_co]]:
        """The files as they are made at once, equal keys once."""
        return self._split(self._output.batch)

    def singly(self) -> list[Files[Recipe_co]]:
        """The files, each by itself."""
        return self._split(1)

    def _split(self, size: int) -> list[Files[Recipe_co]]:
        distinct = tuple({artefact.key: artefact for artefact in self.artefacts}.values())
        return [
            Files(self._output, distinct[i : i + size]) for i in range(0, len(distinct), size)
        ]  # fmt: skip

    @property
    def many(self) -> bool:
        """Whether they are small things, many of which are made at once."""
        return self._output.batch > 1

    def made(self) -> list[bytes]:
        """Their bytes, in order."""
        return self._output.make([artefact.recipe for artefact in self.artefacts])


def colophon_of(game: Game, language: str) -> Colophon:
    """What the game's sheets tell of it."""
    return Colophon(game.title.spoken(language), game.edition, language, game.date)


def key_of(faces: Iterable[Face], fonts: Faces, *more: object) -> str:
    """The hash of all that decides an artefact's bytes."""
    looks = [face.digest for face in faces]
    icons = fonts.fonts.icon_digest
    return digest_of(
        [code_digest.digest("outputs"), icons, *looks, *(repr(value) for value in more)]
    )
