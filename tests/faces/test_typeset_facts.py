"""What a face tells of itself once it is set: where its named places lie, how its texts are set."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from small_games import GAME, MAIN_FONT, write_game
from whole_games import fonts_of

from cardgen.faces import layout_engine
from cardgen.faces.model import FaceInput, FaceOutput, FaceSettings
from cardgen.game.face_facts import FaceFacts, FaceText, NamedPlace, parse_face_facts

AT = "position: absolute; left: 10mm; top: 20mm; width: 12mm; height: 6mm"


@pytest.fixture(scope="module")
def setting(tmp_path_factory: pytest.TempPathFactory) -> FaceSettings:
    """Faces of 60 × 80 mm with 3 mm bleed."""
    files = {"game.yaml": GAME, "fonts/fonts.yaml": MAIN_FONT}
    root = write_game(tmp_path_factory.mktemp("facts"), files)
    return FaceSettings(60, 80, 3, 3, (), (), fonts_of(root).files, ())


def set_face(setting: FaceSettings, html: str) -> FaceOutput:
    (face,) = layout_engine.typeset_batch(setting, [FaceInput("key", "en", html)])
    return face


def place(setting: FaceSettings, html: str, name: str = "store") -> NamedPlace:
    return set_face(setting, html).facts.places[name]


def box(found: NamedPlace) -> tuple[float, ...]:
    return tuple(round(side, 2) for side in (found.left, found.top, found.width, found.height))


def test_a_place_is_its_border_box_from_the_trims_corner(setting: FaceSettings) -> None:
    html = f'<div data-at=card.html:4 data-place=store style="{AT}; padding: 1mm; margin: 2mm; '
    found = place(setting, f'{html}border: .5mm solid">9</div>')
    # A margin moves the box, and padding and border lie around what `width` asks.
    assert box(found) == (12, 22, 15, 9)
    assert found.middle == pytest.approx((19.5, 26.5), abs=0.01)
    assert found.template_line == "card.html:4"


@pytest.mark.parametrize("bleed", [0.0, 5.0])
def test_no_bleed_moves_a_place(setting: FaceSettings, bleed: float) -> None:
    html = f'<div data-place=store style="{AT}"></div>'
    assert box(place(replace(setting, bleed=bleed), html)) == (10, 20, 12, 6)


def test_a_place_is_where_transforms_bring_it(setting: FaceSettings) -> None:
    turned = f'<div style="transform: translate(5mm, 0)"><div data-place=store style="{AT}; '
    found = place(setting, f'{turned}transform: rotate(90deg)"></div></div>')
    assert box(found) == (18, 17, 6, 12)


def test_a_place_in_a_table_a_line_and_a_picture(setting: FaceSettings) -> None:
    rows = '<table style="position: absolute; left: 0; top: 0; border-collapse: collapse"><tr>'
    cell = "<td style='width: 9mm; height: 7mm; padding: 0'"
    found = set_face(
        setting,
        f"{rows}{cell} data-place=one></td>{cell} data-place=two></td></tr></table>"
        "<p style='position: absolute; left: 0; top: 40mm; width: 30mm; margin: 0; font-size: 10pt;"
        " line-height: 6mm'>few words <span data-place=span>that run to the next line</span></p>",
    ).facts.places
    assert box(found["one"]) == (0, 0, 9, 7)
    assert box(found["two"]) == (9, 0, 9, 7)
    assert found["span"].left == pytest.approx(0, abs=0.1)  # both of its lines
    assert found["span"].height > 6


def test_a_name_is_given_once_a_face(setting: FaceSettings) -> None:
    one = f'<div data-at=card.html:{{}} data-place=store style="{AT}"></div>'
    face = set_face(setting, one.format(2) + one.format(3))
    (remark,) = face.diagnostics
    assert remark.severity == "error"
    assert remark.location == "card.html:3"
    assert "'store' is on this face twice, first at card.html:2" in remark.message


def test_what_is_no_name_is_told(setting: FaceSettings) -> None:
    face = set_face(setting, f'<div data-at=card.html:2 data-place="Big Store" style="{AT}"></div>')
    (remark,) = face.diagnostics
    assert "'Big Store'" in remark.message
    assert remark.location == "card.html:2"
    assert face.facts.places == {}


def texts(setting: FaceSettings, html: str) -> list[FaceText]:
    ground = '<div class=bleed style="background: #fff"></div>'
    inside = "<div style='position: absolute; left: 8mm; top: 10mm; width: 40mm'>"
    return list(set_face(setting, f"{ground}{inside}{html}</div>").facts.texts)


def test_texts_are_of_the_nearest_kind(setting: FaceSettings) -> None:
    html = (
        "<div data-text=rules style='font-size: 9pt; color: #102030'>Draw two "
        "<b data-text=number style='font-size: 12pt'>7</b></div><p>Imprint</p>"
    )
    found = texts(setting, html)
    assert [(text.kind, text.excerpt) for text in found] == [
        ("rules", "Draw two"), ("number", "7"), ("", "Imprint")
    ]  # fmt: skip
    assert [text.size for text in found[:2]] == [9, 12]
    assert found[0].colour == "#102030"


def test_lines_of_one_text_are_one(setting: FaceSettings) -> None:
    html = "<p data-at=card.html:5 data-text=rules style='margin: 0; opacity: .5'>"
    (found,) = texts(setting, f"{html}{'several words ' * 9}</p>")
    assert len(found.boxes) > 2
    assert found.opacity == 0.5
    assert found.template_line == "card.html:5"
    left, top, width, height = found.boxes[0]
    assert left == pytest.approx(8, abs=0.1)  # from the trim
    assert 10 < top < 13
    assert width > 20
    assert 0 < height < 3


def test_the_same_words_just_under_others_are_their_halo(setting: FaceSettings) -> None:
    word = "<span style='position: absolute; left: {}mm; top: 5mm; color: {}'>Harbour</span>"
    (found,) = texts(setting, word.format(1.1, "#ffffff") + word.format(1, "#000000"))
    assert (found.colour, found.halos) == ("#000000", ("#ffffff",))
    apart = texts(setting, word.format(20, "#ffffff") + word.format(1, "#000000"))
    assert [text.halos for text in apart] == [(), ()]


def test_facts_are_read_as_they_were_written(setting: FaceSettings) -> None:
    face = set_face(setting, f'<div data-place=store style="{AT}" data-text=name>Harbour</div>')
    assert face.facts.places
    assert face.facts.texts
    assert parse_face_facts(json.loads(json.dumps(face.facts.to_json()))) == face.facts
    assert parse_face_facts({"places": 3}) is None
    assert parse_face_facts(FaceFacts().to_json()) == FaceFacts()


def test_names_change_no_face(setting: FaceSettings, tmp_path: Path) -> None:
    html = f'<div{{}} style="{AT}">Harbour</div>'
    named = set_face(setting, html.format(" data-place=store data-text=name"))
    assert named.pdf == set_face(setting, html.format("")).pdf
