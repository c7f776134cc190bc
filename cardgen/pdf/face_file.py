"""What `typeset` and `compose` agree on about a set face, without either knowing the other."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from hashlib import md5
from pathlib import Path

from cardgen.assets.artwork import BASE_URL
from cardgen.core.problems import Spot

SPARE_PAGE_MM = 400.0
"""Room below a face on its page: what overflows is laid out and measured there instead of being
carried to the next page or dropped."""


@dataclass(frozen=True)
class DraftLayer:
    """What is drawn over a face with which something is wrong: boxes outlined; frames in which
    pictures would stand; words for what shows nowhere; and whether it is marked as a draft."""

    spots: tuple[Spot, ...] = ()
    frames: tuple[Spot, ...] = ()
    messages: tuple[str, ...] = ()
    is_marked: bool = True


@dataclass(frozen=True, slots=True)
class FacePdf:
    """A set face: its PDF, its bleed box and the bleed on every side in mm, and its drawings by
    the art's name. Of pictures that are missing, `missing` tells the proportions."""

    key: str
    path: Path
    width: float
    height: float
    bleed: float
    art: Mapping[str, Path] = field(default_factory=dict)
    missing_art: Mapping[str, tuple[float, float]] = field(default_factory=dict)
    layer: DraftLayer | None = None


def make_image_name(art_name: str) -> str:
    """The name that WeasyPrint gives a picture's XObject, without its last digit."""
    return "i" + md5(f"{BASE_URL}{art_name}".encode(), usedforsecurity=False).hexdigest()
