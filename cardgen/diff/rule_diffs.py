"""Rules whose requirements, measurements or results changed."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass

from cardgen.changes.card_changes import FieldEdit
from cardgen.changes.diff_model import FigureDiff, RuleDiff, RuleDiffKind
from cardgen.game.model import Rule, Value
from cardgen.rules.rule_base import RuleMeasure
from cardgen.rules.rule_status import RuleStatus


@dataclass(frozen=True)
class RuleResults:
    """The rules of a state by id, in their order, and which of them are broken."""

    rules: Mapping[str, RuleStatus]
    broken: Collection[str]


def collect_rule_results(
    statuses: Iterable[RuleStatus], kinds_of_problems: Collection[str]
) -> RuleResults:
    """Combine the statuses of rules with their problems, whose kinds are the rules' ids."""
    rules = {each.rule.id: each for each in statuses}
    return RuleResults(rules, {name for name in rules if name in kinds_of_problems})


def compare_rules(
    old: RuleResults, new: RuleResults, waiting: Collection[str]
) -> Iterator[RuleDiff]:
    """Yield the rules that differ, newly broken ones first.

    Of rules that wait in either state only the requirement is compared.
    """
    names = dict.fromkeys([*new.rules, *old.rules])
    diffs = [_compare_rule(name, old, new, waits=name in waiting) for name in names]
    order: tuple[RuleDiffKind, ...] = ("broken", "mended", "new", "gone", "changed", "moved")
    yield from sorted(filter(None, diffs), key=lambda diff: order.index(diff.kind))


def _compare_rule(name: str, old: RuleResults, new: RuleResults, *, waits: bool) -> RuleDiff | None:
    before, after = old.rules.get(name), new.rules.get(name)
    status = after or before
    assert status is not None
    figures = () if waits else tuple(_compare_figures(before, after))
    asks = _get_requirement(before), _get_requirement(after)
    results = ("", "") if waits else (_describe_count(before), _describe_count(after))
    edits = tuple(_compare_rule_keys(before.rule, after.rule)) if before and after else ()
    kind: RuleDiffKind
    if not waits and name in new.broken and name not in old.broken:
        kind = "broken"
    elif before is None:
        kind = "new"
    elif after is None:
        kind = "gone"
    elif not waits and name in old.broken and name not in new.broken:
        kind = "mended"
    elif edits:
        kind = "changed"
    elif asks[0] != asks[1] or results[0] != results[1] or any(f.old != f.new for f in figures):
        kind = "moved"
    else:
        return None
    rule = status.rule
    return RuleDiff(kind, name, rule.because, rule.severity, asks, figures, results, edits)


def _compare_rule_keys(old: Rule, new: Rule) -> Iterator[FieldEdit]:
    """Yield the keys of a rule whose values changed, except `because`."""
    then, now = ({"kind": rule.kind, **rule.arguments, "severity": rule.severity}
                 for rule in (old, new))  # fmt: skip
    for name in dict.fromkeys([*now, *then]):
        before, after = _format_rule_value(then.get(name)), _format_rule_value(now.get(name))
        if before != after:
            yield FieldEdit(name, before, after)


def _format_rule_value(value: Value) -> str:
    """Return a value as it is written in rules.yaml, "" for none."""
    if value is None:
        return ""
    if isinstance(value, Mapping):
        return ", ".join(f"{name} {_format_rule_value(each)}" for name, each in value.items())
    if isinstance(value, list | tuple):
        return ", ".join(map(_format_rule_value, value))
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value)


def _get_requirement(status: RuleStatus | None) -> str:
    return status.requirement if status else ""


def _describe_count(status: RuleStatus | None) -> str:
    return status.error or "; ".join(status.figures) if status else ""


def _compare_figures(old: RuleStatus | None, new: RuleStatus | None) -> Iterator[FigureDiff]:
    """Yield each measurement before and after, with the current bounds."""
    then = {measure.what: measure for measure in old.measures} if old else {}
    now = {measure.what: measure for measure in new.measures} if new else {}
    for what in dict.fromkeys([*now, *then]):
        before, after = then.get(what), now.get(what)
        last = after or before
        assert last is not None
        yield FigureDiff(what, _get_figure(before), _get_figure(after), last.least, last.most)


def _get_figure(measure: RuleMeasure | None) -> float | None:
    return measure.figure if measure else None
