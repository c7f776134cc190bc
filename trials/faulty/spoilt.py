"""A store gone bad, and a build folder that somebody else has been at."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

from trials.faulty.field import Field, Finding, flipped


def _cut(path: Path) -> None:
    os.truncate(path, path.stat().st_size // 2)


def _emptied(path: Path) -> None:
    os.truncate(path, 0)


def _deleted(path: Path) -> None:
    path.unlink()


def _folder(path: Path) -> None:
    path.unlink()
    (path / "in-its-place").mkdir(parents=True)


def _words(path: Path) -> None:
    path.write_text("[]")


def _link(path: Path) -> None:
    path.unlink()
    path.symlink_to("nowhere")


def _exchanged(_: Path) -> None:
    """Each holds what the next one of its kind should."""


WAYS: dict[str, Callable[[Path], None]] = {
    "cut-short": _cut, "emptied": _emptied, "a-bit-flipped": flipped, "deleted": _deleted,
    "a-folder-in-its-place": _folder, "other-words": _words, "a-link-to-nowhere": _link,
}  # fmt: skip
MANIFEST = "build/.cardgen.json"


def trials(field: Field) -> Iterator[Finding]:
    """Every kind of entry spoilt in every way, with the outputs to be made of it anew."""
    store = field.built / "build/.store"
    groups = {
        f"store-{kind.name}{end}": sorted(
            path.relative_to(field.built).as_posix()
            for path in kind.iterdir()
            if path.is_file() and path.suffix == end
        )
        for kind in sorted(store.iterdir())
        if kind.is_dir()
        for end in sorted({path.suffix for path in kind.iterdir() if path.is_file()})
    }
    groups["manifest"] = [MANIFEST]
    groups |= {
        f"output{path.suffix.replace('.', '-')}-{path.stem}": [
            path.relative_to(field.built).as_posix()
        ]
        for path in sorted((field.built / "build/en").rglob("*"))
        if path.is_file()
        and (path.parent.name == "en" or path.suffix in (".json", ".pcio", ".csv"))
    }
    number = 0
    for group, files in groups.items():
        for way, spoil in WAYS.items():
            number += 1
            name = f"spoilt/{group}-{way}"
            if field.wants(name) and (not field.short or number % 9 == 0):
                yield _tried(field, name, files, spoil)


def _tried(field: Field, name: str, files: list[str], spoil: Callable[[Path], None]) -> Finding:
    """Spoil these files. What was made of the store is taken away, so that it must serve again; of
    what was published, the next build must see that it is no longer what it made."""
    field.set_up(field.built)
    if spoil is _exchanged:
        kept = [(field.game / file).read_bytes() for file in files]
        for file, data in zip(files, [*kept[1:], kept[0]], strict=True):
            (field.game / file).write_bytes(data)
    for file in files:
        spoil(field.game / file)
    if name.startswith("spoilt/store"):
        shutil.rmtree(field.game / "build/en")
    outcome = field.command().run()
    # A folder with something in it is not ours to remove: it is told, and the next build is right.
    blocked = name.startswith("spoilt/output") and spoil is _folder
    found = field.judged(name, outcome, codes=(1,) if blocked else (0,))
    for file in files if blocked else ():
        shutil.rmtree(field.game / file)
        field.command().run()
    return Finding(name, (*found.wrong, *field.differs(field.built)), found.told)
