"""The kinds of composition rule, by the word that a rule begins with."""

from __future__ import annotations

from collections.abc import Mapping

from cardgen.base.schema import Schema
from cardgen.game.model import Rule
from cardgen.rules import counting, kind, relations
from cardgen.rules.kind import Backs, Kind
from cardgen.rules.odds import drawing, simulate
from cardgen.rules.odds.average import Average
from cardgen.rules.odds.chance import Chance
from cardgen.rules.odds.simulate import Simulate
from cardgen.templates.expressions import Database

KINDS: Mapping[str, type[Kind]] = {
    "count": counting.Count,
    "sum": counting.Sum,
    "share": counting.Share,
    "portion": counting.Portion,
    "unique": relations.Unique,
    "same_back": relations.SameBack,
    "references": relations.References,
    "stock": counting.Stock,
    "require": relations.Require,
    "colours_apart": relations.ColoursApart,
    "connected": relations.Connected,
    "chance": Chance,
    "average": Average,
    "simulate": Simulate,
}

KEYS: Mapping[str, Schema] = {**kind.KEYS, **drawing.KEYS, **simulate.KEYS}
"""What rules of any kind may say, by its word."""


def of(rule: Rule, database: Database) -> Kind:
    """A rule, ready to be held against the cards."""
    return KINDS[rule.kind](rule, database)


def check(rule: Rule, database: Database, backs: Backs) -> list[str]:
    """What is broken, a text each; nothing when the rule holds."""
    return of(rule, database).broken(backs)
