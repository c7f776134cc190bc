"""fonts/package.json and its lock, read, and written anew for npm: names and versions alone.

A game may come from a stranger. Whatever in these files could make npm reach elsewhere or run
something is not handed on: files, git, addresses, aliases, links, workspaces, overrides, scripts.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from cardgen.base import jsontext, paths
from cardgen.base.jsontext import NotJson
from cardgen.base.problems import Problem, Source, quoted

PACKAGE = "fonts/package.json"
LOCK = "fonts/package-lock.json"
CONFIGURATION = "fonts/.npmrc"

_NAME = r"(?:@[a-z0-9~-][a-z0-9._~-]*/)?[a-z0-9~-][a-z0-9._~-]*"
_NAMED = re.compile(_NAME)
_PLACE = re.compile(rf"node_modules/{_NAME}(?:/node_modules/{_NAME})*")
_SIGNS = r"[0-9A-Za-z.-]+"
_VERSION = re.compile(rf"[0-9]+\.[0-9]+\.[0-9]+(?:-{_SIGNS})?(?:\+{_SIGNS})?")
_PART = r"(?:[0-9]+|[xX*])"
_BOUND = re.compile(
    rf"(?:[<>]=?|[\^=]|~>?)?(?:v?{_PART}(?:\.{_PART}){{0,2}}(?:-{_SIGNS})?(?:\+{_SIGNS})?)?"
)
_BETWEEN = ("||", "-")
_INTEGRITY = re.compile(r"sha(?:1|256|384|512)-[A-Za-z0-9+/]+={0,2}")
_A_FILE = (".tgz", ".tar", ".tar.gz")
"""What npm takes for the name of a file, even where it could be a version."""
_MOST_SIGNS = 214
_MISSING = "is missing"
_NEW = '{\n  "private": true,\n  "dependencies": {}\n}\n'
_INDENT = re.compile(r"\n([ \t]+)\S")
_MOST_PACKAGES = 1000
"""More fonts than anybody declares, and all that they might need; npm takes long for more."""
_PASSED_OVER = (
    "devDependencies", "optionalDependencies", "peerDependencies", "bundleDependencies",
    "bundledDependencies", "overrides", "workspaces", "scripts",
)  # fmt: skip


@dataclass(frozen=True)
class Asked:
    """What a game asks npm for, as texts to hand on. `lock` is "" when there is none to use;
    `pinned` tells whether it pins what is asked for."""

    package: str
    lock: str
    pinned: bool


def read(root: Path, more: Mapping[str, str] | None = None) -> tuple[Asked | None, list[Problem]]:
    """What fonts/package.json and its lock ask for, and more packages, by their names; nothing with
    an error."""
    text, why = paths.read_text(root, PACKAGE)
    if more and why == _MISSING:
        text, why = _NEW, ""
    if why:
        message = f"the file {why}; it names the font packages (docs/format.md)"
        return None, [Problem(Source(PACKAGE), message, "font")]
    data, problems = _json(text, PACKAGE)
    if data is None:
        return None, problems
    if paths.there(root, CONFIGURATION):
        problems.append(_passed_over(Source(CONFIGURATION), "the file", "your own configuration"))
    problems += [
        _passed_over(_line(PACKAGE, text, key), f"'{key}'", "dependencies")
        for key in _PASSED_OVER
        if data.get(key)
    ]
    wanted = {**_dependencies(data, (PACKAGE, text), problems), **(more or {})}
    if not wanted and not any(problem.severity == "error" for problem in problems):
        message = "it names no font package under 'dependencies'"
        problems.append(Problem(Source(PACKAGE), message, "font"))
    name = str(data.get("name"))
    name = name if _named(name) else "fonts"
    if len(wanted) > _MOST_PACKAGES:
        problems.append(_too_many(PACKAGE, len(wanted)))
    lock, pinned = _lock(root, name, wanted, problems)
    if any(problem.severity == "error" for problem in problems):
        return None, problems
    package = {"name": name, "private": True, "dependencies": wanted}
    return Asked(_text(package), _text(lock) if lock else "", pinned), problems


def text_with(root: Path, more: Mapping[str, str]) -> str:
    """The text of a package.json that `read` found nothing wrong with, or of a new one, with more
    packages."""
    text, why = paths.read_text(root, PACKAGE)
    text = _NEW if why else text
    data = jsontext.parse(text)
    data["dependencies"] = {**data.get("dependencies", {}), **more}
    indent = _INDENT.search(text)
    return json.dumps(data, indent=indent[1] if indent else 2, ensure_ascii=False) + "\n"


def is_version(text: object) -> bool:
    """Whether it is an exact version, such as `5.3.0`."""
    return isinstance(text, str) and _VERSION.fullmatch(text) is not None


def _json(text: str, path: str) -> tuple[dict[str, Any] | None, list[Problem]]:
    try:
        data = jsontext.parse(text)
    except NotJson as error:
        return None, [Problem(Source(path, error.line), str(error), "font")]
    if not isinstance(data, dict):
        return None, [
            Problem(Source(path, 1), 'a mapping is asked for: {"dependencies": …}', "font")
        ]
    return data, []


def _passed_over(source: Source, what: str, alone: str) -> Problem:
    message = f"{what} is passed over; 'cardgen fonts' goes by {alone} alone"
    return Problem(source, message, "font", "warning")


def _too_many(path: str, number: int) -> Problem:
    message = f"it names {number} packages; at most {_MOST_PACKAGES} are fetched"
    return Problem(Source(path), message, "bounds")


def _line(path: str, text: str, key: str, after: str = "") -> Source:
    """Where a key stands in a JSON file, behind another key; its first line where it is escaped."""
    start = max(0, text.find(json.dumps(after, ensure_ascii=False))) if after else 0
    found = re.compile(re.escape(json.dumps(key, ensure_ascii=False)) + r"\s*:").search(text, start)
    return Source(path, text.count("\n", 0, found.start()) + 1 if found else 1)


def _dependencies(
    data: Mapping[str, Any], file: tuple[str, str], problems: list[Problem], after: str = ""
) -> dict[str, str]:
    """Name → range of packages of the registry; all else is told."""
    path, text = file
    given = data.get("dependencies", {})
    if not isinstance(given, dict):
        message = '\'dependencies\' maps names to versions: {"@fontsource/inter": "5.3.0"}'
        problems.append(Problem(_line(path, text, "dependencies", after), message, "font"))
        return {}
    found: dict[str, str] = {}
    for name, version in given.items():
        if not _named(name):
            message = f"{quoted(name)} is no name of a package"
        elif not _is_range(version):
            message = (
                f"{quoted(name)} is asked for as {quoted(version)}, which is not fetched; "
                "write a version of the npm registry, such as 5.3.0"
            )
        else:
            found[name] = version
            continue
        problems.append(Problem(_line(path, text, name, after or "dependencies"), message, "font"))
    return found


def _named(name: str) -> bool:
    return len(name) <= _MOST_SIGNS and _NAMED.fullmatch(name) is not None


def _is_range(version: object) -> bool:
    """Whether npm looks it up in its registry: a version, or bounds of one."""
    if not isinstance(version, str) or len(version) > _MOST_SIGNS:
        return False
    words = version.replace("||", " || ").split()
    if not words or words[-1].lower().endswith(_A_FILE):
        return False
    return version == "latest" or all(
        word in _BETWEEN or _BOUND.fullmatch(word) is not None for word in words
    )


def _lock(
    root: Path, name: str, wanted: Mapping[str, str], problems: list[Problem]
) -> tuple[dict[str, Any] | None, bool]:
    """The lock of those packages, and whether it pins just what is wanted; otherwise npm writes
    it anew, and keeps of it what it can."""
    text, why = paths.read_text(root, LOCK)
    if why:
        if why != _MISSING:
            problems.append(Problem(Source(LOCK), f"the file {why}", "font"))
        return None, False
    data, wrong = _json(text, LOCK)
    if data is None:
        problems += wrong
        return None, False
    packages = data.get("packages")
    if not isinstance(packages, dict) or not isinstance(packages.get(""), dict):
        return None, False  # of an npm before the seventh, which wrote another form
    if len(packages) > _MOST_PACKAGES:
        problems.append(_too_many(LOCK, len(packages)))
        return None, False
    entries = dict(_entries(packages, text, problems))
    top = {"name": name, "dependencies": dict(wanted)}
    lock = {
        "name": name, "lockfileVersion": 3, "requires": True, "packages": {"": top, **entries},
    }  # fmt: skip
    return lock, packages[""].get("dependencies") == wanted


def _entries(
    packages: Mapping[str, Any], text: str, problems: list[Problem]
) -> Iterator[tuple[str, dict[str, Any]]]:
    for place, entry in packages.items():
        if not place:
            continue
        version = entry.get("version") if isinstance(entry, dict) else None
        known = isinstance(version, str) and _VERSION.fullmatch(version)
        if not known or not _PLACE.fullmatch(place) or entry.get("link"):
            message = (
                f"{quoted(place)} is no package of the npm registry with its version; "
                "delete the file, and run 'cardgen fonts' again"
            )
            problems.append(Problem(_line(LOCK, text, place), message, "font"))
            continue
        kept = {"version": version}
        integrity = entry.get("integrity")
        if isinstance(integrity, str) and all(map(_INTEGRITY.fullmatch, integrity.split())):
            kept["integrity"] = integrity
        needed = _dependencies(entry, (LOCK, text), problems, place)
        yield place, {**kept, **({"dependencies": needed} if needed else {})}


def _text(data: Mapping[str, Any]) -> str:
    return json.dumps(data, indent=2) + "\n"
