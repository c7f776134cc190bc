"""Kinds of rules that compare cards with each other, and rules written as an expression."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from itertools import combinations
from typing import TYPE_CHECKING, Any

from cardgen.core import json_schema
from cardgen.core.problems import did_you_mean
from cardgen.game.model import Piece, Text
from cardgen.rules.rule_base import (
    BackImages,
    CardValues,
    RuleKind,
    RuleMeasure,
    RuleResult,
    format_ids,
)
from cardgen.templates.expression_messages import format_name, format_value, is_left_out
from cardgen.templates.expressions import EvaluationError

if TYPE_CHECKING:
    from coloraide import Color

COLOUR_VISIONS = ("normal", "protan", "deutan", "tritan")
_MAX_FACT_LENGTH = 48
"""Longer expressions are not printed beside figures."""


@lru_cache(maxsize=16_384)
def measure_delta_e(first: str, second: str, vision: str = "normal") -> float:
    """Return the ΔE2000 (ISO/CIE 11664-6) of two colours `#rrggbb`, seen with a colour vision.

    Below about 8, two flat areas are easily confused; above 15 they differ at a glance. Colour
    blindness is simulated by Viénot, Brettel and Mollon (protan, deutan 1999, tritan 1997).
    """
    one, other = (_simulate_vision(colour, vision) for colour in (first, second))
    return float(one.delta_e(other, method="2000"))


def find_nearest_colours(colours: dict[str, str]) -> tuple[float, str, str, str]:
    """Return the least ΔE of all pairs and colour visions: (ΔE, name, other name, vision)."""
    return min(
        (measure_delta_e(colours[a], colours[b], vision), a, b, vision)
        for a, b in combinations(colours, 2)
        for vision in COLOUR_VISIONS
    )


@lru_cache(maxsize=256)
def _simulate_vision(colour: str, vision: str) -> Color:
    from coloraide import Color  # noqa: PLC0415 - slow to import; few games ask

    plain = Color(colour)
    seen = plain if vision == "normal" else plain.filter(vision).clip()
    return seen.convert("lab-d65")  # in which ΔE2000 is measured


class UniqueRule(RuleKind):
    """Asks that no two cards have the same value of a field or expression."""

    optional_keys, required_keys = "together", "of"

    def run(self) -> Iterator[RuleResult]:
        for name, decks in self.group_decks():
            pieces = [piece for deck in decks for piece in self.database.get_deck(deck).pieces]
            yield RuleResult(name, f"{len({piece.base_id for piece in pieces if piece.copies})}")
            for (language, value), cards in self._group_cards(pieces).items():
                if len(cards) > 1:
                    where = f" in {language}" if language else ""
                    ids = format_ids(card.removeprefix(f"{name}/") for card in cards)
                    yield RuleResult(
                        violation=f"{name}: {self.arguments['of']}{where} is '{value}' on "
                        f"{len(cards)} cards, expected 1; in question: {ids}"
                    )

    def _group_cards(self, pieces: Iterable[Piece]) -> dict[tuple[str, str], list[str]]:
        """Return (language, value) → cards.

        A text has a value in every language. The copies of a card, and those for several players,
        are one card. A missing value is no value.
        """
        field = str(self.arguments["of"])
        cards: dict[tuple[str, str], dict[str, None]] = {}
        for piece in pieces:
            value = piece.values.get(field)
            if isinstance(value, Text):
                keys = [(language, text) for language, text in value.items() if text]
            else:
                value = self.database.evaluate_on_card(field, piece.deck, piece)
                keys = [] if is_left_out(value) else [("", format_name(value))]
            for key in keys:
                cards.setdefault(key, {})[f"{piece.deck}/{piece.card_id}"] = None
        return {key: [*names] for key, names in cards.items()}


class SameBackRule(RuleKind):
    """Asks that all cards of the decks have the same back."""

    def check(self, backs: BackImages) -> Iterator[str]:
        images = {deck: backs(deck) for deck in self.get_decks()}
        first = next(iter(images))
        languages = len(self.database.game.languages)
        for deck, cards in images.items():
            if set(cards) != set(images[first]):
                yield f"the backs of {deck} and {first} differ; expected the same back"
            if len(cards) > languages:
                by_count = sorted(cards.values(), key=len, reverse=True)
                odd = sorted({card for ids in by_count[languages:] for card in ids})
                yield (
                    f"{deck} has {len(cards)} different backs, expected {languages}, one for each "
                    f"language; in question: {format_ids(odd)}"
                )


class ReferencesRule(RuleKind):
    """Asks that the cards which other cards name exist."""

    optional_keys, required_keys = "field complete together", "of to"

    def check(self, _backs: BackImages) -> Iterator[str]:
        of, key = str(self.arguments["of"]), str(self.arguments.get("field", "id"))
        target_decks = self.get_decks("to")
        targets = {
            format_name(self.database.evaluate(key, card)): card["id"]
            for card in self.select_cards(target_decks)
        }
        used: set[str] = set()
        for name, decks in self.group_decks():
            missing: dict[str, list[str]] = {}
            for card in self.select_cards(decks):
                value = self.database.evaluate(of, card)
                for entry in value if isinstance(value, list | tuple) else [value]:
                    target = format_name(entry)
                    used.add(target)
                    if not is_left_out(entry) and target not in targets:
                        missing.setdefault(target, []).append(card["id"])
            for target, ids in missing.items():
                yield (
                    f"{name}: {of} '{target}' is no {key} in {', '.join(target_decks)}; "
                    f"in question: {format_ids(ids)}{did_you_mean(target, targets)}"
                )
        idle = [card_id for target, card_id in targets.items() if target not in used]
        if self.arguments.get("complete") is True and idle:
            yield (
                f"{', '.join(target_decks)}: no {of} of {', '.join(self.get_decks())} names "
                f"{format_ids(idle)}; expected each at least once"
            )


class RequireRule(RuleKind):
    """Asks that an expression holds, once for the game or on every card of the decks in `each:`."""

    optional_keys = "each where among"
    value_schema = json_schema.EXPRESSION

    @property
    def _expression(self) -> str:
        return str(self.arguments["require"])

    def describe_requirement(self, _words: Mapping[str, str]) -> str:
        return self._expression if len(self._expression) <= _MAX_FACT_LENGTH else ""

    def run(self) -> Iterator[RuleResult]:
        failure = f"'{self._expression}' does not hold"
        if "each" not in self.arguments:
            self.database.count_log.clear()
            holds = self.database.evaluate(self._expression)
            facts = self.database.describe_constants(self._expression)
            for fact in facts:
                if " is (" not in fact:
                    yield RuleResult(figure=_shorten_fact(fact.replace(" is ", " = ")))
            yield RuleResult(violation="" if holds else "; ".join([failure, *facts]))
            return
        decks = self.get_decks("each")
        entries, noun = self.select_cards(decks, self.where), "cards"
        yield RuleResult(", ".join(decks), f"{len(entries)}")
        if "among" in self.arguments:
            entries = [entry for card in entries for entry in self._list_entries(card)]
            noun = "entries"
        failed = [e["id"] for e in entries if not self.database.evaluate(self._expression, e)]
        if failed:
            count = f"{len(failed)} of {len(entries)} {noun}"
            text = f"{failure} on {count}; in question: {format_ids(failed)}"
            yield RuleResult(violation=text)

    def _list_entries(self, card: CardValues) -> Iterator[dict[str, Any]]:
        """Yield the entries of the card's list `among`, each with the fields of the card.

        An entry that is a record adds its own fields. `entry` is the entry itself.
        """
        field = str(self.arguments["among"])
        values = self.database.evaluate(field, card)
        if not isinstance(values, list | tuple):
            raise EvaluationError(f"'{field}' of {card['id']} is not a list")
        for number, value in enumerate(values, 1):
            own = value if isinstance(value, Mapping) else {}
            yield {**card, **own, "entry": value, "id": f"{field} {number} of {card['id']}"}


def _shorten_fact(fact: str) -> str:
    """Shorten a long fact to the deck and the figure: `sum_of('areas', …) = 72`."""
    if len(fact) <= _MAX_FACT_LENGTH:
        return fact
    call, _, figure = fact.rpartition(" = ")
    return f"{call.partition(',')[0]}, …) = {figure}"


class ColoursApartRule(RuleKind):
    """Bounds the least ΔE between the players' colours, for every colour vision."""

    required_keys = "at_least"
    value_schema = json_schema.allow_values(["players"])

    def measure_nearest(self) -> tuple[float, str, str, str] | None:
        """Return (ΔE, player, other player, vision) of the nearest colours, if there are two."""
        players = {player.id: player.colour for player in self.database.game.players}
        return find_nearest_colours(players) if len(players) > 1 else None

    def run(self) -> Iterator[RuleResult]:
        least = self.read_number(self.arguments["at_least"])
        if self.arguments["colours_apart"] != "players":
            raise EvaluationError("colours_apart: can only be players")
        nearest = self.measure_nearest()
        if nearest is not None:
            delta, first, second, vision = nearest
            text = (
                f"the colours of {first} and {second} are ΔE {delta:.1f} apart for {vision} sight, "
                f"expected at least {least:g}"
            )
            yield RuleResult(
                f"{first}, {second}",
                f"{delta:.1f}",
                RuleMeasure(
                    f"ΔE of {first} and {second} for {vision} sight", round(delta, 1), least
                ),
                "" if delta >= least else text,
            )


class ConnectedRule(RuleKind):
    """Asks that links lead from every place on a card to every other."""

    required_keys = "places links"

    def check(self, _backs: BackImages) -> Iterator[str]:
        for card in self.select_cards(self.get_decks()):
            yield from self._check_card(card)

    def _check_card(self, card: CardValues) -> Iterator[str]:
        places = [format_name(place) for place in self._evaluate_list("places", card)]
        links = [_get_link_ends(link, card) for link in self._evaluate_list("links", card)]
        unknown = sorted({end for link in links for end in link} - set(places))
        if unknown:
            yield f"{card['id']}: a link leads to no place; in question: {format_ids(unknown)}"
        reached: set[str] = set()
        added = set(places[:1])
        while added:
            reached |= added
            added = {end for link in links if reached & link for end in link} - reached
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
    raise EvaluationError(
        f"a link of {card['id']} is {format_value(link)}; it must have two places, a and b"
    )
