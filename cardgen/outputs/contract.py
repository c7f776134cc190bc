"""The contract between the build and its outputs: options, job, recipes, files.

To add an output, write one module with a subclass of `Output` and add one entry to
`outputs.registry`. The build calls three methods, in this order:

1. `prepare` puts into the store what paths and keys depend on. Most outputs need no such work.
2. `plan` returns an `Artefact` for each file: its path and its recipe. It writes nothing.
3. `make`, or `make_file`, turns recipes into bytes, often in other processes. Only files are made
   whose key, the digest of the recipe, is new.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass, replace
from functools import cache, cached_property
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from cardgen.core import work_limits
from cardgen.core.problems import Problem, Source
from cardgen.core.work_limits import LimitExceededError
from cardgen.runtime import code_version
from cardgen.runtime.content_store import FILES_KIND, SharedBackend, Store, digest_parts, read_entry
from cardgen.runtime.worker_pool import map_calls
from cardgen.sheets.imposition import ALL_NUMBERS, NumberRanges

if TYPE_CHECKING:
    from cardgen.assets.font_files import FontFile
    from cardgen.book.model import WrittenBooks
    from cardgen.changes.card_changes import Baseline
    from cardgen.core.units import Size
    from cardgen.faces.model import Face, FaceSet
    from cardgen.game.face_facts import FaceFactsSource
    from cardgen.game.model import Deck, Game
    from cardgen.pdf.face_file import FacePdf
    from cardgen.sheets.arrangement import SheetLayout, SheetPiece
    from cardgen.sheets.sheet_captions import CaptionLine, CaptionSet

IMAGE_FORMATS = ("png", "jpeg", "webp")
DEFAULT_SHEET_PX = 4096
"""Side of a sheet of a virtual table, in px, that every graphics card can show."""
MAX_SHEET_PX = 10_000
FILE_CONTENTS = ("deck", "card", "side")
"""Values of `SingleOptions.file_per`."""
_MAX_SUFFIX_LENGTH = 60
_MAX_LOCAL_BATCHES = 4
"""Up to this number, batches are made in this process. Starting helpers would cost more."""
_BATCH_SECONDS, _SECONDS_PER_FILE, _LARGE_FILE_SECONDS = 15.0, 3.0, 300.0
"""Time limits of a batch of small files, for each of them in addition, and of a large file."""
Recipe = TypeVar("Recipe")
Recipe_co = TypeVar("Recipe_co", covariant=True)


@dataclass(frozen=True)
class TableOptions:
    """Options of virtual tables: longest side of a sheet in px, PNG instead of JPEG, and the URL
    where the pictures will be hosted. Without a URL the files on this machine are used."""

    sheet_px: int = DEFAULT_SHEET_PX
    png: bool = False
    base_url: str = ""


@dataclass(frozen=True)
class PressOptions:
    """Options of files for a press: an ICC profile (a file or the name of an installed one) and the
    ink limit in %. Without them, game.yaml decides."""

    profile: str = ""
    ink: int = 0


@dataclass(frozen=True)
class SingleOptions:
    """Options of single cards: bleed in mm (None for the deck's), the content of a file (one of
    `FILE_CONTENTS`), how a card becomes a shop's nearby size ("" as deck and game say), and the
    shop of the output `shop`."""

    bleed: float | None = None
    file_per: str = FILE_CONTENTS[0]
    fit: str = ""
    shop: str = ""


@dataclass(frozen=True)
class Options:
    """Options of all outputs. Each output reads those that its registry entry names.

    `dpi`, `bleed`, `rounded`, `image_format` and `width_px` are for images. With `mix`, decks of
    one format share sheets. `estimate` asks for the ink that sheets take. Empty `editions`,
    `book_sizes` and `sheets` mean all. Changed cards are compared with `base`.
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
"""Called with a task, the number of steps done and their total. A total of 0 stands for a message
to the user."""


def ignore_progress(_what: str, _done: int, _total: int) -> None:
    """Report no progress."""


@dataclass(frozen=True)
class Job:
    """Input of every output: a checked game, its faces and books, the store and the options.

    `decks` hold the selected cards only. `selection_suffix` is not empty where these are a part of
    a deck. It ends the names of files that would show the whole deck otherwise. The build
    publishes below `folder`.
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
    read_published: Callable[[str], bytes | None] = lambda _: None
    """Returns a file below `folder` that a build of this user made, unchanged."""

    @property
    def partial_suffix(self) -> str:
        """Suffix of files that hold the whole game, so that a part does not replace it."""
        return partial_decks_suffix(self.decks, self.game.decks) + self.selection_suffix

    def includes_face(self, face: Face) -> bool:
        """Return true if a face is of a selected card and language."""
        return face.language in self.languages and (face.deck.id, face.piece.id) in self.card_keys

    @cached_property
    def card_keys(self) -> frozenset[tuple[str, str]]:
        """Deck id and card id of every selected card."""
        return frozenset((deck.id, piece.id) for deck in self.decks for piece in deck.pieces)

    @cached_property
    def face_facts(self) -> FaceFactsSource:
        """Places on faces. A board that is asked about is typeset if necessary."""
        from cardgen.faces.queries import FaceQueries  # noqa: PLC0415 - loaded only with a table

        return FaceQueries(self.game, self.faces, self.store, sets=True)

    @cached_property
    def pieces_on_sheets(self) -> dict[tuple[str, ...], Mapping[str, SheetPiece]]:
        """Pieces by deck, language and cards, each once `sheet_recipes` has built it."""
        return {}

    @cached_property
    def kept(self) -> dict[str, Any]:
        """What an output has made for its later steps, by a name of the output's own."""
        return {}

    @cached_property
    def _face_pdfs(self) -> dict[tuple[str, bool], FacePdf]:
        return {}

    def get_face_pdf(self, face: Face, *, downsampled: bool = False) -> FacePdf:
        """Return the files of a typeset face, the same object for faces that look the same.

        With `downsampled`, pictures are no larger than print needs.
        """
        key = face.key, downsampled
        if key not in self._face_pdfs:
            from cardgen.faces.model import get_face_pdf  # noqa: PLC0415 - as above

            smaller = self.faces.downsampled if downsampled else {}
            self._face_pdfs[key] = get_face_pdf(face, self.store, smaller)
        return self._face_pdfs[key]

    @property
    def font_files(self) -> tuple[FontFile, ...]:
        """The font files to embed into PDFs."""
        return self.faces.fonts.files

    def prepare_lettering(self, lines: Iterable[CaptionLine], language: str) -> CaptionSet:
        """Return the texts that a file prints beside the cards, ready to be typeset."""
        from cardgen.sheets.sheet_captions import make_caption_set  # noqa: PLC0415 - as above

        engine = code_version.digest_code("sheets")
        return make_caption_set(lines, language, self.faces.fonts, self.store, engine)


def partial_decks_suffix(decks: Sequence[Deck], whole: Sequence[Deck]) -> str:
    """Return "" for all decks, else a suffix such as `+loot+money`."""
    return "" if len(decks) == len(whole) else filename_suffix(deck.id for deck in decks)


def filename_suffix(words: Iterable[str]) -> str:
    """Return a suffix such as `+barn+shop`, or a hash where that would be long."""
    listed = [*words]
    name = "".join(f"+{each}" for each in listed)
    return name if len(name) <= _MAX_SUFFIX_LENGTH else f"+{digest_parts(listed)[:12]}"


@dataclass(frozen=True)
class Artefact(Generic[Recipe_co]):
    """A file to make, with its path below the build folder.

    `recipe` is what the output's `make` turns into bytes. It can be pickled and holds everything
    that decides the bytes. `key` is the digest of the recipe, so equal keys mean equal bytes. A
    recipe class belongs to one output; `FileContent` is shared by all.
    """

    path: str
    recipe: Recipe_co
    language: str
    summary: str = ""

    @cached_property
    def key(self) -> str:
        return digest_recipe(self.recipe)

    def copy_to(self, path: str, summary: str = "") -> Artefact[Recipe_co]:
        """Return the same file at another path. Its key is computed once for both."""
        other = replace(self, path=path, summary=summary)
        vars(other)["key"] = self.key
        return other


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
    """Number of recipes that `make` gets at once. Values above 1 are for small files."""

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

    def make(self, recipes: Sequence[Recipe]) -> list[bytes]:
        """Return the bytes of each recipe, in order. This may run in another process.

        An output implements this, or `make_file` if it makes each file by itself.
        """
        return [self.make_file(recipe) for recipe in recipes]

    def make_file(self, recipe: Recipe) -> bytes:
        """Return the bytes of one recipe."""
        raise NotImplementedError

    def plan_files(self, job: Job) -> tuple[OutputFiles[Recipe], list[Problem]]:
        """Return the planned files together with this output, and the problems."""
        artefacts, problems = self.plan(job)
        return OutputFiles(self, tuple(artefacts)), problems

    def select_faces(self, job: Job) -> list[Face]:
        """Return the faces that the files show. Only these are typeset."""
        return [face for face in job.faces.faces if job.includes_face(face)]


@dataclass(frozen=True)
class OutputFiles(Generic[Recipe_co]):
    """Planned files of one output, together with the output, which alone knows their recipes."""

    output: Output[Recipe_co]
    artefacts: tuple[Artefact[Recipe_co], ...]

    def exclude_paths(self, paths: Collection[str]) -> OutputFiles[Recipe_co]:
        """Return the files without those at these paths."""
        return replace(self, artefacts=tuple(a for a in self.artefacts if a.path not in paths))

    def split_batches(
        self, size: int = 0, without: Collection[str] = ()
    ) -> list[OutputFiles[Recipe_co]]:
        """Return the files in batches of `size`, the output's own by default, equal keys once.

        Files of the keys in `without` are left out.
        """
        size = size or self.output.batch_size
        keyed = {each.key: each for each in self.artefacts if each.key not in without}
        distinct = tuple(keyed.values())
        starts = range(0, len(distinct), size)
        return [replace(self, artefacts=distinct[start : start + size]) for start in starts]


def make_files(
    groups: Iterable[OutputFiles[object]], progress: Progress, shared: SharedBackend | None = None
) -> Iterator[tuple[Artefact[object], bytes | Problem]]:
    """Yield each file, equal keys once, with its bytes or with the reason why it was not made.

    Files that the shared store has are not made.
    """
    groups, done_keys = [*groups], set()
    for artefact, content in _fetch_shared_files(groups, shared):
        done_keys.add(artefact.key)
        yield artefact, content
    batches = [batch for files in groups for batch in files.split_batches(without=done_keys)]
    results = map_calls(_make_batch, batches, alone=len(batches) <= _MAX_LOCAL_BATCHES)
    for done, (batch, result) in enumerate(zip(batches, results, strict=True), start=1):
        for artefact, data in zip(batch.artefacts, result, strict=True):
            if isinstance(data, str):
                message = f"the file cannot be made: {data}"
                yield artefact, Problem(Source(artefact.path), message, "bounds")
            else:
                if shared is not None:
                    shared.put_entry(f"{FILES_KIND}/{artefact.key}", data)
                yield artefact, data
        progress("making files", done, len(batches))


def _fetch_shared_files(
    groups: Sequence[OutputFiles[object]], shared: SharedBackend | None
) -> Iterator[tuple[Artefact[object], bytes]]:
    if shared is not None:
        wanted = {f"{FILES_KIND}/{a.key}": a for files in groups for a in files.artefacts}
        for name, data in shared.get(wanted):
            yield wanted[name], data


def _make_batch(files: OutputFiles[object]) -> list[bytes | str]:
    """Return the bytes of each file, or the reason why it cannot be made."""
    number = len(files.artefacts)
    seconds = (
        _BATCH_SECONDS + _SECONDS_PER_FILE * number
        if files.output.batch_size > 1
        else _LARGE_FILE_SECONDS * work_limits.get_large_factor()
    )
    try:
        with work_limits.work_limit(f"{files.artefacts[0].path} ({number})", seconds):
            return list(files.output.make([each.recipe for each in files.artefacts]))
    except LimitExceededError as error:
        if number == 1:
            return [str(error)]
    return [data for each in files.split_batches(1) for data in _make_batch(each)]


def digest_recipe(*values: object) -> str:
    """Return the digest of a recipe: of plain values, paths, and tuples, mappings and dataclasses
    of these. The version of cardgen's code is part of it.

    A path counts by its name, because files in the store are named by their content. A dataclass
    with a `digest` counts by it. A field that is not compared does not count. Raises `TypeError`
    for other values.
    """
    parts: list[str | bytes] = [code_version.digest_code(code_version.PACKAGE_ORDER[0])]
    _collect_parts(values, parts, {})
    return digest_parts(parts)


def _collect_parts(value: object, parts: list[str | bytes], known: dict[int, str]) -> None:
    """Add the parts of a value; `known` are the digests of dataclasses by their `id`."""
    if isinstance(value, bytes):
        parts.append(value)
    elif value is None or isinstance(value, str | int | float):
        parts.append(repr(value))
    elif isinstance(value, tuple | list):
        parts.append(f"{len(value)} items")
        for item in value:
            _collect_parts(item, parts, known)
    elif isinstance(value, PurePath):
        parts.append(value.name)
    elif isinstance(value, Mapping):
        _collect_parts(sorted(value.items(), key=lambda item: repr(item[0])), parts, known)
    elif is_dataclass(value) and not isinstance(value, type):
        if id(value) not in known:
            own: list[str | bytes] = [type(value).__name__]
            for name in _list_digested_fields(type(value)):
                _collect_parts(getattr(value, name), own, known)
            known[id(value)] = digest_parts(own)
        parts.append(known[id(value)])
    else:
        raise TypeError(f"{type(value).__name__} cannot be part of a recipe")


@cache
def _list_digested_fields(kind: type) -> tuple[str, ...]:
    if hasattr(kind, "digest"):
        return ("digest",)
    return tuple(each.name for each in fields(kind) if each.compare)
