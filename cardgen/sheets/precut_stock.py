"""Precut or perforated stock: grids of business cards and labels by product name. Lengths are mm.

A piece of a place's size is centred in it. The measures in `stock.yaml` come from the makers'
published data; no product was measured.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from types import MappingProxyType

from cardgen.core import yaml_nodes
from cardgen.core.units import PAPERS, Size, parse_size
from cardgen.core.yaml_nodes import Node
from cardgen.game.shapes import PLAIN_FORM, PieceForm
from cardgen.runtime import game_files
from cardgen.sheets.imposition import PieceFormat, SheetGrid

_STOCK_FILE = "stock.yaml"
_NUMBER_KEYS = {"cell", "grid", "first", "pitch"}
STOCK_KEYS = {"what", "paper", "shape", "corner", "also", *_NUMBER_KEYS}
SIZE_TOLERANCE_MM = 0.2
"""Largest difference of sides at which a piece counts as of a place's size."""
_NEAR_SIZE_MM = 2.0
"""Largest difference at which a message names the difference."""
_MAX_NAMED_PRODUCTS = 3


@dataclass(frozen=True)
class PrecutStock:
    """A product: its paper and its places.

    `first_place` is the distance of the first place from the paper's left and upper edge, `pitch`
    the distance from one place to the next, `other_names` are equal products.
    """

    name: str
    description: str
    paper_name: str
    cell: Size
    columns: int
    rows: int
    first_place: Size
    pitch: Size
    form: PieceForm = PLAIN_FORM
    other_names: tuple[str, ...] = ()

    @property
    def paper(self) -> Size:
        return Size(*PAPERS[self.paper_name])

    def is_suitable(self, pieces: PieceFormat) -> bool:
        """Tell whether pieces are of a place's size and shape, upright or turned."""
        return (
            self.form.shape == pieces.form.shape
            and self.cell.measure_difference(pieces.size) <= SIZE_TOLERANCE_MM
        )

    def make_grid(self, pieces: PieceFormat) -> SheetGrid | None:
        """Return the grid with pieces centred in the places, or None. No bleed reaches another
        place."""
        if not self.is_suitable(pieces):
            return None
        size, cell, pitch = pieces.size, self.cell, self.pitch
        if (size.width > size.height) != (cell.width > cell.height):
            size = size.rotate()
        left = self.first_place.width + (cell.width - size.width) / 2
        top = self.first_place.height + (cell.height - size.height) / 2
        bottom = self.paper.height - top - (self.rows - 1) * pitch.height - size.height
        gaps = Size(_measure_gap(pitch.width, size.width), _measure_gap(pitch.height, size.height))
        return SheetGrid(
            self.paper, size, pieces.bleed, gaps, self.columns, self.rows, left, bottom, pitch
        )

    def explain_misfit(self, pieces: PieceFormat) -> str:
        """Return why the pieces do not fit this stock, and which stock takes them."""
        stocks = [each for each in load_stocks().values() if each.form.shape == pieces.form.shape]
        fitting = [each.name for each in stocks if each.is_suitable(pieces)]
        round_ = " round" if self.form.shape == "round" else ""
        reason = f"({pieces.size}) does not fit {self.name}, whose{round_} places are {self.cell}"
        difference = self.cell.measure_difference(pieces.size)
        if self.form.shape == pieces.form.shape and difference < _NEAR_SIZE_MM:
            reason += f"; they differ by {difference:.1f} mm, the limit is {SIZE_TOLERANCE_MM:g} mm"
        if fitting:
            return f"{reason}; it fits {', '.join(fitting[:_MAX_NAMED_PRODUCTS])}"
        nearest = min(
            stocks, key=lambda each: each.cell.measure_difference(pieces.size), default=None
        )
        if nearest is None:
            return f"{reason}; no known stock has places of its shape"
        hint = "" if nearest == self else f"; nearest is {nearest.name} with {nearest.cell}"
        return (
            f"{reason}{hint}; give the deck that size, or print it on plain paper, without --stock"
        )


def _measure_gap(pitch: float, side: float) -> float:
    """Return the gap between two pieces; less than the tolerance of sizes counts as none."""
    return pitch - side if pitch - side > SIZE_TOLERANCE_MM else 0.0


@lru_cache(maxsize=1)
def load_stocks() -> Mapping[str, PrecutStock]:
    """Return all stocks by their first names, in the order of the file."""
    text, error = game_files.read_text(Path(__file__).parent, _STOCK_FILE)
    node, problems = yaml_nodes.load(text, _STOCK_FILE)
    if error or problems or node is None:
        raise RuntimeError(f"{_STOCK_FILE} {error or problems}")
    return MappingProxyType({name: _read_stock(name, each) for name, each in node.items()})


def _read_stock(name: str, node: Node) -> PrecutStock:
    fields = node.to_plain()
    if not isinstance(fields, dict) or not _NUMBER_KEYS <= fields.keys() <= STOCK_KEYS:
        raise RuntimeError(f"{node.source}: {name} has other keys than {sorted(STOCK_KEYS)}")
    cell, grid, first, pitch = (
        _parse_pair(fields[key], name) for key in ("cell", "grid", "first", "pitch")
    )
    form = PieceForm(fields.get("shape", "rectangle"), float(fields.get("corner", 0)))
    return PrecutStock(
        name, fields["what"], fields["paper"], cell, int(grid.width), int(grid.height),
        first, pitch, form, tuple(fields.get("also", ())),
    )  # fmt: skip


def _parse_pair(text: str, name: str) -> Size:
    """Parse two numbers, width first."""
    numbers = parse_size(text, {})
    if numbers is None:
        raise RuntimeError(f"{_STOCK_FILE}: {name}: '{text}' is no pair of figures")
    return numbers


def index_stock_names() -> Mapping[str, PrecutStock]:
    """Return all stocks by all of their names."""
    index = {also: each for each in load_stocks().values() for also in each.other_names}
    return index | dict(load_stocks())


def find_stock(text: str) -> PrecutStock | None:
    """Return the stock called `avery-5371` or `Avery 5371`, or None if it is unknown."""
    return index_stock_names().get("-".join(text.lower().split()))
