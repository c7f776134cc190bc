"""Context of templates: the game, the deck, and the cards that templates read.

Rules and expressions in books have the names of `CardDatabase` instead.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from cardgen.core.problems import did_you_mean
from cardgen.game.card_text import localise_value, make_card_text_factory
from cardgen.game.model import CardReference, Deck, Game
from cardgen.game.text_direction import is_right_to_left
from cardgen.templates.expression_messages import LinkedCardId
from cardgen.templates.expressions import CardDatabase, EvaluationError


def describe_game(game: Game, language: str, title: str, **more: Any) -> dict[str, Any]:
    """Return `game`, `words`, `language`, `from_right` and `variant`. `more` extends `game`."""
    icons = tuple(game.icons)
    return {
        "game": {
            "id": game.id,
            "title": title,
            "edition": game.edition,
            "date": game.date,
            "constants": localise_value(game.constants, language, icons),
            **more,
            "languages": game.languages,
        },
        "words": localise_value(game.words, language, icons),
        "language": language,
        "from_right": is_right_to_left(language),
        "variant": game.variant,
    }


def describe_deck(deck: Deck, language: str, icons: tuple[str, ...], **more: Any) -> dict[str, Any]:
    """Return a deck: its number of cards with and without copies, and their size in mm."""
    return {
        "id": deck.id,
        "title": localise_value(deck.title, language, icons),
        "count": deck.count,
        "pieces": len(deck.pieces),
        **more,
        "width": deck.size.width,
        "height": deck.size.height,
        "shape": deck.shape,
    }


def check_icon(name: str, icons: tuple[str, ...]) -> str:
    """Return the name of an icon. Raise LookupError if there is none."""
    if name not in icons:
        raise LookupError(f"no icon '{name}' in art/icons{did_you_mean(str(name), icons)}")
    return name


class TemplateCards(CardDatabase):
    """The cards of a game in a language. `decks_read` collects the decks that templates read."""

    def __init__(self, game: Game, language: str) -> None:
        icons = tuple(game.icons)
        super().__init__(
            game, language, make_card_text_factory(language, icons), self.resolve_reference
        )
        self.decks_read: set[str] = set()

    @property
    def functions(self) -> dict[str, Callable[..., Any]]:
        """The functions of templates."""
        return {"cards": self.cards, "count": self.count, "sum_of": self.sum_of}

    def resolve_reference(self, reference: CardReference) -> LinkedCardId:
        """Return the id of the card that a field refers to, with the fields of that card."""
        return LinkedCardId(reference.piece, lambda: self._find_card(reference))

    def make_card(self, values: Mapping[str, Any]) -> TemplateCard:
        """Return the card of a face; it can be called for other cards."""
        return TemplateCard(values, self.card)

    def _get_rows(self, name: str) -> list[dict[str, Any]]:
        self.decks_read.add(name)
        return super()._get_rows(name)

    def _find_card(self, reference: CardReference) -> dict[str, Any]:
        """Return the card that a reference means; if every player has one, the first."""
        rows = self._get_rows(reference.deck)
        names = [reference.piece, *(f"{reference.piece}-{p.id}" for p in self.game.players)]
        for row in rows:
            if row["id"] in names:
                return row
        raise EvaluationError(f"there is no card '{reference.piece}' in {reference.deck}")


class TemplateCard(dict[str, Any]):
    """The fields of a card. Called with a deck and an id, it returns those of another card."""

    def __init__(self, values: Mapping[str, Any], get_card: Callable[..., Any]) -> None:
        super().__init__(values)
        self._get_card = get_card

    def __call__(self, *names: str) -> Any:
        return self._get_card(*names)
