"""Rows that came back and cannot be meant as they stand: ids that were edited or moved, cells that
became dates or numbers, texts that are behind the game."""

from __future__ import annotations

import re
from collections.abc import Mapping

from cardgen.base.problems import nearest, quoted
from cardgen.game.translation import odd_cells
from cardgen.game.translation.register import Register, digest, mark, plain
from cardgen.game.translation.rows import Back
from cardgen.game.translation.units import Unit

_NUMBER = re.compile(r"[-+]?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?\Z")
_MOST_NEAR = 50
"""For so many unknown ids the nearest is looked for, which takes a while."""
_NEAR = 0.8
_BECAME = {odd_cells.DATE: "a date", odd_cells.NUMBER: "a number", odd_cells.TRUTH: "true or false"}


class Judge:
    """What is told of rows; `language` is the one whose texts the rows were translated from."""

    def __init__(self, units: Mapping[str, Unit], language: str, register: Register) -> None:
        self._units, self._language, self._register = units, language, register
        self._of_source: dict[str, list[str]] = {}
        for unit in units.values():
            said = plain(unit.said.get(language, "")).strip()
            self._of_source.setdefault(said, []).append(unit.id)
        self._looked_for = 0

    def unknown(self, row: Back) -> str:
        """What to say of a row whose id the game has not."""
        if not row.id:
            return "the row has no id, so nobody knows which text it is; it is left out"
        asked = self._meant(row)
        if not asked:
            return f"the game has no text '{row.id}' any more; it is left out"
        return (
            f"the game has no text '{row.id}'; did you mean '{asked}'? was the Id column edited? "
            "it is left out"
        )

    def _meant(self, row: Back) -> str:
        """The id that a row may have had: of the one text that says what its source does, or a near
        one; "" without any."""
        of_source = self._of_source.get(plain(row.source).strip(), []) if row.source.strip() else []
        if len(of_source) == 1:
            return of_source[0]
        self._looked_for += 1
        if self._looked_for > _MOST_NEAR:
            return ""
        return nearest(row.id, of_source or self._units, _NEAR)

    def odd(self, row: Back, unit: Unit) -> str:
        """Why the cell of a row is no text; "" where it is one, or a number that was one before."""
        source = plain(unit.said.get(self._language, "")).strip()
        if not row.odd:
            return ""
        if row.odd == odd_cells.FORMULA:
            return "the cell is a formula, and the file holds no value of it; write it as text"
        if row.odd not in _BECAME:
            return f"the cell holds a formula that says {row.odd}; write it as text"
        is_number = row.odd == odd_cells.NUMBER and _NUMBER.match(source)
        if is_number and (row.text == source or float(source) != _number(row.text)):
            return ""
        return (
            f"the spreadsheet made {_BECAME[row.odd]} of this, {quoted(row.text)}; the source "
            f"says {quoted(source)}; write it as text"
        )

    def moved(self, row: Back, unit: Unit) -> str:
        """What to say of a row whose source is that of another text; "" where it is its own, or was
        before, or nobody's."""
        told = plain(row.source).strip()
        noted = self._register.entries.get(unit.id)
        own = {plain(unit.said.get(self._language, "")).strip()}
        own |= {noted.source.strip()} if noted else set()
        others = self._of_source.get(told, [])
        if not told or told in own or not others:
            return ""
        return f"its source is that of '{others[0]}', not of '{unit.id}'; was the id moved?"

    def is_behind(self, row: Back, text: str, was: str) -> bool:
        """Whether the game's translation was changed since the file went out; of a row that does
        not say what went out, since it was taken in."""
        if not was.strip():
            return False
        return mark(was) != row.sent if row.sent else self._was_taken(row, text)

    def is_done_with(self, row: Back, text: str) -> bool:
        """Whether the row's translation is the one that went out, or was taken in before."""
        return mark(text) == row.sent or self._was_taken(row, text)

    def _was_taken(self, row: Back, text: str) -> bool:
        noted = self._register.entries.get(row.id)
        return noted is not None and noted.digest == digest(text)


def _number(text: str) -> float | None:
    try:
        return float(text)
    except ValueError:
        return None
