"""What stands printed on a card's front, box by box: the rendered template, before typesetting."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from html.parser import HTMLParser

from cardgen.game.model import Deck, Game, Piece
from cardgen.templates.template_renderer import TemplateRenderer

INVISIBLE = str.maketrans({"\u00ad": "", "\u200b": "", "\u00a0": " ", "\u2011": "-", "\u202f": " "})


@dataclass
class Box:
    """An element: its classes, and what is in it, texts and boxes in order."""

    tag: str
    classes: tuple[str, ...] = ()
    content: list[Box | str] = field(default_factory=list)

    def boxes(self) -> Iterator[Box]:
        """Every box within, outer ones first."""
        for child in self.content:
            if isinstance(child, Box):
                yield child
                yield from child.boxes()

    def all(self, name: str) -> list[Box]:
        """The boxes within that have that class, or are of that tag."""
        return [box for box in self.boxes() if name in box.classes or name == box.tag]

    def text(self, name: str = "") -> str:
        """The text of those boxes or of this one: icons as `{name}`, hyphenation left out."""
        if name:
            return " ".join(box.text() for box in self.all(name))
        icon = next((c[5:] for c in self.classes if c.startswith("icon-")), "")
        if icon:
            return f" {{{icon}}} "
        inner = "".join(part if isinstance(part, str) else part.text() for part in self.content)
        within = self.tag in {"b", "i"} or "tied" in self.classes
        spaced = inner if within else f" {inner} "
        text = re.sub(r"\s+", " ", spaced.translate(INVISIBLE))
        return re.sub(r"(?<=\() (?=\{)|(?<=\}) (?=[.,:;)])", "", text)


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.open = [Box("card")]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        box = Box(tag, tuple((dict(attrs).get("class") or "").split()))
        self.open[-1].content.append(box)
        if tag not in {"img", "br"}:
            self.open.append(box)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop().tag == tag

    def handle_data(self, data: str) -> None:
        self.open[-1].content.append(data)


class Printer:
    """Renders fronts of a game as boxes."""

    def __init__(self, game: Game) -> None:
        self.templates = TemplateRenderer(game)

    def front(self, deck: Deck, piece: Piece, language: str) -> Box:
        """The front of a piece in a language."""
        html = self.templates.render_face(deck, piece, "front", language)
        assert html is not None, self.templates.problems
        reader = _Reader()
        reader.feed(html)
        assert len(reader.open) == 1
        return reader.open[0]


def numbers(text: str) -> list[int]:
    """Every figure in a text, the smallest first."""
    return sorted(int(figure) for figure in re.findall(r"\d+", text))


def icons(text: str) -> list[str]:
    """Every icon in a text, in order of their names."""
    return sorted(re.findall(r"\{([a-z-]+)\}", text))
