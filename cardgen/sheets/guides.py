"""What is printed on sheets beside the pieces: marks for knives, folds, joints and machines.

Pure arithmetic, mm, from the paper's bottom left; `marks` draws it. No mark begins nearer to
a cut than its gap, so that none is ever printed on a card. Only cut lines and outlines, which are
asked for, lie on the cut itself.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

from cardgen.base.units import Box, Size
from cardgen.game.shapes import Form, flat, placed
from cardgen.sheets import silhouette
from cardgen.sheets.imposition import LONG, Format, Grid, Slot
from cardgen.sheets.tiling import Joint, Tile, Tiling

# A mark begins outside the trim and inside the bleed, because little else of the margin can be
# printed on.
_GAP, _LENGTH, _EDGE = 1.0, 4.0, 1.0
_TICK = 3.5
CUT_LINE = 0.1
"""How thick cut lines and outlines are; half of it lies on the piece's side, unless moved out."""


@dataclass(frozen=True)
class Line:
    """A straight line. `style` is crop, fold or join."""

    x1: float
    y1: float
    x2: float
    y2: float
    style: str = "crop"


@dataclass(frozen=True)
class Path:
    """A thin line along points, closed or not, `grey` 0 black to 1 white."""

    points: tuple[tuple[float, float], ...]
    closed: bool = True
    grey: float = 0.4


@dataclass(frozen=True)
class Patch:
    """A filled rectangle, `grey` 0 black to 1 white."""

    box: Box
    grey: float


@dataclass(frozen=True)
class Label:
    """Words, by the left end (or `middle`) of their baseline; `points` is the size of the type."""

    x: float
    y: float
    text: str
    points: float = 6.5
    middle: bool = False
    patch: bool = False


Guide = Line | Path | Patch | Label


@dataclass(frozen=True)
class Style:
    """Which marks are wanted: `marks` is one of MARKS; `figures` are those of a machine's marks."""

    marks: str = "crop"
    cut_lines: bool = False
    corner_guides: bool = False
    figures: silhouette.Figures = silhouette.USUAL


def of_grid(
    grid: Grid, pieces: Format, style: Style, fold: str = "", places: Collection[int] | None = None
) -> list[Guide]:
    """The guides of a sheet's front; without any said, all of its places are taken."""
    form, piece = pieces.form, pieces.size
    every = grid.slots(piece)
    slots = every if places is None else [every[place] for place in places]
    found: list[Guide] = []
    if style.marks in silhouette.MARKS:
        how = (grid.paper, style.marks, style.figures)
        found += [Patch(box, 1.0) for box in silhouette.keep_out(*how)]
        found += [Patch(box, 0.0) for box in silhouette.marks(*how)]
    elif style.marks == "crop" and form.shape == "rectangle":
        xs, ys = grid.cuts(places)
        found += crop_marks(xs, ys, grid.block, _bounds(grid, fold))
    outlined = style.marks == "crop" and form.shape != "rectangle"
    if outlined:
        # A white line beside the dark one shows the cut where bleed reaches over it.
        found += [Path(_around(form, piece, slot, CUT_LINE), grey=1.0) for slot in slots]
    if style.cut_lines or outlined:
        found += [Path(_around(form, piece, slot)) for slot in slots]
    elif style.corner_guides and form.corner:
        found += [path for slot in slots for path in _corners(form, piece, slot)]
    return found + fold_line(grid.paper, fold)


def _bounds(grid: Grid, fold: str) -> Box:
    """How far marks may reach: the paper's edge, or the fold."""
    paper = grid.paper
    left = paper.width / 2 if fold == LONG else 0.0
    top = paper.height if fold in {"", LONG} else paper.height / 2
    return Box(left, 0, paper.width, top).grown(-_EDGE)


def crop_marks(xs: Sequence[float], ys: Sequence[float], block: Box, bounds: Box) -> list[Guide]:
    """A mark at both ends of every cut, outside the block."""
    left, right = (
        max(bounds.left, block.left - _GAP - _LENGTH),
        min(bounds.right, block.right + _GAP + _LENGTH),
    )
    foot, head = (
        max(bounds.bottom, block.bottom - _GAP - _LENGTH),
        min(bounds.top, block.top + _GAP + _LENGTH),
    )
    lines: list[Guide] = []
    for x in xs:
        lines += [Line(x, block.bottom - _GAP, x, foot), Line(x, block.top + _GAP, x, head)]
    for y in ys:
        lines += [Line(block.left - _GAP, y, left, y), Line(block.right + _GAP, y, right, y)]
    return lines


def _around(
    form: Form, piece: Size, slot: Slot, beyond: float = 0
) -> tuple[tuple[float, float], ...]:
    """The outline, half a line's width further out, so that the line ends where the piece does.

    With `beyond` (mm) it lies so much further from the piece.
    """
    half = CUT_LINE / 2 + beyond
    grown = Size(piece.width + 2 * half, piece.height + 2 * half)
    corner = form.corner + half if form.corner else 0.0
    box = slot.trim.grown(half)
    return tuple(flat(placed(Form(form.shape, corner), grown, box.left, box.bottom, slot.turn)))


def _corners(form: Form, piece: Size, slot: Slot) -> Iterable[Path]:
    """The four arcs of a rounded rectangle."""
    points = _around(form, piece, slot)
    box, reach = slot.trim.grown(CUT_LINE), form.corner + CUT_LINE + 0.01
    for x in (box.left, box.right):
        for y in (box.bottom, box.top):
            arc = [p for p in points if abs(p[0] - x) <= reach and abs(p[1] - y) <= reach]
            # Along x, because one of the arcs begins at the end of the outline.
            yield Path(tuple(sorted(arc)), closed=False)


def fold_line(paper: Size, fold: str) -> list[Guide]:
    """Dashes from edge to edge, in the gutter that no card reaches."""
    if not fold:
        return []
    if fold == LONG:
        x = paper.width / 2
        return [Line(x, _EDGE, x, paper.height - _EDGE, "fold")]
    y = paper.height / 2
    return [Line(_EDGE, y, paper.width - _EDGE, y, "fold")]


def of_tile(tiling: Tiling, tile: Tile) -> list[Guide]:
    """Crop marks where the sheet is cut, and half crosses where it meets others."""
    slot, paper = tiling.slot(tile), tiling.room.paper
    xs, ys = tiling.cuts(tile)
    block = tile.window.moved(slot.trim.left, slot.trim.bottom)
    found = crop_marks(
        [x + slot.trim.left for x in xs],
        [y + slot.trim.bottom for y in ys],
        block,
        Box(0, 0, paper.width, paper.height).grown(-_EDGE),
    )
    for joint in tiling.joints():
        if tile in (joint.first, joint.second):
            found += _joining(joint, tile is joint.second or tile == joint.second, slot.trim)
    return found


def _joining(joint: Joint, second: bool, trim: Box) -> Iterable[Guide]:
    """Two half crosses a joint, each on the side that is covered, or cut off.

    The first sheet has them beyond the joint, where the second will lie; the second has them
    before it, on what is cut away.
    """
    way = -1 if second else 1
    for part in (0.25, 0.75):
        along = joint.start + (joint.end - joint.start) * part
        if joint.upright:
            x, y = trim.left + joint.at, trim.bottom + along
            yield Line(x + way * 0.2, y, x + way * _TICK, y, "join")
            yield Line(x + way * 0.2, y - _TICK / 2, x + way * 0.2, y + _TICK / 2, "join")
            yield Label(x + way * 2.2, y + 0.8, joint.letter, 6.5, True, True)
        else:
            x, y = trim.left + along, trim.bottom + joint.at
            yield Line(x, y - way * 0.2, x, y - way * _TICK, "join")
            yield Line(x - _TICK / 2, y - way * 0.2, x + _TICK / 2, y - way * 0.2, "join")
            yield Label(x + 2.4, y - way * 2.2 - 0.8, joint.letter, 6.5, True, True)


def of_sketch(tiling: Tiling, box: Box) -> list[Guide]:
    """The joints and numbers of all tiles over a picture of the piece that fills the box."""
    scale = box.width / tiling.piece.width

    def at(x: float, y: float) -> tuple[float, float]:
        return box.left + x * scale, box.bottom + y * scale

    found: list[Guide] = []
    for joint in tiling.joints():
        ends = (
            (joint.at, joint.start), (joint.at, joint.end)
        ) if joint.upright else ((joint.start, joint.at), (joint.end, joint.at))  # fmt: skip
        (x1, y1), (x2, y2) = (at(*end) for end in ends)
        found.append(Line(x1, y1, x2, y2, "join"))
        found.append(Label((x1 + x2) / 2, (y1 + y2) / 2 - 1.3, joint.letter, 11, True, True))
    for tile in tiling.tiles():
        window = tile.window
        x, y = at((window.left + window.right) / 2, (window.bottom + window.top) / 2)
        found.append(Label(x, y - 3, str(tile.number), 24, True, True))
    return found
