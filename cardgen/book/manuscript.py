"""A rulebook's file read and its Jinja filled in; every line still knows its source line.

Before rendering, each line gets a mark in control characters that no text holds, taken out again
afterwards: loops, conditions and macros may move lines as they like.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from jinja2 import TemplateNotFound
from jinja2.exceptions import TemplateSyntaxError

from cardgen.base import guard, paths
from cardgen.base.guard import Stopped
from cardgen.base.problems import Problem, Source
from cardgen.book.names import Offers
from cardgen.book.words import number
from cardgen.game.face_facts import NOTHING, Known
from cardgen.game.model import Game
from cardgen.game.scope import BOOKS
from cardgen.game.signs import HELD, held
from cardgen.game.texts import CardText
from cardgen.templates import filling
from cardgen.templates.expressions import CannotEvaluate
from cardgen.templates.sandbox import FAILURES, Sandbox
from cardgen.templates.syntax import explained
from cardgen.templates.wording import printed
from cardgen.words.languages import decimal_sign

FOLDER = BOOKS
MAX_LENGTH = 600_000
"""Letters of a book once its Jinja is filled in; some 250 pages of A4."""
_MOST_MISTAKES = 40
_JINJA = re.compile(r"\{\{.*?\}\}|\{%.*?%\}|\{##.*?##\}", re.DOTALL)
_POINT = "\x1f"
"""A decimal point until it is known whether it stands in a figure or is read by people."""
_MARK = re.compile("\x02([0-9]{1,7})\x03")
_FENCE = re.compile(r"\s*(?:```|~~~)\s*(figure\b)?")
# Control characters are ours to mark with; HTML has no use for them either.
_CONTROLS = re.compile(r"[\x00-\x08\x0b-\x1f\x7f]")
# In what Jinja prints, all but our own marks: of lines, of charts, of a decimal point.
_STRANGE = re.compile("(\x02[0-9]{1,7}\x03|\x04[0-9]{1,6}\x05|\x1f)|[\x00-\x08\x0b-\x1f\x7f]")
_ENTITIES = {c: f"&#{ord(c)};" for c in "&<>|_[]`~#\\$"} | {
    kept: f"&#{ord(sign)};" for kept, sign in HELD.items()
}
_ENDLESS = "it calls itself without end"


@dataclass(frozen=True)
class Manuscript:
    """Markdown with its Jinja filled in. `lines[i]` is the source line of its line i, from 0.

    `fragments` are ready HTML (charts) that the Markdown stands in for with "\\x04number\\x05", and
    `known` tells where the places of faces are.
    """

    path: str
    text: str
    lines: tuple[int, ...]
    fragments: tuple[str, ...]
    known: Known = NOTHING

    def source(self, line: int) -> Source:
        """Where line `line` (from 0) of the text came from."""
        known = self.lines[min(max(line, 0), len(self.lines) - 1)] if self.lines else 0
        return Source(self.path, known)


def read(
    game: Game, language: str, designer: bool, known: Known = NOTHING
) -> tuple[Manuscript | None, list[Problem]]:
    """The rulebook of a language, or None when it cannot be filled in; and what is wrong. `known`
    tells where the places of faces are."""
    path = f"{FOLDER}/{language}.md"
    text, why = paths.read_text(game.root, path)
    if why:
        return None, [Problem(Source(path), f"the file {why}", "file")]
    text = _CONTROLS.sub("", text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n"))
    offers = Offers(game, language, designer, known)
    filled, problems = _filled(text, path, offers)
    if filled is None:
        return None, problems
    if len(filled) > MAX_LENGTH:
        message = f"the book has {len(filled)} letters; {MAX_LENGTH} are the most"
        return None, [*problems, Problem(Source(path), message, "book")]
    rendered, lines = _unmarked(filled, decimal_sign(language))
    return Manuscript(path, rendered, lines, tuple(offers.fragments), known), problems


def _filled(text: str, path: str, offers: Offers) -> tuple[str | None, list[Problem]]:
    """Jinja stops at its first mistake; that expression is left out and the rest tried again."""
    problems: list[Problem] = []
    try:
        with guard.at(f"{path}: expressions"):
            while len(problems) < _MOST_MISTAKES:
                offers.fragments.clear()
                rendered, problem = _render(text, path, offers)
                if problem is None:
                    return rendered, problems
                problems.append(problem)
                text, changed = _without(text, problem.source.line)
                if not changed:
                    break
    except Stopped as error:
        problems.append(Problem(Source(path), str(error), "expression"))
    return None, problems


def _render(text: str, path: str, offers: Offers) -> tuple[str, None] | tuple[str, Problem]:
    environment = _environment(_marked(text), path)
    try:
        return environment.get_template(path).render(offers.names), None
    except TemplateNotFound as error:
        message = f"'{error.message}' is not read; a rulebook is one file"
        return "", Problem(filling.line_of(error, path, path), message, "expression")
    except TemplateSyntaxError as error:
        message = explained(str(error.message), environment.named)
        return "", Problem(Source(path, error.lineno), message, "expression")
    except (*FAILURES, CannotEvaluate) as error:
        message = filling.explained(error, offers.names, _ENDLESS)
        return "", Problem(filling.line_of(error, path, path), message, "expression")


def _environment(text: str, path: str) -> Sandbox:
    def read(name: str) -> tuple[str, str]:
        if name != path:
            raise TemplateNotFound(name)
        return text, path

    return filling.environment(
        read, finalize=_printed, comment_start_string="{##", comment_end_string="##}"
    )


def _printed(value: Any) -> Any:
    """A value as Markdown: a card's text keeps its bold, italics and icons, and nothing else."""
    value = printed(value)
    if isinstance(value, CardText):
        safe = "".join(_ENTITIES.get(letter, letter) for letter in held(str(value).rstrip("\n")))
        return safe.replace("\n", "<br>")
    if isinstance(value, float):
        return number(value).replace(".", _POINT)
    return _STRANGE.sub(r"\1", value) if isinstance(value, str) else value


def _without(text: str, line: int) -> tuple[str, bool]:
    """The text less the expressions that stand on a line, their line breaks kept."""
    changed = False

    def blank(match: re.Match[str]) -> str:
        nonlocal changed
        first = text.count("\n", 0, match.start()) + 1
        if match[0].startswith("{{") and first <= line <= first + match[0].count("\n"):
            changed = True
            return "{##" + re.sub(r"[^\n]", "", match[0]) + "##}"
        return match[0]

    return _JINJA.sub(blank, text), changed


def _marked(text: str) -> str:
    """The text with a mark at the beginning of every line that is outside Jinja's brackets."""
    inside = [(match.start(), match.end()) for match in _JINJA.finditer(text)]
    pieces: list[str] = []
    position, bracket = 0, 0
    for count, line in enumerate(text.split("\n"), start=1):
        while bracket < len(inside) and inside[bracket][1] <= position:
            bracket += 1
        within = bracket < len(inside) and inside[bracket][0] < position
        pieces.append(line if within else _with_mark(line, count))
        position += len(line) + 1
    return "\n".join(pieces)


def _with_mark(line: str, count: int) -> str:
    """Blocks at a line's beginning stay there: Jinja takes such lines out."""
    head = re.match(r"\s*(?:\{%.*?%\}\s*|\{##.*?##\}\s*)*", line)
    assert head is not None  # it may match nothing
    if not head[0].strip():
        return f"\x02{count}\x03{line}"
    rest = line[head.end() :]
    return f"{head[0]}\x02{count}\x03{rest}" if rest else line


def _unmarked(text: str, point: str) -> tuple[str, tuple[int, ...]]:
    """The text without its marks, and the source line of each of its lines."""
    lines: list[int] = []
    clean: list[str] = []
    last, figure = 1, False
    for marked in text.split("\n"):
        marks = _MARK.findall(marked)
        lines.append(int(marks[0]) if marks else last)
        last = int(marks[-1]) if marks else last
        line = _MARK.sub("", marked)
        fence = _FENCE.match(line)
        figure = bool(fence) and (bool(fence[1]) and not figure) if fence else figure
        clean.append(line.replace(_POINT, "." if figure else point))
    return "\n".join(clean), tuple(lines)
