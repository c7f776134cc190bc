"""The rules that a Tabletop Simulator save keeps to, held against any save, ours or a stranger's.

The file is taken for hostile: its size, depth and number of objects are bounded, nothing is
fetched, and of the pictures it names only those in one folder are looked at, by their headers.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal
from urllib.parse import unquote, urlparse

from PIL import Image

from cardgen.base import jsontext, paths
from cardgen.base.jsontext import NotJson
from cardgen.base.units import is_whole
from cardgen.outputs.contract import LARGEST_SHEET_PX, SHEET_PX

MOST_BYTES = 100_000_000
MOST_DEPTH = 60
MOST_OBJECTS = 50_000
LARGEST_KEY = 21_474_836
MOST_COLUMNS, MOST_ROWS = 10, 7
_GUID = re.compile(r"[0-9a-f]{6}\Z")
_SHOWN = 60
_IMAGE_KEYS = ("ImageURL", "ImageSecondaryURL")
_DECKS, _CARDS = frozenset({"Deck", "DeckCustom"}), frozenset({"Card", "CardCustom"})
Json = dict[str, Any]


@dataclass(frozen=True, order=True)
class Finding:
    """What is wrong with an object, and which of the seven rules it breaks; 0 is the format."""

    where: str
    rule: int
    message: str
    severity: Literal["error", "warning"] = "error"

    def __str__(self) -> str:
        rule = f"rule {self.rule}" if self.rule else "form"
        return f"{self.severity}: {self.where}: {self.message} [{rule}]"


@dataclass(frozen=True)
class Checked:
    """A save that was looked at: what it holds, and how many of its pictures were there to see."""

    save: Json | None
    folder: Path
    findings: tuple[Finding, ...]
    objects: int = 0
    seen: int = 0
    unseen: int = 0

    def told(self, with_game: bool) -> str:
        """What was looked at, in words."""
        pictures = f"{self.seen} of {self.seen + self.unseen} pictures looked at"
        rules = "rules 1 to 7" if with_game else "rules 1 to 6 (7 needs --game)"
        return f"{self.objects} objects, {pictures}, {rules}"


def check(path: Path, folder: Path) -> Checked:
    """Hold a save against the rules. Its pictures are looked for in `folder` and below, by name."""
    value, why = _read(path)
    if value is None:
        return Checked(None, folder, (Finding(path.name, 0, why),))
    looker = _Looker(folder)
    looker.envelope(value)
    return Checked(
        value, folder, tuple(looker.findings), looker.objects, len(looker.seen), len(looker.unseen)
    )


def _read(path: Path) -> tuple[Json | None, str]:
    try:
        value = jsontext.parse(paths.read(path, MOST_BYTES))
    except NotJson as error:
        return None, f"{error}, line {error.line}" if error.line else str(error)
    except paths.Unreadable as error:
        return None, str(error)
    if not isinstance(value, dict):
        return None, "a save is a JSON object with ObjectStates"
    return value, ""


def named(found: Json, path: str) -> str:
    """An object as its maker would look for it: name, nickname, GUID, and where it is."""
    nickname = str(found.get("Nickname") or "")[:_SHOWN]
    quoted = f" '{nickname}'" if nickname else ""
    name, guid = str(found.get("Name") or "object")[:_SHOWN], str(found.get("GUID"))[:12]
    return f"{name}{quoted} {guid} ({path})"


def objects_of(save: Json) -> Iterator[tuple[str, Json, int]]:
    """Every object of a save with its path and depth, those in decks, bags and states too."""
    waiting: list[tuple[str, Any, int]] = [("ObjectStates", save.get("ObjectStates"), 0)]
    while waiting:
        path, held, depth = waiting.pop()
        children = held.items() if isinstance(held, dict) else enumerate(_list(held))
        for key, child in children:
            if not isinstance(child, dict):
                continue
            place = f"{path}[{str(key)[:12]}]"
            yield place, child, depth
            if depth < MOST_DEPTH:
                for inner in ("ContainedObjects", "States", "ChildObjects"):
                    if inner in child:
                        waiting.append((f"{place}.{inner}", child[inner], depth + 1))


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


def _map(value: Any) -> Json:
    return value if isinstance(value, dict) else {}


def _whole(value: Any) -> int | None:
    return value if is_whole(value) else None


class _Looker:
    def __init__(self, folder: Path) -> None:
        self.folder = folder.resolve()
        self.findings: list[Finding] = []
        self.objects = 0
        self.guids: dict[str, str] = {}
        self.sheets: dict[str, tuple[Json, str]] = {}
        self.seen: dict[str, Path] = {}
        self.unseen: set[str] = set()
        self.measured: set[tuple[str, tuple[int, int]]] = set()
        self._files: dict[str, Path] | None = None

    def tell(self, where: str, rule: int, message: str, *, warning: bool = False) -> None:
        self.findings.append(Finding(where, rule, message, "warning" if warning else "error"))

    def envelope(self, save: Json) -> None:
        if not isinstance(save.get("ObjectStates"), list):
            self.tell("save", 0, "ObjectStates is no list")
        for path, found, depth in objects_of(save):
            self.objects += 1
            if self.objects > MOST_OBJECTS:
                self.tell("save", 0, f"more than {MOST_OBJECTS} objects; the rest is not looked at")
                return
            if depth >= MOST_DEPTH:
                self.tell(path, 0, f"nested more than {MOST_DEPTH} deep")
                continue
            self.object(found, named(found, path))

    def object(self, found: Json, where: str) -> None:
        self._form(found, where)
        name = str(found.get("Name"))
        if name in _DECKS:
            self._deck(found, where)
        if name in _DECKS | _CARDS:
            self._sheets(found, where)
        image = _map(found.get("CustomImage"))
        for key in _IMAGE_KEYS:
            if image.get(key):
                self._picture(str(image[key]), where)
        url = _map(found.get("CustomPDF")).get("PDFUrl")
        if url:
            self._file(str(url), where)

    def _form(self, found: Json, where: str) -> None:
        guid = str(found.get("GUID"))
        if not _GUID.match(guid):
            self.tell(where, 0, "GUID is not six hex digits", warning=True)
        elif guid in self.guids:
            message = f"the GUID is that of {self.guids[guid]}, too"
            self.tell(where, 0, message, warning=True)
        self.guids.setdefault(guid, where)
        if not isinstance(found.get("Name"), str):
            self.tell(where, 0, "it has no Name")
        if not isinstance(found.get("Transform"), dict):
            self.tell(where, 0, "it has no Transform")
        if found.get("Name") == "Infinite_Bag" and len(_list(found.get("ContainedObjects"))) != 1:
            self.tell(where, 0, "an infinite bag holds one object")

    def _deck(self, found: Json, where: str) -> None:
        listed = _list(found.get("DeckIDs"))
        held = [_map(card).get("CardID") for card in _list(found.get("ContainedObjects"))]
        if listed != held:
            first = next((n for n, pair in enumerate(zip(listed, held, strict=False))
                          if pair[0] != pair[1]), min(len(listed), len(held)))  # fmt: skip
            message = f"DeckIDs ({len(listed)}) are not the CardIDs of its cards ({len(held)})"
            self.tell(where, 1, f"{message}; they part at number {first + 1}")
        if len(listed) < 2:
            message = f"a deck of {len(listed)}; a deck has two cards at least, one alone is a Card"
            self.tell(where, 4, message)

    def _sheets(self, found: Json, where: str) -> None:
        ids = _list(found["DeckIDs"]) if "DeckIDs" in found else [found.get("CardID")]
        sheets = _map(found.get("CustomDeck"))
        numbers = [number for number in map(_whole, ids) if number is not None]
        if len(numbers) != len(ids):
            self.tell(where, 2, "a card's ID is no whole number")
        wanted = {str(number // 100) for number in numbers}
        if wanted != set(sheets):
            missing = ", ".join(sorted(wanted - set(sheets))) or "none"
            spare = ", ".join(sorted(key[:_SHOWN] for key in set(sheets) - wanted)) or "none"
            self.tell(where, 2, f"CustomDeck lacks {missing} and has {spare} too many")
        for key, sheet in sheets.items():
            if isinstance(sheet, dict):
                self._sheet(key, sheet, numbers, where)
            else:
                self.tell(where, 2, f"sheet {key[:_SHOWN]} is no object")

    def _sheet(self, key: str, sheet: Json, numbers: list[int], where: str) -> None:
        if not key.isascii() or not key.isdigit() or len(key) > 12 or int(key) > LARGEST_KEY:
            self.tell(where, 5, f"the sheet's key {key[:_SHOWN]} is above {LARGEST_KEY}")
            return
        first, of = self.sheets.setdefault(key, (sheet, where))
        if first.get("FaceURL") != sheet.get("FaceURL"):
            self.tell(where, 2, f"key {key} is another sheet in {of}", warning=True)
        wide, high = _whole(sheet.get("NumWidth")), _whole(sheet.get("NumHeight"))
        if not wide or not high or not 1 <= wide <= MOST_COLUMNS or not 1 <= high <= MOST_ROWS:
            self.tell(where, 3, f"sheet {key} has {wide} × {high} cells; 10 × 7 at most")
            return
        # Without a face of its own for hidden cards, the last cell stays free.
        last = wide * high - (0 if sheet.get("BackIsHidden") is True else 1)
        for number in sorted({n for n in numbers if n // 100 == int(key) and n % 100 >= last}):
            self.tell(where, 3, f"card {number} stands in cell {number % 100} of {last} in use")
        self._picture(str(sheet.get("FaceURL") or ""), where, (wide, high))
        unique = sheet.get("UniqueBack") is True
        self._picture(str(sheet.get("BackURL") or ""), where, (wide, high) if unique else (1, 1))

    def _picture(self, url: str, where: str, cells: tuple[int, int] = (1, 1)) -> None:
        path = self._file(url, where)
        if path is None or (url, cells) in self.measured:
            return
        self.measured.add((url, cells))
        try:
            with paths.opened(path, follow=False) as file, Image.open(file) as image:
                size, mode, form = image.size, image.mode, image.format
        except (OSError, ValueError, Image.DecompressionBombError, paths.Unreadable):
            self.tell(where, 6, f"{path.name} is no picture")
            return
        if form not in {"PNG", "JPEG"} or mode not in {"RGB", "RGBA"}:
            self.tell(where, 6, f"{path.name} is {form} {mode}; PNG or JPEG in RGB is asked for")
        for side, count, what in zip(size, cells, ("wide", "high"), strict=True):
            if side % count:
                self.tell(where, 6, f"{path.name} is {side} px {what}, not a multiple of {count}")
        if max(size) > LARGEST_SHEET_PX:
            self.tell(
                where, 6, f"{path.name} is {size[0]} × {size[1]} px; {LARGEST_SHEET_PX} at most"
            )
        elif max(size) > SHEET_PX:
            message = f"{path.name} is {size[0]} × {size[1]} px; above {SHEET_PX} may not show"
            self.tell(where, 6, message, warning=True)

    def _file(self, url: str, where: str) -> Path | None:
        """The file that a URL names, if it is in the folder of the pictures; told once if not."""
        if url in self.unseen:
            return None
        if url in self.seen:
            return self.seen[url]
        path = find_file(url, self.files)
        if path is not None:
            self.seen[url] = path
            return path
        self.unseen.add(url)
        if not url:
            self.tell(where, 6, "a picture has no URL")
        elif _path_of(url) is None:
            self.tell(where, 6, f"{url[:_SHOWN]} is no URL")
        elif url.lower().startswith("file:") and _beside(url, self.folder):
            self.tell(where, 6, f"the file {url[-_SHOWN:]} does not exist")
        return None

    @property
    def files(self) -> Mapping[str, Path]:
        """The files of the folder by name; through links none."""
        if self._files is None:
            self._files = files_of(self.folder)
        return self._files


def files_of(folder: Path) -> dict[str, Path]:
    """The files in a folder and in its folder `images`, by name; links are left out."""
    found: dict[str, Path] = {}
    for place in (folder, folder / "images"):
        if place == folder or not place.is_symlink():
            names = paths.listed(place, ".", deep=False)
            found |= {name.removeprefix("./"): place / name for name in names}
    return {name: path for name, path in found.items() if _is_plain(path)}


def _is_plain(path: Path) -> bool:
    try:
        paths.status(path, follow=False)
    except paths.Unreadable:
        return False
    return True


def find_file(url: str, files: Mapping[str, Path]) -> Path | None:
    """The file of a URL's name: a hosted picture may lie beside the save as well."""
    return files.get((_path_of(url) or "").rpartition("/")[2])


def _path_of(url: str) -> str | None:
    """The path of a URL, to the letter; None when it is no URL at all, such as `http://[::1`."""
    try:
        return unquote(urlparse(url).path)
    except ValueError:
        return None


def _beside(url: str, folder: Path) -> bool:
    """Whether a file URL names a place in the folder, where the file should then be."""
    base = (_path_of(folder.as_uri()) or "").rstrip("/")
    return (_path_of(url) or "").startswith(f"{base}/")
