"""Lines to the terminal, with the signs that it would obey shown; or held back, to be said later.

It imports next to nothing: it is all that is needed where nothing is to be done.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TextIO
from unicodedata import category

Lines = list[tuple[bool, str]]
"""What was said: whether as an error, and the line."""
_held: list[Lines] = []
"""The lists that what is said goes to now instead; the last one of them."""
_aside: list[bool] = []
"""Whether what is said goes to the standard error, whatever it is."""
_SEVERITY = re.compile(r"(?:(?<=: )|^)(?:error|warning)(?=: )")
# What GitHub's runner takes for a command in what is printed.
_COMMAND = re.compile(r"^\s*::|##\[")
_COLOURS = {"error": "\x1b[1;31m", "warning": "\x1b[1;33m"}
_PLAIN = "\x1b[0m"
# Control characters, lone surrogates, separators of lines and paragraphs; of format characters all
# but those that words are written with: soft hyphen, joiner and non-joiner.
_SHOWN = frozenset({"Cc", "Cf", "Cs", "Zl", "Zp"})
_WRITTEN = frozenset("\u00ad\u200c\u200d")


def visible(text: str) -> str:
    """The text on one line, with what a terminal would obey shown as `\\x1b`, `\\u202e`, `\\n`."""
    if text.isascii() and text.isprintable():
        return text
    return "".join(_escaped(sign) if is_obeyed(sign) else sign for sign in text)


def is_obeyed(sign: str) -> bool:
    """Whether a terminal would obey the sign instead of showing it."""
    return category(sign) in _SHOWN and sign not in _WRITTEN


def _escaped(sign: str) -> str:
    return sign.encode("unicode_escape").decode()


def say(*lines: str, err: bool = False, command: bool = False) -> None:
    """Print each line. What the terminal's encoding lacks is shown as escapes, too. In a workflow
    of GitHub no line is a command but where that is meant: a game's words may look like one."""
    err = err or bool(_aside)
    stream = sys.stderr if err else sys.stdout
    encoding = stream.encoding or "utf-8"
    coloured = err and _is_coloured(stream)
    for line in lines:
        told = visible(line)
        if not command and os.environ.get("GITHUB_ACTIONS"):
            told = _COMMAND.sub(lambda match: " ".join(match[0]), told)
        if _held:
            _held[-1].append((err, told))
        else:
            told = _SEVERITY.sub(_in_colour, told, count=1) if coloured else told
            stream.write(told.encode(encoding, "backslashreplace").decode(encoding) + "\n")
    stream.flush()


def can_show(text: str) -> bool:
    """Whether what is printed can hold these letters as they are."""
    try:
        text.encode(sys.stdout.encoding or "utf-8")
    except UnicodeEncodeError:
        return False
    return True


def is_terminal() -> bool:
    """Whether somebody reads what is said as it is said, and not a file."""
    return sys.stdout.isatty()


def _is_coloured(stream: TextIO) -> bool:
    """Whether a stream is to have colours: a terminal's, unless the user says otherwise."""
    if os.environ.get("NO_COLOR"):
        return False
    if os.environ.get("FORCE_COLOR"):
        return os.environ["FORCE_COLOR"] != "0"
    obeys = sys.platform != "win32" or "WT_SESSION" in os.environ
    return obeys and os.environ.get("TERM") != "dumb" and stream.isatty()


def _in_colour(word: re.Match[str]) -> str:
    return f"{_COLOURS[word[0]]}{word[0]}{_PLAIN}"


@contextmanager
def aside() -> Iterator[None]:
    """What is said within goes to the standard error."""
    _aside.append(True)
    try:
        yield
    finally:
        _aside.pop()


def say_text(text: str, *, err: bool = False) -> None:
    """Print a text of several lines."""
    say(*text.removesuffix("\n").split("\n"), err=err)


@contextmanager
def held() -> Iterator[Lines]:
    """What is said within comes into this list and not to the terminal."""
    lines: Lines = []
    _held.append(lines)
    try:
        yield lines
    finally:
        _held.pop()
