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
import zipfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from pathlib import Path

from cardgen.base import engine, filing, paths
from cardgen.base.store import FILES, SHARED, Behind, Damaged, digest_of, read
from cardgen.game import loading
from cardgen.outputs.shards import Shard
from cardgen.publishing import Entry, is_place

LIST, STORE = "part.json", "store.zip"
_KIND, _VERSION = "cardgen part", 1
_MOST_LIST, _MOST_FILE = 500_000_000, 1_000_000_000
_NAMED = 8
_log = logging.getLogger("cardgen")


class Unfit(Exception):  # noqa: N818 - it reads as what it says
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
    return Origin(_state(root), engine.parts(), asked)


def _state(root: Path) -> str:
    """The hash of all files of a game."""
    found: list[str | bytes] = []
    for name in sorted(loading.seen(root)):
        try:
            data = paths.read_bytes(root, name)
        except paths.Unreadable as error:
            data = str(error).encode()
        found += [name, hashlib.sha256(data).digest()]
    return digest_of(found)


@dataclass(frozen=True)
class Part:
    """A part in its folder: what it is, the files in it, and where each key's bytes are."""

    folder: Path
    shard: Shard
    origin: Origin
    files: Mapping[str, Entry] = field(repr=False)


def write(
    folder: Path, shard: Shard, origin: Origin, files: Mapping[str, Entry], kept: Iterable[Path]
) -> None:
    """Make a part of the folder that a shard has published into; `kept` are entries of the store
    that a merge may want, none where it has them from a store that all share."""
    beside = folder / f".{STORE}"
    filing.remove(beside)
    with zipfile.ZipFile(beside, "x", zipfile.ZIP_STORED) as store:
        for path in sorted(kept):
            with suppress(Damaged):
                store.writestr(zipfile.ZipInfo(f"{path.parent.name}/{path.name}"), read(path))
    beside.replace(folder / STORE)
    told = {
        "kind": _KIND, "version": _VERSION, "shard": shard.number, "of": shard.of,
        **asdict(origin), "files": {path: asdict(entry) for path, entry in sorted(files.items())},
    }  # fmt: skip
    filing.put(folder / LIST, json.dumps(told, ensure_ascii=False, indent=1).encode())


def found(places: Sequence[Path], within: str = "") -> list[Part]:
    """The parts in those folders, or in the folders in them; of a variant, in the folder that it
    has in a part. Raises `Unfit`."""
    parts = []
    for place in places:
        beside = paths.listing(place, ".", deep=False).files
        folders = [each for each in (place, *map(place.joinpath, beside))
                   if paths.there(each / within, LIST)]  # fmt: skip
        parts += [_read(folder / within) for folder in folders]
        if not folders:
            raise Unfit(f"{place} holds no part; cardgen build --shard makes one")
    return parts


def _read(folder: Path) -> Part:
    try:
        told = json.loads(paths.read_bytes(folder, LIST, _MOST_LIST))
        if (told["kind"], told["version"]) != (_KIND, _VERSION):
            raise ValueError
        shard = Shard(int(told["shard"]), int(told["of"]))
        origin = Origin(str(told["state"]), tuple(map(str, told["engine"])), str(told["asked"]))
        files = {str(path): Entry(**fields) for path, fields in told["files"].items()}
        if not all(is_place(path) for path in files):
            raise ValueError
    except paths.Unreadable as error:
        raise Unfit(f"{folder / LIST} {error}") from None
    except (ValueError, TypeError, LookupError, AttributeError, RecursionError):
        raise Unfit(f"{folder / LIST} is no list of a part, or damaged; make it again") from None
    return Part(folder, shard, origin, files)


def check(parts: Sequence[Part], here: Origin) -> None:
    """Raise `Unfit` unless these are all the parts of what is to be merged here."""
    first = parts[0]
    by_number: dict[int, Part] = {}
    for part in parts:
        if part.shard.of != first.shard.of:
            raise Unfit(
                f"{part.folder} is one of {part.shard.of} parts and {first.folder} one of "
                f"{first.shard.of}; merge those of one build"
            )
        other = by_number.setdefault(part.shard.number, part)
        if other is not part:
            raise Unfit(f"part {part.shard} is there twice: {other.folder} and {part.folder}")
    missing = [str(n) for n in range(1, first.shard.of + 1) if n not in by_number]
    if missing:
        noun, verb = ("part", "is") if len(missing) == 1 else ("parts", "are")
        more = f" and {len(missing) - _NAMED} more" if len(missing) > _NAMED else ""
        named = f"{', '.join(missing[:_NAMED])}{more}"
        raise Unfit(f"{noun} {named} of {first.shard.of} {verb} missing; nothing is merged")
    for part in parts:
        if why := _differs(part, here):
            raise Unfit(f"{part.folder} {why}")


def _differs(part: Part, here: Origin) -> str:
    """Why a part is not of what is merged here; "" if it is."""
    if part.origin.state != here.state:
        return (
            "was made from other files of the game than lie here; make the parts and merge them "
            "from the same state of it"
        )
    if part.origin.engine != here.engine:
        pairs = zip(part.origin.engine, here.engine, strict=False)
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


class Parts:
    """Parts that stand behind a store, and what stands behind them, if anything: that is asked,
    and sent nothing, for nobody has signed what parts hold."""

    def __init__(self, parts: Sequence[Part], behind: Behind | None = None) -> None:
        self._behind = behind
        self._files = {
            f"{FILES}/{entry.key}": (part.folder, path, entry.digest)
            for part in parts
            for path, entry in part.files.items()
        }
        self._stores: dict[str, zipfile.ZipFile] = {}
        for part in parts:
            with suppress(paths.Unreadable, zipfile.BadZipFile):
                store = zipfile.ZipFile(paths.opened(part.folder / STORE, follow=False))
                self._stores |= dict.fromkeys(store.namelist(), store)

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
            data = filing.read(folder, path, _MOST_FILE)
        except paths.Unreadable as error:
            _log.warning("%s %s; it is made again", folder / path, error)
            return None
        if hashlib.sha256(data).hexdigest() == digest:
            return data
        _log.warning("%s is not what was made, and is made again", folder / path)
        return None

    def _entry(self, name: str) -> bytes | None:
        store = self._stores.get(name)
        if store is None or name.partition("/")[0] not in SHARED:
            return None
        try:
            info = store.getinfo(name)
            plain = info.compress_type == zipfile.ZIP_STORED and info.file_size <= _MOST_FILE
            return store.read(info) if plain else None
        except (OSError, zipfile.BadZipFile, RuntimeError, NotImplementedError):
            return None  # what was damaged is made again
