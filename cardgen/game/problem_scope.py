"""Which problems stand in the way of a build that is not of all the game.

One empty cell in Hindi is told, and stops neither the English cards nor a deck of another file.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass, replace
from pathlib import PurePosixPath

from cardgen.core.problems import Problem

BOOKS_FOLDER, TABLE_FILE = "rulebook", "table.yaml"


@dataclass(frozen=True)
class ProblemScope:
    """What is built: those decks, languages and cards (with their decks), all of them where none
    is named; books and tables for screens or not."""

    decks: Collection[str] = ()
    languages: Collection[str] = ()
    books: bool = True
    tables: bool = True
    cards: Collection[tuple[str, str]] = ()

    def mark_problems(self, problems: Iterable[Problem]) -> list[Problem]:
        """The problems, those that concern nothing of it marked as `elsewhere`."""
        return [p if self.is_relevant(p) else replace(p, outside_selection=True) for p in problems]

    def is_relevant(self, problem: Problem) -> bool:
        """Whether a problem is one of what is built."""
        subject, path = problem.subject, PurePosixPath(problem.source.path)
        language = subject.language
        if path.parts[:1] == (BOOKS_FOLDER,):
            if not self.books:
                return False
            language = path.stem if path.suffix == ".md" else ""
        if not self.tables and (problem.kind == "tabletop" or problem.source.path == TABLE_FILE):
            return False
        if self.languages and language and language not in self.languages:
            return False
        if self.cards and subject.card and (subject.deck, subject.card) not in self.cards:
            return False
        return not (self.decks and subject.deck and subject.deck not in self.decks)
