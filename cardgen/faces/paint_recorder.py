"""Recorder of what WeasyPrint paints on a face, in order: backgrounds, pictures and text.

Wraps WeasyPrint's drawing functions, which are not a public interface. Lengths in mm from the
page's top left.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from math import inf
from typing import Any

from cardgen.core import colour_math
from cardgen.core.units import CSS_PX_PER_MM
from cardgen.faces.measurement import NO_ORIGIN, TemplateOrigin
from cardgen.pdf.weasyprint_adapter import weasyprint

_BORDER_SIDES = ("top", "right", "bottom", "left")
_ANGLE_TOLERANCE = 1e-6
# x-height of text, and extent of icons above and below the baseline, in em.
_MIN_VISIBLE_MM, _ICON_BOX_EM = 0.5, (0.75, 0.05)
_SRGB_SPACES = frozenset({"srgb", "hsl", "hwb"})
_LAB_SPACES = {
    "xyz-d65": "lab-d65", "oklab": "lab-d65", "oklch": "lab-d65",
    "xyz-d50": "lab-d50", "lab": "lab-d50", "lch": "lab-d50",
}  # fmt: skip
Colour = tuple[float, float, float]


@dataclass(frozen=True)
class PaintBox:
    """Box with y downwards: `top` is less than `bottom`."""

    left: float
    top: float
    right: float
    bottom: float

    @property
    def width(self) -> float:
        return self.right - self.left

    @property
    def height(self) -> float:
        return self.bottom - self.top

    def intersect(self, other: PaintBox) -> PaintBox | None:
        """Return the common area, or None."""
        left, top = max(self.left, other.left), max(self.top, other.top)
        right, bottom = min(self.right, other.right), min(self.bottom, other.bottom)
        return PaintBox(left, top, right, bottom) if left < right and top < bottom else None

    def contains_point(self, x: float, y: float) -> bool:
        return self.left <= x <= self.right and self.top <= y <= self.bottom


EVERYWHERE = PaintBox(-inf, -inf, inf, inf)


@dataclass(frozen=True)
class PaintedItem:
    """Something painted.

    `kind` is ground, image or text; a ground or text without `colour` has several. `box` is the
    visible area, of a text its x-height. `name` is WeasyPrint's name of a picture, `whole_box`
    all of its area, `pixels` its size if it has any.
    """

    kind: str
    box: PaintBox
    origin: TemplateOrigin
    colour: Colour | None = None
    alpha: float = 1.0
    is_straight: bool = True
    words: str = ""
    size: float = 0.0
    is_icon: bool = False
    name: str = ""
    whole_box: PaintBox = EVERYWHERE
    pixels: tuple[int, int] | None = None
    is_smooth: bool = True


@dataclass
class _PaintRecorder:
    origins: dict[int, TemplateOrigin]
    icon_family: str
    items: list[PaintedItem] = field(default_factory=list)
    matrices: list[Any] = field(default_factory=lambda: [None])
    alphas: list[float] = field(default_factory=lambda: [1.0])
    clips: list[tuple[PaintBox, Any]] = field(default_factory=lambda: [(EVERYWHERE, None)])

    def find_origin(self, style: Any) -> TemplateOrigin:
        return self.origins.get(id(style), NO_ORIGIN)

    def transform_box(
        self, x: float, y: float, width: float, height: float
    ) -> tuple[PaintBox, bool]:
        """Return a layout box (px) as placed on the page, and whether it is axis-aligned."""
        matrix, straight = self.matrices[-1], True
        corners = [(x, y), (x + width, y), (x, y + height), (x + width, y + height)]
        if matrix is not None:
            corners = [matrix.transform_point(*corner) for corner in corners]
            (a, b), (c, d) = matrix[0][:2], matrix[1][:2]
            straight = min(abs(a) + abs(d), abs(b) + abs(c)) < _ANGLE_TOLERANCE
        xs, ys = zip(*corners, strict=True)
        sides = (min(xs), min(ys), max(xs), max(ys))
        return PaintBox(*(side / CSS_PX_PER_MM for side in sides)), straight

    def add_item(self, kind: str, style: Any, box: tuple[float, ...], **more: Any) -> None:
        """Record what is painted in a box (px), as far as it is visible."""
        whole, straight = self.transform_box(*box[:4])
        clip, but = self.clips[-1]
        visible = whole if but is style else whole.intersect(clip)
        if visible is None or not (visible.width and visible.height):
            return
        alpha = more.pop("alpha", 1.0) * self.alphas[-1]
        place = self.find_origin(style)
        item = PaintedItem(
            kind, visible, place, alpha=alpha, is_straight=straight, whole_box=whole, **more
        )
        self.items.append(item)


_recorders: list[_PaintRecorder] = []


@contextmanager
def record_paint(places: dict[int, TemplateOrigin], icons: str) -> Iterator[list[PaintedItem]]:
    """Record everything painted within the block; `icons` is the icon font family."""
    recorder = _PaintRecorder(places, icons)
    _recorders.append(recorder)
    try:
        yield recorder.items
    finally:
        _recorders.remove(recorder)


def _observe(name: str) -> Callable[[Callable[..., None]], None]:
    """Call the decorated function before WeasyPrint's drawing function of that name."""

    def install(note: Callable[..., None]) -> None:
        drawing = getattr(weasyprint.draw, name)

        def notify_first(stream: Any, *colour_value: Any, **named: Any) -> Any:
            if _recorders:
                note(_recorders[-1], *colour_value, **named)
            return drawing(stream, *colour_value, **named)

        setattr(weasyprint.draw, name, notify_first)

    return install


@_observe("draw_background")
def _record_ground(recorder: _PaintRecorder, background: Any, *_: Any, **__: Any) -> None:
    if background is None or not background.layers:
        return
    style = background.style
    boxes = background.layers[-1].clipped_boxes or [background.layers[-1].painting_area]
    for box in boxes:
        if style["box_shadow"]:
            recorder.add_item("image", style, _add_shadows(box, style))
        if background.color.alpha:
            *colour, alpha = _convert_colour(background.color)
            recorder.add_item(
                "ground", style, _exclude_corners(box), colour=tuple(colour), alpha=alpha
            )


def _add_shadows(box: tuple[Any, ...], style: Any) -> tuple[float, ...]:
    """Return a box enlarged by its shadows."""
    x, y, width, height = box[:4]
    reach = max(
        abs(across.value) + abs(down.value) + blur.value + abs(spread.value)
        for across, down, blur, spread, _, _ in style["box_shadow"]
    )
    return x - reach, y - reach, width + 2 * reach, height + 2 * reach


def _exclude_corners(box: tuple[Any, ...]) -> tuple[float, ...]:
    """Return a box without the parts its rounded corners cut off."""
    x, y, width, height, *radii = box
    round_x = max((0.3 * r[0] for r in radii), default=0.0)
    round_y = max((0.3 * r[1] for r in radii), default=0.0)
    if min(round_x / (width or 1), round_y / (height or 1)) > 0.14:  # a disc rather than a box
        return x + round_x, y + round_y, width - 2 * round_x, height - 2 * round_y
    return x, y, width, height


@_observe("draw_background_image")
def _record_background_image(recorder: _PaintRecorder, layer: Any, style: Any) -> None:
    if layer.image is None or 0 in layer.size:
        return
    single = layer.repeat == ("no-repeat", "no-repeat")
    x, y, width, height = layer.painting_area
    if not single:
        recorder.add_item(
            "image", style, (x, y, width, height), **_describe_image(layer.image, style)
        )
        _set_image_size(recorder, layer.image, style, layer.size)
        return
    left, top = (
        position + area
        for position, area in zip(layer.position, layer.positioning_area[:2], strict=True)
    )
    right, bottom = left + layer.size[0], top + layer.size[1]
    left, top = max(left, x), max(top, y)
    box = left, top, min(right, x + width) - left, min(bottom, y + height) - top
    if min(box[2:]) > 0:
        recorder.add_item("image", style, box, **_describe_image(layer.image, style))
        _set_image_size(recorder, layer.image, style, layer.size)


def _set_image_size(
    recorder: _PaintRecorder, image: Any, style: Any, size: tuple[float, float]
) -> None:
    """Set the full size of the last picture, which its box may cut."""
    if recorder.items and recorder.items[-1].pixels:
        whole, _ = recorder.transform_box(0, 0, *size)
        last = recorder.items.pop()
        recorder.items.append(_resize_item(last, whole))


def _resize_item(item: PaintedItem, whole: PaintBox) -> PaintedItem:
    return PaintedItem(**{**vars(item), "whole_box": whole})


def _describe_image(image: Any, style: Any) -> dict[str, Any]:
    """Return name, size in px and smoothing of an image. Gradients have no name."""
    size = (image.width, image.height) if hasattr(image, "image_data") else None
    smooth = style["image_rendering"] == "auto"
    return {"name": str(getattr(image, "id", "")), "pixels": size, "is_smooth": smooth}


@_observe("draw_replacedbox")
def _record_replaced(recorder: _PaintRecorder, box: Any) -> None:
    if box.style["visibility"] != "visible" or not box.width or not box.height:
        return
    width, height, x, y = weasyprint.layout.replaced.replacedbox_layout(box)
    left, top = max(x, box.content_box_x()), max(y, box.content_box_y())
    right = min(x + width, box.content_box_x() + box.width)
    bottom = min(y + height, box.content_box_y() + box.height)
    before = len(recorder.items)
    if right > left and bottom > top:
        description = _describe_image(box.replacement, box.style)
        recorder.add_item(
            "image", box.style, (left, top, right - left, bottom - top), **description
        )
    if len(recorder.items) > before:
        whole, _ = recorder.transform_box(x, y, width, height)
        recorder.items.append(_resize_item(recorder.items.pop(), whole))


@_observe("draw_border")
def _record_border(recorder: _PaintRecorder, box: Any) -> None:
    if box.style["visibility"] != "visible" or not hasattr(box, "border_top_width"):
        return
    x, y = box.border_box_x(), box.border_box_y()
    across, down = box.border_width(), box.border_height()
    for side in _BORDER_SIDES:
        width = getattr(box, f"border_{side}_width")
        if not width or box.style[f"border_{side}_style"] == "none":
            continue
        colour_value = box.style[f"border_{side}_color"]
        *colour, alpha = _convert_colour(
            box.style["color"] if colour_value == "currentcolor" else colour_value
        )
        if box.style[f"border_{side}_style"] != "solid":
            alpha *= 0.5
        strip = {
            "top": (x, y, across, width), "bottom": (x, y + down - width, across, width),
            "left": (x, y, width, down), "right": (x + across - width, y, width, down),
        }[side]  # fmt: skip
        if alpha:
            recorder.add_item("ground", box.style, strip, colour=tuple(colour), alpha=alpha)


@_observe("draw_text")
def _record_text(recorder: _PaintRecorder, box: Any, *_: Any, **__: Any) -> None:
    style = box.style
    if style["visibility"] != "visible" or not box.text.strip() or not box.width:
        return
    size, base = style["font_size"], box.position_y + box.baseline
    icon = recorder.icon_family in style["font_family"]
    up, down = _ICON_BOX_EM if icon else (_MIN_VISIBLE_MM, 0.0)
    *colour, alpha = _convert_colour(style["color"])
    recorder.add_item(
        "text", style, (box.position_x, base - up * size, box.width, (up + down) * size),
        colour=tuple(colour), alpha=alpha, words=box.text.strip(), is_icon=icon,
        size=size / CSS_PX_PER_MM,
    )  # fmt: skip


def _convert_colour(colour: Any) -> tuple[float, float, float, float]:
    red, green, blue = (min(1.0, max(0.0, part or 0.0)) for part in _convert_to_srgb(colour))
    return red, green, blue, float(colour.alpha)


def _convert_to_srgb(colour: Any) -> Sequence[float]:
    """Return a colour as WeasyPrint paints it; device inks as a screen approximates them."""
    parts = [part or 0.0 for part in colour.coordinates]
    if colour.space in _SRGB_SPACES:
        return tuple(colour.to("srgb").coordinates)
    if colour.space == "device-cmyk":
        return colour_math.cmyk_to_rgb(parts)
    white = _LAB_SPACES.get(colour.space)
    if white is None:
        return [*parts, 0.0, 0.0][:3]
    return tuple(colour_math.lab_to_rgb(white, colour.to("lab").coordinates))


def _install_contexts() -> None:
    """Track transforms, opacity and clips of stacking contexts."""
    drawing = weasyprint.draw.draw_stacking_context

    def track_context(stream: Any, context: Any) -> Any:
        if not _recorders:
            return drawing(stream, context)
        recorder, box = _recorders[-1], context.box
        matrix, outer = box.transformation_matrix, recorder.matrices[-1]
        if matrix:
            recorder.matrices.append(matrix @ outer if outer is not None else matrix)
        else:
            recorder.matrices.append(outer)
        recorder.alphas.append(recorder.alphas[-1] * box.style["opacity"])
        recorder.clips.append(_record_clip(recorder, box))
        try:
            return drawing(stream, context)
        finally:
            recorder.matrices.pop()
            recorder.alphas.pop()
            recorder.clips.pop()

    weasyprint.draw.draw_stacking_context = track_context


def _record_clip(recorder: _PaintRecorder, box: Any) -> tuple[PaintBox, Any]:
    """Return the visible area within a box, and the style of the box itself, which is not
    clipped."""
    clip, _ = recorder.clips[-1]
    if box.style["overflow"] == "visible" or type(box).__name__ == "PageBox":
        return clip, None
    inner, _ = recorder.transform_box(
        box.padding_box_x(), box.padding_box_y(), box.padding_width(), box.padding_height()
    )
    return clip.intersect(inner) or PaintBox(0, 0, 0, 0), box.style


_install_contexts()
