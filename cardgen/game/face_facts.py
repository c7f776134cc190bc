"""What is known of a face once it is laid out: its named places and its texts, as plain values.

Lengths in mm from the trim's top left, x to the right and y down, whatever bleed there is.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

from cardgen.core.problems import did_you_mean

PLACE_NAME = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*\Z")
"""What a place may be called."""
Rect = tuple[float, float, float, float]
"""Left, top, width, height."""


@dataclass(frozen=True)
class NamedPlace:
    """The border box of an element with `data-place`, transforms applied, and the template's line
    as `name:line`."""

    left: float
    top: float
    width: float
    height: float
    template_line: str = ""

    @property
    def middle(self) -> tuple[float, float]:
        return self.left + self.width / 2, self.top + self.height / 2


@dataclass(frozen=True)
class FaceText:
    """Texts of a face that are set alike: what `data-text` calls them ("" without it), their size
    in pt, their colour #rrggbb and opacity 0 to 1, the template's line, and the first of their
    words. `icon` tells signs of the icons' font.

    `boxes` are what their small letters cover, one a line; `turned` says that these boxes are those
    of slanting lines, of which the middle alone is certain. `halos` are colours in which the same
    words are painted just under them.
    """

    kind: str
    size: float
    colour: str
    opacity: float
    template_line: str
    excerpt: str
    boxes: tuple[Rect, ...]
    is_icon: bool = False
    is_slanted: bool = False
    halos: tuple[str, ...] = ()


@dataclass(frozen=True)
class FaceFacts:
    """A face's places by their names, and its texts in the order in which they are painted."""

    places: Mapping[str, NamedPlace] = field(default_factory=dict)
    texts: tuple[FaceText, ...] = ()

    def to_json(self) -> Any:
        """The facts as JSON has them."""
        return {
            "places": {name: [*vars(place).values()] for name, place in self.places.items()},
            "texts": [[*vars(text).values()] for text in self.texts],
        }


def parse_face_facts(kept: Any) -> FaceFacts | None:
    """Facts out of JSON; None of what is none."""
    try:
        places = {str(name): NamedPlace(*found) for name, found in kept["places"].items()}
        texts = tuple(_parse_face_text(*found) for found in kept["texts"])
    except (AttributeError, LookupError, TypeError, ValueError):
        return None
    return FaceFacts(places, texts)


def _parse_face_text(*found: Any) -> FaceText:
    read = FaceText(*found)
    left_out = {"boxes", "halos"}
    plain = {name: value for name, value in vars(read).items() if name not in left_out}
    boxes = tuple((float(x), float(y), float(w), float(h)) for x, y, w, h in read.boxes)
    return FaceText(**plain, boxes=boxes, halos=tuple(map(str, read.halos)))


def format_unknown_place(name: str, what: str, places: Collection[str]) -> str:
    """What is said of a place that a face does not have."""
    if not places:
        return (
            f"{what} names no place '{name}', nor any other; a template names one by "
            f'data-place="{name}"'
        )
    if {"*", "?"} & set(name):
        return f"{what} names no place '{name}'; a place here is one name, patterns are for rules"
    return f"{what} names no place '{name}'{did_you_mean(name, places)}"


class FaceFactsSource(Protocol):
    """What is known of a game's faces as they are now."""

    def get_facts(self, deck: str, card: str, side: str, language: str) -> FaceFacts | None:
        """Those of a face; None where it is not set yet, or cannot be."""

    def get_contrasts(
        self, deck: str, card: str, side: str, language: str
    ) -> tuple[float, ...] | None:
        """How each of a face's texts, in their order, is told from what is painted under it: a
        ratio from 1 to 21. None where that is not known."""


class NoFaceFacts:
    """Where no face is known."""

    def get_facts(self, deck: str, card: str, side: str, language: str) -> FaceFacts | None:
        """None."""
        del deck, card, side, language
        return None

    def get_contrasts(
        self, deck: str, card: str, side: str, language: str
    ) -> tuple[float, ...] | None:
        """None."""
        del deck, card, side, language
        return None


NO_FACE_FACTS: FaceFactsSource = NoFaceFacts()
