"""Expressions over the card database: what rules test and what the rulebook prints.

The language is Jinja's expression syntax. A card's fields stand by name (`cash > 2`), and the
functions below are offered everywhere. docs/rules.md lists them with examples.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from jinja2 import Undefined, meta
from jinja2.exceptions import TemplateError, TemplateSyntaxError, UndefinedError

from cardgen.model import Deck, Field, Game, Piece, Reference, Text
from cardgen.problems import did_you_mean
from cardgen.sandbox import (
    Missing,
    Sandbox,
    bounded_round,
    explain_undefined,
    in_language,
    plain_words,
)


class Absent:
    """A record that a card leaves out: its fields are left out too, and count as none and 0."""

    def __getattr__(self, name: str) -> Absent:
        if name.startswith("_"):
            raise AttributeError(name)
        return self

    def __bool__(self) -> bool:
        return False

    def __eq__(self, other: object) -> bool:
        return other is None or isinstance(other, Absent)

    def __hash__(self) -> int:
        return hash(None)

    def __lt__(self, other: Any) -> bool:
        return bool(other > 0)

    def __le__(self, other: Any) -> bool:
        return bool(other >= 0)

    def __gt__(self, other: Any) -> bool:
        return bool(other < 0)

    def __ge__(self, other: Any) -> bool:
        return bool(other <= 0)


class CannotEvaluate(Exception):  # noqa: N818 - it reads as what it says
    """An expression that is not one, or that fails on some card; the message tells the writer."""


def number_total(*values: Any) -> float:
    """The sum of every number in the values, however deep: `total(greenhorn)`."""
    result: float = 0
    for value in values:
        if isinstance(value, bool | Undefined | Absent) or value is None:
            continue
        if isinstance(value, int | float):
            result += value
        elif isinstance(value, Text):
            continue
        elif isinstance(value, Mapping):
            result += number_total(*value.values())
        elif isinstance(value, list | tuple):
            result += number_total(*value)
    return result


class Database:
    """A game's cards as expressions see them, in its source language unless another is named.

    `made` turns a text into what stands for it.
    """

    def __init__(self, game: Game, language: str = "", made: Callable[[str], str] = str) -> None:
        self.game = game
        self._language, self._made = language or game.languages[0], made
        self._environment = Sandbox()
        self._compiled: dict[str, Callable[..., Any]] = {}
        self._cards: dict[str, list[dict[str, Any]]] = {}
        self._names: dict[str, Any] = {
            "players": len(game.players),
            **in_language(game.constants, self._language, made),
        }
        self._functions: dict[str, Callable[..., Any]] = {
            "cards": self.cards,
            "count": self.count,
            "sum_of": self.sum_of,
            "total": number_total,
            "min": min,
            "max": max,
            "abs": abs,
            "round": bounded_round,
        }
        self.offered: Mapping[str, Any] = {**self._names, **self._functions}
        """What expressions may name beside a card's fields."""
        self.counted: list[str] = []
        """What `count` and `sum_of` answered since it was last emptied, in words."""

    def cards(self, deck: str, where: str = "") -> list[dict[str, Any]]:
        """The cards of a deck, each as often as it has copies, as mappings of their fields."""
        return [
            row
            for row, piece in zip(self._rows(deck), self.deck(deck).pieces, strict=True)
            if not where or self.on_card(where, deck, piece)
            for _ in range(piece.copies)
        ]

    def card(self, deck: str, card: str) -> dict[str, Any]:
        """One card of a deck as a mapping of its fields."""
        for row in self._rows(deck):
            if row["id"] == card:
                return row
        hint = did_you_mean(card, [row["id"] for row in self._rows(deck)])
        raise CannotEvaluate(f"there is no card '{card}' in {deck}{hint}")

    def count(self, deck: str, where: str = "") -> int:
        """How many cards of a deck an expression holds for, copies counted."""
        found = len(self.cards(deck, where))
        self.counted.append(f"{_call('count', deck, where)} is {found}")
        return found

    def sum_of(self, deck: str, what: str, where: str = "") -> float:
        """The sum of an expression over the cards of a deck, copies counted."""
        found = number_total([self.evaluate(what, row) for row in self.cards(deck, where)])
        self.counted.append(f"{_call('sum_of', deck, what, where)} is {found:g}")
        return found

    def facts(self, expression: str) -> list[str]:
        """What the constants in an expression are, and what was counted to evaluate it."""
        tree = self._environment.parse(f"{{{{ {expression} }}}}")
        constants = sorted(meta.find_undeclared_variables(tree) & set(self._names))
        said = [f"{name} is {self._names[name]}" for name in constants]
        return list(dict.fromkeys([*said, *self.counted]))

    def on_card(self, expression: str, deck: str, piece: Piece) -> Any:
        """An expression with a card's fields by name."""
        return self.evaluate(expression, self._rows(deck)[piece.number - 1])

    def evaluate(self, expression: str, names: Mapping[str, Any] | None = None) -> Any:
        """An expression's value. Raises `CannotEvaluate` with words for its writer."""
        known = {**self.offered, **(names or {})}
        try:
            value = self._compile(expression)(**known)
            if isinstance(value, Missing):
                str(value)  # raises, with the missing name
        except UndefinedError as error:
            raise CannotEvaluate(explain_undefined(error, known)) from None
        except TemplateSyntaxError as error:
            raise CannotEvaluate(f"'{expression}' is no expression: {_syntax(error)}") from None
        except CannotEvaluate:
            raise
        except (TemplateError, TypeError, ValueError, ArithmeticError, LookupError) as error:
            on = f" on {names['id']}" if names and "id" in names else ""
            raise CannotEvaluate(f"'{expression}' fails{on}: {_explain(error)}") from None
        return value

    def _compile(self, expression: str) -> Callable[..., Any]:
        if expression not in self._compiled:
            self._compiled[expression] = self._environment.compile_expression(
                expression, undefined_to_none=False
            )
        return self._compiled[expression]

    def deck(self, name: str) -> Deck:
        """A deck by its id."""
        deck = self.game.deck(name)
        if deck is None:
            hint = did_you_mean(name, [deck.id for deck in self.game.decks])
            raise CannotEvaluate(f"there is no deck '{name}'{hint}")
        return deck

    def _rows(self, name: str) -> list[dict[str, Any]]:
        if name not in self._cards:
            deck = self.deck(name)
            self._cards[name] = [self._row(piece) for piece in deck.pieces]
        return self._cards[name]

    def _row(self, piece: Piece) -> dict[str, Any]:
        values = in_language(piece.values, self._language, self._made)
        values = _with_absent(values, self.deck(piece.deck).fields)
        player = piece.player.id if piece.player else None
        return {**values, "id": piece.id, "copies": piece.copies, "player": player}


def _with_absent(values: Mapping[str, Any], fields: Mapping[str, Field]) -> dict[str, Any]:
    """References as ids, and a record left out as nothing whose fields are nothing too."""
    row: dict[str, Any] = {}
    for key, value in values.items():
        declared = fields.get(key)
        if isinstance(value, Reference):
            row[key] = value.piece
        elif declared is not None and declared.kind == "record":
            row[key] = Absent() if value is None else _with_absent(value, declared.fields)
        else:
            row[key] = value
    return row


def _call(function: str, *arguments: str) -> str:
    return f"{function}({', '.join(repr(argument) for argument in arguments if argument)})"


def _syntax(error: TemplateSyntaxError) -> str:
    message = str(error.message).removesuffix(".")
    if message == "chunk after expression":
        return "it goes on where it should end; 'equals' is written =="
    return message.replace("end of template", "end")


def _explain(error: Exception) -> str:
    message = plain_words(str(error))
    if isinstance(error, TypeError) and "nothing" in message:
        return "a field in it is left out there; where that counts as 0, write (field or 0)"
    return message
