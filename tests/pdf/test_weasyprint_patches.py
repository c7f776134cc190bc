"""Short ways through WeasyPrint, held against the long ones: run this before moving its pin."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Any

import pyphen
import pytest
from PIL import Image
from small_games import GAME, write_game
from weasyprint import HTML
from weasyprint.css import ComputedStyle
from weasyprint.html import UA_STYLESHEET
from weasyprint.images import RasterImage
from whole_games import fonts_of

from cardgen.assets.artwork import Art
from cardgen.faces import layout_engine
from cardgen.faces.model import FaceInput, FaceSettings
from cardgen.pdf import weasyprint_patches

HyphDict = weasyprint_patches._HyphenationPatterns.__base__
STYLE = """
:root { --gap: 2mm; font-size: 9pt; color: #123 }
.a { margin-inline-start: var(--gap); padding-block: 1mm; border-inline-end: 1px solid red }
.b { position: absolute; inset-inline-start: 40mm; top: 5mm; width: calc(50% - 25mm) }
.c { float: right; text-decoration: underline; border: 0.5mm solid; border-radius: 1mm }
.d { display: flex; column-gap: 1em } .d > * { display: block; flex: 1 }
.e::before { content: "» "; font-weight: 700 } .f { direction: rtl; margin-inline: 3mm 9mm }
"""
BODY = """
<div class="a">One <b>two <u>three</u></b></div><div class="b e">Absolute words</div>
<div class="c">Float<br>ed</div><div class="d"><i>x</i><i class="a">y</i></div>
<div class="f">from the right</div><table><tr><td>1<td>2</table><p>End&shy;ing</p>
"""
SELDOM = {
    "lists": "<ul><li>One<li>Two</ul>",
    "a list's item": '<div style="display: LIST-item; margin-left: 5mm">One</div>',
    "footnotes": '<p>Words<span style="float: footnote">A note</span></p>',
    "escapes": '<div style="display: li\\73t-item; margin-left: 5mm">One</div>',
}


@pytest.fixture(scope="module")
def setting(tmp_path_factory: pytest.TempPathFactory) -> FaceSettings:
    """Faces of 80 × 60 mm."""
    root = write_game(tmp_path_factory.mktemp("ways"), {"game.yaml": GAME})
    return FaceSettings(80, 60, 3, 3, (("card.css", STYLE),), (), fonts_of(root).files, ())


@pytest.mark.parametrize("seldom", ["", *SELDOM])
def test_short_ways_lead_to_the_same(
    setting: FaceSettings, seldom: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    orders = [FaceInput("a", "en", BODY), FaceInput("b", "en", BODY + SELDOM.get(seldom, ""))]
    short = layout_engine.typeset_batch(setting, orders)
    monkeypatch.setattr(ComputedStyle, "__missing__", weasyprint_patches._original_missing)
    monkeypatch.setattr(weasyprint_patches, "get_own_stylesheets", lambda *_: [UA_STYLESHEET])
    original = weasyprint_patches._original_resolve
    monkeypatch.setattr(weasyprint_patches._percent, "resolve_one_percentage", original)
    long = layout_engine.typeset_batch(setting, orders)
    assert short == long
    assert len({face.pdf for face in long}) == (2 if seldom else 1)


@pytest.mark.parametrize("seldom", SELDOM)
def test_what_shows_seldom_is_there_where_it_shows(seldom: str) -> None:
    plain = HTML(string=BODY)
    assert weasyprint_patches.get_own_stylesheets(plain, [STYLE]) != [UA_STYLESHEET]
    assert weasyprint_patches.get_own_stylesheets(HTML(string=SELDOM[seldom]), []) == [
        UA_STYLESHEET
    ]
    assert weasyprint_patches.get_own_stylesheets(plain, [".x { float: footnote }"]) == [
        UA_STYLESHEET
    ]


def test_runs_of_characters_are_looked_for_as_tinyhtml5_does() -> None:
    known = weasyprint_patches._CachedExpressions()
    for characters in (frozenset("<&"), frozenset("\t\n "), ("'", "&", "]", "^", "-", "\0")):
        for opposite in (False, True):
            found = known[characters, opposite]
            assert known[characters, opposite] is found
            for character in "abc<&'\t\n ]^-\0é":
                assert bool(found.match(character)) == ((character in characters) == opposite)


@pytest.mark.parametrize("mode", ["RGB", "RGBA", "LA", "P"])
def test_a_picture_is_packed_once_for_many_faces(
    mode: str, setting: FaceSettings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "noise.png"
    noise = Image.effect_noise((60, 60), 80).convert("RGBA" if mode in ("RGBA", "LA") else "RGB")
    if "A" in mode:
        noise.putalpha(Image.linear_gradient("L").resize((60, 60)))
    noise.convert(mode).save(file)
    digest = hashlib.sha256(file.read_bytes()).hexdigest()
    art = Art("art/noise.png", file, False, 60, 60, digest)
    shown = '<img src="art/noise.png" style="width: 20mm; height: 20mm">'
    orders = [FaceInput(name, "en", shown + name, (art,)) for name in "abc"]
    packed = []
    anew = weasyprint_patches._original_get_x_object

    def counted(image: Any, *asked: Any) -> Any:
        packed.append(image)
        return anew(image, *asked)

    monkeypatch.setattr(weasyprint_patches, "_original_get_x_object", counted)
    short = layout_engine.typeset_batch(setting, orders)
    assert len(packed) == 1
    monkeypatch.setattr(RasterImage, "get_x_object", anew)
    assert layout_engine.typeset_batch(setting, orders) == short


def test_equal_stand_ins_are_packed_once_for_all_batches(
    setting: FaceSettings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def make_order(name: str, width: float) -> FaceInput:
        file = tmp_path / f"{name}.svg"
        file.write_text(f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="40"/>')
        digest = hashlib.sha256(file.read_bytes()).hexdigest()
        art = Art(f"art/{name}.svg", file, True, width, 40, digest)
        return FaceInput(name, "en", f'<img src="art/{name}.svg" style="width: 9mm">', (art,))

    packed = []
    anew = weasyprint_patches._original_get_x_object

    def counted(image: Any, *asked: Any) -> Any:
        packed.append(image)
        return anew(image, *asked)

    orders = [make_order("one", 30), make_order("other", 30), make_order("third", 31)]
    monkeypatch.setattr(weasyprint_patches, "_original_get_x_object", counted)
    weasyprint_patches._small_pictures.clear()
    short = [layout_engine.typeset_batch(setting, [order]) for order in orders]
    assert len(packed) == 2
    monkeypatch.setattr(RasterImage, "get_x_object", anew)
    assert [layout_engine.typeset_batch(setting, [order]) for order in orders] == short


@pytest.mark.parametrize("language", ["en_US", "hu_HU", "nl_NL"])
def test_of_hyphenation_patterns_those_in_the_words_are_parsed(
    language: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = pyphen.LANGUAGES[language]
    parsed, parse = [], pyphen.parse

    def counted(text: str) -> Any:
        parsed.append(text)
        return parse(text)

    monkeypatch.setattr(pyphen, "parse", counted)
    short = weasyprint_patches._HyphenationPatterns(path)
    words = ["hyphenation", "omroepvereniging", "összeg", "nothing", "x", "lettergrepen"]
    found = [short.positions(word) for word in words]
    assert len(parsed) < 100 or "hu" in language  # in which letters change at the ends of lines
    long = HyphDict(path)
    assert found == [long.positions(word) for word in words]
    assert short.maxlen == long.maxlen
    assert short.patterns.keys() == long.patterns.keys()
