"""Plan of the box of a game: how boxes lie in layers, reckoned as plain arithmetic in mm."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from cardgen.core.units import Box

PLAN_PLAY_MM = 2.0
"""Room between two things, and between them and the wall."""
_MAX_SHAPE = 1.7
"""Longest side of a box's floor, in shortest sides."""
_STEP_MM = 5.0


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
    plans = []
    for width in _list_sides(widest, area):
        for height in _list_sides(deepest, area):
            if max(width, height) <= _MAX_SHAPE * min(width, height) or height == deepest:
                plans.append(BoxPlan(width, height, _fill_layers(items, width, height)))
    return min(plans, key=_rate_plan)


def _list_sides(least: float, area: float) -> list[float]:
    sides = [least]
    while sides[-1] ** 2 < 2 * area and len(sides) < 40:
        sides.append(sides[-1] + 2 * _STEP_MM)
    return sides


def _rate_plan(plan: BoxPlan) -> tuple[float, float]:
    """Return the room a plan takes, worse for boxes that are higher than wide."""
    volume = plan.width * plan.height * plan.depth
    tall = max(1.0, 1.5 * plan.depth / min(plan.width, plan.height))
    return round(volume * tall, 3), plan.width


def _fill_layers(items: Sequence[PackedItem], width: float, height: float) -> tuple[PlanLayer, ...]:
    """Return layers filled row by row, the largest things first, those of one height together."""
    rest = sorted(items, key=lambda i: (-i.width * i.height, -i.high, i.name))
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
