"""Problems for machines: as workflow commands of GitHub, as SARIF, as JSON."""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import quote

from cardgen.base import paths
from cardgen.base.problems import Problem
from cardgen.base.store import digest_of
from cardgen.cli.folding import folded
from cardgen.rules.composition import FILE as RULES

FORMATS = ("text", "github", "sarif", "json")
ALONE = frozenset({"sarif", "json"})
"""What is one document on the standard output, with nothing beside it."""
MOST_ANNOTATIONS = 10
"""Of each severity, GitHub shows so many of a step's, and passes over the others."""
MOST_RESULTS = 5000
"""Of a SARIF file, GitHub shows so many results, and refuses one with five times as many."""
_SARIF = "https://json.schemastore.org/sarif-2.1.0.json"
_ROOT = "%SRCROOT%"
"""What SARIF calls the repository's root."""
# What ends a part of a workflow command.
_DATA = {"%": "%25", "\r": "%0D", "\n": "%0A"}
_PROPERTY = {**_DATA, ":": "%3A", ",": "%2C"}
_FIGURES = re.compile(r"[0-9]+(?:[.,][0-9]+)*")


def github(problems: Sequence[Problem], root: Path) -> list[tuple[bool, str]]:
    """Lines for the log of a workflow, and whether each is a command, by which GitHub shows a
    mistake at its line of a pull request. Of a severity that has more than GitHub shows, the last
    command tells how many there are, and each of these is a plain line."""
    found = folded(problems)
    lines = []
    many = Counter(problem.severity for problem in found)
    told: Counter[str] = Counter()
    for problem in found:
        severity = problem.severity
        told[severity] += 1
        left = many[severity] - MOST_ANNOTATIONS + 1
        if left > 1 and told[severity] == MOST_ANNOTATIONS:
            rest = f"{left} more {severity}s stand in the log of this step"
            lines.append((True, f"::{severity} title=cardgen::{rest}"))
        if left > 1 and told[severity] >= MOST_ANNOTATIONS:
            lines.append((False, f"{prefix(root)}{problem}"))
        else:
            lines.append((True, _annotation(problem, root)))
    return lines


def _annotation(problem: Problem, root: Path) -> str:
    told = problem.as_json()
    where = {"file": _path(root, problem), "line": told["line"] or "", "title": told["kind"]}
    said = ",".join(
        f"{key}={_escaped(str(value), _PROPERTY)}" for key, value in where.items() if value
    )
    return f"::{problem.severity} {said}::{_escaped(str(told['message']), _DATA)}"


def _escaped(text: str, signs: dict[str, str]) -> str:
    return "".join(signs.get(sign, sign) for sign in text)


def sarif(problems: Sequence[Problem], root: Path) -> dict[str, Any]:
    """The mistakes as SARIF 2.1.0, with what GitHub's code scanning asks for beside.

    A result has a fingerprint that its line and its figures do not change, so that it stays one
    over commits; each game of a repository is a category of its own. Of more results than GitHub
    shows, errors come before warnings.
    """
    from cardgen import __version__  # noqa: PLC0415 - looked up only where it is asked for

    found = folded(problems)
    if len(found) > MOST_RESULTS:
        found = sorted(found, key=lambda problem: problem.severity != "error")[:MOST_RESULTS]
    of_game = {problem.kind for problem in found if problem.source.path == RULES}
    kinds = sorted({problem.kind for problem in found})
    driver = {
        "name": "cardgen",
        "semanticVersion": __version__,
        "version": __version__,
        "rules": [_rule(kind, of_game=kind in of_game) for kind in kinds],
    }
    run = {
        "tool": {"driver": driver},
        "automationDetails": {"id": f"cardgen/{quote(prefix(root))}"},
        "originalUriBaseIds": {_ROOT: {"description": {"text": "The root of the repository."}}},
        "columnKind": "unicodeCodePoints",
        "results": [*_results(found, kinds, root)],
    }
    return {"$schema": _SARIF, "version": "2.1.0", "runs": [run]}


def _rule(kind: str, *, of_game: bool) -> dict[str, Any]:
    """What SARIF calls a rule: a kind of problem, one of cardgen's or a rule of the game."""
    what = f"the game's own rule {kind}" if of_game else f"problems of the kind {kind}"
    where = f"{RULES} says why it is so" if of_game else "docs/format.md, Problems, says what to do"
    return {
        "id": kind,
        "shortDescription": {"text": f"cardgen: {what}"},
        "fullDescription": {"text": f"Found by 'cardgen check': {what}."},
        "help": {"text": f"The message tells what is wrong and what to do; {where}."},
        "properties": {"tags": ["game rule" if of_game else "cardgen"]},
    }


def _results(
    found: Sequence[Problem], kinds: Sequence[str], root: Path
) -> Iterator[dict[str, Any]]:
    seen: Counter[str] = Counter()
    for problem in found:
        place = {
            "artifactLocation": {"uri": quote(_path(root, problem)), "uriBaseId": _ROOT},
            # Of a file as a whole it is the first line: GitHub shows no result without one.
            "region": {"startLine": problem.source.line or 1},
        }
        message = str(problem.as_json()["message"])
        gist = _FIGURES.sub("#", message)
        print_of = digest_of([_path(root, problem), problem.kind, problem.severity, gist])[:32]
        seen[print_of] += 1
        yield {
            "ruleId": problem.kind,
            "ruleIndex": kinds.index(problem.kind),
            "level": problem.severity,
            "message": {"text": message},
            "locations": [{"physicalLocation": place}],
            "partialFingerprints": {"primaryLocationLineHash": f"{print_of}:{seen[print_of]}"},
        }


def prefix(root: Path) -> str:
    """The game's folder as the repository calls it: "" or a path that ends with `/`."""
    base, folder = _base(root), root.resolve()
    if not folder.is_relative_to(base) or folder == base:
        return ""
    return f"{folder.relative_to(base).as_posix()}/"


def _path(root: Path, problem: Problem) -> str:
    """The file as the repository calls it."""
    return f"{prefix(root)}{problem.source.path}"


def _base(root: Path) -> Path:
    """The workspace of a workflow, or the repository's root, or where one stands."""
    folder = root.resolve()
    workspace = os.environ.get("GITHUB_WORKSPACE")
    if workspace and folder.is_relative_to(Path(workspace).resolve()):
        return Path(workspace).resolve()
    above = (each for each in (folder, *folder.parents) if paths.there(each, ".git"))
    return next(above, Path.cwd().resolve())
