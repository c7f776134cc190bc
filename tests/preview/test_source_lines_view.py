"""The two lines of a text on a card: in the template and in the card's field."""

from __future__ import annotations

import time
from pathlib import Path

import chromium
import pytest
from chromium import Page
from previews import Preview
from small_games import TEXT_GAME

pytestmark = chromium.needs_browser
BUILT = TEXT_GAME

TEXT = (
    "[...document.querySelectorAll('#card .inside .text')].find(t => t.textContent.includes({!r}))"
)


def line(root: Path, name: str, text: str) -> str:
    """File and line of what stands in a file of the game."""
    lines = (root / name).read_text(encoding="utf-8").splitlines()
    return f"{name}:{next(n for n, each in enumerate(lines, 1) if text in each)}"


def opened_in(preview: Preview) -> str:
    """What the editor is asked for, once it is."""
    until = time.monotonic() + 20
    while not preview.note.exists() or not preview.note.read_text():
        assert time.monotonic() < until
        time.sleep(0.05)
    told = preview.note.read_text()
    preview.note.unlink()
    return told


def test_a_click_offers_both_lines_and_keys_open_them(
    page: Page, shared: tuple[Path, Preview]
) -> None:
    root, preview = shared
    card = line(root, "cards/loot.yaml", "Ota {coin}")
    template = line(root, "templates/loot.html", "card.text")
    page.run("void document.querySelector('[data-card=\"loot/barn\"]').click()")
    text = TEXT.format("lähde")
    page.wait(text)
    page.run("void (navigator.clipboard.writeText = async (said) => { window.copied = said; })")
    page.run(f"void {text}.dispatchEvent(new MouseEvent('click', {{bubbles: true}}))")
    offered = page.run("[...document.querySelectorAll('.lines .source')].map(b => b.textContent)")
    assert offered == [card, template]
    assert "Card: text" in page.run("document.querySelector('.lines').textContent")
    page.run("void document.querySelectorAll('.lines .source')[1].click()")
    file, _, number = template.partition(":")
    assert opened_in(preview) == f"{root}/{file} {number}"
    assert page.run("document.querySelector('.lines') === null")
    page.key("Y")
    page.wait("document.getElementById('said').textContent.startsWith('Point at a text')")
    page.run(f"void {text}.dispatchEvent(new PointerEvent('pointerenter'))")
    for key, said in (("y", card), ("Y", template)):
        page.key(key)
        page.wait(f"window.copied === {said!r}")
    page.key("e")
    file, _, number = card.partition(":")
    assert opened_in(preview) == f"{root}/{file} {number}"
    page.run(f"void {text}.dispatchEvent(new PointerEvent('pointerleave'))")
    page.key("y")
    page.wait(f"window.copied === {line(root, 'cards/loot.yaml', 'id: barn')!r}")


def test_arrows_turn_from_card_to_card(page: Page) -> None:
    page.run("void document.querySelector('[data-card=\"loot/barn\"]').click()")
    page.wait("document.querySelector('.about .id')?.textContent.includes('loot/barn')")
    page.key("ArrowRight")
    page.wait("document.querySelector('.about .id').textContent.includes('loot/shop')")
    page.run("void document.querySelector('.turn button').click()")
    page.wait("document.querySelector('.about .id').textContent.includes('loot/barn')")


def test_two_fingers_make_the_cards_larger(page: Page) -> None:
    scale = "Number(document.documentElement.style.getPropertyValue('--scale'))"
    before = page.run(scale)
    for kind, number, x in (
        ("down", 1, 100), ("down", 2, 200), ("move", 2, 300), ("up", 2, 300), ("move", 1, 10),
    ):  # fmt: skip
        page.run(
            f"void document.getElementById('wall').dispatchEvent(new PointerEvent('pointer{kind}', "
            f"{{pointerId: {number}, pointerType: 'touch', clientX: {x}, clientY: 50}}))"
        )
    assert page.run(scale) == pytest.approx(2 * before)
