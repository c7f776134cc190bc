"""The kinds of composition rule, by the word that a rule begins with."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from cardgen.base.schema import Schema
from cardgen.game.face_facts import NOTHING, Known
from cardgen.game.model import Rule
from cardgen.rules import counting, kind, languages, on_faces, relations
from cardgen.rules.kind import Backs, Kind
from cardgen.rules.odds import drawing, simulate
from cardgen.rules.odds.average import Average
from cardgen.rules.odds.chance import Chance
from cardgen.rules.odds.simulate import Simulate
from cardgen.rules.on_faces import Contrast, OnFaces
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
    "fits": on_faces.Fits,
    "text_size": on_faces.TextSize,
    "contrast": on_faces.Contrast,
    "translated": languages.Translated,
    "distinct": languages.Distinct,
}

KEYS: Mapping[str, Schema] = {**kind.KEYS, **drawing.KEYS, **simulate.KEYS, **on_faces.KEYS}
"""What rules of any kind may say, by its word."""


def of(rule: Rule, database: Database, known: Known = NOTHING) -> Kind:
    """A rule, ready to be held against the cards, and the faces that are known."""
    return KINDS[rule.kind](rule, database, known)


def check(rule: Rule, database: Database, backs: Backs) -> list[str]:
    """What is broken, a text each; nothing when the rule holds."""
    return of(rule, database).broken(backs)


def is_on_faces(rule: Rule) -> bool:
    """Whether a rule is held against faces, once they are set."""
    return issubclass(KINDS[rule.kind], OnFaces)


def asking_for_contrasts(rules: Iterable[Rule]) -> frozenset[str]:
    """The decks whose texts rules ask how they stand out."""
    return frozenset(
        deck
        for rule in rules
        if issubclass(KINDS[rule.kind], Contrast)
        for deck in on_faces.deck_names(rule.arguments[rule.kind])
    )
