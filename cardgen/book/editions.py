"""A game's rulebooks written: both editions of every language, on every page size."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from typing import Any

from markdown_it.token import Token
from markupsafe import escape

from cardgen.base import paths, yamlnodes
from cardgen.base.problems import Problem, Severity, Source, did_you_mean
from cardgen.base.yamlnodes import Node
from cardgen.book import manuscript
from cardgen.book.figures import Reader
from cardgen.book.headings import Outline, outline
from cardgen.book.html import Writer, without_designer
from cardgen.book.inline import Matter
from cardgen.book.manuscript import FOLDER, Manuscript
from cardgen.book.markdown import parser, spoken
from cardgen.book.model import EDITIONS, FORMATS, Book, Format
from cardgen.book.words import words
from cardgen.game.face_facts import NOTHING, Known
from cardgen.game.model import Game

_FRONT = re.compile(r"---[ \t]*\n(.*?\n)(?:---|\.\.\.)[ \t]*(?:\n|\Z)", re.DOTALL)
_FRONT_KEYS = ("title", "subtitle", "cover", "numbered", "toc", "index", "language")
_ENOUGH_HEADINGS = 4


@dataclass
class Books:
    """Every book of a game, and what is wrong with them."""

    books: list[Book] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)


@dataclass(frozen=True)
class Selection:
    """Which books of a game are meant: of these languages, and of these editions and page sizes,
    all of them where none is named."""

    languages: tuple[str, ...]
    editions: tuple[str, ...] = ()
    formats: tuple[str, ...] = ()

    def of_edition(self, name: str) -> bool:
        return not self.editions or name in self.editions

    def of_format(self, name: str) -> bool:
        return not self.formats or name in self.formats


@dataclass(frozen=True)
class _Front:
    """What stands between the lines of dashes at a book's beginning."""

    title: str = ""
    subtitle: str = ""
    cover: Node | None = None
    numbered: bool | None = None
    toc: bool | None = None
    index: bool = True


def write(game: Game, wanted: Selection, glyphs: frozenset[int], known: Known = NOTHING) -> Books:
    """The books that are meant. `glyphs` are the characters that the game's fonts have, `known` is
    what its faces tell of themselves.

    A game without a folder rulebook/ has none; one that lacks a language is told so.
    """
    result = Books()
    if not paths.listed(game.root, FOLDER, ".md", deep=False):
        return result
    for language in wanted.languages:
        if not paths.there(game.root, f"{FOLDER}/{language}.md"):
            message = f"there is no rulebook in '{language}'"
            source = Source(f"{FOLDER}/{language}.md")
            result.problems.append(Problem(source, message, "book", "warning"))
            continue
        for edition in filter(wanted.of_edition, EDITIONS):
            text, problems = manuscript.read(game, language, edition == "designer", known)
            result.problems += problems
            if text is not None:
                for format_ in FORMATS.values():
                    if wanted.of_format(format_.name):
                        making = Making(game, language, edition, text, glyphs)
                        book, problems = making.book(format_)
                        result.books.append(book)
                        result.problems += problems
    return result


class Making:
    """One book in the making, by a kind of writer."""

    writer: type[Writer] = Writer

    def __init__(
        self, game: Game, language: str, edition: str, text: Manuscript, glyphs: frozenset[int]
    ) -> None:
        self.game, self.language, self.edition, self.text = game, language, edition, text
        self.words = words(game, language)
        self.head_lines: dict[str, int] = {}
        self.matter = Matter(
            tuple(game.icons), game.emoji, self.words, glyphs, Outline(), {}, text.fragments
        )

    def book(self, format_: Format) -> tuple[Book, list[Problem]]:
        """The book on pages of a format, and its problems at their lines."""
        front, body = self._front()
        tokens = parser().parse(body)
        self.matter.lines = body.split("\n")
        if self.edition != "designer":
            tokens = without_designer(tokens)
        tokens, self.matter.notes = _notes(tokens)
        game_title = self.game.title[self.language]
        tokens, self.matter.outline = outline(
            tokens, game_title, front.title, front.numbered, self._tell
        )
        reader = Reader(self.game, self.language, lambda _, message: None, known=self.text.known)
        writer = self.writer(self.matter, self.game, format_, reader)
        writer.gather(tokens)
        html = writer.write(tokens)
        html = self._head(front, writer) + f"<main>{html}</main>"
        if self.matter.terms and front.index and not writer.with_index:
            html += writer.index()
        writer.take_icons(html)
        title = spoken(self.matter.outline.title)
        headings = "".join(heading.text for heading in self.matter.outline.headings.values())
        made = Book(
            self.language, self.edition, format_, title, html, self.matter.index,
            tuple(writer.faces), tuple(writer.faces.values()), tuple(writer.art.values()),
            writer.summaries, f"{title}{headings}",
        )  # fmt: skip
        return made, self._problems()

    def _tell(self, line: int, message: str, severity: str) -> None:
        self.matter.tell(message, "reference", severity, line)

    def _problems(self) -> list[Problem]:
        found = []
        for line, message, kind, severity in self.matter.problems:
            level: Severity = "error" if severity == "error" else "warning"
            first = re.fullmatch(r"(.*), first ([0-9]{1,9})", message)
            # A line of the text becomes one of the source.
            said = (
                f"{first[1]}, first on line {self.text.source(int(first[2])).line}"
                if first
                else message
            )
            found.append(Problem(self.text.source(line), said, kind, level))
        return found

    def _front(self) -> tuple[_Front, str]:
        """The front matter, and the text with its lines emptied."""
        match = _FRONT.match(self.text.text)
        node, problems = yamlnodes.load(match[1], "front") if match else (None, [])
        if match is None or node is None or not node.is_mapping:
            return _Front(), self.text.text
        for problem in problems:
            self.matter.tell(problem.message, "yaml", problem.severity, problem.source.line)
        front = _Front()
        for key, child in node.items():
            line = child.source.line
            self.head_lines[key] = line
            if key not in _FRONT_KEYS:
                hint = did_you_mean(key, _FRONT_KEYS)
                self.matter.tell(f"the book's head knows no '{key}'{hint}", "fields", line=line)
            elif key in ("numbered", "toc", "index") and child.flag is not None:
                front = _with(front, key, child.flag)
            elif key == "cover":
                front = _with(front, key, child)
            elif key in ("title", "subtitle") and isinstance(child.value, str | int | float):
                front = _with(front, key, child.text)
            elif key != "language":
                asked = "true or false" if key in ("numbered", "toc", "index") else "words"
                self.matter.tell(f"{key} is {child.describe()}; it is {asked}", "type", line=line)
        blank = "\n" * match[0].count("\n")
        return front, blank + self.text.text[match.end() :]

    def _head(self, front: _Front, writer: Writer) -> str:
        """The title block, with the cover's picture, and the contents if nothing says where."""
        parts = [f'<h1 class="title">{writer.words(self.matter.outline.title)}</h1>']
        if front.subtitle:
            parts.append(f'<p class="subtitle">{writer.words(front.subtitle)}</p>')
        designers = self.words["designers_edition"] if self.edition == "designer" else ""
        edition = f"{self.words['edition']} {self.game.edition}" if self.game.edition else ""
        said = " · ".join(part for part in (designers, edition, self.game.date) if part)
        parts.append(f'<p class="imprint">{escape(said)}</p>')
        cover = self._cover(front, writer)
        enough = len(self.matter.outline.headings) >= _ENOUGH_HEADINGS
        wanted = front.toc if front.toc is not None else enough
        contents = writer.contents() if wanted and not writer.with_contents else ""
        return f'<header class="cover">{cover}{"".join(parts)}</header>{contents}'

    def _cover(self, front: _Front, writer: Writer) -> str:
        if front.cover is None:
            return ""
        self.matter.line = self.head_lines["cover"]
        return f'<div class="cover-figure">{writer.cover(front.cover)}</div>'


def _with(front: _Front, key: str, value: Any) -> _Front:
    return replace(front, **{key: value})


def _notes(tokens: list[Token]) -> tuple[list[Token], dict[int, list[Token]]]:
    """The tokens less the footnotes at their end, and the tokens of each footnote."""
    kept: list[Token] = []
    notes: dict[int, list[Token]] = {}
    inside = False
    current: list[Token] = []
    for token in tokens:
        if token.type in ("footnote_block_open", "footnote_block_close"):
            inside = token.nesting > 0
        elif not inside:
            kept.append(token)
        elif token.type == "footnote_open":
            current = notes.setdefault(int(token.meta.get("id", -1)), [])
        elif token.type != "footnote_anchor":
            current.append(token)
    return kept, notes
