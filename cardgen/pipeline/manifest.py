"""The manifest of a build folder, and the replacement of its files, all of them or none.

The manifest says what each file was made from, and the hash of its bytes. A file that differs, cut
short or changed by hand, is made again. It is sealed like the store's entries: one that came with a
game says nothing.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
from collections.abc import Collection, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath
from typing import Any

from cardgen.core import work_limits
from cardgen.runtime import content_store, fingerprint, game_files, safe_files
from cardgen.runtime.content_store import DamagedEntryError, Store, digest_parts
from cardgen.runtime.fingerprint import FolderScan, list_parent_folders

MANIFEST_FILE = ".cardgen.json"
_SEALED_PATH = Path("build", MANIFEST_FILE)
"""The path in the seal, whatever the folder is called."""
_MAX_FILE_BYTES = 200_000_000
_STAMPS_KIND = "stamps"


@dataclass(frozen=True)
class ManifestEntry:
    """A file that a build made: its key, output, language, and the hash of its bytes."""

    key: str
    output: str
    language: str
    digest: str = ""


@dataclass(frozen=True)
class StagedFile:
    """A file that is made and waits to take its place."""

    path: Path
    entry: ManifestEntry


class PartialPublishError(Exception):
    """Publishing failed half-way and could not be rolled back; the cause says why."""


class Manifest:
    """The files that builds made in a folder. The store remembers their stamps when last read."""

    def __init__(self, folder: Path, store: Store) -> None:
        self.folder, self._store = folder, store
        self.entries = _read_manifest(folder)
        self._stamps_path = store.get_path(
            _STAMPS_KIND, f"{digest_parts([str(folder.resolve())])}.json"
        )
        found = store.read_json(self._stamps_path)
        self._stamps: dict[str, Any] = found if isinstance(found, dict) else {}
        self._folder_stamps = FolderScan(folder)

    def is_current(self, path: str, wanted: ManifestEntry) -> bool:
        """Return true where the file is there, made as planned and unchanged since."""
        entry = self.entries.get(path)
        if entry is None or replace(entry, digest="") != wanted:
            return False
        stamp = list(self._folder_stamps.get_stamp(path))
        if not stamp:
            return False
        if self._stamps.get(path) == [entry.digest, *stamp]:
            return True
        try:
            data = safe_files.read_plain_file(self.folder, path, _MAX_FILE_BYTES)
        except game_files.UnreadableError:
            return False
        self._stamps[path] = [hash_bytes(data), *stamp]
        return hash_bytes(data) == entry.digest

    def find_leftovers(
        self, outputs: Collection[str], wanted: Collection[str], languages: Collection[str]
    ) -> list[str]:
        """Return files that these outputs made in these languages, or in all, and that are not
        wanted now.
        """
        return sorted(
            path
            for path, entry in self.entries.items()
            if path not in wanted
            and entry.output in outputs
            and (not languages or entry.language in languages)
        )

    def publish_files(
        self, scratch: Path, new: Mapping[str, StagedFile], gone: Iterable[str]
    ) -> None:
        """Put all new files in their places and remove others, or change nothing.

        All of it is written to `scratch`, a folder in this one, before the first file is replaced.
        """
        waiting = _stage_files(scratch, new)
        entries = {path: e for path, e in self.entries.items() if path not in set(gone)}
        entries |= {path: each.entry for path, each in new.items()}
        listed = {path: vars(entry) for path, entry in entries.items()}
        text = json.dumps(listed, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
        sealed = content_store.seal_data(_SEALED_PATH, text.encode())
        safe_files.write_new_file(scratch / MANIFEST_FILE, sealed)
        with _RenameTransaction(scratch) as swap:
            for path, staged in waiting.items():
                safe_files.ensure_folder(self.folder, PurePosixPath(path).parent.parts)
                swap.replace_file(staged, self.folder / path)
            for path in gone:
                if safe_files.is_plain_file(self.folder, path):
                    swap.remove_file(self.folder / path)
            if entries != self.entries or not safe_files.is_plain_file(self.folder, MANIFEST_FILE):
                swap.replace_file(scratch / MANIFEST_FILE, self.folder / MANIFEST_FILE)
        self.entries = entries
        for path in gone:
            safe_files.remove_empty_folders(self.folder, path)
        self._save_stamps(new)

    def _save_stamps(self, new: Mapping[str, StagedFile]) -> None:
        for path, each in new.items():
            self._stamps[path] = [each.entry.digest, *game_files.stamp_file(self.folder / path)]
        stamps = {path: stamp for path, stamp in self._stamps.items() if path in self.entries}
        with suppress(OSError):  # else the files are read once more
            if stamps != self._store.read_json(self._stamps_path):
                self._store.write_json(self._stamps_path, stamps)


def snapshot_folders(folder: Path, made: Iterable[str]) -> dict[str, str]:
    """Return fingerprints of the folders with files of builds, and of the manifest."""
    now = FolderScan(folder)
    return {
        name: now.get_fingerprint(name)
        for name in (*(f"{at}/" for at in list_parent_folders(made)), MANIFEST_FILE)
    }


def hash_bytes(data: bytes) -> str:
    """Return the hash of a file's bytes."""
    return hashlib.sha256(data).hexdigest()


def _read_manifest(folder: Path) -> dict[str, ManifestEntry]:
    """Return the entries that can be trusted: a game may come with a manifest."""
    try:
        limit = work_limits.scale_limit(_MAX_FILE_BYTES)
        sealed = safe_files.read_plain_file(folder, MANIFEST_FILE, limit)
        found = json.loads(content_store.unseal_data(_SEALED_PATH, sealed))
        listed = found.items()
    except (
        game_files.UnreadableError,
        DamagedEntryError,
        ValueError,
        RecursionError,
        AttributeError,
    ):
        return {}
    entries: dict[str, ManifestEntry] = {}
    for path, fields in listed:
        with suppress(TypeError):
            entry = ManifestEntry(**fields)
            if is_output_path(path) and all(
                isinstance(value, str) for value in vars(entry).values()
            ):
                entries[path] = entry
    return entries


def read_published(folder: Path, path: str) -> bytes | None:
    """Return a file as it was published; None if it is missing or was changed since.

    A game may come with files in its build folder: those are not listed in the user's manifest.
    """
    entry = _read_manifest(folder).get(path)
    if entry is None:
        return None
    with suppress(game_files.UnreadableError):
        data = safe_files.read_plain_file(folder, path, _MAX_FILE_BYTES)
        return data if hash_bytes(data) == entry.digest else None
    return None


def is_output_path(path: str) -> bool:
    """Return true for a path below a build folder where a build may put a file."""
    try:
        path.encode()
    except UnicodeEncodeError:
        return False
    parts = path.split("/")
    right = all(part and not part.startswith(".") for part in parts)
    return right and not any(sign in path for sign in "\0\\:") and len(parts) > 1


def _stage_files(scratch: Path, new: Mapping[str, StagedFile]) -> dict[str, Path]:
    """Return a file for each path. One that goes to several places is linked, where the
    system can.
    """
    used: set[Path] = set()
    waiting: dict[str, Path] = {}
    for number, (path, each) in enumerate(new.items()):
        waiting[path] = each.path
        if each.path in used:
            waiting[path] = scratch / f"again-{number}"
            _link_file(each.path, waiting[path])
        used.add(each.path)
    return waiting


def _link_file(source: Path, target: Path) -> None:
    """Link a file to another place; copy it on a file system without links."""
    try:
        os.link(source, target)
    except OSError:
        shutil.copyfile(source, target)


class _RenameTransaction:
    """Renames that are undone after an error. Raises `PartialPublishError` where some are not."""

    def __init__(self, scratch: Path) -> None:
        self._scratch = scratch
        self._done: list[tuple[Path, Path]] = []

    def replace_file(self, source: Path, target: Path) -> None:
        """Put a file in the place of another."""
        aside = self._get_backup_path()
        if target.is_symlink() or target.is_dir():
            target.replace(aside)  # of a file that is ours, as the manifest is
        elif target.exists():
            _link_file(target, aside)
        self._done.append((target, aside))
        source.replace(target)

    def remove_file(self, target: Path) -> None:
        """Remove a file."""
        aside = self._get_backup_path()
        target.replace(aside)
        self._done.append((target, aside))

    def __enter__(self) -> _RenameTransaction:
        return self

    def __exit__(self, _: object, error: BaseException | None, _traceback: object) -> None:
        if error is None:
            return
        failed = False
        for target, aside in reversed(self._done):
            try:
                if os.path.lexists(aside):
                    aside.replace(target)
                else:
                    target.unlink(missing_ok=True)
            except OSError:
                failed = True
        if failed:
            raise PartialPublishError from error

    def _get_backup_path(self) -> Path:
        return self._scratch / f"old-{len(self._done)}"


def remove_published(folder: Path) -> int:
    """Remove every file that builds recorded here. Return their number."""
    entries = _read_manifest(folder)
    for path in entries:
        if safe_files.is_plain_file(folder, path):
            (folder / path).unlink()
            safe_files.remove_empty_folders(folder, path)
    safe_files.remove_path(folder / MANIFEST_FILE)
    safe_files.remove_scratch(folder)
    return len(entries)


def remove_published_below(folder: Path, outer: str = "") -> int:
    """Remove the files in the folders of variants, through no link, and in those within `outer`.

    Return their number.
    """
    count = 0
    for path in sorted(folder.iterdir()):
        if path.name == outer and fingerprint.is_plain_folder(path):
            count += remove_published_below(path)
        if safe_files.is_plain_file(folder, f"{path.name}/{MANIFEST_FILE}"):
            count += remove_published(path)
            safe_files.remove_empty_folders(folder, f"{path.name}/{MANIFEST_FILE}")
    return count
