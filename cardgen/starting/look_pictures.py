"""Pictures of looks: a card of a look's sample in each style that comes with cardgen."""

from __future__ import annotations

import io
import re
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from cardgen.core import yaml_nodes
from cardgen.core.units import PAPERS, Size
from cardgen.game.fonts_file import BUILTIN_FAMILIES
from cardgen.looks.look_catalogue import Look
from cardgen.outputs.contract import Options
from cardgen.pipeline import build
from cardgen.pipeline.request import CardFilter, Request
from cardgen.runtime import game_files, safe_files
from cardgen.sheets.arrangement import SheetLayout
from cardgen.starting import new_game
from cardgen.starting.starter_files import NewGameRequest

if TYPE_CHECKING:
    from PIL.Image import Image

_OWN_STYLE = "own"
"""Name of the style that a look has without one."""
_DPI, _HEIGHT_PX, _LABEL_PX, _GAP_PX, _ACROSS = 150, 420, 26, 14, 5
_DESK, _INK = "#d8d4cb", "#26211d"


def draw_styles(look: Look, styles: Sequence[str]) -> Image:
    """Draw the first card of a look's sample in the look's own style and in each of these, with
    their names."""
    from PIL import Image, ImageDraw, ImageFont  # noqa: PLC0415

    with tempfile.TemporaryDirectory(prefix="cardgen-") as folder:
        cards = [*_build_cards(look, styles, Path(folder))]
    label = ImageFont.truetype(str(BUILTIN_FAMILIES[0].find_file(400, "normal")), _LABEL_PX - 6)
    width = max(card.width for _, card in cards) + _GAP_PX
    height = max(card.height for _, card in cards) + _LABEL_PX + _GAP_PX
    rows = -(-len(cards) // _ACROSS)
    sheet = Image.new("RGB", (width * min(_ACROSS, len(cards)) + _GAP_PX, height * rows), _DESK)
    pen = ImageDraw.Draw(sheet)
    for number, (name, card) in enumerate(cards):
        left = _GAP_PX + number % _ACROSS * width
        top = _GAP_PX // 2 + number // _ACROSS * height
        sheet.paste(card, (left, top), card)
        pen.text((left + card.width / 2, top + card.height + 3), name, _INK, label, anchor="ma")
    return sheet


def _build_cards(look: Look, styles: Sequence[str], root: Path) -> Iterator[tuple[str, Image]]:
    """Build a game with a deck for each style, and yield their names with their cards."""
    from PIL import Image  # noqa: PLC0415

    made, _ = new_game.create_game(NewGameRequest("Sample", look, languages=("en",)))
    deck = made.files[f"cards/{made.deck}.yaml"].decode()
    # A colour for each kind of card would hide that of the style.
    deck = re.sub(r"\n  accent: .*", "", deck).partition(f"deck: {made.deck}\n")[2]
    safe_files.write_new_file(root / "game.yaml", made.files["game.yaml"])
    safe_files.ensure_folder(root, ["cards"])
    names = [_OWN_STYLE, *styles]
    for name in names:
        style = "" if name == _OWN_STYLE else f"style: {name}\n"
        text = f"deck: {name}\n{style}{deck}"
        safe_files.write_new_file(root / f"cards/{name}.yaml", text.encode())
    node, _ = yaml_nodes.load(deck, "cards")
    cards = node.get("cards") if node else None
    assert cards is not None
    card = str(cards.list_nodes()[0].value["id"].value)
    options = Options(SheetLayout("a4", Size(*PAPERS["a4"])), _DPI, bleed=False, rounded=True)
    request = Request(root, ("images",), options=options, card_filter=CardFilter((card,)))
    build.build(request)
    for name in names:
        data = game_files.read_file(root / f"build/en/images/{name}/{card}.png")
        drawn = Image.open(io.BytesIO(data)).convert("RGBA")
        yield name, drawn.resize((round(drawn.width * _HEIGHT_PX / drawn.height), _HEIGHT_PX))
