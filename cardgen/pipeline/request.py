"""What is asked of cardgen, and what came of it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path, PurePosixPath

from cardgen.book.editions import BookSelection
from cardgen.core.problems import Problem, Subject, did_you_mean, has_errors, sort_problems
from cardgen.game import variants
from cardgen.game.model import Game
from cardgen.game.problem_scope import ProblemScope
from cardgen.game.variants import DRAFT_FOLDER
from cardgen.outputs.contract import Artefact, Options
from cardgen.outputs.registry import DEFAULT_OUTPUTS, OUTPUTS
from cardgen.outputs.shards import Share
from cardgen.pipeline.parts import BuildPart, PartsStore
from cardgen.pipeline.publish import ManifestEntry
from cardgen.pipeline.selection import (
    ALL_CARDS,
    BuildSelection,
    CardFilter,
    NotInGameError,
    filter_decks,
)
from cardgen.pipeline.workspace import BUILD_FOLDER, STORE_FOLDER, Workspace
from cardgen.runtime.content_store import SharedBackend, Store
from cardgen.runtime.scale.shared_store import SharedStore

LoadedGame = tuple[Game | None, tuple[Problem, ...]]
"""A game that was read, and what is wrong with it."""


@dataclass(frozen=True)
class Request:
    """What is asked of a build. Empty decks, cards or languages mean all of the game's."""

    root: Path
    outputs: tuple[str, ...] = DEFAULT_OUTPUTS
    languages: tuple[str, ...] = ()
    decks: tuple[str, ...] = ()
    options: Options | None = None
    fresh: bool = False
    output_folder: Path | None = None
    loaded_game: LoadedGame | None = None
    """The whole game, when whoever asks has read it already; it is not read twice."""
    card_filter: CardFilter = ALL_CARDS
    variant: str = ""
    """The variant that is built; "" for the game as a whole."""
    is_cleared: bool = False
    """Whether what was made before is forgotten already, in a build of several variants."""
    shared_store: SharedStore | None = None
    """The store that other machines share, where the user has named one."""
    share: Share | None = None
    """What is made of it all, where others make the rest."""
    parts: tuple[BuildPart, ...] = ()
    """What others have made, to be merged."""
    used: set[Path] | None = field(default=None, compare=False)
    """Told which entries of the store the build uses that others could, where somebody asks."""
    is_draft: bool = False
    """Whether drafts are made of what is wrong, in a folder of their own."""

    @property
    def store(self) -> Store:
        return Store(self.root / BUILD_FOLDER / STORE_FOLDER, shared=self._behind, used=self.used)

    def open_store(self, game: Game) -> Store:
        """The same, with room for the game's variants."""
        return Store(
            self.root / BUILD_FOLDER / STORE_FOLDER, 1 + len(game.variants), self._behind, self.used
        )

    @cached_property
    def _behind(self) -> SharedBackend | None:
        return PartsStore(self.parts, self.shared_store) if self.parts else self.shared_store  # type: ignore[return-value]

    @property
    def workspace(self) -> Workspace:
        """Where the work is done."""
        draft = DRAFT_FOLDER if self.is_draft else ""
        out = self.output_folder / draft if self.output_folder else None
        within = PurePosixPath(draft, self.variant)
        fresh = self.fresh and not self.is_cleared
        place = str(within) if within.parts else ""
        return Workspace(self.root, out, fresh, place, self.shared_store, foreign=bool(self.parts))

    def select_variant(self, game: Game) -> Game:
        """The variant asked for, out of the whole game. Raises `NotThere`."""
        if self.variant and self.variant not in game.variants:
            hint = did_you_mean(self.variant, game.variants)
            raise NotInGameError("--variant", f"no variant '{self.variant}'{hint}")
        return variants.apply_variant(game, self.variant)

    @property
    def is_complete(self) -> bool:
        """Whether it is of all decks, cards, sheets and editions, so that what it does not make is
        left over."""
        options = self.options
        part = options and (options.editions or options.book_sizes or options.sheets)
        return not (self.decks or self.card_filter or part or self.share)

    def create_scope(self, asked: BuildSelection) -> ProblemScope:
        """What is built; all of a game without books only when just that is asked for."""
        outputs = [OUTPUTS[name] for name in self.outputs]
        tables = self.outputs == DEFAULT_OUTPUTS or any(output.uses_table for output in outputs)
        of_decks = not self.includes_books
        cards = asked.card_keys if self.card_filter and of_decks else frozenset()
        decks = {deck.id for deck in asked.decks} if self.variant or cards else self.decks
        languages = asked.languages if self.variant else self.languages
        kept = decks if of_decks or self.variant else ()
        return ProblemScope(kept, languages, not of_decks, tables, cards)

    def select_books(self, game: Game, asked: BuildSelection) -> BookSelection | None:
        """Which of the game's books have to be written; None when nothing asked for needs any.

        A build of books alone writes those alone; with others, all are, so that all is told.
        """
        outputs = [OUTPUTS[name] for name in self.outputs]
        if outputs and not self.includes_books:
            # That no sheet is made of a deck is nothing to tell when a book shows it.
            return (
                None if all(deck.count for deck in asked.decks) else BookSelection(game.languages)
            )
        options = self.options
        if options is None or not outputs or any(output.shows_decks for output in outputs):
            return BookSelection(game.languages)
        return BookSelection(asked.languages, options.editions, options.book_sizes)

    @property
    def includes_books(self) -> bool:
        """Whether anything that is asked for shows what the game's books show."""
        part = self.decks or self.card_filter
        outputs = [OUTPUTS[name] for name in self.outputs]
        return any(each.shows_books and not (each.shows_decks and part) for each in outputs)

    def resolve_selection(self, game: Game) -> BuildSelection:
        """The decks with their cards, and the languages, that are asked for. Raises `NotThere`
        when the game has no such card."""
        decks = [deck for deck in game.decks if not self.decks or deck.id in self.decks]
        languages = tuple(c for c in game.languages if not self.languages or c in self.languages)
        return BuildSelection(filter_decks(game, decks, self.card_filter), languages)


@dataclass(frozen=True)
class DraftFace:
    """A face that is a draft: whose it is, and whether a card that says why stands for it."""

    subject: Subject
    is_placeholder: bool


@dataclass
class BuildReport:
    """What a build did. `made` and `kept` are files below `folder`."""

    folder: Path
    problems: list[Problem] = field(default_factory=list)
    game: Game | None = None
    face_count: int = 0
    typeset_count: int = 0
    new_files: list[Artefact[object]] = field(default_factory=list)
    unchanged_files: list[Artefact[object]] = field(default_factory=list)
    removed_paths: list[str] = field(default_factory=list)
    planned_files: list[Artefact[object]] = field(default_factory=list)
    """All of them, in the order in which they were planned."""
    manifest_entries: dict[str, ManifestEntry] = field(default_factory=dict)
    """What each was made from and what it holds."""
    folder_stamps: dict[str, str] = field(default_factory=dict)
    """How their folders stood when the build was done and still alone there."""
    seconds: float = 0.0
    draft_faces: list[DraftFace] | None = None
    """The faces that are drafts; None of a build that makes none."""
    tolerated_problems: list[Problem] = field(default_factory=list)
    """What is wrong and stops nothing, since drafts stand for it."""

    @property
    def file_paths(self) -> list[str]:
        """Every file that is there, made or kept."""
        return sorted(artefact.path for artefact in (*self.new_files, *self.unchanged_files))

    @property
    def has_failed(self) -> bool:
        """Whether anything is wrong that stopped the build."""
        forgiven = set(self.tolerated_problems)
        return has_errors(problem for problem in self.problems if problem not in forgiven)

    @property
    def as_unchanged(self) -> BuildReport:
        """What a build would report that comes after this one and has nothing to do."""
        return replace(
            self,
            typeset_count=0,
            new_files=[],
            unchanged_files=list(self.planned_files),
            removed_paths=[],
        )

    def add_problems(self, problems: Iterable[Problem]) -> None:
        """What is wrong, beside what was told before."""
        self.problems = sort_problems([*self.problems, *problems])
