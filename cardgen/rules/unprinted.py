"""Declared fields that nothing of a game ever mentions: their values would be written in vain."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from cardgen.base import paths
from cardgen.base.problems import Problem, Source
from cardgen.game import table_file
from cardgen.game.model import Deck, Field, Game, walk
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
_COMMENT = re.compile(r"<!--.*?-->|\{#.*?#\}", re.DOTALL)
_TAKEN = re.compile(r"[\"']([^\"']+\.(?:html|svg))[\"']")
_TAKES_ANY = re.compile(
    r"\{%-?\s*(?:include|import|from|extends)\s+[^\"'\s]|\bdrawing\(\s*[^\"'\s]"
)
_OF_CARD = re.compile(r"\bcard(?:\.\w+|\[\"[^\"]*\"\])+")
_LITERAL = re.compile(r"[\"']([\w-]{3,})[\"']")


def problems(game: Game) -> Iterator[Problem]:
    """A warning at the declaration of every such field, once for all decks that share it.

    A mention counts as a word: in what the deck's templates and those that they take in work out,
    or the books do, and anywhere in rules and tables. Classes of styles and comments are none.
    """
    shared = "\n".join(_shared(game))
    shared_words = frozenset(_WORD.findall(shared))
    constants = "\n".join(
        _strings([game.constants, game.words, *(deck.constants for deck in game.decks)])
    )
    files = _Templates(game.root)
    declared: dict[Source, Field] = {}
    mentioned: set[Source] = set()
    for deck in game.decks:
        own = "\n".join(files.of(deck))
        texts: tuple[str, ...] = (shared, own)
        parts = frozenset[str]()
        if any(map(_BY_NAME.search, texts)):
            texts = (shared, own, constants)
            parts = frozenset(part for text in texts for part in _LITERAL.findall(text))
        words = shared_words.union(*(_WORD.findall(text) for text in texts[1:]))
        every = any(map(_ALL.search, texts[:2]))
        for field in deck.fields.values():
            declared.setdefault(field.source, field)
            if every or field.name in words or _mentioned(field.name, texts, parts):
                mentioned.add(field.source)
    for source, field in declared.items():
        if field.printed and field.name != _NAME and source not in mentioned:
            message = (
                f"the field '{field.name}' is declared, and no template of its deck, rule, table "
                "or book mentions it; print it, or give it printed: false"
            )
            yield Problem(source, message, "fields", "warning")


def _mentioned(name: str, texts: Iterable[str], parts: Iterable[str]) -> bool:
    """Whether a name of several words stands in a text, or begins or ends with one of those that
    are put together with others."""
    whole = not name.isidentifier() and any(name in text for text in texts)
    return whole or any(name.startswith(part) or name.endswith(part) for part in parts)


def _shared(game: Game) -> Iterator[str]:
    """What may name fields of every deck."""
    for name in (composition.FILE, table_file.FILE):
        yield paths.read_text(game.root, name)[0]
    for name in paths.listed(game.root, BOOKS, ".md"):
        yield from _JINJA.findall(paths.read_text(game.root, name)[0])


class _Templates:
    """What the templates of a folder work out."""

    def __init__(self, root: Path) -> None:
        names = paths.listed(root, FOLDER, ".html", ".svg")
        texts = {name: _COMMENT.sub(" ", paths.read_text(root, name)[0]) for name in names}
        self._worked_out = {
            name.removeprefix(f"{FOLDER}/"): "\n".join(_JINJA.findall(text))
            for name, text in texts.items()
        }

    def of(self, deck: Deck) -> Iterator[str]:
        """Of a deck's own templates, and of those that they take in by their names; of all where a
        name is worked out."""
        wanted = sorted(deck.templates())
        seen: set[str] = set()
        while wanted:
            name = wanted.pop()
            if name in seen:
                continue
            seen.add(name)
            # Of a look's template, the lines before its own say which fields stand in its places.
            head = deck.written.get(name, "").partition("\n{#")[0]
            text = "\n".join(_OF_CARD.findall(head)) or self._worked_out.get(name, "")
            if _TAKES_ANY.search(text):
                yield from self._worked_out.values()
                return
            wanted += _TAKEN.findall(text)
            yield text


def _strings(value: Any) -> Iterator[str]:
    """Every word that stands in constants."""
    for part in walk(value):
        if isinstance(part, dict):
            yield from map(str, part)
        elif isinstance(part, str):
            yield part
