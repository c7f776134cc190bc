"""What the shards of a build hand on, and its merge takes up.

A part is a folder: the files that a shard published, `part.json`, which tells what they are and
of what build they are a part, and `store.zip` with what else was made on the way. A merge is an
ordinary build behind whose store the parts stand: what its keys ask for and they have is not made.
So what a merge publishes is what one build would have, whatever the parts hold.
"""

from __future__ import annotations

import hashlib
import json
import logging
import struct
import zipfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from itertools import zip_longest
from pathlib import Path
from typing import Any, BinaryIO, cast

from cardgen.core import work_limits
from cardgen.game import loader
from cardgen.outputs.shards import MOST, Shard
from cardgen.pipeline.publish import ManifestEntry, is_output_path
from cardgen.runtime import code_version, fingerprint, game_files, safe_files
from cardgen.runtime.content_store import (
    FILES_KIND,
    SHARED_KINDS,
    DamagedEntryError,
    SharedBackend,
    digest_parts,
    read_entry,
)

LIST, STORE = "part.json", "store.zip"
_KIND, _VERSION = "cardgen part", 1
_MOST_LIST, _MOST_FILE = 16_000_000, 1_000_000_000
_MOST_NAMES = 10_000_000
"""So many bytes of a usual game's stores may name what is in them: some 100,000 entries."""
_MOST_WORDS, _MOST_LETTERS = 100, 200
"""So many words an engine may have, and letters each of what is compared."""
_NAMED = 8
_log = logging.getLogger("cardgen")


class IncompatiblePartsError(Exception):
    """Parts that cannot be merged; the text says why, and what to do."""


@dataclass(frozen=True)
class Origin:
    """Of what a part is a part: the state of the game's files, cardgen and what stands beside it,
    and the hash of what was asked."""

    state: str
    engine: tuple[str, ...]
    asked: str


def origin(root: Path, asked: str) -> Origin:
    """What a build of that game here and now is."""
    return Origin(_state(root), code_version.list_code_parts(), asked)


def _state(root: Path) -> str:
    """The hash of all files of a game."""
    found: list[str | bytes] = []
    for name in sorted(loader.scan_game_files(root)):
        try:
            data = game_files.read_bytes(root, name)
        except game_files.UnreadableError as error:
            data = str(error).encode()
        found += [name, hashlib.sha256(data).digest()]
    return digest_parts(found)


@dataclass(frozen=True)
class BuildPart:
    """A part in its folder: what it is, the files in it, and where each key's bytes are."""

    folder: Path
    shard: Shard
    origin: Origin
    files: Mapping[str, ManifestEntry] = field(repr=False)


def write(
    folder: Path,
    shard: Shard,
    origin: Origin,
    files: Mapping[str, ManifestEntry],
    kept: Iterable[Path],
) -> None:
    """Make a part of the folder that a shard has published into; `kept` are entries of the store
    that a merge may want, none where it has them from a store that all share."""
    beside = folder / f".{STORE}"
    safe_files.remove_path(beside)
    with zipfile.ZipFile(beside, "x", zipfile.ZIP_STORED) as store:
        for path in sorted(kept):
            with suppress(DamagedEntryError):
                store.writestr(zipfile.ZipInfo(f"{path.parent.name}/{path.name}"), read_entry(path))
    beside.replace(folder / STORE)
    told = {
        "kind": _KIND, "version": _VERSION, "shard": shard.number, "of": shard.of,
        **asdict(origin), "files": {path: asdict(entry) for path, entry in sorted(files.items())},
    }  # fmt: skip
    safe_files.replace_file(folder / LIST, json.dumps(told, ensure_ascii=False, indent=1).encode())


def found(places: Sequence[Path], within: str = "") -> list[BuildPart]:
    """The parts in those folders, or in the folders in them; of a variant, in the folder that it
    has in a part. Raises `Unfit`."""
    parts: list[BuildPart] = []
    for place in places:
        beside = game_files.list_folder(place, ".", deep=False).files
        folders = [each for each in (place, *map(place.joinpath, beside))
                   if game_files.has_entry(each / within, LIST)
                   and not (within and (each / within).is_symlink())]  # fmt: skip
        if not folders:
            raise IncompatiblePartsError(f"{place} holds no part; cardgen build --shard makes one")
        if len(parts) + len(folders) > MOST:
            raise IncompatiblePartsError(
                f"{place} holds more than {MOST} parts, which no build has"
            )
        parts += [_read(folder / within) for folder in folders]
    return parts


def passed_over(places: Sequence[Path], within: str = "") -> list[str]:
    """What lies beside parts and is taken for none, and why."""
    told = []
    for place in places:
        if game_files.has_entry(place / within, LIST):
            continue
        listed = game_files.list_folder(place, ".", deep=False)
        told += [f"{place / name}, a link" for name in listed.links]
        told += [
            f"{place / name}, which has no {LIST}" for name in listed.files
            if fingerprint.is_plain_folder(place / name) and not game_files.has_entry(place / name / within, LIST)
        ]  # fmt: skip
    return told


def _read(folder: Path) -> BuildPart:
    try:
        told = json.loads(game_files.read_bytes(folder, LIST, work_limits.scale_limit(_MOST_LIST)))
        if (told["kind"], told["version"]) != (_KIND, _VERSION):
            raise ValueError
        number, of = told["shard"], told["of"]
        if type(number) is not int or type(of) is not int or not 1 <= number <= of <= MOST:
            raise ValueError
        words = [told["state"], told["asked"], *told["engine"]]
        if not isinstance(told["engine"], list) or len(words) > _MOST_WORDS:
            raise ValueError
        if not all(isinstance(word, str) and 0 < len(word) <= _MOST_LETTERS for word in words):
            raise ValueError
        files = {path: _entry(path, fields) for path, fields in told["files"].items()}
    except game_files.UnreadableError as error:
        raise IncompatiblePartsError(f"{folder / LIST} {error}") from None
    except (ValueError, TypeError, LookupError, AttributeError, RecursionError):
        raise IncompatiblePartsError(
            f"{folder / LIST} is no list of a part, or damaged; make it again"
        ) from None
    state, asked, *engine_words = words
    return BuildPart(folder, Shard(number, of), Origin(state, tuple(engine_words), asked), files)


def _entry(path: str, fields: dict[str, Any]) -> ManifestEntry:
    """A file that a list names. Raises `ValueError` or `TypeError`."""
    entry = ManifestEntry(**fields)
    if not (is_output_path(path) and all(isinstance(value, str) for value in vars(entry).values())):
        raise ValueError
    return entry


def check(parts: Sequence[BuildPart], here: Origin) -> None:
    """Raise `Unfit` unless these are all the parts of what is to be merged here."""
    first = parts[0]
    by_number: dict[int, BuildPart] = {}
    for part in parts:
        if part.shard.of != first.shard.of:
            raise IncompatiblePartsError(
                f"{part.folder} is one of {part.shard.of} parts and {first.folder} one of "
                f"{first.shard.of}; merge those of one build"
            )
        other = by_number.setdefault(part.shard.number, part)
        if other is not part:
            raise IncompatiblePartsError(
                f"part {part.shard} is there twice: {other.folder} and {part.folder}"
            )
    missing = [str(n) for n in range(1, first.shard.of + 1) if n not in by_number]
    if missing:
        noun, verb = ("part", "is") if len(missing) == 1 else ("parts", "are")
        more = f" and {len(missing) - _NAMED} more" if len(missing) > _NAMED else ""
        named = f"{', '.join(missing[:_NAMED])}{more}"
        raise IncompatiblePartsError(
            f"{noun} {named} of {first.shard.of} {verb} missing; nothing is merged"
        )
    for part in parts:
        if why := _differs(part, here):
            raise IncompatiblePartsError(f"{part.folder} {why}")


def _differs(part: BuildPart, here: Origin) -> str:
    """Why a part is not of what is merged here; "" if it is."""
    if part.origin.state != here.state:
        return (
            "was made from other files of the game than lie here; make the parts and merge them "
            "from the same state of it"
        )
    if part.origin.engine != here.engine:
        pairs = zip_longest(part.origin.engine, here.engine, fillvalue="nothing")
        there, own = next(pair for pair in pairs if pair[0] != pair[1])
        return (
            f"was made by another cardgen or beside other libraries: {there} there, {own} here; "
            "use one for all"
        )
    if part.origin.asked != here.asked:
        return (
            "was asked for with other words than these; merge with the outputs and options that "
            "the parts were built with"
        )
    return ""


class _TooMany(Exception):  # noqa: N818 - it reads as what it says
    """A store names more than it may."""


class _Listing:
    """A file out of which `zipfile` reads what an archive names, in one go, while it opens it: no
    more than so many bytes. Then it is a file like others."""

    def __init__(self, file: BinaryIO, most: int) -> None:
        self._file, self._most = file, most
        self.listed = 0
        self.opening = True

    def read(self, size: int = -1) -> bytes:
        if not self.opening:
            return self._file.read(size)
        data = self._file.read(min(size, self._most + 1) if size >= 0 else self._most + 1)
        self.listed += len(data)
        if self.listed > self._most:
            raise _TooMany
        return data

    def __getattr__(self, name: str) -> Any:
        return getattr(self._file, name)


class PartsStore:
    """Parts that stand behind a store, and what stands behind them, if anything: that is asked,
    and sent nothing, for nobody has signed what parts hold."""

    def __init__(self, parts: Sequence[BuildPart], behind: SharedBackend | None = None) -> None:
        self._behind = behind
        self._files = {
            f"{FILES_KIND}/{entry.key}": (part.folder, path, entry.digest)
            for part in parts
            for path, entry in part.files.items()
        }
        self._stores: dict[str, zipfile.ZipFile] = {}
        left = work_limits.scale_limit(_MOST_NAMES)
        for part in parts:
            with suppress(game_files.UnreadableError):
                left = self._open(part.folder / STORE, left)

    def _open(self, place: Path, left: int) -> int:
        """Take up the store of a part, which may name its entries in so many bytes; how many are
        left."""
        file = _Listing(game_files.open_file(place, follow=False), left)
        try:
            store = zipfile.ZipFile(cast("BinaryIO", file))
        except _TooMany:
            _log.warning("%s names more than a game has, and is not used", place)
            return left
        except (zipfile.BadZipFile, OSError, ValueError, NotImplementedError, struct.error):
            _log.warning("%s is no store of a part, or damaged; its things are made again", place)
            return left
        file.opening = False
        names = (name for name in store.namelist() if name.partition("/")[0] in SHARED_KINDS)
        self._stores |= dict.fromkeys(names, store)
        return left - file.listed

    def get(self, names: Iterable[str]) -> Iterator[tuple[str, bytes]]:
        """The entries that the parts have of those, then those that stand behind them."""
        missing = []
        for name in names:
            data = self._file(name) if name in self._files else self._entry(name)
            if data is None:
                missing.append(name)
            else:
                yield name, data
        if self._behind is not None:
            yield from self._behind.get(missing)

    def put(self, name: str, data: bytes) -> None:
        """Parts stay as they are, and what is made of them stays here."""

    def flush(self) -> None:
        """Nothing was sent."""

    def _file(self, name: str) -> bytes | None:
        folder, path, digest = self._files[name]
        try:
            data = safe_files.read_plain_file(folder, path, _MOST_FILE)
        except game_files.UnreadableError as error:
            _log.warning("%s %s; it is made again", folder / path, error)
            return None
        if hashlib.sha256(data).hexdigest() == digest:
            return data
        _log.warning("%s is not what was made, and is made again", folder / path)
        return None

    def _entry(self, name: str) -> bytes | None:
        store = self._stores.get(name)
        if store is None:
            return None
        try:
            info = store.getinfo(name)
            plain = info.compress_type == zipfile.ZIP_STORED and info.file_size <= _MOST_FILE
            return store.read(info) if plain else None
        except (OSError, EOFError, ValueError, RuntimeError, zipfile.BadZipFile, struct.error):
            return None  # what was damaged is made again
