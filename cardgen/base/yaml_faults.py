"""What is wrong with text that is no YAML, in the words of one who writes cards.

The parser tells where it could not go on, in words of its grammar. Most often that is a quote that
was left open, a colon without its space or a line indented otherwise than its neighbours, lines
above; what is none of these is told as the parser does, with a hint.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

import yaml

NEEDS_QUOTES = "; a text that begins with {} needs quotes"
# A value that begins with a sign of YAML's own, or goes on behind a bracket or quote.
_BEGINS_WRONG = re.compile(
    r"""(?:^\s*|:\s+|,\s+|-\s+|[\[{]\s*)
        (?:(?P<sign>[@%`*&!])
        |(?P<bracket>\{[^{}:,]*\}|\{\{|\[[^\[\]]*\])\s*[^\s,}\]\#:]
        |(?P<quote>"(?:[^"\\]|\\.)*"|'[^']*')\s+[^\s,}\]\#:])""",
    re.VERBOSE,
)
_ENTRY = re.compile(r"(?P<indent> *)(?P<dash>- +)?(?P<key>[\w.-]+):(?: +(?P<value>\S.*))?\s*\Z")
_OPENED = re.compile(r"""(?:[:,\[{]|-)\s+(?:"(?:[^"\\]|\\.)*\Z|'(?:[^']|'')*\Z)""")
_GLUED = re.compile(r" *(?:- +)?[\w.-]+:[^\s/]")
_SHORT = 40


def told(error: yaml.MarkedYAMLError, text: str) -> tuple[int, str]:
    """The line that is to be mended, and what is wrong there."""
    mark = error.problem_mark or error.context_mark
    line = mark.line + 1 if mark else 0
    what = (error.problem or error.context or "cannot be read").strip()
    start = error.context_mark.line + 1 if error.context and error.context_mark else line
    lines = text.splitlines()
    if line:
        found = _open_quote(lines, line) or _colon(what, lines, start) or _indent(what, lines, line)
        if found:
            return found
    where = f" {error.context} that begins on line {start}" if start != line else ""
    return line, f"{what}{where}{_hint(what, lines, line, start)}"


def _open_quote(lines: Sequence[str], line: int) -> tuple[int, str] | None:
    """A quote that swallowed the lines below it, up to the next one, where reading failed."""
    opened = 0
    for number, written in enumerate(lines[:line], start=1):
        if not opened:
            opened = number if _OPENED.search(written) else 0
            continue
        if lines[opened - 1].count('"') % 2 == 0 or '"' not in written:
            continue
        if number == line and any(map(_ENTRY.match, lines[opened:line])):
            break
        opened = 0
    ended = line >= len(lines)
    if opened and (line > opened or ended) and (ended or '"' in lines[line - 1]):
        return opened, "a quote is opened here and not closed"
    return None


def _colon(what: str, lines: Sequence[str], start: int) -> tuple[int, str] | None:
    """A line that has no `NAME: ` where one is asked for."""
    if "expected ':'" not in what or not 0 < start <= len(lines):
        return None
    written = lines[start - 1].strip()[:_SHORT]
    if not written or written[0] in "\"'{[|>&*!%@`":
        return None
    if _GLUED.match(lines[start - 1]):
        return start, f"'{written}' lacks a space after its colon"
    return start, f"'{written}' is no 'name: value'; a colon and a space are missing"


def _indent(what: str, lines: Sequence[str], line: int) -> tuple[int, str] | None:
    """A line that is indented otherwise than those above it."""
    here = _ENTRY.match(lines[line - 1]) if line <= len(lines) else None
    above = [match for match in map(_ENTRY.match, lines[: line - 1]) if match]
    if not here or not above:
        return None
    width, before = len(here["indent"]), above[-1]
    dashes = [len(match["indent"]) for match in above if match["dash"]]
    wrong = ""
    if before["value"] and ": " not in (here["value"] or "") and width > _content(before):
        wrong = "this line is indented more than the one above it, which ends there"
    elif "did not find expected" not in what:
        return None
    elif here["dash"] and dashes and width != dashes[-1]:
        wrong = f"this dash stands {_spaces(width)} in; the one before it, {dashes[-1]}"
    elif not here["dash"] and width not in {_content(match) for match in above}:
        wrong = f"this line is indented by {_spaces(width)}, as no line above it is"
    return (line, wrong) if wrong else None


def _content(entry: re.Match[str]) -> int:
    """How far the name of an entry stands in."""
    return len(entry["indent"]) + len(entry["dash"] or "")


def _spaces(count: int) -> str:
    return f"{count} space" if count == 1 else f"{count} spaces"


def _hint(what: str, lines: Sequence[str], line: int, start: int) -> str:
    if "mapping values are not allowed" in what:
        return "; a text with ': ' in it needs quotes"
    if "unknown escape" in what:
        return "; in double quotes a backslash is written twice, \\\\"
    if 0 < line <= len(lines) and lines[line - 1].lstrip(" ").startswith("\t"):
        return "; indent with spaces, not tabs"
    suspects = (lines[number - 1] for number in (line, start) if 0 < number <= len(lines))
    hint = next(filter(None, map(_unquoted, suspects)), "")
    if not hint and "expected ',' or" in what:
        hint = "; is a bracket open, or a text with ': ' or a comma in it without quotes?"
    return hint


def _unquoted(line: str) -> str:
    """What to say of a line with a text that begins as no text may begin without quotes."""
    match = _BEGINS_WRONG.search(line)
    if not match:
        return ""
    if match["quote"]:
        return "; quotes stand around the whole text, or not at its beginning"
    return NEEDS_QUOTES.format(match["sign"] or match["bracket"][0])
