"""What each translation was made from, kept in the game: translations/LANGUAGE.json.

So it is known which translations are older than their source, in any folder, with git or without.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from cardgen.base import filing, jsontext, paths
from cardgen.base.problems import Problem, Source

FOLDER = "translations"
_MOST = 100_000


@dataclass(frozen=True)
class Entry:
    """The source that a translation was made from, and a short hash of the translation."""

    source: str
    digest: str


@dataclass
class Register:
    """The entries of a language, by the texts' ids."""

    language: str
    entries: dict[str, Entry] = field(default_factory=dict)

    @property
    def file(self) -> str:
        return f"{FOLDER}/{self.language}.json"

    def note(self, unit: str, source: str, translation: str) -> None:
        """Keep that a translation was made from that source."""
        self.entries[unit] = Entry(plain(source), digest(translation))

    def made_from(self, unit: str, translation: str) -> str | None:
        """The source that this translation was made from; None where that is not known, or it is
        not the one that was noted."""
        entry = self.entries.get(unit)
        return entry.source if entry and entry.digest == digest(translation) else None

    def written(self) -> bytes:
        """The file: a line for each text, in the order of their ids."""
        lines = [
            f"{_json(name)}: [{_json(entry.source)}, {_json(entry.digest)}]"
            for name, entry in sorted(self.entries.items())
        ]
        return ("{\n" + ",\n".join(lines) + "\n}\n").encode()


def plain(text: str) -> str:
    """A text as a cell shows it: with plain ends of lines, and none after the last."""
    return text.replace("\r\n", "\n").replace("\r", "\n").rstrip("\n")


def digest(text: str) -> str:
    """A short hash of a text as a cell shows it."""
    return hashlib.sha256(plain(text).encode(errors="replace")).hexdigest()[:12]


def mark(text: str) -> str:
    """A short sign of a translation, which no spreadsheet takes for a number."""
    return f"t{digest(plain(text).strip())}"


def read(root: Path, language: str) -> tuple[Register, list[Problem]]:
    """What is noted of a language; nothing where there is no file, or it is damaged."""
    register = Register(language)
    if not paths.there(root, register.file):
        return register, []
    text, why = paths.read_text(root, register.file)
    if why:
        return register, [Problem(Source(register.file), f"the file {why}", "file", "warning")]
    try:
        kept = jsontext.parse(text)
    except jsontext.NotJson as error:
        message = f"{error}; delete it, and it is made anew at the next import"
        return register, [Problem(Source(register.file, error.line), message, "file", "warning")]
    for name, value in kept.items() if isinstance(kept, Mapping) else ():
        if isinstance(value, list) and list(map(type, value)) == [str, str]:
            register.entries[name] = Entry(*value)
        if len(register.entries) >= _MOST:
            break
    return register, []


def write(root: Path, register: Register) -> None:
    """Put the file into the game. Raises `Blocked` and OSError."""
    filing.folder(root, [FOLDER])
    filing.check(root, register.file)
    filing.put(root / register.file, register.written())


def _json(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)
