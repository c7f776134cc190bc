"""Written rulebooks: the front matter, and the editions of each language on each page size."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import PurePosixPath
from typing import Any

from markdown_it.token import Token
from markupsafe import escape

from cardgen.book import covers, manuscript
from cardgen.book.block_renderer import BlockRenderer, drop_designer_boxes, parse_box
from cardgen.book.book_outline import BookOutline, build_outline
from cardgen.book.figure_reader import FigureReader
from cardgen.book.inline_renderer import WriterContext
from cardgen.book.lost_text import find_lost_text
from cardgen.book.manuscript import RULEBOOK_FOLDER, Manuscript
from cardgen.book.markdown_parser import format_spoken_text, make_parser
from cardgen.book.model import (
    EDITIONS,
    PAGE_FORMATS,
    Book,
    BookSelection,
    PageFormat,
    WrittenBooks,
    get_book_words,
    name_book,
)
from cardgen.core import yaml_nodes
from cardgen.core.problems import Problem, Severity, Source, did_you_mean
from cardgen.core.yaml_nodes import Node
from cardgen.game.face_facts import NO_FACE_FACTS, FaceFactsSource
from cardgen.game.model import COVER_FACTS, Game
from cardgen.runtime import game_files

_FRONT_MATTER_PATTERN = re.compile(
    r"(?:---[ \t]*\n(.*?\n)(?:---|\.\.\.)|\+\+\+[ \t]*\n.*?\n\+\+\+)[ \t]*(?:\n|\Z)", re.DOTALL
)
_KEY_PATTERN = re.compile(r"\s*[A-Za-z_]\w*:(?:\s|\Z)")
_OPEN_HEAD_PATTERN = re.compile(r"---[ \t]*\n(?:[A-Za-z_]\w*:(?:[ \t][^\n]*)?(?:\n|\Z))+")
_FLAG_KEYS = ("numbered", "toc", "index")
_TEXT_KEYS = ("title", "subtitle", "paper")
_FRONT_MATTER_KEYS = (*_TEXT_KEYS, "cover", "facts", "chapters", *_FLAG_KEYS, "language")
_HEX_COLOUR_PATTERN = re.compile(r"#[0-9a-f]{6}\Z")
ReportFrontMatter = Callable[[str, str, str, int], None]
"""Called with a message, its kind, its severity and its line (from 1)."""


@dataclass(frozen=True)
class FrontMatter:
    """Front matter of a book. `lines` are the lines of its keys, from 1; `chapters` is the folder
    of the chapters' pictures, "" for none."""

    title: str = ""
    subtitle: str = ""
    cover: Node | None = None
    paper: str = ""
    facts: Mapping[str, str] = field(default_factory=dict)
    chapters: str = ""
    numbered: bool | None = None
    toc: bool | None = None
    index: bool = True
    lines: Mapping[str, int] = field(default_factory=dict)


def read_front_matter(
    text: str, colours: Mapping[str, str], report: ReportFrontMatter
) -> tuple[FrontMatter, str]:
    """Return the front matter, and the text with the lines of the front matter emptied."""
    match = _FRONT_MATTER_PATTERN.match(text)
    if match is None or match[0].startswith("+++"):
        return FrontMatter(), _report_foreign_head(text, match, report)
    node, problems = yaml_nodes.load(match[1], "front")
    is_broken = node is None and _KEY_PATTERN.match(match[1]) is not None
    if not is_broken and (node is None or not node.is_mapping):
        return FrontMatter(), text
    for problem in problems:
        line = problem.source.line  # the line in the manuscript, from 0, after the first ---
        report(problem.message, "yaml", problem.severity, line)
    if node is None:
        return FrontMatter(), _blank_head(text, match)
    values: dict[str, Any] = {"lines": {key: child.source.line for key, child in node.items()}}
    for key, child in node.items():
        value = _read_value(key, child, colours, report)
        if value is not None:
            values[key] = value
    return replace(FrontMatter(), **values), _blank_head(text, match)


def _blank_head(text: str, match: re.Match[str]) -> str:
    return "\n" * match[0].count("\n") + text[match.end() :]


def _report_foreign_head(text: str, match: re.Match[str] | None, report: ReportFrontMatter) -> str:
    """Report a head in TOML or without an end; return the text with its lines emptied."""
    match = match or _OPEN_HEAD_PATTERN.match(text)
    if match is None:
        return text
    message = "the head of the book is not closed; write --- on a line of its own below it"
    if match[0].startswith("+++"):
        message = "a head between +++ is not read; write --- for +++, and title: … for title = …"
    report(message, "yaml", "error", 0)
    return _blank_head(text, match)


def _read_value(
    key: str, child: Node, colours: Mapping[str, str], report: ReportFrontMatter
) -> Any:
    """Return the value of a key, or None if it is wrong (reported) or empty."""
    line = child.source.line
    if key not in _FRONT_MATTER_KEYS:
        report(
            f"unknown key '{key}'{did_you_mean(key, _FRONT_MATTER_KEYS)}",
            "fields",
            "warning",
            line,
        )
    elif key in _FLAG_KEYS:
        if child.boolean is None:
            report(f"{key} is {child.describe()}; expected true or false", "type", "warning", line)
        return child.boolean
    elif key == "cover":
        return child
    elif key in ("facts", "chapters"):
        return _read_mapping(key, child, report)
    elif key in _TEXT_KEYS:
        if not isinstance(child.value, str | int | float):
            report(f"{key} is {child.describe()}; expected text", "type", "warning", line)
            return None
        return _read_paper_colour(child, colours, report) if key == "paper" else child.text
    return None


def _read_mapping(key: str, child: Node, report: ReportFrontMatter) -> Any:
    """Read `facts: {players: 2–4}`, or the folder in `chapters: {pictures: art/chapters}`."""
    allowed = COVER_FACTS if key == "facts" else ("pictures",)
    if not child.is_mapping:
        message = f"{key} is {child.describe()}; write {key}: {{{allowed[0]}: …}}"
        report(message, "type", "warning", child.source.line)
        return None
    values = {}
    for name, value in child.items():
        if name in allowed and isinstance(value.value, str | int | float):
            values[name] = value.text
        else:
            message = f"{key} knows no '{name}'{did_you_mean(name, allowed)}"
            if name in allowed:
                message = f"{name} is {value.describe()}; expected text"
            report(message, "fields", "warning", value.source.line)
    folder = PurePosixPath(values.get("pictures", "art"))
    if folder.parts[:1] != ("art",) or ".." in folder.parts:
        report(
            f"{folder} is not a folder of art/, such as art/chapters",
            "art",
            "warning",
            child.source.line,
        )
        return None
    return values if key == "facts" else values.get("pictures")


def _read_paper_colour(
    child: Node, colours: Mapping[str, str], report: ReportFrontMatter
) -> str | None:
    value = colours.get(child.text, child.text.lower())
    if _HEX_COLOUR_PATTERN.match(value):
        return value
    message = f'paper is {child.describe()}; it is a colour, "#f6efe0" in quotes, or one of '
    report(f"{message}game.yaml's", "type", "warning", child.source.line)
    return None


_MIN_CONTENTS_HEADINGS = 4
_SUMMARY_PATTERN = re.compile(r'<section[^>]* class="box summary')


def _name_manuscript_file(language: str) -> str:
    return f"{RULEBOOK_FOLDER}/{language}.md"


def write_books(
    game: Game,
    selection: BookSelection,
    glyphs: frozenset[int],
    face_facts: FaceFactsSource = NO_FACE_FACTS,
) -> WrittenBooks:
    """Write the selected books. `glyphs` are the code points that the game's fonts have.

    A game without a folder rulebook/ has no books; a missing language is reported.
    """
    result = WrittenBooks()
    if not game_files.list_files(game.root, RULEBOOK_FOLDER, ".md", deep=False):
        return result
    for language in selection.languages:
        if not game_files.has_entry(game.root, _name_manuscript_file(language)):
            message = f"there is no rulebook in '{language}'; write this file to have one"
            source = Source(_name_manuscript_file(language))
            result.problems.append(Problem(source, message, "book", "warning"))
            continue
        for edition in EDITIONS:
            formats = [
                format_
                for format_ in PAGE_FORMATS.values()
                if not selection.names or name_book(edition, format_.name) in selection.names
            ]
            if not formats:
                continue
            text, problems = manuscript.read_manuscript(
                game, language, edition == "designer", face_facts
            )
            result.problems += problems
            if text is None:
                continue
            for format_ in formats:
                writer = BookWriter(game, language, edition, text, glyphs)
                book, problems = writer.write_book(format_)
                result.books.append(book)
                result.problems += problems
    return result


class BookWriter:
    """Writes one edition of the book. Subclasses may set another renderer."""

    writer_class: type[BlockRenderer] = BlockRenderer

    def __init__(
        self, game: Game, language: str, edition: str, text: Manuscript, glyphs: frozenset[int]
    ) -> None:
        self.game, self.language, self.edition, self.text = game, language, edition, text
        self.words = get_book_words(game, language)
        self.context = WriterContext(
            tuple(game.icons),
            game.emoji,
            self.words,
            glyphs,
            BookOutline(),
            {},
            text.chart_fragments,
            classes=manuscript.list_style_classes(game.root),
        )

    def write_book(self, format_: PageFormat) -> tuple[Book, list[Problem]]:
        """Return the book on pages of a format, and its problems at their source lines."""
        head, body = read_front_matter(self.text.text, self.game.colours, self._report_front_matter)
        parsed: dict[str, Any] = {}
        tokens = make_parser().parse(body, parsed)
        self.context.lines = body.split("\n")
        for lost in find_lost_text(tokens, self.context.lines, parsed, self.context.classes):
            self.context.report_problem(lost[1], lost[2], line=lost[0])
        if self.edition != "designer":
            tokens = drop_designer_boxes(tokens)
        tokens, self.context.notes = _separate_footnotes(tokens)
        game_title = self.game.title[self.language]
        tokens, self.context.outline = build_outline(
            tokens, game_title, head.title, head.numbered, self._report_reference
        )
        reader = FigureReader(
            self.game, self.language, lambda _, message: None, face_facts=self.text.face_facts
        )
        writer = self.writer_class(self.context, self.game, format_, reader)
        writer.chapter_pictures = head.chapters
        writer.gather_figures(tokens)
        body, back = self._render_body(head, writer, tokens)
        html = self._render_head(head, writer) + body
        writer.note_icon_art(html)
        title = format_spoken_text(self.context.outline.title)
        headings = "".join(heading.text for heading in self.context.outline.headings.values())
        book = Book(
            self.language, self.edition, format_, title, html, self.context.build_index,
            tuple(writer.faces), tuple(writer.faces.values()), tuple(writer.art.values()),
            writer.summary_count, f"{title}{headings}", head.paper, back,
        )  # fmt: skip
        return book, self._list_problems()

    def _report_reference(self, line: int, message: str, severity: str) -> None:
        self.context.report_problem(message, "reference", severity, line)

    def _report_front_matter(self, message: str, kind: str, severity: str, line: int) -> None:
        self.context.report_problem(message, kind, severity, line)

    def _list_problems(self) -> list[Problem]:
        problems = []
        for line, message, kind, severity in self.context.problems:
            level: Severity = "error" if severity == "error" else "warning"
            first = re.fullmatch(r"(.*), first ([0-9]{1,9})", message)
            # The message names a line of the filled-in text; the source line replaces it.
            text = (
                f"{first[1]}, first on line {self.text.locate_line(int(first[2])).line}"
                if first
                else message
            )
            problems.append(Problem(self.text.locate_line(line), text, kind, level))
        return problems

    def _render_head(self, head: FrontMatter, writer: BlockRenderer) -> str:
        """Return the cover or the title block, and the contents unless the text places them."""
        titles = [f'<h1 class="title">{writer.render_words(self.context.outline.title)}</h1>']
        if head.subtitle:
            titles.append(f'<p class="subtitle">{writer.render_words(head.subtitle)}</p>')
        designers = self.words["designers_edition"] if self.edition == "designer" else ""
        edition = f"{self.words['edition']} {self.game.edition}" if self.game.edition else ""
        imprint_text = " · ".join(part for part in (designers, edition, self.game.date) if part)
        game_facts = {name: text[self.language] for name, text in self.game.facts.items()}
        facts = {name: game_facts[name] for name in COVER_FACTS if name in game_facts} | dict(
            head.facts
        )
        foot = (
            f'{covers.render_facts(facts, self.words)}<p class="imprint">{escape(imprint_text)}</p>'
        )
        self.context.line = head.lines.get("cover", 0)
        picture = writer.render_cover_picture(head.cover) if head.cover else ""
        first = f'<header class="cover">{"".join(titles)}{foot}</header>'
        if picture:
            first = covers.render_cover(picture, "".join(titles), foot, writer.format)
        enough = len(self.context.outline.headings) >= _MIN_CONTENTS_HEADINGS
        has_contents = head.toc if head.toc is not None else enough
        contents = writer.render_contents() if has_contents and not writer.has_contents else ""
        return first + contents

    def _render_body(
        self, head: FrontMatter, writer: BlockRenderer, tokens: list[Token]
    ) -> tuple[str, bool]:
        """Return all but the head, and whether a summary ends the book.

        Such a summary is the back cover and comes behind the index.
        """
        html = writer.render_body(tokens)
        index = ""
        if self.context.terms and head.index and not writer.has_index:
            index = writer.place_index()
        if not _has_final_summary(tokens):
            return f"<main>{html}</main>{index}", False
        cut = [match.start() for match in _SUMMARY_PATTERN.finditer(html)][-1]
        if not index:
            return f"<main>{html}</main>", True
        return f"<main>{html[:cut]}</main>{index}<main>{html[cut:]}</main>", True


def _has_final_summary(tokens: list[Token]) -> bool:
    """Tell whether the last element of a book is a summary outside other boxes."""
    opened = [token for token in tokens if token.type == "container_box_open" and not token.level]
    return bool(
        opened
        and tokens[-1].type == "container_box_close"
        and not tokens[-1].level
        and parse_box(opened[-1])[0] == "summary"
    )


def _separate_footnotes(tokens: list[Token]) -> tuple[list[Token], dict[int, list[Token]]]:
    """Return the tokens without the footnotes at their end, and the tokens of each footnote."""
    remaining: list[Token] = []
    notes: dict[int, list[Token]] = {}
    inside = False
    current: list[Token] = []
    for token in tokens:
        if token.type in ("footnote_block_open", "footnote_block_close"):
            inside = token.nesting > 0
        elif not inside:
            remaining.append(token)
        elif token.type == "footnote_open":
            current = notes.setdefault(int(token.meta.get("id", -1)), [])
        elif token.type != "footnote_anchor":
            current.append(token)
    return remaining, notes
