"""What stands within a line of a rulebook: words, icons, terms, references, notes, pictures."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from markdown_it.renderer import RendererHTML
from markdown_it.token import Token
from markupsafe import escape

from cardgen.base.problems import did_you_mean
from cardgen.book.clean_html import Cleaner
from cardgen.book.headings import Outline, wanted
from cardgen.book.markdown import plain, spoken
from cardgen.book.model import Entry
from cardgen.game.signs import INVISIBLE, TOKEN
from cardgen.game.slips import in_braces, unpaired
from cardgen.game.texts import emoji_as_icons, icon_markup

_SHOWN = 4
_WEB = ("http://", "https://", "mailto:")
_UNSEEN = INVISIBLE | frozenset("\ufe0e\ufe0f")
_DROPPED = re.compile("[\u200d\ufe0e\ufe0f]")


@dataclass
class Matter:
    """What the writer of one book works from, and what it finds out on its way."""

    icons: tuple[str, ...]
    emoji: Mapping[str, str]
    words: Mapping[str, str]
    glyphs: frozenset[int]
    outline: Outline
    notes: Mapping[int, list[Token]]
    fragments: Sequence[str]
    lines: Sequence[str] = ()
    line: int = 0
    problems: list[tuple[int, str, str, str]] = field(default_factory=list)
    terms: dict[str, list[str]] = field(default_factory=dict)
    lost: set[str] = field(default_factory=set)

    def tell(self, message: str, kind: str, severity: str = "warning", line: int = -1) -> None:
        """Something is wrong at a line of the manuscript, the present one unless told."""
        self.problems.append((self.line if line < 0 else line, message, kind, severity))

    def line_at(self, line: int) -> str:
        """A line of the manuscript, from 0, without the space before it."""
        return self.lines[line].lstrip() if line < len(self.lines) else ""

    @property
    def index(self) -> tuple[Entry, ...]:
        """The headwords; one that is written with a capital in places is one word."""
        merged: dict[str, tuple[str, list[str]]] = {}
        for word, places in self.terms.items():
            known, all_places = merged.setdefault(word.casefold(), (word, []))
            all_places += places
            if known[:1].isupper() and word[:1].islower():
                merged[word.casefold()] = (word, all_places)
        return tuple(Entry(word, tuple(places)) for word, places in merged.values())


class Inline(RendererHTML):
    """Renders what is within lines. Each method is markdown-it's rule for a token's type."""

    def __init__(self, matter: Matter) -> None:
        super().__init__()
        self._matter = matter
        self._cleaner = Cleaner()
        self._bare = 0
        """Above 0 where neither links, notes nor places of the index belong: in the contents."""

    def renderInline(  # noqa: N802 - markdown-it's name
        self, tokens: Sequence[Token], options: Any = None, env: Any = None
    ) -> str:
        """A line's tokens as HTML; tags of its own that it leaves open are closed."""
        before = len(self._cleaner.open)
        html = str(super().renderInline(tokens, options, env))
        while len(self._cleaner.open) > before:
            html += f"</{self._cleaner.open.pop()[0]}>"
        return html

    def words(self, text: str) -> str:
        """Plain words as HTML: icons drawn, and a box for what no font has."""
        matter = self._matter
        text = _DROPPED.sub("", emoji_as_icons(text, matter.emoji))
        self._tell_slips(text)
        parts: list[str] = []
        position = 0
        for match in TOKEN.finditer(text):
            parts.append(self._letters(text[position : match.start()]))
            parts.append(self._icon(match[1]))
            position = match.end()
        return "".join([*parts, self._letters(text[position:])])

    def _icon(self, name: str) -> str:
        if name in self._matter.icons:
            return str(icon_markup(name, self._matter.icons))
        return f"{{{name}}}"

    def _tell_slips(self, text: str) -> None:
        """Signs that were meant otherwise; braces mean icons only in a game that has some."""
        if self._bare:
            return  # the contents repeat what stands elsewhere
        braces = in_braces(text, self._matter.icons) if self._matter.icons else ()
        for slip in (*braces, *unpaired(text, within="")):
            self._matter.tell(slip.message, slip.kind)

    def _letters(self, text: str) -> str:
        glyphs = self._matter.glyphs
        lost = [c for c in dict.fromkeys(text) if ord(c) not in glyphs and c not in _UNSEEN]
        new = [letter for letter in lost if letter not in self._matter.lost]
        if glyphs and new:
            self._matter.lost.update(new)
            self._matter.tell(f"no font has a glyph for {_named(new)}; a box is printed", "glyph")
        html = str(escape(text))
        if glyphs:
            for letter in lost:
                html = html.replace(letter, '<span class="no-glyph"></span>')
        return html

    def text(self, tokens: Sequence[Token], idx: int, *_: Any) -> str:
        content = tokens[idx].content
        return self._letters(content) if tokens[idx].meta.get("sign") else self.words(content)

    def code_inline(self, tokens: Sequence[Token], idx: int, *_: Any) -> str:
        return f"<code>{self._letters(tokens[idx].content)}</code>"

    def softbreak(self, *_: Any) -> str:
        self._matter.line += 1
        return "\n"

    def hardbreak(self, *_: Any) -> str:
        self._matter.line += 1
        return "<br>\n"

    def html_inline(self, tokens: Sequence[Token], idx: int, *_: Any) -> str:
        return self._raw(tokens[idx].content, -1)

    def _raw(self, html: str, level: int) -> str:
        """A piece of the writer's own HTML; what is not let through is told and shown."""
        cleaned = self._cleaner.clean(html, level)
        for tag in dict.fromkeys(self._cleaner.refused):
            self._matter.tell(f"<{tag}> is not used in a book; it is printed as it stands", "html")
        self._cleaner.refused.clear()
        return cleaned

    def span_open(self, tokens: Sequence[Token], idx: int, *_: Any) -> str:
        token = tokens[idx]
        classes = str(token.attrs.get("class", "")).split()
        given = str(token.attrs.get("term", ""))
        if self._bare or ("term" not in classes and not given):
            kept = f' class="{escape(" ".join(classes))}"' if classes else ""
            return f"<span{kept}>"
        word = spoken(given or plain(_until_close(tokens, idx)))
        if not word:
            self._matter.tell("a term for the index has no words", "reference")
            return "<span>"
        name = f"cg-term-{sum(map(len, self._matter.terms.values())) + 1}"
        self._matter.terms.setdefault(word, []).append(name)
        return f'<span class="term" id="{name}">'

    def link_open(self, tokens: Sequence[Token], idx: int, *_: Any) -> str:
        token = tokens[idx]
        href = str(token.attrs.get("href", ""))
        empty = tokens[idx + 1].type == "link_close"
        token.meta["end"] = end = "</span>"
        tokens[close_of(tokens, idx)].meta["end"] = end
        if self._bare:
            return "<span>"
        if href.startswith("#"):
            return self._reference(tokens, idx, wanted(href), empty)
        if href.lower().startswith(_WEB):
            tokens[close_of(tokens, idx)].meta["end"] = "</a>"
            words = str(escape(href)) if empty else ""
            return f'<a class="web" href="{escape(href)}">{words}'
        self._matter.tell(
            f"the link to '{href}' leads out of the book; its words stay", "reference"
        )
        return f"<span>{escape(href)}" if empty else "<span>"

    def link_close(self, tokens: Sequence[Token], idx: int, *_: Any) -> str:
        return str(tokens[idx].meta.get("end", "</span>"))

    def _reference(self, tokens: Sequence[Token], idx: int, name: str, empty: bool) -> str:
        matter = self._matter
        target = matter.outline.targets.get(name)
        close = tokens[close_of(tokens, idx)]
        if target is None:
            hint = did_you_mean(name, matter.outline.targets)
            severity = "error" if empty else "warning"
            matter.tell(f"nothing in the book is named '{name}'{hint}", "reference", severity)
            return "<span>"
        page = f"{escape(matter.words['page'])}\u00a0\x06{escape(name)}\x07"
        opened = f'<a class="reference" href="#{escape(name)}">'
        if not empty:
            close.meta["end"] = f' <span class="at-page">({page})</span></a>'
            return opened
        close.meta["end"] = "</a>"
        if target.number:
            said = f"{escape(matter.words[target.kind])}\u00a0{escape(target.number)}"
        else:
            said = f"<i>{self.words(target.text)}</i>"
        return f"{opened}{said}, {page}"

    def footnote_ref(self, tokens: Sequence[Token], idx: int, *_: Any) -> str:
        note = self._matter.notes.get(tokens[idx].meta.get("id", -1))
        if self._bare or note is None:
            return ""
        self._bare += 1  # no note within a note
        said = " ".join(
            self.renderInline(token.children or []) for token in note if token.type == "inline"
        )
        self._bare -= 1
        return f'<span class="footnote">{said}</span>'

    def image(self, tokens: Sequence[Token], idx: int, *_: Any) -> str:
        """Within a line of words; a picture by itself is a figure."""
        return self.picture_in_line(tokens[idx])

    def picture_in_line(self, token: Token) -> str:
        raise NotImplementedError


def _named(letters: Sequence[str]) -> str:
    """The first few letters with their code points, and how many more there are."""
    said = ", ".join(f"'{letter}' (U+{ord(letter):04X})" for letter in letters[:_SHOWN])
    return said + (f" and {len(letters) - _SHOWN} more" if len(letters) > _SHOWN else "")


def close_of(tokens: Sequence[Token], idx: int) -> int:
    """Where the token that closes an opening one stands."""
    level = 0
    for index in range(idx, len(tokens)):
        level += tokens[index].nesting
        if level == 0:
            return index
    return len(tokens) - 1


def _until_close(tokens: Sequence[Token], idx: int) -> list[Token]:
    return list(tokens[idx + 1 : close_of(tokens, idx)])
