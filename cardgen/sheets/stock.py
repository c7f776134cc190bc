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

from cardgen.base import paths, yamlnodes
from cardgen.base.units import PAPERS, Size, parse_size
from cardgen.base.yamlnodes import Node
from cardgen.game.shapes import PLAIN, Form
from cardgen.sheets.imposition import Format, Grid

_FILE = "stock.yaml"
_FIGURES = {"cell", "grid", "first", "pitch"}
KEYS = {"what", "paper", "shape", "corner", "also", *_FIGURES}
SAME = 0.2
"""A piece whose sides differ from a place's by no more is of its size."""
_NEAR = 2.0
"""One that differs by less is told by how much."""
_NAMED = 3


@dataclass(frozen=True)
class Stock:
    """A product, its paper, and its places: `first` is how far the first one lies from the paper's
    left and upper edge, `pitch` how far one from the next; `also` are products like it."""

    name: str
    what: str
    paper_name: str
    cell: Size
    columns: int
    rows: int
    first: Size
    pitch: Size
    form: Form = PLAIN
    also: tuple[str, ...] = ()

    @property
    def paper(self) -> Size:
        return Size(*PAPERS[self.paper_name])

    def takes(self, pieces: Format) -> bool:
        """Whether such pieces are of a place's size and shape, upright or turned."""
        return self.form.shape == pieces.form.shape and distance(self.cell, pieces.size) <= SAME

    def grid(self, pieces: Format) -> Grid | None:
        """Such pieces in the middle of the places, or None. No bleed reaches another place."""
        if not self.takes(pieces):
            return None
        size, cell, pitch = pieces.size, self.cell, self.pitch
        if (size.width > size.height) != (cell.width > cell.height):
            size = size.turned()
        left = self.first.width + (cell.width - size.width) / 2
        top = self.first.height + (cell.height - size.height) / 2
        bottom = self.paper.height - top - (self.rows - 1) * pitch.height - size.height
        gaps = Size(_gap(pitch.width, size.width), _gap(pitch.height, size.height))
        return Grid(
            self.paper, size, pieces.bleed, gaps, self.columns, self.rows, left, bottom, pitch
        )

    def misfit(self, pieces: Format) -> str:
        """Why such pieces cannot lie on it, and what takes them instead."""
        known = [each for each in stocks().values() if each.form.shape == pieces.form.shape]
        fitting = [each.name for each in known if each.takes(pieces)]
        round_ = " round" if self.form.shape == "round" else ""
        said = f"({pieces.size}) does not fit {self.name}, whose{round_} places are {self.cell}"
        apart = distance(self.cell, pieces.size)
        if self.form.shape == pieces.form.shape and apart < _NEAR:
            said += f": {apart:.1f} mm apart, and {SAME:g} mm is what a perforation forgives"
        if fitting:
            return f"{said}; it fits {', '.join(fitting[:_NAMED])}"
        nearest = min(known, key=lambda each: distance(each.cell, pieces.size), default=None)
        if nearest is None:
            return f"{said}; no stock that is known has places of its shape"
        told = "" if nearest == self else f"; nearest is {nearest.name} with {nearest.cell}"
        return f"{said}{told}; give the deck that size, or print it on plain paper, without --stock"


def _gap(pitch: float, side: float) -> float:
    """The room between two pieces; what is within the tolerance of sizes is none."""
    return pitch - side if pitch - side > SAME else 0.0


def distance(one: Size, other: Size) -> float:
    """The larger difference of both sides, each size upright."""
    pairs = zip(sorted((one.width, one.height)), sorted((other.width, other.height)), strict=True)
    return max(abs(a - b) for a, b in pairs)


@lru_cache(maxsize=1)
def stocks() -> Mapping[str, Stock]:
    """What is known, by its first names, in the order of the file."""
    text, why = paths.read_text(Path(__file__).parent, _FILE)
    node, problems = yamlnodes.load(text, _FILE)
    if why or problems or node is None:
        raise RuntimeError(f"{_FILE} {why or problems}")
    return MappingProxyType({name: _stock(name, each) for name, each in node.items()})


def _stock(name: str, node: Node) -> Stock:
    told = node.plain()
    if not isinstance(told, dict) or not _FIGURES <= told.keys() <= KEYS:
        raise RuntimeError(f"{node.source}: {name} has other keys than {sorted(KEYS)}")
    cell, grid, first, pitch = (
        _pair(told[key], name) for key in ("cell", "grid", "first", "pitch")
    )
    form = Form(told.get("shape", "rectangle"), float(told.get("corner", 0)))
    return Stock(
        name, told["what"], told["paper"], cell, int(grid.width), int(grid.height), first, pitch,
        form, tuple(told.get("also", ())),
    )  # fmt: skip


def _pair(text: str, name: str) -> Size:
    """Two figures, the one across first."""
    found = parse_size(text, {})
    if found is None:
        raise RuntimeError(f"{_FILE}: {name}: '{text}' is no pair of figures")
    return found


def names() -> Mapping[str, Stock]:
    """The same by all names."""
    found = {also: each for each in stocks().values() for also in each.also}
    return found | dict(stocks())


def named(text: str) -> Stock | None:
    """The stock that is meant: `avery-5371`, `Avery 5371`; None for what is not known."""
    return names().get("-".join(text.lower().split()))
