"""What a rulebook's Jinja may ask of the game: its cards, counted and shown, in one language."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from cardgen.base.units import is_number
from cardgen.book.charts import bars, columns
from cardgen.book.words import number, words
from cardgen.game.face_facts import NOTHING, Known, NamedPlace, no_place
from cardgen.game.model import Game
from cardgen.game.texts import in_language_of, localised
from cardgen.rules import rulefigures
from cardgen.rules.odds.asking import Odds
from cardgen.rules.odds.average import NINE_OF_TEN
from cardgen.rules.odds.shares import told as told_share
from cardgen.templates import offered
from cardgen.templates.expressions import CannotEvaluate, Database
from cardgen.templates.wording import in_words, is_left_out
from cardgen.words.languages import decimal_sign

_ROUNDED = 1e-9
"""So far past 0 or 1 a sum of shares may come."""


def _where(place: NamedPlace) -> dict[str, float]:
    x, y = place.middle
    return {"x": x, "y": y, "width": place.width, "height": place.height}


class Offers:
    """The names, by name. `fragments` collects the ready HTML of charts."""

    def __init__(self, game: Game, language: str, designer: bool, known: Known = NOTHING) -> None:
        self._game, self._language, self._known = game, language, known
        self._icons = tuple(game.icons)
        self._database = Database(game, language, in_language_of(language, self._icons))
        self._odds = Odds(game.rules, self._database)
        self.fragments: list[str] = []
        self.names: Mapping[str, Any] = {
            **self._database.offered,
            **offered.of_game(game, language, game.title[language]),
            "designer": designer,
            "card": self.card,
            "deck": self.deck,
            "icon": self.icon,
            "place": self.place,
            "rules": self.rules,
            "chart": self.chart,
            "chance": self._odds.chance,
            "average": self._odds.average,
            "mostly": self._odds.mostly,
            "simulated": self._odds.simulated,
            "percent": self.percent,
            "distribution": self.distribution,
        }

    def card(self, deck: str, card: str) -> dict[str, Any]:
        """A card's fields, as `cards` gives them."""
        return self._database.card(deck, card)

    def deck(self, name: str) -> dict[str, Any]:
        """A deck's title, how many cards it has (copies counted) and how many different ones."""
        return offered.of_deck(self._database.deck(name), self._language, self._icons)

    def place(self, card: str, name: str) -> dict[str, float]:
        """Where a named place of a card, "boards/red" or "boards/red/back", is: x and y of its
        middle, width and height, mm from the trim's top left corner."""
        deck, _, rest = card.partition("/")
        piece, _, side = rest.partition("/")
        self._database.card(deck, piece)
        if side not in ("", "front", "back"):
            raise CannotEvaluate(f"a card has no side '{side}'; it is front or back")
        facts = self._known.facts(deck, piece, side or "front", self._language)
        if facts is None:  # what is wrong with the face is told there
            size = self._database.deck(deck).size
            return _where(NamedPlace(0.0, 0.0, size.width, size.height))
        if name not in facts.places:
            raise CannotEvaluate(no_place(name, f"{deck}/{piece}", facts.places))
        return _where(facts.places[name])

    def icon(self, name: str) -> str:
        """The token of an icon whose name is worked out."""
        return f"{{{offered.known_icon(name, self._icons)}}}"

    def rules(self) -> list[dict[str, Any]]:
        """The composition rules, each with the figure that it comes to now."""
        return rulefigures.table(
            self._game.rules, self._database, words(self._game, self._language)
        )

    def percent(self, share: float, digits: int = 0) -> str:
        """A share of 1 in per cent, as it is written in the book's language."""
        if not is_number(share):
            raise CannotEvaluate(f"percent: {in_words(share)} is no number")
        if not -_ROUNDED <= share <= 1 + _ROUNDED:
            more = "0.72, or print the figure itself" if share > 1 else "a number from 0 to 1"
            raise CannotEvaluate(f"percent: {share:g} is no share of 1; write {more}")
        text = told_share(min(1, max(0, share)), max(0, min(6, int(digits))))
        return f"{text.replace('.', decimal_sign(self._language))}\u00a0%"

    def distribution(self, deck: Any = None, title: str = "", **given: Any) -> str:
        """How likely each total of the cards drawn is, as columns; what is said of the draw is
        said as for `average`."""
        found = self._odds.distribution("distribution", deck, given)
        mostly = found.mostly(NINE_OF_TEN)
        said = words(self._game, self._language)
        point = decimal_sign(self._language)
        span = "–".join(number(float(each)) for each in mostly)
        told = f"{said['mean']} {float(found.mean):.3g}; {said['mostly']} {span}"
        heading = title or (self._database.deck(deck).title[self._language] if deck else "")
        heading = f"{heading} · {told.replace('.', point)}" if heading else told
        self.fragments.append(columns(heading, found.shares, mostly, point))
        return f"\n\n\x04{len(self.fragments) - 1}\x05\n\n"

    def chart(self, deck: str, by: str = "", of: str = "", title: str = "") -> str:
        """How many cards of a deck have each value of an expression, as bars.

        `by` keeps the order in which the values first stand in the deck; `of` sorts numbers, and
        leaves out the cards that have none.
        """
        if bool(by) == bool(of):
            raise CannotEvaluate("a chart takes by: or of:, as in chart('loot', by='category')")
        counted: dict[Any, int] = {}
        cards = self._database.cards(deck)
        for row in cards:
            value = self._database.evaluate(by or of, row)
            if of and is_left_out(value):
                continue
            counted[value] = counted.get(value, 0) + 1
        if of:
            wrong = [value for value in counted if not isinstance(value, int | float)]
            if wrong:
                raise CannotEvaluate(f"chart of '{of}': {in_words(wrong[0])} is no number")
            counted = dict(sorted(counted.items()))
        named = localised(self._game.words, self._language, self._icons)
        heading = title or self._database.deck(deck).title[self._language]
        told = (named, self._icons, self._language)
        self.fragments.append(bars(heading, counted, len(cards), told))
        return f"\n\n\x04{len(self.fragments) - 1}\x05\n\n"
