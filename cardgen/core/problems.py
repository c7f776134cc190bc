"""Problems of a game as data: collected by every stage, sorted and printed once.

A user's mistake is never an exception. Every stage returns its problems beside its result.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from typing import Any, Literal, TypeVar

Severity = Literal["error", "warning"]
_Serializable = TypeVar("_Serializable", "Source", "Subject", "Problem", "Diagnostic", "Spot")
_PLAIN_TYPES = {"str": str, "int": int, "bool": bool, "Severity": str}

_MAX_VALUE_LENGTH = 60
"""Maximum number of characters of a value quoted in a message."""
_MAX_LISTED_WORDS = 30
"""Maximum number of valid words a message lists when none is similar."""
# Names may be as long as a file, so words and lines of messages are limited.
_LONG_WORD = re.compile(r"\S{140,}")
_MAX_MESSAGE_LENGTH = 1500
"""Maximum number of characters of one printed message."""

PARTIAL_PUBLISH = "torn"
"""Kind of the problem of a build that published only some of its files."""


@dataclass(frozen=True, order=True, slots=True)
class Source:
    """A line of a file of the game.

    `path` is relative to the game folder and uses `/`. Lines count from 1; line 0 is the whole
    file. `place` is the address of a cell in a workbook, such as `Fleet!D12`.
    """

    path: str
    line: int = 0
    place: str = ""

    def __str__(self) -> str:
        return f"{self.path}:{self.place or self.line}" if self.line else self.path


@dataclass(frozen=True, order=True)
class Subject:
    """Part of the game a problem is about, printed as `loot/school [en] front`.

    An empty field means all: without a deck, the subject is the whole game.
    """

    deck: str = ""
    card: str = ""
    language: str = ""
    side: str = ""

    def __str__(self) -> str:
        name = f"{self.deck}/{self.card}" if self.card else self.deck
        language = f"[{self.language}]" if self.language else ""
        return " ".join(filter(None, (name, language, self.side)))


WHOLE_GAME = Subject()


@dataclass(frozen=True, order=True)
class Problem:
    """One mistake at its line. `kind` is printed in brackets at the end of the line."""

    source: Source
    message: str
    kind: str
    severity: Severity = "error"
    subject: Subject = WHOLE_GAME
    outside_selection: bool = False
    """True for a problem of something that is not being built. It is reported, but does not stop
    the build."""
    cause: str = ""
    """The mistake from which this problem and others follow; "" for the message itself."""

    def __post_init__(self) -> None:
        # A lone surrogate, which expressions can make, cannot be encoded.
        sound = self.message.encode(errors="backslashreplace").decode()
        if sound != self.message:
            object.__setattr__(self, "message", sound)

    def __str__(self) -> str:
        return f"{self.source}: {self.severity}: {self.full_message} [{self.kind}]"

    @property
    def full_message(self) -> str:
        """Message with its subject, shortened to a printable length."""
        text = f"{self.subject}: {self.message}" if self.subject != WHOLE_GAME else self.message
        text = _LONG_WORD.sub(
            lambda match: f"{match[0][:_MAX_VALUE_LENGTH]}…{match[0][-20:]}", text
        )
        return text if len(text) <= _MAX_MESSAGE_LENGTH else f"{text[:_MAX_MESSAGE_LENGTH]}…"

    def to_json(self) -> dict[str, str | int]:
        """Return the problem as a mapping for editors and CI."""
        return {
            "path": self.source.path,
            "line": self.source.line,
            "severity": self.severity,
            "message": self.full_message,
            "kind": self.kind,
        }


@dataclass(frozen=True)
class Spot:
    """Rectangle on a face where something is wrong, with a short label.

    Lengths in mm from the top left of the bleed box.
    """

    left: float
    top: float
    width: float
    height: float
    label: str = ""


@dataclass(frozen=True)
class Diagnostic:
    """Finding about a typeset face. It becomes a `Problem` once its card is known.

    Cards with the same face key share one typeset face, so a diagnostic names no card.
    `location` is `template:line` or `style:line`; "" stands for the card itself. `spots` are the
    rectangles to outline.
    """

    kind: str
    severity: Severity
    location: str
    message: str
    about_face: bool = True
    spots: tuple[Spot, ...] = ()

    def locate(self, otherwise: Source, folder: str = "") -> Source:
        """Return the source line, with `folder` put before its file name, or `otherwise` if
        unknown."""
        name, _, line = self.location.rpartition(":")
        if not line.isdecimal():
            return Source(self.location) if self.location else otherwise
        return Source(f"{folder}{name}", int(line))


def serialize_problems(items: Iterable[Problem | Diagnostic]) -> list[dict[str, Any]]:
    """Return problems or diagnostics as values that JSON can hold."""
    return [asdict(each) for each in items]


def parse_problems(values: Any) -> list[Problem] | None:
    """Return the problems stored as JSON values, or None if the values are invalid."""
    try:
        found = [
            _build_checked(Problem, {
                **each,
                "source": _build_checked(Source, each["source"]),
                "subject": _build_checked(Subject, each["subject"]),
            })
            for each in values
        ]  # fmt: skip
    except (LookupError, TypeError):
        return None
    return found


def parse_diagnostics(values: Any) -> list[Diagnostic] | None:
    """Return the diagnostics stored as JSON values, or None if the values are invalid."""
    try:
        return [
            _build_checked(Diagnostic, {**each, "spots": tuple(map(_parse_spot, each["spots"]))})
            for each in values
        ]
    except (LookupError, TypeError):
        return None


def _parse_spot(values: Mapping[str, Any]) -> Spot:
    """Build a spot from JSON values. Raises TypeError."""
    found = {key: value if key == "label" else float(value) for key, value in values.items()}
    return _build_checked(Spot, found)


def _build_checked(kind: type[_Serializable], values: Mapping[str, Any]) -> _Serializable:
    """Build a dataclass from JSON values. Raises TypeError for other fields or types."""
    instance = kind(**values)
    for each in fields(instance):
        expected_type = _PLAIN_TYPES.get(str(each.type))
        if expected_type and type(getattr(instance, each.name)) is not expected_type:
            raise TypeError(each.name)
    return instance


class ProblemsError(Exception):
    """Work cannot go on; `problems` say why. The only way in which stages of the pipeline fail."""

    def __init__(self, problems: Iterable[Problem]) -> None:
        super().__init__()
        self.problems = sort_problems(problems)


def summarise(names: Iterable[object], limit: int, separator: str = ", ") -> str:
    """Return the first `limit` names, and how many more there are: `barn, shop and 3 more`."""
    listed = [str(name) for name in names]
    more = f" and {len(listed) - limit} more" if len(listed) > limit else ""
    return separator.join(listed[:limit]) + more


def join_words(words: Sequence[str]) -> str:
    """Return words as a list in a sentence: `left`, `left, right and top`."""
    return " and ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)


def sort_problems(problems: Iterable[Problem]) -> list[Problem]:
    """Return each problem once, sorted by file and line."""
    return sorted(set(problems), key=lambda problem: (problem.source, str(problem)))


def has_errors(problems: Iterable[Problem]) -> bool:
    """Return True if a problem stops the build."""
    return any(
        problem.severity == "error" and not problem.outside_selection for problem in problems
    )


def did_you_mean(word: str, known: Iterable[str], cutoff: float = 0.6) -> str:
    """Return a hint such as `; did you mean 'cash'?` to append to a message.

    Without a similar word, lists the known words if they are few, or returns "". `cutoff` is the
    required similarity from 0 to 1.
    """
    choices = {str(choice) for choice in known}
    close = find_closest(word, choices, cutoff)
    if close:
        return f"; did you mean '{close}'?"
    if len(word) <= _MAX_VALUE_LENGTH and 0 < len(choices) <= _MAX_LISTED_WORDS:
        return f"; known: {', '.join(sorted(choices))}"
    return ""


def find_closest(word: str, known: Iterable[str], cutoff: float) -> str:
    """Return the known word most similar to `word`, or "" if none reaches `cutoff` (0 to 1)."""
    if len(word) > _MAX_VALUE_LENGTH:
        return ""
    return next(iter(difflib.get_close_matches(word, sorted(known), n=1, cutoff=cutoff)), "")


def format_value(value: object) -> str:
    """Return a value as a message shows it: as written in code, cut to a readable length."""
    if isinstance(value, bool):
        return "true" if value else "false"
    text = repr(value if not isinstance(value, str) else value[: 2 * _MAX_VALUE_LENGTH])
    return text if len(text) <= _MAX_VALUE_LENGTH else f"{text[: _MAX_VALUE_LENGTH - 2]}…{text[-1]}"


def shorten(text: str, length: int = 24) -> str:
    """Return a text cut to a number of characters, with an ellipsis."""
    return text if len(text) <= length else f"{text[: length - 1]}…"


def find_line(text: str, part: str) -> int:
    """Return the line, from 1, on which `part` first occurs in `text`; 1 if it does not occur."""
    return text.count("\n", 0, max(0, text.find(part))) + 1
