"""Present status of the rules of a game: requirement, figures and measures, broken or not."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from cardgen.core import work_limits
from cardgen.core.work_limits import LimitExceededError
from cardgen.game.face_facts import NO_FACE_FACTS, FaceFactsSource
from cardgen.game.model import Game, Rule
from cardgen.rules import rule_kinds
from cardgen.rules.face_rules import FaceNotTypesetError
from cardgen.rules.rule_base import RuleMeasure
from cardgen.templates.expressions import CardDatabase, EvaluationError
from cardgen.templates.sandbox import ExpressionLimitError

_BOUND_SIGNS = {"at_least": "≥", "at_most": "≤"}


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
        kind = rule_kinds.make_rule_kind(rule, database, facts)
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
        kind = rule_kinds.make_rule_kind(rule, database)
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
