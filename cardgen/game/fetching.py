"""Tables fetched from where they are published, into files of the game; only when that is asked.

Google Sheets alone, by HTTPS, and what they hand over to. A game may come from a stranger: each
address is looked at, those that a server leads on to as well, and nothing but the address is sent.
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

from cardgen.base import filing, paths, yamlnodes
from cardgen.base.problems import Problem, Source
from cardgen.base.store import FOLDER, Store, digest_of
from cardgen.game import tables
from cardgen.game.reading import telling

HOST, _SIGN_IN = "docs.google.com", "accounts.google.com"
_HANDED_TO = ".googleusercontent.com"
_KIND = "fetched"
_MOST = 50
_MOST_BYTES = 4_000_000
_PART = 1 << 16
_SILENCE, _WHOLE = 20.0, 60.0
"""How long, in seconds, a server may say nothing, and how long it may take for all."""
_PUBLISH = "publish it: in the sheet, File → Share → Publish to the web, as CSV"
_LIKE = f"an address such as https://{HOST}/spreadsheets/d/e/…/pub?output=csv"


class Refused(Exception):  # noqa: N818 - it reads as what it says
    """Why a table is not fetched, or not written; the text tells what to do."""


@dataclass(frozen=True)
class Wanted:
    """A table to fetch: its file, below the game's folder, the address of its CSV, and where the
    deck says so."""

    path: str
    address: str
    source: Source


def wanted(root: Path) -> tuple[list[Wanted], list[Problem]]:
    """Every table of the game's decks that says where it comes `from:`, and what is wrong there."""
    problems: list[Problem] = []
    found: dict[str, Wanted] = {}
    for table in _tables(root, problems):
        try:
            made = Wanted(_place(table.file), address_of(table.origin), table.source)
        except Refused as error:
            problems.append(Problem(table.source, str(error), "fetch"))
            continue
        first = found.setdefault(made.path, made)
        if first.address != made.address:
            message = f"{made.path} comes from another address, too, at {first.source}"
            problems.append(Problem(table.source, message, "fetch"))
    if len(found) > _MOST:
        message = f"the game has {len(found)} tables to fetch; {_MOST} are the most"
        problems.append(Problem(next(iter(found.values())).source, message, "bounds"))
        return [], problems
    return list(found.values()), problems


def _tables(root: Path, problems: list[Problem]) -> Iterator[tables.Table]:
    for name in paths.listed(root, "cards", ".yaml", deep=False):
        text, why = paths.read_text(root, name)
        node, wrong = yamlnodes.load(text, name) if not why else (None, [])
        if why:
            wrong = [Problem(Source(name), f"the file {why}", "file")]
        problems += wrong
        if node is not None and node.get("deck") is not None:
            told = telling(problems)
            yield from (each for each in tables.named(node.get("rows"), told) if each.origin)


def _place(file: str) -> str:
    """Where a table is written, below the game's folder: somewhere in cards/."""
    parts = file.split("/")
    plain = all(part and not part.startswith(".") for part in parts)
    if not plain or any(sign in file for sign in "\0\\:"):
        raise Refused(f"'{file}' is no place in cards/")
    if PurePosixPath(file).suffix.lower() != ".csv":
        raise Refused(f"'{file}' cannot be fetched: what comes is CSV; call it …csv")
    return f"cards/{file}"


def address_of(written: str) -> str:
    """The address of a sheet's CSV, from that which the browser shows or that is published. Raises
    `Refused`."""
    parts = urlsplit(_checked(written))
    words = parts.path.strip("/").split("/")
    if words[:2] != ["spreadsheets", "d"] or len(words) < 3:
        raise Refused(f"'{written}' is no Google sheet; {_LIKE} is asked for")
    query = {key: values[-1] for key, values in parse_qs(parts.query).items()}
    gid = query.get("gid") or parse_qs(parts.fragment).get("gid", [""])[-1]
    chosen = {"gid": gid} if gid.isascii() and gid.isdigit() else {}
    if words[2] == "e" and len(words) > 3:
        path = f"/spreadsheets/d/e/{words[3]}/pub"
        asked = {**chosen, **({"single": "true"} if chosen else {}), "output": "csv"}
    else:
        path = f"/spreadsheets/d/{words[2]}/export"
        asked = {"format": "csv", **chosen}
    return urlunsplit(("https", HOST, path, urlencode(asked), ""))


def _checked(address: str, *, led_on: bool = False) -> str:
    """The address, if it is one that may be asked. Raises `Refused`."""
    try:
        parts = urlsplit(address)
        host, port = parts.hostname or "", parts.port
    except ValueError:
        raise Refused(f"'{address}' is no address") from None
    if led_on and host == _SIGN_IN:
        raise Refused(f"it asks to sign in; {_PUBLISH}")
    known = host == HOST or (led_on and host.endswith(_HANDED_TO))
    bare = parts.username is None and parts.password is None and port in (None, 443)
    if parts.scheme != "https" or not known or not bare:
        led = f"it leads on to '{address}'; " if led_on else f"'{address}' is not asked: "
        raise Refused(f"{led}only https://{HOST} is")
    return address


class _Redirects(request.HTTPRedirectHandler):
    """Follows where a server leads on to, as long as that may be asked, too."""

    def redirect_request(  # noqa: PLR0913, PLR0917 - as the library calls it
        self, req: request.Request, fp: Any, code: int, msg: str, headers: Any, newurl: str
    ) -> request.Request | None:
        _checked(newurl, led_on=True)
        return super().redirect_request(req, fp, code, msg, headers, newurl)


def opener(https: request.BaseHandler | None = None) -> request.OpenerDirector:
    """What asks for an address: HTTPS and nothing else, through the user's proxy if there is one.
    `https` stands in for the network."""
    made = request.OpenerDirector()
    made.addheaders = [("User-Agent", "cardgen")]
    for handler in (
        request.ProxyHandler(), https or request.HTTPSHandler(), request.UnknownHandler(),
        request.HTTPDefaultErrorHandler(), _Redirects(), request.HTTPErrorProcessor(),
    ):  # fmt: skip
        made.add_handler(handler)
    return made


def fetch(address: str, ask: request.OpenerDirector) -> bytes:
    """The CSV that lies at an address. Raises `Refused`."""
    try:
        with ask.open(address, timeout=_SILENCE) as answer:
            kind = answer.headers.get_content_type()
            data = b"".join(_parts(answer))
    except HTTPError as error:
        error.close()
        raise Refused(_of_status(error.code)) from None
    except TimeoutError:
        raise Refused(f"{HOST} says nothing for {_SILENCE:g} s; try again") from None
    except URLError as error:
        late = isinstance(error.reason, TimeoutError)
        why = f"says nothing for {_SILENCE:g} s" if late else f"cannot be asked: {error.reason}"
        raise Refused(f"{HOST} {why}") from None
    except (http.client.HTTPException, OSError) as error:
        raise Refused(f"{HOST} cannot be asked: {error or type(error).__name__}") from None
    return _table(data, kind)


def _parts(answer: Any) -> Iterator[bytes]:
    """What comes, as it comes: a read of a whole part would wait for a server that drips."""
    size, until = 0, time.monotonic() + _WHOLE
    while part := answer.read1(_PART):
        size += len(part)
        if size > _MOST_BYTES:
            raise Refused(f"the sheet is larger than {_MOST_BYTES // 1_000_000} MB")
        if time.monotonic() > until:
            raise Refused(f"{HOST} takes longer than {_WHOLE:g} s; try again")
        yield part


def _of_status(code: int) -> str:
    if code in {401, 403}:
        return f"it may not be seen ({code}); {_PUBLISH}"
    if code in {404, 410}:
        return f"there is no such sheet ({code}); is the address whole?"
    return f"{HOST} answers {code}; try again"


def _table(data: bytes, kind: str) -> bytes:
    """The bytes, if they are a table's."""
    text = data.removeprefix(codecs.BOM_UTF8).lstrip()
    if kind in {"text/html", "application/xhtml+xml"} or text[:1] == b"<":
        raise Refused(f"it is a web page and no table; {_PUBLISH}")
    try:
        data.decode()
    except UnicodeDecodeError:
        raise Refused(f"it is no text in UTF-8, as CSV is; {_PUBLISH}") from None
    if b"\0" in data:
        raise Refused(f"it is no text, as CSV is; {_PUBLISH}")
    if not text:
        raise Refused("the sheet is empty")
    return data


def put(root: Path, path: str, data: bytes, *, force: bool = False) -> str:
    """Write what was fetched into the game: `new`, `changed` or `unchanged`. Raises `Refused` where
    the file was changed here since it was last fetched, unless that does not matter."""
    *above, _ = PurePosixPath(path).parts
    filing.folder(root, above)
    filing.folder(root, PurePosixPath(FOLDER).parts[:1])
    filing.check(root, path)
    entries = Store(root / FOLDER)
    entry = entries.path(_KIND, f"{digest_of([path])}.json")
    try:
        before = filing.read(root, path, _MOST_BYTES)
    except paths.Missing:
        before = None
    except paths.Unreadable as error:
        raise Refused(f"{path} {error}") from None
    if before not in (None, data) and not force and entries.read_json(entry) != _digest(before):
        raise Refused(f"{path} is not as it was fetched; --force writes over what was changed here")
    if before != data:
        filing.put(root / path, data)
    entries.write_json(entry, _digest(data))
    return "new" if before is None else "unchanged" if before == data else "changed"


def _digest(data: bytes | None) -> str:
    return hashlib.sha256(data or b"").hexdigest()
