"""The canary for WeasyPrint's private layout boxes: what is measured is what is painted.

Run this before moving the pin of WeasyPrint. Wherever it can, it compares a measurement with the
pixels of the painted face.
"""

from __future__ import annotations

import io
from collections.abc import Callable
from dataclasses import replace

import pikepdf
import pixels
import pypdfium2
import pytest
from PIL import Image, ImageOps
from small_games import GAME, write_game
from whole_games import fonts_of

from cardgen.faces import layout_engine
from cardgen.faces.measurement import FaceLayout, find_lost_text
from cardgen.faces.model import FaceInput, FaceOutput, FaceSettings

BLEED = 3.0
PX_PER_MM = 10.0
BOX = "<div data-at=card.html:7 style='position: absolute; left: 5mm; top: 5mm; width: 40mm;"
SetFace = Callable[..., FaceOutput]

FONTS = """fonts:
  - family: Roboto Condensed
    package: '@fontsource/roboto-condensed'
    weights: [400, 700]
hyphenation: {fi: fi-x-school}
"""


@pytest.fixture(scope="module")
def setting(tmp_path_factory: pytest.TempPathFactory) -> FaceSettings:
    """Faces of 60 × 80 mm with 3 mm bleed."""
    files = {
        "game.yaml": GAME.replace("languages: [en]", "languages: [en, fi]"),
        "fonts/fonts.yaml": FONTS,
    }
    root = write_game(tmp_path_factory.mktemp("measure"), files)
    fonts = fonts_of(root)
    patterns = tuple(fonts.patterns.items())
    return FaceSettings(60, 80, BLEED, 3, (), (), fonts.files, patterns)


@pytest.fixture
def set_face(setting: FaceSettings) -> SetFace:
    def set_one(html: str, language: str = "en") -> FaceOutput:
        (face,) = layout_engine.typeset_batch(setting, [FaceInput("key", language, html)])
        return face

    return set_one


def layout_of(setting: FaceSettings, html: str, language: str = "en") -> FaceLayout:
    """The measurements themselves, of a face that is laid out once."""
    face = layout_engine._prepare_face(FaceInput("key", language, html), 0)
    layout_engine._lay_out_pending([face], [face], layout_engine._make_page_layout([face], setting))
    return face.layout


def remarks(face: FaceOutput) -> list[str]:
    return [f"{remark.severity}: {remark.message} [{remark.kind}]" for remark in face.diagnostics]


def picture(face: FaceOutput) -> Image.Image:
    (drawn,) = pixels.pages(face.pdf, PX_PER_MM, "L")
    return drawn


def ink(face: FaceOutput) -> tuple[float, float, float, float]:
    """Left, top, right and bottom of all that is painted, in mm from the trim's top left."""
    box = ImageOps.invert(picture(face)).point(lambda value: 255 if value > 100 else 0).getbbox()
    assert box is not None
    return tuple(edge / PX_PER_MM - BLEED for edge in box)  # type: ignore[return-value]


def text_of(face: FaceOutput) -> str:
    return str(pypdfium2.PdfDocument(face.pdf)[0].get_textpage().get_text_range())


def test_too_tall_by_what_is_painted_below_the_box(
    setting: FaceSettings, set_face: SetFace
) -> None:
    html = f"{BOX} height: 10mm; line-height: 5mm'>one<br>two<br>three<br>gjpy</div>"
    layout = layout_of(setting, html)
    (overflow,) = layout.overflows
    face = set_face(html)
    assert overflow.excess_height == pytest.approx(ink(face)[3] - 15, abs=0.3)
    assert remarks(face) == [
        f"error: the text is {overflow.excess_height:.1f} mm too tall for its box; "
        "shorten it, or let it shrink with data-fit [overflow]"
    ]
    assert 8 < overflow.excess_height < 10


def test_a_box_that_is_just_tall_enough(set_face: SetFace) -> None:
    html = f"{BOX} height: 20mm; line-height: 5mm'>one<br>two<br>three<br>gjpy</div>"
    assert remarks(set_face(html)) == []


def test_a_word_too_wide(setting: FaceSettings, set_face: SetFace) -> None:
    html = f"{BOX} width: 20mm; height: 10mm; hyphens: none'>Incomprehensibilities</div>"
    layout = layout_of(setting, html)
    (overflow,) = layout.overflows
    face = set_face(html)
    assert overflow.excess_width == pytest.approx(ink(face)[2] - 25, abs=0.3)
    assert remarks(face)[0] == (
        f"error: the text is {overflow.excess_width:.1f} mm too wide for its box; "
        "shorten it, or let it shrink with data-fit [overflow]"
    )


def test_a_box_without_a_height_is_never_too_tall(set_face: SetFace) -> None:
    """Nor when its lines stand closer than their letters are high; but a word can be too wide."""
    tight = f"{BOX} font-size: 20pt; line-height: .8'>Gjpy<br>Ågjp</div>"
    assert remarks(set_face(tight)) == []
    narrow = f"{BOX} width: 5mm'>Gjpy Wwwww</div>"
    (remark,) = remarks(set_face(narrow))
    assert "too wide for its box" in remark


def test_a_box_pinned_at_both_ends_has_a_height(set_face: SetFace) -> None:
    pinned = f"{BOX} bottom: 72mm; line-height: 4mm'>one<br>two</div>"
    (remark,) = remarks(set_face(pinned))
    assert "too tall for its box" in remark


def test_text_near_the_edge(setting: FaceSettings, set_face: SetFace) -> None:
    html = '<div style="position: absolute; left: 1.5mm; top: 30mm; width: 40mm">HEN</div>'
    (run,) = layout_of(setting, html).runs
    assert run.left == pytest.approx(BLEED + 1.5, abs=0.05)
    assert remarks(set_face(html)) == [
        "warning: 'HEN' stands 1.5 mm from the left edge; the safe margin is 3 mm [safe-margin]"
    ]


def test_text_past_the_edge(set_face: SetFace) -> None:
    html = '<div style="position: absolute; right: -1mm; top: 30mm; text-align: right">HEN</div>'
    assert remarks(set_face(html)) == [
        "error: 'HEN' stands 1.0 mm past the right edge of the card [overflow]"
    ]


@pytest.mark.parametrize("word", ["Heg", "ÅÄgj", "EHTI", "noes"])
@pytest.mark.parametrize("size", [7, 12, 24])
def test_a_run_encloses_its_ink(
    setting: FaceSettings, set_face: SetFace, word: str, size: int
) -> None:
    """Capitals with rings and descenders lie within a run, and it is not much larger."""
    html = f"{BOX} font-size: {size}pt'>{word}</div>"
    (run,) = layout_of(setting, html).runs
    left, top, right, bottom = (edge + BLEED for edge in ink(set_face(html)))
    slack = 0.15 + 0.1 * size * 25.4 / 72
    assert run.left - 0.1 <= left <= run.left + slack
    assert run.right + 0.1 >= right >= run.right - slack
    assert run.bottom + 0.1 >= bottom
    assert run.top - 0.1 <= top


def test_transforms_are_applied(setting: FaceSettings, set_face: SetFace) -> None:
    """A word turned by a quarter stands upright: its measured box is that of its ink."""
    html = (
        '<div style="position: absolute; left: 20mm; top: 40mm; width: 20mm; '
        'transform: rotate(90deg); transform-origin: 0 0">HEHEHEHEHE</div>'
    )
    (run,) = layout_of(setting, html).runs
    left, top, right, bottom = (edge + BLEED for edge in ink(set_face(html)))
    assert run.bottom - run.top > 2 * (run.right - run.left)
    assert (run.left, run.top) == pytest.approx((left, top), abs=1.0)
    assert run.bottom == pytest.approx(bottom, abs=0.3)
    assert run.right >= right - 0.1


def test_transforms_within_transforms(setting: FaceSettings, set_face: SetFace) -> None:
    html = (
        '<div style="position: absolute; left: 10mm; top: 10mm; width: 40mm; height: 40mm; '
        'transform: translate(5mm, 3mm)"><div style="transform: rotate(180deg)">HEH</div></div>'
    )
    (run,) = layout_of(setting, html).runs
    left, top, right, bottom = (edge + BLEED for edge in ink(set_face(html)))
    assert run.right == pytest.approx(right, abs=0.3)
    assert run.left == pytest.approx(left, abs=0.3)
    assert run.top <= top + 0.1
    assert run.bottom >= bottom - 0.1


SENTENCE = "The convoy left at dawn and the kiosk was empty by noon, as kiosks are. " * 4


def fitted(limits: str, style: str = "height: 20mm") -> str:
    return f"{BOX} {style}' data-fit='{limits}'>{SENTENCE}</div>"


def size_of(face: FaceOutput) -> float:
    """The type size that the face's text was painted in, in points."""
    with pikepdf.open(io.BytesIO(face.pdf)) as pdf:
        operators = pikepdf.parse_content_stream(pdf.pages[0])
        (size,) = {float(words[1]) for words, name in operators if str(name) == "Tf"}
    return round(size * 0.75, 2)  # the page is scaled from CSS px to points


@pytest.mark.parametrize("limits", ["5-12", "6.5-9.5", "4-60"])
@pytest.mark.parametrize("height", [14, 17.5, 25])
def test_the_largest_size_that_fits(
    setting: FaceSettings, set_face: SetFace, limits: str, height: float
) -> None:
    """A tenth of a point more would overflow, unless it is the largest size allowed."""

    def overflow_at(size: float) -> float:
        html = fitted(f"{size:.1f}-{size:.1f}", f"height: {height}mm")
        layout = layout_of(setting, html)
        return max(
            max(found.excess_height, found.excess_width)
            for found in layout.overflows
            if found.fit_id
        )

    low, high = (float(part) for part in limits.split("-"))
    face = set_face(fitted(limits, f"height: {height}mm"))
    chosen = size_of(face)
    if overflow_at(low) > 0.15:
        assert chosen == low
        (told,) = (each for each in remarks(face) if "[overflow]" in each)
        assert told.endswith(f"at its smallest size, {low:g} pt; shorten it [overflow]")
        return
    assert overflow_at(chosen) <= 0.15
    assert chosen == high or overflow_at(chosen + 0.1) > 0.15


def test_boxes_of_one_face_are_fitted_each_for_itself(set_face: SetFace) -> None:
    html = fitted("6-9", "height: 16mm") + fitted("6-9", "top: 28mm; height: 48mm")
    with pikepdf.open(io.BytesIO(set_face(html).pdf)) as pdf:
        operators = pikepdf.parse_content_stream(pdf.pages[0])
        sizes = {round(float(words[1]) * 0.75, 1) for words, name in operators if str(name) == "Tf"}
    assert len(sizes) == 2
    assert max(sizes) == 9


def test_a_fitted_box_takes_no_id_of_its_own(set_face: SetFace) -> None:
    face = set_face(fitted("6-9").replace("<div", "<div id=text"))
    assert remarks(face) == ["error: a box with data-fit cannot have an id; use a class [template]"]


def test_a_face_does_not_depend_on_its_neighbours(setting: FaceSettings, set_face: SetFace) -> None:
    """Set alone or in a chunk, fitted in one round or in six: the same bytes, the same remarks."""
    htmls = [fitted("6-9", f"height: {mm}mm") for mm in (10, 16, 23, 60)]
    orders = [FaceInput(str(number), "en", html) for number, html in enumerate(htmls)]
    together = layout_engine.typeset_batch(setting, orders)
    for face, html in zip(together, htmls, strict=True):
        alone = set_face(html)
        assert alone.pdf == face.pdf
        assert alone.diagnostics == face.diagnostics


def test_all_that_is_written_is_drawn(setting: FaceSettings) -> None:
    html = f"{BOX} height: 40mm'><b>Take</b> 3 goods – “now” – or don’t.<br>Ääni € {SENTENCE}</div>"
    layout = layout_of(setting, html)
    assert find_lost_text(html, layout.text) == ""
    assert find_lost_text(html, layout.text.replace("goods", "")) == "goods"


def test_capitals_and_soft_hyphens_are_no_loss(setting: FaceSettings, set_face: SetFace) -> None:
    html = (
        f"{BOX} width: 12mm; height: 20mm; text-transform: uppercase'>"
        "groß huolto&shy;joukot straße</div>"
    )
    face = set_face(html)
    assert remarks(face) == []
    assert "HUOLTO-" in text_of(face).replace("\u00ad", "-").replace("\ufffe", "-")


def test_text_of_a_box_that_is_not_shown_is_lost(set_face: SetFace) -> None:
    html = f"{BOX} display: none'>Hidden words</div>{BOX} top: 20mm'>Seen</div>"
    assert remarks(set_face(html)) == [
        "error: text is not printed at all: 'Hidden words' [overflow]"
    ]


def test_text_far_below_is_not_carried_to_the_next_card(setting: FaceSettings) -> None:
    """Whatever runs off one face, the next stays as it is."""
    long = f"{BOX}'>{SENTENCE * 90}</div>"
    short = f"{BOX}'>Short</div>"
    first, second = layout_engine.typeset_batch(
        setting, [FaceInput("a", "en", long), FaceInput("b", "en", short)]
    )
    assert any(remark.kind == "overflow" for remark in first.diagnostics)
    assert second.diagnostics == ()
    assert text_of(second).strip() == "Short"


def test_a_fixed_box_stands_on_its_own_card_only(setting: FaceSettings) -> None:
    """CSS lets `position: fixed` stand on every page."""
    fixed = "<div data-at=card.html:7 style='position: fixed; left: 9mm; top: 20mm'>Seen</div>"
    orders = [
        FaceInput("a", "en", f"{BOX}'>One</div>{fixed}"),
        FaceInput("b", "en", f"{BOX}'>Two</div>"),
    ]
    first, second = layout_engine.typeset_batch(setting, orders)
    assert text_of(first).split() == ["One", "Seen"]
    assert text_of(second).split() == ["Two"]


def test_a_game_may_call_its_own_box_a_face(setting: FaceSettings) -> None:
    """It parts no cards: they are set together all the same."""
    setting = replace(setting, styles=(("card.css", ".face { position: absolute }"),))
    htmls = [f"<div class=face>{BOX}'>{word}</div></div>" for word in ("One", "Two", "Three")]
    orders = [FaceInput(html, "en", html) for html in htmls]
    faces = [layout_engine._prepare_face(order, index) for index, order in enumerate(orders)]
    layout_engine._lay_out_pending(faces, faces, layout_engine._make_page_layout(faces, setting))
    assert [face.layout.text for face in faces] == ["One", "Two", "Three"]
    together = layout_engine.typeset_batch(setting, orders)
    alone = [layout_engine.typeset_batch(setting, [order])[0] for order in orders]
    assert [face.pdf for face in together] == [face.pdf for face in alone]


@pytest.mark.parametrize(
    ("word", "lines"),
    [
        ("panssarivaununkuljettaja", ["panssari-", "vaununkul-", "jettaja"]),
        ("huoltojoukkojenkomentaja", ["huoltojouk-", "kojenko-", "mentaja"]),
    ],
)
def test_finnish_compounds_are_hyphenated(
    setting: FaceSettings, set_face: SetFace, word: str, lines: list[str]
) -> None:
    """WeasyPrint's own dictionaries have no Finnish: these breaks are the game's patterns."""
    html = f"{BOX} width: 14mm; height: 30mm; font-size: 8pt'>{word}</div>"
    runs = [run.text for run in layout_of(setting, html, "fi").runs]
    assert runs == lines
    face = set_face(html, "fi")
    assert remarks(face) == []
    drawn = text_of(face).replace("\ufffe", "-").replace("\u0002", "-")
    assert "".join(drawn.split()) == "".join(lines)


def test_without_patterns_nothing_is_hyphenated(setting: FaceSettings) -> None:
    html = f"{BOX} width: 14mm; height: 30mm; font-size: 8pt'>panssarivaununkuljettaja</div>"
    assert len(layout_of(setting, html, "xx").runs) == 1


def test_ink_below_its_lines_is_no_overflow_of_a_grid_item(set_face: SetFace) -> None:
    style = "display: grid; height: 20mm; align-content: center; font-size: 20pt; line-height: 0.8"
    text = "<p data-at=card.html:8 style='margin: 0'>Jog</p></div>"
    assert remarks(set_face(f"{BOX} {style}'>{text}")) == []
    (remark,) = remarks(set_face(f"{BOX} {style}; grid-template-rows: 3mm'>{text}"))
    assert "too tall for its box" in remark
