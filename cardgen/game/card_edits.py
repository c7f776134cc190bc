"""A card's values changed in the files of its game, as a person would do it.

Nothing is written here: an edit is a file with its old and its new content. Before it is returned,
it is read back, and refused unless the card has the new value and nothing else is different.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from cardgen.core import yaml_edits
from cardgen.core.problems import Problem, Source
from cardgen.core.work_limits import LimitExceededError
from cardgen.core.yaml_edits import KeyRemoval, TextEdit, ValueEdit, YamlChange
from cardgen.core.yaml_nodes import Node
from cardgen.game import card_rows, card_tables, deck_files, plain_values
from cardgen.game.card_rows import CardRow
from cardgen.game.card_tables import DOCUMENT_SUFFIXES
from cardgen.game.deck_keys import MAX_COPIES
from cardgen.game.model import Deck, Field, Game
from cardgen.game.plain_values import UnusableValueError
from cardgen.game.table_edits import TableCard, TableContext
from cardgen.game.workbook_edits import CellEditError
from cardgen.runtime import game_files

COPIES = "copies"
BY_HAND = "it cannot be changed without touching more; edit it there"


class EditRefusedError(Exception):
    """A change that is not made, with the place where the value comes from."""

    def __init__(self, message: str, source: Source) -> None:
        super().__init__(message)
        self.source = source


class EditConflictError(Exception):
    """The file has another value than the one that was to be changed: `current`."""

    def __init__(self, current: Any, source: Source) -> None:
        super().__init__("the file was changed meanwhile")
        self.current, self.source = current, source


@dataclass(frozen=True)
class ValueChange:
    """A new plain value for a field of a card; of a text, for one language.

    `was` is the value that it had for whoever changes it, `digest` that of the file then. Without a
    digest, whatever the file holds is replaced.
    """

    deck: str
    card: str
    field: str
    value: Any
    language: str = ""
    was: Any = None
    digest: str = ""


@dataclass(frozen=True)
class FileEdit:
    """A file with its old and new content, and the card's row as it is read from the new one."""

    path: str
    old: bytes
    new: bytes
    source: Source
    row: Node


@dataclass(frozen=True)
class FieldState:
    """A field of a card as its file has it: `value` is None where it is left out.

    `problem` says why it cannot be edited, "" if it can.
    """

    declared: Field
    value: Any
    source: Source
    problem: str


def digest_file(data: bytes) -> str:
    """Return the digest by which a file's content is recognised."""
    return hashlib.sha256(data).hexdigest()


class OpenCard:
    """A card of a game as its file holds it at this moment. Raises `EditRefusedError`."""

    def __init__(self, game: Game, deck_id: str, card: str) -> None:
        deck = game.get_deck(deck_id)
        pieces = deck.pieces if deck else ()
        piece = next((each for each in pieces if card in each.names), None)
        if deck is None or piece is None:
            for problem in deck_files.read_deck_files(game.root).problems:
                if problem.kind in deck_files.UNREADABLE_KINDS:
                    raise EditRefusedError(str(problem), problem.source)
            raise EditRefusedError(f"there is no card {deck_id}/{card} now", Source("cards"))
        self.game, self.deck = game, deck
        self._languages = game.languages
        self._head, self._row = self._find_row(deck, piece.card_id)
        self.id, self.path = piece.card_id, self._row.node.source.path
        try:
            self.data = game_files.read_bytes(game.root, self.path)
        except game_files.UnreadableError as error:
            raise EditRefusedError(f"{self.path} {error}", self._row.node.source) from None
        self._table = self._open_table() if self._row.table else None

    def _find_row(self, deck: Deck, card: str) -> tuple[Node, CardRow]:
        files = deck_files.read_deck_files(self.game.root)
        head = files.nodes.get(deck.id)
        if head is None:
            for problem in files.problems:
                if problem.source.path == deck.source.path:
                    raise EditRefusedError(str(problem), problem.source)
            raise EditRefusedError(f"{deck.source.path} is gone", deck.source)
        rows = card_rows.list_card_rows(self.game.root, deck, head, self._languages)
        row = next((row for row in rows if row.id == card), None)
        if row is None:
            message = f"the card {deck.id}/{card} is not in its file any more"
            raise EditRefusedError(message, deck.source)
        return head, row

    def _open_table(self) -> TableCard | None:
        table = self._row.table
        assert table is not None
        if self.path.lower().endswith(tuple(DOCUMENT_SUFFIXES)):
            return None
        return TableCard(self._make_context(self.data), self._row.node.source.line)

    def _make_context(self, data: bytes) -> TableContext:
        assert self._row.table is not None
        columns = card_tables.read_columns(self._head.get("columns"), card_rows.ignore_problem)
        extra = card_rows.list_extra_columns(self.deck)
        return TableContext(
            self._row.table, data, self.deck.fields, columns, extra, self._languages
        )

    @property
    def digest(self) -> str:
        """The digest of the card's file."""
        return digest_file(self.data)

    @property
    def row(self) -> Node:
        """The card as it is written."""
        return self._row.node

    def list_fields(self) -> Iterator[FieldState]:
        """Yield the number of copies and every field of the card."""
        for name in (COPIES, *self.deck.fields):
            yield self.get_field(name)

    def get_field(self, name: str) -> FieldState:
        """Return a field of the card. Raises `EditRefusedError`."""
        declared = self.deck.fields.get(name)
        source = self._row.node.source
        if name == COPIES and declared is None:
            declared = Field(COPIES, "integer", source, default=1, minimum=0, maximum=MAX_COPIES)
        if declared is None:
            raise EditRefusedError(f"the deck has no field '{name}'", self.deck.source)
        node = self._row.node.get(name)
        value = plain_values.read_plain(node, declared, self._languages)
        problem = self._explain(name, "")
        if self._table and not problem:
            source = self._table.get_source(self._table.find_columns(name, "")[0])
        return FieldState(declared, value, node.source if node else source, problem)

    def get_value(self, name: str, language: str) -> Any:
        """Return the plain value of a field; of a text, in one language. Raises
        `EditRefusedError`."""
        state = self.get_field(name)
        is_text = state.declared.kind == "text"
        return self._select(state.value, language) if is_text else state.value

    def explain_language(self, name: str, language: str) -> str:
        """Return why a text cannot be edited in a language; "" if it can."""
        return self._explain(name, language)

    def _explain(self, name: str, language: str) -> str:
        if self._row.table is None:
            return ""
        if self._table is None:
            return f"{self.path} is not a file that is written here; edit it there"
        columns = self._table.find_columns(name, language)
        return next(filter(None, map(self._table.explain, columns)), "")

    def change(self, change: ValueChange) -> FileEdit | None:
        """Return the edit that makes a change; None where the card has that value already.

        Raises `EditRefusedError`, `EditConflictError` and `UnusableValueError`.
        """
        state = self.get_field(change.field)
        declared = state.declared
        is_text = declared.kind == "text"
        if is_text and change.language not in self._languages:
            raise UnusableValueError(f"'{change.language}' is not a language of the game")
        if problem := self._explain(change.field, change.language):
            raise EditRefusedError(problem, state.source)
        value = plain_values.clean_value(change.value)
        current = self._select(state.value, change.language) if is_text else state.value
        if is_text and not isinstance(value, str | None):
            raise UnusableValueError(f"'{change.field}' is a text")
        if self._table and isinstance(value, str):
            value = value.strip()
        default = plain_values.convert_to_plain(declared.default)
        known = (current, default) if current is None else (current,)
        if change.digest not in ("", self.digest) and change.was not in known:
            raise EditConflictError(current, state.source)
        if value == current or (not value and not current and is_text):
            return None
        if value is not None and not is_text:
            plain_values.check_value(value, declared, self.game)
        if value in (None, "", []) and declared.required and not is_text:
            raise UnusableValueError(f"'{change.field}' cannot be left out")
        edit = self._change_table if self._table else self._change_yaml
        return edit(state, change.language, value)

    @staticmethod
    def _select(value: Any, language: str) -> Any:
        """Return what is shown of a text in a language: without the line breaks that end it."""
        return value.get(language, "").rstrip("\n") if isinstance(value, dict) else ""

    # -- YAML

    def _change_yaml(self, state: FieldState, language: str, value: Any) -> FileEdit:
        try:
            text = self.data.decode()
        except UnicodeDecodeError:
            raise EditRefusedError(f"{self.path} {game_files.NOT_UTF8}", state.source) from None
        mark = "\ufeff" if text.startswith("\ufeff") else ""
        change = self._make_yaml_change(state, language, value)
        try:
            made, left = yaml_edits.apply_changes(text[len(mark) :], self.path, [change])
            if left:
                raise EditRefusedError(f"{state.source}: {BY_HAND}", state.source)
            node, found = self._read_row(made)
            _, known = self._read_row(text[len(mark) :])
        except LimitExceededError as error:
            raise EditRefusedError(str(error), state.source) from None
        if {each.message for each in found} - {each.message for each in known}:
            raise EditRefusedError(f"{state.source}: {BY_HAND}", state.source)
        self._check_written(state, language, value, node)
        return self._make_edit((mark + made).encode(), state, node)

    def _read_row(self, text: str) -> tuple[Node, list[Problem]]:
        """Return the card as a text of its file holds it, and what is wrong with it."""
        return yaml_edits.read_node_at(game_files.compose(text), self.path, self._row.path)

    def _make_yaml_change(self, state: FieldState, language: str, value: Any) -> YamlChange:
        declared, node = state.declared, self._row.node.get(state.declared.name)
        path = (*self._row.path, declared.name)
        order = ("id", COPIES, *self.deck.fields)
        if declared.kind == "text":
            texts = {**(state.value or {}), language: value or ""}
            if not any(texts.values()) and not declared.required:
                return KeyRemoval(path)
            shaped = plain_values.shape_like(texts, node, declared, self._languages)
            is_usable = node is not None and node.value is not None
            if is_usable and isinstance(shaped, dict):
                return TextEdit(path, language, shaped[language], self._languages[0])
            alone = {language: value} if len(self._languages) > 1 else value
            return ValueEdit(path, shaped if is_usable else alone, order)
        if value is None or (value == "" and not declared.required):
            return KeyRemoval(path)
        shaped = plain_values.shape_like(value, node, declared, self._languages)
        return ValueEdit(path, shaped, order)

    # -- tables

    def _change_table(self, state: FieldState, language: str, value: Any) -> FileEdit:
        table, name = self._table, state.declared.name
        assert table is not None
        columns = table.find_columns(name, language)
        if state.declared.kind == "record":
            old, new = state.value or {}, value or {}
            values = {f"{name}.{key}": new.get(key) for key in {*old, *new}
                      if new.get(key) != old.get(key)}  # fmt: skip
        else:
            values = {columns[0]: value}
        if missing := next(filter(None, map(table.explain, values)), ""):
            raise EditRefusedError(missing, state.source)
        try:
            new_data = table.set_values(values)
        except CellEditError as error:
            raise EditRefusedError(str(error), state.source) from None
        context = self._make_context(self.data)
        before, known = context.read_nodes(self.data)
        after, found = context.read_nodes(new_data)
        line = self._row.node.source.line
        others = [
            [n.to_plain() for n in nodes if n.source.line != line] for nodes in (before, after)
        ]
        node = next((node for node in after if node.source.line == line), None)
        if found - known or node is None or others[0] != others[1]:
            raise EditRefusedError(f"{state.source}: {BY_HAND}", state.source)
        self._check_written(state, language, value, node)
        return self._make_edit(new_data, state, node)

    # -- both

    def _check_written(self, state: FieldState, language: str, value: Any, node: Node) -> None:
        """Raise `EditRefusedError` unless a card has the new value, and all others of before."""
        declared = state.declared
        found = plain_values.read_plain(node.get(declared.name), declared, self._languages)
        if declared.kind == "text":
            is_same = self._select(found, language) == (value or "").rstrip("\n") and all(
                self._select(found, code) == self._select(state.value, code)
                for code in self._languages
                if code != language
            )
        else:
            is_same = _drop_empty(found) == _drop_empty(value)
        old = {key: child.to_plain() for key, child in self._row.node.items()}
        new = {key: child.to_plain() for key, child in node.items()}
        if not is_same or {**old, declared.name: None} != {**new, declared.name: None}:
            raise EditRefusedError(f"{state.source}: {BY_HAND}", state.source)

    def _make_edit(self, data: bytes, state: FieldState, node: Node) -> FileEdit:
        child = node.get(state.declared.name)
        return FileEdit(self.path, self.data, data, child.source if child else node.source, node)


def _drop_empty(value: Any) -> Any:
    """Return a value in the form in which two are compared: an empty one is none, and so are the
    line breaks that end a text."""
    if isinstance(value, dict):
        kept = {key: _drop_empty(child) for key, child in value.items()}
        return {key: child for key, child in kept.items() if child is not None} or None
    if isinstance(value, list):
        return [_drop_empty(child) for child in value] or None
    if isinstance(value, str):
        return value.rstrip("\n") or None
    return None if value is False else value
