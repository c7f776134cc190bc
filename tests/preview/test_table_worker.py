"""The virtual table in the preview: things are where the save puts them."""

from __future__ import annotations

import json
import time
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import chromium
import pytest
from chromium import Page
from previews import Preview
from small_games import TEXT_GAME, edit, make

from cardgen.core.units import MM_PER_INCH
from cardgen.preview.messages import GameLocation
from cardgen.preview.state import Json
from cardgen.preview.workers import render_worker, table_worker

GAME = TEXT_GAME["game.yaml"] + (
    "players:\n  - {id: red, name: {fi: Punainen, en: Red}, colour: '#c0392b'}\n"
    "  - {id: sky, name: {fi: Taivas, en: Sky}, colour: '#4080ff'}\n"
)
TOKENS = """deck: tokens
title: {fi: Merkit, en: Tokens}
size: 16 x 16
front: token.html
fields: {value: integer}
cards:
  - {id: dot, value: 1, copies: 5}
"""
BOARDS = """deck: boards
title: {fi: Laudat, en: Boards}
size: 100 x 60
front: note.html
fields: {value: integer}
for_each: player
cards:
  - {id: board, value: 7}
"""
TABLE = """seat:
  - deck: boards
    as: board
    markers: [{card: tokens/dot, at: [20, 15]}]
middle:
  - {deck: loot, turn: 90}
  - {deck: tokens, as: infinite}
  - {deck: notes, as: spread, face: up}
notes:
  - {title: {fi: Aluksi, en: First}, text: {fi: "Sekoita.", en: "Shuffle."}}
"""
BUILT = {
    **TEXT_GAME,
    "game.yaml": GAME,
    "cards/tokens.yaml": TOKENS,
    "cards/boards.yaml": BOARDS,
    "templates/token.html": TEXT_GAME["templates/note.html"]
    .replace("20mm", "6mm", 1)
    .replace("15mm", "6mm"),
    "table.yaml": TABLE,
}


@pytest.fixture
def place(root: Path, monkeypatch: pytest.MonkeyPatch) -> GameLocation:
    monkeypatch.setattr(render_worker, "_sessions", {})
    return GameLocation(root)


def shown(place: GameLocation, language: str = "en") -> Json:
    return table_worker.lay_out_table(place, language)


Pose = tuple[float, float, float]


def pose(each: Json) -> Pose:
    return each["x"], each["y"], each["turn"]


def posed(found: Any, turned: int) -> Pose:
    """Where an object of a save lies, in the preview's words: `turned` is what rotY is for one
    that is upright for the near side."""
    told = found["Transform"]
    there = told["posX"] * MM_PER_INCH, -told["posZ"] * MM_PER_INCH
    return *there, (told["rotY"] - turned) % 360


def assert_same(shown: Iterable[Pose], saved: Iterable[Pose]) -> None:
    def placed(poses: Iterable[Pose]) -> list[Pose]:
        return sorted(poses, key=lambda pose: [round(value + 0.013) for value in pose])

    for one, other in zip(placed(shown), placed(saved), strict=True):
        assert one == pytest.approx(other, abs=0.02)


def test_things_are_where_the_save_puts_them(place: GameLocation) -> None:
    make(place.root, outputs=("tts",))
    save = json.loads((place.root / "build/en/tts/small.json").read_text(encoding="utf-8"))
    hands = [each for each in save["ObjectStates"] if each["Name"] == "HandTrigger"]
    notes = [each for each in save["ObjectStates"] if each["Name"] == "Notecard"]
    others = [each for each in save["ObjectStates"] if each not in hands + notes]
    told = shown(place)
    assert_same(map(pose, told["things"]), [posed(each, 180) for each in others])
    assert {each["turn"] for each in told["things"]} == {0, 90, 180}
    beside = {
        kind: [pose(each) for each in told["extras"] if each["kind"] == kind]
        for kind in ("note", "hand", "rulebook")
    }
    assert_same(beside["note"], [posed(each, 180) for each in notes])
    assert_same(beside["hand"], [posed(each, 0) for each in hands])
    assert len(beside["rulebook"]) == 1


def test_a_selected_thing_shows_its_details(place: GameLocation) -> None:
    things = {each["id"]: each for each in shown(place, "fi")["things"]}
    loot = things["loot"]
    assert (loot["kind"], loot["side"], loot["count"]) == ("pile", "back", 4)
    assert loot["cards"] == [["loot/barn", 1], ["loot/shop", 3]]
    assert loot["name"] == "Saalis"
    tokens = things["tokens/dot"]
    assert (tokens["kind"], tokens["count"]) == ("infinite", 3)
    markers = [each for each in things.values() if each["kind"] == "marker"]
    assert [each["cards"] for each in markers] == [[["tokens/dot", 1]]] * 2
    assert [things[f"boards/board-{who}@{who}"]["locked"] for who in ("red", "sky")] == [True, True]


def test_unplaced_copies_and_players_are_reported(place: GameLocation) -> None:
    assert shown(place)["why"] == []
    edit(place.root, "table.yaml", "{deck: loot, turn: 90}", "{deck: loot, as: none}")
    edit(place.root, "table.yaml", "at: [20, 15]", "at: [20, 85]")
    told = shown(place)
    messages = [problem["message"] for problem in told["why"]]
    assert any("85 mm is no place on boards" in message for message in messages)
    assert "4 pieces of loot lie nowhere: barn, shop" in messages
    assert all(each["deck"] != "loot" for each in told["things"])
    edit(place.root, "game.yaml", "languages: [fi, en]", "languages: [fi, en")
    assert shown(place)["things"] is None
    assert shown(place)["why"]


# -- in the browser

THINGS = "[...document.querySelectorAll('.thing')]"
DRAWN = f"{THINGS}.length && {THINGS}.every(t => t.querySelector('img') || t.querySelector('.none').textContent)"  # noqa: E501
PANEL = "document.getElementById('table-panel').textContent"
WORLD = "document.querySelector('.world').style.transform"


@pytest.fixture
def page(page: Page) -> Page:
    page.key("T")
    page.wait(DRAWN, 60)
    return page


def box(page: Page, thing: str) -> list[float]:
    found: list[float] = page.run(
        f"(r => [r.left, r.top, r.width, r.height])"
        f"(document.querySelector('[data-thing=\"{thing}\"]').getBoundingClientRect())"
    )
    return found


@chromium.needs_browser
def test_the_whole_table_is_visible_in_its_proportions(page: Page) -> None:
    left, top, width, height = box(page, "loot")  # lies on its side
    assert width / height == pytest.approx(88.9 / 63.5, abs=0.02)
    outside = (
        "(d => [...document.querySelectorAll('.thing, .extra')].filter(e => "
        "(r => r.left < d.left || r.top < d.top || r.right > d.right || r.bottom > d.bottom)"
        "(e.getBoundingClientRect())).length)"
        "(document.getElementById('table-desk').getBoundingClientRect())"
    )
    assert page.run(outside) == 0
    # The wheel comes nearer to what is under the pointer, which stays there.
    x, y = left + width / 2, top + height / 2
    page.run(
        f"void document.getElementById('table-desk').dispatchEvent(new WheelEvent('wheel', "
        f"{{deltaY: -60, clientX: {x}, clientY: {y}, bubbles: true, cancelable: true}}))"
    )
    nearer = box(page, "loot")
    assert nearer[2] == pytest.approx(width * 2.718281828**0.25, rel=0.02)
    assert nearer[0] + nearer[2] / 2 == pytest.approx(x, abs=0.5)
    assert nearer[1] + nearer[3] / 2 == pytest.approx(y, abs=0.5)


@chromium.needs_browser
def test_a_click_leads_to_the_cards(page: Page) -> None:
    page.run("void document.querySelector('[data-thing=\"loot\"]').click()")
    page.wait(f"{PANEL}.includes('4 cards in a pile, face down')")
    page.run("void document.querySelector('#table-panel .to').click()")
    page.wait("document.getElementById('card').open")
    assert "Lato" in page.run("document.getElementById('card').textContent")
    page.run("void document.querySelector('#card .close').click()")
    page.run("void document.querySelector('[data-thing=\"notes/five\"]').click()")
    page.wait("document.getElementById('card').textContent.includes('notes/five')")
    page.run("void document.querySelector('#card .close').click()")


@chromium.needs_browser
def test_keys_move_the_view_which_is_stored(page: Page, shared: tuple[Path, Preview]) -> None:
    whole = page.run(WORLD)
    page.key("+")
    page.key("ArrowRight")
    moved = page.run(WORLD)
    assert moved != whole
    time.sleep(0.8)
    page.go("about:blank")
    page.go(shared[1].address)
    page.wait(DRAWN, 60)
    assert page.run(WORLD) == moved
    page.key("0")
    page.wait(f"{WORLD} === {whole!r}")
    page.key(".")
    page.wait("document.querySelector('.thing.chosen')")


@chromium.needs_browser
def test_a_save_updates_the_table(page: Page, shared: tuple[Path, Preview]) -> None:
    edit(shared[0], "table.yaml", "{deck: loot, turn: 90}", "{deck: loot, as: none}")
    page.wait("!document.querySelector('[data-thing=\"loot\"]')", 60)
    page.wait(f"{PANEL}.includes('lie nowhere')")
    edit(shared[0], "table.yaml", "{deck: loot, as: none}", "{deck: loot, turn: 90}")
    page.wait("document.querySelector('[data-thing=\"loot\"]')", 60)
