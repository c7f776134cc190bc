"""`cardgen texts`: how translations stand, texts that go out and come back."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest
from conftest import Cardgen, MakeGame
from small_games import TEXT_GAME, edit


@pytest.fixture
def root(make_game: MakeGame) -> Path:
    return make_game(TEXT_GAME)


def test_texts_go_out_and_come_back(cardgen: Cardgen, root: Path, tmp_path: Path) -> None:
    status = cardgen("texts")
    assert status.code == 0
    assert "en: 7 of 7 texts (100 %)" in status.out
    file = tmp_path / "out.csv"
    made = cardgen("texts", "export", "--to", "sv", "-o", str(file))
    assert made.code == 0
    assert "7 texts fi → sv: 7 missing" in made.out
    with file.open(encoding="utf-8-sig", newline="") as stream:
        table = list(csv.reader(stream))
    at = table[0].index("Translation (sv)")
    for row in table[1:]:
        row[at] = f"sv {row[at - 1]}"
    with file.open("w", encoding="utf-8", newline="") as stream:
        csv.writer(stream).writerows(table)
    before = (root / "cards/loot.yaml").read_text(encoding="utf-8")
    tried = cardgen("texts", "import", str(root), str(file), "--try")
    assert tried.code == 0
    assert "(nothing was written)" in tried.out
    assert (root / "cards/loot.yaml").read_text(encoding="utf-8") == before
    taken = cardgen("texts", "import", str(file))
    assert taken.code == 0, taken.err
    assert "sv: 7 new" in taken.out
    assert "sv was added to languages in game.yaml" in taken.out
    assert 'sv: "sv Ota {coin} ja lähde."' in (root / "cards/loot.yaml").read_text("utf-8")
    again = cardgen("texts", "import", str(file))
    assert "sv: 7 as they were" in again.out
    assert "sv: 7 of 7 texts (100 %)" in cardgen("texts", str(root)).out


def test_what_cannot_be_asked_is_told(cardgen: Cardgen, root: Path) -> None:
    wrong = cardgen("texts", "export", "--to", "fi")
    assert wrong.code == 2
    assert "fi is the game's own language" in wrong.error
    missing = cardgen("texts", "import", "none.po")
    assert missing.code == 2
    assert "none.po" in missing.error


@pytest.mark.parametrize("name", ["../../x", "/x/y", "a/b", "..", "a\\b", "c:x", "x\n", "-x"])
def test_no_name_of_a_game_leads_out_of_the_folder(
    root: Path, cardgen: Cardgen, tmp_path: Path, name: str
) -> None:
    edit(root, "game.yaml", "game: small", f"game: {json.dumps(name)}")
    before = {path for path in tmp_path.rglob("*") if not path.is_relative_to(root)}
    cardgen("texts", "export", "--to", "sv")
    assert "expected a short name of letters, digits, spaces, - and _" in cardgen("check").err
    assert {path for path in tmp_path.rglob("*") if not path.is_relative_to(root)} == before
    assert {path.name for path in root.iterdir() if "sv" in path.name} <= {"game-sv.xlsx"}
