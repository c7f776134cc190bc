"""Raw HTML of rulebooks: safe tags stay, and everything else is printed as text and reported."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection
from html import unescape
from html.parser import HTMLParser

from markupsafe import escape

from cardgen.core.problems import shorten

INLINE_TAGS = frozenset({
    "abbr", "b", "br", "cite", "code", "del", "em", "i", "ins", "kbd", "mark", "q", "s", "small",
    "span", "strong", "sub", "sup", "u", "wbr",
})  # fmt: skip
BLOCK_TAGS = frozenset({
    "blockquote", "caption", "center", "dd", "details", "div", "dl", "dt", "hr", "li", "ol", "p",
    "pre", "summary", "table", "tbody", "td", "tfoot", "th", "thead", "tr", "ul",
})  # fmt: skip
_TAGS = INLINE_TAGS | BLOCK_TAGS
_LITERAL_TAGS = ("code", "kbd", "pre")
_VOID_TAGS = frozenset({"br", "hr", "wbr"})
_ALLOWED_ATTRIBUTES = frozenset({"class", "colspan", "rowspan"})
_FLAGS = frozenset({"compact", "hidden", "nowrap", "open", "reversed"})
"""Attributes that need no value."""
_STYLE_HINT = 'write class="name" instead, and .name { … } in rulebook/book.css'
_LOST_ATTRIBUTES = {
    **dict.fromkeys(
        ("align", "bgcolor", "color", "face", "height", "size", "style", "valign", "width"),
        _STYLE_HINT,
    ),
    "id": "write ## Heading {#name}, or {#name} behind a picture",
    "start": "write 3. at the beginning of a line that is to be the third",
    "title": "write its words into the text",
}
"""Attributes whose effect a book lacks, and what to write instead."""
UNUSED_ATTRIBUTES = re.compile(
    r"(?:aria-|data-|on).+|border|cell(?:padding|spacing)|dir|cite|datetime|lang|name|rel|role"
    r"|scope|tabindex|target|type|value|xml.*"
)
"""Attributes without effect on a printed page."""
_CLASS_HINTS = {
    **dict.fromkeys(("underline", "ul"), "write <u>words</u>"),
    "mark": "write <mark>words</mark>",
    "smallcaps": "write .smallcaps { font-variant: small-caps } in rulebook/book.css",
}
"""Classes that Pandoc writes, and what to write in a book instead."""
_REPLACED_TAGS = {"center": "div", "details": "div", "summary": "p"}
"""Tags without use on a printed page, and their replacements."""
_TAG_HINTS = {
    **dict.fromkeys(("img", "picture"), "![words](art/map.png)"),
    **dict.fromkeys(("figure", "svg"), "![words](art/map.png) alone on a line"),
    **dict.fromkeys(("aside", "section", "article"), "::: note, the text and :::"),
    **dict.fromkeys(("h1", "h2", "h3", "h4", "h5", "h6"), "## Heading"),
    **dict.fromkeys(("strike", "tt", "big"), "**bold** or *italic*"),
    "a": "[words](#heading)",
    "font": '<span class="name">, and .name { color: red } in rulebook/book.css',
}
"""Tags that a book lacks, and what to write instead."""
_DECLARATION = re.compile(r"<(?=[?]|!(?!--))[^>]*>?")
_MAX_OPEN_TAGS = 40


class HtmlCleaner(HTMLParser):
    """Cleans pieces of HTML; tags may be opened in one piece and closed in another.

    `render_text` renders a line between tags, and `render_signs` text that is to be printed as it
    is. `report` is called with a message. `line` is the line in the piece, from 0.
    """

    def __init__(
        self,
        render_text: Callable[[str], str],
        render_signs: Callable[[str], str],
        report: Callable[[str], None],
        classes: Collection[str],
    ) -> None:
        super().__init__(convert_charrefs=False)
        self._render_text, self._render_signs, self._report = render_text, render_signs, report
        self._classes = classes
        self.line = 0
        self.open_tags: list[tuple[str, int]] = []
        self._reported: set[str] = set()
        self._level = 0
        self._is_in_paragraph = False
        self._out: list[str] = []

    def clean_html(self, html: str, level: int) -> str:
        """Return the clean HTML of a piece. `level` is its nesting level in the Markdown, -1 within
        a line. Elsewhere, text that stands in no block becomes a paragraph."""
        self._level, self._out, self._reported, self.line = level, [], set(), 0
        if match := _DECLARATION.search(html):
            self._report_text(shorten(match[0]))
        self.feed(_DECLARATION.sub(_escape_declaration, html))
        rest = self.rawdata
        self.reset()  # a tag cut short, or an open <script>, ends with its piece
        self._out.append(self._render_signs(rest))
        self._end_paragraph()
        self.line = 0
        return "".join(self._out)

    def _begin_text(self) -> None:
        """Begin a paragraph where text or an inline tag stands in no block."""
        is_in_block = any(tag in BLOCK_TAGS for tag, _ in self.open_tags)
        if self._level >= 0 and not (is_in_block or self._is_in_paragraph):
            self._is_in_paragraph = True
            self._out.append("<p>")

    def _end_paragraph(self) -> None:
        if self._is_in_paragraph:
            self._is_in_paragraph = False
            self._out.append("</p>")

    def close_tags(self, level: int) -> str:
        """Return the end tags of what was opened below a level and not closed there."""
        closed = ""
        while self.open_tags and self.open_tags[-1][1] > level:
            closed += f"</{self.open_tags.pop()[0]}>"
        return closed

    def close_line(self, count: int) -> str:
        """Return the end tags of all but the first `count` open tags, and report them."""
        closed = ""
        while len(self.open_tags) > count:
            tag = self.open_tags.pop()[0]
            closed += f"</{tag}>"
            if tag in INLINE_TAGS:
                hint = f"write </{tag}>, or \\<{tag}> if you mean the signs"
                self._report(f"<{tag}> is not closed in its paragraph; {hint}")
        return closed

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        written = self.get_starttag_text() or ""
        self._end_paragraph() if tag in BLOCK_TAGS else self._begin_text()
        if tag not in _TAGS or not all(map(_is_attribute, attrs)):
            if tag in _TAGS:
                cut = shorten(written)
                self._report_once(f"{cut} is printed as text; write \\{cut} if you mean that")
            else:
                self._report_text(f"<{tag}>", _TAG_HINTS.get(tag, ""))
            self._out.append(self._render_signs(written))
            return
        attributes = ""
        for name, value in attrs:
            if name in _ALLOWED_ATTRIBUTES:
                kept = self._keep_known_classes(value or "") if name == "class" else value or ""
                attributes += f' {name}="{escape(kept)}"'
            elif name in _LOST_ATTRIBUTES:
                self._report_once(f"{name}=… of <{tag}> is left out; {_LOST_ATTRIBUTES[name]}")
        if tag == "center":
            self._report_once(f"<center> centres nothing in a book; {_STYLE_HINT}")
        name = _REPLACED_TAGS.get(tag, tag)
        self._out.append(f"<{name}{attributes}>")
        if tag not in _VOID_TAGS and len(self.open_tags) < _MAX_OPEN_TAGS:
            self.open_tags.append((name, self._level))

    def _keep_known_classes(self, names: str) -> str:
        """Return the classes that the game's style has rules for, and report the others. They are
        left out: one of them could be the name of a class of cardgen's own style."""
        for unknown in set(names.split()) - set(self._classes):
            self._report_once(explain_class(unknown))
        return " ".join(name for name in names.split() if name in self._classes)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        count = len(self.open_tags)
        self.handle_starttag(tag, attrs)
        if len(self.open_tags) > count:
            self.handle_endtag(tag)

    def handle_endtag(self, tag: str) -> None:
        if tag in BLOCK_TAGS:
            self._end_paragraph()
        if tag == "br":
            self._out.append("<br>")  # as browsers read </br>
            return
        if tag not in _TAGS:
            self._out.append(self._render_signs(f"</{tag}>"))
            return
        name = _REPLACED_TAGS.get(tag, tag)
        matching = [
            index for index, entry in enumerate(self.open_tags) if entry == (name, self._level)
        ]
        if matching:
            for left, _ in reversed(self.open_tags[matching[-1] :]):
                self._out.append(f"</{left}>")
            del self.open_tags[matching[-1] :]
        elif tag in INLINE_TAGS:
            self._report_once(f"</{tag}> closes nothing in its paragraph and is left out")

    def handle_data(self, data: str) -> None:
        if data.strip():
            self._begin_text()
        render = self._render_text
        if any(tag in _LITERAL_TAGS for tag, _ in self.open_tags):
            render = self._render_signs
        first = self.getpos()[0] - 1
        lines = []
        for number, line in enumerate(data.split("\n")):
            self.line = first + number
            lines.append(render(line))
        self._out.append("\n".join(lines))

    def handle_entityref(self, name: str) -> None:
        self._begin_text()
        self._out.append(self._render_signs(unescape(f"&{name};")))

    def handle_charref(self, name: str) -> None:
        self._begin_text()
        self._out.append(self._render_signs(unescape(f"&#{name};")))

    def _report_text(self, tag: str, instead: str = "") -> None:
        """Report a tag that is printed as text."""
        hint = f"; write {instead}" if instead else ""
        self._report_once(f"{tag} is not used in a book; it is printed as text{hint}")

    def _report_once(self, message: str) -> None:
        """Report what is wrong with the piece, each message once."""
        if message not in self._reported:
            self._reported.add(message)
            self.line = self.getpos()[0] - 1
            self._report(message)


def explain_class(name: str, known: Collection[str] = ()) -> str:
    """Return the message about a class without effect; `known` are those of a heading."""
    hint = _CLASS_HINTS.get(name, f"add .{name} {{ … }} to rulebook/book.css")
    if known:
        hint = f"a heading takes {', '.join(f'.{each}' for each in sorted(known))}"
    return f"the class .{name} has no effect; {hint}"


def _escape_declaration(match: re.Match[str]) -> str:
    return str(escape(match[0]))


def _is_attribute(attribute: tuple[str, str | None]) -> bool:
    """Return whether this is an attribute, and no words between two signs: `a<b and c>d`."""
    name, value = attribute
    if value is None:
        return name in _FLAGS
    known = name in _ALLOWED_ATTRIBUTES or name in _LOST_ATTRIBUTES or name in _FLAGS
    return known or UNUSED_ATTRIBUTES.fullmatch(name) is not None
