"""What decks, cards and players are called: files are named so."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection

from cardgen.base.problems import quoted
from cardgen.base.units import MOST_SIGNS

ID = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*\Z")
_OTHERS = re.compile(r"[^a-z0-9]+")
_CYRILLIC = (
    "а:a б:b в:v г:g д:d е:e ё:e ж:zh з:z и:i й:i к:k л:l м:m н:n о:o п:p р:r с:s т:t у:u ф:f х:kh "
    "ц:ts ч:ch ш:sh щ:shch ъ: ы:y ь: э:e ю:yu я:ya і:i ї:i є:ie ґ:g"
)
_SPELT = str.maketrans({
    "ß": "ss", "æ": "ae", "ø": "o", "đ": "d", "ł": "l", "œ": "oe", "’": "", "'": "",
    **dict(pair.split(":") for pair in _CYRILLIC.split()),
})  # fmt: skip


def wrong_id(name: str) -> str:
    """Why a deck, a card or a player cannot be called that; "" if it can."""
    if not ID.match(name):
        return f"{quoted(name)} is no id; use small letters, digits and hyphens"
    if len(name) > MOST_SIGNS:
        return f"{quoted(name)} is too long for an id; {MOST_SIGNS} signs are the most"
    return ""


def id_of(name: str, taken: Collection[str], numbers: dict[str, int] | None = None) -> str:
    """An id out of a card's name, with a number where others are called so; "" where no sign of the
    name can stand in one. `numbers` remembers the last number of each name, of which many may be
    called so."""
    plain = name.lower().translate(_SPELT)
    plain = unicodedata.normalize("NFKD", plain).encode("ascii", "ignore").decode()
    base = _OTHERS.sub("-", plain).strip("-")[: MOST_SIGNS - 6].strip("-")
    numbers = {} if numbers is None else numbers
    found = base
    while found and found in taken:
        numbers[base] = numbers.get(base, 1) + 1
        found = f"{base}-{numbers[base]}"
    return found
