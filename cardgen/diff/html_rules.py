"""The rules of a difference as HTML: what they ask, and where their measures lie within bounds."""

from __future__ import annotations

from collections.abc import Iterator

from markupsafe import Markup

from cardgen.changes.change_list import render_difference as words_that_differ
from cardgen.changes.diff_model import Difference, FigureDiff, RuleDiff
from cardgen.diff import summary

_JOIN = Markup("")
_WIDE, _ROOM = 170, 8
"""px of the bar that shows a measure."""


def render_rules(found: Difference) -> Iterator[Markup]:
    """The section, if there is anything to tell."""
    if found.is_empty or not (found.rules or found.waiting):
        return
    yield Markup('<h2 id="rules">Rules <small>{}</small></h2>\n').format(
        summary.summarise_rules(found)
    )
    yield Markup('<ul class="list">{}</ul>\n').format(_JOIN.join(map(_rule, found.rules)))
    if found.waiting:
        yield Markup('<p class="why">{}</p>\n').format(summary.summarise_waiting(found))


def _rule(rule: RuleDiff) -> Markup:
    old, new = rule.asks
    asks = (
        Markup("<del>{}</del> › <ins>{}</ins>").format(old, new)
        if old and new and old != new and not rule.edits
        else Markup("{}").format(new or old)
    )
    moved = [figure for figure in rule.figures if figure.old != figure.new]
    figures = _JOIN.join(_figure(figure) for figure in moved)
    said = [
        Markup('<p><span class="id">{}</span><span class="tag {}">{}</span> {}</p>').format(
            rule.id, _tone(rule),
            summary.RULE_WORDS[rule.kind], asks,
        ),
        Markup('<p class="place">{}</p>').format(rule.because),
        _edits(rule),
        Markup('<div class="measures">{}</div>').format(figures) if figures else Markup(""),
    ]  # fmt: skip
    for then, now in summary.list_counts(rule) if not rule.figures else ():
        said.append(Markup("<p><del>{}</del> › <ins>{}</ins></p>").format(then, now))
    return Markup('<li class="rule {}">{}</li>').format(rule.kind, _JOIN.join(said))


def _tone(rule: RuleDiff) -> str:
    """Good and bad news by their colours; what breaks a mere warning is half as bad."""
    return "warning" if rule.kind == "broken" and rule.severity != "error" else rule.kind


def _edits(rule: RuleDiff) -> Markup:
    """What is written otherwise in it."""
    return _JOIN.join(
        Markup('<p class="edit"><b>{}</b> {}</p>').format(
            each.name, words_that_differ(each.old, each.new, summary.NO_VALUE)
        )
        for each in rule.edits
    )


def _figure(figure: FigureDiff) -> Markup:
    off = "" if _holds(figure) else "off"
    return Markup(
        '<span>{}</span><span class="figure {}">{}<b>{}</b></span>'
        '<span class="bounds">{}{}</span>'
    ).format(
        figure.what, off, "" if figure.old is None else f"{summary.format_number(figure.old)} › ",
        summary.format_number(figure.new),
        summary.format_bounds(figure), _bar(figure),
    )  # fmt: skip


def _holds(figure: FigureDiff) -> bool:
    value = figure.new
    if value is None:
        return True
    above = figure.least is None or value >= figure.least
    return above and (figure.most is None or value <= figure.most)


def _bar(figure: FigureDiff) -> Markup:
    """A line with the bounds as a band, a ring where the measure was and a dot where it is."""
    known = [each for each in (figure.old, figure.new, figure.least, figure.most)
             if each is not None]  # fmt: skip
    low, high = min(known, default=0.0), max(known, default=0.0)
    if high <= low:
        return Markup("")
    spare = (high - low) * 0.12
    low, high = low - spare, high + spare

    def at(value: float) -> float:
        return _ROOM + (_WIDE - 2 * _ROOM) * (value - low) / (high - low)

    first = at(figure.least) if figure.least is not None else _ROOM
    last = at(figure.most) if figure.most is not None else _WIDE - _ROOM
    parts = [
        Markup('<line class="ground" x1="{}" y1="8" x2="{}" y2="8"/>').format(_ROOM, _WIDE - _ROOM),
        Markup('<line class="band" x1="{:.1f}" y1="8" x2="{:.1f}" y2="8"/>').format(
            first - 2, last + 2
        ),
    ]
    if figure.old is not None:
        parts.append(
            Markup('<circle class="then" cx="{:.1f}" cy="8" r="4"/>').format(at(figure.old))
        )
    if figure.new is not None:
        off = "" if _holds(figure) else " off"
        parts.append(
            Markup('<circle class="now{}" cx="{:.1f}" cy="8" r="4"/>').format(off, at(figure.new))
        )
    return Markup(
        '<svg class="bar" width="{0}" height="16" viewBox="0 0 {0} 16" aria-hidden="true">{1}</svg>'
    ).format(_WIDE, _JOIN.join(parts))
