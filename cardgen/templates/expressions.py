"""Expressions over the card database: what rules test and what the rulebook prints.

The language is Jinja's expression syntax. A card's fields stand by name (`cash > 2`), and the
functions below are offered everywhere. docs/rules.md lists them with examples.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any

from jinja2 import Undefined, meta, nodes
from jinja2.exceptions import TemplateError, TemplateSyntaxError, UndefinedError

from cardgen.core.problems import did_you_mean
from cardgen.game.card_text import map_language
from cardgen.game.model import CardReference, Deck, Field, Game, Piece, Text
from cardgen.looks import look_colours
from cardgen.templates.expression_messages import (
    AbsentRecord,
    explain_left_out,
    explain_python_message,
    explain_syntax,
    format_value,
)
from cardgen.templates.sandbox import MissingName, Sandbox, bounded_round, explain_undefined

_SANDBOX = Sandbox()
"""It holds nothing of a game: all that an expression may name is given to it."""
_HEX_COLOUR = re.compile(r"#[0-9a-fA-F]{6}\Z")
_MAX_NUMBER = 1e21
"""A number of a rule is below it; it has more digits than a number of a deck file."""


_TEMPLATE_NAMES = {
    "card": "here a card's fields stand by their names alone",
    "constants": "here constants stand by their names alone",
    "game": "here constants stand by their names alone",
    "deck": 'a deck\'s cards are counted with count("…")',
    "words": "words are for templates; here a card's fields stand by their names",
}
"""Names that templates know and expressions do not, and what is written instead."""
_MAX_QUOTED = 300
"""So much of an expression is quoted where it fails."""


class EvaluationError(Exception):
    """An expression that is not one, or that fails on some card; the message tells the writer."""


def sum_numbers(*values: Any) -> float:
    """The sum of every number in the values, however deep: `total(greenhorn)`."""
    result: float = 0
    for value in values:
        if isinstance(value, bool | Undefined | AbsentRecord) or value is None:
            continue
        if isinstance(value, int | float):
            result += value
        elif isinstance(value, Text):
            continue
        elif isinstance(value, Mapping):
            result += sum_numbers(*value.values())
        elif isinstance(value, list | tuple):
            result += sum_numbers(*value)
    return result


@lru_cache(maxsize=1000)
def _compile_expression(expression: str) -> Callable[..., Any]:
    """An expression as a function of the names in it. Raises what Jinja raises of its syntax."""
    compiled: Callable[..., Any] = _SANDBOX.compile_expression(expression, undefined_to_none=False)
    return compiled


@lru_cache(maxsize=1000)
def parse_expression(expression: str) -> nodes.Node | None:
    """An expression as a tree, to be looked at and not changed; None of what is none."""
    try:
        (printed,) = _SANDBOX.parse(f"{{{{ {expression} }}}}").body
    except (TemplateSyntaxError, ValueError, RecursionError):
        return None
    return next(printed.iter_child_nodes(), None)


class CardDatabase:
    """A game's cards as expressions see them, in its source language unless another is named.

    `made` turns a text into what stands for it, and `referred` a reference; else it is its id.
    """

    def __init__(
        self,
        game: Game,
        language: str = "",
        made: Callable[[Text], str] | None = None,
        referred: Callable[[CardReference], str] = str,
    ) -> None:
        self.game = game
        self._language, self._made = language or game.languages[0], made
        self._referred = referred
        self._cards: dict[str, list[dict[str, Any]]] = {}
        self._names: dict[str, Any] = {
            "players": len(game.players),
            **map_language(game.constants, self._language, made),
        }
        self._functions: dict[str, Callable[..., Any]] = {
            "cards": self.cards,
            "count": self.count,
            "sum_of": self.sum_of,
            "total": sum_numbers,
            "min": min,
            "max": max,
            "abs": abs,
            "round": bounded_round,
            "contrast": self.contrast,
        }
        self.names: Mapping[str, Any] = {**self._names, **self._functions}
        """What expressions may name beside a card's fields."""
        self.count_log: list[str] = []
        """What `count` and `sum_of` answered since it was last emptied, in words."""

    def cards(self, deck: str, where: str = "") -> list[dict[str, Any]]:
        """The cards of a deck, each as often as it has copies, as mappings of their fields."""
        return [
            row
            for row, piece in zip(self._get_rows(deck), self.get_deck(deck).pieces, strict=True)
            if not where or self.evaluate_on_card(where, deck, piece)
            for _ in range(piece.copies)
        ]

    def card(self, deck: str, card: str) -> dict[str, Any]:
        """One card of a deck as a mapping of its fields."""
        for row in self._get_rows(deck):
            if row["id"] == card:
                return row
        hint = did_you_mean(card, [row["id"] for row in self._get_rows(deck)])
        raise EvaluationError(f"there is no card '{card}' in {deck}{hint}")

    def count(self, deck: str, where: str = "") -> int:
        """How many cards of a deck an expression holds for, copies counted."""
        found = len(self.cards(deck, where))
        self.count_log.append(f"{_format_call('count', deck, where)} is {found}")
        return found

    def sum_of(self, deck: str, what: str, where: str = "") -> float:
        """The sum of an expression over the cards of a deck, copies counted."""
        found = sum_numbers([self.evaluate(what, row) for row in self.cards(deck, where)])
        self.count_log.append(f"{_format_call('sum_of', deck, what, where)} is {found:g}")
        return found

    def contrast(self, colour: str, ground: str) -> float:
        """How well one colour is told from another, 1 to 21 (WCAG 2): names of game.yaml, ids of
        players, or #rrggbb."""
        found = look_colours.contrast(self._resolve_colour(colour), self._resolve_colour(ground))
        self.count_log.append(f"{_format_call('contrast', colour, ground)} is {found:.2f}")
        return round(found, 3)

    def _resolve_colour(self, name: str) -> str:
        players = {player.id: player.colour for player in self.game.players}
        known = {**players, **self.game.colours}
        found = known.get(name, name)
        if not isinstance(found, str) or not _HEX_COLOUR.match(found):
            hint = did_you_mean(str(name), known)
            raise EvaluationError(f"{format_value(name)} is no colour{hint}")
        return found

    def describe_constants(self, expression: str) -> list[str]:
        """What the constants in an expression are, and what was counted to evaluate it."""
        tree = _SANDBOX.parse(f"{{{{ {expression} }}}}")
        constants = sorted(meta.find_undeclared_variables(tree) & set(self._names))
        said = [f"{name} is {format_value(self._names[name])}" for name in constants]
        return list(dict.fromkeys([*said, *self.count_log]))

    def list_card_names(self, expression: str) -> set[str]:
        """The names in an expression that only a card can bring. What is no expression has none:
        it is told where it is evaluated."""
        try:
            tree = _SANDBOX.parse(f"{{{{ {expression} }}}}")
        except TemplateSyntaxError:
            return set()
        return meta.find_undeclared_variables(tree) - set(self.names)

    def evaluate_on_card(self, expression: str, deck: str, piece: Piece) -> Any:
        """An expression with a card's fields by name."""
        return self.evaluate(expression, self._get_rows(deck)[piece.number - 1])

    def evaluate(self, expression: str, names: Mapping[str, Any] | None = None) -> Any:
        """An expression's value. Raises `CannotEvaluate` with words for its writer."""
        known = {**self.names, **(names or {})}
        said = _shorten_expression(expression)
        try:
            value = _compile_expression(expression)(**known)
            if isinstance(value, MissingName):
                str(value)  # raises, with the missing name
        except UndefinedError as error:
            raise EvaluationError(_explain_undefined(error, known)) from None
        except TemplateSyntaxError as error:
            why = explain_syntax(str(error.message), _SANDBOX.filter_and_test_names)
            raise EvaluationError(f"'{said}' is no expression: {why}") from None
        except EvaluationError:
            raise
        except RecursionError:
            raise EvaluationError(f"'{said}' asks for itself without end") from None
        except (TemplateError, TypeError, ValueError, ArithmeticError, LookupError) as error:
            on = f" on {names['id']}" if names and "id" in names else ""
            raise EvaluationError(f"'{said}' fails{on}: {_explain_failure(error)}") from None
        if isinstance(value, int | float) and not abs(value) < _MAX_NUMBER:
            raise EvaluationError(f"'{said}' comes to no number that a game can mean")
        return value

    def get_deck(self, name: str) -> Deck:
        """A deck by its id."""
        deck = self.game.get_deck(name)
        if deck is None:
            hint = did_you_mean(name, [deck.id for deck in self.game.decks])
            raise EvaluationError(f"there is no deck '{name}'{hint}")
        return deck

    def _get_rows(self, name: str) -> list[dict[str, Any]]:
        if name not in self._cards:
            deck = self.get_deck(name)
            self._cards[name] = [self._make_row(piece) for piece in deck.pieces]
        return self._cards[name]

    def _make_row(self, piece: Piece) -> dict[str, Any]:
        values = map_language(piece.values, self._language, self._made, self._referred)
        values = _fill_absent(values, self.get_deck(piece.deck).fields)
        player = piece.player.id if piece.player else None
        return {**values, "id": piece.id, "copies": piece.copies, "player": player}


def _fill_absent(values: Mapping[str, Any], fields: Mapping[str, Field]) -> dict[str, Any]:
    """A record left out as nothing whose fields are nothing too."""
    return {key: _convert_value(value, fields.get(key)) for key, value in values.items()}


def _convert_value(value: Any, declared: Field | None) -> Any:
    """A value of a field as expressions see it, in lists too."""
    if declared is None:
        return value
    if declared.kind == "record":
        return AbsentRecord() if value is None else _fill_absent(value, declared.fields)
    if declared.kind == "list" and value:
        return tuple(_convert_value(entry, declared.item) for entry in value)
    return value


def _format_call(function: str, *arguments: str) -> str:
    return f"{function}({', '.join(repr(argument) for argument in arguments if argument)})"


def _explain_undefined(error: UndefinedError, known: Mapping[str, Any]) -> str:
    """Which name is not there. Without a near one, it may be a template's, or a word."""
    message = explain_undefined(error, known)
    alone = re.fullmatch(r"'(\w+)' is undefined", message)
    name = alone[1] if alone else message.split("'")[1] if "'" in message else ""
    if name in _TEMPLATE_NAMES and name not in known:
        return f"'{name}' is undefined; {_TEMPLATE_NAMES[name]}"
    return f'{message}; a word goes in quotes, "{name}"' if alone else message


def _shorten_expression(expression: str) -> str:
    return expression if len(expression) <= _MAX_QUOTED else f"{expression[:_MAX_QUOTED]}…"


def _explain_failure(error: Exception) -> str:
    message = explain_python_message(str(error))
    return explain_left_out(message) if isinstance(error, TypeError) else message
