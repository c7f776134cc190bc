"""Updates of the preview's page: kept positions, first results, errors."""

from __future__ import annotations

import time
from collections.abc import Callable

import chromium
import pytest
from chromium import Page
from preview_books import WITH_BOOK
from previews import face, shown, typed

pytestmark = chromium.needs_browser

# Enough cards that the wall scrolls.
MANY = "".join(f"  - {{id: note-{number}, value: {number}}}\n" for number in range(6, 120))
RULES = """rules:
  - {id: few, count: loot, at_most: 9, because: the box is small}
  - {id: some, count: loot, at_least: 2, because: one is not enough}
"""
BUILT = {
    **WITH_BOOK,
    "cards/notes.yaml": WITH_BOOK["cards/notes.yaml"] + MANY,
    "cards/rules.yaml": RULES,
}
TOP = (
    "[...document.querySelectorAll('.tile')].map(t => [t, t.getBoundingClientRect()])"
    ".filter(([, r]) => r.bottom > document.getElementById('wall').getBoundingClientRect().top)"
    ".map(([t, r]) => [t.dataset.card, Math.round(r.top)])[0]"
)
PROBLEMS = "document.getElementById('show-problems').textContent"


def placed(card: str) -> str:
    """From where on the screen a tile stands."""
    return (
        f"Math.round(document.querySelector('[data-card=\"{card}\"]').getBoundingClientRect().top)"
    )


def sort(page: Page, by: str) -> None:
    page.run(
        f"void (document.getElementById('sort').value = '{by}', "
        "document.getElementById('sort').dispatchEvent(new Event('change')))"
    )


@pytest.mark.parametrize("key", ["p", "r"])
def test_the_card_at_the_top_stays_beside_a_panel(page: Page, key: str) -> None:
    page.run("void (document.getElementById('wall').scrollTop = 3000)")
    time.sleep(0.5)
    card, top = page.run(TOP)
    for _ in range(3):
        for _ in ("opened", "closed"):
            page.key(key)
            time.sleep(0.4)
            assert abs(page.run(placed(card)) - top) <= 2


def test_the_selected_card_stays_in_a_narrower_window(page: Page) -> None:
    page.run("void (document.getElementById('wall').scrollTop = 3000)")
    time.sleep(0.5)
    card = page.run(
        "[...document.querySelectorAll('.tile')].find(t => t.getBoundingClientRect().top > 400)"
        ".dataset.card"
    )
    page.run(f"void document.querySelector('[data-card=\"{card}\"]').click()")
    page.wait("document.getElementById('card').open")
    page.run("void document.querySelector('#card .close').click()")
    page.wait("!document.getElementById('card').open")
    time.sleep(0.2)
    top = page.run(placed(card))
    for width in (900, 1280, 700, 1280):
        page.size(width, 800)
        time.sleep(0.4)
        bar = page.run("document.getElementById('wall').getBoundingClientRect().top")
        if width == 1280:
            assert abs(page.run(placed(card)) - top) <= 2
        assert bar <= page.run(placed(card)) < 800


def test_the_worst_card_of_all_decks_is_first(
    page: Page, edited: Callable[[str, str, str], None]
) -> None:
    edited("cards/notes.yaml", "{id: five, value: 5}", "{id: five, vale: 5}")
    page.wait("document.querySelector('[data-card=\"notes/five\"] .badge')")
    sort(page, "problems")
    page.wait("document.querySelector('.tile').dataset.card === 'notes/five'")
    assert len(shown(page)) == 118
    assert page.run("document.querySelectorAll('section.deck').length") == 1
    assert "five" in page.run("document.querySelector('.tile .id').textContent")
    assert " · " in page.run("document.querySelector('.tile .id').textContent")
    sort(page, "order")
    page.wait("document.querySelector('.tile').dataset.card === 'loot/barn'")
    assert page.run("document.querySelectorAll('section.deck').length") == 2


def test_the_last_change_of_all_decks_is_first(
    page: Page, edited: Callable[[str, str, str], None]
) -> None:
    sort(page, "changed")
    before = page.run(face("notes/five/front/en"))
    edited("cards/notes.yaml", "{id: five, value: 5}", "{id: five, value: 55}")
    page.wait(f"{face('notes/five/front/en')} !== {before!r}")
    page.wait("document.querySelector('.tile').dataset.card === 'notes/five'")


def test_problems_of_unchecked_rules_are_not_gone(
    page: Page, edited: Callable[[str, str, str], None]
) -> None:
    page.wait(f"/^\\d+ problems?$/.test({PROBLEMS})")
    before = page.run(PROBLEMS)
    page.run(
        "void (globalThis.told = [], new MutationObserver(() => told.push("
        f"{PROBLEMS})).observe(document.getElementById('show-problems'), {{childList: true}}))"
    )
    edited("cards/notes.yaml", "{id: five, value: 5}", "{id: five, vale: 5}")
    page.wait(f"/^\\d+ problems?$/.test({PROBLEMS}) && {PROBLEMS} !== {before!r}")
    told = page.run("told")
    assert any(each.startswith("checking …") for each in told)
    assert before not in told
    assert "1 problems" not in [before, *told]


def test_an_invalid_expression_shows_its_error_below_the_field(page: Page) -> None:
    typed(page, "where", "value > 116")
    page.wait("document.querySelectorAll('.tile:not([hidden])').length === 3")
    typed(page, "where", "valu > 116")
    page.wait("document.querySelector('#where + .why-not')?.textContent.includes('valu')")
    assert "Not applied" in page.run("document.querySelector('.why-not').textContent")
    assert len(shown(page)) == 3
    typed(page, "where", "")
    page.wait("!document.querySelector('.why-not')")


def test_the_keys_close_with_their_key_and_with_the_room(page: Page) -> None:
    is_open = "document.getElementById('keys').open"
    page.key("?")
    page.wait(is_open)
    low = "document.querySelector('#keys .close').getBoundingClientRect().bottom"
    assert page.run(low) <= 800
    page.key("?")
    page.wait(f"!{is_open}")
    page.key("?")
    page.wait(is_open)
    page.key("H")
    page.wait("!document.getElementById('hand').hidden")
    assert not page.run(is_open)


def test_a_problem_of_many_cards_is_one_entry(
    page: Page, edited: Callable[[str, str, str], None]
) -> None:
    edited("templates/note.html", "{{ card.value }}", "{{ card.vale }}")
    page.key("p")
    page.wait("document.querySelector('#problems .cards')")
    told = "[...document.querySelectorAll('#problems li')].map(l => l.textContent)"
    assert len([each for each in page.run(told) if "vale" in each]) == 1
    assert "×" in page.run("document.querySelector('#problems .times').textContent")
    assert not page.run("document.querySelector('#problems .cards').open")
    page.run("void (document.querySelector('#problems .cards').open = true)")
    page.wait("document.querySelectorAll('#problems .cards .to').length > 100")


def test_what_is_said_alike_of_many_lines_is_one_entry(
    page: Page, edited: Callable[[str, str, str], None]
) -> None:
    edited("cards/notes.yaml", MANY, MANY.replace("value: ", "value: x"))
    page.key("p")
    page.wait("document.querySelector('#problems .cards')")
    told = "[...document.querySelectorAll('#problems li')].map(l => l.textContent)"
    (entry,) = [each for each in page.run(told) if "'value' is" in each]
    assert "'value' is 'x6'" in entry
    assert "and 113 more like it" in entry
    page.run("void [...document.querySelectorAll('#problems .cards')].map(d => d.open = true)")
    page.wait("document.querySelectorAll('#problems .cards .at').length >= 113")
    lines = "[...document.querySelectorAll('#problems .cards .at')].map(l => l.textContent)"
    assert any("'value' is 'x119'" in each and "note-119" in each for each in page.run(lines))


def test_what_follows_from_one_mistake_is_one_entry(
    page: Page, edited: Callable[[str, str, str], None]
) -> None:
    edited("cards/loot.yaml", "deck: loot", "deck: looty")
    page.key("p")
    entries = "[...document.querySelectorAll('#problems li')].map(l => l.textContent)"
    gone = "there is no deck 'loot'; did you mean 'looty'?"
    page.wait(f"{entries}.some(text => text.includes({gone!r}))")
    told = [each for each in page.run(entries) if "there is no deck 'loot'" in each]
    assert len(told) == 1
    assert told[0].startswith(gone)
    assert not page.run("document.querySelector('#problems .cards').open")
    page.run("void [...document.querySelectorAll('#problems .cards')].map(d => d.open = true)")
    page.wait(f"{entries}.some(text => text.includes({gone!r}) && text.includes('cannot be'))")


def test_seven_cards_are_held_within_the_window(page: Page) -> None:
    page.key("H")
    page.wait("!document.getElementById('hand').hidden")
    page.wait("document.querySelector('.held')")
    for _ in range(3):
        if page.run("document.querySelectorAll('.held').length") < 7:
            page.key(".")
            time.sleep(0.6)
    assert page.run("document.querySelectorAll('.held').length") == 7
    lies = "[...document.querySelectorAll('.held')].map(h => h.getBoundingClientRect())"
    desk = "document.getElementById('hand').getBoundingClientRect()"
    for key in ("f", "p", "p"):
        time.sleep(0.6)
        assert page.run(f"Math.min(...{lies}.map(r => r.left))") >= 0
        assert page.run(f"Math.max(...{lies}.map(r => r.right)) <= {desk}.right")
        page.key(key)


def test_pages_of_the_rulebook_fit_beside_the_problems(page: Page) -> None:
    page.key("R")
    page.wait("document.querySelector('#book-pages .leaf .paper')?.querySelector('img')")
    page.key("p")
    page.wait(
        "[document.querySelector('#book-pages .paper'), document.getElementById('problems')]"
        ".map(e => e.getBoundingClientRect()).reduce((a, b) => b.width && a.right <= b.left)"
    )


def test_a_loading_card_is_announced(page: Page) -> None:
    page.run(
        "void (globalThis.told = [], new MutationObserver(() => told.push("
        "document.querySelector('#card .coming')?.textContent))"
        ".observe(document.getElementById('card'), {childList: true, subtree: true}))"
    )
    page.run("void document.querySelector('[data-card=\"loot/barn\"]').click()")
    page.wait("document.querySelector('#card .fields dt')")
    page.wait("document.querySelector('#card .coming').textContent === ''")
    assert any("looked up" in (each or "") for each in page.run("told"))
