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
_LOOK_HINT = "expected KEY: VALUE, as 'cardgen looks --new NAME' writes it"
STYLE_KEYS = ("fonts", "text_size", "colours")
"""Keys that the style of every look has."""
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
    files = game_files.list_files(root, LOOKS_FOLDER, f"/{LOOK_FILE}")
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
    """Return a look of the game or of cardgen; in place of one that cannot be read, another."""
    if name in _list_own(root) and (look := _read_own(name, root, lambda *_, **__: None)):
        return look
    return look_catalogue.load_look(name if name in look_catalogue.list_looks() else _MODEL)


def _read_own(name: str, root: Path, report: LookReport) -> Look | None:
    folder = f"{LOOKS_FOLDER}/{name}"
    files: dict[str, str] = {}
    for file in game_files.list_files(root, folder, deep=False):
        if look_catalogue.is_look_file(PurePosixPath(file).name):
            text, why = game_files.read_text(root, file)
            files[PurePosixPath(file).name] = text
            if why:
                report(Source(file), f"the file {why}", "file")
                return None
    node, problems = yaml_nodes.load(files[LOOK_FILE], f"{folder}/{LOOK_FILE}")
    for problem in problems:
        report(problem.source, problem.message, problem.kind)
    if node is None or not node.is_mapping:
        if node is not None:
            report(node.source, f"the look is {node.describe()}; {_LOOK_HINT}", "type")
        return None
    for file in (FRONT_FILE, STYLE_FILE):
        if file not in files:
            report(node.source, f"the look has no {folder}/{file}", "file")
    model = look_catalogue.load_look(_MODEL).style
    kept = {key: child for key, child in model.items() if key in STYLE_KEYS}
    model_style = Node(kept, node.source)
    given = read_keys(node, _LOOK_KEYS, "the look", report)
    plain = {
        **node.value,
        "least": Node(given["least"], node.source),
        "size": Node(given["size"], node.source),
        "style": model_style.merge(_check_style(given["style"], model_style, report), 2),
        "offers": _check_offers(given["offers"], report),
        "places": _check_places(given["places"], report),
        "back": _check_back(given["back"], report),
    }
    look = look_catalogue.make_look(name, Node(plain, node.source, node.keys), files)
    return replace(look, folder=folder)


def _check_style(node: Node | None, model: Node, report: LookReport) -> Node:
    """Return a style whose fonts and colours have names of the model's."""
    found = dict(node.items()) if node else {}
    for key, own in model.items():
        given = found.get(key)
        if given is None or not own.is_mapping or (key == "fonts" and given.is_scalar):
            continue
        if not given.is_mapping:
            known = ", ".join(f"{name}: …" for name, _ in own.items())
            report(given.source, f"{key} is {given.describe()}; expected {{{known}}}", "type")
        for name, hint in given.find_unknown_keys(own.value):
            report(given.keys[name], f"a look has no '{name}' in its {key}{hint}", "fields")
        kept = {name: child for name, child in given.items() if own.get(name)}
        found[key] = Node(kept, given.source, given.keys)
    return Node(found, node.source, node.keys) if node else model


def _check_back(node: Node | None, report: LookReport) -> Node:
    """Return the settings of the back that are words or numbers."""
    for key, child in node.items() if node else ():
        if not child.is_scalar or child.value is None:
            message = f"{key} is {child.describe()}; expected a word or a number"
            report(child.source, message, "type")
    listed = node.items() if node else ()
    kept = {key: each for key, each in listed if each.is_scalar and each.value is not None}
    return Node(kept, node.source if node else Source(LOOK_FILE))


def _check_offers(node: Node | None, report: LookReport) -> Node:
    """Return the choices whose names and words can be part of a class name."""
    found = {}
    for key, child in node.items() if node else ():
        words = child.list_nodes()
        if key in STYLE_KEYS:
            report(child.source, f"every look has {key}; choose another name", "fields")
        elif words and all(_WORD.match(each) for each in (key, *(word.text for word in words))):
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
        elif kind is not None and not (kind.is_scalar and kind.value in TYPES_BY_PLACE):
            hint = did_you_mean(kind.text, TYPES_BY_PLACE)
            report(kind.source, f"kind is {kind.describe()}{hint}", "fields")
        elif not child.is_mapping or (fields is not None and not fields.is_list):
            message = f"the place {key} is written {key}: {{fields: [name, title], kind: text}}"
            report(child.source, message, "type")
        else:
            found[key] = child
    return Node(found, node.source) if node else Node({}, Source(LOOK_FILE))
