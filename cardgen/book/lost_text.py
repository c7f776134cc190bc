"""Text and marks of a rulebook that its parser leaves out, or takes for something else."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any

from markdown_it.rules_block.table import escapedSplit
from markdown_it.token import Token

from cardgen.book.book_lint import FORMULA_HINT, TABLE_HINT
from cardgen.book.html_cleaner import UNUSED_ATTRIBUTES, explain_class
from cardgen.book.markdown_parser import HEADING_CLASSES, parse_heading_attributes
from cardgen.core.problems import shorten

_PREFIX = r"(?:[ >\t:]|[-*+] |[0-9]{1,9}[.)] |\[\^[^\]\s]+\]: )*"
_LINK_DEFINITION = re.compile(rf"{_PREFIX}\[([^\[\]^]+)\]:")
_COMMENT_LABEL = "//"
"""In `[//]: # (a comment)`, which is not to be printed."""
_SIMPLE_TABLE_RULE = re.compile(r"\s*-{2,}(?: +-{2,})+\s*\Z")
_KEY = re.compile(r"[A-Za-z]\w*: \S")
_NOTE_DEFINITION = re.compile(rf"{_PREFIX}\[\^([^\]\s]+)\]:")


_CODE = re.compile(r"(?<![\\`])(`{1,4})(?!`)[^`]*(?<!`)\1(?!`)")
# Texts may come from strangers: no pattern here looks at a place more than a few times.
_EATEN_BACKSLASHES = (
    (re.compile(r"\\{1,2}\((?:(?!\\[()])[^\n]){1,200}\\{1,2}\)"), FORMULA_HINT),
    (
        re.compile(
            r"\\{1,2}\[(?=\s|(?:(?!\\[\[\]]).){0,200}?(?:\\[A-Za-z]|[\w ][=^_]))"
            r"(?=\s*[^\s\\\]]|\s*\\[A-Za-z])(?:(?!\\[\[\]]).){1,400}\\{1,2}\]",
            re.DOTALL,
        ),
        FORMULA_HINT,
    ),
    (re.compile(r"(?<=[^\\\n])\\\\$", re.MULTILINE), "a line break is one \\"),
)
"""What loses its backslashes, and what to write instead."""
_MEANT_LINES = (
    (re.compile(r"[a-z]{1,4}\) "), "begin each with - or 1. and a space"),
    (re.compile(r"\([0-9a-z]{1,3}\) "), "begin each with - or 1. and a space"),
    (re.compile(r"[–—·] ?\S|·\t"), "begin each with - and a space"),
    (re.compile(r"[-+][^\W\d_]"), "begin each with - and a space"),
    (re.compile(r"[0-9]{1,3}[.)][^\W\d_]"), "begin each with 1. and a space"),
    (re.compile(r"[^|\n]+\|[^|\n]"), TABLE_HINT),
)
"""Lines that were meant as items or rows where two follow each other, and what to write."""
_ESCAPED_TASK = re.compile(r"\\\[[ xX]?\\?\](?=\s)")
_WORD = re.compile(r"[^\W\d_]{2,}")
_MIN_PROSE_WORDS = 3
_SOURCE_LANGUAGES = frozenset(
    {"dataview", "dataviewjs", "math", "mermaid", "plantuml", "latex", "tex", "query", "tasks"}
)
"""Listings that other tools draw."""
_KNOWN_CLASSES = frozenset({"term"})
Finding = tuple[int, str, str]
"""Line (from 0), message and kind."""


def find_lost_text(
    tokens: Sequence[Token],
    lines: Sequence[str],
    parsed: Mapping[str, Any],
    styled: Collection[str] = (),
) -> Iterator[Finding]:
    """Yield what the parser leaves out or takes for something else.

    `parsed` is the parser's environment, with its footnotes and definitions of links. `styled` are
    the classes that the game's own stylesheet has rules for.
    """
    listings: set[int] = set()
    known = _KNOWN_CLASSES.union(styled)
    for index, token in enumerate(tokens):
        if token.map is None:
            continue
        first, end = token.map
        if token.type in ("fence", "code_block"):
            listings.update(range(first, end))
        message = _explain_loss(tokens, index, lines[first], lines[end - 1])
        if message:
            yield first, message, "markup"
        for message in _check_attributes(tokens, index, known):
            yield first, message, "markup"
        if token.type == "inline":
            yield from _check_line(token, first, known)
            if tokens[index - 1].type == "paragraph_open" and (run := _explain_run(token.content)):
                yield first, run, "markup"
    yield from _check_lists(tokens)
    yield from _check_nested_notes(tokens)
    yield from _check_notes(lines, listings, parsed.get("footnotes", {}).get("refs", {}))
    yield from _check_link_definitions(lines, parsed.get("references", {}))


def _check_line(inline: Token, first: int, known: Collection[str]) -> Iterator[Finding]:
    """Yield what is lost within the lines of a paragraph, heading or cell."""
    text = _CODE.sub(lambda code: re.sub(r"[^\n]", " ", code[0]), inline.content)
    for pattern, hint in _EATEN_BACKSLASHES:
        if match := pattern.search(text):
            written = " ".join(match[0].split())
            message = f"'{shorten(written)}' does not print its backslashes as they are; {hint}"
            yield first + text.count("\n", 0, match.start()), message, "markup"
    line = first
    for token in inline.children or []:
        line += token.type in ("softbreak", "hardbreak")
        for message in _check_attributes([token], 0, known):
            yield line, message, "markup"
        title = str(token.attrs.get("title", ""))
        if title:
            place = "![…]" if token.type == "image" else "[…]"
            message = f'"{shorten(title)}" behind an address is left out; write it in {place}'
            yield line, message, "markup"


def _explain_run(text: str) -> str:
    """Return what is wrong with lines of a paragraph that were meant as a list or a table."""
    lines = text.split("\n")
    for pattern, hint in _MEANT_LINES:
        for first, second in pairwise(lines):
            if pattern.match(first) and pattern.match(second):
                written = shorten(first.strip())
                return f"'{written}' and the next line run together; {hint}"
    return ""


def _check_attributes(tokens: Sequence[Token], index: int, known: Collection[str]) -> Iterator[str]:
    """Yield the attributes in braces that have no effect."""
    token = tokens[index]
    names: Collection[str] = token.meta.get("insecure_attrs", {})
    classes = str(token.attrs.get("class", "")).split()
    if token.type == "heading_open":
        attributes = parse_heading_attributes(tokens[index + 1])
        names = {*names, *attributes} - {"id", "class", "picture"}
        classes = [*classes, *attributes.get("class", "").split()]
        known = HEADING_CLASSES
    for name in names:
        if not UNUSED_ATTRIBUTES.fullmatch(name):
            yield (
                f"'{name}=' in braces is left out; a look is a class, {{.name}}, with "
                ".name { … } in rulebook/book.css"
            )
    for name in classes:
        if name not in known and token.type not in ("list_item_open", "code_inline"):
            yield explain_class(name, known if token.type == "heading_open" else ())


def _check_lists(tokens: Sequence[Token]) -> Iterator[Finding]:
    """Yield the first item of each list that is printed with another number than it is written."""
    lists: list[list[tuple[int, int]]] = []
    for token in tokens:
        if token.type == "ordered_list_open":
            lists.append([])
        elif token.type == "list_item_open" and token.info and lists and token.map:
            lists[-1].append((int(token.info), token.map[0]))
        elif token.type == "ordered_list_close":
            items = lists.pop()
            if len({written for written, _ in items}) == 1:
                continue  # all 1., which is usual
            for printed, (written, line) in enumerate(items, start=items[0][0]):
                if written != printed:
                    message = f"this item is printed with the number {printed}, not {written}"
                    hint = "two lists need a line of text or <!-- --> between them"
                    yield line, f"{message}; number the items in order; {hint}", "markup"
                    break


def _check_nested_notes(tokens: Sequence[Token]) -> Iterator[Finding]:
    """Yield notes and boxes within notes, which are not printed."""
    inside, line = False, 0
    for token in tokens:
        inside = token.type == "footnote_open" or (inside and token.type != "footnote_close")
        line = token.map[0] if token.map else line
        if inside and any(child.type == "footnote_ref" for child in token.children or []):
            message = "a note within a note is left out; write its text in brackets"
            yield line, message, "reference"
        if inside and token.type == "container_box_open":
            yield line, "a box within a note is printed without its title and frame", "box"
        if inside and token.type in ("bullet_list_open", "ordered_list_open", "table_open"):
            yield line, "a list or table within a note is printed without its marks", "markup"


def _explain_loss(tokens: Sequence[Token], index: int, first: str, last: str) -> str:
    """Return what is wrong with a block, from its first and last line."""
    token = tokens[index]
    is_one_line = token.map is not None and token.map[1] - token.map[0] < 2
    if token.type == "fence" and (is_one_line or not last.lstrip("> \t").startswith(token.markup)):
        return f"this listing is not closed; write {token.markup} where it ends"
    if token.type == "html_block" and "<!--" in token.content and "-->" not in token.content:
        return "this comment is not closed, so the text from here on is left out; write -->"
    if token.type == "hr" and _SIMPLE_TABLE_RULE.match(first):
        return f"'{shorten(first.strip())}' is printed as a line; {TABLE_HINT}"
    if token.type in ("fence", "code_block"):
        return _explain_listing(token)
    if token.type in ("blockquote_open", "list_item_open"):
        return _explain_sign(tokens, index)
    return (
        _explain_row(tokens, index, first)
        if token.type == "tr_open"
        else _explain_heading(tokens, index)
    )


def _explain_heading(tokens: Sequence[Token], index: int) -> str:
    """Return what is wrong with a heading that was meant as the head of the book."""
    token = tokens[index]
    before = tokens[index - 1].type if index else ""
    if (
        token.type == "heading_open"
        and token.markup == "-"
        and before == "hr"
        and (_KEY.match(tokens[index + 1].content))
    ):
        return "this is printed as a heading; the head of a book is one, on its first lines"
    return ""


def _explain_listing(token: Token) -> str:
    """Return what is wrong with a listing that is prose, or that another tool draws."""
    if token.type == "code_block":
        if len(_WORD.findall(token.content)) < _MIN_PROSE_WORDS:
            return ""
        return (
            "this is set as a listing, since it begins with four spaces or a tab; remove them, "
            "or write ``` above and below a listing"
        )
    name = token.info.strip().split(" ")[0].lower()
    if name in _SOURCE_LANGUAGES or name.startswith(("{", "ad-")):
        return f"'{token.markup}{shorten(name)}' is printed as a listing of its source; a book " + (
            "has boxes, ::: note" if name.startswith(("{", "ad-")) else "shows pictures of art/"
        )
    return ""


def _explain_sign(tokens: Sequence[Token], index: int) -> str:
    """Return what is wrong with a quotation or item whose sign was probably meant to be printed."""
    token, content = tokens[index], tokens[index + 2].content if index + 2 < len(tokens) else ""
    if token.type == "list_item_open" and _ESCAPED_TASK.match(content):
        return "a box to tick is [ ] or [x] without backslashes; its brackets are printed"
    sign = {"blockquote_open": ">", "list_item_open": "+"}[token.type]
    if token.markup == sign and content[:1].isdigit():
        kind = "quotation" if sign == ">" else "list"
        return f"'{sign}' begins a {kind} and is not printed; write \\{sign} if you mean the sign"
    return ""


def _explain_row(tokens: Sequence[Token], index: int, line: str) -> str:
    end = next(i for i in range(index, len(tokens)) if tokens[i].type == "tr_close")
    known = sum(token.type in ("td_open", "th_open") for token in tokens[index:end])
    cells = escapedSplit(line.strip().lstrip("> ").removeprefix("|"))
    cells = cells[:-1] if cells and not cells[-1].strip() else cells
    lost = [cell.strip() for cell in cells[known:] if cell.strip()]
    if "|" not in line and tokens[index - 1].type != "thead_open":
        return "this line is printed as a row of the table; leave the line above it empty"
    if not lost:
        return ""
    return (
        f"the table has {known} columns, so '{shorten(lost[0])}' is left out; add a column to its "
        "first two lines, or write \\| for the sign itself"
    )


def _check_link_definitions(
    lines: Sequence[str], references: Mapping[str, Any]
) -> Iterator[Finding]:
    """Yield definitions such as `[King]: 5` that no text refers to: they are not printed."""
    defined = {label.casefold() for label in references} - {_COMMENT_LABEL}
    text = " ".join(" ".join(lines).split()).casefold() if defined else ""
    for number, line in enumerate(lines):
        match = _LINK_DEFINITION.match(line)
        label = match[1].casefold() if match else ""
        link = f"[{label}]"
        if label in defined and text.count(link) == line.casefold().count(link):
            written = shorten(line.strip())
            message = f"'{written}' is left out: it is the target of a link that no text has; "
            yield number, f"{message}write \\{written} to print it", "reference"


def _check_notes(
    lines: Sequence[str], listings: Collection[int], used: Mapping[str, int]
) -> Iterator[Finding]:
    """Yield footnotes that no text uses, and those that another one of their name replaces."""
    last: dict[str, int] = {}
    for number, line in enumerate(lines):
        match = _NOTE_DEFINITION.match(line)
        name = match[1] if match and number not in listings else ""
        if not name or f":{name}" not in used:
            continue
        if name in last:
            message = f"another note [^{name}] follows, so this one is left out; rename one of them"
            yield last[name], message, "reference"
        last[name] = number
    for name, number in last.items():
        if used[f":{name}"] < 0:
            message = f"no text refers to the note [^{name}], so it is left out; write [^{name}]"
            yield number, f"{message} where it belongs", "reference"
