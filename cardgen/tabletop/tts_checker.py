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

from cardgen.core import json_schema
from cardgen.core.json_schema import InvalidJsonError
from cardgen.core.units import is_integer
from cardgen.outputs.contract import DEFAULT_SHEET_PX, MAX_SHEET_PX
from cardgen.runtime import game_files

MAX_SAVE_BYTES = 100_000_000
MAX_DEPTH = 60
MAX_OBJECTS = 50_000
MAX_SHEET_KEY = 21_474_836
MAX_COLUMNS, MAX_ROWS = 10, 7
_GUID_PATTERN = re.compile(r"[0-9a-f]{6}\Z")
_MAX_SHOWN_LENGTH = 60
_IMAGE_KEYS = ("ImageURL", "ImageSecondaryURL")
_DECKS, _CARDS = frozenset({"Deck", "DeckCustom"}), frozenset({"Card", "CardCustom"})
Json = dict[str, Any]


@dataclass(frozen=True, order=True)
class SaveFinding:
    """What is wrong with an object, and which of the seven rules it breaks; 0 is the format."""

    where: str
    rule: int
    message: str
    severity: Literal["error", "warning"] = "error"

    def __str__(self) -> str:
        rule = f"rule {self.rule}" if self.rule else "form"
        return f"{self.severity}: {self.where}: {self.message} [{rule}]"


@dataclass(frozen=True)
class CheckedSave:
    """A save that was looked at: what it holds, and how many of its pictures were there to see."""

    save: Json | None
    folder: Path
    findings: tuple[SaveFinding, ...]
    objects: int = 0
    pictures_found: int = 0
    pictures_missing: int = 0

    def format_summary(self, with_game: bool) -> str:
        """What was looked at, in words."""
        pictures = f"{self.pictures_found} of {self.pictures_found + self.pictures_missing} pictures looked at"
        rules = "rules 1 to 7" if with_game else "rules 1 to 6 (7 needs --game)"
        return f"{self.objects} objects, {pictures}, {rules}"


def check_save(path: Path, folder: Path) -> CheckedSave:
    """Hold a save against the rules. Its pictures are looked for in `folder` and below, by name."""
    value, why = _read_save(path)
    if value is None:
        return CheckedSave(None, folder, (SaveFinding(path.name, 0, why),))
    looker = _SaveChecker(folder)
    looker.check_envelope(value)
    return CheckedSave(
        value, folder, tuple(looker.findings), looker.objects, len(looker.seen), len(looker.unseen)
    )


def _read_save(path: Path) -> tuple[Json | None, str]:
    try:
        value = json_schema.parse_json(game_files.read_file(path, MAX_SAVE_BYTES))
    except InvalidJsonError as error:
        return None, f"{error}, line {error.line}" if error.line else str(error)
    except game_files.UnreadableError as error:
        return None, str(error)
    if not isinstance(value, dict):
        return None, "a save is a JSON object with ObjectStates"
    return value, ""


def format_object(found: Json, path: str) -> str:
    """An object as its maker would look for it: name, nickname, GUID, and where it is."""
    nickname = str(found.get("Nickname") or "")[:_MAX_SHOWN_LENGTH]
    quoted = f" '{nickname}'" if nickname else ""
    name, guid = str(found.get("Name") or "object")[:_MAX_SHOWN_LENGTH], str(found.get("GUID"))[:12]
    return f"{name}{quoted} {guid} ({path})"


def iterate_objects(save: Json) -> Iterator[tuple[str, Json, int]]:
    """Every object of a save with its path and depth, those in decks, bags and states too."""
    waiting: list[tuple[str, Any, int]] = [("ObjectStates", save.get("ObjectStates"), 0)]
    while waiting:
        path, held, depth = waiting.pop()
        children = held.items() if isinstance(held, dict) else enumerate(_as_list(held))
        for key, child in children:
            if not isinstance(child, dict):
                continue
            place = f"{path}[{str(key)[:12]}]"
            yield place, child, depth
            if depth < MAX_DEPTH:
                for inner in ("ContainedObjects", "States", "ChildObjects"):
                    if inner in child:
                        waiting.append((f"{place}.{inner}", child[inner], depth + 1))


def _as_list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


def _as_map(value: Any) -> Json:
    return value if isinstance(value, dict) else {}


def _as_integer(value: Any) -> int | None:
    return value if is_integer(value) else None


class _SaveChecker:
    def __init__(self, folder: Path) -> None:
        self.folder = folder.resolve()
        self.findings: list[SaveFinding] = []
        self.objects = 0
        self.guids: dict[str, str] = {}
        self.sheets: dict[str, tuple[Json, str]] = {}
        self.seen: dict[str, Path] = {}
        self.unseen: set[str] = set()
        self.measured: set[tuple[str, tuple[int, int]]] = set()
        self._files: dict[str, Path] | None = None

    def report_finding(self, where: str, rule: int, message: str, *, warning: bool = False) -> None:
        self.findings.append(SaveFinding(where, rule, message, "warning" if warning else "error"))

    def check_envelope(self, save: Json) -> None:
        if not isinstance(save.get("ObjectStates"), list):
            self.report_finding("save", 0, "ObjectStates is no list")
        for path, found, depth in iterate_objects(save):
            self.objects += 1
            if self.objects > MAX_OBJECTS:
                self.report_finding(
                    "save", 0, f"more than {MAX_OBJECTS} objects; the rest is not looked at"
                )
                return
            if depth >= MAX_DEPTH:
                self.report_finding(path, 0, f"nested more than {MAX_DEPTH} deep")
                continue
            self.check_object(found, format_object(found, path))

    def check_object(self, found: Json, where: str) -> None:
        self._check_form(found, where)
        name = str(found.get("Name"))
        if name in _DECKS:
            self._check_deck(found, where)
        if name in _DECKS | _CARDS:
            self._check_sheets(found, where)
        image = _as_map(found.get("CustomImage"))
        for key in _IMAGE_KEYS:
            if image.get(key):
                self._check_picture(str(image[key]), where)
        url = _as_map(found.get("CustomPDF")).get("PDFUrl")
        if url:
            self._find_picture(str(url), where)

    def _check_form(self, found: Json, where: str) -> None:
        guid = str(found.get("GUID"))
        if not _GUID_PATTERN.match(guid):
            self.report_finding(where, 0, "GUID is not six hex digits", warning=True)
        elif guid in self.guids:
            message = f"the GUID is that of {self.guids[guid]}, too"
            self.report_finding(where, 0, message, warning=True)
        self.guids.setdefault(guid, where)
        if not isinstance(found.get("Name"), str):
            self.report_finding(where, 0, "it has no Name")
        if not isinstance(found.get("Transform"), dict):
            self.report_finding(where, 0, "it has no Transform")
        if (
            found.get("Name") == "Infinite_Bag"
            and len(_as_list(found.get("ContainedObjects"))) != 1
        ):
            self.report_finding(where, 0, "an infinite bag holds one object")

    def _check_deck(self, found: Json, where: str) -> None:
        listed = _as_list(found.get("DeckIDs"))
        held = [_as_map(card).get("CardID") for card in _as_list(found.get("ContainedObjects"))]
        if listed != held:
            first = next((n for n, pair in enumerate(zip(listed, held, strict=False))
                          if pair[0] != pair[1]), min(len(listed), len(held)))  # fmt: skip
            message = f"DeckIDs ({len(listed)}) are not the CardIDs of its cards ({len(held)})"
            self.report_finding(where, 1, f"{message}; they part at number {first + 1}")
        if len(listed) < 2:
            message = f"a deck of {len(listed)}; a deck has two cards at least, one alone is a Card"
            self.report_finding(where, 4, message)

    def _check_sheets(self, found: Json, where: str) -> None:
        ids = _as_list(found["DeckIDs"]) if "DeckIDs" in found else [found.get("CardID")]
        sheets = _as_map(found.get("CustomDeck"))
        numbers = [number for number in map(_as_integer, ids) if number is not None]
        if len(numbers) != len(ids):
            self.report_finding(where, 2, "a card's ID is no whole number")
        wanted = {str(number // 100) for number in numbers}
        if wanted != set(sheets):
            missing = ", ".join(sorted(wanted - set(sheets))) or "none"
            spare = (
                ", ".join(sorted(key[:_MAX_SHOWN_LENGTH] for key in set(sheets) - wanted)) or "none"
            )
            self.report_finding(where, 2, f"CustomDeck lacks {missing} and has {spare} too many")
        for key, sheet in sheets.items():
            if isinstance(sheet, dict):
                self._check_sheet(key, sheet, numbers, where)
            else:
                self.report_finding(where, 2, f"sheet {key[:_MAX_SHOWN_LENGTH]} is no object")

    def _check_sheet(self, key: str, sheet: Json, numbers: list[int], where: str) -> None:
        if not key.isascii() or not key.isdigit() or len(key) > 12 or int(key) > MAX_SHEET_KEY:
            self.report_finding(
                where, 5, f"the sheet's key {key[:_MAX_SHOWN_LENGTH]} is above {MAX_SHEET_KEY}"
            )
            return
        first, of = self.sheets.setdefault(key, (sheet, where))
        if first.get("FaceURL") != sheet.get("FaceURL"):
            self.report_finding(where, 2, f"key {key} is another sheet in {of}", warning=True)
        wide, high = _as_integer(sheet.get("NumWidth")), _as_integer(sheet.get("NumHeight"))
        if not wide or not high or not 1 <= wide <= MAX_COLUMNS or not 1 <= high <= MAX_ROWS:
            self.report_finding(where, 3, f"sheet {key} has {wide} × {high} cells; 10 × 7 at most")
            return
        # Without a face of its own for hidden cards, the last cell stays free.
        last = wide * high - (0 if sheet.get("BackIsHidden") is True else 1)
        for number in sorted({n for n in numbers if n // 100 == int(key) and n % 100 >= last}):
            self.report_finding(
                where, 3, f"card {number} stands in cell {number % 100} of {last} in use"
            )
        self._check_picture(str(sheet.get("FaceURL") or ""), where, (wide, high))
        unique = sheet.get("UniqueBack") is True
        self._check_picture(
            str(sheet.get("BackURL") or ""), where, (wide, high) if unique else (1, 1)
        )

    def _check_picture(self, url: str, where: str, cells: tuple[int, int] = (1, 1)) -> None:
        path = self._find_picture(url, where)
        if path is None or (url, cells) in self.measured:
            return
        self.measured.add((url, cells))
        try:
            with game_files.open_file(path, follow=False) as file, Image.open(file) as image:
                size, mode, form = image.size, image.mode, image.format
        except (OSError, ValueError, Image.DecompressionBombError, game_files.UnreadableError):
            self.report_finding(where, 6, f"{path.name} is no picture")
            return
        if form not in {"PNG", "JPEG"} or mode not in {"RGB", "RGBA"}:
            self.report_finding(
                where, 6, f"{path.name} is {form} {mode}; PNG or JPEG in RGB is asked for"
            )
        for side, count, what in zip(size, cells, ("wide", "high"), strict=True):
            if side % count:
                self.report_finding(
                    where, 6, f"{path.name} is {side} px {what}, not a multiple of {count}"
                )
        if max(size) > MAX_SHEET_PX:
            self.report_finding(
                where, 6, f"{path.name} is {size[0]} × {size[1]} px; {MAX_SHEET_PX} at most"
            )
        elif max(size) > DEFAULT_SHEET_PX:
            message = (
                f"{path.name} is {size[0]} × {size[1]} px; above {DEFAULT_SHEET_PX} may not show"
            )
            self.report_finding(where, 6, message, warning=True)

    def _find_picture(self, url: str, where: str) -> Path | None:
        """The file that a URL names, if it is in the folder of the pictures; told once if not."""
        if url in self.unseen:
            return None
        if url in self.seen:
            return self.seen[url]
        path = find_picture_file(url, self.files)
        if path is not None:
            self.seen[url] = path
            return path
        self.unseen.add(url)
        if not url:
            self.report_finding(where, 6, "a picture has no URL")
        elif _parse_url_path(url) is None:
            self.report_finding(where, 6, f"{url[:_MAX_SHOWN_LENGTH]} is no URL")
        elif url.lower().startswith("file:") and _is_in_folder(url, self.folder):
            self.report_finding(where, 6, f"the file {url[-_MAX_SHOWN_LENGTH:]} does not exist")
        return None

    @property
    def files(self) -> Mapping[str, Path]:
        """The files of the folder by name; through links none."""
        if self._files is None:
            self._files = list_picture_files(self.folder)
        return self._files


def list_picture_files(folder: Path) -> dict[str, Path]:
    """The files in a folder and in its folder `images`, by name; links are left out."""
    found: dict[str, Path] = {}
    for place in (folder, folder / "images"):
        if place == folder or not place.is_symlink():
            names = game_files.list_files(place, ".", deep=False)
            found |= {name.removeprefix("./"): place / name for name in names}
    return {name: path for name, path in found.items() if _is_plain_file(path)}


def _is_plain_file(path: Path) -> bool:
    try:
        game_files.stat_file(path, follow=False)
    except game_files.UnreadableError:
        return False
    return True


def find_picture_file(url: str, files: Mapping[str, Path]) -> Path | None:
    """The file of a URL's name: a hosted picture may lie beside the save as well."""
    return files.get((_parse_url_path(url) or "").rpartition("/")[2])


def _parse_url_path(url: str) -> str | None:
    """The path of a URL, to the letter; None when it is no URL at all, such as `http://[::1`."""
    try:
        return unquote(urlparse(url).path)
    except ValueError:
        return None


def _is_in_folder(url: str, folder: Path) -> bool:
    """Whether a file URL names a place in the folder, where the file should then be."""
    base = (_parse_url_path(folder.as_uri()) or "").rstrip("/")
    return (_parse_url_path(url) or "").startswith(f"{base}/")
