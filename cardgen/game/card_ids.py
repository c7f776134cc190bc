"""Ids of decks, cards and players, which also name files."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection
from dataclasses import dataclass, field

from cardgen.core.problems import Source, format_value
from cardgen.core.units import MAX_NAME_LENGTH
from cardgen.core.yaml_nodes import Node
from cardgen.game.checker import Checker
from cardgen.runtime.safe_files import is_device_name

ID = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*\Z")
_OTHER_CHARACTERS = re.compile(r"[^a-z0-9]+")
_CYRILLIC = (
    "а:a б:b в:v г:g д:d е:e ё:e ж:zh з:z и:i й:i к:k л:l м:m н:n о:o п:p р:r с:s т:t у:u ф:f х:kh "
    "ц:ts ч:ch ш:sh щ:shch ъ: ы:y ь: э:e ю:yu я:ya і:i ї:i є:ie ґ:g"
)
_TRANSLITERATION = str.maketrans({
    "ß": "ss", "æ": "ae", "ø": "o", "đ": "d", "ł": "l", "œ": "oe", "’": "", "'": "",
    **dict(pair.split(":") for pair in _CYRILLIC.split()),
})  # fmt: skip


def check_id(name: str) -> str:
    """Return why a deck, a card or a player cannot have a name as its id; "" if it can."""
    if not ID.match(name):
        return f"{format_value(name)} is not an id; use small letters, digits and hyphens"
    if len(name) > MAX_NAME_LENGTH:
        return (
            f"{format_value(name)} is too long for an id; {MAX_NAME_LENGTH} characters are allowed"
        )
    if is_device_name(name):
        return f"'{name}' names a device on Windows, where no file can have its name; use another"
    return ""


def make_id(name: str, taken: Collection[str], numbers: dict[str, int] | None = None) -> str:
    """Return an id made of a card's name, with a number where it is taken; "" if no letter of the
    name can stand in an id.

    `numbers` remembers the last number of each name, for decks in which many cards have one name.
    """
    plain = name.lower().translate(_TRANSLITERATION)
    plain = unicodedata.normalize("NFKD", plain).encode("ascii", "ignore").decode()
    base = _OTHER_CHARACTERS.sub("-", plain).strip("-")[: MAX_NAME_LENGTH - 6].strip("-")
    numbers = {} if numbers is None else numbers
    found = base
    while found and (found in taken or is_device_name(found)):
        numbers[base] = numbers.get(base, 1) + 1
        found = f"{base}-{numbers[base]}"
    return found


@dataclass
class UsedIds:
    """The ids of a deck so far with their places, and the last number of each name."""

    ids: dict[str, Source] = field(default_factory=dict)
    numbers: dict[str, int] = field(default_factory=dict)


def read_card_id(row: Node, head: Source, used: UsedIds, checker: Checker) -> str:
    """Return the id of a card and add it to `seen`.

    Without an id it is made of the card's name; in a table, where the name has no usable letter, of
    the row. `head` is where the deck file begins.
    """
    node = row.get("id")
    if node is None or node.value is None:
        of_table = row.source.path != head.path
        new_id = make_id(read_card_name(row), used.ids, used.numbers)
        if not new_id and of_table:
            new_id = make_id(f"row {row.source.line}", used.ids, used.numbers)
        if not new_id:
            checker.report(row.source, "a card has neither an id nor a name; add one", "fields")
            return f"line-{row.source.line}"
        used.ids[new_id] = row.source
        return new_id
    if not node.is_scalar:
        message = f"id is {node.describe()}; expected small letters, digits and hyphens"
        checker.report(node.source, message, "type")
        return f"line-{row.source.line}"
    own = node.text
    wrong = check_id(own)
    if wrong:
        checker.report(node.source, wrong, "fields")
    if own in used.ids:
        first = used.ids[own]
        message = f"the id '{own}' is also on line {first.line}; change one"
        checker.report(node.source, message, "duplicate-id")
    used.ids.setdefault(own, node.source)
    return own


def read_card_name(row: Node) -> str:
    """Return a card's name or title in its first language; "" if it has none."""
    for field_name in ("name", "title"):
        node = row.get(field_name)
        node = next((child for _, child in node.items()), node) if node else None
        if node is not None and node.is_scalar and node.value is not None:
            return node.text
    return ""
