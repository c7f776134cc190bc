"""Differences of rulebooks, decks and problems, and the parts that cannot be compared."""

from __future__ import annotations

import difflib
import itertools
import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from cardgen.changes.card_changes import FieldEdit
from cardgen.changes.diff_model import BookDiff, DeckDiff, FigureDiff, RuleDiff, RuleDiffKind
from cardgen.core.problems import Problem
from cardgen.game.deck_files import UNREADABLE_KINDS
from cardgen.game.model import Deck, Game, Rule, Value
from cardgen.rules.rule_kinds import RuleStatus
from cardgen.runtime import game_files

RULEBOOK_FOLDER = "rulebook"
PARAGRAPH_GAP = re.compile(r"\n[ \t]*\n\s*")
MAX_FILES_COMPARED, MAX_PASSAGES_PER_FILE = 60, 80
MAX_PARAGRAPHS = 3000
"""Number of paragraphs compared, without equal ones at the beginning and end of the file."""
MAX_PARAGRAPH_CHARS = 4000


def compare_books(old: Path, new: Path) -> Iterator[BookDiff]:
    """Yield the rulebook files whose text differs between the folders of two states."""
    names = itertools.chain.from_iterable(
        game_files.list_files(root, RULEBOOK_FOLDER, ".md") for root in (new, old)
    )
    for name in [*dict.fromkeys(names)][:MAX_FILES_COMPARED]:
        before, after = (_read_paragraphs(root, name) for root in (old, new))
        if before != after:
            passages = [*_compare_paragraphs(before, after)]
            more = max(0, len(passages) - MAX_PASSAGES_PER_FILE)
            yield BookDiff(name, tuple(passages[:MAX_PASSAGES_PER_FILE]), more)


def _read_paragraphs(root: Path, name: str) -> list[str]:
    """Return a file's paragraphs; none when it cannot be read, which is a problem of its own."""
    if not game_files.has_entry(root, name):
        return []
    text, _ = game_files.read_text(root, name)
    return [each for each in PARAGRAPH_GAP.split(text.strip()) if each]


def _compare_paragraphs(old: list[str], new: list[str]) -> Iterator[tuple[str, str]]:
    """Yield the paragraphs that differ, before and after, "" for none."""
    while old and new and old[0] == new[0]:
        old, new = old[1:], new[1:]
    while old and new and old[-1] == new[-1]:
        old, new = old[:-1], new[:-1]
    if max(len(old), len(new)) > MAX_PARAGRAPHS:
        yield f"{len(old)} paragraphs", f"{len(new)} paragraphs"
        return
    for tag, a, b, c, d in difflib.SequenceMatcher(None, old, new).get_opcodes():
        if tag != "equal":
            for passages in itertools.zip_longest(old[a:b], new[c:d], fillvalue=""):
                before, after = map(_shorten_passage, passages)
                yield before, after


def _shorten_passage(text: str) -> str:
    return text if len(text) <= MAX_PARAGRAPH_CHARS else f"{text[:MAX_PARAGRAPH_CHARS]} …"


def compare_decks(old: Sequence[Deck], new: Sequence[Deck], language: str) -> Iterator[DeckDiff]:
    """Yield the decks whose numbers of cards or copies, or whose order of cards, differ."""
    then, now = ({deck.id: deck for deck in decks} for decks in (old, new))
    for name in dict.fromkeys([*now, *then]):
        both = then.get(name), now.get(name)
        before, after = ([p.id for p in deck.pieces] if deck else [] for deck in both)
        copies = (both[0].count if both[0] else 0, both[1].count if both[1] else 0)
        common = {*before} & {*after}
        is_reordered = [i for i in before if i in common] != [i for i in after if i in common]
        deck = both[1] or both[0]
        if deck and (len(before) != len(after) or copies[0] != copies[1] or is_reordered):
            title = deck.title.get_plain_text(language)
            yield DeckDiff(name, title, (len(before), len(after)), copies, is_reordered)


def compare_problems(
    old: Iterable[Problem], new: Iterable[Problem]
) -> tuple[tuple[Problem, ...], tuple[Problem, ...]]:
    """Return the problems that appeared and those that vanished, regardless of their lines."""
    old, new = [*old], [*new]
    return _subtract_problems(new, old), _subtract_problems(old, new)


def _subtract_problems(problems: list[Problem], others: list[Problem]) -> tuple[Problem, ...]:
    def get_identity(problem: Problem) -> tuple[object, ...]:
        return problem.source.path, problem.kind, problem.severity, problem.subject, problem.message

    left = Counter(map(get_identity, others))
    found = []
    for problem in problems:
        if left[get_identity(problem)]:
            left[get_identity(problem)] -= 1
        else:
            found.append(problem)
    return tuple(found)


def find_unread_files(problems: Iterable[Problem]) -> set[str]:
    """Return the files that could not be read because of errors."""
    return {p.source.path for p in problems if p.kind in UNREADABLE_KINDS and p.severity == "error"}


def find_unread_decks(
    game: Game, other: Game, unread: Collection[str]
) -> Iterator[tuple[str, str]]:
    """Yield the decks that only the other state has because this one could not read a file.

    Such a deck is not gone, since its cards are unknown. Each comes with the file.
    """
    known = {deck.id for deck in game.decks if deck.pieces}
    for deck in other.decks:
        files = [deck.source.path, *(piece.source.path for piece in deck.pieces)]
        missed = next((name for name in files if name in unread), "")
        if missed and deck.id not in known:
            yield deck.id, missed


RuleStatuses = Mapping[str, RuleStatus]
"""The rules of a state by id, in their order."""


def compare_rules(
    statuses: Sequence[RuleStatuses],
    broken: Sequence[Collection[str]],
    waiting: Collection[str],
) -> Iterator[RuleDiff]:
    """Yield the rules that differ between two states, newly broken ones first.

    `broken` holds the ids of broken rules of each state. Of rules that wait in either state only
    the requirement is compared.
    """
    names = dict.fromkeys([*statuses[1], *statuses[0]])
    diffs = [_compare_rule(name, statuses, broken, waits=name in waiting) for name in names]
    order: tuple[RuleDiffKind, ...] = ("broken", "mended", "new", "gone", "changed", "moved")
    yield from sorted(filter(None, diffs), key=lambda diff: order.index(diff.kind))


def _compare_rule(
    name: str,
    statuses: Sequence[RuleStatuses],
    broken: Sequence[Collection[str]],
    *,
    waits: bool,
) -> RuleDiff | None:
    was_broken, is_broken = (name in names and not waits for names in broken)
    is_new, is_gone = (name not in each for each in statuses)
    rule = statuses[0 if is_gone else 1][name].rule
    before, after = (each.get(name) or RuleStatus(rule) for each in statuses)
    figures = () if waits else tuple(_compare_figures(before, after))
    asks = before.requirement, after.requirement
    told = ("", "") if waits else (_describe_count(before), _describe_count(after))
    edits = tuple(_compare_rule_keys(before.rule, after.rule))
    kind: RuleDiffKind
    if is_broken and not was_broken:
        kind = "broken"
    elif is_new:
        kind = "new"
    elif is_gone:
        kind = "gone"
    elif was_broken and not is_broken:
        kind = "mended"
    elif edits:
        kind = "changed"
    elif asks[0] != asks[1] or told[0] != told[1] or any(f.old != f.new for f in figures):
        kind = "moved"
    else:
        return None
    return RuleDiff(kind, name, rule.because, rule.severity, asks, figures, told, edits)


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


def _describe_count(status: RuleStatus) -> str:
    return status.error or "; ".join(status.figures)


def _compare_figures(old: RuleStatus, new: RuleStatus) -> Iterator[FigureDiff]:
    """Yield each measurement before and after, with the current bounds."""
    then, now = ({each.what: each for each in status.measures} for status in (old, new))
    for what, last in {**now, **then, **now}.items():
        before, after = (each[what].figure if what in each else None for each in (then, now))
        yield FigureDiff(what, before, after, last.least, last.most)
