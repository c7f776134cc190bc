"""The looks there are: what each is for, and the places that a deck's fields can fill."""

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
SHARED_BACK_FILE = "plaque.html"
"""The back of the looks that have none of their own: a pattern and a plaque, as they say."""
TEXT_SLOT_KINDS = ("text", "value", "list", "record")
"""The kinds of places that words fill which no field holds."""
LANGUAGE_WORD = re.compile(r"[^\W\d_]{3}")
"""What is of one language, most often."""


@dataclass(frozen=True)
class LookSlot:
    """A place of a look. `fields` are those that fill it when a deck says nothing; `kind` is text,
    value, picture, list, record, colour or icon."""

    name: str
    kind: str
    default_fields: tuple[str, ...]
    description: str


@dataclass(frozen=True)
class Look:
    """A design of a card: the size that it was drawn for, the least in mm that a side may measure,
    its own colours, its places by name. `back` says of the common back its pattern, the step of
    that in mm, and the shape of its frames; nothing where the look has a back of its own."""

    name: str
    title: str
    description: str
    size: str
    min_side: float
    colours: Mapping[str, str]
    slots: Mapping[str, LookSlot]
    back: Mapping[str, str | float]

    def read_file(self, file: str) -> str:
        """One of its files: front.html, back.html or look.css."""
        own = SHARED_BACK_FILE if file == BACK_FILE and self.back else f"{self.name}/{file}"
        return (LOOKS_FOLDER / own).read_text(encoding="utf-8")


@lru_cache
def list_looks() -> tuple[str, ...]:
    """Every look's name, in the order of the alphabet."""
    return tuple(sorted(path.parent.name for path in LOOKS_FOLDER.glob(f"*/{LOOK_FILE}")))


@lru_cache
def load_look(name: str) -> Look:
    """The look of that name, which must be one of `names`."""
    node, _ = yaml_nodes.load(
        (LOOKS_FOLDER / name / LOOK_FILE).read_text(encoding="utf-8"), LOOK_FILE
    )
    assert node is not None
    return Look(
        name=name,
        title=_get_text(node, "title"),
        description=_get_text(node, "about"),
        size=_get_text(node, "size"),
        min_side=float(_get_text(node, "least")),
        colours={key: child.text for key, child in _list_items(node, "tints")},
        slots={key: _read_slot(key, child) for key, child in _list_items(node, "places")},
        back={key: child.value for key, child in _list_items(node, "back")},
    )


def _list_items(node: Node, key: str) -> list[tuple[str, Node]]:
    child = node.get(key)
    return list(child.items()) if child else []


def _get_text(node: Node, key: str) -> str:
    child = node.get(key)
    return child.text if child else ""


def _read_slot(name: str, node: Node) -> LookSlot:
    fields = node.get("fields")
    filled = tuple(child.text for child in fields.list_nodes()) if fields else ()
    return LookSlot(
        name, _get_text(node, "kind") or "text", filled or (name,), _get_text(node, "about")
    )
