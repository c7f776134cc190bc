"""What is measured of faces' pictures, each face once: a measure and faces in, figures out.

Pictures are drawn small, by other processes where there are many, and what was found is
remembered beside the faces.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from PIL.Image import Image

from cardgen.assets.font_files import FontFile
from cardgen.faces.model import Face, get_face_pdf
from cardgen.outputs.contract import Job, digest_recipe
from cardgen.pdf.face_file import FacePdf
from cardgen.pdf.ink_modes import FULL_INK, InkMode
from cardgen.runtime.worker_pool import map_calls
from cardgen.sheets.arrangement import SheetPage

MEASURE_DPI = 24
_FACES_PER_BATCH = 25
Figures = TypeVar("Figures")


@dataclass(frozen=True)
class FaceMeasure(Generic[Figures]):
    """What is measured: `kind` is its place in the store, `of` works the figures out of a face's
    picture at `DPI`, bleed and all, and `told` takes from the store what it can be, else None.

    `of` is a function of a module: other processes call it.
    """

    kind: str
    progress_text: str
    compute: Callable[[Image, FacePdf], object]
    parse: Callable[[object], Figures | None]


@dataclass(frozen=True)
class MeasureTask:
    """Faces to measure, as another process does it."""

    faces: tuple[FacePdf, ...]
    font_files: tuple[FontFile, ...]
    ink: InkMode
    compute: Callable[[Image, FacePdf], object]


def load_figures(
    job: Job, measure: FaceMeasure[Figures], faces: Sequence[Face], ink: InkMode = FULL_INK
) -> dict[str, Figures]:
    """The figures by the face's key: of those faces that are measured."""
    found = {}
    entries = [
        job.store.get_path(measure.kind, _name_figures_file(job, measure, face, ink))
        for face in faces
    ]
    job.store.fetch_entries(entries)
    for face, entry in zip(faces, entries, strict=True):
        figures = measure.parse(job.store.read_json(entry))
        if figures is not None:
            found[face.key] = figures
    return found


def measure_batch(
    job: Job,
    measure: FaceMeasure[Figures],
    faces: Sequence[Face],
    most: int,
    ink: InkMode = FULL_INK,
) -> int:
    """Measure so many of the faces at most; how many are left."""
    if not faces:
        return 0
    kept = load_figures(job, measure, faces, ink)
    stale = [face for face in faces if face.key not in kept]
    _measure_faces(job, measure, stale[:most], ink)
    names = [_name_figures_file(job, measure, face, ink) for face in faces]
    job.store.remove_unused(measure.kind, names, 6 * len(faces) + 400)
    return max(0, len(stale) - most)


def _name_figures_file(job: Job, measure: FaceMeasure[Figures], face: Face, ink: InkMode) -> str:
    return digest_recipe(get_face_pdf(face, job.store), job.font_files, ink) + ".json"


def _measure_faces(
    job: Job, measure: FaceMeasure[Figures], stale: Sequence[Face], ink: InkMode
) -> None:
    groups = [stale[n : n + _FACES_PER_BATCH] for n in range(0, len(stale), _FACES_PER_BATCH)]
    orders = [
        MeasureTask(
            tuple(get_face_pdf(f, job.store) for f in group), job.font_files, ink, measure.compute
        )
        for group in groups
    ]
    for done, (group, found) in enumerate(
        zip(groups, map_calls(run_measure_task, orders, alone=len(orders) < 3), strict=True),
        start=1,
    ):
        for face, figures in zip(group, found, strict=True):
            entry = job.store.get_path(measure.kind, _name_figures_file(job, measure, face, ink))
            job.store.write_json(entry, figures)
        job.progress(measure.progress_text, done, len(orders))


def run_measure_task(order: MeasureTask) -> list[object]:
    """The figures of an order's faces."""
    from cardgen.pdf import raster  # noqa: PLC0415 - loaded only where ink is measured
    from cardgen.pdf.composition import Composer  # noqa: PLC0415

    composer = Composer(order.font_files, ink=order.ink)
    for face in order.faces:
        composer.add_page(face.width, face.height, b"/F Do", {"F": composer.add_face(face)})
    drawn = raster.rasterise_pages(composer.save("measure", "en"), MEASURE_DPI)
    return [order.compute(image, face) for image, face in zip(drawn, order.faces, strict=True)]


def _compute_coverage(image: Image, _face: FacePdf) -> float:
    from cardgen.pdf import raster  # noqa: PLC0415 - loaded only where ink is measured

    return raster.measure_darkness(image)


def _parse_coverage(found: object) -> float | None:
    return found if isinstance(found, float) and 0 <= found <= 1 else None


COVERAGE_MEASURE = FaceMeasure("coverage", "measuring ink", _compute_coverage, _parse_coverage)
"""The share of its area that a face covers with ink, 0 to 1."""


@dataclass(frozen=True)
class InkEstimate:
    """What ink pages take: of how many that are printed, the share of each that is covered on
    average, and by what share that is less than in full, where it is not; 0 to 1."""

    pages: int
    share: float
    saving: float | None = None


def format_ink_estimate(job: Job, pages: Iterable[SheetPage]) -> str:
    """What the pages take, in words, once their faces are measured; with less ink than in full,
    also how much that saves."""
    found = estimate_ink(job, pages)
    noun = "page" if found.pages == 1 else "pages"
    share = f"{100 * found.share:.0f}\u00a0%"
    text = f"ink: {share} of a page on average, {found.pages} printed {noun}"
    less = found.saving
    return text if less is None else f"{text}; {100 * less:.0f}\u00a0% less than in full"


def estimate_ink(job: Job, pages: Iterable[SheetPage]) -> InkEstimate:
    """What the pages take, once their faces are measured."""
    listed = [page for page in pages if page.placements]
    faces = _list_faces_on_pages(job, listed)
    paper, ink = job.options.paper, job.options.layout.ink

    def compute_average(wanted: InkMode) -> float:
        shares = _load_coverage(job, faces, wanted)
        covered = sum(
            shares[face.key] * slot.paint.width * slot.paint.height
            for page in listed
            for face, slot in page.placements
        )
        return covered / (len(listed) * paper.width * paper.height) if listed else 0.0

    share = compute_average(ink)
    full = compute_average(FULL_INK) if ink.low else 0.0
    return InkEstimate(len(listed), share, 1 - share / full if full else None)


def measure_coverage(job: Job, pages: Iterable[SheetPage]) -> None:
    """Measure the faces on the pages, with the ink that is asked for, and in full to compare."""
    measure_coverage_batch(job, pages, len(job.faces.faces))


def measure_coverage_batch(job: Job, pages: Iterable[SheetPage], most: int) -> int:
    """Measure so many of the faces on the pages at most, with each ink; how many are left."""
    faces, ink = _list_faces_on_pages(job, pages), job.options.layout.ink
    wanted = (ink, FULL_INK) if ink.low else (ink,)
    return max(measure_batch(job, COVERAGE_MEASURE, faces, most, each) for each in wanted)


def _list_faces_on_pages(job: Job, pages: Iterable[SheetPage]) -> list[Face]:
    keys = {face.key for page in pages for face, _ in page.placements}
    return list({f.key: f for f in job.faces.faces if f.key in keys}.values())


def _load_coverage(job: Job, faces: Sequence[Face], ink: InkMode) -> dict[str, float]:
    return load_figures(job, COVERAGE_MEASURE, faces, ink)
