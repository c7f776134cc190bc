"""What a build is asked for, as plain values, and what follows from them for one game."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from cardgen.core.problems import Problem, did_you_mean
from cardgen.game import variants
from cardgen.game.model import Game
from cardgen.game.problem_scope import ProblemScope
from cardgen.outputs.contract import Options
from cardgen.outputs.registry import DEFAULT_OUTPUTS, OUTPUTS, OutputEntry
from cardgen.pipeline.selection import (
    ALL_CARDS,
    BuildSelection,
    CardFilter,
    NotInGameError,
    filter_decks,
)
from cardgen.runtime.content_store import STORE_FOLDER, Store
from cardgen.runtime.scale.shared_store import SharedStore

if TYPE_CHECKING:
    from cardgen.book.editions import BookSelection

LoadedGame = tuple[Game | None, tuple[Problem, ...]]
"""A game that was read, and the problems of its files."""


@dataclass(frozen=True)
class Request:
    """A build as it is asked for. Empty decks, cards or languages mean all of the game's."""

    root: Path
    outputs: tuple[str, ...] = DEFAULT_OUTPUTS
    languages: tuple[str, ...] = ()
    decks: tuple[str, ...] = ()
    options: Options | None = None
    fresh: bool = False
    """Forget what earlier builds made."""
    output_folder: Path | None = None
    """Where files are published; `build/` of the game without."""
    loaded_game: LoadedGame | None = None
    """The whole game, where the caller has read it already."""
    card_filter: CardFilter = ALL_CARDS
    variant: str = ""
    """The variant to build; "" for the game as a whole."""
    is_cleared: bool = False
    """True where an earlier request of the same command has forgotten earlier builds."""
    shared_store: SharedStore | None = None
    is_draft: bool = False
    """Make drafts in the place of faces with errors, in a folder of their own."""

    @property
    def store(self) -> Store:
        return Store(self.root / STORE_FOLDER, shared=self.shared_store)

    def open_store(self, game: Game) -> Store:
        """Return the same store, with room for the game's variants."""
        return Store(self.root / STORE_FOLDER, 1 + len(game.variants), self.shared_store)

    def select_variant(self, game: Game) -> Game:
        """Return the variant asked for, out of the whole game. Raise `NotInGameError`."""
        if self.variant and self.variant not in game.variants:
            hint = did_you_mean(self.variant, game.variants)
            raise NotInGameError("--variant", f"no variant '{self.variant}'{hint}")
        return variants.apply_variant(game, self.variant)

    def resolve_selection(self, game: Game) -> BuildSelection:
        """Return the decks with the cards asked for, and the languages. Raise `NotInGameError`."""
        decks = [deck for deck in game.decks if not self.decks or deck.id in self.decks]
        languages = tuple(c for c in game.languages if not self.languages or c in self.languages)
        return BuildSelection(filter_decks(game, decks, self.card_filter), languages)

    @property
    def is_complete(self) -> bool:
        """True where all decks, cards, sheets and editions are asked for.

        Then files of earlier builds that this one does not make are left over.
        """
        options = self.options
        part = options and (options.editions or options.book_sizes or options.sheets)
        return not (self.decks or self.card_filter or part)

    @property
    def includes_books(self) -> bool:
        """True where an output shows what the game's books show."""
        part = self.decks or self.card_filter
        return any(
            each.shows_books and not (each.shows_decks and part) for each in self._list_outputs()
        )

    def create_scope(self, selection: BuildSelection) -> ProblemScope:
        """Return what is built, by which problems elsewhere are told from those that matter.

        It is all of a game without its books only where nothing but that is asked for.
        """
        tables = self.outputs == DEFAULT_OUTPUTS or any(
            output.uses_table for output in self._list_outputs()
        )
        books = self.includes_books
        cards = selection.card_keys if self.card_filter and not books else frozenset()
        decks = {deck.id for deck in selection.decks} if self.variant or cards else self.decks
        languages = selection.languages if self.variant else self.languages
        return ProblemScope(
            () if books and not self.variant else decks, languages, books, tables, cards
        )

    def select_books(self, game: Game, selection: BuildSelection) -> BookSelection | None:
        """Return which of the game's books to write, None for none.

        A build of books alone writes those alone. Others write all, so that all are checked.
        """
        from cardgen.book.editions import BookSelection, select_book_names

        outputs = self._list_outputs()
        if outputs and not self.includes_books:
            # No file is made of a deck without copies. That is no mistake where a book shows it.
            needed = any(not deck.count for deck in selection.decks)
            return BookSelection(game.languages) if needed else None
        options = self.options
        if options is None or not outputs or any(output.shows_decks for output in outputs):
            return BookSelection(game.languages)
        names = select_book_names(game, options.editions, options.book_sizes)
        return BookSelection(selection.languages, names)

    def _list_outputs(self) -> list[OutputEntry]:
        return [OUTPUTS[name] for name in self.outputs]
