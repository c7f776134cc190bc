"""Problems for machines: workflow commands of GitHub, SARIF and JSON."""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any
from urllib.parse import quote

from cardgen.core.problems import WHOLE_GAME, Problem, sort_problems, summarise
from cardgen.runtime import game_files
from cardgen.runtime.content_store import digest_parts

_MAX_LISTED_SUBJECTS = 3
"""Cards named in a group, and problems on lines of their own that are printed one by one."""
_MEASURE = re.compile(r"[0-9]+(?:\.[0-9]+)?(?= (?:mm|pt)\b)")
_QUOTED_WORDS = re.compile(r"(?<![^\s:])'.*'(?= (?:stands|is)\b|\Z)", re.DOTALL)
_LAYOUT_KINDS = frozenset({"overflow", "safe-margin", "small-text", "overlap", "contrast"})


def group_problems(problems: Iterable[Problem]) -> list[Problem]:
    """Return the problems in order, one for each mistake.

    One mistake is one line of a template or style on all faces that show it, one message about
    many cards of a file, or one about the pictures of a deck that end at the cut.
    """
    groups: dict[tuple[str | bool, ...], list[Problem]] = {}
    for problem in sort_problems(problems):
        groups.setdefault(_get_group_key(problem), []).append(problem)
    shown: list[Problem] = []
    for group in groups.values():
        lines = {problem.source for problem in group}
        shown += group if 1 < len(lines) <= _MAX_LISTED_SUBJECTS else [_merge_group(group)]
    return sorted(shown, key=lambda problem: (problem.source, str(problem)))


def _get_group_key(problem: Problem) -> tuple[str | bool, ...]:
    """Return what all problems of one mistake have in common."""
    place = problem.source.path if problem.subject.card else str(problem.source)
    if not problem.source.path.startswith("cards/"):
        place = str(problem.source)
    if problem.kind == "bleed" and problem.source.path.startswith("art/"):
        place = problem.subject.deck
    return (
        place,
        problem.kind,
        problem.severity,
        problem.outside_selection,
        _generalise_message(problem),
    )


def _generalise_message(problem: Problem) -> str:
    if problem.kind not in _LAYOUT_KINDS:
        return problem.message
    return _MEASURE.sub("#", _QUOTED_WORDS.sub("…", problem.message))


def _merge_group(group: Sequence[Problem]) -> Problem:
    """Return one problem for many of one mistake: whose it is, and how bad."""
    first = group[0]
    said = list(dict.fromkeys(str(p.subject) for p in group if p.subject != WHOLE_GAME))
    who = summarise(said, _MAX_LISTED_SUBJECTS)
    message = _merge_messages([problem.message for problem in group])
    return replace(first, message=f"{who}: {message}" if who else message, subject=WHOLE_GAME)


def _merge_messages(messages: Sequence[str]) -> str:
    """Return one message for messages that differ in their measures and quoted words."""
    if len(set(messages)) == 1:
        return messages[0]
    words = [match[0] for message in messages if (match := _QUOTED_WORDS.search(message))]
    bare = [_QUOTED_WORDS.sub("\0", message) for message in messages]
    columns = zip(*(_MEASURE.findall(message) for message in bare), strict=True)
    spans = iter([_format_span(column) for column in columns])
    told = _MEASURE.sub(lambda _: next(spans), bare[0])
    if len(set(words)) > 1:
        told = re.sub(r"\0 is\b", "\0 and others are", told)
        told = re.sub(r"\0 (stand)s\b", r"\0 and others \1", told)
        told = re.sub(r"\0\Z", "\0 and more", told)
    return told.replace("\0", words[0]) if words else told


def _format_span(figures: Sequence[str]) -> str:
    low, high = min(figures, key=float), max(figures, key=float)
    return low if low == high else f"{low} to {high}"


FORMATS = ("text", "github", "sarif", "json")
DOCUMENT_FORMATS = frozenset({"sarif", "json"})
"""Formats that are one document on the standard output, with nothing beside it."""
MAX_ANNOTATIONS = 10
"""GitHub shows this many annotations of each severity in a step."""
MAX_RESULTS = 5000
"""GitHub shows this many results of a SARIF file, and refuses a file with five times as many."""
_SARIF_SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
_SARIF_ROOT = "%SRCROOT%"
"""Name of the repository's root in SARIF."""
# What ends a part of a workflow command.
_DATA_ESCAPES = {"%": "%25", "\r": "%0D", "\n": "%0A"}
_PROPERTY_ESCAPES = {**_DATA_ESCAPES, ":": "%3A", ",": "%2C"}
_NUMBERS = re.compile(r"[0-9]+(?:[.,][0-9]+)*")


def format_github(problems: Sequence[Problem], root: Path) -> list[tuple[bool, str]]:
    """Return lines for the log of a workflow, each with whether it is a workflow command.

    A command shows a problem at its line of a pull request. Where there are more of a severity than
    GitHub shows, the last command says how many more, and these are plain lines.
    """
    found = group_problems(problems)
    lines = []
    many = Counter(problem.severity for problem in found)
    told: Counter[str] = Counter()
    for problem in found:
        severity = problem.severity
        told[severity] += 1
        left = many[severity] - MAX_ANNOTATIONS + 1
        if left > 1 and told[severity] == MAX_ANNOTATIONS:
            rest = f"{left} more {severity}s are in the log of this step"
            lines.append((True, f"::{severity} title=cardgen::{rest}"))
        if left > 1 and told[severity] >= MAX_ANNOTATIONS:
            lines.append((False, f"{find_repository_prefix(root)}{problem}"))
        else:
            lines.append((True, _format_annotation(problem, root)))
    return lines


def _format_annotation(problem: Problem, root: Path) -> str:
    told = problem.to_json()
    where = {
        "file": _get_repository_path(root, problem),
        "line": told["line"] or "",
        "title": told["kind"],
    }
    said = ",".join(
        f"{key}={_escape_text(str(value), _PROPERTY_ESCAPES)}"
        for key, value in where.items()
        if value
    )
    return f"::{problem.severity} {said}::{_escape_text(str(told['message']), _DATA_ESCAPES)}"


def _escape_text(text: str, signs: dict[str, str]) -> str:
    return "".join(signs.get(sign, sign) for sign in text)


def format_sarif(problems: Sequence[Problem], root: Path) -> dict[str, Any]:
    """Return the problems as SARIF 2.1.0, with what GitHub's code scanning needs beside.

    A result's fingerprint does not change with its line or numbers, so that it stays one result
    over commits. Each game of a repository is a category of its own. Errors come before warnings
    where there are more results than GitHub shows.
    """
    from cardgen import __version__  # noqa: PLC0415 - looked up only where it is asked for
    from cardgen.rules.rule_file import RULES_FILE  # noqa: PLC0415 - it brings Jinja

    found = group_problems(problems)
    if len(found) > MAX_RESULTS:
        found = sorted(found, key=lambda problem: problem.severity != "error")[:MAX_RESULTS]
    of_game = {problem.kind for problem in found if problem.source.path == RULES_FILE}
    kinds = sorted({problem.kind for problem in found})
    driver = {
        "name": "cardgen",
        "semanticVersion": __version__,
        "version": __version__,
        "rules": [_describe_rule(kind, of_game=kind in of_game) for kind in kinds],
    }
    run = {
        "tool": {"driver": driver},
        "automationDetails": {"id": f"cardgen/{quote(find_repository_prefix(root))}"},
        "originalUriBaseIds": {
            _SARIF_ROOT: {"description": {"text": "The root of the repository."}}
        },
        "columnKind": "unicodeCodePoints",
        "results": [*_list_results(found, kinds, root)],
    }
    return {"$schema": _SARIF_SCHEMA, "version": "2.1.0", "runs": [run]}


def _describe_rule(kind: str, *, of_game: bool) -> dict[str, Any]:
    """Return the SARIF rule for a kind of problem, one of cardgen's or a rule of the game."""
    what = f"the game's own rule {kind}" if of_game else f"problems of the kind {kind}"
    where = (
        "cards/rules.yaml says why it is so"
        if of_game
        else "docs/reference.md, Problems, says what to do"
    )
    return {
        "id": kind,
        "shortDescription": {"text": f"cardgen: {what}"},
        "fullDescription": {"text": f"Found by 'cardgen check': {what}."},
        "help": {"text": f"The message says what is wrong and what to do; {where}."},
        "properties": {"tags": ["game rule" if of_game else "cardgen"]},
    }


def _list_results(
    found: Sequence[Problem], kinds: Sequence[str], root: Path
) -> Iterator[dict[str, Any]]:
    seen: Counter[str] = Counter()
    for problem in found:
        place = {
            "artifactLocation": {
                "uri": quote(_get_repository_path(root, problem)),
                "uriBaseId": _SARIF_ROOT,
            },
            # Of a file as a whole it is the first line: GitHub shows no result without one.
            "region": {"startLine": problem.source.line or 1},
        }
        message = str(problem.to_json()["message"])
        gist = _NUMBERS.sub("#", message)
        print_of = digest_parts(
            [_get_repository_path(root, problem), problem.kind, problem.severity, gist]
        )[:32]
        seen[print_of] += 1
        yield {
            "ruleId": problem.kind,
            "ruleIndex": kinds.index(problem.kind),
            "level": problem.severity,
            "message": {"text": message},
            "locations": [{"physicalLocation": place}],
            "partialFingerprints": {"primaryLocationLineHash": f"{print_of}:{seen[print_of]}"},
        }


def find_repository_prefix(root: Path) -> str:
    """Return the game's folder in its repository: "" or a path that ends with `/`."""
    base, folder = _find_repository_root(root), root.resolve()
    if not folder.is_relative_to(base) or folder == base:
        return ""
    return f"{folder.relative_to(base).as_posix()}/"


def _get_repository_path(root: Path, problem: Problem) -> str:
    """Return the path of a problem's file in the repository."""
    return f"{find_repository_prefix(root)}{problem.source.path}"


def _find_repository_root(root: Path) -> Path:
    """Return the workspace of a workflow, the repository's root, or else the current folder."""
    folder = root.resolve()
    workspace = os.environ.get("GITHUB_WORKSPACE")
    if workspace and folder.is_relative_to(Path(workspace).resolve()):
        return Path(workspace).resolve()
    above = (each for each in (folder, *folder.parents) if game_files.has_entry(each, ".git"))
    return next(above, Path.cwd().resolve())
