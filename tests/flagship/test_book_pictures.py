"""The rulebook's chapters and their pictures, in both languages."""

from __future__ import annotations

import importlib.util
import re
import sys
from pathlib import Path
from types import ModuleType

import pytest

BARE = {"glossary", "notes", "awaits", "open"}
"""Chapters without a picture: word lists, and those of the designer's edition."""


def chapters(language: str) -> list[str]:
    text = Path("rulebook", f"{language}.md").read_text(encoding="utf-8")
    return re.findall(r"^## .*\{#([a-z-]+)", text, re.MULTILINE)


def test_both_books_have_the_same_chapters() -> None:
    assert chapters("fi") == chapters("en")


def test_every_chapter_has_its_picture_and_every_picture_its_chapter() -> None:
    drawn = {file.stem for file in Path("art", "book").glob("*.svg")} - {"cover"}
    assert set(chapters("fi")) - BARE == drawn


@pytest.fixture(scope="module")
def pen() -> ModuleType:
    folder = Path("art", "draw").resolve()
    spec = importlib.util.spec_from_file_location("book_pen", folder / "book.py")
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    sys.path.insert(0, str(folder))
    try:
        spec.loader.exec_module(module)
    finally:
        sys.path.remove(str(folder))
    return module


def test_the_pictures_are_what_their_pen_draws(pen: ModuleType) -> None:
    stale = [
        name
        for name, (title, spot, sun, dark, casts) in pen.CHAPTERS.items()
        if Path("art", "book", f"{name}.svg").read_text(encoding="utf-8")
        != pen.scene(title, spot, casts, sun=sun, dark=dark)
    ]
    assert stale == []
    assert Path("art", "book", "cover.svg").read_text(encoding="utf-8") == pen.cover()
