"""What rules ask and what the cards come to now, in figures and signs that need no language."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from typing import Any

from cardgen.game.model import Rule
from cardgen.rules import colours
from cardgen.rules.rulekinds import cards_of, decks_of, fraction, groups_of, number_on
from cardgen.templates.expressions import CannotEvaluate, Database
from cardgen.templates.wording import name_of

_SHOWN = 48
"""Longer expressions are for those who read rules.yaml itself."""
_SIGNS = (("is", "="), ("at_least", "at_least"), ("at_most", "at_most"))


def asks(rule: Rule, words: Mapping[str, str]) -> str:
    """What a rule asks, such as `= 20` or `money 1/2, other 1/2`; "" where its kind says it all."""
    arguments = rule.arguments
    if rule.kind == "share" and isinstance(arguments["parts"], dict):
        return ", ".join(f"{value} {share}" for value, share in arguments["parts"].items())
    if rule.kind == "require":
        expression = str(arguments["require"])
        return expression if len(expression) <= _SHOWN else ""
    bounds = [
        f"{words.get(sign, sign)} {arguments[key]}" for key, sign in _SIGNS if key in arguments
    ]
    tolerance = f" ± {arguments['tolerance']}" if "tolerance" in arguments else ""
    return ", ".join(bounds) + tolerance


def figures(rule: Rule, database: Database) -> str:
    """What a rule counts, now, deck by deck; "" for a kind that counts nothing."""
    measure = _MEASURES.get(rule.kind)
    return "; ".join(measure(rule, database)) if measure else ""


def _count(rule: Rule, database: Database) -> list[str]:
    where = rule.arguments.get("where", "")
    return [
        f"{name}: {len(cards_of(database, decks, where))}"
        for name, decks in groups_of(rule, database)
    ]


def _sum(rule: Rule, database: Database) -> list[str]:
    of, where = str(rule.arguments["of"]), rule.arguments.get("where", "")
    return [
        f"{name}: {sum(number_on(database, of, card) for card in found):g}"
        for name, decks in groups_of(rule, database)
        for found in [cards_of(database, decks, where)]
    ]


def _share(rule: Rule, database: Database) -> list[str]:
    by = str(rule.arguments["by"])
    found = []
    for name, decks in groups_of(rule, database):
        values = Counter(name_of(database.evaluate(by, card)) for card in cards_of(database, decks))
        listed = ", ".join(f"{value} {count}" for value, count in values.items())
        found.append(f"{name}: {listed}")
    return found


def _portion(rule: Rule, database: Database) -> list[str]:
    where = str(rule.arguments["where"])
    fraction(rule.arguments["is"])
    found = []
    for name, decks in groups_of(rule, database):
        hits, cards = cards_of(database, decks, where), cards_of(database, decks)
        found.append(
            f"{name}: {len(hits)}/{len(cards)} = {100 * len(hits) / (len(cards) or 1):.3g} %"
        )
    return found


def _unique(rule: Rule, database: Database) -> list[str]:
    return [
        f"{name}: {len({str(card['id']) for card in cards_of(database, decks)})}"
        for name, decks in groups_of(rule, database)
    ]


def _stock(rule: Rule, database: Database) -> list[str]:
    arguments = rule.arguments
    decks = decks_of(rule, database)
    held = len(cards_of(database, decks, arguments.get("where", "")))
    besides = arguments.get("besides", 0)
    start = database.evaluate(besides) if isinstance(besides, str) else besides
    givers = cards_of(database, decks_of(rule, database, "given_by"))
    given = sum(number_on(database, str(arguments["gives"]), card) for card in givers)
    return [f"{' + '.join(decks)}: {held}, {start:g} + {given:g}"]


def _require(rule: Rule, database: Database) -> list[str]:
    if "each" in rule.arguments:
        cards = cards_of(database, decks_of(rule, database, "each"), rule.arguments.get("where"))
        return [f"{', '.join(decks_of(rule, database, 'each'))}: {len(cards)}"]
    database.counted.clear()
    database.evaluate(str(rule.arguments["require"]))
    facts = database.facts(str(rule.arguments["require"]))
    return [_short(said.replace(" is ", " = ")) for said in facts if " is (" not in said]


def _short(fact: str) -> str:
    """`sum_of('areas', '…') = 72` for a long one: the deck and the figure."""
    if len(fact) <= _SHOWN:
        return fact
    call, _, figure = fact.rpartition(" = ")
    return f"{call.partition(',')[0]}, …) = {figure}"


def _colours_apart(rule: Rule, database: Database) -> list[str]:
    players = {player.id: player.colour for player in database.game.players}
    if len(players) < 2:
        return []
    delta, first, second, _sight = colours.nearest_pair(players)
    return [f"{first}, {second}: {delta:.1f}"]


_MEASURES: dict[str, Callable[[Rule, Database], list[str]]] = {
    "count": _count,
    "sum": _sum,
    "share": _share,
    "portion": _portion,
    "unique": _unique,
    "stock": _stock,
    "require": _require,
    "colours_apart": _colours_apart,
}


def table(
    rules: tuple[Rule, ...], database: Database, words: Mapping[str, str]
) -> list[dict[str, Any]]:
    """Every rule for a template: its own words, what it asks, and what the cards come to now.

    `words` has those for at_least and at_most. A rule that cannot be evaluated has no figures;
    the check of the rules tells why.
    """
    rows = []
    for rule in rules:
        try:
            now = figures(rule, database)
        except (CannotEvaluate, TypeError, ValueError):
            now = ""
        rows.append({
            "id": rule.id,
            "kind": rule.kind,
            "because": rule.because,
            "section": rule.section,
            "severity": rule.severity,
            "asks": asks(rule, words),
            "figures": now,
        })  # fmt: skip
    return rows
