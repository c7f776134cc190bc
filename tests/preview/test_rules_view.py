"""The rules with their measurements, and the problems of the rulebook, in a browser."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

import chromium
from chromium import Page
from previews import Preview
from small_games import TEXT_GAME

pytestmark = chromium.needs_browser

BUILT = {
    **TEXT_GAME,
    "cards/rules.yaml": """rules:
  - {id: size, count: loot, at_least: 2, at_most: 5, because: it lasts a game}
  - {id: worth, sum: notes, of: value, is: 7, because: the bank}
""",
    "rulebook/fi.md": "# Pieni\n\nOta kortti.\n",
    "rulebook/en.md": "# Small\n\nTake a card.\n",
}
RULE = "document.querySelector('[data-rule=size]')"


def test_rules_are_green_before_they_break(
    page: Page, edited: Callable[[str, str, str], None]
) -> None:
    page.key("r")
    page.wait(RULE)
    assert page.run(f"{RULE}.className") == "fine"
    assert page.run(f"{RULE}.querySelector('.measure').textContent") == "loot42 – 5"
    allowed, now = (
        f"{RULE}.querySelector('.{kind}').getBoundingClientRect()" for kind in ("allowed", "now")
    )
    assert page.run(f"{allowed}.left < {now}.left && {now}.left < {allowed}.right")
    edited("cards/loot.yaml", "copies: 3", "copies: 6")
    page.wait(f"{RULE}?.className === 'error'")
    assert page.run(f"{RULE}.querySelector('.measure b').textContent") == "7"
    assert page.run(f"{now}.left > {allowed}.right")
    assert "expected at most 5" in page.run(f"{RULE}.textContent")
    first = "document.querySelector('#rules > ol > li').dataset.rule"
    assert page.run(first) == "size"  # what is broken stands first
    assert page.run("document.querySelector('.decks tfoot').textContent") == "All410"
    page.key("p")
    page.wait("document.getElementById('rules').hidden")
    assert not page.run("document.getElementById('problems').hidden")


def test_a_bound_is_dragged_along_its_bar(
    page: Page, shared: tuple[Path, Preview], edited: Callable[[str, str, str], None]
) -> None:
    edited("cards/rules.yaml", "the bank}", "the bank}\n")  # put back afterwards
    path = shared[0] / "cards/rules.yaml"
    before = path.read_text(encoding="utf-8")
    page.key("r")
    page.wait(f"{RULE}?.querySelectorAll('.handle').length === 2")
    page.run(
        f"void (([least], bar) => {{"
        "  const send = (kind, x) => least.dispatchEvent("
        "    new PointerEvent(kind, {pointerId: 1, clientX: x, bubbles: true}));"
        "  least.setPointerCapture = () => {}; least.hasPointerCapture = () => true;"
        "  send('pointerdown', 0); send('pointermove', bar.left + bar.width * 4.2 / 5.75);"
        "  send('lostpointercapture', 0);"
        f"}})({RULE}.querySelectorAll('.handle'), {RULE}.querySelector('.track')"
        ".getBoundingClientRect())"
    )
    page.wait(f"{RULE}?.querySelector('.asked').textContent === '4 – 5'")
    until = time.monotonic() + 30
    while path.read_text(encoding="utf-8") == before and time.monotonic() < until:
        time.sleep(0.02)
    assert path.read_text(encoding="utf-8") == before.replace("at_least: 2", "at_least: 4")
    page.wait("document.getElementById('said').textContent === 'size: at least 4'")


def test_a_bound_is_moved_by_keys(page: Page, edited: Callable[[str, str, str], None]) -> None:
    edited("cards/rules.yaml", "the bank}", "the bank}\n")
    page.key("r")
    handle = "document.querySelector('[data-rule=worth] .handle')"
    page.wait(handle)
    assert page.run(f"{handle}.getAttribute('aria-valuenow')") == "7"
    page.run(f"void {handle}.focus()")
    page.key("ArrowRight")
    assert page.run(f"{handle}.getAttribute('aria-valuenow')") == "8"
    page.key("Enter")
    page.wait("document.querySelector('[data-rule=worth]')?.className === 'error'")
    assert "expected 8" in page.run("document.querySelector('[data-rule=worth]').textContent")


def test_problems_of_the_rulebook_are_listed(
    page: Page, edited: Callable[[str, str, str], None]
) -> None:
    page.key("p")
    edited("rulebook/en.md", "Take a card.", "Take a {nosuchicon}.")
    list_ = "document.getElementById('problems').textContent"
    page.wait(f"{list_}.includes('rulebook/en.md:3')")
    edited("rulebook/en.md", "{nosuchicon}", "card")
    page.wait(f"!{list_}.includes('rulebook/en.md')")
