"""Stock that is cut or perforated already: business cards and labels by the names of products.

A name leads to a grid of places, and a piece of a place's size lies in its middle. The figures
stand in `stock.yaml`, facts that are public; no sheet of any product was at hand. Lengths in mm.
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
"""A piece whose sides differ from a place's by no more is of its size."""
_NEAR_SIZE_MM = 2.0
"""One that differs by less is told by how much."""
_MAX_NAMED_PRODUCTS = 3


@dataclass(frozen=True)
class PrecutStock:
    """A product, its paper, and its places: `first` is how far the first one lies from the paper's
    left and upper edge, `pitch` how far one from the next; `also` are products like it."""

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
        """Whether such pieces are of a place's size and shape, upright or turned."""
        return (
            self.form.shape == pieces.form.shape
            and measure_size_difference(self.cell, pieces.size) <= SIZE_TOLERANCE_MM
        )

    def make_grid(self, pieces: PieceFormat) -> SheetGrid | None:
        """Such pieces in the middle of the places, or None. No bleed reaches another place."""
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
        """Why such pieces cannot lie on it, and what takes them instead."""
        known = [each for each in load_stocks().values() if each.form.shape == pieces.form.shape]
        fitting = [each.name for each in known if each.is_suitable(pieces)]
        round_ = " round" if self.form.shape == "round" else ""
        said = f"({pieces.size}) does not fit {self.name}, whose{round_} places are {self.cell}"
        apart = measure_size_difference(self.cell, pieces.size)
        if self.form.shape == pieces.form.shape and apart < _NEAR_SIZE_MM:
            said += f": {apart:.1f} mm apart, and {SIZE_TOLERANCE_MM:g} mm is what a perforation forgives"
        if fitting:
            return f"{said}; it fits {', '.join(fitting[:_MAX_NAMED_PRODUCTS])}"
        nearest = min(
            known, key=lambda each: measure_size_difference(each.cell, pieces.size), default=None
        )
        if nearest is None:
            return f"{said}; no stock that is known has places of its shape"
        told = "" if nearest == self else f"; nearest is {nearest.name} with {nearest.cell}"
        return f"{said}{told}; give the deck that size, or print it on plain paper, without --stock"


def _measure_gap(pitch: float, side: float) -> float:
    """The room between two pieces; what is within the tolerance of sizes is none."""
    return pitch - side if pitch - side > SIZE_TOLERANCE_MM else 0.0


def measure_size_difference(one: Size, other: Size) -> float:
    """The larger difference of both sides, each size upright."""
    pairs = zip(sorted((one.width, one.height)), sorted((other.width, other.height)), strict=True)
    return max(abs(a - b) for a, b in pairs)


@lru_cache(maxsize=1)
def load_stocks() -> Mapping[str, PrecutStock]:
    """What is known, by its first names, in the order of the file."""
    text, why = game_files.read_text(Path(__file__).parent, _STOCK_FILE)
    node, problems = yaml_nodes.load(text, _STOCK_FILE)
    if why or problems or node is None:
        raise RuntimeError(f"{_STOCK_FILE} {why or problems}")
    return MappingProxyType({name: _read_stock(name, each) for name, each in node.items()})


def _read_stock(name: str, node: Node) -> PrecutStock:
    told = node.to_plain()
    if not isinstance(told, dict) or not _NUMBER_KEYS <= told.keys() <= STOCK_KEYS:
        raise RuntimeError(f"{node.source}: {name} has other keys than {sorted(STOCK_KEYS)}")
    cell, grid, first, pitch = (
        _parse_pair(told[key], name) for key in ("cell", "grid", "first", "pitch")
    )
    form = PieceForm(told.get("shape", "rectangle"), float(told.get("corner", 0)))
    return PrecutStock(
        name, told["what"], told["paper"], cell, int(grid.width), int(grid.height), first, pitch,
        form, tuple(told.get("also", ())),
    )  # fmt: skip


def _parse_pair(text: str, name: str) -> Size:
    """Two figures, the one across first."""
    found = parse_size(text, {})
    if found is None:
        raise RuntimeError(f"{_STOCK_FILE}: {name}: '{text}' is no pair of figures")
    return found


def index_stock_names() -> Mapping[str, PrecutStock]:
    """The same by all names."""
    found = {also: each for each in load_stocks().values() for also in each.other_names}
    return found | dict(load_stocks())


def find_stock(text: str) -> PrecutStock | None:
    """The stock that is meant: `avery-5371`, `Avery 5371`; None for what is not known."""
    return index_stock_names().get("-".join(text.lower().split()))
