"""Which rules ask, measure or find something else than before."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass

from cardgen.changes.compare import Edit
from cardgen.changes.diff.model import Figure, RuleDiff, RuleKind
from cardgen.game.model import Rule, Value
from cardgen.rules.measures import Measure
from cardgen.rules.standing import Standing


@dataclass(frozen=True)
class Held:
    """The rules of a state by their ids, in its order, and which of them are broken."""

    rules: Mapping[str, Standing]
    broken: Collection[str]


def held(standings: Iterable[Standing], kinds_of_problems: Collection[str]) -> Held:
    """Rules as they stand; a problem is of the kind that its rule is called."""
    rules = {each.rule.id: each for each in standings}
    return Held(rules, {name for name in rules if name in kinds_of_problems})


def changes(old: Held, new: Held, waiting: Collection[str]) -> Iterator[RuleDiff]:
    """The rules that differ, those newly broken first. Of those that wait in either state, only
    what they ask is compared."""
    found = [
        each
        for name in dict.fromkeys([*new.rules, *old.rules])
        if (each := _change(name, old, new, waits=name in waiting))
    ]
    order: tuple[RuleKind, ...] = ("broken", "mended", "new", "gone", "changed", "moved")
    yield from sorted(found, key=lambda each: order.index(each.kind))


def _change(name: str, old: Held, new: Held, *, waits: bool) -> RuleDiff | None:
    before, after = old.rules.get(name), new.rules.get(name)
    standing = after or before
    if standing is None:
        return None
    figures = () if waits else tuple(_figures(before, after))
    asks = _asks(before), _asks(after)
    told = ("", "") if waits else (_told(before), _told(after))
    edits = tuple(_edits(before.rule, after.rule)) if before and after else ()
    kind: RuleKind
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
    elif asks[0] != asks[1] or told[0] != told[1] or any(f.old != f.new for f in figures):
        kind = "moved"
    else:
        return None
    rule = standing.rule
    return RuleDiff(kind, name, rule.because, rule.severity, asks, figures, told, edits)


def _edits(old: Rule, new: Rule) -> Iterator[Edit]:
    """What is written otherwise in a rule's own lines, but for the reason that it gives."""
    then, now = ({"kind": rule.kind, **rule.arguments, "severity": rule.severity}
                 for rule in (old, new))  # fmt: skip
    for name in dict.fromkeys([*now, *then]):
        before, after = _in_words(then.get(name)), _in_words(now.get(name))
        if before != after:
            yield Edit(name, before, after)


def _in_words(value: Value) -> str:
    """A value of a rule as it is written; "" for none."""
    if value is None:
        return ""
    if isinstance(value, Mapping):
        return ", ".join(f"{name} {_in_words(each)}" for name, each in value.items())
    if isinstance(value, list | tuple):
        return ", ".join(map(_in_words, value))
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value)


def _asks(standing: Standing | None) -> str:
    return standing.asks if standing else ""


def _told(standing: Standing | None) -> str:
    return standing.why or "; ".join(standing.figures) if standing else ""


def _figures(old: Standing | None, new: Standing | None) -> Iterator[Figure]:
    """Each measure before and after, the bounds as they are now."""
    then = {measure.what: measure for measure in old.measures} if old else {}
    now = {measure.what: measure for measure in new.measures} if new else {}
    for what in dict.fromkeys([*now, *then]):
        before, after = then.get(what), now.get(what)
        last = after or before
        assert last is not None
        yield Figure(what, _of(before), _of(after), last.least, last.most)


def _of(measure: Measure | None) -> float | None:
    return measure.figure if measure else None
