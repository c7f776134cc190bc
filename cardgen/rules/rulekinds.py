"""The kinds of composition rule. Each is a function: rule → what is broken, in words.

A new kind is one function and one line of `KINDS`.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from cardgen.base.problems import did_you_mean
from cardgen.base.units import NUMERAL, is_number
from cardgen.game.model import Piece, Rule, Text
from cardgen.rules import colours
from cardgen.templates.expressions import CannotEvaluate, Database
from cardgen.templates.wording import in_words, is_left_out, name_of

Backs = Callable[[str], Mapping[str, Sequence[str]]]
"""Deck id → what its backs look like: hash of each look in each language → the cards with it."""

_SHOWN = 8
_SHARE = re.compile(rf"{NUMERAL}(?:%|/[0-9]{{1,9}})?\Z")


@dataclass(frozen=True)
class Kind:
    """What a rule of this kind may and must say beside its own word."""

    check: Callable[[Rule, Database, Backs], list[str]]
    keys: frozenset[str]
    needed: frozenset[str]


def check(rule: Rule, database: Database, backs: Backs) -> list[str]:
    """What is broken, a text each; nothing when the rule holds."""
    return KINDS[rule.kind].check(rule, database, backs)


def named(ids: Iterable[str]) -> str:
    """The first few ids, with their copies, and how many more; `none` without any."""
    known = [f"{count} × {name}" if count > 1 else name for name, count in Counter(ids).items()]
    more = f" and {len(known) - _SHOWN} more" if len(known) > _SHOWN else ""
    return ", ".join(known[:_SHOWN]) + more or "none"


def decks_of(rule: Rule, database: Database, key: str = "") -> list[str]:
    """The decks that a rule names under a key, its own without one. Raises `CannotEvaluate`."""
    given = rule.arguments[key or rule.kind]
    names = [str(name) for name in given] if isinstance(given, list) else [str(given)]
    if not names:
        raise CannotEvaluate(f"{key or rule.kind}: names no deck")
    for name in names:
        if database.game.deck(name) is None:
            hint = did_you_mean(name, [deck.id for deck in database.game.decks])
            raise CannotEvaluate(f"there is no deck '{name}'{hint}")
    return names


def groups_of(rule: Rule, database: Database) -> list[tuple[str, list[str]]]:
    """The decks one by one, or all as one group where the rule says `together: true`."""
    decks = decks_of(rule, database)
    if rule.arguments.get("together") is True:
        return [(" + ".join(decks), decks)]
    return [(deck, [deck]) for deck in decks]


def cards_of(database: Database, decks: Iterable[str], where: Any = "") -> list[dict[str, Any]]:
    """The cards of decks that an expression holds for, copies counted."""
    return [card for deck in decks for card in database.cards(deck, str(where or ""))]


def _number(database: Database, value: Any) -> float:
    result = database.evaluate(value) if isinstance(value, str) else value
    if not is_number(result):
        raise CannotEvaluate(f"{in_words(value)} is no number")
    return result


def fraction(value: Any) -> Fraction:
    """`1/4`, `25 %`, `25%` or `0.25`."""
    text = str(value).replace(" ", "")
    try:
        if not _SHARE.match(text):
            raise ValueError
        share = Fraction(text[:-1]) / 100 if text.endswith("%") else Fraction(text)
    except (ValueError, ZeroDivisionError):
        raise CannotEvaluate(f"{in_words(value)} is no share; write 1/4 or 25 %") from None
    if share > 1:
        raise CannotEvaluate(f"{text} is more than the whole; write 1/4, 0.25 or 25 %")
    return share


def _bounds(rule: Rule, database: Database) -> list[tuple[str, float, bool]]:
    """The rule's bounds as (words, figure, whether it is the least allowed)."""
    found = []
    for key, words in (("is", ""), ("at_least", "at least "), ("at_most", "at most ")):
        if key in rule.arguments:
            found.append((words, _number(database, rule.arguments[key]), key == "at_least"))
    if not found:
        raise CannotEvaluate("it needs is:, at_least: or at_most:")
    return found


def _broken_bounds(rule: Rule, database: Database, figure: float) -> list[str]:
    broken = []
    for words, bound, is_least in _bounds(rule, database):
        right = figure == bound if not words else figure >= bound if is_least else figure <= bound
        if not right:
            broken.append(f"{words}{bound:g}")
    return broken


def _count(rule: Rule, database: Database, _backs: Backs) -> list[str]:
    where = rule.arguments.get("where", "")
    broken = []
    for name, decks in groups_of(rule, database):
        cards = cards_of(database, decks, where)
        asked = _broken_bounds(rule, database, len(cards))
        if asked:
            which = f" with {where}" if where else ""
            ids = named(card["id"] for card in cards)
            noun = "card" if len(cards) == 1 else "cards"
            broken.append(
                f"{name} has {len(cards)} {noun}{which}, {' and '.join(asked)} asked; "
                f"in question: {ids}"
            )
    return broken


def _sum(rule: Rule, database: Database, _backs: Backs) -> list[str]:
    expression, where = str(rule.arguments["of"]), rule.arguments.get("where", "")
    broken = []
    for name, decks in groups_of(rule, database):
        cards = cards_of(database, decks, where)
        figures = [(card["id"], number_on(database, expression, card)) for card in cards]
        figure = sum(value for _, value in figures)
        asked = _broken_bounds(rule, database, figure)
        if asked:
            ids = named(card_id for card_id, value in figures if value)
            broken.append(
                f"{expression} sums to {figure:g} in {name}, {' and '.join(asked)} asked; "
                f"in question: {ids}"
            )
    return broken


def number_on(database: Database, expression: str, card: Mapping[str, Any]) -> float:
    """An expression's figure on a card; nothing counts as 0. Raises `CannotEvaluate`."""
    value = database.evaluate(expression, card)
    if not value:
        return 0
    if not is_number(value):
        raise CannotEvaluate(f"'{expression}' of {card['id']} is no number")
    return value


def _share(rule: Rule, database: Database, _backs: Backs) -> list[str]:
    by, parts = str(rule.arguments["by"]), rule.arguments["parts"]
    if not isinstance(parts, dict):
        raise CannotEvaluate("parts maps each value to its share, such as {money: 1/2}")
    tolerance = fraction(rule.arguments.get("tolerance", 0))
    broken = []
    for name, decks in groups_of(rule, database):
        cards = cards_of(database, decks)
        values = [(card["id"], name_of(database.evaluate(by, card))) for card in cards]
        found = Counter(value for _, value in values)
        for value, share in parts.items():
            has, asked = found.pop(str(value), 0), fraction(share)
            if abs(Fraction(has, len(cards) or 1) - asked) <= tolerance:
                continue
            ids = named(card_id for card_id, own in values if own == str(value))
            within = f" ± {float(tolerance * 100):g} %" if tolerance else ""
            broken.append(
                f"{name} has {has} of {len(cards)} with {by} {value}; {share}{within} asks for "
                f"{float(asked * len(cards)):g}; in question: {ids}"
            )
        for value in found:
            ids = named(card_id for card_id, own in values if own == value)
            broken.append(f"{name}: {by} {value} has no share in the rule; in question: {ids}")
    return broken


def _portion(rule: Rule, database: Database, _backs: Backs) -> list[str]:
    where, asked = str(rule.arguments["where"]), fraction(rule.arguments["is"])
    tolerance = fraction(rule.arguments.get("tolerance", 0))
    broken = []
    for name, decks in groups_of(rule, database):
        cards = cards_of(database, decks)
        hits = cards_of(database, decks, where)
        share = Fraction(len(hits), len(cards) or 1)
        if abs(share - asked) <= tolerance:
            continue
        low = max(Fraction(0), asked - tolerance) * len(cards)
        high = (asked + tolerance) * len(cards)
        span = f"{float(low):g}" if low == high else f"{float(low):.3g}–{float(high):.3g}"
        ids = named(card["id"] for card in hits)
        broken.append(
            f"{name} has {len(hits)} of {len(cards)} ({float(share * 100):.3g} %) with {where}; "
            f"{rule.arguments['is']} asks for {span}; in question: {ids}"
        )
    return broken


def _unique(rule: Rule, database: Database, _backs: Backs) -> list[str]:
    field = str(rule.arguments["of"])
    broken = []
    for name, decks in groups_of(rule, database):
        pieces = [piece for deck in decks for piece in _pieces(database, deck)]
        for where, seen in _by_value(field, pieces, database).items():
            if len(seen) > 1:
                language, value = where
                said = f" in {language}" if language else ""
                cards = [card.removeprefix(f"{name}/") for card in seen]
                broken.append(
                    f"{name}: {field}{said} is '{value}' on {len(seen)} cards, 1 asked; "
                    f"in question: {named(cards)}"
                )
    return broken


def _pieces(database: Database, deck: str) -> tuple[Piece, ...]:
    found = database.game.deck(deck)
    assert found is not None  # _decks has looked
    return found.pieces


def _by_value(
    field: str, pieces: Iterable[Piece], database: Database
) -> dict[tuple[str, str], list[str]]:
    """(language, value) → cards. A text counts in every language; pieces of players once.

    Cards that leave the field out are not the same.
    """
    seen: dict[tuple[str, str], list[str]] = {}
    for piece in pieces:
        value = piece.values.get(field)
        if isinstance(value, Text):
            keys = [(language, text) for language, text in value.items() if text]
        else:
            found = database.on_card(field, piece.deck, piece)
            keys = [] if is_left_out(found) else [("", name_of(found))]
        bare = piece.id.removesuffix(f"-{piece.player.id}") if piece.player else piece.id
        name = f"{piece.deck}/{bare}"
        for key in keys:
            ids = seen.setdefault(key, [])
            if name not in ids:
                ids.append(name)
    return seen


def _same_back(rule: Rule, database: Database, backs: Backs) -> list[str]:
    decks = decks_of(rule, database)
    looks = {deck: backs(deck) for deck in decks}
    first = decks[0]
    broken = [
        f"the backs of {deck} and {first} differ, one and the same asked"
        for deck in decks[1:]
        if set(looks[deck]) != set(looks[first])
    ]
    languages = len(database.game.languages)
    for deck, found in looks.items():
        if len(found) > languages:
            by_count = sorted(found.values(), key=len, reverse=True)
            odd = sorted({card for cards in by_count[languages:] for card in cards})
            broken.append(
                f"{deck} has {len(found)} different backs, {languages} asked, one a language; "
                f"in question: {named(odd)}"
            )
    return broken


def _references(rule: Rule, database: Database, _backs: Backs) -> list[str]:
    of, key = str(rule.arguments["of"]), str(rule.arguments.get("field", "id"))
    to_decks = decks_of(rule, database, "to")
    targets = {
        name_of(database.evaluate(key, card)): card["id"] for card in cards_of(database, to_decks)
    }
    used: set[str] = set()
    broken = []
    for name, decks in groups_of(rule, database):
        lost: dict[str, list[str]] = {}
        for card in cards_of(database, decks):
            value = database.evaluate(of, card)
            for one in value if isinstance(value, list | tuple) else [value]:
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
    if rule.arguments.get("complete") is True and idle:
        broken.append(
            f"{', '.join(to_decks)}: no {of} of {', '.join(decks_of(rule, database))} names "
            f"{named(idle)}; each is asked at least once"
        )
    return broken


def _stock(rule: Rule, database: Database, _backs: Backs) -> list[str]:
    decks, where = decks_of(rule, database), rule.arguments.get("where", "")
    held = len(cards_of(database, decks, where))
    besides = _number(database, rule.arguments.get("besides", 0))
    givers = [
        (card["id"], number_on(database, str(rule.arguments["gives"]), card))
        for card in cards_of(database, decks_of(rule, database, "given_by"))
    ]
    given = sum(amount for _, amount in givers)
    if held >= given + besides:
        return []
    ids = named(f"{card_id} {amount:g}" for card_id, amount in givers if amount)
    start = f"{besides:g} at the start and " if besides else ""
    which = f" with {where}" if where else ""
    return [
        f"{' + '.join(decks)} holds {held}{which}; {start}{given:g} given by cards ask for "
        f"{given + besides:g}; in question: {ids}"
    ]


def _require(rule: Rule, database: Database, _backs: Backs) -> list[str]:
    expression = str(rule.arguments["require"])
    if "each" not in rule.arguments:
        database.counted.clear()
        if database.evaluate(expression):
            return []
        return ["; ".join([f"'{expression}' does not hold", *database.facts(expression)])]
    cards = cards_of(database, decks_of(rule, database, "each"), rule.arguments.get("where"))
    if "among" in rule.arguments:
        cards = [entry for card in cards for entry in _entries(rule, database, card)]
    failed = [card["id"] for card in cards if not database.evaluate(expression, card)]
    if not failed:
        return []
    noun = "entries" if "among" in rule.arguments else "cards"
    return [
        f"'{expression}' does not hold on {len(failed)} of {len(cards)} {noun}; "
        f"in question: {named(failed)}"
    ]


def _entries(rule: Rule, database: Database, card: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The entries of a list on a card, each with the card's fields, its own, and `entry`."""
    field = str(rule.arguments["among"])
    values = database.evaluate(field, card)
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


def _colours_apart(rule: Rule, database: Database, _backs: Backs) -> list[str]:
    least = _number(database, rule.arguments["at_least"])
    players = {player.id: player.colour for player in database.game.players}
    if rule.arguments["colours_apart"] != "players":
        raise CannotEvaluate("colours_apart: players is all there is")
    if len(players) < 2:
        return []
    delta, first, second, sight = colours.nearest_pair(players)
    if delta >= least:
        return []
    return [
        f"the colours of {first} and {second} are ΔE {delta:.1f} apart for {sight} sight, "
        f"at least {least:g} asked"
    ]


def _connected(rule: Rule, database: Database, _backs: Backs) -> list[str]:
    broken = []
    for card in cards_of(database, decks_of(rule, database)):
        places = [name_of(place) for place in _listed(rule, "places", database, card)]
        links = [_ends(link, card) for link in _listed(rule, "links", database, card)]
        strange = sorted({end for link in links for end in link} - set(places))
        if strange:
            broken.append(f"{card['id']}: a link leads to no place; in question: {named(strange)}")
        reached, grown = set(places[:1]), True
        while grown:
            new = {end for link in links if reached & link for end in link} - reached
            reached, grown = reached | new, bool(new)
        lost = [place for place in places if place not in reached]
        if lost:
            broken.append(
                f"{card['id']}: {len(lost)} of {len(places)} places are cut off from "
                f"{places[0]}; in question: {named(lost)}"
            )
    return broken


def _listed(rule: Rule, key: str, database: Database, card: Mapping[str, Any]) -> list[Any]:
    values = database.evaluate(f"({rule.arguments[key]}) | list", card)
    return list(values)


def _ends(link: Any, card: Mapping[str, Any]) -> set[str]:
    if isinstance(link, Mapping) and {"a", "b"} <= link.keys():
        return {name_of(link["a"]), name_of(link["b"])}
    if isinstance(link, list | tuple) and len(link) == 2:
        return {name_of(end) for end in link}
    found = in_words(link)
    raise CannotEvaluate(f"a link of {card['id']} is {found}; two places are asked for, a and b")


def _kind(
    function: Callable[[Rule, Database, Backs], list[str]], keys: str = "", needed: str = ""
) -> Kind:
    return Kind(function, frozenset(f"{keys} {needed}".split()), frozenset(needed.split()))


KINDS: dict[str, Kind] = {
    "count": _kind(_count, "where is at_least at_most together"),
    "sum": _kind(_sum, "where is at_least at_most together", "of"),
    "share": _kind(_share, "tolerance together", "by parts"),
    "portion": _kind(_portion, "tolerance together", "where is"),
    "unique": _kind(_unique, "together", "of"),
    "same_back": _kind(_same_back),
    "references": _kind(_references, "field complete together", "of to"),
    "stock": _kind(_stock, "where besides", "given_by gives"),
    "require": _kind(_require, "each where among"),
    "colours_apart": _kind(_colours_apart, "", "at_least"),
    "connected": _kind(_connected, "", "places links"),
}
