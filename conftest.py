"""Game folders for tests: copied to a folder of their own, with the repository's fonts."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

ROOT = Path(__file__).parent
TESTS = ROOT / "tests"
FONTS = ROOT / "fonts"
PACKAGES = ("@fontsource/roboto-condensed", "hyphen")
MAIN_FONT = "fonts:\n  - family: Roboto Condensed\n    package: '@fontsource/roboto-condensed'\n"

MakeGame = Callable[..., Path]


def pytest_sessionstart() -> None:
    """Say plainly what is missing, instead of a hundred failures."""
    if not (FONTS / "node_modules").is_dir():
        pytest.exit("the fonts are not installed; run 'make setup' first", returncode=2)


def give_fonts(folder: Path) -> None:
    """Put the font packages into a game folder, and a fonts.yaml if it has none."""
    for package in PACKAGES:
        target = folder / "fonts" / "node_modules" / package
        shutil.copytree(FONTS / "node_modules" / package, target, ignore=_unneeded)
    declared = folder / "fonts" / "fonts.yaml"
    if not declared.exists():
        declared.write_text(MAIN_FONT)


def _unneeded(_folder: str, names: list[str]) -> list[str]:
    wanted = ("latin-400", "latin-700", "latin-ext-400", "latin-ext-700", "fi-x-school")
    return [
        name
        for name in names
        if Path(name).suffix in {".woff2", ".woff", ".js", ".css"}
        and not any(part in name for part in wanted)
    ]


@pytest.fixture
def make_game(tmp_path: Path) -> MakeGame:
    """Write a game from `{"cards/deck.yaml": text, …}`, or copy a folder under tests/."""

    def make(files: dict[str, str] | None = None, like: Path | None = None) -> Path:
        root = tmp_path / "game"
        if like is not None:
            shutil.copytree(like, root, ignore=shutil.ignore_patterns("expected.txt", "build"))
        for name, text in (files or {}).items():
            path = root / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        give_fonts(root)
        return root

    return make
