"""What a card's templates see of other cards, and which decks they looked at for it.

`cards`, `card`, `count` and `sum_of` are those of the rules; a field that refers to a card is that
card's id, and has its fields.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from cardgen.game.model import Game, Reference
from cardgen.game.texts import in_language_of
from cardgen.templates.expressions import CannotEvaluate, Database
from cardgen.templates.wording import Referred


class OtherCards(Database):
    """A game's cards in a language. `seen` are the decks that were looked at since it was last
    emptied."""

    def __init__(self, game: Game, language: str) -> None:
        icons = tuple(game.icons)
        super().__init__(game, language, in_language_of(language, icons), self.referred)
        self.seen: set[str] = set()

    @property
    def functions(self) -> dict[str, Callable[..., Any]]:
        """What templates may call."""
        return {"cards": self.cards, "count": self.count, "sum_of": self.sum_of}

    def referred(self, reference: Reference) -> Referred:
        """A reference as its card's id, with its fields behind it."""
        return Referred(reference.piece, lambda: self._of(reference))

    def own(self, values: Mapping[str, Any]) -> OwnCard:
        """The card that a template is at."""
        return OwnCard(values, self.card)

    def _rows(self, name: str) -> list[dict[str, Any]]:
        self.seen.add(name)
        return super()._rows(name)

    def _of(self, reference: Reference) -> dict[str, Any]:
        """The card that is meant; where every player has one, the first."""
        rows = self._rows(reference.deck)
        names = [reference.piece, *(f"{reference.piece}-{p.id}" for p in self.game.players)]
        for row in rows:
            if row["id"] in names:
                return row
        raise CannotEvaluate(f"there is no card '{reference.piece}' in {reference.deck}")


class OwnCard(dict[str, Any]):
    """A card's fields by name; called with a deck and an id, another card's."""

    def __init__(self, values: Mapping[str, Any], another: Callable[..., Any]) -> None:
        super().__init__(values)
        self._another = another

    def __call__(self, *asked: str) -> Any:
        return self._another(*asked)
