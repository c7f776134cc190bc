"""Catalogue of the looks: the size, the colours and the slots of each, read from its look.yaml."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from cardgen.core import yaml_nodes
from cardgen.core.yaml_nodes import Node

LOOKS_FOLDER = Path(__file__).parent
LOOK_FILE = "look.yaml"
STYLE_FILE = "look.css"
FRONT_FILE, BACK_FILE = "front.html", "back.html"
BASE_STYLE_FILE = "base.css"
"""Rules that all looks share."""
SHARED_BACK_FILE = "plaque.html"
"""Back template of every look without its own back.html; `back:` in look.yaml sets its pattern."""
DEFAULT_BACK: Mapping[str, str | float] = {"pattern": "rings", "step": 5, "shape": "notched"}
"""Settings of the shared back, unless look.yaml has others."""
BODY_SLOTS = ("text", "flavour")
"""Slots whose texts share a box."""
TEXT_SLOT_KINDS = ("text", "value", "list", "record")
"""Kinds of slots that can be filled with a constant text instead of a field."""
GROUND_BOX = '<div class="bleed paper"></div>'
"""Box of the ground. A look with it offers textures, which are drawn there."""
TEXTURE_KEY, TEXTURES = "texture", ("none", "linen", "laid")
LANGUAGE_WORD = re.compile(r"[^\W\d_]{3}")
"""Three letters in a row: such a text most likely belongs to one language."""


@dataclass(frozen=True)
class LookSlot:
    """Slot of a look, called a place in deck.yaml.

    `kind` is text, value, picture, list, record, colour or icon. The first field of
    `default_fields` that the deck has fills the slot, unless the deck names another.
    """

    name: str
    kind: str
    default_fields: tuple[str, ...]
    description: str


@dataclass(frozen=True)
class Look:
    """Design of a card: the size it was drawn for, the shortest side in mm, style and slots.

    `style` has the default of everything that a deck may say under `style:`, and `offers` the words
    of each choice; a face gets the class KEY-WORD of the chosen one. `back` has the settings of the
    shared back template: `pattern`, `step` in mm and `shape` of the frames.
    """

    name: str
    title: str
    description: str
    size: str
    min_side: float
    style: Node
    offers: Mapping[str, tuple[str, ...]]
    slots: Mapping[str, LookSlot]
    back: Mapping[str, str | float]
    files: Mapping[str, str]
    """Texts of its templates, its stylesheet and its drawings."""
    folder: str = ""
    """Folder of the game that it stands in; "" for one that comes with cardgen."""
    is_two_sided: bool = False
    """True if its back has the slots of the card as well, such as the reduced side of a unit."""

    @property
    def colours(self) -> dict[str, str]:
        """Ink, paper and accent, and others that are written out."""
        colours = self.style.get("colours")
        listed = colours.items() if colours else ()
        return {name: child.text for name, child in listed if child.text.startswith("#")}

    def read_file(self, file: str) -> str:
        """Return the text of front.html, back.html or look.css."""
        if file == BACK_FILE and file not in self.files:
            return read_shared_file(SHARED_BACK_FILE)
        return self.files.get(file, "")

    @property
    def drawings(self) -> dict[str, str]:
        """Texts of its SVG files."""
        return {name: text for name, text in self.files.items() if name.endswith(".svg")}


@lru_cache
def read_shared_file(name: str) -> str:
    """Return the text of a file that all looks share, such as base.css."""
    return (LOOKS_FOLDER / name).read_text(encoding="utf-8")


@lru_cache
def list_looks() -> tuple[str, ...]:
    """Return the names of all looks, sorted."""
    return tuple(sorted(path.parent.name for path in LOOKS_FOLDER.glob(f"*/{LOOK_FILE}")))


@lru_cache
def load_look(name: str) -> Look:
    """Read the look of that name, one of `list_looks()`."""
    files = {
        path.name: path.read_text(encoding="utf-8")
        for path in sorted((LOOKS_FOLDER / name).glob("*.*"))
        if is_look_file(path.name)
    }
    node, _ = yaml_nodes.load(files[LOOK_FILE], LOOK_FILE)
    assert node is not None
    return make_look(name, node, files)


def is_look_file(name: str) -> bool:
    """Return whether a file in the folder of a look belongs to it."""
    return name in {LOOK_FILE, FRONT_FILE, BACK_FILE, STYLE_FILE} or name.endswith(".svg")


def make_look(name: str, node: Node, files: Mapping[str, str]) -> Look:
    """Return the look that a look.yaml describes."""
    return Look(
        name=name,
        title=_get_text(node, "title"),
        description=_get_text(node, "about"),
        size=_get_text(node, "size"),
        min_side=float(_get_text(node, "least")),
        style=node.get("style") or Node({}, node.source),
        offers={
            **{
                key: tuple(word.text for word in child.list_nodes())
                for key, child in _list_items(node, "offers")
            },
            **({TEXTURE_KEY: TEXTURES} if GROUND_BOX in files.get(FRONT_FILE, "") else {}),
        },
        slots={key: _read_slot(key, child) for key, child in _list_items(node, "places")},
        back={key: child.value for key, child in _list_items(node, "back")} or DEFAULT_BACK,
        files={each: text for each, text in files.items() if each != LOOK_FILE},
        is_two_sided=bool((two_sided := node.get("two_sided")) and two_sided.boolean),
    )


def _list_items(node: Node, key: str) -> list[tuple[str, Node]]:
    child = node.get(key)
    return list(child.items()) if child else []


def _get_text(node: Node, key: str) -> str:
    child = node.get(key)
    return child.text if child else ""


def _read_slot(name: str, node: Node) -> LookSlot:
    fields = node.get("fields")
    names = tuple(child.text for child in fields.list_nodes()) if fields else (name,)
    return LookSlot(name, _get_text(node, "kind") or "text", names, _get_text(node, "about"))
