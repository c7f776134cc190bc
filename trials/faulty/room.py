"""A disk that is full: a small one is mounted where that may be; else files may not grow."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from trials.faulty.field import Field, Finding
from trials.running import watched

ROOMS = (0, 20, 100, 400, 1000, 2500)
"""Kilobytes that are left."""
SIZE = 60_000_000


def trials(field: Field) -> Iterator[Finding]:
    """A build with so much room left, and one more when there is room again."""
    for left in ROOMS[::3] if field.short else ROOMS:
        for fresh in (False,) if field.short else (False, True):
            name = f"room/{left}-kB-left{'-fresh' if fresh else ''}"
            if field.wants(name):
                yield _tried(field, name, left, ("--fresh",) if fresh else ())
    if field.wants("room/files-cut"):
        yield _cut(field)


def _tried(field: Field, name: str, left: int, more: tuple[str, ...]) -> Finding:
    old, new = field.built, field.built_anew
    field.set_up(old)
    field.edit()
    with _small(field.game / "build") as mounted:
        if not mounted:
            return Finding(name, (), "not tried: only root may mount a disk")
        filler = field.game / "build" / "filler"
        filler.write_bytes(bytes(max(0, shutil.disk_usage(filler.parent).free - left * 1024)))
        outcome = field.command().run(more)
        filler.unlink()
        wrong = field.whole(old, new)
        after = field.command().run()
        wrong += [f"the next build: exit {after.code}"] if after.code else []
        wrong += field.differs(new)
    return field.judged(name, outcome, wrong)


@contextmanager
def _small(folder: Path) -> Iterator[bool]:
    """The folder on a disk of its own, with what is in it; whether that could be."""
    if os.geteuid():
        yield False
        return
    kept = folder.with_name("kept")
    folder.rename(kept)
    folder.mkdir()
    command = ["mount", "-t", "tmpfs", "-o", f"size={SIZE}", "tmpfs", str(folder)]
    if subprocess.run(command, capture_output=True, check=False).returncode:
        shutil.rmtree(folder)
        kept.rename(folder)
        yield False
        return
    try:
        shutil.copytree(kept, folder, dirs_exist_ok=True)
        shutil.rmtree(kept)
        yield True
    finally:
        subprocess.run(["umount", str(folder)], check=True)


def _cut(field: Field) -> Finding:
    """No file may grow past 80 kB: what is larger cannot be written."""
    old, new = field.built, field.built_anew
    field.set_up(old)
    field.edit()
    command = field.command()
    line = ["sh", "-c", 'ulimit -f 160; exec "$@"', "sh", *command.line]
    outcome = watched(line, field.temporary, command.environment, seconds=120)
    wrong = field.whole(old, new)
    after = field.command().run()
    wrong += [f"the next build: exit {after.code}"] if after.code else []
    return field.judged("room/files-cut", outcome, [*wrong, *field.differs(new)])
