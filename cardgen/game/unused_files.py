"""Files that look like the game's, and that nothing reads: each is told, with what to do.

A deck that is passed over without a word is a deck that is missing in the box.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import Path, PurePosixPath

from cardgen.core import work_limits
from cardgen.core.problems import Problem, Severity, Source, did_you_mean
from cardgen.game.card_tables import TABLE_SUFFIXES
from cardgen.runtime import game_files
from cardgen.runtime.game_files import FolderListing

UNUSED_KIND = "passed-over"
GAME_FOLDERS = ("cards", "templates", "art", "rulebook", "fonts")
_RENAMES = {
    "game.yml": "game.yaml",
    "table.yml": "table.yaml",
    "printed.yml": "printed.yaml",
    "rules.yaml": "cards/rules.yaml",
    "rules.yml": "cards/rules.yaml",
    "cards/rules.yml": "cards/rules.yaml",
    "fonts.yaml": "fonts/fonts.yaml",
    "fonts.yml": "fonts/fonts.yaml",
    "fonts/fonts.yml": "fonts/fonts.yaml",
    "rulebook.md": "rulebook/LANGUAGE.md",
}
"""What is read in the place of files so named."""
_PATH_WORD = re.compile(r"[^\s'\"\[\],:]+")


def find_unused_files(root: Path, languages: Iterable[str]) -> list[Problem]:
    """What is wrong with the names of a game's files and folders, and what is passed over."""
    listings = {folder: game_files.list_folder(root, folder) for folder in GAME_FOLDERS}
    problems = [
        problem for folder in GAME_FOLDERS for problem in _check_folder(root, folder, listings)
    ]
    told = {
        **_check_misplaced(root),
        **dict(_check_cards_folder(root, listings["cards"].files)),
        **dict(_check_templates_folder(root, listings)),
        **dict(_check_books_folder(listings["rulebook"].files, tuple(languages))),
    }
    return problems + [_make_warning(name, message) for name, message in told.items()]


def _make_warning(name: str, message: str) -> Problem:
    return Problem(Source(name), message, UNUSED_KIND, "warning")


def _check_folder(root: Path, folder: str, listings: dict[str, FolderListing]) -> Iterator[Problem]:
    """What of a folder cannot be read at all, or by its name."""
    why = _check_not_folder(root, folder)
    if why:
        yield Problem(Source(folder), f"the folder {why}", "file")
    listing = listings[folder]
    for name in listing.links:
        yield _make_warning(name, "links to folders are not followed; put the folder itself there")
    for name in listing.misnamed:
        # A deck or an icon would be missing; of all else the one who names it is told.
        severity: Severity = "error" if folder == "cards" or "/icons/" in name else "warning"
        kind = "file" if severity == "error" else UNUSED_KIND
        message = "its name is not UTF-8, so it is not read; rename it"
        yield Problem(Source(name), message, kind, severity)
    if not listing.complete:
        message = f"it holds more than {work_limits.scale_limit(game_files.MAX_FILES)} files; the rest is not read"
        yield Problem(Source(folder), message, "file")


def _check_not_folder(root: Path, folder: str) -> str:
    if not game_files.has_entry(root, folder):
        return ""
    try:
        game_files.find_file(root, folder)
    except game_files.UnreadableError as error:
        return "" if "is a folder" in str(error) else str(error)
    return "is a file; a folder is asked for"


def _check_misplaced(root: Path) -> dict[str, str]:
    return {
        name: f"it is passed over; what is read is {meant}: rename it"
        for name, meant in _RENAMES.items()
        if game_files.has_entry(root, name)
    }


def _check_cards_folder(root: Path, files: Iterable[str]) -> Iterator[tuple[str, str]]:
    """Deck files of another ending or in another folder, and tables that no deck reads."""
    files = list(files)
    decks = _list_deck_files(files)
    named = _NameIndex(files, [game_files.read_text(root, name)[0] for name in decks])
    for name in files:
        path = PurePosixPath(name)
        relative, ending = name.removeprefix("cards/"), path.suffix.lower()
        if name in _RENAMES or name in decks or path.name.startswith("."):
            continue
        if ending in {".yaml", ".yml"} and name.count("/") > 1:
            yield name, "it is passed over: deck files lie in cards/ itself; move it there"
        elif ending in {".yaml", ".yml"}:
            yield name, f"it is passed over: deck files end in .yaml; rename it {path.stem}.yaml"
        elif (
            ending in TABLE_SUFFIXES
            and named.is_unnamed(relative, "cards")
            and not _has_csv_twin(name, files)
        ):
            yield name, f"no deck reads this table; a deck names its table: rows: {relative}"
        elif ending == ".numbers" and not _has_csv_twin(name, files):
            message = f"it is passed over: tables are XLSX, ODS or CSV; save it as {path.stem}.xlsx"
            yield name, message


def _has_csv_twin(name: str, files: Iterable[str]) -> bool:
    """Whether a workbook's table lies beside it as CSV, which is read in its stead."""
    stem, _, ending = name.rpartition(".")
    return ending.lower() not in ("csv", "tsv", "json") and f"{stem}.csv" in files


def _list_deck_files(files: Iterable[str]) -> list[str]:
    return [name for name in files if name.endswith(".yaml") and name.count("/") == 1]


def _check_templates_folder(
    root: Path, listings: dict[str, FolderListing]
) -> Iterator[tuple[str, str]]:
    """Templates of another ending, and styles, that nothing names."""
    files = listings["templates"].files
    readers = _list_deck_files(listings["cards"].files)
    readers += [name for name in files if name.endswith((".html", ".svg"))]
    named = _NameIndex(files, [game_files.read_text(root, name)[0] for name in readers])
    for name in files:
        path = PurePosixPath(name)
        relative, ending = name.removeprefix("templates/"), path.suffix.lower()
        if path.name.startswith(".") or not named.is_unnamed(relative, "templates"):
            continue
        if ending == ".htm" or (ending == ".html" and path.suffix != ".html"):
            message = f"it is passed over: templates end in .html; rename it {path.stem}.html"
            yield name, message
        elif ending == ".css":
            yield name, f"no deck names this style; a deck names its styles: styles: [{relative}]"


class _NameIndex:
    """The names of files that stand in texts, found once for each ending."""

    def __init__(self, files: Iterable[str], texts: Iterable[str]) -> None:
        self._files = frozenset(files)
        self._words = {word for text in texts for word in _PATH_WORD.findall(text)}
        self._of_ending: dict[str, frozenset[str]] = {}

    def is_unnamed(self, name: str, folder: str) -> bool:
        """Whether no text names the file, nor one of its ending that is not in the folder and is
        told already."""
        ending = PurePosixPath(name).suffix
        if ending not in self._of_ending:
            parted = [word.rpartition(ending) for word in self._words if ending in word]
            self._of_ending[ending] = frozenset(
                before + ending for before, _, rest in parted if not rest[:1].isalnum()
            )
        named = self._of_ending[ending]
        return name not in named and all(f"{folder}/{word}" in self._files for word in named)


def _check_books_folder(
    files: Iterable[str], languages: tuple[str, ...]
) -> Iterator[tuple[str, str]]:
    """Rulebooks of languages that the game lacks, and of other names."""
    for name in files:
        path = PurePosixPath(name)
        ending, deeper = path.suffix.lower(), name.count("/") > 1
        if ending == ".css" and name != "rulebook/book.css":
            yield name, "it is passed over: the rulebook's style is rulebook/book.css"
        elif ending not in {".md", ".markdown"}:
            continue
        elif path.stem not in languages:
            hint = did_you_mean(path.stem, languages)
            message = f"the game has no language '{path.stem}', so this rulebook is passed over"
            yield name, f"{message}{hint}"
        elif deeper or path.suffix != ".md":
            yield name, f"it is passed over; what is read is rulebook/{path.stem}.md: rename it"
