"""Small games for the tests of the pipeline, from faces to files."""

from __future__ import annotations

import shutil
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Any

from cardgen.core.units import PAPERS, Size
from cardgen.outputs.contract import Options
from cardgen.pipeline import build
from cardgen.pipeline.build import BuildReport, Request
from cardgen.sheets.arrangement import SheetLayout

FONTS = Path(__file__).parent.parent / "fonts"
PACKAGES = ("@fontsource/roboto-condensed", "hyphen")
MAIN_FONT = "fonts:\n  - family: Roboto Condensed\n    package: '@fontsource/roboto-condensed'\n"

GAME = "game: small\ntitle: {en: Small game}\nlanguages: [en]\ndate: '2026-01-02'\n"

# A square of one card's own colour near a corner. Its twin on the back stands in the mirrored
# place, so that it lies behind the front's when the card is turned over its upright side.
MARK = (
    '<div style="position: absolute; top: {{ card.y }}mm; width: 6mm; height: 4mm;'
    ' background: {{ card.colour }}; %s: {{ card.x }}mm"></div>'
)
MARKED_FRONT = (
    '<div class="bleed" style="background: #f0f0f0"></div>'
    + MARK % "left"
    + '<div style="position: absolute; left: 25mm; top: 30mm">{{ card.id }}</div>'
)
MARKED_BACK = '<div class="bleed" style="background: #e0e0e0"></div>' + MARK % "right"
MARKED_DECK = (
    "deck: %s\ntitle: {en: Marked}\nsize: %s\nfront: front.html\nback: back.html\n"
    "fields: {x: number, y: number, colour: string}\ncards:\n"
)


def colour_of(number: int) -> tuple[int, int, int]:
    """A colour for the card of that number, far from the others' and from the grounds."""
    return (number * 16 % 256, 200 - number * 12, 40 if number % 2 else 120)


def marked_deck(name: str, size: str, copies: Iterable[int]) -> str:
    """A deck with a card for each number of copies, each with its own mark in its own place."""
    lines = [MARKED_DECK % (name, size)]
    for number, count in enumerate(copies):
        colour = "#{:02x}{:02x}{:02x}".format(*colour_of(number))
        x, y = 5 + number * 1.5, 6 + number % 5 * 4
        lines.append(
            f"  - {{id: card-{number}, copies: {count}, x: {x}, y: {y}, colour: '{colour}'}}\n"
        )
    return "".join(lines)


def marked_game(decks: dict[str, str]) -> dict[str, str]:
    """The files of a game with such decks."""
    files = {f"cards/{name}.yaml": text for name, text in decks.items()}
    return {
        "game.yaml": GAME,
        "templates/front.html": MARKED_FRONT,
        "templates/back.html": MARKED_BACK,
        **files,
    }


LOOT = """size: poker
front: loot.html
back: back.html
styles: [card.css]
fields: {name: text, text: text, art: string}
cards:
"""
"""The deck of loot, between its title and its cards."""

# Two decks with text, an icon, a drawing, and copies: what builds are tried on.
TEXT_GAME = {
    "game.yaml": "game: small\ntitle: {fi: Pieni, en: Small}\nlanguages: [fi, en]\n",
    "cards/loot.yaml": f"deck: loot\ntitle: {{fi: Saalis, en: Loot}}\n{LOOT}"
    """\
  - id: barn
    name: {fi: Lato, en: Barn}
    text: {fi: "Ota {coin} ja lähde.", en: "Take {coin} – and leave."}
    art: house
  - id: shop
    copies: 3
    name: {fi: Kauppa, en: Shop}
    text: {fi: "Maksa 5 €.", en: "Pay € 5."}
    art: house
""",
    "cards/notes.yaml": """deck: notes
title: {fi: Setelit, en: Notes}
size: 60 x 40
front: note.html
fields: {value: integer}
cards:
  - {id: one, value: 1, copies: 2}
  - {id: five, value: 5}
""",
    "templates/loot.html": """<div class="bleed ground"></div>
<img class="art" src="art/{{ card.art }}.svg">
<div class="name">{{ card.name }}</div>
<div class="text" data-fit="7-9">{{ card.text }}</div>
""",
    "templates/back.html": '<div class="bleed ground"></div><img class="art" src="art/house.svg">',
    "templates/note.html": """<div style="position: absolute; left: 20mm; top: 15mm">
{{ card.value }}</div>""",
    "templates/card.css": """.ground { background: #f1e6cf }
.name { position: absolute; left: 5mm; top: 5mm; width: 50mm }
.text { position: absolute; left: 5mm; top: 55mm; width: 50mm; height: 25mm }
.art { position: absolute; left: 20mm; top: 15mm; width: 20mm; height: 20mm }
""",
    "art/house.svg": """<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 40">
<path fill="#b8392a" d="M4 20 20 4 36 20V36H4z"/></svg>
""",
    "art/icons/coin.svg": """<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24">
<circle cx="12" cy="12" r="9"/></svg>
""",
}

A4 = Size(*PAPERS["a4"])
LETTER = Size(*PAPERS["letter"])


def options(
    paper: Size = A4, *, backs: str = "duplex-long", dpi: int = 72,
    bleed: bool = False, rounded: bool = False, mix: bool = False, cut_files: tuple[str, ...] = (),
    **layout_asked: Any,
) -> Options:  # fmt: skip
    """What is asked of outputs, with a low resolution."""
    name = next(name for name, size in PAPERS.items() if size == (paper.width, paper.height))
    layout = SheetLayout(name, paper, backs, **layout_asked)
    return Options(layout, dpi, bleed, rounded, mix, cut_files)


def make(
    root: Path, wanted: Options | None = None, *, folder: Path | None = None, **asked: Any
) -> BuildReport:
    """Build a game without problems: sheets and images, unless other outputs are named."""
    asked = {"outputs": ("sheets", "images"), "output_folder": folder, **asked}
    request = Request(root, options=wanted or options(), **asked)
    report = build.build(request)
    assert not report.problems, "\n".join(map(str, report.problems))
    return report


def contents(folder: Path) -> dict[str, bytes]:
    """Every file that was made, the store left out."""
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and ".store" not in path.parts
    }


def times(folder: Path) -> dict[str, int]:
    """When each file was last written."""
    return {name: (folder / name).stat().st_mtime_ns for name in contents(folder)}


def edit(root: Path, name: str, old: str, new: str) -> None:
    """Change what a file says, wherever it says so."""
    path = root / name
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new), encoding="utf-8")


def write_game(root: Path, files: dict[str, str]) -> Path:
    """Write a game into a folder, with the repository's fonts."""
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    give_fonts(root)
    return root


def give_fonts(folder: Path) -> None:
    """Put the font packages into a game folder, and a fonts.yaml if it has none."""
    packages = folder / "fonts" / "node_modules"
    for name in _list_font_files():
        (packages / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(FONTS / "node_modules" / name, packages / name)
    declared = folder / "fonts" / "fonts.yaml"
    if not declared.exists():
        declared.write_text(MAIN_FONT)


@cache
def _list_font_files() -> tuple[Path, ...]:
    """The files that small games need, of the thousands that the packages have."""
    packages = FONTS / "node_modules"
    files = (file for package in PACKAGES for file in (packages / package).rglob("*"))
    return tuple(
        file.relative_to(packages) for file in files if file.is_file() and _is_needed(file)
    )


def _is_needed(file: Path) -> bool:
    wanted = ("latin-400", "latin-700", "latin-ext-400", "latin-ext-700", "fi-x-school")
    others = file.suffix not in {".woff2", ".woff", ".js", ".css"}
    return others or any(part in file.name for part in wanted)
