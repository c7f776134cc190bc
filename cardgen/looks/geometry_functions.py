"""Functions that templates call to compute shapes: grids, hexagons, maps of polygons, tracks.

Lengths are in the units of the drawing, x to the right and y down. Angles are in degrees, clockwise
from pointing right. A point is a pair [x, y]. The functions return records; their `points` are
written as the attribute of an SVG polygon.
"""

from __future__ import annotations

import hashlib
import itertools
import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

Point = Sequence[float]
Shape = dict[str, Any]

MAX_SHAPES = 10_000
"""Maximum number of shapes or points that one call returns."""


def grid(columns: int, rows: int, width: float, height: float, gap: float = 0) -> list[Shape]:
    """Return the cells of a board in reading order.

    `column`, `row` and `number` count from 1; `x`, `y` is the left top corner and `cx`, `cy` the
    centre.
    """
    _check_count(max(columns, 1) * max(rows, 1))
    return [
        {
            "column": column + 1, "row": row + 1, "number": row * columns + column + 1,
            "x": _round_mm(column * (width + gap)), "y": _round_mm(row * (height + gap)),
            "cx": _round_mm(column * (width + gap) + width / 2),
            "cy": _round_mm(row * (height + gap) + height / 2),
            "width": width, "height": height,
        }
        for row in range(rows)
        for column in range(columns)
    ]  # fmt: skip


def hexagon(x: float, y: float, radius: float, flat: bool = False) -> Shape:
    """Return the hexagon round a centre, with a corner on top, or with a side on top if `flat`."""
    corners = [
        (_round_mm(x + radius * math.cos(angle)), _round_mm(y + radius * math.sin(angle)))
        for angle in (math.radians(60 * k - (0 if flat else 30)) for k in range(6))
    ]
    return {
        "x": _round_mm(x),
        "y": _round_mm(y),
        "corners": corners,
        "points": _format_points(corners),
    }


def hex_grid(columns: int, rows: int, radius: float, flat: bool = False) -> list[Shape]:
    """Return hexagons in reading order, the first of which touches the left top corner.

    Every second row is moved right by half a hexagon, or every second column down if `flat`.
    """
    _check_count(max(columns, 1) * max(rows, 1))
    inner = radius * math.sqrt(3)
    cells = []
    for row in range(rows):
        for column in range(columns):
            if flat:
                x, y = (
                    radius + column * radius * 1.5,
                    inner / 2 + row * inner + column % 2 * inner / 2,
                )
            else:
                x, y = inner / 2 + column * inner + row % 2 * inner / 2, radius + row * radius * 1.5
            cell = {"column": column + 1, "row": row + 1, "number": row * columns + column + 1}
            cells.append({**cell, **hexagon(x, y, radius, flat)})
    return cells


def polygon(points: Iterable[Point]) -> Shape:
    """Return an area from its corners: `points`, its box, its `area`, and a place for its name.

    The place `x`, `y` lies well inside the area.
    """
    corners = _parse_points(points)
    xs, ys = [x for x, _ in corners], [y for _, y in corners]
    x, y = _find_inner_point(corners)
    return {
        "corners": corners, "points": _format_points(corners), "x": _round_mm(x), "y": _round_mm(y),
        "left": min(xs), "top": min(ys), "right": max(xs), "bottom": max(ys),
        "area": _round_mm(abs(_measure_area(corners))),
    }  # fmt: skip


def shared_edge(first: Iterable[Point], second: Iterable[Point]) -> Shape | None:
    """Return the common border of two areas, or None if they do not touch along a line.

    It has `corners`, `points`, `length`, the middle `x`, `y` and the `angle` of the border there.
    """
    sides = {frozenset(side) for side in _list_sides(_parse_points(second))}
    line: list[tuple[float, float]] = []
    ring = _list_sides(_parse_points(first))
    # The corners may begin in the middle of the border.
    start = next((i for i, side in enumerate(ring) if frozenset(side) not in sides), 0)
    for a, b in ring[start:] + ring[:start]:
        if frozenset((a, b)) in sides:
            line = line if line and line[-1] == a else [a]
            line.append(b)
    if not line:
        return None
    middle = along(line, 1)[0]
    return {
        **middle,
        "corners": line,
        "points": _format_points(line),
        "length": _round_mm(_measure_length(line)),
    }


def along(points: Iterable[Point], count: int, closed: bool = False) -> list[Shape]:
    """Return `count` places at equal distances along a line, or round a ring if `closed`.

    The places run from end to end; a single one is the middle. Each has `number`, `x`, `y` and the
    `angle` of the line.
    """
    line = _parse_points(points)
    _check_count(count)
    if closed:
        line = [*line, line[0]]
    whole = _measure_length(line)
    steps = count if closed else count - 1
    distances = [whole * k / steps for k in range(count)] if steps else [whole / 2]
    return [{"number": k + 1, **_find_point_at(line, far)} for k, far in enumerate(distances)]


def smooth(points: Iterable[Point], closed: bool = False) -> str:
    """Return the data of an SVG path through the points: a Catmull-Rom spline as Bézier curves."""
    line = _parse_points(points)
    count = len(line)
    path = f"M{line[0][0]:g} {line[0][1]:g}"
    for k in range(count if closed else count - 1):
        ring = [line[(k + d) % count] if closed else line[min(max(k + d, 0), count - 1)]
                for d in (-1, 0, 1, 2)]  # fmt: skip
        (ax, ay), (bx, by), (cx, cy), (dx, dy) = ring
        path += (
            f"C{_round_mm(bx + (cx - ax) / 6):g} {_round_mm(by + (cy - ay) / 6):g} "
            f"{_round_mm(cx - (dx - bx) / 6):g} {_round_mm(cy - (dy - by) / 6):g} {cx:g} {cy:g}"
        )
    return path + ("Z" if closed else "")


def rough(points: Iterable[Point], amount: float, closed: bool = True) -> list[tuple[float, float]]:
    """Bend the straight pieces of a line by up to `amount`, like a border drawn by hand.

    The same piece bends the same way in every area it borders, so neighbours still meet.
    """
    line = _parse_points(points)
    pieces = _list_sides(line) if closed else list(itertools.pairwise(line))
    _check_count(len(pieces) * 4)
    bent: list[tuple[float, float]] = []
    for a, b in pieces:
        turned = b < a
        middle = _bend_line((b, a) if turned else (a, b), amount)
        bent += [a, *(reversed(middle) if turned else middle)]
    return bent if closed else [*bent, line[-1]]


GEOMETRY_FUNCTIONS: Mapping[str, Callable[..., Any]] = {
    function.__name__: function
    for function in (grid, hexagon, hex_grid, polygon, shared_edge, along, smooth, rough)
}
"""The functions by the name that templates call."""


def _bend_line(
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
                _round_mm(ax + (bx - ax) * part - (by - ay) / length * off),
                _round_mm(ay + (by - ay) * part + (bx - ax) / length * off),
            )
        )
    return bent


def _find_inner_point(corners: list[tuple[float, float]]) -> tuple[float, float]:
    """Return the point of a 24 × 24 lattice that is farthest from the border of the area."""
    xs, ys = [x for x, _ in corners], [y for _, y in corners]
    sides = _list_sides(corners)
    steps = 24
    best, far = (sum(xs) / len(xs), sum(ys) / len(ys)), -1.0
    for i in range(1, steps):
        for j in range(1, steps):
            x = min(xs) + (max(xs) - min(xs)) * i / steps
            y = min(ys) + (max(ys) - min(ys)) * j / steps
            if _contains_point(sides, x, y):
                distance = min(_measure_distance(x, y, side) for side in sides)
                if distance > far:
                    best, far = (x, y), distance
    return best


def _contains_point(sides: list[Any], x: float, y: float) -> bool:
    inside = False
    for (ax, ay), (bx, by) in sides:
        if (ay > y) != (by > y) and x < (bx - ax) * (y - ay) / (by - ay) + ax:
            inside = not inside
    return inside


def _measure_distance(x: float, y: float, side: Any) -> float:
    (ax, ay), (bx, by) = side
    squared = (bx - ax) ** 2 + (by - ay) ** 2
    part = ((x - ax) * (bx - ax) + (y - ay) * (by - ay)) / squared if squared else 0.0
    part = min(1.0, max(0.0, part))
    return math.hypot(x - ax - part * (bx - ax), y - ay - part * (by - ay))


def _find_point_at(line: list[tuple[float, float]], far: float) -> Shape:
    for (ax, ay), (bx, by) in itertools.pairwise(line):
        step = math.hypot(bx - ax, by - ay)
        if far <= step + 1e-9 and step:
            part = far / step
            angle = math.degrees(math.atan2(by - ay, bx - ax))
            return {
                "x": _round_mm(ax + (bx - ax) * part),
                "y": _round_mm(ay + (by - ay) * part),
                "angle": _round_mm(angle),
            }
        far -= step
    return {"x": line[-1][0], "y": line[-1][1], "angle": 0.0}


def _parse_points(points: Iterable[Point]) -> list[tuple[float, float]]:
    pairs = [(float(point[0]), float(point[1])) for point in points]
    _check_count(len(pairs))
    for value in itertools.chain(*pairs):
        _check_finite(value)
    if not pairs:
        raise ValueError("a line needs points, like [[0, 0], [10, 5]]")
    return pairs


def _list_sides(corners: list[tuple[float, float]]) -> list[Any]:
    return list(zip(corners, [*corners[1:], corners[0]], strict=True))


def _measure_area(corners: list[tuple[float, float]]) -> float:
    doubled: float = sum(ax * by - bx * ay for (ax, ay), (bx, by) in _list_sides(corners))
    return doubled / 2


def _measure_length(line: list[tuple[float, float]]) -> float:
    length: float = sum(math.dist(a, b) for a, b in itertools.pairwise(line))
    return length


def _format_points(corners: Iterable[tuple[float, float]]) -> str:
    return " ".join(f"{x:g},{y:g}" for x, y in corners)


def _check_count(count: float) -> None:
    if not count <= MAX_SHAPES:
        raise ValueError(f"a call returns at most {MAX_SHAPES} places or points")


def _check_finite(value: float) -> None:
    if not math.isfinite(value):
        raise ValueError("a length or position is infinite or not a number")


def _round_mm(value: float) -> float:
    """Round to three decimals, so that the bytes are equal on every machine."""
    _check_finite(value)
    rounded: float = round(value, 3)
    return rounded + 0.0  # no minus before a zero
