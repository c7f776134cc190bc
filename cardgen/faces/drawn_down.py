"""Pictures with far more pixels than print can show, made smaller for sheets: once, and kept.

Only what is told of each face's layout says how large a picture stands anywhere. Faces hold their
pictures whole, so that images of any resolution show all of them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from cardgen.assets import artwork, rasters
from cardgen.assets.artwork import Art, Unusable
from cardgen.base import guard, paths
from cardgen.base.guard import Stopped
from cardgen.base.problems import Remark
from cardgen.base.store import Store

PIXELS = "pixels"
"""The kind of a remark that is no problem: how many pixels of a picture a face can show."""
MOST_DPI = 600
"""More nobody sees on paper; offices and homes print no finer."""
_WORTH = 0.8
"""A picture is left alone that would keep more than this part of its width."""


@dataclass(frozen=True)
class Smaller:
    """A picture made smaller: the PDF of it, its resolution where it stands largest, and how many
    bytes it takes less."""

    path: Path
    dpi: int
    saved: int


def told(shown: Mapping[str, tuple[int, int]]) -> list[Remark]:
    """How many pixels of each picture a face can show, for `wanted`."""
    return [
        Remark(PIXELS, "warning", name, f"{width} {height}", about_face=False)
        for name, (width, height) in sorted(shown.items())
    ]


def wanted(remarks: Iterable[Remark]) -> dict[str, tuple[int, int]]:
    """The most pixels of each picture that any face can show."""
    found: dict[str, tuple[int, int]] = {}
    for remark in remarks:
        if remark.kind == PIXELS:
            width, height = map(int, remark.message.split())
            known = found.get(remark.at, (0, 0))
            found[remark.at] = max(known[0], width), max(known[1], height)
    return found


def draw(pictures: Sequence[Art], remarks: Iterable[Remark], store: Store) -> dict[str, Smaller]:
    """The pictures that are made smaller, by their names; the store holds them afterwards. One that
    cannot be is left as it is."""
    most = wanted(remarks)
    found: dict[str, Smaller] = {}
    for name, art in {art.name: art for art in pictures if art.name in most}.items():
        part = max(most[name][0] / art.width, most[name][1] / art.height)
        if art.vector or part > _WORTH:
            continue
        width, height = (max(1, round(side * part)) for side in (art.width, art.height))
        path = store.path("art", file_of(art, width, height))
        try:
            if not store.has(path):
                store.write(path, _drawn(art, width, height, store.scratch()))
        except (Stopped, Unusable):
            continue
        saved = paths.size(art.seen.ready or art.path) - paths.size(path)
        found[name] = Smaller(path, round(MOST_DPI / part), saved)
    return found


def _drawn(art: Art, width: int, height: int, scratch: Path) -> bytes:
    from cardgen.pdf.vector import enclosed  # noqa: PLC0415 - typst only when a picture is new

    with guard.at(f"{art.name}, made smaller"):
        data = rasters.smaller(artwork.printed(art), width, height)
        return enclosed(art.name, data, (width, height), scratch)


def file_of(art: Art, width: int, height: int) -> str:
    """What the PDF of a picture of so many pixels is called in the store."""
    return f"{art.digest}-{width}x{height}.pdf"
