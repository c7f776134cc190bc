"""Nets of boxes folded up in space: edges meet, tabs keep apart, and what is inside has room."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import combinations, pairwise, product
from math import dist

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cardgen.core.units import CARD_SIZES, PAPERS, Box, Size
from cardgen.sheets.box_forms import (
    MIN_DEPTH_MM,
    Room,
    fit_lid,
    make_divider,
    make_prism,
    make_stand,
    make_tray,
    make_tuck,
)
from cardgen.sheets.nets import FLAP, GLUE, JOINT, WALL, Net, Path

TOLERANCE = 0.05
CARDS = [Size(*each) for each in CARD_SIZES.values() if max(each) < 150]
SIZES = [*CARDS, *(size.rotate() for size in CARDS[:6])]
COUNTS = (1, 2, 9, 18, 54, 110, 200)
Point3 = tuple[float, ...]
Polygon = Sequence[Point3]


def room_for(card: Size, count: int, play: float = 1.0) -> Room:
    return Room(card.width + play, card.height + play, count * 0.3 + play)


def corners(box: Box) -> list[tuple[float, float]]:
    """The corners in order, round the box."""
    return [
        (box.left, box.bottom),
        (box.right, box.bottom),
        (box.right, box.top),
        (box.left, box.top),
    ]


def folded(net: Net) -> dict[str, list[Point3]]:
    """The corners of every panel in space."""
    maps = net.fold()
    return {p.name: [maps[p.name](*c) for c in corners(net.boxes[p.name])] for p in net.panels}


def edges(points: Polygon) -> list[tuple[Point3, Point3]]:
    return [*zip(points, (*points[1:], points[0]), strict=True)]


def meet(one: tuple[Point3, Point3], other: tuple[Point3, Point3]) -> bool:
    return any(
        max(dist(a, b) for a, b in zip(one, turned, strict=True)) < TOLERANCE
        for turned in (other, other[::-1])
    )


def free_edges(net: Net) -> int:
    """How many edges of walls meet no other wall's; more than two never meet."""
    found = [
        e
        for p, points in folded(net).items()
        if net.get_panel(p).kind == WALL
        for e in edges(points)
    ]
    partners = [sum(meet(one, other) for other in found) - 1 for one in found]
    assert max(partners) <= 1
    return partners.count(0)


def normal(points: Polygon) -> tuple[Point3, float]:
    """The unit normal of a polygon, and how far its plane is from the origin."""
    n = [0.0, 0.0, 0.0]
    for a, b in edges(points):
        for axis in range(3):
            i, j = (axis + 1) % 3, (axis + 2) % 3
            n[axis] += a[i] * b[j] - a[j] * b[i]
    length = dist(n, (0, 0, 0))
    unit = tuple(x / length for x in n)
    return unit, sum(x * y for x, y in zip(unit, points[0], strict=True))


def overlap(one: Polygon, other: Polygon) -> bool:
    """Whether two convex polygons in one plane share an area: no edge of either parts them."""
    for polygon in (one, other):
        middle = [sum(axis) / len(polygon) for axis in zip(*polygon, strict=True)]
        for a, b in zip(polygon, (*polygon[1:], polygon[0]), strict=True):
            length = dist(a, b)
            if length < 1e-6:
                continue
            along = [(q - p) / length for p, q in zip(a, b, strict=True)]
            inward = [m - p for m, p in zip(middle, a, strict=True)]
            part = sum(x * y for x, y in zip(along, inward, strict=True))
            inward = [x - part * y for x, y in zip(inward, along, strict=True)]
            high = dist(inward, [0] * len(inward))
            reach = [
                sum(i * (q - p) for i, q, p in zip(inward, point, a, strict=True)) / high
                for point in (other if polygon is one else one)
            ]
            if max(reach) < 0.02:
                return False
    return True


def outline(net: Net, name: str) -> Path:
    """A panel's flat outline without its thumb hole, which would not be convex."""
    box, panel = net.boxes[name], net.get_panel(name)
    return tuple(corners(box)) if panel.notch else panel.trace(box)[:-1]


def check_flat(net: Net) -> None:
    """No two panels lie on each other on the paper."""
    for one, other in combinations(net.panels, 2):
        assert not overlap(outline(net, one.name), outline(net, other.name)), (one, other)


def check_tabs(net: Net) -> None:
    """Folded, tabs lie on walls, and no two of them lie on each other."""
    maps = net.fold()
    tabs = [
        [maps[p.name](*point) for point in outline(net, p.name)]
        for p in net.panels
        if p.kind != WALL
    ]
    for one, other in combinations(tabs, 2):
        (n, d), (m, e) = normal(one), normal(other)
        turn = sum(x * y for x, y in zip(n, m, strict=True))
        in_plane = abs(abs(turn) - 1) < 1e-4 and abs(d - turn * e) < TOLERANCE
        assert not (in_plane and overlap(one, other))


def check_glue(net: Net) -> None:
    """Every tab that is glued lies within a wall, in its plane."""
    maps, walls = net.fold(), folded(net)
    for panel in net.panels:
        if panel.kind in {GLUE, JOINT}:
            points = [maps[panel.name](*point) for point in outline(net, panel.name)]
            assert any(
                panel.parent != wall.name and holds(walls[wall.name], points)
                for wall in net.panels
                if wall.kind == WALL
            ), panel


def holds(wall: list[Point3], points: Polygon) -> bool:
    n, d = normal(wall)
    if any(abs(sum(x * y for x, y in zip(n, p, strict=True)) - d) > TOLERANCE for p in points):
        return False
    low, high = ([f(axis) for axis in zip(*wall, strict=True)] for f in (min, max))
    return all(
        a - TOLERANCE <= x <= b + TOLERANCE
        for point in points
        for a, x, b in zip(low, point, high, strict=True)
    )


def inside(net: Net) -> list[float]:
    """The sides of the box that the walls enclose, from the smallest."""
    points = [
        p for name, each in folded(net).items() if net.get_panel(name).kind == WALL for p in each
    ]
    return sorted(max(axis) - min(axis) for axis in zip(*points, strict=True))


@pytest.mark.parametrize("card", SIZES, ids=str)
@pytest.mark.parametrize("locks", [False, True])
def test_a_tuck_box_closes_around_its_cards(card: Size, locks: bool) -> None:
    assert len(SIZES) >= 20
    for count in COUNTS:
        room = room_for(card, count)
        net = make_tuck("box", room, locks=locks)
        assert free_edges(net) == 0
        depth = max(MIN_DEPTH_MM, count * 0.3 + 1)
        assert inside(net) == pytest.approx(sorted([card.width + 1, card.height + 1, depth]))
        check_flat(net)
        check_tabs(net)
        check_glue(net)


@pytest.mark.parametrize("card", SIZES, ids=str)
def test_a_tray_and_its_lid_fit_into_each_other(card: Size) -> None:
    for count in COUNTS:
        room = room_for(card, count, 2.0)
        base, lid = make_tray("base", room), make_tray("lid", fit_lid(room), is_lid=True)
        for net in (base, lid):
            assert free_edges(net) == 4  # the rim
            check_flat(net)
            check_tabs(net)
            check_glue(net)
        around = [side + 2 * room.board for side in (room.width, room.height)]
        assert [lid.get_panel("floor").length, lid.get_panel("floor").reach] == pytest.approx(
            [side + 1 for side in around]
        )


lengths = st.integers(80, 1500).map(lambda tenths: tenths / 10)


@given(lengths, lengths, st.integers(10, 700), st.booleans(), st.booleans())
def test_boxes_of_any_size(w: float, h: float, tenths: int, locks: bool, notch: bool) -> None:
    room = Room(w, h, tenths / 10)
    tuck = make_tuck("box", room, locks=locks, notch=notch)
    assert free_edges(tuck) == 0
    for net in (tuck, make_tray("base", Room(w, h, max(4, tenths / 10)))):
        check_flat(net)
        check_tabs(net)
        check_glue(net)


@given(lengths, st.integers(200, 900).map(lambda tenths: tenths / 10))
def test_stands_and_standing_rulers_close(w: float, h: float) -> None:
    for net in (make_stand("stand", w, h), make_prism("ruler", w, h)):
        check_flat(net)
        check_glue(net)
        ends = [points for name, points in folded(net).items() if name in {"slope", "base"}]
        slope, base = ends
        assert dist(slope[0], base[3]) < TOLERANCE
        assert dist(slope[1], base[2]) < TOLERANCE


def test_a_lock_waits_where_the_dust_flaps_stand() -> None:
    net = make_tuck("box", room_for(Size(63.5, 88.9), 54), locks=True)
    maps, tuck = net.fold(), net.get_panel("top-tuck")
    box = net.boxes["top-tuck"]
    for flap, slit in (("left-top", box.right - tuck.slit), ("right-top", box.left + tuck.slit)):
        points = [maps[flap](*point) for point in net.get_panel(flap).trace(net.boxes[flap])]
        at = maps["top"](slit, box.bottom)
        front = [p for p in points if abs(p[2] - at[2]) < TOLERANCE]
        assert min(p[0] for p in front) - TOLERANCE <= at[0] <= max(p[0] for p in front) + TOLERANCE


PAPER_SIZES = [Size(*PAPERS[name]) for name in ("a4", "letter")]


@pytest.mark.parametrize(("paper", "count"), [*product(PAPER_SIZES, (70, 110, 200))])
def test_a_net_larger_than_the_paper_is_split_and_glued(paper: Size, count: int) -> None:
    def fits(size: Size) -> bool:
        room = Size(paper.width - 10, paper.height - 10)
        return any(s.width <= room.width and s.height <= room.height for s in (size, size.rotate()))

    net = make_tuck("box", room_for(Size(88.9, 139.7), count))
    parts = net.split(fits)
    assert parts is not None
    assert len(parts) > 1
    assert all(fits(part.size) for part in parts)
    joints = [p for part in parts for p in part.panels if p.kind == JOINT]
    assert len(joints) == len(parts) - 1
    whole = {p.name for part in parts for p in part.panels} - {p.name for p in joints}
    assert whole == {p.name for p in net.panels}
    maps, walls = net.fold(), folded(net)
    for part in parts:
        check_flat(part)
        for tab in (p for p in part.panels if p.kind == JOINT):
            # A part is folded by itself: the panel that it shares with the whole says how it lies.
            flat, child = tab.trace(part.boxes[tab.name]), tab.name.removesuffix("-joint")
            other = child if tab.parent != child else net.get_panel(child).parent
            assert holds(walls[other], [maps[other](*point) for point in flat])
            assert tab.angle == net.get_panel(child).angle
    assert make_tuck("box", room_for(Size(250, 350), 9)).split(fits) is None
    tray = make_tray("base", Room(paper.height - 12, paper.width - 12, 20)).split(fits)
    assert tray is not None
    assert len(tray) == 5


def test_cuts_go_round_and_folds_lie_between_panels() -> None:
    net = make_tuck("box", room_for(Size(63.5, 88.9), 54), locks=True)
    cuts, folds = net.list_cuts(), net.list_folds()
    assert len(folds) == len(net.panels) - 1
    lines = [tuple(sorted(line)) for path in cuts for line in pairwise(path)]
    assert len(lines) == len(set(lines))
    ways = Counter(point for line in lines for point in line)
    assert sum(count == 1 for count in ways.values()) == 4  # the ends of the slits
    for (x1, y1), (x2, y2) in folds:
        middle = (x1 + x2) / 2, (y1 + y2) / 2
        assert not any(
            min(a[0], b[0]) - 1e-6 <= middle[0] <= max(a[0], b[0]) + 1e-6
            and min(a[1], b[1]) - 1e-6 <= middle[1] <= max(a[1], b[1]) + 1e-6
            and (abs(a[0] - b[0]) < 1e-6 or abs(a[1] - b[1]) < 1e-6)
            for path in cuts
            for a, b in pairwise(path)
        )


@pytest.mark.parametrize("on_side", [False, True])
def test_dividers_stand_up_with_their_tabs_in_a_row(on_side: bool) -> None:
    nets = [
        make_divider("d", Size(63.5, 88.9), at=at, places=3, on_side=on_side) for at in range(3)
    ]
    width = 88.9 if on_side else 63.5
    assert [net.boxes["tab"].left for net in nets] == pytest.approx([0, width / 3, 2 * width / 3])
    for net in nets:
        assert net.list_folds() == []
        (cut,) = net.list_cuts()
        assert cut[0] == cut[-1]
        check_flat(net)
    assert FLAP not in {panel.kind for net in nets for panel in net.panels}
