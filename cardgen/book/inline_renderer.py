"""HTML of lines of a rulebook: text, icons, terms, references, notes, pictures, safe raw HTML."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from html.parser import HTMLParser
from typing import Any

from markdown_it.renderer import RendererHTML
from markdown_it.token import Token
from markupsafe import escape

from cardgen.assets import fontsource
from cardgen.book.book_lint import LINE_HINTS, check_printed_text
from cardgen.book.book_outline import BookOutline, parse_reference
from cardgen.book.markdown_parser import extract_text, format_spoken_text
from cardgen.book.model import IndexEntry
from cardgen.core.problems import did_you_mean, summarise
from cardgen.game.card_text import render_icon, replace_emoji
from cardgen.game.markup import ICON_TOKEN, INVISIBLE_CHARACTERS

INLINE_TAGS = frozenset({
    "abbr", "b", "br", "cite", "code", "del", "em", "i", "ins", "kbd", "mark", "q", "s", "small",
    "span", "strong", "sub", "sup", "u", "wbr",
})  # fmt: skip
BLOCK_TAGS = frozenset({
    "blockquote", "caption", "center", "dd", "details", "div", "dl", "dt", "hr", "li", "ol", "p",
    "pre", "summary", "table", "tbody", "td", "tfoot", "th", "thead", "tr", "ul",
})  # fmt: skip
_VOID_TAGS = frozenset({"br", "hr", "wbr"})
_ALLOWED_ATTRIBUTES = frozenset({"class", "colspan", "rowspan"})
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


class HtmlCleaner(HTMLParser):
    """Cleans pieces of HTML; tags may be opened in one piece and closed in another.

    `refused_tags` are the tags that were escaped since the list was last emptied.
    """

    def __init__(self) -> None:
        super().__init__(convert_charrefs=False)
        self.refused_tags: list[str] = []
        self.open_tags: list[tuple[str, int]] = []
        self._level = 0
        self._out: list[str] = []

    def clean_html(self, html: str, level: int) -> str:
        """Return the clean HTML of a piece. `level` is its nesting level in the Markdown."""
        self._level, self._out = level, []
        self.feed(html)
        rest = self.rawdata
        self.reset()  # a tag cut short, or an open <script>, ends with its piece
        return "".join([*self._out, str(escape(rest))])

    def close_tags(self, level: int) -> str:
        """Return the end tags of what was opened below a level and not closed there."""
        closed = ""
        while self.open_tags and self.open_tags[-1][1] > level:
            closed += f"</{self.open_tags.pop()[0]}>"
        return closed

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in INLINE_TAGS | BLOCK_TAGS:
            self._escape_tag(tag)
            return
        attributes = "".join(
            f' {name}="{escape(value or "")}"'
            for name, value in attrs
            if name in _ALLOWED_ATTRIBUTES
        )
        name = _REPLACED_TAGS.get(tag, tag)
        self._out.append(f"<{name}{attributes}>")
        if tag not in _VOID_TAGS and len(self.open_tags) < 40:
            self.open_tags.append((name, self._level))

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        if tag in INLINE_TAGS | BLOCK_TAGS and tag not in _VOID_TAGS:
            self.handle_endtag(tag)

    def handle_endtag(self, tag: str) -> None:
        if tag not in INLINE_TAGS | BLOCK_TAGS:
            self._out.append(str(escape(f"</{tag}>")))
            return
        name = _REPLACED_TAGS.get(tag, tag)
        matching = [
            index for index, entry in enumerate(self.open_tags) if entry == (name, self._level)
        ]
        if matching:  # else it closes nothing that is open at this level
            for left, _ in reversed(self.open_tags[matching[-1] :]):
                self._out.append(f"</{left}>")
            del self.open_tags[matching[-1] :]

    def handle_data(self, data: str) -> None:
        self._out.append(str(escape(data)))

    def handle_entityref(self, name: str) -> None:
        self._out.append(f"&{name};")

    def handle_charref(self, name: str) -> None:
        self._out.append(f"&#{name};")

    def _escape_tag(self, tag: str) -> None:
        self.refused_tags.append(tag)
        self._out.append(str(escape(self.get_starttag_text() or f"<{tag}>")))


_MAX_LISTED_CHARACTERS = 4
_OTHER_PAGE = re.compile(r"\A(?:\./|rulebook/)*[\w-]+\.md(#.+)\Z")
_WEB_SCHEMES = ("http://", "https://", "mailto:")
_DROPPED_CHARACTERS = re.compile("[\u200d\ufe0e\ufe0f]")


@dataclass
class WriterContext:
    """Input of the renderers of one book, and what they collect."""

    icons: tuple[str, ...]
    emoji: Mapping[str, str]
    words: Mapping[str, str]
    glyphs: frozenset[int]
    outline: BookOutline
    notes: Mapping[int, list[Token]]
    fragments: Sequence[str]
    lines: Sequence[str] = ()
    line: int = 0
    problems: list[tuple[int, str, str, str]] = field(default_factory=list)
    terms: dict[str, list[str]] = field(default_factory=dict)
    missing_characters: set[str] = field(default_factory=set)

    def report_problem(
        self, message: str, kind: str, severity: str = "warning", line: int = -1
    ) -> None:
        """Report a problem at a line of the manuscript, by default the current one."""
        self.problems.append((self.line if line < 0 else line, message, kind, severity))

    def get_line(self, line: int) -> str:
        """Return a line of the manuscript, from 0, without leading space."""
        return self.lines[line].lstrip() if line < len(self.lines) else ""

    @property
    def build_index(self) -> tuple[IndexEntry, ...]:
        """Return the index; headwords that differ in their first capital are merged."""
        merged: dict[str, tuple[str, list[str]]] = {}
        for word, places in self.terms.items():
            existing, all_places = merged.setdefault(word.casefold(), (word, []))
            all_places += places
            if existing[:1].isupper() and word[:1].islower():
                merged[word.casefold()] = (word, all_places)
        return tuple(IndexEntry(word, tuple(places)) for word, places in merged.values())


class InlineRenderer(RendererHTML):
    """Renders inline tokens. Methods named after token types are called by markdown-it."""

    def __init__(self, context: WriterContext) -> None:
        super().__init__()
        self._context = context
        self._cleaner = HtmlCleaner()
        self._plain_depth = 0
        """Above 0 where links, notes and index places are left out, as in the contents."""
        self._hint_lines: dict[str, int] = {}
        """Line where a hint of `LINE_HINTS` was last given."""

    def renderInline(  # noqa: N802 - markdown-it's name
        self, tokens: Sequence[Token], options: Any = None, env: Any = None
    ) -> str:
        """Render the tokens of a line; raw tags that it leaves open are closed."""
        before = len(self._cleaner.open_tags)
        html = str(super().renderInline(tokens, options, env))
        while len(self._cleaner.open_tags) > before:
            html += f"</{self._cleaner.open_tags.pop()[0]}>"
        return html

    def render_words(self, text: str) -> str:
        """Render plain text: icons as pictures, and a box for a character that no font has."""
        context = self._context
        text = _DROPPED_CHARACTERS.sub("", replace_emoji(text, context.emoji))
        self._report_markup_slips(text)
        parts: list[str] = []
        position = 0
        for match in ICON_TOKEN.finditer(text):
            parts.append(self._render_characters(text[position : match.start()]))
            parts.append(self._render_icon(match[1]))
            position = match.end()
        return "".join([*parts, self._render_characters(text[position:])])

    def _render_icon(self, name: str) -> str:
        if name in self._context.icons:
            return str(render_icon(name, self._context.icons))
        return f"{{{name}}}"

    def _report_markup_slips(self, text: str) -> None:
        """Report likely markup mistakes, once: the contents repeat headings."""
        context = self._context
        for slip in () if self._plain_depth else check_printed_text(text, context.icons):
            for hint in filter(slip.message.endswith, LINE_HINTS):
                is_repeated = context.line - self._hint_lines.get(hint, -9) in (0, 1)
                self._hint_lines[hint] = context.line
                if is_repeated:
                    break
            else:
                context.report_problem(slip.message, slip.kind)

    def _render_characters(self, text: str) -> str:
        glyphs = self._context.glyphs
        missing = [
            c for c in dict.fromkeys(text) if ord(c) not in glyphs and c not in INVISIBLE_CHARACTERS
        ]
        new = [letter for letter in missing if letter not in self._context.missing_characters]
        if glyphs and new:
            self._context.missing_characters.update(new)
            hint = fontsource.suggest_remedy(new)
            message = f"no font has a glyph for {_format_characters(new)}; a box is printed{hint}"
            self._context.report_problem(message, "glyph")
        html = str(escape(text))
        if glyphs:
            for letter in missing:
                html = html.replace(letter, '<span class="no-glyph"></span>')
        return html

    def text(self, tokens: Sequence[Token], idx: int, *_: Any) -> str:
        content = tokens[idx].content
        return (
            self._render_characters(content)
            if tokens[idx].meta.get("sign")
            else self.render_words(content)
        )

    def code_inline(self, tokens: Sequence[Token], idx: int, *_: Any) -> str:
        return f"<code>{self._render_characters(tokens[idx].content)}</code>"

    def softbreak(self, *_: Any) -> str:
        self._context.line += 1
        return "\n"

    def hardbreak(self, *_: Any) -> str:
        self._context.line += 1
        return "<br>\n"

    def html_inline(self, tokens: Sequence[Token], idx: int, *_: Any) -> str:
        return self._clean_raw_html(tokens[idx].content, -1)

    def _clean_raw_html(self, html: str, level: int) -> str:
        """Clean a piece of raw HTML, and report the tags that are shown as text."""
        cleaned = self._cleaner.clean_html(html, level)
        for tag in dict.fromkeys(self._cleaner.refused_tags):
            hint = f"; write {_TAG_HINTS[tag]}" if tag in _TAG_HINTS else ""
            self._context.report_problem(
                f"<{tag}> is not used in a book; it is printed as text{hint}", "html"
            )
        self._cleaner.refused_tags.clear()
        return cleaned

    def span_open(self, tokens: Sequence[Token], idx: int, *_: Any) -> str:
        token = tokens[idx]
        classes = str(token.attrs.get("class", "")).split()
        given = str(token.attrs.get("term", ""))
        if self._plain_depth or ("term" not in classes and not given):
            kept = f' class="{escape(" ".join(classes))}"' if classes else ""
            return f"<span{kept}>"
        word = format_spoken_text(given or extract_text(_list_tokens_until_close(tokens, idx)))
        if not word:
            self._context.report_problem(
                "a term for the index is empty; write [word]{.term}", "reference"
            )
            return "<span>"
        name = f"cg-term-{sum(map(len, self._context.terms.values())) + 1}"
        self._context.terms.setdefault(word, []).append(name)
        return f'<span class="term" id="{name}">'

    def link_open(self, tokens: Sequence[Token], idx: int, *_: Any) -> str:
        token = tokens[idx]
        written = str(token.attrs.get("href", ""))
        href = _OTHER_PAGE.sub(r"\1", written)
        empty = tokens[idx + 1].type == "link_close"
        token.meta["end"] = end = "</span>"
        tokens[find_closing_token(tokens, idx)].meta["end"] = end
        if self._plain_depth:
            return "<span>"
        if href.startswith("#"):
            return self._render_reference(tokens, idx, parse_reference(href), empty)
        if href.lower().startswith(_WEB_SCHEMES):
            tokens[find_closing_token(tokens, idx)].meta["end"] = "</a>"
            words = str(escape(href)) if empty else ""
            return f'<a class="web" href="{escape(href)}">{words}'
        self._context.report_problem(
            f"the link to '{href}' leads out of the book; only its text is printed", "reference"
        )
        return f"<span>{escape(href)}" if empty else "<span>"

    def link_close(self, tokens: Sequence[Token], idx: int, *_: Any) -> str:
        return str(tokens[idx].meta.get("end", "</span>"))

    def _render_reference(self, tokens: Sequence[Token], idx: int, name: str, empty: bool) -> str:
        context = self._context
        target = context.outline.targets.get(name)
        close = tokens[find_closing_token(tokens, idx)]
        if target is None:
            hint = did_you_mean(name, context.outline.targets)
            severity = "error" if empty else "warning"
            context.report_problem(
                f"nothing in the book has the id '{name}'{hint}", "reference", severity
            )
            return "<span>"
        page = f"{escape(context.words['page'])}\u00a0\x06{escape(name)}\x07"
        opened = f'<a class="reference" href="#{escape(name)}">'
        if not empty:
            close.meta["end"] = f' <span class="at-page">({page})</span></a>'
            return opened
        close.meta["end"] = "</a>"
        if target.number:
            target_html = f"{escape(context.words[target.kind])}\u00a0{escape(target.number)}"
        else:
            target_html = f"<i>{self.render_words(target.text)}</i>"
        return f"{opened}{target_html}, {page}"

    def footnote_ref(self, tokens: Sequence[Token], idx: int, *_: Any) -> str:
        note = self._context.notes.get(tokens[idx].meta.get("id", -1))
        if self._plain_depth or note is None:
            return ""
        self._plain_depth += 1  # no note within a note
        note_html = " ".join(
            self.renderInline(token.children or []) for token in note if token.type == "inline"
        )
        self._plain_depth -= 1
        return f'<span class="footnote">{note_html}</span>'

    def image(self, tokens: Sequence[Token], idx: int, *_: Any) -> str:
        """Render a picture within a line of text. A picture by itself is a figure."""
        return self.render_inline_picture(tokens[idx])

    def render_inline_picture(self, token: Token) -> str:
        raise NotImplementedError


def _format_characters(characters: Iterable[str]) -> str:
    """Format the first few characters with their code points, and the number of others."""
    formatted = (f"'{character}' (U+{ord(character):04X})" for character in characters)
    return summarise(formatted, _MAX_LISTED_CHARACTERS)


def find_closing_token(tokens: Sequence[Token], idx: int) -> int:
    """Return the index of the token that closes an opening one."""
    level = 0
    for index in range(idx, len(tokens)):
        level += tokens[index].nesting
        if level == 0:
            return index
    return len(tokens) - 1


def _list_tokens_until_close(tokens: Sequence[Token], idx: int) -> list[Token]:
    return list(tokens[idx + 1 : find_closing_token(tokens, idx)])
