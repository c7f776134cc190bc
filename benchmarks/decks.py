"""A made-up deck, the same for every tool: poker cards with a name, forty words and a drawing.

The drawings are 32, of MODERATE_CURVES curves and gradients each, like those of real games, or of
DETAILED_CURVES. Written as a game of cardgen, as a page of HTML, as a Typst document and as a Squib
deck; each with its fronts and its backs, nine to a sheet.
"""

from __future__ import annotations

import csv
import random
import shutil
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from fontTools.ttLib import TTFont

ROOT = Path(__file__).parent.parent
PACKAGE = "@fontsource/roboto-condensed"
FONT_FILES = ROOT / "fonts" / "node_modules" / PACKAGE / "files"
WEIGHTS = (400, 700)
DRAWINGS = 32
MODERATE_CURVES, DETAILED_CURVES = 20, 150
WORDS = (
    "the convoy stops before a bridge and waits until somebody pays for another tank of fuel "
    "while rain falls on sacks of flour and nobody knows who gave the order to turn back"
)
EDITED = ("Card 1 ", "Card one ")
"""What is changed in a deck, and into what."""
GROUND, BACK, INK = "#f1e6cf", "#b8392a", "#1c1a17"
A_SHEET = 9


@dataclass(frozen=True)
class Card:
    """One card's words and the number of its drawing."""

    name: str
    text: str
    drawing: int


def cards(count: int) -> list[Card]:
    """That many cards; the same at every call."""
    chance = random.Random(64)
    return [
        Card(f"Card {n} of many", " ".join(chance.choices(WORDS.split(), k=40)), n % DRAWINGS)
        for n in range(count)
    ]


def drawing(number: int, curves: int) -> str:
    """A picture of 69.5 × 40 mm in SVG."""
    chance = random.Random(number)

    def colour() -> str:
        return f"#{chance.randrange(1 << 24):06x}"

    def point() -> str:
        return f"{chance.uniform(0, 695):.1f} {chance.uniform(0, 400):.1f}"

    gradients = "".join(
        f'<linearGradient id="g{n}" x2="1" y2="1"><stop stop-color="{colour()}"/>'
        f'<stop offset="1" stop-color="{colour()}"/></linearGradient>'
        for n in range(curves // 5)
    )
    paths = "".join(
        f'<path d="M{point()}C{point()} {point()} {point()}S{point()} {point()}Z" '
        + (f'fill="url(#g{n // 5})"' if n % 5 == 0 else f'fill="{colour()}"')
        + f' stroke="{colour()}" stroke-width="{chance.uniform(0.5, 3):.1f}"/>'
        for n in range(curves)
    )
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" width="69.5mm" height="40mm" '
        f'viewBox="0 0 695 400"><defs>{gradients}</defs>'
        f'<rect width="695" height="400" fill="{colour()}"/>{paths}</svg>'
    )


def _write(folder: Path, files: dict[str, str]) -> Path:
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return folder


def _drawings(curves: int) -> dict[str, str]:
    return {f"art/art-{n}.svg": drawing(n, curves) for n in range(DRAWINGS)}


def _fonts(folder: Path) -> None:
    """The two weights as TrueType: Typst reads no WOFF2."""
    for weight in WEIGHTS:
        font = TTFont(FONT_FILES / f"roboto-condensed-latin-{weight}-normal.woff2")
        font.flavor = None
        font.save(folder / f"{weight}.ttf")


def _sheets(count: int) -> Iterator[range]:
    return (range(first, min(first + A_SHEET, count)) for first in range(0, count, A_SHEET))


def game(folder: Path, count: int, curves: int = MODERATE_CURVES) -> Path:
    """A game of cardgen, whose names and texts are fitted to their places."""
    deck = """deck: made-up
title: {en: Made up}
size: poker
front: card.html
back: back.html
styles: [card.css]
fields: {name: text, text: text, drawing: integer}
cards:
"""
    for number, card in enumerate(cards(count)):
        deck += (
            f"  - id: card-{number}\n    name: {{en: {card.name}}}\n"
            f"    text: {{en: {card.text}}}\n    drawing: {card.drawing}\n"
        )
    _write(folder, _drawings(curves))
    _write(
        folder,
        {
            "game.yaml": "game: made-up\ntitle: {en: Made up}\nlanguages: [en]\n",
            "cards/made-up.yaml": deck,
            "templates/card.html": f"""<div class="bleed" style="background: {GROUND}"></div>
<img class="art" src="art/art-{{{{ card.drawing }}}}.svg">
<div class="name" data-fit="9-13">{{{{ card.name }}}}</div>
<div class="text" data-fit="6.5-8.5">{{{{ card.text }}}}</div>
""",
            "templates/back.html": f'<div class="bleed" style="background: {BACK}"></div>\n',
            "templates/card.css": f""".card {{ color: {INK} }}
.art {{ position: absolute; left: -3mm; top: 14mm; width: 69.5mm; height: 40mm }}
.name {{ position: absolute; left: 5mm; top: 5mm; width: 53mm; height: 8mm; font-weight: 700 }}
.text {{ position: absolute; left: 5mm; top: 56mm; width: 53mm; height: 27mm }}
""",
            "fonts/fonts.yaml": "fonts:\n  - family: Roboto Condensed\n"
            f'    package: "{PACKAGE}"\n    weights: [400, 700]\n',
        },
    )
    for package in (PACKAGE, "hyphen"):
        packages = "fonts/node_modules"
        shutil.copytree(ROOT / packages / package, folder / packages / package)
    return folder


def page(folder: Path, count: int, curves: int = MODERATE_CURVES) -> Path:
    """Sheets of fronts and of backs in one page of HTML, at sizes that are given."""
    _write(folder, _drawings(curves))
    _fonts(folder)
    faces = "".join(
        f"@font-face {{ font-family: Made; font-weight: {weight}; src: url({weight}.ttf) }}\n"
        for weight in WEIGHTS
    )
    style = f"""{faces}@page {{ size: 210mm 297mm; margin: 0 }}
body {{ margin: 0; font-family: Made; color: {INK} }}
section {{ position: relative; width: 210mm; height: 297mm; break-after: page }}
.card {{ position: absolute; width: 63.5mm; height: 88mm; overflow: hidden; background: {GROUND} }}
.back {{ background: {BACK} }}
.card * {{ position: absolute; margin: 0 }}
.card img {{ left: -3mm; top: 14mm; width: 69.5mm; height: 40mm }}
.card b {{ left: 5mm; top: 5mm; width: 53mm; font-size: 13pt }}
.card p {{ left: 5mm; top: 56mm; width: 53mm; height: 27mm; font-size: 8.5pt }}
"""
    all_cards = cards(count)
    body = ""
    for sheet in _sheets(count):
        fronts = backs = ""
        for place, number in enumerate(sheet):
            row, column = divmod(place, 3)
            card = all_cards[number]
            top = f"top: {16.5 + 88 * row}mm; left: "
            fronts += (
                f'<div class="card" style="{top}{9.75 + 63.5 * column}mm">'
                f'<img src="art/art-{card.drawing}.svg"><b>{card.name}</b><p>{card.text}</p></div>'
            )
            backs += f'<div class="card back" style="{top}{9.75 + 63.5 * (2 - column)}mm"></div>'
        body += f"<section>{fronts}</section><section>{backs}</section>\n"
    text = f"<!DOCTYPE html><meta charset=utf-8><style>{style}</style>{body}"
    return _write(folder, {"cards.html": text})


def document(folder: Path, count: int, curves: int = MODERATE_CURVES) -> Path:
    """The same sheets as a Typst document."""
    _write(folder, _drawings(curves))
    _fonts(folder)
    text = f"""#set page(width: 210mm, height: 297mm, margin: 0mm)
#set text(font: "Roboto Condensed", fill: rgb("{INK}"))
#let card(x, y, name, words, art) = place(dx: x, dy: y, box(
  width: 63.5mm, height: 88mm, clip: true, fill: rgb("{GROUND}"), {{
    place(dx: -3mm, dy: 14mm, image(art, width: 69.5mm, height: 40mm))
    place(dx: 5mm, dy: 5mm, box(width: 53mm, text(13pt, weight: 700, name)))
    place(dx: 5mm, dy: 56mm, box(width: 53mm, text(8.5pt, words)))
  }}))
#let back(x, y) = place(dx: x, dy: y, rect(
  width: 63.5mm, height: 88mm, fill: rgb("{BACK}"), stroke: none))
"""
    all_cards = cards(count)
    pages: list[str] = []
    for sheet in _sheets(count):
        calls = {"front": "", "back": ""}
        for place, number in enumerate(sheet):
            row, column = divmod(place, 3)
            card = all_cards[number]
            y = f"{16.5 + 88 * row}mm"
            calls["front"] += (
                f"#card({9.75 + 63.5 * column}mm, {y}, [{card.name}], [{card.text}], "
                f'"art/art-{card.drawing}.svg")\n'
            )
            calls["back"] += f"#back({9.75 + 63.5 * (2 - column)}mm, {y})\n"
        pages += calls.values()
    return _write(folder, {"cards.typ": text + "#pagebreak()\n".join(pages)})


def ruby(folder: Path, count: int, curves: int = MODERATE_CURVES) -> Path:
    """The same cards as a Squib deck, which lays out the sheets itself."""
    _write(folder, _drawings(curves))
    with (folder / "cards.csv").open("w", encoding="utf-8", newline="") as table:
        rows: Sequence[Sequence[object]] = [
            (card.name, card.text, f"art/art-{card.drawing}.svg") for card in cards(count)
        ]
        csv.writer(table).writerows([("name", "text", "art"), *rows])
    sheet = "width: '210mm', height: '297mm', margin: '9.75mm', gap: 0"
    script = f"""require 'squib'
data = Squib.csv file: 'cards.csv'
size = {{ width: '63.5mm', height: '88mm', cards: data['name'].size }}
Squib::Deck.new(**size) do
  background color: '{GROUND}'
  svg file: data['art'], x: '-3mm', y: '14mm', width: '69.5mm', height: '40mm'
  text str: data['name'], font: 'Roboto Condensed Bold 13', color: '{INK}',
       x: '5mm', y: '5mm', width: '53mm', height: '8mm'
  text str: data['text'], font: 'Roboto Condensed 8.5', color: '{INK}',
       x: '5mm', y: '56mm', width: '53mm', height: '27mm'
  save_pdf file: 'fronts.pdf', dir: '.', {sheet}
end
Squib::Deck.new(**size) do
  background color: '{BACK}'
  save_pdf file: 'backs.pdf', dir: '.', {sheet}, rtl: true
end
"""
    return _write(folder, {"deck.rb": script})
