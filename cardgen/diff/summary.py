"""A difference as text: figures and phrases for the page, terminal lines, Markdown and JSON."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

from cardgen.changes.diff_model import (
    CARD_DIFF_KINDS,
    BookDiff,
    CardDiff,
    Difference,
    FigureDiff,
    RuleDiff,
    RuleDiffKind,
    SheetsToPrint,
)
from cardgen.core.problems import has_errors, summarise
from cardgen.game.inventory import format_count

RULE_WORDS: Mapping[RuleDiffKind, str] = {
    "broken": "newly broken", "mended": "mended", "new": "new", "gone": "gone",
    "changed": "changed", "moved": "moved",
}  # fmt: skip
MAX_MARKDOWN_ROWS = 40
"""Maximum length of a list in Markdown; the page has all rows."""
MAX_TERMINAL_ROWS = 20
NO_VALUE = "nothing"
MAX_LINE_CHARS = 160
MAX_NAMED_ITEMS = 3
"""Number of names listed in a line."""
# Characters with a meaning in Markdown, and in GitHub's mentions, references and links.
MARKDOWN_PATTERN = re.compile(r"([\\`*_{}\[\]#+!|~<>&@:]|(?<=www)\.)")


@dataclass(frozen=True)
class SummaryFigure:
    """A figure at the top of the page, the anchor of its section, and "bad", "good" or no tone."""

    number: int
    label: str
    anchor: str
    tone: str = ""


def list_figures(found: Difference) -> list[SummaryFigure]:
    """Return the figures that are not zero."""
    figures = []

    def add(number: int, singular: str, plural: str, anchor: str, tone: str = "") -> None:
        if number:
            label = singular if number == 1 else plural
            figures.append(SummaryFigure(number, label, anchor, tone))

    for kind in CARD_DIFF_KINDS:
        add(found.count_cards(kind), *_name_kind("card", kind), "cards")
    add(found.hidden_count, "card printing as before", "cards printing as before", "cards")
    tones = {"broken": "bad", "mended": "good"}
    for rule_kind in RULE_WORDS:
        number = sum(rule.kind == rule_kind for rule in found.rules)
        add(number, *_name_kind("rule", rule_kind), "rules", tones.get(rule_kind, ""))
    passages = sum(len(book.passages) + book.untold for book in found.books)
    add(passages, "passage of the rulebook", "passages of the rulebook", "rulebook")
    tone = "bad" if has_errors(found.appeared) else ""
    add(len(found.appeared), "new problem", "new problems", "problems", tone)
    add(len(found.vanished), "problem gone", "problems gone", "problems", "good")
    add(len(found.decks), "deck with other numbers", "decks with other numbers", "decks")
    add(found.sheet_count, "sheet to print", "sheets to print", "sheets")
    return figures


def _name_kind(noun: str, kind: str) -> tuple[str, str]:
    """Return the labels of one and of several things with a kind of change."""
    if kind == "new":
        return f"new {noun}", f"new {noun}s"
    return f"{noun} {kind}", f"{noun}s {kind}"


def summarise_cards(found: Difference) -> str:
    """Return how many cards changed, are new, gone or moved."""
    counts = [(found.count_cards(kind), str(kind)) for kind in CARD_DIFF_KINDS]
    counts.append((found.hidden_count, "printing as before"))
    return _join_counts(counts)


def _join_counts(counts: Iterable[tuple[int, str]]) -> str:
    return ", ".join(f"{number} {what}" for number, what in counts if number)


def summarise_rules(found: Difference) -> str:
    """Return how many rules changed, by kind."""
    kinds = Counter(rule.kind for rule in found.rules)
    return _join_counts((kinds[kind], word) for kind, word in RULE_WORDS.items())


def summarise_waiting(found: Difference) -> str:
    """Return which rules about faces could not be checked, and what to do."""
    names = summarise(found.waiting, MAX_NAMED_ITEMS)
    return (
        f"Rules that were not checked, because not all of their cards are typeset: {names}. "
        "Run 'cardgen check', then compare again."
    )


def summarise_books(books: Sequence[BookDiff]) -> str:
    """Return how many passages changed."""
    return format_count(sum(len(book.passages) + book.untold for book in books), "passage")


def summarise_problems(found: Difference) -> str:
    """Return how many problems are new and gone."""
    return _join_counts([(len(found.appeared), "new"), (len(found.vanished), "gone")])


def summarise_sheets(found: Difference) -> str:
    """Return how many sheets have to be printed."""
    paper = f" of {found.paper}" if found.paper else ""
    show = "shows" if found.sheet_count == 1 else "show"
    return f"{format_count(found.sheet_count, 'sheet')}{paper} that {show} a new or changed card"


def format_build_command(each: SheetsToPrint) -> str:
    """Return the command that builds these sheets."""
    deck = f" --deck {each.deck}" if each.deck else " --mix"
    return f"cardgen build sheets --lang {each.language}{deck} --sheets {each.numbers}"


def format_number(value: float | None) -> str:
    """Return a measurement with at most three digits, as an integer where it is one."""
    if value is None:
        return "–"
    return f"{value:.0f}" if value == int(value) else f"{value:.3g}"


def format_bounds(figure: FigureDiff) -> str:
    """Return the bounds of a measurement."""
    if figure.least is not None and figure.least == figure.most:
        return f"= {format_number(figure.least)}"
    parts = [(figure.least, "≥"), (figure.most, "≤")]
    return ", ".join(f"{sign} {format_number(value)}" for value, sign in parts if value is not None)


def format_lines(found: Difference) -> Iterator[str]:
    """Yield the lines for the terminal."""
    yield f"{found.title}: {found.old} → {found.new}"
    for note in found.notes:
        yield f"  {note}"
    if found.is_empty:
        yield "  nothing changed"
        return
    sections: list[tuple[str, str, Iterable[str]]] = [
        ("cards: ", summarise_cards(found), map(_format_card, found.cards)),
        ("rules: ", summarise_rules(found), map(_format_rule, found.rules)),
        ("", summarise_waiting(found) if found.waiting else "", ()),
        ("rulebook: ", summarise_books(found.books) if found.books else "",
         map(_format_book, found.books)),
        ("problems: ", summarise_problems(found), map(str, found.appeared)),
    ]  # fmt: skip
    for title, text, rows in sections:
        if text:
            yield f"  {title}{text}"
            yield from _limit_rows(list(rows))
    for deck in found.decks:
        cards = _format_counts(deck.cards, "card", "cards")
        yield f"  {deck.id}: {cards}, {_format_counts(deck.copies, 'copies', 'copies')}"
    if found.to_print:
        yield f"  sheets to print: {found.sheet_count}"
    for each in found.to_print:
        yield f"    {format_build_command(each)}"


def _limit_rows(rows: Sequence[str]) -> Iterator[str]:
    """Yield the first rows, and how many more there are."""
    yield from (f"    {row}" for row in rows[:MAX_TERMINAL_ROWS])
    if len(rows) > MAX_TERMINAL_ROWS:
        yield f"    … and {len(rows) - MAX_TERMINAL_ROWS} more, on the page"


def _format_book(book: BookDiff) -> str:
    """Return a line about a file of the rulebook."""
    return f"{book.file}: {summarise_books([book])}"


def _format_rule(rule: RuleDiff) -> str:
    """Return a line about a rule: its kind of change and its measurements or counts."""
    parts = [RULE_WORDS[rule.kind]]
    for figure in rule.figures:
        if figure.old != figure.new:
            bounds = format_bounds(figure)
            numbers = (number for number in (figure.old, figure.new) if number is not None)
            values = " → ".join(map(format_number, numbers))
            parts.append(f"{figure.what} {values}" + (f" ({bounds})" if bounds else ""))
    if not rule.figures:
        parts += [
            f"{_shorten_text(old)} → {_shorten_text(new)}"
            for old, new in list_counts(rule)[:MAX_NAMED_ITEMS]
        ]
    old, new = rule.asks
    if old != new and not rule.edits:
        parts.append(f"asks {f'{old} → {new}' if old and new else new or old}")
    for edit in rule.edits:
        old, new = (_shorten_text(text) or NO_VALUE for text in (edit.old, edit.new))
        parts.append(f"{edit.name} {old} → {new}")
    return f"{rule.id}: {'; '.join(parts)}"


def list_counts(rule: RuleDiff) -> list[tuple[str, str]]:
    """Return the counts, before and after, of a rule without measurements; only those that differ
    when their number is the same."""
    old, new = (text.split("; ") if text else [] for text in rule.told)
    if len(old) != len(new):
        return [("; ".join(old) or NO_VALUE, "; ".join(new) or NO_VALUE)]
    return [(before, after) for before, after in zip(old, new, strict=True) if before != after]


def _shorten_text(text: str, limit: int = MAX_LINE_CHARS // 2) -> str:
    return text if len(text) <= limit else f"{text[: limit - 1]}…"


def _format_counts(numbers: tuple[int, int], singular: str, plural: str) -> str:
    old, new = numbers
    noun = singular if new == 1 else plural
    return f"{new} {noun}" if old == new else f"{old} → {new} {noun}"


def _format_card(card: CardDiff) -> str:
    """Return a line about a card: its name, kind of change, fields and reasons."""
    old, new = card.copies
    fields = ", ".join(dict.fromkeys(field.edit.name for field in card.fields))
    reasons = ", ".join(dict.fromkeys(reason for face in card.faces for reason in face.why))
    is_hidden = not card.faces and (card.unseen or fields)
    has_details = card.kind in {"changed", "moved"}
    parts = [
        card.kind if card.kind != "changed" else "",
        f"was {'/'.join(card.was)}" if card.was else "",
        f"copies {old} → {new}" if card.kind == "changed" and old != new else "",
        fields if has_details else "",
        f"because of {reasons}" if has_details and reasons else "",
        "prints as before" if has_details and is_hidden else "",
    ]
    name = f"{card.deck}/{summarise(card.cards, MAX_NAMED_ITEMS)}"
    details = "; ".join(filter(None, parts))
    return _shorten_text(f"{name}: {details}" if details else name, MAX_LINE_CHARS)


def format_markdown(found: Difference, page: str = "") -> str:
    """Return a short summary in GitHub's Markdown; `page` is the name of the HTML report."""
    title, old, new = map(_escape_markdown, (found.title, found.old, found.new))
    languages = ", ".join(map(_escape_markdown, found.languages))
    lines = [f"### {title}: what changed", "", f"{old} → {new}, {languages}", ""]
    if found.notes:
        lines += [*(f"> {_escape_markdown(note)}" for note in found.notes), ""]
    if found.is_empty:
        return "\n".join([*lines, "Nothing changed.", "", ""])
    lines += [" · ".join(f"**{each.number}** {each.label}" for each in list_figures(found)), ""]
    lines += _format_bullets("Newly wrong", map(str, found.appeared))
    lines += _format_bullets("Cards", map(_format_card, found.cards))
    lines += _format_bullets("Rules", map(_format_rule, found.rules))
    lines += _format_bullets("Rulebook", map(_format_book, found.books))
    if found.to_print:
        lines += ["| Sheets to print | language | numbers | |", "|---|---|---|---|"]
        for sheets in found.to_print[:MAX_MARKDOWN_ROWS]:
            name, language = _escape_markdown(sheets.name), _escape_markdown(sheets.language)
            count = f"{sheets.count} of {sheets.total}"
            lines.append(f"| {name} | {language} | {sheets.numbers} | {count} |")
        lines.append("")
    if page:
        lines += [f"Every changed card before and after: `{page.replace('`', '')}`", ""]
    return "\n".join([*lines, ""])


def _format_bullets(title: str, rows: Iterable[str]) -> list[str]:
    rows = list(rows)
    if not rows:
        return []
    more = len(rows) - MAX_MARKDOWN_ROWS
    bullets = [f"- {_escape_markdown(row)}" for row in rows[:MAX_MARKDOWN_ROWS]]
    bullets += [f"- … and {more} more, on the page"] if more > 0 else []
    return [f"**{title}**", "", *bullets, ""]


def _escape_markdown(text: str) -> str:
    """Escape a text for Markdown on one line, so that it has no tags, links or mentions."""
    plain = " ".join("".join(sign if sign.isprintable() else " " for sign in text).split())
    return MARKDOWN_PATTERN.sub(lambda match: f"&#{ord(match[1])};", plain)


def to_json(found: Difference) -> dict[str, Any]:
    """Return the difference without its pictures, as JSON values."""
    values = asdict(replace(found, pictures={}, appeared=(), vanished=()))
    del values["pictures"]
    values["appeared"] = [problem.to_json() for problem in found.appeared]
    values["vanished"] = [problem.to_json() for problem in found.vanished]
    for each, sheets in zip(values["to_print"], found.to_print, strict=True):
        each["numbers"] = str(sheets.numbers)
    return values
