"""Facts about a face that has been laid out: its named places and its texts, as plain values.

Lengths are mm from the top left corner of the trim, x to the right and y down.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

from cardgen.core.problems import did_you_mean

PLACE_NAME = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*\Z")
"""The pattern of a place's name."""
Rect = tuple[float, float, float, float]
"""Left, top, width and height, mm."""


@dataclass(frozen=True)
class NamedPlace:
    """The border box of an element with `data-place` after transforms, and its line in the template
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
    """Text of a face in one style, with the first of its words in `excerpt`.

    `kind` is its `data-text`, `size` is in pt, `colour` is #rrggbb, `opacity` runs from 0 to 1.
    `boxes` are the rectangles of its small letters, one for each line. Of slanting lines
    (`is_slanted`) only the middle of a box is certain. `halos` are colours in which the same words
    are painted just below. `is_icon` marks characters of the icon font.
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
    """A face's places by name, and its texts in painting order."""

    places: Mapping[str, NamedPlace] = field(default_factory=dict)
    texts: tuple[FaceText, ...] = ()

    def to_json(self) -> Any:
        """Return the facts as a JSON value."""
        return {
            "places": {name: [*vars(place).values()] for name, place in self.places.items()},
            "texts": [[*vars(text).values()] for text in self.texts],
        }


def parse_face_facts(kept: Any) -> FaceFacts | None:
    """Return facts from JSON; None if the value holds none."""
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
    """Return the message about a place that a face does not have."""
    if not places:
        return (
            f"{what} names no place '{name}', nor any other; a template names one by "
            f'data-place="{name}"'
        )
    if {"*", "?"} & set(name):
        return f"{what} names no place '{name}'; a place here is one name, patterns are for rules"
    return f"{what} names no place '{name}'{did_you_mean(name, places)}"


class FaceFactsSource(Protocol):
    """Source of facts about a game's faces."""

    def get_facts(self, deck: str, card: str, side: str, language: str) -> FaceFacts | None:
        """Return the facts of a face; None if it is not typeset yet, or cannot be."""

    def get_contrasts(
        self, deck: str, card: str, side: str, language: str
    ) -> tuple[float, ...] | None:
        """Return the contrast ratio, 1 to 21, of each of a face's texts to what is painted below
        it; None if it is unknown."""


class NoFaceFacts:
    """Source that knows no face."""

    def get_facts(self, deck: str, card: str, side: str, language: str) -> FaceFacts | None:
        """Return None."""
        del deck, card, side, language
        return None

    def get_contrasts(
        self, deck: str, card: str, side: str, language: str
    ) -> tuple[float, ...] | None:
        """Return None."""
        del deck, card, side, language
        return None


NO_FACE_FACTS: FaceFactsSource = NoFaceFacts()
