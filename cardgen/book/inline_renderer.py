"""HTML of lines of a rulebook: text, icons, terms, references, notes, pictures, safe raw HTML."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from markdown_it.renderer import RendererHTML
from markdown_it.token import Token
from markupsafe import escape

from cardgen.assets import fontsource
from cardgen.book.book_lint import DASH_HINT, LINE_HINTS, check_printed_text
from cardgen.book.book_outline import BookOutline, parse_reference
from cardgen.book.html_cleaner import HtmlCleaner
from cardgen.book.markdown_parser import extract_text, format_spoken_text
from cardgen.book.model import IndexEntry
from cardgen.core.problems import did_you_mean, summarise
from cardgen.game.card_text import render_icon, replace_emoji
from cardgen.game.markup import ICON_TOKEN, INVISIBLE_CHARACTERS
from cardgen.game.markup_lint import find_emoji_sequences

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
    classes: frozenset[str] = frozenset()
    """Classes that the game's own stylesheet has rules for."""
    line: int = 0
    problems: list[tuple[int, str, str, str]] = field(default_factory=list)
    terms: dict[str, list[str]] = field(default_factory=dict)
    missing_characters: set[str] = field(default_factory=set)

    def report_problem(
        self, message: str, kind: str, severity: str = "warning", line: int = -1
    ) -> None:
        """Report a problem at a line of the manuscript, by default the current one."""
        self.problems.append((self.line if line < 0 else line, message, kind, severity))

    def keep_known_classes(self, names: str) -> str:
        """Return the classes that the game's style has rules for."""
        return " ".join(name for name in names.split() if name in self.classes)

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
        self._cleaner = HtmlCleaner(
            self._render_raw_text,
            self._render_characters,
            self._report_raw_html,
            context.classes,
        )
        self._plain_depth = 0
        """Above 0 where links, notes and index places are left out, as in the contents."""
        self._is_in_note = False
        """Whether a note is rendered, which holds no other notes and no places of the index."""
        self._hint_lines: dict[str, int] = {}
        """Line where a hint of `LINE_HINTS` was last given, or a message that is given once."""

    def renderInline(  # noqa: N802 - markdown-it's name
        self, tokens: Sequence[Token], options: Any = None, env: Any = None
    ) -> str:
        """Render the tokens of a line; raw tags that it leaves open are closed."""
        before = len(self._cleaner.open_tags)
        return str(super().renderInline(tokens, options, env)) + self._cleaner.close_line(before)

    def render_words(self, text: str, *, starts_line: bool = True, in_html: bool = False) -> str:
        """Render plain text: icons as pictures, and a box for a character that no font has."""
        context = self._context
        text = replace_emoji(text, context.emoji)
        for slip in () if self._plain_depth else find_emoji_sequences(text):
            if self._hint_lines.setdefault(slip.message, context.line) == context.line:
                context.report_problem(slip.message, slip.kind)
        text = _DROPPED_CHARACTERS.sub("", text)
        self._report_markup_slips(text, starts_line, in_html)
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

    def _report_markup_slips(self, text: str, starts_line: bool, in_html: bool) -> None:
        """Report likely markup mistakes, once: the contents repeat headings."""
        context = self._context
        if self._plain_depth:
            return
        slips = check_printed_text(text, context.icons, starts_line=starts_line, in_html=in_html)
        for slip in slips:
            for hint in filter(slip.message.endswith, LINE_HINTS):
                last = self._hint_lines.get(hint)
                is_repeated = last is not None and (hint == DASH_HINT or context.line - last < 2)
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
            else self.render_words(content, starts_line=idx == 0 or tokens[idx - 1].tag == "br")
        )

    def code_inline(self, tokens: Sequence[Token], idx: int, *_: Any) -> str:
        return f"<code>{self._render_characters(tokens[idx].content)}</code>"

    def task_box(self, tokens: Sequence[Token], idx: int, *_: Any) -> str:
        """Render a box to tick; a done one has a content."""
        return f'<span class="task{" done" if tokens[idx].content else ""}"></span>'

    def softbreak(self, *_: Any) -> str:
        self._context.line += 1
        return "\n"

    def hardbreak(self, *_: Any) -> str:
        self._context.line += 1
        return "<br>\n"

    def html_inline(self, tokens: Sequence[Token], idx: int, *_: Any) -> str:
        return self._cleaner.clean_html(tokens[idx].content, -1)

    def _render_raw_text(self, text: str) -> str:
        """Render a line between raw tags, where Markdown is not read but icons are."""
        context = self._context
        start = context.line
        context.line += self._cleaner.line
        html = self.render_words(text, in_html=True)
        context.line = start
        return html

    def _report_raw_html(self, message: str) -> None:
        if not self._plain_depth:
            line = self._context.line + self._cleaner.line
            self._context.report_problem(message, "html", line=line)

    def span_open(self, tokens: Sequence[Token], idx: int, *_: Any) -> str:
        token = tokens[idx]
        classes = str(token.attrs.get("class", "")).split()
        given = str(token.attrs.get("term", ""))
        is_plain = self._plain_depth or self._is_in_note
        if is_plain or ("term" not in classes and not given):
            kept = self._context.keep_known_classes(" ".join(classes))
            return f'<span class="{escape(kept)}">' if kept else "<span>"
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
        if self._plain_depth or self._is_in_note or note is None:
            return ""
        line, self._is_in_note = self._context.line, True
        note_html = " ".join(self._render_note_part(token) for token in note if token.content)
        self._context.line, self._is_in_note = line, False
        return f'<span class="footnote">{note_html}</span>'

    def _render_note_part(self, token: Token) -> str:
        """Render a block of a note, all of which stand in one paragraph."""
        self._context.line = token.map[0] if token.map else self._context.line
        if token.type == "inline":
            return self.renderInline(token.children or [])
        if token.type == "html_block":
            return self._cleaner.clean_html(token.content, -1)
        return f"<code>{self._render_characters(token.content.strip())}</code>"

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
