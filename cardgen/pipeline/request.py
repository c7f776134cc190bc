"""What a build is asked for, as plain values, and what follows from them for one game.

A deck of which some cards are selected is the same deck with those pieces alone. Whatever is made
of it counts and shows no others.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from cardgen.core import work_limits
from cardgen.core.problems import Problem, did_you_mean, summarise
from cardgen.core.work_limits import LimitExceededError
from cardgen.game import variants
from cardgen.game.model import Deck, Game
from cardgen.game.problem_scope import ProblemScope
from cardgen.outputs.contract import Options, filename_suffix
from cardgen.outputs.registry import DEFAULT_OUTPUTS, OUTPUTS, OutputEntry
from cardgen.runtime.content_store import STORE_FOLDER, Store, digest_parts
from cardgen.runtime.scale.shared_store import SharedStore
from cardgen.templates.expressions import CardDatabase, EvaluationError
from cardgen.templates.sandbox import ExpressionLimitError

if TYPE_CHECKING:
    from cardgen.book.model import BookSelection

CARD_OPTION, WHERE_OPTION = "--card", "--where"
_MAX_SUFFIX_CHARS = 24
_MAX_LISTED_DECKS = 6
_COMMON_FIELDS = frozenset({"id", "copies", "player"})
"""Fields of every card, whatever its deck declares."""


class NotInGameError(Exception):
    """What an option names is not in the game; the message says what is."""

    def __init__(self, option: str, message: str) -> None:
        super().__init__(message)
        self.option = option


@dataclass(frozen=True)
class CardFilter:
    """Cards by name, `barn` or `loot/barn`, and by an expression; with both, those that match both.

    Without either it is all cards.
    """

    names: tuple[str, ...] = ()
    where: str = ""

    def __bool__(self) -> bool:
        return bool(self.names or self.where)

    @property
    def filename_suffix(self) -> str:
        """End of the names of files that show some of a deck's cards, "" for all cards."""
        words = [name.rpartition("/")[2] for name in self.names]
        if self.where:
            said = re.sub(r"[^a-z0-9]+", "-", self.where.lower()).strip("-")[:_MAX_SUFFIX_CHARS]
            words.append(f"{said.strip('-')}-{digest_parts([self.where])[:4]}".strip("-"))
        return filename_suffix(dict.fromkeys(words))


ALL_CARDS = CardFilter()


@dataclass(frozen=True)
class BuildSelection:
    """The decks with their selected cards, and the languages."""

    decks: tuple[Deck, ...]
    languages: tuple[str, ...]

    @cached_property
    def piece_keys(self) -> frozenset[tuple[str, str]]:
        """Deck and id of each piece."""
        return frozenset((deck.id, piece.id) for deck in self.decks for piece in deck.pieces)

    @cached_property
    def card_keys(self) -> frozenset[tuple[str, str]]:
        """Deck and card of each piece, with its player and copy and without."""
        return frozenset(
            (deck.id, name) for deck in self.decks for piece in deck.pieces for name in piece.names
        )


def filter_decks(game: Game, decks: Sequence[Deck], cards: CardFilter) -> tuple[Deck, ...]:
    """Return the decks with the selected cards alone, without decks that have none.

    Raise `NotInGameError` where no card has a name, or the expression holds for none.
    """
    found = tuple(decks)
    if cards.names:
        found = tuple(_filter_by_name(game, found, cards.names))
    if cards.where:
        found = tuple(_filter_by_expression(game, found, cards.where))
        if not found:
            ids = summarise((deck.id for deck in decks), _MAX_LISTED_DECKS)
            raise NotInGameError(WHERE_OPTION, f"'{cards.where}' holds for no card of {ids}")
    return found


def _filter_by_name(game: Game, decks: Sequence[Deck], names: Iterable[str]) -> Iterator[Deck]:
    wanted: dict[str, set[str]] = {}
    for name in names:
        deck, slash, card = name.rpartition("/")
        among = [each for each in decks if each.id == deck] if slash else decks
        if not among:
            left_out = f"{name} is of a deck that --deck leaves out"
            unknown = f"no deck '{deck}'{did_you_mean(deck, [each.id for each in decks])}"
            raise NotInGameError(CARD_OPTION, left_out if game.get_deck(deck) else unknown)
        for each in among:
            found = {p.id for p in each.pieces if card in p.names}
            wanted.setdefault(each.id, set()).update(found)
        if not any(card in p.names for each in among for p in each.pieces):
            known = {p.id for each in among for p in each.pieces}
            of = f" in {deck}" if slash else ""
            raise NotInGameError(CARD_OPTION, f"no card '{card}'{of}{did_you_mean(card, known)}")
    for each in decks:
        pieces = tuple(p for p in each.pieces if p.id in wanted.get(each.id, ()))
        if pieces:
            yield replace(each, pieces=pieces)


def _filter_by_expression(game: Game, decks: Sequence[Deck], where: str) -> Iterator[Deck]:
    database = CardDatabase(game)
    try:
        with work_limits.work_limit(f"{WHERE_OPTION} {where}"):
            for deck in _find_decks_with_fields(database, decks, where):
                held = [p for p in deck.pieces if database.evaluate_on_card(where, deck.id, p)]
                if held:
                    yield replace(deck, pieces=tuple(held))
    except (EvaluationError, ExpressionLimitError, LimitExceededError) as error:
        raise NotInGameError(WHERE_OPTION, str(error)) from None


def _find_decks_with_fields(
    database: CardDatabase, decks: Sequence[Deck], where: str
) -> list[Deck]:
    """Return the decks whose cards have all fields of the expression.

    Where no deck has, raise the error about the deck that lacks least.
    """
    needed = database.list_card_names(where)
    lacking = {deck.id: needed - {*deck.fields, *_COMMON_FIELDS} for deck in decks}
    able = [deck for deck in decks if not lacking[deck.id]]
    held = [deck for deck in decks if deck.pieces]
    if not able and held:
        nearest = min(held, key=lambda deck: len(lacking[deck.id]))
        for name in sorted(lacking[nearest.id]):
            database.evaluate_on_card(
                name, nearest.id, nearest.pieces[0]
            )  # raises, with a near name
    return able


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
        from cardgen.book.model import BookSelection, select_book_names

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
