"""Every kind of problem, from a game folder that has it: what is printed, to the letter.

Each folder under tests/problems/ is a game; its expected.txt holds the lines that
`cardgen check` prints, in their order.
"""

from __future__ import annotations

import difflib
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from conftest import TESTS, MakeGame

from cardgen.cli.command_line import cli

LOOT = "deck: loot\ntitle: Loot\nsize: poker\nfront: loot.html\nfields: {name: text}\ncards:\n"
MARGIN = '<p style="margin: 6mm">{{ card.name }}</p>\n'
SQUARE = (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24"><path d="M4 4h16v16H4z"/></svg>'
)
# The repository holds no file that is called a font, not even one that is none.
PRETENDED = {"broken-font": {"fonts/my-hand-400-normal.ttf": "This is no font.\n"}}
KINDS = sorted(folder.name for folder in (TESTS / "problems").iterdir() if folder.is_dir())


def check(root: Path) -> Result:
    """`cardgen check` of a game folder."""
    return CliRunner().invoke(cli, ["check", str(root)])


def difference(expected: str, printed: str) -> str:
    """The lines that are too few (-) and too many (+), for the reader of a failure."""
    lines = difflib.unified_diff(
        expected.splitlines(), printed.splitlines(), "expected.txt", "printed", lineterm="", n=0
    )
    return "\n".join(lines)


@pytest.mark.parametrize("kind", KINDS)
def test_problems_are_told_at_their_lines(kind: str, make_game: MakeGame) -> None:
    folder = TESTS / "problems" / kind
    result = check(make_game(PRETENDED.get(kind), like=folder))
    expected = (folder / "expected.txt").read_text(encoding="utf-8")
    assert not difference(expected, result.stderr)
    assert result.exit_code == (1 if ": error: " in expected else 0)


def test_mistakes_of_all_files_are_told_at_once_by_file_and_line(make_game: MakeGame) -> None:
    told = check(make_game(like=TESTS / "problems" / "several-files")).stderr.splitlines()
    places = [line.split(": ")[0].split(":") for line in told]
    assert places == sorted(places, key=lambda place: (place[0], int(place[1])))
    assert {path for path, _ in places} == {
        "cards/loot.yaml",
        "cards/rules.yaml",
        "cards/units.yaml",
        "templates/loot.html",
        "templates/units.html",
    }
    assert len(told) == 8


def test_a_mistake_in_a_template_is_told_once_for_many_cards(make_game: MakeGame) -> None:
    cards = "".join(f"  - {{id: card-{number}, name: One}}\n" for number in range(6))
    root = make_game(
        {"cards/loot.yaml": LOOT + cards, "templates/loot.html": "{{ card.nmae }}"},
        like=TESTS / "problems" / "small-text",
    )
    assert check(root).stderr == (
        "templates/loot.html:1: error: loot/card-0 [en] front, loot/card-1 [en] front, "
        "loot/card-2 [en] front and 3 more: "
        "there is no 'nmae'; did you mean 'name'? [template]\n"
    )


def test_no_link_leads_out_of_the_game_folder(make_game: MakeGame, tmp_path: Path) -> None:
    root = make_game(
        {
            "art/icons/bread.svg": SQUARE,
            "art/school.svg": SQUARE,
            "cards/loot.csv": "id,name\nhotel,Hotel\n",
            "cards/loot.yaml": LOOT.replace("fields", "styles: [loot.css]\nrows: loot.csv\nfields")
            + "  - {id: school, name: School}\n",
            "cards/units.yaml": LOOT.replace("loot", "units") + "  - {id: armour, name: Armour}\n",
            "templates/loot.css": "p { color: #211d1a }\n",
            "templates/loot.html": MARGIN + '<img src="art/school.svg">\n',
            "templates/units.html": MARGIN,
        },
        like=TESTS / "problems" / "small-text",
    )
    assert check(root).stderr == ""
    linked = (
        "art/icons/bread.svg", "art/school.svg", "cards/loot.csv", "cards/units.yaml",
        "templates/loot.css",
    )  # fmt: skip
    for number, name in enumerate(linked):
        outside = tmp_path / str(number)
        (root / name).rename(outside)
        (root / name).symlink_to(outside)
    assert check(root).stderr.splitlines() == [
        "art/icons/bread.svg: error: the file leads out of the game folder [file]",
        "cards/loot.yaml:5: error: loot: templates/loot.css leads out of the game folder "
        "[template]",
        "cards/loot.yaml:6: error: loot: the table cards/loot.csv leads out of the game folder "
        "[file]",
        "cards/units.yaml: error: the file leads out of the game folder [file]",
        "templates/loot.html:2: error: loot: art/school.svg leads out of the game folder [art]",
    ]
