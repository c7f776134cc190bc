"""Lint of rulebooks: markup of other tools that is printed as it is, and text that is lost."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

from markdown_it.rules_block.table import escapedSplit
from markdown_it.token import Token

from cardgen.core.problems import shorten
from cardgen.game.markup_lint import MarkupSlip, check_braces, find_unpaired_stars

_COMMENT = "a comment is <!-- … --> or {## … ##}"
_LINK_DEFINITION = re.compile(r" {0,3}\[([^\[\]^]+)\]:")
_COMMENT_LABEL = "//"
"""In `[//]: # (a comment)`, which is not to be printed."""
_BOX = "write ::: note, the text and :::"
_CONTENTS = "write [[toc]] alone on a line"
_FORMULA = "a book sets no formulas, write it as text"
_TABLE = "a table has the line |---|---| below its first row, and a line break is <br>"
_LIST = "an entry of a list begins with - and a space"
_PICTURE = "write ![words](art/map.png)"
_LATEX = {
    "footnote": "write [^1] here, and [^1]: with the note on a line of its own",
    **dict.fromkeys(("textbf", "bf"), "write **bold**"),
    **dict.fromkeys(("emph", "textit", "it"), "write *italic*"),
    **dict.fromkeys(("chapter", "section", "subsection", "subsubsection"), "write ## Heading"),
    **dict.fromkeys(("ref", "pageref", "autoref"), "write [](#name)"),
    **dict.fromkeys(("newpage", "pagebreak", "clearpage"), "a page begins at ## Heading {.page}"),
    "tableofcontents": _CONTENTS,
    "label": "write {#name} at the end of the heading",
    "item": "write - at the beginning of the line",
    "includegraphics": _PICTURE,
}
"""LaTeX commands, and what to write in a book instead."""
_EMOJI_NAME = re.compile(r"(?<![\w:]):([+-]1|[a-z][a-z0-9_+-]*):(?![\w:])")
_COMMAND = re.compile(rf"\\({'|'.join(_LATEX)})\b(?:\{{[^{{}}]*\}})?|\\([A-Za-z]+)\{{[^{{}}]*\}}")
# Texts may come from strangers: no pattern here looks at a place more than a few times.
_FOREIGN_MARKUP = tuple(
    (re.compile(pattern), hint)
    for pattern, hint in (
        (r"<!--.*", "close the comment with -->, in the same paragraph"),
        (r"%%[^%]*%%|^\s*%%|%%\s*$", _COMMENT),
        (r"\{#[^{}]*#\}", _COMMENT),
        (r"<%[^%]*%>", "values are written {{ … }}"),
        (r"\{(\+\+|--|>>|==|~~)[^{}]*\}", "accept or reject the change, and write the text alone"),
        (r"\{:toc\}|^\[TOC\]$|^\[\[_?TOC_?\]\]$", _CONTENTS),
        (r"\[\[(?:toc|index|icons)\]\]", "leave it alone on its line"),
        (r"^=== \".*", "write a heading, or a box with ::: note"),
        (r"^(?:!!!|\?\?\?\+?)\s*\w.*", _BOX),
        (r"\{:[^{}.]*\.[^{}]*\}", f"{_BOX}, or [words]{{.name}}"),
        (r"\{:[^{}]*\}", "names stand at the end of a heading, ## Heading {#name}"),
        (r"!\[\[[^\[\]]+\]\]", _PICTURE),
        (r"\[\[[^\[\]]+\]\]", "write [words](#heading)"),
        (r"\[[^\[\]^]+\]\[[^\[\]]*\]", "nothing of that name follows; write [words](#heading)"),
        (r"\[\^[^\[\]\s]+\]", "there is no such note; write it on a line of its own, [^1]: note"),
        (r"^\[[/?!<>-]\] .*", "write [ ] or [x]"),
        (r"\$\$[^$]*\$\$|\$\$", _FORMULA),
        (r"(?<![\w$])\$(?=[^\s$])[^$\\^_={}]*[\\^_={}][^$]*\$(?![\w$])", _FORMULA),
        (r"(?<![\w$])\$[A-Za-z]\$(?![\w$])", _FORMULA),
        (r"(?<=[^\W_])\^[^\s^]{1,9}\^", "write <sup>…</sup>"),
        (r"(?<=[^\W_])~[^\s~]{1,9}~(?!~)", "write <sub>…</sub>"),
        (r"(?:^|(?<=\s))\^[A-Za-z0-9-]+$", "remove it; ## Heading {#name} names a heading"),
        (r"(?<!=)==(?=[^\s=])[^=]+(?<=\S)==(?!=)", "write **bold** or <mark>…</mark>"),
        (r"^#[^\W\d_].*", "a heading has a space behind its sign, # Heading"),
        (r"^\+(?:[-=:]{3,}\+)+$", _TABLE),
        (r"^\|.*", _TABLE),
        (r"^[•◦▪‣].*", _LIST),
    )
)
"""Markup of other tools, and what to write instead."""
LINE_HINTS = (_TABLE, _LIST)
"""Hints that are enough once for lines that follow each other."""
_RAW_JINJA = re.compile(r"\{\{[^{}]*\}\}|\{%[^{}%]*%\}")
_SIMPLE_TABLE_RULE = re.compile(r"\s*-{2,}(?: +-{2,})+\s*\Z")
_KEY = re.compile(r"[A-Za-z]\w*: \S")
_NOTE_DEFINITION = re.compile(r" {0,3}\[\^([^\]\s]+)\]:")


def check_printed_text(text: str, icons: Collection[str]) -> Iterator[MarkupSlip]:
    """Yield what a book prints as it is in a line of text, and probably nobody meant."""
    for name in dict.fromkeys(_EMOJI_NAME.findall(text)):
        hint = f"write {{{name}}}" if name in icons else "write the character itself"
        yield MarkupSlip(f"':{name}:' is printed as it is; {hint}", "warning")
    for command in _COMMAND.finditer(text):
        hint = _LATEX.get(command[1] or command[2], "a book is Markdown, not LaTeX")
        yield _describe_print(command[0], hint)
    text = _COMMAND.sub(" ", text)
    for pattern, hint in _FOREIGN_MARKUP:
        if match := pattern.search(text):
            yield _describe_print(match[0], hint)
            text = pattern.sub(" ", text)
    yield from check_braces(_RAW_JINJA.sub(" ", text), icons)
    yield from find_unpaired_stars(text, within="")


def _describe_print(written: str, hint: str) -> MarkupSlip:
    return MarkupSlip(f"'{shorten(written.strip())}' is printed as it is; {hint}", "warning")


def find_lost_text(
    tokens: Sequence[Token], lines: Sequence[str], parsed: Mapping[str, Any]
) -> Iterator[tuple[int, str, str]]:
    """Yield what the parser leaves out or takes for something else: line (from 0), message, kind.

    `parsed` is the parser's environment, with its footnotes and definitions of links.
    """
    listings: set[int] = set()
    for index, token in enumerate(tokens):
        if token.map is None:
            continue
        first, end = token.map
        if token.type in ("fence", "code_block"):
            listings.update(range(first, end))
        message = _explain_loss(tokens, index, lines[first], lines[end - 1])
        if message:
            yield first, message, "markup"
    yield from _check_notes(lines, listings, parsed.get("footnotes", {}).get("refs", {}))
    yield from _check_link_definitions(lines, parsed.get("references", {}))


def _explain_loss(tokens: Sequence[Token], index: int, first: str, last: str) -> str:
    """Return what is wrong with a block, from its first and last line."""
    token = tokens[index]
    if token.type == "fence" and not last.lstrip("> \t").startswith(token.markup):
        return f"this listing is not closed; write {token.markup} where it ends"
    if token.type == "html_block" and "<!--" in token.content and "-->" not in token.content:
        return "this comment is not closed, so the text from here on is left out; write -->"
    if token.type == "hr" and _SIMPLE_TABLE_RULE.match(first):
        return f"'{shorten(first.strip())}' is printed as a line; {_TABLE}"
    before = tokens[index - 1].type if index else ""
    if (
        token.type == "heading_open"
        and token.markup == "-"
        and before == "hr"
        and (_KEY.match(tokens[index + 1].content))
    ):
        return "this is printed as a heading; the head of a book is one, on its first lines"
    if token.type == "tr_open":
        return _explain_row(tokens, index, first)
    return ""


def _explain_row(tokens: Sequence[Token], index: int, line: str) -> str:
    end = next(i for i in range(index, len(tokens)) if tokens[i].type == "tr_close")
    known = sum(token.type in ("td_open", "th_open") for token in tokens[index:end])
    cells = escapedSplit(line.strip().lstrip("> ").removeprefix("|"))
    cells = cells[:-1] if cells and not cells[-1].strip() else cells
    lost = [cell.strip() for cell in cells[known:] if cell.strip()]
    if not lost:
        return ""
    return (
        f"the table has {known} columns, so '{shorten(lost[0])}' is left out; add a column to its "
        "first two lines, or write \\| for the sign itself"
    )


def _check_link_definitions(
    lines: Sequence[str], references: Mapping[str, Any]
) -> Iterator[tuple[int, str, str]]:
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
) -> Iterator[tuple[int, str, str]]:
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
