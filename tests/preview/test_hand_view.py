"""The hand view in a browser: shuffling, dealing and undoing moves."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import chromium
import pytest
from chromium import Page
from previews import Preview
from small_games import TEXT_GAME, edit

pytestmark = chromium.needs_browser

MORE = "".join(f"  - {{id: note-{number}, value: {number}}}\n" for number in range(6, 26))
BUILT = {**TEXT_GAME, "cards/notes.yaml": TEXT_GAME["cards/notes.yaml"] + MORE}
DECK = 2 + 1 + 20
HELD = "[...document.querySelectorAll('.held')]"
CARDS = f"{HELD}.map(card => card.dataset.card)"
COUNTS = "[...document.querySelectorAll('.pile b')].map(b => Number(b.textContent))"
SEED = "Number(document.querySelector('[aria-label=\"Seed\"]').value)"


@pytest.fixture
def page(page: Page) -> Page:
    """Seven notes in one hand."""
    page.key("H")
    page.wait(f"{HELD}.length === 7 && {HELD}.every(card => card.querySelector('img'))")
    return page


def chosen(page: Page, field: str, value: object) -> None:
    """Set a field of the bar, as one who types and leaves it."""
    page.run(
        f"void (field => {{ field.value = {value!r}; field.dispatchEvent(new Event('change')) }})"
        f"(document.querySelector('#hand-tools [aria-label=\"{field}\"]'))"
    )


def table(page: Page) -> Any:
    return page.run(f"({{cards: {CARDS}, counts: {COUNTS}, seed: {SEED}}})")


def test_a_seed_repeats_a_hand(page: Page) -> None:
    first = table(page)
    assert first["counts"] == [DECK - 7, 0]
    page.key("a")
    page.wait(f"{SEED} !== {first['seed']}")
    assert page.run(CARDS) != first["cards"]
    chosen(page, "Seed", first["seed"])
    page.wait(f"{SEED} === {first['seed']}")
    assert table(page) == first


def test_every_copy_has_a_place_and_moves_can_be_undone(page: Page) -> None:
    before = table(page)
    page.key("ArrowRight")
    page.key("x")
    page.wait(f"{HELD}.length === 6")
    after = table(page)
    assert after["counts"] == [DECK - 7, 1]
    assert after["cards"] == [*before["cards"][:1], *before["cards"][2:]]
    page.key("n")
    page.wait(f"{HELD}.length === 7")
    page.key("s")
    page.wait(f"{COUNTS}[1] === 0")
    assert page.run(COUNTS) == [DECK - 7, 0]
    for _ in range(3):
        page.key("u")
    page.wait(f"{CARDS}.join() === {','.join(before['cards'])!r}")
    assert table(page) == before


def test_copies_are_counted(page: Page) -> None:
    chosen(page, "Cards each", DECK)
    page.wait(f"{HELD}.length === {DECK}")
    cards = page.run(CARDS)
    assert sorted(cards) == sorted(
        ["notes/one", "notes/one", "notes/five", *(f"notes/note-{n}" for n in range(6, 26))]
    )
    page.run(f"void {HELD}[{cards.index('notes/one')}].click()")
    told = "document.getElementById('held-about').textContent"
    page.wait(f"{told}.includes('2 in the hand, 0 in the deck')")
    page.key("n")
    page.wait("document.getElementById('said').textContent.includes('the deck is empty')")


def test_players_get_equal_hands_of_the_cards_that_match(page: Page) -> None:
    page.key("+")
    page.key("+")
    page.wait("document.querySelectorAll('.fan').length === 3")
    each = "[...document.querySelectorAll('.fan')].map(f => f.querySelectorAll('.held').length)"
    assert page.run(each) == [7, 7, 7]
    field = "Only cards for which this expression is true"
    chosen(page, field, "value > 22")
    page.wait(f"{HELD}.length === 3")
    assert set(page.run(CARDS)) == {"notes/note-23", "notes/note-24", "notes/note-25"}
    chosen(page, field, "valu > 22")
    page.wait("document.querySelector('#hand-tools .where').title.includes('valu')")


def test_the_hand_is_kept_and_its_cards_are_drawn_anew_after_a_save(
    page: Page, shared: tuple[Path, Preview]
) -> None:
    page.key("x")
    page.wait(f"{HELD}.length === 6")
    before = table(page)
    time.sleep(0.5)
    page.go("about:blank")
    page.go(shared[1].address)
    page.wait(f"{HELD}.length === 6 && {HELD}.every(card => card.querySelector('img'))")
    assert table(page) == before
    sources = f"{HELD}.map(card => card.querySelector('img').src).join()"
    old = page.run(sources)
    edit(shared[0], "templates/note.html", "left: 20mm", "left: 30mm")
    page.wait(f"{sources} !== {old!r}")
    assert table(page) == before


def test_a_shuffle_is_fair(page: Page) -> None:
    """Each of six cards lies on each place about as often: 1000 of 6000 times, within five
    standard deviations of 29."""
    counts = page.run(
        """import("./page/deal.js").then(({dealt}) => {
          const counts = Array.from({length: 6}, () => [0, 0, 0, 0, 0, 0]);
          for (let seed = 1; seed <= 6000; seed++)
            dealt([0, 1, 2, 3, 4, 5], {seed, players: 1, size: 6, moves: []}).hands[0]
              .forEach((card, at) => counts[at][card]++);
          return counts;
        })"""
    )
    assert all(sum(row) == 6000 for row in counts)
    assert all(abs(count - 1000) < 145 for row in counts for count in row)
