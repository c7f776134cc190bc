"""The rulebook's chapters and their pictures, in both languages."""

from __future__ import annotations

import importlib.util
import re
import sys
from pathlib import Path
from types import ModuleType

import pytest

from cardgen.rules import rule_file

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


def load_pen(name: str) -> ModuleType:
    folder = Path("art", "draw").resolve()
    spec = importlib.util.spec_from_file_location(f"{name}_pen", folder / f"{name}.py")
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


@pytest.fixture(scope="module")
def pen() -> ModuleType:
    return load_pen("book")


def test_the_pictures_are_what_their_pen_draws(pen: ModuleType) -> None:
    stale = [
        name
        for name, (title, spot, sun, dark, casts) in pen.CHAPTERS.items()
        if Path("art", "book", f"{name}.svg").read_text(encoding="utf-8")
        != pen.scene(title, spot, casts, sun=sun, dark=dark)
    ]
    assert stale == []
    assert Path("art", "book", "cover.svg").read_text(encoding="utf-8") == pen.cover()


def test_the_pictures_of_the_box_are_what_their_pen_draws() -> None:
    drawn = load_pen("box").draw_pictures()
    files = {file.stem: file.read_text(encoding="utf-8") for file in Path("art", "box").iterdir()}
    assert files == drawn


def test_the_back_of_the_box_counts_every_deck() -> None:
    game, problems = rule_file.load_game(Path())
    assert game is not None, problems
    text = Path("templates", "box.html").read_text(encoding="utf-8")
    counted = set(re.findall(r'count\("([a-z-]+)"\)', text))
    assert counted == {deck.id for deck in game.decks if deck.count}
