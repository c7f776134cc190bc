"""A book's figures: read and numbered before anything is written, then set with their captions."""

from __future__ import annotations

import re
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any

from markdown_it.token import Token
from markupsafe import escape

from cardgen.assets import artwork, coloured
from cardgen.assets.artwork import Art, Unusable
from cardgen.base import yamlnodes
from cardgen.base.problems import Source
from cardgen.base.units import NUMERAL
from cardgen.base.yamlnodes import Node
from cardgen.book.covers import bled
from cardgen.book.figure_drawing import drawn
from cardgen.book.figures import Figure, Reader
from cardgen.book.headings import Target
from cardgen.book.inline import Inline, Matter
from cardgen.book.markdown import parser, plain, spoken
from cardgen.book.model import FaceId, Format
from cardgen.game.model import Game

_WIDTH = re.compile(rf"{NUMERAL}\Z")
IN_LIST = 6.0
"""By how much a list is indented, mm."""
_COVER = (0.72, 0.5)
"""Of a page's width and height: how much of it cards on the cover may take."""


class Plates(Inline):
    """Figures and pictures, for pages of one format."""

    def __init__(self, matter: Matter, game: Game, format_: Format, reader: Reader) -> None:
        super().__init__(matter)
        self._game, self.format = game, format_
        self._reader = reader
        self._parser = parser()
        self._figures: dict[int, Figure] = {}
        self._numbers: dict[int, str] = {}
        self._inside: list[float] = []
        """What boxes and lists around the present place take of its width, mm each."""
        self.faces: dict[FaceId, str] = {}
        """What each face that is shown is called."""
        self.art: dict[str, Art] = {}

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
        picture = lone_picture(tokens, index)
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

    @property
    def _room(self) -> float:
        """The width that a figure may take, mm: the hanging column too, except in lists."""
        widest = self.format.full
        if IN_LIST in self._inside:
            widest = self.format.measure
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
        """What the cover shows: a picture to its edges, or a card, or a figure as in a block."""
        self._reader.tell = lambda _, message: self._matter.tell(message, "figure", "error")
        picture = node.get("picture") if node.is_mapping else None
        if picture is not None:
            art = self.art_named(picture.text)
            alt = spoken(self._matter.outline.title)
            whole = self.format.height
            return bled(art, alt, self.format, whole, margins=False) if art else ""
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
        widest, tall = self.format.width * _COVER[0], self.format.height * _COVER[1]
        large = replace(figure, width=figure.width or self.format.width)
        html = drawn(large, widest, tall, self.line_of_words).html
        return f'<div class="cover-figure">{html}</div>'

    def _width(self, picture: Token) -> float:
        given = str(picture.attrs.get("width", "")).removesuffix("mm")
        if not given:
            return 0.0
        width = float(given) if _WIDTH.match(given) else 0.0
        if not 3 <= width <= 1000:
            self._matter.tell(f"width={given} is no width; write width=40mm", "figure")
            return 0.0
        return width

    def _drawn(self, figure: Figure, number: str, caption: str, name: str = "") -> str:
        found = drawn(figure, self._room, self.format.tall, self.line_of_words, self.format.small)
        self._note_all(figure)
        if found.scaled:
            note = f'<span class="figure-note">({escape(self._matter.words["scaled"])})</span>'
            caption = f"{caption} {note}".strip()
        return self._framed(found.html, found.width, number, caption, name or figure.name)

    def _note_all(self, figure: Figure) -> None:
        for row in figure.rows:
            for card in row.cards:
                self._note(card)

    def _note(self, card: Any) -> None:
        self.faces[card.face] = card.alt
        for piece in card.upon:
            self._note(piece)

    def _framed(self, html: str, width: float, number: str, caption: str, name: str) -> str:
        """A figure with its caption: beside it where it is narrow, below it otherwise."""
        measure = self.format.measure - sum(self._inside)
        place = "wide" if width > measure else "beside" if width < measure * 0.5 else "below"
        ident = f' id="{escape(name)}"' if name else ""
        numbered = ""
        if number:
            word = f"{self._matter.words['figure']}\u00a0{number}".capitalize()
            numbered = f'<span class="figure-number">{escape(word)}</span>'
        said = f"{numbered} {caption}".strip()
        said = f"<figcaption>{said}</figcaption>" if said else ""
        return f'<figure class="{place}"{ident}><div class="shown">{html}</div>{said}</figure>\n'

    def _picture(self, picture: Token, number: str, caption: str) -> str:
        art = self._art(picture)
        name = str(picture.attrs.get("id", ""))
        if art is None:
            said = escape(f"{self._matter.words['missing']}: {picture.attrs.get('src', '')}")
            html = f'<div class="missing">{said}</div>'
            return self._framed(html, self.format.measure, number, caption, name)
        natural = art.width / 96 * 25.4
        tall = art.height / art.width
        asked = self._width(picture)
        column = min(self.format.measure - sum(self._inside), self._room)
        room = self._room if asked else column
        width = min(asked or natural, room, self.format.tall / tall)
        html = self._image(picture, art, f"width:{width:.2f}mm;height:{width * tall:.2f}mm")
        return self._framed(html, width, number, caption, name)

    def _image(self, picture: Token, art: Art, style: str) -> str:
        alt = escape(spoken(plain(picture.children or [])) or art.name.rpartition("/")[2])
        return f'<img class="picture" src="{escape(art.name)}" alt="{alt}" style="{style}">'

    def _art(self, picture: Token) -> Art | None:
        return self.art_named(str(picture.attrs.get("src", "")))

    def art_named(self, written: str) -> Art | None:
        """The picture of that name, noted as one of the book's; a wrong one is told."""
        while written.startswith(("../", "./")):
            written = written.partition("/")[2]
        try:
            art = artwork.named(self._game.root, written)
        except Unusable as error:
            self._matter.tell(str(error), "art")
            return None
        self.art[art.name] = art
        return art

    def take_icons(self, html: str) -> None:
        """Note the pictures of coloured icons that stand in the book's HTML. One that cannot be
        used is told with the game's icons."""
        for address in coloured.shown(html, self._game.coloured):
            with suppress(Unusable):
                self.art[address] = artwork.look(self._game.root, address)

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
            html = drawn(small, self._room, self.format.tall, self.words).html
            return html.replace("<div", "<span", 1).removesuffix("</div>") + "</span>"
        art = self._art(token)
        if art is None:
            return f'<span class="missing">{self.renderInline(token.children or [])}</span>'
        width = self._width(token)
        ratio = art.height / art.width
        style = f"width:{width}mm;height:{width * ratio:.2f}mm" if width else (
            f"width:{1.2 / ratio:.3f}em;height:1.2em")  # fmt: skip
        return self._image(token, art, style)


def lone_picture(tokens: Sequence[Token], index: int) -> Token | None:
    """The picture that a paragraph consists of."""
    if tokens[index].type != "paragraph_open" or tokens[index + 1].type != "inline":
        return None
    children = [
        child
        for child in tokens[index + 1].children or []
        if child.type != "text" or child.content.strip()
    ]
    return children[0] if len(children) == 1 and children[0].type == "image" else None
