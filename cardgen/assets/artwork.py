"""Pictures of a game: found by address, inspected once, remembered by their content.

Warnings and errors about a picture are phrases that follow its name.
"""

from __future__ import annotations

import difflib
import hashlib
import html
import re
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Any
from urllib.parse import quote, unquote, urljoin
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

from cardgen.assets import rasters, svg_reader
from cardgen.assets.font_files import FontSet
from cardgen.core import work_limits
from cardgen.core.problems import shorten
from cardgen.core.work_limits import LimitExceededError
from cardgen.game import fonts_file
from cardgen.runtime import content_store, game_files
from cardgen.runtime.content_store import Store, digest_parts

INSPECTIONS_KIND, RASTERS_KIND = "looks", "rasters"
_RULE_FILES = ("artwork.py", "rasters.py", "svg_checks.py", "svg_painting.py", "svg_reader.py",
               "svg_text.py")  # fmt: skip
_MAX_SIDE_PX = 100_000.0


@dataclass(frozen=True)
class ArtInspection:
    """Result of inspecting a picture.

    `width` and `height` in CSS px. `replacement` is the file to print instead, None if the
    picture prints correctly. `cache_name` is the name of the store entry.
    """

    width: float
    height: float
    warnings: tuple[str, ...]
    replacement: Path | None
    cache_name: str


NOT_INSPECTED = ArtInspection(0, 0, (), None, "")


def inspect_picture(
    data: bytes, store: Store, *, vector: bool, root: Path | None = None
) -> ArtInspection:
    """Return the inspection of a picture, from the store if possible. The text of a drawing is
    set in the fonts of the game at `root`.

    Raises `ValueError` for an unusable picture, which is not cached.
    """
    digest = hashlib.sha256(data).hexdigest()
    fonts = _read_text_fonts(root, store) if root and vector and b"text" in data else None
    name = digest_parts([
        _digest_rules(), digest, "svg" if vector else "raster",
        *([fonts.text_digest] if fonts else []),
    ])  # fmt: skip
    path = store.get_path(INSPECTIONS_KIND, f"{name}.json")
    store_ = _parse_inspection(store.read_json(path), name, store)
    if store_ is None:
        found, ready = _inspect_svg(data, fonts) if vector else _inspect_raster(data)
        if not all(0 < side <= _MAX_SIDE_PX for side in found[:2]):
            raise ValueError(f"is more than {_MAX_SIDE_PX:.0f} pixels wide or high")
        if ready is not None:
            store.write(store.get_path(RASTERS_KIND, name), ready)
        store.write_json(path, found)
        width, height, remarks, _ = found
        replacement = store.get_path(RASTERS_KIND, name) if ready else None
        return ArtInspection(width, height, tuple(remarks), replacement, name)
    return store_


def _read_text_fonts(root: Path, store: Store) -> FontSet:
    from cardgen.assets import svg_text  # noqa: PLC0415 - a typesetter, for text in drawings only

    return svg_text.read_text_fonts(root, store)


@lru_cache(maxsize=1)
def _digest_rules() -> str:
    """Return the digest of the modules that inspect pictures; a new version inspects again."""
    return digest_parts(game_files.read_file(Path(__file__).parent / name) for name in _RULE_FILES)


def _parse_inspection(found: Any, name: str, store: Store) -> ArtInspection | None:
    """Return the inspection from its JSON values, or None if it must be made anew."""
    try:
        width, height, remarks, replaced = found
        size = float(width), float(height)
        warnings = tuple(str(remark) for remark in remarks)
    except (TypeError, ValueError):
        return None
    ready = store.get_path(RASTERS_KIND, name) if replaced else None
    right = all(0 < side <= _MAX_SIDE_PX for side in size) and (
        ready is None or store.has_entry(ready)
    )
    return ArtInspection(*size, warnings, ready, name) if right else None


def _inspect_raster(data: bytes) -> tuple[Any, bytes | None]:
    try:
        found = rasters.examine_raster(data)
    except rasters.UnusableRasterError as error:
        raise ValueError(str(error)) from None
    values = [found.width, found.height, list(found.warnings), found.replacement is not None]
    return values, found.replacement


def _inspect_svg(data: bytes, fonts: FontSet | None) -> tuple[Any, bytes | None]:
    from cardgen.assets import svg_checks, svg_painting  # noqa: PLC0415 - with fontTools

    tree = svg_reader.parse_svg(data)
    unpainted: frozenset[Element] = frozenset()
    if str(tree.tag).endswith("svg"):
        unpainted = svg_painting.find_unpainted(tree)
    outlined = fonts is not None and _outline_texts(tree, unpainted, fonts)
    for element in tree.iter():
        _check_references(element, is_painted=element not in unpainted)
    if not str(tree.tag).endswith("svg"):
        raise ValueError("is no SVG")
    width, height = svg_reader.read_size(tree)
    try:
        remarks = svg_checks.check(tree, unpainted)
    except svg_checks.UndrawableSvgError as error:
        raise ValueError(str(error)) from None
    replacement = ElementTree.tostring(tree) if outlined else None
    return [width, height, list(remarks), outlined], replacement


def _outline_texts(tree: Element, unpainted: frozenset[Element], fonts: FontSet) -> bool:
    from cardgen.assets import svg_text  # noqa: PLC0415

    return svg_text.outline_texts(tree, unpainted, fonts)


def _check_references(element: Element, *, is_painted: bool) -> None:
    tag = str(element.tag).rpartition("}")[2]
    if tag == "text" and is_painted:
        words = " ".join("".join(element.itertext()).split())
        raise ValueError(
            f"has the <text> '{words[:30]}', which is not drawn; make it a path (Inkscape: Path > "
            "Object to Path), or let the card print it"
        )
    if tag == "script" or (tag == "foreignObject" and is_painted):
        raise ValueError(f"has a <{tag}>, which is not drawn here")
    for key, value in element.attrib.items():
        target = value.strip()
        outside = key.rpartition("}")[2] == "href" and not target.startswith(("#", "data:image/"))
        if outside or re.search(r"url\(\s*[\"']?(?!#|[\"']?#)", target):
            raise ValueError(f"refers to {target[:60]}, outside itself")
    if tag == "style" and re.search(r"@import|url\(\s*[\"']?(?!#)", element.text or ""):
        raise ValueError("refers outside itself in its <style>")


BASE_URL = "http://game/"
"""Base URL of a face's HTML. No request is ever sent: the fetcher maps it to the game folder."""

INVALID_PREFIX = "invalid:"
"""Scheme of an address that cannot be parsed."""
MAX_BYTES = 40_000_000
_DEFAULT_SIDE_PX = 300.0
_ART_FOLDERS = ("art/", "drawn/")
_PICTURE_SUFFIXES = (".svg", ".png", ".jpg", ".jpeg", ".webp", ".avif")
_MAX_SIBLINGS = 4
"""Maximum number of pictures inspected to guess the size of a missing one."""


@dataclass(frozen=True)
class Art:
    """A usable picture.

    `width` and `height` in CSS px; `digest` is the SHA-256 of its bytes, of a drawing with text
    that of its conversion. `in_store` is true for
    a drawing made by a template. A picture that is `missing` is a placeholder for one that
    cannot be used.
    """

    name: str
    path: Path
    vector: bool
    width: float
    height: float
    digest: str
    in_store: bool = False
    inspection: ArtInspection = NOT_INSPECTED
    missing: bool = False
    is_icon: bool = False
    """True for the picture of a coloured icon that a book prints."""


class UnusableArtError(Exception):
    """A picture that cannot be used; the message says why."""


def resolve_address(written: str) -> str:
    """Return the absolute URL of an address, relative to `BASE_URL`."""
    plain = html.unescape(written)
    try:
        return urljoin(BASE_URL, plain)
    except ValueError:  # such as //[::1
        return plain if re.match(r"[A-Za-z][\w.+-]*:", plain) else make_invalid_address(plain)


_FONT_SUFFIXES = (".woff2", ".woff", ".ttf", ".otf")


def make_invalid_address(written: str) -> str:
    """Return a URL that no request can follow and that quotes the invalid address."""
    return INVALID_PREFIX + quote(written, safe="")


def load_by_address(root: Path, written: str) -> Art:
    """Return the picture an address in a template or stylesheet refers to.

    Raises `UnusableArtError`.
    """
    name = unquote(resolve_address(written).removeprefix(BASE_URL))
    if not name.startswith("art/"):
        raise UnusableArtError(
            f"'{shorten(written, 60)}' is not read; {_suggest_picture(written, root)}"
        )
    return load_art(root, name)


def make_stand_in(root: Path, written: str) -> Art | None:
    """Return a placeholder for a picture that cannot be used, or None if it is no picture.

    It is as large as another picture of its folder, which is likely of the same kind, or a
    square.
    """
    name = unquote(resolve_address(written).removeprefix(BASE_URL))
    if not name.startswith(_ART_FOLDERS) and not get_file_name(written).endswith(_PICTURE_SUFFIXES):
        return None
    folder = name.rpartition("/")[0]
    width = height = _DEFAULT_SIDE_PX
    if name.startswith("art/"):
        beside = game_files.list_files(root, folder, *_PICTURE_SUFFIXES, deep=False)
        for other in beside[:_MAX_SIBLINGS]:
            with suppress(UnusableArtError):
                found = load_art(root, other)
                width, height = found.width, found.height
                break
    digest = digest_parts(["missing", name, f"{width:g}x{height:g}"])
    return Art(name, root / folder, True, width, height, digest, missing=True)


def _suggest_picture(written: str, root: Path) -> str:
    """Return a hint at a picture of the same file name in the game's art/."""
    file = get_file_name(written)
    for name in game_files.list_files(root, "art") if file else ():
        if name.rpartition("/")[2].casefold() == file:
            return f"did you mean '{name}'?"
    return suggest_location(written)


def suggest_location(written: str) -> str:
    """Return a hint at where files such as the one at this address belong."""
    if "fonts.g" in written or get_file_name(written).endswith(_FONT_SUFFIXES):
        return "fonts are declared in fonts/fonts.yaml, with the npm package that brings them"
    if get_file_name(written).endswith(".css"):
        return "stylesheets are files of templates/, named in the deck's styles"
    return "pictures come from the game's art/, nothing from elsewhere"


def get_file_name(written: str) -> str:
    """Return the last part of an address, in lower case."""
    return re.split(r"[/\\]", written)[-1].strip("“”„‘’\"' ").casefold()


def load_art(root: Path, name: str) -> Art:
    """Return the picture of that name, such as art/loot/school.svg. Raises `UnusableArtError`."""
    if not name.startswith("art/"):
        raise UnusableArtError(f"{name} leads out of the game folder")
    try:
        path = game_files.find_file(root, name)
        fonts = game_files.stamp_file(root / fonts_file.FONTS_FILE)
        stamp = (*game_files.stamp_file(path), *fonts)
        found = _load_cached(root, path, name, stamp)
        ready = found.inspection.replacement if isinstance(found, Art) else None
        if ready and not Store(root / content_store.STORE_FOLDER).has_entry(ready):
            _load_cached.cache_clear()  # its conversion was damaged and removed
            found = _load_cached(root, path, name, stamp)
    except game_files.MissingFileError as error:
        raise UnusableArtError(f"{name} {error}{_suggest_similar(name, root)}") from None
    except game_files.UnreadableError as error:
        raise UnusableArtError(f"{name} {error}") from None
    if isinstance(found, str):
        raise UnusableArtError(found)
    return found


def read_art(art: Art) -> bytes:
    """Return the bytes of a picture's own file. Raises `FileChangedError` if it changed
    since it was inspected."""
    try:
        if art.in_store:
            data = content_store.read_entry(art.path)
        else:
            data = game_files.read_file(art.path, MAX_BYTES)
    except game_files.UnreadableError:
        data = b""
    if hashlib.sha256(data).hexdigest() != art.digest:
        raise game_files.FileChangedError(art.name)
    return data


def read_printable(art: Art) -> bytes:
    """Return the bytes to print: the picture, or its conversion to a printable format."""
    replacement = art.inspection.replacement
    return content_store.read_entry(replacement) if replacement else read_art(art)


@lru_cache(maxsize=4096)
def _load_cached(root: Path, path: Path, name: str, _stamp: tuple[int, ...]) -> Art | str:
    """Return the picture, or the message why it cannot be used. Cached by the file's stat."""
    try:
        with work_limits.work_limit(name):
            return _load_file(root, path, name)
    except LimitExceededError as error:
        return f"{name} cannot be read: {error}"
    except UnusableArtError as error:
        return str(error)


def _load_file(root: Path, path: Path, name: str) -> Art:
    vector = path.suffix.lower() == ".svg"
    data = game_files.read_file(path, MAX_BYTES)
    return _inspect_art(
        Art(name, path, vector, 0, 0, ""), data, Store(root / content_store.STORE_FOLDER), root
    )


def load_drawing(name: str, path: Path, template: str, store_: Store, root: Path) -> Art:
    """Return the drawing a template of the game at `root` made, stored at `path`.

    Raises `UnusableArtError`.
    """
    data = content_store.read_entry(path)
    try:
        with work_limits.work_limit(name):
            return _inspect_art(Art(name, path, True, 0, 0, "", in_store=True), data, store_, root)
    except LimitExceededError as error:
        raise UnusableArtError(f"what {template} draws cannot be read: {error}") from None
    except UnusableArtError as error:
        raise UnusableArtError(str(error).replace(name, f"what {template} draws", 1)) from None


def _inspect_art(art: Art, data: bytes, store_: Store, root: Path) -> Art:
    """Return the picture with its size, digest and inspection."""
    try:
        inspection = inspect_picture(data, store_, vector=art.vector, root=root)
    except ValueError as error:
        raise UnusableArtError(f"{art.name} {error}") from None
    if art.vector and inspection.replacement:  # depends on the fonts, too
        data = content_store.read_entry(inspection.replacement)
    digest = hashlib.sha256(data).hexdigest()
    return replace(
        art, width=inspection.width, height=inspection.height, digest=digest, inspection=inspection
    )


def _suggest_similar(name: str, root: Path) -> str:
    """Return a hint at two pictures of the same name, or at one of a similar name."""
    tail = f"/{name.removeprefix('art/')}".casefold()
    same = [file for file in game_files.list_files(root, "art") if file.casefold().endswith(tail)]
    if len(same) > 1:
        return f"; write which one is meant, '{same[0]}' or '{same[1]}'"
    known = {
        file.removeprefix("art/").rpartition(".")[0]: file
        for file in game_files.list_files(root, "art")
        if "." in file
    }
    bare = name.removeprefix("art/").rpartition(".")[0]
    close = difflib.get_close_matches(bare, known, n=1, cutoff=0.7)
    return f"; did you mean '{known[close[0]]}'?" if close else ""
