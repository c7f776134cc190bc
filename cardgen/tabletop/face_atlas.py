"""Sheets of faces: which face stands in which cell. Arithmetic only; `pictures` draws them.

A deck has sheets of its own, so that an edited card changes no other deck's. Its faces stand in
the order of its file, each look once, the back in the last cell of a sheet.
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

from cardgen.assets.font_files import FontFile
from cardgen.core.units import MM_PER_INCH, Box, Size
from cardgen.faces.model import Face, get_face_pdf
from cardgen.game.model import Deck
from cardgen.outputs.contract import Job, digest_recipe
from cardgen.pdf.content_operators import paint_form
from cardgen.pdf.face_file import FacePdf
from cardgen.runtime.content_store import digest_parts
from cardgen.runtime.worker_pool import map_calls

MAX_COLUMNS, MAX_ROWS = 10, 7
MAX_FACES_PER_SHEET = MAX_COLUMNS * MAX_ROWS - 1
_MIN_CELLS_PER_SIDE = 2
"""Columns and rows that a sheet has at least; the last cell is the back's."""
MAX_FACE_DPI = 300
"""No face is drawn finer than this."""


@dataclass(frozen=True)
class AtlasGrid:
    """A sheet's cells: how many, and how large each is, in px."""

    columns: int
    rows: int
    width: int
    height: int


@dataclass(frozen=True)
class CardSides:
    """What a card looks like on both sides. One without a back has a plain one."""

    front: Face
    back: Face | None

    @property
    def key(self) -> str:
        return self.front.key + (self.back.key if self.back else "")


@dataclass(frozen=True)
class AtlasSheet:
    """Up to 69 looks of a deck. `number` counts the deck's sheets from 0."""

    deck: Deck
    language: str
    number: int
    grid: AtlasGrid
    cards: tuple[CardSides, ...]

    @property
    def back(self) -> Face | None:
        """The back in the last cell."""
        return self.cards[0].back

    @cached_property
    def has_unique_backs(self) -> bool:
        """Whether the backs differ, so that they need a sheet, too."""
        return len({look.back.key if look.back else "" for look in self.cards}) > 1


@dataclass(frozen=True)
class Atlas:
    """A deck's sheets, and where each card stands: its id → (number of the sheet, cell)."""

    deck: Deck
    sheets: tuple[AtlasSheet, ...]
    cells: dict[str, tuple[int, int]]
    cards: dict[str, CardSides]


def build_atlas(job: Job, deck: Deck, language: str) -> Atlas:
    """The sheets of a deck. Cards of 0 copies are on none."""
    fronts = [face for face in job.faces.find_faces(deck, language, "front") if face.piece.copies]
    backs = {face.piece.id: face for face in job.faces.find_faces(deck, language, "back")}
    by_id = {face.piece.id: CardSides(face, backs.get(face.piece.id)) for face in fronts}
    distinct = list({look.key: look for look in by_id.values()}.values())
    places = {look.key: divmod(index, MAX_FACES_PER_SHEET) for index, look in enumerate(distinct)}
    limit = job.options.tables.sheet_px
    groups = [
        distinct[i : i + MAX_FACES_PER_SHEET] for i in range(0, len(distinct), MAX_FACES_PER_SHEET)
    ]
    sheets = tuple(
        AtlasSheet(deck, language, number, choose_grid(len(group), deck.size, limit), tuple(group))
        for number, group in enumerate(groups)
    )
    return Atlas(deck, sheets, {id_: places[look.key] for id_, look in by_id.items()}, by_id)


def choose_grid(faces: int, size: Size, limit: int) -> AtlasGrid:
    """The grid that shows so many faces and the back largest, within `limit` px a side.

    Of grids that show them equally large it is the one with the fewest cells.
    """
    choices = (
        AtlasGrid(columns, rows, *fit_pixels(size, limit // columns, limit // rows))
        for columns in range(_MIN_CELLS_PER_SIDE, MAX_COLUMNS + 1)
        for rows in range(_MIN_CELLS_PER_SIDE, MAX_ROWS + 1)
        if columns * rows > faces
    )
    return max(choices, key=lambda grid: (grid.width, -grid.columns * grid.rows, grid.columns))


def fit_pixels(size: Size, most_width: int, most_height: int) -> tuple[int, int]:
    """How many px a face has within such a box, in its proportions, at 300 dpi at most."""
    scale = min(MAX_FACE_DPI / MM_PER_INCH, most_width / size.width, most_height / size.height)
    # The box's own px count where it binds: rounding may not lose one of them.
    return max(1, int(size.width * scale + 1e-6)), max(1, int(size.height * scale + 1e-6))


PICTURE_STORE_KIND = "pictures"
_JPEG_QUALITY = 92
_PICTURE_NAME = re.compile(r"[0-9a-f]{20}\.(jpg|png)\Z")
_PLAIN_COLOUR = "#b9b0a0"
_MM_PER_PX = MM_PER_INCH / 72
"""A page's point becomes one px."""
_PAGE_SHRINK_PX = 0.001
"""A page is so many px smaller than its picture: pdfium rounds up, and floats err both ways."""


@dataclass(frozen=True, eq=False)
class TablePicture:
    """A grid of faces, by (cell, face); cells without one have the plain ground.

    `form` is the file's: png or jpeg.
    """

    grid: AtlasGrid
    faces: tuple[tuple[int, Face], ...]
    image_format: str = "jpeg"

    @property
    def size(self) -> tuple[int, int]:
        """Width and height in px."""
        return self.grid.columns * self.grid.width, self.grid.rows * self.grid.height

    @cached_property
    def id(self) -> str:
        """Pictures of the same id are one picture."""
        faces = [f"{cell} {face.deck.bleed} {face.digest}" for cell, face in self.faces]
        return digest_parts([repr(self.grid), self.image_format, *faces])


@dataclass(frozen=True)
class StoredPicture:
    """A picture in the store. `name` is its file's, by its content."""

    name: str
    path: Path
    size: tuple[int, int]


@dataclass(frozen=True)
class PictureRecipe:
    """A picture as another process draws it: faces with their cell and bleed."""

    grid: AtlasGrid
    cells: tuple[tuple[int, FacePdf, float], ...]
    image_format: str
    font_files: tuple[FontFile, ...]


def build_sheet_picture(of: AtlasSheet, side: str, form: str) -> TablePicture:
    """The fronts of a sheet with the back in the last cell; or the backs."""
    faces = [(index, getattr(look, side)) for index, look in enumerate(of.cards)]
    last = of.grid.columns * of.grid.rows - 1
    return TablePicture(of.grid, tuple((n, f) for n, f in [*faces, (last, of.back)] if f), form)


def build_face_picture(deck: Deck, face: Face | None, form: str, limit: int) -> TablePicture:
    """One face for itself, or the plain back of those that have none."""
    grid = AtlasGrid(1, 1, *fit_pixels(deck.size, limit, limit))
    return TablePicture(grid, ((0, face),) if face else (), form)


def draw_missing_pictures(job: Job, wanted: Iterable[TablePicture]) -> None:
    """Draw every picture that the store lacks, on all cores."""
    pictures = {picture.id: picture for picture in wanted}
    keys = {id_: compute_picture_key(job, picture) for id_, picture in pictures.items()}
    job.store.fetch_entries(
        job.store.get_path(PICTURE_STORE_KIND, f"{each}.json") for each in keys.values()
    )
    names = filter(None, (_read_picture_name(job, each) for each in keys.values()))
    job.store.fetch_entries(job.store.get_path(PICTURE_STORE_KIND, name) for name in names)
    missing = [id_ for id_ in pictures if not _find_stored_picture(job, keys[id_])]
    # The largest first, so that no core waits for the other's last one.
    missing.sort(key=lambda id_: -len(pictures[id_].faces))
    orders = [build_picture_recipe(job, pictures[id_]) for id_ in missing]
    results = map_calls(draw_picture, orders, alone=len(orders) < 3)
    for done, (id_, data) in enumerate(zip(missing, results, strict=True), start=1):
        name = (
            f"{hashlib.sha256(data).hexdigest()[:20]}.{_get_extension(pictures[id_].image_format)}"
        )
        job.store.write(job.store.get_path(PICTURE_STORE_KIND, name), data)
        job.store.write_json(
            job.store.get_path(PICTURE_STORE_KIND, f"{keys[id_]}.json"), {"name": name}
        )
        job.progress("drawing sheets", done, len(missing))
    used = {
        name for each in keys.values() for name in (f"{each}.json", _find_stored_picture(job, each))
    }
    job.store.remove_unused(PICTURE_STORE_KIND, used, 4 * len(used) + 100)


def load_pictures(job: Job, wanted: Iterable[TablePicture]) -> dict[str, StoredPicture]:
    """Every picture, as it was drawn, by its id, under the name of its content."""
    found = {}
    for picture in wanted:
        if picture.id not in found:
            name = _find_stored_picture(job, compute_picture_key(job, picture))
            found[picture.id] = StoredPicture(
                name, job.store.get_path(PICTURE_STORE_KIND, name), picture.size
            )
    return found


def _find_stored_picture(job: Job, key: str) -> str:
    """The name of a drawn picture, if it is still there."""
    name = _read_picture_name(job, key)
    return (
        name if name and job.store.has_entry(job.store.get_path(PICTURE_STORE_KIND, name)) else ""
    )


def _read_picture_name(job: Job, key: str) -> str:
    """The name of a picture that was drawn, "" if it never was."""
    found = job.store.read_json(job.store.get_path(PICTURE_STORE_KIND, f"{key}.json"))
    name = str(found.get("name", "")) if isinstance(found, dict) else ""
    return name if _PICTURE_NAME.match(name) else ""


def _get_extension(form: str) -> str:
    return "jpg" if form == "jpeg" else form


def compute_picture_key(job: Job, picture: TablePicture) -> str:
    """The hash of all that decides a picture's bytes."""
    return digest_recipe(build_picture_recipe(job, picture))


def build_picture_recipe(job: Job, picture: TablePicture) -> PictureRecipe:
    """What drawing a picture takes."""
    cells = tuple(
        (cell, get_face_pdf(face, job.store), face.deck.bleed) for cell, face in picture.faces
    )
    return PictureRecipe(picture.grid, cells, picture.image_format, job.font_files)


def draw_picture(wanted: PictureRecipe) -> bytes:
    """The picture's file."""
    image = render_picture(wanted)
    out = io.BytesIO()
    if wanted.image_format == "png":
        image.save(out, "PNG", compress_level=6)
    else:
        # Whole colour: halved, it fringes small red and blue letters.
        image.save(out, "JPEG", quality=_JPEG_QUALITY, subsampling=0, optimize=True)
    return out.getvalue()


def render_picture(wanted: PictureRecipe) -> Any:
    """The picture as an RGB image: each face's trim fills its cell to the px."""
    from cardgen.pdf import raster  # noqa: PLC0415 - loaded only where pictures are made
    from cardgen.pdf.composition import Composer  # noqa: PLC0415

    grid = wanted.grid
    width, height = grid.columns * grid.width, grid.rows * grid.height
    if not wanted.cells:
        return raster.make_plain_image(width, height, _PLAIN_COLOUR)
    composer = Composer(wanted.font_files)
    forms, content = {}, []
    for index, (cell, face, bleed) in enumerate(wanted.cells):
        forms[f"F{index}"] = composer.add_face(face)
        content.append(_place_face(f"F{index}", grid, cell, face, bleed))
    size = ((width - _PAGE_SHRINK_PX) * _MM_PER_PX, (height - _PAGE_SHRINK_PX) * _MM_PER_PX)
    composer.add_page(*size, "\n".join(content).encode(), forms)
    return next(raster.rasterise_pages(composer.save("faces", "en"), 72))


def _place_face(name: str, grid: AtlasGrid, cell: int, face: FacePdf, bleed: float) -> str:
    """The operators that put a face's trim into a cell, counted row by row from the top left."""
    row, column = divmod(cell, grid.columns)
    left, bottom = (
        column * grid.width * _MM_PER_PX,
        (grid.rows - 1 - row) * grid.height * _MM_PER_PX,
    )
    wide, high = grid.width * _MM_PER_PX, grid.height * _MM_PER_PX
    across, up = wide / (face.width - 2 * bleed), high / (face.height - 2 * bleed)
    matrix = (across, 0.0, 0.0, up, left - bleed * across, bottom - bleed * up)
    return paint_form(name, Box(left, bottom, left + wide, bottom + high), matrix)
