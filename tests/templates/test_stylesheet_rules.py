"""What stylesheets come to on the printed face, where CSS itself would say nothing."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from PIL import Image
from small_games import make, options, write_game

from cardgen.book import page_style
from cardgen.templates import stylesheet_rules

FILES = {
    "game.yaml": "game: small\ntitle: {en: Small}\nlanguages: [en]\ncolours: {sea: '#0000ff'}\n",
    "cards/plain.yaml": "deck: plain\ntitle: {en: Plain}\nsize: 40 x 40\nfront: plain.html\n"
    "styles: [plain.css]\ncards: [{id: one}]\n",
    "templates/plain.html": '<div class="bleed ground"></div>',
    "templates/plain.css": ".ground { background: #ff0000 }\n",
}


def printed(root: Path, **asked: Any) -> Image.Image:
    """The only card's front, 1 px a millimetre or so."""
    make(root, options(dpi=50, **asked), outputs=("images",))
    return Image.open(root / "build/en/images/plain/one.png").convert("RGB")


@pytest.mark.parametrize("name", ["templates/plain.css", "templates/plain.html", "game.yaml"])
def test_a_byte_order_mark_is_no_part_of_a_file(name: str, tmp_path: Path) -> None:
    """Editors on Windows write one; it would be part of the first rule's selector."""
    root = write_game(tmp_path, {**FILES, name: "\ufeff" + FILES[name]})
    assert printed(root).getpixel((20, 20)) == (255, 0, 0)


def test_the_bleed_covers_the_bleed_without_a_place_of_its_own(tmp_path: Path) -> None:
    image = printed(write_game(tmp_path, FILES), bleed=True)
    corners = [(0, 0), (image.width - 1, image.height - 1)]
    assert [image.getpixel(at) for at in corners] == [(255, 0, 0)] * 2


def test_the_bleed_stands_where_a_style_puts_it(tmp_path: Path) -> None:
    """A band along the foot, say; what cardgen gives it goes before a designer's class, but not
    before a rule for all elements."""
    style = "* { position: relative; width: 9mm }\n.ground { background: #ff0000; top: 20mm }\n"
    root = write_game(tmp_path, {**FILES, "templates/plain.css": style})
    image = printed(root, bleed=True)
    across, down = image.width - 1, image.height - 1
    assert image.getpixel((0, 0)) == image.getpixel((across, down // 4)) == (255, 255, 255)
    assert image.getpixel((0, down)) == image.getpixel((across, down * 3 // 4)) == (255, 0, 0)


def test_the_variables_of_books_are_those_that_books_have() -> None:
    text = (Path(page_style.__file__).with_name("book.css")).read_text(encoding="utf-8")
    code = Path(page_style.__file__).read_text(encoding="utf-8")
    assert set(stylesheet_rules.BOOK_VARIABLES) == stylesheet_rules.find_definitions(
        text
    ) | stylesheet_rules.find_definitions(code)


def test_variables_are_found_where_they_are_used() -> None:
    css = "/* var(--no) */\na { color: var( --one ); border: 1px solid var(--two, red) }\n"
    assert [name for name, _ in stylesheet_rules.find_uses(css)] == ["--one"]
    assert stylesheet_rules.find_definitions("a { --x: 1; --y-z : 2 } b{color: var(--q)}") == {
        "--x",
        "--y-z",
    }
