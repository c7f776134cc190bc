"""A part of a game: single cards, those for which an expression holds, single sheets."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from conftest import Cardgen
from counted_layouts import Layouts
from pixels import pages
from small_games import TEXT_GAME, contents, edit, make, marked_deck, marked_game, times, write_game

from cardgen.cli import replay
from cardgen.game.model import Deck
from cardgen.pipeline.request import BuildSelection
from cardgen.sheets import imposition

BUILT = {
    **TEXT_GAME,
    "game.yaml": TEXT_GAME["game.yaml"]
    + """players:
  - {id: red, name: {fi: Pun, en: Red}, colour: "#c0392b"}
  - {id: blue, name: {fi: Sin, en: Blue}, colour: "#1f5a96"}
""",
    "cards/notes.yaml": TEXT_GAME["cards/notes.yaml"] + "  - {id: barn, value: 7}\n",
    "cards/flags.yaml": """deck: flags
title: {fi: Liput, en: Flags}
size: poker
for_each: player
front: note.html
fields: {value: integer, worth: integer}
cards:
  - {id: flag, value: 3, worth: 1}
  - {id: pole, value: 4, worth: 2}
""",
}
IMAGES = ("build", "images", "--dpi", "50", "--lang", "en", "-o", "part")
SHEETS = ("build", "sheets", "--lang", "en", "-o", "part")


def made(root: Path) -> list[str]:
    """The files of a part, without the language and their ending."""
    names = (name for name in contents(root / "part") if not name.startswith("."))
    return sorted(n.removeprefix("en/").removeprefix("images/").rpartition(".")[0] for n in names)


@pytest.mark.parametrize(
    ("asked", "found"),
    [
        (["--card", "loot/barn"], ["loot/barn", "loot/barn-back"]),
        (["--card", "barn"], ["loot/barn", "loot/barn-back", "notes/barn"]),
        (["--card", "five,loot/shop"], ["loot/shop", "loot/shop-back", "notes/five"]),
        (["--card", "five", "--card", "one"], ["notes/five", "notes/one"]),
        (["--deck", "notes", "--card", "barn"], ["notes/barn"]),
        (["--card", "flag"], ["flags/flag-blue", "flags/flag-red"]),
        (["--card", "flag-red"], ["flags/flag-red"]),
        (["--deck", "notes,flags", "--where", "value > 3"],
         ["flags/pole-blue", "flags/pole-red", "notes/barn", "notes/five"]),
        (["--where", "worth == 1 and player == 'red'"], ["flags/flag-red"]),
        (["--where", "copies > 1"], ["loot/shop", "loot/shop-back", "notes/one"]),
        (["--card", "barn", "--where", "value"], ["notes/barn"]),
    ],
)  # fmt: skip
def test_the_cards_asked_for(
    cardgen: Cardgen, root: Path, asked: list[str], found: list[str]
) -> None:
    """A name may be of several decks; a deck without a field is passed over if others have it."""
    result = cardgen(*IMAGES, *asked)
    assert (result.code, result.err) == (0, "")
    assert made(root) == found


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        (["--card", "bran"], "--card: no card 'bran'; did you mean 'barn'?"),
        (["--card", "notes/shop"], "--card: no card 'shop' in notes; known: barn, five, one"),
        (["--card", "lot/barn"], "--card: no deck 'lot'; did you mean 'loot'?"),
        (["--deck", "notes", "--card", "loot/barn"],
         "--card: loot/barn is of a deck that --deck leaves out"),
        (["--card", "barn,"], "Invalid value for '--card': a name is missing before or after a "
                              "comma"),
        (["--deck", "loot,note"], "no deck 'note'; did you mean 'notes'?"),
        (["--where", "valeu > 3"], "--where: 'valeu' is undefined; did you mean 'value'?"),
        (["--where", "name == Lato"],
         "--where: 'Lato' is undefined; a word goes in quotes, \"Lato\""),
        (["--where", "value > 30"],
         "--where: 'value > 30' holds for no card of flags, loot, notes"),
        (["--where", "value >"], "--where: 'value >' is not a valid expression: something is "
        "missing at "
                                 "its end"),
        (["--where", " "],
         "--where is empty; write what holds for the cards, such as cost > 3"),
        (["--sheets", "4-2"],
         "Invalid value for '--sheets': '4-2' names no sheets; write 3, 2-4 or 2-4,7."),
        (["rulebook", "--card", "barn"],
         "--card is not used by rulebook; it is for sheets, images, contact, tts, "
         "tabletop-playground, playingcards, folder, mpc, tgc, shop, card-pdfs, "
         "card-proof and press"),
        (["images", "--sheets", "2"], "--sheets is not used by images; it is for sheets"),
        (["changed", "--where", "value"],
         "--where is not used by changed; it is for sheets, images, contact, tts, "
         "tabletop-playground, playingcards, folder, mpc, tgc, shop, card-pdfs, "
         "card-proof and press"),
    ],
    ids=" ".join,
)  # fmt: skip
def test_what_is_not_there(cardgen: Cardgen, asked: list[str], told: str) -> None:
    result = cardgen("build", *asked)
    assert (result.code, result.out, result.error) == (2, "", f"Error: {told}")


def test_only_what_is_asked_for_is_typeset(cardgen: Cardgen, layouts: Layouts) -> None:
    def faces(*asked: str) -> int:
        return layouts.of(lambda: cardgen("build", "--fresh", "--lang", "en", *asked))[0]

    assert faces("sheets", "--deck", "notes", "--card", "five") == 1
    assert faces("images", "--dpi", "50", "--where", "value > 5") == 1
    assert faces("sheets", "--card", "shop") == 2, "front and back"


def test_files_of_a_part_take_no_other_s_place(cardgen: Cardgen, root: Path) -> None:
    """The next build of all removes them, as it does with what no card makes any more."""
    assert cardgen("build", "sheets", "card-pdfs", "contact").code == 0
    whole = contents(root / "build")
    before = times(root / "build")
    result = cardgen("build", "sheets", "card-pdfs", "contact", "--card", "shop,five")
    assert result.code == 0
    new = sorted(set(contents(root / "build")) - set(whole))
    assert [name for name in new if name.startswith("en/")] == [
        "en/card-pdfs/loot+shop+five.pdf",
        "en/card-pdfs/notes+shop+five.pdf",
        "en/contact/loot+shop+five.jpg",
        "en/contact/notes+shop+five.jpg",
        "en/sheets/loot+shop+five.pdf",
        "en/sheets/notes+shop+five.pdf",
    ]
    kept = {name: time for name, time in times(root / "build").items() if name in whole}
    assert {**kept, ".cardgen.json": 0} == {**before, ".cardgen.json": 0}
    assert "  1 sheet of a4" in result.out.replace("2 sheets", "1 sheet")
    assert cardgen("build", "sheets", "card-pdfs", "contact").code == 0
    assert set(contents(root / "build")) == set(whole)


def test_an_expression_names_its_files(cardgen: Cardgen, root: Path) -> None:
    assert cardgen(*SHEETS, "--where", "value > 5", "--mix").code == 0
    assert made(root) == ["sheets/40x60+value-5-4ee6"]
    assert cardgen(*SHEETS, "--where", "value < 5").code == 0
    assert "sheets/notes+value-5-4ee6" not in made(root)
    assert sum(name.startswith("sheets/notes+value-5-") for name in made(root)) == 1


def test_the_same_words_once_more_are_told_at_once(cardgen: Cardgen, root: Path) -> None:
    time.sleep(0.06)
    asked = ("build", "sheets", "--card", "barn", "--where", "value > 1", "--sheets", "1")
    assert cardgen(*asked).code == 0
    assert replay.replay_output(list(asked)) == 0
    edit(root, "cards/notes.yaml", "value: 7", "value: 8")
    assert replay.replay_output(list(asked)) is None


def test_mistakes_on_other_cards_stop_nothing(cardgen: Cardgen, root: Path) -> None:
    edit(root, "cards/notes.yaml", "{id: five, value: 5}", "{id: five, vaule: 5}")
    result = cardgen("build", "images", "--card", "notes/barn")
    assert (result.code, "unknown field 'vaule'" in result.err) == (0, True)
    assert cardgen("build", "images", "--card", "five").code == 1


def test_a_table_of_some_cards(cardgen: Cardgen, root: Path) -> None:
    assert cardgen("build", "tts", "--lang", "en", "--card", "shop,five", "-o", "part").code == 0
    save = (root / "part/en/tts/small+loot+notes+shop+five.json").read_text(encoding="utf-8")
    assert '"loot/shop' in save
    assert '"notes/five' in save
    assert '"loot/barn' not in save
    assert '"notes/one' not in save


# -- sheets


@pytest.fixture(scope="module")
def many(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A deck of four sheets, with backs of its own for each card, and one of a single sheet."""
    decks = {
        "many": marked_deck("many", "poker", [3] * 11),
        "few": marked_deck("few", "poker", [2]),
    }
    root = write_game(tmp_path_factory.mktemp("many"), marked_game(decks))
    make(root, outputs=("sheets",))
    return root


def test_sheets_of_their_numbers_are_those_of_the_whole(
    cardgen: Cardgen, many: Path, tmp_path: Path
) -> None:
    folder = tmp_path / "part"
    asked = ("build", "sheets", "--sheets", "2-3", "-o", str(folder))
    result = cardgen(*asked, at=many)
    assert (result.code, result.err) == (0, "")
    assert [name for name in contents(folder) if name.endswith(".pdf")] == [
        "en/sheets/many+sheets-2-3.pdf"
    ]
    assert "2 sheets of a4, " in result.out
    whole = pages(many / "build/en/sheets/many.pdf", 1)
    part = pages(folder / "en/sheets/many+sheets-2-3.pdf", 1)
    assert len(whole) == 8
    assert [page.tobytes() for page in part] == [page.tobytes() for page in whole[2:6]]


def test_sheets_that_no_deck_has(cardgen: Cardgen, many: Path, tmp_path: Path) -> None:
    result = cardgen("build", "--sheets", "1,4-6,9", "-o", str(tmp_path / "part"), at=many)
    assert result.code == 1
    assert result.err == (
        "--sheets 1,4-6,9: error: there are no sheets 5-6,9; many has 4, few has 1 [asked]\n"
    )


def test_only_what_stands_on_those_sheets_is_typeset(
    cardgen: Cardgen, many: Path, layouts: Layouts, tmp_path: Path
) -> None:
    asked = ("build", "--fresh", "--deck", "many", "--sheets", "4", "-o", str(tmp_path / "part"))
    assert layouts.of(lambda: cardgen(*asked, at=many))[0] == 4, "two cards, front and back"


@pytest.mark.parametrize(
    ("written", "read"),
    [("3", "3"), ("2-4,7", "2-4,7"), ("7, 2 - 4", "2-4,7"), ("1,2,3", "1-3"), ("1-5,2-3,6", "1-6"),
     ("0", None), ("3-2", None), ("", None), ("a", None), ("1-", None), ("123456", None)],
)  # fmt: skip
def test_numbers_as_they_are_written(written: str, read: str | None) -> None:
    found = imposition.parse_numbers(written)
    assert (found and str(found)) == read


def test_numbers_beyond() -> None:
    found = imposition.parse_numbers("2-4,7")
    assert found is not None
    assert [number in found for number in (1, 2, 4, 5, 7)] == [False, True, True, False, True]
    assert [str(found.list_beyond(most)) for most in (0, 3, 5, 7)] == ["2-4,7", "4,7", "7", ""]


def test_the_pieces_asked_for_are_gathered_once() -> None:
    gathered = []

    class Counted(tuple[Deck, ...]):
        def __iter__(self) -> Iterator[Deck]:
            gathered.append(self)
            return super().__iter__()

    asked = BuildSelection(Counted(), ("en",))
    assert [asked.piece_keys for _ in range(3)] == [frozenset()] * 3
    assert len(gathered) == 1, "each face asks for them"
