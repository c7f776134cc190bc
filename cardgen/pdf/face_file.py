"""The typeset face, as typesetting makes it and composition uses it; the last composed file."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from hashlib import md5
from pathlib import Path

from cardgen.core.problems import Spot
from cardgen.runtime.content_store import digest_parts

SPARE_PAGE_MM = 400.0
"""Room below a face on its page, in which overflow is laid out and measured.

Without it, overflow would go to the next page or be dropped.
"""


@dataclass(frozen=True)
class DraftLayer:
    """What to draw over a face with problems.

    `spots` are outlined; `frames` are the places of missing pictures; `messages` have no place on
    the face; `is_marked` puts DRAFT across it.
    """

    spots: tuple[Spot, ...] = ()
    frames: tuple[Spot, ...] = ()
    messages: tuple[str, ...] = ()
    is_marked: bool = True


@dataclass(frozen=True)
class FacePdf:
    """A typeset face: its PDF, and its bleed box and bleed in mm.

    `art` has the drawings and `missing_art` the proportions of missing pictures, by the names of
    art.
    """

    key: str
    path: Path
    width: float
    height: float
    bleed: float
    art: Mapping[str, Path] = field(default_factory=dict)
    missing_art: Mapping[str, tuple[float, float]] = field(default_factory=dict)
    layer: DraftLayer | None = None

    @cached_property
    def digest(self) -> str:
        """Hash of everything that decides what a document draws for the face."""
        files = (self.path, *self.art.values())
        names = (self.key, *(path.name for path in files), *self.art)
        size = (self.width, self.height, self.bleed)
        return digest_parts([*names, repr((size, sorted(self.missing_art.items()), self.layer))])


@dataclass(frozen=True)
class ComposedFile:
    """Where the last PDF is, and its record in the store.

    Texts, since these files stay on this machine: a call's paths are sent to a cluster.
    """

    folder: str
    path: str
    record: str


def make_image_name(art_name: str) -> str:
    """Return the name that WeasyPrint gives a picture's XObject, without its last digit."""
    from cardgen.assets.artwork import BASE_URL  # noqa: PLC0415 - it brings readers of pictures

    return "i" + md5(f"{BASE_URL}{art_name}".encode(), usedforsecurity=False).hexdigest()
