"""Shapes for drawings: grids, hexagons, maps of polygons, tracks. Pure arithmetic.

Templates call these by name. Lengths are in the units of the drawing (millimetres, if its viewBox
says so), x to the right, y down; angles in degrees, clockwise from pointing right. Points are
pairs [x, y]. Each answers records, whose `points` are ready for an SVG polygon.
"""

from __future__ import annotations

import hashlib
import itertools
import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

Point = Sequence[float]
Place = dict[str, Any]

MOST = 10_000
"""So many places or points come out of one call at most."""


def grid(columns: int, rows: int, width: float, height: float, gap: float = 0) -> list[Place]:
    """Cells of a board in reading order: column, row and number from 1, x, y of the left top
    corner, cx, cy of the middle."""
    _bounded(max(columns, 1) * max(rows, 1))
    return [
        {
            "column": column + 1, "row": row + 1, "number": row * columns + column + 1,
            "x": _r(column * (width + gap)), "y": _r(row * (height + gap)),
            "cx": _r(column * (width + gap) + width / 2),
            "cy": _r(row * (height + gap) + height / 2),
            "width": width, "height": height,
        }
        for row in range(rows)
        for column in range(columns)
    ]  # fmt: skip


def hexagon(x: float, y: float, radius: float, flat: bool = False) -> Place:
    """The hexagon round a middle; a corner points up, or a side lies on top if `flat`."""
    corners = [
        (_r(x + radius * math.cos(angle)), _r(y + radius * math.sin(angle)))
        for angle in (math.radians(60 * k - (0 if flat else 30)) for k in range(6))
    ]
    return {"x": _r(x), "y": _r(y), "corners": corners, "points": _joined(corners)}


def hex_grid(columns: int, rows: int, radius: float, flat: bool = False) -> list[Place]:
    """Hexagons in reading order: every second row is shoved right by half a hexagon, or every
    second column down if `flat`. The first touches the drawing's left top corner."""
    _bounded(max(columns, 1) * max(rows, 1))
    inner = radius * math.sqrt(3)
    places = []
    for row in range(rows):
        for column in range(columns):
            if flat:
                x, y = (
                    radius + column * radius * 1.5,
                    inner / 2 + row * inner + column % 2 * inner / 2,
                )
            else:
                x, y = inner / 2 + column * inner + row % 2 * inner / 2, radius + row * radius * 1.5
            at = {"column": column + 1, "row": row + 1, "number": row * columns + column + 1}
            places.append({**at, **hexagon(x, y, radius, flat)})
    return places


def polygon(points: Iterable[Point]) -> Place:
    """An area by its corners: `points`, its box, its surface, and x, y of a place well inside it,
    for its name."""
    corners = _pairs(points)
    xs, ys = [x for x, _ in corners], [y for _, y in corners]
    x, y = _inside(corners)
    return {
        "corners": corners, "points": _joined(corners), "x": _r(x), "y": _r(y),
        "left": min(xs), "top": min(ys), "right": max(xs), "bottom": max(ys),
        "area": _r(abs(_surface(corners))),
    }  # fmt: skip


def shared_edge(first: Iterable[Point], second: Iterable[Point]) -> Place | None:
    """The border of two areas whose corners meet: its corners and points, its length, its middle
    x, y and the angle of the border there. None if they do not touch along a line."""
    sides = {frozenset(side) for side in _sides(_pairs(second))}
    line: list[tuple[float, float]] = []
    ring = _sides(_pairs(first))
    # Begin where the border begins, not in its middle.
    start = next((i for i, side in enumerate(ring) if frozenset(side) not in sides), 0)
    for a, b in ring[start:] + ring[:start]:
        if frozenset((a, b)) in sides:
            line = line if line and line[-1] == a else [a]
            line.append(b)
    if not line:
        return None
    middle = along(line, 1)[0]
    return {**middle, "corners": line, "points": _joined(line), "length": _r(_length(line))}


def along(points: Iterable[Point], count: int, closed: bool = False) -> list[Place]:
    """So many places at equal distances along a line, from end to end (one: its middle), or round
    a ring if `closed`: number, x, y, and the angle of the line there."""
    line = _pairs(points)
    _bounded(count)
    if closed:
        line = [*line, line[0]]
    whole = _length(line)
    steps = count if closed else count - 1
    distances = [whole * k / steps for k in range(count)] if steps else [whole / 2]
    return [{"number": k + 1, **_at(line, far)} for k, far in enumerate(distances)]


def smooth(points: Iterable[Point], closed: bool = False) -> str:
    """The data of an SVG path that runs softly through the points (Catmull-Rom as Bézier)."""
    line = _pairs(points)
    count = len(line)
    path = f"M{line[0][0]:g} {line[0][1]:g}"
    for k in range(count if closed else count - 1):
        ring = [line[(k + d) % count] if closed else line[min(max(k + d, 0), count - 1)]
                for d in (-1, 0, 1, 2)]  # fmt: skip
        (ax, ay), (bx, by), (cx, cy), (dx, dy) = ring
        path += (
            f"C{_r(bx + (cx - ax) / 6):g} {_r(by + (cy - ay) / 6):g} "
            f"{_r(cx - (dx - bx) / 6):g} {_r(cy - (dy - by) / 6):g} {cx:g} {cy:g}"
        )
    return path + ("Z" if closed else "")


def rough(points: Iterable[Point], amount: float, closed: bool = True) -> list[tuple[float, float]]:
    """The line with its straight pieces bent like a border drawn by hand, by `amount` at most.

    The same piece bends the same way in every area it bounds, so that neighbours still meet.
    """
    line = _pairs(points)
    pieces = _sides(line) if closed else list(itertools.pairwise(line))
    _bounded(len(pieces) * 4)
    bent: list[tuple[float, float]] = []
    for a, b in pieces:
        turned = b < a
        middle = _bend((b, a) if turned else (a, b), amount)
        bent += [a, *(reversed(middle) if turned else middle)]
    return bent if closed else [*bent, line[-1]]


FUNCTIONS: Mapping[str, Callable[..., Any]] = {
    function.__name__: function
    for function in (grid, hexagon, hex_grid, polygon, shared_edge, along, smooth, rough)
}
"""What templates may call, by name."""


def _bend(
    piece: tuple[tuple[float, float], tuple[float, float]], amount: float
) -> list[tuple[float, float]]:
    (ax, ay), (bx, by) = piece
    length = math.dist(*piece)
    if not length:
        return []
    seed = hashlib.sha256(repr(piece).encode()).digest()
    bent = []
    for k in range(3):
        part = (k + 1) / 4 + (seed[k] / 255 - 0.5) / 8
        off = (seed[k + 3] / 255 - 0.5) * 2 * min(amount, length / 5)
        bent.append(
            (
                _r(ax + (bx - ax) * part - (by - ay) / length * off),
                _r(ay + (by - ay) * part + (bx - ax) / length * off),
            )
        )
    return bent


def _inside(corners: list[tuple[float, float]]) -> tuple[float, float]:
    """The point of a lattice over the area that lies farthest from its border."""
    xs, ys = [x for x, _ in corners], [y for _, y in corners]
    sides = _sides(corners)
    steps = 24
    best, far = (sum(xs) / len(xs), sum(ys) / len(ys)), -1.0
    for i in range(1, steps):
        for j in range(1, steps):
            x = min(xs) + (max(xs) - min(xs)) * i / steps
            y = min(ys) + (max(ys) - min(ys)) * j / steps
            if _holds(sides, x, y):
                distance = min(_distance(x, y, side) for side in sides)
                if distance > far:
                    best, far = (x, y), distance
    return best


def _holds(sides: list[Any], x: float, y: float) -> bool:
    inside = False
    for (ax, ay), (bx, by) in sides:
        if (ay > y) != (by > y) and x < (bx - ax) * (y - ay) / (by - ay) + ax:
            inside = not inside
    return inside


def _distance(x: float, y: float, side: Any) -> float:
    (ax, ay), (bx, by) = side
    squared = (bx - ax) ** 2 + (by - ay) ** 2
    part = ((x - ax) * (bx - ax) + (y - ay) * (by - ay)) / squared if squared else 0.0
    part = min(1.0, max(0.0, part))
    return math.hypot(x - ax - part * (bx - ax), y - ay - part * (by - ay))


def _at(line: list[tuple[float, float]], far: float) -> Place:
    for (ax, ay), (bx, by) in itertools.pairwise(line):
        step = math.hypot(bx - ax, by - ay)
        if far <= step + 1e-9 and step:
            part = far / step
            angle = math.degrees(math.atan2(by - ay, bx - ax))
            return {
                "x": _r(ax + (bx - ax) * part),
                "y": _r(ay + (by - ay) * part),
                "angle": _r(angle),
            }
        far -= step
    return {"x": line[-1][0], "y": line[-1][1], "angle": 0.0}


def _pairs(points: Iterable[Point]) -> list[tuple[float, float]]:
    pairs = [(float(point[0]), float(point[1])) for point in points]
    _bounded(len(pairs))
    for value in itertools.chain(*pairs):
        _finite(value)
    if not pairs:
        raise ValueError("a line needs points, such as [[0, 0], [10, 5]]")
    return pairs


def _sides(corners: list[tuple[float, float]]) -> list[Any]:
    return list(zip(corners, [*corners[1:], corners[0]], strict=True))


def _surface(corners: list[tuple[float, float]]) -> float:
    doubled: float = sum(ax * by - bx * ay for (ax, ay), (bx, by) in _sides(corners))
    return doubled / 2


def _length(line: list[tuple[float, float]]) -> float:
    length: float = sum(math.dist(a, b) for a, b in itertools.pairwise(line))
    return length


def _joined(corners: Iterable[tuple[float, float]]) -> str:
    return " ".join(f"{x:g},{y:g}" for x, y in corners)


def _bounded(count: float) -> None:
    if not count <= MOST:
        raise ValueError(f"{MOST} places or points at most")


def _finite(value: float) -> None:
    if not math.isfinite(value):
        raise ValueError("a length or place is infinite, or no number at all")


def _r(value: float) -> float:
    """Three digits are a thousandth of a millimetre; rounding keeps bytes the same everywhere."""
    _finite(value)
    rounded: float = round(value, 3)
    return rounded + 0.0  # no minus before a zero
