"""Work in a file for translators that the game lacks: what writing over the file would lose."""

from __future__ import annotations

from collections.abc import Iterable

from cardgen.game.model import Game
from cardgen.game.translation import states
from cardgen.game.translation.register import Register, digest, mark, plain
from cardgen.game.translation.rows import Back, Returned
from cardgen.game.translation.units import Unit


def unsaved(game: Game, units: Iterable[Unit], returned: Returned, register: Register) -> int:
    """How many rows of a file were written since it went out, and are not what the game says."""
    known = {unit.id: unit for unit in units}
    return sum(
        _is_unsaved(row, known.get(row.id), game.languages[0], returned, register)
        for row in returned.rows
    )


def _is_unsaved(
    row: Back, unit: Unit | None, source: str, returned: Returned, register: Register
) -> bool:
    if not row.text.strip():
        return bool(row.odd)
    was = unit.said.get(returned.language, "") if unit else ""
    if plain(row.text).strip() != plain(was).strip():
        noted = register.entries.get(row.id)
        taken_in = noted is not None and noted.digest == digest(row.text)
        return not taken_in and mark(row.text) != row.sent
    if unit is None or row.state != states.DONE:
        return False
    said = unit.said.get(returned.source or source, "")
    is_older = states.of(unit, source, returned.language, register) == states.OLDER
    return is_older and plain(row.source).strip() == plain(said).strip()
