"""Registry of the kinds of composition rules, and the present status of the rules of a game."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from cardgen.core import work_limits
from cardgen.core.work_limits import LimitExceededError
from cardgen.game.face_facts import NO_FACE_FACTS, FaceFactsSource
from cardgen.game.model import Game, Rule
from cardgen.rules import card_rules, count_rules, face_rules, language_rules, rule_base
from cardgen.rules.face_rules import FaceNotTypesetError
from cardgen.rules.odds import chance_rules, simulate_rule
from cardgen.rules.rule_base import RuleKind, RuleMeasure
from cardgen.templates.expressions import CardDatabase, EvaluationError
from cardgen.templates.sandbox import ExpressionLimitError

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
    "forbidden_words": language_rules.ForbiddenWordsRule,
}
_BOUND_SIGNS = {"at_least": "≥", "at_most": "≤"}


def make_rule_kind(
    rule: Rule, database: CardDatabase, face_facts: FaceFactsSource = NO_FACE_FACTS
) -> RuleKind:
    """Return a rule as its kind, ready to be checked."""
    return RULE_KINDS[rule.kind](rule, database, face_facts)


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


@dataclass(frozen=True)
class RuleStatus:
    """A rule with its requirement in signs that need no translation, and its measures.

    `figures` are given only if the rule has no measures. `error` says why the rule cannot be
    evaluated.
    """

    rule: Rule
    requirement: str = ""
    measures: tuple[RuleMeasure, ...] = ()
    figures: tuple[str, ...] = ()
    error: str = ""


def list_rule_statuses(game: Game, facts: FaceFactsSource = NO_FACE_FACTS) -> Iterator[RuleStatus]:
    """Yield the status of every rule. A rule about faces without facts has no measures."""
    database = CardDatabase(game)
    for rule in game.rules:
        kind = make_rule_kind(rule, database, facts)
        try:
            with work_limits.work_limit(f"the rule {rule.id}, measured"):
                measures = tuple(kind.measure())
                figures = () if measures else tuple(kind.describe())
                requirement = kind.describe_requirement(_BOUND_SIGNS)
                status = RuleStatus(rule, requirement, measures, figures)
        except FaceNotTypesetError:
            status = RuleStatus(rule, kind.describe_requirement(_BOUND_SIGNS))
        except (EvaluationError, ExpressionLimitError, LimitExceededError) as error:
            status = RuleStatus(rule, error=str(error))
        yield status


def list_rule_rows(
    rules: tuple[Rule, ...], database: CardDatabase, words: Mapping[str, str]
) -> list[dict[str, Any]]:
    """Return a record of every rule for templates, with its requirement and its figures.

    `words` has the words for at_least and at_most. A rule that cannot be evaluated has no figures.
    """
    rows = []
    for rule in rules:
        kind = make_rule_kind(rule, database)
        try:
            figures = "; ".join(kind.describe())
        except (EvaluationError, FaceNotTypesetError, TypeError, ValueError):
            figures = ""
        rows.append({
            "id": rule.id,
            "kind": rule.kind,
            "because": rule.because,
            "section": rule.section,
            "severity": rule.severity,
            "asks": kind.describe_requirement(words),
            "figures": figures,
        })  # fmt: skip
    return rows
