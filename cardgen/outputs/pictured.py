"""What is measured of faces' pictures, each face once: a measure and faces in, figures out.

Pictures are drawn small, by other processes where there are many, and what was found is
remembered beside the faces.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from PIL.Image import Image

from cardgen.assets.fontfiles import Cut
from cardgen.base.workers import spread
from cardgen.faces.face_pdfs import face_pdf
from cardgen.faces.produce import Face
from cardgen.outputs.contract import Job, key_of
from cardgen.pdf.face_file import FacePdf
from cardgen.pdf.inks import FULL, Ink

DPI = 24
_BATCH = 25
Figures = TypeVar("Figures")


@dataclass(frozen=True)
class Measure(Generic[Figures]):
    """What is measured: `kind` is its place in the store, `of` works the figures out of a face's
    picture at `DPI`, bleed and all, and `told` takes from the store what it can be, else None.

    `of` is a function of a module: other processes call it.
    """

    kind: str
    doing: str
    of: Callable[[Image, FacePdf], object]
    told: Callable[[object], Figures | None]


@dataclass(frozen=True)
class Order:
    """Faces to measure, as another process does it."""

    faces: tuple[FacePdf, ...]
    cuts: tuple[Cut, ...]
    ink: Ink
    of: Callable[[Image, FacePdf], object]


def known(
    job: Job, measure: Measure[Figures], faces: Sequence[Face], ink: Ink = FULL
) -> dict[str, Figures]:
    """The figures by the face's key: of those faces that are measured."""
    found = {}
    entries = [job.store.path(measure.kind, _name(job, measure, face, ink)) for face in faces]
    job.store.fetch(entries)
    for face, entry in zip(faces, entries, strict=True):
        figures = measure.told(job.store.read_json(entry))
        if figures is not None:
            found[face.key] = figures
    return found


def measure_some(
    job: Job, measure: Measure[Figures], faces: Sequence[Face], most: int, ink: Ink = FULL
) -> int:
    """Measure so many of the faces at most; how many are left."""
    if not faces:
        return 0
    kept = known(job, measure, faces, ink)
    stale = [face for face in faces if face.key not in kept]
    _measure(job, measure, stale[:most], ink)
    names = [_name(job, measure, face, ink) for face in faces]
    job.store.sweep(measure.kind, names, 6 * len(faces) + 400)
    return max(0, len(stale) - most)


def _name(job: Job, measure: Measure[Figures], face: Face, ink: Ink) -> str:
    return key_of([face], job.faces, measure.kind, ink) + ".json"


def _measure(job: Job, measure: Measure[Figures], stale: Sequence[Face], ink: Ink) -> None:
    groups = [stale[n : n + _BATCH] for n in range(0, len(stale), _BATCH)]
    orders = [
        Order(tuple(face_pdf(f, job.store) for f in group), job.cuts, ink, measure.of)
        for group in groups
    ]
    for done, (group, found) in enumerate(
        zip(groups, spread(carried_out, orders, alone=len(orders) < 3), strict=True), start=1
    ):
        for face, figures in zip(group, found, strict=True):
            entry = job.store.path(measure.kind, _name(job, measure, face, ink))
            job.store.write_json(entry, figures)
        job.progress(measure.doing, done, len(orders))


def carried_out(order: Order) -> list[object]:
    """The figures of an order's faces."""
    from cardgen.pdf import raster  # noqa: PLC0415 - loaded only where something is measured
    from cardgen.pdf.compose import Composer  # noqa: PLC0415

    composer = Composer(order.cuts, ink=order.ink)
    for face in order.faces:
        composer.page(face.width, face.height, b"/F Do", {"F": composer.form(face)})
    drawn = raster.pages(composer.save("measure", "en"), DPI)
    return [order.of(image, face) for image, face in zip(drawn, order.faces, strict=True)]
