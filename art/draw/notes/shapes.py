"""Paths, circles and groups as the notes use them: in one ink on paper."""

from __future__ import annotations

from svg import PAPER, Point, element, num

Attribute = str | float


def compact(*values: float) -> str:
    """Numbers as path data with no idle blanks."""
    return " ".join(map(num, values)).replace(" -", "-")


def rectangle(x: float, y: float, width: float, height: float) -> str:
    """An upright rectangle from its top left corner."""
    return f"M{x} {y}H{x + width}V{y + height}H{x}Z"


def ellipse(x: float, y: float, radius_x: float, radius_y: float) -> str:
    """An ellipse of four curves, absolute so that it can be hatched."""
    left, right, top, bottom = x - radius_x, x + radius_x, y - radius_y, y + radius_y
    bulge_x, bulge_y = radius_x * 0.5523, radius_y * 0.5523
    return (
        f"M{left} {y}C{left} {y - bulge_y} {x - bulge_x} {top} {x} {top}"
        f"C{x + bulge_x} {top} {right} {y - bulge_y} {right} {y}"
        f"C{right} {y + bulge_y} {x + bulge_x} {bottom} {x} {bottom}"
        f"C{x - bulge_x} {bottom} {left} {y + bulge_y} {left} {y}Z"
    )


def solid(d: str, colour: str, **attributes: Attribute) -> str:
    """A filled path."""
    return element("path", d=d, fill=colour, **attributes)


def lines(d: str, ink: str, width: float = 1.4, **attributes: Attribute) -> str:
    """A path drawn as a line."""
    return element("path", d=d, fill="none", stroke=ink, stroke_width=width, **attributes)


def outlined(
    d: str, ink: str, width: float = 2, inside: str = PAPER, **attributes: Attribute
) -> str:
    """A filled path with an outline."""
    return element("path", d=d, fill=inside, stroke=ink, stroke_width=width, **attributes)


def dot(centre: Point, radius: float, colour: str) -> str:
    """A filled circle."""
    return element("circle", cx=centre[0], cy=centre[1], r=radius, fill=colour)


def hoop(
    centre: Point, radius: float, ink: str, width: float, inside: str = "none", **more: Attribute
) -> str:
    """A circle drawn as a line, see-through unless told."""
    place: dict[str, Attribute] = {"cx": centre[0], "cy": centre[1], "r": radius}
    return element("circle", **place, fill=inside, stroke=ink, stroke_width=width, **more)


def group(transform: str, *parts: str) -> str:
    """Parts moved, turned or scaled together."""
    return element("g", "".join(parts), transform=transform)


def clip(name: str, d: str) -> str:
    """A named outline for `clipped`; belongs into <defs>."""
    return element("clipPath", solid(d, "#000"), id=name)


def clipped(name: str, *parts: str) -> str:
    """Parts cut off at a named outline."""
    return element("g", "".join(parts), clip_path=f"url(#{name})")


def use(name: str, **attributes: Attribute) -> str:
    """A named group once more."""
    return element("use", href=f"#{name}", **attributes)
