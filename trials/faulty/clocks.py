"""A clock that is set back or forward: nothing may hang on times alone."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

from trials.faulty.field import Field, Finding

PAST, FUTURE = 86_400.0, 4_102_444_800.0
TIMES = {"past": PAST, "future": FUTURE, "zero": 0.0, "as-before": -1.0}


def trials(field: Field) -> Iterator[Finding]:
    """Everything that was built is of another time than what is edited now."""
    for build in ("past", "future"):
        for edit in TIMES:
            name = f"clock/built-in-the-{build}-edited-{edit}"
            if field.wants(name):
                yield _tried(field, name, TIMES[build], edit)


def _tried(field: Field, name: str, built: float, edit: str) -> Finding:
    old, new = field.built, field.built_anew
    field.set_up(old)
    for path in field.game.rglob("*"):
        os.utime(path, (built, built))
    _edit(field.game / "cards/loot.yaml", "Card 1", "Other", edit)
    outcome = field.command().run()
    return Finding(name, (*field.judged(name, outcome, (), (0,)).wrong, *field.differs(new)), "")


def _edit(path: Path, old: str, new: str, edit: str) -> None:
    before = path.stat().st_mtime
    path.write_text(path.read_text().replace(old, new))
    when = before if edit == "as-before" else TIMES[edit]
    os.utime(path, (when, when))
