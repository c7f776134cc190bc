"""Pictures for virtual tables, drawn from the vector faces and kept in the store.

A picture's file is named by what it holds, so its name is known only once it is drawn: `draw`
makes what the store lacks when an output prepares, and `drawn` finds it when files are planned.
"""

from __future__ import annotations

import hashlib
import io
import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from cardgen.assets.fontfiles import Cut
from cardgen.base.store import digest_of
from cardgen.base.units import MM_PER_INCH, Box
from cardgen.base.workers import spread
from cardgen.faces.face_pdfs import face_pdf
from cardgen.faces.produce import Face
from cardgen.game.model import Deck
from cardgen.outputs.contract import Job, key_of
from cardgen.outputs.tables.atlas import Grid, Sheet, pixels
from cardgen.pdf.face_file import FacePdf
from cardgen.pdf.operators import painted

KIND = "pictures"
_QUALITY = 92
_NAME = re.compile(r"[0-9a-f]{20}\.(jpg|png)\Z")
_PLAIN = "#b9b0a0"
_PX_MM = MM_PER_INCH / 72
"""A page's point becomes one px."""
_HAIR = 0.001
"""A page is so many px smaller than its picture: pdfium rounds up, and floats err both ways."""


@dataclass(frozen=True, eq=False)
class Picture:
    """A grid of faces, by (cell, face); cells without one have the plain ground.

    `form` is the file's: png or jpeg.
    """

    grid: Grid
    faces: tuple[tuple[int, Face], ...]
    form: str = "jpeg"

    @property
    def size(self) -> tuple[int, int]:
        """Width and height in px."""
        return self.grid.columns * self.grid.width, self.grid.rows * self.grid.height

    @cached_property
    def id(self) -> str:
        """Pictures of the same id are one picture."""
        faces = [f"{cell} {face.deck.bleed} {face.digest}" for cell, face in self.faces]
        return digest_of([repr(self.grid), self.form, *faces])


@dataclass(frozen=True)
class Drawn:
    """A picture in the store. `name` is its file's, by its content."""

    name: str
    path: Path
    size: tuple[int, int]


@dataclass(frozen=True)
class Order:
    """A picture as another process draws it: faces with their cell and bleed."""

    grid: Grid
    cells: tuple[tuple[int, FacePdf, float], ...]
    form: str
    cuts: tuple[Cut, ...]


def sheet(of: Sheet, side: str, form: str) -> Picture:
    """The fronts of a sheet with the back in the last cell; or the backs."""
    faces = [(index, getattr(look, side)) for index, look in enumerate(of.looks)]
    last = of.grid.columns * of.grid.rows - 1
    return Picture(of.grid, tuple((n, f) for n, f in [*faces, (last, of.back)] if f), form)


def single(deck: Deck, face: Face | None, form: str, limit: int) -> Picture:
    """One face for itself, or the plain back of those that have none."""
    grid = Grid(1, 1, *pixels(deck.size, limit, limit))
    return Picture(grid, ((0, face),) if face else (), form)


def draw(job: Job, wanted: Iterable[Picture]) -> None:
    """Draw every picture that the store lacks, on all cores."""
    pictures = {picture.id: picture for picture in wanted}
    keys = {id_: key(job, picture) for id_, picture in pictures.items()}
    job.store.fetch(job.store.path(KIND, f"{each}.json") for each in keys.values())
    names = filter(None, (_named(job, each) for each in keys.values()))
    job.store.fetch(job.store.path(KIND, name) for name in names)
    missing = [id_ for id_ in pictures if not _record(job, keys[id_])]
    # The largest first, so that no core waits for the other's last one.
    missing.sort(key=lambda id_: -len(pictures[id_].faces))
    orders = [order(job, pictures[id_]) for id_ in missing]
    results = spread(paint, orders, alone=len(orders) < 3)
    for done, (id_, data) in enumerate(zip(missing, results, strict=True), start=1):
        name = f"{hashlib.sha256(data).hexdigest()[:20]}.{_ending(pictures[id_].form)}"
        job.store.write(job.store.path(KIND, name), data)
        job.store.write_json(job.store.path(KIND, f"{keys[id_]}.json"), {"name": name})
        job.progress("drawing sheets", done, len(missing))
    used = {name for each in keys.values() for name in (f"{each}.json", _record(job, each))}
    job.store.sweep(KIND, used, 4 * len(used) + 100)


def drawn(job: Job, wanted: Iterable[Picture]) -> dict[str, Drawn]:
    """Every picture, as it was drawn, by its id, under the name of its content."""
    found = {}
    for picture in wanted:
        if picture.id not in found:
            name = _record(job, key(job, picture))
            found[picture.id] = Drawn(name, job.store.path(KIND, name), picture.size)
    return found


def _record(job: Job, key: str) -> str:
    """The name of a drawn picture, if it is still there."""
    name = _named(job, key)
    return name if name and job.store.has(job.store.path(KIND, name)) else ""


def _named(job: Job, key: str) -> str:
    """The name of a picture that was drawn, "" if it never was."""
    found = job.store.read_json(job.store.path(KIND, f"{key}.json"))
    name = str(found.get("name", "")) if isinstance(found, dict) else ""
    return name if _NAME.match(name) else ""


def _ending(form: str) -> str:
    return "jpg" if form == "jpeg" else form


def key(job: Job, picture: Picture) -> str:
    """The hash of all that decides a picture's bytes."""
    return key_of([face for _, face in picture.faces], job.faces, KIND, picture.id, _QUALITY)


def order(job: Job, picture: Picture) -> Order:
    """What drawing a picture takes."""
    cells = tuple(
        (cell, face_pdf(face, job.store), face.deck.bleed) for cell, face in picture.faces
    )
    return Order(picture.grid, cells, picture.form, job.cuts)


def paint(wanted: Order) -> bytes:
    """The picture's file."""
    image = render(wanted)
    out = io.BytesIO()
    if wanted.form == "png":
        image.save(out, "PNG", compress_level=6)
    else:
        # Whole colour: halved, it fringes small red and blue letters.
        image.save(out, "JPEG", quality=_QUALITY, subsampling=0, optimize=True)
    return out.getvalue()


def render(wanted: Order) -> Any:
    """The picture as an RGB image: each face's trim fills its cell to the px."""
    from cardgen.pdf import raster  # noqa: PLC0415 - loaded only where pictures are made
    from cardgen.pdf.compose import Composer  # noqa: PLC0415

    grid = wanted.grid
    width, height = grid.columns * grid.width, grid.rows * grid.height
    if not wanted.cells:
        return raster.plain(width, height, _PLAIN)
    composer = Composer(wanted.cuts)
    forms, content = {}, []
    for index, (cell, face, bleed) in enumerate(wanted.cells):
        forms[f"F{index}"] = composer.form(face)
        content.append(_put(f"F{index}", grid, cell, face, bleed))
    size = ((width - _HAIR) * _PX_MM, (height - _HAIR) * _PX_MM)
    composer.page(*size, "\n".join(content).encode(), forms)
    return next(raster.pages(composer.save("faces", "en"), 72))


def _put(name: str, grid: Grid, cell: int, face: FacePdf, bleed: float) -> str:
    """The operators that put a face's trim into a cell, counted row by row from the top left."""
    row, column = divmod(cell, grid.columns)
    left, bottom = column * grid.width * _PX_MM, (grid.rows - 1 - row) * grid.height * _PX_MM
    wide, high = grid.width * _PX_MM, grid.height * _PX_MM
    across, up = wide / (face.width - 2 * bleed), high / (face.height - 2 * bleed)
    matrix = (across, 0.0, 0.0, up, left - bleed * across, bottom - bleed * up)
    return painted(name, Box(left, bottom, left + wide, bottom + high), matrix)
