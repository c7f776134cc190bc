"""Which cards of a game are asked for: those of a name, and those that an expression holds for.

A deck of which some cards are asked for is the same deck with those pieces alone. Whatever is made
of it counts and shows no others.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from cardgen.base import guard
from cardgen.base.guard import Stopped
from cardgen.base.problems import did_you_mean
from cardgen.base.store import digest_of
from cardgen.game.model import Deck, Game
from cardgen.outputs.contract import ending
from cardgen.templates.expressions import CannotEvaluate, Database
from cardgen.templates.sandbox import TooCostly

CARD, WHERE = "--card", "--where"
_SHORT = 24
_LISTED = 6
_OF_ALL = frozenset({"id", "copies", "player"})
"""What expressions know of every card, whatever its deck declares."""


class NotThere(Exception):  # noqa: N818 - it reads as what it says
    """What is asked for, by an option, is not in the game; the text says what is."""

    def __init__(self, option: str, message: str) -> None:
        super().__init__(message)
        self.option = option


@dataclass(frozen=True)
class Cards:
    """Cards by their names, `barn` or `loot/barn`, and by an expression that holds for them; with
    both, those that are named and for which it holds. Without either it is all cards."""

    names: tuple[str, ...] = ()
    where: str = ""

    def __bool__(self) -> bool:
        return bool(self.names or self.where)

    @property
    def ending(self) -> str:
        """What the names of files end with that show some of a deck's cards; "" for all cards."""
        words = [name.rpartition("/")[2] for name in self.names]
        if self.where:
            said = re.sub(r"[^a-z0-9]+", "-", self.where.lower()).strip("-")[:_SHORT]
            words.append(f"{said.strip('-')}-{digest_of([self.where])[:4]}".strip("-"))
        return ending(dict.fromkeys(words))


ALL = Cards()


@dataclass(frozen=True)
class Asked:
    """The decks with their cards, and the languages, that are asked for."""

    decks: tuple[Deck, ...]
    languages: tuple[str, ...]

    @cached_property
    def pieces(self) -> frozenset[tuple[str, str]]:
        """Deck and id of each piece."""
        return frozenset((deck.id, piece.id) for deck in self.decks for piece in deck.pieces)

    @cached_property
    def cards(self) -> frozenset[tuple[str, str]]:
        """Deck and card of each piece, with its player and without."""
        return frozenset(
            (deck.id, name)
            for deck in self.decks
            for piece in deck.pieces
            for name in (piece.id, piece.entry)
        )


NOTHING = Asked((), ())


def narrowed(game: Game, decks: Sequence[Deck], cards: Cards) -> tuple[Deck, ...]:
    """The decks with the cards asked for alone, without those that have none of them. Raises
    `NotThere` when nothing of that name is among them, or the expression holds for none."""
    found = tuple(decks)
    if cards.names:
        found = tuple(_named(game, found, cards.names))
    if cards.where:
        found = tuple(_holding(game, found, cards.where))
        if not found:
            ids = _listed(deck.id for deck in decks)
            raise NotThere(WHERE, f"'{cards.where}' holds for no card of {ids}")
    return found


def _named(game: Game, decks: Sequence[Deck], names: Iterable[str]) -> Iterator[Deck]:
    wanted: dict[str, set[str]] = {}
    for name in names:
        deck, slash, card = name.rpartition("/")
        among = [each for each in decks if each.id == deck] if slash else decks
        if not among:
            left_out = f"{name} is of a deck that --deck leaves out"
            unknown = f"no deck '{deck}'{did_you_mean(deck, [each.id for each in decks])}"
            raise NotThere(CARD, left_out if game.deck(deck) else unknown)
        for each in among:
            found = {p.id for p in each.pieces if card in (p.id, p.entry)}
            wanted.setdefault(each.id, set()).update(found)
        if not any(card in (p.id, p.entry) for each in among for p in each.pieces):
            known = {p.id for each in among for p in each.pieces}
            of = f" in {deck}" if slash else ""
            raise NotThere(CARD, f"no card '{card}'{of}{did_you_mean(card, known)}")
    for each in decks:
        pieces = tuple(p for p in each.pieces if p.id in wanted.get(each.id, ()))
        if pieces:
            yield replace(each, pieces=pieces)


def _holding(game: Game, decks: Sequence[Deck], where: str) -> Iterator[Deck]:
    database = Database(game)
    try:
        with guard.at(f"{WHERE} {where}"):
            for deck in _able(database, decks, where):
                held = [p for p in deck.pieces if database.on_card(where, deck.id, p)]
                if held:
                    yield replace(deck, pieces=tuple(held))
    except (CannotEvaluate, TooCostly, Stopped) as error:
        raise NotThere(WHERE, str(error)) from None


def _able(database: Database, decks: Sequence[Deck], where: str) -> list[Deck]:
    """The decks whose cards have all that the expression names; without any, it is told what the
    one lacks that has most of it."""
    needed = database.names_of_cards(where)
    lacking = {deck.id: needed - {*deck.fields, *_OF_ALL} for deck in decks}
    able = [deck for deck in decks if not lacking[deck.id]]
    held = [deck for deck in decks if deck.pieces]
    if not able and held:
        nearest = min(held, key=lambda deck: len(lacking[deck.id]))
        for name in sorted(lacking[nearest.id]):
            database.on_card(name, nearest.id, nearest.pieces[0])  # raises, with a near name
    return able


def _listed(names: Iterable[str]) -> str:
    found = list(names)
    rest = f" and {len(found) - _LISTED} more" if len(found) > _LISTED else ""
    return ", ".join(found[:_LISTED]) + rest
