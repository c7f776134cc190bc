"""Download of published tables into files of the game, at the user's command only.

Only Google Sheets by HTTPS, and its download servers. A game may come from a stranger: each address
is checked, also after redirects, and nothing but the address is sent.
"""

from __future__ import annotations

import codecs
import hashlib
import http.client
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any
from urllib import request
from urllib.error import HTTPError, URLError
from urllib.parse import parse_qs, urlencode, urlsplit, urlunsplit

from cardgen.core.problems import Problem, Source
from cardgen.game import card_tables
from cardgen.game.keys import load_yaml, report_to
from cardgen.runtime import game_files, safe_files
from cardgen.runtime.content_store import STORE_FOLDER, Store, digest_parts

HOST, _SIGN_IN = "docs.google.com", "accounts.google.com"
_REDIRECT_HOST = ".googleusercontent.com"
_STORE_KIND = "fetched"
MAX_TABLES = 50
MAX_FETCH_BYTES = 4_000_000
CHUNK_BYTES = 1 << 16
_SILENCE, _WHOLE = 20.0, 60.0
"""Seconds that a server may be silent, and seconds that a download may take."""
_PUBLISH_HINT = "publish it: in the sheet, File → Share → Publish to the web, as CSV"
_ADDRESS_HINT = f"an address such as https://{HOST}/spreadsheets/d/e/…/pub?output=csv"


class FetchError(Exception):
    """A table is not fetched or not written; the text says what to do."""


@dataclass(frozen=True)
class RemoteTable:
    """A table to fetch: its file in the game folder, the address of its CSV, and its place in a
    deck."""

    path: str
    address: str
    source: Source


def find_remote_tables(root: Path) -> tuple[list[RemoteTable], list[Problem]]:
    """Return every table with `from:` in the game's decks, and the problems found."""
    problems: list[Problem] = []
    found: dict[str, RemoteTable] = {}
    for table in _list_remote_tables(root, problems):
        try:
            made = RemoteTable(
                _get_target_path(table.file), make_csv_address(table.origin), table.source
            )
        except FetchError as error:
            problems.append(Problem(table.source, str(error), "fetch"))
            continue
        first = found.setdefault(made.path, made)
        if first.address != made.address:
            message = f"{made.path} comes from another address, too, at {first.source}"
            problems.append(Problem(table.source, message, "fetch"))
    if len(found) > MAX_TABLES:
        message = f"the game has {len(found)} tables to fetch; {MAX_TABLES} are allowed"
        problems.append(Problem(next(iter(found.values())).source, message, "bounds"))
        return [], problems
    return list(found.values()), problems


def _list_remote_tables(root: Path, problems: list[Problem]) -> Iterator[card_tables.CardTable]:
    for name in game_files.list_files(root, "cards", ".yaml", deep=False):
        node, file_problems = load_yaml(root, name)
        problems += file_problems
        if node is not None and node.get("deck") is not None:
            tables = card_tables.read_table_list(node.get("rows"), report_to(problems))
            yield from (each for each in tables if each.origin)


def _get_target_path(file: str) -> str:
    """Return the path of a table in the game folder, which is below cards/."""
    parts = file.split("/")
    plain = all(part and not part.startswith(".") for part in parts)
    if not plain or any(sign in file for sign in "\0\\:"):
        raise FetchError(f"'{file}' is not a path in cards/")
    if PurePosixPath(file).suffix.lower() != ".csv":
        raise FetchError(f"'{file}' cannot be fetched: what comes is CSV; call it …csv")
    return f"cards/{file}"


def make_csv_address(written: str) -> str:
    """Return the CSV address of a sheet from the address in the browser or of its publication.

    Raises `FetchError` if it is neither.
    """
    parts = urlsplit(_check_address(written))
    words = parts.path.strip("/").split("/")
    if words[:2] != ["spreadsheets", "d"] or len(words) < 3:
        raise FetchError(f"'{written}' is not a Google sheet; expected {_ADDRESS_HINT}")
    query = {key: values[-1] for key, values in parse_qs(parts.query).items()}
    gid = query.get("gid") or parse_qs(parts.fragment).get("gid", [""])[-1]
    chosen = {"gid": gid} if gid.isascii() and gid.isdigit() else {}
    if words[2] == "e" and len(words) > 3:
        path = f"/spreadsheets/d/e/{words[3]}/pub"
        query = {**chosen, **({"single": "true"} if chosen else {}), "output": "csv"}
    else:
        path = f"/spreadsheets/d/{words[2]}/export"
        query = {"format": "csv", **chosen}
    return urlunsplit(("https", HOST, path, urlencode(query), ""))


def _check_address(address: str, *, led_on: bool = False) -> str:
    """Return the address if it is allowed. Raises `FetchError` if not."""
    if foreign := next((sign for sign in address if not "!" <= sign <= "~"), ""):
        raise FetchError(
            f"{foreign!r} cannot stand in an address; copy '{address}' from the browser once more"
        )
    try:
        parts = urlsplit(address)
        host, port = parts.hostname or "", parts.port
    except ValueError:
        raise FetchError(f"'{address}' is not an address") from None
    if led_on and host == _SIGN_IN:
        raise FetchError(f"it asks to sign in; {_PUBLISH_HINT}")
    known = host == HOST or (led_on and host.endswith(_REDIRECT_HOST))
    bare = parts.username is None and parts.password is None and port in (None, 443)
    if parts.scheme != "https" or not known or not bare:
        led = "it leads on to " if led_on else ""
        raise FetchError(f"{led}'{address}'; only addresses at https://{HOST} can be fetched")
    return address


class _CheckedRedirects(request.HTTPRedirectHandler):
    """Follows redirects to addresses that are allowed."""

    def redirect_request(  # noqa: PLR0913, PLR0917 - as the library calls it
        self, req: request.Request, fp: Any, code: int, msg: str, headers: Any, newurl: str
    ) -> request.Request | None:
        _check_address(newurl, led_on=True)
        return super().redirect_request(req, fp, code, msg, headers, newurl)


def make_opener(https: request.BaseHandler | None = None) -> request.OpenerDirector:
    """Return an opener for HTTPS only, through the user's proxy if there is one. `https` replaces
    the network in tests."""
    made = request.OpenerDirector()
    made.addheaders = [("User-Agent", "cardgen")]
    for handler in (
        request.ProxyHandler(), https or request.HTTPSHandler(), request.UnknownHandler(),
        request.HTTPDefaultErrorHandler(), _CheckedRedirects(), request.HTTPErrorProcessor(),
    ):  # fmt: skip
        made.add_handler(handler)
    return made


def fetch_table(address: str, ask: request.OpenerDirector) -> bytes:
    """Return the CSV at an address. Raises `FetchError`."""
    try:
        with ask.open(address, timeout=_SILENCE) as answer:
            kind = answer.headers.get_content_type()
            data = b"".join(_read_chunks(answer))
    except HTTPError as error:
        error.close()
        raise FetchError(_describe_status(error.code)) from None
    except TimeoutError:
        raise FetchError(f"{HOST} says nothing for {_SILENCE:g} s; try again") from None
    except URLError as error:
        late = isinstance(error.reason, TimeoutError)
        why = f"says nothing for {_SILENCE:g} s" if late else f"cannot be asked: {error.reason}"
        raise FetchError(f"{HOST} {why}") from None
    except (http.client.HTTPException, OSError) as error:
        raise FetchError(f"{HOST} cannot be asked: {error or type(error).__name__}") from None
    return _check_csv(data, kind)


def _read_chunks(answer: Any) -> Iterator[bytes]:
    """Yield data as it arrives; reading whole chunks would wait for a slow server."""
    size, until = 0, time.monotonic() + _WHOLE
    while part := answer.read1(CHUNK_BYTES):
        size += len(part)
        if size > MAX_FETCH_BYTES:
            raise FetchError(f"the sheet is larger than {MAX_FETCH_BYTES // 1_000_000} MB")
        if time.monotonic() > until:
            raise FetchError(f"{HOST} takes longer than {_WHOLE:g} s; try again")
        yield part


def _describe_status(code: int) -> str:
    if code in {401, 403}:
        return f"it may not be seen ({code}); {_PUBLISH_HINT}"
    if code in {404, 410}:
        return f"there is no such sheet ({code}); is the address complete?"
    return f"{HOST} answers {code}; try again"


def _check_csv(data: bytes, kind: str) -> bytes:
    """Return the data if it is a table. Raises `FetchError` if not."""
    text = data.removeprefix(codecs.BOM_UTF8).lstrip()
    if kind in {"text/html", "application/xhtml+xml"} or text[:1] == b"<":
        raise FetchError(f"it is a web page and no table; {_PUBLISH_HINT}")
    try:
        data.decode()
    except UnicodeDecodeError:
        raise FetchError(f"it is not UTF-8 text, as CSV is; {_PUBLISH_HINT}") from None
    if b"\0" in data:
        raise FetchError(f"it is not text, as CSV is; {_PUBLISH_HINT}")
    if not text:
        raise FetchError("the sheet is empty")
    return data


def write_table(root: Path, path: str, data: bytes, *, force: bool = False) -> str:
    """Write fetched data into the game and return `new`, `changed` or `unchanged`.

    Raises `FetchError` where the file was edited since the last fetch, unless `force` is set.
    """
    *above, _ = PurePosixPath(path).parts
    safe_files.ensure_folder(root, above)
    safe_files.ensure_folder(root, PurePosixPath(STORE_FOLDER).parts[:1])
    safe_files.check_target(root, path)
    entries = Store(root / STORE_FOLDER)
    entry = entries.get_path(_STORE_KIND, f"{digest_parts([path])}.json")
    try:
        before = safe_files.read_plain_file(root, path, MAX_FETCH_BYTES)
    except game_files.MissingFileError:
        before = None
    except game_files.UnreadableError as error:
        raise FetchError(f"{path} {error}") from None
    if before not in (None, data) and not force and entries.read_json(entry) != _hash_bytes(before):
        raise FetchError(
            f"{path} is not as it was fetched; --force writes over what was changed here"
        )
    if before != data:
        safe_files.replace_file(root / path, data)
    entries.write_json(entry, _hash_bytes(data))
    return "new" if before is None else "unchanged" if before == data else "changed"


def _hash_bytes(data: bytes | None) -> str:
    return hashlib.sha256(data or b"").hexdigest()
