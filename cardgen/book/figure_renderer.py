"""Figures and pictures of a book: numbered in a first pass, then rendered with captions."""

from __future__ import annotations

import re
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any

from markdown_it.token import Token
from markupsafe import escape

from cardgen.assets import artwork, coloured_icons
from cardgen.assets.artwork import Art, UnusableArtError
from cardgen.book.book_outline import ReferenceTarget
from cardgen.book.covers import render_bleeding_picture
from cardgen.book.figure_drawing import draw_figure
from cardgen.book.figure_reader import Figure, FigureReader
from cardgen.book.inline_renderer import InlineRenderer, WriterContext
from cardgen.book.markdown_parser import extract_text, format_spoken_text, make_parser
from cardgen.book.model import FaceId, PageFormat
from cardgen.core import yaml_nodes
from cardgen.core.problems import Source, shorten
from cardgen.core.units import NUMERAL_PATTERN
from cardgen.core.yaml_nodes import Node
from cardgen.game.model import Game

_WIDTH_PATTERN = re.compile(rf"({NUMERAL_PATTERN}) *(mm|%)?\Z")
LIST_INDENT_MM = 6.0
"""Indent of a list."""
_COVER_CARD_SHARES = (0.72, 0.5)
"""Largest share of the page's width and height for cards on the cover."""


class FigureRenderer(InlineRenderer):
    """Renders figures and pictures for pages of one format."""

    def __init__(
        self, context: WriterContext, game: Game, format_: PageFormat, reader: FigureReader
    ) -> None:
        super().__init__(context)
        self._game, self.format = game, format_
        self._reader = reader
        self._parser = make_parser()
        self._figures: dict[int, Figure] = {}
        self._numbers: dict[int, str] = {}
        self._indents: list[float] = []
        """Widths in mm that the current boxes and lists take from the text."""
        self.faces: dict[FaceId, str] = {}
        """Alternative text of each face that is shown."""
        self.art: dict[str, Art] = {}

    def gather_figures(self, tokens: list[Token]) -> None:
        """Read every figure, number those with a caption or name, and add their names to the
        outline."""
        count = 0
        for index, token in enumerate(tokens):
            self._context.line = token.map[0] if token.map else self._context.line
            name, numbered = self._gather_figure(tokens, index)
            if numbered:
                count += 1
                self._numbers[id(token)] = str(count)
                if name:
                    self._enter_figure_name(name, str(count), token)

    def _gather_figure(self, tokens: list[Token], index: int) -> tuple[str, bool]:
        token = tokens[index]
        if token.type == "fence" and token.info.split()[:1] == ["figure"]:
            figure = self._read_figure_block(token)
            if figure is None:
                return "", False
            self._figures[id(token)] = figure
            return figure.name, bool(figure.caption or figure.name)
        picture = find_lone_picture(tokens, index)
        if picture is None:
            return "", False
        name = str(picture.attrs.get("id", ""))
        return name, bool(name or extract_text(picture.children or []))

    def _enter_figure_name(self, name: str, number: str, token: Token) -> None:
        target = ReferenceTarget("figure", number, "", token.map[0] if token.map else 0)

        def report_name(line: int, message: str, severity: str) -> None:
            self._context.report_problem(message, "reference", severity, line)

        self._context.outline.add_target(name, target, report_name)

    def _read_figure_block(self, token: Token) -> Figure | None:
        """Read the YAML of a figure block; report its problems at their own lines."""
        first = (token.map[0] if token.map else 0) + 1
        node, problems = yaml_nodes.load(token.content, "figure")
        for problem in problems:
            line = first + max(problem.source.line, 1) - 1
            self._context.report_problem(problem.message, "figure", problem.severity, line)
        if node is None:
            return None
        self._reader.report_problem = lambda source, message: self._context.report_problem(
            message, "figure", "error", first + source.source.line - 1
        )
        return self._reader.read_figure(node)

    def render_line(self, text: str) -> str:
        """Render a line of Markdown that stands by itself, such as a caption."""
        inline = self._parser.parseInline(text.strip())
        return self.renderInline(inline[0].children or []) if text.strip() else ""

    @property
    def _available_width(self) -> float:
        """Return the width for a figure in mm, with the side column except in lists."""
        widest = self.format.full_width
        if LIST_INDENT_MM in self._indents:
            widest = self.format.text_width
        return widest - sum(self._indents)

    def _render_picture_figure(self, picture: Token, paragraph: Token) -> str:
        source = str(picture.attrs.get("src", ""))
        number = self._numbers.get(id(paragraph), "")
        caption = self.renderInline(picture.children or [])
        if not source.startswith("card:"):
            return self._render_picture(picture, number, caption)
        figure = self._read_face_picture(picture)
        return (
            self._render_figure(figure, number, caption, str(picture.attrs.get("id", "")))
            if figure
            else ""
        )

    def _read_face_picture(self, picture: Token) -> Figure | None:
        """Return the face that `card:deck/id` names; report a wrong one."""
        address = str(picture.attrs.get("src", "")).removeprefix("card:")
        self._reader.report_problem = lambda _, message: self._context.report_problem(
            message, "figure", "error"
        )
        figure = self._reader.read_face_figure(address, Node(address, Source("")))
        if figure is None:
            return None
        return Figure(rows=figure.rows, width=self._read_width(picture))

    def render_cover_picture(self, node: Node) -> str:
        """Render what the cover shows: a picture to its edges, a card, or a figure."""
        self._reader.report_problem = lambda _, message: self._context.report_problem(
            message, "figure", "error"
        )
        picture = node.get("picture") if node.is_mapping else None
        if picture is not None:
            art = self.load_art(picture.text)
            alt = format_spoken_text(self._context.outline.title)
            whole = self.format.height
            return (
                render_bleeding_picture(art, alt, self.format, whole, margins=False) if art else ""
            )
        if node.is_scalar:
            figure = self._reader.read_face_figure(node.text, node)
        elif node.get("card") is not None:
            row = Node([node], node.source)
            figure = self._reader.read_figure(Node({"row": row}, node.source))
        else:
            figure = self._reader.read_figure(node)
        if figure is None:
            return ""
        self._note_faces(figure)
        widest, tall = (
            self.format.width * _COVER_CARD_SHARES[0],
            self.format.height * _COVER_CARD_SHARES[1],
        )
        large = replace(figure, width=figure.width or self.format.width)
        html = draw_figure(large, widest, tall, self.render_line).html
        return f'<div class="cover-figure">{html}</div>'

    def _read_width(self, picture: Token) -> float:
        """Return the width of a picture in mm, 0 for none; a percentage is one of the text."""
        if "height" in picture.attrs:
            message = "a picture takes no height; write width=40mm, the height follows from it"
            self._context.report_problem(message, "figure")
        text = str(picture.attrs.get("width", "")).strip()
        if not text:
            return 0.0
        match = _WIDTH_PATTERN.match(text)
        width = float(match[1]) if match else 0.0
        if match and match[2] == "%":
            width *= (self.format.text_width - sum(self._indents)) / 100
        if 3 <= width <= 1000:
            return width
        message = (
            f"'{text}' is not a width from 3 to 1000 mm; write {{width=40mm}} or {{width=50%}}"
        )
        self._context.report_problem(message, "figure")
        return 0.0

    def _render_figure(self, figure: Figure, number: str, caption: str, name: str = "") -> str:
        drawing = draw_figure(
            figure,
            self._available_width,
            self.format.max_figure_height,
            self.render_line,
            self.format.figure_text_scale,
        )
        self._note_faces(figure)
        if drawing.is_scaled:
            note = f'<span class="figure-note">({escape(self._context.words["scaled"])})</span>'
            caption = f"{caption} {note}".strip()
        return self._frame_figure(drawing.html, drawing.width, number, caption, name or figure.name)

    def _note_faces(self, figure: Figure) -> None:
        for row in figure.rows:
            for card in row.cards:
                self._note_face(card)

    def _note_face(self, card: Any) -> None:
        self.faces[card.face] = card.alt
        for piece in card.overlays:
            self._note_face(piece)

    def _frame_figure(self, html: str, width: float, number: str, caption: str, name: str) -> str:
        """Render a figure with its caption, beside it if it is narrow, below it otherwise."""
        measure = self.format.text_width - sum(self._indents)
        place = "wide" if width > measure else "beside" if width < measure * 0.5 else "below"
        ident = f' id="{escape(name)}"' if name else ""
        numbered = ""
        if number:
            word = f"{self._context.words['figure']}\u00a0{number}".capitalize()
            numbered = f'<span class="figure-number">{escape(word)}</span>'
        caption_html = f"{numbered} {caption}".strip()
        caption_html = f"<figcaption>{caption_html}</figcaption>" if caption_html else ""
        shown = f'<div class="shown">{html}</div>'
        return f'<figure class="{place}"{ident}>{shown}{caption_html}</figure>\n'

    def _render_picture(self, picture: Token, number: str, caption: str) -> str:
        art = self._find_art(picture)
        name, source = str(picture.attrs.get("id", "")), str(picture.attrs.get("src", ""))
        if art is None:
            message_html = escape(f"{self._context.words['missing']}: {shorten(source, 60)}")
            html = f'<div class="missing">{message_html}</div>'
            return self._frame_figure(html, self.format.text_width, number, caption, name)
        natural = art.width / 96 * 25.4
        tall = art.height / art.width
        requested_width = self._read_width(picture)
        column = min(self.format.text_width - sum(self._indents), self._available_width)
        room = self._available_width if requested_width else column
        width = min(requested_width or natural, room, self.format.max_figure_height / tall)
        html = self._format_image(picture, art, f"width:{width:.2f}mm;height:{width * tall:.2f}mm")
        return self._frame_figure(html, width, number, caption, name)

    def _format_image(self, picture: Token, art: Art, style: str) -> str:
        alt = escape(
            format_spoken_text(extract_text(picture.children or [])) or art.name.rpartition("/")[2]
        )
        return f'<img class="picture" src="{escape(art.name)}" alt="{alt}" style="{style}">'

    def _find_art(self, picture: Token) -> Art | None:
        return self.load_art(str(picture.attrs.get("src", "")))

    def load_art(self, name: str) -> Art | None:
        """Return a picture by name and add it to the book's; report a wrong one."""
        while name.startswith(("../", "./")):
            name = name.partition("/")[2]
        try:
            art = artwork.load_by_address(self._game.root, name)
        except UnusableArtError as error:
            self._context.report_problem(str(error), "art")
            return None
        self.art.setdefault(art.name, art)
        return art

    def note_icon_art(self, html: str) -> None:
        """Add the pictures of coloured icons in the book's HTML. Unusable ones are reported
        elsewhere."""
        for address in coloured_icons.find_icons_in_html(html, self._game.coloured_icons):
            with suppress(UnusableArtError):
                art = artwork.load_art(self._game.root, address)
                self.art[address] = replace(art, is_icon=True)

    def render_inline_picture(self, token: Token) -> str:
        """Render a picture among words, as high as they are unless it has a width."""
        if self._plain_depth:
            return ""
        if str(token.attrs.get("src", "")).startswith("card:"):
            figure = self._read_face_picture(token)
            if figure is None:
                return ""
            small = Figure(rows=figure.rows, width=figure.width or 12.0)
            self._note_face(small.rows[0].cards[0])
            html = draw_figure(
                small, self._available_width, self.format.max_figure_height, self.render_words
            ).html
            return html.replace("<div", "<span", 1).removesuffix("</div>") + "</span>"
        art = self._find_art(token)
        if art is None:
            return f'<span class="missing">{self.renderInline(token.children or [])}</span>'
        width = self._read_width(token)
        ratio = art.height / art.width
        style = f"width:{width}mm;height:{width * ratio:.2f}mm" if width else (
            f"width:{1.2 / ratio:.3f}em;height:1.2em")  # fmt: skip
        return self._format_image(token, art, style)


def find_lone_picture(tokens: Sequence[Token], index: int) -> Token | None:
    """Return the picture that a paragraph consists of, or None."""
    if tokens[index].type != "paragraph_open" or tokens[index + 1].type != "inline":
        return None
    children = [
        child
        for child in tokens[index + 1].children or []
        if child.type != "text" or child.content.strip()
    ]
    return children[0] if len(children) == 1 and children[0].type == "image" else None
