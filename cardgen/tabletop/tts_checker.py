"""Checks of a Tabletop Simulator save: a JSON Schema for each object, and the rules across objects.

The rules are those of docs/tabletop.md, by their numbers. Rule 7 is in `tts_faces`.

The file is treated as hostile. Its size, depth and number of objects are limited. Nothing is
fetched, and only the headers of pictures in one folder are read.
"""

from __future__ import annotations

import itertools
import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any, Literal
from urllib.parse import unquote, urlparse

from PIL import Image

from cardgen.assets import rasters  # noqa: F401 - bounds what Pillow opens
from cardgen.core.json_schema import InvalidJsonError, parse_json
from cardgen.outputs.contract import DEFAULT_SHEET_PX, MAX_SHEET_PX
from cardgen.runtime import game_files

MAX_SAVE_BYTES = 100_000_000
MAX_DEPTH = 60
MAX_OBJECTS = 50_000
_GUID_PATTERN = re.compile(r"[0-9a-f]{6}\Z")
_MAX_SHOWN_LENGTH = 60
_MAX_MESSAGE_LENGTH = 160
_SCHEMA_FILE = "save.schema.json"
Json = dict[str, Any]


@dataclass(frozen=True, order=True)
class SaveFinding:
    """A broken rule (1 to 7, 0 for the format) and the object that breaks it."""

    where: str
    rule: int
    message: str
    severity: Literal["error", "warning"] = "error"

    def __str__(self) -> str:
        rule = f"rule {self.rule}" if self.rule else "form"
        return f"{self.severity}: {self.where}: {self.message} [{rule}]"


@dataclass(frozen=True)
class SavedObject:
    """An object of a save, its path in the file and its depth below `ObjectStates`."""

    path: str
    value: Json
    depth: int
    in_infinite_bag: bool = False

    def __str__(self) -> str:
        nickname = str(self.value.get("Nickname") or "")[:_MAX_SHOWN_LENGTH]
        quoted = f" '{nickname}'" if nickname else ""
        name = str(self.value.get("Name") or "object")[:_MAX_SHOWN_LENGTH]
        return f"{name}{quoted} {str(self.value.get('GUID'))[:12]} ({self.path})"


@dataclass(frozen=True)
class CheckedSave:
    """The result of checking a save. `objects` are those whose format is right."""

    folder: Path
    findings: tuple[SaveFinding, ...]
    objects: tuple[SavedObject, ...] = ()
    object_count: int = 0
    pictures_found: int = 0
    pictures_missing: int = 0

    def format_summary(self, with_game: bool) -> str:
        """Return the numbers of objects, pictures and rules that were checked, as one line."""
        total = self.pictures_found + self.pictures_missing
        rules = "rules 1 to 7" if with_game else "rules 1 to 6 (7 needs --game)"
        pictures = f"{self.pictures_found} of {total} pictures checked"
        return f"{self.object_count} objects, {pictures}, {rules}"


def check_save(path: Path, folder: Path) -> CheckedSave:
    """Check a save. Pictures are looked up by name in `folder` and its sub-folder `images`."""

    def reject(message: str) -> CheckedSave:
        return CheckedSave(folder, (SaveFinding(path.name, 0, message),))

    try:
        save = parse_json(game_files.read_file(path, MAX_SAVE_BYTES))
    except InvalidJsonError as error:
        return reject(f"{error}, line {error.line}" if error.line else str(error))
    except game_files.UnreadableError as error:
        return reject(str(error))
    if not isinstance(save, dict) or not isinstance(save.get("ObjectStates"), list):
        return reject("not a save: a JSON object with a list ObjectStates was expected")
    checker = _SaveChecker(folder)
    checker.check_objects(save)
    return CheckedSave(
        folder, tuple(checker.findings), tuple(checker.objects), checker.object_count,
        len(checker.found), len(checker.missing),
    )  # fmt: skip


def iterate_objects(save: Json) -> Iterator[SavedObject]:
    """Yield every object of a save, also those inside decks, bags and states."""
    waiting: list[tuple[str, Any, int, bool]] = [("ObjectStates", save["ObjectStates"], 0, False)]
    while waiting:
        path, held, depth, endless = waiting.pop()
        children = held.items() if isinstance(held, dict) else enumerate(held)
        for key, child in children:
            if not isinstance(child, dict):
                continue
            found = SavedObject(f"{path}[{str(key)[:12]}]", child, depth, endless)
            yield found
            inside = endless or child.get("Name") == "Infinite_Bag"
            for name in ("ContainedObjects", "States", "ChildObjects"):
                if depth < MAX_DEPTH and isinstance(child.get(name), list | dict):
                    waiting.append((f"{found.path}.{name}", child[name], depth + 1, inside))


@cache
def _load_validator() -> Any:
    from jsonschema import Draft7Validator  # noqa: PLC0415 - loaded only for a check

    schema = files("cardgen.tabletop").joinpath(_SCHEMA_FILE).read_text(encoding="utf-8")
    return Draft7Validator(json.loads(schema))


class _SaveChecker:
    def __init__(self, folder: Path) -> None:
        self.folder = folder.resolve()
        self.files = list_picture_files(self.folder)
        self.findings: list[SaveFinding] = []
        self.objects: list[SavedObject] = []
        self.object_count = 0
        self.found: set[str] = set()
        self.missing: set[str] = set()
        self._guids: dict[str, str] = {}
        self._sheets: dict[str, tuple[str, str]] = {}
        self._measured: set[tuple[str, tuple[int, int]]] = set()

    def _report(self, where: object, rule: int, message: str, *, warning: bool = False) -> None:
        severity: Literal["error", "warning"] = "warning" if warning else "error"
        self.findings.append(SaveFinding(str(where), rule, message, severity))

    def check_objects(self, save: Json) -> None:
        for found in iterate_objects(save):
            if self.object_count == MAX_OBJECTS:
                message = f"more than {MAX_OBJECTS} objects; the others were not checked"
                self._report("save", 0, message)
                return
            self.object_count += 1
            if found.depth >= MAX_DEPTH:
                self._report(found.path, 0, f"nested more than {MAX_DEPTH} deep")
            elif self._check_format(found):
                self.objects.append(found)
                self._check_guid(found)
                self._check_cards(found)
                self._check_urls(found)

    def _check_format(self, found: SavedObject) -> bool:
        try:
            errors = list(_load_validator().iter_errors(found.value))
        except RecursionError:
            self._report(found, 0, "nested too deep")
            return False
        for error in errors:
            at = ".".join(str(part)[:_MAX_SHOWN_LENGTH] for part in error.absolute_path)
            message = error.schema.get("x-message") or f"{at or 'it'}: {error.message}"
            if error.validator == "required":  # "'Name' is a required property"
                message = f"{at or 'it'} has no {error.message.split(chr(39))[1]}"
            self._report(found, error.schema.get("x-rule", 0), message[:_MAX_MESSAGE_LENGTH])
        return not errors

    def _check_guid(self, found: SavedObject) -> None:
        guid = str(found.value.get("GUID"))
        if not _GUID_PATTERN.match(guid):
            self._report(found, 0, "the GUID is not six digits of 0-9 and a-f", warning=True)
        elif guid in self._guids:
            message = f"{self._guids[guid]} has the same GUID; give each its own"
            self._report(found, 0, message, warning=True)
        self._guids.setdefault(guid, str(found))

    def _check_cards(self, found: SavedObject) -> None:
        value = found.value
        if value["Name"] in {"Deck", "DeckCustom"}:
            ids = value["DeckIDs"]
            held = [card.get("CardID") for card in value["ContainedObjects"]]
            if ids != held:
                pairs = itertools.zip_longest(ids, held, fillvalue="")
                number = next(n for n, (a, b) in enumerate(pairs, start=1) if a != b)
                message = f"DeckIDs ({len(ids)}) are not the CardIDs of its cards ({len(held)})"
                self._report(found, 1, f"{message}; they part at number {number}")
        elif value["Name"] in {"Card", "CardCustom"}:
            ids = [value["CardID"]]
        else:
            return
        sheets, wanted = value["CustomDeck"], {str(number // 100) for number in ids}
        if wanted != set(sheets):
            missing = ", ".join(sorted(wanted - set(sheets))) or "none"
            spare = ", ".join(sorted(set(sheets) - wanted)) or "none"
            self._report(found, 2, f"CustomDeck lacks {missing} and has {spare} too many")
        for key, sheet in sheets.items():
            self._check_sheet(found, key, sheet, ids)

    def _check_sheet(self, found: SavedObject, key: str, sheet: Json, ids: list[int]) -> None:
        url, other = self._sheets.setdefault(key, (sheet["FaceURL"], str(found)))
        if url != sheet["FaceURL"]:
            self._report(found, 2, f"key {key} is another sheet in {other}", warning=True)
        cells = sheet["NumWidth"], sheet["NumHeight"]
        # The last cell shows hidden cards, unless the back does.
        last = cells[0] * cells[1] - (0 if sheet.get("BackIsHidden") else 1)
        for number in sorted({n for n in ids if n // 100 == int(key) and n % 100 >= last}):
            message = f"card {number} uses cell {number % 100}; its sheet has {last} usable cells"
            self._report(found, 3, message)
        self._check_picture(found, sheet["FaceURL"], cells)
        self._check_picture(found, sheet["BackURL"], cells if sheet.get("UniqueBack") else (1, 1))

    def _check_urls(self, found: SavedObject) -> None:
        image = found.value.get("CustomImage", {})
        for key in ("ImageURL", "ImageSecondaryURL"):
            if image.get(key):
                self._check_picture(found, image[key], (1, 1))
        if url := found.value.get("CustomPDF", {}).get("PDFUrl"):
            self._find_file(found, url)

    def _check_picture(self, found: SavedObject, url: str, cells: tuple[int, int]) -> None:
        path = self._find_file(found, url)
        if path is None or (url, cells) in self._measured:
            return
        self._measured.add((url, cells))
        try:
            with game_files.open_file(path, follow=False) as file, Image.open(file) as image:
                size, mode, kind = image.size, image.mode, image.format
        except (OSError, ValueError, Image.DecompressionBombError, game_files.UnreadableError):
            self._report(found, 6, f"{path.name} is not a picture")
            return
        if kind not in {"PNG", "JPEG"} or mode not in {"RGB", "RGBA"}:
            self._report(found, 6, f"{path.name} is {kind} {mode}; use PNG or JPEG in RGB")
        for side, count, what in zip(size, cells, ("wide", "high"), strict=True):
            if side % count:
                message = f"{path.name} is {side} px {what}, not a multiple of {count}"
                self._report(found, 6, message)
        measures = f"{path.name} is {size[0]} × {size[1]} px"
        if max(size) > MAX_SHEET_PX:
            self._report(found, 6, f"{measures}; at most {MAX_SHEET_PX} are possible")
        elif max(size) > DEFAULT_SHEET_PX:
            message = f"{measures}; more than {DEFAULT_SHEET_PX} px may not be displayed"
            self._report(found, 6, f"{message}; make it smaller", warning=True)

    def _find_file(self, found: SavedObject, url: str) -> Path | None:
        """Return the file that a URL names. Report each missing one once."""
        path = find_picture_file(url, self.files)
        if path is not None:
            self.found.add(url)
        elif url not in self.missing:
            self.missing.add(url)
            if _parse_url_path(url) is None:
                self._report(found, 6, f"{url[:_MAX_SHOWN_LENGTH]} is not a URL")
            elif url.lower().startswith("file:") and _is_in_folder(url, self.folder):
                self._report(found, 6, f"the file {url[-_MAX_SHOWN_LENGTH:]} does not exist")
        return path


def list_picture_files(folder: Path) -> dict[str, Path]:
    """Return the files of a folder and of its sub-folder `images` by name, without links."""
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


def find_picture_file(url: str, known: Mapping[str, Path]) -> Path | None:
    """Return the file named as a URL ends. A hosted picture may lie beside the save as well."""
    return known.get((_parse_url_path(url) or "").rpartition("/")[2])


def _parse_url_path(url: str) -> str | None:
    """Return the path of a URL, or None for text such as `http://[::1` that is not a URL."""
    try:
        return unquote(urlparse(url).path)
    except ValueError:
        return None


def _is_in_folder(url: str, folder: Path) -> bool:
    """Return true if a file URL names a place in the folder."""
    base = (_parse_url_path(folder.as_uri()) or "").rstrip("/")
    return (_parse_url_path(url) or "").startswith(f"{base}/")
