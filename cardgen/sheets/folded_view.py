"""Drawings of folded boxes: panels in space, seen from above and in front, as SVG. mm."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from math import cos, radians, sin

from cardgen.core.units import Box, format_decimal
from cardgen.game.shapes import Point
from cardgen.sheets.nets import WALL, Net, Panel, Vector

_VIEW = (24.0, -32.0, 0.0)
"""Turns about x and y after which a box is looked at: from above, and from its right."""
_LIGHT = (-0.35, 0.55, 0.76)
"""Where the light comes from, as seen: from the left, above and the front."""
_MAX_SHADE, _FULL_LIGHT, _BOARD_COLOUR = 0.42, 0.7, "#efe9dd"


@dataclass(frozen=True)
class NetPicture:
    """A picture of a flat net: its address, and the area of the net that it shows."""

    address: str
    area: Box


@dataclass(frozen=True)
class FoldedNet:
    """A net to draw: its colour or picture, how far it is folded, and how it stands.

    `opened` has panels that are folded by a share of their angle. `turns` are degrees about x, y
    and z, `move` is where it stands.
    """

    net: Net
    colour: str
    picture: NetPicture | None = None
    opened: Mapping[str, float] | None = None
    turns: Vector = (0.0, 0.0, 0.0)
    move: Vector = (0.0, 0.0, 0.0)

    def list_panels(self) -> Iterator[SeenPanel]:
        """Yield the panels as they are seen."""
        maps = self.net.fold(self.opened or {})
        for panel in self.net.panels:
            yield SeenPanel(self, panel, maps[panel.name])


@dataclass(frozen=True)
class SeenPanel:
    """A panel of a folded net, as it is seen."""

    folded: FoldedNet
    panel: Panel
    place: Callable[[float, float], Vector]

    def see(self, x: float, y: float) -> Vector:
        """Return where a point of the flat net is seen: across, up, and towards the reader."""
        turned = _rotate(self.place(x, y), self.folded.turns)
        moved = tuple(a + b for a, b in zip(turned, self.folded.move, strict=True))
        return _rotate(_rotate((moved[0], moved[1], moved[2]), (0, _VIEW[1], 0)), (_VIEW[0], 0, 0))

    @property
    def outline(self) -> list[Point]:
        """The outline on the page, y downwards."""
        box = self.folded.net.boxes[self.panel.name]
        return [(x, -y) for x, y, _ in (self.see(*p) for p in self.panel.trace(box)[:-1])]

    @property
    def rank(self) -> tuple[int, float]:
        """Its place in the order of drawing: inner sides, what is glued or tucked in, outer sides;
        among these, the nearest last."""
        box = self.folded.net.boxes[self.panel.name]
        distance = self.see((box.left + box.right) / 2, (box.bottom + box.top) / 2)[2]
        return (1 if self.panel.kind != WALL else 2 * (self.normal[2] > 0)), distance

    @property
    def normal(self) -> Vector:
        """Where the printed side looks to."""
        o, x, y = self.see(0, 0), self.see(1, 0), self.see(0, 1)
        u, v = ([b - a for a, b in zip(o, other, strict=True)] for other in (x, y))
        return u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]

    def draw(self, number: int) -> str:
        """Return the panel as SVG: its picture or colour, shaded as light falls on it."""
        normal = self.normal
        outside = normal[2] > 0
        light = sum(a * b for a, b in zip(normal, _LIGHT, strict=True)) * (1 if outside else -1)
        shade = format_decimal(_MAX_SHADE * (1 - max(0.0, min(1.0, light / _FULL_LIGHT))), 3)
        points = " ".join(f"{_format(x)},{_format(y)}" for x, y in self.outline)
        colour = self.folded.colour if outside else _BOARD_COLOUR
        drawn = f'<polygon points="{points}" fill="{colour}"/>'
        if outside and self.folded.picture:
            drawn += self._draw_picture(self.folded.picture, points, number)
        return (
            f'{drawn}<polygon points="{points}" fill="#1a130c" fill-opacity="{shade}" '
            'stroke="#1a130c" stroke-opacity="0.55" stroke-width="0.2" stroke-linejoin="round"/>\n'
        )

    def _draw_picture(self, picture: NetPicture, points: str, number: int) -> str:
        """Return the part of the net's picture that is on the panel."""
        area = picture.area
        corners = ((area.left, area.top), (area.right, area.top), (area.left, area.bottom))
        o, x, y = ((p[0], -p[1]) for p in (self.see(*corner) for corner in corners))
        matrix = (x[0] - o[0], x[1] - o[1], y[0] - o[0], y[1] - o[1], *o)
        return (
            f'<clipPath id="p{number}"><polygon points="{points}"/></clipPath>'
            f'<g clip-path="url(#p{number})"><image width="1" height="1" '
            f'preserveAspectRatio="none" transform="matrix({" ".join(map(_format, matrix))})" '
            f'xlink:href="{picture.address}"/></g>'
        )


def draw_folded(nets: list[FoldedNet]) -> str:
    """Return an SVG of folded nets: the first one stands behind the others."""
    panels = [
        panel for net in nets for panel in sorted(net.list_panels(), key=lambda panel: panel.rank)
    ]
    points = [point for panel in panels for point in panel.outline]
    left, top = min(x for x, _ in points) - 2, min(y for _, y in points) - 2
    wide, high = max(x for x, _ in points) + 2 - left, max(y for _, y in points) + 2 - top
    drawn = "".join(panel.draw(number) for number, panel in enumerate(panels))
    view = " ".join(map(_format, (left, top, wide, high)))
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" '
        f'width="{_format(wide)}mm" height="{_format(high)}mm" viewBox="{view}">\n{drawn}</svg>\n'
    )


def _format(value: float) -> str:
    return format_decimal(value, 4)


def _rotate(point: Vector, turns: Vector) -> Vector:
    """Return a point turned about x, y and z in this order, in degrees."""
    x, y, z = point
    a, b, c = map(radians, turns)
    y, z = y * cos(a) - z * sin(a), y * sin(a) + z * cos(a)
    x, z = x * cos(b) + z * sin(b), -x * sin(b) + z * cos(b)
    x, y = x * cos(c) - y * sin(c), x * sin(c) + y * cos(c)
    return x, y, z
