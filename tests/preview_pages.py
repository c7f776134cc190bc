"""Fixtures: one preview for the tests of a module, and one browser for those of a process."""

from __future__ import annotations

import shutil
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import chromium
import pytest
from chromium import Page, Pipe
from previews import Preview, forget_view, opened, previewing
from small_games import edit


@pytest.fixture(scope="module")
def shared(built: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Path, Preview]]:
    """One preview for the tests that leave the game as it was, its editor a note of what it is
    asked."""
    root = Path(shutil.copytree(built, tmp_path_factory.mktemp("shared") / "game"))
    script = tmp_path_factory.mktemp("editor") / "editor.py"
    script.write_text(_EDITOR)
    editor = f"{sys.executable} {script} {{file}} {{line}}"
    with previewing(root, "--editor", editor) as preview:
        preview.note = script.with_name("asked")
        yield root, preview


_EDITOR = """import sys, pathlib
pathlib.Path(__file__).with_name("asked").write_text(" ".join(sys.argv[1:]))
"""


@pytest.fixture(scope="session")
def chromium_pipe() -> Iterator[Pipe]:
    with chromium.launched() as pipe:
        yield pipe


@pytest.fixture(scope="module")
def window(chromium_pipe: Pipe) -> Iterator[Page]:
    with chromium.page_of(chromium_pipe) as page:
        yield page


@pytest.fixture
def page(window: Page, shared: tuple[Path, Preview]) -> Page:
    """The wall of the shared preview, with nothing changed in how it is looked at."""
    forget_view(window, shared[1])
    return opened(window, shared[1])


@pytest.fixture
def edited(shared: tuple[Path, Preview], page: Page) -> Iterator[Callable[[str, str, str], None]]:
    """Edit a file of the shared game; it is as it was afterwards."""
    root, preview = shared
    before: dict[str, str] = {}

    def change(name: str, old: str, new: str) -> None:
        before.setdefault(name, (root / name).read_text(encoding="utf-8"))
        edit(root, name, old, new)

    whole = preview.wall()
    yield change
    for name, text in before.items():
        (root / name).write_text(text, encoding="utf-8")
    until = time.monotonic() + chromium.SECONDS
    while preview.wall()["faces"].items() != whole["faces"].items():
        assert time.monotonic() < until
        time.sleep(0.1)
