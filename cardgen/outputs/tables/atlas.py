"""Sheets of faces: which face stands in which cell. Arithmetic only; `pictures` draws them.

A deck has sheets of its own, so that an edited card changes no other deck's. Its faces stand in
the order of its file, each look once, the back in the last cell of a sheet.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from cardgen.base.units import MM_PER_INCH, Size
from cardgen.faces.produce import Face
from cardgen.game.model import Deck
from cardgen.outputs.contract import Job

MOST_COLUMNS, MOST_ROWS = 10, 7
MOST_FACES = MOST_COLUMNS * MOST_ROWS - 1
_LEAST = 2
"""Columns and rows that a sheet has at least; the last cell is the back's."""
DPI = 300
"""No face is drawn finer than this."""


@dataclass(frozen=True)
class Grid:
    """A sheet's cells: how many, and how large each is, in px."""

    columns: int
    rows: int
    width: int
    height: int


@dataclass(frozen=True)
class Look:
    """What a card looks like on both sides. One without a back has a plain one."""

    front: Face
    back: Face | None

    @property
    def key(self) -> str:
        return self.front.key + (self.back.key if self.back else "")


@dataclass(frozen=True)
class Sheet:
    """Up to 69 looks of a deck. `number` counts the deck's sheets from 0."""

    deck: Deck
    language: str
    number: int
    grid: Grid
    looks: tuple[Look, ...]

    @property
    def back(self) -> Face | None:
        """The back in the last cell."""
        return self.looks[0].back

    @cached_property
    def unlike(self) -> bool:
        """Whether the backs differ, so that they need a sheet, too."""
        return len({look.back.key if look.back else "" for look in self.looks}) > 1


@dataclass(frozen=True)
class Atlas:
    """A deck's sheets, and where each card stands: its id → (number of the sheet, cell)."""

    deck: Deck
    sheets: tuple[Sheet, ...]
    cells: dict[str, tuple[int, int]]
    looks: dict[str, Look]


def atlas(job: Job, deck: Deck, language: str) -> Atlas:
    """The sheets of a deck. Cards of 0 copies are on none."""
    fronts = [face for face in job.faces.of(deck, language, "front") if face.piece.copies]
    backs = {face.piece.id: face for face in job.faces.of(deck, language, "back")}
    by_id = {face.piece.id: Look(face, backs.get(face.piece.id)) for face in fronts}
    distinct = list({look.key: look for look in by_id.values()}.values())
    places = {look.key: divmod(index, MOST_FACES) for index, look in enumerate(distinct)}
    limit = job.options.tables.sheet_px
    groups = [distinct[i : i + MOST_FACES] for i in range(0, len(distinct), MOST_FACES)]
    sheets = tuple(
        Sheet(deck, language, number, grid_for(len(group), deck.size, limit), tuple(group))
        for number, group in enumerate(groups)
    )
    return Atlas(deck, sheets, {id_: places[look.key] for id_, look in by_id.items()}, by_id)


def grid_for(faces: int, size: Size, limit: int) -> Grid:
    """The grid that shows so many faces and the back largest, within `limit` px a side.

    Of grids that show them equally large it is the one with the fewest cells.
    """
    choices = (
        Grid(columns, rows, *pixels(size, limit // columns, limit // rows))
        for columns in range(_LEAST, MOST_COLUMNS + 1)
        for rows in range(_LEAST, MOST_ROWS + 1)
        if columns * rows > faces
    )
    return max(choices, key=lambda grid: (grid.width, -grid.columns * grid.rows, grid.columns))


def pixels(size: Size, most_width: int, most_height: int) -> tuple[int, int]:
    """How many px a face has within such a box, in its proportions, at 300 dpi at most."""
    scale = min(DPI / MM_PER_INCH, most_width / size.width, most_height / size.height)
    # The box's own px count where it binds: rounding may not lose one of them.
    return max(1, int(size.width * scale + 1e-6)), max(1, int(size.height * scale + 1e-6))
