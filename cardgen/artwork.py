"""Pictures of a game: found, looked at, and refused where they could do harm.

SVG may refer to nothing outside itself; it declares its size by width and height or by viewBox
(CSS px, 96 to the inch). Raster pictures are bounded in pixels.
"""

from __future__ import annotations

import difflib
import hashlib
import html
import re
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from urllib.parse import unquote, urljoin
from xml.etree import ElementTree

from PIL import Image

from cardgen import paths

BASE_URL = "http://game/"
"""What a face's HTML is relative to. No such host is ever asked: see pdf/typeset.py."""

MAX_PIXELS = 50_000_000
MAX_BYTES = 40_000_000
_REFERENCE = re.compile(
    r"""(?:(?<![\w-])src\s*=\s*|url\(\s*)(?:"([^"<>]+)"|'([^'<>]+)'|([^"')\s>]+))"""
)
_LENGTH = re.compile(r"\s*(\d+(?:\.\d+)?)\s*(mm|cm|in|pt|px)?\s*\Z")
_PX_PER = {"mm": 96 / 25.4, "cm": 96 / 2.54, "in": 96.0, "pt": 96 / 72, "px": 1.0, "": 1.0}


@dataclass(frozen=True)
class Art:
    """A picture that can be used. `width` and `height` in CSS px; `digest` of its bytes."""

    name: str
    path: Path
    vector: bool
    width: float
    height: float
    digest: str


class Unusable(Exception):  # noqa: N818 - it reads as what it says
    """A picture that cannot be used; the message says why."""


def references(html_or_css: str) -> list[str]:
    """The addresses of pictures in a face's HTML or a stylesheet, as written, each once."""
    found = ("".join(groups) for groups in _REFERENCE.findall(html_or_css))
    return list(dict.fromkeys(found))


def address(written: str) -> str:
    """What an address means to the typesetter, which knows the game folder as `BASE_URL`."""
    return urljoin(BASE_URL, html.unescape(written))


def named(root: Path, written: str) -> Art:
    """The picture that an address in a template or stylesheet means. Raises `Unusable`."""
    name = unquote(address(written).removeprefix(BASE_URL))
    if not name.startswith("art/"):
        raise Unusable(
            f"'{written}' is not read; pictures come from the game's art/, nothing from elsewhere"
        )
    return look(root, name)


def look(root: Path, name: str) -> Art:
    """The picture of that name, such as art/loot/school.svg. Raises `Unusable`."""
    path = paths.inside(root, name)
    if path is None or not name.startswith("art/"):
        raise Unusable(f"{name} leads out of the game folder")
    if not path.is_file():
        raise Unusable(f"{name} is missing{_near(name, root.resolve())}")
    status = path.stat()
    if status.st_size > MAX_BYTES:
        raise Unusable(f"{name} is larger than {MAX_BYTES // 1_000_000} MB")
    return _read(path, name, status.st_mtime_ns, status.st_size)


@lru_cache(maxsize=4096)
def _read(path: Path, name: str, _changed: int, _size: int) -> Art:
    data = path.read_bytes()
    digest = hashlib.sha256(data).hexdigest()
    if path.suffix.lower() == ".svg":
        width, height = _look_at_svg(name, data)
        return Art(name, path, True, width, height, digest)
    try:
        with Image.open(path) as image:
            width, height = image.size
            if width * height > MAX_PIXELS:
                raise Unusable(f"{name} has more than {MAX_PIXELS // 1_000_000} million pixels")
            image.verify()
    except Unusable:
        raise
    except Exception as error:
        reason = str(error).partition("<")[0].partition("'/")[0].strip()
        raise Unusable(f"{name} cannot be read: {reason or type(error).__name__}") from None
    return Art(name, path, False, width, height, digest)


def drawn(name: str, path: Path, template: str) -> Art:
    """A drawing that a template made, lying at `path`. Raises `Unusable`, as for a file."""
    data = path.read_bytes()
    width, height = _look_at_svg(f"what {template} draws", data)
    return Art(name, path, True, width, height, hashlib.sha256(data).hexdigest())


def _near(name: str, root: Path) -> str:
    """A picture of a name much like it; what all names share does not count."""
    known = {
        file.relative_to(root / "art").with_suffix("").as_posix(): file.relative_to(root).as_posix()
        for file in _files(root)
    }
    bare = name.removeprefix("art/").rpartition(".")[0]
    close = difflib.get_close_matches(bare, known, n=1, cutoff=0.7)
    return f"; did you mean '{known[close[0]]}'?" if close else ""


def _files(root: Path) -> tuple[Path, ...]:
    return tuple(sorted(path for path in (root / "art").rglob("*.*") if path.is_file()))


def _look_at_svg(name: str, data: bytes) -> tuple[float, float]:
    if b"<!DOCTYPE" in data or b"<!ENTITY" in data:
        raise Unusable(f"{name} has a DOCTYPE; take it out")
    try:
        tree = ElementTree.fromstring(data)
    except ElementTree.ParseError as error:
        raise Unusable(f"{name} cannot be read: {error}") from None
    for element in tree.iter():
        _refuse_outside(name, element)
    if not str(tree.tag).endswith("svg"):
        raise Unusable(f"{name} is no SVG")
    box = [float(part) for part in re.findall(r"[-+.\deE]+", tree.get("viewBox", ""))]
    width, height = (_px(tree.get(key, "")) for key in ("width", "height"))
    if len(box) == 4:
        width, height = width or box[2], height or box[3]
    if not width or not height:
        raise Unusable(f"{name} has neither width and height nor a viewBox")
    return width, height


def _refuse_outside(name: str, element: ElementTree.Element) -> None:
    tag = str(element.tag).rpartition("}")[2]
    if tag == "text":
        raise Unusable(
            f"{name} has a <text>, which is not drawn; make it a path, or let the template print it"
        )
    if tag in {"script", "foreignObject"}:
        raise Unusable(f"{name} has a <{tag}>, which is not drawn here")
    for key, value in element.attrib.items():
        target = value.strip()
        outside = key.rpartition("}")[2] == "href" and not target.startswith(("#", "data:image/"))
        if outside or re.search(r"url\(\s*[\"']?(?!#|[\"']?#)", target):
            raise Unusable(f"{name} refers to {target[:60]}, outside itself")
    if tag == "style" and re.search(r"@import|url\(\s*[\"']?(?!#)", element.text or ""):
        raise Unusable(f"{name} refers outside itself in its <style>")


def _px(length: str) -> float:
    match = _LENGTH.match(length)
    return float(match[1]) * _PX_PER[match[2] or ""] if match else 0.0
