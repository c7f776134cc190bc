"""What is asked of cardgen, and what came of it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path, PurePosixPath

from cardgen.asking import ALL, Asked, Cards, NotThere, narrowed
from cardgen.base.problems import Problem, Subject, did_you_mean, has_errors, ordered
from cardgen.base.shared_store import Shared
from cardgen.base.store import Behind, Store
from cardgen.book.editions import Selection
from cardgen.build_folder import BUILD, STORE, Desk
from cardgen.game import variants
from cardgen.game.model import Game
from cardgen.game.scope import Scope
from cardgen.game.variants import DRAFT
from cardgen.outputs.contract import Artefact, Options
from cardgen.outputs.registry import OUTPUTS, STANDARD
from cardgen.outputs.shards import Share
from cardgen.parts import Part, Parts
from cardgen.publishing import Entry

Loaded = tuple[Game | None, tuple[Problem, ...]]
"""A game that was read, and what is wrong with it."""


@dataclass(frozen=True)
class Request:
    """What is asked of a build. Empty decks, cards or languages mean all of the game's."""

    root: Path
    outputs: tuple[str, ...] = STANDARD
    languages: tuple[str, ...] = ()
    decks: tuple[str, ...] = ()
    options: Options | None = None
    fresh: bool = False
    folder: Path | None = None
    loaded: Loaded | None = None
    """The whole game, when whoever asks has read it already; it is not read twice."""
    cards: Cards = ALL
    variant: str = ""
    """The variant that is built; "" for the game as a whole."""
    cleared: bool = False
    """Whether what was made before is forgotten already, in a build of several variants."""
    shared: Shared | None = None
    """The store that other machines share, where the user has named one."""
    share: Share | None = None
    """What is made of it all, where others make the rest."""
    parts: tuple[Part, ...] = ()
    """What others have made, to be merged."""
    used: set[Path] | None = field(default=None, compare=False)
    """Told which entries of the store the build uses that others could, where somebody asks."""
    draft: bool = False
    """Whether drafts are made of what is wrong, in a folder of their own."""

    @property
    def store(self) -> Store:
        return Store(self.root / BUILD / STORE, shared=self._behind, used=self.used)

    def store_of(self, game: Game) -> Store:
        """The same, with room for the game's variants."""
        return Store(self.root / BUILD / STORE, 1 + len(game.variants), self._behind, self.used)

    @cached_property
    def _behind(self) -> Behind | None:
        return Parts(self.parts, self.shared) if self.parts else self.shared

    @property
    def desk(self) -> Desk:
        """Where the work is done."""
        draft = DRAFT if self.draft else ""
        out = self.folder / draft if self.folder else None
        within = PurePosixPath(draft, self.variant)
        fresh = self.fresh and not self.cleared
        place = str(within) if within.parts else ""
        return Desk(self.root, out, fresh, place, self.shared, foreign=bool(self.parts))

    def of_variant(self, game: Game) -> Game:
        """The variant asked for, out of the whole game. Raises `NotThere`."""
        if self.variant and self.variant not in game.variants:
            hint = did_you_mean(self.variant, game.variants)
            raise NotThere("--variant", f"no variant '{self.variant}'{hint}")
        return variants.applied(game, self.variant)

    @property
    def whole(self) -> bool:
        """Whether it is of all decks, cards, sheets and editions, so that what it does not make is
        left over."""
        options = self.options
        part = options and (options.editions or options.book_sizes or options.sheets)
        return not (self.decks or self.cards or part or self.share)

    def scope(self, asked: Asked) -> Scope:
        """What is built; all of a game without books only when just that is asked for."""
        outputs = [OUTPUTS[name] for name in self.outputs]
        tables = self.outputs == STANDARD or any(output.of_table for output in outputs)
        of_decks = not self.of_books
        cards = asked.cards if self.cards and of_decks else frozenset()
        decks = {deck.id for deck in asked.decks} if self.variant or cards else self.decks
        languages = asked.languages if self.variant else self.languages
        kept = decks if of_decks or self.variant else ()
        return Scope(kept, languages, not of_decks, tables, cards)

    def books(self, game: Game, asked: Asked) -> Selection | None:
        """Which of the game's books have to be written; None when nothing asked for needs any.

        A build of books alone writes those alone; with others, all are, so that all is told.
        """
        outputs = [OUTPUTS[name] for name in self.outputs]
        if outputs and not self.of_books:
            # That no sheet is made of a deck is nothing to tell when a book shows it.
            return None if all(deck.count for deck in asked.decks) else Selection(game.languages)
        options = self.options
        if options is None or not outputs or any(output.of_decks for output in outputs):
            return Selection(game.languages)
        return Selection(asked.languages, options.editions, options.book_sizes)

    @property
    def of_books(self) -> bool:
        """Whether anything that is asked for shows what the game's books show."""
        part = self.decks or self.cards
        outputs = [OUTPUTS[name] for name in self.outputs]
        return any(each.of_books and not (each.of_decks and part) for each in outputs)

    def asked(self, game: Game) -> Asked:
        """The decks with their cards, and the languages, that are asked for. Raises `NotThere`
        when the game has no such card."""
        decks = [deck for deck in game.decks if not self.decks or deck.id in self.decks]
        languages = tuple(c for c in game.languages if not self.languages or c in self.languages)
        return Asked(narrowed(game, decks, self.cards), languages)


@dataclass(frozen=True)
class Draft:
    """A face that is a draft: whose it is, and whether a card that says why stands for it."""

    whose: Subject
    instead: bool


@dataclass
class Report:
    """What a build did. `made` and `kept` are files below `folder`."""

    folder: Path
    problems: list[Problem] = field(default_factory=list)
    game: Game | None = None
    faces: int = 0
    typeset: int = 0
    made: list[Artefact[object]] = field(default_factory=list)
    kept: list[Artefact[object]] = field(default_factory=list)
    removed: list[str] = field(default_factory=list)
    wanted: list[Artefact[object]] = field(default_factory=list)
    """All of them, in the order in which they were planned."""
    entries: dict[str, Entry] = field(default_factory=dict)
    """What each was made from and what it holds."""
    standing: dict[str, str] = field(default_factory=dict)
    """How their folders stood when the build was done and still alone there."""
    seconds: float = 0.0
    drafts: list[Draft] | None = None
    """The faces that are drafts; None of a build that makes none."""
    forgiven: list[Problem] = field(default_factory=list)
    """What is wrong and stops nothing, since drafts stand for it."""

    @property
    def paths(self) -> list[str]:
        """Every file that is there, made or kept."""
        return sorted(artefact.path for artefact in (*self.made, *self.kept))

    @property
    def failed(self) -> bool:
        """Whether anything is wrong that stopped the build."""
        forgiven = set(self.forgiven)
        return has_errors(problem for problem in self.problems if problem not in forgiven)

    @property
    def once_more(self) -> Report:
        """What a build would report that comes after this one and has nothing to do."""
        return replace(self, typeset=0, made=[], kept=list(self.wanted), removed=[])

    def tell(self, problems: Iterable[Problem]) -> None:
        """What is wrong, beside what was told before."""
        self.problems = ordered([*self.problems, *problems])
