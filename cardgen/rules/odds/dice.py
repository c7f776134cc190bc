"""Dice as people write them: `2d6`, `d8`, `3d6 + 2d10`; and what their faces count for."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from cardgen.templates.expressions import CannotEvaluate
from cardgen.templates.wording import in_words

MOST_DICE, MOST_SIDES = 100, 100
_DICE = re.compile(r"\s*[0-9]*\s*[dD][0-9]+\s*(?:\+|\Z)")
_DIE = re.compile(r"([0-9]{0,3})[dD]([0-9]{1,4})\Z")


def are(written: str) -> bool:
    """Whether it is meant as dice, and is no expression."""
    return _DICE.match(written) is not None


def read(written: Any) -> list[int]:
    """The sides of every die. Raises `CannotEvaluate`."""
    found: list[int] = []
    for part in str(written).replace(" ", "").split("+"):
        match = _DIE.match(part)
        if match is None:
            raise CannotEvaluate(f"{in_words(written)} are no dice; write 2d6, or 3d6 + d10")
        number, sides = int(match[1] or 1), int(match[2])
        if not 1 <= sides <= MOST_SIDES:
            raise CannotEvaluate(f"a die has 1 to {MOST_SIDES} sides, not {sides}")
        found += [sides] * number
    if not 1 <= len(found) <= MOST_DICE:
        raise CannotEvaluate(f"{len(found)} dice; 1 to {MOST_DICE} can be rolled")
    return found


def faces(sides: int) -> list[Mapping[str, Any]]:
    """The faces of a die, as expressions see them: `value` and `sides`."""
    return [{"id": f"d{sides}", "value": value, "sides": sides} for value in range(1, sides + 1)]
