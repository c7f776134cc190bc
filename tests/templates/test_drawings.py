"""Drawings that templates make from data: printed in the face's box, drawn once, kept."""

from __future__ import annotations

from pathlib import Path

from PIL import Image
from small_games import make, options, write_game

FILES = {
    "game.yaml": "game: small\ntitle: {en: Small}\nlanguages: [en]\n",
    "cards/boards.yaml": (
        "deck: boards\ntitle: {en: Boards}\nsize: 60 x 40\nfront: board.html\n"
        "fields: {hue: string}\ncards:\n"
        "  - {id: red, hue: '#ff0000'}\n  - {id: blue, hue: '#0000ff'}\n"
    ),
    "templates/board.html": (
        '<div style="position: absolute; left: 10mm; top: 0; width: 40mm">'
        '{{ drawing("cells.svg", across=2) }}</div>'
    ),
    "templates/cells.svg": (
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 40">'
        "{% for cell in grid(across, 2, 20, 20) %}{% if cell.number == 2 %}"
        '<rect x="{{ cell.x }}" y="{{ cell.y }}" width="20" height="20" fill="{{ card.hue }}"/>'
        "{% endif %}{% endfor %}</svg>"
    ),
}


def test_a_drawing_stands_in_its_box_with_the_cards_own_data(tmp_path: Path) -> None:
    game = write_game(tmp_path, FILES)
    made = make(game, options(dpi=96), outputs=("images",))
    assert not made.problems
    for name, colour in (("red", (255, 0, 0)), ("blue", (0, 0, 255))):
        image = Image.open(game / f"build/en/images/boards/{name}.png").convert("RGB")
        across = image.width / 60
        assert image.getpixel((round(40 * across), round(10 * across))) == colour
        assert image.getpixel((round(20 * across), round(10 * across))) == (255, 255, 255)
    drawn = sorted(path.name for path in (game / "build/.store/drawn").iterdir())
    assert len(drawn) == 2
    assert make(game, options(dpi=96), outputs=("images",)).typeset_count == 0
