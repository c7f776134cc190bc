"""Pictures of faces to be looked at side by side: drawn as the images of a build are, WebP, cut to
the card's form, of a resolution at which many of them make one page that can still be sent."""

from __future__ import annotations

import io
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from cardgen.base.problems import Problem
from cardgen.base.store import Store, digest_of
from cardgen.base.units import MM_PER_INCH
from cardgen.changes.diff.model import Spot
from cardgen.faces.face_pdfs import face_pdf
from cardgen.faces.produce import Face, Faces
from cardgen.outputs import making
from cardgen.outputs.contract import Artefact, Files, Progress
from cardgen.outputs.images import Images, Recipe

_FINE, _COARSE = 6.0, 3.0
"""px per mm, where there are few pictures and where there are many."""
_PIXELS = 100e6
"""Of all pictures together; what is more is drawn coarser."""
_LONGEST = 1600
"""px of a picture's longer side."""
_CELL, _APART, _SHARE = 9, 40, 5
"""px of the cells in which differences are looked for; by how much of 255 a pixel must differ, and
how many of 255 parts of a cell."""
_MOST_SPOTS, _COVERED = 12, 0.6
MOST = 1500
"""So many pictures are drawn at most."""


@dataclass(frozen=True)
class Picture:
    """A face's picture, or why there is none."""

    webp: bytes = b""
    why: str = ""

    @property
    def name(self) -> str:
        """What it is called by its bytes; "" where there is none."""
        return digest_of([self.webp])[:16] if self.webp else ""


def key_of(face: Face, faces: Faces) -> str:
    """By what a face's picture is known: faces of one key look the same."""
    return digest_of([face.digest, faces.fonts.icon_digest])


def drawn(
    groups: Sequence[Faces], store: Store, progress: Progress
) -> tuple[dict[str, Picture], int]:
    """The pictures of all faces by their keys, and how many were drawn. Each group has its own
    fonts; one that the store does not hold was not set."""
    wanted: dict[str, tuple[Face, Faces]] = {}
    for group in groups:
        for face in group.faces:
            wanted.setdefault(key_of(face, group), (face, group))
    found: dict[str, Picture] = {}
    ready: dict[str, tuple[Face, Faces]] = {}
    for key, (face, group) in wanted.items():
        if not store.has(store.path("faces", f"{face.key}.pdf")):
            found[key] = Picture(why="it could not be set; what is wrong is told")
        elif len(ready) == MOST:
            found[key] = Picture(why=f"more than {MOST} faces changed")
        else:
            ready[key] = face, group
    scale = _scale(face for face, _ in ready.values())
    files = [Files(Images(), tuple(_planned(ready, group, scale, store))) for group in groups]
    for artefact, data in making.made(files, progress):
        said = Picture(why=data.message) if isinstance(data, Problem) else Picture(data)
        found[artefact.key] = said
    return found, len(ready)


def _planned(
    ready: dict[str, tuple[Face, Faces]], group: Faces, scale: float, store: Store
) -> Iterator[Artefact[Recipe]]:
    for key, (face, of) in ready.items():
        if of is group:
            deck = face.deck
            across = min(scale, _LONGEST / max(deck.size.width, deck.size.height))
            pdf = face_pdf(face, store, group.smaller)
            dpi = across * MM_PER_INCH
            recipe = Recipe(pdf, group.fonts.cuts, dpi, deck.bleed, deck.form, "webp")
            yield Artefact(str(face.whose), key, recipe, face.language)


def _scale(faces: Iterable[Face]) -> float:
    """Px per mm, so that all pictures together are not too many pixels."""
    area = sum(face.deck.size.width * face.deck.size.height for face in faces)
    return max(_COARSE, min(_FINE, (_PIXELS / area) ** 0.5)) if area else _FINE


def spots(old: bytes, new: bytes) -> tuple[Spot, ...]:
    """Where two pictures differ, as boxes in shares of them: left, top, width, height. Nothing
    where they are of two sizes, or differ in too many places to look at one by one."""
    from PIL import Image, ImageChops  # noqa: PLC0415 - loaded only where something changed

    before, after = (Image.open(io.BytesIO(data)).convert("RGB") for data in (old, new))
    if before.size != after.size:
        return ()
    wide, tall = (max(1, round(px / _CELL)) for px in before.size)
    bands = ImageChops.difference(before, after).split()
    most = ImageChops.lighter(ImageChops.lighter(bands[0], bands[1]), bands[2])
    apart = most.point([255 * (value > _APART) for value in range(256)])
    cells = apart.resize((wide, tall), Image.Resampling.BOX).tobytes()
    marked = {(at % wide, at // wide) for at, share in enumerate(cells) if share > _SHARE}
    boxes = [
        ((x - 0.5) / wide, (y - 0.5) / tall, (last - x + 2) / wide, (low - y + 2) / tall)
        for x, y, last, low in _joined(marked)
    ]
    boxes = [box for box in boxes if not any(_holds(other, box) for other in boxes)]
    covered = sum(box[2] * box[3] for box in boxes)
    return tuple(boxes) if len(boxes) <= _MOST_SPOTS and covered < _COVERED else ()


def _holds(one: Spot, other: Spot) -> bool:
    """Whether a box lies within another one."""
    sides = [(box[0], box[1], -box[0] - box[2], -box[1] - box[3]) for box in (one, other)]
    return one != other and all(a <= b for a, b in zip(*sides, strict=True))


def _joined(marked: set[tuple[int, int]]) -> Iterator[tuple[int, int, int, int]]:
    """The bounds of cells that lie together, within two of each other."""
    left = set(marked)
    while left:
        first = min(left)
        reached, edge = {first}, [first]
        left.discard(first)
        while edge:
            x, y = edge.pop()
            near = {(x + dx, y + dy) for dx in range(-2, 3) for dy in range(-2, 3)} & left
            left -= near
            reached |= near
            edge += near
        xs, ys = [x for x, _ in reached], [y for _, y in reached]
        yield min(xs), min(ys), max(xs), max(ys)
