"""A difference as text: figures and phrases for the page, terminal lines, Markdown and JSON."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
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


def format_count(number: int, noun: str, plural: str = "") -> str:
    """Return a number with its noun: `1 card`, `3 cards`."""
    return f"{number} {noun if number == 1 else plural or f'{noun}s'}"


def list_figures(found: Difference) -> list[SummaryFigure]:
    """Return the figures that are not zero."""
    passages = sum(len(book.passages) + book.untold for book in found.books)
    errors = sum(problem.severity == "error" for problem in found.appeared)
    listed = [
        *(SummaryFigure(found.count_cards(kind), _name_cards(found.count_cards(kind), kind), "cards") for kind in CARD_DIFF_KINDS),
        SummaryFigure(found.hidden_count, f"{_pluralise(found.hidden_count, 'card')} printing as before", "cards"),
        *_list_rule_figures(found),
        SummaryFigure(passages, f"{_pluralise(passages, 'passage')} of the rulebook", "rulebook"),
        SummaryFigure(
            len(found.appeared), f"new {_pluralise(len(found.appeared), 'problem')}", "problems",
            "bad" if errors else "",
        ),
        SummaryFigure(
            len(found.vanished), f"{_pluralise(len(found.vanished), 'problem')} gone", "problems", "good"
        ),
        SummaryFigure(len(found.decks), f"{_pluralise(len(found.decks), 'deck')} with other numbers", "decks"),
        SummaryFigure(found.sheet_count, f"{_pluralise(found.sheet_count, 'sheet')} to print", "sheets"),
    ]  # fmt: skip
    return [each for each in listed if each.number]


def _list_rule_figures(found: Difference) -> Iterator[SummaryFigure]:
    """Yield the numbers of rules by kind of change."""
    moods: Mapping[str, str] = {"broken": "bad", "mended": "good"}
    for kind in RULE_WORDS:
        number = sum(rule.kind == kind for rule in found.rules)
        noun = _pluralise(number, "rule")
        said = f"new {noun}" if kind == "new" else f"{noun} {kind}"
        yield SummaryFigure(number, said, "rules", moods.get(kind, ""))


def _pluralise(number: int, noun: str) -> str:
    return noun if number == 1 else f"{noun}s"


def _name_cards(number: int, kind: str) -> str:
    return (
        f"new {_pluralise(number, 'card')}"
        if kind == "new"
        else f"{_pluralise(number, 'card')} {kind}"
    )


def summarise_cards(found: Difference) -> str:
    """Return how many cards changed, are new, gone or moved."""
    parts = [
        f"{found.count_cards(kind)} {kind}" for kind in CARD_DIFF_KINDS if found.count_cards(kind)
    ]
    parts += [f"{found.hidden_count} printing as before"] if found.hidden_count else []
    return ", ".join(parts)


def summarise_rules(found: Difference) -> str:
    """Return how many rules changed, by kind."""
    kinds = [rule.kind for rule in found.rules]
    return ", ".join(
        f"{kinds.count(kind)} {said}" for kind, said in RULE_WORDS.items() if kind in kinds
    )


def summarise_waiting(found: Difference) -> str:
    """Return which rules about faces could not be checked, and what to do."""
    named = ", ".join(found.waiting[:MAX_NAMED_ITEMS])
    rest = (
        f" and {len(found.waiting) - MAX_NAMED_ITEMS} more"
        if len(found.waiting) > MAX_NAMED_ITEMS
        else ""
    )
    return (
        f"Not measured, since not all of their cards are set: {named}{rest}. "
        "Run 'cardgen check', then compare again."
    )


def summarise_books(books: Sequence[BookDiff]) -> str:
    """Return how many passages changed."""
    return format_count(sum(len(book.passages) + book.untold for book in books), "passage")


def summarise_problems(found: Difference) -> str:
    """Return how many problems are new and gone."""
    parts = [(len(found.appeared), "new"), (len(found.vanished), "gone")]
    return ", ".join(f"{number} {what}" for number, what in parts if number)


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
    if found.cards:
        yield f"  cards: {summarise_cards(found)}"
    yield from _limit_rows([_format_card(card) for card in found.cards])
    if found.rules:
        yield f"  rules: {summarise_rules(found)}"
    yield from _limit_rows([_format_rule(rule) for rule in found.rules])
    if found.waiting:
        yield f"  {summarise_waiting(found)}"
    if found.books:
        yield f"  rulebook: {summarise_books(found.books)}"
    yield from _limit_rows([_format_book(book) for book in found.books])
    if found.appeared or found.vanished:
        yield f"  problems: {summarise_problems(found)}"
    yield from _limit_rows([str(problem) for problem in found.appeared])
    for deck in found.decks:
        yield f"  {deck.id}: {_format_counts(deck.cards, 'card')}, {_format_counts(deck.copies, 'copies')}"
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
    moved = [f for f in rule.figures if f.old != f.new]
    said = [
        f"{f.what} {_format_figure(f)}" + (f" ({format_bounds(f)})" if format_bounds(f) else "")
        for f in moved
    ]
    if not rule.figures:
        said = [
            f"{_shorten_text(then)} → {_shorten_text(now)}"
            for then, now in list_counts(rule)[:MAX_NAMED_ITEMS]
        ]
    old, new = rule.asks
    asked = old != new and not rule.edits
    said += [f"asks {f'{old} → {new}' if old and new else new or old}"] if asked else []
    said += [
        f"{edit.name} {_shorten_text(edit.old) or NO_VALUE} → {_shorten_text(edit.new) or NO_VALUE}"
        for edit in rule.edits
    ]
    return f"{rule.id}: {'; '.join([RULE_WORDS[rule.kind], *said])}"


def _format_figure(figure: FigureDiff) -> str:
    """Return a measurement before and after; new and gone rules have only one of them."""
    both = [each for each in (figure.old, figure.new) if each is not None]
    return " → ".join(map(format_number, both))


def list_counts(rule: RuleDiff) -> list[tuple[str, str]]:
    """Return the counts, before and after, of a rule without measurements; only those that differ
    when their number is the same."""
    then, now = (text.split("; ") if text else [] for text in rule.told)
    if len(then) != len(now):
        return [("; ".join(then) or NO_VALUE, "; ".join(now) or NO_VALUE)]
    return [(one, other) for one, other in zip(then, now, strict=True) if one != other]


def _shorten_text(text: str) -> str:
    return text if len(text) <= MAX_LINE_CHARS // 2 else f"{text[: MAX_LINE_CHARS // 2 - 1]}…"


def _format_counts(numbers: tuple[int, int], noun: str) -> str:
    old, new = numbers
    said = noun if noun == "copies" or new == 1 else f"{noun}s"
    return f"{new} {said}" if old == new else f"{old} → {new} {said}"


def _format_card(card: CardDiff) -> str:
    """Return a line about a card: its name, kind of change, fields and reasons."""
    names = card.cards[:MAX_NAMED_ITEMS]
    rest = (
        f" and {len(card.cards) - MAX_NAMED_ITEMS} more"
        if len(card.cards) > MAX_NAMED_ITEMS
        else ""
    )
    said = [f"{card.deck}/{', '.join(names)}{rest}"]
    said += [card.kind] if card.kind != "changed" else []
    said += [f"was {'/'.join(card.was)}"] if card.was else []
    old, new = card.copies
    said += [f"copies {old} → {new}"] if card.kind == "changed" and old != new else []
    if card.kind in {"changed", "moved"}:
        fields = list(dict.fromkeys(each.edit.name for each in card.fields))
        said += [", ".join(fields)] if fields else []
        why = list(dict.fromkeys(reason for face in card.faces for reason in face.why))
        said += [f"because of {', '.join(why)}"] if why else []
        said += ["prints as before"] if not card.faces and (card.unseen or fields) else []
    text = ": ".join([said[0], "; ".join(said[1:])] if len(said) > 1 else said)
    return text if len(text) <= MAX_LINE_CHARS else f"{text[: MAX_LINE_CHARS - 1]}…"


def format_markdown(found: Difference, page: str = "") -> str:
    """Return a short summary in GitHub's Markdown; `page` is the name of the HTML report."""
    said = [f"### {_escape_markdown(found.title)}: what changed", ""]
    said += [
        f"{_escape_markdown(found.old)} → {_escape_markdown(found.new)}, {', '.join(map(_escape_markdown, found.languages))}",
        "",
    ]
    said += [f"> {_escape_markdown(note)}" for note in found.notes] + ([""] if found.notes else [])
    if found.is_empty:
        return "\n".join([*said, "Nothing changed.", "", ""])
    said += [" · ".join(f"**{each.number}** {each.label}" for each in list_figures(found)), ""]
    said += _format_bullets("Newly wrong", [str(problem) for problem in found.appeared])
    said += _format_bullets("Cards", [_format_card(card) for card in found.cards])
    said += _format_bullets("Rules", [_format_rule(rule) for rule in found.rules])
    said += _format_bullets("Rulebook", [_format_book(book) for book in found.books])
    said += _format_table(found.to_print)
    if page:
        said += [f"Every changed card before and after: `{page.replace('`', '')}`", ""]
    return "\n".join([*said, ""])


def _format_bullets(title: str, rows: Sequence[str]) -> list[str]:
    if not rows:
        return []
    more = len(rows) - MAX_MARKDOWN_ROWS
    rest = [f"- … and {more} more, on the page"] if more > 0 else []
    return [
        f"**{title}**",
        "",
        *(f"- {_escape_markdown(row)}" for row in rows[:MAX_MARKDOWN_ROWS]),
        *rest,
        "",
    ]


def _format_table(sheets: Sequence[SheetsToPrint]) -> list[str]:
    if not sheets:
        return []
    rows = [
        f"| {_escape_markdown(each.name)} | {_escape_markdown(each.language)} | {each.numbers} "
        f"| {each.count} of {each.total} |"
        for each in sheets[:MAX_MARKDOWN_ROWS]
    ]
    head = ["| Sheets to print | language | numbers | |", "|---|---|---|---|"]
    return [*head, *rows, ""]


def _escape_markdown(text: str) -> str:
    """Escape a text for Markdown on one line, so that it has no tags, links or mentions."""
    plain = " ".join("".join(sign if sign.isprintable() else " " for sign in text).split())
    return MARKDOWN_PATTERN.sub(lambda match: f"&#{ord(match[1])};", plain)


def to_json(found: Difference) -> dict[str, Any]:
    """Return the difference without its pictures, as JSON values."""
    told = asdict(found)
    del told["pictures"]
    told["appeared"] = [problem.to_json() for problem in found.appeared]
    told["vanished"] = [problem.to_json() for problem in found.vanished]
    for each, sheets in zip(told["to_print"], found.to_print, strict=True):
        each["numbers"] = str(sheets.numbers)
    return told
