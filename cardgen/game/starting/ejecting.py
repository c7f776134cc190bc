"""A deck's look written down as templates of its own, for who outgrows it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

from cardgen.base import filing, paths, yamlnodes
from cardgen.game.folder import TEMPLATES
from cardgen.game.looks import catalogue
from cardgen.game.looks.drawing_up import MARK
from cardgen.game.model import Deck, Field
from cardgen.game.starting import yaml_text

_KEY = re.compile(r"([A-Za-z_]+):")
_LATER = frozenset({"fields", "rows", "columns", "cards"})
"""Keys before which others may stand."""


class NotNow(Exception):  # noqa: N818 - it reads as what it says
    """The deck cannot be ejected; the text says why."""


def ejected(deck: Deck, root: Path) -> dict[str, str]:
    """The files to write, the deck's own among them, by their paths. Raises `NotNow`."""
    if not deck.look:
        raise NotNow(f"{deck.id} has no look; its templates are yours already")
    front, back = deck.front.startswith(MARK), deck.back.startswith(MARK)
    files = {f"{deck.id}.css": catalogue.of(deck.look).text(catalogue.STYLE)}
    if front:
        files[f"{deck.id}.html"] = deck.written[deck.front]
    if back:
        files[f"{deck.id}-back.html"] = deck.written[deck.back]
    found = {f"{TEMPLATES}/{name}": text for name, text in files.items()}
    for name in found:
        if paths.there(root, name):
            raise NotNow(f"{name} is there already; move it away first")
    own = deck.source.path
    text, why = paths.read_text(root, own)
    if why:
        raise NotNow(f"{own} {why}")
    keys: dict[str, object] = {
        "size": str(deck.size).removesuffix(" mm").replace("×", "x"),
        "front": f"{deck.id}.html" if front else deck.front,
        "back": f"{deck.id}-back.html" if back else deck.back or "none",
        "styles": [f"{deck.id}.css", *(name for name in deck.styles if not name.startswith(MARK))],
    }
    found[own] = _rewritten(text, dict(keys), deck.fields)
    if not _says(found[own], text, own, keys):
        lines = yaml_text.block(keys)
        raise NotNow(f"{own} is not written a key a line; so put there yourself:\n{lines}")
    return found


def put(files: Mapping[str, str], root: Path) -> None:
    """Write the files into the game. Raises `filing.Blocked`."""
    for name in files:
        filing.check(root, name)
    for name, text in files.items():
        folder = filing.folder(root, Path(name).parent.parts)
        filing.put(folder / Path(name).name, text.encode())


def _rewritten(text: str, keys: dict[str, object], fields: Mapping[str, Field]) -> str:
    """A deck's file that names templates instead of a look; all else stays as it stands."""
    lines = text.split("\n")
    there = {key for line in lines if (key := _key(line))}
    if "size" in there:
        del keys["size"]
    if keys["back"] == "none":
        del keys["back"]
    wanted = dict(keys)
    if "fields" not in there and all(_KEY.match(f"{name}:") for name in fields):
        wanted["fields"] = {name: field.kind for name, field in fields.items()}
    dropped = {"look", "places", "back", *keys}
    kept: list[str] = []
    dropping, placed = False, False
    for line in lines:
        key = _key(line)
        if key or (line and not line[0].isspace() and not line.startswith("#")):
            dropping = key in dropped
            if key == "look":
                kept.append(yaml_text.block(wanted))
                placed = True
        if not dropping or (not line.strip() or line.startswith("#")):
            kept.append(line)
    if not placed:
        at = next((n for n, line in enumerate(kept) if _key(line) in _LATER), len(kept))
        kept.insert(at, yaml_text.block(wanted))
    return "\n".join(kept)


def _says(now: str, before: str, name: str, keys: Mapping[str, object]) -> bool:
    """Whether a deck's file says what it said, but for the look, and those keys."""
    (new, wrong), (old, _) = yamlnodes.load(now, name), yamlnodes.load(before, name)
    if wrong or new is None or old is None or not (new.is_mapping and old.is_mapping):
        return False
    said, kept = new.plain(), old.plain()
    same = all(said.get(key) == kept[key] for key in kept.keys() - {"look", "places", *keys})
    there = {"size"} if "size" in kept else set()
    return same and "look" not in said and keys.keys() - there - {"back"} <= said.keys()


def _key(line: str) -> str:
    found = _KEY.match(line)
    return found[1] if found else ""
