"""Nets on sheets: split, packed, with what is printed on their panels, and where they are cut.

Lengths are mm from the paper's bottom left, as in `sheets.arrangement`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from string import ascii_uppercase
from typing import TYPE_CHECKING

from cardgen.core.units import Box, Size
from cardgen.game.shapes import Point
from cardgen.sheets import silhouette
from cardgen.sheets.arrangement import SheetLayout, SheetPage, SlugText
from cardgen.sheets.imposition import LONG_EDGE, SHORT_EDGE, Slot, find_back_slot
from cardgen.sheets.nets import (
    DOWN,
    GLUE,
    JOINT,
    LEFT,
    OPPOSITE,
    RIGHT,
    UP,
    WALL,
    Net,
    Panel,
    Path,
    Segment,
)
from cardgen.sheets.sheet_guides import Guide, GuideLabel, GuideLine, GuidePatch, GuidePath

if TYPE_CHECKING:
    from cardgen.pdf.face_file import FacePdf

NET_BLEED_MM = 3.0
_GAP_MM = 2 * NET_BLEED_MM
"""Room between two nets, for the bleed of both."""
_SLUG_MM = 6.0
"""Height of the slug at the foot."""
_HATCH_MM = 2.5
_AWAY = {UP: (0.0, 4.0), DOWN: (0.0, -4.0), LEFT: (-4.0, 0.0), RIGHT: (4.0, 0.0)}
_DIELINE_MARGIN_MM = 10.0
DIELINE = ("dieline", "#00b4ff")
"""The spot ink of cuts and folds in files for a press, and the colour that stands for it."""


@dataclass(frozen=True)
class NetPiece:
    """A net to print: the faces by what its panels call them, of its back as well, and the colour
    of what has no face, as a face. `joints` are the panels at which it was split, with letters."""

    net: Net
    faces: Mapping[str, FacePdf] = field(default_factory=dict)
    backs: Mapping[str, FacePdf] = field(default_factory=dict)
    ground: FacePdf | None = None
    joints: tuple[tuple[Panel, str], ...] = ()


@dataclass(frozen=True)
class PlacedNet:
    """A net on a sheet, with the lower left corner of its bounds, upright or turned by 90°."""

    piece: NetPiece
    x: float
    y: float
    turned: bool = False

    def map_point(self, point: Point) -> Point:
        """Return where a point of the flat net is on the paper."""
        bounds = self.piece.net.bounds
        if self.turned:
            return self.x + bounds.top - point[1], self.y + point[0] - bounds.left
        return self.x + point[0] - bounds.left, self.y + point[1] - bounds.bottom

    def map_box(self, box: Box) -> Box:
        """Return where a rectangle of the flat net is on the paper."""
        (x1, y1), (x2, y2) = map(self.map_point, ((box.left, box.bottom), (box.right, box.top)))
        return Box(min(x1, x2), min(y1, y2), max(x1, x2), max(y1, y2))

    def list_cuts(self) -> list[Path]:
        """Return the lines to cut, on the paper."""
        return [tuple(map(self.map_point, path)) for path in self.piece.net.list_cuts()]

    def list_folds(self) -> list[Segment]:
        """Return the lines to fold, on the paper."""
        folds = self.piece.net.list_folds()
        return [(self.map_point(one), self.map_point(other)) for one, other in folds]

    def place_faces(self, faces: Mapping[str, FacePdf]) -> Iterator[tuple[FacePdf, Slot]]:
        """Yield the face of each panel that has one, with its slot."""
        net, turn = self.piece.net, 90 if self.turned else 0
        for panel in net.panels:
            if face := faces.get(panel.art):
                box = join_surface(net, panel)
                paint = _grow_free_sides(net, panel, box)
                # The back of cards that lie stands upright on a box that stands.
                lies = (face.width > face.height) != _reads_across(box, panel)
                turned = (panel.turn + turn + (90 if lies else 0)) % 360
                slot = _cover(self.map_box(box), face, turned)
                yield face, Slot(slot, self.map_box(paint), turned)

    def place_ground(self) -> Iterator[tuple[FacePdf, Slot]]:
        """Yield the colour behind walls and flaps."""
        net, ground = self.piece.net, self.piece.ground
        for panel in net.panels if ground else ():
            if panel.kind not in {GLUE, JOINT} and panel.art not in self.piece.faces and ground:
                box = self.map_box(net.boxes[panel.name])
                yield ground, Slot(_cover(box, ground, 0), box.grow(NET_BLEED_MM), 0)


def _reads_across(box: Box, panel: Panel) -> bool:
    """Return whether a panel is wider than high, as it is read."""
    return (box.width > box.height) != bool(panel.turn % 180)


def join_surface(net: Net, panel: Panel) -> Box:
    """Return the box of a panel with the panels that are one surface with it, such as tabs."""
    box = net.boxes[panel.name]
    for each in net.panels:
        if each.parent == panel.name and not each.angle:
            box = box.join(net.boxes[each.name])
    return box


def _grow_free_sides(net: Net, panel: Panel, box: Box) -> Box:
    """Return the box with bleed at the sides where no other wall hangs."""
    taken = {each.side for each in net.panels if each.parent == panel.name and each.kind == WALL}
    if any(each.name == panel.parent for each in net.panels):
        taken.add(OPPOSITE[panel.side])
    left, bottom, right, top = (
        0.0 if side in taken else NET_BLEED_MM for side in (LEFT, DOWN, RIGHT, UP)
    )
    return Box(box.left - left, box.bottom - bottom, box.right + right, box.top + top)


def _cover(box: Box, face: FacePdf, turn: int) -> Box:
    """Return the box that a face takes so that it covers another box, in its own proportions."""
    size = Size(face.width - 2 * face.bleed, face.height - 2 * face.bleed)
    size = size.rotate() if turn % 180 else size
    scale = max(box.width / size.width, box.height / size.height)
    x, y = (box.left + box.right) / 2, (box.bottom + box.top) / 2
    width, height = size.width * scale / 2, size.height * scale / 2
    return Box(x - width, y - height, x + width, y + height)


@dataclass(frozen=True)
class NetSheet:
    """A sheet with nets on it."""

    placed: tuple[PlacedNet, ...]

    def list_cuts(self) -> list[Path]:
        return [path for each in self.placed for path in each.list_cuts()]

    def list_folds(self) -> list[Segment]:
        return [fold for each in self.placed for fold in each.list_folds()]


def measure_room(layout: SheetLayout) -> Box:
    """Return where nets may lie on the paper: within the margins, and a machine's marks."""
    paper, margin = layout.paper, layout.margin
    room = Box(
        margin.left, max(margin.bottom, _SLUG_MM), paper.width - margin.right,
        paper.height - margin.top,
    )  # fmt: skip
    if layout.style.marks in silhouette.MARK_KINDS:
        clear = layout.style.dimensions.edge_clearance
        room = Box(clear, clear, paper.width - clear, paper.height - clear)
    return room


def arrange_nets(pieces: Iterable[NetPiece], layout: SheetLayout) -> list[NetSheet] | None:
    """Return the sheets of nets, split where they are larger than the paper; None if a panel is
    larger than it."""
    room = measure_room(layout)

    def fits(size: Size) -> bool:
        return any(
            each.width <= room.width + 1e-6 and each.height <= room.height + 1e-6
            for each in (size, size.rotate())
        )

    parts: list[NetPiece] = []
    for piece in pieces:
        split = piece.net.split(fits)
        if split is None:
            return None
        tabs = [panel for net in split for panel in net.panels if panel.kind == JOINT]
        joints = tuple(
            (piece.net.get_panel(tab.name.removesuffix("-joint")), letter)
            for tab, letter in zip(tabs, ascii_uppercase, strict=False)
        )
        parts += [replace(piece, net=net, joints=joints) for net in split]
    return [*_pack_shelves(parts, room)]


def _pack_shelves(parts: Sequence[NetPiece], room: Box) -> Iterator[NetSheet]:
    """Yield sheets on which nets stand in rows, each row as high as its first net."""
    placed: list[PlacedNet] = []
    x, foot, top = room.left, room.top, room.top
    for part in parts:
        size = part.net.size
        turned = size.width > room.width + 1e-6 or size.height > room.height + 1e-6
        size = size.rotate() if turned else size
        if x + size.width > room.right + 1e-6:  # a new row
            x, top = room.left, foot - _GAP_MM
        if top - size.height < room.bottom - 1e-6:  # a new sheet
            yield NetSheet(tuple(_centre(placed, room)))
            placed, x, foot, top = [], room.left, room.top, room.top
        placed.append(PlacedNet(part, x, top - size.height, turned))
        x, foot = x + size.width + _GAP_MM, min(foot, top - size.height)
    if placed:
        yield NetSheet(tuple(_centre(placed, room)))


def _centre(placed: Sequence[PlacedNet], room: Box) -> Iterator[PlacedNet]:
    if not placed:
        return
    boxes = [each.map_box(each.piece.net.bounds) for each in placed]
    whole = boxes[0]
    for box in boxes[1:]:
        whole = whole.join(box)
    x = (room.left + room.right - whole.left - whole.right) / 2
    y = (room.bottom + room.top - whole.bottom - whole.top) / 2
    for each in placed:
        yield PlacedNet(each.piece, each.x + x, each.y + y, each.turned)


def list_net_pages(
    sheets: Sequence[NetSheet], layout: SheetLayout, colophon: SlugText, what: str
) -> tuple[SheetPage, ...]:
    """Return the pages of sheets: fronts with all marks, and backs where nets have some."""
    pages = []
    edge = SHORT_EDGE if layout.backs == "duplex-short" else LONG_EDGE
    at = (layout.paper.width / 2, max(3.5, layout.margin.bottom / 2 + 0.5), 0)
    for number, sheet in enumerate(sheets, 1):
        count = f"{colophon.translate_word('sheet')} {number}/{len(sheets)}"
        edition = colophon.edition and f"{colophon.translate_word('edition')} {colophon.edition}"
        texts = (colophon.title, what, count, edition, colophon.language, colophon.date)
        slug = "  ·  ".join(filter(None, dict.fromkeys(texts)))
        guides = (*_list_machine_marks(layout), *_list_net_guides(sheet, colophon))
        pages.append(SheetPage("front", tuple(_place_fronts(sheet)), guides, slug, at))
        backs = [
            (face, find_back_slot(slot, layout.paper, edge))
            for each in sheet.placed
            for face, slot in each.place_faces(each.piece.backs)
        ]
        if backs and layout.backs != "none":
            pages.append(SheetPage("back", tuple(backs), (), slug, at))
    return tuple(pages)


def _place_fronts(sheet: NetSheet) -> Iterator[tuple[FacePdf, Slot]]:
    for each in sheet.placed:
        yield from each.place_ground()
    for each in sheet.placed:
        yield from each.place_faces(each.piece.faces)


def _list_machine_marks(layout: SheetLayout) -> Iterator[Guide]:
    if layout.style.marks in silhouette.MARK_KINDS:
        kind = layout.paper, layout.style.marks, layout.style.dimensions
        yield from (GuidePatch(box, 1.0) for box in silhouette.list_clear_areas(*kind))
        yield from (GuidePatch(box, 0.0) for box in silhouette.list_registration_marks(*kind))


def _list_net_guides(sheet: NetSheet, colophon: SlugText) -> Iterator[Guide]:
    """Yield cuts, folds, and what says which tabs are glued, and to what."""
    for placed in sheet.placed:
        for panel in placed.piece.net.panels:
            if panel.kind in {GLUE, JOINT}:
                yield from _list_glue_guides(placed, panel, colophon)
        yield from _list_joint_letters(placed)
    for path in sheet.list_cuts():
        yield from (GuideLine(*one, *other, "trim") for one, other in pairwise(path))
    for (x1, y1), (x2, y2) in sheet.list_folds():
        yield GuideLine(x1, y1, x2, y2, "crease")


def _list_joint_letters(placed: PlacedNet) -> Iterator[Guide]:
    """Yield the letter of each joint beside the edge that is glued onto another part's tab."""
    net = placed.piece.net
    names = {panel.name for panel in net.panels}
    for panel, letter in placed.piece.joints:
        if f"{panel.name}-joint" in names or not names & {panel.name, panel.parent}:
            continue
        (x1, y1), (x2, y2) = net.get_fold(panel)
        away = panel.side if panel.parent in names else OPPOSITE[panel.side]
        x, y = _AWAY[away]
        at = placed.map_point(((x1 + x2) / 2 + x, (y1 + y2) / 2 + y))
        yield GuideLabel(at[0], at[1] - 1, letter, 8, True, True)


def _list_glue_guides(placed: PlacedNet, panel: Panel, colophon: SlugText) -> Iterator[Guide]:
    """Yield a pale hatching and a word on a tab."""
    box = placed.map_box(placed.piece.net.boxes[panel.name])
    outline = [placed.map_point(p) for p in panel.trace(placed.piece.net.boxes[panel.name])]
    level = box.left - box.top
    while (level := level + _HATCH_MM) < box.right - box.bottom:
        ends = [*_cross_outline(outline, level)]
        if len(ends) >= 2:
            yield GuidePath((min(ends), max(ends)), is_closed=False, grey=0.75)
    if min(box.width, box.height) >= 6 and box.width >= 9:
        x, y = (box.left + box.right) / 2, (box.bottom + box.top) / 2 - 0.8
        letters = {f"{each.name}-joint": letter for each, letter in placed.piece.joints}
        text = f"{colophon.translate_word('glue')} {letters.get(panel.name, '')}".strip()
        yield GuideLabel(x, y, text, 6.5, True, True)


def _cross_outline(outline: Sequence[Point], level: float) -> Iterator[Point]:
    """Yield where the line x - y = level crosses an outline."""
    for (x1, y1), (x2, y2) in pairwise(outline):
        one, other = x1 - y1 - level, x2 - y2 - level
        if (one < 0) != (other < 0):
            share = one / (one - other)
            yield x1 + (x2 - x1) * share, y1 + (y2 - y1) * share


def make_press_sheet(piece: NetPiece, ink: str) -> tuple[Size, SheetPage]:
    """Return the paper and the page of a whole net for a press, with cuts and folds in the colour
    of a spot ink."""
    size, edge = piece.net.size, _DIELINE_MARGIN_MM
    sheet = NetSheet((PlacedNet(piece, edge, edge),))
    guides: list[Guide] = [
        GuidePath(path, is_closed=False, colour=ink) for path in sheet.list_cuts()
    ]
    guides += [
        GuidePath(fold, is_closed=False, colour=ink, is_dashed=True) for fold in sheet.list_folds()
    ]
    paper = Size(size.width + 2 * edge, size.height + 2 * edge)
    return paper, SheetPage("front", tuple(_place_fronts(sheet)), tuple(guides))
