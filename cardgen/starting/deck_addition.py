"""A deck added to a game that is there: its files, and what other files say of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from cardgen.core import yaml_nodes
from cardgen.core.problems import Problem
from cardgen.game import card_tables, deck_files
from cardgen.game.card_ids import check_id
from cardgen.game.card_tables import MAX_TABLE_BYTES, TABLE_SUFFIXES
from cardgen.game.game_folder import GAME_FILE
from cardgen.game.model import Game
from cardgen.game.tabletop_file import TABLETOP_FILE
from cardgen.rules.rule_file import RULES_FILE
from cardgen.runtime import game_files
from cardgen.starting import new_game, starter_files, yaml_writer
from cardgen.starting.starter_files import NewGame, NewGameRequest


class DeckAdditionError(Exception):
    """The deck cannot be added; the message says why."""


def prepare_deck(
    game: Game, wish: NewGameRequest
) -> tuple[NewGame, dict[str, bytes], list[Problem]]:
    """Return a new deck and the files of the game to write, or the problems of its table.

    Raise `DeckAdditionError`.
    """
    _check_deck_id(game.root, wish.deck)
    tables = game_files.list_files(game.root, "cards", *TABLE_SUFFIXES, deep=False)
    taken = {name.removeprefix("cards/"): _read_bytes(game.root, name) for name in tables}
    wish = replace(
        wish, languages=game.languages, taken_files=taken, taken_colours=game.colours,
        known_sheets=_list_known_sheets(game.root),
    )  # fmt: skip
    made, problems = new_game.create_game(wish)
    if problems:
        return made, {}, problems
    files = {
        name: data
        for name, data in made.files.items()
        if name.startswith(("art/", "templates/"))
        or (name.startswith("cards/") and name.removeprefix("cards/") not in taken)
    }
    files.pop(RULES_FILE, None)
    for name in files:
        if game_files.has_entry(game.root, name):
            raise DeckAdditionError(f"{name} is there already; choose another name for the deck")
    return made, files | _edit_game_files(game, made), []


def _check_deck_id(root: Path, deck: str) -> None:
    if wrong := check_id(deck):
        raise DeckAdditionError(wrong)
    decks = deck_files.read_deck_files(root).nodes
    if deck in decks:
        where = decks[deck].source.path
        raise DeckAdditionError(f"there is a '{deck}' already, in {where}; choose another name")
    if f"cards/{deck}.yaml" == RULES_FILE:
        raise DeckAdditionError(f"{RULES_FILE} holds the rules; choose another name")


def _list_known_sheets(root: Path) -> set[tuple[str, str]]:
    """Return the files and sheets of tables that decks use, or that are undecided there."""
    nodes = deck_files.read_deck_files(root).nodes.values()
    tables = [
        table
        for node in nodes
        for table in card_tables.read_table_list(node.get("rows"), lambda *_: None)
    ]
    return {
        (table.file, name)
        for table in tables
        for name in (table.sheet, *(node.text for node in table.undecided))
    }


def _read_bytes(root: Path, name: str) -> bytes:
    try:
        return game_files.read_bytes(root, name, MAX_TABLE_BYTES)
    except game_files.UnreadableError:
        return b""


def _edit_game_files(game: Game, made: NewGame) -> dict[str, bytes]:
    """Return the files of the game with what the deck adds to them."""
    colours = {name: code for name, code in made.colours.items() if name not in game.colours}
    words = {
        name: starter_files.repeat_text(word, game.languages) if isinstance(word, str) else word
        for name, word in made.words.items()
        if name not in game.words
    }
    more: dict[str, Any] = {"colours": colours, "words": words}
    if made.has_fallback and not game.fallback:
        more["fallback"] = True
    deck = made.deck
    rules = [
        {key: value for key, value in rule.items() if key != "section"}
        | {"id": rule["id"] if rule["id"].startswith(deck) else f"{deck}-{rule['id']}"}
        for rule in made.rules[:1]
    ]
    edits = {
        GAME_FILE: more,
        RULES_FILE: {"rules": rules},
        TABLETOP_FILE: {"middle": starter_files.list_placements(made)},
    }
    found: dict[str, bytes] = {}
    for name, entries in edits.items():
        if game_files.has_entry(game.root, name):
            for key, value in entries.items():
                text = found[name].decode() if name in found else _read_text(game.root, name)
                if value:
                    found[name] = add_entries(text, name, key, value).encode()
        elif name == RULES_FILE and rules:
            started = NewGame()
            starter_files.add_rules_file(started, rules)
            found[name] = started.files[name]
    return found


def _read_text(root: Path, name: str) -> str:
    text, why = game_files.read_text(root, name)
    if why:
        raise DeckAdditionError(f"{name} {why}")
    return text


def add_entries(text: str, name: str, key: str, value: Any) -> str:
    """Return a YAML file with more entries of a list or mapping at its top level, or a new key.

    All other lines stay. `name` is the file in messages. Raise `DeckAdditionError`.
    """
    node, _ = yaml_nodes.load(text, name)
    before: Any = node.to_plain() if node else None
    old = before.get(key) if isinstance(before, Mapping) else None
    new = value if old is None else {**old, **value} if isinstance(value, Mapping) else old + value
    lines = text.rstrip("\n").split("\n")
    at = next((n for n, line in enumerate(lines) if line.startswith(f"{key}:")), len(lines))
    end = next(
        (n for n in range(at + 1, len(lines)) if lines[n] and lines[n][0] not in " #-\r"),
        len(lines),
    )
    while end > at + 1 and not lines[end - 1].startswith((" ", "-")):
        end -= 1  # comments and blank lines belong to what follows
    is_block = at < len(lines) and lines[at].partition("#")[0].strip() == f"{key}:" and old
    if is_block:
        indent = next(len(each) - len(each.lstrip()) for each in lines[at + 1 :] if each.strip()
                      and not each.lstrip().startswith("#"))  # fmt: skip
        lines[end:end] = _format_entries(value, indent)
    else:
        lines[at:end] = [f"{key}:", *_format_entries(new, 2)] if old or not isinstance(
            new, bool) else [yaml_writer.format_block({key: new})]  # fmt: skip
    made = "\n".join(lines) + "\n"
    read, wrong = yaml_nodes.load(made, name)
    if wrong or read is None or read.to_plain() != {**(before or {}), key: new}:
        said = "\n".join([f"{key}:", *_format_entries(value, 2)])
        raise DeckAdditionError(f"{name} cannot be edited automatically; add this to it:\n{said}")
    return made


def _format_entries(value: Any, indent: int) -> list[str]:
    if isinstance(value, Mapping):
        return [yaml_writer.format_block(value, indent)]
    entries = "\n".join(yaml_writer.format_entry(each) for each in value).split("\n")
    return [" " * indent + line[2:] for line in entries]
