"""The preview in a browser, while files are edited."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

import chromium
import pytest
from chromium import Page
from previews import BARN, Preview, face, opened, previewing, shown, typed
from small_games import TEXT_GAME, edit

pytestmark = chromium.needs_browser

# Enough cards that the wall scrolls.
MANY = "".join(
    f"  - {{id: note-{number}, value: {number}}}\n" for number in range(6, 120)
)  # fmt: skip
OUTSIDE = (
    "[...document.querySelectorAll('#bar :is(button, select, input)')]"
    ".filter(e => e.getBoundingClientRect().right > innerWidth).map(e => e.id || e.textContent)"
)
"""Controls of the toolbar that are cut off."""
NOTE_MM = 60
"""Width of a note."""
BUILT = {**TEXT_GAME, "cards/notes.yaml": TEXT_GAME["cards/notes.yaml"] + MANY}


def test_an_edited_card_is_redrawn_and_no_other(
    page: Page, edited: Callable[[str, str, str], None]
) -> None:
    barn, shop = page.run(face(BARN)), page.run(face("loot/shop/front/en"))
    page.run("void (document.querySelector('.tile').marked = true)")
    edited("cards/loot.yaml", "Barn", "Old barn")
    page.wait(f"{face(BARN)} !== {barn!r}")
    assert page.run(face("loot/shop/front/en")) == shop
    assert page.run("document.querySelector('.tile').marked")
    page.wait("document.querySelector('[data-card=\"loot/barn\"] b').textContent === 'Lato'")


def test_a_broken_template_keeps_the_pictures_until_it_is_fixed(
    page: Page, edited: Callable[[str, str, str], None]
) -> None:
    barn = page.run(face(BARN))
    assert page.run("document.getElementById('banner').hidden")
    edited("templates/loot.html", "{{ card.name }}", "{% if card.name %}")
    page.wait("!document.getElementById('banner').hidden")
    assert "templates/loot.html" in page.run("document.getElementById('banner').textContent")
    page.wait(f"{face(BARN, 'dataset.state')} === 'older'")
    assert page.run(face(BARN)) == barn
    edited("templates/loot.html", "{% if card.name %}", "<b>{{ card.name }}</b>")
    page.wait(f"{face(BARN)} !== {barn!r} && document.getElementById('banner').hidden")


def test_pictures_stay_when_the_game_cannot_be_read(
    page: Page, edited: Callable[[str, str, str], None]
) -> None:
    before = shown(page)
    edited("game.yaml", "languages: [fi, en]", "languages: [fi, en")
    page.wait("!document.getElementById('banner').hidden")
    assert shown(page) == before
    edited("game.yaml", "languages: [fi, en", "languages: [fi, en]")
    page.wait("document.getElementById('banner').hidden")


def test_an_overflow_is_drawn_with_its_problem(
    page: Page, edited: Callable[[str, str, str], None]
) -> None:
    barn = page.run(face(BARN))
    edited("cards/loot.yaml", "Take {coin}", "Take a great lot of {coin} " * 30)
    page.wait(f"{face(BARN)} !== {barn!r}")
    tile = "document.querySelector('[data-card=\"loot/barn\"]')"
    page.wait(f"{tile}.classList.contains('wrong') && {tile}.querySelector('.badge')")
    page.key("p")
    page.wait("document.querySelector('#problems li.error')")
    assert "too tall for its box" in page.run("document.getElementById('problems').textContent")
    page.run("void document.querySelector('#problems .to').click()")
    page.wait("document.getElementById('card').open")
    page.wait("document.querySelector('#card ol.wrong li.error')")
    page.wait("document.querySelector('#card .inside rect.fault')")
    fault = "document.querySelector('#card .inside text.fault')"
    assert "mm too tall" in page.run(f"{fault}.textContent")
    seen = f"getComputedStyle({fault}).display"
    assert page.run(seen) != "none"
    page.run("void document.querySelector('[data-guide=faults]').click()")
    assert page.run(seen) == "none"
    page.run("void document.querySelector('[data-guide=faults]').click()")
    assert page.run(seen) != "none"
    page.run("void document.querySelector('[data-guide=before]').click()")
    page.wait("document.querySelector('#card .before img')?.naturalWidth")
    page.run("void document.querySelector('[data-guide=before]').click()")
    page.wait("!document.querySelector('#card .before')")


def test_cards_without_a_good_picture_show_placeholders(root: Path, window: Page) -> None:
    edit(root, "cards/loot.yaml", "Take {coin}", "Take a great lot of {coin} " * 30)
    edit(root, "cards/loot.yaml", "art: house\n  - id: shop", "art: hose\n  - id: shop")
    edit(root, "templates/note.html", "{{ card.value }}", "{{ card.vale }}")
    with previewing(root) as preview:
        opened(window, preview)
        for name in (BARN, "notes/one/front/en"):
            window.wait(f"{face(name, 'dataset.state')} === 'draft'")
            window.wait(f"{face(name, 'querySelector(`img`)')}")
        assert window.run(face("loot/shop/front/en", "dataset.state")) == "good"
        problems = "document.querySelector('[data-card=\"notes/one\"] .badge').title"
        assert "there is no 'vale'" in window.run(problems)
        edit(root, "templates/note.html", "{{ card.vale }}", "{{ card.value }}")
        window.wait(f"{face('notes/one/front/en', 'dataset.state')} === 'good'")


def test_cards_are_found_by_words_and_by_expressions(page: Page) -> None:
    assert len(shown(page)) == 2 + 2 + 114
    typed(page, "words", "maksa")
    page.wait("document.querySelectorAll('.tile:not([hidden])').length === 1")
    assert shown(page) == ["loot/shop"]
    typed(page, "words", "")
    typed(page, "where", "value > 116")
    page.wait("document.querySelectorAll('.tile:not([hidden])').length === 3")
    assert shown(page) == ["notes/note-117", "notes/note-118", "notes/note-119"]
    typed(page, "where", "valu > 116")
    page.wait("document.getElementById('where').title.includes('valu')")
    assert len(shown(page)) == 3  # what stood, until it says something
    typed(page, "where", "")
    page.wait("document.querySelectorAll('.tile:not([hidden])').length > 100")


def test_sides_languages_and_order(page: Page) -> None:
    faces = (
        "[...document.querySelectorAll('[data-card=\"loot/barn\"] .face')].map(f => f.dataset.face)"
    )
    assert page.run(faces) == ["loot/barn/front/fi", BARN]
    page.key("b")
    page.wait(f"{faces}.join() === 'loot/barn/back/fi,loot/barn/back/en'")
    page.key("2")
    page.wait(f"{faces}.length === 4")
    page.key("l")
    page.wait(f"{faces}.join() === 'loot/barn/front/fi,loot/barn/back/fi'")
    page.run(
        "void (document.getElementById('sort').value = 'name', "
        "document.getElementById('sort').dispatchEvent(new Event('change')))"
    )
    page.wait("document.querySelector('.tile').dataset.card === 'loot/shop'")  # Kauppa, Lato


def test_the_card_dialog_has_guides_fields_and_links(
    page: Page, shared: tuple[Path, Preview]
) -> None:
    page.run("void document.querySelector('[data-card=\"loot/barn\"]').click()")
    page.wait("document.querySelectorAll('#card .face img').length === 2")
    page.wait("document.querySelectorAll('.fields dt').length === 3")
    trim = "getComputedStyle(document.querySelector('#card .guides .trim')).display"
    assert page.run(trim) == "none"
    page.run("void document.querySelector('[data-guide=trim]').click()")
    page.wait(f"{trim} !== 'none'")
    page.run("void document.querySelector('.fields .source').click()")
    note = shared[1].note
    until = time.monotonic() + 20
    while not note.exists() or not note.read_text():
        assert time.monotonic() < until
        time.sleep(0.05)
    file, line = note.read_text().split()
    assert file == f"{shared[0]}/cards/loot.yaml"
    assert "name: {fi: Lato" in Path(file).read_text().splitlines()[int(line) - 1]
    page.key("Escape")


def test_keys_choose_a_card_and_open_it(page: Page) -> None:
    for key in ("ArrowRight", "ArrowRight"):
        page.key(key)
    page.wait("document.querySelector('.tile.selected')?.dataset.card === 'loot/shop'")
    page.key("Enter")
    page.wait("document.getElementById('card').open")
    assert "Kauppa" in page.run("document.getElementById('card').textContent")
    page.key("?")
    page.wait("document.getElementById('keys').open")


def test_light_and_dark(page: Page) -> None:
    ground = "getComputedStyle(document.body).backgroundColor"
    light = page.run(ground)
    page.size(1280, 800, dark=True)
    page.wait(f"{ground} !== {light!r}")
    page.key("d")
    page.wait(f"{ground} === {light!r}")


def test_the_reading_position_survives_an_edit_and_a_reload(
    page: Page, shared: tuple[Path, Preview], edited: Callable[[str, str, str], None]
) -> None:
    page.key("+")
    page.run("void (document.getElementById('wall').scrollTop = 3000)")
    page.wait("document.getElementById('wall').scrollTop > 2000")
    time.sleep(0.5)
    tiles = "[...document.querySelectorAll('.tile')]"
    first = f"{tiles}.find(t => t.getBoundingClientRect().bottom > 100).dataset.card"
    there, top = page.run(first), page.run("document.getElementById('wall').scrollTop")
    fifth = page.run(face("notes/five/front/en"))
    edited("cards/notes.yaml", "{id: five, value: 5}", "{id: five, value: 55}")
    page.wait("document.getElementById('pulse').textContent === ''")
    assert page.run("document.getElementById('wall').scrollTop") == top
    time.sleep(0.5)
    page.go("about:blank")
    opened(page, shared[1])
    page.wait(f"{first} === {there!r}")
    assert page.run("getComputedStyle(document.documentElement).getPropertyValue('--scale')") > "4"
    assert fifth != page.run(face("notes/five/front/en"))


def test_a_thousand_faces_are_asked_for_as_they_come_into_view(page: Page) -> None:
    asked = (
        "performance.getEntriesByType('resource').filter(e => e.name.includes('/picture/')).length"
    )
    assert 0 < page.run(asked) < 100
    assert page.run("document.querySelectorAll('.face').length") == 2 * 118


@pytest.mark.parametrize("width", [820, 1280, 1440, 1920])
def test_cards_fill_the_wall_below_a_low_toolbar(page: Page, width: int) -> None:
    page.size(width, 900)
    page.wait(f"innerWidth === {width}")
    ends = (
        "Math.max(...[...document.querySelectorAll('[data-deck=notes] .tile')]"
        ".map(t => t.getBoundingClientRect().right))"
    )
    page.wait(f"{ends} > 0.96 * {width} && {ends} <= {width} - 10")
    assert page.run("document.getElementById('bar').offsetHeight") <= (85 if width > 1000 else 125)
    assert page.run(OUTSIDE) == []


@pytest.mark.parametrize("width", [820, 1280])
def test_toolbars_of_all_views_stay_in_the_window(page: Page, width: int) -> None:
    page.size(width, 900)
    for key, room in (("S", "sheets"), ("R", "book"), ("T", "table"), ("H", "hand")):
        page.key(key)
        page.wait(f"!document.getElementById('{room}').hidden")
        if room == "sheets":
            page.wait("document.querySelector('#sheet-tools select')")
        assert page.run(OUTSIDE) == [], room
        if room in {"sheets", "table"} and width == 1280:
            assert page.run("document.getElementById('bar').offsetHeight") < 50
    page.key("W")


def test_true_size_fills_no_wall(page: Page) -> None:
    width = "document.querySelector('[data-deck=notes] .face').getBoundingClientRect().width"
    filling = page.run(width)
    page.run("void document.getElementById('true').click()")
    page.wait(f"Math.abs({width} - {NOTE_MM} * 96 / 25.4) < 0.1")
    assert page.run("document.getElementById('true').getAttribute('aria-pressed')") == "true"
    assert abs(filling - page.run(width)) > 1
    page.run("void document.querySelector('#calibrate .close').click()")


def test_a_deck_is_chosen_in_the_toolbar(page: Page) -> None:
    page.run(
        "void (d => (d.value = 'notes', d.dispatchEvent(new Event('change'))))"
        "(document.getElementById('decks'))"
    )
    page.wait("document.getElementById('deck-notes').getBoundingClientRect().top < 120")
    page.run("void (document.getElementById('wall').scrollTop = 0)")
    page.wait("document.getElementById('decks').value === 'loot'")


def test_foreign_hosts_and_files_outside_the_game_are_refused(shared: tuple[Path, Preview]) -> None:
    _, preview = shared
    assert preview.ask("/TOKEN/")[0] == 200
    assert preview.ask("/TOKEN/", host="evil.test")[0] == 403
    assert preview.ask("/TOKEN/events", origin="http://evil.test")[0] == 403
    for path in ("../serving.py", "..%2fserving.py", "%2e%2e/serving.py", "/etc/passwd", "x.html"):
        assert preview.ask(f"/TOKEN/page/{path}")[0] == 404, path
        assert preview.ask(f"/TOKEN/font/{path}")[0] == 404, path
    body = '{"path": "../../etc/passwd", "line": 1}'
    assert preview.ask("/TOKEN/open", "POST", body)[0] == 403
    status, said = preview.ask("/TOKEN/open", "POST", body, origin=preview.origin)
    assert (status, "leads out of the game folder" in said) == (200, True)
    assert preview.ask("/TOKEN/picture/none/100") == (204, "")
    assert preview.ask("/TOKEN/picture/none/999999")[0] == 404
    for strange in ("[", "7", '{"path": 1}', "[" * 100_000):
        assert preview.ask("/TOKEN/open", "POST", strange, origin=preview.origin)[0] in (200, 400)
