"""Small games for the tests of virtual tables, and what their saves hold."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

from small_games import GAME, options

from cardgen.outputs.contract import TableOptions
from cardgen.tabletop import tts_checker

SCHEMA = json.loads((Path(__file__).parent / "save.schema.json").read_text(encoding="utf-8"))
TTS = options(dpi=72)
BASE = replace(
    TTS, tables=TableOptions(sheet_px=1024, png=True, base_url="https://cards.example/x")
)
SMALL = replace(TTS, tables=TableOptions(sheet_px=1024, png=True))

NUMBERED = (
    '<div class="bleed" style="background: {{ card.colour }}"></div>'
    '<div style="position: absolute; left: 5mm; top: 5mm; font-size: '
    '{{ "30pt" if deck.width > 30 else "10pt" }}">{{ card.id }}</div>'
)
PLAIN_BACK = '<div class="bleed" style="background: #204060"></div>'
OWN_BACK = (
    '<div class="bleed" style="background: #602040"></div>'
    '<div style="position: absolute; left: 6mm; top: 8mm; font-size: 30pt">{{ card.id }}</div>'
)


def numbered(name: str, count: int, *, back: str = "back.html", size: str = "poker") -> str:
    """A deck of so many unlike cards."""
    lines = [
        f"deck: {name}\ntitle: {{en: {name.title()}}}\nsize: {size}\nfront: numbered.html\n",
        f"back: {back}\n" if back else "",
        "fields:\n  name: text\n  text: {type: text, printed: false}\n  colour: string\n",
        "  kind: {type: choice, of: [a, b], printed: false}\n",
        "cards:\n",
    ]
    for n in range(count):
        colour = f"#{(n * 53) % 156 + 100:02x}{(n * 97) % 156 + 100:02x}{(n * 29) % 156 + 100:02x}"
        lines.append(
            f"  - {{id: c{n}, name: {{en: Card {n}}}, text: {{en: 'Do **{n}** things.'}},"
            f" colour: '{colour}', kind: {'ab'[n % 2]}}}\n"
        )
    return "".join(lines)


def a_game(decks: dict[str, str], **more: str) -> dict[str, str]:
    return {
        "game.yaml": GAME,
        "templates/numbered.html": NUMBERED,
        "templates/back.html": PLAIN_BACK,
        "templates/own-back.html": OWN_BACK,
        **{f"cards/{name}.yaml": text for name, text in decks.items()},
        **more,
    }


def saved(root: Path, language: str = "en") -> tuple[Path, dict[str, Any]]:
    path = root / "build" / language / "tts" / "small.json"
    return path, json.loads(path.read_text(encoding="utf-8"))


def objects(save: dict[str, Any], name: str) -> list[dict[str, Any]]:
    found = (each.value for each in tts_checker.iterate_objects(save))
    return [value for value in found if value["Name"] == name]


PLAYERS = (
    "players:\n  - {id: red, name: {en: Red}, colour: '#c0392b'}\n"
    "  - {id: sky, name: {en: Sky}, colour: '#4080ff'}\nconstants: {start: 2}\n"
)
TABLE = """seat:
  - {deck: d, take: 1, as: spread}
  - deck: boards
    as: board
    row: 2
    markers: [{card: tokens/c0, at: [10 + 20 * start, 30]}]
middle:
  - {deck: d, where: "kind == 'b'"}
  - {deck: tokens, as: infinite}
notes:
  - {title: {en: First}, text: {en: "Shuffle *all*."}}
"""


def seated(**more: str) -> dict[str, str]:
    cards = numbered("d", 4).replace("id: c0,", "id: c0, copies: 9,")
    for n in (1, 2, 3):
        cards = cards.replace(f"id: c{n},", f"id: c{n}, copies: 2,")
    boards = numbered("boards", 1, back="", size="100 x 60") + "for_each: player\n"
    tokens = numbered("tokens", 1, back="", size="16 x 16").replace("id: c0,", "id: c0, copies: 5,")
    files = a_game({"d": cards, "boards": boards, "tokens": tokens}, **{"table.yaml": TABLE})
    return {**files, "game.yaml": GAME + PLAYERS, **more}
