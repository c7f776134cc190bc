"""QR codes: what a card prints is what a reader reads."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import pytest
import segno
from conftest import MakeGame
from PIL import Image
from small_games import GAME, make, options

from cardgen.templates.template_context import make_qr_svg

ADDRESS = "https://example.org/säännöt?kieli=fi"


def modules(root: Path, side: int) -> list[str]:
    """The code that a face of 25 mm shows, a sign for each module."""
    (path,) = (root / "build").rglob("one*.png")
    data = Image.open(path).convert("L").resize((side * 10, side * 10)).tobytes()
    middles = [10 * place + 5 for place in range(side)]
    return [
        "".join("#" if data[y * 10 * side + x] < 128 else "." for x in middles) for y in middles
    ]


def test_a_code_is_printed_as_it_was_made(make_game: MakeGame, one_process: None) -> None:
    root = make_game({
        "game.yaml": GAME,
        "cards/codes.yaml": "deck: codes\ntitle: {en: Codes}\nsize: 25 x 25\nbleed: 0\nsafe: 0\n"
        "front: code.html\nstyles: [code.css]\nfields: {at: string}\n"
        f"cards: [{{id: one, at: '{ADDRESS}'}}]\n",
        "templates/code.html": "{{ qr(card.at) }}",
        "templates/code.css": "img { position: absolute; left: 0; top: 0; width: 25mm }",
    })  # fmt: skip
    report = make(root, options(dpi=300), outputs=("images",))
    assert report.problems == []
    code = segno.make_qr(ADDRESS, error="m", boost_error=False)
    rows = ["".join("#" if dark else "." for dark in row) for row in code.matrix]
    assert modules(root, len(rows)) == rows


@pytest.mark.parametrize(
    ("wishes", "said"),
    [
        ({"text": ""}, "1 to 1000 characters"),
        ({"text": "a" * 1001}, "1 to 1000 characters"),
        ({"text": "a", "level": "x"}, "level must be l, m, q or h"),
        ({"text": "a", "quiet": 9}, "0 to 8 modules"),
        ({"text": "a", "colour": "reddish"}, "the QR code cannot be made"),
    ],
)
def test_mistakes(wishes: dict[str, Any], said: str) -> None:
    with pytest.raises(ValueError, match=said):
        make_qr_svg(**wishes)


def test_a_code_has_its_colour_and_quiet_zone() -> None:
    plain, framed = make_qr_svg("a"), make_qr_svg("a", "h", "#123456", 4)
    assert b'width="21" height="21"' in plain
    assert b'width="29" height="29"' in framed
    assert b"#123456" in framed
    assert io.BytesIO(plain).read(4) == b"<svg"
