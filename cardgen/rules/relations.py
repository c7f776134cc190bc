"""Kinds of rule that hold cards against each other, and whatever an expression says."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from cardgen.base import schema
from cardgen.base.problems import did_you_mean
from cardgen.game.model import Piece, Text
from cardgen.rules import colours
from cardgen.rules.kind import Backs, Card, Kind, named
from cardgen.rules.measures import Measure
from cardgen.templates.expressions import CannotEvaluate
from cardgen.templates.wording import in_words, is_left_out, name_of

_SHOWN = 48
"""Longer expressions are for those who read rules.yaml itself."""


class Unique(Kind):
    """Whether no two cards say the same."""

    keys, needed = "together", "of"

    def _measured(self) -> Iterator[tuple[str, list[Piece]]]:
        for name, decks in self.groups():
            yield name, [piece for deck in decks for piece in self.database.deck(deck).pieces]

    def figures(self) -> list[str]:
        return [
            f"{name}: {len({piece.id for piece in pieces if piece.copies})}"
            for name, pieces in self._measured()
        ]

    def broken(self, _backs: Backs) -> list[str]:
        broken = []
        for name, pieces in self._measured():
            for (language, value), seen in self._by_value(pieces).items():
                if len(seen) > 1:
                    said = f" in {language}" if language else ""
                    cards = [card.removeprefix(f"{name}/") for card in seen]
                    broken.append(
                        f"{name}: {self.arguments['of']}{said} is '{value}' on {len(seen)} cards, "
                        f"1 asked; in question: {named(cards)}"
                    )
        return broken

    def _by_value(self, pieces: Iterable[Piece]) -> dict[tuple[str, str], list[str]]:
        """(language, value) → cards. A text counts in every language; pieces of players once.

        Cards that leave the field out are not the same.
        """
        field = str(self.arguments["of"])
        seen: dict[tuple[str, str], list[str]] = {}
        for piece in pieces:
            value = piece.values.get(field)
            if isinstance(value, Text):
                keys = [(language, text) for language, text in value.items() if text]
            else:
                found = self.database.on_card(field, piece.deck, piece)
                keys = [] if is_left_out(found) else [("", name_of(found))]
            bare = piece.id.removesuffix(f"-{piece.player.id}") if piece.player else piece.id
            name = f"{piece.deck}/{bare}"
            for key in keys:
                ids = seen.setdefault(key, [])
                if name not in ids:
                    ids.append(name)
        return seen


class SameBack(Kind):
    """Whether backs look alike."""

    def broken(self, backs: Backs) -> list[str]:
        decks = self.decks()
        looks = {deck: backs(deck) for deck in decks}
        first = decks[0]
        broken = [
            f"the backs of {deck} and {first} differ, one and the same asked"
            for deck in decks[1:]
            if set(looks[deck]) != set(looks[first])
        ]
        languages = len(self.database.game.languages)
        for deck, found in looks.items():
            if len(found) > languages:
                by_count = sorted(found.values(), key=len, reverse=True)
                odd = sorted({card for cards in by_count[languages:] for card in cards})
                broken.append(
                    f"{deck} has {len(found)} different backs, {languages} asked, one a language; "
                    f"in question: {named(odd)}"
                )
        return broken


class References(Kind):
    """Whether what cards name is there."""

    keys, needed = "field complete together", "of to"

    def broken(self, _backs: Backs) -> list[str]:
        of, key = str(self.arguments["of"]), str(self.arguments.get("field", "id"))
        to_decks = self.decks("to")
        targets = {
            name_of(self.database.evaluate(key, card)): card["id"] for card in self.cards(to_decks)
        }
        used: set[str] = set()
        broken = []
        for name, decks in self.groups():
            lost: dict[str, list[str]] = {}
            for card, one in self._named(of, decks):
                called = name_of(one)
                used.add(called)
                if not is_left_out(one) and called not in targets:
                    lost.setdefault(called, []).append(card["id"])
            for value, ids in lost.items():
                hint = did_you_mean(value, targets)
                broken.append(
                    f"{name}: {of} '{value}' is no {key} in {', '.join(to_decks)}; "
                    f"in question: {named(ids)}{hint}"
                )
        idle = [card_id for value, card_id in targets.items() if value not in used]
        if self.arguments.get("complete") is True and idle:
            broken.append(
                f"{', '.join(to_decks)}: no {of} of {', '.join(self.decks())} names "
                f"{named(idle)}; each is asked at least once"
            )
        return broken

    def _named(self, of: str, decks: Iterable[str]) -> Iterator[tuple[Card, Any]]:
        for card in self.cards(decks):
            value = self.database.evaluate(of, card)
            for one in value if isinstance(value, list | tuple) else [value]:
                yield card, one


class Require(Kind):
    """Whether an expression holds, once or on every card."""

    keys = "each where among"
    own = schema.EXPRESSION

    @property
    def _expression(self) -> str:
        return str(self.arguments["require"])

    def _on_cards(self) -> list[dict[str, Any]]:
        return self.cards(self.decks("each"), self.where)

    def _holds(self) -> bool:
        self.database.counted.clear()
        return bool(self.database.evaluate(self._expression))

    def asks(self, _words: Mapping[str, str]) -> str:
        return self._expression if len(self._expression) <= _SHOWN else ""

    def figures(self) -> list[str]:
        if "each" in self.arguments:
            return [f"{', '.join(self.decks('each'))}: {len(self._on_cards())}"]
        self._holds()
        facts = self.database.facts(self._expression)
        return [_short(said.replace(" is ", " = ")) for said in facts if " is (" not in said]

    def broken(self, _backs: Backs) -> list[str]:
        said = f"'{self._expression}' does not hold"
        if "each" not in self.arguments:
            told = [] if self._holds() else [said, *self.database.facts(self._expression)]
            return ["; ".join(told)] if told else []
        cards, noun = self._on_cards(), "cards"
        if "among" in self.arguments:
            cards, noun = [entry for card in cards for entry in self._entries(card)], "entries"
        failed = [c["id"] for c in cards if not self.database.evaluate(self._expression, c)]
        if not failed:
            return []
        return [f"{said} on {len(failed)} of {len(cards)} {noun}; in question: {named(failed)}"]

    def _entries(self, card: Card) -> list[dict[str, Any]]:
        """The entries of a list on a card, each with the card's fields, its own, and `entry`."""
        field = str(self.arguments["among"])
        values = self.database.evaluate(field, card)
        if not isinstance(values, list | tuple):
            raise CannotEvaluate(f"'{field}' of {card['id']} is no list")
        return [
            {
                **card,
                **(value if isinstance(value, Mapping) else {}),
                "entry": value,
                "id": f"{field} {number} of {card['id']}",
            }
            for number, value in enumerate(values, 1)
        ]


def _short(fact: str) -> str:
    """`sum_of('areas', '…') = 72` for a long one: the deck and the figure."""
    if len(fact) <= _SHOWN:
        return fact
    call, _, figure = fact.rpartition(" = ")
    return f"{call.partition(',')[0]}, …) = {figure}"


class ColoursApart(Kind):
    """How far apart the players' colours are, for every sight."""

    needed = "at_least"
    own = schema.one_of(["players"])

    def measured(self) -> tuple[float, str, str, str] | None:
        """The nearest two: ΔE, whose, whose, and to which sight; None with fewer players."""
        players = {player.id: player.colour for player in self.database.game.players}
        return colours.nearest_pair(players) if len(players) > 1 else None

    def figures(self) -> list[str]:
        nearest = self.measured()
        return [f"{nearest[1]}, {nearest[2]}: {nearest[0]:.1f}"] if nearest else []

    def measures(self) -> list[Measure]:
        nearest, least = self.measured(), self.number(self.arguments["at_least"])
        if nearest is None:
            return []
        delta, first, second, sight = nearest
        return [Measure(f"ΔE of {first} and {second} for {sight} sight", round(delta, 1), least)]

    def broken(self, _backs: Backs) -> list[str]:
        least = self.number(self.arguments["at_least"])
        if self.arguments["colours_apart"] != "players":
            raise CannotEvaluate("colours_apart: players is all there is")
        nearest = self.measured()
        if nearest is None or nearest[0] >= least:
            return []
        delta, first, second, sight = nearest
        return [
            f"the colours of {first} and {second} are ΔE {delta:.1f} apart for {sight} sight, "
            f"at least {least:g} asked"
        ]


class Connected(Kind):
    """Whether every place on a card is reached from every other."""

    needed = "places links"

    def broken(self, _backs: Backs) -> list[str]:
        return [text for card in self.cards(self.decks()) for text in self._wrong(card)]

    def _wrong(self, card: Card) -> Iterator[str]:
        places = [name_of(place) for place in self._listed("places", card)]
        links = [_ends(link, card) for link in self._listed("links", card)]
        strange = sorted({end for link in links for end in link} - set(places))
        if strange:
            yield f"{card['id']}: a link leads to no place; in question: {named(strange)}"
        reached, grown = set(places[:1]), True
        while grown:
            new = {end for link in links if reached & link for end in link} - reached
            reached, grown = reached | new, bool(new)
        lost = [place for place in places if place not in reached]
        if lost:
            yield (
                f"{card['id']}: {len(lost)} of {len(places)} places are cut off from "
                f"{places[0]}; in question: {named(lost)}"
            )

    def _listed(self, key: str, card: Card) -> list[Any]:
        return list(self.database.evaluate(f"({self.arguments[key]}) | list", card))


def _ends(link: Any, card: Card) -> set[str]:
    if isinstance(link, Mapping) and {"a", "b"} <= link.keys():
        return {name_of(link["a"]), name_of(link["b"])}
    if isinstance(link, list | tuple) and len(link) == 2:
        return {name_of(end) for end in link}
    found = in_words(link)
    raise CannotEvaluate(f"a link of {card['id']} is {found}; two places are asked for, a and b")
