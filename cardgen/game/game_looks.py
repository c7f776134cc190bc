"""Looks of a game, below `looks/`: each a folder like those that come with cardgen.

They may come from a stranger: their templates run in the sandbox, as all templates do, and what
stands in look.yaml is checked before any of it gets into a template.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path, PurePosixPath

from cardgen.core import json_schema, yaml_nodes
from cardgen.core.problems import Source, did_you_mean
from cardgen.core.units import CARD_SIZES, parse_size
from cardgen.core.yaml_nodes import Node
from cardgen.game.keys import Key, read_keys
from cardgen.game.look_places import TYPES_BY_PLACE, LookReport
from cardgen.looks import look_catalogue
from cardgen.looks.look_catalogue import FRONT_FILE, LOOK_FILE, STYLE_FILE, Look
from cardgen.runtime import game_files

LOOKS_FOLDER = "looks"
_MODEL = "classic"
"""The look whose fonts and colours stand in where a look.yaml has none."""
_NAME = re.compile(r"[a-z][a-z0-9_]*\Z")
_WORD = re.compile(r"[a-z][a-z0-9-]*\Z")
_LOOK_KEYS: Mapping[str, Key] = {
    "title": Key.word(),
    "about": Key.word(),
    "size": Key(
        json_schema.STRING, lambda node: node.text if parse_size(node.text, CARD_SIZES) else None,
        "a size such as poker or 63.5 x 88.9", "poker", kind="size",
    ),
    "least": Key.number(5, 1200, default=25),
    "style": Key.mapping(),
    "offers": Key.mapping(example="title: [top, bottom]"),
    "back": Key.mapping(example="pattern: rings"),
    "two_sided": Key.flag(default=False),
    "places": Key.mapping(example="title: {fields: [name], kind: text}"),
}  # fmt: skip


def list_looks(root: Path) -> list[str]:
    """Return the names of the looks that a deck may name: the game's and those of cardgen."""
    return sorted({*_list_own(root), *look_catalogue.list_looks()})


def _list_own(root: Path) -> list[str]:
    files = game_files.list_files(root, LOOKS_FOLDER, LOOK_FILE)
    folders = (PurePosixPath(file).parent for file in files)
    return [each.name for each in folders if len(each.parts) == 2]


def read_look(node: Node | None, root: Path, report: LookReport) -> Look | None:
    """Return the look that a deck names; None if there is none. One of the game goes before."""
    if node is None:
        return None
    if node.is_scalar and node.text in _list_own(root):
        return _read_own(node.text, root, report)
    if node.value not in look_catalogue.list_looks():
        hint = did_you_mean(node.text if node.is_scalar else "", list_looks(root))
        report(node.source, f"look is {node.describe()}{hint}", "template")
        return None
    return look_catalogue.load_look(str(node.value))


def find_look(name: str, root: Path) -> Look:
    """Return a look that a deck of the game uses."""
    if name in _list_own(root) and (look := _read_own(name, root, lambda *_, **__: None)):
        return look
    return look_catalogue.load_look(name)


def _read_own(name: str, root: Path, report: LookReport) -> Look | None:
    folder = f"{LOOKS_FOLDER}/{name}"
    files: dict[str, str] = {}
    for file in game_files.list_files(root, folder, deep=False):
        if look_catalogue.is_look_file(PurePosixPath(file).name):
            text, why = game_files.read_text(root, file)
            files[PurePosixPath(file).name] = text
            if why:
                report(Source(file), f"the file {why}", "file")
    node, problems = yaml_nodes.load(files[LOOK_FILE], f"{folder}/{LOOK_FILE}")
    for problem in problems:
        report(problem.source, problem.message, problem.kind)
    if node is None or not node.is_mapping:
        return None
    for file in (FRONT_FILE, STYLE_FILE):
        if file not in files:
            report(node.source, f"the look has no {folder}/{file}", "file")
    model = look_catalogue.load_look(_MODEL).style
    kept = {key: child for key, child in model.items() if key in {"fonts", "text_size", "colours"}}
    given = read_keys(node, _LOOK_KEYS, "the look", report)
    plain = {
        **node.value,
        "least": Node(given["least"], node.source),
        "size": Node(given["size"], node.source),
        "style": Node(kept, node.source).merge(given["style"] or Node({}, node.source), 2),
        "offers": _check_offers(given["offers"], report),
        "places": _check_places(given["places"], report),
        "back": given["back"] or Node({}, node.source),
    }
    look = look_catalogue.make_look(name, Node(plain, node.source, node.keys), files)
    return replace(look, folder=folder)


def _check_offers(node: Node | None, report: LookReport) -> Node:
    """Return the choices whose names and words can be part of a class name."""
    found = {}
    for key, child in node.items() if node else ():
        words = child.list_nodes()
        if words and all(_WORD.match(each) for each in (key, *(word.text for word in words))):
            found[key] = child
        else:
            message = f"{key} is {child.describe()}; expected words such as [top, bottom]"
            report(child.source, message, "fields")
    return Node(found, node.source) if node else Node({}, Source(LOOK_FILE))


def _check_places(node: Node | None, report: LookReport) -> Node:
    """Return the places that have a name for templates and a known kind."""
    found = {}
    for key, child in node.items() if node else ():
        kind = child.get("kind")
        fields = child.get("fields")
        if not _NAME.match(key):
            message = f"a place has a name of a to z, digits and _, not '{key}'"
            report(child.source, message, "fields")
        elif kind is not None and kind.value not in TYPES_BY_PLACE:
            hint = did_you_mean(kind.text, TYPES_BY_PLACE)
            report(kind.source, f"kind is {kind.describe()}{hint}", "fields")
        elif not child.is_mapping or (fields is not None and not fields.is_list):
            message = f"the place {key} is written {key}: {{fields: [name, title], kind: text}}"
            report(child.source, message, "type")
        else:
            found[key] = child
    return Node(found, node.source) if node else Node({}, Source(LOOK_FILE))
