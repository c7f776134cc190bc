"""Selection of cards: by name, and by an expression.

A deck of which some cards are selected is the same deck with those pieces alone. Whatever is made
of it counts and shows no others.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from cardgen.core import work_limits
from cardgen.core.problems import did_you_mean, summarise
from cardgen.core.work_limits import LimitExceededError
from cardgen.game.model import Deck, Game
from cardgen.outputs.contract import filename_suffix
from cardgen.runtime.content_store import digest_parts
from cardgen.templates.expressions import CardDatabase, EvaluationError
from cardgen.templates.sandbox import ExpressionLimitError

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
        """Deck and card of each piece, with its player and without."""
        return frozenset(
            (deck.id, name)
            for deck in self.decks
            for piece in deck.pieces
            for name in (piece.id, piece.card_id)
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
            found = {p.id for p in each.pieces if card in (p.id, p.card_id)}
            wanted.setdefault(each.id, set()).update(found)
        if not any(card in (p.id, p.card_id) for each in among for p in each.pieces):
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
