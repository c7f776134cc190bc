"""A game's rulebooks written: both editions of every language, on every page size."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from markdown_it.token import Token
from markupsafe import escape

from cardgen.base import paths
from cardgen.base.problems import Problem, Severity, Source
from cardgen.book import covers, front, manuscript
from cardgen.book.figures import Reader
from cardgen.book.front import Front
from cardgen.book.headings import Outline, outline
from cardgen.book.html import Writer, box_of, without_designer
from cardgen.book.inline import Matter
from cardgen.book.manuscript import FOLDER, Manuscript
from cardgen.book.markdown import parser, spoken
from cardgen.book.model import EDITIONS, FORMATS, Book, Format
from cardgen.book.words import words
from cardgen.game.face_facts import NOTHING, Known
from cardgen.game.model import FACTS, Game

_ENOUGH_HEADINGS = 4
_SUMMARY = re.compile(r'<section[^>]* class="box summary')


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


def languages(game: Game) -> tuple[str, ...]:
    """The game's languages in which there is a rulebook."""
    return tuple(code for code in game.languages if paths.there(game.root, _file(code)))


def _file(language: str) -> str:
    return f"{FOLDER}/{language}.md"


def write(game: Game, wanted: Selection, glyphs: frozenset[int], known: Known = NOTHING) -> Books:
    """The books that are meant. `glyphs` are the characters that the game's fonts have, `known` is
    what its faces tell of themselves.

    A game without a folder rulebook/ has none; one that lacks a language is told so.
    """
    result = Books()
    if not paths.listed(game.root, FOLDER, ".md", deep=False):
        return result
    for language in wanted.languages:
        if not paths.there(game.root, _file(language)):
            message = f"there is no rulebook in '{language}'"
            source = Source(_file(language))
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
        self.matter = Matter(
            tuple(game.icons), game.emoji, self.words, glyphs, Outline(), {}, text.fragments
        )

    def book(self, format_: Format) -> tuple[Book, list[Problem]]:
        """The book on pages of a format, and its problems at their lines."""
        head, body = front.read(self.text.text, self.game.colours, self._tell_of_head)
        tokens = parser().parse(body)
        self.matter.lines = body.split("\n")
        if self.edition != "designer":
            tokens = without_designer(tokens)
        tokens, self.matter.notes = _notes(tokens)
        game_title = self.game.title[self.language]
        tokens, self.matter.outline = outline(
            tokens, game_title, head.title, head.numbered, self._tell
        )
        reader = Reader(self.game, self.language, lambda _, message: None, known=self.text.known)
        writer = self.writer(self.matter, self.game, format_, reader)
        writer.pictures = head.chapters
        writer.gather(tokens)
        body, back = self._body(head, writer, tokens)
        html = self._head(head, writer) + body
        writer.take_icons(html)
        title = spoken(self.matter.outline.title)
        headings = "".join(heading.text for heading in self.matter.outline.headings.values())
        made = Book(
            self.language, self.edition, format_, title, html, self.matter.index,
            tuple(writer.faces), tuple(writer.faces.values()), tuple(writer.art.values()),
            writer.summaries, f"{title}{headings}", head.paper, back,
        )  # fmt: skip
        return made, self._problems()

    def _tell(self, line: int, message: str, severity: str) -> None:
        self.matter.tell(message, "reference", severity, line)

    def _tell_of_head(self, message: str, kind: str, severity: str, line: int) -> None:
        self.matter.tell(message, kind, severity, line)

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

    def _head(self, head: Front, writer: Writer) -> str:
        """The cover, or the title block, and the contents if nothing says where."""
        titles = [f'<h1 class="title">{writer.words(self.matter.outline.title)}</h1>']
        if head.subtitle:
            titles.append(f'<p class="subtitle">{writer.words(head.subtitle)}</p>')
        designers = self.words["designers_edition"] if self.edition == "designer" else ""
        edition = f"{self.words['edition']} {self.game.edition}" if self.game.edition else ""
        said = " · ".join(part for part in (designers, edition, self.game.date) if part)
        own = {name: text[self.language] for name, text in self.game.facts.items()}
        told = {name: own[name] for name in FACTS if name in own} | dict(head.facts)
        foot = f'{covers.facts(told, self.words)}<p class="imprint">{escape(said)}</p>'
        self.matter.line = head.lines.get("cover", 0)
        picture = writer.cover(head.cover) if head.cover else ""
        first = f'<header class="cover">{"".join(titles)}{foot}</header>'
        if picture:
            first = covers.cover(picture, "".join(titles), foot, writer.format)
        enough = len(self.matter.outline.headings) >= _ENOUGH_HEADINGS
        wanted = head.toc if head.toc is not None else enough
        contents = writer.contents() if wanted and not writer.with_contents else ""
        return first + contents

    def _body(self, head: Front, writer: Writer, tokens: list[Token]) -> tuple[str, bool]:
        """All but the head, and whether it ends with a summary, which then stands behind the
        index: the back cover."""
        html = writer.write(tokens)
        index = ""
        if self.matter.terms and head.index and not writer.with_index:
            index = writer.index()
        if not _ends_with_summary(tokens):
            return f"<main>{html}</main>{index}", False
        cut = [found.start() for found in _SUMMARY.finditer(html)][-1]
        if not index:
            return f"<main>{html}</main>", True
        return f"<main>{html[:cut]}</main>{index}<main>{html[cut:]}</main>", True


def _ends_with_summary(tokens: list[Token]) -> bool:
    """Whether a box that is a summary is the last thing of a book, and by itself."""
    opened = [token for token in tokens if token.type == "container_box_open" and not token.level]
    return bool(
        opened
        and tokens[-1].type == "container_box_close"
        and not tokens[-1].level
        and box_of(opened[-1])[0] == "summary"
    )


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
