"""Pictures of faces to be looked at side by side: drawn as the images of a build are, WebP, cut to
the card's form, of a resolution at which many of them make one page that can still be sent."""

from __future__ import annotations

import io
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from cardgen.changes.diff_model import DiffSpot
from cardgen.core.problems import Problem
from cardgen.core.units import MM_PER_INCH
from cardgen.faces.model import Face, FaceSet, get_face_pdf
from cardgen.outputs import output_files
from cardgen.outputs.card_images import CardImages, ImageRecipe
from cardgen.outputs.contract import Artefact, OutputFiles, Progress
from cardgen.runtime.content_store import Store, digest_parts

_FINE_PX_PER_MM, _COARSE_PX_PER_MM = 6.0, 3.0
"""px per mm, where there are few pictures and where there are many."""
_MAX_TOTAL_PIXELS = 100e6
"""Of all pictures together; what is more is drawn coarser."""
_MAX_SIDE_PX = 1600
"""px of a picture's longer side."""
_CELL_PX, _PIXEL_THRESHOLD, _CELL_THRESHOLD = 9, 40, 5
"""px of the cells in which differences are looked for; by how much of 255 a pixel must differ, and
how many of 255 parts of a cell."""
_MAX_REGIONS, _MAX_COVERED_SHARE = 12, 0.6
MAX_FACE_PICTURES = 1500
"""So many pictures are drawn at most."""


@dataclass(frozen=True)
class FacePicture:
    """A face's picture, or why there is none."""

    webp: bytes = b""
    reason: str = ""

    @property
    def name(self) -> str:
        """What it is called by its bytes; "" where there is none."""
        return digest_parts([self.webp])[:16] if self.webp else ""


def compute_picture_key(face: Face, faces: FaceSet) -> str:
    """By what a face's picture is known: faces of one key look the same."""
    return digest_parts([face.digest, faces.fonts.icon_digest])


def draw_face_pictures(
    groups: Sequence[FaceSet], store: Store, progress: Progress
) -> tuple[dict[str, FacePicture], int]:
    """The pictures of all faces by their keys, and how many were drawn. Each group has its own
    fonts; one that the store does not hold was not set."""
    wanted: dict[str, tuple[Face, FaceSet]] = {}
    for group in groups:
        for face in group.faces:
            wanted.setdefault(compute_picture_key(face, group), (face, group))
    found: dict[str, FacePicture] = {}
    ready: dict[str, tuple[Face, FaceSet]] = {}
    for key, (face, group) in wanted.items():
        if not store.has_entry(store.get_path("faces", f"{face.key}.pdf")):
            found[key] = FacePicture(reason="it could not be set; what is wrong is told")
        elif len(ready) == MAX_FACE_PICTURES:
            found[key] = FacePicture(reason=f"more than {MAX_FACE_PICTURES} faces changed")
        else:
            ready[key] = face, group
    scale = _choose_scale(face for face, _ in ready.values())
    files = [
        OutputFiles(CardImages(), tuple(_plan_face_images(ready, group, scale, store)))
        for group in groups
    ]
    for artefact, data in output_files.make_files(files, progress):
        said = FacePicture(reason=data.message) if isinstance(data, Problem) else FacePicture(data)
        found[artefact.path] = said
    return found, len(ready)


def _plan_face_images(
    ready: dict[str, tuple[Face, FaceSet]], group: FaceSet, scale: float, store: Store
) -> Iterator[Artefact[ImageRecipe]]:
    for key, (face, of) in ready.items():
        if of is group:
            deck = face.deck
            across = min(scale, _MAX_SIDE_PX / max(deck.size.width, deck.size.height))
            pdf = get_face_pdf(face, store, group.downsampled)
            dpi = across * MM_PER_INCH
            recipe = ImageRecipe(pdf, group.fonts.files, dpi, deck.bleed, deck.form, "webp")
            yield Artefact(key, recipe, face.language)


def _choose_scale(faces: Iterable[Face]) -> float:
    """Px per mm, so that all pictures together are not too many pixels."""
    area = sum(face.deck.size.width * face.deck.size.height for face in faces)
    return (
        max(_COARSE_PX_PER_MM, min(_FINE_PX_PER_MM, (_MAX_TOTAL_PIXELS / area) ** 0.5))
        if area
        else _FINE_PX_PER_MM
    )


def find_differences(old: bytes, new: bytes) -> tuple[DiffSpot, ...]:
    """Where two pictures differ, as boxes in shares of them: left, top, width, height. Nothing
    where they are of two sizes, or differ in too many places to look at one by one."""
    from PIL import Image, ImageChops  # noqa: PLC0415 - loaded only where something changed

    before, after = (Image.open(io.BytesIO(data)).convert("RGB") for data in (old, new))
    if before.size != after.size:
        return ()
    wide, tall = (max(1, round(px / _CELL_PX)) for px in before.size)
    bands = ImageChops.difference(before, after).split()
    most = ImageChops.lighter(ImageChops.lighter(bands[0], bands[1]), bands[2])
    apart = most.point([255 * (value > _PIXEL_THRESHOLD) for value in range(256)])
    cells = apart.resize((wide, tall), Image.Resampling.BOX).tobytes()
    marked = {(at % wide, at // wide) for at, share in enumerate(cells) if share > _CELL_THRESHOLD}
    boxes = [
        ((x - 0.5) / wide, (y - 0.5) / tall, (last - x + 2) / wide, (low - y + 2) / tall)
        for x, y, last, low in _group_cells(marked)
    ]
    boxes = [box for box in boxes if not any(_contains_box(other, box) for other in boxes)]
    covered = sum(box[2] * box[3] for box in boxes)
    return tuple(boxes) if len(boxes) <= _MAX_REGIONS and covered < _MAX_COVERED_SHARE else ()


def _contains_box(one: DiffSpot, other: DiffSpot) -> bool:
    """Whether a box lies within another one."""
    sides = [(box[0], box[1], -box[0] - box[2], -box[1] - box[3]) for box in (one, other)]
    return one != other and all(a <= b for a, b in zip(*sides, strict=True))


def _group_cells(marked: set[tuple[int, int]]) -> Iterator[tuple[int, int, int, int]]:
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
