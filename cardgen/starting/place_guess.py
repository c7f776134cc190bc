"""Which field stands in which place of a look: by what its column is called, then by its values."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from cardgen.game.look_templates import TYPES_BY_PLACE
from cardgen.looks.look_catalogue import Look, LookSlot

_WORD_TYPES = ("text", "string")
_NUMBER_TYPES = ("integer", "number")
_PLACE_ROLES: Sequence[tuple[str, tuple[str, ...]]] = (
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
_PLACE_TYPES: Sequence[tuple[str, tuple[str, ...]]] = (
    ("title", _WORD_TYPES),
    ("text", _WORD_TYPES),
    ("value", _NUMBER_TYPES),
    ("cost", _NUMBER_TYPES),
    ("number", _NUMBER_TYPES),
    ("left", _NUMBER_TYPES),
    ("right", _NUMBER_TYPES),
    ("type", ("choice",)),
)
"""A place that is still free, and the types of the fields that may take it."""
_PLACE_CHARS: Mapping[str, int] = {
    "title": 60, "type": 36, "footer": 60, "currency": 20, "serial": 20, "text": 700,
    "flavour": 250,
}  # fmt: skip
"""How many signs a place has room for at most; a value's disc for four."""
_LOOK_PLACE_CHARS: Mapping[tuple[str, str], int] = {
    ("token", "title"): 16, ("banknote", "text"): 90, ("tarot", "text"): 160,
    ("tarot", "title"): 40, ("banknote", "title"): 40, ("board", "text"): 160,
}  # fmt: skip
_DISC_CHARS = 4
_MAX_TITLE_CHARS = 40
_LETTER = re.compile(r"[^\W\d_]")
_MAX_RECORD_VALUES = 24
_EXCLUSIVE_ROLES = frozenset({"picture", "id", "number", "notes"})
"""What columns are for that stand in no place but their own."""
_NAMED_VALUE = re.compile(r"[^:]+:\s*\S.*")
_TRACK_VALUE = re.compile(
    r"[^:]*:\s*(?:[-−+]?\d+\s*(?:-|–|—|\.\.+|…|→)\s*[-−+]?\d+(?:\s*\(\d+\))?|[^,;]+,[^,;].*)"
)


@dataclass(frozen=True)
class PlaceCandidate:
    """A field as far as it matters to where it may stand: its type, what its column is for and how
    near the heading comes to that, its values, whether every card has one."""

    name: str
    kind: str
    role: str
    rank: int
    values: Sequence[str]
    is_complete: bool = True

    @property
    def longest_value(self) -> int:
        return max(map(len, self.values), default=0)


@dataclass
class PlaceGuess:
    """The fields by the places that they take, a list where one takes several; None for what would
    be filled by a field that has no room there."""

    fields_by_place: dict[str, str | list[str] | None] = field(default_factory=dict)
    unplaced: list[str] = field(default_factory=list)
    """The fields that no place has taken."""


def assign_places(fields: Sequence[PlaceCandidate], look: Look) -> PlaceGuess:
    """The places of the look that the fields take."""
    found = PlaceGuess()
    left = {each.name: each for each in fields}

    def take_place(name: str, candidates: Iterable[PlaceCandidate]) -> None:
        place = look.slots.get(name)
        if place is None or name in found.fields_by_place:
            return
        given = next((one for one in candidates if _has_room(one, place, look)), None)
        if given is not None:
            found.fields_by_place[name] = given.name
            del left[given.name]

    for name, roles in _PLACE_ROLES:
        named = [each for each in left.values() if each.role in roles]
        take_place(name, sorted(named, key=lambda each: (roles.index(each.role), each.rank)))
    for name, place in look.slots.items():
        if place.kind in ("text", "value"):
            take_place(name, [each for each in left.values() if each.name in place.default_fields])
    _assign_groups(found, left, look)
    for name, kinds in _PLACE_TYPES:
        free = [
            each
            for each in left.values()
            if each.kind in kinds and each.role not in _EXCLUSIVE_ROLES
        ]
        take_place(name, sorted(free, key=_CANDIDATE_ORDERS.get(name, _keep_order)))
    _reject_unfit(found, fields, look)
    found.unplaced = list(left)
    return found


def _has_room(known: PlaceCandidate, place: LookSlot, look: Look) -> bool:
    if known.kind not in TYPES_BY_PLACE[place.kind]:
        return False
    if place.kind == "picture" or place.name == known.role == "text":
        return True
    usual = _PLACE_CHARS.get(place.name, _DISC_CHARS)
    return known.longest_value <= _LOOK_PLACE_CHARS.get((look.name, place.name), usual)


def _keep_order(_known: PlaceCandidate) -> int:
    return 0


def is_name_candidate(known: PlaceCandidate) -> bool:
    """Whether cards may be called so where no heading says it: by words that are short."""
    spelt = sum(len(_LETTER.findall(value)) > 1 for value in known.values)
    longest = _MAX_TITLE_CHARS if known.role == "text" else _PLACE_CHARS["title"]
    return (
        known.role in ("", "text")
        and bool(known.values)
        and spelt * 2 > len(known.values)
        and known.longest_value <= longest
    )


def rank_as_name(known: PlaceCandidate) -> tuple[bool, float]:
    """First of all what every card has, and has of its own."""
    return not known.is_complete, -len(set(known.values)) / max(len(known.values), 1)


_CANDIDATE_ORDERS: Mapping[str, Callable[[PlaceCandidate], Any]] = {
    "title": rank_as_name,
    "text": lambda known: -known.longest_value,
}
"""Which of several fields takes a place; else the first column."""


def _assign_groups(found: PlaceGuess, left: dict[str, PlaceCandidate], look: Look) -> None:
    """The place that takes several values with their names, and the one for tracks."""
    for place in look.slots.values():
        if place.kind == "list":
            tracks = [
                each
                for each in left.values()
                if each.kind == "list" and _matches_all(_TRACK_VALUE, each)
            ]
            for each in tracks[:1]:
                found.fields_by_place[place.name] = left.pop(each.name).name
        elif place.kind == "record":
            whole = [each for each in left.values() if each.kind == "record"
                     or (each.kind == "list" and _matches_all(_NAMED_VALUE, each))]  # fmt: skip
            several = [each.name for each in left.values() if _is_stat(each)][:_MAX_RECORD_VALUES]
            if several:
                found.fields_by_place[place.name] = several
            elif whole:
                found.fields_by_place[place.name] = whole[0].name
            for name in several or [each.name for each in whole[:1]]:
                del left[name]


def _matches_all(form: re.Pattern[str], known: PlaceCandidate) -> bool:
    return bool(known.values) and all(map(form.fullmatch, known.values))


def _is_stat(known: PlaceCandidate) -> bool:
    """Whether it is one of many figures: a number, or a word as short as one."""
    if known.role in _EXCLUSIVE_ROLES or not known.values:
        return False
    short = known.kind in (*_WORD_TYPES, "choice") and known.role in ("", "left", "right", "value")
    return known.kind in _NUMBER_TYPES or (short and known.longest_value <= _DISC_CHARS * 2)


def _reject_unfit(found: PlaceGuess, fields: Sequence[PlaceCandidate], look: Look) -> None:
    """Places that fields would fill by their names alone, though they do not fit."""
    kinds = {each.name: each.kind for each in fields}
    for place in look.slots.values():
        filled = any(kinds.get(name) in TYPES_BY_PLACE[place.kind] for name in place.default_fields)
        if filled and place.name not in found.fields_by_place:
            found.fields_by_place[place.name] = None
