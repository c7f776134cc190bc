"""Lines to the terminal, with control characters escaped; and the exit codes.

It imports next to nothing: a command that finds nothing to do needs only this.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TextIO
from unicodedata import category

CapturedLines = list[tuple[bool, str]]
"""Printed lines: whether to the standard error, and the text."""
_captures: list[CapturedLines] = []
"""Lists that lines go to instead of the terminal; the innermost last."""
_redirects: list[bool] = []
"""Nested calls of `redirect_to_stderr`."""
_SEVERITY_WORD = re.compile(r"(?:(?<=: )|^)(?:error|warning)(?=: )")
# What GitHub's runner takes for a command in what is printed.
_WORKFLOW_COMMAND = re.compile(r"^\s*::|##\[")
_COLOURS = {"error": "\x1b[1;31m", "warning": "\x1b[1;33m"}
_RESET = "\x1b[0m"
# Control characters, lone surrogates, separators of lines and paragraphs; of format characters all
# but those that words are written with: soft hyphen, joiner and non-joiner.
_ESCAPED_CATEGORIES = frozenset({"Cc", "Cf", "Cs", "Zl", "Zp"})
_ALLOWED_FORMAT_CHARS = frozenset("\u00ad\u200c\u200d")


def escape_control_chars(text: str) -> str:
    r"""Return the text on one line, with control characters as `\x1b`, `\u202e` or `\n`."""
    if text.isascii() and text.isprintable():
        return text
    return "".join(_escape_char(sign) if is_control_char(sign) else sign for sign in text)


def is_control_char(sign: str) -> bool:
    """Return true where a terminal would obey the character instead of showing it."""
    return category(sign) in _ESCAPED_CATEGORIES and sign not in _ALLOWED_FORMAT_CHARS


def _escape_char(sign: str) -> str:
    return sign.encode("unicode_escape").decode()


def print_lines(*lines: str, err: bool = False, command: bool = False) -> None:
    """Print each line. Characters that the encoding lacks are escaped, too.

    In a workflow of GitHub a line is a command only with `command`: a game's words may look like
    one.
    """
    err = err or bool(_redirects)
    stream = sys.stderr if err else sys.stdout
    encoding = stream.encoding or "utf-8"
    coloured = err and _has_colour(stream)
    written: list[str] = []
    for line in lines:
        told = escape_control_chars(line)
        if not command and os.environ.get("GITHUB_ACTIONS"):
            told = _WORKFLOW_COMMAND.sub(lambda match: " ".join(match[0]), told)
        if _captures:
            _captures[-1].append((err, told))
        else:
            told = _SEVERITY_WORD.sub(_colour_word, told, count=1) if coloured else told
            written.append(told.encode(encoding, "backslashreplace").decode(encoding) + "\n")
    _write(stream, "".join(written))


def _write(stream: TextIO, text: str) -> None:
    """Write a text at once. Where nobody reads any more, as behind `| head -1`, the command goes
    on and its lines are dropped.
    """
    try:
        stream.write(text)
        stream.flush()
    except BrokenPipeError:
        _drop_output(stream)


def _drop_output(stream: TextIO) -> None:
    """Send what is printed nowhere from now on."""
    null = os.open(os.devnull, os.O_WRONLY)
    os.dup2(null, stream.fileno())
    os.close(null)


def finish_output(code: str | int | None) -> int:
    """Print what is left, and the reason for leaving if `code` is one. Return the exit code."""
    told = f"{code}\n" if isinstance(code, str) else ""
    for stream, text in ((sys.stdout, ""), (sys.stderr, told)):
        try:
            _write(stream, text)
        except OSError:  # Python would try once more, and exit with 120
            _drop_output(stream)
            code = code or PROBLEMS
    return PROBLEMS if isinstance(code, str) else code or FINE


def can_print(text: str) -> bool:
    """Return true where the standard output can hold these letters as they are."""
    try:
        text.encode(sys.stdout.encoding or "utf-8")
    except UnicodeEncodeError:
        return False
    return True


def is_terminal() -> bool:
    """Return true where a person reads the output as it is printed."""
    return sys.stdout.isatty()


def _has_colour(stream: TextIO) -> bool:
    """Return true for a terminal with colours, unless the user says otherwise."""
    if os.environ.get("NO_COLOR"):
        return False
    if os.environ.get("FORCE_COLOR"):
        return os.environ["FORCE_COLOR"] != "0"
    obeys = sys.platform != "win32" or "WT_SESSION" in os.environ
    return obeys and os.environ.get("TERM") != "dumb" and stream.isatty()


def _colour_word(word: re.Match[str]) -> str:
    return f"{_COLOURS[word[0]]}{word[0]}{_RESET}"


@contextmanager
def redirect_to_stderr() -> Iterator[None]:
    """Print what is printed within to the standard error."""
    _redirects.append(True)
    try:
        yield
    finally:
        _redirects.pop()


def print_text(text: str, *, err: bool = False) -> None:
    """Print a text of several lines."""
    print_lines(*text.removesuffix("\n").split("\n"), err=err)


@contextmanager
def capture_lines() -> Iterator[CapturedLines]:
    """Collect what is printed within in this list, and print nothing."""
    lines: CapturedLines = []
    _captures.append(lines)
    try:
        yield lines
    finally:
        _captures.pop()


FINE, PROBLEMS, USAGE, BUG, INTERRUPTED = 0, 1, 2, 3, 130


def format_path(path: Path) -> str:
    """Return a path as the user types it: relative to the current folder where it is below."""
    try:
        # A link is named itself, and not what it leads to.
        whole = Path(os.path.abspath(path))  # noqa: PTH100
        found = whole.parent.resolve() / whole.name
        return found.relative_to(Path.cwd().resolve()).as_posix()
    except (ValueError, OSError, RuntimeError):  # elsewhere, or a link that leads in a circle
        return str(path)
