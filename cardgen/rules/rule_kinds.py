"""Registry of the kinds of composition rules, by the key that marks a rule's kind."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from cardgen.core.json_schema import Schema
from cardgen.game.face_facts import NO_FACE_FACTS, FaceFactsSource
from cardgen.game.model import Rule
from cardgen.rules import card_rules, count_rules, face_rules, language_rules, rule_base
from cardgen.rules.odds import chance_rules, draw_rule, simulate_rule
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
    "chance": chance_rules.ChanceRule,
    "average": chance_rules.AverageRule,
    "simulate": simulate_rule.SimulateRule,
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
"""Schemas of all keys of rules, except those that every rule may have."""


def make_rule_kind(
    rule: Rule, database: CardDatabase, face_facts: FaceFactsSource = NO_FACE_FACTS
) -> RuleKind:
    """Return a rule as its kind, ready to be checked."""
    return RULE_KINDS[rule.kind](rule, database, face_facts)


def check_rule(rule: Rule, database: CardDatabase, backs: BackImages) -> list[str]:
    """Return a message for each violation of a rule."""
    return [*make_rule_kind(rule, database).check(backs)]


def is_face_rule(rule: Rule) -> bool:
    """Return whether a rule is checked against typeset faces."""
    return issubclass(RULE_KINDS[rule.kind], face_rules.FaceRule)


def find_contrast_decks(rules: Iterable[Rule]) -> frozenset[str]:
    """Return the decks for which rules bound the contrast of texts."""
    return frozenset(
        deck
        for rule in rules
        if issubclass(RULE_KINDS[rule.kind], face_rules.ContrastRule)
        for deck in rule_base.list_deck_names(rule.arguments[rule.kind])
    )
