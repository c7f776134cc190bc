"""Lint of rulebooks: markup of other tools that is printed as it is."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator

from cardgen.core.problems import shorten
from cardgen.game.markup_lint import (
    FORUM_TAG,
    UNENDED_ENTITY,
    MarkupSlip,
    check_braces,
    find_unpaired_stars,
)

_COMMENT = "a comment is <!-- … --> or {## … ##}"
_BOX = "write ::: note, the text and :::"
_CONTENTS = "write [[toc]] alone on a line"
FORMULA_HINT = "a book sets no formulas, write it as text"
DASH_HINT = "write a dash, – or —"
TABLE_HINT = "a table has the line |---|---| below its first row, and a line break is <br>"
_LIST = "an entry of a list begins with - and a space"
_PICTURE = "write ![words](art/map.png)"
_LATEX = {
    "footnote": "write [^1] here, and [^1]: with the note on a line of its own",
    **dict.fromkeys(("textbf", "bf"), "write **bold**"),
    **dict.fromkeys(("emph", "textit", "it"), "write *italic*"),
    **dict.fromkeys(("chapter", "section", "subsection", "subsubsection"), "write ## Heading"),
    **dict.fromkeys(("ref", "pageref", "autoref"), "write [](#name)"),
    **dict.fromkeys(
        ("newpage", "pagebreak", "clearpage", "page", "column"),
        "a page begins at ## Heading {.page}",
    ),
    "tableofcontents": _CONTENTS,
    "label": "write {#name} at the end of the heading",
    "item": "write - at the beginning of the line",
    "includegraphics": _PICTURE,
}
"""LaTeX commands, and what to write in a book instead."""
_EMOJI_NAME = re.compile(r"(?<![\w:]):([+-]1|[a-z][a-z0-9_+-]*):(?![\w:])")
_COMMAND = re.compile(rf"\\({'|'.join(_LATEX)})\b(?:\{{[^{{}}]*\}})?|\\([A-Za-z]+)\{{[^{{}}]*\}}")
# Texts may come from strangers: no pattern here looks at a place more than a few times.
_FORMULA = re.compile(r"(?<![\w$])\$(?=[^\s$])[^$\\^_={}+*<>]*[\\^_={}+*<>][^$]*(?<=\S)\$(?![\w$])")
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
        (r"\{-\}", "a heading without a number is ## Heading {.unnumbered}"),
        (
            r"\{(?::|[^{}]{0,80}(?<![\w.])[.#][\w-]|\w+=)[^{}]*\}",
            "a heading ends with its name, ## Heading {#name}, a class follows [words]{.name}",
        ),
        (r"\[@\w[^\[\]]*\]", "write out the source"),
        (r"^\*\[[^\[\]]+\]:.*", "a book expands no abbreviations, write them out"),
        (r"^(?:#\.|\(@[\w-]*\)) .*", "an entry of a list begins with 1. and a space"),
        (r"^: \S.*", "write **words** above the table, or the word on the line above"),
        (r"^--8<-- .*", "a book is one file"),
        (r"^%(?![%\w]).*", _COMMENT),
        (r"``[^`']+''", "write “…”"),
        (r"(?<!')'{2,3}(?=[^\s'])[^']+(?<=\S)'{2,3}(?!')", "write **bold** or *italic*"),
        (r"\+\+(?=[^\s+])[^+]+(?<=\S)\+\+", "write <u>…</u> or <kbd>…</kbd>"),
        (
            FORUM_TAG,
            "write **bold** or *italic*, [words](https://…), ![words](art/map.png) or a list",
        ),
        (r"\\n(?![A-Za-z])", "break the line itself; two spaces at its end keep the break"),
        (r"(?<![\w:\\])\\[A-Za-z]{2,}", "write the characters themselves, such as α or →"),
        (
            r"^[\w-]{1,40}:: \S.*|[\[(][\w -]{1,40}:: [^\[\]()]*[\])]",
            "write it as text, or remove it",
        ),
        (r"(?<=\s)#[^\W\d_][\w/-]+", "it is a tag of your notes, remove it"),
        (r"!\[\[[^\[\]]+\]\]", _PICTURE),
        (r"\[\[[^\[\]]+\]\]", "write [words](#heading)"),
        (r"\[[^\[\]^]+\]\[[^\[\]]*\]", "nothing of that name follows; write [words](#heading)"),
        (r"\[\^[^\[\]]+\]", "there is no such note; write it on a line of its own, [^1]: note"),
        (r"^\[[/?!<>-]\] .*", "write [ ] or [x]"),
        (r"\$\$[^$]*\$\$|\$\$", FORMULA_HINT),
        (r"(?<![\w$])\$[A-Za-z]\$(?![\w$])", FORMULA_HINT),
        (r"(?<=[^\W_])\^[^\s^]{1,9}\^", "write <sup>…</sup>"),
        (r"(?<=[^\W_])~[^\s~]{1,9}~(?!~)", "write <sub>…</sub>"),
        (r"(?:^|(?<=\s))\^[A-Za-z0-9-]+$", "remove it; ## Heading {#name} names a heading"),
        (r"(?<!=)==(?=[^\s=])[^=]+(?<=\S)==(?!=)", "write **bold** or <mark>…</mark>"),
        (r"^#[^\W\d_].*", "a heading has a space behind its sign, # Heading"),
        (r"^#+ .*", "a heading is # to ###### and a space, below an empty line"),
        (r"!?\[[^\[\]]*\]\([^()\s]+ [^()]*\)", "an address with spaces is <art/my map.png>"),
        (r"\\ (?=\S)", "a space that does not break is &nbsp;"),
        (r"^\\$", "remove it"),
        (r"&[A-Za-z]{2,10};", "there is no character of that name, write it itself"),
        (UNENDED_ENTITY, "write the character itself"),
        (r"(?<![\w~])~(?=[^\s~])[^~]{1,60}(?<=\S)~(?![\w~])", "write ~~words~~"),
        (r"^\+{3}$", "the head of a book stands between two lines ---, as key: value"),
        (r"^\+(?:[-=:]{3,}\+)+$", TABLE_HINT),
        (r"^\|.*", TABLE_HINT),
        (r"^[•◦▪‣].*", _LIST),
        (r"^={2,6} \S.*|^= \S.* =$", "a heading is # Heading"),
        (r"^\.\. [\w-]+::.*", _BOX),
        (r"(?<![-<!\w])-{2,3}(?![->\w])|(?<=\w)-{2,3}(?=\w)", DASH_HINT),
    )
)
"""Markup of other tools, and what to write instead."""
LINE_HINTS = (TABLE_HINT, _LIST, DASH_HINT)
"""Hints that are enough once for lines that follow each other."""
_RAW_JINJA = re.compile(r"\{\{[^{}]*\}\}|\{%[^{}%]*%\}")


_MARKDOWN_IN_HTML = re.compile(
    r"(\*\*?|__?)(?=[^\s*_])[^*_]{1,200}\1|`[^`]{1,200}`|!?\[[^\[\]]{1,200}\]\([^()\s]{1,200}\)"
    r"|^\s*(?:#{1,6}|[-*+]|[0-9]{1,2}[.)]) +\S.*|~~[^~]{1,200}~~"
)
_HTML_HINT = "leave the line between the tag and this text empty"


def check_printed_text(
    text: str, icons: Collection[str], *, starts_line: bool = True, in_html: bool = False
) -> Iterator[MarkupSlip]:
    """Yield what a book prints as it is in a part of a line, and probably nobody meant.

    Text between tags (`in_html`) is no Markdown, but its icons are printed.
    """
    if in_html and (markdown := _MARKDOWN_IN_HTML.search(text)):
        yield _describe_print(markdown[0], _HTML_HINT)
        text = _MARKDOWN_IN_HTML.sub(" ", text)
    for name in dict.fromkeys(_EMOJI_NAME.findall(text)):
        hint = f"write {{{name}}}" if name in icons else "write the character itself"
        yield MarkupSlip(f"':{name}:' is printed as it is; {hint}", "warning")
    for formula in _FORMULA.finditer(text):
        yield _describe_print(formula[0], FORMULA_HINT)
    text = _FORMULA.sub(" ", text)
    for command in _COMMAND.finditer(text):
        hint = _LATEX.get(command[1] or command[2], "a book is Markdown, not LaTeX")
        yield _describe_print(command[0], hint)
    text = _COMMAND.sub(" ", text)
    for pattern, hint in _FOREIGN_MARKUP:
        if pattern.pattern.startswith("^") and not starts_line:
            continue
        if match := pattern.search(text):
            yield _describe_print(match[0], hint)
            text = pattern.sub(" ", text)
    yield from check_braces(_RAW_JINJA.sub(" ", text), icons)
    yield from find_unpaired_stars(text, within="")


def _describe_print(written: str, hint: str) -> MarkupSlip:
    return MarkupSlip(f"'{shorten(written.strip())}' is printed as it is; {hint}", "warning")
