"""What each rule of a game asks, and what the cards come to now, whether it is broken or not."""

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
    """A rule, what it asks in signs that need no language, and what it measures; where it measures
    nothing, `figures` are what it counts. `why` tells what cannot be evaluated."""

    rule: Rule
    requirement: str = ""
    measures: tuple[RuleMeasure, ...] = ()
    figures: tuple[str, ...] = ()
    error: str = ""


def list_rule_statuses(game: Game, known: FaceFactsSource = NO_FACE_FACTS) -> Iterator[RuleStatus]:
    """Every rule of the game, in its order; one about faces that are not known measures nothing.
    What is broken, `composition` tells."""
    database = CardDatabase(game)
    for rule in game.rules:
        try:
            with work_limits.work_limit(f"the rule {rule.id}, measured"):
                kind = rule_kinds.make_rule_kind(rule, database, known)
                measures = tuple(kind.measure())
                figures = () if measures else tuple(kind.describe())
                standing = RuleStatus(
                    rule, kind.describe_requirement(_BOUND_SIGNS), measures, figures
                )
        except FaceNotTypesetError:
            standing = RuleStatus(rule, kind.describe_requirement(_BOUND_SIGNS))
        except (EvaluationError, ExpressionLimitError, LimitExceededError) as error:
            standing = RuleStatus(rule, error=str(error))
        yield standing


def list_rule_rows(
    rules: tuple[Rule, ...], database: CardDatabase, words: Mapping[str, str]
) -> list[dict[str, Any]]:
    """Every rule for a template: its own words, what it asks, and what the cards come to now.

    `words` has those for at_least and at_most. A rule that cannot be evaluated has no figures;
    the check of the rules tells why.
    """
    rows = []
    for rule in rules:
        kind = rule_kinds.make_rule_kind(rule, database)
        try:
            now = "; ".join(kind.describe())
        except (EvaluationError, TypeError, ValueError):
            now = ""
        rows.append({
            "id": rule.id,
            "kind": rule.kind,
            "because": rule.because,
            "section": rule.section,
            "severity": rule.severity,
            "asks": kind.describe_requirement(words),
            "figures": now,
        })  # fmt: skip
    return rows
