"""A difference in few words: the sums of the page, lines for a terminal, Markdown, JSON."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from cardgen.changes.diff.model import (
    KINDS,
    BookDiff,
    CardDiff,
    Difference,
    Figure,
    RuleDiff,
    RuleKind,
    ToPrint,
)

RULE_WORDS: Mapping[RuleKind, str] = {
    "broken": "newly broken", "mended": "mended", "new": "new", "gone": "gone",
    "changed": "changed", "moved": "moved",
}  # fmt: skip
_MOST_ROWS = 40
"""Of a list in the Markdown: what is more stands in the page."""
_MOST_LINES = 20
NOTHING = "nothing"
_LINE = 160
_NAMED = 3
"""So many of several are named in a line."""
# What Markdown, GitHub's mentions and its references would take for their own.
_MARKUP = re.compile(r"([\\`*_{}\[\]#+!|~<>&@:]|(?<=www)\.)")


@dataclass(frozen=True)
class Sum:
    """A figure that the page begins with: where it is told in full, and whether it is bad news."""

    number: int
    what: str
    place: str
    mood: str = ""


def counted(number: int, noun: str, plural: str = "") -> str:
    """`1 card`, `3 cards`."""
    return f"{number} {noun if number == 1 else plural or f'{noun}s'}"


def sums(found: Difference) -> list[Sum]:
    """What there is to tell of, in figures; nothing of what there is none of."""
    passages = sum(len(book.passages) + book.untold for book in found.books)
    errors = sum(problem.severity == "error" for problem in found.appeared)
    listed = [
        *(Sum(found.count(kind), _cards_word(found.count(kind), kind), "cards") for kind in KINDS),
        Sum(found.hidden, f"{_word(found.hidden, 'card')} printing as before", "cards"),
        *_of_rules(found),
        Sum(passages, f"{_word(passages, 'passage')} of the rulebook", "rulebook"),
        Sum(
            len(found.appeared), f"new {_word(len(found.appeared), 'problem')}", "problems",
            "bad" if errors else "",
        ),
        Sum(
            len(found.vanished), f"{_word(len(found.vanished), 'problem')} gone", "problems", "good"
        ),
        Sum(len(found.decks), f"{_word(len(found.decks), 'deck')} with other numbers", "decks"),
        Sum(found.sheets, f"{_word(found.sheets, 'sheet')} to print", "sheets"),
    ]  # fmt: skip
    return [each for each in listed if each.number]


def _of_rules(found: Difference) -> Iterator[Sum]:
    """Rules by what became of them."""
    moods: Mapping[str, str] = {"broken": "bad", "mended": "good"}
    for kind in RULE_WORDS:
        number = sum(rule.kind == kind for rule in found.rules)
        noun = _word(number, "rule")
        said = f"new {noun}" if kind == "new" else f"{noun} {kind}"
        yield Sum(number, said, "rules", moods.get(kind, ""))


def _word(number: int, noun: str) -> str:
    return noun if number == 1 else f"{noun}s"


def _cards_word(number: int, kind: str) -> str:
    return f"new {_word(number, 'card')}" if kind == "new" else f"{_word(number, 'card')} {kind}"


def of_cards(found: Difference) -> str:
    """How many cards changed, came, went and moved."""
    parts = [f"{found.count(kind)} {kind}" for kind in KINDS if found.count(kind)]
    parts += [f"{found.hidden} printing as before"] if found.hidden else []
    return ", ".join(parts)


def of_rules(found: Difference) -> str:
    """How many rules broke, were mended, came, went and moved."""
    kinds = [rule.kind for rule in found.rules]
    return ", ".join(
        f"{kinds.count(kind)} {said}" for kind, said in RULE_WORDS.items() if kind in kinds
    )


def of_waiting(found: Difference) -> str:
    """Which rules about faces could not be measured, and what to do."""
    named = ", ".join(found.waiting[:_NAMED])
    rest = f" and {len(found.waiting) - _NAMED} more" if len(found.waiting) > _NAMED else ""
    return (
        f"Not measured, since not all of their cards are set: {named}{rest}. "
        "Run 'cardgen check', then compare again."
    )


def of_books(books: Sequence[BookDiff]) -> str:
    """How many passages say something else; the pages are not compared."""
    return counted(sum(len(book.passages) + book.untold for book in books), "passage")


def of_problems(found: Difference) -> str:
    """How many problems came and went."""
    parts = [(len(found.appeared), "new"), (len(found.vanished), "gone")]
    return ", ".join(f"{number} {what}" for number, what in parts if number)


def of_sheets(found: Difference) -> str:
    """How many sheets there are to print."""
    paper = f" of {found.paper}" if found.paper else ""
    show = "shows" if found.sheets == 1 else "show"
    return f"{counted(found.sheets, 'sheet')}{paper} that {show} a new or changed card"


def command(each: ToPrint) -> str:
    """What makes those sheets."""
    deck = f" --deck {each.deck}" if each.deck else " --mix"
    return f"cardgen build sheets --lang {each.language}{deck} --sheets {each.numbers}"


def number(value: float | None) -> str:
    """A measure: whole where it is whole, otherwise to three digits."""
    if value is None:
        return "–"
    return f"{value:.0f}" if value == int(value) else f"{value:.3g}"


def bounds(figure: Figure) -> str:
    """Between what it must lie."""
    if figure.least is not None and figure.least == figure.most:
        return f"= {number(figure.least)}"
    parts = [(figure.least, "≥"), (figure.most, "≤")]
    return ", ".join(f"{sign} {number(value)}" for value, sign in parts if value is not None)


def lines(found: Difference) -> Iterator[str]:
    """What the terminal shows."""
    yield f"{found.title}: {found.old} → {found.new}"
    for note in found.notes:
        yield f"  {note}"
    if found.nothing:
        yield "  nothing changed"
        return
    if found.cards:
        yield f"  cards: {of_cards(found)}"
    yield from _some([_of_card(card) for card in found.cards])
    if found.rules:
        yield f"  rules: {of_rules(found)}"
    yield from _some([_of_rule(rule) for rule in found.rules])
    if found.waiting:
        yield f"  {of_waiting(found)}"
    if found.books:
        yield f"  rulebook: {of_books(found.books)}"
    yield from _some([_of_book(book) for book in found.books])
    if found.appeared or found.vanished:
        yield f"  problems: {of_problems(found)}"
    yield from _some([str(problem) for problem in found.appeared])
    for deck in found.decks:
        yield f"  {deck.id}: {_counts(deck.cards, 'card')}, {_counts(deck.copies, 'copies')}"
    if found.to_print:
        yield f"  sheets to print: {found.sheets}"
    for each in found.to_print:
        yield f"    {command(each)}"


def _some(rows: Sequence[str]) -> Iterator[str]:
    """As many rows as a terminal has room for."""
    yield from (f"    {row}" for row in rows[:_MOST_LINES])
    if len(rows) > _MOST_LINES:
        yield f"    … and {len(rows) - _MOST_LINES} more, on the page"


def _of_book(book: BookDiff) -> str:
    """A file of the rulebook in a line."""
    return f"{book.file}: {of_books([book])}"


def _of_rule(rule: RuleDiff) -> str:
    """A rule in a line: what became of it, and what it measures now, or counts."""
    moved = [f for f in rule.figures if f.old != f.new]
    said = [f"{f.what} {_from_to(f)}" + (f" ({bounds(f)})" if bounds(f) else "") for f in moved]
    if not rule.figures:
        said = [f"{_short(then)} → {_short(now)}" for then, now in counts(rule)[:_NAMED]]
    old, new = rule.asks
    asked = old != new and not rule.edits
    said += [f"asks {f'{old} → {new}' if old and new else new or old}"] if asked else []
    said += [
        f"{edit.name} {_short(edit.old) or NOTHING} → {_short(edit.new) or NOTHING}"
        for edit in rule.edits
    ]
    return f"{rule.id}: {'; '.join([RULE_WORDS[rule.kind], *said])}"


def _from_to(figure: Figure) -> str:
    """A measure before and after; of a rule that came or went there is one."""
    both = [each for each in (figure.old, figure.new) if each is not None]
    return " → ".join(map(number, both))


def counts(rule: RuleDiff) -> list[tuple[str, str]]:
    """What a rule that has no measure counts, before and after: of several figures those that
    differ."""
    then, now = (text.split("; ") if text else [] for text in rule.told)
    if len(then) != len(now):
        return [("; ".join(then) or NOTHING, "; ".join(now) or NOTHING)]
    return [(one, other) for one, other in zip(then, now, strict=True) if one != other]


def _short(text: str) -> str:
    return text if len(text) <= _LINE // 2 else f"{text[: _LINE // 2 - 1]}…"


def _counts(numbers: tuple[int, int], noun: str) -> str:
    old, new = numbers
    said = noun if noun == "copies" or new == 1 else f"{noun}s"
    return f"{new} {said}" if old == new else f"{old} → {new} {said}"


def _of_card(card: CardDiff) -> str:
    """A card in a line: what it is called, what happened, in which fields, for what reasons."""
    names = card.cards[:_NAMED]
    rest = f" and {len(card.cards) - _NAMED} more" if len(card.cards) > _NAMED else ""
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
    return text if len(text) <= _LINE else f"{text[: _LINE - 1]}…"


def markdown(found: Difference, page: str = "") -> str:
    """A short summary in GitHub's Markdown; `page` is how the page with the pictures is called."""
    said = [f"### {_md(found.title)}: what changed", ""]
    said += [f"{_md(found.old)} → {_md(found.new)}, {', '.join(map(_md, found.languages))}", ""]
    said += [f"> {_md(note)}" for note in found.notes] + ([""] if found.notes else [])
    if found.nothing:
        return "\n".join([*said, "Nothing changed.", "", ""])
    said += [" · ".join(f"**{each.number}** {each.what}" for each in sums(found)), ""]
    said += _bullets("Newly wrong", [str(problem) for problem in found.appeared])
    said += _bullets("Cards", [_of_card(card) for card in found.cards])
    said += _bullets("Rules", [_of_rule(rule) for rule in found.rules])
    said += _bullets("Rulebook", [_of_book(book) for book in found.books])
    said += _table(found.to_print)
    if page:
        said += [f"Every changed card before and after: `{page.replace('`', '')}`", ""]
    return "\n".join([*said, ""])


def _bullets(title: str, rows: Sequence[str]) -> list[str]:
    if not rows:
        return []
    more = len(rows) - _MOST_ROWS
    rest = [f"- … and {more} more, on the page"] if more > 0 else []
    return [f"**{title}**", "", *(f"- {_md(row)}" for row in rows[:_MOST_ROWS]), *rest, ""]


def _table(sheets: Sequence[ToPrint]) -> list[str]:
    if not sheets:
        return []
    rows = [
        f"| {_md(each.name)} | {_md(each.language)} | {each.numbers} "
        f"| {each.count} of {each.total} |"
        for each in sheets[:_MOST_ROWS]
    ]
    head = ["| Sheets to print | language | numbers | |", "|---|---|---|---|"]
    return [*head, *rows, ""]


def _md(text: str) -> str:
    """A text that Markdown shows as it is, on one line: no tag, link, mention or reference."""
    plain = " ".join("".join(sign if sign.isprintable() else " " for sign in text).split())
    return _MARKUP.sub(lambda match: f"&#{ord(match[1])};", plain)


def as_json(found: Difference) -> dict[str, Any]:
    """All of it but the pictures, for other programs."""
    told = asdict(found)
    del told["pictures"]
    told["appeared"] = [problem.as_json() for problem in found.appeared]
    told["vanished"] = [problem.as_json() for problem in found.vanished]
    for each, sheets in zip(told["to_print"], found.to_print, strict=True):
        each["numbers"] = str(sheets.numbers)
    return told
