"""Nets on sheets: split, packed, with what is printed on their panels, and where they are cut.

Lengths are mm from the paper's bottom left, as in `sheets.arrangement`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import reduce
from itertools import pairwise, product
from string import ascii_uppercase
from typing import TYPE_CHECKING

from cardgen.core.units import Box, Size
from cardgen.game.shapes import Point
from cardgen.sheets import silhouette
from cardgen.sheets.arrangement import SheetLayout, SheetPage, SlugText
from cardgen.sheets.imposition import LONG_EDGE, SHORT_EDGE, Slot, find_back_slot
from cardgen.sheets.nets import (
    BARE,
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
    list_sides,
)
from cardgen.sheets.sheet_guides import (
    Guide,
    GuideLabel,
    GuideLine,
    GuidePath,
    list_machine_marks,
)

if TYPE_CHECKING:
    from cardgen.pdf.face_file import FacePdf

NET_BLEED_MM = 3.0
_GAP_MM = 2 * NET_BLEED_MM
"""Room between two nets, for the bleed of both."""
_SLUG_MM = 6.0
"""Height of the slug at the foot."""
_HATCH_MM = 2.5
_AWAY = {UP: (0.0, 3.0), DOWN: (0.0, -3.0), LEFT: (-3.0, 0.0), RIGHT: (3.0, 0.0)}
_PAPER_EDGE_MM = 4.0
_LETTER_PT, _LETTER_MM = 8.0, 1.5
"""Size of the letters of joints, and the room they keep from panels."""
_NAME_PT, _NAME_MM, _NAME_STEPS = 9.0, 5.0, 40
_NAMED_NETS = frozenset({"lid", "base"})
_DIELINE_MARGIN_MM = 10.0
DIELINE = ("dieline", "#00b4ff")
"""The spot ink of cuts and folds in files for a press, and the colour that stands for it."""


@dataclass(frozen=True)
class Joint:
    """A tab that is glued, its letter, and the panel and its side that meet the tab's fold."""

    tab: str
    letter: str
    panel: str
    side: str


@dataclass(frozen=True)
class NetPiece:
    """A net to print: the faces by what its panels call them, of its back as well, and the colour
    of what has no face, as a face. `joints` are the tabs of all parts of a net that was split."""

    net: Net
    faces: Mapping[str, FacePdf] = field(default_factory=dict)
    backs: Mapping[str, FacePdf] = field(default_factory=dict)
    ground: FacePdf | None = None
    joints: tuple[Joint, ...] = ()


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
            printed = panel.kind not in {GLUE, JOINT} and panel.art != BARE
            if printed and panel.art not in self.piece.faces and ground:
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
    walls = [each for each in net.panels if each.parent == panel.name and each.kind == WALL]
    taken = {each.side for each in walls if each.art != BARE}
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
        joints = tuple(_list_joints(piece.net, split))
        parts += [replace(piece, net=net, joints=joints) for net in split]
    return [*_pack_shelves(parts, room)]


def _list_joints(whole: Net, parts: Sequence[Net]) -> Iterator[Joint]:
    """Yield the tabs of a net's parts with letters, and where each of them meets another panel."""
    tabs = [panel for net in parts for panel in net.panels if panel.kind in {GLUE, JOINT}]
    for tab, letter in zip(tabs, ascii_uppercase, strict=False):
        if tab.kind == GLUE:
            glued = whole.find_glued(tab)
        else:
            panel = whole.get_panel(tab.name.removesuffix("-joint"))
            is_loose = tab.parent == panel.parent
            glued = (panel.name, OPPOSITE[panel.side]) if is_loose else (panel.parent, panel.side)
        if glued:
            yield Joint(tab.name, letter, *glued)


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
    whole = reduce(Box.join, (each.map_box(each.piece.net.bounds) for each in placed))
    x = (room.left + room.right - whole.left - whole.right) / 2
    y = (room.bottom + room.top - whole.bottom - whole.top) / 2
    for each in placed:
        yield PlacedNet(each.piece, each.x + x, each.y + y, each.turned)


def list_net_pages(
    sheets: Sequence[NetSheet], layout: SheetLayout, colophon: SlugText, *names: str
) -> tuple[SheetPage, ...]:
    """Return the pages of sheets: fronts with all marks, and backs where nets have some."""
    pages = []
    edge = SHORT_EDGE if layout.backs == "duplex-short" else LONG_EDGE
    at = (layout.paper.width / 2, max(3.5, layout.margin.bottom / 2 + 0.5), 0)
    for number, sheet in enumerate(sheets, 1):
        count = f"{colophon.translate_word('sheet')} {number}/{len(sheets)}"
        edition = colophon.edition and f"{colophon.translate_word('edition')} {colophon.edition}"
        texts = (colophon.title, *names, count, edition, colophon.language, colophon.date)
        guides = (
            *list_machine_marks(layout.paper, layout.style),
            *_list_net_guides(sheet, layout.paper, colophon),
            *_list_part_names(sheet, layout.paper, colophon),
        )  # fmt: skip
        backs = [
            (face, find_back_slot(slot, layout.paper, edge))
            for each in sheet.placed
            for face, slot in each.place_faces(each.piece.backs)
        ]
        sides = ("front", "back") if backs and layout.backs != "none" else ("front",)
        for side in sides:
            which = colophon.translate_word(side) if len(sides) > 1 else ""
            slug = "  ·  ".join(filter(None, dict.fromkeys((*texts, which))))
            if side == "front":
                pages.append(SheetPage(side, tuple(_place_fronts(sheet)), guides, slug, at))
            else:
                pages.append(SheetPage(side, tuple(backs), (), slug, at))
    return tuple(pages)


def _place_fronts(sheet: NetSheet) -> Iterator[tuple[FacePdf, Slot]]:
    for each in sheet.placed:
        yield from each.place_ground()
    for each in sheet.placed:
        yield from each.place_faces(each.piece.faces)


def _list_net_guides(sheet: NetSheet, paper: Size, colophon: SlugText) -> Iterator[Guide]:
    """Yield cuts, folds, and what says which tabs are glued, and to what."""
    for placed in sheet.placed:
        for panel in placed.piece.net.panels:
            if panel.kind in {GLUE, JOINT}:
                yield from _list_glue_guides(placed, panel, colophon)
        yield from _list_joint_letters(placed, paper)
    for path in sheet.list_cuts():
        yield from (GuideLine(*one, *other, "trim") for one, other in pairwise(path))
    for placed in sheet.placed:
        valleys = placed.piece.net.list_valleys()
        for fold in placed.piece.net.list_folds():
            ends = (*placed.map_point(fold[0]), *placed.map_point(fold[1]))
            yield GuideLine(*ends, "valley" if fold in valleys else "crease")


def _list_joint_letters(placed: PlacedNet, paper: Size) -> Iterator[Guide]:
    """Yield the letter of each joint beside the edge that its tab meets."""
    net = placed.piece.net
    names = {panel.name for panel in net.panels}
    for joint in placed.piece.joints:
        if joint.panel in names:
            spot = _find_letter_spot(net, list_sides(net.boxes[joint.panel])[joint.side], joint)
            x, y = placed.map_point(spot)
            x = min(max(x, _PAPER_EDGE_MM), paper.width - _PAPER_EDGE_MM)
            yield GuideLabel(x, max(y, _SLUG_MM) - 1, joint.letter, _LETTER_PT, True, True)


def _find_letter_spot(net: Net, edge: Segment, joint: Joint) -> Point:
    """Return a place beside an edge, or beyond its ends, where no panel is."""
    (x1, y1), (x2, y2) = edge
    x, y = _AWAY[joint.side]
    spots = [(x1 + (x2 - x1) * share + x, y1 + (y2 - y1) * share + y) for share in (0.5, 0.8, 0.2)]
    along = (abs(y), abs(x))
    ends = [(x2 + along[0], y2 + along[1]), (x1 - along[0], y1 - along[1])]
    spots += [*ends, *((end[0] - x, end[1] - y) for end in ends)]
    boxes = [net.boxes[panel.name].grow(_LETTER_MM) for panel in net.panels]
    free = (spot for spot in spots if not any(_contains(box, spot) for box in boxes))
    return next(free, spots[0])


def _contains(box: Box, point: Point) -> bool:
    return box.left < point[0] < box.right and box.bottom < point[1] < box.top


def _list_part_names(sheet: NetSheet, paper: Size, colophon: SlugText) -> Iterator[Guide]:
    """Yield the words for lid and base, each in or beside its parts where nothing else is."""
    taken = [
        each.map_box(each.piece.net.boxes[panel.name])
        for each in sheet.placed
        for panel in each.piece.net.panels
    ]
    room = Box(0, 0, paper.width, paper.height).grow(-_SLUG_MM)
    for placed in sheet.placed:
        if placed.piece.net.name not in _NAMED_NETS:
            continue
        area = placed.map_box(placed.piece.net.bounds).grow(2 * _NAME_MM)
        for row, column in product(range(_NAME_STEPS + 1), repeat=2):
            x = area.left + column * area.width / _NAME_STEPS
            y = area.top - row * area.height / _NAME_STEPS
            box = Box(x, y, x, y).grow(_NAME_MM)
            if box.join(room) == room and not any(_overlaps(box, other) for other in taken):
                word = colophon.translate_word(placed.piece.net.name)
                yield GuideLabel(x, y - 1, word, _NAME_PT, True, True)
                break


def _overlaps(one: Box, other: Box) -> bool:
    across = one.left < other.right and other.left < one.right
    return across and one.bottom < other.top and other.bottom < one.top


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
        letters = {joint.tab: joint.letter for joint in placed.piece.joints}
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
