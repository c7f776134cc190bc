"""A book's blocks as HTML: headings, boxes, tables, figures; contents and title block."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from markdown_it.token import Token
from markupsafe import escape

from cardgen import artwork, yamlnodes
from cardgen.artwork import Art, Unusable
from cardgen.book.drawing import drawn
from cardgen.book.figures import Figure, Reader
from cardgen.book.headings import Heading, Target
from cardgen.book.inline import Inline, Matter, close_of
from cardgen.book.markdown import parser, plain
from cardgen.book.model import FaceId, Format
from cardgen.model import Game
from cardgen.problems import Source, did_you_mean
from cardgen.yamlnodes import Node

KINDS = ("example", "note", "tip", "designer", "summary")
_LONG_CONTENTS, _MOST_CONTENTS = 14, 76
"""So many entries stand in two columns; of more, chapters alone are listed."""
_WIDE_COLUMNS, _WIDE_LETTERS = 4, 75
"""A table of so many columns, with so many letters a row, takes the hanging column, too."""
_SHORT_ROWS = 9
"""A table of no more rows is not broken over pages."""
_BOX_EDGE = 4.0
"""Between a box's edge and what stands in it, mm; book.css says the same."""
_IN_LIST = 6.0
_COVER = 0.36
"""Of the text block: how much of it the cover's figure may take."""


class Writer(Inline):
    """Writes the tokens of one book on pages of one format."""

    def __init__(
        self,
        matter: Matter,
        game: Game,
        format_: Format,
        reader: Reader,
        depth_of_contents: int = 2,
    ) -> None:
        super().__init__(matter)
        self._game, self._format = game, format_
        self._reader = reader
        self._contents_depth = depth_of_contents
        self._parser = parser()
        self._figures: dict[int, Figure] = {}
        self._numbers: dict[int, str] = {}
        self._inside: list[float] = []
        self.faces: dict[FaceId, None] = {}
        self.art: dict[str, Art] = {}
        self.summaries = 0
        self.with_contents = self.with_index = False

    # What is told of figures before anything is written, so that references know them.

    def gather(self, tokens: list[Token]) -> None:
        """Read every figure, number those with a caption or name, and enter their names."""
        count = 0
        for index, token in enumerate(tokens):
            self._matter.line = token.map[0] if token.map else self._matter.line
            name, numbered = self._gathered(tokens, index)
            if numbered:
                count += 1
                self._numbers[id(token)] = str(count)
                if name:
                    self._enter(name, str(count), token)

    def _gathered(self, tokens: list[Token], index: int) -> tuple[str, bool]:
        token = tokens[index]
        if token.type == "fence" and token.info.split()[:1] == ["figure"]:
            figure = self._block(token)
            if figure is None:
                return "", False
            self._figures[id(token)] = figure
            return figure.name, bool(figure.caption or figure.name)
        picture = _lone_picture(tokens, index)
        if picture is None:
            return "", False
        name = str(picture.attrs.get("id", ""))
        return name, bool(name or plain(picture.children or []))

    def _enter(self, name: str, number: str, token: Token) -> None:
        target = Target("figure", number, "", token.map[0] if token.map else 0)

        def tell(line: int, message: str, severity: str) -> None:
            self._matter.tell(message, "reference", severity, line)

        self._matter.outline.add(name, target, tell)

    def _block(self, token: Token) -> Figure | None:
        """A figure block's YAML; its problems at their own lines."""
        first = (token.map[0] if token.map else 0) + 1
        node, problems = yamlnodes.load(token.content, "figure")
        for problem in problems:
            line = first + max(problem.source.line, 1) - 1
            self._matter.tell(problem.message, "figure", problem.severity, line)
        if node is None:
            return None
        self._reader.tell = lambda at, message: self._matter.tell(
            message, "figure", "error", first + at.source.line - 1
        )
        return self._reader.figure(node)

    def line_of_words(self, text: str) -> str:
        """A line of Markdown that stands by itself: a caption, a title."""
        inline = self._parser.parseInline(text.strip())
        return self.renderInline(inline[0].children or []) if text.strip() else ""

    # Blocks

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
                parts.append(self.renderInline(token.children or []))
            elif token.type == "paragraph_open" and (own := self._instead(tokens, index)):
                parts.append(own)
                skip = 2
            elif token.type in self.rules:
                parts.append(self.rules[token.type](tokens, index, options, env))
            else:
                parts.append(self.renderToken(tokens, index, options, env))
        return "".join(parts)

    def _instead(self, tokens: Sequence[Token], index: int) -> str:
        """What stands in place of a paragraph that is nothing but a picture, [[toc]] or a chart."""
        picture = _lone_picture(tokens, index)
        if picture is not None:
            return self._figure_of(picture, tokens[index])
        content = tokens[index + 1].content.strip()
        if content == ":::":
            message = "this ::: closes no box; a box around another begins with more, ::::"
            self._matter.tell(message, "box")
            return "\n"
        if content == "[[toc]]":
            self.with_contents = True
            return self.contents()
        if content == "[[index]]":
            self.with_index = True
            return self.index()
        if content[:1] == "\x04" and content[-1:] == "\x05" and content[1:-1].isdigit():
            return f'<div class="chart-box">{self._matter.fragments[int(content[1:-1])]}</div>'
        return ""

    def contents(self) -> str:
        """The list of headings with their pages."""
        matter = self._matter
        self._bare += 1
        listed = [
            heading
            for heading in matter.outline.headings.values()
            if heading.depth <= self._contents_depth and heading.text and heading.name
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
        return (
            f'<p class="depth-{heading.depth}"><a href="#{name}">{number}'
            f'<span class="said">{self.renderInline(heading.tokens)}</span></a>'
            f'<span class="page"><span>\x06{name}\x07</span></span></p>'
        )

    def index(self) -> str:
        """The place of the index, which is filled in when the pages are known."""
        title = escape(self._matter.words["index"])
        return (
            f'<h2 class="index-title unnumbered" data-label="{title}">{title}</h2>'
            '<div class="index">\x0e\x0f</div>'
        )

    def heading_open(self, tokens: Sequence[Token], idx: int, *_: Any) -> str:
        heading = self._matter.outline.headings.get(id(tokens[idx]))
        if heading is None or not heading.text:
            return '<p class="end">'
        name = f' id="{escape(heading.name)}"' if heading.name else ""
        page = " page" if heading.new_page else ""
        said = heading.text.replace("\u00ad", "")
        label = escape(f"{heading.number} {said}".strip())
        number = f'<span class="number">{heading.number} </span>' if heading.number else ""
        classes = f"depth-{heading.depth}{page}{'' if number else ' unnumbered'}"
        tag = f"h{min(heading.depth + 1, 6)}"
        return f'<{tag}{name} class="{classes}" data-label="{label}">{number}'

    def heading_close(self, tokens: Sequence[Token], idx: int, *_: Any) -> str:
        heading = self._matter.outline.headings.get(id(tokens[idx - 2]))
        if heading is None or not heading.text:
            return "</p>\n"
        return f"</h{min(heading.depth + 1, 6)}>\n"

    def container_box_open(self, tokens: Sequence[Token], idx: int, *_: Any) -> str:
        kind, title = box_of(tokens[idx])
        if kind not in KINDS:
            hint = did_you_mean(kind, KINDS)
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

    def container_box_close(self, tokens: Sequence[Token], idx: int, *_: Any) -> str:
        self._inside.pop()
        opening = tokens[_open_of(tokens, idx)]
        end = f'<p class="end" id="cg-summary-{self.summaries}-end"></p>'
        return f"</div>{end if box_of(opening)[0] == 'summary' else ''}</section>\n"

    def bullet_list_open(self, *_: Any) -> str:
        self._inside.append(_IN_LIST)
        return "<ul>"

    def bullet_list_close(self, *_: Any) -> str:
        self._inside.pop()
        return "</ul>\n"

    def ordered_list_open(self, tokens: Sequence[Token], idx: int, *_: Any) -> str:
        self._inside.append(_IN_LIST)
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

    # Figures

    @property
    def _room(self) -> float:
        """The width that a figure may take, mm: the hanging column too, except in lists."""
        widest = self._format.full
        if _IN_LIST in self._inside:
            widest = self._format.measure
        return widest - sum(self._inside)

    def _figure_of(self, picture: Token, paragraph: Token) -> str:
        source = str(picture.attrs.get("src", ""))
        number = self._numbers.get(id(paragraph), "")
        caption = self.renderInline(picture.children or [])
        if not source.startswith("card:"):
            return self._picture(picture, number, caption)
        figure = self._face(picture)
        return (
            self._drawn(figure, number, caption, str(picture.attrs.get("id", ""))) if figure else ""
        )

    def _face(self, picture: Token) -> Figure | None:
        """The face that `card:deck/id` names; a wrong one is told."""
        written = str(picture.attrs.get("src", "")).removeprefix("card:")
        self._reader.tell = lambda _, message: self._matter.tell(message, "figure", "error")
        figure = self._reader.card(written, Node(written, Source("")))
        if figure is None:
            return None
        return Figure(rows=figure.rows, width=self._width(picture))

    def cover(self, node: Node) -> str:
        """The figure of the title block: a card, or a figure as in a block, at most so wide."""
        self._reader.tell = lambda _, message: self._matter.tell(message, "figure", "error")
        if node.is_scalar:
            figure = self._reader.card(node.text, node)
        elif node.get("card") is not None:
            row = Node([node], node.source)
            figure = self._reader.figure(Node({"row": row}, node.source))
        else:
            figure = self._reader.figure(node)
        if figure is None:
            return ""
        self._note_all(figure)
        widest = self._format.full * _COVER
        return drawn(figure, widest, self._format.tall * _COVER, self.line_of_words).html

    def _width(self, picture: Token) -> float:
        given = str(picture.attrs.get("width", "")).removesuffix("mm")
        if not given:
            return 0.0
        try:
            width = float(given)
        except ValueError:
            width = 0.0
        if not 3 <= width <= 1000:
            self._matter.tell(f"width={given} is no width; write width=40mm", "figure")
            return 0.0
        return width

    def _drawn(self, figure: Figure, number: str, caption: str, name: str = "") -> str:
        found = drawn(figure, self._room, self._format.tall, self.line_of_words, self._format.small)
        self._note_all(figure)
        return self._framed(found.html, found.width, number, caption, name or figure.name)

    def _note_all(self, figure: Figure) -> None:
        for row in figure.rows:
            for card in row.cards:
                self._note(card)

    def _note(self, card: Any) -> None:
        self.faces[card.face] = None
        for piece in card.upon:
            self._note(piece)

    def _framed(self, html: str, width: float, number: str, caption: str, name: str) -> str:
        """A figure with its caption: beside it where it is narrow, below it otherwise."""
        measure = self._format.measure - sum(self._inside)
        place = "wide" if width > measure else "beside" if width < measure * 0.5 else "below"
        ident = f' id="{escape(name)}"' if name else ""
        said = ""
        if number:
            word = f"{self._matter.words['figure']}\u00a0{number}".capitalize()
            numbered = f'<span class="figure-number">{escape(word)}</span>'
            said = f"<figcaption>{numbered} {caption}</figcaption>"
        return f'<figure class="{place}"{ident}><div class="shown">{html}</div>{said}</figure>\n'

    def _picture(self, picture: Token, number: str, caption: str) -> str:
        art = self._art(picture)
        name = str(picture.attrs.get("id", ""))
        if art is None:
            said = escape(f"{self._matter.words['missing']}: {picture.attrs.get('src', '')}")
            html = f'<div class="missing">{said}</div>'
            return self._framed(html, self._format.measure, number, caption, name)
        natural = art.width / 96 * 25.4
        tall = art.height / art.width
        asked = self._width(picture)
        column = min(self._format.measure - sum(self._inside), self._room)
        room = self._room if asked else column
        width = min(asked or natural, room, self._format.tall / tall)
        html = self._image(picture, art, f"width:{width:.2f}mm;height:{width * tall:.2f}mm")
        return self._framed(html, width, number, caption, name)

    def _image(self, picture: Token, art: Art, style: str) -> str:
        alt = escape(plain(picture.children or []) or art.name.rpartition("/")[2])
        return f'<img class="picture" src="{escape(art.name)}" alt="{alt}" style="{style}">'

    def _art(self, picture: Token) -> Art | None:
        written = str(picture.attrs.get("src", ""))
        while written.startswith(("../", "./")):
            written = written.partition("/")[2]
        try:
            art = artwork.named(self._game.root, written)
        except Unusable as error:
            self._matter.tell(str(error), "art")
            return None
        self.art[art.name] = art
        return art

    def picture_in_line(self, token: Token) -> str:
        """A picture among words is as high as they are, unless it has a width."""
        if self._bare:
            return ""
        if str(token.attrs.get("src", "")).startswith("card:"):
            figure = self._face(token)
            if figure is None:
                return ""
            small = Figure(rows=figure.rows, width=figure.width or 12.0)
            self._note(small.rows[0].cards[0])
            html = drawn(small, self._room, self._format.tall, self.words).html
            return html.replace("<div", "<span", 1).removesuffix("</div>") + "</span>"
        art = self._art(token)
        if art is None:
            return f'<span class="missing">{self.renderInline(token.children or [])}</span>'
        width = self._width(token)
        ratio = art.height / art.width
        style = f"width:{width}mm;height:{width * ratio:.2f}mm" if width else (
            f"width:{1.2 / ratio:.3f}em;height:1.2em")  # fmt: skip
        return self._image(token, art, style)


def _halves(headings: list[Heading]) -> list[list[Heading]]:
    """Two columns about as long as each other; a chapter's sections stay with it if they may."""
    middle = (len(headings) + 1) / 2
    tops = [index for index, heading in enumerate(headings) if heading.depth == 1 and index]
    cut = min(tops, key=lambda index: abs(index - middle), default=len(headings))
    if abs(cut - middle) > len(headings) / 6:
        cut = int(middle)
    return [headings[:cut], headings[cut:]]


def _lone_picture(tokens: Sequence[Token], index: int) -> Token | None:
    """The picture that a paragraph consists of."""
    if tokens[index].type != "paragraph_open" or tokens[index + 1].type != "inline":
        return None
    children = [
        child
        for child in tokens[index + 1].children or []
        if child.type != "text" or child.content.strip()
    ]
    return children[0] if len(children) == 1 and children[0].type == "image" else None


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
