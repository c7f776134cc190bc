"""Measurements of faces from small pictures of them, stored per deck: ink coverage, side
colours."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Generic, TypeVar

from PIL.Image import Image

from cardgen.assets.font_files import ICON_FAMILY, FontFile
from cardgen.faces.model import Face
from cardgen.outputs.contract import Job, digest_recipe
from cardgen.pdf.face_file import FacePdf
from cardgen.pdf.ink_modes import FULL_INK, InkMode
from cardgen.runtime.content_store import digest_parts
from cardgen.runtime.worker_pool import has_fork_server, map_calls
from cardgen.sheets.arrangement import SheetPage

MEASURE_DPI = 24
_FACES_PER_BATCH = 25
_MIN_TASKS_FOR_WORKERS = 3
_DARK_SHARE = 0.7
"""Ink coverage from which on the backs of a deck cost so much ink that this is said."""
_LOW_INK = InkMode(low=True)
Figures = TypeVar("Figures")


@dataclass(frozen=True)
class FaceMeasure(Generic[Figures]):
    """A kind of measurement.

    `compute` gets a face's picture at `MEASURE_DPI`, bleed included, and returns JSON values. It
    must be a module-level function, because it runs in other processes. `parse` checks the stored
    values. `kind` is the kind of the store's entries, one for each deck.
    """

    kind: str
    progress_text: str
    compute: Callable[[Image, FacePdf], object]
    parse: Callable[[object], Figures | None]


@dataclass(frozen=True)
class MeasureTask:
    """Faces to measure in another process."""

    faces: tuple[FacePdf, ...]
    font_files: tuple[FontFile, ...]
    ink: InkMode
    compute: Callable[[Image, FacePdf], object]


def load_figures(
    job: Job, measure: FaceMeasure[Figures], faces: Sequence[Face], ink: InkMode = FULL_INK
) -> dict[str, Figures]:
    """Return the stored figures of faces by the face's key."""
    digests = _digest_faces(job, faces, ink)
    found: dict[str, Figures] = {}
    for deck, keys in _group_by_deck(faces).items():
        entry = _read_entry(job, measure, deck)
        for key in keys:
            figures = measure.parse(entry.get(digests[key]))
            if figures is not None:
                found[key] = figures
    return found


def _read_entry(job: Job, measure: FaceMeasure[Figures], deck: str) -> dict[str, object]:
    found = job.store.read_json(_get_entry_path(job, measure, deck))
    return found if isinstance(found, dict) else {}


def _get_entry_path(job: Job, measure: FaceMeasure[Figures], deck: str) -> Path:
    return job.store.get_path(measure.kind, f"{digest_parts([deck])}.json")


def _group_by_deck(faces: Iterable[Face]) -> dict[str, list[str]]:
    """Return the keys of faces by their decks."""
    found: dict[str, list[str]] = {}
    for face in faces:
        found.setdefault(face.deck.id, []).append(face.key)
    return found


def measure_batch(
    job: Job, measure: FaceMeasure[Figures], faces: Sequence[Face], limit: int,
    ink: InkMode = FULL_INK,
) -> int:  # fmt: skip
    """Measure up to `limit` faces that are not stored yet. Return how many are left."""
    if not faces:
        return 0
    figures = load_figures(job, measure, faces, ink)
    stale = [face for face in faces if face.key not in figures]
    if stale:
        digests = _digest_faces(job, faces, ink)
        news = _measure_faces(job, measure, stale[:limit], ink)
        for deck, keys in _group_by_deck(faces).items():
            entry = _read_entry(job, measure, deck)
            entry |= {digests[key]: news[key] for key in keys if key in news}
            if len(entry) > 6 * len(keys) + 400:
                used = {digests[key] for key in keys}
                entry = {digest: value for digest, value in entry.items() if digest in used}
            job.store.write_json(_get_entry_path(job, measure, deck), entry)
    return max(0, len(stale) - limit)


def _digest_faces(job: Job, faces: Iterable[Face], ink: InkMode) -> dict[str, str]:
    """Return the digest of what decides the figures of each face, by the face's key."""
    shared = digest_recipe(job.font_files, ink)
    return {face.key: digest_parts([shared, job.get_face_pdf(face).digest]) for face in faces}


def _measure_faces(
    job: Job, measure: FaceMeasure[Figures], stale: Sequence[Face], ink: InkMode
) -> dict[str, object]:
    """Return the new figures of faces by their keys."""
    news: dict[str, object] = {}
    # Faces with the same art go together: each drawing is imported once for a group.
    stale = sorted(stale, key=lambda face: [art.digest for art in face.pictures])
    groups = [stale[n : n + _FACES_PER_BATCH] for n in range(0, len(stale), _FACES_PER_BATCH)]
    tasks = []
    for group in groups:
        pdfs = tuple(job.get_face_pdf(face) for face in group)
        # Faces have subsets of their text fonts. Only icons may have been redrawn since.
        fonts = tuple(cut for cut in job.font_files if cut.family == ICON_FAMILY)
        if any(pdf.layer for pdf in pdfs):
            fonts = job.font_files
        tasks.append(MeasureTask(pdfs, fonts, ink, measure.compute))
    alone = len(tasks) < _MIN_TASKS_FOR_WORKERS and not has_fork_server()
    results = map_calls(run_measure_task, tasks, alone=alone)
    for done, (group, result) in enumerate(zip(groups, results, strict=True), start=1):
        news |= {face.key: figures for face, figures in zip(group, result, strict=True)}
        job.progress(measure.progress_text, done, len(tasks))
    return news


def run_measure_task(task: MeasureTask) -> list[object]:
    """Return the figures of a task's faces, in order."""
    from cardgen.pdf import raster  # noqa: PLC0415 - loaded only where something is measured
    from cardgen.pdf.composition import Composer  # noqa: PLC0415

    composer = Composer(task.font_files, ink=task.ink)
    for face in task.faces:
        composer.add_page(face.width, face.height, b"/F Do", {"F": composer.add_face(face)})
    images = raster.rasterise_pages(composer.save("measure", "en"), MEASURE_DPI)
    return [task.compute(image, face) for image, face in zip(images, task.faces, strict=True)]


def _compute_coverage(image: Image, _face: FacePdf) -> float:
    from cardgen.pdf import raster  # noqa: PLC0415 - loaded only where ink is measured

    return raster.measure_darkness(image)


def _parse_coverage(value: object) -> float | None:
    return value if isinstance(value, float) and 0 <= value <= 1 else None


COVERAGE_MEASURE = FaceMeasure("coverage", "measuring ink", _compute_coverage, _parse_coverage)
"""Share of a face's area that ink covers, 0 to 1.

Black covers all of its area, white nothing, a colour the mean of red, green and blue. This compares
faces; no printer calculates ink this way.
"""


@dataclass(frozen=True)
class InkEstimate:
    """Ink of printed pages: their number, the mean share of a page that is covered, and the share
    saved by a reduced ink mode, both 0 to 1."""

    pages: int
    share: float
    saving: float | None = None


def format_ink_estimate(job: Job, pages: Iterable[SheetPage]) -> str:
    """Return the ink that measured pages take as text."""
    ink = estimate_ink(job, pages)
    noun = "page" if ink.pages == 1 else "pages"
    text = f"ink: {100 * ink.share:.0f}\u00a0% of a page on average, {ink.pages} printed {noun}"
    if ink.saving is None:
        return text
    return f"{text}; {100 * ink.saving:.0f}\u00a0% less than in full"


def estimate_ink(job: Job, pages: Iterable[SheetPage]) -> InkEstimate:
    """Return the ink that pages take. Their faces must be measured."""
    printed = [page for page in pages if page.placements]
    faces = _list_faces_on_pages(job, printed)
    paper, ink = job.options.paper, job.options.layout.ink

    def compute_average(mode: InkMode) -> float:
        shares = load_figures(job, COVERAGE_MEASURE, faces, mode)
        covered = sum(
            shares[face.key] * slot.paint.width * slot.paint.height
            for page in printed
            for face, slot in page.placements
        )
        return covered / (len(printed) * paper.width * paper.height) if printed else 0.0

    share = compute_average(ink)
    full = compute_average(FULL_INK) if ink.low else 0.0
    return InkEstimate(len(printed), share, 1 - share / full if full else None)


def measure_dark_backs(job: Job, backs: Sequence[Face]) -> None:
    """Measure the backs in full ink, and the dark ones in low ink."""
    measure_batch(job, COVERAGE_MEASURE, backs, len(backs))
    dark = _list_dark_faces(job, backs)
    measure_batch(job, COVERAGE_MEASURE, dark, len(dark), _LOW_INK)


def format_dark_backs(job: Job, backs: Sequence[Face]) -> str:
    """Return what low ink saves of each deck with dark backs, or "". They must be measured."""
    dark = _list_dark_faces(job, backs)
    full = load_figures(job, COVERAGE_MEASURE, dark)
    low = load_figures(job, COVERAGE_MEASURE, dark, _LOW_INK)
    saved = {face.deck.id: 100 * (1 - low[face.key] / full[face.key]) for face in dark}
    listed = ", ".join(f"{deck}\u00a0({share:.0f}\u00a0%)" for deck, share in saved.items())
    return f"backs that are almost wholly inked, and what --low-ink saves: {listed}" * bool(saved)


def _list_dark_faces(job: Job, faces: Sequence[Face]) -> list[Face]:
    shares = load_figures(job, COVERAGE_MEASURE, faces)
    return [face for face in faces if shares.get(face.key, 0) >= _DARK_SHARE]


def measure_coverage_batch(job: Job, pages: Iterable[SheetPage], limit: int) -> int:
    """Measure up to `limit` faces on pages in each ink mode. Return how many are left."""
    faces, ink = _list_faces_on_pages(job, pages), job.options.layout.ink
    modes = (ink, FULL_INK) if ink.low else (ink,)
    return max(measure_batch(job, COVERAGE_MEASURE, faces, limit, mode) for mode in modes)


def _list_faces_on_pages(job: Job, pages: Iterable[SheetPage]) -> list[Face]:
    keys = {face.key for page in pages for face, _ in page.placements}
    return list({face.key: face for face in job.faces.faces if face.key in keys}.values())
