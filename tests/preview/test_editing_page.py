"""Cards edited on the page, in a browser: every kind of field, conflicts, and undo."""

from __future__ import annotations

import subprocess
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import chromium
import pytest
from chromium import Page
from previews import Preview
from small_games import TEXT_GAME

pytestmark = chromium.needs_browser
DECK = """deck: ships
title: {fi: Laivat, en: Ships}
size: poker
front: ship.html
styles: [ship.css]
fields:
  name: text
  text: text
  cost: {type: integer, min: 0, max: 9}
  rare: boolean
  kind: {type: choice, of: [ship, port]}
  loot: {type: reference, to: loot}
  sign: {type: icon}
  hull: colour
  code: string
  tags: {type: list, of: string}
  crew: {type: record, fields: {cash: integer}}
cards:
  # The only one
  - id: dove
    name: {fi: Kyyhky, en: Dove}   # its name
    text: {fi: "Purjehdi.", en: "Sail {coin} on."}
    cost: 3
    kind: ship
    loot: barn
    hull: red
    code: x
    tags: [old, grey]
    crew: {cash: 1}
"""
TABLE = (
    "deck: ports\ntitle: {fi: Satamat, en: Ports}\nsize: poker\nfront: port.html\n"
    "fields: {name: text, cost: integer}\nrows: ports.csv\n"
)
BUILT = {
    **TEXT_GAME,
    "game.yaml": TEXT_GAME["game.yaml"] + "colours: {red: '#aa2222', blue: '#2222aa'}\n",
    "cards/ships.yaml": DECK,
    "cards/ports.yaml": TABLE,
    "cards/ports.csv": "id;name.fi;name.en;cost\nbay;Lahti;Bay;2\n",
    "templates/ship.html": """<div class="bleed ground"></div>
<div class="name">{{ card.name }}</div>
<div class="text" data-fit="7-9">{{ card.text }} {{ card.cost }}</div>
<p>{{ "R" if card.rare }} {{ card.kind }} {{ card.loot }} {{ card.sign }} {{ card.hull }}
{{ card.code }} {{ card.tags | join }} {{ card.crew.cash if card.crew }}</p>""",
    "templates/ship.css": """.name { position: absolute; left: 5mm; top: 5mm; width: 50mm }
.text { position: absolute; left: 5mm; top: 55mm; width: 50mm; height: 9mm }
p { position: absolute; left: 5mm; top: 20mm; width: 50mm }""",
    "templates/port.html": "<p style='margin: 9mm'>{{ card.name }} {{ card.cost }}</p>",
}
FILES = ("cards/ships.yaml", "cards/ports.csv")


class Desk:
    """The page with a card open, and the game's folder."""

    def __init__(self, page: Page, root: Path, preview: Preview) -> None:
        self.page, self.root, self.preview = page, root, preview

    def open(self, card: str) -> None:
        self.page.run(f"void document.querySelector('[data-card=\"{card}\"]').click()")
        self.page.wait("document.querySelector('.fields dt')")
        self.page.wait("document.querySelector('#card .inside .text')")

    def put(self, field: str, value: str, kind: str = "change") -> None:
        """Set a control as a user does who leaves it then."""
        self.page.run(
            f"(() => {{ const f = document.querySelector('[aria-label=\"{field}\"]'); f.focus(); "
            f"if (f.type === 'checkbox') f.checked = {value}; else f.value = {value}; "
            "f.dispatchEvent(new Event('input', {bubbles: true})); "
            f"f.dispatchEvent(new Event({kind!r}, {{bubbles: true}})); }})()"
        )

    def wait_for(self, name: str, text: str) -> None:
        until = time.monotonic() + chromium.SECONDS
        while (self.root / name).read_text(encoding="utf-8") != text:
            assert time.monotonic() < until, (self.root / name).read_text(encoding="utf-8")
            time.sleep(0.02)

    def click_text(self, words: str) -> None:
        found = (
            "[...document.querySelectorAll('#card .inside .text')]"
            f".find(t => t.textContent.includes({words!r}))"
        )
        self.page.wait(found)
        self.page.run(f"void {found}.dispatchEvent(new MouseEvent('click', {{bubbles: true}}))")
        self.page.wait("document.activeElement.closest('.inplace')")


@pytest.fixture
def desk(page: Page, shared: tuple[Path, Preview]) -> Iterator[Desk]:
    root, preview = shared
    yield Desk(page, root, preview)
    for name in FILES:
        (root / name).write_text(BUILT[name], encoding="utf-8")


def changed_lines(root: Path, tmp_path: Path, name: str) -> str:
    """What git shows of a change: its removed and added lines."""
    before = tmp_path / "before"
    before.write_text(BUILT[name], encoding="utf-8")
    told = subprocess.run(
        ["git", "diff", "--no-index", "-U0", str(before), str(root / name)],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    return "\n".join(told.stdout.splitlines()[5:])


@pytest.mark.parametrize(
    ("field", "value", "lines"),
    [
        ("name, fi", "'Pulu'", ("fi: Kyyhky", "fi: Pulu")),
        ("cost", "'5'", ("cost: 3", "cost: 5")),
        ("kind", "'1'", ("kind: ship", "kind: port")),
        ("loot", "'1'", ("loot: barn", "loot: shop")),
        ("hull", "'1'", ("hull: red", "hull: blue")),
        ("code", "'y: z'", ("code: x", 'code: "y: z"')),
        ("cash", "'2'", ("cash: 1", "cash: 2")),
    ],
)
def test_each_kind_of_field_is_one_line(
    desk: Desk, tmp_path: Path, field: str, value: str, lines: tuple[str, str]
) -> None:
    desk.open("ships/dove")
    desk.put(field, value)
    desk.wait_for("cards/ships.yaml", DECK.replace(*lines))
    told = changed_lines(desk.root, tmp_path, "cards/ships.yaml").splitlines()
    assert [line[:1] for line in told] == ["-", "+"]


def test_switches_icons_lists_and_copies(desk: Desk) -> None:
    desk.open("ships/dove")
    desk.put("rare", "true")
    rare = DECK.replace("    cost: 3\n", "    cost: 3\n    rare: true\n")
    desk.wait_for("cards/ships.yaml", rare)
    desk.put("sign", "'0'")
    sign = rare.replace("    loot: barn\n", "    loot: barn\n    sign: coin\n")
    desk.wait_for("cards/ships.yaml", sign)
    desk.page.run("void document.querySelector('[aria-label=\"Remove tags 1\"]').click()")
    short = sign.replace("[old, grey]", "[grey]")
    desk.wait_for("cards/ships.yaml", short)
    desk.page.run("void document.querySelector('[aria-label=\"More copies\"]').click()")
    copies = short.replace("- id: dove\n", "- id: dove\n    copies: 2\n")
    desk.wait_for("cards/ships.yaml", copies)


def test_a_text_is_typed_on_the_card(desk: Desk) -> None:
    page = desk.page
    desk.open("ships/dove")
    shown = "document.querySelector('#card [data-face=\"ships/dove/front/en\"]').dataset.picture"
    page.wait(shown)
    before = page.run(shown)
    desk.click_text("on.")
    assert page.run("document.activeElement.value") == "Sail {coin} on."
    assert page.run("parseFloat(getComputedStyle(document.activeElement).fontSize)") > 12
    for key in " {co":
        page.key(key)
    page.wait("document.querySelector('.completions:not([hidden]) [aria-selected=true]')")
    page.key("Enter")
    assert page.run("document.activeElement.value") == "Sail {coin} on. {coin}"
    # The picture follows, and the file is as it was.
    page.wait(f"{shown} !== {before!r}")
    assert (desk.root / "cards/ships.yaml").read_text(encoding="utf-8") == DECK
    page.wait("document.querySelector('.inplace .fit-line').textContent.includes('in reserve')")
    page.run("void document.execCommand('insertText', false, ' on and on'.repeat(40))")
    page.wait(
        "document.querySelector('.inplace .fit-line.over')?.textContent.includes('mm too tall')"
    )
    page.key("Escape")
    page.wait("!document.querySelector('.inplace')")
    assert page.run("document.getElementById('card').open")
    page.wait(f"{shown} === {before!r}")
    assert (desk.root / "cards/ships.yaml").read_text(encoding="utf-8") == DECK
    desk.click_text("on.")
    page.run("void document.activeElement.select()")
    page.run("void document.execCommand('insertText', false, 'Sail: away')")
    page.key("Enter")
    desk.wait_for("cards/ships.yaml", DECK.replace("Sail {coin} on.", "Sail: away"))
    page.wait("!document.querySelector('.inplace')")


def test_a_cell_of_a_table_is_typed_on_the_card(desk: Desk) -> None:
    desk.open("ports/bay")
    desk.put("name, en", "'Cove; the'")
    desk.wait_for("cards/ports.csv", BUILT["cards/ports.csv"].replace("Bay", '"Cove; the"'))
    desk.put("cost", "'7'")
    desk.wait_for(
        "cards/ports.csv",
        BUILT["cards/ports.csv"].replace("Bay", '"Cove; the"').replace(";2\n", ";7\n"),
    )


def test_bold_by_keys(desk: Desk) -> None:
    page = desk.page
    desk.open("ships/dove")
    area = "document.querySelector('[aria-label=\"text, fi\"]')"
    page.run(f"void ({area}.focus(), {area}.setSelectionRange(0, 8))")
    bold = (
        f"void {area}.dispatchEvent(new KeyboardEvent('keydown', "
        "{key: 'b', ctrlKey: true, bubbles: true}))"
    )
    page.run(bold)
    assert page.run(f"{area}.value") == "**Purjehdi**."
    page.run(bold)
    assert page.run(f"{area}.value") == "Purjehdi."


def test_the_user_chooses_where_the_file_was_changed_meanwhile(desk: Desk) -> None:
    page = desk.page
    desk.open("ships/dove")
    cost = "document.querySelector('[aria-label=\"cost\"]')"
    for choice, kept in ((0, 6), (1, 5)):
        page.run(
            f"void ({cost}.focus(), {cost}.value = 5, {cost}.dispatchEvent(new Event('input')))"
        )
        theirs = DECK.replace("cost: 3", "cost: 6")
        (desk.root / "cards/ships.yaml").write_text(theirs, encoding="utf-8")
        page.run(f"void {cost}.dispatchEvent(new Event('change'))")
        page.wait("document.querySelector('.conflict')")
        told = page.run("[...document.querySelectorAll('.conflict dd')].map(d => d.textContent)")
        assert told == ["6", "5"]
        assert (desk.root / "cards/ships.yaml").read_text(encoding="utf-8") == theirs
        page.run(f"void document.querySelectorAll('.conflict .choice button')[{choice}].click()")
        desk.wait_for("cards/ships.yaml", DECK.replace("cost: 3", f"cost: {kept}"))
        page.wait(f"!document.querySelector('.conflict') && {cost}.value === '{kept}'")
        (desk.root / "cards/ships.yaml").write_text(DECK, encoding="utf-8")
        page.run("void document.activeElement.blur()")
        page.wait(f"{cost}.value === '3'")


def test_a_change_that_the_page_has_shown_is_not_overwritten_by_what_is_typed(desk: Desk) -> None:
    page = desk.page
    desk.open("ships/dove")
    cost, code = (f"document.querySelector('[aria-label=\"{name}\"]')" for name in ("cost", "code"))
    page.run(f"void ({cost}.focus(), {cost}.value = 5, {cost}.dispatchEvent(new Event('input')))")
    theirs = DECK.replace("cost: 3", "cost: 6").replace("code: x", "code: K9")
    (desk.root / "cards/ships.yaml").write_text(theirs, encoding="utf-8")
    page.wait(f"{code}.value === 'K9'")
    assert page.run(f"{cost}.value") == "5"
    page.run(f"void {cost}.dispatchEvent(new Event('change'))")
    page.wait("document.querySelector('.conflict')")
    assert (desk.root / "cards/ships.yaml").read_text(encoding="utf-8") == theirs


def test_what_cannot_be_written_says_so(desk: Desk) -> None:
    page = desk.page
    desk.open("ships/dove")
    desk.put("cost", "'12'")
    page.wait("document.getElementById('said').textContent.includes('at most 9')")
    (desk.root / "cards/ships.yaml").chmod(0o444)
    desk.put("cost", "'4'")
    page.wait("document.getElementById('said').textContent.includes('read-only')")
    (desk.root / "cards/ships.yaml").chmod(0o644)
    assert (desk.root / "cards/ships.yaml").read_text(encoding="utf-8") == DECK


def test_edits_are_undone_and_redone_by_keys(desk: Desk) -> None:
    page = desk.page
    desk.open("ships/dove")
    desk.put("cost", "'5'")
    five = DECK.replace("cost: 3", "cost: 5")
    desk.wait_for("cards/ships.yaml", five)
    page.wait("!document.querySelector('.history button').disabled")
    press: Callable[[str], str] = lambda more: (  # noqa: E731
        "void document.body.dispatchEvent(new KeyboardEvent('keydown', "
        f"{{key: 'z', ctrlKey: true, bubbles: true{more}}}))"
    )
    page.run("void document.activeElement.blur()")
    page.run(press(""))
    desk.wait_for("cards/ships.yaml", DECK)
    page.run(press(", shiftKey: true"))
    desk.wait_for("cards/ships.yaml", five)
    page.wait("document.querySelector('[aria-label=\"cost\"]').value === '5'")
