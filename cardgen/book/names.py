"""What a rulebook's Jinja may ask of the game: its cards, counted and shown, in one language."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from cardgen.book.charts import bars
from cardgen.book.words import words
from cardgen.game.model import Game
from cardgen.game.texts import CardText, localised
from cardgen.rules import rulefigures
from cardgen.templates import offered
from cardgen.templates.expressions import CannotEvaluate, Database
from cardgen.templates.wording import in_words


class Offers:
    """The names, by name. `fragments` collects the ready HTML of charts."""

    def __init__(self, game: Game, language: str, designer: bool) -> None:
        self._game, self._language = game, language
        self._icons = tuple(game.icons)
        self._database = Database(game, language, lambda text: CardText(text, self._icons))
        self.fragments: list[str] = []
        self.names: Mapping[str, Any] = {
            **self._database.offered,
            **offered.of_game(game, language, game.title[language]),
            "designer": designer,
            "card": self.card,
            "deck": self.deck,
            "icon": self.icon,
            "rules": self.rules,
            "chart": self.chart,
        }

    def card(self, deck: str, card: str) -> dict[str, Any]:
        """A card's fields, as `cards` gives them."""
        return self._database.card(deck, card)

    def deck(self, name: str) -> dict[str, Any]:
        """A deck's title, how many cards it has (copies counted) and how many different ones."""
        return offered.of_deck(self._database.deck(name), self._language, self._icons)

    def icon(self, name: str) -> str:
        """The token of an icon whose name is worked out."""
        return f"{{{offered.known_icon(name, self._icons)}}}"

    def rules(self) -> list[dict[str, Any]]:
        """The composition rules, each with the figure that it comes to now."""
        return rulefigures.table(
            self._game.rules, self._database, words(self._game, self._language)
        )

    def chart(self, deck: str, by: str = "", of: str = "", title: str = "") -> str:
        """How many cards of a deck have each value of an expression, as bars.

        `by` keeps the order in which the values first stand in the deck, `of` sorts numbers.
        """
        if bool(by) == bool(of):
            raise CannotEvaluate("a chart takes by: or of:, as in chart('loot', by='category')")
        counted: dict[Any, int] = {}
        for row in self._database.cards(deck):
            value = self._database.evaluate(by or of, row)
            value = 0 if of and not value else value
            counted[value] = counted.get(value, 0) + 1
        if of:
            wrong = [value for value in counted if not isinstance(value, int | float)]
            if wrong:
                raise CannotEvaluate(f"chart of '{of}': {in_words(wrong[0])} is no number")
            counted = dict(sorted(counted.items()))
        named = localised(self._game.words, self._language, self._icons)
        heading = title or self._database.deck(deck).title[self._language]
        self.fragments.append(bars(heading, counted, named, self._icons, self._language))
        return f"\n\n\x04{len(self.fragments) - 1}\x05\n\n"
