"""A store that several machines share, at any address that fsspec knows.

The store is not trusted. Each entry begins with a header that is signed (HMAC-SHA256 of its name,
the code that made it, its length and digest) with a key that only its users know. Without the right
signature, only the first bytes of an entry are read. After a few such entries the store is not used
any more. Nothing in it is run or unpickled on its word.

No answer is awaited without a limit. A store that does not answer is reported once and then counts
as empty. So no state of the store breaks a build or changes a byte of one.
"""

from __future__ import annotations

import hashlib
import hmac
import logging
import queue
import re
import secrets
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from textwrap import shorten
from typing import Any, TypeVar

from cardgen.runtime import code_version, fingerprint
from cardgen.runtime.content_store import FILES_KIND
from cardgen.runtime.scale.folder_store import EntryRefusedError, StoreFolder

MIN_KEY_LENGTH = 32
"""Minimum length of a key, in bytes."""
_HEADER_FORMAT = b"cardgen entry 2 %s %s\n"
_SIGNED_FORMAT = b"%s %012d"
_HEADER_LENGTH = len(_HEADER_FORMAT % (b"0" * 64, _SIGNED_FORMAT % (b"0" * 64, 0)))
_HEADER_PATTERN = re.compile(rb"cardgen entry 2 ([0-9a-f]{64}) (([0-9a-f]{64}) ([0-9]{12}))\n")
_MOST_BYTES, _MOST_OF_LARGE = 64_000_000, 256_000_000
"""Maximum size of an entry; a larger one is not sent."""
_MAX_REFUSALS = 3
"""After so many bad entries, the store is not asked any more."""
_AT_ONCE, _BYTES_AT_ONCE = 256, 64 << 20
"""Maximum number of entries, and of bytes, in one request."""
_MAX_QUEUED = 64
"""Maximum number of entries that wait to be sent."""
_FIRST, _FIRST_OF_LARGE = 256 << 10, 4 << 20
"""How many bytes of an entry are read at first. A longer one is read again, by its length."""
_LARGE_KINDS = frozenset({FILES_KIND, "books", "cluster", "fonts", "layouts", "pictures"})
_SECONDS, _SLOWEST = 30.0, 250_000
"""How long an answer may take, and the slowest transfer, in bytes per second."""
_MAX_MESSAGE_LENGTH = 160
_ABSENT_ERRORS = (FileNotFoundError, NotADirectoryError, IsADirectoryError)
_FORBIDDEN_ERRORS = (PermissionError, NotImplementedError)
_log = logging.getLogger("cardgen")
T = TypeVar("T")


@dataclass(frozen=True)
class SharedStore:
    """Address of the store, the key of its users, and if this user writes into it.

    It may be sent to other processes; each connects by itself at its first request. Names are
    `kind/name`, such as `faces/0a1b.pdf`.
    """

    address: str
    key: bytes = field(repr=False)
    writes: bool = False

    def get(self, names: Iterable[str]) -> Iterator[tuple[str, bytes]]:
        """Yield those of the entries that are there and rightly signed."""
        return _get_connection(self).get(names)

    def put_entry(self, name: str, data: bytes) -> None:
        """Send an entry in the background, if this user writes."""
        if self.writes:
            _get_connection(self).put_entry(name, data)

    def flush(self) -> None:
        """Wait until all entries are sent, or the store is given up."""
        if self.writes:
            _get_connection(self).flush()

    def remove_entries(self, names: Iterable[str]) -> None:
        """Remove entries as far as possible, without a report."""
        if self.writes:
            _get_connection(self).remove_entries(list(names))

    def sign_folder(self, folder: Path) -> bytes:
        """Return a signature of a folder of this machine, which only users of the key can make."""
        inode = fingerprint.stamp_path(folder)[-1:]
        place = f"{folder.resolve()} {inode}".encode(errors="surrogateescape")
        return hmac.new(self.key, b"local store\0" + place, "sha256").hexdigest().encode()

    @property
    def is_lost(self) -> bool:
        """Say if this process has given the store up: it does not answer or is not trusted."""
        connection = _get_connection(self)
        return connection.lost or connection.is_distrusted

    @property
    def usage_summary(self) -> str:
        """Describe the use that this process made of the store, in a line; "" for none."""
        connection = _get_connection(self)
        if not (connection.asked or connection.sent):
            return ""
        sent = f", {connection.sent} sent" if self.writes else ""
        found = f"{connection.taken} of {connection.asked} entries found{sent}"
        return f"shared store {self.display_address}: {found}"

    @property
    def display_address(self) -> str:
        """The address without its password."""
        return re.sub(r"//[^/@]*@", "//…@", self.address)


_connections: dict[SharedStore, _StoreConnection] = {}
_connections_lock = threading.Lock()


def _get_connection(shared: SharedStore) -> _StoreConnection:
    with _connections_lock:
        if shared not in _connections:
            _connections[shared] = _StoreConnection(shared)
        return _connections[shared]


def forget_connections() -> None:
    """Close all connections; the next request connects again."""
    _connections.clear()


class _StoreConnection:
    """Connection of this process to a store, which may be given up."""

    def __init__(self, shared: SharedStore) -> None:
        self.shared = shared
        self._files: Any = None
        self._base = ""
        self.lost, self._read_only = False, not shared.writes
        self._refused, self._told_of = 0, set[str]()
        self._waiting: queue.Queue[tuple[str, bytes]] = queue.Queue(_MAX_QUEUED)
        self._sender: threading.Thread | None = None
        self._lock, self._opening = threading.Lock(), threading.Lock()
        self.asked = self.taken = self.sent = 0
        """How many entries were asked for, were found, and were sent."""

    @property
    def is_distrusted(self) -> bool:
        """Say if the store is not read any more, because of bad entries.

        New entries are still sent, which mends it.
        """
        return self._refused >= _MAX_REFUSALS

    def get(self, names: Iterable[str]) -> Iterator[tuple[str, bytes]]:
        wanted = [*dict.fromkeys(names)]
        self.asked += len(wanted)
        for large in (False, True):
            kinds = (name for name in wanted if _is_large(name) == large)
            first = _FIRST_OF_LARGE if large else _FIRST
            while batch := list(islice(kinds, min(_AT_ONCE, _BYTES_AT_ONCE // first))):
                yield from self._get_entries(batch, first)

    def _get_entries(self, names: Sequence[str], first: int) -> Iterator[tuple[str, bytes]]:
        if self.is_distrusted:
            return
        beginnings = self._fetch_beginnings(
            names, first, _SECONDS + len(names) * first / 8 / _SLOWEST
        )
        for name, data in zip(names, beginnings, strict=False):
            if data is None:
                continue
            content = (
                data
                if isinstance(data, EntryRefusedError)
                else self._fetch_whole_entry(name, data, first)
            )
            if isinstance(content, bytes):
                self.taken += 1
                yield name, content
            elif content is not None:
                self._report_refusal(name, content)
                if self._count_refusal():
                    return

    def _fetch_whole_entry(
        self, name: str, beginning: bytes, first: int
    ) -> bytes | EntryRefusedError | None:
        """Return the content of an entry by its first bytes; None when the rest cannot be had."""
        entry: bytes | EntryRefusedError | None = beginning
        if len(beginning) > first:
            length = self._read_length(name, beginning)
            if not length:
                return EntryRefusedError()
            entry = next(iter(self._fetch_beginnings([name], length, _get_timeout(length))), None)
        return self._open_entry(name, entry) if isinstance(entry, bytes) else entry

    def _fetch_beginnings(
        self, names: Sequence[str], most: int, seconds: float
    ) -> list[bytes | EntryRefusedError | None]:
        """Return the first `most` + 1 bytes of each entry; None for one that is missing."""

        def fetch_ranges(files: Any) -> list[Any]:
            places = [self._get_entry_place(name) for name in names]
            found = files.cat_ranges(places, [0] * len(places), [most + 1] * len(places))
            others = [each for each in found if _is_store_fault(each)]
            if others and len(others) == len(found):
                raise others[0]
            return list(found)

        found = self._run_with_timeout(seconds, fetch_ranges) or []
        return [
            each if isinstance(each, EntryRefusedError)
            else bytes(each) if isinstance(each, bytes) else b"" if _is_store_fault(each) else None
            for each in found
        ]  # fmt: skip

    def put_entry(self, name: str, data: bytes) -> None:
        if len(data) > _get_max_bytes(name):
            return  # it would be refused
        while not (self.lost or self._read_only):
            with self._lock:
                if self._sender is None:
                    self._sender = threading.Thread(target=self._send_queued, daemon=True)
                    self._sender.start()
            try:
                self._waiting.put((name, data), timeout=1.0)
            except queue.Full:
                continue
            return

    def flush(self) -> None:
        while self._waiting.unfinished_tasks and not (self.lost or self._read_only):
            time.sleep(0.01)

    def remove_entries(self, names: Sequence[str]) -> None:
        def remove_files(files: Any) -> None:
            with suppress(Exception):
                files.rm([self._get_entry_place(name) for name in names])

        if names and not self._read_only:
            self._run_with_timeout(_SECONDS, remove_files)

    def _send_queued(self) -> None:
        while True:
            batch = [self._waiting.get()]
            size = len(batch[0][1])
            while size < _BYTES_AT_ONCE // 4:
                try:
                    batch.append(self._waiting.get_nowait())
                except queue.Empty:
                    break
                size += len(batch[-1][1])
            self._send_batch(dict(batch), size)
            for _ in batch:
                self._waiting.task_done()

    def _send_batch(self, entries: dict[str, bytes], size: int) -> None:
        def send_files(files: Any) -> bool:
            sealed = {
                self._get_entry_place(name): self._sign_entry(name, data)
                for name, data in entries.items()
            }
            if isinstance(files, StoreFolder):
                for place, refused in files.pipe(sealed).items():
                    self._report_refusal(place.partition("/")[2], refused)
            elif files.async_impl:
                files.pipe(sealed)  # an entry takes its place whole
            else:
                for place, data in sealed.items():
                    beside = f"{place}.{secrets.token_hex(8)}"
                    files.pipe_file(beside, data)
                    files.mv(beside, place)
            return True

        if not (self.lost or self._read_only) and self._run_with_timeout(
            _get_timeout(size), send_files
        ):
            self.sent += len(entries)

    def _run_with_timeout(self, seconds: float, work: Callable[[Any], T]) -> T | None:
        """What comes of asking the store, or None where it does not answer in time. What hangs is
        left behind in a thread that nobody waits for."""
        if self.lost:
            return None
        answers: queue.SimpleQueue[tuple[T | None, Exception | None]] = queue.SimpleQueue()

        def run_work() -> None:
            try:
                answers.put((work(self._open_file_system()), None))
            except Exception as error:
                answers.put((None, error))

        threading.Thread(target=run_work, daemon=True).start()
        try:
            found, error = answers.get(timeout=seconds)
        except queue.Empty:
            found, error = None, TimeoutError(f"no answer in {seconds:.0f} s")
        if error is not None:
            self._abandon_store(error, writing=work.__name__ == "send_files")
        return found

    def _open_file_system(self) -> Any:
        with self._opening:  # which may hang, and nothing else with it
            if self._files is None:
                from fsspec.core import url_to_fs  # noqa: PLC0415 - only where a store is named

                options = _get_file_system_options(self.shared.address)
                files, base = url_to_fs(self.shared.address, **options)
                if "file" in files.protocol:  # one, or several
                    self._files, self._base = StoreFolder(base), code_version.get_code_key()
                else:
                    self._files, self._base = (
                        files,
                        f"{base.rstrip('/')}/{code_version.get_code_key()}",
                    )
            return self._files

    def _get_entry_place(self, name: str) -> str:
        return f"{self._base}/{name}"

    def _abandon_store(self, error: Exception, *, writing: bool) -> None:
        reason = _format_library_error(error)
        with self._lock:
            if self.lost or (writing and self._read_only):
                return
            if writing and isinstance(error, _FORBIDDEN_ERRORS):
                self._read_only = True
                rest = f"lets nobody write with these rights ({reason}); what is made stays here"
            else:
                self.lost = True
                verb = "refuses" if isinstance(error, PermissionError) else "does not answer"
                rest = f"{verb} ({reason}); going on with the local one"
        _log.warning("the shared store %s %s", self.shared.display_address, rest)

    def _report_refusal(self, name: str, why: EntryRefusedError) -> None:
        """Warn of a bad entry: once of those without a signature, once of links."""
        rest = "it is not used, nor is any other like it, and is made anew"
        description = f"what was damaged, or not signed with your key: {name}; {rest}"
        if str(why):
            description = f"what is no entry: {name} {why}; {rest}"
        kind = str(why) and "no entry"
        with self._lock:
            is_repeated = kind in self._told_of
            self._told_of.add(kind)
        if not is_repeated:
            _log.warning("the shared store %s holds %s", self.shared.display_address, description)

    def _count_refusal(self) -> bool:
        """Count a bad entry, and say if the store is not read any more."""
        with self._lock:
            self._refused += 1
            now = self._refused == _MAX_REFUSALS
        if now:
            _log.warning(
                "the shared store %s is given up for this build: %d of its entries were refused; "
                "going on with the local one", self.shared.display_address, self._refused,
            )  # fmt: skip
        return self.is_distrusted

    def _sign_entry(self, name: str, data: bytes) -> bytes:
        says = _SIGNED_FORMAT % (hashlib.sha256(data).hexdigest().encode(), len(data))
        return _HEADER_FORMAT % (self._compute_signature(name, says), says) + data

    def _match_header(self, name: str, entry: bytes) -> re.Match[bytes] | None:
        """Return the header of an entry; None when its signature is wrong."""
        header = _HEADER_PATTERN.match(entry)
        is_signed = header is not None and hmac.compare_digest(
            header[1], self._compute_signature(name, header[2])
        )
        return header if is_signed else None

    def _read_length(self, name: str, beginning: bytes) -> int:
        """Return the length of an entry; 0 when it is bad or too large."""
        header = self._match_header(name, beginning)
        length = int(header[4]) if header else 0
        return _HEADER_LENGTH + length if 0 < length <= _get_max_bytes(name) else 0

    def _open_entry(self, name: str, entry: bytes) -> bytes | EntryRefusedError:
        """Return the content of an entry."""
        header, data = self._match_header(name, entry), entry[_HEADER_LENGTH:]
        if header is None or hashlib.sha256(data).hexdigest().encode() != header[3]:
            return EntryRefusedError()
        return data

    def _compute_signature(self, name: str, says: bytes) -> bytes:
        signed = f"{code_version.get_code_key()}/{name}\0".encode() + says
        return hmac.new(self.shared.key, signed, "sha256").hexdigest().encode()


def _format_library_error(error: Exception) -> str:
    """Return an error of a library as one short line."""
    words = error.strerror if isinstance(error, OSError) and error.strerror else f"{error}"
    return shorten(words, _MAX_MESSAGE_LENGTH, placeholder=" …") or type(error).__name__


def _is_large(name: str) -> bool:
    return name.partition("/")[0] in _LARGE_KINDS


def _is_store_fault(answer: object) -> bool:
    """Say if the store failed to answer about an entry, rather than that there is none."""
    return isinstance(answer, BaseException) and not isinstance(
        answer, (*_ABSENT_ERRORS, EntryRefusedError)
    )


def _get_max_bytes(name: str) -> int:
    return _MOST_OF_LARGE if _is_large(name) else _MOST_BYTES


def _get_timeout(number: int) -> float:
    return _SECONDS + number / _SLOWEST


def _get_file_system_options(address: str) -> dict[str, Any]:
    """Return options for a file system that keep it from waiting long, unless the user sets
    them."""
    from fsspec.config import conf  # noqa: PLC0415 - only where a store is named

    protocol = address.partition("://")[0]
    if protocol in {"s3", "s3a"} and "config_kwargs" not in conf.get(protocol, {}):
        return {"config_kwargs": {
            "connect_timeout": 5, "read_timeout": 20, "max_pool_connections": 64,
            "retries": {"max_attempts": 1},
        }}  # fmt: skip
    return {}
