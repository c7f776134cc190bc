"""JSON Schemas of a game's files, by which an editor completes names and underlines mistakes.

They are made from the tables by which the files are read, and from the game's own names. They are
written into the game folder; Visual Studio Code finds them by its settings.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any

from cardgen.core import json_schema
from cardgen.core.json_schema import Schema
from cardgen.game import (
    deck_files,
    deck_keys,
    deck_style,
    field_types,
    fonts_file,
    game_looks,
    loader,
    tabletop_file,
)
from cardgen.game.model import Game
from cardgen.rules import rule_file
from cardgen.runtime import game_files, safe_files

JSON_SCHEMA_DRAFT = "http://json-schema.org/draft-07/schema#"
SCHEMA_FOLDER = ".cardgen"
SETTINGS_FILE = ".vscode/settings.json"
_SETTINGS_KEY = "yaml.schemas"
_OWN_PREFIX = f"./{SCHEMA_FOLDER}/"
_FIRST_INDENT = re.compile(r"\n([ \t]+)\S")


@dataclass(frozen=True)
class SchemaReport:
    """How many schemas were written, why the editor's settings could not be changed, and
    their text.
    """

    count: int
    settings_error: str
    settings_text: str


def write_schemas(game: Game) -> SchemaReport:
    """Write the schemas of a game, and name them in the settings of Visual Studio Code.

    Schemas of files that are gone are removed. Raise `PathBlockedError` with nothing written.
    """
    root = game.root
    made = {
        _get_schema_path(path): _format_json(found) for path, found in build_schemas(game).items()
    }
    for name in (*made, SETTINGS_FILE):
        safe_files.check_target(root, name)
    for name in game_files.list_files(root, SCHEMA_FOLDER, ".json"):
        if name not in made:
            safe_files.remove_path(root / name)
            safe_files.remove_empty_folders(root, name)
    for name, text in made.items():
        _write_text(root, name, text)
    named = {f"./{_get_schema_path(path)}": f"/{path}" for path in build_schemas(game)}
    text, why = game_files.read_text(root, SETTINGS_FILE)
    if not game_files.has_entry(root, SETTINGS_FILE):
        text, why = "", ""
    settings, why = merge_settings(text, named) if not why else ("", f"the file {why}")
    if not why:
        _write_text(root, SETTINGS_FILE, settings)
    return SchemaReport(len(made), why, _format_json({_SETTINGS_KEY: named}))


def _get_schema_path(path: str) -> str:
    return f"{SCHEMA_FOLDER}/{PurePosixPath(path).with_suffix('.json')}"


def _write_text(root: Path, name: str, text: str) -> None:
    *folders, last = PurePosixPath(name).parts
    folder = safe_files.ensure_folder(root, folders)
    if game_files.read_text(root, name)[0] != text:
        safe_files.replace_file(folder / last, text.encode())


def _format_json(value: Any) -> str:
    return json.dumps(value, indent=1, ensure_ascii=False) + "\n"


def merge_settings(text: str, named: Mapping[str, str]) -> tuple[str, str]:
    """Return settings with these schemas in place of earlier ones, and an error message or ""."""
    try:
        data = json_schema.parse_json(text) if text.strip() else {}
    except json_schema.InvalidJsonError as error:
        where = f"line {error.line}: " if error.line else ""
        return "", f"{where}{error}"
    known = data.get(_SETTINGS_KEY, {}) if isinstance(data, dict) else None
    if not isinstance(known, dict):
        return "", f"'{_SETTINGS_KEY}' is not what it should be"
    kept = {key: files for key, files in known.items() if not key.startswith(_OWN_PREFIX)}
    data[_SETTINGS_KEY] = {**kept, **named}
    found = _FIRST_INDENT.search(text)
    return json.dumps(data, indent=found[1] if found else 2, ensure_ascii=False) + "\n", ""


def build_schemas(game: Game) -> dict[str, Schema]:
    """Return the schema of each file that the game has or may have, by the file's path."""
    heads = deck_files.read_deck_heads(game.root)
    known = {**_define_names(game, heads), **deck_keys.FIELD_DEFINITIONS}
    by_path = {deck.source.path: deck for deck in game.decks}
    found: dict[str, Schema] = {
        loader.FILE: loader.GAME_SCHEMA,
        tabletop_file.TABLETOP_FILE: tabletop_file.TABLETOP_SCHEMA,
        fonts_file.FONTS_FILE: fonts_file.FONTS_SCHEMA,
        rule_file.RULES_FILE: rule_file.build_rules_schema(),
    }
    for name, folder in deck_style.list_styles(game.root).items():
        if folder == game.root:
            file = f"{deck_style.STYLES_FOLDER}/{name}.yaml"
            found[file] = deck_style.build_style_file_schema()
    for path, head in heads.items():
        deck = by_path.get(path)
        if head.get("kind") is not None:
            found[path] = deck_keys.build_kind_schema()
        else:
            look = game_looks.find_look(deck.look, game.root) if deck and deck.look else None
            found[path] = deck_keys.build_deck_schema(deck.fields if deck else None, look)
    return {path: _bundle_definitions(path, made, known) for path, made in sorted(found.items())}


def _bundle_definitions(path: str, made: Schema, known: Mapping[str, Schema]) -> Schema:
    """Return a schema with all definitions that it needs, also indirectly."""
    needed: dict[str, Schema] = {}
    waiting = list(json_schema.find_references(made))
    while waiting:
        name = waiting.pop()
        if name not in needed:
            needed[name] = known.get(name, {})
            waiting += json_schema.find_references(needed[name])
    return {
        "$schema": JSON_SCHEMA_DRAFT,
        "title": path,
        "$comment": "written by 'cardgen schema'",
        **made,
        "definitions": dict(sorted(needed.items())),
    }


def _define_names(game: Game, heads: Mapping[str, Any]) -> dict[str, Schema]:
    """Return definitions of the game's own names."""
    names = [
        str(node.value)
        for head in heads.values()
        if (node := head.get("deck") or head.get("kind")) is not None
    ]
    text = json_schema.allow_mapping(
        dict.fromkeys(game.languages, json_schema.SCALAR), game.languages
    )
    cards = {
        field_types.get_cards_definition(deck.id): json_schema.allow_values(
            sorted({name for piece in deck.pieces for name in piece.names})
        )
        for deck in game.decks
    }
    single = len(game.languages) == 1
    return {
        "text": json_schema.allow_either(json_schema.SCALAR, text) if single else text,
        "language": json_schema.allow_values(game.languages),
        "icon": json_schema.allow_values(sorted(game.icons)),
        "colour": json_schema.allow_values(sorted(game.colours)),
        "deck": json_schema.allow_values(deck.id for deck in game.decks),
        "like": json_schema.allow_values(sorted(names)),
        "template": json_schema.allow_values(_list_files(game, "templates", ".html")),
        "style": json_schema.allow_values(_list_files(game, "templates", ".css")),
        "font": json_schema.allow_values(
            dict.fromkeys(
                [*(family.name for family in game.fonts.families), *fonts_file.BUILTIN_BY_NAME]
            )
        ),
        "look": json_schema.allow_values(game_looks.list_looks(game.root)),
        "picture": json_schema.allow_values(_list_pictures(game)),
        "look-style": json_schema.allow_values(deck_style.list_styles(game.root)),
        **cards,
    }


def _list_pictures(game: Game) -> list[str]:
    names = _list_files(game, "art", "")
    found = [name for name in names if name.lower().endswith(deck_keys.PICTURE_SUFFIXES)]
    return sorted({*found, *(PurePosixPath(name).name for name in found)})


def _list_files(game: Game, folder: str, ending: str) -> list[str]:
    return [
        name.removeprefix(f"{folder}/") for name in game_files.list_files(game.root, folder, ending)
    ]
