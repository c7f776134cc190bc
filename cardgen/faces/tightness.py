"""How tightly the texts of a face are fitted: told by the way when it is set, for those who look
for the card that the next word will burst."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from cardgen.base.problems import Remark
from cardgen.faces.fitting import Fit
from cardgen.faces.measure import TOLERANCE_MM, Overflow

TIGHTEST = "tightest"
"""The kind of a remark that is no problem: what the tightest box of a face leaves."""


class Tightness(NamedTuple):
    """What a box leaves, the tightest first: less than 0 mm where its text passes it, else 0; how
    many pt its text is above its smallest size; and how many mm are left in it."""

    over: float
    spare: float
    left: float


def told(found: Iterable[Overflow], fits: Mapping[str, Fit]) -> list[Remark]:
    """What the tightest of a face's fitted boxes leaves; nothing where none is fitted."""
    boxes = [_of(each, fits[each.box]) for each in found if each.box in fits]
    return [Remark(TIGHTEST, "warning", "", _written(min(boxes)))] if boxes else []


def of(remarks: Iterable[Remark]) -> Tightness | None:
    """What was told of a face; None where none of its texts is fitted."""
    for remark in remarks:
        if remark.kind == TIGHTEST:
            return Tightness(*map(float, remark.message.split()))
    return None


def _of(found: Overflow, fit: Fit) -> Tightness:
    past = max(found.tall, found.wide)
    over = -past if past > TOLERANCE_MM else 0.0
    return Tightness(over, fit.size - fit.smallest, max(0.0, -found.tall))


def _written(tightness: Tightness) -> str:
    return " ".join(f"{round(part, 2) + 0.0:g}" for part in tightness)
