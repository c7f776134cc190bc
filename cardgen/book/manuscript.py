"""Rulebook files with their Jinja filled in; every line keeps its source line.

Before rendering, each line gets a mark of control characters that no text may hold. The marks are
removed afterwards, so that loops, conditions and macros may move lines.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from html import unescape
from pathlib import Path
from typing import Any

from jinja2 import TemplateNotFound
from jinja2.exceptions import TemplateSyntaxError, UndefinedError

from cardgen.book.model import format_figure
from cardgen.book.rulebook_context import RulebookContext
from cardgen.core import work_limits
from cardgen.core.problems import Problem, Source
from cardgen.core.work_limits import LimitExceededError
from cardgen.game.card_text import CardText
from cardgen.game.face_facts import NO_FACE_FACTS, FaceFactsSource
from cardgen.game.markup import PROTECTED, protect_escapes
from cardgen.game.model import Game
from cardgen.game.number_formats import get_decimal_sign
from cardgen.game.problem_scope import BOOKS_FOLDER
from cardgen.runtime import game_files
from cardgen.templates import jinja_files
from cardgen.templates.expression_messages import check_printable, explain_syntax
from cardgen.templates.expressions import EvaluationError
from cardgen.templates.sandbox import DECIMAL_POINT_MARK, TEMPLATE_ERRORS, Sandbox

RULEBOOK_FOLDER = BOOKS_FOLDER
BOOK_STYLE_FILE = f"{RULEBOOK_FOLDER}/book.css"
MAX_MANUSCRIPT_CHARACTERS = 600_000
"""Limit of a book's length with its Jinja filled in; about 250 pages of A4."""
_MAX_MISTAKES = 40
_JINJA_PATTERN = re.compile(r"\{\{.*?(?:\}\}|\Z)|\{%.*?(?:%\}|\Z)|\{##.*?(?:##\}|\Z)", re.DOTALL)
_LINE_MARK_PATTERN = re.compile("\x02([0-9]{1,7})\x03")
_FENCE_PATTERN = re.compile(r"\s*(?:```|~~~)\s*(figure\b)?")
# Control characters are used as marks; HTML has no use for them either.
_CLASS_PATTERN = re.compile(r"\.([A-Za-z_][\w-]*)")
_CONTROL_PATTERN = re.compile(r"[\x00-\x08\x0b-\x1f\x7f]")
_WINDOWS_REFERENCE_PATTERN = re.compile(r"&#(?:1(?:2[89]|[345][0-9])|[xX][89][0-9a-fA-F]);")
"""Character references by the numbers of Windows-1252, which browsers understand: `&#150;`."""
# Control characters in printed values, except the marks of lines, charts and decimal points.
_FOREIGN_CONTROL_PATTERN = re.compile(
    "(\x02[0-9]{1,7}\x03|\x04[0-9]{1,6}\x05|\x1f)|[\x00-\x08\x0b-\x1f\x7f]"
)
_MARKDOWN_ENTITIES = {c: f"&#{ord(c)};" for c in "&<>|_[]`~#\\$"} | {
    kept: f"&#{ord(sign)};" for kept, sign in PROTECTED.items()
}
_RECURSION_MESSAGE = "it calls itself without end"


@dataclass(frozen=True)
class Manuscript:
    r"""Markdown with its Jinja filled in. `lines[i]` is the source line of its line i, from 0.

    "\x04number\x05" in the Markdown stands for the ready HTML of a chart in `chart_fragments`.
    """

    path: str
    text: str
    lines: tuple[int, ...]
    chart_fragments: tuple[str, ...]
    face_facts: FaceFactsSource = NO_FACE_FACTS

    def locate_line(self, line: int) -> Source:
        """Return the source of line `line` (from 0) of the text."""
        known = self.lines[min(max(line, 0), len(self.lines) - 1)] if self.lines else 0
        return Source(self.path, known)


def read_manuscript(
    game: Game, language: str, designer: bool, face_facts: FaceFactsSource = NO_FACE_FACTS
) -> tuple[Manuscript | None, list[Problem]]:
    """Return the rulebook of a language with its problems; None if it cannot be filled in."""
    path = f"{RULEBOOK_FOLDER}/{language}.md"
    text, error = game_files.read_text(game.root, path)
    if error:
        return None, [Problem(Source(path), f"the file {error}", "file")]
    text = _CONTROL_PATTERN.sub(
        "", text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    )
    text = _WINDOWS_REFERENCE_PATTERN.sub(lambda match: unescape(match[0]), text)
    offers = RulebookContext(game, language, designer, face_facts)
    filled, problems = _fill_in(text, path, offers)
    if filled is None:
        return None, problems
    if len(filled) > MAX_MANUSCRIPT_CHARACTERS:
        message = f"the book has {len(filled)} letters; {MAX_MANUSCRIPT_CHARACTERS} are the most"
        return None, [*problems, Problem(Source(path), message, "book")]
    rendered, lines = _remove_line_marks(filled, get_decimal_sign(language))
    return Manuscript(path, rendered, lines, tuple(offers.fragments), face_facts), problems


def list_style_classes(root: Path) -> frozenset[str]:
    """Return the classes that the game's own stylesheet of its books has rules for."""
    if not game_files.has_entry(root, BOOK_STYLE_FILE):
        return frozenset()
    return frozenset(_CLASS_PATTERN.findall(game_files.read_text(root, BOOK_STYLE_FILE)[0]))


def _fill_in(text: str, path: str, offers: RulebookContext) -> tuple[str | None, list[Problem]]:
    """Fill in the Jinja. It stops at the first mistake, so that expression is removed and the rest
    tried again."""
    problems: list[Problem] = []
    try:
        with work_limits.work_limit(f"{path}: expressions"):
            while len(problems) < _MAX_MISTAKES:
                offers.fragments.clear()
                rendered, problem = _render_jinja(text, path, offers)
                if problem is None:
                    return rendered, problems
                problems.append(problem)
                text, changed = _remove_expressions(text, problem.source.line)
                if not changed:
                    break
    except LimitExceededError as error:
        problems.append(Problem(Source(path), str(error), "expression"))
    return None, problems


def _render_jinja(
    text: str, path: str, offers: RulebookContext
) -> tuple[str, None] | tuple[str, Problem]:
    environment = _make_environment(_mark_lines(text), path)
    try:
        return environment.get_template(path).render(offers.names), None
    except TemplateNotFound as error:
        message = f"'{error.message}' is not read; a rulebook is one file"
        return "", Problem(jinja_files.find_error_line(error, path, path), message, "expression")
    except TemplateSyntaxError as error:
        message = explain_syntax(str(error.message), environment.filter_and_test_names)
        return "", Problem(Source(path, error.lineno), message, "expression")
    except (*TEMPLATE_ERRORS, EvaluationError) as error:
        message = jinja_files.explain_error(error, offers.names, _RECURSION_MESSAGE)
        if isinstance(error, UndefinedError) and message.endswith("is undefined"):
            message += (
                "; to print the braces themselves, write {% raw %} … {% endraw %} around them"
            )
        return "", Problem(jinja_files.find_error_line(error, path, path), message, "expression")


def _make_environment(text: str, path: str) -> Sandbox:
    def read_include(name: str) -> tuple[str, str]:
        if name != path:
            raise TemplateNotFound(name)
        return text, path

    return jinja_files.make_environment(
        read_include, finalize=_format_value, comment_start_string="{##", comment_end_string="##}"
    )


def _format_value(value: Any) -> Any:
    """Format a value as Markdown: a card's text keeps bold, italics and icons, and nothing else."""
    value = check_printable(value)
    if isinstance(value, CardText):
        safe = "".join(
            _MARKDOWN_ENTITIES.get(letter, letter)
            for letter in protect_escapes(str(value).rstrip("\n"))
        )
        return safe.replace("\n", "<br>")
    if isinstance(value, float):
        return format_figure(value).replace(".", DECIMAL_POINT_MARK)
    return _FOREIGN_CONTROL_PATTERN.sub(r"\1", value) if isinstance(value, str) else value


def _remove_expressions(text: str, line: int) -> tuple[str, bool]:
    """Return the text without the expressions on a line, with their line breaks."""
    changed = False

    def blank_expression(match: re.Match[str]) -> str:
        nonlocal changed
        first = text.count("\n", 0, match.start()) + 1
        if match[0].startswith("{{") and first <= line <= first + match[0].count("\n"):
            changed = True
            return "{##" + re.sub(r"[^\n]", "", match[0]) + "##}"
        return match[0]

    return _JINJA_PATTERN.sub(blank_expression, text), changed


def _mark_lines(text: str) -> str:
    """Return the text with a mark at the beginning of every line outside Jinja's brackets."""
    inside = [(match.start(), match.end()) for match in _JINJA_PATTERN.finditer(text)]
    pieces: list[str] = []
    position, bracket = 0, 0
    for count, line in enumerate(text.split("\n"), start=1):
        while bracket < len(inside) and inside[bracket][1] <= position:
            bracket += 1
        within = bracket < len(inside) and inside[bracket][0] < position
        pieces.append(line if within else _add_line_mark(line, count))
        position += len(line) + 1
    return "\n".join(pieces)


def _add_line_mark(line: str, count: int) -> str:
    """Put the mark behind Jinja blocks at a line's beginning, since Jinja removes such lines."""
    head = re.match(r"\s*(?:\{%.*?%\}\s*|\{##.*?##\}\s*)*", line)
    assert head is not None  # it may match nothing
    if not head[0].strip():
        return f"\x02{count}\x03{line}"
    rest = line[head.end() :]
    return f"{head[0]}\x02{count}\x03{rest}" if rest else line


def _remove_line_marks(text: str, point: str) -> tuple[str, tuple[int, ...]]:
    """Return the text without its marks, and the source line of each line."""
    lines: list[int] = []
    clean: list[str] = []
    last, figure = 1, False
    for marked in text.split("\n"):
        marks = _LINE_MARK_PATTERN.findall(marked)
        lines.append(int(marks[0]) if marks else last)
        last = int(marks[-1]) if marks else last
        line = _LINE_MARK_PATTERN.sub("", marked)
        fence = _FENCE_PATTERN.match(line)
        figure = bool(fence) and (bool(fence[1]) and not figure) if fence else figure
        clean.append(line.replace(DECIMAL_POINT_MARK, "." if figure else point))
    return "\n".join(clean), tuple(lines)
