"""What is wrong with a game, as data: collected everywhere, sorted and printed once.

A user's mistake is never an exception. Every stage returns its problems beside its result.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, fields
from typing import Any, Literal, TypeVar

Severity = Literal["error", "warning"]
_Serializable = TypeVar("_Serializable", "Source", "Subject", "Problem", "Diagnostic", "Spot")
_PLAIN_TYPES = {"str": str, "int": int, "bool": bool, "Severity": str}

# So many signs of a value stand in a message.
_MAX_VALUE_LENGTH = 60
_MAX_LISTED_WORDS = 24
"""So many known words are listed where none is near."""
# No line has a word longer than that, or is longer itself: names may be as long as a file.
_LONG_WORD = re.compile(r"\S{140,}")
_MAX_MESSAGE_LENGTH = 1500

PARTIAL_PUBLISH = "torn"
"""The kind of problem of a build that could neither publish all nor nothing."""


@dataclass(frozen=True, order=True, slots=True)
class Source:
    """A line of a file of the game. `path` is relative to the game folder, with `/`.

    Lines count from 1; line 0 means the file as a whole. In a workbook, `place` is what people call
    it there, such as `Fleet!D12`.
    """

    path: str
    line: int = 0
    place: str = ""

    def __str__(self) -> str:
        return f"{self.path}:{self.place or self.line}" if self.line else self.path


@dataclass(frozen=True, order=True)
class Subject:
    """Whom a problem concerns, as `loot/school [en] front`: a deck, a card of it, one language of
    its texts, one side. What is empty is all of it; without a deck, the game."""

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
    """One mistake, at its line. `kind` is the word in brackets at the end of the printed line."""

    source: Source
    message: str
    kind: str
    severity: Severity = "error"
    subject: Subject = WHOLE_GAME
    outside_selection: bool = False
    """Whether it concerns nothing of what is built: it is told, and stops nothing."""

    def __post_init__(self) -> None:
        # Half a character, which a game's expressions can make, is no text for a file or a page.
        sound = self.message.encode(errors="backslashreplace").decode()
        if sound != self.message:
            object.__setattr__(self, "message", sound)

    def __str__(self) -> str:
        return f"{self.source}: {self.severity}: {self.full_message} [{self.kind}]"

    @property
    def full_message(self) -> str:
        said = f"{self.subject}: {self.message}" if self.subject != WHOLE_GAME else self.message
        said = _LONG_WORD.sub(
            lambda match: f"{match[0][:_MAX_VALUE_LENGTH]}…{match[0][-20:]}", said
        )
        return said if len(said) <= _MAX_MESSAGE_LENGTH else f"{said[:_MAX_MESSAGE_LENGTH]}…"

    def to_json(self) -> dict[str, str | int]:
        """The problem for editors and CI."""
        return {
            "path": self.source.path,
            "line": self.source.line,
            "severity": self.severity,
            "message": self.full_message,
            "kind": self.kind,
        }


@dataclass(frozen=True)
class Spot:
    """Where on a face something is wrong, mm from its bleed box's top left, and a few words for
    it there."""

    left: float
    top: float
    width: float
    height: float
    label: str = ""


@dataclass(frozen=True)
class Diagnostic:
    """What is wrong with something laid out, before it is known whose it is: faces of one key are
    set once, for whichever cards. `at` is template:line or style:line, "" for the card itself;
    `spots` is where it shows."""

    kind: str
    severity: Severity
    location: str
    message: str
    about_face: bool = True
    spots: tuple[Spot, ...] = ()

    def locate(self, otherwise: Source, folder: str = "") -> Source:
        """Its place, the file below `folder`; where none is known, another."""
        name, _, line = self.location.rpartition(":")
        if not line.isdigit():
            return Source(self.location) if self.location else otherwise
        return Source(f"{folder}{name}", int(line))


def serialize_problems(told: Iterable[Problem | Diagnostic]) -> list[dict[str, Any]]:
    """Problems or remarks as they are kept in JSON."""
    return [asdict(each) for each in told]


def parse_problems(kept: Any) -> list[Problem] | None:
    """The problems out of JSON; None when it holds none."""
    try:
        found = [
            _build_checked(Problem, {
                **each,
                "source": _build_checked(Source, each["source"]),
                "subject": _build_checked(Subject, each["subject"]),
            })
            for each in kept
        ]  # fmt: skip
    except (LookupError, TypeError):
        return None
    return found


def parse_diagnostics(kept: Any) -> list[Diagnostic] | None:
    """The remarks out of JSON; None when it holds none."""
    try:
        return [
            _build_checked(Diagnostic, {**each, "spots": tuple(map(_parse_spot, each["spots"]))})
            for each in kept
        ]
    except (LookupError, TypeError):
        return None


def _parse_spot(kept: Mapping[str, Any]) -> Spot:
    """Raises TypeError."""
    found = {key: value if key == "label" else float(value) for key, value in kept.items()}
    return _build_checked(Spot, found)


def _build_checked(kind: type[_Serializable], values: Mapping[str, Any]) -> _Serializable:
    """Raises TypeError for what has other fields, or fields of other types."""
    made = kind(**values)
    for each in fields(made):
        asked = _PLAIN_TYPES.get(str(each.type))
        if asked and type(getattr(made, each.name)) is not asked:
            raise TypeError(each.name)
    return made


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


def sort_problems(problems: Iterable[Problem]) -> list[Problem]:
    """Each problem once, by file and line."""
    return sorted(set(problems), key=lambda problem: (problem.source, str(problem)))


def has_errors(problems: Iterable[Problem]) -> bool:
    """Whether any of them stops the build."""
    return any(
        problem.severity == "error" and not problem.outside_selection for problem in problems
    )


def did_you_mean(word: str, known: Iterable[str], near: float = 0.6) -> str:
    """`; did you mean 'cash'?` for a near miss, a list of a few known words, or nothing. `near` is
    how like a word must be, up to 1."""
    choices = {str(choice) for choice in known}
    close = find_closest(word, choices, near)
    if close:
        return f"; did you mean '{close}'?"
    if len(word) <= _MAX_VALUE_LENGTH and 0 < len(choices) <= _MAX_LISTED_WORDS:
        return f"; known: {', '.join(sorted(choices))}"
    return ""


def find_closest(word: str, known: Iterable[str], near: float) -> str:
    """The known word that is most like it, and `near` or more, up to 1; "" without any."""
    if len(word) > _MAX_VALUE_LENGTH:
        return ""
    return next(iter(difflib.get_close_matches(word, sorted(known), n=1, cutoff=near)), "")


def format_value(value: object) -> str:
    """A value as a message shows it: as it is written in code, and no more than its beginning."""
    if isinstance(value, bool):
        return "true" if value else "false"
    said = repr(value if not isinstance(value, str) else value[: 2 * _MAX_VALUE_LENGTH])
    return said if len(said) <= _MAX_VALUE_LENGTH else f"{said[: _MAX_VALUE_LENGTH - 2]}…{said[-1]}"


def find_line(text: str, part: str) -> int:
    """The line of a text, from 1, on which a part of it first stands; 1 when it does not."""
    return text.count("\n", 0, max(0, text.find(part))) + 1
