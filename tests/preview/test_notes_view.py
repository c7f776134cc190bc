"""Notes about cards in a browser: written, marked on the wall, filtered, resolved."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import chromium
import pytest
from chromium import Page
from previews import Preview, shown

pytestmark = chromium.needs_browser
BARN = "document.querySelector('[data-card=\"loot/barn\"]')"
NOTES = "[...document.querySelectorAll('#card .notes li')].map(l => l.textContent)"


@pytest.fixture(autouse=True)
def file(shared: tuple[Path, Preview]) -> Iterator[Path]:
    path = shared[0] / "notes.yaml"
    yield path
    path.unlink(missing_ok=True)


def choose(page: Page, value: str) -> None:
    page.run(
        f"void (n => (n.value = '{value}', n.dispatchEvent(new Event('change'))))"
        "(document.getElementById('noted'))"
    )


def test_a_note_is_written_marked_filtered_and_resolved(page: Page, file: Path) -> None:
    page.run(f"void {BARN}.click()")
    page.wait("document.querySelector('#card .notes input')")
    page.run("void document.querySelector('#card .notes input').focus()")
    for letter in "Too dear":
        page.key(letter)
    page.key("Enter")
    page.wait(f"{NOTES}.length === 1")
    assert "Too dear" in page.run(NOTES)[0]
    assert "card: loot/barn, text: Too dear" in file.read_text(encoding="utf-8")
    page.wait(f"{BARN}.querySelector('.noted')?.textContent === '✎ 1'")
    page.run("void document.querySelector('#card .close').click()")
    choose(page, "open")
    page.wait("document.querySelectorAll('.tile:not([hidden])').length === 1")
    assert shown(page) == ["loot/barn"]
    page.run(f"void {BARN}.click()")
    page.wait(f"{NOTES}.length === 1")
    page.run("void document.querySelector('#card .notes li button').click()")
    page.wait("document.querySelector('#card .notes li.resolved')")
    assert "resolved: true" in file.read_text(encoding="utf-8")
    page.run("void document.querySelector('#card .close').click()")
    page.wait("document.querySelectorAll('.tile:not([hidden])').length === 0")
    choose(page, "any")
    page.wait("document.querySelectorAll('.tile:not([hidden])').length === 1")
    assert not page.run(f"{BARN}.querySelector('.noted')")
    choose(page, "")


def test_notes_that_others_write_are_shown(page: Page, file: Path) -> None:
    file.write_text("notes:\n  - {card: loot/shop, text: Why?}\n", encoding="utf-8")
    mark = "document.querySelector('[data-card=\"loot/shop\"] .noted')"
    page.wait(f"{mark}?.title === 'Why?'")
    file.write_text("notes: 7\n", encoding="utf-8")
    page.wait("document.getElementById('said').textContent.includes('has no list')")
