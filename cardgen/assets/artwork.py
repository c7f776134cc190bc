"""Pictures of a game: found by their addresses, and looked at."""

from __future__ import annotations

import difflib
import hashlib
import html
import re
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from unicodedata import normalize
from urllib.parse import quote, unquote, urljoin

from cardgen.assets import looks
from cardgen.assets.looks import UNSEEN, Look
from cardgen.base import guard, paths, store
from cardgen.base.guard import Stopped
from cardgen.base.store import Store, digest_of

BASE_URL = "http://game/"
"""What a face's HTML is relative to. No such host is ever asked: see pdf/typeset.py."""

NOWHERE = "invalid:"
"""What an address begins with that leads nowhere."""
MAX_BYTES = 40_000_000
_USUAL_PX = 300.0
_OWN = ("art/", "drawn/")
_PICTURES = (".svg", ".png", ".jpg", ".jpeg", ".webp", ".avif")
_MOST_BESIDE = 4
"""So many pictures are looked at to learn how large another may be."""


@dataclass(frozen=True)
class Art:
    """A picture that can be used. `width` and `height` in CSS px; `digest` of its bytes.

    `kept` tells that it lies in the store: a template made it. One that is `missing` cannot be
    used, and holds the place of what was meant.
    """

    name: str
    path: Path
    vector: bool
    width: float
    height: float
    digest: str
    kept: bool = False
    seen: Look = UNSEEN
    missing: bool = False


class Unusable(Exception):  # noqa: N818 - it reads as what it says
    """A picture that cannot be used; the message says why."""


def address(written: str) -> str:
    """What an address means to the typesetter, which knows the game folder as `BASE_URL`."""
    plain = html.unescape(written)
    try:
        return urljoin(BASE_URL, plain)
    except ValueError:  # such as //[::1
        return plain if re.match(r"[A-Za-z][\w.+-]*:", plain) else nowhere(plain)


_FONTS = (".woff2", ".woff", ".ttf", ".otf")


def nowhere(written: str) -> str:
    """An address in the place of one that cannot be parsed, which it tells."""
    return NOWHERE + quote(written, safe="")


def named(root: Path, written: str) -> Art:
    """The picture that an address in a template or stylesheet means. Raises `Unusable`."""
    name = unquote(address(written).removeprefix(BASE_URL))
    if not name.startswith("art/"):
        raise Unusable(f"'{written}' is not read; {_instead(written, root)}")
    return look(root, name)


def stand_in(root: Path, written: str) -> Art | None:
    """What holds the place of a picture that cannot be used: as large as the one beside it in its
    folder, which is likely to be of its kind, or a square. None for an address that is of no
    picture, such as a font's."""
    name = unquote(address(written).removeprefix(BASE_URL))
    if not name.startswith(_OWN) and not file_of(written).endswith(_PICTURES):
        return None
    folder = name.rpartition("/")[0]
    width = height = _USUAL_PX
    if name.startswith("art/"):
        beside = paths.listed(root, folder, *_PICTURES, deep=False)
        for other in beside[:_MOST_BESIDE]:
            with suppress(Unusable):
                found = look(root, other)
                width, height = found.width, found.height
                break
    digest = digest_of(["missing", name, f"{width:g}x{height:g}"])
    return Art(name, root / folder, True, width, height, digest, missing=True)


def _instead(written: str, root: Path) -> str:
    """What to write for a picture that is not looked for: one of that name in the game's art/."""
    file = file_of(written)
    for name in paths.listed(root, "art") if file else ():
        if name.rpartition("/")[2].casefold() == file:
            return f"did you mean '{name}'?"
    return instead(written)


def instead(written: str) -> str:
    """What to write for an address that is not read."""
    if "fonts.g" in written or file_of(written).endswith(_FONTS):
        return "fonts are declared in fonts/fonts.yaml, with the npm package that brings them"
    if file_of(written).endswith(".css"):
        return "stylesheets are files of templates/, named in the deck's styles"
    return "pictures come from the game's art/, nothing from elsewhere"


def file_of(written: str) -> str:
    """The last part of an address, in small letters."""
    return re.split(r"[/\\]", written)[-1].strip("“”„‘’\"' ").casefold()


def look(root: Path, name: str) -> Art:
    """The picture of that name, such as art/loot/school.svg. Raises `Unusable`."""
    if not name.startswith("art/"):
        raise Unusable(f"{name} leads out of the game folder")
    try:
        path = paths.find(root, name)
        found = _read(root, path, name, paths.stamp(path))
        ready = found.seen.ready if isinstance(found, Art) else None
        if ready and not Store(root / store.FOLDER).has(ready):
            _read.cache_clear()  # what was made of the picture was damaged, and went
            found = _read(root, path, name, paths.stamp(path))
    except paths.Missing as error:
        raise Unusable(f"{name} {error}{_near(name, root)}") from None
    except paths.Unreadable as error:
        raise Unusable(f"{name} {error}") from None
    if isinstance(found, str):
        raise Unusable(found)
    return found


def data_of(art: Art) -> bytes:
    """The bytes of a picture that was looked at. Raises `Changed` when they are others by now."""
    try:
        data = store.read(art.path) if art.kept else paths.read(art.path, MAX_BYTES)
    except paths.Unreadable:
        data = b""
    if hashlib.sha256(data).hexdigest() != art.digest:
        raise paths.Changed(art.name)
    return data


def printed(art: Art) -> bytes:
    """The file that is printed: the picture, or what was made of it to come out right."""
    return store.read(art.seen.ready) if art.seen.ready else data_of(art)


@lru_cache(maxsize=4096)
def _read(root: Path, path: Path, name: str, _stamp: tuple[int, ...]) -> Art | str:
    """The picture, or why it cannot be used: many faces ask for one, and it is told once."""
    try:
        with guard.at(name):
            return _looked_at(root, path, name)
    except Stopped as error:
        return f"{name} cannot be read: {error}"
    except Unusable as error:
        return str(error)


def _looked_at(root: Path, path: Path, name: str) -> Art:
    vector = path.suffix.lower() == ".svg"
    data = paths.read(path, MAX_BYTES)
    return _art(Art(name, path, vector, 0, 0, ""), data, Store(root / store.FOLDER))


def drawn(name: str, path: Path, template: str, kept: Store) -> Art:
    """A drawing that a template made, lying at `path`. Raises `Unusable`, as for a file."""
    data = store.read(path)
    try:
        with guard.at(name):
            return _art(Art(name, path, True, 0, 0, "", kept=True), data, kept)
    except Stopped as error:
        raise Unusable(f"what {template} draws cannot be read: {error}") from None
    except Unusable as error:
        raise Unusable(str(error).replace(name, f"what {template} draws", 1)) from None


def _art(art: Art, data: bytes, kept: Store) -> Art:
    """The picture with what is seen of it."""
    try:
        seen = looks.look(data, kept, vector=art.vector)
    except ValueError as error:
        raise Unusable(f"{art.name} {error}") from None
    digest = hashlib.sha256(data).hexdigest()
    return replace(art, width=seen.width, height=seen.height, digest=digest, seen=seen)


def _near(name: str, root: Path) -> str:
    """A picture of a name much like it; what all names share does not count."""
    known = {
        file.removeprefix("art/").rpartition(".")[0]: file
        for file in paths.listed(root, "art")
        if "." in file
    }
    for file in known.values():
        if file != name and normalize("NFC", file) == normalize("NFC", name):
            return "; a file has that name with letters that only look alike: type it anew"
    bare = name.removeprefix("art/").rpartition(".")[0]
    close = difflib.get_close_matches(bare, known, n=1, cutoff=0.7)
    return f"; did you mean '{known[close[0]]}'?" if close else ""
