"""What an output is, what it is given, and what it hands to the build.

An output is asked three times, in this order: `prepare`, `plan`, `make`. The first alone does work
whose result a file's name or key may hang on; the last may be asked in another process. Before
faces are set, it is asked which of them it will show.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass
from functools import cached_property
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from cardgen.runtime import code_version
from cardgen.runtime.content_store import Store, digest_parts, read_entry
from cardgen.sheets.number_ranges import ALL_NUMBERS, NumberRanges

if TYPE_CHECKING:
    from cardgen.assets.font_files import FontFile
    from cardgen.book.editions import WrittenBooks
    from cardgen.changes.card_changes import Baseline
    from cardgen.core.problems import Problem
    from cardgen.core.units import Size
    from cardgen.faces.model import Face, FaceSet
    from cardgen.game.face_facts import FaceFactsSource
    from cardgen.game.model import Deck, Game
    from cardgen.sheets.arrangement import SheetLayout
    from cardgen.sheets.sheet_captions import CaptionLine, CaptionSet

IMAGE_FORMATS = ("png", "jpeg", "webp")
DEFAULT_SHEET_PX = 4096
"""What every card's memory holds, and how large a sheet is unless told otherwise, px a side."""
MAX_SHEET_PX = 10_000
_MAX_SUFFIX_LENGTH = 60
Recipe = TypeVar("Recipe")
Recipe_co = TypeVar("Recipe_co", covariant=True)


@dataclass(frozen=True)
class TableOptions:
    """How virtual tables are wanted: a sheet's longest side in px, its format, and where the
    pictures will be hosted ("" for the files on this machine)."""

    sheet_px: int = DEFAULT_SHEET_PX
    png: bool = False
    base_url: str = ""


@dataclass(frozen=True)
class PressOptions:
    """How files for a press are wanted: a profile's file, or its name among the system's; the most
    ink, in %. "" and 0 are as game.yaml has it."""

    profile: str = ""
    ink: int = 0


FILE_CONTENTS = ("deck", "card", "side")
"""What a file of single cards holds."""


@dataclass(frozen=True)
class SingleOptions:
    """How single cards are wanted for those who print them: mm of bleed, None for the deck's own;
    what a file holds, one of PER; how a size becomes a shop's nearby, one of FITS, or "" as deck
    and game say."""

    bleed: float | None = None
    file_per: str = FILE_CONTENTS[0]
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

    layout: SheetLayout
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
    base: Baseline | None = None
    estimate: bool = False
    sheets: NumberRanges = ALL_NUMBERS
    press: PressOptions = PressOptions()
    single: SingleOptions = SingleOptions()

    @property
    def paper(self) -> Size:
        return self.layout.paper


Progress = Callable[[str, int, int], None]
"""Called with what is being done, how many are done and how many there are; of 0 it is a word to
the user."""


def ignore_progress(_what: str, _done: int, _total: int) -> None:
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
    faces: FaceSet
    books: WrittenBooks
    store: Store
    options: Options
    folder: Path = Path()
    progress: Progress = ignore_progress
    selection_suffix: str = ""

    @property
    def partial_suffix(self) -> str:
        """What the names of files end with that hold the whole game, when these decks and cards
        are a part of it: they do not take the place of the whole."""
        return partial_decks_suffix(self.decks, self.game.decks) + self.selection_suffix

    def includes_face(self, face: Face) -> bool:
        """Whether a face is of the cards and languages asked for."""
        return face.language in self.languages and (face.deck.id, face.piece.id) in self.card_keys

    @cached_property
    def card_keys(self) -> frozenset[tuple[str, str]]:
        """Deck and id of every piece asked for."""
        return frozenset((deck.id, piece.id) for deck in self.decks for piece in deck.pieces)

    @cached_property
    def face_facts(self) -> FaceFactsSource:
        """What faces tell of themselves. Boards that are asked about and not set are set."""
        from cardgen.faces.queries import FaceQueries

        return FaceQueries(self.game, self.faces, self.store, sets=True)

    @property
    def font_files(self) -> tuple[FontFile, ...]:
        """The font files that composing embeds."""
        return self.faces.fonts.files

    def prepare_lettering(self, lines: Iterable[CaptionLine], language: str) -> CaptionSet:
        """Words that a file prints beside the pieces, ready to be set."""
        from cardgen.sheets.sheet_captions import make_caption_set

        return make_caption_set(
            lines, language, self.faces.fonts, self.store, code_version.digest_code("sheets")
        )


def partial_decks_suffix(decks: Sequence[Deck], whole: Sequence[Deck]) -> str:
    """`+loot+money` for these decks of many, nothing for all; a hash where it would be long."""
    return "" if len(decks) == len(whole) else filename_suffix(deck.id for deck in decks)


def filename_suffix(words: Iterable[str]) -> str:
    """`+barn+shop`; a hash where it would be long."""
    listed = [*words]
    name = "".join(f"+{each}" for each in listed)
    return name if len(name) <= _MAX_SUFFIX_LENGTH else f"+{digest_parts(listed)[:12]}"


@dataclass(frozen=True)
class Artefact(Generic[Recipe_co]):
    """A file to make, with its path below the build folder.

    `recipe` is what the output's `make` turns into bytes. It can be pickled and holds everything
    that decides the bytes. `key` is the digest of the recipe, so equal keys mean equal bytes.
    """

    path: str
    recipe: Recipe_co
    language: str
    summary: str = ""

    @cached_property
    def key(self) -> str:
        return digest_recipe(self.recipe)


@dataclass(frozen=True)
class FileContent:
    """Recipe of a file that exists already: its bytes, or its path in the store."""

    data: bytes = b""
    path: Path | None = None

    def read_bytes(self) -> bytes:
        return self.data if self.path is None else read_entry(self.path)


class Output(ABC, Generic[Recipe]):
    """Base class of outputs. It has no state: all that it knows is in the job and the store.

    The build calls `prepare`, then `plan`, then `make`. An output is one module with one subclass,
    and one entry in `outputs.registry`.
    """

    batch_size: int = 1
    """How many recipes `make` gets at once. More than 1 is for small files."""

    def prepare(self, job: Job) -> list[Problem]:
        """Put into the store what paths or keys of the files depend on. Return the problems.

        This is the only place for such work. A picture that is named by its content, for example,
        must be drawn before a save can name it. After an error nothing is planned.
        """
        return []

    @abstractmethod
    def plan(self, job: Job) -> tuple[list[Artefact[Recipe]], list[Problem]]:
        """Return the files to make, with their keys and recipes, and the problems.

        This only reads, counts and arranges. It writes nothing.
        """

    @abstractmethod
    def make(self, recipes: Sequence[Recipe]) -> list[bytes]:
        """Return the bytes of each recipe, in order. This may run in another process."""

    def plan_files(self, job: Job) -> tuple[OutputFiles[Recipe], list[Problem]]:
        """Return the planned files together with this output, and the problems."""
        artefacts, problems = self.plan(job)
        return OutputFiles(self, tuple(artefacts)), problems

    def select_faces(self, job: Job) -> list[Face]:
        """Return the faces that the files show. Only these are typeset."""
        return [face for face in job.faces.faces if job.includes_face(face)]


@dataclass(frozen=True)
class OutputFiles(Generic[Recipe_co]):
    """Files of one output, which alone knows what their recipes are."""

    _output: Output[Recipe_co]
    artefacts: tuple[Artefact[Recipe_co], ...]

    def exclude_paths(self, paths: Collection[str]) -> OutputFiles[Recipe_co]:
        """The files but those at these paths."""
        return OutputFiles(self._output, tuple(a for a in self.artefacts if a.path not in paths))

    def exclude_keys(self, keys: Collection[str]) -> OutputFiles[Recipe_co]:
        """The files but those of these keys."""
        return OutputFiles(self._output, tuple(a for a in self.artefacts if a.key not in keys))

    def add_artefacts(self, more: Iterable[Artefact[Any]]) -> OutputFiles[Any]:
        """These files, and more of the same output."""
        return OutputFiles(self._output, (*self.artefacts, *more))

    def split_batches(self) -> list[OutputFiles[Recipe_co]]:
        """The files as they are made at once, equal keys once."""
        return self._split_chunks(self._output.batch_size)

    def split_singly(self) -> list[OutputFiles[Recipe_co]]:
        """The files, each by itself."""
        return self._split_chunks(1)

    def _split_chunks(self, size: int) -> list[OutputFiles[Recipe_co]]:
        distinct = tuple({artefact.key: artefact for artefact in self.artefacts}.values())
        return [
            OutputFiles(self._output, distinct[i : i + size]) for i in range(0, len(distinct), size)
        ]  # fmt: skip

    @property
    def is_batched(self) -> bool:
        """Whether they are small things, many of which are made at once."""
        return self._output.batch_size > 1

    def make_bytes(self) -> list[bytes]:
        """Their bytes, in order."""
        return self._output.make([artefact.recipe for artefact in self.artefacts])


def digest_recipe(*values: object) -> str:
    """Return the digest of a recipe: of plain values, paths, and tuples, mappings and dataclasses
    of these. The version of cardgen's code is part of it.

    A path counts by its name, because files in the store are named by their content. A dataclass
    with a `digest` counts by it. Raises `TypeError` for other values.
    """
    code = code_version.digest_code(code_version.PACKAGE_ORDER[0])
    return digest_parts([code, *_list_parts(values)])


def _list_parts(value: object) -> Iterator[str | bytes]:
    if isinstance(value, bytes):
        yield value
    elif value is None or isinstance(value, str | int | float):
        yield repr(value)
    elif isinstance(value, PurePath):
        yield value.name
    elif isinstance(value, tuple | list):
        yield f"{len(value)} items"
        for item in value:
            yield from _list_parts(item)
    elif isinstance(value, Mapping):
        yield from _list_parts(sorted(value.items()))
    elif is_dataclass(value):
        yield type(value).__name__
        names = ["digest"] if hasattr(value, "digest") else [each.name for each in fields(value)]
        for name in names:
            yield from _list_parts(getattr(value, name))
    else:
        raise TypeError(f"{type(value).__name__} cannot be part of a recipe")


def compute_key(faces: Iterable[Face], fonts: FaceSet, *more: object) -> str:
    """The hash of all that decides an artefact's bytes."""
    looks = [face.digest for face in faces]
    icons = fonts.fonts.icon_digest
    return digest_parts(
        [
            code_version.digest_code(code_version.PACKAGE_ORDER[0]),
            icons,
            *looks,
            *(repr(value) for value in more),
        ]
    )
