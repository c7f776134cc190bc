"""The render worker in one process: faces are typeset as by a build."""

from __future__ import annotations

import io
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from PIL import Image, ImageChops
from small_games import contents, edit, make

from cardgen.core.problems import Diagnostic
from cardgen.faces import typesetting
from cardgen.faces.model import FaceOutput
from cardgen.game import loader
from cardgen.pipeline.build import Request
from cardgen.preview.messages import FaceName, GameLocation, GameUpdate, QuickUpdate
from cardgen.preview.workers import game_queries, raster_worker, render_worker
from cardgen.runtime import safe_files
from cardgen.runtime.game_files import FileStamps

BARN = FaceName("loot", "barn", "front", "en")


@pytest.fixture
def place(root: Path, monkeypatch: pytest.MonkeyPatch) -> GameLocation:
    monkeypatch.setattr(render_worker, "_sessions", {})
    return GameLocation(root)


def looked(place: GameLocation) -> GameUpdate:
    found = render_worker.update_game(place)
    assert found is not None
    return found


def settled(place: GameLocation, seen: GameUpdate) -> set[str]:
    done = render_worker.typeset_batch(place, tuple(seen.recipes), 100)
    assert not any(done.problems.values())
    return set(done.ready)


def pixels(
    seen: GameUpdate, name: FaceName, width: int = 120, *, bleed: bool = False
) -> Image.Image:
    data = raster_worker.draw_face(seen.recipes[seen.pictures[name]], width, bleed)
    assert data is not None
    return Image.open(io.BytesIO(data)).convert("RGB")


def test_every_face_is_there_and_can_be_drawn(place: GameLocation) -> None:
    seen = looked(place)
    assert [deck.id for deck in seen.decks] == ["loot", "notes"]
    assert len(seen.faces) == len(seen.pictures) == 2 * (2 * 2 + 2)
    assert settled(place, seen) == set(seen.recipes)
    trimmed = pixels(seen, BARN)
    assert trimmed.size == (120, 168)
    assert pixels(seen, BARN, bleed=True).size == (120, 164)
    # The house of the drawing in the middle of the card, and its ground in a corner.
    assert trimmed.getpixel((60, 50)) == (0xB8, 0x39, 0x2A)
    assert trimmed.getpixel((2, 2)) == (0xF1, 0xE6, 0xCF)


def test_unchanged_files_are_not_read_again(place: GameLocation) -> None:
    looked(place)
    assert render_worker.update_game(place) is None
    edit(place.root, "cards/loot.yaml", "Barn", "Old barn")
    assert render_worker.update_game(place) is not None


def test_an_edit_changes_the_picture_of_its_face_only(place: GameLocation) -> None:
    first = looked(place)
    settled(place, first)
    edit(place.root, "cards/loot.yaml", "Barn", "Old barn")
    second = looked(place)
    differ = [name for name in first.pictures if first.pictures[name] != second.pictures[name]]
    assert differ == [BARN]
    settled(place, second)
    assert pixels(first, BARN).tobytes() != pixels(second, BARN).tobytes()


def test_a_redrawn_picture_and_icon_are_changes(place: GameLocation) -> None:
    first = looked(place)
    edit(place.root, "art/house.svg", "#b8392a", "#2a39b8")
    second = looked(place)
    settled(place, second)
    assert pixels(second, BARN).getpixel((60, 50)) == (0x2A, 0x39, 0xB8)
    edit(place.root, "art/icons/coin.svg", 'r="9"', 'r="4"')
    third = looked(place)
    settled(place, third)
    assert len({seen.pictures[BARN] for seen in (first, second, third)}) == 3
    assert pixels(second, BARN).tobytes() != pixels(third, BARN).tobytes()


def test_a_later_build_typesets_nothing_and_equals_another(place: GameLocation) -> None:
    edit(place.root, "cards/loot.yaml", "Barn", "Old barn")
    settled(place, looked(place))
    report = make(place.root)
    assert report.typeset_count == 0
    with_preview = contents(place.root / "build")
    make(place.root, fresh=True)
    assert contents(place.root / "build") == with_preview


def test_the_first_deck_is_shown_before_the_whole_game(place: GameLocation) -> None:
    seen = render_worker.render_first_deck(place, "notes")
    assert seen is not None
    assert seen.pending_decks == {"loot"}
    assert [deck.id for deck in seen.decks] == ["loot", "notes"]
    assert {name.deck for name in seen.pictures} == {"notes"}
    assert settled(place, seen) == set(seen.recipes)
    whole = looked(place)
    assert whole.pending_decks == frozenset()
    assert seen.pictures.items() <= whole.pictures.items()
    assert seen.faces == whole.faces
    assert render_worker.render_first_deck(place, "notes") is None
    assert render_worker.update_game(place) is None


def test_a_file_changed_after_the_first_deck_is_read_again(place: GameLocation) -> None:
    assert render_worker.render_first_deck(place, "nothing") is not None
    edit(place.root, "cards/notes.yaml", "value: 5", "value: 6")
    first = looked(place)
    edit(place.root, "cards/notes.yaml", "value: 6", "value: 5")
    assert first.pictures != looked(place).pictures


def test_an_update_without_a_game_reports_the_reason(place: GameLocation) -> None:
    (place.root / "game.yaml").write_text("{")
    assert render_worker.render_first_deck(place, "loot") is None
    assert not looked(place).is_complete


def glanced(place: GameLocation, *in_view: str) -> QuickUpdate | None:
    return render_worker.quick_update(place, frozenset(in_view))


def test_a_quick_update_equals_the_complete_one(place: GameLocation) -> None:
    settled(place, looked(place))
    edit(place.root, "cards/loot.yaml", "Barn", "Old barn")
    glance = glanced(place)
    assert glance is not None
    seen = glance.update
    assert seen is not None
    assert [deck.id for deck in seen.decks] == ["loot"]
    assert settled(place, seen) == set(seen.recipes)
    look = looked(place)
    assert seen.pictures == {name: p for name, p in look.pictures.items() if name.deck == "loot"}
    assert seen.cards == tuple(card for card in look.cards if card.deck == "loot")


@pytest.mark.parametrize(
    ("name", "old", "new"),
    [
        ("templates/card.css", "#f1e6cf", "#000000"),
        ("templates/loot.html", "{{ card.name }}", "{{ card.name }}!"),
    ],
)
def test_a_quick_update_of_templates_renders_the_visible_decks(
    place: GameLocation, name: str, old: str, new: str
) -> None:
    first = looked(place)
    edit(place.root, name, old, new)
    assert glanced(place) is None
    glance = glanced(place, "loot")
    assert glance is not None
    assert glance.update is not None
    look = looked(place)
    of_loot = {name: p for name, p in look.pictures.items() if name.deck == "loot"}
    assert glance.update.pictures == of_loot
    assert of_loot[BARN] != first.pictures[BARN]


RULE = "rules:\n  - {id: few, count: loot, at_most: 0, because: of space}\n"


def test_a_quick_update_of_rules_reports_their_problems(place: GameLocation) -> None:
    (place.root / "cards/rules.yaml").write_text(RULE.replace("0", "90"))
    assert looked(place).problems == ()
    assert render_worker.check_game(place) == ()
    edit(place.root, "cards/rules.yaml", "90", "0")
    glance = glanced(place, "loot")
    assert glance is not None
    assert glance.update is None
    assert [problem.kind for problem in glance.game_problems or ()] == ["few"]
    looked(place)
    assert render_worker.check_game(place) == glance.game_problems
    edit(place.root, "cards/rules.yaml", "at_most: 0", "at_most:")
    assert glanced(place, "loot") is None


@pytest.mark.parametrize(
    ("name", "old", "new"),
    [
        ("templates/loot.html", "{{ card.name }}", "{{ card.name"),
        ("game.yaml", "title:", "title: # now"),
        ("cards/loot.yaml", "name: {fi: Lato, en: Barn}", "name: {fi: Lato, en: Barn"),
        ("cards/loot.yaml", "en: Barn", "en: '{card:shop}'"),
        ("cards/loot.yaml", "art: house", "arts: house"),
    ],
)
def test_a_quick_update_skips_files_with_more_dependents(
    place: GameLocation, name: str, old: str, new: str
) -> None:
    looked(place)
    edit(place.root, name, old, new)
    assert glanced(place, "loot", "notes") is None


def test_two_edited_files_need_a_complete_update(place: GameLocation) -> None:
    looked(place)
    edit(place.root, "cards/loot.yaml", "Barn", "Old barn")
    edit(place.root, "cards/notes.yaml", "value: 5", "value: 6")
    assert glanced(place, "loot") is None


def test_a_batch_is_not_larger_than_its_limit(place: GameLocation) -> None:
    edit(place.root, "templates/card.css", "#f1e6cf", "#112233")
    seen = looked(place)
    notes = {seen.pictures[name] for name in seen.faces if name.deck == "notes"}
    done = render_worker.typeset_batch(place, tuple(seen.recipes), 1)
    assert len(done.ready - notes) == 1
    assert not done.failed


def test_a_broken_template_fails_its_faces_with_a_problem(place: GameLocation) -> None:
    looked(place)
    edit(place.root, "templates/loot.html", "{{ card.name }}", "{{ card.nam }}")
    seen = looked(place)
    assert {name.deck for name in seen.pictures if name.side == "front"} == {"notes"}
    assert len(seen.faces) == 12
    assert "there is no 'nam'; did you mean 'name'?" in seen.problems[0].message
    assert seen.problems[0].source.path == "templates/loot.html"


def test_a_broken_game_file_is_reported_until_it_is_fixed(place: GameLocation) -> None:
    looked(place)
    edit(place.root, "game.yaml", "languages: [fi, en]", "languages: [fi, en")
    broken = looked(place)
    assert (broken.decks, broken.is_complete) == ((), False)
    assert broken.problems[0].source.path == "game.yaml"
    edit(place.root, "game.yaml", "languages: [fi, en", "languages: [fi, en]")
    assert len(looked(place).decks) == 2


def test_an_overflowing_text_is_drawn_and_reported(place: GameLocation) -> None:
    edit(place.root, "cards/loot.yaml", "Take {coin}", "Take a great lot of {coin} " * 40)
    seen = looked(place)
    picture = seen.pictures[BARN]
    done = render_worker.typeset_batch(place, tuple(seen.recipes), 100)
    assert picture in done.ready
    assert {problem.kind for problem in done.problems[picture]} == {"overflow"}
    assert done.problems[picture][0].subject.card == "barn"
    assert done.layers.keys() == {picture}
    assert {spot.label.partition(" mm ")[2] for spot in done.layers[picture].spots} == {"too tall"}
    assert not done.layers[picture].is_marked


def test_faults_are_drawn_over_a_face_as_by_a_draft_build(place: GameLocation) -> None:
    edit(place.root, "cards/loot.yaml", "Take {coin}", "Take a great lot of {coin} " * 40)
    seen = looked(place)
    picture = seen.pictures[BARN]
    layer = render_worker.typeset_batch(place, tuple(seen.recipes), 100).layers[picture]
    plain = pixels(seen, BARN, 400)
    data = raster_worker.draw_face(seen.recipes[picture], 400, layer=layer)
    assert data is not None
    outlined = Image.open(io.BytesIO(data)).convert("RGB")
    assert ImageChops.difference(plain, outlined).getbbox() is not None
    found: Any = outlined.getcolors(1 << 20)
    assert sum(n for n, (red, green, _) in found if red > 180 and green < 60) > 800


def test_a_placeholder_says_why_a_face_cannot_be_rendered(
    place: GameLocation,
) -> None:
    edit(place.root, "templates/loot.html", "{{ card.name }}", "{{ card.nmae }}")
    seen = looked(place)
    assert BARN not in seen.pictures
    assert {name.side for name in seen.placeholders} == {"front"}
    assert len(seen.placeholders) == 4
    picture = seen.placeholders[BARN]
    done = render_worker.typeset_batch(place, (picture,), 1)
    assert done.ready == {picture}
    assert not done.problems[picture]
    assert not done.layers
    assert raster_worker.draw_face(seen.recipes[picture], 200) is not None
    assert game_queries.inspect_face(place, picture) == {"boxes": [], "texts": []}


def test_a_deck_without_its_styles_shows_placeholders(place: GameLocation) -> None:
    edit(place.root, "cards/loot.yaml", "styles: [card.css]", "styles: [crad.css]")
    seen = looked(place)
    assert {name.deck for name in seen.placeholders} == {"loot"}
    done = render_worker.typeset_batch(place, tuple(seen.recipes), 100)
    assert set(seen.placeholders.values()) <= done.ready
    assert not any(done.problems.values())


def test_a_face_that_cannot_be_typeset_has_a_placeholder(
    place: GameLocation, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen = looked(place)
    picture = seen.pictures[BARN]
    key = seen.recipes[picture].face.key
    run = typesetting.typeset_batches

    def stopping(*given: Any, **asked: Any) -> Iterator[list[FaceOutput]]:
        remark = Diagnostic("bounds", "error", "", "the face cannot be typeset: it took too long")
        for results in run(*given, **asked):
            stopped = FaceOutput(key, b"", (remark,))
            yield [stopped if face.key == key else face for face in results]

    monkeypatch.setattr(typesetting, "typeset_batches", stopping)
    (place.root / "build/.store/faces" / f"{key}.pdf").unlink()
    done = render_worker.typeset_batch(place, (picture,), 1)
    assert done.failed == done.placeholders.keys() == {picture}
    name, recipe = done.placeholders[picture]
    assert raster_worker.draw_face(recipe, 200) is not None
    assert game_queries.inspect_face(place, name) == {"boxes": [], "texts": []}


def test_a_save_ends_a_batch_whose_other_faces_are_typeset_later(
    place: GameLocation, monkeypatch: pytest.MonkeyPatch
) -> None:
    edit(place.root, "templates/card.css", "#f1e6cf", "#223344")
    seen = looked(place)
    scan, scans = loader.scan_game_files, []

    def scan_as_after_a_save(root: Path) -> FileStamps:
        scans.append(root)
        return scan(root) | ({"new": (1,)} if len(scans) > 2 else {})

    with monkeypatch.context() as patch:
        patch.setattr(loader, "scan_game_files", scan_as_after_a_save)
        patch.setattr(render_worker, "SAVE_CHECK_SECONDS", 0)
        done = render_worker.typeset_batch(place, tuple(seen.recipes), 100)
    assert 0 < len(done.ready) < len(seen.recipes)
    assert not done.failed
    assert not any(done.problems.values())
    assert settled(place, seen) == set(seen.recipes)


def test_art_that_cannot_be_drawn_is_left_out(place: GameLocation) -> None:
    (place.root / "art/house.svg").write_text("<svg xmlns='http://www.w3.org/2000/svg'")
    seen = looked(place)
    assert "art" in {problem.kind for problem in seen.problems}
    done = render_worker.typeset_batch(place, tuple(seen.recipes), 100)
    picture = seen.pictures[BARN]
    assert picture in done.ready
    assert [frame.label for frame in done.layers[picture].frames] == ["art/house.svg"]
    assert pixels(seen, BARN).getpixel((56, 36)) == (0xED, 0xE8, 0xE0)  # a pale box


def test_cards_that_match_an_expression(place: GameLocation) -> None:
    looked(place)
    assert game_queries.find_matching_cards(place, "value > 2") == (("notes/five",), "")
    assert game_queries.find_matching_cards(place, "copies == 3") == (("loot/shop",), "")
    assert game_queries.find_matching_cards(place, "value > 99") == ((), "")
    cards, why = game_queries.find_matching_cards(place, "valu > 2")
    assert not cards
    assert "'valu' is undefined" in why
    assert game_queries.find_matching_cards(place, "value >")[1]


def test_the_fields_of_a_card_know_their_lines(place: GameLocation) -> None:
    looked(place)
    told = game_queries.list_card_fields(place, "loot", "barn")
    assert [field["name"] for field in told] == ["name", "text", "art"]
    assert told[0]["values"] == ["Lato", "Barn"]
    line = (place.root / "cards/loot.yaml").read_text().splitlines()[told[0]["line"] - 1]
    assert "Barn" in line
    assert game_queries.list_card_fields(place, "loot", "nobody") == []


def test_rules_are_checked(place: GameLocation) -> None:
    looked(place)
    assert render_worker.check_game(place) == ()
    (place.root / "cards/rules.yaml").write_text(
        "rules:\n  - id: few\n    count: loot\n    is: 99\n    because: so\n    section: '1'\n"
    )
    looked(place)
    assert [problem.kind for problem in render_worker.check_game(place)] == ["few"]


def test_a_new_process_reads_the_game_first(place: GameLocation) -> None:
    assert game_queries.find_matching_cards(place, "value > 2") == (("notes/five",), "")
    assert looked(place).decks  # who asks for a look is told of this one, too
    assert render_worker.update_game(place) is None


def test_the_build_folder_is_unlocked_between_two_calls(place: GameLocation) -> None:
    settled(place, looked(place))
    assert not (place.root / "build/.cardgen.lock").exists()
    assert Request(place.root).store.folder.is_dir()


def test_nothing_is_removed_from_the_store_while_another_process_is_at_work(
    place: GameLocation,
) -> None:
    seen = looked(place)
    left = Request(place.root).store.make_scratch_folder() / "1-1"
    left.write_bytes(b"of a dead process")
    with safe_files.hold_folders([place.root / "build"], print, shared=True):
        settled(place, seen)
        render_worker.clean_up(place)
        assert left.exists()
    render_worker.clean_up(place)
    assert not left.exists()


def test_boxes_and_texts_of_a_face(place: GameLocation) -> None:
    seen = looked(place)
    found = game_queries.inspect_face(place, seen.pictures[BARN])
    (box,) = found["boxes"]
    # 50 × 25 mm at 5, 55 mm of the trim, which the bleed of 3 mm surrounds.
    assert [round(box[key], 1) for key in ("left", "top", "width", "height")] == [8, 58, 50, 25]
    assert (box["smallest"], box["largest"], box["size"]) == (7, 9, 9)
    assert box["excess_height"] < 0
    assert (box["path"], box["line"]) == ("templates/loot.html", 4)
    name = next(text for text in found["texts"] if text["text"] == "Barn")
    assert (name["path"], name["line"]) == ("templates/loot.html", 3)
    assert 8 <= name["left"] <= 9
    assert game_queries.inspect_face(place, "gone") == {"boxes": [], "texts": []}


def test_an_overflowing_box_has_its_excess(place: GameLocation) -> None:
    edit(place.root, "cards/loot.yaml", "Take {coin}", "Take a great lot of {coin} " * 40)
    seen = looked(place)
    found = game_queries.inspect_face(place, seen.pictures[BARN])
    worst = max(found["boxes"], key=lambda box: box["excess_height"])
    assert worst["size"] == 7
    told = render_worker.typeset_batch(place, (seen.pictures[BARN],), 1).problems[
        seen.pictures[BARN]
    ]
    assert any(f"{worst['excess_height']:.1f} mm too tall" in problem.message for problem in told)


def test_pictures_of_an_earlier_update_fail(place: GameLocation) -> None:
    seen = looked(place)
    done = render_worker.typeset_batch(place, ("gone", seen.pictures[BARN]), 1)
    assert (set(done.ready), set(done.failed)) == ({seen.pictures[BARN]}, {"gone"})
    (place.root / "game.yaml").write_text("game: [")
    looked(place)
    done = render_worker.typeset_batch(place, (seen.pictures[BARN],), 1)
    assert (set(done.ready), set(done.failed)) == (set(), {seen.pictures[BARN]})
