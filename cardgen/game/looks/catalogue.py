"""The looks there are: what each is for, and the places that a deck's fields can fill."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from cardgen.base import yamlnodes
from cardgen.base.yamlnodes import Node

FOLDER = Path(__file__).parent
FILE = "look.yaml"
STYLE = "look.css"
FRONT, BACK = "front.html", "back.html"
PLAQUE = "plaque.html"
"""The back of the looks that have none of their own: a pattern and a plaque, as they say."""
WORDY = ("text", "value", "list", "record")
"""The kinds of places that words fill which no field holds."""
WORD = re.compile(r"[^\W\d_]{3}")
"""What is of one language, most often."""


@dataclass(frozen=True)
class Place:
    """A place of a look. `fields` are those that fill it when a deck says nothing; `kind` is text,
    value, picture, list, record, colour or icon."""

    name: str
    kind: str
    fields: tuple[str, ...]
    about: str


@dataclass(frozen=True)
class Look:
    """A design of a card: the size that it was drawn for, the least in mm that a side may measure,
    its own colours, its places by name. `back` says of the common back its pattern, the step of
    that in mm, and the shape of its frames; nothing where the look has a back of its own."""

    name: str
    title: str
    about: str
    size: str
    least: float
    tints: Mapping[str, str]
    places: Mapping[str, Place]
    back: Mapping[str, str | float]

    def text(self, file: str) -> str:
        """One of its files: front.html, back.html or look.css."""
        own = PLAQUE if file == BACK and self.back else f"{self.name}/{file}"
        return (FOLDER / own).read_text(encoding="utf-8")


@lru_cache
def names() -> tuple[str, ...]:
    """Every look's name, in the order of the alphabet."""
    return tuple(sorted(path.parent.name for path in FOLDER.glob(f"*/{FILE}")))


@lru_cache
def of(name: str) -> Look:
    """The look of that name, which must be one of `names`."""
    node, _ = yamlnodes.load((FOLDER / name / FILE).read_text(encoding="utf-8"), FILE)
    assert node is not None
    return Look(
        name=name,
        title=_word(node, "title"),
        about=_word(node, "about"),
        size=_word(node, "size"),
        least=float(_word(node, "least")),
        tints={key: child.text for key, child in _items(node, "tints")},
        places={key: _place(key, child) for key, child in _items(node, "places")},
        back={key: child.value for key, child in _items(node, "back")},
    )


def _items(node: Node, key: str) -> list[tuple[str, Node]]:
    child = node.get(key)
    return list(child.items()) if child else []


def _word(node: Node, key: str) -> str:
    child = node.get(key)
    return child.text if child else ""


def _place(name: str, node: Node) -> Place:
    fields = node.get("fields")
    filled = tuple(child.text for child in fields.nodes()) if fields else ()
    return Place(name, _word(node, "kind") or "text", filled or (name,), _word(node, "about"))
