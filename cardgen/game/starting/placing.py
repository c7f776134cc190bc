"""Which field stands in which place of a look: by what its column is called, then by its values."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from cardgen.game.looks.catalogue import Look, Place
from cardgen.game.looks.drawing_up import FITS

_WORDS = ("text", "string")
_NUMBERS = ("integer", "number")
_BY_ROLE: Sequence[tuple[str, tuple[str, ...]]] = (
    ("title", ("title",)),
    ("picture", ("picture",)),
    ("text", ("text", "flavour")),
    ("flavour", ("flavour",)),
    ("value", ("value", "cost")),
    ("number", ("number", "value")),
    ("cost", ("cost", "value")),
    ("left", ("left",)),
    ("right", ("right",)),
    ("type", ("type",)),
    ("currency", ("currency",)),
    ("serial", ("serial", "number")),
    ("footer", ("footer", "number")),
)
"""A place, and what columns that are for it are called, the likeliest first."""
_BY_VALUES: Sequence[tuple[str, tuple[str, ...]]] = (
    ("title", _WORDS),
    ("text", _WORDS),
    ("value", _NUMBERS),
    ("cost", _NUMBERS),
    ("number", _NUMBERS),
    ("left", _NUMBERS),
    ("right", _NUMBERS),
    ("type", ("choice",)),
)
"""A place that is still free, and the types of the fields that may take it."""
_ROOM: Mapping[str, int] = {
    "title": 60, "type": 36, "footer": 60, "currency": 20, "serial": 20, "text": 700,
    "flavour": 250,
}  # fmt: skip
"""How many signs a place has room for at most; a value's disc for four."""
_ROOM_OF: Mapping[tuple[str, str], int] = {
    ("token", "title"): 16, ("banknote", "text"): 90, ("tarot", "text"): 160,
    ("tarot", "title"): 40, ("banknote", "title"): 40, ("board", "text"): 160,
}  # fmt: skip
_DISC = 4
_LONGEST_NAME = 40
_LETTERS = re.compile(r"[^\W\d_]")
_MOST_VALUES = 24
_APART = frozenset({"picture", "id", "number", "notes"})
"""What columns are for that stand in no place but their own."""
_NAMED = re.compile(r"[^:]+:\s*\S.*")
_TRACK = re.compile(
    r"[^:]*:\s*(?:[-−+]?\d+\s*(?:-|–|—|\.\.+|…|→)\s*[-−+]?\d+(?:\s*\(\d+\))?|[^,;]+,[^,;].*)"
)


@dataclass(frozen=True)
class Known:
    """A field as far as it matters to where it may stand: its type, what its column is for and how
    near the heading comes to that, its values, whether every card has one."""

    name: str
    kind: str
    role: str
    rank: int
    values: Sequence[str]
    full: bool = True

    @property
    def longest(self) -> int:
        return max(map(len, self.values), default=0)


@dataclass
class Places:
    """The fields by the places that they take, a list where one takes several; None for what would
    be filled by a field that has no room there."""

    taken: dict[str, str | list[str] | None] = field(default_factory=dict)
    left: list[str] = field(default_factory=list)
    """The fields that no place has taken."""


def placed(fields: Sequence[Known], look: Look) -> Places:
    """The places of the look that the fields take."""
    found = Places()
    left = {each.name: each for each in fields}

    def take(name: str, candidates: Iterable[Known]) -> None:
        place = look.places.get(name)
        if place is None or name in found.taken:
            return
        given = next((one for one in candidates if _has_room(one, place, look)), None)
        if given is not None:
            found.taken[name] = given.name
            del left[given.name]

    for name, roles in _BY_ROLE:
        named = [each for each in left.values() if each.role in roles]
        take(name, sorted(named, key=lambda each: (roles.index(each.role), each.rank)))
    for name, place in look.places.items():
        if place.kind in ("text", "value"):
            take(name, [each for each in left.values() if each.name in place.fields])
    _take_several(found, left, look)
    for name, kinds in _BY_VALUES:
        free = [each for each in left.values() if each.kind in kinds and each.role not in _APART]
        take(name, sorted(free, key=_ORDERS.get(name, _as_they_stand)))
    _refuse_others(found, fields, look)
    found.left = list(left)
    return found


def _has_room(known: Known, place: Place, look: Look) -> bool:
    if known.kind not in FITS[place.kind]:
        return False
    if place.kind == "picture" or place.name == known.role == "text":
        return True
    usual = _ROOM.get(place.name, _DISC)
    return known.longest <= _ROOM_OF.get((look.name, place.name), usual)


def _as_they_stand(_known: Known) -> int:
    return 0


def may_be_a_name(known: Known) -> bool:
    """Whether cards may be called so where no heading says it: by words that are short."""
    spelt = sum(len(_LETTERS.findall(value)) > 1 for value in known.values)
    longest = _LONGEST_NAME if known.role == "text" else _ROOM["title"]
    return (
        known.role in ("", "text")
        and bool(known.values)
        and spelt * 2 > len(known.values)
        and known.longest <= longest
    )


def like_a_name(known: Known) -> tuple[bool, float]:
    """First of all what every card has, and has of its own."""
    return not known.full, -len(set(known.values)) / max(len(known.values), 1)


_ORDERS: Mapping[str, Callable[[Known], Any]] = {
    "title": like_a_name,
    "text": lambda known: -known.longest,
}
"""Which of several fields takes a place; else the first column."""


def _take_several(found: Places, left: dict[str, Known], look: Look) -> None:
    """The place that takes several values with their names, and the one for tracks."""
    for place in look.places.values():
        if place.kind == "list":
            tracks = [
                each for each in left.values() if each.kind == "list" and _all_are(_TRACK, each)
            ]
            for each in tracks[:1]:
                found.taken[place.name] = left.pop(each.name).name
        elif place.kind == "record":
            whole = [each for each in left.values() if each.kind == "record"
                     or (each.kind == "list" and _all_are(_NAMED, each))]  # fmt: skip
            several = [each.name for each in left.values() if _is_value(each)][:_MOST_VALUES]
            if several:
                found.taken[place.name] = several
            elif whole:
                found.taken[place.name] = whole[0].name
            for name in several or [each.name for each in whole[:1]]:
                del left[name]


def _all_are(form: re.Pattern[str], known: Known) -> bool:
    return bool(known.values) and all(map(form.fullmatch, known.values))


def _is_value(known: Known) -> bool:
    """Whether it is one of many figures: a number, or a word as short as one."""
    if known.role in _APART or not known.values:
        return False
    short = known.kind in (*_WORDS, "choice") and known.role in ("", "left", "right", "value")
    return known.kind in _NUMBERS or (short and known.longest <= _DISC * 2)


def _refuse_others(found: Places, fields: Sequence[Known], look: Look) -> None:
    """Places that fields would fill by their names alone, though they do not fit."""
    kinds = {each.name: each.kind for each in fields}
    for place in look.places.values():
        filled = any(kinds.get(name) in FITS[place.kind] for name in place.fields)
        if filled and place.name not in found.taken:
            found.taken[place.name] = None
