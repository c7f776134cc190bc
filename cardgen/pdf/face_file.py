"""What `typeset` and `compose` agree on about a set face, without either knowing the other."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from hashlib import md5
from pathlib import Path

from cardgen.assets.artwork import BASE_URL

SPARE_MM = 400.0
"""Room below a face on its page: what overflows is laid out and measured there instead of being
carried to the next page or dropped."""


@dataclass(frozen=True)
class FacePdf:
    """A set face: its PDF, its bleed box and the bleed on every side in mm, and its drawings by
    the art's name."""

    key: str
    path: Path
    width: float
    height: float
    bleed: float
    art: Mapping[str, Path] = field(default_factory=dict)


def image_name(art_name: str) -> str:
    """The name that WeasyPrint gives a picture's XObject, without its last digit."""
    return "i" + md5(f"{BASE_URL}{art_name}".encode(), usedforsecurity=False).hexdigest()
