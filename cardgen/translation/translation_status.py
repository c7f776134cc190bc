"""Status of translations, and the register of their sources: translations/LANGUAGE.json.

The register is part of the game, so that outdated translations are known without git, too. Beside
it, translations/LANGUAGE.proposals.json keeps translations that nobody has confirmed: fuzzy entries
of a PO file and the like. They are never printed.

Rulebooks are translated as whole files; their status compares the headings.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from cardgen.core import json_schema
from cardgen.core.problems import Problem, Source
from cardgen.game.inventory import format_count
from cardgen.game.markup import ICON_TOKEN
from cardgen.game.model import Game
from cardgen.runtime import game_files, safe_files
from cardgen.translation.text_units import TextUnit

REGISTER_FOLDER = "translations"
MAX_REGISTER_ENTRIES = 100_000


@dataclass(frozen=True)
class RegisterEntry:
    """The source from which a translation was made, and a short hash of the translation."""

    source: str
    digest: str


@dataclass(frozen=True)
class Proposal:
    """An unconfirmed translation with the source from which it was made.

    `digest` is a short hash of the game's translation at that time: once the game has another, the
    proposal is void.
    """

    source: str
    text: str
    digest: str


@dataclass
class TranslationRegister:
    """The entries and proposals of a language by the texts' ids."""

    language: str
    entries: dict[str, RegisterEntry] = field(default_factory=dict)
    proposals: dict[str, Proposal] = field(default_factory=dict)

    @property
    def file(self) -> str:
        return f"{REGISTER_FOLDER}/{self.language}.json"

    @property
    def proposals_file(self) -> str:
        return f"{REGISTER_FOLDER}/{self.language}.proposals.json"

    def record_translation(self, unit: str, source: str, translation: str) -> None:
        """Record that a translation was made from a source."""
        self.entries[unit] = RegisterEntry(normalise_text(source), hash_text(translation))
        self.proposals.pop(unit, None)

    def doubt_translation(self, unit: str, translation: str) -> None:
        """Record that a translation needs work: it counts as made from no source, and older."""
        self.entries[unit] = RegisterEntry("", hash_text(translation))

    def record_proposal(self, unit: str, source: str, text: str, current: str) -> None:
        """Record an unconfirmed translation; `current` is the one that the game has."""
        self.proposals[unit] = Proposal(normalise_text(source), text, hash_text(current))

    def find_proposal(self, unit: str, current: str) -> Proposal | None:
        """Return the proposal for a text, unless the game's translation was changed since."""
        proposal = self.proposals.get(unit)
        return proposal if proposal and proposal.digest == hash_text(current) else None

    def find_source(self, unit: str, translation: str) -> str | None:
        """Return the source from which a translation was made; None if it is unknown."""
        entry = self.entries.get(unit)
        return entry.source if entry and entry.digest == hash_text(translation) else None

    def format_files(self) -> dict[str, bytes]:
        """Return the contents of both files: a line for each text, sorted by id."""
        return {
            self.file: _format_lines(self.entries),
            self.proposals_file: _format_lines(self.proposals),
        }


def normalise_text(text: str) -> str:
    """Return a text as a cell shows it: composed, with \\n as line end, and none at its end."""
    text = game_files.compose(text)
    return text.replace("\r\n", "\n").replace("\r", "\n").rstrip("\n")


def strip_text(text: str) -> str:
    """Return a normalised text without blanks around it, to be compared."""
    return normalise_text(text).strip()


def hash_text(text: str) -> str:
    """Return a short hash of a normalised text."""
    return hashlib.sha256(normalise_text(text).encode(errors="replace")).hexdigest()[:12]


def make_mark(text: str) -> str:
    """Return a short mark of a translation that no spreadsheet takes for a number."""
    return f"t{hash_text(strip_text(text))}"


def read_register(root: Path, language: str) -> tuple[TranslationRegister, list[Problem]]:
    """Return the register of a language; an empty one if there is no file, or a damaged one."""
    register, problems = TranslationRegister(language), list[Problem]()
    for name, value in _read_json_items(root, register.file, 2, problems):
        register.entries[name] = RegisterEntry(*value)
    for name, value in _read_json_items(root, register.proposals_file, 3, problems):
        register.proposals[name] = Proposal(*value)
    return register, problems


def _read_json_items(
    root: Path, file: str, length: int, problems: list[Problem]
) -> list[tuple[str, list[str]]]:
    """Return the lists of `length` strings in a JSON file with their names."""
    if not game_files.has_entry(root, file):
        return []
    text, reason = game_files.read_text(root, file)
    if reason:
        problems.append(Problem(Source(file), f"the file {reason}", "file", "warning"))
        return []
    try:
        items = json_schema.parse_json(text)
    except json_schema.InvalidJsonError as error:
        message = f"{error}; delete it, and it is made anew at the next import"
        problems.append(Problem(Source(file, error.line), message, "file", "warning"))
        return []
    found = items.items() if isinstance(items, Mapping) else ()
    good = [
        (name, value) for name, value in found
        if isinstance(value, list) and list(map(type, value)) == [str] * length
    ]  # fmt: skip
    return good[:MAX_REGISTER_ENTRIES]


def write_register(root: Path, register: TranslationRegister) -> None:
    """Write the register into the game, and its proposals if there are or were any. Raises
    `PathBlockedError` and OSError."""
    safe_files.ensure_folder(root, [REGISTER_FOLDER])
    for file, data in register.format_files().items():
        if file == register.file or register.proposals or game_files.has_entry(root, file):
            safe_files.check_target(root, file)
            safe_files.replace_file(root / file, data)


def _format_lines(items: Mapping[str, RegisterEntry | Proposal]) -> bytes:
    lines = [
        f"{_format_json(name)}: {_format_json(list(vars(item).values()))}"
        for name, item in sorted(items.items())
    ]
    return ("{\n" + ",\n".join(lines) + "\n}\n").encode()


_format_json = json.JSONEncoder(ensure_ascii=False).encode


MISSING, PROPOSED, OLDER, SAME, DONE = "missing", "proposal", "older", "same", "translated"
TRANSLATION_STATES = (MISSING, PROPOSED, OLDER, SAME, DONE)
OPEN_STATES = (MISSING, PROPOSED, OLDER)
"""States of texts that a translator has to look at."""
_TWO_LETTERS = re.compile(r"[^\W\d_]{2,}")


def compute_state(unit: TextUnit, source: str, language: str, register: TranslationRegister) -> str:
    """Return the state of a text's translation; `source` is the language to translate from."""
    text, from_text = unit.texts.get(language, ""), unit.texts.get(source, "")
    if register.find_proposal(unit.id, text):
        return PROPOSED
    if not text.strip():
        return MISSING if from_text.strip() else DONE
    made_from = register.find_source(unit.id, text)
    if made_from is not None and made_from != normalise_text(from_text):
        return OLDER
    return SAME if is_same_text(text, from_text) and made_from is None else DONE


def is_same_text(text: str, source: str) -> bool:
    """Return whether a translation repeats its source, and the source has a word to translate."""
    return strip_text(text) == strip_text(source) and bool(
        _TWO_LETTERS.search(ICON_TOKEN.sub(" ", source))
    )


def count_states(
    units: Iterable[TextUnit], source: str, language: str, register: TranslationRegister
) -> Mapping[str, Counter[str]]:
    """Return the number of texts by deck ("" for the game itself) and state."""
    counted: dict[str, Counter[str]] = defaultdict(Counter)
    for unit in units:
        if unit.is_for(language):
            counted[unit.deck][compute_state(unit, source, language, register)] += 1
    return counted


_BOOK_HEADING = re.compile(r"^(#{1,4})\s+\S", re.MULTILINE)
_CODE_FENCE = re.compile(r"^(```|~~~).*?^\1", re.MULTILINE | re.DOTALL)


def describe_book_status(game: Game, language: str) -> str:
    """Return how the rulebook of a language compares to the source's; "" if there is none."""
    source = game.languages[0]
    first, other = (_list_heading_levels(game, code) for code in (source, language))
    if first is None:
        return ""
    name = f"rulebook/{language}.md"
    if other is None:
        return f"the rulebook is a file of its own, and missing: {name}, from rulebook/{source}.md"
    if first == other:
        return f"rulebook/{language}.md has all of {format_count(len(first), 'heading')}"
    return f"{name} has {format_count(len(other), 'heading')}, rulebook/{source}.md {len(first)}"


def _list_heading_levels(game: Game, language: str) -> list[int] | None:
    """Return the levels of a rulebook's headings in their order; None without a book."""
    name = f"rulebook/{language}.md"
    if not game_files.has_entry(game.root, name):
        return None
    text, why = game_files.read_text(game.root, name)
    headings = _BOOK_HEADING.findall(_CODE_FENCE.sub("", text))
    return None if why else list(map(len, headings))
