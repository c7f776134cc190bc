"""WebP images of faces for side-by-side comparison, and the regions in which two images differ.

Images are drawn and cropped like `card_images`. The more there are, the coarser they become, so
that a page with all of them can still be sent.
"""

from __future__ import annotations

import io
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from cardgen.assets import rasters  # noqa: F401 - bounds what Pillow opens
from cardgen.changes.diff_model import DiffSpot
from cardgen.core.problems import Problem
from cardgen.core.units import MM_PER_INCH
from cardgen.faces.model import Face, FaceSet, get_face_pdf
from cardgen.outputs.card_images import CardImages, ImageRecipe
from cardgen.outputs.contract import Artefact, OutputFiles, Progress, make_files
from cardgen.runtime.content_store import Store, digest_parts

MAX_FACE_PICTURES = 1500
_FINE_PX_PER_MM, _COARSE_PX_PER_MM = 6.0, 3.0
_MAX_TOTAL_PIXELS = 100e6
"""Pixels of all images together above which they become coarser."""
_MAX_SIDE_PX = 1600
_CELL_PX, _PIXEL_THRESHOLD, _CELL_THRESHOLD = 9, 40, 5
"""Side of a cell that is compared as a whole. A pixel counts as different from 40 of 255 on, a cell
if more than 5/255 of its pixels are different."""
_MAX_REGIONS, _MAX_COVERED_SHARE = 12, 0.6


@dataclass(frozen=True)
class FacePicture:
    """The image of a face, or the reason why there is none."""

    webp: bytes = b""
    reason: str = ""

    @property
    def name(self) -> str:
        """A name from the image's bytes, or "" without an image."""
        return digest_parts([self.webp])[:16] if self.webp else ""


def compute_picture_key(face: Face, faces: FaceSet) -> str:
    """Return a key that is equal for faces that look the same."""
    return digest_parts([face.digest, faces.fonts.icon_digest])


def draw_face_pictures(
    groups: Sequence[FaceSet], store: Store, progress: Progress
) -> tuple[dict[str, FacePicture], int]:
    """Return the images of all faces by their keys, and the number of images drawn.

    Each group has its own fonts. Faces that the store does not hold could not be typeset.
    """
    wanted: dict[str, tuple[Face, FaceSet]] = {}
    for group in groups:
        for face in group.faces:
            wanted.setdefault(compute_picture_key(face, group), (face, group))
    pictures: dict[str, FacePicture] = {}
    ready: dict[str, tuple[Face, FaceSet]] = {}
    for key, (face, group) in wanted.items():
        if not store.has_entry(store.get_path("faces", f"{face.key}.pdf")):
            pictures[key] = FacePicture(reason="it could not be typeset; see its problems")
        elif len(ready) == MAX_FACE_PICTURES:
            pictures[key] = FacePicture(reason=f"more than {MAX_FACE_PICTURES} faces changed")
        else:
            ready[key] = face, group
    scale = _choose_scale(face for face, _ in ready.values())
    files = [
        OutputFiles(CardImages(), tuple(_plan_face_images(ready, group, scale, store)))
        for group in groups
    ]
    for artefact, data in make_files(files, progress):
        picture = (
            FacePicture(reason=data.message) if isinstance(data, Problem) else FacePicture(data)
        )
        pictures[artefact.path] = picture
    return pictures, len(ready)


def _plan_face_images(
    ready: dict[str, tuple[Face, FaceSet]], group: FaceSet, scale: float, store: Store
) -> Iterator[Artefact[ImageRecipe]]:
    for key, (face, face_set) in ready.items():
        if face_set is group:
            deck = face.deck
            dpi = MM_PER_INCH * min(scale, _MAX_SIDE_PX / max(deck.size.width, deck.size.height))
            pdf = get_face_pdf(face, store, group.downsampled)
            recipe = ImageRecipe(pdf, group.fonts.files, dpi, deck.bleed, deck.form, "webp")
            yield Artefact(key, recipe, face.language)


def _choose_scale(faces: Iterable[Face]) -> float:
    """Return the px per mm of all images."""
    area = sum(face.deck.size.width * face.deck.size.height for face in faces)
    fitting = (_MAX_TOTAL_PIXELS / area) ** 0.5 if area else _FINE_PX_PER_MM
    return max(_COARSE_PX_PER_MM, min(_FINE_PX_PER_MM, fitting))


def find_differences(old: bytes, new: bytes) -> tuple[DiffSpot, ...]:
    """Return the regions where two images differ: left, top, width and height, 0 to 1 each.

    There are none if the sizes differ, or if the regions are too many or too large.
    """
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
    """Return true if `other` lies within `one`."""
    sides = [(box[0], box[1], -box[0] - box[2], -box[1] - box[3]) for box in (one, other)]
    return one != other and all(a <= b for a, b in zip(*sides, strict=True))


def _group_cells(marked: set[tuple[int, int]]) -> Iterator[tuple[int, int, int, int]]:
    """Yield the bounds of groups of cells. Cells in a group are at most two apart."""
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
