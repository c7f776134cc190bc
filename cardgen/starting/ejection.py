"""A look written out as templates of the deck's own, for designers who outgrow it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

from cardgen.core import yaml_nodes
from cardgen.game import fonts_file
from cardgen.game.fonts_file import BUILTIN_FAMILIES, FONTS_FILE, FontEntry
from cardgen.game.game_folder import TEMPLATES_FOLDER
from cardgen.game.look_templates import LOOK_PREFIX
from cardgen.game.model import Deck, Field
from cardgen.runtime import game_files, safe_files
from cardgen.starting import yaml_writer

_KEY_LINE = re.compile(r"([A-Za-z_]+):")
_CONTENT_KEYS = frozenset({"fields", "rows", "columns", "cards"})
"""Keys before which others may stand."""


_LOOK_KEYS = frozenset({"look", "places", "style"})
_SIMPLE_PLACE = re.compile(
    r"^\{% set place\.(?P<place>\w+) = (?P<path>card\.\w+|none) %\}\n", re.MULTILINE
)


class EjectError(Exception):
    """The deck cannot be ejected; the message says why."""


def prepare_ejection(deck: Deck, root: Path) -> dict[str, str]:
    """Return the files to write by their paths, the deck's own among them. Raise `EjectError`."""
    if not deck.look:
        raise EjectError(f"{deck.id} has no look; its templates are yours already")
    prefix = f"{LOOK_PREFIX}{deck.id}/"
    front, back = deck.front.startswith(prefix), deck.back.startswith(prefix)
    files = {
        f"{deck.id}.css": "\n".join(
            text for name, text in deck.look_templates.items() if name.endswith(".css")
        )
    }
    if front:
        files[f"{deck.id}.html"] = _name_fields(deck.look_templates[deck.front])
    if back:
        files[f"{deck.id}-back.html"] = deck.look_templates[deck.back]
    css = files[f"{deck.id}.css"]
    for name in (name for name in files if name.endswith(".html")):
        files[name] = re.sub(
            r" (?:has-\w+|texture-\w+)",
            lambda each: each[0] * (f".{each[0][1:]}" in css),
            files[name],
        )
    drawings = (name for name in deck.look_templates if name.endswith(".svg"))
    files |= {name.rpartition("/")[2]: deck.look_templates[name] for name in drawings}
    found = {f"{TEMPLATES_FOLDER}/{name}": text for name, text in files.items()}
    for name in found:
        if game_files.has_entry(root, name):
            raise EjectError(f"{name} is there already; move it away first")
    found |= _list_fonts(deck, root)
    own = deck.source.path
    text, why = game_files.read_text(root, own)
    if why:
        raise EjectError(f"{own} {why}")
    keys: dict[str, object] = {
        "size": str(deck.size).removesuffix(" mm").replace("×", "x"),
        "front": f"{deck.id}.html" if front else deck.front,
        "back": f"{deck.id}-back.html" if back else deck.back or "none",
        "styles": [
            f"{deck.id}.css",
            *(name for name in deck.styles if not name.startswith(LOOK_PREFIX)),
        ],
    }
    found[own] = _rewrite_deck(text, dict(keys), deck.fields)
    if not _is_equivalent(found[own], text, own, keys):
        lines = yaml_writer.format_block(keys)
        raise EjectError(f"{own} cannot be edited automatically; replace its keys with:\n{lines}")
    return found


def _list_fonts(deck: Deck, root: Path) -> dict[str, str]:
    """Return fonts.yaml with the families of the look that come with cardgen, if it lacks some."""
    named = [family for family in BUILTIN_FAMILIES if family.name in deck.look_families]
    if not game_files.has_entry(root, FONTS_FILE):
        entries = [FontEntry.of_builtin(family) for family in named if not family.is_basic]
        return {FONTS_FILE: fonts_file.format_fonts_file(entries)} if entries else {}
    text, why = game_files.read_text(root, FONTS_FILE)
    node, _ = yaml_nodes.load(text, FONTS_FILE)
    fonts = node.get("fonts") if node else None
    families = [each.get("family") for each in fonts.list_nodes()] if fonts else []
    listed = {family.text for family in families if family}
    entries = [FontEntry.of_builtin(family) for family in named if family.name not in listed]
    if not entries:
        return {}
    added = None if why else fonts_file.append_families(text, entries)
    if added is None:
        names = ", ".join(entry.family for entry in entries)
        raise EjectError(f"{FONTS_FILE} cannot be edited automatically; add to its list: {names}")
    return {FONTS_FILE: added}


def _name_fields(html: str) -> str:
    """Return a front that names fields of cards instead of places, without boxes for nothing."""
    for match in _SIMPLE_PLACE.finditer(html):
        place, path = f"place\\.{match['place']}\\b", match["path"]
        html = html.replace(match[0], "", 1)
        if path == "none":
            box = (
                rf"^\{{% if {place}(?: is not none)? %\}}\n(?:(?!\{{% endif).*\n)*\{{% endif %\}}\n"
            )
            html = re.sub(box, "", html, flags=re.MULTILINE)
        html = re.sub(place, path, html)
    return html


def write_ejection(files: Mapping[str, str | bytes], root: Path) -> None:
    """Write the files into the game. Raise `PathBlockedError` with nothing written."""
    for name in files:
        safe_files.check_target(root, name)
    for name, text in files.items():
        folder = safe_files.ensure_folder(root, Path(name).parent.parts)
        data = text.encode() if isinstance(text, str) else text
        safe_files.replace_file(folder / Path(name).name, data)


def _rewrite_deck(text: str, keys: dict[str, object], fields: Mapping[str, Field]) -> str:
    """Return a deck's file that names templates instead of a look and keeps all other lines."""
    lines = text.split("\n")
    there = {key for line in lines if (key := _parse_key(line))}
    if "size" in there:
        del keys["size"]
    if keys["back"] == "none":
        del keys["back"]
    wanted = dict(keys)
    if "fields" not in there and all(_KEY_LINE.match(f"{name}:") for name in fields):
        wanted["fields"] = {name: field.kind for name, field in fields.items()}
    dropped = {*_LOOK_KEYS, "back", *keys}
    kept: list[str] = []
    dropping, placed = False, False
    for line in lines:
        key = _parse_key(line)
        if key or (line and not line[0].isspace() and not line.startswith("#")):
            dropping = key in dropped
            if key == "look":
                kept.append(yaml_writer.format_block(wanted))
                placed = True
        if not dropping or (not line.strip() or line.startswith("#")):
            kept.append(line)
    if not placed:
        at = next(
            (n for n, line in enumerate(kept) if _parse_key(line) in _CONTENT_KEYS), len(kept)
        )
        kept.insert(at, yaml_writer.format_block(wanted))
    return "\n".join(kept)


def _is_equivalent(now: str, before: str, name: str, keys: Mapping[str, object]) -> bool:
    """Return true where a deck's file says what it said, but for the look and these keys."""
    (new, wrong), (old, _) = yaml_nodes.load(now, name), yaml_nodes.load(before, name)
    if wrong or new is None or old is None or not (new.is_mapping and old.is_mapping):
        return False
    said, kept = new.to_plain(), old.to_plain()
    same = all(said.get(key) == kept[key] for key in kept.keys() - {*_LOOK_KEYS, *keys})
    there = {"size"} if "size" in kept else set()
    return same and "look" not in said and keys.keys() - there - {"back"} <= said.keys()


def _parse_key(line: str) -> str:
    found = _KEY_LINE.match(line)
    return found[1] if found else ""
