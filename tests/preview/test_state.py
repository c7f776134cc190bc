"""The preview's state: updates, failures, and the changes sent to pages."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from cardgen.core.problems import Problem, Source, Spot
from cardgen.pdf.face_file import DraftLayer, FacePdf
from cardgen.preview.messages import (
    BatchResult,
    CardInfo,
    DeckInfo,
    FaceName,
    FacePictureRecipe,
    GameUpdate,
)
from cardgen.preview.state import PreviewState, StateWriter, diff_states

DECK = DeckInfo("loot", {"en": "Loot"}, 63.5, 88.9, 3, 3, 3, "rectangle", 2, "cards/loot.yaml", 1)
BARN = FaceName("loot", "barn", "front", "en")
SHOP = FaceName("loot", "shop", "front", "en")
RECIPE = FacePictureRecipe(FacePdf("k", Path("k.pdf"), 69.5, 94.9, 3), ())


def seen(barn: str, shop: str = "s1", *problems: Problem) -> GameUpdate:
    pictures = {name: p for name, p in ((BARN, barn), (SHOP, shop)) if p}
    cards = tuple(
        CardInfo("loot", card, 1, {"en": card}, card, "cards/loot.yaml", 3)
        for card in ("barn", "shop")
    )
    recipes = dict.fromkeys(pictures.values(), RECIPE)
    return GameUpdate(
        {"en": "Game"}, ("en",), (DECK,), cards, (BARN, SHOP), pictures, recipes, problems
    )


def shown(wall: PreviewState, name: FaceName = BARN) -> tuple[str, str]:
    face = wall.to_json()["faces"][str(name)]
    return face["picture"], face["state"]


def hung() -> PreviewState:
    """Both faces set."""
    wall = PreviewState()
    wall.apply_update(seen("b1"))
    wall.apply_batch(BatchResult(frozenset({"b1", "s1"})))
    return wall


def test_faces_of_pending_decks_are_waiting() -> None:
    wall = PreviewState()
    wall.apply_update(replace(seen("", ""), pending_decks=frozenset({"loot"})))
    assert shown(wall) == ("", "waiting")
    wall.apply_update(seen("b1", ""))
    assert (shown(wall), shown(wall, SHOP)) == (("b1", "waiting"), ("", "none"))


def test_a_new_picture_is_pending_before_it_is_typeset() -> None:
    wall = hung()
    wall.apply_update(seen("b2"))
    assert shown(wall) == ("b2", "waiting")
    assert shown(wall, SHOP) == ("s1", "good")
    wall.apply_batch(BatchResult(frozenset({"b2"})))
    assert shown(wall) == ("b2", "good")
    assert wall.to_json()["faces"][str(BARN)]["before"] == "b1"


def test_a_face_that_cannot_be_typeset_keeps_its_last_good_picture() -> None:
    wall = hung()
    wall.apply_update(seen("b2"))
    problem = Problem(Source("templates/loot.html", 2), "it is nested too deep", "bounds")
    wall.apply_batch(BatchResult(failed=frozenset({"b2"}), problems={"b2": (problem,)}))
    assert shown(wall) == ("b1", "older")
    assert wall.problems == [problem]
    wall.apply_update(seen("b1"))
    assert (shown(wall), wall.problems) == (("b1", "good"), [])


def test_a_picture_that_was_unknown_for_a_moment_is_typeset_again() -> None:
    """A worker that started anew knew the game only as it was after the next save."""
    wall = hung()
    wall.apply_update(seen("b2"))
    wall.apply_batch(BatchResult(failed=frozenset({"b2"})))
    assert shown(wall) == ("b1", "older")
    wall.apply_update(seen("b2"))
    assert shown(wall) == ("b2", "waiting")
    assert wall.list_pending(()) == ["b2"]


def test_a_face_that_cannot_be_rendered_keeps_its_picture_if_it_had_one() -> None:
    wall = hung()
    wall.apply_update(seen(""))
    assert shown(wall) == ("b1", "older")
    fresh = PreviewState()
    fresh.apply_update(seen(""))
    assert shown(fresh) == ("", "none")


DRAWN_OVER = DraftLayer((Spot(1, 2, 3, 4, "2 mm too tall"),), is_marked=False)


def test_a_picture_with_faults_is_a_draft_until_they_are_fixed() -> None:
    wall = hung()
    wall.apply_update(seen("b2"))
    wall.apply_batch(BatchResult(frozenset({"b2"}), layers={"b2": DRAWN_OVER}))
    assert shown(wall) == ("b2", "draft")
    wall.apply_update(seen("b2", "s2"))
    assert (shown(wall), wall.layers) == (("b2", "draft"), {"b2": DRAWN_OVER})
    wall.apply_update(seen("b1"))
    assert shown(wall) == ("b1", "good")


def lacking(picture: str) -> GameUpdate:
    """Barn cannot be rendered, and a card of that picture says why."""
    found = seen("")
    recipes = {**found.recipes, picture: RECIPE}
    return replace(found, recipes=recipes, placeholders={BARN: picture})


def test_a_face_without_a_good_picture_shows_its_placeholder() -> None:
    wall = PreviewState()
    wall.apply_update(lacking("d1"))
    assert shown(wall) == ("d1", "waiting")
    assert "d1" in wall.list_pending(())
    wall.apply_batch(BatchResult(frozenset({"d1"})))
    assert shown(wall) == ("d1", "draft")
    wall.apply_update(seen("b1"))
    wall.apply_batch(BatchResult(frozenset({"b1"})))
    assert shown(wall) == ("b1", "good")
    assert wall.to_json()["faces"][str(BARN)]["before"] == ""


def test_a_failed_face_keeps_its_good_picture_and_needs_no_placeholder() -> None:
    wall = hung()
    wall.apply_update(lacking("d1"))
    assert shown(wall) == ("b1", "older")
    assert "d1" not in wall.list_pending(())


def test_a_placeholder_lasts_as_long_as_its_face_fails() -> None:
    wall = PreviewState()
    wall.apply_update(seen("b1"))
    problems = (Problem(Source(DECK.path, 1), "it does not fit", "overflow"),)
    wall.apply_batch(
        BatchResult(
            failed=frozenset({"b1"}), placeholders={"b1": ("d1", RECIPE)}, problems={"b1": problems}
        )
    )
    assert shown(wall) == ("d1", "draft")
    wall.apply_update(seen("b1", "s2"))
    assert shown(wall) == ("d1", "draft")
    wall.apply_update(seen("b2"))
    assert shown(wall) == ("b2", "waiting")


def test_a_placeholder_that_fails_leaves_nothing_to_show() -> None:
    wall = PreviewState()
    wall.apply_update(lacking("d1"))
    wall.apply_batch(BatchResult(failed=frozenset({"d1"})))
    assert shown(wall) == ("", "none")
    assert "d1" not in wall.list_pending(())


def test_the_state_stays_when_the_game_cannot_be_read() -> None:
    wall = hung()
    broken = Problem(Source("game.yaml", 1), "not YAML", "yaml")
    wall.apply_update(GameUpdate(problems=(broken,), is_complete=False))
    assert shown(wall) == ("b1", "older")
    assert list(wall.cards) == ["loot/barn", "loot/shop"]
    assert wall.to_json()["whole"] is False
    wall.apply_update(seen("b1"))
    assert shown(wall) == ("b1", "good")


def test_a_deck_stays_when_its_file_cannot_be_read() -> None:
    wall = hung()
    other = replace(DECK, id="notes", path="cards/notes.yaml")
    broken = Problem(Source("cards/loot.yaml", 4), "not YAML", "yaml")
    half = replace(seen(""), decks=(other,), cards=(), faces=(), pictures={}, recipes={})
    wall.apply_update(replace(half, problems=(broken,)))
    assert list(wall.decks) == ["notes", "loot"]
    assert shown(wall) == ("b1", "older")
    wall.apply_update(half)
    assert list(wall.decks) == ["notes"]
    assert (wall.cards, wall.faces, wall.recipes) == ({}, {}, {})


def test_urgent_pictures_are_first_and_none_is_listed_twice() -> None:
    wall = PreviewState()
    wall.apply_update(seen("b1"))
    assert wall.list_pending(()) == ["b1", "s1"]
    assert wall.list_pending(["s1", "gone"]) == ["s1", "b1"]
    wall.apply_batch(BatchResult(frozenset({"s1"}), frozenset({"b1"})))
    assert wall.list_pending(["s1"]) == []


def test_a_quick_update_changes_one_deck() -> None:
    wall = hung()
    wall.apply_quick_update(replace(seen("b2"), problems=()))
    assert shown(wall) == ("b2", "waiting")
    assert shown(wall, SHOP) == ("s1", "good")


def test_only_changes_are_sent_to_a_page() -> None:
    wall = hung()
    old = wall.to_json()
    assert diff_states(old, wall.to_json()) == {}
    wall.apply_update(seen("b2"))
    told = diff_states(old, wall.to_json())
    assert list(told) == ["looks", "faces", "faces_gone"]
    assert list(told["faces"]) == [str(BARN)]
    wall.apply_update(replace(seen("b2"), faces=(SHOP,), cards=seen("b2").cards[1:]))
    gone = diff_states(old, wall.to_json())
    assert (gone["cards_gone"], gone["faces_gone"]) == (["loot/barn"], [str(BARN)])
    assert gone["order"] == [str(SHOP)]


def test_the_whole_state_is_written_once_for_all_pages(monkeypatch: pytest.MonkeyPatch) -> None:
    writer, state, written = StateWriter(), PreviewState().to_json(), [0]
    dumps = json.dumps

    def count(value: object, separators: tuple[str, str]) -> str:
        written[0] += 1
        return dumps(value, separators=separators)

    monkeypatch.setattr(json, "dumps", count)
    assert {writer.write(state) for _ in range(60)} == {writer.write(state)}
    assert json.loads(writer.write(state)) == state
    state["checked"] = not state["checked"]
    assert json.loads(writer.write(state)) == state
    assert json.loads(writer.write(dict(state, title="Other")))["title"] == "Other"
    assert written == [3]
