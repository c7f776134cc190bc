"""Warnings for files that look like the game's and that nothing reads.

A deck file with a wrong name would otherwise be missing in the box without a word.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import Path, PurePosixPath

from cardgen.core import work_limits
from cardgen.core.problems import Problem, Severity, Source, did_you_mean
from cardgen.game.card_tables import TABLE_SUFFIXES
from cardgen.game.workbooks import WORKBOOK_SUFFIXES
from cardgen.runtime import game_files
from cardgen.runtime.game_files import FolderListing

UNUSED_KIND = "passed-over"
GAME_FOLDERS = ("cards", "templates", "looks", "styles", "art", "rulebook", "fonts")
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
"""Wrong names and places of files, and the right ones."""
_BACK_STEM = re.compile(r"(?!shared\b)(.+)[-_ ]back\Z", re.IGNORECASE)
_COMPOSED_BACK = re.compile(r"[}\"'][-_ ]back", re.IGNORECASE)
"""Part of a template that makes the name of a back out of that of a card."""
_ENDS = re.compile(r"[. ]+(?=/|\Z)")
"""What Windows takes off the end of a name."""
_PATH_WORD = re.compile(r"[^\s'\"\[\],:]+")


def find_unused_files(root: Path, languages: Iterable[str]) -> list[Problem]:
    """Return what is wrong with the names of a game's files and folders, and the unused files."""
    listings = {folder: game_files.list_folder(root, folder) for folder in GAME_FOLDERS}
    problems = [
        problem
        for folder, listing in listings.items()
        for problem in _check_folder(root, folder, listing)
    ]
    warnings = {
        **{
            name: f"this file is not read; rename it {right}"
            for name, right in _RENAMES.items()
            if game_files.has_entry(root, name)
        },
        **dict(_check_cards_folder(root, list(listings["cards"].files))),
        **dict(_check_back_pictures(root, listings["art"].files)),
        **dict(_check_books_folder(listings["rulebook"].files, tuple(languages))),
    }
    return problems + [_make_warning(name, message) for name, message in warnings.items()]


def _make_warning(name: str, message: str) -> Problem:
    return Problem(Source(name), message, UNUSED_KIND, "warning")


def _check_folder(root: Path, folder: str, listing: FolderListing) -> Iterator[Problem]:
    """Yield what cannot be read at all in a folder, or because of its name."""
    if game_files.has_entry(root, folder):
        try:
            game_files.find_file(root, folder)
            yield Problem(Source(folder), "this is a file; expected a folder", "file")
        except game_files.UnreadableError as error:
            if "is a folder" not in str(error):
                yield Problem(Source(folder), f"the folder {error}", "file")
    for name in listing.links:
        yield _make_warning(name, "links to folders are not followed; put the folder itself here")
    for name, twin in _find_twins(listing.files):
        message = f"{twin} has the same name on Windows and on a Mac; rename one of them"
        if name == twin:
            message = "two files have this name, in two Unicode forms; remove or rename one of them"
        yield Problem(Source(name), message, "file")
    for name in listing.misnamed:
        # A deck or an icon would be missing; every other file is reported where it is named.
        severity: Severity = "error" if folder == "cards" or "/icons/" in name else "warning"
        kind = "file" if severity == "error" else UNUSED_KIND
        message = "the name is not UTF-8, so the file is not read; rename it"
        yield Problem(Source(name), message, kind, severity)
    if not listing.complete:
        most = work_limits.scale_limit(game_files.MAX_FILES)
        message = f"there are more than {most} files here; the rest is not read"
        yield Problem(Source(folder), message, "file")


def _find_twins(files: Iterable[str]) -> Iterator[tuple[str, str]]:
    """Yield each file whose name differs from that of an earlier one only in case or form."""
    first: dict[str, str] = {}
    for name in files:
        folded = _ENDS.sub("", game_files.compose(name.casefold()))
        if folded in first:
            yield name, first[folded]
        first.setdefault(folded, name)


def _check_cards_folder(root: Path, files: list[str]) -> Iterator[tuple[str, str]]:
    """Yield deck files with another suffix or in another folder, and tables that no deck names."""
    decks = [name for name in files if name.endswith(".yaml") and name.count("/") == 1]
    words = {
        word for name in decks for word in _PATH_WORD.findall(game_files.read_text(root, name)[0])
    }
    for name in files:
        path = PurePosixPath(name)
        relative, suffix = name.removeprefix("cards/"), path.suffix.lower()
        is_document = suffix in {".yaml", ".yml"} and relative in words
        if name in _RENAMES or name in decks or path.name.startswith(".") or is_document:
            continue
        if suffix in {".yaml", ".yml"} and name.count("/") > 1:
            yield name, "this file is not read; deck files lie in cards/ itself: move it there"
        elif suffix in {".yaml", ".yml"}:
            yield (
                name,
                f"this file is not read; deck files end in .yaml: rename it {path.stem}.yaml",
            )
        elif (
            suffix in TABLE_SUFFIXES
            and not _is_named(relative, words, files)
            and not _has_csv_twin(name, files)
        ):
            yield name, f"no deck reads this table; name it in a deck: rows: {relative}"


def _is_named(name: str, words: Iterable[str], files: Iterable[str]) -> bool:
    """Return whether a word names a table, or names one with its suffix that does not exist: that
    one is reported already."""
    suffix = PurePosixPath(name).suffix
    named = [
        start + suffix
        for word in words
        if suffix in word
        for start, _, rest in [word.rpartition(suffix)]
        if not rest[:1].isalnum()
    ]
    return name in named or any(f"cards/{each}" not in files for each in named)


def _has_csv_twin(name: str, files: Iterable[str]) -> bool:
    """Return whether a workbook was saved as CSV beside it, which the deck reads instead."""
    stem, _, suffix = name.rpartition(".")
    return suffix.lower() not in ("csv", "tsv", "json") and f"{stem}.csv" in files


def _check_back_pictures(root: Path, files: Iterable[str]) -> Iterator[tuple[str, str]]:
    """Yield pictures that are called the back of another one, if no file of the game names them."""
    pictures = {name: PurePosixPath(name) for name in files}
    backs = {
        name: match[1] for name, path in pictures.items() if (match := _BACK_STEM.match(path.stem))
    }
    folders = ("cards", "templates", "rulebook") if backs else ()
    readers = [name for folder in folders for name in game_files.list_files(root, folder)]
    if any(PurePosixPath(name).suffix.lower() in WORKBOOK_SUFFIXES for name in readers):
        return  # a workbook may name them
    texts = [game_files.read_text(root, name)[0] for name in readers]
    if any(map(_COMPOSED_BACK.search, texts)):
        return
    for name, front in backs.items():
        path = pictures[name]
        if any(path.stem in text for text in texts):
            continue
        beside = {other.stem for other in pictures.values() if other.parent == path.parent}
        if front in beside:
            yield name, f"no card names this picture; name it in the card that has '{front}'"
        else:
            hint = did_you_mean(front, beside - {path.stem})
            hint = hint if "did you mean" in hint else "; name it in a card, or remove it"
            yield name, f"no card names this picture, and there is no '{front}' to go with it{hint}"


def _check_books_folder(
    files: Iterable[str], languages: tuple[str, ...]
) -> Iterator[tuple[str, str]]:
    """Yield rulebooks with other names than a language of the game."""
    for name in files:
        path = PurePosixPath(name)
        if path.suffix.lower() not in {".md", ".markdown"}:
            continue
        if path.stem not in languages:
            hint = did_you_mean(path.stem, languages)
            yield name, f"the game has no language '{path.stem}', so this file is not read{hint}"
        elif path.suffix != ".md" or name.count("/") > 1:
            yield name, f"this file is not read; rename it rulebook/{path.stem}.md"
