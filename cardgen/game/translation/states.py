"""How a translation stands: missing, older than its source, the same as it, or translated."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping

from cardgen.game.signs import TOKEN
from cardgen.game.translation.register import Register, plain
from cardgen.game.translation.units import Unit

MISSING, OLDER, SAME, DONE = "missing", "older", "same", "translated"
STATES = (MISSING, OLDER, SAME, DONE)
_LETTERS = re.compile(r"[^\W\d_]{2,}")


def of(unit: Unit, source: str, language: str, register: Register) -> str:
    """How the text stands in a language; `source` is the language that it is translated from."""
    said, from_text = unit.said.get(language, ""), unit.said.get(source, "")
    if not said.strip():
        return MISSING if from_text.strip() else DONE
    made_from = register.made_from(unit.id, said)
    if made_from is not None and made_from != plain(from_text):
        return OLDER
    return SAME if is_same(said, from_text) and made_from is None else DONE


def is_same(said: str, source: str) -> bool:
    """Whether a translation says to the letter what its source does, and there was anything to
    translate: a word of two letters or more."""
    return plain(said).strip() == plain(source).strip() and bool(
        _LETTERS.search(TOKEN.sub(" ", source))
    )


def table(
    units: Iterable[Unit], source: str, language: str, register: Register
) -> Mapping[str, Counter[str]]:
    """Deck ("" for the game itself) → state → how many texts."""
    counted: dict[str, Counter[str]] = {}
    for unit in units:
        counted.setdefault(unit.deck, Counter())[of(unit, source, language, register)] += 1
    return counted
