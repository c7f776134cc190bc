"""How much ink sheets take: of every face the share of the paper that it covers, from its pixels.

Black covers all of its area, white nothing, a colour the mean of what it takes of red, green and
blue. That is no printer's own reckoning, but it compares. A face is measured once and remembered.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from cardgen.assets.fontfiles import Cut
from cardgen.base.workers import spread
from cardgen.faces.produce import Face
from cardgen.outputs.contract import Job, face_pdf, key_of
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


def told(job: Job, pages: Iterable[Page]) -> str:
    """What the pages take, in words; with less ink than in full, also how much that saves."""
    listed = [page for page in pages if page.placed]
    keys = {face.key for page in listed for face, _ in page.placed}
    faces = list({f.key: f for f in job.faces.faces if f.key in keys}.values())
    paper, ink = job.options.paper, job.options.layout.ink

    def average(wanted: Ink) -> float:
        shares = measured(job, faces, wanted)
        covered = sum(
            shares[face.key] * slot.paint.width * slot.paint.height
            for page in listed
            for face, slot in page.placed
        )
        return covered / (len(listed) * paper.width * paper.height) if listed else 0.0

    share = average(ink)
    noun = "page" if len(listed) == 1 else "pages"
    text = f"ink: {100 * share:.0f}\u00a0% of a page on average, {len(listed)} printed {noun}"
    full = average(FULL) if ink.low else 0.0
    return f"{text}; {100 * (1 - share / full):.0f}\u00a0% less than in full" if full else text


def measured(job: Job, faces: Sequence[Face], ink: Ink) -> dict[str, float]:
    """The share of its area that each face covers with ink, 0 to 1, by the face's key."""
    names = {face.key: key_of([face], job.faces, KIND, ink) + ".json" for face in faces}
    kept = {key: job.store.read_json(job.store.path(KIND, name)) for key, name in names.items()}
    found = {
        key: share for key, share in kept.items() if isinstance(share, float) and 0 <= share <= 1
    }
    stale = [face for face in faces if face.key not in found]
    orders = [
        Order(tuple(face_pdf(f, job.store) for f in stale[n : n + _BATCH]), job.cuts, ink)
        for n in range(0, len(stale), _BATCH)
    ]
    for done, (order, shares) in enumerate(
        zip(orders, spread(measure, orders, alone=len(orders) < 3), strict=True), start=1
    ):
        for face, share in zip(order.faces, shares, strict=True):
            found[face.key] = share
            job.store.write_json(job.store.path(KIND, names[face.key]), share)
        job.progress("measuring ink", done, len(orders))
    job.store.sweep(KIND, names.values(), 6 * len(names) + 400)
    return found


def measure(order: Order) -> list[float]:
    """The shares of an order's faces."""
    from cardgen.pdf import raster  # noqa: PLC0415 - loaded only where ink is measured
    from cardgen.pdf.compose import Composer  # noqa: PLC0415

    composer = Composer(order.cuts, ink=order.ink)
    for face in order.faces:
        composer.page(face.width, face.height, b"/F Do", {"F": composer.form(face)})
    return [raster.darkness(image) for image in raster.pages(composer.save("ink", "en"), _DPI)]
