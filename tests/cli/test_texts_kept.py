"""`cardgen texts`: what is refused, what is named as missing, what stands beside a text."""

from __future__ import annotations

import csv
import io
import zipfile
from pathlib import Path

import pytest
from conftest import Cardgen, MakeGame
from small_games import TEXT_GAME

from cardgen.cli import card_hints
from cardgen.cli.card_hints import CardHint

PLAYERS = """players:
  - {id: red, name: {fi: Punainen, en: Red}, colour: "#c0392b", symbol: coin}
  - {id: blue, name: {fi: Sininen, en: Blue}, colour: "#2040a0", symbol: coin}
"""
GRAVES = """deck: graves
title: {fi: Haudat, en: Graves}
size: poker
front: grave.html
back: under.html
styles: [card.css]
for_each: player
fields: {name: text, under: text}
cards:
  - {id: old, name: {fi: Vanha, en: Old}, under: {fi: Syvällä maassa, en: Deep}}
"""


@pytest.fixture
def root(make_game: MakeGame) -> Path:
    return make_game(TEXT_GAME)


def table(file: Path) -> list[list[str]]:
    with file.open(encoding="utf-8-sig", newline="") as stream:
        return list(csv.reader(stream))


def fill(file: Path) -> None:
    """What a translator does."""
    rows = table(file)
    for row in rows[1:]:
        row[5] = f"sv {row[4]}"
    with file.open("w", encoding="utf-8", newline="") as stream:
        csv.writer(stream).writerows(rows)


def test_what_a_translator_wrote_is_not_written_over(
    cardgen: Cardgen, root: Path, tmp_path: Path
) -> None:
    file = tmp_path / "small-sv.csv"
    ask = ("texts", "export", "--to", "sv", "-o", str(file))
    assert cardgen(*ask).code == 0
    assert cardgen(*ask).code == 0  # as it went out
    fill(file)
    before = file.read_bytes()
    refused = cardgen(*ask)
    assert refused.code == 2
    assert "small-sv.csv holds 7 translations missing in the game; import them with" in (
        " ".join(refused.error.split())
    )
    assert "-o" in refused.error
    assert "--force" in refused.error
    assert file.read_bytes() == before
    assert cardgen("texts", "import", str(root), str(file)).code == 0
    assert cardgen(*ask).code == 0  # the game has them
    fill(file)
    assert cardgen(*ask, "--force").code == 0
    file.write_bytes(b"\xff\xfe")
    assert "exists but is not a translation file" in " ".join(cardgen(*ask).error.split())


@pytest.mark.parametrize(
    ("more", "said"),
    [
        (["-o", "z.docx"], "-o z.docx: files of texts end in xlsx, csv, po, xlf"),
        (["-o", "z.po", "--format", "csv"], "-o z.po: a file of --format csv ends in .csv"),
    ],
)
def test_a_file_of_another_kind_is_refused(
    cardgen: Cardgen, root: Path, more: list[str], said: str
) -> None:
    refused = cardgen("texts", "export", str(root), "--to", "sv", *more)
    assert refused.code == 2
    assert said in " ".join(refused.error.split())


def test_which_texts_are_missing_is_told(cardgen: Cardgen, root: Path) -> None:
    file = root / "cards/loot.yaml"
    text = file.read_text(encoding="utf-8").replace("{fi: Kauppa, en: Shop}", "{fi: Kauppa}")
    file.write_text(text.replace('text: {fi: "Maksa 5 €.", en: "Pay € 5."}',
                                 'text: {fi: "Maksa 5 €."}'), "utf-8")  # fmt: skip
    head = root / "game.yaml"
    head.write_text(head.read_text("utf-8") + "fallback: true\n", "utf-8")
    status = cardgen("texts").out
    assert "    missing: shop/name, shop/text\n" in status
    assert "  all of them: cardgen texts status --lang en --missing\n" in status
    line = next(n for n, each in enumerate(text.splitlines(), 1) if "Kauppa" in each)
    listed = cardgen("texts", "status", "--lang", "en", "--missing").out
    assert f"cards/loot.yaml:{line}: missing: loot/shop: name: 'Kauppa'\n" in listed
    wrong = cardgen("texts", "--lang", "sv")
    assert wrong.code == 2
    assert "--lang sv: the game is translated into en" in wrong.error


def test_what_was_left_out_and_what_was_not_there_are_counted(
    cardgen: Cardgen, root: Path, tmp_path: Path
) -> None:
    file = tmp_path / "x.csv"
    assert cardgen("texts", "export", "--to", "sv", "-o", str(file)).code == 0
    fill(file)
    lines = file.read_text(encoding="utf-8").splitlines(keepends=True)
    kept = [line for line in lines if "shop/" not in line]
    file.write_text("".join(kept).replace("sv Ota {coin}", "sv Ota"), encoding="utf-8")
    taken = cardgen("texts", "import", str(file))
    assert taken.code == 1
    assert "sv: 4 new, 1 left out, 2 not in the file" in taken.out


def test_texts_of_backs_and_of_each_player_have_their_pictures(
    cardgen: Cardgen, root: Path, tmp_path: Path
) -> None:
    from openpyxl import load_workbook  # noqa: PLC0415 - slow to import

    files = {
        "cards/graves.yaml": GRAVES,
        "templates/grave.html": '<div class="name">{{ card.name }}</div>',
        "templates/under.html": '<div class="text" data-fit="7-9">{{ card.under }}</div>',
        "game.yaml": TEXT_GAME["game.yaml"] + PLAYERS,
    }
    for name, text in files.items():
        (root / name).write_text(text, encoding="utf-8")
    file = tmp_path / "x.xlsx"
    made = cardgen("texts", "export", "--to", "sv", "-o", str(file), "--pictures")
    assert made.code == 0, made.err
    texts = load_workbook(file)["Texts"]
    told = {
        str(row[13].value): (row[10].value, row[11].value) for row in texts.iter_rows(min_row=2)
    }
    assert told["cards/graves.yaml#old/name"] == (None, "graves-old-red.png")
    for image in texts._images:  # its name stands below it
        height = texts.row_dimensions[image.anchor._from.row + 1].height
        assert height >= image.anchor.ext.height / 12_700 + 15
    room, picture = told["cards/graves.yaml#old/under"]
    assert picture == "graves-old-red-back.png"
    assert str(room).endswith("mm") or "shrink" in str(room)
    assert told["cards/loot.yaml#barn/name"][0] is None
    assert told["cards/loot.yaml#barn/text"][0] is not None
    with zipfile.ZipFile(io.BytesIO(file.read_bytes())) as package:
        pictures = [name for name in package.namelist() if name.startswith("xl/media/")]
        assert len(pictures) == len({package.read(name) for name in pictures}) == 4


def test_a_card_that_was_changed_since_it_was_set_tells_no_room(
    cardgen: Cardgen, root: Path, tmp_path: Path
) -> None:
    first, then = tmp_path / "x.csv", tmp_path / "y.csv"
    assert cardgen("texts", "export", "--to", "sv", "-o", str(first), "--pictures").code == 0
    file = root / "cards/loot.yaml"
    file.write_text(file.read_text("utf-8").replace("ja lähde", "ja lähde jo"), "utf-8")
    assert cardgen("texts", "export", "--to", "sv", "-o", str(then), "--no-pictures").code == 0
    before, after = ({row[13].partition("#")[2]: row[10] for row in table(each)}
                     for each in (first, then))  # fmt: skip
    assert before["barn/text"]
    assert after["barn/text"] == ""
    assert after["shop/text"] == before["shop/text"] != ""


def test_the_room_is_of_the_box_in_which_the_text_stands() -> None:
    fitted, boxes = card_hints._read_fitted_text(
        '<p>Barn</p><div data-fit="7-9"><img src="a"><b>Take</b> <i>it</i>, now.</div>'
    )
    card = CardHint("2.0 mm", fitted_text=fitted, box_count=boxes)
    assert card.find_room("**Take** {coin} *it*, now.") == "2.0 mm"
    assert card.find_room("Barn") == ""
    assert CardHint("2.0 mm", fitted_text=fitted, box_count=2).find_room("Take") == (
        "2.0 mm (tightest of 2 boxes)"
    )
