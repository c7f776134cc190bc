"""What cards and books are told of a game by the same names. What rules are told, and books beside,
is `expressions.Database.offered`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from cardgen.core.problems import did_you_mean
from cardgen.game.card_text import localise_value, make_card_text_factory
from cardgen.game.model import CardReference, Deck, Game
from cardgen.game.text_direction import is_right_to_left
from cardgen.templates.expression_messages import FailedReference
from cardgen.templates.expressions import CardDatabase, EvaluationError


def describe_game(game: Game, language: str, title: str, **more: Any) -> dict[str, Any]:
    """`game`, `words`, `language`, `from_right` and `variant`; `more` is what the game has
    for one who asks."""
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
    """A deck: how many cards it has (copies counted), how many different ones, and their size."""
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
    """The name, if an icon has it."""
    if name not in icons:
        raise LookupError(f"no icon '{name}' in art/icons{did_you_mean(str(name), icons)}")
    return name


class TemplateCards(CardDatabase):
    """A game's cards in a language. `seen` are the decks that were looked at since it was last
    emptied."""

    def __init__(self, game: Game, language: str) -> None:
        icons = tuple(game.icons)
        super().__init__(
            game, language, make_card_text_factory(language, icons), self.resolve_reference
        )
        self.decks_read: set[str] = set()

    @property
    def functions(self) -> dict[str, Callable[..., Any]]:
        """What templates may call."""
        return {"cards": self.cards, "count": self.count, "sum_of": self.sum_of}

    def resolve_reference(self, reference: CardReference) -> FailedReference:
        """A reference as its card's id, with its fields behind it."""
        return FailedReference(reference.piece, lambda: self._find_card(reference))

    def make_card(self, values: Mapping[str, Any]) -> TemplateCard:
        """The card that a template is at."""
        return TemplateCard(values, self.card)

    def _get_rows(self, name: str) -> list[dict[str, Any]]:
        self.decks_read.add(name)
        return super()._get_rows(name)

    def _find_card(self, reference: CardReference) -> dict[str, Any]:
        """The card that is meant; where every player has one, the first."""
        rows = self._get_rows(reference.deck)
        names = [reference.piece, *(f"{reference.piece}-{p.id}" for p in self.game.players)]
        for row in rows:
            if row["id"] in names:
                return row
        raise EvaluationError(f"there is no card '{reference.piece}' in {reference.deck}")


class TemplateCard(dict[str, Any]):
    """A card's fields by name; called with a deck and an id, another card's."""

    def __init__(self, values: Mapping[str, Any], another: Callable[..., Any]) -> None:
        super().__init__(values)
        self._another = another

    def __call__(self, *asked: str) -> Any:
        return self._another(*asked)
