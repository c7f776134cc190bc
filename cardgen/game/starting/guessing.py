"""What the columns of a spreadsheet are, guessed from their names and from what stands in them."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from cardgen.base.yamlnodes import scalar
from cardgen.game.fields import LIST_SIGN
from cardgen.game.ids import id_of, wrong_id
from cardgen.game.looks.catalogue import Look

_COPIES = frozenset(
    [
        "copies",
        "copy",
        "qty",
        "quantity",
        "count",
        "number",
        "amount",
        "kpl",
        "määrä",
        "kappaleet",
        "anzahl",
        "menge",
    ]
)
_IDS = frozenset(["id", "key", "slug", "code"])
_NAMES = ("name", "title", "card", "card name", "nimi", "kortti", "название", "имя")
_TEXTS = ("text", "rules", "effect", "description", "body", "ability", "teksti", "текст")
_COSTS = ("cost", "price", "mana", "value", "hinta", "цена")
_TYPES = ("type", "kind", "category", "suit", "faction", "tyyppi", "laji", "тип")
_PICTURES = ("picture", "image", "art", "illustration", "kuva", "file", "картинка")
_FLAVOURS = ("flavour", "flavor", "quote", "lore", "sitaatti")
_MOST_CHOICES, _LONGEST_CHOICE = 8, 24


@dataclass
class Guess:
    """A deck's `fields`, `columns` and `places`; and what to tell of how they came about."""

    fields: dict[str, Any] = field(default_factory=dict)
    columns: dict[str, Any] = field(default_factory=dict)
    places: dict[str, Any] = field(default_factory=dict)
    languages: tuple[str, ...] = ()
    told: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class _Column:
    """A column: its heading, the field it is called, and its cells that are not empty."""

    heading: str
    name: str
    cells: tuple[str, ...]


def guessed(header: Sequence[str], rows: Sequence[Sequence[str]], look: Look) -> Guess:
    """What a table with that first row and these others is, for a deck with a look."""
    guess = Guess()
    columns = _columns(header, rows, guess)
    languages = [column.name.partition(".")[2] for column in columns if "." in column.name]
    guess.languages = tuple(dict.fromkeys(languages))
    kinds: dict[str, str] = {}
    for column in columns:
        said = _special(column, guess) or _type_of(column, guess)
        if said:
            kinds[column.name.partition(".")[0]] = said
    _place(kinds, columns, look, guess)
    return guess


def _columns(header: Sequence[str], rows: Sequence[Sequence[str]], guess: Guess) -> list[_Column]:
    found: list[_Column] = []
    taken: set[str] = set()
    for number, heading in enumerate(header):
        cells = tuple(
            row[number].strip() for row in rows if number < len(row) and row[number].strip()
        )
        clean = heading.strip()
        if not clean:
            if cells:
                guess.told.append(f"column {number + 1} has no heading, so it is left out")
            continue
        head, dot, language = clean.partition(".")
        name = id_of(head, ()).replace("-", "_") or f"column_{number + 1}"
        if name[0].isdigit():
            name = f"column_{name}"
        name = f"{name}.{language.strip().lower()}" if dot and language.strip() else name
        if name in taken:
            guess.columns[clean] = "ignore"
            guess.told.append(f"'{clean}' stands twice; the second is left out")
            continue
        taken.add(name)
        if name != clean:
            guess.columns[clean] = name
        found.append(_Column(clean, name, cells))
    return found


def _special(column: _Column, guess: Guess) -> str:
    """Copies and ids, which every card has; "" for a field."""
    plain = _plain(column.heading)
    if (
        plain in _COPIES
        and column.cells
        and all(cell.isascii() and cell.isdigit() for cell in column.cells)
    ):
        _is(column, "copies", guess)
        guess.told.append(f"'{column.heading}' says how many copies there are")
        return " "
    unique = len(set(column.cells)) == len(column.cells)
    if plain in _IDS and unique and not any(map(wrong_id, column.cells)):
        _is(column, "id", guess)
        return " "
    return ""


def _is(column: _Column, name: str, guess: Guess) -> None:
    guess.columns.pop(column.heading, None)
    if column.heading != name:
        guess.columns[column.heading] = name


def _type_of(column: _Column, guess: Guess) -> str:
    """The type of a field; it is written down, and told."""
    name, _, language = column.name.partition(".")
    if name in ("id", "copies"):
        guess.columns[column.heading] = f"own_{name}"
        name = f"own_{name}"
    if language:
        guess.fields[name] = "text"
        return "text"
    said, kind = _declared(column)
    guess.fields[name] = said
    return kind


def _declared(column: _Column) -> tuple[Any, str]:
    """A field's declaration, and its type."""
    values = [scalar(cell) for cell in column.cells]
    plain_kind = _plain_kind(values)
    if plain_kind:
        return plain_kind, plain_kind
    plain = _plain(column.heading)
    if plain in _PICTURES:
        return "string", "string"
    if any(LIST_SIGN in cell for cell in column.cells) and _longest(column.cells) < 60:
        return {"type": "list", "of": "string"}, "list"
    different = list(dict.fromkeys(column.cells))
    if (
        plain not in (*_NAMES, *_TEXTS, *_FLAVOURS)
        and 1 < len(different) <= _MOST_CHOICES
        and len(different) * 2 <= len(column.cells)
        and _longest(different) <= _LONGEST_CHOICE
    ):
        return {"type": "choice", "of": [scalar(one) for one in different]}, "choice"
    return "text", "text"


def _plain_kind(values: Sequence[object]) -> str:
    """What all of them are: boolean, integer or number; "" for words."""
    if values and all(isinstance(value, bool) for value in values):
        return "boolean"
    if values and all(_is_whole(value) for value in values):
        return "integer"
    number = values and all(_is_whole(value) or isinstance(value, float) for value in values)
    return "number" if number else ""


def _is_whole(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _longest(texts: Collection[str]) -> int:
    return max(map(len, texts), default=0)


def _plain(heading: str) -> str:
    head = unicodedata.normalize("NFC", heading).partition(".")[0].strip().lower()
    return re.sub(r"[\s_-]+", " ", head)


def _place(kinds: Mapping[str, str], columns: Sequence[_Column], look: Look, guess: Guess) -> None:
    """Which field goes into which place of the look; the rest is told as not shown."""
    rest = [name for name, kind in kinds.items() if kind.strip()]
    cells = {column.name.partition(".")[0]: column.cells for column in columns}
    said = {column.name.partition(".")[0]: _plain(column.heading) for column in columns}

    def take(place: str, names: Collection[str], *types: str) -> None:
        fits = [name for name in rest if kinds[name] in types]
        found = next((name for name in fits if said.get(name) in names), None)
        if place in look.places and place not in guess.places and found:
            guess.places[place] = found
            rest.remove(found)

    take("title", _NAMES, "text")
    take("picture", _PICTURES, "string")
    take("text", _TEXTS, "text")
    take("flavour", _FLAVOURS, "text")
    take("type", _TYPES, "choice", "text")
    take("cost", _COSTS, "integer", "number", "text")
    texts = [name for name in rest if kinds[name] == "text"]
    if "title" in look.places and "title" not in guess.places and texts:
        _give("title", texts[0], rest, guess)
    texts = sorted(
        (name for name in rest if kinds[name] == "text"),
        key=lambda name: -_longest(cells.get(name, ())),
    )
    if "text" in look.places and "text" not in guess.places and texts:
        _give("text", texts[0], rest, guess)
    numbers = [name for name in rest if kinds[name] in ("integer", "number")]
    for place in ("cost", "value", "left", "right"):
        if place in look.places and place not in guess.places and numbers:
            _give(place, numbers.pop(0), rest, guess)
    several = next((p.name for p in look.places.values() if p.kind == "record"), "")
    if several and several not in guess.places and numbers:
        guess.places[several] = list(numbers)
        rest[:] = [name for name in rest if name not in numbers]
    words = [name for name in rest if kinds[name] in ("choice", "text")]
    for place in ("type", "footer"):
        if place in look.places and place not in guess.places and words:
            _give(place, words.pop(0), rest, guess)
    for name in rest:
        if name in guess.fields:
            declared = guess.fields[name]
            more = declared if isinstance(declared, dict) else {"type": declared}
            guess.fields[name] = {**more, "printed": False}
    hidden = [name for name in rest if name in guess.fields]
    if hidden:
        guess.told.append(f"not shown on the cards: {', '.join(hidden)}; give them a place to be")


def _give(place: str, name: str, rest: list[str], guess: Guess) -> None:
    guess.places[place] = name
    rest.remove(name)
