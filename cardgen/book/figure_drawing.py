"""Figures as HTML: positioned pictures of faces, at one scale for the whole figure."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from math import atan2, degrees, hypot

from markupsafe import escape

from cardgen.book.figure_reader import Figure, FigureRow, SceneMark, ShownFace

# Heights in mm of a line of text below a card, and of one above a row.
_LABEL, _ROW_LABEL, _ROW_GAP = 4.2, 5.2, 3.0
_MM_PER_POINT = 25.4 / 72
_ARROW_HEAD_MM, _LINE_WIDTH_MM = 2.6, 0.5
_TEXT_BOX_WIDTH_MM = 120
"""Width of the box in which texts of a scene are centred."""
_TRUE_SIZE_TOLERANCE = 0.02
"""Largest deviation from true size that a figure need not mention."""
RenderWords = Callable[[str], str]
"""Renders text with its icons as HTML."""


@dataclass(frozen=True)
class FigureDrawing:
    """HTML of a figure, its size on the page in mm, and whether overlays show in another scale."""

    html: str
    width: float
    height: float
    is_scaled: bool = False


@dataclass(frozen=True)
class _RowTransform:
    """Transform from mm of a row to mm of the figure on the page."""

    scale: float
    left: float
    upper: float
    top: float
    render_words: RenderWords

    def transform_point(self, x: float, y: float) -> tuple[float, float]:
        return (x - self.left) * self.scale, (y - self.upper) * self.scale + self.top


def draw_figure(
    figure: Figure, widest: float, tallest: float, words: RenderWords, small: float = 1.0
) -> FigureDrawing:
    """Draw a figure at the scale asked for, at most in true size and within the room there is.

    `small` is the scale of its texts.
    """
    extents = [_measure_row(row) for row in figure.rows]
    across = max(right - left for left, _, right, _ in extents)
    down = sum(bottom - top for _, top, _, bottom in extents)
    paper = sum(_ROW_LABEL * bool(row.label) + _LABEL * _has_labels(row) for row in figure.rows)
    paper += _ROW_GAP * (len(figure.rows) - 1)
    requested_scale = figure.width / across if figure.width else 1.0
    scale = min(requested_scale, widest / across, max(10.0, tallest - paper) / down)
    parts: list[str] = []
    top = 0.0
    for row, (left, upper, _, lower) in zip(figure.rows, extents, strict=True):
        if row.label:
            parts.append(f'<div class="row-label" style="top:{top:.2f}mm">{words(row.label)}</div>')
            top += _ROW_LABEL
        plane = _RowTransform(scale, left, upper, top, words)
        foot = top + (lower - upper) * scale
        for card in _place_cards(row):
            parts += _draw_card(card, plane)
            parts += [_draw_card_label(card, plane, foot)] if card.label else []
        parts += [_draw_mark(mark, plane) for mark in row.marks]
        top = foot + _LABEL * _has_labels(row) + _ROW_GAP
    width, height = across * scale, top - _ROW_GAP
    style = f"width:{width:.2f}mm;height:{height:.2f}mm;font-size:{8 * small:.2f}pt"
    html = f'<div class="composition" style="{style}">{"".join(parts)}</div>'
    scaled = _is_scaled(figure, scale) if figure.scaled is None else figure.scaled
    return FigureDrawing(html, width, height, scaled)


def _is_scaled(figure: Figure, scale: float) -> bool:
    """Tell whether a reader could wrongly take the figure for true size.

    A card by itself is known from the table; a piece on its place is measured by the eye.
    """
    cards = [card for row in figure.rows for card in row.cards]
    lying = any(card.is_overlay or card.overlays for card in cards)
    return lying and any(abs(card.scale * scale - 1) > _TRUE_SIZE_TOLERANCE for card in cards)


def _has_labels(row: FigureRow) -> bool:
    return any(card.label for card in row.cards)


def _place_cards(row: FigureRow) -> Iterator[ShownFace]:
    """Return the cards of a row with their positions: side by side, centred on one line."""
    if row.is_scene:
        yield from row.cards
        return
    left = 0.0
    for card in row.cards:
        width, _ = card.extent
        yield replace(card, x=left + width / 2, y=0.0)
        left += width + row.gap


def _measure_row(row: FigureRow) -> tuple[float, float, float, float]:
    """Return left, top, right and bottom of everything in a row, in true mm."""
    boxes = []
    for card in _place_cards(row):
        width, height = card.extent
        boxes.append(
            (card.x - width / 2, card.y - height / 2, card.x + width / 2, card.y + height / 2)
        )
    for mark in row.marks:
        boxes.append(_measure_mark(mark))
    if not boxes:
        return (0.0, 0.0, 1.0, 1.0)
    lefts, tops, rights, bottoms = zip(*boxes, strict=True)
    left, top = min(lefts), min(tops)
    return left, top, max(*rights, left + 1), max(*bottoms, top + 1)


def _measure_mark(mark: SceneMark) -> tuple[float, float, float, float]:
    a, b, *rest = mark.coordinates_mm
    if mark.kind == "text":
        return a, b, a, b
    if mark.kind == "circle":
        return a - rest[0], b - rest[0], a + rest[0], b + rest[0]
    if mark.kind == "box":
        return a, b, a + rest[0], b + rest[1]
    return min(a, rest[0]), min(b, rest[1]), max(a, rest[0]), max(b, rest[1])


def _draw_card(card: ShownFace, plane: _RowTransform) -> Iterator[str]:
    """Yield the card's picture, and those of its overlays, which turn with it."""
    width, height = card.width * plane.scale, card.height * plane.scale
    x, y = plane.transform_point(card.x, card.y)
    style = (
        f"left:{x - width / 2:.2f}mm;top:{y - height / 2:.2f}mm;"
        f"width:{width:.2f}mm;height:{height:.2f}mm"
    )
    turn = f";transform:rotate({card.turn:g}deg)" if card.turn % 360 else ""
    # The face's name replaces its address after the layout, so that a new name needs no new layout.
    name = card.face.stand_in_name
    yield (f'<img class="face" src="{name}" alt="{escape(name)}" style="{style}{turn}">')
    for piece in card.overlays:
        x, y = card.transform_point(piece.x, piece.y)
        yield from _draw_card(replace(piece, x=x, y=y, turn=card.turn + piece.turn), plane)


def _draw_card_label(card: ShownFace, plane: _RowTransform, foot: float) -> str:
    room = max(card.extent[0] * plane.scale, 12.0)
    x, _ = plane.transform_point(card.x, card.y)
    style = f"left:{x - room / 2:.2f}mm;top:{foot:.2f}mm;width:{room:.2f}mm"
    return f'<div class="card-label" style="{style}">{plane.render_words(card.label)}</div>'


def _draw_mark(mark: SceneMark, plane: _RowTransform) -> str:
    x, y = plane.transform_point(mark.coordinates_mm[0], mark.coordinates_mm[1])
    rest = mark.coordinates_mm[2:]
    colour = f"border-color:{mark.colour}" if mark.colour else ""
    if mark.kind == "text":
        ink = f"color:{mark.colour};" if mark.colour else ""
        style = (
            f"left:{x - _TEXT_BOX_WIDTH_MM / 2:.2f}mm;width:{_TEXT_BOX_WIDTH_MM}mm;{ink}"
            f"top:{y - mark.size * _MM_PER_POINT * 0.6:.2f}mm;font-size:{mark.size / 8:.3f}em"
        )
        return f'<div class="words" style="{style}">{plane.render_words(mark.text)}</div>'
    if mark.kind == "arrow":
        return _draw_arrow(x, y, *plane.transform_point(rest[0], rest[1]), mark.colour)
    if mark.kind == "circle":
        r = rest[0] * plane.scale
        style = f"left:{x - r:.2f}mm;top:{y - r:.2f}mm;width:{2 * r:.2f}mm;height:{2 * r:.2f}mm"
        return f'<div class="ring" style="{style};border-radius:{r:.2f}mm;{colour}"></div>'
    width, height = rest[0] * plane.scale, rest[1] * plane.scale
    style = f"left:{x:.2f}mm;top:{y:.2f}mm;width:{width:.2f}mm;height:{height:.2f}mm"
    return f'<div class="ring" style="{style};{colour}"></div>'


def _draw_arrow(x1: float, y1: float, x2: float, y2: float, colour: str) -> str:
    """Draw a line with a head, as two boxes turned about the arrow's beginning."""
    length = hypot(x2 - x1, y2 - y1)
    ground = f"background:{colour};" if colour else ""
    edge = f"border-left-color:{colour};" if colour else ""
    turn = f"transform:rotate({degrees(atan2(y2 - y1, x2 - x1)):.2f}deg)"
    shaft = max(0.0, length - _ARROW_HEAD_MM * 0.8)
    return (
        f'<div class="arrow" style="left:{x1:.2f}mm;top:{y1 - _ARROW_HEAD_MM / 2:.2f}mm;'
        f'width:{length:.2f}mm;height:{_ARROW_HEAD_MM}mm;{turn}">'
        f'<div class="shaft" style="width:{shaft:.2f}mm;height:{_LINE_WIDTH_MM * 2}mm;'
        f'top:{_ARROW_HEAD_MM / 2 - _LINE_WIDTH_MM}mm;{ground}"></div>'
        f'<div class="head" style="left:{shaft - 0.2:.2f}mm;{edge}"></div></div>'
    )
