"""Forms of boxes, each described by its panels: tuck ends, trays with lids, stands, dividers. mm.

Sizes are those of the room inside. `lay_out` of `sheets.nets` makes a net of a description.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import acos, cos, degrees, radians

from cardgen.core.units import Size
from cardgen.sheets.nets import DOWN, FLAP, GLUE, LEFT, RIGHT, UP, WALL, Net, Panel, lay_out

MIN_DEPTH_MM = 5.0
"""Least depth inside a tuck box: thinner ones cannot be folded."""
_GLUE_MM, _TUCK_MM, _DUST_MM, _LOCK_MM = 12.0, 15.0, 10.0, 8.0
_CLEARANCE_MM = 0.5
"""Room that a flap keeps from what it is pushed past."""
LID_PLAY_MM = 1.0
"""Room between a base and the lid over it, both sides together."""
_STAND_ANGLE = 65.0
"""Angle between a stand's sides and the table, in degrees."""


@dataclass(frozen=True)
class Room:
    """Width, height and depth inside, in mm, and the thickness of the board."""

    width: float
    height: float
    depth: float
    board: float = 0.4


def make_tuck(name: str, room: Room, *, locks: bool = False, notch: bool = True) -> Net:
    """Return a box whose both ends are tucked in; with `locks`, slits hold them."""
    w, h, d = room.width, room.height, max(room.depth, MIN_DEPTH_MM)
    tuck = min(_TUCK_MM, h / 2 - 1)
    thumb = min(9.0, w / 6, tuck - 3) if notch else 0.0
    return lay_out(name, [
        Panel("back", w, h, art="back"),
        Panel("left", h, d, "back", RIGHT, art="side", turn=270),
        Panel("front", h, w, "left", RIGHT, art="front", notch=max(0.0, thumb), notch_side=UP),
        Panel("right", h, d, "front", RIGHT, art="side", turn=270),
        Panel("glue", h, min(_GLUE_MM, w - 2), "right", RIGHT, kind=GLUE, taper=(4, 4)),
        *_list_tuck_ends(w, d, tuck, locks),
    ])  # fmt: skip


def _list_tuck_ends(w: float, d: float, tuck: float, locks: bool) -> Iterator[Panel]:
    gap, dust = _CLEARANCE_MM, min(w / 2 - _CLEARANCE_MM, max(_DUST_MM, 0.7 * d))
    lock = min(_LOCK_MM, w / 6) if locks else 0.0
    straight = min(dust, lock + 1.0) if locks else 0.0
    bevel = min(d / 4, dust / 3)
    for side, art in ((UP, "top"), (DOWN, "bottom")):
        yield Panel(art, w, d, "back", side, art=art, turn=180)
        yield Panel(
            f"{art}-tuck", w - 2 * gap, tuck, art, side, gap, kind=FLAP, slit=lock,
            taper=(1, 1), corner=min(8.0, tuck - 1),
        )  # fmt: skip
        for wall, front_first in (("left", False), ("right", True)):
            # The end at the front stands close to it, where the lock's slit waits.
            room = (0.0 if locks else gap, gap)
            start, end = room if front_first else room[::-1]
            tapers, shoulders = (bevel, bevel), (straight, 1.0)
            yield Panel(
                f"{wall}-{art}", d - start - end, dust, wall, side, start, kind=FLAP,
                taper=tapers if front_first else tapers[::-1],
                shoulder=shoulders if front_first else shoulders[::-1],
            )  # fmt: skip


def make_tray(name: str, room: Room, *, is_lid: bool = False, notch: bool = True) -> Net:
    """Return an open tray: a floor and four walls with tabs glued inside. Lids have thumb holes."""
    w, h, d = room.width, room.height, room.depth
    art = "lid" if is_lid else "base"
    thumb = min(9.0, d / 2, w / 6) if is_lid and notch and d >= 10 else 0.0
    # What is written on a lid's walls stands upright with the floor above, on a base's below.
    turns = {DOWN: 0, UP: 180, LEFT: 270, RIGHT: 90}
    walls = [
        Panel(
            side, length, d, "floor", side, art=f"{art}-{what}", notch=hole, notch_side=side,
            turn=(turns[side] + (0 if is_lid else 180)) % 360,
        )
        for side, length, what, hole in (
            (DOWN, w, "wall", thumb), (UP, w, "wall", thumb),
            (LEFT, h, "end", 0), (RIGHT, h, "end", 0),
        )
    ]  # fmt: skip
    # Tabs hang at the shorter walls, which leaves the longest parts shorter.
    lying = w >= h
    across, along = (LEFT, RIGHT), (UP, DOWN)
    short, ends, last = (across, along, RIGHT) if lying else (along, across, UP)
    reach, bevel = min(_GLUE_MM, max(w, h) / 2 - 1), min(4.0, d / 4)
    tabs = [
        Panel(
            f"{wall}-{side}", d - _CLEARANCE_MM, reach, wall, side,
            _CLEARANCE_MM if wall == last else 0.0, kind=GLUE, taper=(bevel, bevel),
        )
        for wall in short for side in ends
    ]  # fmt: skip
    return lay_out(name, [Panel("floor", w, h, art=art), *walls, *tabs])


def fit_lid(room: Room, height: float = 0.0) -> Room:
    """Return the room inside the lid of a tray, as high as the tray or `height` mm."""
    more = 2 * room.board + LID_PLAY_MM
    return Room(room.width + more, room.height + more, height or room.depth, room.board)


def make_stand(name: str, width: float, height: float) -> Net:
    """Return a card holder: a prism with a slope to lean on, a ledge and a lip in front."""
    base = 2 * height * cos(radians(_STAND_ANGLE))
    lip = min(8.0, height / 4)
    return lay_out(name, [
        Panel("slope", width, height, art="slope"),
        Panel("ledge", width, 6.0, "slope", DOWN, angle=-_STAND_ANGLE),
        Panel("lip", width, lip, "ledge", DOWN, angle=-90, corner=4, art="lip"),
        *_list_prism(width, height, base),
    ])  # fmt: skip


def make_prism(name: str, width: float, height: float) -> Net:
    """Return a standing ruler: a prism with a face on both slopes."""
    slope = Panel("slope", width, height, art="slope")
    return lay_out(name, [slope, *_list_prism(width, height, height)])


def _list_prism(width: float, height: float, base: float) -> Iterator[Panel]:
    """Yield the other sides of a prism whose slope stands first, and the tab that closes it."""
    foot = degrees(acos(base / 2 / height))
    yield Panel("rear", width, height, "slope", UP, angle=2 * foot, art="rear", turn=180)
    yield Panel("base", width, base, "rear", UP, angle=180 - foot)
    reach = min(_GLUE_MM, height - 2)
    yield Panel("glue", width, reach, "base", UP, angle=180 - foot, kind=GLUE, taper=(4, 4))


def make_divider(name: str, card: Size, *, at: int, places: int, on_side: bool = False) -> Net:
    """Return a divider as large as a card, with the tab number `at` of `places` on its upper side.

    With `on_side` the cards stand on their long sides.
    """
    size = card if (card.width > card.height) == on_side else card.rotate()
    tab = size.width / places
    body = Panel("body", size.width, size.height, art="divider")
    return lay_out(name, [
        body,
        Panel("tab", tab, DIVIDER_TAB_MM, "body", UP, at * tab, angle=0, kind=WALL,
              taper=(1.5, 1.5), corner=2),
    ])  # fmt: skip


DIVIDER_TAB_MM = 10.0
"""Height of a divider's tab."""


def make_card(name: str, size: Size) -> Net:
    """Return a plain card."""
    return lay_out(name, [Panel("body", size.width, size.height, art="card", kind=WALL)])
