"""What cards and books are told of a game by the same names. What rules are told, and books beside,
is `expressions.Database.offered`."""

from __future__ import annotations

from typing import Any

from cardgen.base.problems import did_you_mean
from cardgen.game.model import Deck, Game
from cardgen.game.texts import localised
from cardgen.game.writing import from_right


def of_game(game: Game, language: str, title: str, **more: Any) -> dict[str, Any]:
    """`game`, `words`, `language`, `from_right` and `variant`; `more` is what the game has
    for one who asks."""
    icons = tuple(game.icons)
    return {
        "game": {
            "id": game.id,
            "title": title,
            "edition": game.edition,
            "date": game.date,
            "constants": localised(game.constants, language, icons),
            **more,
            "languages": game.languages,
        },
        "words": localised(game.words, language, icons),
        "language": language,
        "from_right": from_right(language),
        "variant": game.variant,
    }


def of_deck(deck: Deck, language: str, icons: tuple[str, ...], **more: Any) -> dict[str, Any]:
    """A deck: how many cards it has (copies counted), how many different ones, and their size."""
    return {
        "id": deck.id,
        "title": localised(deck.title, language, icons),
        "count": deck.count,
        "pieces": len(deck.pieces),
        **more,
        "width": deck.size.width,
        "height": deck.size.height,
        "shape": deck.shape,
    }


def known_icon(name: str, icons: tuple[str, ...]) -> str:
    """The name, if an icon has it."""
    if name not in icons:
        raise LookupError(f"no icon '{name}' in art/icons{did_you_mean(str(name), icons)}")
    return name
