"""Nets of boxes: panels that hang at each other, flat on paper and folded up. mm, no PDF.

A net is a tree. Every panel but the first hangs at a side of its parent, along a fold. Flat, a
panel lies in its `Box`; its outline may taper towards its free side. Seen from the printed side,
panels fold away from the reader, so that what is printed is outside.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import reduce
from itertools import pairwise
from math import cos, dist, hypot, pi, radians, sin
from types import MappingProxyType

from cardgen.core.units import Box, Size
from cardgen.game.shapes import Point

UP, RIGHT, DOWN, LEFT = "up", "right", "down", "left"
OPPOSITE = {UP: DOWN, DOWN: UP, LEFT: RIGHT, RIGHT: LEFT}
WALL, FLAP, GLUE, JOINT = "wall", "flap", "glue", "joint"
"""Kinds of panels: of the box's surface, tucked in, glued inside, and glued inside where sheets
meet."""
BARE = "bare"
"""Art of walls that are not printed, not even with the colour of the box."""
JOINT_REACH_MM = 12.0
_MEETING_MM = 1.0
"""Edges whose middles are nearer in space meet: tabs are a little shorter than their walls."""
_ARC_STEPS = 10
"""Straight lines that stand for a quarter circle."""
_DIGITS = 4
"""Decimals by which points are the same, in mm."""
Segment = tuple[Point, Point]
Path = tuple[Point, ...]
"""Points of a line; a closed one ends where it begins."""
Vector = tuple[float, float, float]


@dataclass(frozen=True)
class Panel:
    """A panel of a net.

    It is `length` mm long along its fold and `reach` mm deep; the fold begins `offset` mm from the
    lower or left end of the parent's side. `taper` is cut off at both ends of the free side, above
    `shoulder` mm that stay straight; both are given from the lower or left end. `corner` rounds
    the free corners. `slit` is cut, not folded, at both ends of the fold. `notch` is the radius of
    a thumb hole in the side that `notch_side` names. `art` names what is printed, turned by `turn`
    degrees. Panels with an angle of 0 are one surface with their parent.
    """

    name: str
    length: float
    reach: float
    parent: str = ""
    side: str = UP
    offset: float = 0.0
    angle: float = 90.0
    kind: str = WALL
    taper: tuple[float, float] = (0.0, 0.0)
    shoulder: tuple[float, float] = (0.0, 0.0)
    corner: float = 0.0
    slit: float = 0.0
    notch: float = 0.0
    notch_side: str = UP
    art: str = ""
    turn: int = 0

    def hang(self, parent: Box | None) -> Box:
        """Return the box of the panel at its parent's; the first one lies at the origin."""
        if parent is None:
            return Box(0, 0, self.length, self.reach)
        low = (parent.left if self.side in {UP, DOWN} else parent.bottom) + self.offset
        high = low + self.length
        if self.side == UP:
            return Box(low, parent.top, high, parent.top + self.reach)
        if self.side == DOWN:
            return Box(low, parent.bottom - self.reach, high, parent.bottom)
        if self.side == RIGHT:
            return Box(parent.right, low, parent.right + self.reach, high)
        return Box(parent.left - self.reach, low, parent.left, high)

    def trace(self, box: Box) -> Path:
        """Return the closed outline of the panel whose box is given."""
        points = [self._place(box, *each) for each in dict.fromkeys(self._trace_along_fold())]
        if self.notch:
            points = [*_cut_notch(points, box, self.notch_side, self.notch)]
        return (*points, points[0])

    def _place(self, box: Box, along: float, out: float) -> Point:
        side = self.side if self.parent else UP
        if side in {UP, DOWN}:
            return box.left + along, box.bottom + out if side == UP else box.top - out
        return (box.left + out if side == RIGHT else box.right - out), box.bottom + along

    def _trace_along_fold(self) -> Iterator[Point]:
        """Yield points as (along the fold, away from it), the fold's ends first."""
        yield 0.0, 0.0
        yield self.length, 0.0
        for at_end in (True, False):
            taper, shoulder = self.taper[at_end], min(self.shoulder[at_end], self.reach)
            corner = min(self.corner, self.reach - shoulder, self.length / 2 - taper)
            foot = (self.length, shoulder) if at_end else (0.0, shoulder)
            head = (self.length - taper, self.reach) if at_end else (taper, self.reach)
            bend = [*_round_corner(foot, head, corner)] if corner > 0 else [foot, head]
            yield from (bend if at_end else bend[::-1])


def _round_corner(foot: Point, head: Point, radius: float) -> Iterator[Point]:
    """Yield a way from a flap's foot to its free side, rounded at the head towards the middle."""
    towards = 1.0 if foot[0] < head[0] or foot[0] == 0.0 else -1.0
    yield foot
    centre = head[0] + towards * radius, head[1] - radius
    start = pi if towards > 0 else 0.0
    for step in range(_ARC_STEPS + 1):
        angle = start + (pi / 2 - start) * step / _ARC_STEPS
        yield centre[0] + radius * cos(angle), centre[1] + radius * sin(angle)


def _cut_notch(points: list[Point], box: Box, side: str, radius: float) -> Iterator[Point]:
    """Yield the points of a rectangle with half a circle cut into the middle of a side."""
    middle = (box.left + box.right) / 2, (box.bottom + box.top) / 2
    level = {UP: box.top, DOWN: box.bottom, RIGHT: box.right, LEFT: box.left}[side]
    flat = side in {UP, DOWN}
    inward = -1.0 if side in {UP, RIGHT} else 1.0
    for one, other in zip(points, (*points[1:], points[0]), strict=True):
        yield one
        axis = 1 if flat else 0
        is_side = max(abs(one[axis] - level), abs(other[axis] - level)) < 1e-6
        if not is_side or abs(one[1 - axis] - other[1 - axis]) < 2 * radius:
            continue
        forward = 1.0 if other[1 - axis] > one[1 - axis] else -1.0
        for step in range(2 * _ARC_STEPS + 1):
            angle = pi * step / (2 * _ARC_STEPS)
            along, deep = -forward * radius * cos(angle), inward * radius * sin(angle)
            if flat:
                yield middle[0] + along, level + deep
            else:
                yield level + deep, middle[1] + along


@dataclass(frozen=True)
class Net:
    """Panels with the places where they lie flat. Panels whose parent is elsewhere begin parts."""

    name: str
    panels: tuple[Panel, ...]
    boxes: Mapping[str, Box]

    def get_panel(self, name: str) -> Panel:
        """Return the panel of a name."""
        return next(panel for panel in self.panels if panel.name == name)

    @property
    def bounds(self) -> Box:
        """The box around all panels."""
        return reduce(Box.join, map(self._get_box, self.panels))

    @property
    def size(self) -> Size:
        """Width and height of the flat net."""
        return Size(self.bounds.width, self.bounds.height)

    def list_folds(self) -> list[Segment]:
        """Return the folds between panels of this net."""
        return [self.get_fold(panel) for panel in self._list_hung() if panel.angle]

    def list_valleys(self) -> list[Segment]:
        """Return the folds that turn a panel towards the reader."""
        return [self.get_fold(panel) for panel in self._list_hung() if panel.angle < 0]

    def list_cuts(self) -> list[Path]:
        """Return the lines to cut as paths, each line once."""
        edges: dict[Segment, None] = {}
        for panel in self.panels:
            points = panel.trace(self.boxes[panel.name])
            for one, other in pairwise(points):
                ends = _round_point(one), _round_point(other)
                if ends[0] != ends[1]:
                    edges[min(ends), max(ends)] = None
        folds = [tuple(map(_round_point, self.get_fold(panel))) for panel in self._list_hung()]
        return _join_paths(_subtract_folds(edges, [(min(f), max(f)) for f in folds]))

    def fold(
        self, opened: Mapping[str, float] = MappingProxyType({})
    ) -> dict[str, Callable[[float, float], Vector]]:
        """Return where the points of each panel are once it is folded; panels in `opened` are
        folded by a share of their angle."""
        frames: dict[str, tuple[Vector, Vector, Vector]] = {}
        for panel in self.panels:
            parent = frames.get(panel.parent)
            if parent is None:
                frames[panel.name] = (0, 0, 0), (1, 0, 0), (0, 1, 0)
            else:
                hinge = self.get_fold(panel)[0]
                angle = radians(panel.angle * opened.get(panel.name, 1.0))
                frames[panel.name] = _turn_frame(parent, hinge, panel.side, angle)
        return {name: _make_map(frame) for name, frame in frames.items()}

    def select(self, names: Iterable[str]) -> Net:
        """Return the net of some of the panels, which stay where they are."""
        wanted = set(names)
        return replace(self, panels=tuple(p for p in self.panels if p.name in wanted))

    def split(self, fits: Callable[[Size], bool]) -> list[Net] | None:
        """Return parts that fit, with a tab to glue at each joint; None if a panel is too large.

        The net is cut along the fold that leaves the largest part smallest, and so on.
        """
        if fits(self.size):
            return [self]
        if not all(fits(Size(box.width, box.height)) for box in map(self._get_box, self.panels)):
            return None
        walls = [panel for panel in self._list_hung() if panel.kind == WALL]
        halves = [self._split_at(panel, first) for panel in walls for first in (True, False)]
        for pair in sorted(halves, key=lambda pair: max(_measure_area(e.size) for e in pair)):
            parts = [each.split(fits) for each in pair]
            if all(parts):
                return [net for part in parts if part for net in part]
        return None

    def _get_box(self, panel: Panel) -> Box:
        return self.boxes[panel.name]

    def _split_at(self, panel: Panel, has_tab: bool) -> tuple[Net, Net]:
        """Return the net without a panel and what hangs at it, and the rest. With `has_tab` the
        former has the tab at which they are glued, else the latter."""
        taken = {panel.name}
        for each in self.panels:
            if each.parent in taken:
                taken.add(each.name)
        rest = self.select(p.name for p in self.panels if p.name not in taken)
        bevel = min(JOINT_REACH_MM / 2, panel.length / 4)
        tab = replace(
            panel, name=f"{panel.name}-joint", reach=min(JOINT_REACH_MM, panel.reach - 1),
            kind=JOINT, taper=(bevel, bevel), shoulder=(0, 0), corner=0, slit=0, notch=0, art="",
        )  # fmt: skip
        if has_tab:
            return rest._add(tab), self.select(taken)
        parent = self.boxes[panel.parent]
        deep = parent.height if panel.side in {UP, DOWN} else parent.width
        reach = min(JOINT_REACH_MM, deep - 1)
        tab = replace(tab, parent=panel.name, side=OPPOSITE[panel.side], offset=0.0, reach=reach)
        return rest, self.select(taken)._add(tab)

    def _add(self, panel: Panel) -> Net:
        boxes = {**self.boxes, panel.name: panel.hang(self.boxes[panel.parent])}
        return replace(self, panels=(*self.panels, panel), boxes=boxes)

    def _list_hung(self) -> list[Panel]:
        names = {panel.name for panel in self.panels}
        return [panel for panel in self.panels if panel.parent in names]

    def get_fold(self, panel: Panel) -> Segment:
        """Return the fold of a panel from its lower or left end, without what is cut."""
        (x1, y1), (x2, y2) = list_sides(self.boxes[panel.name])[OPPOSITE[panel.side]]
        if panel.side in {UP, DOWN}:
            return (x1 + panel.slit, y1), (x2 - panel.slit, y2)
        return (x1, y1 + panel.slit), (x2, y2 - panel.slit)

    def measure_folded(self) -> tuple[float, ...]:
        """Return the sides of the room that the folded net takes, in mm."""
        maps = self.fold()
        points = [
            maps[panel.name](*point)
            for panel in self.panels
            for point in panel.trace(self.boxes[panel.name])
        ]
        return tuple(max(axis) - min(axis) for axis in zip(*points, strict=True))

    def find_glued(self, tab: Panel) -> tuple[str, str] | None:
        """Return the wall behind which a tab is glued, and its side that meets the tab's fold."""
        maps = self.fold()
        middle = maps[tab.name](*find_middle(self.get_fold(tab)))
        for panel in self.panels:
            if panel.kind == WALL and panel.name != tab.parent:
                for side, edge in list_sides(self.boxes[panel.name]).items():
                    if dist(maps[panel.name](*find_middle(edge)), middle) < _MEETING_MM:
                        return panel.name, side
        return None


def list_sides(box: Box) -> dict[str, Segment]:
    """Return the sides of a box, each from its lower or left end."""
    left, bottom, right, top = box.left, box.bottom, box.right, box.top
    return {
        UP: ((left, top), (right, top)), DOWN: ((left, bottom), (right, bottom)),
        LEFT: ((left, bottom), (left, top)), RIGHT: ((right, bottom), (right, top)),
    }  # fmt: skip


def find_middle(line: Segment) -> Point:
    """Return the point in the middle of a line."""
    return (line[0][0] + line[1][0]) / 2, (line[0][1] + line[1][1]) / 2


def lay_out(name: str, panels: Iterable[Panel]) -> Net:
    """Return the net of panels; parents stand before what hangs at them."""
    boxes: dict[str, Box] = {}
    listed = tuple(panels)
    for panel in listed:
        boxes[panel.name] = panel.hang(boxes.get(panel.parent))
    return Net(name, listed, MappingProxyType(boxes))


def _measure_area(size: Size) -> float:
    return size.width * size.height


def _round_point(point: Point) -> Point:
    return round(point[0], _DIGITS), round(point[1], _DIGITS)


def _subtract_folds(edges: Iterable[Segment], folds: list[Segment]) -> Iterator[Segment]:
    """Yield the parts of edges that lie on no fold, those on one line once."""
    lines: dict[tuple[int, float], list[tuple[float, float]]] = {}
    for one, other in edges:
        axis = next((a for a in (0, 1) if abs(one[a] - other[a]) < 1e-6), None)
        if axis is None:
            yield one, other
        else:
            lines.setdefault((axis, one[axis]), []).append((one[1 - axis], other[1 - axis]))
    for (axis, level), spans in lines.items():
        gaps = [
            (a[1 - axis], b[1 - axis])
            for a, b in folds
            if abs(a[axis] - level) < 1e-3 and abs(b[axis] - level) < 1e-3
        ]
        for low, high in _cut_spans(spans, gaps):
            ends = ((level, low), (level, high)) if axis == 0 else ((low, level), (high, level))
            yield ends


def _cut_spans(
    spans: Iterable[tuple[float, float]], gaps: Iterable[tuple[float, float]]
) -> Iterator[tuple[float, float]]:
    """Yield what of the spans lies in no gap, split at the ends of all spans."""
    spans, gaps = [*spans], [*gaps]
    marks = sorted({end for span in (*spans, *gaps) for end in span})
    for low, high in pairwise(marks):
        middle = (low + high) / 2
        inside = any(a < middle < b for a, b in spans)
        if inside and high - low > 1e-3 and not any(a < middle < b for a, b in gaps):
            yield low, high


def _join_paths(edges: Iterable[Segment]) -> list[Path]:
    """Return edges joined to long paths: first those with ends, then closed ones."""
    ways: dict[Point, list[Point]] = {}
    for one, other in edges:
        ways.setdefault(one, []).append(other)
        ways.setdefault(other, []).append(one)
    paths: list[Path] = []
    for start in sorted(ways, key=lambda point: (len(ways[point]) == 2, point)):
        while ways[start]:
            path = [start]
            while ways[path[-1]]:
                here = path[-1]
                nearest = _choose_way(path, ways[here])
                ways[here].remove(nearest)
                ways[nearest].remove(here)
                path.append(nearest)
            paths.append(tuple(path))
    return paths


def _choose_way(path: list[Point], ways: list[Point]) -> Point:
    """Return the way that goes on straight, as a blade likes it."""
    if len(path) < 2:
        return min(ways)
    (x0, y0), (x1, y1) = path[-2:]

    def measure_turn(point: Point) -> tuple[float, Point]:
        x, y = point[0] - x1, point[1] - y1
        along = (x * (x1 - x0) + y * (y1 - y0)) / (hypot(x, y) * hypot(x1 - x0, y1 - y0))
        return -round(along, 6), point

    return min(ways, key=measure_turn)


def _turn_frame(
    frame: tuple[Vector, Vector, Vector], hinge: Point, side: str, angle: float
) -> tuple[Vector, Vector, Vector]:
    """Return the frame of a panel: its place of the net's origin, and of x and y there."""
    _, x, y = frame
    normal = _cross(x, y)
    sign = 1.0 if side in {UP, RIGHT} else -1.0
    outward = y if side in {UP, DOWN} else x
    turned = _add(_scale(outward, cos(angle)), _scale(normal, -sign * sin(angle)))
    new_x, new_y = (x, turned) if side in {UP, DOWN} else (turned, y)
    at = _make_map(frame)(*hinge)
    origin = _add(at, _add(_scale(new_x, -hinge[0]), _scale(new_y, -hinge[1])))
    return origin, new_x, new_y


def _make_map(frame: tuple[Vector, Vector, Vector]) -> Callable[[float, float], Vector]:
    origin, x, y = frame
    return lambda a, b: _add(origin, _add(_scale(x, a), _scale(y, b)))


def _add(a: Vector, b: Vector) -> Vector:
    return a[0] + b[0], a[1] + b[1], a[2] + b[2]


def _scale(a: Vector, by: float) -> Vector:
    return a[0] * by, a[1] * by, a[2] * by


def _cross(a: Vector, b: Vector) -> Vector:
    return a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]
