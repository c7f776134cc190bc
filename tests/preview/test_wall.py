"""The wall: what a look found over what stood there, and what a page must be told of it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from cardgen.base.problems import Problem, Source, Spot
from cardgen.pdf.face_file import FacePdf, Layer
from cardgen.preview.seen import CardSeen, DeckSeen, FaceName, Recipe, Seen, Settled
from cardgen.preview.wall import Wall, changes

DECK = DeckSeen("loot", {"en": "Loot"}, 63.5, 88.9, 3, 3, 3, "rectangle", 2, "cards/loot.yaml", 1)
BARN = FaceName("loot", "barn", "front", "en")
SHOP = FaceName("loot", "shop", "front", "en")
RECIPE = Recipe(FacePdf("k", Path("k.pdf"), 69.5, 94.9, 3), ())


def seen(barn: str, shop: str = "s1", *problems: Problem) -> Seen:
    pictures = {name: p for name, p in ((BARN, barn), (SHOP, shop)) if p}
    cards = tuple(
        CardSeen("loot", card, 1, {"en": card}, card, "cards/loot.yaml", 3)
        for card in ("barn", "shop")
    )
    recipes = dict.fromkeys(pictures.values(), RECIPE)
    return Seen({"en": "Game"}, ("en",), (DECK,), cards, (BARN, SHOP), pictures, recipes, problems)


def shown(wall: Wall, name: FaceName = BARN) -> tuple[str, str]:
    face = wall.as_json()["faces"][str(name)]
    return face["picture"], face["state"]


def hung() -> Wall:
    """Both faces set."""
    wall = Wall()
    wall.take(seen("b1"))
    wall.settle(Settled(frozenset({"b1", "s1"})))
    return wall


def test_a_deck_that_is_not_looked_at_yet_is_waited_for() -> None:
    wall = Wall()
    wall.take(replace(seen("", ""), coming=frozenset({"loot"})))
    assert shown(wall) == ("", "waiting")
    wall.take(seen("b1", ""))
    assert (shown(wall), shown(wall, SHOP)) == (("b1", "waiting"), ("", "none"))


def test_a_new_picture_is_asked_for_before_it_is_set() -> None:
    wall = hung()
    wall.take(seen("b2"))
    assert shown(wall) == ("b2", "waiting")
    assert shown(wall, SHOP) == ("s1", "good")
    wall.settle(Settled(frozenset({"b2"})))
    assert shown(wall) == ("b2", "good")
    assert wall.as_json()["faces"][str(BARN)]["before"] == "b1"


def test_one_that_cannot_be_set_keeps_its_last_good_picture() -> None:
    wall = hung()
    wall.take(seen("b2"))
    problem = Problem(Source("templates/loot.html", 2), "it is nested too deep", "bounds")
    wall.settle(Settled(failed=frozenset({"b2"}), problems={"b2": (problem,)}))
    assert shown(wall) == ("b1", "older")
    assert wall.problems == [problem]
    wall.take(seen("b1"))
    assert (shown(wall), wall.problems) == (("b1", "good"), [])


def test_one_that_cannot_be_rendered_keeps_it_too_and_a_new_one_has_none() -> None:
    wall = hung()
    wall.take(seen(""))
    assert shown(wall) == ("b1", "older")
    fresh = Wall()
    fresh.take(seen(""))
    assert shown(fresh) == ("", "none")


DRAWN_OVER = Layer((Spot(1, 2, 3, 4, "2 mm too tall"),), marked=False)


def test_a_picture_with_something_wrong_is_a_draft_until_it_is_mended() -> None:
    wall = hung()
    wall.take(seen("b2"))
    wall.settle(Settled(frozenset({"b2"}), layers={"b2": DRAWN_OVER}))
    assert shown(wall) == ("b2", "draft")
    wall.take(seen("b2", "s2"))
    assert (shown(wall), wall.layers) == (("b2", "draft"), {"b2": DRAWN_OVER})
    wall.take(seen("b1"))
    assert shown(wall) == ("b1", "good")


def lacking(picture: str) -> Seen:
    """Barn cannot be rendered, and a card of that picture says why."""
    found = seen("")
    recipes = {**found.recipes, picture: RECIPE}
    return replace(found, recipes=recipes, drafts={BARN: picture})


def test_a_face_that_was_never_good_shows_what_stands_in_its_place() -> None:
    wall = Wall()
    wall.take(lacking("d1"))
    assert shown(wall) == ("d1", "waiting")
    assert "d1" in wall.unset(())
    wall.settle(Settled(frozenset({"d1"})))
    assert shown(wall) == ("d1", "draft")
    wall.take(seen("b1"))
    wall.settle(Settled(frozenset({"b1"})))
    assert shown(wall) == ("b1", "good")
    assert wall.as_json()["faces"][str(BARN)]["before"] == ""


def test_one_that_was_good_keeps_its_picture_and_its_draft_is_never_set() -> None:
    wall = hung()
    wall.take(lacking("d1"))
    assert shown(wall) == ("b1", "older")
    assert "d1" not in wall.unset(())


def test_a_face_that_cannot_be_set_has_a_draft_that_lasts_as_long_as_it() -> None:
    wall = Wall()
    wall.take(seen("b1"))
    failed = Settled(failed=frozenset({"b1"}), instead={"b1": ("d1", RECIPE)})
    wall.settle(failed)
    assert shown(wall) == ("d1", "draft")
    wall.take(seen("b1", "s2"))
    assert shown(wall) == ("d1", "draft")
    wall.take(seen("b2"))
    assert shown(wall) == ("b2", "waiting")


def test_a_draft_that_cannot_be_set_either_leaves_nothing_to_show() -> None:
    wall = Wall()
    wall.take(lacking("d1"))
    wall.settle(Settled(failed=frozenset({"d1"})))
    assert shown(wall) == ("", "none")
    assert "d1" not in wall.unset(())


def test_without_a_readable_game_all_stays() -> None:
    wall = hung()
    broken = Problem(Source("game.yaml", 1), "not YAML", "yaml")
    wall.take(Seen(problems=(broken,), whole=False))
    assert shown(wall) == ("b1", "older")
    assert list(wall.cards) == ["loot/barn", "loot/shop"]
    assert wall.as_json()["whole"] is False
    wall.take(seen("b1"))
    assert shown(wall) == ("b1", "good")


def test_a_deck_whose_file_cannot_be_read_stays_and_one_that_is_gone_goes() -> None:
    wall = hung()
    other = replace(DECK, id="notes", path="cards/notes.yaml")
    broken = Problem(Source("cards/loot.yaml", 4), "not YAML", "yaml")
    half = replace(seen(""), decks=(other,), cards=(), faces=(), pictures={}, recipes={})
    wall.take(replace(half, problems=(broken,)))
    assert list(wall.decks) == ["notes", "loot"]
    assert shown(wall) == ("b1", "older")
    wall.take(half)
    assert list(wall.decks) == ["notes"]
    assert (wall.cards, wall.faces, wall.recipes) == ({}, {}, {})


def test_what_is_waited_for_is_set_first_and_nothing_twice() -> None:
    wall = Wall()
    wall.take(seen("b1"))
    assert wall.unset(()) == ["b1", "s1"]
    assert wall.unset(["s1", "gone"]) == ["s1", "b1"]
    wall.settle(Settled(frozenset({"s1"}), frozenset({"b1"})))
    assert wall.unset(["s1"]) == []


def test_a_glance_shows_one_deck_and_leaves_the_others() -> None:
    wall = hung()
    wall.retake(replace(seen("b2"), problems=()))
    assert shown(wall) == ("b2", "waiting")
    assert shown(wall, SHOP) == ("s1", "good")


def test_a_page_is_told_what_changed_and_nothing_else() -> None:
    wall = hung()
    old = wall.as_json()
    assert changes(old, wall.as_json()) == {}
    wall.take(seen("b2"))
    told = changes(old, wall.as_json())
    assert list(told) == ["looks", "faces", "faces_gone"]
    assert list(told["faces"]) == [str(BARN)]
    wall.take(replace(seen("b2"), faces=(SHOP,), cards=seen("b2").cards[1:]))
    gone = changes(old, wall.as_json())
    assert (gone["cards_gone"], gone["faces_gone"]) == (["loot/barn"], [str(BARN)])
    assert gone["order"] == [str(SHOP)]
