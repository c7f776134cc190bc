"""Drafts: whatever is wrong with a card, something of its size stands for it and says so."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path

import pytest
from small_games import TEXT_GAME, contents, edit, options

from cardgen.core.problems import Diagnostic, Spot, parse_diagnostics, serialize_problems
from cardgen.faces import diagnostics, typesetting
from cardgen.faces.model import Face, FaceOutput
from cardgen.pdf.face_file import DraftLayer
from cardgen.pipeline import build
from cardgen.pipeline.build import BuildReport, Request
from cardgen.pipeline.check import check_game

BUILT = TEXT_GAME
ART_AT = (20 + 3, 15 + 3, 20, 20)
"""Where the card's picture stands by its stylesheet, mm from the bleed box: left, top and sides."""


def drafted(root: Path, outputs: tuple[str, ...] = ("sheets", "images")) -> dict[str, Face]:
    """The faces of a game as `--draft` has them, by whose they are."""
    found = check_game(Request(root, outputs, options=options(), is_draft=True))
    assert found.stages is not None
    assert found.stages.has_drafts
    return {str(face.subject): face for face in found.stages.faces.faces}


def drafts_of(faces: dict[str, Face]) -> set[str]:
    return {name for name, face in faces.items() if face.layer}


def layer_of(face: Face) -> DraftLayer:
    assert face.layer is not None
    assert face.layer.is_marked
    return face.layer


def test_a_sound_game_has_no_draft_and_its_faces_are_those_of_any_build(root: Path) -> None:
    plain = check_game(Request(root, ("images",), options=options()))
    assert plain.stages is not None
    faces = drafted(root)
    assert not drafts_of(faces)
    assert [face.key for face in faces.values()] == [face.key for face in plain.stages.faces.faces]


def test_a_text_too_long_is_drawn_in_its_box_outlined_with_the_millimetres(root: Path) -> None:
    edit(root, "cards/loot.yaml", "Take {coin}", "Take a great lot of {coin} " * 30)
    faces = drafted(root)
    assert drafts_of(faces) == {"loot/barn [en] front"}
    barn = faces["loot/barn [en] front"]
    (spot,) = layer_of(barn).spots
    assert (spot.left, spot.top, spot.width, spot.height) == pytest.approx((8, 58, 50, 25), abs=0.1)
    assert spot.label.endswith("mm too tall")
    assert layer_of(barn).messages == ()
    assert not barn.is_placeholder


def test_a_box_that_is_turned_is_outlined_where_it_comes_to_lie(root: Path) -> None:
    edit(root, "cards/loot.yaml", "Take {coin}", "Take a great lot of {coin} " * 30)
    edit(
        root, "templates/card.css", "width: 50mm; height: 25mm",
        "width: 30mm; height: 20mm; transform: rotate(90deg)",
    )  # fmt: skip
    spot, *_ = layer_of(drafted(root)["loot/barn [en] front"]).spots
    middle = (8 + 15, 58 + 10)
    assert (spot.width, spot.height) == pytest.approx((20, 30), abs=0.1)
    assert (spot.left + 10, spot.top + 15) == pytest.approx(middle, abs=0.1)


def test_words_with_a_letter_that_no_font_has_are_outlined(root: Path) -> None:
    edit(root, "cards/loot.yaml", "en: Barn", "en: B東rn")
    faces = drafted(root)
    assert drafts_of(faces) == {"loot/barn [en] front"}
    (spot,) = layer_of(faces["loot/barn [en] front"]).spots
    assert spot.label == "no glyph: U+6771"
    assert spot.left == pytest.approx(8, abs=0.1)
    assert spot.height < 8


def test_in_place_of_a_missing_picture_stands_a_frame_of_its_size(root: Path) -> None:
    edit(root, "cards/loot.yaml", "art: house\n  - id: shop", "art: hose\n  - id: shop")
    faces = drafted(root)
    assert drafts_of(faces) == {"loot/barn [fi] front", "loot/barn [en] front"}
    barn = faces["loot/barn [en] front"]
    (frame,) = layer_of(barn).frames
    assert (frame.left, frame.top, frame.width, frame.height) == pytest.approx(ART_AT, abs=0.1)
    assert frame.label == "art/hose.svg"
    assert (layer_of(barn).messages, layer_of(barn).spots) == ((), ())


def test_a_missing_picture_is_as_tall_as_the_one_beside_it_would_be(root: Path) -> None:
    """Where the stylesheet says how wide it is alone."""
    house = (root / "art/house.svg").read_text(encoding="utf-8")
    (root / "art/house.svg").write_text(house.replace("0 0 40 40", "0 0 40 20"), encoding="utf-8")
    edit(root, "templates/card.css", "width: 20mm; height: 20mm", "width: 20mm")
    edit(root, "cards/loot.yaml", "art: house\n  - id: shop", "art: hose\n  - id: shop")
    (frame,) = layer_of(drafted(root)["loot/barn [en] front"]).frames
    assert (frame.width, frame.height) == pytest.approx((20, 10), abs=0.1)


def test_once_the_picture_is_there_the_face_is_set_with_it(root: Path) -> None:
    edit(root, "cards/loot.yaml", "art: house\n  - id: shop", "art: hose\n  - id: shop")
    assert drafts_of(drafted(root))
    shutil.copyfile(root / "art/house.svg", root / "art/hose.svg")
    assert not drafts_of(drafted(root))


def test_where_a_template_fails_stands_a_card_of_that_size_that_says_why(root: Path) -> None:
    edit(root, "templates/loot.html", "{{ card.name }}", "{{ card.nmae.text }}")
    faces = drafted(root)
    fronts = {name for name in faces if name.startswith("loot/") and name.endswith("front")}
    assert drafts_of(faces) == fronts
    assert len(fronts) == 4
    barn = faces["loot/barn [en] front"]
    assert barn.is_placeholder
    for said in ("Barn", "loot/barn [en] front", "nmae", "templates/loot.html:3"):
        assert said in barn.make_html(), said
    assert (barn.deck.size.width, barn.deck.size.height) == (63.5, 88.9)


def test_a_template_that_is_not_there_and_a_deck_that_names_none(root: Path) -> None:
    edit(root, "cards/loot.yaml", "front: loot.html", "front: lot.html")
    edit(root, "cards/notes.yaml", "front: note.html\n", "")
    faces = drafted(root)
    assert faces["loot/barn [en] front"].is_placeholder
    assert "did you mean &#39;loot.html&#39;" in faces["loot/barn [en] front"].make_html()
    assert not faces["loot/barn [en] back"].layer
    assert "neither a look nor a template" in faces["notes/one [fi] front"].make_html()


def test_a_field_that_is_missing_is_told_on_the_card_as_far_as_it_can_be_drawn(root: Path) -> None:
    edit(root, "cards/loot.yaml", "name: text,", "name: {type: text, required: true},")
    edit(root, "cards/loot.yaml", "    name: {fi: Kauppa, en: Shop}\n", "")
    faces = drafted(root)
    assert drafts_of(faces) == {"loot/shop [fi] front", "loot/shop [en] front"}
    shop = faces["loot/shop [en] front"]
    assert layer_of(shop).messages == ("'name' is missing",)
    assert not shop.is_placeholder


def test_an_icon_that_there_is_none_of_is_told_on_the_cards_that_have_it(root: Path) -> None:
    edit(root, "cards/loot.yaml", "Take {coin}", "Take {coyn}")
    faces = drafted(root)
    assert drafts_of(faces) == {"loot/barn [en] front"}
    (words,) = layer_of(faces["loot/barn [en] front"]).messages
    assert words.startswith("there is no icon 'coyn'")


def test_without_its_styles_a_deck_is_drawn_and_says_what_it_lacks(root: Path) -> None:
    """What its layout would be said to have wrong follows from that, and is not told."""
    edit(root, "cards/loot.yaml", "styles: [card.css]", "styles: [crad.css]")
    found = check_game(Request(root, ("images",), options=options(), is_draft=True))
    assert {problem.kind for problem in found.problems} == {"template"}
    faces = drafted(root)
    barn = faces["loot/barn [en] front"]
    assert not barn.is_placeholder
    assert layer_of(barn).spots == ()
    assert "templates/crad.css is missing" in layer_of(barn).messages[0]
    assert drafts_of(faces) == {name for name in faces if name.startswith("loot/")}


def test_a_face_that_had_to_be_stopped_has_a_card_that_says_so(
    root: Path, one_process: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    edit(root, "cards/loot.yaml", "en: Barn", "en: Burnt barn")
    set_chunk = typesetting._typeset_batch

    def stopping(call: typesetting.BatchCall) -> object:
        results, sizes = set_chunk(call)
        remark = Diagnostic("bounds", "error", "", "the face cannot be typeset: it took too long")
        barn = next((o.key for o in call[0].inputs if 'class="name">Burnt barn<' in o.html), "")
        stopped = FaceOutput(barn, b"", (remark,))
        return [stopped if face.key == barn else face for face in results], sizes

    monkeypatch.setattr(typesetting, "_typeset_batch", stopping)
    faces = drafted(root)
    barn = faces["loot/barn [en] front"]
    assert barn.is_placeholder
    assert "it took too long" in barn.make_html()
    assert drafts_of(faces) == {"loot/barn [en] front"}


def test_no_file_is_named_after_what_is_no_name(root: Path) -> None:
    edit(root, "cards/notes.yaml", "id: five", 'id: "../../five"')
    (root / "cards/NO.yaml").write_text(
        "title: {fi: N, en: N}\nsize: poker\nfront: note.html\ncards:\n  - {id: a}\n"
    )
    edit(root, "cards/loot.yaml", "id: shop", "id: barn")
    report = drafts_built(root)
    decks = {Path(path).parent.name for path in report.file_paths if "/images/" in path}
    assert decks == {"loot", "notes"}
    assert [p for p in report.file_paths if "five" in p or ".." in p] == []
    assert sum(path.endswith("en/images/loot/barn.png") for path in report.file_paths) == 1


def drafts_built(root: Path) -> BuildReport:
    return build.build(Request(root, ("sheets", "images"), options=options(), is_draft=True))


def test_one_mistake_takes_nothing_from_the_others(root: Path) -> None:
    """Pictures of sound cards are those of any build, and set in neither of both."""
    before = build.build(Request(root, ("sheets", "images"), options=options()))
    assert not before.has_failed
    plain = contents(root / "build")
    edit(root, "cards/loot.yaml", "Take {coin}", "Take a great lot of {coin} " * 30)
    report = drafts_built(root)
    assert (report.typeset_count, report.has_failed, len(report.draft_faces or ())) == (1, False, 1)
    after = contents(root / "build")
    assert {name: after[name] for name in plain} == plain
    same = {
        n: data
        for n, data in plain.items()
        if "/images/" in n and not n.startswith("en/images/loot/barn.")
    }
    assert len(same) == 11
    assert {name: after[f"draft/{name}"] for name in same} == same
    assert after["draft/en/images/loot/barn.png"] != plain["en/images/loot/barn.png"]
    edit(root, "cards/loot.yaml", "Take a great lot of {coin} " * 30, "Take {coin}")
    assert drafts_built(root).typeset_count == 0


def test_the_same_drafts_are_the_same_bytes(root: Path) -> None:
    edit(root, "cards/loot.yaml", "en: Barn", "en: B東rn")
    drafts_built(root)
    first = contents(root / "build/draft")
    shutil.rmtree(root / "build")
    drafts_built(root)
    assert contents(root / "build/draft") == first


def test_what_lies_off_the_face_is_told_in_words_unless_it_follows_from_what_is_seen() -> None:
    seen, off = Spot(5, 5, 10, 10, "1 mm too tall"), Spot(5, 200, 10, 10, "90 mm past the edge")
    tall = Diagnostic("overflow", "error", "a.html:1", "too tall", spots=(seen,))
    past = Diagnostic("overflow", "error", "a.html:2", "far off", spots=(off,))
    assert diagnostics.build_marks([past], 60, 90).messages == ("far off",)
    both = diagnostics.build_marks([tall, past], 60, 90)
    assert (both.spots, both.messages) == ((seen,), ())


def test_of_boxes_within_each_other_the_innermost_is_outlined() -> None:
    inner = Spot(5, 5, 10, 10, "2 mm too tall")
    outer = replace(inner, left=0, width=60, height=90)
    remark = Diagnostic("overflow", "error", "a.html:1", "too tall", spots=(outer, inner))
    assert diagnostics.build_marks([remark], 60, 90).spots == (inner,)
    twice = replace(remark, spots=(inner, inner))
    assert diagnostics.build_marks([twice], 60, 90).spots == (inner,)


def test_a_warning_makes_no_draft() -> None:
    warning = Diagnostic(
        "safe-margin", "warning", "a.html:1", "too near", spots=(Spot(1, 1, 2, 2),)
    )
    assert diagnostics.build_marks([warning], 60, 90) == diagnostics.NO_MARKS


def test_where_it_shows_is_kept_with_what_is_wrong() -> None:
    remark = Diagnostic(
        "glyph", "error", "a.html:1", "no glyph", spots=(Spot(1, 2, 3.5, 4, "here"),)
    )
    assert parse_diagnostics(serialize_problems([remark])) == [remark]
    (broken,) = serialize_problems([remark])
    assert parse_diagnostics([{**broken, "spots": [{"left": 1}]}]) is None
    assert parse_diagnostics([{**broken, "spots": 7}]) is None
