"""The few words that a rulebook prints by itself, and its figures."""

from __future__ import annotations

from cardgen.game.model import Game
from cardgen.words.languages import words_of


def words(game: Game, language: str) -> dict[str, str]:
    """Word → text. A game's own `words:` named book_contents, book_page … win."""
    known = words_of("book", language)
    own = {name: game.words.get(f"book_{name}") for name in known}
    return {name: given[language] if (given := own[name]) else known[name] for name in known}


def number(value: float) -> str:
    """A number as briefly as it can be said, with a decimal point."""
    return f"{value:.10g}"
