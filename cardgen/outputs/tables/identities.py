"""GUIDs of things and keys of sheets in a save: the same for the same game, whenever it is made."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from hashlib import sha256

from cardgen.game.model import Deck

_KEYS = 9_000_000


def guids(names: Iterable[str]) -> dict[str, str]:
    """Six hex digits for every name, unlike each other."""
    found: dict[str, str] = {}
    taken: set[str] = set()
    for name in sorted(set(names)):
        attempt = 0
        while (guid := sha256(f"{name} {attempt}".encode()).hexdigest()[:6]) in taken:
            attempt += 1
        taken.add(guid)
        found[name] = guid
    return found


def sheet_keys(decks: Iterable[Deck], sheets: Mapping[str, int]) -> dict[tuple[str, int], int]:
    """A key for every sheet of every deck, from the deck's id and the sheet's number."""
    found: dict[tuple[str, int], int] = {}
    for deck in sorted(decks, key=lambda deck: deck.id):
        for number in range(sheets.get(deck.id, 0)):
            digest = sha256(f"{deck.id} {number}".encode()).digest()
            key = 1 + int.from_bytes(digest[:6], "big") % _KEYS
            while key in found.values():
                key += 1
            found[deck.id, number] = key
    return found
