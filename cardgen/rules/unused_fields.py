"""Check for declared fields that no template, rule, table or book of a game mentions."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from cardgen.core import yaml_nodes
from cardgen.core.problems import Problem, Source
from cardgen.core.yaml_nodes import Node
from cardgen.game import tabletop_file
from cardgen.game.card_references import NAME_FIELDS
from cardgen.game.game_folder import GAME_FILE, TEMPLATES_FOLDER
from cardgen.game.model import Deck, Field, Game, walk_values
from cardgen.game.problem_scope import BOOKS_FOLDER
from cardgen.rules import rule_file
from cardgen.rules.rule_keys import RULE_KEYS
from cardgen.rules.rule_kinds import RULE_KINDS
from cardgen.runtime import game_files

_JINJA_TAG = re.compile(r"\{[{%].*?(?:[%}]\}|\Z)", re.DOTALL)
# A template may take all fields of a card, or compute the name of a field.
_WHOLE_CARD = re.compile(
    r"\bcard\s*(?:\||\.\s*(?:items|keys|values|get)\b)|\bin\s+card\s*[^.\w\s\[(]"
)
_COMPUTED_NAME = re.compile(r"\bcard\s*\[\s*(?![\"'][^\"']*[\"']\s*\])")
_WORD = re.compile(r"\w+")
_QUOTED = re.compile(r"(?<!\[)([\"'])[^\"']*\1")
_DECK_ARGUMENT = re.compile(r"\b(?:count|cards?|deck)\(\s*(?:\"[^\"]*\"|'[^']*')")
"""A deck in a Jinja tag, whose id names no field: count("ships")."""
_TAG_MENTION = re.compile(r"\.\s*\w+|\"[^\"]*\"|'[^']*'")
"""What names a field in a Jinja tag: card.cash, card["cash"], attribute="cash"."""
_PROSE_KEYS = frozenset({
    "id", "because", "section", "severity", "variant", "title", "text", "name", "deck", "as",
    "face", "card", "to", "given_by", "each", "on", "decks", "dice",
}) | (RULE_KINDS.keys() - {"require"})  # fmt: skip
"""Keys of rules and tables whose values name no field."""
_KEYS = {
    *_PROSE_KEYS, *RULE_KEYS, *RULE_KINDS, "for_each", "rules", "when", "times", "roll", "add",
    "set", "middle", "seat", "take", "turn", "locked", "row", "markers", "at", "from", "in",
}  # fmt: skip
"""Keys that name no field themselves."""
_COMMENT = re.compile(r"<!--.*?(?:-->|\Z)|\{#.*?(?:#\}|\Z)", re.DOTALL)
_TEMPLATE_NAME = re.compile(r"[\"']([^\"']+\.(?:html|svg))[\"']")
_COMPUTED_INCLUDE = re.compile(
    r"\{%-?\s*(?:include|import|from|extends)\s+[^\"'\s]|\bdrawing\(\s*[^\"'\s]"
)
_CARD_FIELD = re.compile(r"\bcard(?:\.\w+|\[\"[^\"]*\"\])+")
_LITERAL = re.compile(r"[\"']([\w-]{3,})[\"']")


def find_unused_fields(game: Game) -> Iterator[Problem]:
    """Yield a warning at the declaration of every unused field, once for all decks that share it.

    A field is used if the Jinja tags of the deck's templates, of the templates that they include,
    or of books name it, or an expression of rules and tables. Other words there, CSS classes and
    comments do not count.
    """
    expressions = "\n".join(_list_shared_expressions(game))
    books = "\n".join(_list_book_tags(game))
    shared_words = frozenset(_WORD.findall(expressions)) | _find_tag_words(books)
    constants = "\n".join(
        _collect_strings([game.constants, game.words, *(deck.constants for deck in game.decks)])
    )
    tags = _read_template_tags(game.root)
    declared: dict[Source, tuple[Field, str]] = {}
    mentioned: set[Source] = set()
    for deck in game.decks:
        own = "\n".join(_list_deck_tags(deck, tags))
        texts: tuple[str, ...] = (expressions, books, own)
        words = shared_words | _find_tag_words(own)
        parts = frozenset[str]()
        if any(map(_COMPUTED_NAME.search, texts)):
            words |= frozenset(_WORD.findall(constants))
            texts = (*texts, constants)
            parts = frozenset(part for text in texts for part in _LITERAL.findall(text))
        every = any(map(_WHOLE_CARD.search, (books, own)))
        # Virtual tables and lists show the name of a card.
        names = [deck.fields[name].source for name in NAME_FIELDS if name in deck.fields]
        mentioned.update(names[:1])
        for field in deck.fields.values():
            declared.setdefault(field.source, (field, deck.look))
            if every or field.name in words or _is_mentioned(field.name, texts, parts):
                mentioned.add(field.source)
    for source, (field, look) in declared.items():
        if field.printed and source not in mentioned:
            users, do = ("place", "put it under places:") if look else ("template", "print it")
            message = (
                f"no {users} of its deck, rule, table or book uses the field '{field.name}'; "
                f"{do}, or mark it with printed: false"
            )
            yield Problem(source, message, "fields", "warning")


def _is_mentioned(name: str, texts: Iterable[str], parts: Iterable[str]) -> bool:
    """Return whether a name that is no single word is in a text, or may be composed of parts."""
    whole = not name.isidentifier() and any(name in text for text in texts)
    return whole or any(name.startswith(part) or name.endswith(part) for part in parts)


def _list_shared_expressions(game: Game) -> Iterator[str]:
    """Yield the expressions of rules and tables, which may use fields of every deck."""
    for name in (rule_file.RULES_FILE, tabletop_file.TABLETOP_FILE, GAME_FILE):
        text = game_files.read_text(game.root, name)[0]
        node, _ = yaml_nodes.load(text, name)
        if node is not None and name == GAME_FILE:
            node = node.get("table")
        elif node is None:
            yield text  # it is reported elsewhere
        yield from _list_expressions(node) if node is not None else ()


def _list_book_tags(game: Game) -> Iterator[str]:
    for name in game_files.list_files(game.root, BOOKS_FOLDER, ".md"):
        yield from _JINJA_TAG.findall(_COMMENT.sub(" ", game_files.read_text(game.root, name)[0]))


def _list_expressions(node: Node) -> Iterator[str]:
    """Yield the expressions of rules and tables without the texts in them, and the keys that may
    name a field."""
    for key, child in node.items():
        if key not in _KEYS:
            yield key
        if key not in _PROSE_KEYS:
            yield from _list_expressions(child)
    for child in node.list_nodes():
        yield from _list_expressions(child)
    if node.is_scalar:
        yield _QUOTED.sub(" ", node.text)


def _find_tag_words(tags: str) -> frozenset[str]:
    """Return the words with which Jinja tags may name a field, not their keywords and functions."""
    tags = _DECK_ARGUMENT.sub(" ", tags)
    return frozenset(_WORD.findall(" ".join(_TAG_MENTION.findall(tags))))


def _read_template_tags(root: Path) -> dict[str, str]:
    """Return the Jinja tags of each template of a game."""
    names = game_files.list_files(root, TEMPLATES_FOLDER, ".html", ".svg")
    texts = {name: _COMMENT.sub(" ", game_files.read_text(root, name)[0]) for name in names}
    return {
        name.removeprefix(f"{TEMPLATES_FOLDER}/"): "\n".join(_JINJA_TAG.findall(text))
        for name, text in texts.items()
    }


def _list_deck_tags(deck: Deck, tags: Mapping[str, str]) -> Iterator[str]:
    """Yield the Jinja tags of a deck's templates and of the templates that they include.

    If the name of an included template is computed, yield those of all templates.
    """
    wanted = sorted(deck.list_templates())
    seen: set[str] = set()
    while wanted:
        name = wanted.pop()
        if name in seen:
            continue
        seen.add(name)
        # The lines before a look's own template assign fields to its slots.
        head = deck.look_templates.get(name, "").partition("\n{#")[0]
        text = "\n".join(_CARD_FIELD.findall(head)) or tags.get(name, "")
        if _COMPUTED_INCLUDE.search(text):
            yield from tags.values()
            return
        wanted += _TEMPLATE_NAME.findall(text)
        yield text


def _collect_strings(value: Any) -> Iterator[str]:
    """Yield every text in constants, keys included."""
    for part in walk_values(value):
        if isinstance(part, dict):
            yield from map(str, part)
        elif isinstance(part, str):
            yield part
