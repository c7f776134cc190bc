"""Guides beside pieces: crop marks, folds, joints, registration marks. Geometry in mm, no PDF.

Coordinates start at the paper's bottom left; `sheet_pdf` draws the guides. Marks keep a gap from
every cut, so that none is printed on a card. Only cut lines and outlines lie on the cut itself.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from cardgen.core.units import Box, Size
from cardgen.game.shapes import PieceForm, flatten_outline, place_outline
from cardgen.sheets import silhouette
from cardgen.sheets.board_tiling import BoardTiling, Tile, TileJoint
from cardgen.sheets.imposition import LONG_EDGE, PieceFormat, SheetGrid, Slot

# A mark begins outside the trim and inside the bleed, since printers reach little more of the
# margin.
_MARK_GAP_MM, _MARK_LENGTH_MM, _PAPER_EDGE_MM = 1.0, 4.0, 1.0
_JOINT_MARK_MM = 3.5
CUT_LINE_WIDTH_MM = 0.1
"""Width of cut lines and outlines; half of it lies on the piece's side."""


@dataclass(frozen=True)
class GuideLine:
    """A straight line; `style` is crop, fold, join, trim, crease or valley."""

    x1: float
    y1: float
    x2: float
    y2: float
    style: str = "crop"


@dataclass(frozen=True)
class GuidePath:
    """A thin line along points; `grey` runs from 0 (black) to 1 (white), `colour` is #rrggbb."""

    points: tuple[tuple[float, float], ...]
    is_closed: bool = True
    grey: float = 0.4
    colour: str = ""
    is_dashed: bool = False


@dataclass(frozen=True)
class GuidePatch:
    """A filled rectangle; `grey` runs from 0 (black) to 1 (white)."""

    box: Box
    grey: float


@dataclass(frozen=True)
class GuideLabel:
    """Text at the left end (or middle) of its baseline, with its type size in pt."""

    x: float
    y: float
    text: str
    size_pt: float = 6.5
    is_centred: bool = False
    has_background: bool = False


Guide = GuideLine | GuidePath | GuidePatch | GuideLabel


@dataclass(frozen=True)
class MarkStyle:
    """Marks to print: `marks` is one of MARKS, `dimensions` are those of registration marks."""

    marks: str = "crop"
    has_cut_lines: bool = False
    has_corner_guides: bool = False
    dimensions: silhouette.MarkDimensions = silhouette.DEFAULT_DIMENSIONS


@lru_cache(maxsize=64)
def list_grid_guides(
    grid: SheetGrid,
    pieces: PieceFormat,
    style: MarkStyle,
    fold: str = "",
    places: tuple[int, ...] | None = None,
) -> tuple[Guide, ...]:
    """Return the guides of a sheet's front; `places` are the places in use, None for all."""
    form, piece = pieces.form, pieces.size
    all_slots = grid.list_slots(piece)
    slots = all_slots if places is None else [all_slots[place] for place in places]
    guides: list[Guide] = list_machine_marks(grid.paper, style)
    if style.marks == "crop" and form.shape == "rectangle":
        xs, ys = grid.list_cuts(places)
        guides += list_crop_marks(xs, ys, grid.trim_block, _measure_mark_bounds(grid, fold))
    outlined = style.marks == "crop" and form.shape != "rectangle"
    if outlined:
        # A white line beside the dark one shows the cut where bleed reaches over it.
        outer = [_trace_outline(form, piece, slot, CUT_LINE_WIDTH_MM) for slot in slots]
        guides += [GuidePath(points, grey=1.0) for points in outer]
    if style.has_cut_lines or outlined:
        guides += [GuidePath(_trace_outline(form, piece, slot)) for slot in slots]
    elif style.has_corner_guides and form.corner:
        guides += [path for slot in slots for path in _trace_corners(form, piece, slot)]
    return (*guides, *list_fold_lines(grid.paper, fold))


def list_machine_marks(paper: Size, style: MarkStyle) -> list[Guide]:
    """Return the marks by which a cutting machine finds the sheet, on white areas; none without
    them."""
    if style.marks not in silhouette.MARK_KINDS:
        return []
    kind = (paper, style.marks, style.dimensions)
    return [
        *(GuidePatch(box, 1.0) for box in silhouette.list_clear_areas(*kind)),
        *(GuidePatch(box, 0.0) for box in silhouette.list_registration_marks(*kind)),
    ]


def _measure_mark_bounds(grid: SheetGrid, fold: str) -> Box:
    """Return the box that marks may reach: to the paper's edge, or to the fold."""
    paper = grid.paper
    left = paper.width / 2 if fold == LONG_EDGE else 0.0
    top = paper.height if fold in {"", LONG_EDGE} else paper.height / 2
    return Box(left, 0, paper.width, top).grow(-_PAPER_EDGE_MM)


def list_crop_marks(
    xs: Sequence[float], ys: Sequence[float], block: Box, bounds: Box
) -> list[Guide]:
    """Return a mark at both ends of every cut, outside the block."""
    near, far = block.grow(_MARK_GAP_MM), block.grow(_MARK_GAP_MM + _MARK_LENGTH_MM)
    left, right = max(bounds.left, far.left), min(bounds.right, far.right)
    foot, head = max(bounds.bottom, far.bottom), min(bounds.top, far.top)
    lines: list[Guide] = []
    for x in xs:
        lines += [GuideLine(x, near.bottom, x, foot), GuideLine(x, near.top, x, head)]
    for y in ys:
        lines += [GuideLine(near.left, y, left, y), GuideLine(near.right, y, right, y)]
    return lines


def _trace_outline(
    form: PieceForm, piece: Size, slot: Slot, offset: float = 0
) -> tuple[tuple[float, float], ...]:
    """Return the outline half a line's width outside the piece, so that the line ends at its edge.

    With `offset` (mm) it lies that much further out.
    """
    half = CUT_LINE_WIDTH_MM / 2 + offset
    grown = Size(piece.width + 2 * half, piece.height + 2 * half)
    corner = form.corner + half if form.corner else 0.0
    box, shape = slot.trim.grow(half), PieceForm(form.shape, corner)
    outline = place_outline(shape, grown, box.left, box.bottom, slot.turn)
    return tuple(flatten_outline(outline))


def _trace_corners(form: PieceForm, piece: Size, slot: Slot) -> Iterable[GuidePath]:
    """Yield the four arcs of a rounded rectangle."""
    points = _trace_outline(form, piece, slot)
    box, reach = slot.trim.grow(CUT_LINE_WIDTH_MM), form.corner + CUT_LINE_WIDTH_MM + 0.01
    for x in (box.left, box.right):
        for y in (box.bottom, box.top):
            arc = [p for p in points if abs(p[0] - x) <= reach and abs(p[1] - y) <= reach]
            # Sorted along x, because one of the arcs begins at the end of the outline.
            yield GuidePath(tuple(sorted(arc)), is_closed=False)


def list_fold_lines(paper: Size, fold: str) -> list[Guide]:
    """Return a dashed line from edge to edge in the gutter between fronts and backs."""
    if not fold:
        return []
    if fold == LONG_EDGE:
        x = paper.width / 2
        return [GuideLine(x, _PAPER_EDGE_MM, x, paper.height - _PAPER_EDGE_MM, "fold")]
    y = paper.height / 2
    return [GuideLine(_PAPER_EDGE_MM, y, paper.width - _PAPER_EDGE_MM, y, "fold")]


@lru_cache(maxsize=64)
def list_tile_guides(tiling: BoardTiling, tile: Tile) -> tuple[Guide, ...]:
    """Return crop marks where the sheet is cut, and half crosses where it meets others."""
    slot, paper = tiling.make_slot(tile), tiling.room.paper
    xs, ys = tiling.list_tile_cuts(tile)
    block = tile.window.move(slot.trim.left, slot.trim.bottom)
    guides = list_crop_marks(
        [x + slot.trim.left for x in xs],
        [y + slot.trim.bottom for y in ys],
        block,
        Box(0, 0, paper.width, paper.height).grow(-_PAPER_EDGE_MM),
    )
    for joint in tiling.list_joints():
        if tile in (joint.first, joint.second):
            guides += _list_joint_marks(joint, tile == joint.second, slot.trim)
    return tuple(guides)


def _list_joint_marks(joint: TileJoint, second: bool, trim: Box) -> Iterable[Guide]:
    """Yield two half crosses at a joint, on the side that is covered or cut off.

    The first sheet has them beyond the joint, where the second sheet will lie. The second sheet has
    them before it, on the strip that is cut away.
    """
    direction, half = (-1 if second else 1), _JOINT_MARK_MM / 2
    for part in (0.25, 0.75):
        along = joint.start + (joint.end - joint.start) * part
        if joint.is_vertical:
            x, y = trim.left + joint.position, trim.bottom + along
            near, far = x + direction * 0.2, x + direction * _JOINT_MARK_MM
            yield GuideLine(near, y, far, y, "join")
            yield GuideLine(near, y - half, near, y + half, "join")
            yield GuideLabel(x + direction * 2.2, y + 0.8, joint.letter, 6.5, True, True)
        else:
            x, y = trim.left + along, trim.bottom + joint.position
            near, far = y - direction * 0.2, y - direction * _JOINT_MARK_MM
            yield GuideLine(x, near, x, far, "join")
            yield GuideLine(x - half, near, x + half, near, "join")
            yield GuideLabel(x + 2.4, y - direction * 2.2 - 0.8, joint.letter, 6.5, True, True)


def list_sketch_guides(tiling: BoardTiling, box: Box) -> list[Guide]:
    """Return the joints and numbers of all tiles over a picture of the piece that fills the box."""
    scale = box.width / tiling.piece.width

    def scale_point(x: float, y: float) -> tuple[float, float]:
        return box.left + x * scale, box.bottom + y * scale

    guides: list[Guide] = []
    for joint in tiling.list_joints():
        ends = [(joint.position, joint.start), (joint.position, joint.end)]
        if not joint.is_vertical:
            ends = [(y, x) for x, y in ends]
        (x1, y1), (x2, y2) = (scale_point(*end) for end in ends)
        guides.append(GuideLine(x1, y1, x2, y2, "join"))
        guides.append(GuideLabel((x1 + x2) / 2, (y1 + y2) / 2 - 1.3, joint.letter, 11, True, True))
    for tile in tiling.list_tiles():
        window = tile.window
        x, y = scale_point((window.left + window.right) / 2, (window.bottom + window.top) / 2)
        guides.append(GuideLabel(x, y - 3, str(tile.number), 24, True, True))
    return guides
