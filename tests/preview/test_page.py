"""The preview as its user has it: a browser beside files that are edited."""

from __future__ import annotations

import shutil
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import chromium
import psutil
import pytest
from chromium import Page
from preview_pages import Preview, needs_browser, opened, origin, previewing, typed
from small_games import TEXT_GAME, edit, make

pytestmark = needs_browser

# Enough cards that the wall scrolls.
MANY = "".join(
    f"  - {{id: note-{number}, value: {number}}}\n" for number in range(6, 120)
)  # fmt: skip
BUILT = {**TEXT_GAME, "cards/notes.yaml": TEXT_GAME["cards/notes.yaml"] + MANY}
BARN = "loot/barn/front/en"


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


@pytest.fixture(scope="module")
def window() -> Iterator[Page]:
    with chromium.browser() as page:
        yield page


@pytest.fixture
def page(window: Page, shared: tuple[Path, Preview]) -> Page:
    """The wall of the shared preview, with nothing changed in how it is looked at."""
    window.size(1280, 800)
    window.go("about:blank")
    time.sleep(0.4)  # what the last page kept of itself has come in
    status, _ = shared[1].ask("/TOKEN/view", "PUT", "{}", origin=origin(shared[1]))
    assert status == 204
    return opened(window, shared[1])


def face(name: str, what: str = "dataset.picture") -> str:
    return f"document.querySelector('[data-face=\"{name}\"]')?.{what}"


def shown(page: Page) -> list[str]:
    found: list[str] = page.run(
        "[...document.querySelectorAll('.tile:not([hidden])')].map(t => t.dataset.card)"
    )
    return found


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


def test_an_edited_card_is_drawn_anew_and_nothing_else(
    page: Page, edited: Callable[[str, str, str], None]
) -> None:
    barn, shop = page.run(face(BARN)), page.run(face("loot/shop/front/en"))
    page.run("void (document.querySelector('.tile').marked = true)")
    edited("cards/loot.yaml", "Barn", "Old barn")
    page.wait(f"{face(BARN)} !== {barn!r}")
    assert page.run(face("loot/shop/front/en")) == shop
    assert page.run("document.querySelector('.tile').marked")
    page.wait("document.querySelector('[data-card=\"loot/barn\"] b').textContent === 'Lato'")


def test_a_broken_template_is_told_over_what_stood_and_mended(
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


def test_without_a_readable_game_the_wall_stays(
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
    page.wait("document.querySelector('#card .inside rect.over')")
    assert "mm too tall" in page.run(
        "document.querySelector('#card .inside text.over').textContent"
    )
    page.run("void document.querySelector('[data-guide=before]').click()")
    page.wait("document.querySelector('#card .before img')?.naturalWidth")
    page.run("void document.querySelector('[data-guide=before]').click()")
    page.wait("!document.querySelector('#card .before')")


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


def test_the_card_has_guides_fields_and_a_way_to_its_line(
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


def test_what_was_looked_at_survives_an_edit_and_a_new_page(
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


def test_a_foreign_host_and_a_file_outside_are_refused(shared: tuple[Path, Preview]) -> None:
    _, preview = shared
    assert preview.ask("/TOKEN/")[0] == 200
    assert preview.ask("/TOKEN/", host="evil.test")[0] == 403
    assert preview.ask("/TOKEN/events", origin="http://evil.test")[0] == 403
    for path in ("../serving.py", "..%2fserving.py", "%2e%2e/serving.py", "/etc/passwd", "x.html"):
        assert preview.ask(f"/TOKEN/page/{path}")[0] == 404, path
        assert preview.ask(f"/TOKEN/font/{path}")[0] == 404, path
    body = '{"path": "../../etc/passwd", "line": 1}'
    assert preview.ask("/TOKEN/open", "POST", body)[0] == 403
    status, said = preview.ask("/TOKEN/open", "POST", body, origin=origin(preview))
    assert (status, "leads out of the game folder" in said) == (200, True)
    assert preview.ask("/TOKEN/picture/none/100")[0] == 404
    assert preview.ask("/TOKEN/picture/none/999999")[0] == 404
    for strange in ("[", "7", '{"path": 1}', "[" * 100_000):
        assert preview.ask("/TOKEN/open", "POST", strange, origin=origin(preview))[0] in (200, 400)


def test_an_interrupt_ends_it_at_once_and_leaves_nothing(root: Path, window: Page) -> None:
    with previewing(root) as preview:
        opened(window, preview)
        children = psutil.Process(preview.process.pid).children(recursive=True)
        assert len(children) >= 3  # the server, the press and the pencil
        assert preview.end() < 5
        assert preview.process.returncode == 130
        _, alive = psutil.wait_procs(children, 5)
        assert alive == []
    window.wait("!document.getElementById('banner').hidden")
    assert "has ended" in window.run("document.getElementById('banner').textContent")
    assert list((root / "build/.store/scratch").iterdir()) == []


def test_a_template_that_never_ends_is_stopped_and_the_wall_stays(root: Path, window: Page) -> None:
    with previewing(root) as preview:
        opened(window, preview)
        barn = window.run(face(BARN))
        endless = "{% for a in range(99999) %}{% for b in range(99999) %}{% endfor %}{% endfor %}"
        edit(root, "templates/loot.html", "{{ card.name }}", f"{{{{ card.name }}}}{endless}")
        badge = "[data-card='loot/barn'] .badge"
        window.wait(f'document.querySelector("{badge}")?.title.includes("was stopped")', 120)
        assert window.run(face(BARN)) == barn
        edit(root, "templates/loot.html", endless, "!")
        window.wait(f"{face(BARN)} !== {barn!r}", 60)
        window.wait(f'!document.querySelector("{badge}")')


def test_a_folder_that_is_renamed_and_comes_back(root: Path, window: Page) -> None:
    with previewing(root) as preview:
        opened(window, preview)
        away = root.rename(root.with_name("elsewhere"))
        window.wait("document.getElementById('banner').textContent.includes('folder is gone')")
        away.rename(root)
        window.wait("document.getElementById('banner').hidden")
        barn = window.run(face(BARN))
        edit(root, "cards/loot.yaml", "Barn", "Old barn")
        window.wait(f"{face(BARN)} !== {barn!r}")


def test_two_previews_and_a_build_beside_each_other(root: Path, window: Page) -> None:
    page = window
    with previewing(root) as first, previewing(root) as second:
        opened(page, first)
        barn = page.run(face(BARN))
        edit(root, "cards/loot.yaml", "Barn", "Old barn")
        page.wait(f"{face(BARN)} !== {barn!r}")
        assert make(root).typeset == 0
        opened(page, second)
        assert page.run(face(BARN)) != barn
