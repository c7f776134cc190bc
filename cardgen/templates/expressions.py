"""Expressions over the cards of a game, as rules and rulebooks use them.

The language is Jinja's expression syntax. The fields of a card are names (`cash > 2`), and the
functions below are available everywhere. docs/rules.md lists them with examples.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any

from jinja2 import Undefined, meta, nodes
from jinja2.exceptions import TemplateError, TemplateSyntaxError, UndefinedError
from jinja2.utils import consume

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
"""Shared by all games: every name in an expression is passed to it."""
_HEX_COLOUR = re.compile(r"#[0-9a-fA-F]{6}\Z")
_MAX_NUMBER = 1e21
"""Limit of the numbers in rules, larger than any number in a deck file."""


_TEMPLATE_NAMES = {
    "card": "here, write a card's field by its name alone",
    "constants": "here, write a constant by its name alone",
    "game": "here, write a constant by its name alone",
    "deck": 'count a deck\'s cards with count("…")',
    "words": "words are for templates; here, write a card's field by its name",
}
"""Names that only templates know → what to write in an expression."""
_MAX_QUOTED = 300
"""Maximum number of characters of an expression that a message quotes."""


class EvaluationError(Exception):
    """An expression is invalid or fails on a card. The message is for its writer."""


def sum_numbers(*values: Any) -> float:
    """Return the sum of all numbers in the values at any depth: `total(greenhorn)`."""
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
def _compile_expression(expression: str) -> Callable[[dict[str, Any]], Any]:
    """Compile an expression to a function of its names. Raise Jinja's errors of syntax."""
    template = _SANDBOX.compile_expression(expression)._template

    def compute(names: dict[str, Any]) -> Any:
        # As Jinja's own function does, which copies all names thrice: more work than most
        # expressions are.
        context = _SANDBOX.context_class(_SANDBOX, names, None, {})
        consume(template.root_render_func(context))
        (value,) = context.vars.values()
        return value

    return compute


@lru_cache(maxsize=1000)
def parse_expression(expression: str) -> nodes.Node | None:
    """Return the syntax tree of an expression, which is cached, or None if it is invalid."""
    try:
        (printed,) = _SANDBOX.parse(f"{{{{ {expression} }}}}").body
    except (TemplateSyntaxError, ValueError, RecursionError):
        return None
    return next(printed.iter_child_nodes(), None)


class CardDatabase:
    """The cards of a game as expressions see them, by default in its source language.

    `make_text` converts a text to its value, and `make_reference` a reference, by default to the id
    of its card.
    """

    def __init__(
        self,
        game: Game,
        language: str = "",
        make_text: Callable[[Text], str] | None = None,
        make_reference: Callable[[CardReference], str] = str,
    ) -> None:
        self.game = game
        self._language, self._make_text = language or game.languages[0], make_text
        self._make_reference = make_reference
        self._cards: dict[str, list[dict[str, Any]]] = {}
        self._names: dict[str, Any] = {
            "players": len(game.players),
            **map_language(game.constants, self._language, make_text),
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
        """Names and functions of expressions, except the fields of a card."""
        self._scope: Mapping[str, Any] = {**_SANDBOX.globals, **self.names}
        self.count_log: list[str] = []
        """Results of `count` and `sum_of` in words, until a caller clears it."""

    def cards(self, deck: str, where: str = "") -> list[dict[str, Any]]:
        """Return the fields of the cards of a deck for which `where` holds, once per copy."""
        return [
            row
            for row, piece in zip(self._get_rows(deck), self.get_deck(deck).pieces, strict=True)
            if not where or self.evaluate_on_card(where, deck, piece)
            for _ in range(piece.copies)
        ]

    def card(self, deck: str, card: str) -> dict[str, Any]:
        """Return the fields of a card."""
        for row, piece in zip(self._get_rows(deck), self.get_deck(deck).pieces, strict=True):
            if card in (piece.id, piece.base_id):
                return row
        hint = did_you_mean(card, [row["id"] for row in self._get_rows(deck)])
        raise EvaluationError(f"there is no card '{card}' in {deck}{hint}")

    def count(self, deck: str, where: str = "") -> int:
        """Count the cards of a deck for which an expression holds, with their copies."""
        found = len(self.cards(deck, where))
        self.count_log.append(f"{_format_call('count', deck, where)} is {found}")
        return found

    def sum_of(self, deck: str, what: str, where: str = "") -> float:
        """Sum an expression over the cards of a deck, with their copies."""
        found = sum_numbers([self.evaluate(what, row) for row in self.cards(deck, where)])
        self.count_log.append(f"{_format_call('sum_of', deck, what, where)} is {found:g}")
        return found

    def contrast(self, colour: str, ground: str) -> float:
        """Return the contrast of two colours, 1 to 21 (WCAG 2).

        A colour is a name in game.yaml, the id of a player, or #rrggbb.
        """
        found = look_colours.contrast(self._resolve_colour(colour), self._resolve_colour(ground))
        self.count_log.append(f"{_format_call('contrast', colour, ground)} is {found:.2f}")
        return round(found, 3)

    def _resolve_colour(self, name: str) -> str:
        players = {player.id: player.colour for player in self.game.players}
        known = {**players, **self.game.colours}
        found = known.get(name, name)
        if not isinstance(found, str) or not _HEX_COLOUR.match(found):
            hint = did_you_mean(str(name), known)
            raise EvaluationError(f"{format_value(name)} is not a colour{hint}")
        return found

    def describe_constants(self, expression: str) -> list[str]:
        """Return the values of the constants in an expression, and of its last counts, in words."""
        tree = _SANDBOX.parse(f"{{{{ {expression} }}}}")
        constants = sorted(meta.find_undeclared_variables(tree) & set(self._names))
        values = [f"{name} is {format_value(self._names[name])}" for name in constants]
        return list(dict.fromkeys([*values, *self.count_log]))

    def list_card_names(self, expression: str) -> set[str]:
        """Return the names in an expression that must be fields of a card.

        An invalid expression has none; evaluating it reports the error.
        """
        try:
            tree = _SANDBOX.parse(f"{{{{ {expression} }}}}")
        except TemplateSyntaxError:
            return set()
        return meta.find_undeclared_variables(tree) - set(self.names)

    def evaluate_on_card(self, expression: str, deck: str, piece: Piece) -> Any:
        """Evaluate an expression with the fields of a card."""
        return self.evaluate(expression, self._get_rows(deck)[piece.number - 1])

    def evaluate(self, expression: str, names: Mapping[str, Any] | None = None) -> Any:
        """Evaluate an expression. Raise EvaluationError with a message for its writer."""
        quoted = _shorten_expression(expression)
        try:
            value = _compile_expression(expression)({**self._scope, **(names or {})})
            if isinstance(value, MissingName):
                str(value)  # raises, with the missing name
        except UndefinedError as error:
            known = {**self.names, **(names or {})}
            raise EvaluationError(_explain_undefined(error, known)) from None
        except TemplateSyntaxError as error:
            why = explain_syntax(str(error.message), _SANDBOX.filter_and_test_names)
            raise EvaluationError(f"'{quoted}' is not a valid expression: {why}") from None
        except EvaluationError:
            raise
        except RecursionError:
            raise EvaluationError(f"'{quoted}' refers to itself endlessly") from None
        except (TemplateError, TypeError, ValueError, ArithmeticError, LookupError) as error:
            on = f" on {names['id']}" if names and "id" in names else ""
            raise EvaluationError(f"'{quoted}' fails{on}: {_explain_failure(error)}") from None
        if isinstance(value, int | float) and not abs(value) < _MAX_NUMBER:
            raise EvaluationError(f"'{quoted}' comes to a number that is too large")
        return value

    def get_deck(self, name: str) -> Deck:
        """Return a deck by its id. Raise EvaluationError if there is none."""
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
        values = map_language(piece.values, self._language, self._make_text, self._make_reference)
        values = _fill_absent(values, self.get_deck(piece.deck).fields)
        player = piece.player.id if piece.player else None
        copies = piece.copies_in_all or piece.copies
        return {**values, "id": piece.base_id, "copies": copies, "player": player}


def _fill_absent(values: Mapping[str, Any], fields: Mapping[str, Field]) -> dict[str, Any]:
    """Replace missing records by AbsentRecord, whose fields are missing, too."""
    return {key: _convert_value(value, fields.get(key)) for key, value in values.items()}


def _convert_value(value: Any, declared: Field | None) -> Any:
    """Convert the value of a field, and of the entries of a list."""
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
    """Explain an undefined name, which may be a name of templates or a word without quotes."""
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
