"""The small game that faults are tried on, and the command as it is used on it."""

from __future__ import annotations

from pathlib import Path

from click.testing import CliRunner, Result
from small_games import LOOT, TEXT_GAME

from cardgen.cli.command_line import cli

GAME = {
    **TEXT_GAME,
    "game.yaml": "game: small\ntitle: {en: Small}\nlanguages: [en]\n",
    "cards/loot.yaml": f"deck: loot\ntitle: Loot\n{LOOT}"
    """\
  - {id: barn, name: Barn, text: "Take {coin}.", art: house}
  - {id: shop, name: Shop, text: "Pay.", art: house}
""",
    "cards/notes.yaml": TEXT_GAME["cards/notes.yaml"].replace("{fi: Setelit, en: Notes}", "Notes"),
}


def cardgen(*words: str | Path) -> Result:
    return CliRunner().invoke(cli, [str(word) for word in words])
