"""How much ink sheets take: of every face the share of the paper that it covers, from its pixels.

Black covers all of its area, white nothing, a colour the mean of what it takes of red, green and
blue. That is no printer's own reckoning, but it compares. A face is measured once and remembered.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from PIL.Image import Image

from cardgen.faces.produce import Face
from cardgen.outputs import pictured
from cardgen.outputs.contract import Job
from cardgen.outputs.pictured import Measure
from cardgen.pdf.face_file import FacePdf
from cardgen.pdf.inks import FULL, Ink
from cardgen.sheets.arrange import Page


def _share(image: Image, _face: FacePdf) -> float:
    from cardgen.pdf import raster  # noqa: PLC0415 - loaded only where ink is measured

    return raster.darkness(image)


def _told(found: object) -> float | None:
    return found if isinstance(found, float) and 0 <= found <= 1 else None


COVERAGE = Measure("coverage", "measuring ink", _share, _told)
"""The share of its area that a face covers with ink, 0 to 1."""


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
    wanted = (ink, FULL) if ink.low else (ink,)
    return max(pictured.measure_some(job, COVERAGE, faces, most, each) for each in wanted)


def _faces(job: Job, pages: Iterable[Page]) -> list[Face]:
    keys = {face.key for page in pages for face, _ in page.placed}
    return list({f.key: f for f in job.faces.faces if f.key in keys}.values())


def _kept(job: Job, faces: Sequence[Face], ink: Ink) -> dict[str, float]:
    return pictured.known(job, COVERAGE, faces, ink)
