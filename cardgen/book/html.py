"""A book's blocks as HTML: headings, boxes, tables, figures; contents and title block."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import PurePosixPath
from typing import Any

from markdown_it.token import Token
from markupsafe import escape

from cardgen.base import paths
from cardgen.base.problems import did_you_mean
from cardgen.book import covers
from cardgen.book.figures import Reader
from cardgen.book.headings import Heading
from cardgen.book.inline import Matter, close_of
from cardgen.book.markdown import spoken
from cardgen.book.model import Format
from cardgen.book.pages import sort_key
from cardgen.book.plates import IN_LIST, Plates, lone_picture
from cardgen.game.model import Game
from cardgen.game.texts import icon_markup

_CHART = re.compile("\x04([0-9]{1,6})\x05\\Z")
KINDS = ("example", "note", "tip", "designer", "summary")
WITHOUT_HEAD = ("columns", "page")
_PICTURE = re.compile(r"\{\s*picture=\"?([^\s}\"]+)\"?\s*\}\Z")
_LONG_CONTENTS, _MOST_CONTENTS = 14, 76
"""So many entries stand in two columns; of more, chapters alone are listed."""
_WIDE_COLUMNS, _WIDE_LETTERS = 4, 75
"""A table of so many columns, with so many letters a row, takes the hanging column, too."""
_SHORT_ROWS = 9
"""A table of no more rows is not broken over pages."""
_BOX_EDGE = 4.0
"""Between a box's edge and what stands in it, mm; book.css says the same."""
_CONTENTS_DEPTH = 2
_BESIDE = 28
"""Letters of a heading below a chapter's that stands in the column beside its text."""


class Writer(Plates):
    """Writes the tokens of one book on pages of one format."""

    def __init__(self, matter: Matter, game: Game, format_: Format, reader: Reader) -> None:
        super().__init__(matter, game, format_, reader)
        self.summaries = 0
        self.pictures = ""
        """The folder of the chapters' pictures, "" for none."""
        self.with_contents = self.with_index = False

    def write(self, tokens: list[Token]) -> str:
        """The body of the book."""
        return self.render(tokens, self._parser.options, {}) + self._cleaner.close_to(-1)

    def render(self, tokens: Sequence[Token], options: Any, env: Any) -> str:
        """All tokens in their order; `line` follows them for whatever is wrong."""
        parts: list[str] = []
        skip = 0
        for index, token in enumerate(tokens):
            if token.map:
                self._matter.line = token.map[0]
            if skip:
                skip -= 1
                continue
            if token.nesting < 0:
                parts.append(self._cleaner.close_to(token.level))
            if token.type == "inline":
                text = self.renderInline(token.children or [])
                # WeasyPrint takes a cell with a soft hyphen for unbreakable: its table grows
                # off the page.
                in_cell = index > 0 and tokens[index - 1].type in ("td_open", "th_open")
                parts.append(text.replace("\u00ad", "") if in_cell else text)
            elif token.type == "paragraph_open" and (own := self._instead(tokens, index)):
                parts.append(self.come_from(own, self._matter.line))
                skip = 2
            else:
                line = self._matter.line
                parts.append(self.come_from(self._token(tokens, index, options, env), line))
        return "".join(parts)

    def _token(self, tokens: Sequence[Token], index: int, options: Any, env: Any) -> str:
        """A token that stands for itself."""
        rule = self.rules.get(tokens[index].type)
        return str((rule or self.renderToken)(tokens, index, options, env))

    def come_from(self, html: str, line: int) -> str:
        """HTML of a line of the manuscript: for those who want to know it. A book does not."""
        del line
        return html

    def _instead(self, tokens: Sequence[Token], index: int) -> str:
        """What stands in place of a paragraph that is nothing but a picture, [[toc]] or a chart."""
        picture = lone_picture(tokens, index)
        if picture is not None:
            return self._figure_of(picture, tokens[index])
        content = tokens[index + 1].content.strip()
        if content == ":::":
            message = "this ::: closes no box; a box around another begins with more, ::::"
            self._matter.tell(message, "box")
            return "\n"
        lists = {"[[toc]]": self.contents, "[[index]]": self.index, "[[icons]]": self._icons}
        if content in lists:
            return lists[content]()
        chart = _CHART.match(content)
        if chart and int(chart[1]) < len(self._matter.fragments):
            return f'<div class="chart-box">{self._matter.fragments[int(chart[1])]}</div>'
        return ""

    def contents(self) -> str:
        """The list of headings with their pages."""
        self.with_contents = True
        matter = self._matter
        self._bare += 1
        listed = [
            heading
            for heading in matter.outline.headings.values()
            if heading.depth <= _CONTENTS_DEPTH and heading.text and heading.name
        ]
        if len(listed) > _MOST_CONTENTS:
            listed = [heading for heading in listed if heading.depth == 1]
        long = " long" if len(listed) > _LONG_CONTENTS else ""
        columns = "".join(
            f'<div class="column">{"".join(map(self._content, column))}</div>'
            for column in (_halves(listed) if long else [listed])
        )
        self._bare -= 1
        title = f'<p class="contents-title">{escape(matter.words["contents"])}</p>'
        return f'<nav class="contents{long}">{title}<div class="entries">{columns}</div></nav>'

    def _content(self, heading: Heading) -> str:
        name = escape(heading.name)
        number = f'<span class="number">{heading.number}</span>' if heading.number else ""
        numbered = " numbered" if number else ""
        return (
            f'<p class="depth-{heading.depth}{numbered}"><a href="#{name}">{number}'
            f'<span class="said">{self.renderInline(heading.tokens)}</span></a>'
            f'<span class="page"><span>\x06{name}\x07</span></span></p>'
        )

    def _icons(self) -> str:
        """The game's icons, each with its name: `words:` of game.yaml call it icon_NAME, or a
        keyword stands for it. Where none has a name, all have their own."""
        game, language = self._game, self._reader.language
        named = {icon: word for word, (icon, _) in reversed(list(game.keywords.items()))}
        called = {
            icon: game.words[f"icon_{icon}"][language]
            if f"icon_{icon}" in game.words
            else named.get(icon, "")
            for icon in game.icons
        }
        if not any(called.values()):
            called = {icon: icon.replace("-", " ") for icon in game.icons}
        sorted_ = sorted(called.items(), key=lambda pair: sort_key(pair[1], language))
        rows = "".join(
            f'<p class="icon-name">{icon_markup(icon, game.icons)} <span>{escape(said)}</span></p>'
            for icon, said in sorted_
            if said
        )
        return f'<div class="columns three icons">{rows}</div>'

    def index(self) -> str:
        """The place of the index, which is filled in when the pages are known."""
        self.with_index = True
        title = escape(self._matter.words["index"])
        return (
            f'<h2 class="index-title unnumbered" data-label="{title}">{title}</h2>'
            '<div class="index">\x0e\x0f</div>'
        )

    def heading_open(self, tokens: Sequence[Token], idx: int, *_: Any) -> str:
        heading = self._matter.outline.headings.get(id(tokens[idx]))
        if heading is None or not heading.text:
            return '<p class="end">'
        picture = self._opener(heading) if heading.depth == 1 else ""
        name = f' id="{escape(heading.name)}"' if heading.name else ""
        page = " page" if heading.new_page else ""
        page += " opener" if heading.opener else " running" if picture else ""
        label = escape(f"{heading.number} {spoken(heading.text)}".strip())
        number = f'<span class="number">{heading.number} </span>' if heading.number else ""
        beside = " beside-text" if len(label) <= _BESIDE and heading.depth > 1 else ""
        classes = f"depth-{heading.depth}{page}{beside}{'' if number else ' unnumbered'}"
        tag = f"h{min(heading.depth + 1, 6)}"
        before, within = ("", picture) if heading.running else (picture, "")
        return f'{before}<{tag}{name} class="{classes}" data-label="{label}">{within}{number}'

    def _opener(self, heading: Heading) -> str:
        """A chapter's picture: its own, or that of its name in the folder of all."""
        written = heading.picture
        if not written and self.pictures:
            names = paths.listed(self._game.root, self.pictures, deep=False)
            own = [name for name in names if PurePosixPath(name).stem == heading.name]
            written = own[0] if own else ""
        art = self.art_named(written) if written else None
        if art is None:
            return ""
        if heading.running:
            return covers.strip(art, self.format)
        heading.opener = True
        return covers.opener(art, spoken(heading.text), self.format)

    def heading_close(self, tokens: Sequence[Token], idx: int, *_: Any) -> str:
        heading = self._matter.outline.headings.get(id(tokens[idx - 2]))
        if heading is None or not heading.text:
            return "</p>\n"
        return f"</h{min(heading.depth + 1, 6)}>\n"

    def paragraph_open(self, tokens: Sequence[Token], idx: int, options: Any, env: Any) -> str:
        html = str(self.renderToken(tokens, idx, options, env))
        plain = html.startswith("<p>") and _leads(tokens, idx)
        return html.replace("<p>", '<p class="leads">', 1) if plain else html

    def container_box_open(self, tokens: Sequence[Token], idx: int, *_: Any) -> str:
        kind, title = box_of(tokens[idx])
        if kind in WITHOUT_HEAD:
            return self._set_apart(kind, title, tokens, idx)
        if kind not in KINDS:
            hint = did_you_mean(kind, (*KINDS, *WITHOUT_HEAD))
            self._matter.tell(f"no box '{kind}'{hint}; it comes out as a note", "box")
            kind, title = "note", tokens[idx].info.strip()
        span = tokens[idx].map
        if span and ":::" not in self._matter.line_at(span[1]):
            self._matter.tell("this box is not closed with ::: and goes on to the end", "box")
        self._inside.append(2 * _BOX_EDGE)
        mark = ""
        if kind == "summary":
            self.summaries += 1
            mark = f' id="cg-summary-{self.summaries}"'
        said = f'<span class="box-title">{self.line_of_words(title)}</span>' if title else ""
        titled = " titled" if title else ""
        word = escape(self._matter.words[kind])
        head = f'<p class="box-head"><span class="box-kind">{word} </span>{said}</p>'
        return f'<section class="box {kind}{titled}"{mark}>{head}<div class="box-body">'

    def _set_apart(self, kind: str, said: str, tokens: Sequence[Token], idx: int) -> str:
        """`::: columns 3`, text in columns; `::: page {picture=art/map.svg}`, a whole page."""
        if kind == "columns":
            if said not in ("", "2", "3"):
                self._matter.tell(f"columns {said}: there are 2 or 3 of them", "box")
            self._inside.append(self.format.full / 2)
            return f'<div class="columns{" three" if said == "3" else ""}">'
        self._inside.append(2 * _BOX_EDGE)
        match = _PICTURE.match(said)
        if match is None:
            self._matter.tell("a page is written ::: page {picture=art/name.svg}", "box")
        art = self.art_named(match[1]) if match else None
        if art is None:
            return '<div class="plate plain"><div class="plate-words">'
        words = covers.plate(art, art.name.rpartition("/")[2], self.format)
        empty = tokens[idx + 1].type == "container_box_close"
        return words.replace('"plate-words"', '"plate-words none"') if empty else words

    def container_box_close(self, tokens: Sequence[Token], idx: int, *_: Any) -> str:
        self._inside.pop()
        apart = box_of(tokens[_open_of(tokens, idx)])[0]
        if apart in WITHOUT_HEAD:
            return "</div>\n" if apart == "columns" else "</div></div>\n"
        opening = tokens[_open_of(tokens, idx)]
        end = f'<p class="end" id="cg-summary-{self.summaries}-end"></p>'
        return f"</div>{end if box_of(opening)[0] == 'summary' else ''}</section>\n"

    def bullet_list_open(self, *_: Any) -> str:
        self._inside.append(IN_LIST)
        return "<ul>"

    def bullet_list_close(self, *_: Any) -> str:
        self._inside.pop()
        return "</ul>\n"

    def ordered_list_open(self, tokens: Sequence[Token], idx: int, *_: Any) -> str:
        self._inside.append(IN_LIST)
        start = tokens[idx].attrs.get("start")
        # The attribute alone is a hint that WeasyPrint does not take.
        return f'<ol style="counter-reset: list-item {int(start) - 1}">' if start else "<ol>"

    def ordered_list_close(self, *_: Any) -> str:
        self._inside.pop()
        return "</ol>\n"

    def table_open(self, tokens: Sequence[Token], idx: int, *_: Any) -> str:
        end = close_of(tokens, idx)
        columns = sum(token.type == "th_open" for token in tokens[idx:end])
        rows = sum(token.type == "tr_open" for token in tokens[idx:end])
        letters = sum(len(token.content) for token in tokens[idx:end] if token.type == "inline")
        crowded = columns >= _WIDE_COLUMNS and letters > _WIDE_LETTERS * rows
        classes = "wide" if crowded and not self._inside else "plain"
        return f'<table class="{classes}{" short" if rows <= _SHORT_ROWS else ""}">'

    def fence(self, tokens: Sequence[Token], idx: int, *_: Any) -> str:
        token = tokens[idx]
        if token.info.split()[:1] != ["figure"]:
            return f"<pre><code>{self._letters(token.content)}</code></pre>\n"
        figure = self._figures.get(id(token))
        number = self._numbers.get(id(token), "")
        return self._drawn(figure, number, self.line_of_words(figure.caption)) if figure else ""

    def code_block(self, tokens: Sequence[Token], idx: int, *_: Any) -> str:
        return f"<pre><code>{self._letters(tokens[idx].content)}</code></pre>\n"

    def html_block(self, tokens: Sequence[Token], idx: int, *_: Any) -> str:
        return self._raw(tokens[idx].content, tokens[idx].level)


def _leads(tokens: Sequence[Token], idx: int) -> bool:
    """Whether a paragraph announces what follows it: it ends with a colon, is nothing but bold
    words, which many write for a heading, or is a motto: italic words below a heading."""
    if idx + 3 >= len(tokens) or tokens[idx + 3].nesting < 0:
        return False
    motto = idx > 0 and tokens[idx - 1].type == "heading_close"
    return (
        tokens[idx + 1].content.rstrip().endswith(":")
        or _is_all("strong", tokens[idx + 1])
        or (motto and _is_all("em", tokens[idx + 1]))
    )


def _is_all(kind: str, line: Token) -> bool:
    """Whether a line's words are all bold, or all italic: one element from end to end."""
    children = [child for child in line.children or [] if child.content or child.nesting]
    found = [child.type for child in children if child.type.startswith(f"{kind}_")]
    ends = [f"{kind}_open", f"{kind}_close"]
    return found == ends and [children[0].type, children[-1].type] == ends


def _halves(headings: list[Heading]) -> list[list[Heading]]:
    """Two columns about as long as each other; a chapter's sections stay with it if they may."""
    middle = (len(headings) + 1) / 2
    tops = [index for index, heading in enumerate(headings) if heading.depth == 1 and index]
    cut = min(tops, key=lambda index: abs(index - middle), default=len(headings))
    if abs(cut - middle) > len(headings) / 6:
        cut = int(middle)
    return [headings[:cut], headings[cut:]]


def _open_of(tokens: Sequence[Token], idx: int) -> int:
    level = 0
    for index in range(idx, -1, -1):
        level += tokens[index].nesting
        if level == 0:
            return index
    return 0


def box_of(token: Token) -> tuple[str, str]:
    """The kind and title that `::: kind Title` says."""
    kind, _, title = token.info.strip().partition(" ")
    return kind.lower(), title.strip()


def without_designer(tokens: list[Token]) -> list[Token]:
    """The tokens less the boxes that the designer's edition alone shows."""
    kept: list[Token] = []
    skip = -1
    for token in tokens:
        opens = token.type == "container_box_open"
        if skip < 0 and opens and box_of(token)[0] == "designer":
            skip = token.level
        elif skip >= 0:
            if token.type == "container_box_close" and token.level == skip:
                skip = -1
        else:
            kept.append(token)
    return kept
