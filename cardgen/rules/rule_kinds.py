"""The kinds of composition rule, by the word that a rule begins with."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from cardgen.core.json_schema import Schema
from cardgen.game.face_facts import NO_FACE_FACTS, FaceFactsSource
from cardgen.game.model import Rule
from cardgen.rules import card_rules, count_rules, face_rules, language_rules, rule_base
from cardgen.rules.face_rules import ContrastRule, FaceRule
from cardgen.rules.odds import draw_rule, simulate_rule
from cardgen.rules.odds.chance_rules import AverageRule, ChanceRule
from cardgen.rules.odds.simulate_rule import SimulateRule
from cardgen.rules.rule_base import BackImages, RuleKind
from cardgen.templates.expressions import CardDatabase

RULE_KINDS: Mapping[str, type[RuleKind]] = {
    "count": count_rules.CountRule,
    "sum": count_rules.SumRule,
    "share": count_rules.ShareRule,
    "portion": count_rules.PortionRule,
    "unique": card_rules.UniqueRule,
    "same_back": card_rules.SameBackRule,
    "references": card_rules.ReferencesRule,
    "stock": count_rules.StockRule,
    "require": card_rules.RequireRule,
    "colours_apart": card_rules.ColoursApartRule,
    "connected": card_rules.ConnectedRule,
    "chance": ChanceRule,
    "average": AverageRule,
    "simulate": SimulateRule,
    "fits": face_rules.FitsRule,
    "text_size": face_rules.TextSizeRule,
    "contrast": face_rules.ContrastRule,
    "translated": language_rules.TranslatedRule,
    "distinct": language_rules.DistinctRule,
}

RULE_KEYS: Mapping[str, Schema] = {
    **rule_base.BASE_RULE_KEYS,
    **draw_rule.DRAW_RULE_KEYS,
    **simulate_rule.SIMULATE_KEYS,
    **face_rules.FACE_RULE_KEYS,
}
"""What rules of any kind may say, by its word."""


def make_rule_kind(
    rule: Rule, database: CardDatabase, known: FaceFactsSource = NO_FACE_FACTS
) -> RuleKind:
    """A rule, ready to be held against the cards, and the faces that are known."""
    return RULE_KINDS[rule.kind](rule, database, known)


def check_rule(rule: Rule, database: CardDatabase, backs: BackImages) -> list[str]:
    """What is broken, a text each; nothing when the rule holds."""
    return make_rule_kind(rule, database).check(backs)


def is_face_rule(rule: Rule) -> bool:
    """Whether a rule is held against faces, once they are set."""
    return issubclass(RULE_KINDS[rule.kind], FaceRule)


def find_contrast_decks(rules: Iterable[Rule]) -> frozenset[str]:
    """The decks whose texts rules ask how they stand out."""
    return frozenset(
        deck
        for rule in rules
        if issubclass(RULE_KINDS[rule.kind], ContrastRule)
        for deck in face_rules.list_deck_names(rule.arguments[rule.kind])
    )
