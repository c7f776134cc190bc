"""Fonts in a PDF hold the glyphs that it shows, and what it shows is as with the whole font."""

from __future__ import annotations

import io
from pathlib import Path

import block_font
import pikepdf
import pytest
from fontTools.ttLib import TTFont
from pixels import pages
from pypdfium2 import PdfDocument
from small_games import edit, make, write_game

from cardgen.pdf import font_subsets
from cardgen.runtime.content_store import Store

HEIGHTS = {chr(0x4E00 + number): 100 + number % 700 for number in range(3000)}
"""As many characters as a small Japanese font has, each a block of its own height."""
WORDS = "".join(HEIGHTS)[::400]
GAME = {
    "game.yaml": "game: small\ntitle: {en: Small}\nlanguages: [en]\n",
    "cards/one.yaml": "deck: one\ntitle: {en: One}\nsize: poker\nfront: one.html\n"
    "styles: [one.css]\nfields: {name: text}\ncards:\n"
    f"  - {{id: a, name: {{en: {WORDS}}}}}\n  - {{id: b, name: {{en: {WORDS[:2]}}}}}\n",
    "templates/one.html": '<div class="bleed"></div><p>{{ card.name }}</p><i>abc</i>',
    "templates/one.css": ".bleed { background: #eee } p, i { position: absolute; left: 5mm; "
    "top: 5mm; width: 50mm; margin: 0; font: 12pt Blocks }\n"
    "i { top: 20mm; font: 12pt Roboto Condensed }\n",
    "fonts/fonts.yaml": "fonts:\n  - {family: Roboto Condensed, "
    "package: '@fontsource/roboto-condensed'}\n  - {family: Blocks}\n",
}


def game(root: Path, *, cff: bool) -> Path:
    write_game(root, GAME)
    ending = "otf" if cff else "ttf"
    block_font.write(root / f"fonts/blocks-400-normal.{ending}", HEIGHTS, "Blocks", cff=cff)
    return root


def kept_font(folder: Path) -> Path:
    """The font as it lies in the store."""
    block_font.write(folder / "font.ttf", HEIGHTS, "Blocks")
    store = Store(folder / "build")
    path = store.get_path("fonts", "blocks.ttf")
    store.write(path, (folder / "font.ttf").read_bytes())
    return path


def sheets(root: Path) -> bytes:
    make(root, outputs=("sheets",))
    return (root / "build/en/sheets.pdf").read_bytes()


def text_of(pdf: bytes) -> str:
    return "".join(page.get_textpage().get_text_range() for page in PdfDocument(pdf))


def font_files(pdf: bytes) -> list[TTFont]:
    """Every font file in a PDF, by the name that it has there."""
    with pikepdf.open(io.BytesIO(pdf)) as opened:
        found = [each for each in opened.objects if isinstance(each, pikepdf.Dictionary)]
        return [
            TTFont(io.BytesIO(each[key].read_bytes()))
            for each in found
            for key in ("/FontFile2", "/FontFile3")
            if key in each
        ]


def the_whole_font(data: bytes, _glyphs: frozenset[int]) -> bytes:
    return data


@pytest.mark.parametrize("cff", [False, True], ids=["truetype", "postscript"])
def test_a_subset_prints_and_says_what_the_whole_font_does(
    cff: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    small = sheets(game(tmp_path / "small", cff=cff))
    monkeypatch.setattr(font_subsets, "_cut_font", the_whole_font)
    font_subsets.subset_font.cache_clear()
    whole = sheets(game(tmp_path / "whole", cff=cff))
    font_subsets.subset_font.cache_clear()
    assert pages(small, 8) == pages(whole, 8)
    assert text_of(small) == text_of(whole)
    assert WORDS in text_of(small)
    assert len(small) < len(whole) - 20_000


def test_a_font_has_the_glyphs_of_all_faces_of_its_file_once(tmp_path: Path) -> None:
    root = game(tmp_path, cff=False)
    blocks, roboto = sorted(font_files(sheets(root)), key=lambda font: -len(font.getGlyphOrder()))
    drawn = [name for name in blocks.getGlyphOrder() if blocks["glyf"][name].numberOfContours]
    assert len(drawn) == len(WORDS)
    assert blocks.getGlyphID(drawn[1]) == 401, "glyphs keep their numbers"
    assert {ord(letter) for letter in "abcsmal"} <= roboto.getBestCmap().keys()
    edit(root, "cards/one.yaml", WORDS[-1], WORDS[0])
    fewer = max(font_files(sheets(root)), key=lambda font: len(font.getGlyphOrder()))
    assert sum(fewer["glyf"][name].numberOfContours > 0 for name in fewer.getGlyphOrder()) == (
        len(WORDS) - 1
    )


def test_the_name_tells_subsets_apart_and_nothing_else_does(tmp_path: Path) -> None:
    path = kept_font(tmp_path)
    one, other = (font_subsets.get_subset_tag(path, frozenset(each)) for each in ({1, 2}, {1, 3}))
    assert font_subsets.get_subset_tag(path, frozenset({2, 1})) == one
    assert one != other
    assert len(one) == 6
    assert one.isalpha()
    assert one.isupper()


def test_glyphs_that_a_font_lacks_do_not_matter(tmp_path: Path) -> None:
    path = kept_font(tmp_path)
    assert font_subsets.subset_font(path, frozenset({1, 60_000})).size < path.stat().st_size / 2
