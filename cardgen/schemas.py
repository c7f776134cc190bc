"""JSON Schemas of a game's files, by which an editor completes names and underlines mistakes.

They are made of the tables by which the files are read, and of what the game holds: its languages,
decks, fields, cards, icons, colours and templates. They are written beside the game, for whichever
editor; Visual Studio Code is told of them in its own settings.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any

from cardgen.base import filing, jsontext, paths, schema
from cardgen.base.jsontext import NotJson
from cardgen.base.schema import Schema, either, mapping, one_of, references
from cardgen.game import deck_keys, decks, fields, fonts_file, loading, table_file
from cardgen.game.model import Deck, Game
from cardgen.rules import composition

DRAFT = "http://json-schema.org/draft-07/schema#"
FOLDER = ".cardgen"
SETTINGS = ".vscode/settings.json"
_KEY = "yaml.schemas"
_OURS = f"./{FOLDER}/"
_INDENT = re.compile(r"\n([ \t]+)\S")


@dataclass(frozen=True)
class Written:
    """How many schemas lie there now; why the editor's settings could not be told of them, "" if
    they could, and what belongs into them."""

    count: int
    why: str
    settings: str


def write(game: Game) -> Written:
    """Write the schemas of a game into its folder, and name them in the settings of Visual Studio
    Code. What lies there of files that are gone goes. Raises `Blocked`, with nothing written."""
    root = game.root
    made = {_place(path): _json(found) for path, found in of_game(game).items()}
    for name in (*made, SETTINGS):
        filing.check(root, name)
    for name in paths.listed(root, FOLDER, ".json"):
        if name not in made:
            filing.remove(root / name)
            filing.tidy(root, name)
    for name, text in made.items():
        _put(root, name, text)
    named = {f"./{_place(path)}": f"/{path}" for path in of_game(game)}
    text, why = paths.read_text(root, SETTINGS)
    if not paths.there(root, SETTINGS):
        text, why = "", ""
    settings, why = merged(text, named) if not why else ("", f"the file {why}")
    if not why:
        _put(root, SETTINGS, settings)
    return Written(len(made), why, _json({_KEY: named}))


def _place(path: str) -> str:
    return f"{FOLDER}/{PurePosixPath(path).with_suffix('.json')}"


def _put(root: Path, name: str, text: str) -> None:
    *folders, last = PurePosixPath(name).parts
    folder = filing.folder(root, folders)
    if paths.read_text(root, name)[0] != text:
        filing.put(folder / last, text.encode())


def _json(value: Any) -> str:
    return json.dumps(value, indent=1, ensure_ascii=False) + "\n"


def merged(text: str, named: Mapping[str, str]) -> tuple[str, str]:
    """Settings with these schemas in the place of those that were ours, all else as it was; and why
    that cannot be, "" if it can."""
    try:
        data = jsontext.parse(text) if text.strip() else {}
    except NotJson as error:
        where = f"line {error.line}: " if error.line else ""
        return "", f"{where}{error}"
    known = data.get(_KEY, {}) if isinstance(data, dict) else None
    if not isinstance(known, dict):
        return "", f"'{_KEY}' is not what it should be"
    kept = {key: files for key, files in known.items() if not key.startswith(_OURS)}
    data[_KEY] = {**kept, **named}
    found = _INDENT.search(text)
    return json.dumps(data, indent=found[1] if found else 2, ensure_ascii=False) + "\n", ""


def of_game(game: Game) -> dict[str, Schema]:
    """The schema of each file of a game that is, or may be, there; by the file's path."""
    heads = decks.heads(game.root)
    known = {**_definitions(game, heads), **deck_keys.DEFINITIONS}
    by_path = {deck.source.path: deck for deck in game.decks}
    found: dict[str, Schema] = {
        loading.FILE: loading.SCHEMA,
        table_file.FILE: table_file.SCHEMA,
        fonts_file.FILE: fonts_file.SCHEMA,
        composition.FILE: composition.file_schema(),
    }
    for path, head in heads.items():
        deck = by_path.get(path)
        if head.get("kind") is not None:
            found[path] = deck_keys.kind_schema()
        else:
            found[path] = deck_keys.deck_schema(deck.fields if deck else None)
    return {path: _whole(path, made, known) for path, made in sorted(found.items())}


def _whole(path: str, made: Schema, known: Mapping[str, Schema]) -> Schema:
    """A schema with the definitions that it needs, those of its definitions included."""
    needed: dict[str, Schema] = {}
    waiting = list(references(made))
    while waiting:
        name = waiting.pop()
        if name not in needed:
            needed[name] = known.get(name, {})
            waiting += references(needed[name])
    return {
        "$schema": DRAFT,
        "title": path,
        "$comment": "written by 'cardgen schema'",
        **made,
        "definitions": dict(sorted(needed.items())),
    }


def _definitions(game: Game, heads: Mapping[str, Any]) -> dict[str, Schema]:
    """What the game's own names are."""
    names = [
        str(node.value)
        for head in heads.values()
        if (node := head.get("deck") or head.get("kind")) is not None
    ]
    return {
        "text": _text(game.languages),
        "language": one_of(game.languages),
        "icon": one_of(sorted(game.icons)),
        "colour": one_of(sorted(game.colours)),
        "deck": one_of(deck.id for deck in game.decks),
        "like": one_of(sorted(names)),
        "template": one_of(_files(game, "templates", ".html")),
        "style": one_of(_files(game, "templates", ".css")),
        **{fields.cards_of(deck.id): one_of(_ids(deck)) for deck in game.decks},
    }


def _text(languages: Iterable[str]) -> Schema:
    each = list(languages)
    whole = mapping(dict.fromkeys(each, schema.WORD), each)
    return either(schema.WORD, whole) if len(each) == 1 else whole


def _files(game: Game, folder: str, ending: str) -> list[str]:
    return [name.removeprefix(f"{folder}/") for name in paths.listed(game.root, folder, ending)]


def _ids(deck: Deck) -> list[str]:
    """A card of every player may be named without its player, too."""
    return sorted({piece.entry for piece in deck.pieces} | {p.id for p in deck.pieces})
