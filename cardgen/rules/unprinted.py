"""Declared fields that nothing of a game ever mentions: their values would be written in vain."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from cardgen.base import paths
from cardgen.base.problems import Problem, Source
from cardgen.game import loading, table_file
from cardgen.game.model import Field, Game, Text
from cardgen.game.scope import BOOKS
from cardgen.rules import composition
from cardgen.templates.render import FOLDER

# The field that names a card is told on virtual tables and in lists.
_NAME = "name"
_JINJA = re.compile(r"\{[{%].*?[%}]\}", re.DOTALL)
# A template that takes whatever fields a card has, and one that works a field's name out.
_ALL = re.compile(r"\bcard\s*(?:\||\.\s*(?:items|keys|values|get)\b)|\bin\s+card\s*[^.\w\s\[(]")
_BY_NAME = re.compile(r"\bcard\s*\[\s*(?![\"'][^\"']*[\"']\s*\])")
_WORD = re.compile(r"\w+")
_LITERAL = re.compile(r"[\"']([\w-]{3,})[\"']")


def problems(game: Game) -> Iterator[Problem]:
    """A warning at the declaration of every such field, once for all decks that share it.

    A mention counts as a word: in what templates and books work out, and anywhere in styles, rules
    and tables.
    """
    text = "\n".join(_texts(game))
    if _ALL.search(text):
        return
    parts: set[str] = set()
    if _BY_NAME.search(text):
        constants = [game.constants, game.words, *(deck.constants for deck in game.decks)]
        text = "\n".join([text, *_strings(constants)])
        parts = set(_LITERAL.findall(text))
    words = set(_WORD.findall(text))
    declared: dict[Source, Field] = {}
    for deck in game.decks:
        for field in deck.fields.values():
            if field.printed and field.name != _NAME:
                declared.setdefault(field.source, field)
    for source, field in declared.items():
        if field.name not in words and not _mentioned(field.name, text, parts):
            message = (
                f"the field '{field.name}' is declared, and no template, rule, table or book "
                "mentions it; print it, or give it printed: false"
            )
            yield Problem(source, message, "fields", "warning")


def _mentioned(name: str, text: str, parts: set[str]) -> bool:
    """Whether a name of several words stands in a text, or begins or ends with one of those that
    are put together with others."""
    whole = "-" in name and name in text
    return whole or any(name.startswith(part) or name.endswith(part) for part in parts)


def _texts(game: Game) -> Iterator[str]:
    """The files that may name fields."""
    whole = [loading.FILE, composition.FILE, table_file.FILE]
    whole += paths.listed(game.root, FOLDER, ".css")
    for name in whole:
        yield paths.read_text(game.root, name)[0]
    set_by = [
        *paths.listed(game.root, FOLDER, ".html", ".svg"),
        *paths.listed(game.root, BOOKS, ".md"),
    ]
    for name in set_by:
        yield from _JINJA.findall(paths.read_text(game.root, name)[0])


def _strings(value: Any) -> Iterator[str]:
    """Every word that stands in constants."""
    if isinstance(value, Text):
        return
    if isinstance(value, dict):
        for key, child in value.items():
            yield str(key)
            yield from _strings(child)
    elif isinstance(value, list | tuple):
        for child in value:
            yield from _strings(child)
    elif isinstance(value, str):
        yield value
