"""Problems for machines: as workflow commands of GitHub, as SARIF, as JSON."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any
from urllib.parse import quote

from cardgen.base.problems import Problem
from cardgen.cli.folding import folded

FORMATS = ("text", "github", "sarif", "json")
ALONE = frozenset({"sarif", "json"})
"""What is one document on the standard output, with nothing beside it."""
_SARIF = "https://json.schemastore.org/sarif-2.1.0.json"
# What ends a part of a workflow command.
_DATA = {"%": "%25", "\r": "%0D", "\n": "%0A"}
_PROPERTY = {**_DATA, ":": "%3A", ",": "%2C"}


def github(problems: Sequence[Problem], root: Path) -> list[str]:
    """A workflow command for each mistake, by which it is shown at its line of a pull request."""
    lines = []
    for problem in folded(problems):
        told = problem.as_json()
        where = {"file": _path(root, problem), "line": told["line"] or "", "title": told["kind"]}
        said = ",".join(
            f"{key}={_escaped(str(value), _PROPERTY)}" for key, value in where.items() if value
        )
        lines.append(f"::{problem.severity} {said}::{_escaped(str(told['message']), _DATA)}")
    return lines


def _escaped(text: str, signs: dict[str, str]) -> str:
    return "".join(signs.get(sign, sign) for sign in text)


def sarif(problems: Sequence[Problem], root: Path) -> dict[str, Any]:
    """The mistakes as SARIF 2.1.0."""
    from cardgen import __version__  # noqa: PLC0415 - looked up only where it is asked for

    found = folded(problems)
    rules = [{"id": kind} for kind in sorted({problem.kind for problem in found})]
    driver = {"name": "cardgen", "version": __version__, "rules": rules}
    return {
        "$schema": _SARIF,
        "version": "2.1.0",
        "runs": [{"tool": {"driver": driver}, "results": [_result(each, root) for each in found]}],
    }


def _result(problem: Problem, root: Path) -> dict[str, Any]:
    place: dict[str, Any] = {"artifactLocation": {"uri": quote(_path(root, problem))}}
    if problem.source.line:
        place["region"] = {"startLine": problem.source.line}
    return {
        "ruleId": problem.kind,
        "level": problem.severity,
        "message": {"text": problem.as_json()["message"]},
        "locations": [{"physicalLocation": place}],
    }


def _path(root: Path, problem: Problem) -> str:
    """The file as the repository calls it: from the workspace of a workflow, or from here."""
    file = root.resolve() / problem.source.path
    base = Path(os.environ.get("GITHUB_WORKSPACE") or Path.cwd()).resolve()
    return file.relative_to(base).as_posix() if file.is_relative_to(base) else problem.source.path
