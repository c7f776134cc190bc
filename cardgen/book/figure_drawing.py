"""Figures as HTML: every face a picture in its place, at one scale for the whole figure."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from math import atan2, degrees, hypot

from markupsafe import escape

from cardgen.book.figures import Figure, Mark, Row, Shown

# On paper, in mm: a line of words below a card, and one above a row.
_LABEL, _ROW_LABEL, _ROW_GAP = 4.2, 5.2, 3.0
_PT = 25.4 / 72
_HEAD, _LINE = 2.6, 0.5
_WORDS = 120
"""The box that words of a scene are centred in."""
_TRUE = 0.02
"""So far from true size a figure need not say so."""
Words = Callable[[str], str]
"""A figure's words as HTML, their icons drawn."""


@dataclass(frozen=True)
class Drawing:
    """A figure's HTML, how much room it takes on the page, in mm, and whether it shows pieces that
    lie on others in another size than they have."""

    html: str
    width: float
    height: float
    scaled: bool = False


@dataclass(frozen=True)
class _Plane:
    """Where a row lies on the page: mm of the row to mm of the figure on paper."""

    scale: float
    left: float
    upper: float
    top: float
    words: Words

    def at(self, x: float, y: float) -> tuple[float, float]:
        return (x - self.left) * self.scale, (y - self.upper) * self.scale + self.top


def drawn(
    figure: Figure, widest: float, tallest: float, words: Words, small: float = 1.0
) -> Drawing:
    """The figure at the scale asked for, at most at true size, within the room there is.

    `small` is how much smaller its words are than written.
    """
    extents = [_extent(row) for row in figure.rows]
    across = max(right - left for left, _, right, _ in extents)
    down = sum(bottom - top for _, top, _, bottom in extents)
    paper = sum(_ROW_LABEL * bool(row.label) + _LABEL * _labelled(row) for row in figure.rows)
    paper += _ROW_GAP * (len(figure.rows) - 1)
    asked = figure.width / across if figure.width else 1.0
    scale = min(asked, widest / across, max(10.0, tallest - paper) / down)
    parts: list[str] = []
    top = 0.0
    for row, (left, upper, _, lower) in zip(figure.rows, extents, strict=True):
        if row.label:
            parts.append(f'<div class="row-label" style="top:{top:.2f}mm">{words(row.label)}</div>')
            top += _ROW_LABEL
        plane = _Plane(scale, left, upper, top, words)
        foot = top + (lower - upper) * scale
        for card in _placed(row):
            parts += _card(card, plane)
            parts += [_label(card, plane, foot)] if card.label else []
        parts += [_mark(mark, plane) for mark in row.marks]
        top = foot + _LABEL * _labelled(row) + _ROW_GAP
    width, height = across * scale, top - _ROW_GAP
    style = f"width:{width:.2f}mm;height:{height:.2f}mm;font-size:{8 * small:.2f}pt"
    html = f'<div class="composition" style="{style}">{"".join(parts)}</div>'
    scaled = _is_scaled(figure, scale) if figure.scaled is None else figure.scaled
    return Drawing(html, width, height, scaled)


def _is_scaled(figure: Figure, scale: float) -> bool:
    """Whether a figure may be taken for the true size of things and is not: a card by itself is
    known from the table, a piece in its place is measured by the eye."""
    cards = [card for row in figure.rows for card in row.cards]
    lying = any(card.lies or card.upon for card in cards)
    return lying and any(abs(card.scale * scale - 1) > _TRUE for card in cards)


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
        yield replace(card, x=at + width / 2, y=0.0)
        at += width + row.gap


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
    return left, top, max(*rights, left + 1), max(*bottoms, top + 1)


def _mark_extent(mark: Mark) -> tuple[float, float, float, float]:
    a, b, *rest = mark.figures
    if mark.kind == "text":
        return a, b, a, b
    if mark.kind == "circle":
        return a - rest[0], b - rest[0], a + rest[0], b + rest[0]
    if mark.kind == "box":
        return a, b, a + rest[0], b + rest[1]
    return min(a, rest[0]), min(b, rest[1]), max(a, rest[0]), max(b, rest[1])


def _card(card: Shown, plane: _Plane) -> Iterator[str]:
    """The card's picture, and those of the pieces that lie on it and turn with it."""
    width, height = card.width * plane.scale, card.height * plane.scale
    x, y = plane.at(card.x, card.y)
    style = (
        f"left:{x - width / 2:.2f}mm;top:{y - height / 2:.2f}mm;"
        f"width:{width:.2f}mm;height:{height:.2f}mm"
    )
    turn = f";transform:rotate({card.turn:g}deg)" if card.turn % 360 else ""
    # What the face is called comes in where the book is bound: a new name lays out nothing anew.
    yield (
        f'<img class="face" src="{card.face.address}" alt="{escape(card.face.address)}" '
        f'style="{style}{turn}">'
    )
    for piece in card.upon:
        x, y = card.point(piece.x, piece.y)
        yield from _card(replace(piece, x=x, y=y, turn=card.turn + piece.turn), plane)


def _label(card: Shown, plane: _Plane, foot: float) -> str:
    room = max(card.extent[0] * plane.scale, 12.0)
    x, _ = plane.at(card.x, card.y)
    style = f"left:{x - room / 2:.2f}mm;top:{foot:.2f}mm;width:{room:.2f}mm"
    return f'<div class="card-label" style="{style}">{plane.words(card.label)}</div>'


def _mark(mark: Mark, plane: _Plane) -> str:
    x, y = plane.at(mark.figures[0], mark.figures[1])
    rest = mark.figures[2:]
    colour = f"border-color:{mark.colour}" if mark.colour else ""
    if mark.kind == "text":
        ink = f"color:{mark.colour};" if mark.colour else ""
        style = (
            f"left:{x - _WORDS / 2:.2f}mm;width:{_WORDS}mm;{ink}"
            f"top:{y - mark.size * _PT * 0.6:.2f}mm;font-size:{mark.size / 8:.3f}em"
        )
        return f'<div class="words" style="{style}">{plane.words(mark.text)}</div>'
    if mark.kind == "arrow":
        return _arrow(x, y, *plane.at(rest[0], rest[1]), mark.colour)
    if mark.kind == "circle":
        r = rest[0] * plane.scale
        style = f"left:{x - r:.2f}mm;top:{y - r:.2f}mm;width:{2 * r:.2f}mm;height:{2 * r:.2f}mm"
        return f'<div class="ring" style="{style};border-radius:{r:.2f}mm;{colour}"></div>'
    width, height = rest[0] * plane.scale, rest[1] * plane.scale
    style = f"left:{x:.2f}mm;top:{y:.2f}mm;width:{width:.2f}mm;height:{height:.2f}mm"
    return f'<div class="ring" style="{style};{colour}"></div>'


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
