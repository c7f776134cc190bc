"""Kinds of rule that hold cards against each other, and whatever an expression says."""

from __future__ import annotations

from functools import lru_cache
from itertools import combinations
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from coloraide import Color
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from cardgen.core import json_schema
from cardgen.core.problems import did_you_mean
from cardgen.game.model import Piece, Text
from cardgen.rules.rule_base import BackImages, CardValues, RuleKind, RuleMeasure, format_ids
from cardgen.templates.expression_messages import format_name, format_value, is_left_out
from cardgen.templates.expressions import EvaluationError

COLOUR_VISIONS = ("normal", "protan", "deutan", "tritan")


def measure_delta_e(first: str, second: str, sight: str = "normal") -> float:
    """ΔE2000 between two colours `#rrggbb` as a sight sees them."""
    return float(
        _simulate_vision(first, sight).delta_e(_simulate_vision(second, sight), method="2000")
    )


def find_nearest_colours(colours: dict[str, str]) -> tuple[float, str, str, str]:
    """The least distance over all pairs and sights: (ΔE, name, other name, sight)."""
    return min(
        (measure_delta_e(colours[a], colours[b], sight), a, b, sight)
        for a, b in combinations(colours, 2)
        for sight in COLOUR_VISIONS
    )


@lru_cache(maxsize=256)
def _simulate_vision(colour: str, sight: str) -> Color:
    from coloraide import Color  # noqa: PLC0415 - slow to import; few games ask

    seen = Color(colour)
    return seen if sight == "normal" else seen.filter(sight).clip()


_MAX_FACT_LENGTH = 48
"""Longer expressions are for those who read rules.yaml itself."""


class UniqueRule(RuleKind):
    """Whether no two cards say the same."""

    optional_keys, required_keys = "together", "of"

    def _count_distinct(self) -> Iterator[tuple[str, list[Piece]]]:
        for name, decks in self.group_decks():
            yield name, [piece for deck in decks for piece in self.database.get_deck(deck).pieces]

    def describe(self) -> list[str]:
        return [
            f"{name}: {len({piece.id for piece in pieces if piece.copies})}"
            for name, pieces in self._count_distinct()
        ]

    def check(self, _backs: BackImages) -> list[str]:
        broken = []
        for name, pieces in self._count_distinct():
            for (language, value), seen in self._group_cards(pieces).items():
                if len(seen) > 1:
                    said = f" in {language}" if language else ""
                    cards = [card.removeprefix(f"{name}/") for card in seen]
                    broken.append(
                        f"{name}: {self.arguments['of']}{said} is '{value}' on {len(seen)} cards, "
                        f"1 asked; in question: {format_ids(cards)}"
                    )
        return broken

    def _group_cards(self, pieces: Iterable[Piece]) -> dict[tuple[str, str], list[str]]:
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
                found = self.database.evaluate_on_card(field, piece.deck, piece)
                keys = [] if is_left_out(found) else [("", format_name(found))]
            bare = piece.id.removesuffix(f"-{piece.player.id}") if piece.player else piece.id
            name = f"{piece.deck}/{bare}"
            for key in keys:
                ids = seen.setdefault(key, [])
                if name not in ids:
                    ids.append(name)
        return seen


class SameBackRule(RuleKind):
    """Whether backs look alike."""

    def check(self, backs: BackImages) -> list[str]:
        decks = self.get_decks()
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
                    f"in question: {format_ids(odd)}"
                )
        return broken


class ReferencesRule(RuleKind):
    """Whether what cards name is there."""

    optional_keys, required_keys = "field complete together", "of to"

    def check(self, _backs: BackImages) -> list[str]:
        of, key = str(self.arguments["of"]), str(self.arguments.get("field", "id"))
        to_decks = self.get_decks("to")
        targets = {
            format_name(self.database.evaluate(key, card)): card["id"]
            for card in self.select_cards(to_decks)
        }
        used: set[str] = set()
        broken = []
        for name, decks in self.group_decks():
            lost: dict[str, list[str]] = {}
            for card, one in self._collect_targets(of, decks):
                called = format_name(one)
                used.add(called)
                if not is_left_out(one) and called not in targets:
                    lost.setdefault(called, []).append(card["id"])
            for value, ids in lost.items():
                hint = did_you_mean(value, targets)
                broken.append(
                    f"{name}: {of} '{value}' is no {key} in {', '.join(to_decks)}; "
                    f"in question: {format_ids(ids)}{hint}"
                )
        idle = [card_id for value, card_id in targets.items() if value not in used]
        if self.arguments.get("complete") is True and idle:
            broken.append(
                f"{', '.join(to_decks)}: no {of} of {', '.join(self.get_decks())} names "
                f"{format_ids(idle)}; each is asked at least once"
            )
        return broken

    def _collect_targets(self, of: str, decks: Iterable[str]) -> Iterator[tuple[CardValues, Any]]:
        for card in self.select_cards(decks):
            value = self.database.evaluate(of, card)
            for one in value if isinstance(value, list | tuple) else [value]:
                yield card, one


class RequireRule(RuleKind):
    """Whether an expression holds, once or on every card."""

    optional_keys = "each where among"
    value_schema = json_schema.EXPRESSION

    @property
    def _get_expression(self) -> str:
        return str(self.arguments["require"])

    def _list_cards(self) -> list[dict[str, Any]]:
        return self.select_cards(self.get_decks("each"), self.where)

    def _is_satisfied(self) -> bool:
        self.database.count_log.clear()
        return bool(self.database.evaluate(self._get_expression))

    def describe_requirement(self, _words: Mapping[str, str]) -> str:
        return self._get_expression if len(self._get_expression) <= _MAX_FACT_LENGTH else ""

    def describe(self) -> list[str]:
        if "each" in self.arguments:
            return [f"{', '.join(self.get_decks('each'))}: {len(self._list_cards())}"]
        self._is_satisfied()
        facts = self.database.describe_constants(self._get_expression)
        return [_shorten_fact(said.replace(" is ", " = ")) for said in facts if " is (" not in said]

    def check(self, _backs: BackImages) -> list[str]:
        said = f"'{self._get_expression}' does not hold"
        if "each" not in self.arguments:
            told = (
                []
                if self._is_satisfied()
                else [said, *self.database.describe_constants(self._get_expression)]
            )
            return ["; ".join(told)] if told else []
        cards, noun = self._list_cards(), "cards"
        if "among" in self.arguments:
            cards, noun = [entry for card in cards for entry in self._list_entries(card)], "entries"
        failed = [c["id"] for c in cards if not self.database.evaluate(self._get_expression, c)]
        if not failed:
            return []
        return [
            f"{said} on {len(failed)} of {len(cards)} {noun}; in question: {format_ids(failed)}"
        ]

    def _list_entries(self, card: CardValues) -> list[dict[str, Any]]:
        """The entries of a list on a card, each with the card's fields, its own, and `entry`."""
        field = str(self.arguments["among"])
        values = self.database.evaluate(field, card)
        if not isinstance(values, list | tuple):
            raise EvaluationError(f"'{field}' of {card['id']} is no list")
        return [
            {
                **card,
                **(value if isinstance(value, Mapping) else {}),
                "entry": value,
                "id": f"{field} {number} of {card['id']}",
            }
            for number, value in enumerate(values, 1)
        ]


def _shorten_fact(fact: str) -> str:
    """`sum_of('areas', '…') = 72` for a long one: the deck and the figure."""
    if len(fact) <= _MAX_FACT_LENGTH:
        return fact
    call, _, figure = fact.rpartition(" = ")
    return f"{call.partition(',')[0]}, …) = {figure}"


class ColoursApartRule(RuleKind):
    """How far apart the players' colours are, for every sight."""

    required_keys = "at_least"
    value_schema = json_schema.allow_values(["players"])

    def measure_nearest(self) -> tuple[float, str, str, str] | None:
        """The nearest two: ΔE, whose, whose, and to which sight; None with fewer players."""
        players = {player.id: player.colour for player in self.database.game.players}
        return find_nearest_colours(players) if len(players) > 1 else None

    def describe(self) -> list[str]:
        nearest = self.measure_nearest()
        return [f"{nearest[1]}, {nearest[2]}: {nearest[0]:.1f}"] if nearest else []

    def measure(self) -> list[RuleMeasure]:
        nearest, least = self.measure_nearest(), self.read_number(self.arguments["at_least"])
        if nearest is None:
            return []
        delta, first, second, sight = nearest
        return [
            RuleMeasure(f"ΔE of {first} and {second} for {sight} sight", round(delta, 1), least)
        ]

    def check(self, _backs: BackImages) -> list[str]:
        least = self.read_number(self.arguments["at_least"])
        if self.arguments["colours_apart"] != "players":
            raise EvaluationError("colours_apart: players is all there is")
        nearest = self.measure_nearest()
        if nearest is None or nearest[0] >= least:
            return []
        delta, first, second, sight = nearest
        return [
            f"the colours of {first} and {second} are ΔE {delta:.1f} apart for {sight} sight, "
            f"at least {least:g} asked"
        ]


class ConnectedRule(RuleKind):
    """Whether every place on a card is reached from every other."""

    required_keys = "places links"

    def check(self, _backs: BackImages) -> list[str]:
        return [
            text for card in self.select_cards(self.get_decks()) for text in self._check_card(card)
        ]

    def _check_card(self, card: CardValues) -> Iterator[str]:
        places = [format_name(place) for place in self._evaluate_list("places", card)]
        links = [_get_link_ends(link, card) for link in self._evaluate_list("links", card)]
        strange = sorted({end for link in links for end in link} - set(places))
        if strange:
            yield f"{card['id']}: a link leads to no place; in question: {format_ids(strange)}"
        reached, grown = set(places[:1]), True
        while grown:
            new = {end for link in links if reached & link for end in link} - reached
            reached, grown = reached | new, bool(new)
        lost = [place for place in places if place not in reached]
        if lost:
            yield (
                f"{card['id']}: {len(lost)} of {len(places)} places are cut off from "
                f"{places[0]}; in question: {format_ids(lost)}"
            )

    def _evaluate_list(self, key: str, card: CardValues) -> list[Any]:
        return list(self.database.evaluate(f"({self.arguments[key]}) | list", card))


def _get_link_ends(link: Any, card: CardValues) -> set[str]:
    if isinstance(link, Mapping) and {"a", "b"} <= link.keys():
        return {format_name(link["a"]), format_name(link["b"])}
    if isinstance(link, list | tuple) and len(link) == 2:
        return {format_name(end) for end in link}
    found = format_value(link)
    raise EvaluationError(f"a link of {card['id']} is {found}; two places are asked for, a and b")
