"""HTML of a book's blocks: headings, boxes, tables, figures, contents and index."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import PurePosixPath
from typing import Any

from markdown_it.token import Token
from markupsafe import escape

from cardgen.book import covers
from cardgen.book.book_outline import Heading
from cardgen.book.figure_reader import FigureReader
from cardgen.book.figure_renderer import LIST_INDENT_MM, FigureRenderer, find_lone_picture
from cardgen.book.inline_renderer import WriterContext, find_closing_token
from cardgen.book.markdown_parser import format_spoken_text
from cardgen.book.model import PageFormat
from cardgen.book.page_numbers import make_sort_key
from cardgen.core.problems import did_you_mean
from cardgen.game.card_text import render_icon
from cardgen.game.model import Game
from cardgen.runtime import game_files

_CHART_PATTERN = re.compile("\x04([0-9]{1,6})\x05\\Z")
BOX_KINDS = (
    "example", "note", "tip", "important", "warning", "caution", "designer", "summary",
)  # fmt: skip
_SIMILAR_BOX_KINDS = {
    **dict.fromkeys(("danger", "error", "attention", "bug", "failure"), "caution or warning"),
    **dict.fromkeys(("info", "abstract", "todo", "question", "faq", "quote"), "note"),
    **dict.fromkeys(("hint", "success"), "tip"),
}
"""Kinds of other tools, and the one to write instead."""
HEADLESS_BOX_KINDS = ("columns", "page")
_PANDOC_BOX_PATTERN = re.compile(r"\{\s*\.([\w-]+)[^{}]*\}\Z")
_PICTURE_PATTERN = re.compile(r"\{\s*picture=\"?([^\s}\"]+)\"?\s*\}\Z")
_TWO_COLUMN_CONTENTS_ENTRIES, _MAX_CONTENTS_ENTRIES = 14, 76
"""From how many entries the contents take two columns, and above how many they list only chapters.
"""
_WIDE_TABLE_COLUMNS, _WIDE_TABLE_CHARACTERS = 4, 75
"""A table with that many columns and characters a row uses the side column, too."""
_MAX_UNBROKEN_ROWS = 9
"""Largest number of rows of a table that is not broken over pages."""
_BOX_PADDING_MM = 4.0
"""Padding of boxes in mm; book.css has the same value."""
_CONTENTS_DEPTH = 2
_MAX_SIDE_HEADING_CHARACTERS = 28
"""Longest heading below chapter level that stands in the column beside its text."""


class BlockRenderer(FigureRenderer):
    """Renders the tokens of one book for pages of one format."""

    def __init__(
        self, context: WriterContext, game: Game, format_: PageFormat, reader: FigureReader
    ) -> None:
        super().__init__(context, game, format_, reader)
        self.summary_count = 0
        self.chapter_pictures = ""
        """Folder of the chapters' pictures, "" for none."""
        self.has_contents = self.has_index = False

    def render_body(self, tokens: list[Token]) -> str:
        """Render the body of the book."""
        return self.render(tokens, self._parser.options, {}) + self._cleaner.close_tags(-1)

    def render(self, tokens: Sequence[Token], options: Any, env: Any) -> str:
        """Render tokens in order. The context's current line follows them, for problems."""
        parts: list[str] = []
        skip = 0
        for index, token in enumerate(tokens):
            if token.map:
                self._context.line = token.map[0]
            if skip:
                skip -= 1
                continue
            if token.nesting < 0:
                parts.append(self._cleaner.close_tags(token.level))
            if token.type == "inline":
                text = self.renderInline(token.children or [])
                # WeasyPrint does not break cells that hold a soft hyphen: their table would grow
                # off the page.
                in_cell = index > 0 and tokens[index - 1].type in ("td_open", "th_open")
                parts.append(text.replace("\u00ad", "") if in_cell else text)
            elif token.type == "paragraph_open" and (
                method := self._replace_paragraph(tokens, index)
            ):
                parts.append(self.mark_source_line(method, self._context.line))
                skip = 2
            else:
                line = self._context.line
                parts.append(
                    self.mark_source_line(self._render_token(tokens, index, options, env), line)
                )
        return "".join(parts)

    def _render_token(self, tokens: Sequence[Token], index: int, options: Any, env: Any) -> str:
        """Render a token by its method, or as markdown-it does."""
        rule = self.rules.get(tokens[index].type)
        return str((rule or self.renderToken)(tokens, index, options, env))

    def mark_source_line(self, html: str, line: int) -> str:
        """Return the HTML of a source line, for subclasses that mark it; books do not."""
        del line
        return html

    def renderToken(  # noqa: N802 - markdown-it's name
        self, tokens: Sequence[Token], idx: int, options: Any, env: Any
    ) -> str:
        """Render a token without the classes for which no style has rules, which are reported: one
        of them could be the name of a class of cardgen's own style."""
        token = tokens[idx]
        if token.type != "list_item_open":
            kept = self._context.keep_known_classes(str(token.attrs.pop("class", "")))
            token.attrs.update({"class": kept} if kept else {})
        return str(super().renderToken(tokens, idx, options, env))

    def _replace_paragraph(self, tokens: Sequence[Token], index: int) -> str:
        """Render a paragraph that is nothing but a picture, [[toc]] or a chart."""
        picture = find_lone_picture(tokens, index)
        if picture is not None:
            return self._render_picture_figure(picture, tokens[index])
        content = tokens[index + 1].content.strip()
        if content == ":::":
            message = "this ::: closes no box; write a box around another with more colons, ::::"
            self._context.report_problem(message, "box")
            return "\n"
        lists = {
            "[[toc]]": self.render_contents,
            "[[_TOC_]]": self.render_contents,
            "[[index]]": self.place_index,
            "[[icons]]": self._render_icon_list,
        }
        if content in lists:
            return lists[content]()
        chart = _CHART_PATTERN.match(content)
        if chart and int(chart[1]) < len(self._context.fragments):
            return f'<div class="chart-box">{self._context.fragments[int(chart[1])]}</div>'
        return ""

    def render_contents(self) -> str:
        """Render the list of headings with their pages."""
        self.has_contents = True
        context = self._context
        self._plain_depth += 1
        headings = [
            heading
            for heading in context.outline.headings.values()
            if heading.depth <= _CONTENTS_DEPTH and heading.text and heading.name
        ]
        if len(headings) > _MAX_CONTENTS_ENTRIES:
            headings = [heading for heading in headings if heading.depth == 1]
        long = " long" if len(headings) > _TWO_COLUMN_CONTENTS_ENTRIES else ""
        columns = "".join(
            f'<div class="column">{"".join(map(self._render_contents_entry, column))}</div>'
            for column in (_split_contents(headings) if long else [headings])
        )
        self._plain_depth -= 1
        title = f'<p class="contents-title">{escape(context.words["contents"])}</p>'
        return f'<nav class="contents{long}">{title}<div class="entries">{columns}</div></nav>'

    def _render_contents_entry(self, heading: Heading) -> str:
        name = escape(heading.name)
        number = f'<span class="number">{heading.number}</span>' if heading.number else ""
        numbered = " numbered" if number else ""
        return (
            f'<p class="depth-{heading.depth}{numbered}"><a href="#{name}">{number}'
            f'<span class="said">{self.renderInline(heading.tokens)}</span></a>'
            f'<span class="page"><span>\x06{name}\x07</span></span></p>'
        )

    def _render_icon_list(self) -> str:
        """Render the game's icons with their names: the word icon_NAME, or a keyword that the icon
        replaces.

        If no icon has such a name, the icons' own names are printed.
        """
        game, language = self._game, self._reader.language
        keyword_names = {icon: word for word, (icon, _) in reversed(list(game.keywords.items()))}
        names = {
            icon: game.words[f"icon_{icon}"][language]
            if f"icon_{icon}" in game.words
            else keyword_names.get(icon, "")
            for icon in game.icons
        }
        if not any(names.values()):
            names = {icon: icon.replace("-", " ") for icon in game.icons}
        sorted_ = sorted(names.items(), key=lambda pair: make_sort_key(pair[1], language))
        rows = "".join(
            f'<p class="icon-name">{render_icon(icon, game.icons)} <span>{escape(name)}</span></p>'
            for icon, name in sorted_
            if name
        )
        return f'<div class="columns three icons">{rows}</div>'

    def place_index(self) -> str:
        """Render the place of the index, which is filled in when the page numbers are known."""
        self.has_index = True
        title = escape(self._context.words["index"])
        return (
            f'<h2 class="index-title unnumbered" data-label="{title}">{title}</h2>'
            '<div class="index">\x0e\x0f</div>'
        )

    def heading_open(self, tokens: Sequence[Token], idx: int, *_: Any) -> str:
        heading = self._context.outline.headings.get(id(tokens[idx]))
        if heading is None or not heading.text:
            return '<p class="end">'
        picture = self._find_chapter_picture(heading) if heading.depth == 1 else ""
        name = f' id="{escape(heading.name)}"' if heading.name else ""
        page = " page" if heading.starts_page else ""
        page += " opener" if heading.is_opener else " running" if picture else ""
        label = escape(f"{heading.number} {format_spoken_text(heading.text)}".strip())
        number = f'<span class="number">{heading.number} </span>' if heading.number else ""
        beside = (
            " beside-text"
            if len(label) <= _MAX_SIDE_HEADING_CHARACTERS and heading.depth > 1
            else ""
        )
        classes = f"depth-{heading.depth}{page}{beside}{'' if number else ' unnumbered'}"
        tag = f"h{min(heading.depth + 1, 6)}"
        before, within = ("", picture) if heading.is_running else (picture, "")
        return f'{before}<{tag}{name} class="{classes}" data-label="{label}">{within}{number}'

    def _find_chapter_picture(self, heading: Heading) -> str:
        """Return a chapter's picture: its own, or the one of its name in the chapters' folder."""
        name = heading.picture
        if not name and self.chapter_pictures:
            names = game_files.list_files(self._game.root, self.chapter_pictures, deep=False)
            matching = (each for each in names if PurePosixPath(each).stem == heading.name)
            name = next(matching, "")
        art = self.load_art(name) if name else None
        if art is None:
            return ""
        if heading.is_running:
            return covers.render_chapter_strip(art, self.format)
        heading.is_opener = True
        return covers.render_chapter_opener(art, format_spoken_text(heading.text), self.format)

    def heading_close(self, tokens: Sequence[Token], idx: int, *_: Any) -> str:
        heading = self._context.outline.headings.get(id(tokens[idx - 2]))
        if heading is None or not heading.text:
            return "</p>\n"
        return f"</h{min(heading.depth + 1, 6)}>\n"

    def paragraph_open(self, tokens: Sequence[Token], idx: int, options: Any, env: Any) -> str:
        html = str(self.renderToken(tokens, idx, options, env))
        plain = html.startswith("<p>") and _is_lead_in(tokens, idx)
        return html.replace("<p>", '<p class="leads">', 1) if plain else html

    def container_box_open(self, tokens: Sequence[Token], idx: int, *_: Any) -> str:
        kind, title = parse_box(tokens[idx])
        if kind in HEADLESS_BOX_KINDS:
            return self._open_layout_box(kind, title, tokens, idx)
        if kind not in BOX_KINDS:
            similar = _SIMILAR_BOX_KINDS.get(kind, "")
            hint = f"; write {similar}" if similar else did_you_mean(kind, BOX_KINDS)
            self._context.report_problem(f"no box '{kind}'{hint}; it is printed as a note", "box")
            kind, title = "note", tokens[idx].info.strip()
        span = tokens[idx].map
        if span and tokens[idx].markup != ">" and ":::" not in self._context.get_line(span[1]):
            self._context.report_problem(
                "this box is not closed; it goes on to the end of the book; "
                "write ::: where it ends",
                "box",
            )
        self._indents.append(2 * _BOX_PADDING_MM)
        mark = ""
        if kind == "summary":
            self.summary_count += 1
            mark = f' id="cg-summary-{self.summary_count}"'
        title_html = f'<span class="box-title">{self.render_line(title)}</span>' if title else ""
        titled = " titled" if title else ""
        word = escape(self._context.words[kind])
        head = f'<p class="box-head"><span class="box-kind">{word} </span>{title_html}</p>'
        return f'<section class="box {kind}{titled}"{mark}>{head}<div class="box-body">'

    def _open_layout_box(self, kind: str, argument: str, tokens: Sequence[Token], idx: int) -> str:
        """Render `::: columns 3` (text in columns) or `::: page {picture=art/map.svg}` (a whole
        page)."""
        if kind == "columns":
            if argument not in ("", "2", "3"):
                self._context.report_problem(f"columns {argument}: there are 2 or 3 of them", "box")
            self._indents.append(self.format.full_width / 2)
            return f'<div class="columns{" three" if argument == "3" else ""}">'
        self._indents.append(2 * _BOX_PADDING_MM)
        match = _PICTURE_PATTERN.match(argument)
        if match is None:
            self._context.report_problem(
                "a page needs a picture; write ::: page {picture=art/name.svg}", "box"
            )
        art = self.load_art(match[1]) if match else None
        if art is None:
            return '<div class="plate plain"><div class="plate-words">'
        words = covers.open_picture_page(art, art.name.rpartition("/")[2], self.format)
        empty = tokens[idx + 1].type == "container_box_close"
        return words.replace('"plate-words"', '"plate-words none"') if empty else words

    def container_box_close(self, tokens: Sequence[Token], idx: int, *_: Any) -> str:
        self._indents.pop()
        kind = parse_box(tokens[_find_opening_token(tokens, idx)])[0]
        if kind in HEADLESS_BOX_KINDS:
            return "</div>\n" if kind == "columns" else "</div></div>\n"
        opening = tokens[_find_opening_token(tokens, idx)]
        end = f'<p class="end" id="cg-summary-{self.summary_count}-end"></p>'
        return f"</div>{end if parse_box(opening)[0] == 'summary' else ''}</section>\n"

    def bullet_list_open(self, *_: Any) -> str:
        self._indents.append(LIST_INDENT_MM)
        return "<ul>"

    def bullet_list_close(self, *_: Any) -> str:
        self._indents.pop()
        return "</ul>\n"

    def ordered_list_open(self, tokens: Sequence[Token], idx: int, *_: Any) -> str:
        self._indents.append(LIST_INDENT_MM)
        start = tokens[idx].attrs.get("start")
        # WeasyPrint ignores the attribute alone.
        return f'<ol style="counter-reset: list-item {int(start) - 1}">' if start else "<ol>"

    def ordered_list_close(self, *_: Any) -> str:
        self._indents.pop()
        return "</ol>\n"

    def table_open(self, tokens: Sequence[Token], idx: int, *_: Any) -> str:
        end = find_closing_token(tokens, idx)
        columns = sum(token.type == "th_open" for token in tokens[idx:end])
        rows = sum(token.type == "tr_open" for token in tokens[idx:end])
        letters = sum(len(token.content) for token in tokens[idx:end] if token.type == "inline")
        crowded = columns >= _WIDE_TABLE_COLUMNS and letters > _WIDE_TABLE_CHARACTERS * rows
        classes = "wide" if crowded and not self._indents else "plain"
        return f'<table class="{classes}{" short" if rows <= _MAX_UNBROKEN_ROWS else ""}">'

    def fence(self, tokens: Sequence[Token], idx: int, *_: Any) -> str:
        token = tokens[idx]
        if token.info.split()[:1] != ["figure"]:
            return f"<pre><code>{self._render_characters(token.content)}</code></pre>\n"
        figure = self._figures.get(id(token))
        number = self._numbers.get(id(token), "")
        return (
            self._render_figure(figure, number, self.render_line(figure.caption)) if figure else ""
        )

    def code_block(self, tokens: Sequence[Token], idx: int, *_: Any) -> str:
        return f"<pre><code>{self._render_characters(tokens[idx].content)}</code></pre>\n"

    def html_block(self, tokens: Sequence[Token], idx: int, *_: Any) -> str:
        return self._cleaner.clean_html(tokens[idx].content, tokens[idx].level)


def _is_lead_in(tokens: Sequence[Token], idx: int) -> bool:
    """Tell whether a paragraph introduces what follows it.

    It ends with a colon, is all bold (often used as a heading), or is all italic below a heading.
    """
    if idx + 3 >= len(tokens) or tokens[idx + 3].nesting < 0:
        return False
    motto = idx > 0 and tokens[idx - 1].type == "heading_close"
    return (
        tokens[idx + 1].content.rstrip().endswith(":")
        or _is_all_marked("strong", tokens[idx + 1])
        or (motto and _is_all_marked("em", tokens[idx + 1]))
    )


def _is_all_marked(kind: str, line: Token) -> bool:
    """Tell whether a line is one bold, or one italic, element from end to end."""
    children = [child for child in line.children or [] if child.content or child.nesting]
    match = [child.type for child in children if child.type.startswith(f"{kind}_")]
    ends = [f"{kind}_open", f"{kind}_close"]
    return match == ends and [children[0].type, children[-1].type] == ends


def _split_contents(headings: list[Heading]) -> list[list[Heading]]:
    """Split the contents into two columns of similar length, between chapters if possible."""
    middle = (len(headings) + 1) / 2
    tops = [index for index, heading in enumerate(headings) if heading.depth == 1 and index]
    cut = min(tops, key=lambda index: abs(index - middle), default=len(headings))
    if abs(cut - middle) > len(headings) / 6:
        cut = int(middle)
    return [headings[:cut], headings[cut:]]


def _find_opening_token(tokens: Sequence[Token], idx: int) -> int:
    level = 0
    for index in range(idx, -1, -1):
        level += tokens[index].nesting
        if level == 0:
            return index
    return 0


def parse_box(token: Token) -> tuple[str, str]:
    """Parse `::: kind Title` into the kind and the title; `::: {.kind}` is Pandoc's form."""
    info = _PANDOC_BOX_PATTERN.sub(r"\1", token.info.strip())
    kind, _, title = info.partition(" ")
    return kind.lower(), title.strip()


def drop_designer_boxes(tokens: list[Token]) -> list[Token]:
    """Return the tokens without the boxes of the designer's edition."""
    remaining: list[Token] = []
    skip = -1
    for token in tokens:
        opens = token.type == "container_box_open"
        if skip < 0 and opens and parse_box(token)[0] == "designer":
            skip = token.level
        elif skip >= 0:
            if token.type == "container_box_close" and token.level == skip:
                skip = -1
        else:
            remaining.append(token)
    return remaining
