"""Folders and files that may not be written or read."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from pathlib import Path

from trials.faulty.field import Field, Finding
from trials.games import Command
from trials.running import Outcome, watched

# Root may write everywhere; without these it has the rights of an owner, like anybody.
_LIKE_ANYBODY = ("setpriv", "--bounding-set=-dac_override,-dac_read_search",
                 "--inh-caps=-dac_override,-dac_read_search")  # fmt: skip
CASES: dict[str, tuple[str, int]] = {
    "game": (".", 0o555),
    "build": ("build", 0o555),
    "language": ("build/en", 0o555),
    "sheets": ("build/en/sheets", 0o555),
    "images": ("build/en/images/loot", 0o555),
    "store": ("build/.store", 0o555),
    "faces": ("build/.store/faces", 0o555),
    "fonts": ("build/.store/fonts", 0o555),
    "build-unreadable": ("build", 0o000),
    "store-unreadable": ("build/.store", 0o000),
    "faces-unreadable": ("build/.store/faces", 0o000),
    "sheets-unreadable": ("build/en/sheets.pdf", 0o000),
    "manifest-unreadable": ("build/.cardgen.json", 0o000),
    "game-file-unreadable": ("game.yaml", 0o000),
    "cards-unreadable": ("cards", 0o000),
    "template-unreadable": ("templates/loot.html", 0o000),
    "style-unreadable": ("templates/loot.css", 0o000),
    "art-unreadable": ("art/house.svg", 0o000),
    "icons-unreadable": ("art/icons", 0o000),
    "font-unreadable": ("fonts/roboto-condensed-400-normal.woff2", 0o000),
    "book-unreadable": ("rulebook/en.md", 0o000),
}


def trials(field: Field) -> Iterator[Finding]:
    """Each of them taken away, after a good build and where there was none."""
    if os.geteuid() == 0 and shutil.which("setpriv") is None:
        yield Finding("rights", (), "not tried: this is root, and there is no setpriv")
        return
    cases = list(CASES.items())
    for label, (path, mode) in cases[::4] if field.short else cases:
        name = f"rights/{label}"
        if field.wants(name):
            yield _tried(field, name, path, mode)
    if field.wants("rights/game-never-built"):
        yield _tried(field, "rights/game-never-built", ".", 0o555, built=False)


def _tried(field: Field, name: str, path: str, mode: int, *, built: bool = True) -> Finding:
    old, new = field.built, field.built_anew
    field.set_up(old)
    if not built:
        shutil.rmtree(field.game / "build")
    field.edit()
    target = field.game / path
    before = target.stat().st_mode
    below = [p for p in target.rglob("*") if mode == 0o555 and p.is_dir() and not p.is_symlink()]
    changed = [target, *below]
    for each in changed:
        each.chmod(mode)
    try:
        outcome = _run(field.command(), field)
    finally:
        for each in changed:
            each.chmod(before)
    wrong = field.whole(old, new)
    label = name.partition("/")[2]
    after = field.command().run()
    wrong += [f"the next build: exit {after.code}: {after.err[-90:]}"] if after.code else []
    forgotten = old if label == "manifest-unreadable" else None
    return field.judged(name, outcome, [*wrong, *field.differs(new, forgotten)])


def _run(command: Command, field: Field) -> Outcome:
    words = [*_LIKE_ANYBODY, *command.line] if os.geteuid() == 0 else command.line
    return watched(words, Path(field.temporary), command.environment, seconds=120)
