"""Glossary for translators: the terms of a text with their translations.

Terms are the rows of translations/glossary.csv, which has a column for each language, and the names
of cards, decks and players, as they are translated now.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from cardgen.core.problems import Problem, Source
from cardgen.game import csv_tables
from cardgen.game.markup import strip_markup
from cardgen.game.model import Game
from cardgen.runtime import game_files
from cardgen.translation.text_units import TextUnit
from cardgen.translation.translation_status import REGISTER_FOLDER

GLOSSARY_FILE = f"{REGISTER_FOLDER}/glossary.csv"
_NOTE_COLUMN = "note"
_NAME_LABELS = re.compile(r"(?:name|title|players\.[^.]+\.name)\Z")
_MAX_TERM_WORDS = 8
_MAX_TERMS_OF_TEXT = 20
_WORD = re.compile(r"\w+")


@dataclass
class Glossary:
    """Terms of the source language as folded words, and what is said of each."""

    terms: dict[tuple[str, ...], str] = field(default_factory=dict)
    problems: tuple[Problem, ...] = ()

    @classmethod
    def collect(cls, game: Game, units: Iterable[TextUnit], source: str, language: str) -> Glossary:
        """Return the glossary of a game; its own file comes first."""
        glossary = cls()
        for term, translation, note in glossary._read_file(game, source, language):
            glossary._add_term(term, translation, note)
        for unit in units:
            if _NAME_LABELS.match(unit.label):
                term, translation = (unit.texts.get(code, "") for code in (source, language))
                glossary._add_term(strip_markup(term), strip_markup(translation))
        return glossary

    def find_terms(self, text: str) -> str:
        """Return a line for each term within a text, longer terms before their parts."""
        words = _fold_words(text)
        found = dict[str, None]()
        for start in range(len(words)):
            for end in range(min(len(words), start + _MAX_TERM_WORDS), start, -1):
                line = self.terms.get(words[start:end])
                if line and (start, end) != (0, len(words)):
                    found[line] = None
        return "\n".join([*found][:_MAX_TERMS_OF_TEXT])

    def _add_term(self, term: str, translation: str, note: str = "") -> None:
        words = _fold_words(term)
        if 0 < len(words) <= _MAX_TERM_WORDS and any(map(str.isalpha, "".join(words))):
            arrow = f" → {translation}" if translation.strip() else ""
            self.terms.setdefault(words, f"{term}{arrow}{f' ({note})' if note else ''}")

    def _read_file(self, game: Game, source: str, language: str) -> list[Sequence[str]]:
        """Return term, translation and note of each row of the game's glossary."""
        if not game_files.has_entry(game.root, GLOSSARY_FILE):
            return []
        text, reason = game_files.read_text(game.root, GLOSSARY_FILE)
        rows, problems = csv_tables.parse_csv_rows(text, GLOSSARY_FILE)
        headings = [cell.strip() for cell in rows[0].cells] if rows else []
        if reason:
            problems = [Problem(Source(GLOSSARY_FILE), f"the file {reason}", "file", "warning")]
        elif source not in headings:
            message = (
                f"no column is headed {source}; head one for each language, such as "
                f"'{source},{language},{_NOTE_COLUMN}'"
            )
            problems.append(Problem(Source(GLOSSARY_FILE, 1), message, "table", "warning"))
        self.problems = tuple(problems)
        if problems:
            return []
        columns = [headings.index(name) if name in headings else len(headings)
                   for name in (source, language, _NOTE_COLUMN)]  # fmt: skip
        return [["".join(row.cells[at : at + 1]).strip() for at in columns] for row in rows[1:]]


def _fold_words(text: str) -> tuple[str, ...]:
    return tuple(_WORD.findall(text.casefold()))
