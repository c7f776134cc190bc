"""Places of a look and the fields that take them, by headings first and by values then."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from cardgen.game.look_places import TYPES_BY_PLACE
from cardgen.looks.look_catalogue import Look, LookSlot

_WORD_TYPES = ("text", "string")
_NUMBER_TYPES = ("integer", "number")
_DISC_CHARS = 4
_MAX_TITLE_CHARS = 40
_LETTER = re.compile(r"[^\W\d_]")
_MAX_RECORD_VALUES = 24
_EXCLUSIVE_ROLES = frozenset({"picture", "id", "number", "notes"})
"""Roles of columns that take no place but their own."""
_NAMED_VALUE = re.compile(r"[^:]+:\s*\S.*")
_TRACK_VALUE = re.compile(
    r"[^:]*:\s*(?:[-−+]?\d+\s*(?:-|–|—|\.\.+|…|→)\s*[-−+]?\d+(?:\s*\(\d+\))?|[^,;]+,[^,;].*)"
)


@dataclass(frozen=True)
class PlaceCandidate:
    """A field, as far as it matters to where it may be printed."""

    name: str
    kind: str
    role: str
    rank: int
    """How near the heading comes to its role, 0 for nearest."""
    values: Sequence[str]
    is_complete: bool = True
    """True where every card has a value."""

    @property
    def longest_value(self) -> int:
        return max(map(len, self.values), default=0)

    def fits(self, max_chars: int) -> bool:
        """Return true where most values are so short; the layout reports the others."""
        return sum(len(value) <= max_chars for value in self.values) * 3 >= len(self.values) * 2


@dataclass
class PlaceGuess:
    """Fields by the places that they take: a list where a place takes several.

    None is for a place that would be filled by a field that does not fit it.
    """

    fields_by_place: dict[str, str | list[str] | None] = field(default_factory=dict)
    unplaced: list[str] = field(default_factory=list)


def rank_as_name(candidate: PlaceCandidate) -> tuple[bool, float]:
    """Return a sort key: first what every card has, and has of its own."""
    different = len(set(candidate.values)) / max(len(candidate.values), 1)
    return not candidate.is_complete, -different


@dataclass(frozen=True)
class _PlaceRule:
    """Who may take a place: roles of columns, the likeliest first, and types as second choice."""

    roles: tuple[str, ...]
    types: tuple[str, ...] = ()
    max_chars: int = _DISC_CHARS
    max_chars_by_look: Mapping[str, int] = field(default_factory=dict)
    order: Callable[[PlaceCandidate], Any] = lambda _: 0
    """Sort key of several fields of those types; without one the first column takes it."""


_PLACE_RULES: Mapping[str, _PlaceRule] = {
    "title": _PlaceRule(("title",), _WORD_TYPES, 60, {"token": 16, "tarot": 40, "banknote": 40,
                        "counter": 6, "hex": 24, "wallet": 40}, rank_as_name),
    "picture": _PlaceRule(("picture",)),
    "text": _PlaceRule(("text", "flavour"), _WORD_TYPES, 700,
                       {"banknote": 90, "tarot": 160, "board": 160},
                       lambda candidate: -candidate.longest_value),
    "flavour": _PlaceRule(("flavour",), (), 250),
    "value": _PlaceRule(("value", "cost"), _NUMBER_TYPES),
    "number": _PlaceRule(("number", "value"), _NUMBER_TYPES),
    "cost": _PlaceRule(("cost", "value"), _NUMBER_TYPES),
    "left": _PlaceRule(("left",)),
    "right": _PlaceRule(("right",)),
    "type": _PlaceRule(("type",), ("choice",), 36),
    "suit": _PlaceRule((), (), 20),
    "unit": _PlaceRule((), (), 20),
    "echelon": _PlaceRule((), (), 20),
    "terrain": _PlaceRule((), (), 20),
    "legend": _PlaceRule((), (), 250),
    "other_title": _PlaceRule((), (), 60),
    "other_text": _PlaceRule((), (), 250),
    "currency": _PlaceRule(("currency",), (), 20),
    "serial": _PlaceRule(("serial", "number"), (), 20),
    "footer": _PlaceRule(("footer", "number"), (), 60),
}  # fmt: skip
_TYPE_ORDER = ("title", "text", "value", "cost", "number", "left", "right", "type")


def assign_places(fields: Sequence[PlaceCandidate], look: Look) -> PlaceGuess:
    """Return the places of the look that the fields take."""
    guess = PlaceGuess()
    left = {each.name: each for each in fields}

    def take_place(name: str, candidates: Iterable[PlaceCandidate]) -> None:
        place = look.slots.get(name)
        if place is None or name in guess.fields_by_place:
            return
        taker = next((each for each in candidates if _has_room(each, place, look)), None)
        if taker is not None:
            guess.fields_by_place[name] = taker.name
            del left[taker.name]

    for name, rule in _PLACE_RULES.items():
        named = [each for each in left.values() if each.role in rule.roles]
        take_place(name, sorted(named, key=lambda e: (rule.roles.index(e.role), e.rank)))
    for name, place in look.slots.items():
        if place.kind == "colour":
            take_place(name, [each for each in left.values() if each.kind == "colour"])
        elif place.kind in {"text", "value"}:
            take_place(name, [each for each in left.values() if each.name in place.default_fields])
    _assign_groups(guess, left, look)
    for name in _TYPE_ORDER:
        rule = _PLACE_RULES[name]
        free = (e for e in left.values() if e.kind in rule.types and e.role not in _EXCLUSIVE_ROLES)
        take_place(name, sorted(free, key=rule.order))
    _reject_unfit(guess, fields, look)
    guess.unplaced = list(left)
    return guess


def _has_room(candidate: PlaceCandidate, place: LookSlot, look: Look) -> bool:
    if candidate.kind not in TYPES_BY_PLACE[place.kind]:
        return False
    if place.kind in {"picture", "colour"} or place.name == candidate.role == "text":
        return True
    rule = _PLACE_RULES.get(place.name, _PlaceRule(()))
    return candidate.fits(rule.max_chars_by_look.get(look.name, rule.max_chars))


def is_name_candidate(candidate: PlaceCandidate) -> bool:
    """Return true where short words may be the names of cards, though no heading says so."""
    words = sum(len(_LETTER.findall(value)) > 1 for value in candidate.values)
    max_chars = _MAX_TITLE_CHARS if candidate.role == "text" else _PLACE_RULES["title"].max_chars
    return (
        candidate.role in {"", "text"}
        and bool(candidate.values)
        and words * 2 > len(candidate.values)
        and candidate.fits(max_chars)
    )


def _assign_groups(guess: PlaceGuess, left: dict[str, PlaceCandidate], look: Look) -> None:
    """Assign the place that takes several values with their names, and the one for tracks."""
    for place in look.slots.values():
        if place.kind == "list":
            tracks = (
                e for e in left.values() if e.kind == "list" and _matches_all(_TRACK_VALUE, e)
            )
            if (track := next(tracks, None)) is not None:
                guess.fields_by_place[place.name] = left.pop(track.name).name
        elif place.kind == "record":
            whole = [
                each.name
                for each in left.values()
                if each.kind == "record"
                or (each.kind == "list" and _matches_all(_NAMED_VALUE, each))
            ][:1]
            several = [e.name for e in left.values() if _is_stat(e)][:_MAX_RECORD_VALUES]
            if several or whole:
                guess.fields_by_place[place.name] = several or whole[0]
            for name in several or whole:
                del left[name]


def _matches_all(pattern: re.Pattern[str], candidate: PlaceCandidate) -> bool:
    return bool(candidate.values) and all(map(pattern.fullmatch, candidate.values))


def _is_stat(candidate: PlaceCandidate) -> bool:
    """Return true for one of many figures: a number, or a word as short as one."""
    if candidate.role in _EXCLUSIVE_ROLES or not candidate.values:
        return False
    is_word = candidate.kind in {*_WORD_TYPES, "choice"}
    is_short = is_word and candidate.role in {"", "left", "right", "value"}
    return candidate.kind in _NUMBER_TYPES or (
        is_short and candidate.longest_value <= _DISC_CHARS * 2
    )


def _reject_unfit(guess: PlaceGuess, fields: Sequence[PlaceCandidate], look: Look) -> None:
    """Empty the places that fields would fill by their names alone, though they do not fit."""
    kinds = {each.name: each.kind for each in fields}
    for place in look.slots.values():
        types = TYPES_BY_PLACE[place.kind]
        if place.name not in guess.fields_by_place and any(
            kinds.get(name) in types for name in place.default_fields
        ):
            guess.fields_by_place[place.name] = None
