"""What rules ask and what the cards come to now, as books print it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from cardgen.game.model import Rule
from cardgen.rules import rulekinds
from cardgen.templates.expressions import CannotEvaluate, Database


def table(
    rules: tuple[Rule, ...], database: Database, words: Mapping[str, str]
) -> list[dict[str, Any]]:
    """Every rule for a template: its own words, what it asks, and what the cards come to now.

    `words` has those for at_least and at_most. A rule that cannot be evaluated has no figures;
    the check of the rules tells why.
    """
    rows = []
    for rule in rules:
        kind = rulekinds.of(rule, database)
        try:
            now = "; ".join(kind.figures())
        except (CannotEvaluate, TypeError, ValueError):
            now = ""
        rows.append({
            "id": rule.id,
            "kind": rule.kind,
            "because": rule.because,
            "section": rule.section,
            "severity": rule.severity,
            "asks": kind.asks(words),
            "figures": now,
        })  # fmt: skip
    return rows
