"""Atlases of faces for virtual tables: which face is in which cell, and the pictures of them.

Each deck has sheets of its own, so that an edited card changes no other deck's. Faces stand in the
order of the deck, each look once, with the back in the last cell.

A picture is named by its content, so its name is known only once it is drawn.
`draw_missing_pictures` draws when an output prepares, `load_pictures` finds the files when it
plans.
"""

from __future__ import annotations

import hashlib
import io
import re
from collections.abc import Iterable, Sequence
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
MAX_FACE_DPI = 300
PICTURE_STORE_KIND = "pictures"
_MIN_CELLS_PER_SIDE = 2
_JPEG_QUALITY = 92
_PICTURE_NAME = re.compile(r"[0-9a-f]{20}\.(jpg|png)\Z")
_PLAIN_COLOUR = "#b9b0a0"
_MM_PER_PX = MM_PER_INCH / 72
"""Pages are rasterised at 72 dpi, a point of the page becoming one px."""
_PAGE_SHRINK_PX = 0.001
"""Pages are this much smaller than their pictures, since pdfium rounds sizes up."""


@dataclass(frozen=True)
class AtlasGrid:
    """Columns and rows of a sheet, and width and height of a cell in px."""

    columns: int
    rows: int
    width: int
    height: int


@dataclass(frozen=True)
class CardSides:
    """Both faces of a card. Without a back the card has a plain one."""

    front: Face
    back: Face | None

    @property
    def key(self) -> str:
        return self.front.key + (self.back.key if self.back else "")


@dataclass(frozen=True)
class AtlasSheet:
    """A sheet with up to 69 different cards of a deck: the pictures of the fronts, and of the backs
    or the common back."""

    grid: AtlasGrid
    has_unique_backs: bool
    front: TablePicture
    back: TablePicture


@dataclass(frozen=True)
class Atlas:
    """Sheets of a deck, and by each card's id the number of its sheet and its cell."""

    deck: Deck
    sheets: tuple[AtlasSheet, ...]
    cells: dict[str, tuple[int, int]]
    cards: dict[str, CardSides]

    @property
    def pictures(self) -> list[TablePicture]:
        """The pictures of all sheets."""
        return [each for sheet in self.sheets for each in (sheet.front, sheet.back)]


def build_atlas(job: Job, deck: Deck, language: str) -> Atlas:
    """Return the sheets of a deck, without cards of 0 copies."""
    backs = {face.piece.id: face for face in job.faces.find_faces(deck, language, "back")}
    cards = {
        face.piece.id: CardSides(face, backs.get(face.piece.id))
        for face in job.faces.find_faces(deck, language, "front")
        if face.piece.copies
    }
    distinct = list({card.key: card for card in cards.values()}.values())
    places = {card.key: divmod(n, MAX_FACES_PER_SHEET) for n, card in enumerate(distinct)}
    sheets = [
        _build_sheet(job, deck, distinct[start : start + MAX_FACES_PER_SHEET])
        for start in range(0, len(distinct), MAX_FACES_PER_SHEET)
    ]
    cells = {id_: places[card.key] for id_, card in cards.items()}
    return Atlas(deck, tuple(sheets), cells, cards)


def _build_sheet(job: Job, deck: Deck, cards: Sequence[CardSides]) -> AtlasSheet:
    image_format, limit = get_picture_format(job), job.options.tables.sheet_px
    grid = choose_grid(len(cards), deck.size, limit)
    common = cards[0].back
    last = [(grid.columns * grid.rows - 1, common)] if common else []
    has_unique_backs = len({card.back.key if card.back else "" for card in cards}) > 1
    fronts = [(cell, card.front) for cell, card in enumerate(cards)]
    backs = [(cell, card.back) for cell, card in enumerate(cards) if card.back]
    front = TablePicture(grid, (*fronts, *last), image_format)
    if has_unique_backs:
        back = TablePicture(grid, (*backs, *last), image_format)
    else:
        back = build_face_picture(deck, common, image_format, limit)
    return AtlasSheet(grid, has_unique_backs, front, back)


def choose_grid(faces: int, size: Size, limit: int) -> AtlasGrid:
    """Return the grid that shows faces and a back largest, within `limit` px a side.

    Among grids with equally large faces the one with the fewest cells is taken.
    """
    choices = (
        AtlasGrid(columns, rows, *fit_pixels(size, limit // columns, limit // rows))
        for columns in range(_MIN_CELLS_PER_SIDE, MAX_COLUMNS + 1)
        for rows in range(_MIN_CELLS_PER_SIDE, MAX_ROWS + 1)
        if columns * rows > faces
    )
    return max(choices, key=lambda grid: (grid.width, -grid.columns * grid.rows, grid.columns))


def fit_pixels(size: Size, most_width: int, most_height: int) -> tuple[int, int]:
    """Return width and height in px of a face that fits into a box, at most at 300 dpi."""
    scale = min(MAX_FACE_DPI / MM_PER_INCH, most_width / size.width, most_height / size.height)
    # The small addend keeps rounding from losing a px where the box is the limit.
    return max(1, int(size.width * scale + 1e-6)), max(1, int(size.height * scale + 1e-6))


@dataclass(frozen=True, eq=False)
class TablePicture:
    """A picture of faces in the cells of a grid. Cells without a face have a plain colour."""

    grid: AtlasGrid
    faces: tuple[tuple[int, Face], ...]
    image_format: str = "jpeg"

    @cached_property
    def id(self) -> str:
        """Digest that is equal for equal pictures."""
        faces = [f"{cell} {face.deck.bleed} {face.digest}" for cell, face in self.faces]
        return digest_parts([repr(self.grid), self.image_format, *faces])


@dataclass(frozen=True)
class PictureRecipe:
    """Recipe of a picture: faces with their cells, and their bleed in mm."""

    grid: AtlasGrid
    cells: tuple[tuple[int, FacePdf, float], ...]
    image_format: str
    font_files: tuple[FontFile, ...]


def get_picture_format(job: Job) -> str:
    """Return the image format of the pictures."""
    return "png" if job.options.tables.png else "jpeg"


def build_face_picture(
    deck: Deck, face: Face | None, image_format: str, max_px: int
) -> TablePicture:
    """Return the picture of one face, or of the plain back."""
    grid = AtlasGrid(1, 1, *fit_pixels(deck.size, max_px, max_px))
    return TablePicture(grid, ((0, face),) if face else (), image_format)


def draw_missing_pictures(job: Job, pictures: Iterable[TablePicture]) -> None:
    """Draw every picture that the store lacks, on all cores."""
    keyed = {compute_picture_key(job, each): each for each in {p.id: p for p in pictures}.values()}
    job.store.fetch_entries(_get_entry(job, f"{key}.json") for key in keyed)
    names = filter(None, (_read_picture_name(job, key) for key in keyed))
    job.store.fetch_entries(_get_entry(job, name) for name in names)
    missing = [key for key in keyed if not _find_stored_picture(job, key)]
    # The largest come first, so that no core waits for another's last one.
    missing.sort(key=lambda key: -len(keyed[key].faces))
    recipes = [build_picture_recipe(job, keyed[key]) for key in missing]
    results = map_calls(draw_picture, recipes, alone=len(recipes) < 3)
    for done, (key, data) in enumerate(zip(missing, results, strict=True), start=1):
        digest = hashlib.sha256(data).hexdigest()[:20]
        name = f"{digest}.{'jpg' if keyed[key].image_format == 'jpeg' else 'png'}"
        job.store.write(_get_entry(job, name), data)
        job.store.write_json(_get_entry(job, f"{key}.json"), {"name": name})
        job.progress("drawing sheets", done, len(missing))
    used = {name for key in keyed for name in (f"{key}.json", _find_stored_picture(job, key))}
    job.store.remove_unused(PICTURE_STORE_KIND, used, 4 * len(used) + 100)


def load_pictures(job: Job, pictures: Iterable[TablePicture]) -> dict[str, Path]:
    """Return the files of drawn pictures in the store by the pictures' ids. Each is named by its
    content."""
    distinct = {picture.id: picture for picture in pictures}
    return {
        id_: _get_entry(job, _find_stored_picture(job, compute_picture_key(job, picture)))
        for id_, picture in distinct.items()
    }


def _get_entry(job: Job, name: str) -> Path:
    return job.store.get_path(PICTURE_STORE_KIND, name)


def _find_stored_picture(job: Job, key: str) -> str:
    """Return the name of a drawn picture, or "" if the store does not hold it."""
    name = _read_picture_name(job, key)
    return name if name and job.store.has_entry(_get_entry(job, name)) else ""


def _read_picture_name(job: Job, key: str) -> str:
    """Return the name that a picture got when it was drawn, or ""."""
    record = job.store.read_json(_get_entry(job, f"{key}.json"))
    name = str(record.get("name", "")) if isinstance(record, dict) else ""
    return name if _PICTURE_NAME.match(name) else ""


def compute_picture_key(job: Job, picture: TablePicture) -> str:
    """Return the digest of a picture's recipe."""
    return digest_recipe(build_picture_recipe(job, picture))


def build_picture_recipe(job: Job, picture: TablePicture) -> PictureRecipe:
    """Return the recipe of a picture."""
    cells = tuple(
        (cell, get_face_pdf(face, job.store), face.deck.bleed) for cell, face in picture.faces
    )
    return PictureRecipe(picture.grid, cells, picture.image_format, job.font_files)


def draw_picture(wanted: PictureRecipe) -> bytes:
    """Return the file of a picture."""
    image = render_picture(wanted)
    out = io.BytesIO()
    if wanted.image_format == "png":
        image.save(out, "PNG", compress_level=6)
    else:
        # Without subsampling, since it frays small red and blue letters.
        image.save(out, "JPEG", quality=_JPEG_QUALITY, subsampling=0, optimize=True)
    return out.getvalue()


def render_picture(wanted: PictureRecipe) -> Any:
    """Return a picture as an RGB image. The trim of each face fills its cell to the px."""
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
    # The page is not as large as its faces: it has a point for every px.
    shares = (grid.width / (face.width - 2 * bleed) for _, face, bleed in wanted.cells)
    fine_dpi = raster.FINE_DPI * 72 / (min(shares) * MM_PER_INCH)
    return next(raster.rasterise_pages(composer.save("faces", "en"), 72, fine_dpi))


def _place_face(name: str, grid: AtlasGrid, cell: int, face: FacePdf, bleed: float) -> str:
    """Return the PDF operators that place a face in a cell, counted by rows from the top left."""
    row, column = divmod(cell, grid.columns)
    wide, high = grid.width * _MM_PER_PX, grid.height * _MM_PER_PX
    left, bottom = column * wide, (grid.rows - 1 - row) * high
    across, up = wide / (face.width - 2 * bleed), high / (face.height - 2 * bleed)
    matrix = (across, 0.0, 0.0, up, left - bleed * across, bottom - bleed * up)
    return paint_form(name, Box(left, bottom, left + wide, bottom + high), matrix)
