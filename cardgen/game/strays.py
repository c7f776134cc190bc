"""Files that look like the game's, and that nothing reads: each is told, with what to do.

A deck that is passed over without a word is a deck that is missing in the box.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import Path, PurePosixPath

from cardgen.base import bounds, paths
from cardgen.base.paths import Listing
from cardgen.base.problems import Problem, Severity, Source, did_you_mean
from cardgen.game.tables import ENDINGS

KIND = "passed-over"
FOLDERS = ("cards", "templates", "art", "rulebook", "fonts")
_MEANT = {
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
_PART = re.compile(r"[^\s'\"\[\],:]+")


def found(root: Path, languages: Iterable[str]) -> list[Problem]:
    """What is wrong with the names of a game's files and folders, and what is passed over."""
    listings = {folder: paths.listing(root, folder) for folder in FOLDERS}
    problems = [problem for folder in FOLDERS for problem in _of_folder(root, folder, listings)]
    told = {
        **_misplaced(root),
        **dict(_of_cards(root, listings["cards"].files)),
        **dict(_of_templates(root, listings)),
        **dict(_of_books(listings["rulebook"].files, tuple(languages))),
    }
    return problems + [_passed_over(name, message) for name, message in told.items()]


def _passed_over(name: str, message: str) -> Problem:
    return Problem(Source(name), message, KIND, "warning")


def _of_folder(root: Path, folder: str, listings: dict[str, Listing]) -> Iterator[Problem]:
    """What of a folder cannot be read at all, or by its name."""
    why = _no_folder(root, folder)
    if why:
        yield Problem(Source(folder), f"the folder {why}", "file")
    listing = listings[folder]
    for name in listing.links:
        yield _passed_over(name, "links to folders are not followed; put the folder itself there")
    for name in listing.misnamed:
        # A deck or an icon would be missing; of all else the one who names it is told.
        severity: Severity = "error" if folder == "cards" or "/icons/" in name else "warning"
        kind = "file" if severity == "error" else KIND
        message = "its name is not UTF-8, so it is not read; rename it"
        yield Problem(Source(name), message, kind, severity)
    if not listing.whole:
        message = f"it holds more than {bounds.most(paths.MOST_FILES)} files; the rest is not read"
        yield Problem(Source(folder), message, "file")


def _no_folder(root: Path, folder: str) -> str:
    if not paths.there(root, folder):
        return ""
    try:
        paths.find(root, folder)
    except paths.Unreadable as error:
        return "" if "is a folder" in str(error) else str(error)
    return "is a file; a folder is asked for"


def _misplaced(root: Path) -> dict[str, str]:
    return {
        name: f"it is passed over; what is read is {meant}: rename it"
        for name, meant in _MEANT.items()
        if paths.there(root, name)
    }


def _of_cards(root: Path, files: Iterable[str]) -> Iterator[tuple[str, str]]:
    """Deck files of another ending or in another folder, and tables that no deck reads."""
    files = list(files)
    decks = _decks(files)
    named = _Named(files, [paths.read_text(root, name)[0] for name in decks])
    for name in files:
        path = PurePosixPath(name)
        relative, ending = name.removeprefix("cards/"), path.suffix.lower()
        if name in _MEANT or name in decks or path.name.startswith("."):
            continue
        if ending in {".yaml", ".yml"} and name.count("/") > 1:
            yield name, "it is passed over: deck files lie in cards/ itself; move it there"
        elif ending in {".yaml", ".yml"}:
            yield name, f"it is passed over: deck files end in .yaml; rename it {path.stem}.yaml"
        elif ending in ENDINGS and named.lacks(relative, "cards") and not _has_csv(name, files):
            yield name, f"no deck reads this table; a deck names its table: rows: {relative}"
        elif ending == ".numbers" and not _has_csv(name, files):
            message = f"it is passed over: tables are XLSX, ODS or CSV; save it as {path.stem}.xlsx"
            yield name, message


def _has_csv(name: str, files: Iterable[str]) -> bool:
    """Whether a workbook's table lies beside it as CSV, which is read in its stead."""
    stem, _, ending = name.rpartition(".")
    return ending.lower() not in ("csv", "tsv", "json") and f"{stem}.csv" in files


def _decks(files: Iterable[str]) -> list[str]:
    return [name for name in files if name.endswith(".yaml") and name.count("/") == 1]


def _of_templates(root: Path, listings: dict[str, Listing]) -> Iterator[tuple[str, str]]:
    """Templates of another ending, and styles, that nothing names."""
    files = listings["templates"].files
    readers = _decks(listings["cards"].files)
    readers += [name for name in files if name.endswith((".html", ".svg"))]
    named = _Named(files, [paths.read_text(root, name)[0] for name in readers])
    for name in files:
        path = PurePosixPath(name)
        relative, ending = name.removeprefix("templates/"), path.suffix.lower()
        if path.name.startswith(".") or not named.lacks(relative, "templates"):
            continue
        if ending == ".htm" or (ending == ".html" and path.suffix != ".html"):
            message = f"it is passed over: templates end in .html; rename it {path.stem}.html"
            yield name, message
        elif ending == ".css":
            yield name, f"no deck names this style; a deck names its styles: styles: [{relative}]"


class _Named:
    """The names of files that stand in texts, found once for each ending."""

    def __init__(self, files: Iterable[str], texts: Iterable[str]) -> None:
        self._files = frozenset(files)
        self._words = {word for text in texts for word in _PART.findall(text)}
        self._of_ending: dict[str, frozenset[str]] = {}

    def lacks(self, name: str, folder: str) -> bool:
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


def _of_books(files: Iterable[str], languages: tuple[str, ...]) -> Iterator[tuple[str, str]]:
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
