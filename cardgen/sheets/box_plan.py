"""Plan of the box of a game: how boxes lie in layers, reckoned as plain arithmetic in mm."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import sqrt

from cardgen.core.units import POINTS_PER_MM, Box, Size
from cardgen.game.shapes import Point
from cardgen.sheets.sheet_guides import Guide, GuideLabel, GuidePath

PLAN_PLAY_MM = 2.0
"""Room between two things, and between them and the wall."""
_USUAL_SHAPE = 1.5
"""Long side of a box's floor, in short sides; longer ones are worse."""
_MIN_STEPS, _MAX_STEPS, _MOST_ITEMS = 3, 20, 260
"""Lengths that are tried for each side of a floor: fewer, the more things there are."""
_EDGE_MM, _HEAD_MM, _LAYER_HEAD_MM, _COLUMN_GAP_MM = 14.0, 24.0, 8.0, 8.0
_CHAR_EM = 0.52
"""Width of a letter, on the average, in type sizes."""


@dataclass(frozen=True)
class PackedItem:
    """A thing with its size, lying flat: across, down, and high."""

    name: str
    width: float
    height: float
    high: float


@dataclass(frozen=True)
class PlanLayer:
    """Things that lie beside each other, with their places from the floor's lower left corner."""

    places: tuple[tuple[PackedItem, Box], ...]

    @property
    def high(self) -> float:
        """Height of the layer: that of its highest thing."""
        return max(item.high for item, _ in self.places)


@dataclass(frozen=True)
class BoxPlan:
    """The room inside a box and its layers, from the lowest up."""

    width: float
    height: float
    layers: tuple[PlanLayer, ...]

    @property
    def depth(self) -> float:
        """Depth inside."""
        return sum(layer.high for layer in self.layers) + PLAN_PLAY_MM

    @property
    def share(self) -> float:
        """Share of the room that things fill, 0 to 1."""
        items = [item for layer in self.layers for item, _ in layer.places]
        volume = sum(item.width * item.height * item.high for item in items)
        return volume / (self.width * self.height * self.depth)


def lay_flat(name: str, sides: Iterable[float]) -> PackedItem:
    """Return a thing that lies on its largest side."""
    high, short, long = sorted(sides)
    return PackedItem(name, long, short, high)


def plan_box(items: Sequence[PackedItem]) -> BoxPlan:
    """Return the plan that takes the least room among floors that are not too long.

    Large things lie lowest; what is left of a layer's rows is filled with smaller things.
    """
    widest = max(item.width for item in items) + 2 * PLAN_PLAY_MM
    deepest = max(item.height for item in items) + 2 * PLAN_PLAY_MM
    area = sum((item.width + PLAN_PLAY_MM) * (item.height + PLAN_PLAY_MM) for item in items)
    number = max(_MIN_STEPS, min(_MAX_STEPS, _MOST_ITEMS // len(items)))
    plans = (
        _tighten(_fill_layers(items, width, height, is_tall_first))
        for is_tall_first in (False, True)
        for width in _list_sides(widest, area, number)
        for height in _list_sides(deepest, area, number)
    )
    return min(plans, key=_rate_plan)


def _list_sides(least: float, area: float, number: int) -> list[float]:
    """Return lengths to try, up to that of a square twice as large as all things together."""
    most = max(least, sqrt(2 * area))
    return [least + (most - least) * step / (number - 1) for step in range(number)]


def _tighten(layers: tuple[PlanLayer, ...]) -> BoxPlan:
    """Return the plan of layers with a floor that is no larger than they need."""
    boxes = [box for layer in layers for _, box in layer.places]
    width = max(box.right for box in boxes) + PLAN_PLAY_MM
    return BoxPlan(width, max(box.top for box in boxes) + PLAN_PLAY_MM, layers)


def _rate_plan(plan: BoxPlan) -> tuple[float, float]:
    """Return the room a plan takes, worse for boxes that are long, or higher than wide."""
    short, long = sorted((plan.width, plan.height))
    tall, narrow = max(1.0, 1.5 * plan.depth / short), max(1.0, long / short / _USUAL_SHAPE)
    return round(short * long * plan.depth * tall * narrow**2, 3), plan.width


def _fill_layers(
    items: Sequence[PackedItem], width: float, height: float, is_tall_first: bool
) -> tuple[PlanLayer, ...]:
    """Return layers, the largest or the highest things first, those of one height together."""
    rest = sorted(items, key=lambda i: (-i.width * i.height, -i.high, i.name))
    if is_tall_first:
        rest.sort(key=lambda item: -item.high)
    layers = []
    while rest:
        first = rest[0]
        near = sorted(rest[1:], key=lambda i: (abs(i.high - first.high) > 4, -i.height, -i.width))
        places = _fill_rows([first, *near], width, height)
        layers.append(PlanLayer(tuple(places)))
        placed = [id(item) for item, _ in places]
        rest = [item for item in rest if id(item) not in placed]
    return tuple(layers)


def _fill_rows(
    items: Sequence[PackedItem], width: float, height: float
) -> list[tuple[PackedItem, Box]]:
    """Return things in free rectangles of a floor, each split by what is put into it."""
    play = PLAN_PLAY_MM
    free = [Box(play, play, width, height)]
    places: list[tuple[PackedItem, Box]] = []
    for item in items:
        spots = [
            (room.width * room.height, number, across, up)
            for number, room in enumerate(free)
            for across, up in ((item.width, item.height), (item.height, item.width))
            if across + play <= room.width + 1e-6 and up + play <= room.height + 1e-6
        ]
        if not spots:
            continue
        _, number, across, up = min(spots)
        room = free.pop(number)
        box = Box(room.left, room.bottom, room.left + across, room.bottom + up)
        places.append((item, box))
        right, top = box.right + play, box.top + play
        if room.width - across > room.height - up:
            free += [Box(right, room.bottom, room.right, room.top),
                     Box(room.left, top, right, room.top)]  # fmt: skip
        else:
            free += [Box(right, room.bottom, room.right, top),
                     Box(room.left, top, room.right, room.top)]  # fmt: skip
    return places


@dataclass(frozen=True)
class PlanTexts:
    """Texts of a plan's page: its head and a line below, the word for layer, what is said of the
    lowest one, and the names of things."""

    title: str
    summary: str
    layer: str
    lowest: str
    names: Mapping[str, str]


def list_plan_guides(plan: BoxPlan, paper: Size, texts: PlanTexts) -> Iterator[Guide]:
    """Yield the drawing of a plan: its layers side by side, from the lowest up, to one scale."""
    top = paper.height - _EDGE_MM
    yield GuideLabel(_EDGE_MM, top - 5, texts.title, 15)
    yield GuideLabel(_EDGE_MM, top - 12, texts.summary, 9)
    columns = 1 if len(plan.layers) == 1 else 2
    rows = -(-len(plan.layers) // columns)
    across = (paper.width - 2 * _EDGE_MM - (columns - 1) * _COLUMN_GAP_MM) / columns
    down = (top - _HEAD_MM - _EDGE_MM) / rows - _LAYER_HEAD_MM - _COLUMN_GAP_MM
    scale = min(across / plan.width, down / plan.height, 1.0)
    for number, layer in enumerate(plan.layers):
        row, column = divmod(number, columns)
        x = _EDGE_MM + column * (across + _COLUMN_GAP_MM)
        y = top - _HEAD_MM - row * (plan.height * scale + _LAYER_HEAD_MM + _COLUMN_GAP_MM)
        head = [f"{texts.layer} {number + 1}", f"{layer.high:.3g} mm", texts.lowest]
        yield GuideLabel(x, y - 4, "  ·  ".join(head[: 2 if number else 3]), 9)
        y -= _LAYER_HEAD_MM + plan.height * scale
        yield _draw_box(Box(0, 0, plan.width, plan.height), (x, y), scale, 0.0)
        for item, box in layer.places:
            yield _draw_box(box, (x, y), scale, 0.45)
            yield from _label_item(item, box, (x, y), scale, texts.names.get(item.name, item.name))


def _draw_box(box: Box, at: Point, scale: float, grey: float) -> GuidePath:
    x1, y1 = at[0] + box.left * scale, at[1] + box.bottom * scale
    x2, y2 = at[0] + box.right * scale, at[1] + box.top * scale
    return GuidePath(((x1, y1), (x2, y1), (x2, y2), (x1, y2)), grey=grey)


def _label_item(
    item: PackedItem, box: Box, at: Point, scale: float, name: str
) -> Iterator[GuideLabel]:
    """Yield the name and the measures of a thing, as large as they fit."""
    x = at[0] + (box.left + box.right) / 2 * scale
    y = at[1] + (box.bottom + box.top) / 2 * scale
    sides = f"{box.width:.3g} × {box.height:.3g} × {item.high:.3g}"
    room = box.width * scale - 2
    for text, most, drop in ((name, 8.0, 0.6), (sides, 6.0, -3.2)):
        size = min(most, room * POINTS_PER_MM / (_CHAR_EM * max(1, len(text))))
        if size >= 3.5 and box.height * scale >= 7:
            yield GuideLabel(x, y + drop, text, round(size, 1), is_centred=True)
