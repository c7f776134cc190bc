"""The build folder: whose turn it is there, what builds made in it, and how new files take their
places, all of them or none.

The manifest says what each file was made from and the hash of what it holds. A file that is not
what was made, cut short or changed by hand, is made again.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import tempfile
from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any

from cardgen.base import bounds, filing, noted, paths
from cardgen.base.standing import Standing, folders
from cardgen.base.store import Store, digest_of

MANIFEST = ".cardgen.json"
_MAKING = ".making-"
_MOST_BYTES = 200_000_000
_STAMPS = "stamps"


@dataclass(frozen=True)
class Entry:
    """A file that a build made: the key it was made under, by which output, in which language, and
    the hash of its bytes."""

    key: str
    output: str
    language: str
    digest: str = ""

    def is_as(self, wanted: Entry) -> bool:
        """Whether it was made as another is wanted, whatever its bytes came to."""
        mine = self.key, self.output, self.language
        return mine == (wanted.key, wanted.output, wanted.language)


@dataclass(frozen=True)
class New:
    """A file that is made and waits to take its place."""

    path: Path
    entry: Entry


class Torn(Exception):  # noqa: N818 - it reads as what it says
    """Some new files took their places, others could not, and the old ones not be put back. Its
    cause says why."""


class Shelf:
    """The files that builds made in a folder. `store` remembers how they looked when last read."""

    def __init__(self, folder: Path, store: Store) -> None:
        self.folder, self._store = folder, store
        self.entries = _read(folder)
        self._memory = store.path(_STAMPS, f"{digest_of([str(folder.resolve())])}.json")
        found = store.read_json(self._memory)
        self._stamps: dict[str, Any] = found if isinstance(found, dict) else {}
        self._standing = Standing(folder)

    def is_current(self, path: str, wanted: Entry) -> bool:
        """Whether a file is there that was made as it is wanted (but for its digest, which is not
        known yet), and as it was made."""
        entry = self.entries.get(path)
        if entry is None or not entry.is_as(wanted):
            return False
        stamp = list(self._standing.stamp(path))
        if not stamp:
            return False
        if self._stamps.get(path) == [entry.digest, *stamp]:
            return True
        try:
            data = filing.read(self.folder, path, _MOST_BYTES)
        except paths.Unreadable:
            return False
        self._stamps[path] = [digest(data), *stamp]
        return digest(data) == entry.digest

    def left_over(
        self, outputs: Collection[str], wanted: Collection[str], languages: Collection[str]
    ) -> list[str]:
        """The files that these outputs once made, in these languages or in all, and are not wanted
        any more."""
        return sorted(
            path
            for path, entry in self.entries.items()
            if path not in wanted
            and entry.output in outputs
            and (not languages or entry.language in languages)
        )

    def of(self, paths: Iterable[str]) -> dict[str, Entry]:
        """Of those files, what builds recorded."""
        return {path: self.entries[path] for path in paths if path in self.entries}

    def publish(self, scratch: Path, new: Mapping[str, New], gone: Iterable[str]) -> None:
        """Put all new files in their places and take away those that are gone, or change nothing.

        All of it is written to `scratch`, a folder in this one, before the first takes its place.
        """
        waiting = _staged(scratch, new)
        entries = {path: e for path, e in self.entries.items() if path not in set(gone)}
        entries |= {path: each.entry for path, each in new.items()}
        listed = {path: vars(entry) for path, entry in entries.items()}
        text = json.dumps(listed, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
        filing.write_new(scratch / MANIFEST, text.encode())
        with _swapping(scratch) as swap:
            for path, staged in waiting.items():
                filing.folder(self.folder, PurePosixPath(path).parent.parts)
                swap.put(staged, self.folder / path)
            for path in gone:
                if filing.is_file(self.folder, path):
                    swap.take(self.folder / path)
            if entries != self.entries or not filing.is_file(self.folder, MANIFEST):
                swap.put(scratch / MANIFEST, self.folder / MANIFEST)
        self.entries = entries
        for path in gone:
            filing.tidy(self.folder, path)
        self._remember(new)

    def _remember(self, new: Mapping[str, New]) -> None:
        for path, each in new.items():
            self._stamps[path] = [each.entry.digest, *paths.stamp(self.folder / path)]
        stamps = {path: stamp for path, stamp in self._stamps.items() if path in self.entries}
        with suppress(OSError):  # else the files are read once more
            if stamps != self._store.read_json(self._memory):
                self._store.write_json(self._memory, stamps)


def standing(folder: Path, made: Iterable[str]) -> dict[str, str]:
    """How the folders in which files of builds lie, and the list of these, stand at this moment."""
    now = Standing(folder)
    return {name: now.look(name) for name in (*(f"{at}/" for at in folders(made)), MANIFEST)}


def digest(data: bytes) -> str:
    """The hash of a file's bytes."""
    return hashlib.sha256(data).hexdigest()


def _read(folder: Path) -> dict[str, Entry]:
    """What the manifest tells, as far as it can be believed: a game may come with one."""
    try:
        found = json.loads(filing.read(folder, MANIFEST, bounds.most(_MOST_BYTES)))
        listed = found.items()
    except (paths.Unreadable, ValueError, RecursionError, AttributeError):
        return {}
    entries: dict[str, Entry] = {}
    for path, fields in listed:
        with suppress(TypeError):
            entry = Entry(**fields)
            if is_place(path) and all(isinstance(value, str) for value in vars(entry).values()):
                entries[path] = entry
    return entries


def is_place(path: str) -> bool:
    """Whether a path names a place below a build folder where a build might put a file."""
    try:
        path.encode()
    except UnicodeEncodeError:
        return False
    parts = path.split("/")
    right = all(part and not part.startswith(".") for part in parts)
    return right and not any(sign in path for sign in "\0\\:") and len(parts) > 1


def _staged(scratch: Path, new: Mapping[str, New]) -> dict[str, Path]:
    """A file for each path: one that goes to several places is linked, where the system can."""
    used: set[Path] = set()
    waiting: dict[str, Path] = {}
    for number, (path, each) in enumerate(new.items()):
        waiting[path] = each.path
        if each.path in used:
            waiting[path] = scratch / f"again-{number}"
            _linked(each.path, waiting[path])
        used.add(each.path)
    return waiting


def _linked(source: Path, target: Path) -> None:
    """The file at another place, too; a copy of it on a file system without links."""
    try:
        os.link(source, target)
    except OSError:
        shutil.copyfile(source, target)


class _Swap:
    """Renames that can be undone."""

    def __init__(self, scratch: Path) -> None:
        self._scratch = scratch
        self._done: list[tuple[Path, Path]] = []

    def put(self, source: Path, target: Path) -> None:
        """The file takes the place of what stands there."""
        aside = self._aside()
        if target.is_symlink() or target.is_dir():
            target.replace(aside)  # of a file that is ours, as the manifest is
        elif target.exists():
            _linked(target, aside)
        self._done.append((target, aside))
        source.replace(target)

    def take(self, target: Path) -> None:
        """The file goes."""
        aside = self._aside()
        target.replace(aside)
        self._done.append((target, aside))

    def undo(self) -> bool:
        """Everything as it was; whether all of it could be put back."""
        whole = True
        for target, aside in reversed(self._done):
            try:
                if os.path.lexists(aside):
                    aside.replace(target)
                else:
                    target.unlink(missing_ok=True)
            except OSError:
                whole = False
        return whole

    def _aside(self) -> Path:
        return self._scratch / f"old-{len(self._done)}"


@contextmanager
def _swapping(scratch: Path) -> Iterator[_Swap]:
    swap = _Swap(scratch)
    try:
        yield swap
    except BaseException as error:
        if not swap.undo():
            raise Torn from error
        raise


@contextmanager
def making(folder: Path) -> Iterator[Path]:
    """A folder in this one for files in the making, gone afterwards."""
    scratch = Path(tempfile.mkdtemp(prefix=_MAKING, dir=folder))
    try:
        yield scratch
    finally:
        with suppress(OSError):
            filing.remove(scratch)


def tidy(folder: Path) -> None:
    """Remove what builds that were killed had in the making. Nobody else is at work here."""
    for path in folder.glob(f"{_MAKING}*"):
        filing.remove(path)


def clean(folder: Path) -> int:
    """Remove every file that builds recorded here; how many it were."""
    entries = _read(folder)
    for path in entries:
        if filing.is_file(folder, path):
            (folder / path).unlink()
            filing.tidy(folder, path)
    filing.remove(folder / MANIFEST)
    tidy(folder)
    return len(entries)


def clean_within(folder: Path, outer: str = "") -> int:
    """The same in the folders that variants have in it, through no link, and in those within the
    one called `outer`; how many files it were."""
    count = 0
    for path in sorted(folder.iterdir()):
        if path.name == outer and noted.is_folder(path):
            count += clean_within(path)
        if filing.is_file(folder, f"{path.name}/{MANIFEST}"):
            count += clean(path)
            filing.tidy(folder, f"{path.name}/{MANIFEST}")
    return count
