"""How much ink sheets take: of every face the share of the paper that it covers, from its pixels.

Black covers all of its area, white nothing, a colour the mean of what it takes of red, green and
blue. That is no printer's own reckoning, but it compares. A face is measured once and remembered.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from cardgen.assets.fontfiles import Cut
from cardgen.base.workers import spread
from cardgen.faces.face_pdfs import face_pdf
from cardgen.faces.produce import Face
from cardgen.outputs.contract import Job, key_of
from cardgen.pdf.face_file import FacePdf
from cardgen.pdf.inks import FULL, Ink
from cardgen.sheets.arrange import Page

KIND = "coverage"
_DPI = 24
_BATCH = 25


@dataclass(frozen=True)
class Order:
    """Faces to measure, as another process does it."""

    faces: tuple[FacePdf, ...]
    cuts: tuple[Cut, ...]
    ink: Ink


@dataclass(frozen=True)
class Taken:
    """What ink pages take: of how many that are printed, the share of each that is covered on
    average, and by what share that is less than in full, where it is not; 0 to 1."""

    pages: int
    share: float
    less: float | None = None


def told(job: Job, pages: Iterable[Page]) -> str:
    """What the pages take, in words, once their faces are measured; with less ink than in full,
    also how much that saves."""
    found = taken(job, pages)
    noun = "page" if found.pages == 1 else "pages"
    share = f"{100 * found.share:.0f}\u00a0%"
    text = f"ink: {share} of a page on average, {found.pages} printed {noun}"
    less = found.less
    return text if less is None else f"{text}; {100 * less:.0f}\u00a0% less than in full"


def taken(job: Job, pages: Iterable[Page]) -> Taken:
    """What the pages take, once their faces are measured."""
    listed = [page for page in pages if page.placed]
    faces = _faces(job, listed)
    paper, ink = job.options.paper, job.options.layout.ink

    def average(wanted: Ink) -> float:
        shares = _kept(job, faces, wanted)
        covered = sum(
            shares[face.key] * slot.paint.width * slot.paint.height
            for page in listed
            for face, slot in page.placed
        )
        return covered / (len(listed) * paper.width * paper.height) if listed else 0.0

    share = average(ink)
    full = average(FULL) if ink.low else 0.0
    return Taken(len(listed), share, 1 - share / full if full else None)


def prepare(job: Job, pages: Iterable[Page]) -> None:
    """Measure the faces on the pages, with the ink that is asked for, and in full to compare."""
    measure_some(job, pages, len(job.faces.faces))


def measure_some(job: Job, pages: Iterable[Page], most: int) -> int:
    """Measure so many of the faces on the pages at most, with each ink; how many are left."""
    faces, ink = _faces(job, pages), job.options.layout.ink
    left = 0
    for wanted in (ink, FULL) if ink.low else (ink,):
        kept = _kept(job, faces, wanted)
        stale = [face for face in faces if face.key not in kept]
        _measure(job, stale[:most], wanted)
        left = max(left, len(stale) - most)
        names = [_name(job, face, wanted) for face in faces]
        job.store.sweep(KIND, names, 6 * len(faces) + 400)
    return left


def _faces(job: Job, pages: Iterable[Page]) -> list[Face]:
    keys = {face.key for page in pages for face, _ in page.placed}
    return list({f.key: f for f in job.faces.faces if f.key in keys}.values())


def _name(job: Job, face: Face, ink: Ink) -> str:
    return key_of([face], job.faces, KIND, ink) + ".json"


def _kept(job: Job, faces: Sequence[Face], ink: Ink) -> dict[str, float]:
    """The share of its area that each face covers with ink, 0 to 1, by the face's key: of those
    that are measured."""
    found = {
        face.key: job.store.read_json(job.store.path(KIND, _name(job, face, ink))) for face in faces
    }
    return {
        key: share for key, share in found.items() if isinstance(share, float) and 0 <= share <= 1
    }


def _measure(job: Job, stale: Sequence[Face], ink: Ink) -> None:
    groups = [stale[n : n + _BATCH] for n in range(0, len(stale), _BATCH)]
    orders = [
        Order(tuple(face_pdf(f, job.store) for f in group), job.cuts, ink) for group in groups
    ]
    for done, (group, shares) in enumerate(
        zip(groups, spread(measure, orders, alone=len(orders) < 3), strict=True), start=1
    ):
        for face, share in zip(group, shares, strict=True):
            job.store.write_json(job.store.path(KIND, _name(job, face, ink)), share)
        job.progress("measuring ink", done, len(orders))


def measure(order: Order) -> list[float]:
    """The shares of an order's faces."""
    from cardgen.pdf import raster  # noqa: PLC0415 - loaded only where ink is measured
    from cardgen.pdf.compose import Composer  # noqa: PLC0415

    composer = Composer(order.cuts, ink=order.ink)
    for face in order.faces:
        composer.page(face.width, face.height, b"/F Do", {"F": composer.form(face)})
    return [raster.darkness(image) for image in raster.pages(composer.save("ink", "en"), _DPI)]
