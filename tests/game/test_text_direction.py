"""Scripts other than Latin on cards, in books and on sheets: their order, and that nothing is lost.

The letters are blocks (block_font): alef is the tall one, bet the low one.
"""

from __future__ import annotations

from pathlib import Path

import block_font
import pypdfium2
import pytest
from click.testing import CliRunner
from PIL import Image
from small_games import make, options, write_game

from cardgen.cli.command_line import cli
from cardgen.game.card_text import format_language_attributes, is_right_to_left, mirror_stylesheet
from cardgen.pipeline import build
from cardgen.pipeline.build import Request
from cardgen.sheets import imposition

ALEF, BET = "\u05d0", "\u05d1"
FILES = {
    "game.yaml": "game: small\ntitle: {LANG: Small}\nlanguages: [LANG]\n"
    "rulebook: {editions: [player, player-a5]}\n",
    "cards/signs.yaml": "deck: signs\ntitle: {LANG: Signs}\nsize: 60 x 30\nfront: sign.html\n"
    "styles: [sign.css]\nfields: {text: text}\n"
    f"cards: [{{id: one, text: {{LANG: '{ALEF} **{BET}**'}}}}]\n",
    "templates/sign.html": '<div class="text">{{ card.text }}</div>',
    "templates/sign.css": ".text { position: absolute; left: 5mm; top: 5mm; width: 50mm; "
    "height: 20mm; font: 30pt Blocks } b { font-weight: 400 }\n",
    "fonts/fonts.yaml": "fonts:\n  - {family: Roboto Condensed, "
    "package: '@fontsource/roboto-condensed'}\n  - {family: Blocks}\n",
}


def written(root: Path, language: str, **files: str) -> Path:
    """A game of one card in that language."""
    wanted = {**FILES, **files}
    write_game(root, {name: text.replace("LANG", language) for name, text in wanted.items()})
    heights = {ALEF: 800, BET: 300, " ": 0}
    block_font.write(root / "fonts/blocks-400-normal.ttf", heights, "Blocks")
    return root


def columns(image: Image.Image) -> list[int]:
    """How many dark pixels stand in each column."""
    dark = image.convert("L").point(lambda value: 255 if value < 128 else 0)
    pixels = dark.load()
    assert pixels is not None
    return [sum(pixels[x, y] > 0 for y in range(dark.height)) for x in range(dark.width)]  # type: ignore[operator]


@pytest.mark.parametrize(
    ("language", "wanted"),
    [
        ("ar", True), ("he", True), ("fa", True), ("ur", True), ("yi", True), ("ckb", True),
        ("dv", True), ("az-Arab", True), ("pa-Arab-PK", True), ("he-IL", True), ("ur-Latn", False),
        ("fi", False), ("en", False), ("pt-BR", False), ("az", False), ("ja", False),
    ],
)  # fmt: skip
def test_which_languages_are_written_from_the_right(language: str, wanted: bool) -> None:
    assert is_right_to_left(language) is wanted
    assert ('dir="rtl"' in format_language_attributes(language)) is wanted


@pytest.mark.parametrize(("language", "tall_first"), [("en", True), ("he", False)])
def test_a_face_runs_the_way_of_its_language(
    language: str, tall_first: bool, tmp_path: Path
) -> None:
    """Both letters are of a script that runs from the right; between them stands markup."""
    root = written(tmp_path, language)
    make(root, options(dpi=150), outputs=("images",))
    image = Image.open(root / f"build/{language}/images/signs/one.png")
    found = columns(image)
    tall = [x for x, dark in enumerate(found) if dark > 40]
    low = [x for x, dark in enumerate(found) if 10 < dark <= 40]
    assert tall
    assert low
    assert (max(tall) < min(low)) is tall_first
    middle = image.width / 2
    assert max(tall) < middle if tall_first else min(tall) > middle


BOOK = "---\ntitle: Small\n---\n## One {#one}\n\nFirst. [](#two)\n\n## Two {#two}\n\n- Second\n"


def ink(page: pypdfium2.PdfPage) -> tuple[float, float]:
    """How much of the left and of the right half of a page is dark."""
    image = page.render(scale=0.5).to_pil()
    found = columns(image)
    half = len(found) // 2
    return sum(found[:half]), sum(found[half:])


def test_a_book_stands_at_the_side_where_its_language_begins(tmp_path: Path) -> None:
    sides = {}
    for language in ("en", "he"):
        root = written(tmp_path / language, language, **{f"rulebook/{language}.md": BOOK})
        make(root, outputs=("rulebook",))
        document = pypdfium2.PdfDocument(root / f"build/{language}/rulebook.pdf")
        sides[language] = ink(document[0])
        folded = pypdfium2.PdfDocument(root / f"build/{language}/rulebook-booklet.pdf")
        left, right = ink(folded[0])
        assert (left > right) is (language == "he"), "the booklet is bound at the other side"
    assert sides["en"][0] > sides["en"][1]
    assert sides["he"][0] < sides["he"][1]


def test_a_booklet_read_from_the_right_is_bound_there() -> None:
    assert [side.pages for side in imposition.impose_booklet(4)] == [(3, 0), (1, 2)]
    assert [side.pages for side in imposition.impose_booklet(4, from_right=True)] == [
        (0, 3),
        (2, 1),
    ]


def test_a_mirrored_style_changes_sides_and_leaves_compositions_alone() -> None:
    style = (
        "h2 { margin: 1mm 2mm 3mm 4mm; padding-left: 1em; text-align: right }\n"
        ".composition .head { left: 0 }\n"
    )
    assert mirror_stylesheet(style) == (
        "h2 { margin: 1mm 4mm 3mm 2mm; padding-right: 1em; text-align: left }\n"
        ".composition .head { left: 0 }\n"
    )
    assert mirror_stylesheet(mirror_stylesheet(style)) == style


def test_a_list_of_changes_stands_where_its_language_begins(tmp_path: Path) -> None:
    for language in ("en", "he"):
        root = written(tmp_path / language, language)
        run = CliRunner().invoke
        assert run(cli, ["printed", str(root)]).exit_code == 0
        deck = root / "cards/signs.yaml"
        deck.write_text(deck.read_text().replace(f"'{ALEF} ", f"'{ALEF} {ALEF} "))
        made = run(cli, ["build", str(root), "sheets", "--changed"])
        assert made.exit_code == 0, made.output
        left, right = ink(pypdfium2.PdfDocument(root / f"build/{language}/changed.pdf")[0])
        assert (left < right) is (language == "he")


TITLED = {
    "game.yaml": f"game: small\ntitle: {{LANG: '{ALEF}{BET}'}}\nlanguages: [LANG]\n",
    "cards/signs.yaml": FILES["cards/signs.yaml"]
    .replace("{LANG: Signs}", "{LANG: x}")
    .replace("60 x 30", "poker"),
}


def slug_of(root: Path, language: str) -> tuple[list[int], str]:
    """The dark pixels in each column of a sheet's slug, and the sheet's words."""
    page = pypdfium2.PdfDocument(root / f"build/{language}/sheets.pdf")[0]
    words = page.get_textpage()
    text = words.get_text_range()
    _, foot, _, head = words.get_charbox(text.index("sheet"))
    image = page.render(scale=8).to_pil()
    top, bottom = (round(image.height - 8 * y) for y in (head + 3, foot - 3))
    return columns(image.crop((0, top, image.width, bottom))), text


@pytest.mark.parametrize(("language", "tall_first"), [("en", False), ("he", False)])
def test_a_slug_is_set_as_cards_are(language: str, tall_first: bool, tmp_path: Path) -> None:
    """In the family that has its letters, and the way of their script: alef is the tall one, and
    stands at the right of bet."""
    root = written(tmp_path, language, **TITLED)
    make(root, outputs=("sheets",))
    found, words = slug_of(root, language)
    assert f"{ALEF}{BET}" in words or f"{BET}{ALEF}" in words
    blocks = [x for x, dark in enumerate(found) if dark > 8]
    runs = [[blocks[0]]]
    for x in blocks[1:]:
        if x - runs[-1][-1] > 1:
            runs.append([])
        runs[-1].append(x)
    solid = [run for run in runs if len(run) >= 20]
    assert len(solid) == 2
    heights = [max(found[x] for x in run) for run in solid]
    assert (heights[0] > heights[1]) is tall_first
    middle = len(found) / 2
    assert (solid[0][0] > middle) is (language == "he"), "the title comes first"


def test_what_no_font_has_is_told_and_shown_as_a_box(tmp_path: Path) -> None:
    title = {"game.yaml": TITLED["game.yaml"].replace(BET, "\u30ab")}
    root = written(tmp_path, "en", **{**TITLED, **title})
    report = build.build(Request(root, outputs=("sheets",), options=options()))
    assert list(map(str, report.problems)) == [
        "game.yaml:2: warning: no font of the game has a glyph for 'カ' (U+30AB) in the game's "
        "title; a box is printed; 'cardgen fonts --add \"Noto Sans JP\"' brings them [glyph]"
    ]
    found, _ = slug_of(root, "en")
    blank = written(
        tmp_path / "without",
        "en",
        **{**TITLED, "game.yaml": title["game.yaml"].replace("\u30ab", "")},
    )
    make(blank, outputs=("sheets",))
    assert sum(found) > sum(slug_of(blank, "en")[0]) + 20


def test_slugs_are_set_once_and_kept(tmp_path: Path) -> None:
    """An edited card leaves them as they are."""
    root = written(tmp_path, "en", **TITLED)
    make(root, outputs=("sheets",))
    kept = sorted((root / "build/.store/lines").iterdir())
    times = [path.stat().st_mtime_ns for path in kept]
    deck = root / "cards/signs.yaml"
    deck.write_text(deck.read_text().replace(f"'{ALEF} ", f"'{ALEF} {ALEF} "))
    assert make(root, outputs=("sheets",)).new_files
    assert sorted((root / "build/.store/lines").iterdir()) == kept
    assert [path.stat().st_mtime_ns for path in kept] == times
