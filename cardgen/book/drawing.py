"""Figures as HTML: every face a picture in its place, at one scale for the whole figure."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from math import atan2, cos, degrees, hypot, radians, sin

from markupsafe import escape

from cardgen.book.figures import Figure, Mark, Row, Shown

# On paper, in mm: a line of words below a card, and one above a row.
_LABEL, _ROW_LABEL, _ROW_GAP = 4.2, 5.2, 3.0
_PT = 25.4 / 72
_HEAD, _LINE = 2.6, 0.5
Words = Callable[[str], str]
"""A figure's words as HTML, their icons drawn."""


@dataclass(frozen=True)
class Drawing:
    """A figure's HTML and how much room it takes on the page, in mm."""

    html: str
    width: float
    height: float


def drawn(figure: Figure, widest: float, tallest: float, words: Words) -> Drawing:
    """The figure at the scale asked for, at most at true size, within the room there is."""
    extents = [_extent(row) for row in figure.rows]
    across = max(right - left for left, _, right, _ in extents)
    down = sum(bottom - top for _, top, _, bottom in extents)
    paper = sum(_ROW_LABEL * bool(row.label) + _LABEL * _labelled(row) for row in figure.rows)
    paper += _ROW_GAP * (len(figure.rows) - 1)
    asked = figure.width / across if figure.width else 1.0
    scale = min(asked, widest / across, max(10.0, tallest - paper) / down)
    parts: list[str] = []
    top = 0.0
    for row, (left, upper, right, lower) in zip(figure.rows, extents, strict=True):
        if row.label:
            parts.append(f'<div class="row-label" style="top:{top:.2f}mm">{words(row.label)}</div>')
            top += _ROW_LABEL
        for card in _placed(row):
            parts += _card(card, scale, -left, -upper, top, words)
        parts += [_mark(mark, scale, -left, -upper, top, words) for mark in row.marks]
        if _labelled(row):
            foot = top + (lower - upper) * scale
            parts += [
                _label(card, scale, -left, foot, words) for card in _placed(row) if card.label
            ]
            top += _LABEL
        top += (lower - upper) * scale + _ROW_GAP
    width, height = across * scale, top - _ROW_GAP
    style = f"width:{width:.2f}mm;height:{height:.2f}mm"
    html = f'<div class="composition" style="{style}">{"".join(parts)}</div>'
    return Drawing(html, width, height)


def _labelled(row: Row) -> bool:
    return any(card.label for card in row.cards)


def _placed(row: Row) -> Iterator[Shown]:
    """The cards of a row with their places: one beside the other, centred on one line."""
    if row.scene:
        yield from row.cards
        return
    at = 0.0
    for card in row.cards:
        width, _ = card.extent
        yield _moved(card, at + width / 2, 0.0)
        at += width + row.gap


def _moved(card: Shown, x: float, y: float) -> Shown:
    return Shown(
        card.face, card.width, card.height, card.corner, card.alt,
        x, y, card.turn, card.label, card.upon,
    )  # fmt: skip


def _extent(row: Row) -> tuple[float, float, float, float]:
    """Left, top, right, bottom of all that a row shows, in true mm."""
    boxes = []
    for card in _placed(row):
        width, height = card.extent
        boxes.append(
            (card.x - width / 2, card.y - height / 2, card.x + width / 2, card.y + height / 2)
        )
    for mark in row.marks:
        boxes.append(_mark_extent(mark))
    if not boxes:
        return (0.0, 0.0, 1.0, 1.0)
    lefts, tops, rights, bottoms = zip(*boxes, strict=True)
    left, top = min(lefts), min(tops)
    return left, top, max(max(rights), left + 1), max(max(bottoms), top + 1)


def _mark_extent(mark: Mark) -> tuple[float, float, float, float]:
    a, b, *rest = mark.figures
    if mark.kind == "text":
        return a, b, a, b
    if mark.kind == "circle":
        return a - rest[0], b - rest[0], a + rest[0], b + rest[0]
    if mark.kind == "box":
        return a, b, a + rest[0], b + rest[1]
    return min(a, rest[0]), min(b, rest[1]), max(a, rest[0]), max(b, rest[1])


def _card(
    card: Shown, scale: float, dx: float, dy: float, top: float, words: Words
) -> Iterator[str]:
    """The card's picture, and those of the pieces that lie on it and turn with it."""
    width, height = card.width * scale, card.height * scale
    x, y = (card.x + dx) * scale, (card.y + dy) * scale + top
    style = (
        f"left:{x - width / 2:.2f}mm;top:{y - height / 2:.2f}mm;"
        f"width:{width:.2f}mm;height:{height:.2f}mm"
    )
    turn = f";transform:rotate({card.turn:g}deg)" if card.turn % 360 else ""
    yield (
        f'<img class="face" src="{card.face.address}" alt="{escape(card.alt)}" '
        f'style="{style}{turn}">'
    )
    angle = radians(card.turn)
    for piece in card.upon:
        across, down = piece.x - card.width / 2, piece.y - card.height / 2
        lying = Shown(
            piece.face, piece.width, piece.height, piece.corner, piece.alt,
            card.x + across * cos(angle) - down * sin(angle),
            card.y + across * sin(angle) + down * cos(angle),
            card.turn + piece.turn, "", piece.upon,
        )  # fmt: skip
        yield from _card(lying, scale, dx, dy, top, words)


def _label(card: Shown, scale: float, dx: float, foot: float, words: Words) -> str:
    room = max(card.extent[0] * scale, 12.0)
    left = (card.x + dx) * scale - room / 2
    style = f"left:{left:.2f}mm;top:{foot:.2f}mm;width:{room:.2f}mm"
    return f'<div class="card-label" style="{style}">{words(card.label)}</div>'


def _mark(mark: Mark, scale: float, dx: float, dy: float, top: float, words: Words) -> str:
    a, b, *rest = mark.figures
    x, y = (a + dx) * scale, (b + dy) * scale + top
    if mark.kind == "text":
        colour = f"color:{mark.colour};" if mark.colour else ""
        half = 60.0
        style = (
            f"left:{x - half:.2f}mm;width:{2 * half:.0f}mm;{colour}"
            f"top:{y - mark.size * _PT * 0.6:.2f}mm;font-size:{mark.size:g}pt"
        )
        return f'<div class="words" style="{style}">{words(mark.text)}</div>'
    colour = f"border-color:{mark.colour}" if mark.colour else ""
    if mark.kind == "arrow":
        return _arrow(x, y, (rest[0] + dx) * scale, (rest[1] + dy) * scale + top, mark.colour)
    if mark.kind == "circle":
        r = rest[0] * scale
        style = f"left:{x - r:.2f}mm;top:{y - r:.2f}mm;width:{2 * r:.2f}mm;height:{2 * r:.2f}mm"
        return f'<div class="ring" style="{style};border-radius:{r:.2f}mm;{colour}"></div>'
    style = f"left:{x:.2f}mm;top:{y:.2f}mm;width:{rest[0] * scale:.2f}mm"
    return f'<div class="ring" style="{style};height:{rest[1] * scale:.2f}mm;{colour}"></div>'


def _arrow(x1: float, y1: float, x2: float, y2: float, colour: str) -> str:
    """A line with a head, as two boxes turned about the arrow's beginning."""
    length = hypot(x2 - x1, y2 - y1)
    ground = f"background:{colour};" if colour else ""
    edge = f"border-left-color:{colour};" if colour else ""
    turn = f"transform:rotate({degrees(atan2(y2 - y1, x2 - x1)):.2f}deg)"
    shaft = max(0.0, length - _HEAD * 0.8)
    return (
        f'<div class="arrow" style="left:{x1:.2f}mm;top:{y1 - _HEAD / 2:.2f}mm;'
        f'width:{length:.2f}mm;height:{_HEAD}mm;{turn}">'
        f'<div class="shaft" style="width:{shaft:.2f}mm;height:{_LINE * 2}mm;'
        f'top:{_HEAD / 2 - _LINE}mm;{ground}"></div>'
        f'<div class="head" style="left:{shaft - 0.2:.2f}mm;{edge}"></div></div>'
    )
